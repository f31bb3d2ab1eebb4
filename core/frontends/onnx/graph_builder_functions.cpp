// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/graph_builder.h"
#include "core/frontends/onnx/operators.h"
#include "core/frontends/onnx/value_types.h"

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

void GraphBuilder::indexFunctions() {
    for (const auto& function : m_model.functions()) {
        const FunctionKey key{
            normalisedDomain(function.domain()), function.name(), function.overload()};
        if (!m_functions.emplace(key, &function).second)
            m_diagnostics.warn("onnx.duplicate_function", function.name(),
                "Two functions have the same domain, name and overload; the first one is used.",
                "Export the model again.");
    }
}

const proto::FunctionProto* GraphBuilder::findFunction(const proto::NodeProto& source) const {
    if (m_functions.empty())
        return nullptr;
    const auto found =
        m_functions.find({normalisedDomain(source.domain()), source.op_type(), source.overload()});
    return found == m_functions.end() ? nullptr : found->second;
}

bool GraphBuilder::isTooDeep(const std::string& node, const Place& place) {
    if (place.depth < kMaxBlockDepth)
        return false;
    m_diagnostics.error("onnx.depth_limit", node,
        "Bodies are nested more than " + std::to_string(kMaxBlockDepth)
            + " deep here; the inner ones are left out.",
        "Inline some of the functions or subgraphs.");
    return true;
}

bool GraphBuilder::mayExpand(
    const std::string& node, const proto::FunctionProto& function, const Place& place) {
    for (const Call* call = place.call; call; call = call->caller) {
        if (call->function == &function) {
            m_diagnostics.error("onnx.recursive_function", node,
                "Function " + function.name() + " calls itself; its body is left out here.",
                "Functions of a model may not be recursive: export the model again.");
            return false;
        }
    }
    if (m_instantiatedNodes + function.node_size() > kMaxInstantiatedNodes) {
        m_diagnostics.error("onnx.expansion_limit", {},
            "Calls of functions add more than " + std::to_string(kMaxInstantiatedNodes)
                + " nodes; the bodies of the other calls are left out.",
            "Open a smaller part of the model.");
        return false;
    }
    return !isTooDeep(node, place);
}

GraphBuilder::Call GraphBuilder::bindCall(const proto::FunctionProto& function,
    const std::vector<Resolved>& attributes, const Place& place) const {
    Call call;
    call.function = &function;
    call.caller = place.call;
    for (const auto& attribute : function.attribute_proto())
        call.attributes[attribute.name()] = {&attribute, nullptr};
    for (const Resolved& resolved : attributes)
        call.attributes[resolved.name] = {resolved.attribute, resolved.names};
    return call;
}

void GraphBuilder::addFormalInputs(
    ir::NodeId id, const proto::FunctionProto& function, Place& body) {
    const std::vector<ir::ValueId> actual = m_graph.nodes[id].inputs;
    for (int i = 0; i < function.input_size(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        const bool isGiven = index < actual.size() && actual[index].isValid();
        const std::string& name = function.input(i);
        ir::ValueType type;
        if (isGiven)
            type = m_graph.values[actual[index]].declared;
        const auto value = addValue(name, std::move(type), ir::ValueOrigin::BlockInput, body.block);
        m_graph.blocks[body.block].inputs.push_back(value);
        body.names->define(name, isGiven ? value : ir::ValueId(), NameTable::kBeforeNodes);
    }
    if (actual.size() > static_cast<std::size_t>(function.input_size()))
        m_diagnostics.warn("onnx.call_arity", m_graph.nodes[id].name,
            "The call passes " + std::to_string(actual.size()) + " inputs to a function of "
                + std::to_string(function.input_size()) + "; the rest is not used.",
            "Export the model again.");
}

void GraphBuilder::addCallBody(ir::NodeId id, const proto::FunctionProto& function,
    const std::vector<Resolved>& attributes, const Place& place) {
    const std::string name = m_graph.nodes[id].name;
    if (!mayExpand(name, function, place))
        return;
    const Call call = bindCall(function, attributes, place);
    NameTable names;
    Place body;
    body.block = m_graph.blocks.add({function.name(), id, "function", {}, {}, {}, {}});
    body.names = &names;
    body.call = &call;
    body.base = m_scopes.child(m_graph.nodes[id].scope, splitName(name).shortName);
    body.root = body.base;
    body.prefix = name;
    body.syntheticPrefix = name + '/';
    body.depth = place.depth + 1;
    m_graph.nodes[id].blocks.push_back(body.block);
    addFormalInputs(id, function, body);
    TypeByName types;
    for (const auto& info : function.value_info())
        if (info.has_type())
            types[info.name()] = &info.type();
    addNodes(function.node(), types, body);
    for (const std::string& output : function.output()) {
        const auto type = types.find(output);
        addOutput(output, type == types.end() ? nullptr : type->second, body);
    }
}

} // namespace fivefold::frontends::onnx
