// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/play/play_presenter.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace fivefold::views::play {

using base::Picoseconds;
using common::formatTime;
using lowering::EventId;
using lowering::EventKind;
using lowering::StepId;
using schedule::ExecutionModel;
using schedule::Firing;
using schedule::FiringTrace;
using schedule::WaitKind;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("play", text);
}

QString kindName(EventKind kind) {
    switch (kind) {
    case EventKind::Compute:
        return tr("%1");
    case EventKind::Read:
        return tr("read of %1");
    case EventKind::Write:
        return tr("write of %1");
    case EventKind::Launch:
        return tr("launch of %1");
    case EventKind::Relayout:
        return tr("move for %1");
    case EventKind::Wait:
        return tr("wait of %1");
    case EventKind::HostWork:
        break;
    }
    return tr("host work of %1");
}

QString changeText(const FiringTrace& trace) {
    if (trace.planned.value <= 0)
        return {};
    const double change = (trace.length - trace.planned) / trace.planned;
    constexpr double kSame = 0.0005; // under 0.1 %
    if (std::abs(change) < kSame)
        return tr("as planned");
    const QString percent =
        QLocale().toString(std::abs(change) * 100, 'f', std::abs(change) < 0.0995 ? 1 : 0);
    return change > 0 ? tr("%1 % later than planned").arg(percent)
                      : tr("%1 % sooner than planned").arg(percent);
}

QString endingText(const FiringTrace& trace) {
    if (trace.deadlock)
        return tr("stops for good at %1").arg(formatTime(trace.deadlock->at));
    QString text = formatTime(trace.length);
    if (const QString change = changeText(trace); !change.isEmpty())
        text += QStringLiteral(" · ") + change;
    if (trace.lateOperands > 0)
        text += QStringLiteral(" · ")
            + (trace.lateOperands == 1 ? tr("1 stale value")
                                       : tr("%1 stale values").arg(trace.lateOperands));
    else if (trace.lateResults > 0)
        text += QStringLiteral(" · ")
            + (trace.lateResults == 1 ? tr("1 result too late")
                                      : tr("%1 results too late").arg(trace.lateResults));
    return text;
}

void findLanes(Picture& picture) {
    const auto& program = picture.result->program;
    picture.laneOf.assign(program.resources.size(), -1);
    for (const FiringTrace& trace : picture.play->traces)
        for (const Firing& firing : trace.firings)
            if (const auto id = program.events[firing.event].resource;
                program.resources.contains(id))
                picture.laneOf[id.index()] = 0;
    int lane = 0;
    for (std::size_t r = 0; r < picture.laneOf.size(); ++r)
        if (picture.laneOf[r] == 0) {
            picture.laneOf[r] = lane++;
            picture.lanes << QString::fromStdString(
                program.resources[lowering::ResourceId(r)].name);
        }
}

int laneOf(const Picture& picture, EventId event) {
    const auto id = picture.result->program.events[event].resource;
    return picture.result->program.resources.contains(id) ? picture.laneOf[id.index()] : -1;
}

/// A transfer moves data, whatever its step computes: the memory timeline has it so, too.
bool isTransfer(lowering::EventKind kind) {
    return kind == lowering::EventKind::Read || kind == lowering::EventKind::Write
        || kind == lowering::EventKind::Relayout;
}

Side sideOf(const Picture& picture, const FiringTrace& trace, const common::LensColours& lens) {
    Side side;
    side.model = modelName(trace.options.model);
    side.ending = endingText(trace);
    side.isWrong = trace.deadlock || trace.lateOperands + trace.lateResults > 0;
    side.length = trace.length;
    side.hasQueues = !trace.queues.empty();
    std::map<std::uint32_t, QColor> fills;
    const QColor moved = common::Palette::current().operatorClass(ir::OpClass::Movement);
    for (std::size_t i = 0; i < trace.firings.size(); ++i) {
        const Firing& firing = trace.firings[i];
        const int lane = laneOf(picture, firing.event);
        if (lane < 0)
            continue;
        const StepId step = picture.result->program.events[firing.event].step;
        const auto [fill, isNew] = fills.try_emplace(step.value);
        if (isNew && picture.result->program.steps.contains(step))
            fill->second = lens.step(step).fill;
        const bool isMove = isTransfer(picture.result->program.events[firing.event].kind)
            && lens.lens() == common::Lens::OperatorClass;
        side.bars.push_back({lane, firing.start, firing.end, isMove ? moved : fill->second,
            firing.isLate, firing.isWrong, i});
    }
    std::stable_sort(side.bars.begin(), side.bars.end(),
        [](const Bar& a, const Bar& b) { return a.lane < b.lane; });
    return side;
}

