// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/five/five_presenter.h"

namespace fivefold::views::five {

/// One schedule as it runs in its lane.
struct Lane {
    std::string family;
    QString title, subtitle; ///< "GPU", "H100 SXM · bf16"
    QString stateText; ///< why it does not run; empty where it does
    bool isCurrent = false;
    std::shared_ptr<const analysis::Result> result;
    analysis::RaceLane events;
    std::vector<ir::OpClass> classes; ///< parallel to events.events
    QString time; ///< as in the rows
    int place = 0; ///< from 1, by length; 0: it does not run, or its time is not known whole
    bool runs() const { return result && events.length.value > 0; }
};

enum class RaceClock {
    Real, ///< one clock for all: what is slower ends later
    Normalised, ///< every lane takes the same while: how the time is spent, not how long it is
};

struct RacePicture {
    QVector<Lane> lanes; ///< in the order of the rows
    base::Picoseconds longest; ///< of all lanes
    QString what;
    bool canRun() const { return longest.value > 0; }
};

RacePicture presentRace(const Picture& picture, const std::vector<ir::NodeId>& nodes);

/// Where a lane's own clock stands when the race has run `clock` of its course, 0..1.
base::Picoseconds laneTime(
    const RacePicture& picture, const Lane& lane, RaceClock kind, double clock);
/// The next moment (`direction` +1) or the one before (−1) at which an event of a lane ends, as a
/// clock; 1 or 0 where there is none. O(events).
double nextMoment(const RacePicture& picture, RaceClock kind, double clock, int direction);
/// Index into events.events of what runs at a time, the one of most bearing first: computing before
/// moving before launching; −1: nothing. O(events).
std::ptrdiff_t runningEvent(const Lane& lane, base::Picoseconds at);
QString eventName(const Lane& lane, std::ptrdiff_t event); ///< its step's name

QString raceSentence(const RacePicture& picture, RaceClock kind, double clock);

} // namespace fivefold::views::five
