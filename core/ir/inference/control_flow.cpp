// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/cost.h"
#include "core/ir/inference/block_cost.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

constexpr std::int64_t kMostUnrolled = 64;

ValueId bodyOutput(const State& state, BlockId block, std::size_t i) {
    const auto& outputs = state.graph.blocks[block].outputs;
    return i < outputs.size() && state.graph.values.contains(outputs[i]) ? outputs[i] : ValueId();
}

ValueId bodyInput(const State& state, BlockId block, std::size_t i) {
    const auto& inputs = state.graph.blocks[block].inputs;
    return i < inputs.size() && state.graph.values.contains(inputs[i]) ? inputs[i] : ValueId();
}

ValueType typeOf(const State& state, ValueId id) {
    return id.isValid() ? state.typed.types[id] : ValueType();
}

void setInput(State& state, ValueId id, const ValueType& type) {
    if (!id.isValid())
        return;
    forget(state, id);
    state.typed.types[id] = type;
    state.isLoaded[id] = 1;
}

bool hasBodies(NodeContext& context, std::size_t count) {
    if (context.node().blocks.size() >= count)
        return true;
    context.reject(context.opName() + " lacks its body.");
    return false;
}

/// Infers a body without adding to the diagnostics that the user sees.
void inferSilently(State& state, BlockId block) {
    base::Diagnostics scratch;
    base::Diagnostics* const kept = state.diagnostics;
    state.diagnostics = &scratch;
    inferBlock(state, block);
    state.diagnostics = kept;
}

void takeBranchOutputs(NodeContext& context, BlockId block) {
    State& state = context.state();
    for (std::size_t i = 0; i < context.outputCount(); ++i)
        if (const ValueId from = bodyOutput(state, block, i); from.isValid() && context.wants(i))
            copyKnowledge(state, from, context.node().outputs[i]);
}

void mergeBranchOutputs(NodeContext& context, BlockId first, BlockId second) {
    State& state = context.state();
    for (std::size_t i = 0; i < context.outputCount(); ++i) {
        const ValueId a = bodyOutput(state, first, i);
        const ValueId b = bodyOutput(state, second, i);
        if (!a.isValid() || !b.isValid())
            continue;
        context.output(i, commonType(typeOf(state, a), typeOf(state, b)));
        const Contents* left = contentsOf(state, a);
        const Contents* right = contentsOf(state, b);
        if (left && right && *left == *right)
            context.outputContents(i, *left);
    }
}

void ifElse(NodeContext& context) {
    if (!hasBodies(context, 2))
        return;
    State& state = context.state();
    const auto& blocks = context.node().blocks;
    const auto condition = context.scalar(0);
    if (condition) {
        const std::size_t taken = *condition != 0 ? 0 : 1;
        inferSilently(state, blocks[1 - taken]);
        inferBlock(state, blocks[taken]);
        state.typed.takenBranch[context.id()] = static_cast<std::int8_t>(taken);
        state.typed.isBranchProved[context.id()] = 1;
        takeBranchOutputs(context, blocks[taken]);
        return;
    }
    inferBlock(state, blocks[0]);
    inferBlock(state, blocks[1]);
    const std::size_t taken =
        blockWork(state.typed, blocks[1]) > blockWork(state.typed, blocks[0]) ? 1 : 0;
    state.typed.takenBranch[context.id()] = static_cast<std::int8_t>(taken);
    state.typed.isBranchProved[context.id()] = 0;
    // Under assumed sizes the dearer branch is assumed as well.
    if (state.takesDearerBranch)
        takeBranchOutputs(context, blocks[taken]);
    else
        mergeBranchOutputs(context, blocks[0], blocks[1]);
}

void call(NodeContext& context) {
    if (!hasBodies(context, 1))
        return;
    State& state = context.state();
    const BlockId body = context.node().blocks[0];
    const auto& inputs = state.graph.blocks[body].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!state.graph.values.contains(inputs[i]))
            continue;
        if (context.has(i))
            copyKnowledge(state, context.input(i), inputs[i]);
        else
            setInput(state, inputs[i], {});
    }
    inferBlock(state, body);
    takeBranchOutputs(context, body);
}

