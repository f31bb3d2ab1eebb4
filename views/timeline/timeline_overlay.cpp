// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/timeline/timeline_marks.h"
#include "views/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace fivefold::views::timeline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

bool isIn(const std::vector<char>& steps, lowering::StepId step) {
    return step.index() < steps.size() && steps[step.index()] != 0;
}

/// Rings of the chosen events, also of those that share a pixel with others; one a pixel.
void paintRings(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    for (const RowPlace& place : geometry.rows) {
        double ringed = -10;
        double outlined = -10;
        for (const Mark& mark : picture.rows[place.row].marks) {
            const bool isSelected = isIn(overlay.selected, mark.step);
            if ((!isSelected && !isIn(overlay.hovered, mark.step)) || mark.end < geometry.view.low
                || mark.start > geometry.view.high)
                continue;
            const double left = std::max(geometry.plot.left() - 4, geometry.toX(mark.start));
            const double right = std::min(geometry.plot.right() + 4, geometry.toX(mark.end));
            double& last = isSelected ? ringed : outlined;
            if (right - last < 1)
                continue;
            last = right;
            QRectF rect = markRect({left, right, 0, 1, false}, place);
            if (rect.width() < 3)
                rect.adjust(-1, 0, 1, 0);
            if (isSelected)
                paintSelectionRing(
                    painter, rect, !overlay.current.isValid() || mark.event == overlay.current, 2);
            else
                paintHoverOutline(painter, rect, 2);
        }
    }
}

/// Outlines of all buffers of a tensor, from the first write to the last read.
void paintLives(QPainter& painter, const Picture& picture, const Geometry& geometry,
    lowering::ValueId value, const QPen& pen) {
    if (!value.isValid())
        return;
    const auto& buffers = picture.result->program.buffers;
    painter.setBrush(Qt::NoBrush);
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const lowering::BufferId id(b);
        if (buffers[id].value != value)
            continue;
        for (const BandPlace& place : geometry.bands) {
            const QPolygonF outline = lifeOutline(picture, geometry, place, id);
            if (outline.isEmpty())
                continue;
            painter.setPen(pen);
            painter.drawPolygon(outline);
        }
    }
}

