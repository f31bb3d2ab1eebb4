// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_strips.h"

#include "views/common/format.h"
#include "views/common/type.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::views::layout {

using namespace common;

namespace {

constexpr std::int64_t kMostStrips = 16;
constexpr double kStrip = 20, kStripGap = 8;
constexpr double kNarrowestLane = 3.5, kWidestLane = 24;
constexpr double kHeads = 6;
constexpr double kLinkRoom = 20; ///< before the lanes: the link of the element runs there

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

struct Columns {
    double name = 0, place = 0, lanes = 0, address = 0; ///< widths
};

QString placeWords(const Picture& picture, const Place& place) {
    return tr("%1 %2, row %3").arg(picture.words.block).arg(place.block).arg(place.row);
}

Columns columnsOf(const Picture& picture, double width) {
    const Grid& grid = *picture.grid;
    const std::int64_t lines = grid.lines(0);
    Columns columns;
    columns.name =
        textWidth(boldFont(),
            picture.words.line + u' ' + formatCount(std::max<std::int64_t>(0, lines - 1)))
        + 10;
    columns.place = textWidth(smallFont(),
                        placeWords(picture,
                            {0, std::max<std::int64_t>(0, grid.blocks(0) - 1),
                                std::max<std::int64_t>(0, grid.rows(0) - 1), 0, 0}))
        + kLinkRoom;
    columns.address =
        textWidth(monoFont(), formatAddress(fivefold::layout::bytesPerUnit(grid.layout()))) + 10;
    columns.lanes = width - columns.name - columns.place - columns.address - 2 * kHeads;
    return columns;
}

} // namespace

double stripsHeight(const Picture& picture, double width) {
    const Grid& grid = *picture.grid;
    const std::int64_t lines = grid.lines(0);
    const std::int64_t lanes = grid.lanes();
    if (grid.units() > 1 || lines <= 0 || lines > kMostStrips || lanes <= 1)
        return 0;
    const Columns columns = columnsOf(picture, width);
    if (columns.lanes / static_cast<double>(lanes) < kNarrowestLane)
        return 0;
    return 2.0 * lineHeight(smallFont()) + kHeads
        + static_cast<double>(lines) * (kStrip + kStripGap);
}

double arrangeStrips(
    const Picture& picture, const View& view, const QRectF& room, Geometry& geometry) {
    const Grid& grid = *picture.grid;
    const Columns columns = columnsOf(picture, room.width());
    const std::int64_t lanes = grid.lanes();
    const double line = lineHeight(smallFont());
    const double lane = std::min(kWidestLane, columns.lanes / static_cast<double>(lanes));
    const double left = room.left() + columns.name + columns.place;
    const double right = left + lane * static_cast<double>(lanes);
    geometry.isStrips = true;
    geometry.labels.push_back({QRectF(room.left(), room.top(), left - room.left(), line),
        tr("Device %1").arg(notationText(picture))});
    const std::int64_t every = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::exp2(std::ceil(std::log2(28 / lane)))));
    for (std::int64_t i = 0; i < lanes; i += every)
        geometry.labels.push_back(
            {QRectF(left + (static_cast<double>(i) + 0.5) * lane - 20, room.top(), 40, line),
                QString::number(i), Qt::AlignCenter});
    geometry.labels.push_back({QRectF(right + 2 * kHeads, room.top(), columns.address, line),
        tr("lane"), Qt::AlignLeft | Qt::AlignVCenter});

    double top = room.top() + line + kHeads;
    const double first = top;
    for (std::int64_t number = 0; number < grid.lines(0); ++number) {
        const std::int64_t rows = std::max<std::int64_t>(1, grid.rows(0));
        Place place{0, number / rows, number % rows, 0, 0};
        const bool isHere = view.place.block == place.block && view.place.row == place.row;
        geometry.labels.push_back({QRectF(room.left(), top, columns.name - 6, kStrip),
            picture.words.line + u' ' + QString::number(lineNumber(grid, place)),
            Qt::AlignLeft | Qt::AlignVCenter, false, !isHere});
        geometry.labels.push_back(
            {QRectF(room.left() + columns.name, top, columns.place - kLinkRoom + 4, kStrip),
                placeWords(picture, place)});
        for (place.lane = 0; place.lane < lanes; ++place.lane) {
            int real = 0;
            for (place.pack = 0; place.pack < grid.packs(); ++place.pack)
                real += grid.indexAt(place) ? 1 : 0;
            place.pack = 0;
            geometry.lanes.push_back(
                {QRectF(left + static_cast<double>(place.lane) * lane, top, lane, kStrip), place,
                    real});
        }
        place.lane = 0;
        geometry.labels.push_back({QRectF(right + 2 * kHeads, top, columns.address, kStrip),
            view.isHex ? formatAddress(grid.bitAddress(place) / 8)
                       : QString::number(grid.bitAddress(place) / 8),
            Qt::AlignLeft | Qt::AlignVCenter, true, !isHere});
        top += kStrip + kStripGap;
    }
    geometry.lanesRect = QRectF(QPointF(left, first), QPointF(right, top - kStripGap));
    return top;
}

} // namespace fivefold::views::layout
