// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/graph_builder.h"
#include "core/frontends/onnx/value_types.h"

#include <algorithm>

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

/// AttributeProto.AttributeType of the ONNX format.
enum AttributeType {
    kUndefined = 0,
    kFloat = 1,
    kInt = 2,
    kString = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kInts = 7,
    kStrings = 8,
    kTensors = 9,
    kGraphs = 10,
    kSparseTensor = 11,
    kSparseTensors = 12,
    kTypeProto = 13,
    kTypeProtos = 14,
};

/// Files of IR version 1 do not say the type: the field that is there tells.
int typeOf(const proto::AttributeProto& attribute) {
    if (attribute.type() != kUndefined)
        return attribute.type();
    if (attribute.has_f())
        return kFloat;
    if (attribute.has_i())
        return kInt;
    if (attribute.has_s())
        return kString;
    if (attribute.has_t())
        return kTensor;
    if (attribute.has_g())
        return kGraph;
    if (attribute.floats_size() > 0)
        return kFloats;
    if (attribute.ints_size() > 0)
        return kInts;
    if (attribute.strings_size() > 0)
        return kStrings;
    if (attribute.tensors_size() > 0)
        return kTensors;
    if (attribute.graphs_size() > 0)
        return kGraphs;
    return attribute.has_tp() ? kTypeProto : kUndefined;
}

template <typename To, typename List> std::vector<To> listOf(const List& list) {
    return std::vector<To>(list.begin(), list.end());
}

/// If's branches in the order of ir::Node::blocks; other bodies in file order.
int branchRank(std::string_view name) {
    return name == "then_branch" ? 0 : name == "else_branch" ? 1 : 2;
}

} // namespace

std::vector<GraphBuilder::Resolved> GraphBuilder::resolveAttributes(
    const proto::NodeProto& source, const std::string& node, const Place& place) {
    std::vector<Resolved> result;
    for (const auto& attribute : source.attribute()) {
        if (attribute.ref_attr_name().empty()) {
            result.push_back({&attribute, attribute.name(), place.names});
            continue;
        }
        if (!place.call) {
            m_diagnostics.warn("onnx.reference_outside_function", node,
                "Attribute " + attribute.name()
                    + " refers to an attribute of a function, and the "
                      "node is in none.",
                "Export the model again.");
            continue;
        }
        const auto found = place.call->attributes.find(attribute.ref_attr_name());
        if (found != place.call->attributes.end())
            result.push_back({found->second.attribute, attribute.name(), found->second.names});
    }
    return result;
}

void GraphBuilder::addAttributes(ir::NodeId id, const std::vector<Resolved>& attributes) {
    for (const Resolved& resolved : attributes) {
        if (m_graph.nodes[id].attributes.size() >= kMaxAttributes)
            return m_diagnostics.warn("onnx.too_many_attributes", m_graph.nodes[id].name,
                "The node has more than " + std::to_string(kMaxAttributes)
                    + " attributes; the others are left out.",
                "Export the model again.");
        addAttribute(id, resolved);
    }
}

void GraphBuilder::addAttribute(ir::NodeId id, const Resolved& resolved) {
    const proto::AttributeProto& source = *resolved.attribute;
    const std::string name(resolved.name);
    ir::Node& node = m_graph.nodes[id];
    const std::string tensorName = node.name + '/' + name;
    std::vector<ir::TensorId> tensors;
    std::vector<std::string> texts;
    switch (typeOf(source)) {
    case kFloat:
        return node.attributes.set(name, static_cast<double>(source.f()));
    case kInt:
        return node.attributes.set(name, static_cast<std::int64_t>(source.i()));
    case kString:
        if (source.has_left_out_bytes())
            m_diagnostics.info("onnx.long_text", node.name,
                "The text of attribute " + name + " (" + std::to_string(source.left_out_bytes())
                    + " bytes) is not loaded.");
        return node.attributes.set(name, source.s());
    case kTensor:
        return node.attributes.set(name, m_tensors.add(source.t(), tensorName));
    case kSparseTensor:
        return node.attributes.set(name, m_tensors.add(source.sparse_tensor(), tensorName));
    case kFloats:
        return node.attributes.set(name, listOf<double>(source.floats()));
    case kInts:
        return node.attributes.set(name, listOf<std::int64_t>(source.ints()));
    case kStrings:
        return node.attributes.set(name, listOf<std::string>(source.strings()));
    case kTensors:
        for (const auto& tensor : source.tensors())
            tensors.push_back(m_tensors.add(tensor, tensorName));
        return node.attributes.set(name, std::move(tensors));
    case kSparseTensors:
        for (const auto& tensor : source.sparse_tensors())
            tensors.push_back(m_tensors.add(tensor, tensorName));
        return node.attributes.set(name, std::move(tensors));
    case kTypeProto:
        return node.attributes.set(name, typeText(source.tp()));
    case kTypeProtos:
        for (const auto& type : source.type_protos())
            texts.push_back(typeText(type));
        return node.attributes.set(name, std::move(texts));
    case kGraph:
    case kGraphs:
        return;
    default:
        m_diagnostics.warn("onnx.unknown_attribute", node.name,
            "Attribute " + name + " is of a kind that is not known ("
                + std::to_string(source.type()) + "); it is left out.",
            "Open the model with a newer version.");
    }
}

