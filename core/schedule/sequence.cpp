// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"

#include <algorithm>
#include <limits>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::Event;
using lowering::EventKind;
using lowering::ResourceId;
using lowering::Step;
using lowering::StepId;

namespace {

/// executions × the rounded time of one, saturating.
std::int64_t repeated(base::Seconds time, std::int64_t executions) {
    constexpr double kLargest = 9.2e18; // picoseconds that an int64 holds
    if (!(time.value > 0) || executions <= 0)
        return 0;
    if (time.value * base::kPicosecondsPerSecond >= kLargest)
        return std::numeric_limits<std::int64_t>::max();
    std::int64_t product = 0;
    return __builtin_mul_overflow(base::toPicoseconds(time).value, executions, &product)
        ? std::numeric_limits<std::int64_t>::max()
        : product;
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

class Sequencer {
public:
    Sequencer(lowering::Program& program, const ResourceMap& resources)
        : m_program(program)
        , m_resources(resources) {
        for (const lowering::Stage stage : {lowering::Stage::Scheduled, lowering::Stage::Placed})
            if (!m_graph)
                m_graph = program.stages[static_cast<std::size_t>(stage)].get();
    }

    void run() {
        m_program.events = {};
        m_program.events.reserve(m_program.steps.size() * 3);
        for (std::size_t s = 0; s < m_program.steps.size(); ++s)
            addStep(StepId(s));
        connect(m_program, m_graph);
    }

private:
    struct Span {
        std::int64_t start = 0, end = 0;
    };

    const lowering::Node* mainNode(const Step& step) const {
        return m_graph && m_graph->nodes.contains(step.mainNode) ? &m_graph->nodes[step.mainNode]
                                                                 : nullptr;
    }

    bool runsOnHost(const Step& step) const {
        return m_graph
            && std::any_of(step.nodes.begin(), step.nodes.end(), [&](lowering::NodeId id) {
                   return m_graph->nodes.contains(id)
                       && m_graph->nodes[id].support == lowering::Support::Fallback;
               });
    }

    void add(StepId step, ResourceId resource, EventKind kind, Span span) {
        Event event;
        event.step = step;
        event.resource = resource;
        event.kind = kind;
        event.start = Picoseconds(span.start);
        event.end = Picoseconds(span.end);
        event.repeat = m_program.steps[step].executions;
        m_program.events.add(std::move(event));
    }

    void addStep(StepId id) {
        const Step& step = m_program.steps[id];
        const Span all{m_now, saturatingAdd(m_now, repeated(step.estimate.time, step.executions))};
        m_now = all.end;
        if (m_resources.host.isValid() && runsOnHost(step)) {
            add(id, m_resources.host, EventKind::HostWork, all);
            return;
        }
        Span body = all;
        if (const std::int64_t launch = launchTime(step, all); launch > 0) {
            body.start += launch;
            add(id, m_resources.launch, EventKind::Launch, {all.start, body.start});
            if (body.start == body.end) // nothing but a launch
                return;
        }
        addBody(id, step, body);
    }

    std::int64_t launchTime(const Step& step, Span all) const {
        if (!m_resources.launch.isValid())
            return 0;
        base::Seconds sum;
        for (const lowering::TimePart& part : step.estimate.scheduling)
            sum += part.time;
        return std::min(repeated(sum, step.executions), all.end - all.start);
    }

    /// Reading begins with the body, writing and computing end with it; what ends last is the
    /// step's end.
    void addBody(StepId id, const Step& step, Span body) {
        const std::int64_t length = body.end - body.start;
        std::int64_t read = 0, write = 0;
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (traffic.level == m_resources.farLevel && traffic.total().value > 0) {
                const std::int64_t time = std::min(repeated(traffic.time, step.executions), length);
                const double share = traffic.read / traffic.total();
                read = static_cast<std::int64_t>(static_cast<double>(time) * share);
                write = time - read;
            }
        std::int64_t compute = std::min(repeated(step.estimate.compute, step.executions), length);
        if (!m_resources.read.isValid())
            read = 0;
        if (!m_resources.write.isValid())
            write = 0;
        if (compute == 0 && write == 0) { // something has to last until the end
            if (read > 0)
                read = length;
            else
                compute = length;
        }
        struct Part {
            ResourceId resource;
            EventKind kind;
            Span span;
        };
        std::vector<Part> parts;
        if (read > 0)
            parts.push_back({m_resources.read, EventKind::Read, {body.start, body.start + read}});
        if (compute > 0 || length == 0)
            parts.push_back(
                {computeResource(step), computeKind(step), {body.end - compute, body.end}});
        if (write > 0)
            parts.push_back({m_resources.write, EventKind::Write, {body.end - write, body.end}});
        std::stable_sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.span.start < b.span.start; });
        for (const Part& part : parts)
            add(id, part.resource, part.kind, part.span);
    }

    ResourceId computeResource(const Step& step) const {
        const lowering::Node* node = mainNode(step);
        const bool isVector = node && node->opClass() != ir::OpClass::Contraction;
        return isVector && m_resources.vector.isValid() ? m_resources.vector : m_resources.compute;
    }

    EventKind computeKind(const Step& step) const {
        const lowering::Node* node = mainNode(step);
        return node && !node->addedBy.empty() ? EventKind::Relayout : EventKind::Compute;
    }

    lowering::Program& m_program;
    const ResourceMap& m_resources;
    const lowering::StageGraph* m_graph = nullptr;
    std::int64_t m_now = 0;
};

} // namespace

void sequence(lowering::Program& program, const ResourceMap& resources) {
    Sequencer(program, resources).run();
    fillBufferTimes(program);
}

} // namespace fivefold::schedule