/// What a Loop or Scan does around its body: where carried values and scanned ones stand.
struct LoopPlan {
    BlockId body;
    std::size_t carried = 0; ///< loop-carried values
    std::size_t firstCarriedInput = 0; ///< among the node's inputs
    std::size_t firstCarriedBodyInput = 0;
    std::size_t firstCarriedBodyOutput = 0;
    std::size_t scanned = 0; ///< scan outputs
};

void enterWithInitial(NodeContext& context, const LoopPlan& plan) {
    State& state = context.state();
    for (std::size_t i = 0; i < plan.carried; ++i) {
        const ValueId formal = bodyInput(state, plan.body, plan.firstCarriedBodyInput + i);
        const ValueId initial = context.input(plan.firstCarriedInput + i);
        if (!formal.isValid())
            continue;
        if (initial.isValid())
            copyKnowledge(state, initial, formal);
        else
            setInput(state, formal, {});
    }
}

/// A sequence's items and a tensor's contents change from one iteration to the next.
void dropContents(State& state, ValueId id) {
    state.typed.contents[id] = nullptr;
    state.typed.isConstant[id] = 0;
    state.numbers[id] = nullptr;
    state.sequences[id] = nullptr;
    state.bounds[id] = Dim();
}

/// Types that hold in every iteration: widened until the body maps them to themselves. Each round
/// that changes something loses a known dim, a rank or an element type, so few rounds are enough.
void inferToFixedPoint(NodeContext& context, const LoopPlan& plan) {
    State& state = context.state();
    enterWithInitial(context, plan);
    for (std::size_t i = 0; i < plan.carried; ++i) {
        const ValueId formal = bodyInput(state, plan.body, plan.firstCarriedBodyInput + i);
        const ValueId result = bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + i);
        if (formal.isValid() && formal != result)
            dropContents(state, formal);
    }
    constexpr int kMostRounds = 4;
    for (int round = 0; round < kMostRounds; ++round) {
        if (round == 0)
            inferBlock(state, plan.body);
        else
            inferSilently(state, plan.body);
        bool isStable = true;
        for (std::size_t i = 0; i < plan.carried; ++i) {
            const ValueId formal = bodyInput(state, plan.body, plan.firstCarriedBodyInput + i);
            const ValueId result = bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + i);
            if (!formal.isValid() || !result.isValid())
                continue;
            ValueType& in = state.typed.types[formal];
            const ValueType& out = state.typed.types[result];
            ValueType wide = commonType(in, out);
            if (wide.dtype == DType::Undefined)
                wide.dtype = in.dtype == DType::Undefined ? out.dtype : in.dtype;
            if (round + 2 >= kMostRounds && !(wide == in))
                wide.shape = std::nullopt;
            isStable = isStable && wide == in;
            in = wide;
        }
        if (isStable)
            return;
    }
}

struct TripCount {
    std::optional<std::int64_t> count;
    bool isExact = false; ///< no condition can end the loop earlier
};

TripCount tripCount(NodeContext& context) {
    State& state = context.state();
    const auto most = context.scalar(0);
    const auto start = context.scalar(1);
    const BlockId body = context.node().blocks[0];
    const ValueId result = bodyOutput(state, body, 0);
    const bool startsTrue = !context.has(1) || (start && *start != 0);
    if (start && *start == 0)
        return {0, true};
    bool staysTrue = result.isValid() && result == bodyInput(state, body, 1) && startsTrue;
    if (const Contents* c = contentsOf(state, result); c && c->size() == 1 && c->front().is(1))
        staysTrue = true;
    constexpr std::int64_t kEndless = 1LL << 40; // exporters write INT64_MAX for "while"
    if (!context.has(0) || !most || *most >= kEndless)
        return {};
    return {std::max<std::int64_t>(0, *most), startsTrue && staysTrue};
}

