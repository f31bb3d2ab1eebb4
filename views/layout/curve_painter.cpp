// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/layout/curve_canvas.h"
#include "views/layout/scene_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;

namespace {

constexpr double kFillShare = 0.16; ///< of a machine's colour under its curve
constexpr double kCurrentWidth = 2.5, kOtherWidth = 1.5;
constexpr double kTick = 5;

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

void drawLines(QPainter& painter, const QRectF& rect, const QString& first, const QString& second,
    bool isStrong, Qt::Alignment alignment) {
    const Palette& palette = Palette::current();
    const double line = lineHeight(smallFont());
    const bool isTwo = rect.height() >= 2 * line - 2;
    const auto put = [&](const QRectF& at, const QString& text, const QFont& font, bool isMuted) {
        painter.setFont(font);
        painter.setPen(palette.role(isMuted ? "textSecondary" : "text"));
        painter.drawText(at, static_cast<int>(alignment) | Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(font).elidedText(text, Qt::ElideRight, qRound(at.width())));
    };
    QFont strong = smallFont();
    strong.setBold(isStrong);
    if (!isTwo) {
        put(rect, first, strong, false);
        return;
    }
    const double top = rect.center().y() - line;
    put(QRectF(rect.left(), top, rect.width(), line), first, strong, false);
    put(QRectF(rect.left(), top + line, rect.width(), line), second, smallFont(), true);
}

void paintRow(
    QPainter& painter, const CurveRow& row, const CurveGeometry::Row& at, std::int64_t tried) {
    const Palette& palette = Palette::current();
    const QColor color = palette.machine(row.machine ? row.machine->family : std::string());
    if (row.isCurrent) {
        painter.fillRect(at.head.adjusted(-4, -1, 0, 1), palette.selection("row"));
        painter.fillRect(QRectF(at.head.left() - 4, at.head.top() - 1, 3, at.head.height() + 2),
            palette.role("text"));
    }
    painter.fillRect(QRectF(at.head.left() + 2, at.head.top(), 4, at.head.height()), color);
    const QRectF glyph(at.head.left() + 10, at.head.center().y() - 4, 8, 8);
    paintMachineGlyph(painter, glyph, row.machine ? row.machine->family : std::string(), color);
    drawLines(
        painter, at.head.adjusted(24, 0, 0, 0), row.name, row.rule, row.isCurrent, Qt::AlignLeft);
    painter.setPen(palette.role("grid"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(at.plot);
    if (!row.failure.isEmpty()) {
        painter.setFont(smallFont());
        painter.setPen(palette.role("textSecondary"));
        painter.drawText(at.plot.adjusted(8, 0, -8, 0),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            QFontMetrics(smallFont())
                .elidedText(row.failure, Qt::ElideRight, qRound(at.plot.width() - 16)));
        return;
    }
    if (at.line.size() >= 2) {
        QPolygonF line(QVector<QPointF>(at.line.begin(), at.line.end()));
        QPolygonF area = line;
        area << QPointF(line.back().x(), at.plot.bottom())
             << QPointF(line.front().x(), at.plot.bottom());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(blended(palette.role("canvas"), color, kFillShare));
        painter.drawPolygon(area);
        painter.setPen(QPen(color, row.isCurrent ? kCurrentWidth : kOtherWidth));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setPen(QPen(palette.role("text"), 1.5));
    for (const double x : at.ticks)
        painter.drawLine(QPointF(x, at.plot.bottom()), QPointF(x, at.plot.bottom() + kTick - 1));
    if (const auto* point = row.curve.at(tried))
        drawLines(
            painter, at.tail, wasteText(point->waste), freeText(row, tried), true, Qt::AlignLeft);
}

void paintMarker(QPainter& painter, const CurvePicture& picture, const CurveGeometry& geometry,
    std::int64_t size, bool isTried) {
    const Palette& palette = Palette::current();
    if (size < geometry.from || size > geometry.to)
        return;
    const double x = geometry.pixel(static_cast<double>(size));
    const double top = geometry.rows.front().plot.top() - 4;
    const double bottom = geometry.rows.back().plot.bottom();
    painter.setPen(QPen(palette.role(isTried ? "text" : "textSecondary"), isTried ? 1.5 : 1,
        isTried ? Qt::SolidLine : Qt::DashLine));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    if (!isTried)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(palette.role("text"));
    const QPointF handle[] = {{x - 5, top - 8}, {x + 5, top - 8}, {x, top}};
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(handle, 3);
    for (std::size_t i = 0; i < geometry.rows.size(); ++i)
        if (const auto* point = picture.rows[i].curve.at(size)) {
            const QRectF& plot = geometry.rows[i].plot;
            painter.setBrush(palette.machine(picture.rows[i].machine->family));
            painter.setPen(QPen(palette.role("canvas"), 1));
            painter.drawEllipse(
                QPointF(x, plot.bottom() - point->waste * (plot.height() - 2) - 1), 3.5, 3.5);
        }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void paintCurves(QPainter& painter, const CurvePicture& picture, const CurveGeometry& geometry,
    std::int64_t tried, std::optional<std::int64_t> hovered) {
    const Palette& palette = Palette::current();
    if (picture.isEmpty() || geometry.isEmpty()) {
        painter.setFont(bodyFont());
        painter.setPen(palette.role("textSecondary"));
        painter.drawText(QRectF(QPointF(0, 0), geometry.size).adjusted(16, 4, -16, -4),
            Qt::AlignCenter | Qt::TextWordWrap,
            picture.isEmpty() ? picture.reason : tr("Make the panel larger to see the curves."));
        return;
    }
    painter.setFont(smallFont());
    painter.setPen(palette.role("textSecondary"));
    const auto& first = geometry.rows.front();
    const double line = lineHeight(smallFont());
    painter.drawText(
        QRectF(first.tail.left(), first.tail.top() - line - 1, first.tail.width(), line),
        Qt::AlignLeft | Qt::AlignVCenter, tr("at %1").arg(tried));
    painter.drawText(QRectF(first.plot.left() - 52, first.plot.top() - 3, 48, line),
        Qt::AlignRight | Qt::AlignVCenter, first.plot.left() > 140 ? tr("100 %") : QString());
    for (std::size_t i = 0; i < geometry.rows.size(); ++i)
        paintRow(painter, picture.rows[i], geometry.rows[i], tried);
    painter.setFont(smallFont());
    for (const auto& [x, size] : geometry.labels) {
        painter.setPen(palette.role("textSecondary"));
        painter.drawText(QRectF(x - 40, geometry.axis.top(), 80, line),
            Qt::AlignHCenter | Qt::AlignVCenter, QString::number(size));
    }
    if (picture.next && picture.next->isFreeOnAll() && picture.next->size != tried)
        paintMarker(painter, picture, geometry, picture.next->size, false);
    paintMarker(painter, picture, geometry, tried, true);
    if (hovered && *hovered != tried) {
        const double x = geometry.pixel(static_cast<double>(*hovered));
        painter.setPen(palette.selection("hover"));
        painter.drawLine(QPointF(x, geometry.rows.front().plot.top()),
            QPointF(x, geometry.rows.back().plot.bottom()));
    }
}

Legend curveLegend(const CurvePicture& picture) {
    if (picture.isEmpty())
        return {};
    return {{tr("size without padding"),
                [](QPainter& painter, const QRectF& rect) {
                    painter.setPen(QPen(Palette::current().role("text"), 1.5));
                    painter.drawLine(QPointF(rect.center().x(), rect.top() + 2),
                        QPointF(rect.center().x(), rect.bottom() - 2));
                }},
        {tr("next for all"), [](QPainter& painter, const QRectF& rect) {
             painter.setPen(QPen(Palette::current().role("textSecondary"), 1, Qt::DashLine));
             painter.drawLine(
                 QPointF(rect.center().x(), rect.top()), QPointF(rect.center().x(), rect.bottom()));
         }}};
}

} // namespace fivefold::views::layout
