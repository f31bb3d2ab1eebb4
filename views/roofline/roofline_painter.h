// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"
#include "views/roofline/roofline_labels.h"

#include <QPainter>

namespace fivefold::views::roofline {

/// All a frame needs.
struct Frame {
    const Picture& picture;
    common::LogLogChart& chart;
    const std::vector<PlacedDot>& dots;
    const std::vector<PlacedLevel>& levels; ///< of all dots; empty unless all levels are shown
    const Overlay* overlay = nullptr;
    const std::vector<PlacedDot>& overlayDots;
    const analysis::Result& result;
    Options options;
    std::optional<std::size_t> selected;
    std::vector<std::size_t> alsoSelected; ///< further dots of the selection
    std::vector<std::size_t> hovered;
    std::optional<AxisRanges> brush;
};

/// Roofs of the frame for the chart.
void setRoofs(Frame& frame);
/// Axes, grid, roofs and all dots: what does not change with hover.
void paintBase(QPainter& painter, Frame& frame);
/// Labels, caps, the selected step at all its levels, arrows, brush, rings and outlines.
void paintOverlay(QPainter& painter, const Frame& frame);

common::Legend legend(const Picture& picture, const Options& options, const Overlay* overlay,
    bool hasCaps, bool hasLevels);

} // namespace fivefold::views::roofline
