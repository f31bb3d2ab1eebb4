// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/estimate.h"
#include "core/families/tpu/residency.h"
#include "core/families/tpu/stages.h"

#include "core/schedule/schedule.h"

#include <algorithm>
#include <map>

namespace fivefold::families::tpu {

using namespace lowering;

namespace {

/// A call that is waited for shows the host's dispatch before its first kernel.
bool countDispatch(const Device& device, Program& program) {
    for (Step& step : program.steps) {
        if (!step.estimate.isKnown || step.estimate.time.value <= 0)
            continue;
        addPart(step.estimate,
            {"dispatch",
                base::Seconds(device.dispatchSeconds / static_cast<double>(step.executions)),
                PartKind::Launch});
        return true;
    }
    return false;
}

/// Bytes and duration of a copy's hidden part; the late rest is its reader's.
void fillCopy(const StageGraph& graph, const Device& device, const LateBytes& late,
    const base::IdVector<ValueId, std::uint8_t>& isNear, base::Seconds hidden, Step& step) {
    if (graph.kernels[step.kernel].kind != kCopyStart || !device.nearLevel)
        return;
    const ValueId copy = graph.nodes[step.mainNode].outputs.front();
    if (isNear[copy] == 0)
        return;
    step.estimate.hidden = hidden;
    const auto found = late.find(copy);
    const base::Bytes bytes = graph.values[copy].deviceBytes().value_or(base::Bytes());
    const base::Bytes early = bytes - base::Bytes(found == late.end() ? 0 : found->second);
    if (early.value <= 0)
        return;
    step.estimate.traffic.push_back({device.hbmLevel, early, base::Bytes(0), hidden});
    step.estimate.traffic.push_back({*device.nearLevel, base::Bytes(0), early, base::Seconds(0)});
}

/// Where the copies' events stand: from the step in front of which they start, one after another,
/// done before their reader starts.
class CopyEvents {
public:
    CopyEvents(const StageGraph& graph, Program& program, ResourceId dma)
        : m_graph(graph)
        , m_program(program)
        , m_dma(dma) { }

    void run() {
        const auto spans = fivefold::schedule::stepSpans(m_program);
        for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
            const Step& step = m_program.steps[StepId(s)];
            if (m_graph.kernels[step.kernel].kind == kCopyDone)
                m_useOf[m_graph.nodes[step.mainNode].inputs.front()] = spans[StepId(s)].start;
        }
        for (std::size_t i = 0; i < m_program.events.size(); ++i)
            visit(EventId(i), spans);
        sortByStart();
    }

private:
    void visit(EventId id, const base::IdVector<StepId, fivefold::schedule::Span>& spans) {
        Event& event = m_program.events[id];
        const Step& step = m_program.steps[event.step];
        const std::string& kind = m_graph.kernels[step.kernel].kind;
        if (kind == kCopyDone) {
            event.resource = m_dma;
            event.kind = EventKind::Wait;
        } else if (kind == kCopyStart) {
            const ValueId copy = m_graph.nodes[step.mainNode].outputs.front();
            const std::int64_t length = base::toPicoseconds(step.estimate.hidden).value;
            const auto use = m_useOf.find(copy);
            const std::int64_t earliest = spans[event.step].start.value;
            const std::int64_t latest =
                use == m_useOf.end() ? earliest : use->second.value - length;
            const std::int64_t start =
                std::max(earliest, std::min(std::max(earliest, m_free), latest));
            event.resource = m_dma;
            event.kind = EventKind::Read;
            event.start = base::Picoseconds(start);
            event.end = base::Picoseconds(use == m_useOf.end()
                    ? start + length
                    : std::min(start + length, std::max(start, use->second.value)));
            m_free = event.end.value;
        }
    }

