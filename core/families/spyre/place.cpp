// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/boundary_copies.h"
#include "core/families/spyre/division.h"
#include "core/families/spyre/family.h"
#include "core/families/spyre/hbm_pool.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/opspec.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/scratchpad.h"
#include "core/families/spyre/stages.h"
#include "core/layout/spyre_layout.h"
#include "core/lowering/implementation_choice.h"
#include "core/lowering/placements.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace fivefold::families::spyre {

namespace {

using namespace lowering;
using base::Bytes;
using LoopBuffer = families::spyre::Buffer;

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

/// Work division, LX, the pool, and from them steps, buffers and OpSpecs.
class Placer {
public:
    Placer(const Context& context, Program& program)
        : m_context(context)
        , m_out(program)
        , m_options(options(context.settings, context.machine)) { }

    StageGraph run(StageGraph laidOut) {
        LoopProgram planned = readLoops(laidOut, stridesOf(m_context, laidOut));
        divide(laidOut, planned);
        readWishes(laidOut, planned);
        planScratchpad(planned, m_options.lx);
        StageGraph graph = withCopies(std::move(laidOut), planned);
        m_loops = readLoops(graph, stridesOf(m_context, graph));
        transfer(planned);
        numberBundles(graph);
        planHbm(m_loops);
        m_stepOf = StepBuilder(graph, m_out).run();
        describeSteps(graph);
        addBuffers(graph);
        addOpSpecs(graph);
        sayRefusal(graph);
        return graph;
    }

private:
    /// The compiler stops at the first operator that it does not take.
    void sayRefusal(const StageGraph& graph) {
        std::string at;
        const auto& nodes = graph.nodes;
        const auto& buffers = m_loops.buffers;
        if (const auto node = std::ranges::find(nodes, Support::Unsupported, &Node::support);
            node != nodes.end())
            at = node->name;
        else if (const auto buffer = std::ranges::find_if(buffers,
                     [](const LoopBuffer& b) { return !layout::spyreElementsPerStick(b.dtype); });
                 buffer != buffers.end())
            at = buffer->name;
        else if (!m_tooWide.empty())
            at = m_tooWide;
        else
            return;
        m_out.mode = std::string(kNotCompiled) + "the public compiler refuses the graph at " + at
            + "; the time is what the program would take if what it refuses were replaced";
    }

    void readWishes(const StageGraph& graph, LoopProgram& program) const {
        const Placements placements(m_context);
        if (placements.isEmpty())
            return;
        for (LoopBuffer& buffer : program.buffers)
            if (buffer.value.isValid())
                if (const auto level = placements.wanted(graph.values[buffer.value]))
                    buffer.wantsLx =
                        m_context.machine.memories[*level].kind == machines::MemoryKind::Scratchpad;
    }

    void divide(StageGraph& graph, LoopProgram& program) {
        Divider divider(program, m_options.division);
        for (LoopOp& op : program.ops) {
            const auto wanted = op.isMatmul() && op.node.isValid()
                ? wantedSplit(graph.nodes[op.node])
                : std::nullopt;
            const OpDivision division = divider.divide(op, wanted);
            if (!op.node.isValid())
                continue;
            Node& node = graph.nodes[op.node];
            if (!division.fitsWish)
                m_context.diagnostics.warn("spyre.split", node.name,
                    "This product cannot be split as " + wanted->text()
                        + ": a part must divide its extent, in sticks along n and k.",
                    "Choose one of the splits that the implementation picker lists.");
            m_textOf[node.name] = division.text;
            if (op.loops.empty() && division.cores == 1 && op.kind == LoopKind::Fallback)
                continue;
            std::vector<std::int64_t> splits;
            for (const Loop& loop : op.loops)
                splits.push_back(loop.split);
            node.attributes.set(kLoopSplitsAttribute, splits);
            node.attributes.set(kSplitsAttribute, shownSplits(program, op, division));
            if (!division.fitsSpan && m_tooWide.empty())
                m_tooWide = node.name;
            if (!division.fitsSpan)
                m_context.diagnostics.warn("spyre.span", node.name,
                    "No split brings a core's span of this tensor under the limit of "
                        + std::to_string(m_options.division.spanBytes())
                        + " bytes; the public compiler refuses it.",
                    "Pad the dimension so that its count of sticks has a divisor.");
        }
    }

