// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/graph_builder.h"
#include "core/frontends/onnx/operators.h"
#include "core/frontends/onnx/value_types.h"

#include <algorithm>

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

/// The newest version of each domain.
template <typename List> std::unordered_map<std::string_view, int> opsetsOf(const List& imports) {
    constexpr std::int64_t kLargest = 1'000'000;
    std::unordered_map<std::string_view, int> versions;
    for (const proto::OperatorSetIdProto& import : imports) {
        int& version = versions[normalisedDomain(import.domain())];
        version = std::max(
            version, static_cast<int>(std::clamp<std::int64_t>(import.version(), 0, kLargest)));
    }
    return versions;
}

} // namespace

int GraphBuilder::opsetVersion(std::string_view domain, const Call* call) const {
    if (call)
        if (const auto found = call->function->opsets.find(domain);
            found != call->function->opsets.end() && found->second > 0)
            return found->second;
    if (const auto found = m_opsets.find(domain); found != m_opsets.end() && found->second > 0)
        return found->second;
    // Before IR version 3 there were no operator sets: what is now version 1.
    return domain.empty() && m_model.ir_version() < 3 ? 1 : 0;
}

void GraphBuilder::indexFunctions() {
    m_opsets = opsetsOf(m_model.opset_import());
    for (const auto& function : m_model.functions()) {
        const FunctionKey key{
            normalisedDomain(function.domain()), function.name(), function.overload()};
        Function entry{&function, opsetsOf(function.opset_import()), function.ByteSizeLong()};
        if (!m_functions.emplace(key, std::move(entry)).second)
            m_diagnostics.warn("onnx.duplicate_function", function.name(),
                "Two functions have the same domain, name and overload; the first one is used.",
                "Export the model again.");
    }
}

const GraphBuilder::Function* GraphBuilder::findFunction(const proto::NodeProto& source) const {
    if (m_functions.empty())
        return nullptr;
    const auto found =
        m_functions.find({normalisedDomain(source.domain()), source.op_type(), source.overload()});
    return found == m_functions.end() ? nullptr : &found->second;
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

bool GraphBuilder::mayGrow(std::int64_t nodes, std::size_t bytes) {
    if (m_instantiatedNodes + nodes <= kMaxInstantiatedNodes
        && m_instantiatedBytes + bytes <= kMaxInstantiatedBytes) {
        m_instantiatedNodes += nodes;
        m_instantiatedBytes += bytes;
        return true;
    }
    m_diagnostics.error("onnx.expansion_limit", {},
        "Calls of functions add more than " + std::to_string(kMaxInstantiatedNodes) + " nodes or "
            + std::to_string(kMaxInstantiatedBytes >> 20)
            + " MiB; the bodies of the other calls are left out.",
        "Open a smaller part of the model.");
    return false;
}

bool GraphBuilder::mayExpand(
    const std::string& node, const Function& function, const Place& place) {
    for (const Call* call = place.call; call; call = call->caller) {
        if (call->function == &function) {
            m_diagnostics.error("onnx.recursive_function", node,
                "Function " + function.message->name()
                    + " calls itself; its body is left out here.",
                "Functions of a model may not be recursive: export the model again.");
            return false;
        }
    }
    return !isTooDeep(node, place) && mayGrow(function.message->node_size(), function.bytes);
}

GraphBuilder::Call GraphBuilder::bindCall(
    const Function& function, const std::vector<Resolved>& attributes, const Place& place) const {
    Call call;
    call.function = &function;
    call.caller = place.call;
    for (const auto& attribute : function.message->attribute_proto())
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

void GraphBuilder::addCallBody(ir::NodeId id, const Function& source,
    const std::vector<Resolved>& attributes, const Place& place) {
    const std::string name = m_graph.nodes[id].name;
    if (!mayExpand(name, source, place))
        return;
    const proto::FunctionProto& function = *source.message;
    const Call call = bindCall(source, attributes, place);
    NameTable names;
    Place body;
    body.block = m_graph.blocks.add({function.name(), id, "function", {}, {}, {}, {}});
    body.names = &names;
    body.call = &call;
    body.base = m_scopes.child(m_graph.nodes[id].scope, splitName(name).shortName);
    body.root = body.base;
    body.prefix = boundedPrefix(name, body.block);
    body.syntheticPrefix = body.prefix + '/';
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
