// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

#include <memory>
#include <string>

namespace fivefold::tests {

using Extents = std::vector<std::int64_t>;

/// Builds captured graphs node by node, bodies included; types come from inference.
class Model {
public:
    Model();

    ir::ValueId input(const std::string& name, const Extents& shape,
        ir::DType dtype = ir::DType::Float32, ir::BlockId block = ir::Graph::mainBlock());
    ir::ValueId weight(
        const std::string& name, const Extents& shape, ir::DType dtype = ir::DType::Float32);
    ir::ValueId scalar(const std::string& name, float value);
    ir::ValueId integers(const std::string& name, const Extents& values);
    ir::ValueId boolean(const std::string& name, bool value);
    ir::ValueId node(
        ir::Op op, const std::vector<ir::ValueId>& inputs, ir::Attributes attributes = {});
    /// Several results; the node stands in the current block.
    std::vector<ir::ValueId> nodes(ir::Op op, const std::vector<ir::ValueId>& inputs,
        std::size_t results, ir::Attributes attributes = {});
    void output(ir::ValueId value);
    /// A body of the node that made the value; nodes go there until leave().
    ir::BlockId enter(ir::ValueId result, const std::string& role);
    void leave(const std::vector<ir::ValueId>& outputs);

    ir::NodeId producer(ir::ValueId value) const { return graph->values[value].producer; }
    /// Runs inference and cost; must come before context().
    void infer();
    lowering::Context context();

    std::shared_ptr<ir::Graph> graph;
    ir::Typed typed;
    ir::ModelCost cost;
    machines::Machine machine;
    lowering::Settings settings;
    base::Diagnostics diagnostics;
    base::Progress progress;

private:
    ir::ValueId stored(const std::string& name, ir::DType dtype, const Extents& shape,
        std::vector<std::byte> bytes);
    ir::BlockId m_block = ir::Graph::mainBlock();
};

ir::Attributes attribute(const std::string& name, ir::AttributeValue value);

/// The value of the stage that equals the captured one.
lowering::ValueId find(const lowering::StageGraph& graph, ir::ValueId captured);
/// How many nodes do this operator's arithmetic.
int count(const lowering::StageGraph& graph, ir::Op op);
/// Why a captured node was removed; empty when it was not.
std::string removalRule(const lowering::StageGraph& graph, ir::NodeId captured);
/// Sum of multiply-accumulates × executions.
std::int64_t totalMacs(const lowering::StageGraph& graph);
/// The first finding of verify(), or nothing.
std::string firstFinding(const lowering::StageGraph& graph, const ir::Graph& captured);

} // namespace fivefold::tests