/// A bar at the foot of its band says how long the selected tensor lives, however thin it is.
void paintLifeBars(
    QPainter& painter, const Picture& picture, const Geometry& geometry, lowering::ValueId value) {
    if (!value.isValid())
        return;
    for (const auto& buffer : picture.result->program.buffers) {
        if (buffer.value != value)
            continue;
        for (const BandPlace& place : geometry.bands) {
            if (picture.bands[place.band].level != buffer.level)
                continue;
            const double left =
                std::max(place.plot.left(), geometry.toX(picture.toAxis(buffer.first)));
            const double right =
                std::min(place.plot.right(), geometry.toX(picture.toAxis(buffer.last)));
            if (right < left)
                continue;
            const QRectF bar(left, place.plot.bottom() - 5, std::max(3.0, right - left), 5);
            painter.fillRect(bar, Palette::current().selection("halo"));
            painter.setPen(QPen(Palette::current().selection("ring"), 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(bar);
        }
    }
}

void paintRange(QPainter& painter, const Geometry& geometry, const Interval& range) {
    const double left = std::max(geometry.plot.left(), geometry.toX(range.low));
    const double right = std::min(geometry.plot.right(), geometry.toX(range.high));
    if (right <= left)
        return;
    const QRectF rect(left, geometry.plot.top(), right - left, geometry.plot.height());
    QColor fill = Palette::current().selection("brush");
    fill.setAlphaF(0.14F);
    painter.fillRect(rect, fill);
    painter.setPen(QPen(Palette::current().selection("brush"), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
}

/// The row under the axis: the range as a box, its totals in the box or beside it.
void paintRangeRow(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    if (geometry.rangeRow.isNull() || !overlay.range || !overlay.totals)
        return;
    const QRectF& row = geometry.rangeRow;
    drawText(painter, QRectF(8, row.top(), row.left() - 12, row.height()),
        Qt::AlignLeft | Qt::AlignVCenter, smallFont(), colour("textSecondary"),
        tr("selected range"));
    const double left = std::clamp(geometry.toX(overlay.range->low), row.left(), row.right() - 2);
    const double right = std::clamp(geometry.toX(overlay.range->high), left + 2, row.right());
    const QRectF box(left, row.top(), right - left, row.height());
    painter.fillRect(box, Palette::current().selection("row"));
    painter.setPen(QPen(Palette::current().selection("ring"), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
    const QString title = rangeTitle(*picture.result, *overlay.totals);
    const QString brief = tr("%1 · %2").arg(
        formatTime(std::optional(overlay.totals->duration)), formatShare(overlay.totals->share));
    const QString traffic = rangeTraffic(*picture.result, *overlay.totals);
    const double before = left - row.left() - 6;
    const double after = row.right() - right - 6;
    const auto fits = [&box](const QString& text) {
        return textWidth(boldFont(), text) + 8 <= box.width();
    };
    QString outside = traffic;
    if (fits(title) || fits(brief))
        drawText(
            painter, box, Qt::AlignCenter, boldFont(), colour("text"), fits(title) ? title : brief);
    else
        outside = traffic.isEmpty() ? title : brief + QStringLiteral(" · ") + traffic;
    const bool isAfter = after >= before;
    const QRectF words = isAfter ? QRectF(right + 6, row.top(), after, row.height())
                                 : QRectF(row.left(), row.top(), before, row.height());
    drawText(painter, words, (isAfter ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
        smallFont(), colour("text"), outside);
}

void paintFlag(QPainter& painter, const QRectF& flag, const QString& text) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour("text"));
    painter.drawRoundedRect(flag, 2, 2);
    drawText(painter, flag, Qt::AlignCenter, boldFont(), colour("canvas"), text);
}

/// Numbered moments that the user marked.
void paintMarks(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    const double size = lineHeight(smallFont());
    for (std::size_t m = 0; m < overlay.marks.size(); ++m) {
        const double x = geometry.toX(picture.toAxis(overlay.marks[m]));
        if (x < geometry.plot.left() - 0.5 || x > geometry.plot.right() + 0.5)
            continue;
        painter.setPen(QPen(colour("text"), 1, Qt::DashLine));
        painter.drawLine(QPointF(x, geometry.plot.top()), QPointF(x, geometry.plot.bottom()));
        paintFlag(painter, QRectF(x - size / 2, geometry.plot.top() - 2, size, size),
            QString::number(m + 1));
    }
}

/// "700 µs", and how far that is behind the mark before it.
QString cursorText(const Overlay& overlay) {
    QString text = formatTime(overlay.cursor);
    for (std::size_t m = overlay.marks.size(); m-- > 0;)
        if (overlay.marks[m] < overlay.cursor)
            return tr("%1, %2 after %3")
                .arg(text, formatTime(overlay.cursor - overlay.marks[m]))
                .arg(m + 1);
    return text;
}

void paintCursor(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    const double x = geometry.toX(picture.toAxis(overlay.cursor));
    if (x < geometry.plot.left() - 0.5 || x > geometry.plot.right() + 0.5)
        return;
    painter.setPen(QPen(colour("text"), 1.5));
    painter.drawLine(QPointF(x, geometry.plot.top()), QPointF(x, geometry.axis.top() + 4));
    const QString text = cursorText(overlay);
    const double width = textWidth(boldFont(), text) + 12;
    const double height = std::min<double>(lineHeight(boldFont()) + 2, geometry.axis.height() - 2);
    const QRectF flag(
        std::clamp(x - width / 2, 2.0, std::max(2.0, geometry.plot.right() + 6 - width)),
        geometry.axis.top() + 3, width, height);
    for (const Tick& tick : geometry.ticks) // no half labels beside the flag
        if (tickRect(geometry, tick).intersects(flag))
            painter.fillRect(tickRect(geometry, tick), colour("canvas"));
    paintFlag(painter, flag, text);
}

/// The track that the arrow keys are on.
void paintFocus(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const QString& key) {
    if (key.isEmpty())
        return;
    QRectF label;
    for (const BandPlace& place : geometry.bands)
        if (trackKey(picture.bands[place.band]) == key)
            label = place.label;
    for (const RowPlace& place : geometry.rows)
        if (trackKey(picture.rows[place.row]) == key)
            label = place.label;
    if (label.isNull())
        return;
    painter.setPen(QPen(Palette::current().role("highlight"), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(label.adjusted(-4, 0, 2, 0));
}

QFont fontOf(LineType type) {
    return type == LineType::Title ? boldFont()
        : type == LineType::Buffer ? bodyFont()
                                   : smallFont();
}

/// The square in the colour of a buffer's kind, with its cue.
void paintSwatch(
    QPainter& painter, const Picture& picture, const QRectF& square, lowering::BufferId id) {
    const auto& buffer = picture.result->program.buffers[id];
    const auto& memories = picture.result->machine().memories;
    const auto memory =
        buffer.level < memories.size() ? memories[buffer.level].kind : machines::MemoryKind::Device;
    const Kind kind = memory::useKind(buffer);
    painter.fillRect(square, kindColour(memory, kind));
    paintKindCue(painter, square, kind);
}

void paintLine(
    QPainter& painter, const Picture& picture, const ListLine& line, lowering::ValueId selected) {
    const bool isBuffer = line.type == LineType::Buffer;
    if (isBuffer && selected.isValid()
        && picture.result->program.buffers[line.buffer].value == selected) {
        painter.fillRect(line.rect.adjusted(-6, 0, 6, 0), Palette::current().selection("row"));
        painter.fillRect(QRectF(line.rect.left() - 6, line.rect.top(), 3, line.rect.height()),
            Palette::current().selection("ring"));
    }
    const QFont font = fontOf(line.type);
    if (line.type == LineType::Text) {
        painter.setFont(font);
        painter.setPen(colour("text"));
        painter.drawText(line.rect, Qt::AlignLeft | Qt::TextWordWrap, line.name);
        return;
    }
    const bool isSecondary = line.type == LineType::Heading;
    const QColor pen = line.type == LineType::Link ? colour("link")
        : isSecondary                              ? colour("textSecondary")
                                                   : colour("text");
    const QFont sizeFont = line.type == LineType::Title ? smallFont() : font;
    const double height = lineHeight(font) + 2;
    const double sizeWidth = line.size.isEmpty() ? 0 : textWidth(sizeFont, line.size) + 4;
    QRectF name(line.rect.left(), line.rect.top() + 1, line.rect.width() - sizeWidth - 4, height);
    if (isBuffer) {
        paintSwatch(
            painter, picture, QRectF(name.left(), name.center().y() - 5, 10, 10), line.buffer);
        name.setLeft(name.left() + 16);
    }
    drawText(painter, name, Qt::AlignLeft | Qt::AlignVCenter, font, pen, line.name);
    drawText(painter, QRectF(line.rect.right() - sizeWidth, name.top(), sizeWidth, height),
        Qt::AlignRight | Qt::AlignVCenter, sizeFont,
        line.type == LineType::Title ? colour("textSecondary") : pen, line.size);
    if (!line.story.isEmpty())
        drawText(painter,
            QRectF(name.left(), name.bottom(), line.rect.right() - name.left(),
                lineHeight(smallFont())),
            Qt::AlignLeft, smallFont(), colour("textSecondary"), line.story);
}

} // namespace

void paintLayer(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    if (picture.isEmpty())
        return;
    painter.save();
    painter.setClipRect(
        geometry.plot.adjusted(-6, -2, 6, geometry.axis.height()), Qt::IntersectClip);
    paintLives(painter, picture, geometry, overlay.hoveredBuffer,
        QPen(Palette::current().selection("hover"), 1.5));
    paintLives(
        painter, picture, geometry, overlay.buffer, QPen(Palette::current().selection("ring"), 2));
    paintLifeBars(painter, picture, geometry, overlay.buffer);
    paintRings(painter, picture, geometry, overlay);
    if (std::ranges::find(overlay.selected, 1) != overlay.selected.end())
        for (const Arrow& arrow : arrows(picture, geometry, &overlay.selected))
            paintArrow(painter, arrow, colour("text"));
    if (overlay.range)
        paintRange(painter, geometry, *overlay.range);
    paintMarks(painter, picture, geometry, overlay);
    painter.restore();
    paintRangeRow(painter, picture, geometry, overlay);
    paintFocus(painter, picture, geometry, overlay.focusedTrack);
}

void paintMoment(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    if (picture.isEmpty())
        return;
    paintCursor(painter, picture, geometry, overlay);
    if (geometry.list.isNull())
        return;
    painter.fillRect(geometry.list, colour("window"));
    painter.setPen(colour("separator"));
    painter.drawLine(geometry.list.topLeft(), geometry.list.bottomLeft());
    for (const ListLine& line : listLines(picture, geometry, overlay.list()))
        paintLine(painter, picture, line, overlay.buffer);
}

} // namespace fivefold::views::timeline
