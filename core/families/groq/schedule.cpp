// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"
#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/families/groq/stages.h"
#include "core/families/groq/work.h"
#include "core/lowering/fusion.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/roofline/roofline.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::groq {

namespace {

using namespace lowering;
using base::Bytes;
using base::Seconds;

constexpr const char* kHostSetting = "host";

class Estimator {
public:
    Estimator(const Context& context, const StageGraph& graph)
        : m_graph(graph)
        , m_chip(chip(context.machine, context.settings.precision))
        , m_borders(boundaries(graph)) {
        const auto& memories = context.machine.memories;
        for (std::size_t i = 0; i < memories.size(); ++i)
            (memories[i].kind == machines::MemoryKind::Scratchpad ? m_sram : m_streams) = i;
        m_hasStreams = m_streams != m_sram;
    }

    const Chip& chipOf() const { return m_chip; }
    SliceCycles cyclesOf(const Step& step) const {
        return sliceCycles(m_chip, m_graph, step.kernel, m_borders[step.kernel]);
    }

    void estimate(Step& step, const SliceCycles& cycles) const {
        Estimate& e = step.estimate;
        e = {};
        if (!isStepKnown(m_graph, step, [this](const Node& node) {
                return kindOf(m_graph, node) == OpKind::Unsupported;
            })) {
            e.isKnown = false;
            e.because = "A part of it cannot be scheduled before the run, so it has no time.";
            return;
        }
        if (cycles.readBytes == kBeyond || cycles.writtenBytes == kBeyond
            || cycles.total() >= kBeyond / 2) {
            e.isKnown = false;
            e.because = "Its tensors exceed 2^63 bytes or cycles, so it has no time.";
            return;
        }
        const StepWork work = stepWork(m_graph, step);
        e.flops = work.flops;
        if (cycles.link > 0) {
            e.scheduling.push_back({"chip to chip", seconds(cycles.link)});
        } else {
            e.compute = seconds(computeCycles(cycles, work.flops.value));
            if (cycles.install > 0)
                e.scheduling.push_back({"install", seconds(cycles.install)});
            e.scheduling.push_back({"transit", seconds(cycles.transit)});
        }
        e.paddedFlops = base::Flops(std::max(work.flops.value,
            static_cast<double>(cycles.matrix) * 2
                * static_cast<double>(m_chip.planes * m_chip.planeRows * m_chip.planeColumns)
                / static_cast<double>(m_chip.elementBytes * m_chip.elementBytes)));
        addTraffic(e, step, cycles);
        roofline::finish(e);
        explain(e, cycles);
    }

    /// The published rate is rounded up from the planes' own: never faster than it.
    std::int64_t computeCycles(const SliceCycles& cycles, double flops) const {
        const double least = m_chip.peak > 0 ? std::ceil(flops / m_chip.peak * m_chip.clockHz) : 0;
        return std::max(cycles.work(), static_cast<std::int64_t>(std::min(least, 9e18)));
    }

private:
    static constexpr std::int64_t kBeyond = std::numeric_limits<std::int64_t>::max();

    Seconds seconds(std::int64_t cycles) const {
        return Seconds(static_cast<double>(cycles) / m_chip.clockHz);
    }

    void addTraffic(Estimate& e, const Step& step, const SliceCycles& cycles) const {
        if (cycles.link > 0) {
            e.traffic.push_back(
                {m_sram, Bytes(cycles.readBytes), Bytes(cycles.writtenBytes), Seconds(0)});
            return; // the links are slower, and the SRAM goes along with them
        }
        const std::int64_t all = saturatingAdd(cycles.readBytes, cycles.writtenBytes);
        e.traffic.push_back({m_sram, Bytes(cycles.readBytes), Bytes(cycles.writtenBytes),
            seconds(m_hasStreams ? ceilDiv(all, m_chip.sramBytesPerCycle) : cycles.memory())});
        if (m_hasStreams)
            e.traffic.push_back({m_streams, Bytes(cycles.readBytes), Bytes(cycles.writtenBytes),
                seconds(cycles.memory())});
        double logical = 0;
        for (const auto* list : {&m_borders[step.kernel].inputs, &m_borders[step.kernel].outputs})
            for (const ValueId id : *list)
                if (const auto bytes = m_graph.values[id].bytes())
                    logical += static_cast<double>(bytes->value);
        logical = std::min(logical, static_cast<double>(all));
        const double bandwidth = static_cast<double>(m_chip.sramBytesPerCycle) * m_chip.clockHz;
        e.ideal = Seconds(
            std::max(m_chip.peak > 0 ? e.flops.value / m_chip.peak : 0, logical / bandwidth));
    }

