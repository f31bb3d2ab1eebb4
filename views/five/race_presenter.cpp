// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/race_presenter.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;
using base::Picoseconds;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FivePanel", text);
}

ir::OpClass classOf(const analysis::Result& result, lowering::EventId id) {
    const auto& program = result.program;
    const lowering::Event& event = program.events[id];
    const auto& graph = program.stages.back();
    if (!graph || !program.steps.contains(event.step))
        return ir::OpClass::Other;
    const auto node = program.steps[event.step].mainNode;
    return graph->nodes.contains(node) ? graph->nodes[node].opClass() : ir::OpClass::Movement;
}

void givePlaces(RacePicture& picture) {
    std::vector<Lane*> finishers;
    for (Lane& lane : picture.lanes)
        if (lane.runs() && !lane.events.isAtLeast)
            finishers.push_back(&lane);
    std::ranges::stable_sort(finishers, {}, [](const Lane* lane) { return lane->events.length; });
    for (std::size_t i = 0; i < finishers.size(); ++i) {
        const bool isTie = i > 0 && finishers[i]->events.length == finishers[i - 1]->events.length;
        finishers[i]->place = isTie ? finishers[i - 1]->place : static_cast<int>(i) + 1;
    }
}

/// How much an event says about what a machine does.
int bearing(lowering::EventKind kind) {
    switch (kind) {
    case lowering::EventKind::Compute:
    case lowering::EventKind::HostWork:
        return 4;
    case lowering::EventKind::Relayout:
        return 3;
    case lowering::EventKind::Read:
    case lowering::EventKind::Write:
        return 2;
    case lowering::EventKind::Launch:
        return 1;
    case lowering::EventKind::Wait:
        break;
    }
    return 0;
}

} // namespace

RacePicture presentRace(const Picture& picture, const std::vector<ir::NodeId>& nodes) {
    RacePicture race;
    race.what = picture.what;
    for (const Row& row : picture.rows) {
        Lane lane;
        lane.family = row.family;
        lane.title = row.title;
        lane.subtitle = row.subtitle;
        lane.isCurrent = row.isCurrent;
        lane.time = row.time;
        lane.result = row.result;
        if (row.result) {
            lane.events = analysis::raceLane(*row.result, nodes);
            for (const analysis::RaceEvent& event : lane.events.events)
                lane.classes.push_back(classOf(*row.result, event.event));
        }
        if (!row.result)
            lane.stateText = row.state == SlotState::Failed ? row.stateText
                                                            : tr("Its schedule is being computed.");
        else if (!lane.runs())
            lane.stateText = row.figures.isRemoved ? QString::fromStdString(row.figures.because)
                                                   : tr("No event of it has a known time.");
        race.longest = std::max(race.longest, lane.events.length);
        race.lanes.push_back(std::move(lane));
    }
    givePlaces(race);
    return race;
}

Picoseconds laneTime(const RacePicture& picture, const Lane& lane, RaceClock kind, double clock) {
    if (clock >= 1)
        return lane.events.length;
    const Picoseconds whole = kind == RaceClock::Real ? picture.longest : lane.events.length;
    const auto at =
        static_cast<std::int64_t>(static_cast<double>(whole.value) * std::max(0.0, clock));
    return std::min(Picoseconds(at), lane.events.length);
}

double nextMoment(const RacePicture& picture, RaceClock kind, double clock, int direction) {
    constexpr double kNow = 1e-9; // of the course: the moment that is shown already
    double best = direction > 0 ? 1 : 0;
    for (const Lane& lane : picture.lanes) {
        const Picoseconds whole = kind == RaceClock::Real ? picture.longest : lane.events.length;
        if (whole.value <= 0)
            continue;
        for (const analysis::RaceEvent& event : lane.events.events) {
            const double at =
                static_cast<double>(event.end.value) / static_cast<double>(whole.value);
            if (direction > 0 && at > clock + kNow)
                best = std::min(best, at);
            else if (direction < 0 && at < clock - kNow)
                best = std::max(best, at);
        }
    }
    return best;
}

std::ptrdiff_t runningEvent(const Lane& lane, Picoseconds at) {
    std::ptrdiff_t best = -1;
    int most = -1;
    const auto& events = lane.events.events;
    for (std::size_t i = 0; i < events.size() && events[i].start <= at; ++i) {
        if (events[i].end <= at)
            continue;
        const int bears = bearing(lane.result->program.events[events[i].event].kind);
        if (bears > most) {
            most = bears;
            best = static_cast<std::ptrdiff_t>(i);
        }
    }
    return best;
}

QString eventName(const Lane& lane, std::ptrdiff_t event) {
    if (event < 0 || !lane.result)
        return {};
    const auto id = lane.events.events[static_cast<std::size_t>(event)].event;
    return stepName(*lane.result, lane.result->program.events[id].step);
}

QString raceSentence(const RacePicture& picture, RaceClock kind, double clock) {
    if (!picture.canRun())
        return tr("No machine has a schedule of it yet, so there is nothing to race.");
    QStringList finished;
    std::vector<const Lane*> order;
    for (const Lane& lane : picture.lanes)
        if (lane.place > 0 && laneTime(picture, lane, kind, clock) >= lane.events.length)
            order.push_back(&lane);
    std::ranges::stable_sort(order, {}, [](const Lane* lane) { return lane->place; });
    for (const Lane* lane : order)
        finished << tr("%1. %2 %3").arg(QString::number(lane->place), lane->title, lane->time);
    QString text = kind == RaceClock::Real
        ? tr("%1 on five machines, one clock: %2 of %3")
              .arg(picture.what,
                  formatTime(Picoseconds(static_cast<std::int64_t>(
                      static_cast<double>(picture.longest.value) * clock))),
                  formatTime(picture.longest))
        : tr("%1 on five machines, each at its own pace: %2 done")
              .arg(picture.what, formatShare(clock));
    if (!finished.isEmpty())
        text += tr("; finished: %1").arg(finished.join(QStringLiteral(", ")));
    return text + u'.';
}

} // namespace fivefold::views::five
