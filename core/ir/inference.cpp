// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference.h"

#include "core/ir/inference/assumptions.h"
#include "core/ir/inference/execution_order.h"
#include "core/ir/inference/state.h"

#include <limits>

namespace fivefold::ir {

namespace {

using inference::State;

bool isModelInput(const Graph& graph, ValueId id) {
    return graph.values.contains(id) && !graph.values[id].data.isValid();
}

std::string axisName(const Value& value, std::size_t axis) {
    return value.name + "." + std::to_string(axis);
}

/// The declared type of a graph input with bindings applied; unnamed free axes become symbols
/// "input.0".
ValueType boundInputType(const State& state, const Value& value) {
    const Bindings& bindings = state.typed.options.bindings;
    ValueType type = inference::resolveDeclared(state, value.declared);
    if (!type.shape)
        return type;
    for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
        Dim& dim = (*type.shape)[axis];
        const auto bound = bindings.axes.find({value.name, static_cast<int>(axis)});
        if (bound != bindings.axes.end()) {
            dim = Dim(bound->second);
        } else if (dim.isUnknown() && type.kind == ValueKind::Tensor) {
            const auto assumed = state.sizes.find(axisName(value, axis));
            dim = assumed != state.sizes.end() ? Dim(assumed->second)
                                               : Dim::symbol(axisName(value, axis));
        }
    }
    return type;
}

void setBoundContents(State& state, ValueId id) {
    const Value& value = state.graph.values[id];
    const Bindings& bindings = state.typed.options.bindings;
    ValueType& type = state.typed.types[id];
    const auto fits = [&type](std::size_t count) {
        return !type.shape || elementCount(*type.shape).is(static_cast<std::int64_t>(count));
    };
    if (const auto found = bindings.contents.find(value.name);
        found != bindings.contents.end() && fits(found->second.size())) {
        if (!isFloat(type.dtype))
            state.typed.contents[id] =
                std::make_shared<const Contents>(found->second.begin(), found->second.end());
        else
            state.numbers[id] = std::make_shared<const inference::Numbers>(
                found->second.begin(), found->second.end());
    } else if (const auto scalar = bindings.scalars.find(value.name);
               scalar != bindings.scalars.end() && fits(1)) {
        state.typed.contents[id] = std::make_shared<const Contents>(1, Dim(scalar->second));
    }
    if (const auto found = bindings.numbers.find(value.name);
        found != bindings.numbers.end() && fits(found->second.size()))
        state.numbers[id] = std::make_shared<const inference::Numbers>(found->second);
    if (const auto found = bindings.sequences.find(value.name); found != bindings.sequences.end()) {
        state.sequences[id] = std::make_shared<const inference::SequenceItems>(found->second);
        if (type.kind == ValueKind::Optional)
            state.isOptionalOfSequence[id] = 1;
    }
}

void setInputs(State& state) {
    for (const ValueId id : state.graph.main().inputs) {
        if (!isModelInput(state.graph, id))
            continue;
        state.typed.types[id] = boundInputType(state, state.graph.values[id]);
        setBoundContents(state, id);
    }
}

void resetTyped(Typed& typed, const Graph& graph) {
    typed.types.assign(graph.values.size(), {});
    typed.contents.assign(graph.values.size(), nullptr);
    typed.isConstant.assign(graph.values.size(), 0);
    typed.takenBranch.assign(graph.nodes.size(), -1);
    typed.isBranchProved.assign(graph.nodes.size(), 0);
    typed.executions.assign(graph.nodes.size(), 0);
    typed.trips.assign(graph.nodes.size(), 1);
}

State makeState(const Graph& graph, Typed& typed, base::Diagnostics& diagnostics,
    const base::Progress& progress) {
    resetTyped(typed, graph);
    State state{graph, typed, &diagnostics, progress};
    state.numbers.assign(graph.values.size(), nullptr);
    state.sequences.assign(graph.values.size(), nullptr);
    state.bounds.assign(graph.values.size(), Dim());
    state.isLoaded.assign(graph.values.size(), 0);
    state.isOptionalOfSequence.assign(graph.values.size(), 0);
    state.sizes = typed.options.bindings.dims;
    state.takesDearerBranch = typed.options.assumeFree;
    return state;
}

std::int64_t saturatingProduct(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max()
                                                 : result;
}

/// Executions per run of the model, from the outermost block inwards.
void countExecutions(Typed& typed) {
    const Graph& graph = *typed.graph;
    std::vector<std::pair<BlockId, std::int64_t>> open{{Graph::mainBlock(), 1}};
    while (!open.empty()) {
        const auto [block, times] = open.back();
        open.pop_back();
        for (const NodeId id : graph.blocks[block].nodes) {
            typed.executions[id] = times;
            const Node& node = graph.nodes[id];
            const std::int64_t inner = saturatingProduct(times, typed.trips[id]);
            for (std::size_t i = 0; i < node.blocks.size(); ++i) {
                const bool isTaken =
                    node.op != Op::If || typed.takenBranch[id] == static_cast<std::int8_t>(i);
                open.emplace_back(node.blocks[i], isTaken ? inner : 0);
            }
        }
    }
}

base::IdVector<BlockId, std::vector<NodeId>> acyclicOrders(
    const Graph& graph, base::Diagnostics& diagnostics) {
    base::IdVector<BlockId, std::vector<NodeId>> orders;
    auto sorted = inference::orderBlocks(graph);
    for (inference::BlockOrder& order : sorted) {
        for (std::size_t i = order.sortedCount; i < order.nodes.size(); ++i)
            diagnostics.warn("infer.cycle", graph.nodes[order.nodes[i]].name,
                "The operator stands on a cycle or reads the result of one, so its shapes stay "
                "unknown.",
                "ONNX graphs must be acyclic; export the model again.");
        order.nodes.resize(order.sortedCount);
        orders.add(std::move(order.nodes));
    }
    return orders;
}

} // namespace

