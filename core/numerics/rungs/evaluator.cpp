// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_logical.h"
#include "core/numerics/rungs/loops.h"
#include "core/numerics/rungs/rung.h"
#include "core/numerics/rungs/split_reduction.h"
#include "core/numerics/rungs/stacking.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::numerics {

namespace {

using lowering::LoopRole;
using lowering::NodeId;
using lowering::ValueId;
using Extents = std::vector<std::int64_t>;

bool isDefined(const Datum& datum) {
    return datum.kind != Datum::Kind::Tensor || datum.tensor.isDefined();
}

} // namespace

class NodeEvaluator::State {
public:
    State(const Subject& subject, const lowering::StageGraph& graph, Rung rung,
        const RungOptions& options, StageValues& values, const base::Progress& progress);

    base::Result<std::vector<Datum>> evaluate(const Turn& turn, std::span<const Datum> inputs);
    bool isWanted(NodeId node) const { return m_isWanted.empty() || m_isWanted[node.index()] != 0; }

    LoopPlan plan;
    std::optional<Arithmetic> arithmetic; ///< at Numerics

private:
    using Outcome = base::Result<std::vector<Datum>>;
    struct LoopState {
        std::unordered_map<std::uint32_t, Datum> snapshot; ///< by value that starts a state
        std::unordered_map<std::uint32_t, std::vector<Tensor>> parts; ///< by collected value
    };

    void planSelection();
    void planFaults();
    void planRegisters();
    void planChanges(std::size_t fault);
    base::Result<base::Done> enter(std::uint32_t frame);
    base::Result<base::Done> begin(const Frame& frame);
    std::vector<Datum> fromLoops(const Turn& turn, std::span<const Datum> inputs) const;
    std::int64_t iterationOf(const Turn& turn, const lowering::Node& node) const;
    std::int64_t tripsOf(const lowering::Node& node) const;
    Outcome step(const lowering::Node& node, const std::vector<Datum>& inputs, const Turn& turn);
    ValueId beforeMoves(ValueId value) const;
    Outcome stacked(const lowering::Node& node, const std::vector<Datum>& inputs);
    Outcome run(NodeId id, const std::vector<Datum>& inputs);
    std::vector<std::size_t> placesOf(const lowering::Node& node) const;
    Outcome faulty(NodeId id, Outcome right);
    std::vector<ir::NodeId> groupOf(const Fault& fault, NodeId id) const;
    std::vector<std::vector<ir::ValueId>> resultsOf(ir::NodeId id) const;
    std::vector<NodeId> endsOf(const Fault& fault) const;
    std::vector<Datum> wrongResults(const Fault& fault, NodeId id, const std::vector<Datum>& right);
    Arithmetic arithmeticFor(NodeId id) const;
    void shape(const lowering::Node& node, std::vector<Datum>& results) const;
    void note(const Turn& turn, std::span<const ValueId> ids, const std::vector<Datum>& contents);
    Datum read(ir::ValueId value);

    const Subject& m_subject;
    const ir::Graph& m_captured;
    const lowering::StageGraph& m_graph;
    const RungOptions& m_options;
    StageValues& m_values;
    Evaluation m_evaluation;
    std::vector<std::uint8_t> m_isWanted;
    base::IdVector<ValueId, std::uint8_t> m_inRegisters; ///< has no buffer and no captured name
    std::vector<const Fault*> m_faults;
    std::vector<std::pair<NodeId, std::size_t>> m_faultEnds; ///< where a fault (index) acts
    std::vector<std::pair<NodeId, std::size_t>> m_changed; ///< by a fault of arithmetic
    std::unordered_set<std::uint32_t> m_isRead; ///< captured values that rules read
    std::unordered_map<std::uint32_t, Datum> m_read; ///< their contents
    std::unordered_map<std::uint32_t, Datum> m_latest; ///< states and collected values
    std::unordered_set<std::uint32_t> m_isTracked, m_isCollected;
    std::vector<LoopState> m_loops;
    std::vector<std::uint32_t> m_open; ///< frames from the outermost to the present one
};

