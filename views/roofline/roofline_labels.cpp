// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_labels.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPolygonF>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fivefold::views::roofline {

QPolygonF outline(const PlacedLabel& label) {
    QTransform turn;
    turn.translate(label.anchor.x(), label.anchor.y());
    turn.rotate(label.angle);
    turn.translate(-label.anchor.x(), -label.anchor.y());
    return turn.map(QPolygonF(label.rect));
}

namespace {

constexpr std::size_t kMostLabels = 9;
constexpr int kLongestLabel = 28; // characters
constexpr double kStatusRoom = 16; // px for the status mark before a roof's name
constexpr std::size_t kDotsNamesAvoid = 400; // the largest, which names of dots avoid
constexpr std::size_t kDotsKeptClear = 40; // the largest, which names of roofs avoid

QRectF bounding(const PlacedLabel& label) {
    return outline(label).boundingRect();
}

bool meets(const PlacedLabel& a, const PlacedLabel& b) {
    if (!bounding(a).intersects(bounding(b)))
        return false;
    return a.angle == 0 && b.angle == 0 ? true : outline(a).intersects(outline(b));
}

bool isFreeOf(const PlacedLabel& label, const std::vector<PlacedLabel>& others) {
    return std::none_of(others.begin(), others.end(),
        [&](const PlacedLabel& other) { return meets(label, other); });
}

bool coversDot(const PlacedLabel& label, std::span<const PlacedDot> dots) {
    const QPolygonF shape = outline(label);
    const QRectF box = bounding(label);
    for (std::size_t d = 0; d < dots.size() && d < 4 * kDotsKeptClear; ++d) {
        const double r = dots[d].radius + 1;
        const QRectF dot(dots[d].centre - QPointF(r, r), QSizeF(2 * r, 2 * r));
        if (box.intersects(dot) && (label.angle == 0 || shape.intersects(QPolygonF(dot))))
            return true;
    }
    return false;
}

/// The current ceiling first, then memories, then the rest.
std::vector<std::size_t> labelOrder(
    const Picture& picture, const Options& options, std::optional<std::size_t> selected) {
    std::vector<std::size_t> order;
    for (const int pass : {0, 1, 2})
        for (std::size_t r = 0; r < picture.roofs.size(); ++r) {
            const Roof& roof = picture.roofs[r];
            const int rank = roof.isCurrent ? 0 : roof.isMemory ? 1 : 2;
            if (rank == pass && isShown(picture, roof, options, selected))
                order.push_back(r);
        }
    return order;
}

/// Where the name of a roof from `a` to `b` may stand, the best place first.
std::vector<PlacedLabel> placesOf(
    const Roof& roof, const QPointF& a, const QPointF& b, const QRectF& plot, PlacedLabel label) {
    const QFont font = common::smallFont();
    const int height = common::lineHeight(font);
    const double width = common::textWidth(font, roof.label) + kStatusRoom;
    std::vector<PlacedLabel> places;
    if (roof.isMemory) {
        const double length = QLineF(a, b).length();
        const double room = length - width - 24;
        if (room < 0)
            return places;
        label.angle = std::atan2(b.y() - a.y(), b.x() - a.x()) * 180 / std::numbers::pi;
        for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            label.anchor = a + (b - a) * ((12 + room * part) / length);
            label.rect = QRectF(label.anchor.x(), label.anchor.y() - height - 3, width, height);
            places.push_back(label);
        }
        return places;
    }
    // At the right end, above or below; where dots lie there, farther left along the line.
    for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const double left = plot.right() - width - 4;
        const double x = left - part * (left - std::max(a.x(), plot.left()) - 4);
        if (x > left) // shorter than its name
            break;
        for (const double y : {a.y() - height - 1, a.y() + 2}) {
            label.rect = QRectF(x, y, width, height);
            label.anchor = label.rect.topLeft();
            if (label.rect.top() >= plot.top() && label.rect.bottom() <= plot.bottom())
                places.push_back(label);
        }
    }
    if (places.empty()) {
        label.rect = QRectF(plot.right() - width - 4,
            a.y() - height - 1 < plot.top() ? a.y() + 2 : a.y() - height - 1, width, height);
        label.anchor = label.rect.topLeft();
        places.push_back(label);
    }
    return places;
}