/// A loop run step by step while its condition and contents stay known. False when it cannot be.
bool unroll(NodeContext& context, const LoopPlan& plan, std::vector<SequenceItems>& scans,
    std::int64_t& trips) {
    State& state = context.state();
    const auto most = context.scalar(0);
    const auto start = context.scalar(1);
    const auto nodes = static_cast<std::int64_t>(state.graph.blocks[plan.body].nodes.size()) + 1;
    if ((context.has(0) && !most) || (context.has(1) && !start))
        return false;
    const std::int64_t limit = std::min(most.value_or(kMostUnrolled + 1), kMostUnrolled + 1);
    if ((most && *most > kMostUnrolled) || nodes * limit > state.unrollBudget)
        return false;
    bool isGoing = !start || *start != 0;
    trips = 0;
    scans.assign(plan.scanned, {});
    enterWithInitial(context, plan);
    while (isGoing && trips < limit) {
        state.unrollBudget -= nodes;
        if (state.unrollBudget < 0)
            return false;
        const ValueId counter = bodyInput(state, plan.body, 0);
        const ValueId condition = bodyInput(state, plan.body, 1);
        setInput(state, counter, {ValueKind::Tensor, DType::Int64, Shape()});
        setInput(state, condition, {ValueKind::Tensor, DType::Bool, Shape()});
        if (counter.isValid())
            state.typed.contents[counter] = std::make_shared<const Contents>(1, Dim(trips));
        if (condition.isValid())
            state.typed.contents[condition] = std::make_shared<const Contents>(1, Dim(1));
        inferSilently(state, plan.body);
        ++trips;
        const Contents* next = contentsOf(state, bodyOutput(state, plan.body, 0));
        if (!next || next->size() != 1 || !next->front().isKnown())
            return false;
        isGoing = next->front().value() != 0;
        for (std::size_t i = 0; i < plan.scanned; ++i)
            scans[i].push_back(typeOf(state,
                bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + plan.carried + i)));
        // Through copies: a body may hand on one carried value as another.
        std::vector<ValueType> types;
        std::vector<std::shared_ptr<const Contents>> contents;
        std::vector<std::shared_ptr<const Numbers>> numbers;
        std::vector<std::shared_ptr<const SequenceItems>> sequences;
        for (std::size_t i = 0; i < plan.carried; ++i) {
            const ValueId result = bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + i);
            contentsOf(state, result);
            types.push_back(typeOf(state, result));
            contents.push_back(result.isValid() ? state.typed.contents[result] : nullptr);
            numbers.push_back(result.isValid() ? state.numbers[result] : nullptr);
            sequences.push_back(result.isValid() ? state.sequences[result] : nullptr);
        }
        for (std::size_t i = 0; i < plan.carried; ++i) {
            const ValueId formal = bodyInput(state, plan.body, plan.firstCarriedBodyInput + i);
            if (!formal.isValid())
                continue;
            setInput(state, formal, types[i]);
            state.typed.contents[formal] = contents[i];
            state.numbers[formal] = numbers[i];
            state.sequences[formal] = sequences[i];
        }
    }
    return !isGoing || (most && trips == *most);
}

Shape stacked(const ValueType& item, const Dim& count, std::size_t axis) {
    Shape shape = *item.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(axis, shape.size())), count);
    return shape;
}

/// Outputs of a loop that was run step by step: carried values as they stand on entry of the next
/// step.
void outputUnrolled(NodeContext& context, const LoopPlan& plan,
    const std::vector<SequenceItems>& scans, std::int64_t trips) {
    State& state = context.state();
    for (std::size_t i = 0; i < plan.carried; ++i)
        if (context.wants(i))
            copyKnowledge(state, bodyInput(state, plan.body, plan.firstCarriedBodyInput + i),
                context.node().outputs[i]);
    for (std::size_t i = 0; i < plan.scanned; ++i) {
        if (scans[i].empty()) {
            const ValueId item =
                bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + plan.carried + i);
            const ValueType type = item.isValid() ? state.graph.values[item].declared : ValueType();
            context.output(plan.carried + i, type.dtype, std::nullopt);
            continue;
        }
        ValueType common = scans[i].front();
        for (const ValueType& type : scans[i])
            common = commonType(common, type);
        context.output(plan.carried + i, common.dtype,
            common.shape ? MaybeShape(stacked(common, Dim(trips), 0)) : std::nullopt);
    }
}