NodeEvaluator::State::State(const Subject& subject, const lowering::StageGraph& graph, Rung rung,
    const RungOptions& options, StageValues& values, const base::Progress& progress)
    : plan(subject, graph)
    , m_subject(subject)
    , m_captured(subject.graph())
    , m_graph(graph)
    , m_options(options)
    , m_values(values)
    , m_faults(activeFaults(options, rung))
    , m_loops(plan.loops.size()) {
    m_evaluation.carrier = Carrier::Double;
    m_evaluation.seed = options.seed;
    m_evaluation.progress = &progress;
    m_evaluation.largestTensorBytes =
        std::min(m_evaluation.largestTensorBytes, options.memoryLimitBytes);
    if (rung == Rung::Numerics && subject.machine)
        arithmetic = arithmeticOf(*subject.machine, subject.precision);
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        for (const LoopRole& role : graph.values[ValueId(i)].loopRoles)
            if (role.kind == LoopRole::Kind::Carries)
                m_isTracked.insert(static_cast<std::uint32_t>(i));
    for (const lowering::Node& node : graph.nodes)
        if (node.attributes.has("loop_stack"))
            for (const ValueId input : node.inputs)
                if (input.isValid())
                    m_isCollected.insert(beforeMoves(input).value);
    planSelection();
    planFaults();
    planRegisters();
}

/// What one kernel makes and uses is not stored: it stays as wide as sums are.
void NodeEvaluator::State::planRegisters() {
    m_inRegisters = base::IdVector<ValueId, std::uint8_t>(m_graph.values.size(), 0);
    const bool isWider = arithmetic && m_subject.program
        && facts(arithmetic->accumulate).unitRoundoff < facts(arithmetic->storage).unitRoundoff;
    if (!isWider)
        return;
    for (std::size_t i = 0; i < m_graph.values.size(); ++i)
        m_inRegisters[ValueId(i)] = m_graph.values[ValueId(i)].source.isValid() ? 0 : 1;
    for (const lowering::Buffer& buffer : m_subject.program->buffers)
        if (m_inRegisters.contains(buffer.value))
            m_inRegisters[buffer.value] = 0;
}

/// Of the nodes, those that come from `only`, and what the compiler added between them.
void NodeEvaluator::State::planSelection() {
    if (m_options.only.empty())
        return;
    const std::unordered_set<std::uint32_t> wanted = [&] {
        std::unordered_set<std::uint32_t> ids;
        for (const ir::NodeId id : m_options.only)
            ids.insert(id.value);
        return ids;
    }();
    m_isWanted.assign(m_graph.nodes.size(), 0);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const lowering::Node& node = m_graph.nodes[NodeId(i)];
        m_isWanted[i] = node.sources.empty()
            || std::any_of(node.sources.begin(), node.sources.end(),
                [&](ir::NodeId source) { return wanted.contains(source.value); });
    }
}

/// Captured values that stand for the results of a node: for an If also those of the branch that
/// lowering took in its place. By output.
std::vector<std::vector<ir::ValueId>> NodeEvaluator::State::resultsOf(ir::NodeId id) const {
    const ir::Node& node = m_captured.nodes[id];
    std::vector<std::vector<ir::ValueId>> results;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        auto& names = results.emplace_back(1, node.outputs[i]);
        if (node.op != ir::Op::If)
            continue;
        for (const ir::BlockId block : node.blocks)
            if (i < m_captured.blocks[block].outputs.size())
                names.push_back(m_captured.blocks[block].outputs[i]);
    }
    return results;
}

/// Where a fault acts: at the lowered nodes that make the captured node's results, or at the last
/// one that it was merged into.
std::vector<NodeId> NodeEvaluator::State::endsOf(const Fault& fault) const {
    auto results = resultsOf(fault.node);
    std::vector<NodeId> ends;
    NodeId last;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const lowering::Node& node = m_graph.nodes[NodeId(i)];
        bool isEnd = false;
        bool hasSource = false;
        for (const ValueId value : node.outputs) {
            const ir::ValueId source =
                value.isValid() ? m_graph.values[value].source : ir::ValueId();
            hasSource = hasSource || source.isValid();
            for (auto& names : results) {
                if (!source.isValid()
                    || std::find(names.begin(), names.end(), source) == names.end())
                    continue;
                isEnd = true;
                names.clear(); // a conversion of it bears the same name
            }
        }
        if (isEnd)
            ends.push_back(NodeId(i));
        if (hasSource
            && std::find(node.sources.begin(), node.sources.end(), fault.node)
                != node.sources.end())
            last = NodeId(i);
    }
    if (ends.empty() && last.isValid())
        ends.push_back(last);
    return ends;
}

