// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"
#include "core/compare/fault_lab.h"
#include "core/numerics/rungs/fault_rules.h"

#include <benchmark/benchmark.h>

#include <cstring>

using namespace fivefold;

namespace {

constexpr std::int64_t kRows = 64, kColumns = 129; ///< odd to every stick, tile and lane
constexpr int kLayers = 20; ///< of ten nodes each

/// A residual network of 200 nodes: attention over the rows, then a gated product.
class Generated {
public:
    Generated() {
        m_graph->blocks.add({});
        m_graph->blocks[ir::Graph::mainBlock()].role = "main";
        ir::Scope root;
        root.path = "/";
        m_graph->scopes.add(root);
        auto facts = value("x", ir::ValueOrigin::BlockInput);
        facts.declared.dtype = ir::DType::Float32;
        const std::int64_t extents[] = {kRows, kColumns};
        facts.declared.shape.emplace(std::begin(extents), std::end(extents));
        ir::ValueId x = m_graph->values.add(std::move(facts));
        m_graph->blocks[ir::Graph::mainBlock()].inputs.push_back(x);
        for (int layer = 0; layer < kLayers; ++layer)
            x = addLayer(x, "layer" + std::to_string(layer) + "_");
        m_graph->blocks[ir::Graph::mainBlock()].outputs.push_back(x);
    }

    std::shared_ptr<const ir::Graph> graph() const { return m_graph; }

private:
    static ir::Value value(const std::string& name, ir::ValueOrigin origin) {
        ir::Value result;
        result.name = name;
        result.origin = origin;
        result.block = ir::Graph::mainBlock();
        return result;
    }

    ir::ValueId weight(const std::string& name) {
        std::vector<float> contents(static_cast<std::size_t>(kColumns * kColumns));
        std::uint32_t state = static_cast<std::uint32_t>(m_graph->tensors.size()) + 1;
        for (float& element : contents) {
            state = state * 1664525U + 1013904223U; // Numerical Recipes
            element = (static_cast<float>(state >> 8) / 8388608.0F - 1.0F) / 8.0F;
        }
        ir::TensorData data;
        data.name = name;
        data.dtype = ir::DType::Float32;
        data.shape = {kColumns, kColumns};
        data.storage = ir::TensorStorage::Inline;
        data.bytes.resize(contents.size() * sizeof(float));
        std::memcpy(data.bytes.data(), contents.data(), data.bytes.size());
        ir::Value facts = value(name, ir::ValueOrigin::Initializer);
        facts.declared.dtype = data.dtype;
        facts.declared.shape.emplace(data.shape.begin(), data.shape.end());
        facts.data = m_graph->tensors.add(std::move(data));
        const ir::ValueId id = m_graph->values.add(std::move(facts));
        m_graph->blocks[ir::Graph::mainBlock()].initializers.push_back(id);
        return id;
    }

    ir::ValueId node(ir::Op op, const std::string& name, const std::vector<ir::ValueId>& inputs,
        ir::Attributes attributes = {}) {
        ir::Node node;
        node.op = op;
        node.name = name;
        node.sourceOp = std::string(ir::name(op));
        node.inputs = inputs;
        node.attributes = std::move(attributes);
        node.block = ir::Graph::mainBlock();
        node.scope = ir::Graph::rootScope();
        const ir::NodeId id(m_graph->nodes.size());
        ir::Value facts = value(name + "_out", ir::ValueOrigin::NodeOutput);
        facts.producer = id;
        node.outputs = {m_graph->values.add(std::move(facts))};
        for (const ir::ValueId input : inputs)
            m_graph->values[input].users.push_back(id);
        m_graph->blocks[ir::Graph::mainBlock()].nodes.push_back(id);
        const ir::ValueId output = node.outputs.front();
        m_graph->nodes.add(std::move(node));
        return output;
    }

    ir::ValueId addLayer(ir::ValueId x, const std::string& name) {
        using ir::Op;
        ir::Attributes axes, last;
        axes.set("perm", std::vector<std::int64_t>{1, 0});
        last.set("axis", std::int64_t(-1));
        const auto keys = node(Op::Transpose, name + "keys", {x}, axes);
        const auto scores = node(Op::MatMul, name + "scores", {x, keys});
        const auto weights = node(Op::Softmax, name + "weights", {scores}, last);
        const auto mixed = node(Op::MatMul, name + "mixed", {weights, x});
        const auto copy = node(Op::Identity, name + "clone", {mixed});
        const auto up = node(Op::MatMul, name + "up", {copy, weight(name + "up_weight")});
        const auto gate = node(Op::Sigmoid, name + "gate", {up});
        const auto gated = node(Op::Mul, name + "gated", {up, gate});
        const auto sum = node(Op::Add, name + "sum", {x, gated});
        return node(Op::Tanh, name + "bounded", {sum});
    }

    std::shared_ptr<ir::Graph> m_graph = std::make_shared<ir::Graph>();
};

numerics::Subject lowered(std::string_view machine) {
    analysis::Request request{
        analysis::modelOf(Generated().graph(), {}), machines::findMachine(machine), {}, {}};
    request.settings.precision = request.machine->defaultPrecision();
    const auto result = analysis::analyze(request);
    return result ? analysis::subjectOf(*result) : numerics::Subject();
}

/// Fault `number` in the last node that it can befall, found by bisection over rungs, then nodes.
void bisect(benchmark::State& state, std::string_view machine, int number) {
    const numerics::Subject subject = lowered(machine);
    if (!subject.program) {
        state.SkipWithError("the graph is not lowered");
        return;
    }
    numerics::Fault fault;
    fault.id = static_cast<numerics::FaultId>(number);
    for (const ir::NodeId id : ir::executionOrder(subject.graph(), ir::Graph::mainBlock()))
        if (numerics::appliesTo(fault.id, subject, id))
            fault.node = id;
    if (!fault.node.isValid()) {
        state.SkipWithError("the fault befalls no node");
        return;
    }
    const numerics::Inputs inputs = compare::lessonInputs(subject, fault.id, 1);
    int runs = 0;
    for (auto _ : state) {
        const auto found = compare::climb(subject, inputs, {&fault});
        if (!found || found->node != fault.node)
            state.SkipWithError("the fault is not found where it was planted");
        else
            runs = found->runs;
    }
    state.counters["nodes"] = static_cast<double>(subject.graph().nodes.size());
    state.counters["rungs"] = runs;
    state.SetLabel(subject.graph().nodes[fault.node].name);
}

BENCHMARK_CAPTURE(bisect, spyre_F12, "spyre", 12)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bisect, gpu_F32, "gpu_h100_sxm", 32)->Unit(benchmark::kMillisecond);

} // namespace
