// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_geometry.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivefold::views::roofline {

using common::Interval;

namespace {

constexpr double kMargin = 0.25; // decades round the data
constexpr double kRoomForName = 2; // the ceiling's name stands above it
constexpr double kPickRim = 4; // px beyond the rim that still hit
constexpr double kLevelRadius = 5; // px at most of a mark at another level
constexpr double kShortestArrow = 8; // px
constexpr double kRoofReach = 5; // px from a line that still hit

/// Grows a range in log10.
struct Extent {
    double low = 1e9;
    double high = -1e9;
    void take(double value) {
        if (value > 0 && std::isfinite(value)) {
            low = std::min(low, std::log10(value));
            high = std::max(high, std::log10(value));
        }
    }
    Interval interval(const Interval& fallback) const {
        if (low > high)
            return fallback;
        Interval out{low - kMargin, high + kMargin};
        if (const double missing = 2 - out.span(); missing > 0) // two decades at least
            out = {out.low - missing / 2, out.high + missing / 2};
        return out;
    }
};

bool hasLevel(const Picture& picture, std::size_t level) {
    return std::any_of(picture.dots.begin(), picture.dots.end(),
        [&](const Dot& dot) { return dot.level == level; });
}

void takeDots(const Picture& picture, const Options& options, Extent& x, Extent& y) {
    for (const auto& dot : picture.dots) {
        x.take(dot.intensity);
        y.take(dot.achieved);
        if (dot.measured)
            y.take(dot.measured->achieved);
        if (options.allLevels)
            for (const auto& at : dot.levels)
                x.take(at.intensity);
    }
}

void takeRoofs(const Picture& picture, const Options& options, Extent& x, Extent& y) {
    y.take(picture.peak);
    y.take(picture.peak * kRoomForName);
    for (const auto& roof : picture.roofs) {
        if (!isShown(picture, roof, options, std::nullopt) || !roof.isMemory || picture.peak <= 0)
            continue;
        x.take(picture.peak / roof.value * 2); // the knee and a piece of the flat roof
        x.take(picture.peak / roof.value / 100);
    }
}

} // namespace

AxisRanges fitRanges(const Picture& picture, const Options& options, const Overlay* overlay) {
    Extent x, y;
    takeDots(picture, options, x, y);
    takeRoofs(picture, options, x, y);
    if (overlay) {
        takeDots(overlay->picture, options, x, y);
        y.take(overlay->picture.peak * kRoomForName);
    }
    return {x.interval({-1, 3}), y.interval({9, 14})};
}

AxisRanges rangesAround(const Dot& dot) {
    const double x = std::log10(dot.intensity);
    const double y = std::log10(dot.achieved);
    return {{x - 1, x + 1}, {y - 1, y + 1}};
}

AxisRanges bounds(const Picture& picture, const Overlay* overlay) {
    Options everything;
    everything.allLevels = true;
    const AxisRanges all = fitRanges(picture, everything, overlay);
    Extent x, y;
    for (const auto& roof : picture.roofs)
        if (!roof.isMemory)
            y.take(roof.value);
        else if (picture.peak > 0)
            x.take(picture.peak / roof.value);
    const Interval moreX = x.interval(all.x);
    const Interval moreY = y.interval(all.y);
    return {{std::min(all.x.low, moreX.low) - 1, std::max(all.x.high, moreX.high) + 1},
        {std::min(all.y.low, moreY.low) - 1, std::max(all.y.high, moreY.high) + 1}};
}

bool isCut(const Picture& picture, const AxisRanges& ranges) {
    return std::any_of(picture.dots.begin(), picture.dots.end(), [&](const Dot& dot) {
        return !ranges.x.contains(std::log10(dot.intensity))
            || !ranges.y.contains(std::log10(dot.achieved));
    });
}

double dotRadius(double share) {
    return 3 + 7 * std::sqrt(std::clamp(share, 0.0, 1.0));
}

std::vector<PlacedDot> placeDots(const Picture& picture, const common::LogLogChart& chart) {
    std::vector<PlacedDot> placed;
    placed.reserve(picture.dots.size());
    for (const auto& dot : picture.dots)
        placed.push_back({chart.toPixel({dot.intensity, dot.achieved}), dotRadius(dot.share)});
    return placed;
}

std::optional<std::size_t> dotAt(
    const std::vector<PlacedDot>& dots, const QPointF& at, const QRectF& plot) {
    std::optional<std::size_t> best;
    double nearest = kPickRim;
    if (!plot.adjusted(-kPickRim, -kPickRim, kPickRim, kPickRim).contains(at))
        return best;
    for (std::size_t d = 0; d < dots.size(); ++d) {
        const double rim = QLineF(dots[d].centre, at).length() - dots[d].radius;
        if (rim < nearest) {
            nearest = rim;
            best = d;
        }
    }
    return best;
}

std::vector<PlacedLevel> placeLevels(
    const Picture& picture, const common::LogLogChart& chart, std::size_t dot) {
    std::vector<PlacedLevel> placed;
    const Dot& of = picture.dots[dot];
    const double radius = std::clamp(dotRadius(of.share) - 1, 3.0, kLevelRadius);
    for (const auto& at : of.levels)
        if (at.level != of.level)
            placed.push_back({chart.toPixel({at.intensity, of.achieved}), radius, dot, at.level});
    return placed;
}

