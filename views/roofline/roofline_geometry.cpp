// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_geometry.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QLineF>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fivefold::views::roofline {

using common::Interval;

namespace {

constexpr double kMargin = 0.25; // decades round the data
constexpr double kRoomForName = 2; // the ceiling's name stands above it
constexpr double kPickRim = 4; // px beyond the rim that still hit
constexpr double kRoofReach = 5; // px from a line that still hit
constexpr std::size_t kMostLabels = 9;
constexpr int kLongestLabel = 28; // characters
constexpr double kStatusRoom = 16; // px for the status mark before a roof's name

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

QRectF bounding(const PlacedLabel& label) {
    QTransform turn;
    turn.translate(label.anchor.x(), label.anchor.y());
    turn.rotate(label.angle);
    turn.translate(-label.anchor.x(), -label.anchor.y());
    return turn.mapRect(label.rect);
}

/// The rectangle as it lies, rotation included.
QPolygonF outline(const PlacedLabel& label) {
    QTransform turn;
    turn.translate(label.anchor.x(), label.anchor.y());
    turn.rotate(label.angle);
    turn.translate(-label.anchor.x(), -label.anchor.y());
    return turn.map(QPolygonF(label.rect));
}

bool meets(const PlacedLabel& a, const PlacedLabel& b) {
    if (!bounding(a).intersects(bounding(b)))
        return false;
    return a.angle == 0 && b.angle == 0 ? true : outline(a).intersects(outline(b));
}

} // namespace

AxisRanges fitRanges(const Picture& picture, const Options& options) {
    Extent x, y;
    for (const auto& dot : picture.dots) {
        x.take(dot.intensity);
        y.take(dot.achieved);
        if (options.allLevels)
            for (const auto& [level, intensity] : dot.levels)
                x.take(intensity);
    }
    y.take(picture.peak);
    y.take(picture.peak * kRoomForName);
    for (const auto& roof : picture.roofs) {
        if (!isShown(picture, roof, options, std::nullopt) || !roof.isMemory || picture.peak <= 0)
            continue;
        x.take(picture.peak / roof.value * 2); // the knee and a piece of the flat roof
        x.take(picture.peak / roof.value / 100);
    }
    return {x.interval({-1, 3}), y.interval({9, 14})};
}

AxisRanges rangesAround(const Dot& dot) {
    const double x = std::log10(dot.intensity);
    const double y = std::log10(dot.achieved);
    return {{x - 1, x + 1}, {y - 1, y + 1}};
}