/// Faults of arithmetic act on all nodes that come from the captured one, and on what the compiler
/// added behind them: the conversion that stores their result.
void NodeEvaluator::State::planChanges(std::size_t fault) {
    std::vector<std::uint8_t> isIn(m_graph.nodes.size(), 0);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const lowering::Node& node = m_graph.nodes[NodeId(i)];
        isIn[i] = std::find(node.sources.begin(), node.sources.end(), m_faults[fault]->node)
            != node.sources.end();
        for (const ValueId input : node.inputs) {
            const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
            isIn[i] |= node.sources.empty() && producer.isValid() && isIn[producer.index()] != 0;
        }
        if (isIn[i] != 0)
            m_changed.emplace_back(NodeId(i), fault);
    }
}

void NodeEvaluator::State::planFaults() {
    std::erase_if(m_faults, [&](const Fault* fault) {
        return !isLogicalFault(fault->id) || !m_captured.nodes.contains(fault->node);
    });
    for (std::size_t f = 0; f < m_faults.size(); ++f) {
        const Fault& fault = *m_faults[f];
        if (fault.id >= FaultId{32}) {
            planChanges(f);
            continue;
        }
        const std::vector<NodeId> ends = endsOf(fault);
        if (ends.empty())
            continue;
        for (const ir::ValueId value : faultReads(fault.id, m_subject, fault.node))
            m_isRead.insert(value.value);
        for (const NodeId end : ends) {
            m_faultEnds.emplace_back(end, f);
            for (const ir::NodeId source : groupOf(fault, end))
                for (const ir::ValueId input : m_captured.nodes[source].inputs)
                    if (input.isValid())
                        m_isRead.insert(input.value);
        }
    }
}

base::Result<base::Done> NodeEvaluator::State::begin(const Frame& frame) {
    const StageLoop& loop = plan.loops[frame.loop];
    LoopState& state = m_loops[frame.loop];
    if (loop.isAmbiguous && loop.trips > 1)
        return base::Error{base::ErrorCode::Unsupported,
            "Two states of this loop start as the same value, which the lowered body cannot tell "
            "apart; it is not executable here.",
            m_captured.nodes[loop.owner].name};
    if (frame.iteration == 0) {
        state = {};
        return base::Done{};
    }
    std::unordered_map<std::uint32_t, Datum> next;
    for (const StageLoop::State& carried : loop.states) {
        if (carried.starts.empty() || !carried.carries.isValid())
            continue;
        const auto found = m_latest.find(carried.carries.value);
        Datum contents = found == m_latest.end() ? Datum() : found->second;
        const bool isConstant = !m_graph.values[carried.carries].producer.isValid()
            && std::find(carried.starts.begin(), carried.starts.end(), carried.carries)
                == carried.starts.end();
        if (isConstant)
            if (auto known = m_values.of(carried.carries))
                contents = *std::move(known);
        if (isDefined(contents))
            for (const ValueId start : carried.starts)
                next[start.value] = contents;
    }
    state.snapshot = std::move(next);
    return base::Done{};
}

/// Makes the frame and those around it the present ones.
base::Result<base::Done> NodeEvaluator::State::enter(std::uint32_t frame) {
    if ((m_open.empty() && frame == 0) || (!m_open.empty() && m_open.back() == frame))
        return base::Done{};
    std::vector<std::uint32_t> chain;
    for (std::uint32_t at = frame; at != 0; at = plan.frames[at].parent)
        chain.insert(chain.begin(), at);
    for (std::size_t i = 0; i < chain.size(); ++i)
        if (i >= m_open.size() || m_open[i] != chain[i])
            if (auto done = begin(plan.frames[chain[i]]); !done)
                return done;
    m_open = std::move(chain);
    return base::Done{};
}

std::int64_t NodeEvaluator::State::iterationOf(const Turn& turn, const lowering::Node& node) const {
    for (std::uint32_t at = turn.frame; at != 0; at = plan.frames[at].parent) {
        const ir::NodeId owner = plan.loops[plan.frames[at].loop].owner;
        if (std::find(node.sources.begin(), node.sources.end(), owner) != node.sources.end())
            return plan.frames[at].iteration;
    }
    return 0;
}

std::int64_t NodeEvaluator::State::tripsOf(const lowering::Node& node) const {
    for (const StageLoop& loop : plan.loops)
        if (std::find(node.sources.begin(), node.sources.end(), loop.owner) != node.sources.end())
            return loop.trips;
    return 1;
}

