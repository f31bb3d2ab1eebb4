// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"
#include "core/families/cerebras/floor_plan.h"
#include "core/families/cerebras/operators.h"
#include "core/families/cerebras/stages.h"
#include "core/lowering/fusion.h"
#include "core/lowering/padded_work.h"
#include "core/lowering/steps.h"
#include "core/roofline/measured_operator.h"
#include "core/roofline/roofline.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::cerebras {

using base::Bytes;
using base::Seconds;
using lowering::Boundary;
using lowering::Context;
using lowering::Estimate;
using lowering::KernelId;
using lowering::NodeId;
using lowering::Program;
using lowering::StageGraph;
using lowering::Step;
using lowering::Value;
using lowering::ValueId;
using lowering::ValueRole;

namespace {

class Estimator {
public:
    Estimator(const Context& context, const StageGraph& graph)
        : m_graph(graph)
        , m_machine(context.machine)
        , m_isHalf(context.settings.precision == machines::Precision::Fp16)
        , m_fabric(fabric(context.machine, context.settings.precision))
        , m_plan(planFloor(context, graph))
        , m_borders(lowering::boundaries(graph)) {
        const auto& memories = context.machine.memories;
        for (std::size_t i = 0; i < memories.size(); ++i)
            (memories[i].kind == machines::MemoryKind::Device ? m_far : m_near) = i;
        for (ValueId output : graph.outputs)
            if (output.isValid())
                m_isOutput.push_back(output);
        std::ranges::sort(m_isOutput);
    }

    /// Index of the off-wafer memory; past the end where the description has none.
    std::size_t farLevel() const { return m_far == m_near ? ~std::size_t{0} : m_far; }

    void estimate(Step& step) const {
        Estimate& e = step.estimate;
        e = {};
        const Site& site = m_plan.sites[step.kernel];
        if (!lowering::isStepKnown(m_graph, step,
                [](const lowering::Node& node) { return kindOf(node) == OpKind::Unsupported; })) {
            e.isKnown = false;
            e.because =
                "The wafer has no kernel for a part of it, or a shape is unknown; it has no time.";
            return;
        }
        if (borderBytes(step) >= kBeyond) {
            e.isKnown = false;
            e.because = "Its tensors exceed 2^63 bytes, so it has no time.";
            return;
        }
        const lowering::StepWork work = lowering::stepWork(m_graph, step);
        const double seconds = 1 / m_fabric.clockHz;
        e.flops = work.flops;
        double padded = 0;
        for (const NodeId id : step.nodes)
            padded += m_graph.nodes[id].work.flops * lowering::paddedWork(m_graph, m_graph.nodes[id]);
        e.paddedFlops = base::Flops(std::max(work.flops.value, padded));
        e.compute = Seconds(std::max(site.cycles.compute * seconds,
            m_fabric.peak > 0 ? work.flops.value / m_fabric.peak : 0));
        addTraffic(e, step);
        using lowering::PartKind;
        const auto part = [&e](const char* name, double time, PartKind kind = PartKind::Stall) {
            if (time > 0)
                e.scheduling.push_back({name, Seconds(time), kind});
        };
        part("shift steps", site.cycles.steps * seconds);
        part("all-reduce", site.cycles.allReduce * seconds);
        part("moves", site.cycles.moves * seconds, PartKind::Relayout);
        part("hops", hops(step.kernel) * seconds);
        part("wafer I/O", modelBytes(step.kernel) / m_fabric.offWaferBytesPerSecond, PartKind::Launch);
        roofline::finish(e);
        explain(e, site);
        addBand(e, step, site);
    }

private:
    /// The series measured products on the wafer alone, in fp16: a step that is little else has
    /// their error.
    void addBand(Estimate& e, const Step& step, const Site& site) const {
        constexpr double kMost = 0.95; // of the step's time
        std::int64_t products = 0;
        for (const NodeId id : step.nodes)
            products += kindOf(m_graph.nodes[id]) == OpKind::Contraction;
        const double measured = (site.cycles.total() - site.cycles.moves) / m_fabric.clockHz;
        if (products == 1 && m_isHalf && measured >= kMost * e.time.value)
            roofline::setBand(
                e, m_machine, site.cycles.allReduce > 0 ? "error_gemv" : "error_gemm");
    }