    void explain(Estimate& e, const SliceCycles& cycles) const {
        const std::string count = std::to_string(cycles.work());
        if (cycles.link > 0)
            e.because = "Its bytes take " + std::to_string(cycles.link)
                + " cycles over the links to the next chip.";
        else if (e.bound == Bound::Memory)
            e.because = "Its operands take longer to stream in and out than to be worked on.";
        else if (e.bound == Bound::Scheduling)
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
    base::IdVector<KernelId, Boundary> m_borders;
    std::size_t m_sram = 0, m_streams = 0;
    bool m_hasStreams = false;
};

/// Events at whole cycles: one a kernel and resource, its repeats together.
class CycleScheduler {
public:
    CycleScheduler(const Estimator& estimator, const StageGraph& graph, Program& program)
        : m_estimator(estimator)
        , m_graph(graph)
        , m_program(program) {
        const auto add = [&](const char* name, const char* kind) {
            return program.resources.add({name, kind});
        };
        m_host = add("host (PCIe)", "queue");
        m_icu = add("ICU", "queue");
        m_read = add("MEM read", "memory");
        m_matrix = add("MXM", "compute");
        m_vector = add("VXM", "compute");
        m_shift = add("SXM", "compute");
        m_write = add("MEM write", "memory");
        m_link = add("C2C links", "link");
    }

    /// Model inputs enter and results leave over PCIe: the runtime's part, counted only on request.
    void host(bool isCounted) {
        if (!isCounted || m_program.steps.empty())
            return;
        const auto cycles = [&](const std::vector<ValueId>& values) {
            double bytes = 0;
            for (const ValueId id : values)
                if (const auto size = m_graph.values[id].bytes())
                    bytes += static_cast<double>(size->value);
            const Chip& c = m_estimator.chipOf();
            return static_cast<std::int64_t>(
                std::min(std::ceil(bytes / c.hostBytesPerSecond * c.clockHz), 9e15));
        };
        m_hostIn = cycles(m_graph.inputs);
        m_hostOut = cycles(m_graph.outputs);
    }

    std::int64_t hostIn() const { return m_hostIn; }
    std::int64_t hostOut() const { return m_hostOut; }

    void run(const std::vector<SliceCycles>& cycles) {
        m_program.events = {};
        m_program.events.reserve(m_program.steps.size() * 4);
        for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
            if (s == 0 && m_hostIn > 0)
                host(StepId(0), EventKind::Read, m_hostIn);
            step(StepId(s), cycles[s]);
            if (s + 1 == m_program.steps.size() && m_hostOut > 0)
                host(StepId(s), EventKind::Write, m_hostOut);
        }
        fivefold::schedule::connect(m_program, &m_graph);
        fivefold::schedule::fillBufferTimes(m_program);
    }

private:
    struct Part {
        ResourceId resource;
        EventKind kind;
        std::int64_t first, last; ///< cycles from the step's start, all repeats
    };

    void host(StepId id, EventKind kind, std::int64_t cycles) {
        emit(id, {{m_host, kind, 0, cycles}}, 1, DecidedBy::Runtime);
        m_now = saturatingAdd(m_now, cycles);
    }

