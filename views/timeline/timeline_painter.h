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
    lowering::ValueId buffer; ///< selected tensor, of the placed stage
};

/// Bands, events, axis, overview and labels.
void paintBase(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Options& options);
/// Rings, cursor, range, dependencies and the list of what is alive.
void paintOverlay(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const Options& options, const Overlay& overlay);

common::Legend legend(const Picture& picture, const Options& options);
QString footnote(const Picture& picture);

} // namespace fivefold::views::timeline
