// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"
#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/families/groq/partition.h"
#include "core/families/groq/stages.h"
#include "core/lowering/fusion.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/roofline/roofline.h"

#include <algorithm>

namespace fivefold::families::groq {

using base::Bytes;
using base::Seconds;
using lowering::Boundary;
using lowering::Context;
using lowering::Estimate;
using lowering::Node;
using lowering::NodeId;
using lowering::Program;
using lowering::StageGraph;
using lowering::Step;
using lowering::Value;
using lowering::ValueId;

namespace {

/// Cycles of a kernel by slice; what streams overlaps, so the largest counts.
struct SliceCycles {
    std::int64_t matrix = 0, vector = 0, shift = 0;
};

class Estimator {
public:
    Estimator(const Context& context, const StageGraph& graph, const Program& program)
        : m_graph(graph)
        , m_chip(chip(context.machine, context.settings.precision))
        , m_borders(lowering::boundaries(graph))
        , m_kernelChip(graph.kernels.size(), 0) {
        const auto& memories = context.machine.memories;
        for (std::size_t i = 0; i < memories.size(); ++i)
            (memories[i].kind == machines::MemoryKind::Scratchpad ? m_sram : m_streams) = i;
        m_hasStreams = m_streams != m_sram;
        findChips(program);
    }

    std::size_t farLevel() const { return m_sram; }

    void estimate(Step& step) const {
        Estimate& e = step.estimate;
        e = {};
        if (!isKnown(step)) {
            e.isKnown = false;
            e.because = "A part of it cannot be scheduled before the run, so it has no time.";
            return;
        }
        const SliceCycles cycles = cyclesOf(step);
        const auto seconds = [this](std::int64_t n) {
            return Seconds(static_cast<double>(n) / m_chip.clockHz);
        };
        const lowering::StepWork work = lowering::stepWork(m_graph, step);
        e.flops = work.flops;
        e.compute =
            seconds(std::max({cycles.matrix, cycles.vector, cycles.shift, std::int64_t{1}}));
        if (m_chip.peak > 0) // the published rate is rounded up from the planes' own
            e.compute = std::max(e.compute, Seconds(work.flops.value / m_chip.peak));
        e.paddedFlops = base::Flops(std::max(work.flops.value,
            static_cast<double>(cycles.matrix) * 2
                * static_cast<double>(m_chip.planes * m_chip.planeRows * m_chip.planeColumns)
                / static_cast<double>(m_chip.elementBytes * m_chip.elementBytes)));
        addTraffic(e, step);
        addScheduling(e, step, cycles, seconds);
        roofline::finish(e);
        explain(e, cycles);
    }

private:
    /// The chip of each kernel, from the weights that lie there: the partition of the placed stage.
    void findChips(const Program& program) {
        std::vector<std::int64_t> ofValue(m_graph.values.size(), -1);
        for (const lowering::Buffer& buffer : program.buffers)
            if (buffer.value.isValid())
                ofValue[buffer.value.index()] =
                    std::max(ofValue[buffer.value.index()], buffer.unit);
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k)
            for (NodeId node : m_graph.kernels[lowering::KernelId(k)].nodes)
                for (ValueId output : m_graph.nodes[node].outputs)
                    if (output.isValid())
                        m_kernelChip[k] = std::max(m_kernelChip[k], ofValue[output.index()]);
    }

    bool isKnown(const Step& step) const {
        return std::ranges::all_of(step.nodes, [this](NodeId id) {
            const Node& node = m_graph.nodes[id];
            const auto hasShape = [this](ValueId v) {
                return !v.isValid() || m_graph.values[v].shape.has_value();
            };
            return kindOf(m_graph, node) != OpKind::Unsupported && node.work.isKnown
                && std::ranges::all_of(node.outputs, hasShape);
        });
    }

