// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/chart_adapter.h"
#include "views/roofline/roofline_presenter.h"

#include <QPolygonF>

namespace fivefold::views::roofline {

/// What the user switched on.
struct Options {
    bool allLevels = false; ///< every memory level, not only those that the picture needs
    bool caps = false; ///< the scheduling cap of every dot, not only of the selected one
};

struct AxisRanges {
    common::Interval x; ///< log10 FLOP per byte
    common::Interval y; ///< log10 FLOP/s
    bool operator==(const AxisRanges&) const = default;
};

/// A dot in pixels.
struct PlacedDot {
    QPointF centre;
    double radius = 3;
};

struct PlacedLabel {
    QRectF rect; ///< before rotation, about `anchor`
    QPointF anchor;
    double angle = 0; ///< degrees, clockwise
    QString text;
    std::size_t item = 0; ///< dot or roof
    bool isBold = false;
};

/// Ranges that show all dots and the knees of all roofs, with a margin. A sound range for an empty
/// picture, too.
AxisRanges fitRanges(const Picture& picture, const Options& options);
/// Around one dot: a decade to each side.
AxisRanges rangesAround(const Dot& dot);
/// How far the axes may be moved: a decade more than everything.
AxisRanges bounds(const Picture& picture);
/// True when a dot lies outside the ranges.
bool isCut(const Picture& picture, const AxisRanges& ranges);

/// 3 + 7·√share of time.
double dotRadius(double share);
std::vector<PlacedDot> placeDots(const Picture& picture, const common::LogLogChart& chart);
/// The nearest dot whose rim is within 4 px of `at`, or nothing. O(dots).
std::optional<std::size_t> dotAt(
    const std::vector<PlacedDot>& dots, const QPointF& at, const QRectF& plot);

/// True when this roof is drawn under these options and this selection.
bool isShown(const Picture& picture, const Roof& roof, const Options& options,
    std::optional<std::size_t> selected);
/// A roof in data coordinates, cut to the ranges; empty when it lies outside. A slanted roof ends
/// at its knee with the current compute ceiling.
QVector<QPointF> roofLine(
    const Picture& picture, const Roof& roof, const AxisRanges& ranges, double flatFrom = 0);
/// FLOP per byte where the current compute ceiling begins: the first knee with a roof that is
/// shown.
double flatStart(
    const Picture& picture, const Options& options, std::optional<std::size_t> selected);
/// The roof within 5 px of `at`.
std::optional<std::size_t> roofNear(const Picture& picture, const common::LogLogChart& chart,
    const Options& options, std::optional<std::size_t> selected, const QPointF& at);

/// Names along or above the roofs; those without room are left out, the current ceiling's last.
std::vector<PlacedLabel> placeRoofLabels(const Picture& picture, const common::LogLogChart& chart,
    const Options& options, std::optional<std::size_t> selected);
/// Half of the bar that marks a scheduling cap.
constexpr double kCapHalfWidth = 16;
/// Name of the cap of a dot beside its bar, on the side that is free; nothing without a cap in
/// view.
std::optional<PlacedLabel> placeCapLabel(
    const Dot& dot, const common::LogLogChart& chart, const std::vector<PlacedLabel>& taken);
/// The selected dot's name and those of the longest steps, as far as they do not meet another
/// label, a dot that has a label, or the frame.
std::vector<PlacedLabel> placeDotLabels(const Picture& picture, const std::vector<PlacedDot>& dots,
    const QRectF& plot, std::optional<std::size_t> selected, const std::vector<PlacedLabel>& taken);

} // namespace fivefold::views::roofline
