// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

#include <cstring>
#include <memory>

/// A graph built line by line, for tests.
class SmallGraph {
public:
    SmallGraph() {
        m_graph->blocks.add({});
        m_graph->blocks[BlockId(0)].role = "main";
        fivefold::ir::Scope root;
        root.path = "/";
        m_graph->scopes.add(root);
    }

    using ValueId = fivefold::ir::ValueId;
    using BlockId = fivefold::ir::BlockId;

    ValueId input(const std::string& name, std::vector<std::int64_t> shape,
        fivefold::ir::DType dtype = fivefold::ir::DType::Float32) {
        fivefold::ir::Value value = typedValue(name, std::move(shape), dtype);
        const ValueId id = m_graph->values.add(std::move(value));
        m_graph->blocks[BlockId(0)].inputs.push_back(id);
        return id;
    }

    ValueId weight(const std::string& name, std::vector<std::int64_t> shape,
        const std::vector<float>& contents) {
        fivefold::ir::TensorData data;
        data.name = name;
        data.dtype = fivefold::ir::DType::Float32;
        data.shape = shape;
        data.storage = contents.empty() ? fivefold::ir::TensorStorage::Missing
                                        : fivefold::ir::TensorStorage::Inline;
        data.bytes.resize(contents.size() * sizeof(float));
        std::memcpy(data.bytes.data(), contents.data(), data.bytes.size());
        auto value = typedValue(name, std::move(shape), data.dtype);
        value.origin = fivefold::ir::ValueOrigin::Initializer;
        value.data = m_graph->tensors.add(std::move(data));
        const ValueId id = m_graph->values.add(std::move(value));
        m_graph->blocks[BlockId(0)].initializers.push_back(id);
        return id;
    }

    ValueId node(fivefold::ir::Op op, const std::string& result, std::vector<ValueId> inputs,
        fivefold::ir::Attributes attributes = {}) {
        fivefold::ir::Node node;
        node.op = op;
        node.name = "node_" + result;
        node.sourceOp = std::string(fivefold::ir::name(op));
        node.inputs = std::move(inputs);
        node.attributes = std::move(attributes);
        node.block = BlockId(0);
        node.scope = fivefold::ir::Graph::rootScope();
        const auto id = fivefold::ir::NodeId(m_graph->nodes.size());
        fivefold::ir::Value value;
        value.name = result;
        value.origin = fivefold::ir::ValueOrigin::NodeOutput;
        value.producer = id;
        value.block = BlockId(0);
        const ValueId out = m_graph->values.add(std::move(value));
        node.outputs = {out};
        for (const ValueId read : node.inputs)
            if (read.isValid())
                m_graph->values[read].users.push_back(id);
        m_graph->nodes.add(std::move(node));
        m_graph->blocks[BlockId(0)].nodes.push_back(id);
        return out;
    }

    std::shared_ptr<const fivefold::ir::Typed> typed(std::vector<ValueId> outputs) {
        m_graph->blocks[BlockId(0)].outputs = std::move(outputs);
        fivefold::base::Diagnostics diagnostics;
        auto result = fivefold::ir::infer(m_graph, {}, diagnostics);
        return std::make_shared<const fivefold::ir::Typed>(*std::move(result));
    }

private:
    fivefold::ir::Value typedValue(
        const std::string& name, std::vector<std::int64_t> shape, fivefold::ir::DType dtype) {
        fivefold::ir::Value value;
        value.name = name;
        value.block = BlockId(0);
        value.declared.dtype = dtype;
        value.declared.shape.emplace(shape.begin(), shape.end());
        return value;
    }

    std::shared_ptr<fivefold::ir::Graph> m_graph = std::make_shared<fivefold::ir::Graph>();
};
