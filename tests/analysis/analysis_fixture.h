// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/pipeline.h"

#include <QString>

#include <stdexcept>

namespace fivefold::tests {

inline std::string samplePath() {
    return FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx";
}

constexpr std::string_view kFiveMachines[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

/// Tests that need the value stop at once when there is none, with the sentence.
template <typename T> T take(base::Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().text());
    return *std::move(result);
}

inline std::shared_ptr<const analysis::Result> analyzeOn(
    const std::shared_ptr<const analysis::Model>& model, std::string_view machine,
    analysis::TypedCache* cache = nullptr) {
    analysis::Request request{model, machines::findMachine(machine), {}, {}};
    request.settings.precision = request.machine->defaultPrecision();
    return take(analysis::analyze(request, {}, cache));
}

inline ir::NodeId nodeNamed(const ir::Graph& graph, std::string_view name) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == name)
            return ir::NodeId(i);
    throw std::runtime_error("no node " + std::string(name));
}

inline ir::NodeId firstOf(const ir::Graph& graph, ir::Op op) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].op == op)
            return ir::NodeId(i);
    throw std::runtime_error("no node of operator " + std::string(ir::name(op)));
}

} // namespace fivefold::tests
