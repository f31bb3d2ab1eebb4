// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_marks.h"

#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;

namespace {

/// Share of the level's hue that a kind of bytes has, in Kind's order.
constexpr std::array<double, kKinds> kKindShare = {1.0, 0.6, 0.6, 0.3, 0.6, 0.15};

QColor blend(const QColor& below, const QColor& above, double share) {
    const auto mix = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return {mix(below.red(), above.red()), mix(below.green(), above.green()),
        mix(below.blue(), above.blue())};
}

/// The hatch of padding as a texture: a curve has a rectangle a pixel, too many to hatch one by
/// one.
const QBrush& paddingBrush() {
    static QBrush brush;
    static QColor painted;
    const QColor color = colour("hatch");
    if (painted == color)
        return brush;
    painted = color;
    constexpr int kTile = 17; // two lines, 6 px apart measured across them
    QImage tile(kTile, kTile, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5));
    for (double x = -2 * kTile; x <= 3 * kTile; x += kTile / 2.0)
        painter.drawLine(QPointF(x, kTile), QPointF(x + kTile, 0));
    painter.end();
    brush = QBrush(tile);
    return brush;
}

} // namespace

QColor colour(const char* role) {
    return Palette::current().role(role);
}

QColor kindColour(machines::MemoryKind level, Kind kind) {
    return blend(colour("canvas"), Palette::current().memoryLevel(level),
        kKindShare[static_cast<std::size_t>(kind)]);
}

bool hasCue(Kind kind) {
    return kind == Kind::KvCache || kind == Kind::Spill || kind == Kind::Padding;
}

void paintKindCue(QPainter& painter, const QRectF& rect, Kind kind) {
    if (kind == Kind::KvCache)
        painter.fillRect(rect, QBrush(colour("text"), Qt::Dense7Pattern));
    else if (kind == Kind::Spill)
        painter.fillRect(rect, QBrush(colour("text"), Qt::DiagCrossPattern));
    else if (kind == Kind::Padding)
        painter.fillRect(rect, paddingBrush());
}

void drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
    const QColor& pen, const QString& text) {
    painter.setFont(font);
    painter.setPen(pen);
    painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
        QFontMetrics(font).elidedText(text, Qt::ElideRight, qRound(std::max(0.0, rect.width()))));
}

QRectF markRect(const PlacedMark& mark, const RowPlace& place) {
    return {mark.left, place.plot.top() + 1, std::max(1.0, mark.right - mark.left),
        place.plot.height() - 2};
}

QRectF tickRect(const Geometry& geometry, const Tick& tick) {
    const double width = textWidth(smallFont(), tick.text) + 2;
    const double left =
        std::clamp(tick.x - width / 2, geometry.axis.left() - 2, geometry.size.width() - width - 2);
    return {left, geometry.axis.top() + 5, width, static_cast<double>(lineHeight(smallFont()))};
}

void paintArrow(QPainter& painter, const Arrow& arrow, const QColor& color) {
    // An S: out of the end to the right, into the start from the left.
    const double bend = std::clamp(std::abs(arrow.to.x() - arrow.from.x()) / 2, 8.0, 60.0);
    QPainterPath path(arrow.from);
    path.cubicTo(arrow.from + QPointF(bend, 0), arrow.to - QPointF(bend, 0), arrow.to);
    QColor line = color;
    line.setAlphaF(arrow.isHolding ? 1.0F : 0.55F);
    painter.setPen(QPen(line, arrow.isHolding ? 1.6 : 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    QPainterPath head(arrow.to);
    head.lineTo(arrow.to + QPointF(-6, -3.5));
    head.lineTo(arrow.to + QPointF(-6, 3.5));
    head.closeSubpath();
    painter.fillPath(head, line);
}

} // namespace fivefold::views::timeline