/// Inputs with the states that iterations before left.
std::vector<Datum> NodeEvaluator::State::fromLoops(
    const Turn& turn, std::span<const Datum> inputs) const {
    std::vector<Datum> result(inputs.begin(), inputs.end());
    const auto& ids = m_graph.nodes[turn.node].inputs;
    result.resize(ids.size());
    for (std::uint32_t at = turn.frame; at != 0; at = plan.frames[at].parent) {
        const Frame& frame = plan.frames[at];
        const auto& snapshot = m_loops[frame.loop].snapshot;
        const ir::NodeId owner = plan.loops[frame.loop].owner;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (!ids[i].isValid())
                continue;
            if (const auto found = snapshot.find(ids[i].value); found != snapshot.end())
                result[i] = found->second;
            for (const LoopRole& role : m_graph.values[ids[i]].loopRoles)
                if (role.kind == LoopRole::Kind::Counts && role.owner == owner)
                    result[i] =
                        Tensor::scalar(ir::DType::Int64, static_cast<double>(frame.iteration));
        }
    }
    return result;
}

/// The part of a tensor or sequence that the iteration reads.
NodeEvaluator::State::Outcome NodeEvaluator::State::step(
    const lowering::Node& node, const std::vector<Datum>& inputs, const Turn& turn) {
    const std::int64_t bits = node.attributes.integer("loop_step", 0);
    const std::int64_t iteration = iterationOf(turn, node);
    const std::int64_t trips = tripsOf(node);
    const std::int64_t at = (bits & 1) != 0 ? trips - 1 - iteration : iteration;
    if (inputs.empty() || !isDefined(inputs[0]))
        return base::Error{
            base::ErrorCode::InvalidArgument, "There is nothing to step through.", node.name};
    if (inputs[0].kind == Datum::Kind::Sequence) {
        if (at < 0 || static_cast<std::size_t>(at) >= inputs[0].items.size())
            return base::Error{base::ErrorCode::InvalidArgument,
                "The sequence is shorter than the loop is long.", node.name};
        return std::vector<Datum>{inputs[0].items[static_cast<std::size_t>(at)]};
    }
    const lowering::Value& out = m_graph.values[node.outputs[0]];
    Tensor whole = inputs[0].tensor;
    std::int64_t axis = node.attributes.integer("axis", 0);
    if (out.shape && whole.rank() == out.shape->size() && !whole.shape().empty()
        && trips > 0) { // rows of all steps: [steps · batch, width]
        Extents apart = whole.shape();
        const bool isBatchFirst = (bits & 2) != 0;
        apart.insert(apart.begin() + (isBatchFirst ? 1 : 0), trips);
        apart[isBatchFirst ? 0 : 1] = whole.shape()[0] / trips;
        if (whole.shape()[0] % trips != 0)
            return base::Error{base::ErrorCode::InvalidArgument,
                "The rows are no multiple of the steps.", node.name};
        whole = whole.reshaped(std::move(apart));
        axis = isBatchFirst ? 1 : 0;
    }
    auto part = partAt(whole, axis, at);
    if (!part)
        return base::Error{
            base::ErrorCode::InvalidArgument, "The loop is longer than what it reads.", node.name};
    return std::vector<Datum>{*std::move(part)};
}

/// The value that added moves bring to where it is read: a loop collects that one, they run behind
/// it.
ValueId NodeEvaluator::State::beforeMoves(ValueId value) const {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const NodeId producer = value.isValid() ? m_graph.values[value].producer : NodeId();
        if (!producer.isValid() || m_graph.nodes[producer].op != "fabric_move"
            || m_graph.nodes[producer].inputs.size() != 1)
            break;
        value = m_graph.nodes[producer].inputs.front();
    }
    return value;
}