    /// What the user chose for the operator that the node came from.
    std::optional<MatmulDivision> wantedSplit(const Node& node) const {
        const auto* values = lowering::chosenImplementation(m_context, node);
        if (!values)
            return std::nullopt;
        const auto split = values->find(kSplitChoice);
        return split == values->end() ? std::nullopt : parseDivision(split->second);
    }

    static std::vector<std::int64_t> shownSplits(
        const LoopProgram& program, const LoopOp& op, const OpDivision& division) {
        if (division.matmul)
            return {division.matmul->b, division.matmul->m, division.matmul->n, division.matmul->k};
        const auto& shape = program.buffers[op.write.buffer].shape;
        std::vector<std::int64_t> out(shape.size(), 1);
        std::size_t loop = 0;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (shape[d] != 1 && loop < op.loops.size() && !op.loops[loop].isReduced)
                out[d] = op.loops[loop++].split;
        return out;
    }

    /// What planning decided, by the same operations read from the graph with its copies.
    void transfer(const LoopProgram& planned) {
        std::unordered_map<BufferIndex, BufferIndex> there; // planned → read again
        const auto pair = [&](BufferIndex from, BufferIndex to) {
            if (from == kNoBuffer || to == kNoBuffer || !there.try_emplace(from, to).second)
                return;
            const LoopBuffer& source = planned.buffers[from];
            LoopBuffer& target = m_loops.buffers[to];
            target.space = source.space;
            target.address = source.address;
            target.reason = source.reason;
            target.isSpilled = source.isSpilled;
            target.lxBytes = source.lxBytes;
            target.inPlaceOf = source.inPlaceOf;
        };
        const std::size_t count = std::min(planned.ops.size(), m_loops.ops.size());
        for (std::size_t i = 0; i < count; ++i) {
            const LoopOp& from = planned.ops[i];
            LoopOp& to = m_loops.ops[i];
            if (from.loops.size() == to.loops.size()) {
                to.loops = from.loops;
                to.emitted = from.emitted;
                to.cores = from.cores;
            }
            to.origin = from.origin;
            for (std::size_t r = 0; r < std::min(from.reads.size(), to.reads.size()); ++r)
                pair(from.reads[r].buffer, to.reads[r].buffer);
            pair(from.write.buffer, to.write.buffer);
        }
        for (LoopBuffer& buffer : m_loops.buffers) {
            const auto parent = there.find(buffer.inPlaceOf);
            buffer.inPlaceOf = parent == there.end() ? kNoBuffer : parent->second;
        }
    }

    void numberBundles(const StageGraph& graph) {
        std::unordered_map<std::uint32_t, std::int64_t> numbers;
        for (LoopOp& op : m_loops.ops) {
            const bool isOnDevice = op.kind == LoopKind::Pointwise || op.kind == LoopKind::Reduction
                || op.kind == LoopKind::Restickify;
            if (!isOnDevice || !op.node.isValid())
                continue;
            const auto next = static_cast<std::int64_t>(numbers.size());
            op.bundle = numbers.try_emplace(graph.nodes[op.node].kernel.value, next).first->second;
        }
    }

    void describeSteps(const StageGraph& graph) {
        for (const LoopOp& op : m_loops.ops) {
            if (!op.node.isValid() || !m_stepOf[op.node].isValid())
                continue;
            Step& step = m_out.steps[m_stepOf[op.node]];
            if (step.mainNode != op.node)
                continue;
            const auto text = m_textOf.find(graph.nodes[op.node].name);
            step.workDivision = text != m_textOf.end()
                ? text->second
                : std::to_string(op.cores) + (op.cores == 1 ? " core" : " cores");
            step.unitsUsed = op.cores;
        }
    }

    StepId stepAt(std::size_t op) const {
        for (std::size_t i = op; i < m_loops.ops.size(); ++i)
            if (m_loops.ops[i].node.isValid())
                return m_stepOf[m_loops.ops[i].node];
        return StepId(m_out.steps.empty() ? 0 : m_out.steps.size() - 1);
    }

