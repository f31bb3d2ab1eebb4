// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::tests {

/// A program of four steps on a machine of two memories, "far" (100 B/s) and "near": a matrix
/// product that needs its weight in another layout, whose result did not fit "near", then an
/// operator on the host.
///   weight → relayout (added) ↘
///                     input → matmul → result (spilled) → relu → out → host
/// The weight of 3×65 fp16 lies padded to 3×128.
struct SmallProgram {
    lowering::StepId relayout{0}, matmul{1}, relu{2}, host{3};
    machines::Machine machine;
    lowering::Program program;

    SmallProgram() {
        machine.memories.resize(2);
        machine.memories[0].name = "far";
        machine.memories[0].bandwidth = figure(100, "B/s");
        machine.memories[1].name = "near";
        machine.peaks[machines::Precision::Fp16] = figure(1000, "FLOP/s");
        build();
    }

    static machines::Figure figure(double value, std::string unit) {
        return {value, std::move(unit), machines::FigureStatus::Published, "test", ""};
    }

    lowering::Step& step(lowering::StepId id) { return program.steps[id]; }

private:
    lowering::ValueId value(lowering::StageGraph& graph, std::string name,
        std::vector<std::int64_t> shape, lowering::ValueRole role, std::int64_t padTo = 0) {
        lowering::Value v;
        v.name = std::move(name);
        v.dtype = ir::DType::Float16;
        v.shape = shape;
        v.role = role;
        v.source = ir::ValueId(graph.values.size());
        if (padTo > 0) {
            auto layout = layout::rowMajor(shape, v.dtype);
            layout.axes.back().extent = padTo;
            layout.notation = "stick d1";
            v.layout = std::make_shared<layout::TensorLayout>(std::move(layout));
        }
        return graph.values.add(std::move(v));
    }

    lowering::NodeId node(lowering::StageGraph& graph, std::string op, ir::Op canonical,
        std::vector<lowering::ValueId> inputs, lowering::ValueId output, double flops) {
        lowering::Node n;
        n.op = std::move(op);
        n.name = n.op + "_1";
        n.canonical = canonical;
        n.inputs = inputs;
        n.outputs = {output};
        n.work.flops = flops;
        n.sources = {ir::NodeId(graph.nodes.size())};
        lowering::Kernel kernel;
        kernel.name = n.name;
        kernel.reason = n.name + " stands alone.";
        n.kernel = graph.kernels.add(std::move(kernel));
        const lowering::NodeId id = graph.nodes.add(std::move(n));
        graph.kernels[graph.nodes[id].kernel].nodes = {id};
        graph.values[output].producer = id;
        for (const lowering::ValueId input : inputs)
            graph.values[input].users.push_back(id);
        lowering::Step step;
        step.name = graph.nodes[id].name;
        step.kernel = graph.nodes[id].kernel;
        step.nodes = {id};
        step.mainNode = id;
        program.steps.add(std::move(step));
        return id;
    }

    void build() {
        using lowering::ValueRole;
        auto graph = std::make_shared<lowering::StageGraph>();
        graph->stage = lowering::Stage::Scheduled;
        const auto x = value(*graph, "x", {10, 65}, ValueRole::Input);
        const auto w = value(*graph, "w", {3, 65}, ValueRole::Weight, 128);
        const auto turned = value(*graph, "", {65, 3}, ValueRole::Activation);
        const auto y = value(*graph, "y", {10, 3}, ValueRole::Activation);
        const auto z = value(*graph, "z", {10, 3}, ValueRole::Activation);
        const auto out = value(*graph, "out", {10, 3}, ValueRole::Output);
        const auto added = node(*graph, "restickify", ir::Op::Transpose, {w}, turned, 0);
        graph->nodes[added].sources.clear();
        graph->nodes[added].addedBy = "matmul_1 wants its stick on k.";
        graph->nodes[added].addedAt = lowering::Stage::LaidOut;
        const auto product = node(*graph, "matmul", ir::Op::MatMul, {x, turned}, y, 3900);
        graph->nodes[product].work.m = 10;
        graph->nodes[product].work.n = 3;
        graph->nodes[product].work.k = 65;
        node(*graph, "relu", ir::Op::Relu, {y}, z, 30);
        const auto sort = node(*graph, "sort", ir::Op::TopK, {z}, out, 0);
        graph->nodes[sort].support = lowering::Support::Fallback;
        graph->inputs = {x};
        graph->outputs = {out};
        for (auto& stage : program.stages)
            stage = graph;
        lowering::Buffer spill;
        spill.value = y;
        spill.bytes = base::Bytes(60);
        spill.isSpill = true;
        spill.reason = "There is no room.";
        program.buffers.add(spill);
    }
};

} // namespace fivefold::tests