QString operandsText(const Firing& firing) {
    if (firing.operands == 0)
        return tr("it needs no operand");
    return firing.operands == 1 ? tr("its operand is there")
                                : tr("all %1 operands are there").arg(firing.operands);
}

/// Why it may run, in the panel's words; says the same as schedule::ruleOf.
QString ruleText(const FiringTrace& trace, const Firing& firing) {
    switch (trace.options.model) {
    case ExecutionModel::ProgramCounter:
        return tr("its turn has come and %1").arg(operandsText(firing));
    case ExecutionModel::DynamicDataflow:
        return trace.queues.empty()
            ? operandsText(firing)
            : tr("%1 and its output queues have room").arg(operandsText(firing));
    case ExecutionModel::StaticSchedule:
        break;
    }
    return firing.isLate ? tr("its cycle has come, %1 of %2 operands has not")
                               .arg(firing.lateOperands)
                               .arg(firing.operands)
                         : tr("its cycle has come, %1").arg(operandsText(firing));
}

QString waitText(const Picture& picture, const Firing& firing, Picoseconds at) {
    const auto& result = *picture.result;
    if (at < firing.ready)
        return tr("waits for %1").arg(eventName(result, firing.lastOperand));
    switch (firing.wait) {
    case WaitKind::Resource: {
        const int lane = laneOf(picture, firing.event);
        return tr("waits for %1, busy with %2")
            .arg(lane >= 0 ? picture.lanes[lane] : tr("its unit"),
                eventName(result, firing.waitsFor));
    }
    case WaitKind::QueueRoom:
        return tr("waits for room until %1 takes a token").arg(eventName(result, firing.waitsFor));
    case WaitKind::Turn:
        return tr("waits for its turn behind %1").arg(eventName(result, firing.waitsFor));
    case WaitKind::Slot:
        return tr("waits for its cycle");
    case WaitKind::Operand:
    case WaitKind::None:
        break;
    }
    return tr("may start");
}

void addLines(Moment& moment, const Picture& picture, const FiringTrace& trace, Picoseconds at,
    std::size_t most) {
    const auto add = [&](std::size_t index, bool isBlocked) {
        if (moment.lines.size() >= most)
            return;
        const Firing& firing = trace.firings[index];
        moment.lines.push_back({isBlocked, firing.isLate, eventName(*picture.result, firing.event),
            isBlocked ? waitText(picture, firing, at) : ruleText(trace, firing),
            picture.result->program.events[firing.event].step});
    };
    for (const std::size_t index : moment.running)
        add(index, false);
    for (const std::size_t index : moment.blocked)
        add(index, true);
}

void addStuck(Moment& moment, const Picture& picture, const FiringTrace& trace, Picoseconds at,
    std::size_t most) {
    if (!trace.deadlock || at < trace.deadlock->at)
        return;
    QStringList names;
    for (const EventId event : trace.deadlock->cycle)
        names << eventName(*picture.result, event);
    moment.stuck = names.isEmpty()
        ? tr("Nothing can start any more.")
        : tr("Deadlock: each waits for the next: %1, and that for the first.")
              .arg(names.join(QStringLiteral(" → ")));
    for (const schedule::Stuck& stuck : trace.deadlock->stuck) {
        if (moment.lines.size() >= most)
            return;
        moment.lines.push_back({true, false, eventName(*picture.result, stuck.event),
            stuck.wait == WaitKind::QueueRoom
                ? tr("waits for room until %1 takes a token")
                      .arg(eventName(*picture.result, stuck.waitsFor))
                : tr("waits for %1").arg(eventName(*picture.result, stuck.waitsFor)),
            picture.result->program.events[stuck.event].step});
    }
}

void addDots(Moment& moment, const Picture& picture, const FiringTrace& trace, Picoseconds at) {
    const auto flights = schedule::flightsAt(trace, at);
    moment.tokens = flights.size();
    const auto& program = picture.result->program;
    for (const std::size_t index : flights) {
        const schedule::Flight& flight = trace.flights[index];
        const auto progress = flight.progressAt(at);
        if (!progress || moment.dots.size() >= kMostDots)
            continue;
        const auto lane = [&](EventId event) { return laneOf(picture, event); };
        if (program.events.contains(flight.made) && program.events.contains(flight.taken))
            moment.dots.push_back({lane(flight.made), lane(flight.taken), *progress});
    }
}

} // namespace

