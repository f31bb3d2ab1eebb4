// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/gap_bar.h"
#include "views/common/panel_frame.h"
#include "views/roofline/roofline_geometry.h"

#include <QPainter>

namespace fivefold::views::roofline {

/// All a frame needs.
struct Frame {
    const Picture& picture;
    common::LogLogChart& chart;
    const std::vector<PlacedDot>& dots;
    Options options;
    std::optional<std::size_t> selected;
    std::vector<std::size_t> alsoSelected; ///< further dots of the selection
    std::vector<std::size_t> hovered;
};

/// Roofs of the frame for the chart.
void setRoofs(Frame& frame);
/// Axes, grid, roofs and all dots: what does not change with hover.
void paintBase(QPainter& painter, Frame& frame);
/// Labels, caps, the selected step at all its levels, rings and outlines.
void paintOverlay(QPainter& painter, const Frame& frame);
/// "Where the gap goes" of one step: title, names, the bar (36) and the band.
void paintGap(
    QPainter& painter, const QRectF& area, const Dot& dot, const analysis::Result& result);
constexpr double kGapHeight = 108;

common::Legend legend(const Picture& picture, bool hasCaps);

} // namespace fivefold::views::roofline
