// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/division.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/scratchpad.h"
#include "core/families/spyre/stages.h"
#include "core/lowering/aliases.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>
#include <optional>

namespace fivefold::families::spyre {

namespace {

using namespace lowering;
using base::Bytes;

/// One OpSpec a step; the views that an OpSpec reads through belong to its step.
class StepBuilder {
public:
    StepBuilder(const StageGraph& graph, Program& program)
        : m_graph(graph)
        , m_program(program)
        , m_step(graph.nodes.size()) { }

    base::IdVector<NodeId, StepId> run() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (isOpSpec(m_graph.nodes[NodeId(i)]))
                add(NodeId(i));
        for (std::size_t i = m_graph.nodes.size(); i-- > 0;)
            if (!m_step[NodeId(i)].isValid())
                leftOver(NodeId(i));
        return std::move(m_step);
    }

private:
    void add(NodeId id) {
        const Node& node = m_graph.nodes[id];
        Step step;
        step.name = node.name;
        step.kernel = node.kernel;
        step.mainNode = id;
        step.executions = node.executions;
        const StepId at(m_program.steps.size());
        std::vector<NodeId> open{id};
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            m_step[next] = at;
            step.nodes.push_back(next);
            for (ValueId input : m_graph.nodes[next].inputs) {
                const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
                if (producer.isValid() && !m_step[producer].isValid()
                    && !isOpSpec(m_graph.nodes[producer]))
                    open.push_back(producer);
            }
        }
        std::ranges::sort(step.nodes);
        m_program.steps.add(std::move(step));
    }

    /// A view that nothing on the device reads: it goes with the operator that makes its input,
    /// else with the first.
    void leftOver(NodeId id) {
        NodeId at = id;
        while (true) {
            const Node& node = m_graph.nodes[at];
            const ValueId input = node.inputs.empty() ? ValueId() : node.inputs.front();
            const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
            if (!producer.isValid())
                break;
            at = producer;
            if (m_step[at].isValid())
                break;
        }
        StepId step = m_step[at];
        if (!step.isValid() && m_program.steps.empty())
            step =
                m_program.steps.add(Step{m_graph.nodes[id].name, m_graph.nodes[id].kernel, {}, id});
        else if (!step.isValid())
            step = StepId(0);
        m_step[id] = step;
        auto& nodes = m_program.steps[step].nodes;
        nodes.insert(std::ranges::upper_bound(nodes, id), id);
    }

    const StageGraph& m_graph;
    Program& m_program;
    base::IdVector<NodeId, StepId> m_step;
};

/// First write and last read of every stored value, and who reads it.
struct Use {
    std::optional<StepId> first, last;
    std::vector<std::pair<NodeId, std::size_t>>
        directReaders; ///< (node, input) that read the value itself
    bool isReadThroughView = false;
    bool isPartOfView = false; ///< read through a slice or split
};

class Placer {
public:
    Placer(const Context& context, StageGraph& graph, Program& program)
        : m_context(context)
        , m_graph(graph)
        , m_program(program)
        , m_options(options(context.settings, context.machine))
        , m_divider(graph, m_options.division)
        , m_stored(
              storedValues(graph, [](const Node& node) { return kindOf(node) == OpKind::View; })) {
    }

    void run() {
        m_stepOf = StepBuilder(m_graph, m_program).run();
        divide();
        collectUses();
        planScratchpad();
        placeFar();
    }

private:
    void divide() {
        m_divisions.resize(m_graph.nodes.size());
        for (Step& step : m_program.steps) {
            Node& node = m_graph.nodes[step.mainNode];
            OpDivision& division = m_divisions[step.mainNode.index()];
            division = m_divider.divide(node);
            step.workDivision = division.text;
            step.unitsUsed = division.cores;
            if (!division.splits.empty())
                node.attributes.set(kSplitsAttribute, division.splits);
            if (!division.fitsSpan)
                m_context.diagnostics.warn("spyre.span", node.name,
                    "No split brings a core's span of this tensor under the limit of "
                        + std::to_string(m_options.division.spanBytes())
                        + " bytes; the public compiler refuses it.",
                    "Pad the dimension so that its count of sticks has a divisor.");
        }
    }