void reportUnknownTrips(NodeContext& context) {
    context.state().diagnostics->info("infer.unknown_trip_count", context.node().name,
        "How often this " + context.opName() + " runs depends on data; one iteration is counted.",
        "Bind the inputs that decide the trip count.");
}

void loop(NodeContext& context) {
    if (!hasBodies(context, 1))
        return;
    State& state = context.state();
    LoopPlan plan;
    plan.body = context.node().blocks[0];
    plan.firstCarriedInput = 2;
    plan.firstCarriedBodyInput = 2;
    plan.firstCarriedBodyOutput = 1;
    plan.carried = context.inputCount() > 2 ? context.inputCount() - 2 : 0;
    plan.scanned = context.outputCount() > plan.carried ? context.outputCount() - plan.carried : 0;
    std::vector<SequenceItems> scans;
    std::int64_t steps = 0;
    const bool isUnrolled = unroll(context, plan, scans, steps);
    if (isUnrolled)
        outputUnrolled(context, plan, scans, steps);
    setInput(state, bodyInput(state, plan.body, 0), {ValueKind::Tensor, DType::Int64, Shape()});
    setInput(state, bodyInput(state, plan.body, 1), {ValueKind::Tensor, DType::Bool, Shape()});
    inferToFixedPoint(context, plan);
    if (isUnrolled) {
        state.typed.trips[context.id()] = steps;
        return;
    }
    const TripCount trips = tripCount(context);
    state.typed.trips[context.id()] = trips.count.value_or(1);
    if (!trips.count)
        reportUnknownTrips(context);
    for (std::size_t i = 0; i < plan.carried; ++i) {
        const ValueId formal = bodyInput(state, plan.body, plan.firstCarriedBodyInput + i);
        const ValueId result = bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + i);
        if (formal.isValid() && formal == result && context.wants(i))
            copyKnowledge(state, formal, context.node().outputs[i]);
        else
            context.output(i, typeOf(state, formal));
    }
    for (std::size_t i = 0; i < plan.scanned; ++i) {
        const ValueType item = typeOf(
            state, bodyOutput(state, plan.body, plan.firstCarriedBodyOutput + plan.carried + i));
        const Dim count = trips.isExact && trips.count ? Dim(*trips.count) : Dim();
        context.output(plan.carried + i, item.dtype,
            item.shape ? MaybeShape(stacked(item, count, 0)) : std::nullopt);
    }
}

std::int64_t listed(const std::optional<std::vector<std::int64_t>>& list, std::size_t i) {
    return list && i < list->size() ? (*list)[i] : 0;
}