AxisRanges bounds(const Picture& picture) {
    AxisRanges all = fitRanges(picture, {true, true});
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

bool isShown(const Picture& picture, const Roof& roof, const Options& options,
    std::optional<std::size_t> selected) {
    // Another precision of the same rate would only blur the current line.
    const bool isTwin = std::any_of(picture.roofs.begin(), picture.roofs.end(),
        [&](const Roof& other) { return other.isCurrent && other.value == roof.value; });
    if (!roof.isMemory && !roof.isCurrent && isTwin)
        return false;
    if (!roof.isMemory || options.allLevels || roof.level == picture.farLevel
        || hasLevel(picture, roof.level))
        return true;
    if (!selected)
        return false;
    const auto& levels = picture.dots[*selected].levels;
    return std::any_of(
        levels.begin(), levels.end(), [&](const auto& level) { return level.first == roof.level; });
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

std::vector<PlacedLabel> placeRoofLabels(const Picture& picture, const common::LogLogChart& chart,
    const Options& options, std::optional<std::size_t> selected) {
    std::vector<PlacedLabel> labels;
    const QFont font = common::smallFont();
    const int height = common::lineHeight(font);
    const QRectF plot = chart.plotArea();
    std::vector<std::size_t> order; // the current ceiling first, then memories, then the rest
    for (const int pass : {0, 1, 2})
        for (std::size_t r = 0; r < picture.roofs.size(); ++r) {
            const Roof& roof = picture.roofs[r];
            if ((roof.isCurrent         ? 0
                        : roof.isMemory ? 1
                                        : 2)
                    == pass
                && isShown(picture, roof, options, selected))
                order.push_back(r);
        }
    for (const std::size_t r : order) {
        const Roof& roof = picture.roofs[r];
        const auto line = roofLine(
            picture, roof, {chart.xRange(), chart.yRange()}, flatStart(picture, options, selected));
        if (line.size() != 2)
            continue;
        const QPointF a = chart.toPixel(line[0]);
        const QPointF b = chart.toPixel(line[1]);
        const double width = common::textWidth(font, roof.label) + kStatusRoom;
        PlacedLabel label;
        label.text = roof.label;
        label.item = r;
        label.isBold = roof.isCurrent;
        if (roof.isMemory) {
            if (QLineF(a, b).length() < width + 24)
                continue;
            label.angle = std::atan2(b.y() - a.y(), b.x() - a.x()) * 180 / std::numbers::pi;
            label.anchor = a + (b - a) * std::min(0.1, 12 / QLineF(a, b).length());
            label.rect = QRectF(label.anchor.x(), label.anchor.y() - height - 3, width, height);
        } else {
            label.rect = QRectF(plot.right() - width - 4, a.y() - height - 1, width, height);
            if (label.rect.top() < plot.top())
                label.rect.moveTop(a.y() + 2);
            label.anchor = label.rect.topLeft();
        }
        const bool isFree = std::none_of(labels.begin(), labels.end(),
            [&](const PlacedLabel& other) { return meets(label, other); });
        if (isFree)
            labels.push_back(label);
    }
    return labels;
}

std::optional<PlacedLabel> placeCapLabel(
    const Dot& dot, const common::LogLogChart& chart, const std::vector<PlacedLabel>& taken) {
    if (!dot.cap || !(*dot.cap > 0))
        return std::nullopt;
    const QRectF plot = chart.plotArea();
    const QPointF at = chart.toPixel({dot.intensity, *dot.cap});
    if (!plot.contains(at))
        return std::nullopt;
    const QFont font = common::smallFont();
    PlacedLabel label;
    label.text = QCoreApplication::translate("roofline", "scheduling cap %1")
                     .arg(common::formatFlops(dot.cap));
    const QSizeF size(common::textWidth(font, label.text) + 2, common::lineHeight(font));
    const double gap = kCapHalfWidth + 6;
    for (const double x : {at.x() - gap - size.width(), at.x() + gap}) {
        label.rect = QRectF(QPointF(x, at.y() - size.height() / 2), size);
        label.anchor = label.rect.topLeft();
        if (plot.contains(label.rect)
            && std::none_of(
                taken.begin(), taken.end(), [&](const auto& other) { return meets(label, other); }))
            return label;
    }
    return std::nullopt;
}

std::vector<PlacedLabel> placeDotLabels(const Picture& picture, const std::vector<PlacedDot>& dots,
    const QRectF& plot, std::optional<std::size_t> selected,
    const std::vector<PlacedLabel>& taken) {
    std::vector<PlacedLabel> labels;
    std::vector<std::size_t> order;
    if (selected)
        order.push_back(*selected);
    for (std::size_t d = 0; d < dots.size() && order.size() < kMostLabels; ++d)
        if (d != selected)
            order.push_back(d);
    for (const std::size_t d : order) {
        if (!plot.contains(dots[d].centre))
            continue;
        PlacedLabel label;
        label.item = d;
        label.isBold = d == selected;
        label.text = common::elideMiddle(
            common::fitPath(picture.dots[d].name, kLongestLabel), kLongestLabel);
        const QFont font = label.isBold ? common::boldFont() : common::smallFont();
        const QSizeF size(common::textWidth(font, label.text) + 2, common::lineHeight(font));
        const double gap = dots[d].radius + (label.isBold ? 8 : 4);
        const QPointF c = dots[d].centre;
        const QPointF places[] = {{c.x() + gap, c.y() - size.height() / 2},
            {c.x() - gap - size.width(), c.y() - size.height() / 2}, {c.x() + 4, c.y() + gap - 2},
            {c.x() - size.width() / 2, c.y() - gap - size.height() + 2}};
        for (const auto& place : places) {
            label.rect = QRectF(place, size);
            label.anchor = place;
            const bool isFree = plot.contains(label.rect)
                && std::none_of(
                    labels.begin(), labels.end(), [&](const auto& o) { return meets(label, o); })
                && std::none_of(
                    taken.begin(), taken.end(), [&](const auto& o) { return meets(label, o); })
                && std::none_of(order.begin(), order.end(), [&](std::size_t o) {
                       const double r = dots[o].radius + 1;
                       return o != d
                           && label.rect.intersects(
                               QRectF(dots[o].centre - QPointF(r, r), QSizeF(2 * r, 2 * r)));
                   });
            if (isFree) {
                labels.push_back(label);
                break;
            }
        }
    }
    return labels;
}

} // namespace fivefold::views::roofline