/// A concatenation along a new axis: of the inputs, or of what they were in every iteration.
NodeEvaluator::State::Outcome NodeEvaluator::State::stacked(
    const lowering::Node& node, const std::vector<Datum>& inputs) {
    const auto orders = node.attributes.integers("loop_stack");
    const bool isSequence = node.canonical == ir::Op::SequenceConstruct;
    const std::int64_t axis = node.attributes.integer("axis", 0);
    std::vector<Tensor> perInput;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].kind != Datum::Kind::Tensor || !inputs[i].tensor.isDefined())
            return base::Error{
                base::ErrorCode::InvalidArgument, "A part to put together is missing.", node.name};
        if (!orders) {
            perInput.push_back(inputs[i].tensor);
            continue;
        }
        std::vector<Tensor> parts;
        for (const LoopState& loop : m_loops)
            if (const auto found = loop.parts.find(beforeMoves(node.inputs[i]).value);
                found != loop.parts.end())
                parts = found->second;
        const auto trips = static_cast<std::size_t>(std::max<std::int64_t>(1, tripsOf(node)));
        if (parts.empty())
            parts.assign(trips, inputs[i].tensor); // the same in every iteration
        if (i < orders->size() && ((*orders)[i] & 1) != 0)
            std::reverse(parts.begin(), parts.end());
        if (isSequence) {
            Datum sequence;
            sequence.kind = Datum::Kind::Sequence;
            sequence.items.assign(parts.begin(), parts.end());
            return std::vector<Datum>{sequence};
        }
        auto whole = stack(parts, axis);
        if (!whole)
            return base::Error{base::ErrorCode::InvalidArgument,
                "The iterations leave parts of several shapes.", node.name};
        perInput.push_back(*std::move(whole));
    }
    // Directions of a recurrent operator lie behind the steps, or behind the batch.
    const bool isRecurrentStack = orders && !node.sources.empty()
        && std::any_of(node.sources.begin(), node.sources.end(),
            [&](ir::NodeId source) { return isRecurrent(m_captured.nodes[source].op); });
    if (orders && !isRecurrentStack)
        return std::vector<Datum>{perInput.at(0)};
    auto whole = stack(perInput, isRecurrentStack ? axis + 1 : axis);
    if (whole && isRecurrentStack && !orders->empty() && ((*orders)[0] & 2) != 0)
        whole = movedAxis(*whole, 2, 0); // [steps, directions, batch, width] with the batch first
    if (!whole)
        return base::Error{
            base::ErrorCode::InvalidArgument, "The parts differ in shape.", node.name};
    return std::vector<Datum>{*std::move(whole)};
}

/// Rounding by the types of the stage: what it keeps in fp32 is not rounded to 16 bits.
Arithmetic NodeEvaluator::State::arithmeticFor(NodeId id) const {
    const lowering::Node& node = m_graph.nodes[id];
    Arithmetic result = *arithmetic;
    for (const ValueId output : node.outputs) {
        if (!output.isValid())
            continue;
        const ir::DType dtype = m_graph.values[output].dtype;
        if (!ir::isFloat(dtype))
            continue;
        const int bits = ir::bitWidth(dtype);
        if (bits == 32)
            result.storage = Format::Fp32;
        else if (bits != 16)
            result.storage = formatOf(dtype);
        else if (m_inRegisters[output])
            result.storage = result.accumulate;
        break;
    }
    for (const auto& [at, fault] : m_changed)
        if (at == id)
            changeArithmetic(*m_faults[fault], result);
    return result;
}

NodeEvaluator::State::Outcome NodeEvaluator::State::run(
    NodeId id, const std::vector<Datum>& inputs) {
    const lowering::Node& node = m_graph.nodes[id];
    if (node.attributes.integer("new_axis", 0) != 0 && node.canonical == ir::Op::Concat)
        return stacked(node, inputs);
    if (node.canonical == ir::Op::SequenceConstruct && node.attributes.has("loop_stack"))
        return stacked(node, inputs);
    // A conversion that the compiler adds changes the type on the device, not what is computed.
    const bool isOwnCast = node.canonical == ir::Op::Cast && node.sources.empty();
    Operation operation;
    operation.op = isOwnCast ? ir::Op::Identity : node.canonical;
    operation.name = node.name;
    operation.attributes = &node.attributes;
    operation.tensors = &m_captured.tensors;
    operation.outputs = node.outputs.size();
    if (node.sources.size() == 1 && m_captured.nodes[node.sources[0]].op == node.canonical) {
        operation.version = m_captured.nodes[node.sources[0]].version;
        operation.name = m_captured.nodes[node.sources[0]].name; // random operators go by it
    }
    if (!node.outputs.empty() && node.outputs[0].isValid())
        operation.outputType = m_graph.values[node.outputs[0]].dtype;
    std::optional<Arithmetic> own;
    Evaluation evaluation = m_evaluation;
    if (arithmetic) {
        own = arithmeticFor(id);
        evaluation.arithmetic = &*own;
    }
    if (isSplitReduction(node))
        return evaluateSplit(m_graph, node, inputs, evaluation);
    const std::vector<std::size_t> places = placesOf(node);
    for (const std::size_t place : places)
        operation.outputs = std::max(operation.outputs, place + 1);
    auto results = numerics::evaluate(operation, inputs, evaluation);
    if (!results || places.empty())
        return results;
    std::vector<Datum> chosen;
    for (const std::size_t place : places)
        chosen.push_back(place < results->size() ? (*results)[place] : Datum());
    return chosen;
}

