// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/play/play_geometry.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::play {

namespace {

constexpr double kPadding = 8, kGap = 16;
constexpr double kLeastLane = 8, kMostLane = 72;
constexpr double kHead = 8; ///< between title and chart: the head of the clock
constexpr double kWideLabels = 168, kLabels = 124, kNarrowLabels = 84;
constexpr double kListWidth = 440; ///< beside a chart
constexpr double kListFrom = 900; ///< width of a side that has room for one

} // namespace

double Places::x(std::size_t side, base::Picoseconds at) const {
    const QRectF& chart = sides[side].chart;
    return span.value > 0 ? chart.left() + at / span * chart.width() : chart.left();
}

base::Picoseconds Places::timeAt(std::size_t side, double x) const {
    const QRectF& chart = sides[side].chart;
    if (chart.width() <= 0)
        return {};
    const double share = std::clamp((x - chart.left()) / chart.width(), 0.0, 1.0);
    return base::Picoseconds(
        static_cast<std::int64_t>(std::llround(share * static_cast<double>(span.value))));
}

double Places::y(std::size_t side, int lane) const {
    return sides[side].chart.top() + (lane + 0.5) * laneHeight;
}

int Places::sideAt(const QPointF& at) const {
    for (std::size_t i = 0; i < sides.size(); ++i)
        if (sides[i].chart.united(sides[i].title).contains(at))
            return static_cast<int>(i);
    return -1;
}

Places place(const Picture& picture, const QSizeF& size, const TextSizes& text) {
    Places places;
    places.span = picture.span;
    const auto count = static_cast<int>(picture.sides.size());
    const auto lanes = std::max<int>(1, static_cast<int>(picture.lanes.size()));
    if (count == 0)
        return places;
    const double title = text.body + 4, heading = title + kHead;
    const double width = size.width() - 2 * kPadding, height = size.height() - 2 * kPadding;
    // One above the other needs room for the words of a lane.
    places.isStacked = height >= count * (heading + lanes * text.small) + (count - 1) * kGap;
    const double sideWidth = places.isStacked ? width : (width - (count - 1) * kGap) / count;
    const double sideHeight = places.isStacked ? (height - (count - 1) * kGap) / count : height;
    const bool hasListBeside = places.isStacked && sideWidth >= kListFrom;
    const double room = sideHeight - heading;
    places.laneHeight = std::clamp(room / lanes, kLeastLane, kMostLane);
    places.lanes = std::clamp(static_cast<int>(room / places.laneHeight + 0.01), 0, lanes);
    const double labels = sideWidth < 420 ? kNarrowLabels
        : sideWidth < kListFrom           ? kLabels
                                          : kWideLabels;
    for (int i = 0; i < count; ++i) {
        const double left = kPadding + (places.isStacked ? 0 : i * (sideWidth + kGap));
        const double top = kPadding + (places.isStacked ? i * (sideHeight + kGap) : 0);
        const double right = left + sideWidth - (hasListBeside ? kListWidth + kGap : 0);
        SidePlace side;
        side.title = QRectF(left, top, right - left, title);
        side.labels = QRectF(left, top + heading, labels, places.lanes * places.laneHeight);
        side.chart = QRectF(left + labels, top + heading, std::max(1.0, right - left - labels - 8),
            places.lanes * places.laneHeight);
        const double below = top + sideHeight - side.chart.bottom() - 8;
        if (hasListBeside)
            side.list = QRectF(right + kGap, top, kListWidth, sideHeight);
        else if (below >= 3 * text.small)
            side.list = QRectF(left, side.chart.bottom() + 8, right - left, below);
        places.sides.push_back(side);
    }
    return places;
}

} // namespace fivefold::views::play