/// Where a dot's name may stand, the best place first.
std::vector<PlacedLabel> placesBeside(
    const PlacedDot& placed, std::size_t d, const QString& text, bool isSelected, double gap) {
    PlacedLabel label;
    label.item = d;
    label.isBold = isSelected;
    label.text = text;
    const QFont font = isSelected ? common::boldFont() : common::smallFont();
    const QSizeF size(common::textWidth(font, label.text) + 2, common::lineHeight(font));
    const QPointF c = placed.centre;
    std::vector<PlacedLabel> places;
    for (const QPointF& at : {QPointF(c.x() + gap, c.y() - size.height() / 2),
             QPointF(c.x() - gap - size.width(), c.y() - size.height() / 2),
             QPointF(c.x() + 4, c.y() + gap - 2),
             QPointF(c.x() - size.width() / 2, c.y() - gap - size.height() + 2),
             QPointF(c.x() - size.width() - 4, c.y() + gap - 2)}) {
        label.rect = QRectF(at, size);
        label.anchor = at;
        places.push_back(label);
    }
    return places;
}

QString nameOf(const Dot& dot) {
    return common::elideMiddle(common::fitPath(dot.name, kLongestLabel), kLongestLabel);
}

bool coversOther(const PlacedLabel& label, const std::vector<PlacedDot>& dots,
    std::span<const std::size_t> among) {
    return std::any_of(among.begin(), among.end(), [&](std::size_t o) {
        const double r = dots[o].radius + 1;
        return o != label.item
            && label.rect.intersects(QRectF(dots[o].centre - QPointF(r, r), QSizeF(2 * r, 2 * r)));
    });
}

} // namespace