    void step(StepId id, const SliceCycles& c) {
        const Step& step = m_program.steps[id];
        if (!step.estimate.isKnown) {
            emit(id, {{m_icu, EventKind::Launch, 0, 0}}, step.executions, DecidedBy::Compiler);
            return;
        }
        const auto times = [&](std::int64_t n) { return saturatingMul(n, step.executions); };
        const std::int64_t work = m_estimator.computeCycles(c, step.estimate.flops.value);
        const std::int64_t arrive = times(c.install + c.transit);
        const std::int64_t length =
            c.link > 0 ? times(c.link) : saturatingAdd(arrive, times(std::max(work, c.memory())));
        std::vector<Part> parts;
        const auto add = [&parts](ResourceId r, EventKind kind, std::int64_t a, std::int64_t b) {
            if (b > a)
                parts.push_back({r, kind, a, b});
        };
        if (c.link > 0) {
            add(m_link, EventKind::Read, 0, length);
        } else {
            add(m_icu, EventKind::Launch, 0, arrive);
            add(m_read, EventKind::Read, 0, std::min(length, times(c.read)));
            add(m_matrix, EventKind::Compute, arrive,
                c.matrix > 0 ? saturatingAdd(arrive, times(std::max(work, c.matrix))) : arrive);
            add(m_shift, EventKind::Relayout, arrive, saturatingAdd(arrive, times(c.shift)));
            const bool decides = c.matrix == 0 && c.shift < c.vector;
            add(m_vector, EventKind::Compute,
                length - times(decides ? std::max(work, c.vector) : c.vector), length);
            add(m_write, EventKind::Write, length - std::min(length, times(c.write)), length);
        }
        if (parts.empty())
            parts.push_back({m_icu, EventKind::Launch, 0, length});
        emit(id, std::move(parts), step.executions, DecidedBy::Compiler);
        m_now = saturatingAdd(m_now, length);
    }

    void emit(StepId id, std::vector<Part> parts, std::int64_t repeat, DecidedBy decider) {
        std::stable_sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.first < b.first; });
        for (const Part& part : parts) {
            Event event;
            event.step = id;
            event.resource = part.resource;
            event.kind = part.kind;
            event.start = at(saturatingAdd(m_now, part.first));
            event.end = at(saturatingAdd(m_now, part.last));
            event.repeat = repeat;
            event.decidedBy = decider;
            m_program.events.add(std::move(event));
        }
    }

    base::Picoseconds at(std::int64_t cycle) const {
        const double ps =
            static_cast<double>(cycle) / m_estimator.chipOf().clockHz * base::kPicosecondsPerSecond;
        return base::Picoseconds(
            ps < 9.2e18 ? std::llround(ps) : std::numeric_limits<std::int64_t>::max());
    }

    const Estimator& m_estimator;
    const StageGraph& m_graph;
    Program& m_program;
    ResourceId m_host, m_icu, m_read, m_matrix, m_vector, m_shift, m_write, m_link;
    std::int64_t m_now = 0; ///< cycles
    std::int64_t m_hostIn = 0, m_hostOut = 0;
};

/// What the host adds to the first and the last step with a time, as whole cycles.
void addHost(Step& step, std::int64_t cycles, const Chip& chip, const char* name) {
    if (cycles <= 0 || !step.estimate.isKnown)
        return;
    const double each = static_cast<double>(cycles) / chip.clockHz
        / static_cast<double>(std::max<std::int64_t>(1, step.executions));
    step.estimate.scheduling.push_back({name, Seconds(each), PartKind::Launch});
    const std::string because = step.estimate.because;
    roofline::finish(step.estimate);
    step.estimate.because = because;
}

} // namespace

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    placed.stage = Stage::Scheduled;
    const Estimator estimator(context, placed);
    std::vector<SliceCycles> cycles;
    cycles.reserve(program.steps.size());
    for (Step& step : program.steps) {
        cycles.push_back(estimator.cyclesOf(step));
        estimator.estimate(step, cycles.back());
    }
    CycleScheduler scheduler(estimator, placed, program);
    const auto host = context.settings.values.find(kHostSetting);
    const bool isCounted = host != context.settings.values.end() && host->second == "on"
        && !program.steps.empty() && program.steps[StepId(0)].estimate.isKnown
        && program.steps[StepId(program.steps.size() - 1)].estimate.isKnown;
    scheduler.host(isCounted);
    if (isCounted) {
        addHost(program.steps[StepId(0)], scheduler.hostIn(), estimator.chipOf(), "host in");
        addHost(program.steps[StepId(program.steps.size() - 1)], scheduler.hostOut(),
            estimator.chipOf(), "host out");
    }
    scheduler.run(cycles);
    return placed;
}

} // namespace fivefold::families::groq