/// Which of the operator's results the node gives, where a machine has a node for each; empty: all
/// in their order.
std::vector<std::size_t> NodeEvaluator::State::placesOf(const lowering::Node& node) const {
    if (node.sources.size() != 1 || m_captured.nodes[node.sources[0]].op != node.canonical)
        return {};
    const auto& results = m_captured.nodes[node.sources[0]].outputs;
    std::vector<std::size_t> places;
    for (const ValueId output : node.outputs) {
        const ir::ValueId source = output.isValid() ? m_graph.values[output].source : ir::ValueId();
        const auto at =
            source.isValid() ? std::find(results.begin(), results.end(), source) : results.end();
        if (at == results.end())
            return {};
        places.push_back(static_cast<std::size_t>(at - results.begin()));
    }
    return places;
}

/// Results in the shapes that the stage declares: a view that lowering left out.
void NodeEvaluator::State::shape(const lowering::Node& node, std::vector<Datum>& results) const {
    for (std::size_t i = 0; i < results.size() && i < node.outputs.size(); ++i) {
        Tensor& tensor = results[i].tensor;
        if (!node.outputs[i].isValid() || results[i].kind != Datum::Kind::Tensor
            || !tensor.isDefined())
            continue;
        const auto& wanted = m_graph.values[node.outputs[i]].shape;
        if (!wanted || tensor.shape() == *wanted)
            continue;
        std::int64_t count = 1;
        for (const std::int64_t extent : *wanted)
            count *= extent;
        if (count == tensor.size())
            tensor = tensor.reshaped(*wanted);
    }
}

Datum NodeEvaluator::State::read(ir::ValueId value) {
    if (const auto found = m_read.find(value.value); found != m_read.end())
        return found->second;
    // Aliases that lowering dropped: views of equal contents.
    const ir::NodeId producer = pattern::producer(m_captured, value);
    if (producer.isValid() && m_captured.nodes[producer].op == ir::Op::Identity)
        return read(m_captured.nodes[producer].inputs[0]);
    auto known = m_values.captured(value);
    return known ? *std::move(known) : Datum();
}

NodeEvaluator::State::Outcome NodeEvaluator::State::faulty(NodeId id, Outcome right) {
    for (const auto& [end, fault] : m_faultEnds)
        if (end == id && right)
            right = wrongResults(*m_faults[fault], id, *right);
    return right;
}

/// Runs the captured nodes that the lowered node stands for, the faulty one by its rule.
std::vector<Datum> NodeEvaluator::State::wrongResults(
    const Fault& fault, NodeId id, const std::vector<Datum>& right) {
    const lowering::Node& node = m_graph.nodes[id];
    Evaluation evaluation = m_evaluation;
    if (arithmetic)
        evaluation.arithmetic = &*arithmetic;
    std::unordered_map<std::uint32_t, Datum> local;
    const ReadCaptured read = [&](ir::ValueId value) {
        const auto found = local.find(value.value);
        return found == local.end() ? this->read(value) : found->second;
    };
    for (std::size_t i = 0; i < node.outputs.size() && i < right.size(); ++i)
        if (node.outputs[i].isValid() && m_graph.values[node.outputs[i]].source.isValid())
            local[m_graph.values[node.outputs[i]].source.value] = right[i];
    bool isPast = false;
    for (const ir::NodeId source : groupOf(fault, id)) {
        const ir::Node& captured = m_captured.nodes[source];
        std::optional<std::vector<Datum>> results;
        if (source == fault.node) {
            std::vector<Datum> own;
            for (const ir::ValueId output : captured.outputs)
                own.push_back(output.isValid() ? read(output) : Datum());
            results = faultyResults({fault, m_subject, evaluation, read}, own);
            isPast = true;
        } else if (captured.blocks.empty()) {
            std::vector<Datum> inputs;
            for (const ir::ValueId input : captured.inputs)
                inputs.push_back(input.isValid() ? read(input) : Datum());
            auto computed = numerics::evaluate(
                {captured.op, captured.name, &captured.attributes, &m_captured.tensors,
                    captured.version, captured.outputs.size(), ir::DType::Undefined},
                inputs, evaluation);
            if (computed)
                results = *std::move(computed);
        }
        if (!results && isPast)
            return right; // the rule cannot act here
        const auto names = resultsOf(source);
        for (std::size_t i = 0; results && i < results->size() && i < names.size(); ++i)
            for (const ir::ValueId name : names[i])
                if (name.isValid())
                    local[name.value] = (*results)[i];
    }
    std::vector<Datum> wrong = right;
    for (std::size_t i = 0; i < node.outputs.size() && i < wrong.size(); ++i)
        if (node.outputs[i].isValid() && m_graph.values[node.outputs[i]].source.isValid())
            wrong[i] = local[m_graph.values[node.outputs[i]].source.value];
    return wrong;
}