base::Result<Typed> infer(std::shared_ptr<const Graph> graph, const InferenceOptions& options,
    base::Diagnostics& diagnostics, const base::Progress& progress) {
    Typed typed;
    typed.graph = graph;
    typed.options = options;
    if (graph->blocks.empty()) {
        resetTyped(typed, *graph);
        return typed;
    }
    progress.report("shapes");
    const auto orders = acyclicOrders(*graph, diagnostics);
    if (options.assumeFree) {
        base::Diagnostics scratch;
        State symbolic = makeState(*graph, typed, scratch, progress);
        symbolic.orders = orders;
        setInputs(symbolic);
        inference::inferBlock(symbolic, Graph::mainBlock());
        typed.assumed = inference::assumeSizes(symbolic);
    }
    State state = makeState(*graph, typed, diagnostics, progress);
    state.orders = orders;
    state.sizes.insert(typed.assumed.begin(), typed.assumed.end());
    setInputs(state);
    inference::inferBlock(state, Graph::mainBlock());
    if (progress.isCancelled())
        return base::Progress::cancelled();
    countExecutions(typed);
    return typed;
}

namespace inference {

Typed inferHooked(std::shared_ptr<const Graph> graph, const InferenceOptions& options,
    base::Diagnostics& diagnostics, const base::Progress& progress, const Hooks& hooks) {
    Typed typed;
    typed.graph = graph;
    typed.options = options;
    if (graph->blocks.empty()) {
        resetTyped(typed, *graph);
        return typed;
    }
    State state = makeState(*graph, typed, diagnostics, progress);
    state.orders = acyclicOrders(*graph, diagnostics);
    state.beforeNode = hooks.beforeNode;
    state.afterNode = hooks.afterNode;
    setInputs(state);
    inferBlock(state, Graph::mainBlock());
    return typed;
}

} // namespace inference

std::vector<FreeSymbol> freeSymbols(const Graph& graph) {
    std::vector<FreeSymbol> symbols;
    std::map<std::string, std::size_t> indexByName;
    if (graph.blocks.empty())
        return symbols;
    for (const ValueId id : graph.main().inputs) {
        if (!isModelInput(graph, id) || !graph.values[id].declared.shape)
            continue;
        const Value& value = graph.values[id];
        const Shape& shape = *value.declared.shape;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const Dim dim = inference::resolveDim({}, shape[axis]);
            std::vector<std::string> names = dim.symbols();
            if (dim.isUnknown())
                names = {axisName(value, axis)};
            for (const std::string& name : names) {
                const auto [it, isNew] = indexByName.emplace(name, symbols.size());
                if (isNew)
                    symbols.push_back({name, {}});
                symbols[it->second].places.emplace_back(id, static_cast<int>(axis));
            }
        }
    }
    return symbols;
}

} // namespace fivefold::ir