    static constexpr double kBeyond = 9.2e18; ///< bytes that an int64 counts

    double borderBytes(const Step& step) const {
        double sum = 0;
        for (ValueId id : m_borders[step.kernel].inputs)
            sum += bytesOf(id);
        for (ValueId id : m_borders[step.kernel].outputs)
            sum += bytesOf(id);
        return sum;
    }

    double bytesOf(ValueId id) const {
        const auto bytes = m_graph.values[id].deviceBytes();
        return bytes ? static_cast<double>(bytes->value) : 0;
    }

    void addTraffic(Estimate& e, const Step& step) const {
        const Boundary& border = m_borders[step.kernel];
        double read = 0, written = 0, weights = 0;
        for (ValueId id : border.inputs) {
            read += bytesOf(id);
            weights += m_graph.values[id].role == ValueRole::Weight ? bytesOf(id) : 0;
        }
        for (ValueId id : border.outputs)
            written += bytesOf(id);
        const double bandwidth =
            std::min(static_cast<double>(step.unitsUsed) * m_fabric.peBytesPerSecond,
                m_fabric.waferBytesPerSecond);
        e.traffic.push_back({m_near, Bytes(static_cast<std::int64_t>(read)),
            Bytes(static_cast<std::int64_t>(written)), Seconds((read + written) / bandwidth)});
        if (m_plan.isStreaming && weights > 0 && m_far != m_near)
            e.traffic.push_back({m_far, Bytes(static_cast<std::int64_t>(weights)), Bytes(0),
                Seconds(weights / m_fabric.offWaferBytesPerSecond)});
        const double unpadded =
            e.flops.value > 0 && m_fabric.peak > 0 ? e.flops.value / m_fabric.peak : 0;
        e.ideal = Seconds(std::max(
            {unpadded, (m_plan.isStreaming ? weights / m_fabric.offWaferBytesPerSecond : 0),
                std::min((read + written) / m_fabric.waferBytesPerSecond,
                    (read + written) / bandwidth)}));
    }

    /// Cycles from the farthest producing region's middle to this one's, and the tensor's way
    /// through the side.
    double hops(KernelId kernel) const {
        if (m_plan.isStreaming)
            return 0;
        const Site& to = m_plan.sites[kernel];
        double most = 0;
        for (ValueId id : m_borders[kernel].inputs) {
            const NodeId producer = m_graph.values[id].producer;
            if (!producer.isValid())
                continue;
            const Site& from = m_plan.sites[m_graph.nodes[producer].kernel];
            const double way = hopsBetween(from.rectangle, to.rectangle);
            const auto links =
                static_cast<double>(std::max<std::int64_t>(1, std::min(from.side, to.side)));
            most = std::max(most,
                way * m_fabric.hopCycles
                    + std::ceil(bytesOf(id) / (m_fabric.linkBytesPerCycle * links)));
        }
        return most;
    }

    /// Bytes of the model's own inputs and outputs: they cross the edge of the wafer.
    double modelBytes(KernelId kernel) const {
        double bytes = 0;
        for (ValueId id : m_borders[kernel].inputs)
            bytes += m_graph.values[id].role == ValueRole::Input ? bytesOf(id) : 0;
        for (ValueId id : m_borders[kernel].outputs)
            bytes += std::ranges::binary_search(m_isOutput, id) ? bytesOf(id) : 0;
        return bytes;
    }

