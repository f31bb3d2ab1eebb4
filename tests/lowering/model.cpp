// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/lowering/model.h"

#include <algorithm>
#include <cstring>

namespace fivefold::tests {

namespace {

template <typename T> std::vector<std::byte> bytesOf(const std::vector<T>& items) {
    std::vector<std::byte> bytes(items.size() * sizeof(T));
    std::memcpy(bytes.data(), items.data(), bytes.size());
    return bytes;
}

} // namespace

Model::Model()
    : graph(std::make_shared<ir::Graph>()) {
    graph->blocks.add({"main", {}, "main", {}, {}, {}, {}});
    graph->scopes.add({"", "/", {}, {}, {}});
    graph->info.opsets = {{"", 17}};
    machine.id = "test";
    machine.family = "cpu";
    machine.peaks[machines::Precision::Fp16] = {
        1e12, "FLOP/s", machines::FigureStatus::Published, "test", ""};
    machines::Memory memory;
    memory.name = "DRAM";
    memory.capacity = {1e9, "B", machines::FigureStatus::Published, "test", ""};
    memory.bandwidth = {1e11, "B/s", machines::FigureStatus::Published, "test", ""};
    machine.memories.push_back(memory);
}

ir::ValueId Model::input(
    const std::string& name, const Extents& shape, ir::DType dtype, ir::BlockId block) {
    ir::Value value;
    value.name = name;
    value.declared.dtype = dtype;
    value.declared.shape = ir::Shape(shape.begin(), shape.end());
    value.block = block;
    const ir::ValueId id = graph->values.add(std::move(value));
    graph->blocks[block].inputs.push_back(id);
    return id;
}

ir::ValueId Model::stored(
    const std::string& name, ir::DType dtype, const Extents& shape, std::vector<std::byte> bytes) {
    ir::TensorData data;
    data.name = name;
    data.dtype = dtype;
    data.shape = shape;
    data.storage = bytes.empty() ? ir::TensorStorage::Missing : ir::TensorStorage::Inline;
    data.bytes = std::move(bytes);
    ir::Value value;
    value.name = name;
    value.declared.dtype = dtype;
    value.declared.shape = ir::Shape(shape.begin(), shape.end());
    value.origin = ir::ValueOrigin::Initializer;
    value.block = ir::Graph::mainBlock();
    value.data = graph->tensors.add(std::move(data));
    const ir::ValueId id = graph->values.add(std::move(value));
    graph->blocks[ir::Graph::mainBlock()].initializers.push_back(id);
    return id;
}

ir::ValueId Model::weight(const std::string& name, const Extents& shape, ir::DType dtype) {
    return stored(name, dtype, shape, {});
}
ir::ValueId Model::scalar(const std::string& name, float value) {
    return stored(name, ir::DType::Float32, {}, bytesOf(std::vector<float>{value}));
}
ir::ValueId Model::integers(const std::string& name, const Extents& values) {
    return stored(
        name, ir::DType::Int64, {static_cast<std::int64_t>(values.size())}, bytesOf(values));
}
ir::ValueId Model::boolean(const std::string& name, bool value) {
    return stored(name, ir::DType::Bool, {}, {std::byte(value ? 1 : 0)});
}

ir::ValueId Model::node(
    ir::Op op, const std::vector<ir::ValueId>& inputs, ir::Attributes attributes) {
    return nodes(op, inputs, 1, std::move(attributes)).front();
}

std::vector<ir::ValueId> Model::nodes(ir::Op op, const std::vector<ir::ValueId>& inputs,
    std::size_t results, ir::Attributes attributes) {
    const ir::NodeId id(graph->nodes.size());
    ir::Node node;
    node.op = op;
    node.sourceOp = ir::name(op);
    node.name = std::string(ir::name(op)) + "_" + std::to_string(id.index());
    node.version = 17;
    node.inputs = inputs;
    node.attributes = std::move(attributes);
    node.block = m_block;
    node.scope = ir::Graph::rootScope();
    for (std::size_t i = 0; i < results; ++i) {
        ir::Value value;
        value.name = node.name + "_" + std::to_string(i);
        value.origin = ir::ValueOrigin::NodeOutput;
        value.producer = id;
        value.outputIndex = static_cast<std::uint32_t>(i);
        value.block = m_block;
        node.outputs.push_back(graph->values.add(std::move(value)));
    }
    for (const ir::ValueId used : inputs)
        if (used.isValid())
            graph->values[used].users.push_back(id);
    const std::vector<ir::ValueId> outputs = node.outputs;
    graph->nodes.add(std::move(node));
    graph->blocks[m_block].nodes.push_back(id);
    graph->scopes[ir::Graph::rootScope()].nodes.push_back(id);
    return outputs;
}

void Model::output(ir::ValueId value) {
    graph->blocks[ir::Graph::mainBlock()].outputs.push_back(value);
}

ir::BlockId Model::enter(ir::ValueId result, const std::string& role) {
    const ir::NodeId owner = producer(result);
    m_block = graph->blocks.add({role, owner, role, {}, {}, {}, {}});
    graph->nodes[owner].blocks.push_back(m_block);
    return m_block;
}

void Model::leave(const std::vector<ir::ValueId>& outputs) {
    graph->blocks[m_block].outputs = outputs;
    m_block = graph->nodes[graph->blocks[m_block].owner].block;
}

void Model::infer() {
    ir::InferenceOptions options;
    options.assumeFree = true;
    auto result = ir::infer(graph, options, diagnostics);
    if (result) {
        typed = std::move(*result);
        cost = ir::modelCost(typed);
    }
}

lowering::Context Model::context() {
    return {typed, cost, machine, settings, diagnostics, progress};
}

ir::Attributes attribute(const std::string& name, ir::AttributeValue value) {
    ir::Attributes attributes;
    attributes.set(name, std::move(value));
    return attributes;
}

lowering::ValueId find(const lowering::StageGraph& graph, ir::ValueId captured) {
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        if (graph.values[lowering::ValueId(i)].source == captured)
            return lowering::ValueId(i);
    return {};
}

int count(const lowering::StageGraph& graph, ir::Op op) {
    return static_cast<int>(std::count_if(graph.nodes.begin(), graph.nodes.end(),
        [&](const lowering::Node& node) { return node.canonical == op; }));
}

std::string removalRule(const lowering::StageGraph& graph, ir::NodeId captured) {
    for (const lowering::Removed& removed : graph.removed)
        if (removed.node == captured)
            return removed.rule;
    return {};
}

std::int64_t totalMacs(const lowering::StageGraph& graph) {
    std::int64_t sum = 0;
    for (const lowering::Node& node : graph.nodes)
        sum += node.work.macs * node.executions;
    return sum;
}

std::string firstFinding(const lowering::StageGraph& graph, const ir::Graph& captured) {
    const auto findings = lowering::verify(graph, captured);
    return findings.empty() ? std::string() : findings.front();
}

} // namespace fivefold::tests
