// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/chart_adapter.h"
#include "views/roofline/overlay.h"

namespace fivefold::views::roofline {

enum class Colouring { Bound, OperatorClass };

/// What the user switched on.
struct Options {
    bool allLevels = false; ///< every memory level: all roofs, and each operator's dot at each
    bool caps = false; ///< the scheduling cap of every dot, not only of the selected one
    Colouring colouring = Colouring::Bound;
    /// Name of the compute ceiling to show beside the one in force; empty: all.
    QString precision;
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

/// An operator at one of its other memory levels, in pixels.
struct PlacedLevel {
    QPointF centre;
    double radius = 3;
    std::size_t dot = 0; ///< whose
    std::size_t level = 0;
};

/// The way of an operator from the overlaid result to the shown one, in pixels, rim to rim.
struct PlacedArrow {
    QPointF from, to;
    std::size_t dot = 0; ///< where it leads
};

/// Ranges that show all dots (those of the overlay, too) and the knees of all roofs, with a margin.
/// A sound range for an empty picture, too.
AxisRanges fitRanges(
    const Picture& picture, const Options& options, const Overlay* overlay = nullptr);
/// Around one dot: a decade to each side.
AxisRanges rangesAround(const Dot& dot);
/// How far the axes may be moved: a decade more than everything.
AxisRanges bounds(const Picture& picture, const Overlay* overlay = nullptr);
/// True when a dot lies outside the ranges.
bool isCut(const Picture& picture, const AxisRanges& ranges);

/// 3 + 7·√share of time.
double dotRadius(double share);
std::vector<PlacedDot> placeDots(const Picture& picture, const common::LogLogChart& chart);
/// The nearest dot whose rim is within 4 px of `at`, or nothing. O(dots).
std::optional<std::size_t> dotAt(
    const std::vector<PlacedDot>& dots, const QPointF& at, const QRectF& plot);

/// A dot at its levels other than the one it stands at; of all dots.
std::vector<PlacedLevel> placeLevels(
    const Picture& picture, const common::LogLogChart& chart, std::size_t dot);
std::vector<PlacedLevel> placeAllLevels(const Picture& picture, const common::LogLogChart& chart);
/// The dot whose mark at another level is within 4 px of `at`, or nothing. O(levels).
std::optional<std::size_t> levelAt(
    const std::vector<PlacedLevel>& levels, const QPointF& at, const QRectF& plot);
/// The arrows of at most kMostArrows operators, the selected first, then the longest steps; none
/// for those that move less than 8 px.
constexpr std::size_t kMostArrows = 40;
std::vector<PlacedArrow> placeArrows(const Overlay& overlay, const std::vector<PlacedDot>& from,
    const std::vector<PlacedDot>& to, std::optional<std::size_t> selected);
/// The dots in a range of the axes. O(dots).
std::vector<std::size_t> dotsIn(const Picture& picture, const AxisRanges& ranges);

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

} // namespace fivefold::views::roofline
