// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing.h"

#include "core/schedule/firing_plan.h"

#include <algorithm>
#include <map>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::EventId;

namespace {

constexpr std::string_view kModels[] = {"program_counter", "dynamic_dataflow", "static_schedule"};
constexpr std::string_view kArbitrations[] = {"oldest_first", "round_robin", "critical_first"};
constexpr std::string_view kWaits[] = {"none", "operand", "resource", "queue_room", "turn", "slot"};

template <typename Enum, std::size_t Count>
std::optional<Enum> parse(const std::string_view (&names)[Count], std::string_view text) {
    for (std::size_t i = 0; i < Count; ++i)
        if (names[i] == text)
            return static_cast<Enum>(i);
    return std::nullopt;
}

class Tracer {
public:
    Tracer(const lowering::Program& program, const FiringOptions& options, FiringPlan plan)
        : m_program(program)
        , m_plan(std::move(plan)) {
        m_trace.options = options;
        m_trace.planned = Picoseconds(m_plan.length);
        m_trace.indexOf.assign(program.events.size(), FiringTrace::kNotFired);
    }

    FiringTrace trace() {
        play();
        addFirings();
        if (m_trace.options.model == ExecutionModel::StaticSchedule)
            findStale();
        addFlights();
        order();
        sum();
        m_trace.running.build();
        m_trace.waiting.build();
        return std::move(m_trace);
    }

private:
    EventId eventOf(std::size_t op) const {
        return op == Course::kNone ? EventId() : m_plan.operations[op].event;
    }

    void play() {
        switch (m_trace.options.model) {
        case ExecutionModel::ProgramCounter:
            m_courses = playInOrder(m_plan, true);
            return;
        case ExecutionModel::StaticSchedule:
            m_courses = playAtSlots(m_plan);
            return;
        case ExecutionModel::DynamicDataflow: {
            DataflowCourse played = playDataflow(m_plan, m_trace.options);
            m_courses = std::move(played.courses);
            m_trace.queues = std::move(played.queues);
            m_trace.deadlock = std::move(played.deadlock);
            return;
        }
        }
    }

    void addFirings() {
        m_trace.firings.reserve(m_courses.size());
        for (std::size_t op = 0; op < m_courses.size(); ++op) {
            const Course& course = m_courses[op];
            if (!course.hasFired)
                continue;
            Firing firing;
            firing.event = eventOf(op);
            firing.since = Picoseconds(course.since);
            firing.ready = Picoseconds(course.ready);
            firing.start = Picoseconds(course.start);
            firing.end = Picoseconds(course.end);
            firing.lastOperand = eventOf(course.lastOperand);
            firing.wait = course.wait;
            firing.waitsFor = eventOf(course.waitsFor);
            firing.operands = static_cast<std::int32_t>(m_plan.operations[op].operands);
            firing.isDelayed = m_plan.operations[op].duration > m_plan.operations[op].planned;
            m_trace.indexOf[firing.event] = m_trace.firings.size();
            m_trace.firings.push_back(firing);
        }
    }

    /// Operands that come after the slot of the one that takes them, what is computed from them,
    /// and results that are read at the end of the program and are not there yet.
    void findStale() {
        for (std::size_t op = 0; op < m_courses.size(); ++op) {
            Firing& firing = m_trace.firings[op];
            for (const Token& token : m_plan.operandsOf(op)) {
                const bool isLate = arrival(m_courses[token.other], token) > m_courses[op].start;
                firing.lateOperands += isLate ? 1 : 0;
                firing.isWrong = firing.isWrong || isLate || m_trace.firings[token.other].isWrong;
            }
            firing.isLate = firing.lateOperands > 0;
            m_trace.lateOperands += firing.lateOperands;
            m_trace.wrong += firing.isWrong ? 1 : 0;
            if (m_courses[op].end > m_plan.length)
                ++m_trace.lateResults;
        }
        if (m_trace.lateOperands + m_trace.lateResults == 0)
            return;
        std::int64_t needed = 0;
        for (const Course& course : playInOrder(m_plan, true))
            needed = std::max(needed, course.end);
        m_trace.slack = Picoseconds(std::max<std::int64_t>(needed - m_plan.length, 0));
    }

    /// Of the tokens between two steps, the first that is taken from the last that is made.
    void addFlights() {
        std::map<std::pair<lowering::StepId, lowering::StepId>, std::pair<std::size_t, std::size_t>>
            ends;
        for (std::size_t op = 0; op < m_courses.size(); ++op)
            for (const Token& token : m_plan.operandsOf(op)) {
                const Operation &a = m_plan.operations[token.other], &b = m_plan.operations[op];
                if (a.step == b.step || !m_courses[op].hasFired)
                    continue;
                const auto [found, isNew] =
                    ends.try_emplace({a.step, b.step}, std::pair(token.other, op));
                if (isNew)
                    continue;
                auto& [maker, taker] = found->second;
                if (m_courses[token.other].end > m_courses[maker].end)
                    maker = token.other;
                if (m_courses[op].start < m_courses[taker].start)
                    taker = op;
            }
        for (const auto& [steps, ops] : ends) {
            const Course &made = m_courses[ops.first], &taken = m_courses[ops.second];
            m_trace.flights.push_back({steps.first, steps.second, eventOf(ops.first),
                eventOf(ops.second), Picoseconds(made.start), Picoseconds(made.end),
                Picoseconds(taken.start), Picoseconds(taken.end)});
        }
        std::stable_sort(m_trace.flights.begin(), m_trace.flights.end(),
            [](const Flight& a, const Flight& b) { return a.leaves < b.leaves; });
        for (std::size_t i = 0; i < m_trace.flights.size(); ++i)
            m_trace.flying.add(m_trace.flights[i].leaves, m_trace.flights[i].arrives, i);
        m_trace.flying.build();
    }