void GraphBuilder::addSubgraphs(
    ir::NodeId id, const std::vector<Resolved>& attributes, const Place& place) {
    std::vector<Resolved> bodies;
    for (const Resolved& resolved : attributes)
        if (const int type = typeOf(*resolved.attribute); type == kGraph || type == kGraphs)
            bodies.push_back(resolved);
    std::stable_sort(bodies.begin(), bodies.end(), [](const Resolved& a, const Resolved& b) {
        return branchRank(a.name) < branchRank(b.name);
    });
    for (const Resolved& body : bodies) {
        const std::string role(body.name);
        if (typeOf(*body.attribute) == kGraph)
            addSubgraph(id, body.attribute->g(), role, body.names, place);
        else
            for (const auto& graph : body.attribute->graphs())
                addSubgraph(id, graph, role, body.names, place);
    }
}

void GraphBuilder::addSubgraph(ir::NodeId id, const proto::GraphProto& source,
    const std::string& role, const NameTable* names, const Place& place) {
    const std::string name = m_graph.nodes[id].name;
    if (isTooDeep(name, place) || (place.call && !mayGrow(source.node_size(), 0)))
        return;
    NameTable own(names);
    Place body = place;
    body.names = &own;
    body.block = m_graph.blocks.add({source.name(), id, role, {}, {}, {}, {}});
    body.depth = place.depth + 1;
    body.base = m_scopes.child(m_graph.nodes[id].scope, splitName(name).shortName);
    if (m_graph.nodes[id].op == ir::Op::If)
        body.base = m_scopes.child(body.base, role);
    body.syntheticPrefix = boundedPrefix(name + '/' + role, body.block) + '/';
    m_graph.nodes[id].blocks.push_back(body.block);
    buildGraph(source, body);
}

void GraphBuilder::setConstant(ir::NodeId id) {
    const ir::Node& node = m_graph.nodes[id];
    if (node.outputs.empty() || !node.outputs.front())
        return;
    const ir::ValueId output = node.outputs.front();
    const std::string& name = m_graph.values[output].name;
    ir::TensorId tensor;
    for (const auto& [key, value] : node.attributes) {
        if (const auto* held = std::get_if<ir::TensorId>(&value))
            tensor = *held;
        else if (const auto* number = std::get_if<double>(&value))
            tensor = m_tensors.addFloats(name, {*number}, true);
        else if (const auto* numbers = std::get_if<std::vector<double>>(&value))
            tensor = m_tensors.addFloats(name, *numbers, false);
        else if (const auto* integer = std::get_if<std::int64_t>(&value))
            tensor = m_tensors.addIntegers(name, {*integer}, true);
        else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value))
            tensor = m_tensors.addIntegers(name, *integers, false);
        else if (const auto* text = std::get_if<std::string>(&value))
            tensor = m_tensors.addStrings(name, {*text}, true);
        else if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
            tensor = m_tensors.addStrings(name, *texts, false);
    }
    if (!tensor) {
        m_diagnostics.warn("onnx.constant_without_value", node.name,
            "A Constant node has no value.", "Export the model again.");
        return;
    }
    ir::Value& value = m_graph.values[output];
    value.data = tensor;
    const ir::TensorData& data = m_graph.tensors[tensor];
    value.declared.kind = data.isSparse() ? ir::ValueKind::SparseTensor : ir::ValueKind::Tensor;
    value.declared.dtype = data.dtype;
    value.declared.shape.emplace(data.shape.begin(), data.shape.end());
}

} // namespace fivefold::frontends::onnx