std::vector<PlacedLabel> placeRoofLabels(const Picture& picture, const common::LogLogChart& chart,
    const Options& options, std::optional<std::size_t> selected,
    const std::vector<PlacedLabel>& taken, std::span<const PlacedDot> dots) {
    std::vector<PlacedLabel> labels;
    const AxisRanges ranges{chart.xRange(), chart.yRange()};
    const double flatFrom = flatStart(picture, options, selected);
    for (const std::size_t r : labelOrder(picture, options, selected)) {
        const Roof& roof = picture.roofs[r];
        const auto line = roofLine(picture, roof, ranges, flatFrom);
        if (line.size() != 2)
            continue;
        PlacedLabel label;
        label.text = roof.label;
        label.item = r;
        label.isBold = roof.isCurrent;
        std::vector<PlacedLabel> places =
            placesOf(roof, chart.toPixel(line[0]), chart.toPixel(line[1]), chart.plotArea(), label);
        std::erase_if(places, [&](const PlacedLabel& place) {
            return !isFreeOf(place, labels) || !isFreeOf(place, taken);
        });
        if (places.empty())
            continue;
        const auto clear = std::find_if(places.begin(), places.end(),
            [&](const PlacedLabel& place) { return !coversDot(place, dots); });
        labels.push_back(clear == places.end() ? places.front() : *clear);
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
    const QString cap =
        QCoreApplication::translate("roofline", "cap %1").arg(common::formatFlops(dot.cap));
    const QString whole =
        QCoreApplication::translate("roofline", "%1: %2 ÷ %3")
            .arg(cap, workText(dot.flops),
                common::formatTime(std::optional(base::Seconds(dot.flops.value / *dot.cap))));
    const double gap = kCapHalfWidth + 6;
    for (const QString& text : {whole, cap}) {
        PlacedLabel label;
        label.text = text;
        const QSizeF size(common::textWidth(font, text) + 2, common::lineHeight(font));
        for (const double x : {at.x() + gap, at.x() - gap - size.width()}) {
            label.rect = QRectF(QPointF(x, at.y() - size.height() / 2), size);
            label.anchor = label.rect.topLeft();
            if (plot.contains(label.rect) && isFreeOf(label, taken))
                return label;
        }
    }
    return std::nullopt;
}

std::vector<PlacedLabel> placeLevelLabels(const std::vector<PlacedLevel>& levels,
    const analysis::Result& result, const QRectF& plot, const std::vector<PlacedLabel>& taken) {
    std::vector<PlacedLabel> labels;
    const QFont font = common::smallFont();
    for (const auto& level : levels) {
        PlacedLabel label;
        label.item = level.dot;
        label.text = levelName(result, level.level);
        const QSizeF size(common::textWidth(font, label.text) + 2, common::lineHeight(font));
        const double x = level.centre.x() - size.width() / 2;
        for (const double y : {level.centre.y() + level.radius + 3,
                 level.centre.y() - level.radius - 3 - size.height()}) {
            label.rect = QRectF(QPointF(x, y), size);
            label.anchor = label.rect.topLeft();
            if (plot.contains(label.rect) && isFreeOf(label, taken) && isFreeOf(label, labels)) {
                labels.push_back(label);
                break;
            }
        }
    }
    return labels;
}

std::vector<PlacedLabel> placeCaps(const Picture& picture, const common::LogLogChart& chart) {
    std::vector<PlacedLabel> bars;
    for (std::size_t d = 0; d < picture.dots.size() && d < kDotsKeptClear; ++d) {
        const Dot& dot = picture.dots[d];
        if (!dot.cap || !(*dot.cap > 0))
            continue;
        PlacedLabel bar;
        bar.item = d;
        bar.anchor = chart.toPixel({dot.intensity, *dot.cap}) - QPointF(kCapHalfWidth, 2);
        bar.rect = QRectF(bar.anchor, QSizeF(2 * kCapHalfWidth, 4));
        bars.push_back(bar);
    }
    return bars;
}

std::optional<PlacedLabel> placeOverlayLabel(const Overlay& overlay,
    const common::LogLogChart& chart, const std::vector<PlacedLabel>& taken,
    std::span<const PlacedDot> dots) {
    const QRectF plot = chart.plotArea();
    const double peak = overlay.picture.peak;
    if (overlay.isBefore || peak <= 0)
        return std::nullopt;
    const QFont font = common::smallFont();
    PlacedLabel label;
    label.text = overlay.name + u' ' + common::formatFlops(peak);
    const QSizeF size(common::textWidth(font, label.text) + 2, common::lineHeight(font));
    const double y = chart.toPixel({1, peak}).y();
    for (const double right :
        {plot.right() - 4, plot.right() - plot.width() / 4, plot.center().x() + size.width() / 2})
        for (const double top : {y - size.height() - 1, y + 2}) {
            label.rect = QRectF(QPointF(right - size.width(), top), size);
            label.anchor = label.rect.topLeft();
            if (plot.contains(label.rect) && isFreeOf(label, taken) && !coversDot(label, dots))
                return label;
        }
    return std::nullopt;
}

std::optional<PlacedLabel> placeSelectedName(const Picture& picture,
    const std::vector<PlacedDot>& dots, const common::LogLogChart& chart, std::size_t selected) {
    const QRectF plot = chart.plotArea();
    const Dot& dot = picture.dots[selected];
    if (!plot.contains(dots[selected].centre))
        return std::nullopt;
    std::vector<std::size_t> largest;
    for (std::size_t d = 0; d < dots.size() && d < kMostLabels; ++d)
        largest.push_back(d);
    QStringList texts{nameOf(dot)};
    if (const Roof* roof = picture.memoryRoof(dot.level); roof && dot.levels.size() > 1)
        texts.prepend(texts.front() + QStringLiteral(" · ") + roof->name);
    // Clear of the ring, and of the bar of its cap where that is close.
    double gap = dots[selected].radius + 8;
    if (dot.cap && *dot.cap > 0
        && std::abs(chart.toPixel({dot.intensity, *dot.cap}).y() - dots[selected].centre.y())
            < common::lineHeight(common::boldFont()))
        gap = std::max(gap, kCapHalfWidth + 5);
    QRectF joined(dots[selected].centre.x(), dots[selected].centre.y() - 7, 1, 14);
    for (const auto& level : placeLevels(picture, chart, selected)) // the line to its other levels
        joined = joined.united(QRectF(level.centre.x() - 7, level.centre.y() - 7, 14, 14));
    std::optional<PlacedLabel> covering; // rather over a dot than nowhere
    for (const QString& text : texts)
        for (const auto& place : placesBeside(dots[selected], selected, text, true, gap)) {
            if (!plot.contains(place.rect))
                continue;
            if (!coversOther(place, dots, largest) && !place.rect.intersects(joined))
                return place;
            if (!covering)
                covering = place;
        }
    return covering;
}

std::vector<PlacedLabel> placeDotLabels(const Picture& picture, const std::vector<PlacedDot>& dots,
    const QRectF& plot, std::optional<std::size_t> selected,
    const std::vector<PlacedLabel>& taken) {
    std::vector<PlacedLabel> labels;
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < dots.size() && order.size() < kMostLabels; ++d)
        order.push_back(d);
    std::vector<std::size_t> visible; // a name hides no dot, not even a small one
    for (std::size_t d = 0; d < dots.size() && visible.size() < kDotsNamesAvoid; ++d)
        if (plot.contains(dots[d].centre))
            visible.push_back(d);
    for (const std::size_t d : order) {
        if (d == selected || !plot.contains(dots[d].centre))
            continue;
        const auto places =
            placesBeside(dots[d], d, nameOf(picture.dots[d]), false, dots[d].radius + 4);
        const auto free = std::find_if(places.begin(), places.end(), [&](const PlacedLabel& label) {
            return plot.contains(label.rect) && isFreeOf(label, labels) && isFreeOf(label, taken)
                && !coversOther(label, dots, visible);
        });
        if (free != places.end())
            labels.push_back(*free);
    }
    return labels;
}

} // namespace fivefold::views::roofline
