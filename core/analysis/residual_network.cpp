// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/residual_network.h"

#include <array>

namespace fivefold::analysis {

namespace {

using ir::Attributes;
using ir::Op;
using ir::ValueId;
using Extents = std::vector<std::int64_t>;

constexpr int kOpset = 18;

class Builder {
public:
    Builder() {
        m_graph->blocks.add({"main", {}, "main", {}, {}, {}, {}});
        m_graph->scopes.add({"", "/", {}, {}, {}});
        m_graph->info.format = "onnx";
        m_graph->info.graphName = "resnet50";
        m_graph->info.opsets = {{"", kOpset}};
    }

    std::shared_ptr<const ir::Graph> run() {
        constexpr std::array<std::int64_t, 4> kBlocks = {3, 4, 6, 3};
        ValueId x = relu(convolve(input({1, 3, 224, 224}), 3, 64, 7, 2));
        x = pool(x);
        std::int64_t channels = 64, width = 64;
        for (std::size_t stage = 0; stage < kBlocks.size(); ++stage) {
            for (std::int64_t i = 0; i < kBlocks[stage]; ++i)
                x = bottleneck(x, channels, width, stage > 0 && i == 0 ? 2 : 1);
            width *= 2;
        }
        x = classify(x, channels);
        main().outputs.push_back(x);
        return m_graph;
    }

private:
    ir::Block& main() { return m_graph->blocks[ir::Graph::mainBlock()]; }

    ValueId value(std::string name, const Extents& shape) {
        ir::Value v;
        v.name = std::move(name);
        v.declared.dtype = ir::DType::Float32;
        v.declared.shape = ir::Shape(shape.begin(), shape.end());
        v.block = ir::Graph::mainBlock();
        return m_graph->values.add(std::move(v));
    }

    ValueId input(const Extents& shape) {
        const ValueId id = value("image", shape);
        main().inputs.push_back(id);
        return id;
    }

    ValueId weight(const Extents& shape) {
        const std::string name = "weight_" + std::to_string(main().initializers.size());
        ir::TensorData data;
        data.name = name;
        data.dtype = ir::DType::Float32;
        data.shape = shape;
        data.missingReason = "the network has shapes only";
        const ValueId id = value(name, shape);
        m_graph->values[id].origin = ir::ValueOrigin::Initializer;
        m_graph->values[id].data = m_graph->tensors.add(std::move(data));
        main().initializers.push_back(id);
        return id;
    }

    ValueId node(Op op, const std::vector<ValueId>& inputs, Attributes attributes = {}) {
        const ir::NodeId id(m_graph->nodes.size());
        ir::Node n;
        n.op = op;
        n.sourceOp = ir::name(op);
        n.name = n.sourceOp + "_" + std::to_string(id.index());
        ir::Value result;
        result.name = n.name + "_out";
        result.origin = ir::ValueOrigin::NodeOutput;
        result.producer = id;
        result.block = ir::Graph::mainBlock();
        n.version = kOpset;
        n.inputs = inputs;
        n.outputs = {m_graph->values.add(std::move(result))};
        n.attributes = std::move(attributes);
        n.block = ir::Graph::mainBlock();
        n.scope = ir::Graph::rootScope();
        main().nodes.push_back(id);
        m_graph->scopes[ir::Graph::rootScope()].nodes.push_back(id);
        for (const ValueId in : inputs)
            m_graph->values[in].users.push_back(id);
        m_graph->nodes.add(std::move(n));
        return m_graph->nodes[id].outputs.front();
    }

    static Attributes window(std::int64_t kernel, std::int64_t stride) {
        const std::int64_t pad = kernel / 2;
        Attributes a;
        a.set("kernel_shape", Extents{kernel, kernel});
        a.set("strides", Extents{stride, stride});
        a.set("pads", Extents{pad, pad, pad, pad});
        return a;
    }

    ValueId convolve(
        ValueId x, std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
        return node(Op::Conv, {x, weight({out, in, kernel, kernel}), weight({out})},
            window(kernel, stride));
    }

    ValueId relu(ValueId x) { return node(Op::Relu, {x}); }
    ValueId pool(ValueId x) { return node(Op::MaxPool, {x}, window(3, 2)); }

    /// 1 × 1 to `width` channels, 3 × 3, 1 × 1 to four times as many, and the way around them.
    ValueId bottleneck(ValueId x, std::int64_t& channels, std::int64_t width, std::int64_t stride) {
        const std::int64_t out = 4 * width;
        ValueId y = relu(convolve(x, channels, width, 1, 1));
        y = relu(convolve(y, width, width, 3, stride));
        y = convolve(y, width, out, 1, 1);
        if (channels != out)
            x = convolve(x, channels, out, 1, stride);
        channels = out;
        return relu(node(Op::Add, {y, x}));
    }

    ValueId classify(ValueId x, std::int64_t channels) {
        constexpr std::int64_t kClasses = 1000;
        Attributes flatten, transposed;
        flatten.set("axis", std::int64_t{1});
        transposed.set("transB", std::int64_t{1});
        const ValueId mean = node(Op::Flatten, {node(Op::GlobalAveragePool, {x})}, flatten);
        return node(Op::Gemm, {mean, weight({kClasses, channels}), weight({kClasses})}, transposed);
    }

    std::shared_ptr<ir::Graph> m_graph = std::make_shared<ir::Graph>();
};

} // namespace

std::shared_ptr<const ir::Graph> residualNetwork50() {
    return Builder().run();
}

} // namespace fivefold::analysis