/// The faulty node alone where the lowered node makes its result, else all that it was merged with.
std::vector<ir::NodeId> NodeEvaluator::State::groupOf(const Fault& fault, NodeId id) const {
    const lowering::Node& node = m_graph.nodes[id];
    bool isItsOwn = false;
    for (const auto& names : resultsOf(fault.node))
        for (const ValueId value : node.outputs)
            isItsOwn = isItsOwn
                || (value.isValid() && m_graph.values[value].source.isValid()
                    && std::find(names.begin(), names.end(), m_graph.values[value].source)
                        != names.end());
    return isItsOwn ? std::vector<ir::NodeId>{fault.node} : node.sources;
}

/// Remembers what loops and faulty rules read later.
void NodeEvaluator::State::note(
    const Turn& turn, std::span<const ValueId> ids, const std::vector<Datum>& contents) {
    for (std::size_t i = 0; i < ids.size() && i < contents.size(); ++i) {
        if (!ids[i].isValid())
            continue;
        const ir::ValueId source = m_graph.values[ids[i]].source;
        if (source.isValid() && m_isRead.contains(source.value))
            m_read[source.value] = contents[i];
        if (m_graph.values[ids[i]].producer != turn.node)
            continue;
        if (m_isTracked.contains(ids[i].value))
            m_latest[ids[i].value] = contents[i];
        if (turn.frame != 0 && m_isCollected.contains(ids[i].value)
            && contents[i].kind == Datum::Kind::Tensor)
            m_loops[plan.frames[turn.frame].loop].parts[ids[i].value].push_back(contents[i].tensor);
    }
}

NodeEvaluator::State::Outcome NodeEvaluator::State::evaluate(
    const Turn& turn, std::span<const Datum> given) {
    const lowering::Node& node = m_graph.nodes[turn.node];
    if (auto done = enter(turn.frame); !done)
        return done.error();
    std::vector<Datum> inputs = fromLoops(turn, given);
    note(turn, node.inputs, inputs);
    for (const auto& [at, fault] : m_changed)
        if (at == turn.node && number(m_faults[fault]->id) == 34)
            changeMask(node, inputs);
    Outcome results =
        node.attributes.has("loop_step") ? step(node, inputs, turn) : run(turn.node, inputs);
    if (results) {
        results->resize(node.outputs.size());
        shape(node, *results);
        results = faulty(turn.node, std::move(results));
    }
    if (results) {
        shape(node, *results);
        note(turn, node.outputs, *results);
    }
    return results;
}

NodeEvaluator::NodeEvaluator(const Subject& subject, const lowering::StageGraph& graph, Rung rung,
    const RungOptions& options, StageValues& values, const base::Progress& progress)
    : m_state(std::make_unique<State>(subject, graph, rung, options, values, progress)) { }

NodeEvaluator::~NodeEvaluator() = default;

const std::vector<Turn>& NodeEvaluator::turns() const {
    return m_state->plan.turns;
}

bool NodeEvaluator::isWanted(lowering::NodeId node) const {
    return m_state->isWanted(node);
}

base::Result<std::vector<Datum>> NodeEvaluator::evaluate(
    const Turn& turn, std::span<const Datum> inputs) {
    return m_state->evaluate(turn, inputs);
}

const Arithmetic* NodeEvaluator::arithmetic() const {
    return m_state->arithmetic ? &*m_state->arithmetic : nullptr;
}

Format NodeEvaluator::storageFormat() const {
    return m_state->arithmetic ? m_state->arithmetic->storage : Format::Fp64;
}

} // namespace fivefold::numerics