std::vector<PlacedLevel> placeAllLevels(const Picture& picture, const common::LogLogChart& chart) {
    std::vector<PlacedLevel> placed;
    for (std::size_t d = 0; d < picture.dots.size(); ++d) {
        const auto levels = placeLevels(picture, chart, d);
        placed.insert(placed.end(), levels.begin(), levels.end());
    }
    return placed;
}

std::optional<std::size_t> levelAt(
    const std::vector<PlacedLevel>& levels, const QPointF& at, const QRectF& plot) {
    std::optional<std::size_t> best;
    double nearest = kPickRim;
    if (plot.contains(at))
        for (const auto& level : levels)
            if (const double rim = QLineF(level.centre, at).length() - level.radius;
                rim < nearest) {
                nearest = rim;
                best = level.dot;
            }
    return best;
}

std::vector<PlacedArrow> placeArrows(const Overlay& overlay, const std::vector<PlacedDot>& from,
    const std::vector<PlacedDot>& to, std::optional<std::size_t> selected) {
    std::vector<PlacedArrow> placed;
    const auto place = [&](const Arrow& arrow) {
        const PlacedDot& start = from[arrow.from];
        const PlacedDot& end = to[arrow.to];
        const QPointF way = end.centre - start.centre;
        const double length = std::hypot(way.x(), way.y());
        if (length < kShortestArrow)
            return;
        const QPointF unit = way / length;
        const double room = length - start.radius - end.radius - 1;
        placed.push_back({room > kShortestArrow ? start.centre + unit * start.radius : start.centre,
            room > kShortestArrow ? end.centre - unit * (end.radius + 1) : end.centre, arrow.to});
    };
    for (const auto& arrow : overlay.arrows)
        if (arrow.to == selected)
            place(arrow);
    for (std::size_t a = 0; a < overlay.arrows.size() && placed.size() < kMostArrows; ++a)
        if (overlay.arrows[a].to != selected)
            place(overlay.arrows[a]);
    return placed;
}

std::vector<std::size_t> dotsIn(const Picture& picture, const AxisRanges& ranges) {
    std::vector<std::size_t> dots;
    for (std::size_t d = 0; d < picture.dots.size(); ++d)
        if (ranges.x.contains(std::log10(picture.dots[d].intensity))
            && ranges.y.contains(std::log10(picture.dots[d].achieved)))
            dots.push_back(d);
    return dots;
}

bool isShown(const Picture& picture, const Roof& roof, const Options& options,
    std::optional<std::size_t> selected) {
    // Another precision of the same rate would only blur the current line.
    const bool isTwin = std::any_of(picture.roofs.begin(), picture.roofs.end(),
        [&](const Roof& other) { return other.isCurrent && other.value == roof.value; });
    if (!roof.isMemory && !roof.isCurrent
        && (isTwin || (!options.precision.isEmpty() && options.precision != roof.name)))
        return false;
    if (!roof.isMemory || options.allLevels || roof.level == picture.farLevel
        || hasLevel(picture, roof.level))
        return true;
    if (!selected)
        return false;
    const auto& levels = picture.dots[*selected].levels;
    return std::any_of(
        levels.begin(), levels.end(), [&](const auto& at) { return at.level == roof.level; });
}

double flatStart(
    const Picture& picture, const Options& options, std::optional<std::size_t> selected) {
    double first = std::numeric_limits<double>::max();
    for (const auto& roof : picture.roofs)
        if (roof.isMemory && isShown(picture, roof, options, selected))
            first = std::min(first, picture.peak / roof.value);
    return first == std::numeric_limits<double>::max() ? 0 : first;
}

QVector<QPointF> roofLine(
    const Picture& picture, const Roof& roof, const AxisRanges& ranges, double flatFrom) {
    const double left = std::pow(10, ranges.x.low);
    const double right = std::pow(10, ranges.x.high);
    const double bottom = std::pow(10, ranges.y.low);
    const double top = std::pow(10, ranges.y.high);
    if (!roof.isMemory) {
        const double from = roof.isCurrent ? std::max(left, flatFrom) : left;
        if (roof.value < bottom || roof.value > top || from >= right)
            return {};
        return {{from, roof.value}, {right, roof.value}};
    }
    const double most = picture.peak > 0 ? std::min(picture.peak, top) : top;
    const double from = std::max(left, bottom / roof.value);
    const double to = std::min(right, most / roof.value);
    if (from >= to)
        return {};
    return {{from, from * roof.value}, {to, to * roof.value}};
}

std::optional<std::size_t> roofNear(const Picture& picture, const common::LogLogChart& chart,
    const Options& options, std::optional<std::size_t> selected, const QPointF& at) {
    std::optional<std::size_t> best;
    double nearest = kRoofReach;
    for (std::size_t r = 0; r < picture.roofs.size(); ++r) {
        if (!isShown(picture, picture.roofs[r], options, selected))
            continue;
        const auto line = roofLine(picture, picture.roofs[r], {chart.xRange(), chart.yRange()},
            flatStart(picture, options, selected));
        if (line.size() != 2)
            continue;
        const QPointF a = chart.toPixel(line[0]);
        const QPointF b = chart.toPixel(line[1]);
        const QPointF along = b - a;
        const double length = QPointF::dotProduct(along, along);
        const double part =
            length > 0 ? std::clamp(QPointF::dotProduct(at - a, along) / length, 0.0, 1.0) : 0;
        const double distance = QLineF(at, a + part * along).length();
        if (distance < nearest) {
            nearest = distance;
            best = r;
        }
    }
    return best;
}

} // namespace fivefold::views::roofline