    void addBuffers(const StageGraph& graph) {
        if (m_out.steps.empty())
            return;
        const auto near = memory::levelOf(m_context.machine, machines::MemoryKind::Scratchpad);
        const std::size_t far =
            memory::levelOf(m_context.machine, machines::MemoryKind::Device).value_or(0);
        const auto ranges = liveRanges(m_loops);
        const StepId end(m_out.steps.size() - 1);
        std::vector<BufferId> ids(m_loops.buffers.size());
        std::int64_t next = 0;
        for (const bool isPool : {false, true})
            for (std::size_t b = 0; b < m_loops.buffers.size(); ++b) {
                const LoopBuffer& from = m_loops.buffers[b];
                if (!from.value.isValid() || !ranges[b]
                    || isPool != (from.space == MemorySpace::HbmPool))
                    continue;
                const bool isInLx = from.space == MemorySpace::Lx && near;
                const auto bytes = graph.values[from.value].deviceBytes();
                if (!isInLx && !bytes)
                    continue;
                const bool isInput = from.role != BufferRole::Intermediate;
                StepId first = isInput ? StepId(0) : stepAt(ranges[b]->first);
                StepId last = stepAt(ranges[b]->last);
                if (from.isOutput || memory::isResident(graph.values[from.value].role))
                    last = end;
                if (last < first)
                    last = first;
                lowering::Buffer buffer = memory::bufferOf(graph, from.value, isInLx ? *near : far,
                    {isInLx ? Bytes(from.lxBytes) : *bytes, {first, last}});
                buffer.address = isInLx ? from.address : isPool ? m_poolStart + from.address : next;
                if (!isInLx && !isPool)
                    next += roundUp(bytes->value, kLxAlignment);
                buffer.reason = reasonOf(from, isInput);
                buffer.isSpill = from.isSpilled;
                ids[b] = m_out.buffers.add(std::move(buffer));
                if (!isPool)
                    m_poolStart = next;
            }
        for (std::size_t b = 0; b < ids.size(); ++b)
            endTakenOver(ids, b);
    }

    static std::string reasonOf(const LoopBuffer& buffer, bool isInput) {
        if (!buffer.reason.empty())
            return buffer.reason;
        if (buffer.space == MemorySpace::Lx)
            return "Written and read by operators that divide it alike.";
        if (buffer.isOutput)
            return "An output of the model leaves through LPDDR5.";
        return isInput ? "Kernel arguments lie in LPDDR5."
                       : "The host writes or reads it, and the host works in LPDDR5.";
    }

    /// A buffer that is written over its dying parent holds the slot from its own step on.
    void endTakenOver(const std::vector<BufferId>& ids, std::size_t child) {
        const BufferIndex parent = m_loops.buffers[child].inPlaceOf;
        if (parent == kNoBuffer || !ids[child].isValid() || !ids[parent].isValid())
            return;
        lowering::Buffer& buffer = m_out.buffers[ids[parent]];
        if (buffer.lastStep == m_out.buffers[ids[child]].firstStep
            && buffer.lastStep.value > buffer.firstStep.value) {
            buffer.lastStep = StepId(buffer.lastStep.index() - 1);
            buffer.reason += " Its last reader writes its result over it, in place.";
        }
    }

    void addOpSpecs(const StageGraph& graph) {
        for (const Node& node : graph.nodes)
            if (node.support == Support::Unsupported)
                return; // the compiler stops there
        for (const LoopOp& op : m_loops.ops) {
            if (op.kind == LoopKind::Constant || op.kind == LoopKind::Alloc || !op.node.isValid()
                || op.write.buffer == kNoBuffer)
                continue;
            const LoopBuffer& to = m_loops.buffers[op.write.buffer];
            OpSpec spec;
            spec.node = op.node;
            spec.bundle = op.bundle;
            spec.op = op.op;
            spec.kind = std::string(toString(op.kind));
            spec.shape = to.shape;
            spec.deviceSize = to.layout.deviceSize;
            spec.strideMap = to.layout.strideMap;
            if (op.kind != LoopKind::Fallback)
                spec.splits = iterationSpace(m_loops, op).splits;
            spec.cores = op.cores;
            spec.placement = std::string(toString(to.space));
            if (to.space != MemorySpace::Unplaced)
                spec.address = to.address;
            m_out.opSpecs.push_back(std::move(spec));
        }
    }

    const Context& m_context;
    Program& m_out;
    Options m_options;
    LoopProgram m_loops;
    base::IdVector<NodeId, StepId> m_stepOf;
    std::unordered_map<std::string, std::string> m_textOf; ///< work division by node
    std::string m_tooWide; ///< first operator whose spans no division makes short enough
    std::int64_t m_poolStart = 0;
};

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    StageGraph graph = Placer(context, program).run(std::move(laidOut));
    graph.stage = Stage::Placed;
    program.chips = 1;
    return graph;
}

} // namespace fivefold::families::spyre
