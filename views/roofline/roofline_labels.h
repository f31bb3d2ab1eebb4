// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/roofline/roofline_geometry.h"

#include <QPolygonF>

#include <span>

namespace fivefold::views::roofline {

/// A word of the chart with its place. No two that are placed meet.
struct PlacedLabel {
    QRectF rect; ///< before rotation, about `anchor`
    QPointF anchor;
    double angle = 0; ///< degrees, clockwise
    QString text;
    std::size_t item = 0; ///< dot or roof
    bool isBold = false;
};

/// The rectangle as it lies, rotation included.
QPolygonF outline(const PlacedLabel& label);

/// The selected dot's name with its level, or without where that has no room. Placed first: all
/// others keep clear of it.
std::optional<PlacedLabel> placeSelectedName(const Picture& picture,
    const std::vector<PlacedDot>& dots, const common::LogLogChart& chart, std::size_t selected);
/// Names along or above the roofs; those without room are left out, the current ceiling's last.
/// Names of slanted roofs keep clear of the largest dots where they can.
std::vector<PlacedLabel> placeRoofLabels(const Picture& picture, const common::LogLogChart& chart,
    const Options& options, std::optional<std::size_t> selected,
    const std::vector<PlacedLabel>& taken = {}, std::span<const PlacedDot> dots = {});
/// Half of the bar that marks a scheduling cap.
constexpr double kCapHalfWidth = 16;
/// Name of the cap of a dot beside its bar, on the side that is free; nothing without a cap in
/// view.
std::optional<PlacedLabel> placeCapLabel(
    const Dot& dot, const common::LogLogChart& chart, const std::vector<PlacedLabel>& taken);
/// Names of the memory levels under the selected dot's other marks.
std::vector<PlacedLabel> placeLevelLabels(const std::vector<PlacedLevel>& levels,
    const analysis::Result& result, const QRectF& plot, const std::vector<PlacedLabel>& taken);
/// Name of the overlaid result at its compute ceiling, left of the current one's name.
std::optional<PlacedLabel> placeOverlayLabel(const Overlay& overlay,
    const common::LogLogChart& chart, const std::vector<PlacedLabel>& taken,
    std::span<const PlacedDot> dots = {});
/// The bars of the caps of the longest steps, as places that names keep clear of.
std::vector<PlacedLabel> placeCaps(const Picture& picture, const common::LogLogChart& chart);
/// The names of the longest steps but the selected, as far as they do not meet another label, a dot
/// that has a label, or the frame.
std::vector<PlacedLabel> placeDotLabels(const Picture& picture, const std::vector<PlacedDot>& dots,
    const QRectF& plot, std::optional<std::size_t> selected, const std::vector<PlacedLabel>& taken);

} // namespace fivefold::views::roofline