    void explain(Estimate& e, const Site& site) const {
        const std::string square =
            std::to_string(site.side) + "×" + std::to_string(site.side) + " PEs";
        if (e.bound == lowering::Bound::Scheduling)
            e.because = "On " + square
                + " moving operands and sums over the fabric takes longer than computing on them.";
        else if (e.bound == lowering::Bound::Memory)
            e.because = m_plan.isStreaming
                ? "Its weights come in at 150 GB/s, which takes longer than using them."
                : "The PEs' memories bound it.";
        else
            e.because = "The arithmetic on " + square + " takes longest.";
    }

    const StageGraph& m_graph;
    const machines::Machine& m_machine;
    bool m_isHalf = false;
    Fabric m_fabric;
    FloorPlan m_plan;
    base::IdVector<KernelId, Boundary> m_borders;
    std::vector<ValueId> m_isOutput;
    std::size_t m_far = 0, m_near = 0;
};

/// Lays the steps one after another: what crosses the wafer's edge, what comes from other regions,
/// the traffic inside the region, then the arithmetic beside the memories. The compiler fixes
/// routes and blocks, the runtime what crosses the edge; that a task runs when its wavelets have
/// arrived is the hardware's decision.
class Timeline {
public:
    Timeline(Program& program, std::size_t farLevel)
        : m_program(program)
        , m_far(farLevel) {
        const auto add = [&program](const char* name, const char* kind) {
            return program.resources.add({name, kind});
        };
        m_fabric = add("fabric", "link");
        m_in = add("wafer I/O in", "memory");
        m_pes = add("PEs", "compute");
    }

    void run() {
        m_program.events = {};
        m_program.events.reserve(m_program.steps.size() * 3);
        for (std::size_t s = 0; s < m_program.steps.size(); ++s)
            step(lowering::StepId(s));
        fivefold::schedule::fillBufferTimes(m_program);
    }

private:
    static std::int64_t picoseconds(double seconds) {
        const double ps = seconds * base::kPicosecondsPerSecond;
        return ps < 9.2e18 ? std::llround(ps) : std::numeric_limits<std::int64_t>::max();
    }

    void step(lowering::StepId id) {
        const Step& step = m_program.steps[id];
        const auto n = static_cast<double>(step.executions);
        const double start = m_now;
        const std::size_t first = m_program.events.size();
        double at = start;
        for (const lowering::TimePart& part : step.estimate.scheduling) {
            const bool isEdge = part.name == "wafer I/O";
            add(id, isEdge ? m_in : m_fabric,
                isEdge || part.name == "hops" ? lowering::EventKind::Read
                                              : lowering::EventKind::Relayout,
                at, at + n * part.time.value,
                isEdge ? lowering::DecidedBy::Runtime : lowering::DecidedBy::Compiler);
            at += n * part.time.value;
        }
        const double end = start + n * step.estimate.time.value;
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (traffic.level == m_far && traffic.time.value > 0)
                add(id, m_in, lowering::EventKind::Read, at,
                    std::min(end, at + n * traffic.time.value), lowering::DecidedBy::Runtime);
        if (end > at || m_program.events.size() == first)
            add(id, m_pes, lowering::EventKind::Compute, at, end, lowering::DecidedBy::Hardware);
        m_now = end;
    }

    void add(lowering::StepId id, lowering::ResourceId resource, lowering::EventKind kind,
        double start, double end, lowering::DecidedBy decider) {
        lowering::Event event;
        event.step = id;
        event.resource = resource;
        event.kind = kind;
        event.start = base::Picoseconds(picoseconds(start));
        event.end = base::Picoseconds(picoseconds(end));
        event.repeat = m_program.steps[id].executions;
        event.decidedBy = decider;
        m_program.events.add(std::move(event));
    }

    Program& m_program;
    std::size_t m_far;
    lowering::ResourceId m_fabric, m_in, m_pes;
    double m_now = 0; ///< seconds
};

} // namespace

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    placed.stage = lowering::Stage::Scheduled;
    const Estimator estimator(context, placed);
    for (Step& step : program.steps)
        estimator.estimate(step);
    Timeline(program, estimator.farLevel()).run();
    fivefold::schedule::connect(program, &placed);
    return placed;
}

} // namespace fivefold::families::cerebras
