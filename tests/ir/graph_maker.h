// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fivefold::ir::test {

using Attribute = std::pair<std::string, AttributeValue>;
using Integers = std::vector<std::int64_t>;

/// Builds graphs in code for tests of inference and cost.
class GraphMaker {
public:
    GraphMaker() {
        m_graph->blocks.add({});
        m_graph->blocks[Graph::mainBlock()].role = "main";
        m_graph->scopes.add({"", "/", {}, {}, {}});
        m_graph->info.format = "onnx";
    }

    ValueId input(const std::string& name, Shape shape, DType dtype = DType::Float32) {
        return input(name, ValueType{ValueKind::Tensor, dtype, std::move(shape)});
    }

    ValueId input(const std::string& name, ValueType type) {
        Value value;
        value.name = name;
        value.declared = std::move(type);
        value.block = m_block;
        const ValueId id = m_graph->values.add(std::move(value));
        m_graph->blocks[m_block].inputs.push_back(id);
        return id;
    }

    /// An initialiser with contents.
    ValueId integers(
        const Integers& elements, std::vector<std::int64_t> shape, DType dtype = DType::Int64) {
        TensorData data;
        data.dtype = dtype;
        data.shape = std::move(shape);
        data.storage = TensorStorage::Inline;
        const auto width = static_cast<std::size_t>(bitWidth(dtype) / 8);
        for (const std::int64_t element : elements) {
            std::vector<std::byte> bytes(sizeof element);
            std::memcpy(bytes.data(), &element, sizeof element);
            data.bytes.insert(data.bytes.end(), bytes.begin(),
                bytes.begin() + static_cast<std::ptrdiff_t>(width));
        }
        return initializer(std::move(data));
    }

    ValueId integers(const Integers& elements) {
        return integers(elements, {static_cast<std::int64_t>(elements.size())});
    }

    ValueId floats(const std::vector<float>& elements) {
        TensorData data;
        data.dtype = DType::Float32;
        data.shape = {static_cast<std::int64_t>(elements.size())};
        data.storage = TensorStorage::Inline;
        data.bytes.resize(elements.size() * sizeof(float));
        std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
        return initializer(std::move(data));
    }

    /// A stored tensor whose elements are not there: weights.
    ValueId weight(std::vector<std::int64_t> shape, DType dtype = DType::Float32) {
        TensorData data;
        data.dtype = dtype;
        data.shape = std::move(shape);
        return initializer(std::move(data));
    }

    std::vector<ValueId> node(Op op, const std::vector<ValueId>& inputs,
        const std::vector<Attribute>& attributes = {}, std::size_t outputs = 1, int version = 0) {
        Node node;
        node.op = op;
        node.name = std::string(name(op)) + "_" + std::to_string(m_graph->nodes.size());
        node.sourceOp = std::string(name(op));
        node.version = version;
        node.inputs = inputs;
        node.block = m_block;
        for (const Attribute& attribute : attributes)
            node.attributes.set(attribute.first, attribute.second);
        const NodeId id(m_graph->nodes.size());
        for (std::size_t i = 0; i < outputs; ++i) {
            Value value;
            value.name = node.name + "_output_" + std::to_string(i);
            value.origin = ValueOrigin::NodeOutput;
            value.producer = id;
            value.outputIndex = static_cast<std::uint32_t>(i);
            value.block = m_block;
            node.outputs.push_back(m_graph->values.add(std::move(value)));
        }
        for (const ValueId in : inputs)
            if (in.isValid())
                m_graph->values[in].users.push_back(id);
        const std::vector<ValueId> result = node.outputs;
        m_graph->nodes.add(std::move(node));
        m_graph->blocks[m_block].nodes.push_back(id);
        return result;
    }

    ValueId one(Op op, const std::vector<ValueId>& inputs,
        const std::vector<Attribute>& attributes = {}, int version = 0) {
        return node(op, inputs, attributes, 1, version).front();
    }

    /// Starts a body of the node that makes `output`; what follows goes into it until endBody().
    void beginBody(ValueId output, const std::string& role) {
        const NodeId owner = m_graph->values[output].producer;
        Block block;
        block.owner = owner;
        block.role = role;
        m_outer.push_back(m_block);
        m_block = m_graph->blocks.add(std::move(block));
        m_graph->nodes[owner].blocks.push_back(m_block);
    }

    void endBody(const std::vector<ValueId>& outputs) {
        m_graph->blocks[m_block].outputs = outputs;
        m_block = m_outer.back();
        m_outer.pop_back();
    }

    Graph& graph() { return *m_graph; }

    std::shared_ptr<const Graph> finish(const std::vector<ValueId>& outputs) {
        m_graph->blocks[Graph::mainBlock()].outputs = outputs;
        return m_graph;
    }

    /// Infers with the given options; diagnostics go to `diagnostics`.
    Typed typed(const std::vector<ValueId>& outputs, const InferenceOptions& options = {}) {
        diagnostics = {};
        auto result = infer(finish(outputs), options, diagnostics);
        return *std::move(result);
    }

    base::Diagnostics diagnostics;

private:
    ValueId initializer(TensorData data) {
        Value value;
        value.name = "initializer_" + std::to_string(m_graph->values.size());
        value.origin = ValueOrigin::Initializer;
        value.block = m_block;
        value.declared.dtype = data.dtype;
        value.declared.shape = Shape(data.shape.begin(), data.shape.end());
        value.data = m_graph->tensors.add(std::move(data));
        const ValueId id = m_graph->values.add(std::move(value));
        m_graph->blocks[m_block].initializers.push_back(id);
        return id;
    }

    std::shared_ptr<Graph> m_graph = std::make_shared<Graph>();
    BlockId m_block = Graph::mainBlock();
    std::vector<BlockId> m_outer;
};

inline Dim sym(const std::string& name) {
    return Dim::symbol(name);
}

inline std::string shapeText(const Typed& typed, ValueId id) {
    const auto& shape = typed.type(id).shape;
    return shape ? toText(*shape) : "rank unknown";
}

} // namespace fivefold::ir::test