    void order() {
        std::sort(
            m_trace.firings.begin(), m_trace.firings.end(), [](const Firing& a, const Firing& b) {
                return std::pair(a.start, a.event) < std::pair(b.start, b.event);
            });
        for (std::size_t i = 0; i < m_trace.firings.size(); ++i)
            m_trace.indexOf[m_trace.firings[i].event] = i;
    }

    void sum() {
        Picoseconds furthest;
        for (std::size_t i = 0; i < m_trace.firings.size(); ++i) {
            const Firing& firing = m_trace.firings[i];
            m_trace.length = std::max(m_trace.length, firing.end);
            m_trace.delayed += firing.isDelayed ? 1 : 0;
            add(WaitKind::Operand, std::min(firing.ready, firing.start) - firing.since);
            if (firing.wait != WaitKind::None)
                add(firing.wait, firing.start - std::max(firing.ready, firing.since));
            m_trace.running.add(firing.start, firing.end, i);
            m_trace.waiting.add(firing.since, firing.start, i);
            if (const Picoseconds at = m_program.events[firing.event].start;
                m_trace.furthest.empty() || at > furthest) {
                m_trace.furthest.push_back(i);
                furthest = at;
            }
        }
        if (m_trace.options.model == ExecutionModel::StaticSchedule)
            m_trace.length = m_trace.planned;
        else if (m_trace.deadlock)
            m_trace.length = m_trace.deadlock->at;
    }

    void add(WaitKind kind, Picoseconds time) {
        if (time.value <= 0)
            return;
        WaitSum& sum = m_trace.waits[static_cast<std::size_t>(kind)];
        ++sum.count;
        sum.time.value = addUpTo(sum.time.value, time.value);
    }

    const lowering::Program& m_program;
    FiringPlan m_plan;
    std::vector<Course> m_courses;
    FiringTrace m_trace;
};

} // namespace

std::string_view toString(ExecutionModel model) {
    return kModels[static_cast<std::size_t>(model)];
}

std::string_view toString(Arbitration arbitration) {
    return kArbitrations[static_cast<std::size_t>(arbitration)];
}

std::string_view toString(WaitKind kind) {
    return kWaits[static_cast<std::size_t>(kind)];
}

std::optional<ExecutionModel> parseExecutionModel(std::string_view text) {
    return parse<ExecutionModel>(kModels, text);
}

std::optional<Arbitration> parseArbitration(std::string_view text) {
    return parse<Arbitration>(kArbitrations, text);
}

FiringTrace fire(const lowering::Program& program, const FiringOptions& options,
    std::span<const lowering::StepId> block) {
    FiringTrace trace = Tracer(program, options, planFiring(program, options, block)).trace();
    trace.sentence = sentenceOf(program, trace);
    return trace;
}

const Firing* FiringTrace::firingOf(EventId event) const {
    return indexOf.contains(event) && indexOf[event] != kNotFired ? &firings[indexOf[event]]
                                                                  : nullptr;
}

std::int64_t QueueUse::tokensAt(Picoseconds at) const {
    const auto after = std::upper_bound(changes.begin(), changes.end(), at,
        [](Picoseconds time, const auto& change) { return time < change.first; });
    return after == changes.begin() ? 0 : std::prev(after)->second;
}

FiringState stateAt(const FiringTrace& trace, Picoseconds at) {
    FiringState state;
    state.running = trace.running.at(at);
    state.blocked = trace.waiting.at(at);
    const auto started = std::upper_bound(trace.firings.begin(), trace.firings.end(), at,
        [](Picoseconds time, const Firing& firing) { return time < firing.start; });
    state.fired = static_cast<std::size_t>(started - trace.firings.begin()) - state.running.size();
    return state;
}

std::optional<double> Flight::progressAt(Picoseconds at) const {
    if (at < leaves || at >= arrives)
        return std::nullopt;
    const auto share = [at](Picoseconds from, Picoseconds to) {
        return to > from ? std::clamp((at - from) / (to - from), 0.0, 1.0) : 1.0;
    };
    if (at >= fetched)
        return 0.5 + share(fetched, arrives) / 2;
    return share(leaves, rests) / 2;
}

std::vector<std::size_t> flightsAt(const FiringTrace& trace, Picoseconds at) {
    return trace.flying.at(at);
}

std::vector<Picoseconds> momentsOf(const FiringTrace& trace) {
    std::vector<Picoseconds> moments;
    moments.reserve(trace.firings.size() * 2);
    for (const Firing& firing : trace.firings)
        for (const Picoseconds moment : {firing.start, firing.end})
            if (moment <= trace.length)
                moments.push_back(moment);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
}

} // namespace fivefold::schedule
