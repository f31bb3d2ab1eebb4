// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/graph_builder.h"
#include "core/frontends/onnx/operators.h"

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

/// Key under which PyTorch's dynamo exporter keeps the module path of a node.
constexpr std::string_view kNameScopes = "pkg.torch.onnx.name_scopes";

/// Longest part of an operator name that a made-up node name repeats.
constexpr std::size_t kOperatorInName = 64;

SplitName modulesOf(const proto::NodeProto& source, bool isInFunction) {
    if (!isInFunction)
        for (const auto& entry : source.metadata_props())
            if (entry.key() == kNameScopes)
                if (SplitName split = splitNameScopes(entry.value()); !split.modules.empty())
                    return split;
    return splitName(source.name());
}

} // namespace

std::string GraphBuilder::boundedPrefix(const std::string& name, ir::BlockId block) {
    constexpr std::size_t kLongest = 512;
    return name.size() <= kLongest ? name : "body " + std::to_string(block.index());
}

std::string GraphBuilder::uniqueName(const std::string& wanted, bool isReported) {
    const auto [found, isNew] = m_nodeNames.try_emplace(wanted, 2);
    if (isNew)
        return wanted;
    if (isReported)
        m_diagnostics.info("onnx.duplicate_node_name", wanted,
            "More than one node has this name; the others got a number.",
            "Export the model with unique names.");
    std::size_t number = found->second;
    std::string name;
    do
        name = wanted + '#' + std::to_string(number++);
    while (!m_nodeNames.try_emplace(name, 2).second);
    m_nodeNames[wanted] = number;
    return name;
}

void GraphBuilder::setName(
    ir::Node& node, const proto::NodeProto& source, int index, const Place& place) {
    node.nameIsSynthetic = source.name().empty();
    if (node.nameIsSynthetic) {
        node.name = uniqueName(place.syntheticPrefix + source.op_type().substr(0, kOperatorInName)
                + '_' + std::to_string(index),
            false);
        return;
    }
    const std::string& name = source.name();
    const bool needsSlash = !place.prefix.empty() && !name.starts_with('/');
    node.name = uniqueName(place.prefix + (needsSlash ? "/" : "") + name, !place.call);
}

void GraphBuilder::setScope(ir::NodeId id, const proto::NodeProto& source, const Place& place) {
    const SplitName split = modulesOf(source, place.call != nullptr);
    ir::ScopeId scope = place.base;
    if (!split.modules.empty())
        scope = m_scopes.descend(place.root, split.modules);
    m_graph.nodes[id].scope = scope;
    m_graph.scopes[scope].nodes.push_back(id);
}

void GraphBuilder::noteVersion(const ir::Node& node) {
    const auto newest = newestKnownOpset(node.domain);
    const std::string domain = node.domain.empty() ? "ai.onnx" : node.domain;
    if (newest && node.version > *newest)
        m_diagnostics.warn("onnx.newer_opset", {},
            "Operator " + node.sourceOp + " of " + domain + " version "
                + std::to_string(node.version) + " is read by the rules of version "
                + std::to_string(*newest) + ", the newest that is known.",
            "Check what changed in between, or export for the older version.");
    if (newest && node.op == ir::Op::Unknown)
        m_diagnostics.warn("onnx.unknown_operator", node.name,
            domain + " has no operator " + node.sourceOp + " that is known; its cost is unknown.",
            "Check the name, or open the model with a newer version.");
    if (node.version == 0 && m_reportedDomains.insert(node.domain).second)
        m_diagnostics.warn("onnx.opset_missing", {},
            "The model uses operators of " + domain + " and does not say which version.",
            "Export the model again.");
}

void GraphBuilder::setOperator(ir::Node& node, const proto::NodeProto& source, const Place& place) {
    node.sourceOp = source.op_type();
    node.domain = normalisedDomain(source.domain());
    node.overload = source.overload();
    node.version = opsetVersion(node.domain, place.call);
    if (findFunction(source)) {
        node.op = ir::Op::Call;
        return;
    }
    const OperatorMatch match = matchOperator(node.domain, node.sourceOp);
    node.op = match.op;
    if (match.isChannelsLast)
        node.attributes.set("channels_last", std::int64_t(1));
    noteVersion(node);
}

void GraphBuilder::addNodeInputs(
    ir::NodeId id, const proto::NodeProto& source, const Place& place) {
    for (const std::string& name : source.input()) {
        if (name.empty()) {
            m_graph.nodes[id].inputs.emplace_back();
            continue;
        }
        auto value = place.names->find(name);
        if (!value) {
            m_diagnostics.warn("onnx.undefined_value", m_graph.nodes[id].name,
                "The node reads \"" + name.substr(0, 200) + "\", which nothing defines.",
                "Export the model again.");
            value = addValue(name, {}, ir::ValueOrigin::BlockInput, place.block);
            place.names->define(name, *value, NameTable::kBeforeNodes);
        }
        m_graph.nodes[id].inputs.push_back(*value);
    }
}

ir::NodeId GraphBuilder::addNode(
    const proto::NodeProto& source, int index, const ir::ValueId* outputs, Place& place) {
    ir::Node node;
    node.block = place.block;
    setName(node, source, index, place);
    setOperator(node, source, place);
    const ir::NodeId id = m_graph.nodes.add(std::move(node));
    m_graph.blocks[place.block].nodes.push_back(id);
    setScope(id, source, place);
    addNodeInputs(id, source, place);
    for (int k = 0; k < source.output_size(); ++k) {
        m_graph.nodes[id].outputs.push_back(outputs[k]);
        if (outputs[k])
            m_graph.values[outputs[k]].producer = id;
    }
    const auto attributes = resolveAttributes(source, m_graph.nodes[id].name, place);
    addAttributes(id, attributes);
    if (m_graph.nodes[id].op == ir::Op::Constant)
        setConstant(id);
    if (const Function* function = findFunction(source))
        addCallBody(id, *function, attributes, place);
    else
        addSubgraphs(id, attributes, place);
    return id;
}

} // namespace fivefold::frontends::onnx