    /// Vectors of a tensor: ⌈extent in the lanes ÷ 320⌉ times everything else.
    std::int64_t vectorsOf(ValueId id) const {
        if (!id.isValid() || !m_graph.values[id].layout)
            return 0;
        const layout::TensorLayout& layout = *m_graph.values[id].layout;
        const int lane = layout.axes.empty() ? -1 : layout.axes.back().dimension;
        if (lane < 0)
            return 1;
        const std::int64_t extent =
            std::max<std::int64_t>(1, layout.shape[static_cast<std::size_t>(lane)]);
        return lowering::saturatingMul(
            lowering::ceilDiv(extent, m_chip.lanes), layout::logicalElements(layout) / extent);
    }

    std::int64_t matrixCycles(const Node& node) const {
        const lowering::Work& w = node.work;
        if (w.m <= 0 || w.n <= 0 || w.k <= 0)
            return vectorsOf(node.outputs.empty() ? ValueId() : node.outputs.front());
        const bool isBatched = node.inputs.size() > 1 && node.inputs[1].isValid()
            && hasBatch(m_graph.values[node.inputs[1]]);
        const std::int64_t batch = std::max<std::int64_t>(1, w.batch);
        const bool isProduct =
            node.canonical == ir::Op::MatMul || node.canonical == ir::Op::FusedMatMul;
        if (isProduct && !isBatched)
            return productCycles(m_chip, lowering::saturatingMul(batch, w.m), w.n, w.k, 1);
        return productCycles(m_chip, w.m, w.n, w.k, batch);
    }

    static bool hasBatch(const Value& value) {
        if (!value.shape || value.shape->size() <= 2)
            return false;
        return std::any_of(value.shape->begin(), value.shape->end() - 2,
            [](std::int64_t extent) { return extent != 1; });
    }

    SliceCycles cyclesOf(const Step& step) const {
        SliceCycles total;
        std::int64_t operations = 0, vectors = 0;
        for (NodeId id : step.nodes) {
            const Node& node = m_graph.nodes[id];
            const ValueId in = node.inputs.empty() ? ValueId() : node.inputs.front();
            const ValueId out = node.outputs.empty() ? ValueId() : node.outputs.front();
            const std::int64_t moved = std::max(vectorsOf(in), vectorsOf(out));
            switch (kindOf(m_graph, node)) {
            case OpKind::Matrix:
                total.matrix += matrixCycles(node);
                break;
            case OpKind::Vector:
                ++operations;
                vectors = std::max(vectors, vectorsOf(out));
                break;
            case OpKind::Reduction:
                total.vector += reductionCycles(m_chip, moved);
                break;
            case OpKind::Shift:
                total.shift += shiftCycles(m_chip, moved);
                break;
            case OpKind::Lookup:
                total.shift += vectorsOf(out) * m_chip.elementBytes;
                break;
            default:
                break;
            }
        }
        if (operations > 0)
            total.vector += vectorCycles(m_chip, vectors, operations);
        return total;
    }

    double bytesOf(ValueId id) const {
        const auto bytes = m_graph.values[id].deviceBytes();
        return bytes ? static_cast<double>(bytes->value) : 0;
    }

    void addTraffic(Estimate& e, const Step& step) const {
        const Boundary& border = m_borders[step.kernel];
        double read = 0, written = 0, logical = 0;
        for (ValueId id : border.inputs) {
            const double bytes = isLookupTable(step, id) ? 0 : bytesOf(id);
            read += bytes;
            const auto own = m_graph.values[id].bytes();
            logical += bytes > 0 && own ? static_cast<double>(own->value) : 0;
        }
        for (ValueId id : border.outputs) {
            written += bytesOf(id);
            const auto own = m_graph.values[id].bytes();
            logical += own ? static_cast<double>(own->value) : 0;
        }
        const auto time = [&](std::int64_t perCycle) {
            return Seconds((read + written) / (static_cast<double>(perCycle) * m_chip.clockHz));
        };
        const auto whole = [](double bytes) { return Bytes(static_cast<std::int64_t>(bytes)); };
        e.traffic.push_back({m_sram, whole(read), whole(written), time(m_chip.sramBytesPerCycle)});
        if (m_hasStreams)
            e.traffic.push_back(
                {m_streams, whole(read), whole(written), time(m_chip.streamBytesPerCycle)});
        const double bandwidth = static_cast<double>(m_chip.sramBytesPerCycle) * m_chip.clockHz;
        e.ideal = Seconds(
            std::max(m_chip.peak > 0 ? e.flops.value / m_chip.peak : 0, logical / bandwidth));
    }

