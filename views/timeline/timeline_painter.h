// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/lens.h"
#include "views/timeline/timeline_geometry.h"

class QPainter;

namespace fivefold::views::timeline {

struct Options {
    bool criticalPath = true;
    bool dependencies = false;
    common::LensColours lens; ///< fills of the events
};

/// What is painted over the base picture: all of it changes without new geometry.
struct Overlay {
    base::Picoseconds cursor;
    std::vector<char> selected, hovered; ///< by step
    lowering::EventId current; ///< the event that `.` and `,` walk from
    std::optional<common::Interval> range; ///< axis units
    const schedule::RangeTotals* totals = nullptr; ///< of the range; null without one
    lowering::ValueId buffer, hoveredBuffer; ///< tensors of the placed stage
    lowering::BufferId chosen; ///< the selected tensor's buffer whose place is explained
    std::vector<base::Picoseconds> marks; ///< by time
    QString focusedTrack; ///< key; empty: none

    ListContent list() const { return {cursor, totals, chosen}; }
};

/// Bands, events, axis, overview and names; the arrows of all events in view where they are on.
void paintBase(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Options& options);
/// Rings, lives, arrows of the selection, range and marks: whatever the cursor's moment.
void paintLayer(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay);
/// The cursor and the list of what is alive then: cheap enough for every frame of a play.
void paintMoment(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay);

common::Legend legend(const Picture& picture, const Options& options);
QString footnote(const Picture& picture);

} // namespace fivefold::views::timeline