/// Scan: opset 8 has sequence lengths first and a batch axis in front of everything.
void scan(NodeContext& context) {
    if (!hasBodies(context, 1))
        return;
    State& state = context.state();
    const bool isBatched = context.node().version > 0 && context.node().version < 9;
    const std::size_t lead = isBatched ? 1 : 0;
    const auto scanInputs =
        static_cast<std::size_t>(std::max<std::int64_t>(0, context.integer("num_scan_inputs", 0)));
    if (context.inputCount() < lead + scanInputs) {
        context.reject("Scan has fewer inputs than its num_scan_inputs says.");
        return;
    }
    LoopPlan plan;
    plan.body = context.node().blocks[0];
    plan.carried = context.inputCount() - lead - scanInputs;
    plan.firstCarriedInput = lead;
    plan.scanned = context.outputCount() > plan.carried ? context.outputCount() - plan.carried : 0;
    const auto inAxes = context.attributes().integers("scan_input_axes");
    const auto outAxes = context.attributes().integers("scan_output_axes");
    Dim trips;
    Dim batch;
    for (std::size_t i = 0; i < scanInputs; ++i) {
        ValueType type = context.type(lead + plan.carried + i);
        if (type.shape) {
            const int rank = static_cast<int>(type.shape->size());
            const auto axis = axisOf(context, isBatched ? 1 : listed(inAxes, i), rank);
            if (!axis)
                return;
            trips = agree(trips, (*type.shape)[static_cast<std::size_t>(*axis)]);
            type.shape->erase(type.shape->begin() + *axis);
            if (isBatched) {
                batch = agree(batch, type.shape->front());
                type.shape->erase(type.shape->begin());
            }
        }
        setInput(state, bodyInput(state, plan.body, plan.carried + i), type);
    }
    if (isBatched) {
        for (std::size_t i = 0; i < plan.carried; ++i) {
            ValueType type = context.type(lead + i);
            if (type.shape && !type.shape->empty())
                type.shape->erase(type.shape->begin());
            setInput(state, bodyInput(state, plan.body, i), type);
        }
        inferBlock(state, plan.body);
    } else {
        inferToFixedPoint(context, plan);
    }
    state.typed.trips[context.id()] = trips.isKnown() ? trips.value() : 1;
    if (!trips.isKnown())
        reportUnknownTrips(context);
    for (std::size_t i = 0; i < plan.carried; ++i) {
        ValueType type =
            isBatched ? context.type(lead + i) : typeOf(state, bodyInput(state, plan.body, i));
        context.output(i, type);
    }
    for (std::size_t i = 0; i < plan.scanned; ++i) {
        const ValueType item = typeOf(state, bodyOutput(state, plan.body, plan.carried + i));
        MaybeShape shape;
        if (item.shape) {
            const int rank = static_cast<int>(item.shape->size()) + 1;
            const auto axis = axisOf(context, listed(outAxes, i), rank);
            if (!axis)
                return;
            shape = stacked(item, trips, static_cast<std::size_t>(*axis));
            if (isBatched)
                shape->insert(shape->begin(), batch);
        }
        context.output(plan.carried + i, item.dtype, std::move(shape));
    }
}

/// SequenceMap: the body once an element; other inputs that are tensors are the same for all.
void sequenceMap(NodeContext& context) {
    if (!hasBodies(context, 1))
        return;
    State& state = context.state();
    const BlockId body = context.node().blocks[0];
    const ValueId first = context.input(0);
    const std::shared_ptr<const SequenceItems> items =
        first.isValid() ? state.sequences[first] : nullptr;
    const auto enter = [&](std::optional<std::size_t> step) {
        for (std::size_t i = 0; i < context.inputCount(); ++i) {
            const ValueId id = context.input(i);
            const ValueId formal = bodyInput(state, body, i);
            if (!id.isValid() || !formal.isValid())
                continue;
            ValueType type = context.type(i);
            if (type.kind != ValueKind::Sequence) {
                copyKnowledge(state, id, formal);
                continue;
            }
            const auto& own = state.sequences[id];
            type.kind = ValueKind::Tensor;
            if (step && own && *step < own->size())
                type = (*own)[*step];
            setInput(state, formal, type);
        }
    };
    std::vector<SequenceItems> results(context.outputCount());
    const bool isRun = items && items->size() <= static_cast<std::size_t>(kMostUnrolled);
    if (isRun) {
        for (std::size_t step = 0; step < items->size(); ++step) {
            enter(step);
            inferSilently(state, body);
            for (std::size_t o = 0; o < results.size(); ++o)
                results[o].push_back(typeOf(state, bodyOutput(state, body, o)));
        }
    }
    enter(std::nullopt);
    inferBlock(state, body);
    state.typed.trips[context.id()] = items ? static_cast<std::int64_t>(items->size()) : 1;
    if (!items)
        reportUnknownTrips(context);
    for (std::size_t o = 0; o < results.size(); ++o) {
        ValueType type = typeOf(state, bodyOutput(state, body, o));
        type.kind = ValueKind::Sequence;
        context.output(o, type);
        if (isRun && context.wants(o))
            state.sequences[context.node().outputs[o]] =
                std::make_shared<const SequenceItems>(std::move(results[o]));
    }
}

} // namespace

void addControlFlowRules(RuleTable& table) {
    table.set(Op::If, ifElse);
    table.set(Op::Call, call);
    table.set(Op::Loop, loop);
    table.set(Op::Scan, scan);
    table.set(Op::SequenceMap, sequenceMap);
}

} // namespace fivefold::ir::inference