Picture present(std::shared_ptr<const analysis::Result> result,
    std::shared_ptr<const analysis::Play> play, const common::LensColours& lens) {
    Picture picture;
    picture.result = std::move(result);
    picture.play = std::move(play);
    if (!picture.result) {
        picture.empty = tr("Open a model to play its schedule under two execution models.");
        return picture;
    }
    if (picture.result->program.events.empty()) {
        picture.empty = tr("The program has no events, so there is nothing to play; choose another "
                           "machine or bind the model's sizes.");
        return picture;
    }
    if (!picture.play || picture.play->traces.empty()) {
        picture.empty = tr("The block is being played…");
        return picture;
    }
    if (picture.play->length.value <= 0) {
        picture.empty = picture.play->steps.empty()
            ? tr(
                "Nothing of %1 is left in the program on this machine; play its scope or the whole "
                "graph.")
                  .arg(QString::fromStdString(picture.play->blockName))
            : tr("No operation of %1 has a known time, so there is nothing to play; bind the "
                 "model's sizes.")
                  .arg(QString::fromStdString(picture.play->blockName));
        return picture;
    }
    findLanes(picture);
    picture.span = picture.play->length;
    for (const FiringTrace& trace : picture.play->traces) {
        picture.planned = trace.planned;
        picture.span = std::max({picture.span, trace.planned, trace.length});
        picture.sides.push_back(sideOf(picture, trace, lens));
    }
    return picture;
}

Moment momentAt(const Picture& picture, std::size_t index, Picoseconds at, std::size_t most) {
    Moment moment;
    const FiringTrace& trace = picture.play->traces[index];
    const schedule::FiringState state = schedule::stateAt(trace, at);
    moment.running = state.running;
    moment.blocked = state.blocked;
    const std::size_t stuck =
        trace.deadlock && at >= trace.deadlock->at ? trace.deadlock->stuck.size() : 0;
    const std::size_t all =
        trace.firings.size() + (trace.deadlock ? trace.deadlock->stuck.size() : 0);
    moment.counts = tr("%1 of %2 fired · %3 running · %4 waiting")
                        .arg(state.fired)
                        .arg(all)
                        .arg(state.running.size())
                        .arg(state.blocked.size() + stuck);
    addLines(moment, picture, trace, at, most);
    addStuck(moment, picture, trace, at, most);
    const auto& resources = picture.result->program.resources;
    for (const schedule::QueueUse& queue : trace.queues)
        moment.queues.push_back(
            {QStringLiteral("%1 → %2").arg(QString::fromStdString(resources[queue.from].name),
                 QString::fromStdString(resources[queue.to].name)),
                queue.tokensAt(at), std::max<std::int64_t>(trace.options.queueCapacity, 1)});
    addDots(moment, picture, trace, at);
    return moment;
}

QString sentence(const Picture& picture) {
    if (picture.isEmpty())
        return picture.empty;
    QString text = QString::fromStdString(picture.play->difference.empty()
            ? picture.play->traces.front().sentence
            : picture.play->difference);
    if (const auto unknown = picture.play->unknownSteps; unknown == 1)
        text += QLatin1Char(' ') + tr("A step without a known time takes none here.");
    else if (unknown > 1)
        text += QLatin1Char(' ') + tr("%1 steps without a known time take none here.").arg(unknown);
    return text;
}

QString modelName(ExecutionModel model) {
    switch (model) {
    case ExecutionModel::ProgramCounter:
        return tr("Program counter");
    case ExecutionModel::DynamicDataflow:
        return tr("Dynamic dataflow");
    case ExecutionModel::StaticSchedule:
        break;
    }
    return tr("Static schedule");
}

QString arbitrationName(schedule::Arbitration arbitration) {
    switch (arbitration) {
    case schedule::Arbitration::OldestFirst:
        return tr("oldest first");
    case schedule::Arbitration::RoundRobin:
        return tr("round robin");
    case schedule::Arbitration::CriticalFirst:
        break;
    }
    return tr("critical first");
}

QString blockName(analysis::PlayBlock block) {
    switch (block) {
    case analysis::PlayBlock::Selection:
        return tr("selection");
    case analysis::PlayBlock::Scope:
        return tr("its scope");
    case analysis::PlayBlock::Graph:
        break;
    }
    return tr("whole graph");
}

QString eventName(const analysis::Result& result, EventId id) {
    if (!result.program.events.contains(id))
        return tr("nothing");
    const lowering::Event& event = result.program.events[id];
    return kindName(event.kind)
        .arg(result.program.steps.contains(event.step) ? common::stepName(result, event.step)
                                                       : tr("the program"));
}

} // namespace fivefold::views::play
