// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing.h"

#include <cmath>
#include <cstdio>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::EventId;
using lowering::ResourceId;

namespace {

std::string counted(std::int64_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string operands(std::int64_t count) {
    if (count == 0)
        return "it needs no operand";
    if (count == 1)
        return "its operand is there";
    return (count == 2 ? "both" : "all " + std::to_string(count)) + " operands are there";
}

std::string resourceName(const lowering::Program& program, ResourceId resource) {
    return program.resources.contains(resource) ? program.resources[resource].name : "the unit";
}

std::string ends(const FiringTrace& trace) {
    if (trace.planned.value <= 0)
        return "ends as planned";
    const double change = (trace.length - trace.planned) / trace.planned;
    constexpr double kSame = 0.0005; // under 0.1 %
    if (std::abs(change) < kSame)
        return "ends as planned";
    char text[64];
    std::snprintf(
        text, sizeof text, std::abs(change) < 0.0995 ? "%.1f" : "%.0f", std::abs(change) * 100);
    return "ends " + std::string(text) + (change > 0 ? " % later" : " % sooner") + " than planned";
}

std::string cycleText(const lowering::Program& program, const Deadlock& lock) {
    constexpr std::size_t kMostNames = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(lock.cycle.size(), kMostNames); ++i)
        text += eventName(program, lock.cycle[i]) + " waits for ";
    if (lock.cycle.size() > kMostNames)
        text += std::to_string(lock.cycle.size() - kMostNames) + " more and these for ";
    return text.empty() ? "no operation can start" : text + "the first";
}

std::string dataflowSentence(const lowering::Program& program, const FiringTrace& trace) {
    if (trace.deadlock) {
        const std::size_t all = trace.firings.size() + trace.deadlock->stuck.size();
        return "Dynamic dataflow stops for good after " + std::to_string(trace.firings.size())
            + " of " + counted(static_cast<std::int64_t>(all), "operation", "operations") + ": "
            + cycleText(program, *trace.deadlock) + ".";
    }
    const auto count = [&](WaitKind kind) {
        return trace.waits[static_cast<std::size_t>(kind)].count;
    };
    std::string text = "Dynamic dataflow " + ends(trace) + ": what has its operands starts";
    const std::int64_t units = count(WaitKind::Resource), room = count(WaitKind::QueueRoom);
    if (units + room == 0)
        return text + ", and none had to wait for a unit or for room in a queue.";
    return text + "; ready operations waited " + counted(units, "time", "times")
        + " for a unit and " + counted(room, "time", "times") + " for room in a queue.";
}

std::string staticSentence(const FiringTrace& trace) {
    if (trace.lateOperands + trace.lateResults == 0)
        return "The static schedule ends as planned, and every operand was there in time.";
    std::string text = "The static schedule ends as planned but wrong: ";
    if (trace.lateOperands > 0)
        text += counted(trace.lateOperands, "operand came", "operands came")
            + " after the cycle that reads it, and "
            + counted(trace.wrong, "operation computes", "operations compute") + " on stale values";
    if (trace.lateResults > 0)
        text += (trace.lateOperands > 0 ? "; " : "")
            + counted(trace.lateResults, "last transfer is", "last transfers are")
            + " still under way at the end";
    if (trace.slack.value > 0 && trace.planned.value > 0) {
        char slack[32];
        std::snprintf(slack, sizeof slack, "%.2g", trace.slack / trace.planned * 100);
        text += ". With " + std::string(slack) + " % of slack nothing would be late";
    }
    return text + ".";
}

std::string counterSentence(const FiringTrace& trace) {
    const std::string text = "The program counter " + ends(trace);
    if (trace.delayed == 0)
        return text + ": one operation after another, in program order.";
    return text + ": " + counted(trace.delayed, "late transfer", "late transfers")
        + " held up all that stands behind.";
}

} // namespace

std::string eventName(const lowering::Program& program, EventId id) {
    if (!program.events.contains(id))
        return "nothing";
    const lowering::Event& event = program.events[id];
    const std::string kind(toString(event.kind));
    return program.steps.contains(event.step) ? kind + " of " + program.steps[event.step].name
                                              : kind;
}

std::string sentenceOf(const lowering::Program& program, const FiringTrace& trace) {
    if (trace.firings.empty() && !trace.deadlock)
        return "There is nothing to play: the block has no operation with a time.";
    switch (trace.options.model) {
    case ExecutionModel::ProgramCounter:
        return counterSentence(trace);
    case ExecutionModel::DynamicDataflow:
        return dataflowSentence(program, trace);
    case ExecutionModel::StaticSchedule:
        return staticSentence(trace);
    }
    return {};
}

std::string ruleOf(const lowering::Program& program, const FiringTrace& trace, std::size_t index) {
    const Firing& firing = trace.firings[index];
    switch (trace.options.model) {
    case ExecutionModel::ProgramCounter:
        return "its turn has come and " + operands(firing.operands);
    case ExecutionModel::DynamicDataflow: {
        const bool puts = program.events.contains(firing.event)
            && std::any_of(trace.queues.begin(), trace.queues.end(), [&](const QueueUse& queue) {
                   return queue.from == program.events[firing.event].resource;
               });
        return operands(firing.operands) + (puts ? " and every output queue has room" : "");
    }
    case ExecutionModel::StaticSchedule:
        if (firing.isLate)
            return "its cycle has come, though " + std::to_string(firing.lateOperands) + " of "
                + counted(firing.operands, "operand is", "operands are") + " still under way";
        return "its cycle has come, and " + operands(firing.operands);
    }
    return {};
}

std::string waitOf(
    const lowering::Program& program, const FiringTrace& trace, std::size_t index, Picoseconds at) {
    const Firing& firing = trace.firings[index];
    if (at < firing.ready)
        return "waits for its operand from " + eventName(program, firing.lastOperand);
    switch (firing.wait) {
    case WaitKind::Resource:
        return "waits for " + resourceName(program, program.events[firing.event].resource)
            + ", busy with " + eventName(program, firing.waitsFor);
    case WaitKind::QueueRoom:
        return "waits for room in an output queue, until " + eventName(program, firing.waitsFor)
            + " takes from it";
    case WaitKind::Turn:
        return "waits for its turn behind " + eventName(program, firing.waitsFor);
    case WaitKind::Slot:
        return "waits for its cycle";
    case WaitKind::Operand:
    case WaitKind::None:
        break;
    }
    return "may start";
}

Picoseconds programTime(
    const lowering::Program& program, const FiringTrace& trace, Picoseconds at) {
    // Events come by start: the furthest is the one with the largest id among those that have
    // started.
    const auto& furthest = trace.furthest;
    const auto after = std::upper_bound(furthest.begin(), furthest.end(), at,
        [&](Picoseconds time, std::size_t firing) { return time < trace.firings[firing].start; });
    if (after == furthest.begin())
        return {};
    const Firing& firing = trace.firings[*std::prev(after)];
    const lowering::Event& event = program.events[firing.event];
    const std::int64_t length = firing.end.value - firing.start.value;
    const double share = length > 0
        ? std::min(
            1.0, static_cast<double>(at.value - firing.start.value) / static_cast<double>(length))
        : 1.0;
    Picoseconds time(event.start.value
        + static_cast<std::int64_t>(
            std::llround(share * static_cast<double>(event.end.value - event.start.value))));
    return after == furthest.end()
        ? time
        : std::min(time, program.events[trace.firings[*after].event].start);
}

} // namespace fivefold::schedule