    void collectUses() {
        m_uses.resize(m_graph.values.size());
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const NodeId id(i);
            const Node& node = m_graph.nodes[id];
            const bool isView = !isOpSpec(node);
            for (std::size_t k = 0; k < node.inputs.size(); ++k) {
                if (!node.inputs[k].isValid())
                    continue;
                const ValueId stored = m_stored[node.inputs[k]];
                Use& use = m_uses[stored.index()];
                extend(use, m_stepOf[id]);
                if (isView) {
                    use.isReadThroughView = true;
                    use.isPartOfView = use.isPartOfView || node.canonical == ir::Op::Slice
                        || node.canonical == ir::Op::Split;
                } else if (stored == node.inputs[k]) {
                    use.directReaders.emplace_back(id, k);
                }
            }
            for (ValueId output : node.outputs)
                if (output.isValid() && m_stored[output] == output)
                    extend(m_uses[output.index()], m_stepOf[id]);
        }
        for (ValueId output : m_graph.outputs)
            if (output.isValid() && !m_program.steps.empty()) {
                m_isOutput.resize(m_graph.values.size());
                m_isOutput[m_stored[output].index()] = true;
                extend(m_uses[m_stored[output].index()], StepId(m_program.steps.size() - 1));
            }
        m_isOutput.resize(m_graph.values.size());
    }

    static void extend(Use& use, StepId step) {
        if (!step.isValid())
            return;
        use.first = use.first ? std::min(*use.first, step) : step;
        use.last = use.last ? std::max(*use.last, step) : step;
    }

    /// Why a value may not stay in LX; empty where it may. The first reason wins.
    std::string barred(ValueId id) const {
        const Value& value = m_graph.values[id];
        const Use& use = m_uses[id.index()];
        const Node& writer = m_graph.nodes[value.producer];
        if (!mayWriteLx(writer, m_options.division.isAugust()))
            return writer.op + " is not on the list of operators whose output may stay in LX.";
        if (!value.deviceBytes())
            return "Its size is unknown.";
        if (m_isOutput[id.index()])
            return "It is an output of the model.";
        if (use.isPartOfView)
            return "A later operator reads only part of it.";
        if (use.isReadThroughView)
            return "It is read through a view, whose cores would find other slices.";
        if (use.directReaders.empty())
            return "Nothing reads it from LX.";
        const OpDivision& written = m_divisions[value.producer.index()];
        if (written.splitsReduction)
            return "Its writer splits the reduced dimension.";
        for (const auto& [reader, input] : use.directReaders) {
            const Node& node = m_graph.nodes[reader];
            const OpKind kind = kindOf(node);
            if (node.kernel != writer.kernel)
                return "It is read in another bundle.";
            if (kind == OpKind::Restickify)
                return "A restickify reads it, and that works through LPDDR5.";
            if (kind == OpKind::Fallback || kind == OpKind::Unsupported)
                return "The host reads it.";
            const OpDivision& read = m_divisions[reader.index()];
            if (input >= read.inputSplits.size() || read.inputSplits[input] != written.outputSplits
                || read.cores != written.cores)
                return node.name + " divides its work over the cores in another way.";
        }
        return {};
    }

    struct Candidate {
        ValueId value;
        LxRequest request;
    };

    /// Bundle by bundle: LX holds nothing across kernels.
    void planScratchpad() {
        const auto lx = memory::levelOf(m_context.machine, machines::MemoryKind::Scratchpad);
        m_reasons.resize(m_graph.values.size());
        if (!lx)
            return;
        const machines::Memory& memory = m_context.machine.memories[*lx];
        const auto capacity = static_cast<std::int64_t>(memory.usableBytes().value_or(0));
        std::vector<Candidate> open;
        KernelId kernel;
        for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
            const Step& step = m_program.steps[StepId(s)];
            if (step.kernel != kernel) {
                commit(open, *lx, capacity);
                kernel = step.kernel;
            }
            const Node& node = m_graph.nodes[step.mainNode];
            if (kindOf(node) == OpKind::Fallback || kindOf(node) == OpKind::Unsupported)
                continue;
            for (ValueId output : node.outputs)
                if (output.isValid())
                    consider(open, output, node, s);
        }
        commit(open, *lx, capacity);
    }

    void consider(
        std::vector<Candidate>& open, ValueId output, const Node& node, std::size_t tick) {
        std::string& reason = m_reasons[output.index()];
        reason = barred(output);
        if (!reason.empty())
            return;
        Candidate candidate;
        candidate.value = output;
        const std::int64_t cores =
            std::max<std::int64_t>(1, m_divisions[m_graph.values[output].producer.index()].cores);
        candidate.request.bytes = ceilDiv(m_graph.values[output].deviceBytes()->value, cores);
        candidate.request.first = static_cast<std::int64_t>(tick);
        candidate.request.last = static_cast<std::int64_t>(m_uses[output.index()].last->index());
        m_candidate.resize(m_graph.values.size(), kNone);
        if (mayReuseInput(node, m_options.division.isAugust()))
            for (ValueId input : node.inputs)
                if (input.isValid() && m_candidate[input.index()] != kNone
                    && m_graph.values[input].shape == m_graph.values[output].shape)
                    candidate.request.inPlaceParents.push_back(m_candidate[input.index()]);
        m_candidate[output.index()] = open.size();
        open.push_back(std::move(candidate));
    }

    void commit(std::vector<Candidate>& open, std::size_t level, std::int64_t capacity) {
        std::vector<LxRequest> requests;
        for (const Candidate& candidate : open)
            requests.push_back(candidate.request);
        const auto addresses = planLx(requests, capacity);
        std::vector<BufferId> ids(open.size());
        for (std::size_t i = 0; i < open.size(); ++i) {
            const ValueId value = open[i].value;
            m_candidate[value.index()] = kNone;
            if (!addresses[i]) {
                m_reasons[value.index()] =
                    "It does not fit into LX beside what lives there; nothing is evicted.";
                m_isSpilled.resize(m_graph.values.size());
                m_isSpilled[value.index()] = true;
                continue;
            }
            Buffer buffer = bufferFor(value, level, Bytes(requests[i].bytes));
            buffer.address = *addresses[i];
            buffer.reason = "Written and read inside one bundle by operators that divide it alike.";
            ids[i] = m_program.buffers.add(std::move(buffer));
            endTakenOverParents(requests, addresses, ids, i);
            m_isInLx.resize(m_graph.values.size());
            m_isInLx[value.index()] = true;
        }
        open.clear();
    }

    /// A child that is written over its dying parent holds the slot from its own step on.
    void endTakenOverParents(const std::vector<LxRequest>& requests,
        const std::vector<std::optional<std::int64_t>>& addresses, const std::vector<BufferId>& ids,
        std::size_t child) {
        for (std::size_t parent : requests[child].inPlaceParents) {
            if (addresses[parent] != addresses[child] || !ids[parent].isValid()
                || requests[parent].last != requests[child].first)
                continue;
            Buffer& buffer = m_program.buffers[ids[parent]];
            if (buffer.lastStep.value > buffer.firstStep.value) {
                buffer.lastStep = StepId(buffer.lastStep.index() - 1);
                buffer.reason += " Its last reader writes its result over it, in place.";
            }
        }
    }

    Buffer bufferFor(ValueId id, std::size_t level, Bytes bytes) const {
        const Use& use = m_uses[id.index()];
        return memory::bufferOf(m_graph, id, level,
            {bytes, {use.first.value_or(StepId(0)), use.last.value_or(StepId(0))}});
    }

    /// LPDDR5: kernel arguments one behind another, then the pool of intermediates by first fit.
    void placeFar() {
        const std::size_t level =
            memory::levelOf(m_context.machine, machines::MemoryKind::Device).value_or(0);
        m_isInLx.resize(m_graph.values.size());
        std::int64_t next = 0;
        std::vector<ValueId> pool;
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const ValueId id(i);
            const Value& value = m_graph.values[id];
            const auto bytes = value.deviceBytes();
            if (m_stored[id] != id || m_isInLx[i] || !bytes || m_program.steps.empty())
                continue;
            if (value.producer.isValid() && !m_isOutput[i]) {
                pool.push_back(id);
                continue;
            }
            Buffer buffer = bufferFor(id, level, *bytes);
            buffer.address = next;
            if (!value.producer.isValid())
                buffer.firstStep = StepId(0);
            if (memory::isResident(value.role))
                buffer.lastStep = StepId(m_program.steps.size() - 1);
            buffer.reason = m_isOutput[i] ? "An output of the model leaves through LPDDR5."
                                          : "Kernel arguments lie in LPDDR5.";
            next += roundUp(bytes->value, kLxAlignment);
            m_program.buffers.add(std::move(buffer));
        }
        placePool(level, next, std::move(pool));
    }

    void placePool(std::size_t level, std::int64_t base, std::vector<ValueId> pool) {
        std::ranges::stable_sort(
            pool, {}, [this](ValueId id) { return m_uses[id.index()].first.value_or(StepId(0)); });
        std::vector<memory::Request> requests;
        for (ValueId id : pool) {
            const Use& use = m_uses[id.index()];
            requests.push_back({*m_graph.values[id].deviceBytes(),
                {use.first.value_or(StepId(0)), use.last.value_or(StepId(0))}});
        }
        const auto addresses = memory::allocateFirstFit(requests, std::nullopt, kLxAlignment);
        for (std::size_t i = 0; i < pool.size(); ++i) {
            Buffer buffer = bufferFor(pool[i], level, requests[i].bytes);
            buffer.address = base + addresses[i].value_or(0);
            buffer.reason = m_reasons[pool[i].index()];
            if (buffer.reason.empty())
                buffer.reason = "The host writes it, and the host writes to LPDDR5.";
            buffer.isSpill = !m_isSpilled.empty() && m_isSpilled[pool[i].index()];
            m_program.buffers.add(std::move(buffer));
        }
    }

    const Context& m_context;
    StageGraph& m_graph;
    Program& m_program;
    Options m_options;
    Divider m_divider;
    base::IdVector<ValueId, ValueId> m_stored;
    base::IdVector<NodeId, StepId> m_stepOf;
    std::vector<OpDivision> m_divisions; ///< by node; set for the main nodes of steps
    std::vector<Use> m_uses; ///< by stored value
    std::vector<bool> m_isOutput, m_isInLx, m_isSpilled;
    std::vector<std::string> m_reasons;
    static constexpr std::size_t kNone = SIZE_MAX;
    std::vector<std::size_t> m_candidate; ///< value → its place among the open candidates
};

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    laidOut.stage = Stage::Placed;
    Placer(context, laidOut, program).run();
    program.chips = 1;
    return laidOut;
}

} // namespace fivefold::families::spyre