    /// Events come by start time.
    void sortByStart() {
        std::vector<EventId> order;
        for (std::size_t i = 0; i < m_program.events.size(); ++i)
            order.emplace_back(i);
        std::stable_sort(order.begin(), order.end(), [this](EventId a, EventId b) {
            return m_program.events[a].start < m_program.events[b].start;
        });
        base::IdVector<EventId, Event> sorted;
        sorted.reserve(order.size());
        for (const EventId id : order)
            sorted.add(std::move(m_program.events[id]));
        m_program.events = std::move(sorted);
    }

    const StageGraph& m_graph;
    Program& m_program;
    ResourceId m_dma;
    std::map<ValueId, base::Picoseconds> m_useOf; ///< by copy: when its reader starts
    std::int64_t m_free = 0; ///< when the DMA queue is free
};

/// The host's part of the first launch is an event of its own: the runtime decides it.
void splitDispatch(const Device& device, Program& program, ResourceId host, ResourceId launch) {
    for (std::size_t i = 0; i < program.events.size(); ++i) {
        Event& first = program.events[EventId(i)];
        if (first.resource != launch || first.kind != EventKind::Launch)
            continue;
        const std::int64_t dispatch =
            std::min(base::toPicoseconds(base::Seconds(device.dispatchSeconds)).value,
                first.end.value - first.start.value);
        Event kernelStart = first;
        first.resource = host;
        first.end = first.start + base::Picoseconds(dispatch);
        first.decidedBy = DecidedBy::Runtime;
        kernelStart.start = first.end;
        if (kernelStart.start == kernelStart.end)
            return;
        base::IdVector<EventId, Event> events;
        events.reserve(program.events.size() + 1);
        for (std::size_t k = 0; k < program.events.size(); ++k) {
            events.add(std::move(program.events[EventId(k)]));
            if (k == i)
                events.add(kernelStart);
        }
        program.events = std::move(events);
        return;
    }
}

} // namespace

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    const Device device = tpu::device(context);
    placed.stage = Stage::Scheduled;
    const auto stored = storedValues(placed);
    const auto borders = boundaries(placed);
    const auto isNear = nearValues(placed, program, device);
    const LateBytes late = lateBytes(placed, program, device, isNear);
    std::size_t done = 0;
    bool hasCopies = false;
    for (Step& step : program.steps) {
        if ((++done & 255) == 0 && context.progress.isCancelled())
            return base::Progress::cancelled();
        const base::Seconds hidden = step.estimate.hidden;
        step.estimate = planStep(device, placed, step.kernel,
            kernelBytes(placed, borders[step.kernel], step.kernel, stored, isNear, late))
                            .estimate;
        if (isAsyncCopy(placed, step.kernel)) {
            hasCopies = true;
            fillCopy(placed, device, late, isNear, hidden, step);
        }
    }
    timeLayerNorms(device, *context.typed.graph, placed, program);
    const bool hasDispatch = device.isDispatchCounted && countDispatch(device, program);
    fivefold::schedule::ResourceMap map;
    map.compute = program.resources.add({"matrix units (MXU)", "compute"});
    map.vector = program.resources.add({"vector unit (VPU)", "compute"});
    map.read = program.resources.add({"HBM in (DMA)", "memory"});
    map.write = program.resources.add({"HBM out (DMA)", "memory"});
    map.launch = program.resources.add({"scalar core", "queue"});
    map.host = program.resources.add({"host", "queue"});
    map.farLevel = device.hbmLevel;
    fivefold::schedule::sequence(program, map);
    if (hasDispatch)
        splitDispatch(device, program, map.host, map.launch);
    if (hasCopies)
        CopyEvents(placed, program, program.resources.add({"asynchronous copies (DMA)", "memory"}))
            .run();
    if (hasDispatch || hasCopies)
        fivefold::schedule::connect(program, &placed);
    for (Event& event : program.events)
        if (event.resource == map.host)
            event.decidedBy = DecidedBy::Runtime;
    fivefold::schedule::fillBufferTimes(program);
    return placed;
}

} // namespace fivefold::families::tpu