    bool isLookupTable(const Step& step, ValueId id) const {
        return std::ranges::any_of(step.nodes, [&](NodeId node) {
            const Node& n = m_graph.nodes[node];
            return kindOf(m_graph, n) == OpKind::Lookup && !n.inputs.empty()
                && n.inputs.front() == id;
        });
    }

    template <typename ToSeconds>
    void addScheduling(
        Estimate& e, const Step& step, const SliceCycles& cycles, const ToSeconds& seconds) const {
        if (cycles.matrix > 0)
            e.scheduling.push_back({"install", seconds(m_chip.installCycles)});
        // A vector passes one slice a cycle on its way to the middle of the chip (ISCA 2020).
        e.scheduling.push_back({"transit", seconds(m_chip.slices / 2 + m_chip.latencyCycles)});
        double bytes = 0;
        for (ValueId id : m_borders[step.kernel].inputs) {
            const NodeId producer = m_graph.values[id].producer;
            if (producer.isValid()
                && m_kernelChip[m_graph.nodes[producer].kernel.index()]
                    != m_kernelChip[step.kernel.index()])
                bytes += bytesOf(id);
        }
        if (bytes > 0)
            e.scheduling.push_back({"chip to chip", Seconds(bytes / m_chip.linkBytesPerSecond)});
    }

    void explain(Estimate& e, const SliceCycles& cycles) const {
        const std::string count =
            std::to_string(std::max({cycles.matrix, cycles.vector, cycles.shift}));
        if (e.bound == lowering::Bound::Memory)
            e.because = "Its operands take longer to stream in and out than to be worked on.";
        else if (e.bound == lowering::Bound::Scheduling)
            e.because = "It is so short that the way across the chip takes longer than the work.";
        else if (cycles.matrix >= cycles.vector && cycles.matrix >= cycles.shift)
            e.because = "The MXM planes take " + count + " cycles, weight installation included.";
        else if (cycles.vector >= cycles.shift)
            e.because = "The vector unit takes " + count + " cycles, one vector of 320 lanes each.";
        else
            e.because = "Moving lanes takes the SXM " + count + " cycles.";
        if (m_chip.isClockAssumed)
            e.because += " Clock and units are not published; the first chip's are assumed.";
    }

    const StageGraph& m_graph;
    Chip m_chip;
    base::IdVector<lowering::KernelId, Boundary> m_borders;
    std::vector<std::int64_t> m_kernelChip;
    std::size_t m_sram = 0, m_streams = 0;
    bool m_hasStreams = false;
};

} // namespace

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    placed.stage = lowering::Stage::Scheduled;
    const Estimator estimator(context, placed, program);
    for (Step& step : program.steps)
        estimator.estimate(step);
    fivefold::schedule::ResourceMap resources;
    resources.read = program.resources.add({"streams east", "link"});
    resources.compute = program.resources.add({"MXM", "compute"});
    resources.vector = program.resources.add({"VXM", "compute"});
    resources.write = program.resources.add({"streams west", "link"});
    resources.launch = program.resources.add({"SXM and transit", "link"});
    resources.farLevel = estimator.farLevel();
    fivefold::schedule::sequence(program, resources);
    for (lowering::Event& event : program.events)
        event.decidedBy = lowering::DecidedBy::Compiler;
    return placed;
}

} // namespace fivefold::families::groq
