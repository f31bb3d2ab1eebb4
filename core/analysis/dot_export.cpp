// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/dot_export.h"

#include <string_view>

namespace fivefold::analysis {

namespace {

/// A double-quoted DOT string; line breaks and other control characters become blanks.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + '"';
}

std::string edgeLabel(const lowering::Value& value) {
    std::string label(ir::shortName(value.dtype));
    if (!value.shape)
        return label + " ?";
    label += ' ';
    for (std::size_t i = 0; i < value.shape->size(); ++i)
        label += (i ? "×" : "") + std::to_string((*value.shape)[i]);
    return label;
}

std::string nodeLine(const lowering::StageGraph& graph, lowering::NodeId id) {
    const lowering::Node& node = graph.nodes[id];
    // The label's own "\n" is DOT's line break, so the parts are escaped before they are joined.
    std::string label = quoted(node.op);
    label.pop_back();
    label += "\\n" + quoted(node.name).substr(1);
    return "n" + std::to_string(id.value) + " [label=" + label
        + (node.addedBy.empty() ? "" : ", style=dashed") + "];\n";
}

std::string nodeLines(const lowering::StageGraph& graph) {
    std::string text;
    for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
        const lowering::Kernel& kernel = graph.kernels[lowering::KernelId(k)];
        text += "  subgraph cluster_" + std::to_string(k) + " {\n    label=" + quoted(kernel.name)
            + ";\n";
        for (lowering::NodeId node : kernel.nodes)
            text += "    " + nodeLine(graph, node);
        text += "  }\n";
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!graph.nodes[lowering::NodeId(i)].kernel.isValid())
            text += "  " + nodeLine(graph, lowering::NodeId(i));
    return text;
}

} // namespace

std::string toDot(const lowering::StageGraph& graph, const std::string& label) {
    std::string text = "digraph fivefold {\n  node [shape=box];\n  labelloc=b;\n  label="
        + quoted(label) + ";\n" + nodeLines(graph);
    for (lowering::ValueId id : graph.inputs)
        text += "  v" + std::to_string(id.value)
            + " [shape=oval, label=" + quoted(graph.values[id].name) + "];\n";
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const lowering::Value& value = graph.values[lowering::ValueId(i)];
        const bool isInput = value.role == lowering::ValueRole::Input;
        if (!value.producer.isValid() && !isInput)
            continue;
        const std::string from =
            isInput ? "v" + std::to_string(i) : "n" + std::to_string(value.producer.value);
        for (lowering::NodeId user : value.users)
            text += "  " + from + " -> n" + std::to_string(user.value)
                + " [label=" + quoted(edgeLabel(value)) + "];\n";
    }
    return text + "}\n";
}

} // namespace fivefold::analysis
