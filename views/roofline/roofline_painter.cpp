// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QPaintEngine>
#include <QPixmap>

#include <algorithm>
#include <map>
#include <tuple>

namespace fivefold::views::roofline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

constexpr double kGapBar = 36;
/// From so many dots on they are stamped from pictures, not drawn.
constexpr std::size_t kStampFrom = 400;

QRectF around(const PlacedDot& dot) {
    return {dot.centre - QPointF(dot.radius, dot.radius), QSizeF(2 * dot.radius, 2 * dot.radius)};
}

bool isVector(const QPainter& painter) {
    const auto type = painter.paintEngine() ? painter.paintEngine()->type() : QPaintEngine::Raster;
    return type != QPaintEngine::Raster;
}

/// The mark of a bound; hollow where no memory roof holds for the step.
void paintDot(QPainter& painter, const QRectF& rect, lowering::Bound bound, bool isHollow) {
    const Palette& palette = Palette::current();
    paintBoundGlyph(painter, rect, bound, palette.bound(bound));
    if (!isHollow)
        return;
    const double rim = std::min(1.5, rect.width() / 4);
    paintBoundGlyph(painter, rect.adjusted(rim, rim, -rim, -rim), bound, palette.role("canvas"));
}

/// One picture of a dot of a bound and a radius (in half pixels).
QPixmap stamp(lowering::Bound bound, int halfPixels, bool isHollow, qreal ratio) {
    const double radius = halfPixels / 2.0;
    const int side = qCeil(2 * radius) + 2;
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintDot(painter, QRectF(side / 2.0 - radius, side / 2.0 - radius, 2 * radius, 2 * radius),
        bound, isHollow);
    return pixmap;
}

void paintDots(QPainter& painter, const Frame& frame) {
    const QRectF plot = frame.chart.plotArea();
    const bool isStamped = frame.dots.size() >= kStampFrom && !isVector(painter);
    const qreal ratio = painter.device()->devicePixelRatioF();
    std::map<std::tuple<int, int, bool>, QPixmap> stamps;
    for (std::size_t d = frame.dots.size(); d-- > 0;) { // the longest step on top
        const PlacedDot& dot = frame.dots[d];
        if (!plot.contains(dot.centre))
            continue;
        const lowering::Bound bound = frame.picture.dots[d].bound;
        const bool isHollow = frame.picture.dots[d].isWithoutRoof;
        if (!isStamped) {
            paintDot(painter, around(dot), bound, isHollow);
            continue;
        }
        const int halfPixels = qRound(2 * dot.radius);
        QPixmap& pixmap = stamps[{static_cast<int>(bound), halfPixels, isHollow}];
        if (pixmap.isNull())
            pixmap = stamp(bound, halfPixels, isHollow, ratio);
        // Whole pixels: stamping between them costs ten times as much.
        const QSizeF size = pixmap.deviceIndependentSize();
        painter.drawPixmap(
            (dot.centre - QPointF(size.width(), size.height()) / 2).toPoint(), pixmap);
    }
}

void paintCap(QPainter& painter, const Frame& frame, std::size_t d) {
    const Dot& dot = frame.picture.dots[d];
    if (!dot.cap || !(*dot.cap > 0))
        return;
    const QPointF at = frame.chart.toPixel({dot.intensity, *dot.cap});
    if (!frame.chart.plotArea().contains(at))
        return;
    const QColor color = Palette::current().bound(lowering::Bound::Scheduling);
    painter.setPen(dashedPen(color, 1, {1, 3}));
    painter.drawLine(at, frame.dots[d].centre);
    painter.setPen(QPen(color, 3, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(at - QPointF(kCapHalfWidth, 0), at + QPointF(kCapHalfWidth, 0));
}

/// The selected step at its other memory levels, joined.
void paintLevels(QPainter& painter, const Frame& frame, std::size_t d) {
    const Dot& dot = frame.picture.dots[d];
    const Palette& palette = Palette::current();
    QVector<QPointF> points;
    for (const auto& [level, intensity] : dot.levels)
        points.push_back(frame.chart.toPixel({intensity, dot.achieved}));
    if (points.size() < 2)
        return;
    painter.setPen(QPen(palette.role("text"), 1));
    painter.drawPolyline(points.data(), static_cast<int>(points.size()));
    painter.setBrush(palette.role("canvas"));
    for (qsizetype p = 0; p < points.size(); ++p) {
        if (dot.levels[static_cast<std::size_t>(p)].first == dot.level)
            continue;
        painter.setPen(QPen(palette.bound(dot.bound), 2));
        painter.drawEllipse(points[p], 5, 5);
    }
    painter.setBrush(Qt::NoBrush);
}

void paintLabel(
    QPainter& painter, const PlacedLabel& label, const QColor& color, const QFont& font) {
    painter.save();
    painter.translate(label.anchor);
    painter.rotate(label.angle);
    painter.translate(-label.anchor);
    // Words stay readable over lines and dots.
    QColor backdrop = Palette::current().role("canvas");
    backdrop.setAlphaF(0.75F);
    painter.fillRect(label.rect, backdrop);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(label.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label.text);
    painter.restore();
}

void paintRoofLabel(QPainter& painter, const PlacedLabel& label, const Roof& roof) {
    const Palette& palette = Palette::current();
    const QColor color = roof.isMemory ? palette.memoryLevel(roof.kind)
        : roof.isCurrent               ? palette.role("text")
                                       : palette.role("textSecondary");
    painter.save();
    painter.translate(label.anchor);
    painter.rotate(label.angle);
    painter.translate(-label.anchor);
    const QRectF mark(label.rect.left(), label.rect.top(), 12, label.rect.height());
    paintStatusGlyph(painter, mark, roof.status, palette.role("textSecondary"));
    painter.restore();
    PlacedLabel text = label;
    text.rect.setLeft(text.rect.left() + 16);
    const bool isPale = roof.isMemory && roof.kind == machines::MemoryKind::Device;
    paintLabel(painter, text, isPale ? palette.role("textSecondary") : color, smallFont());
}

} // namespace

void setRoofs(Frame& frame) {
    const Palette& palette = Palette::current();
    const AxisRanges ranges{frame.chart.xRange(), frame.chart.yRange()};
    QVector<ChartLine> lines;
    for (const auto& roof : frame.picture.roofs) {
        if (!isShown(frame.picture, roof, frame.options, frame.selected))
            continue;
        ChartLine line;
        line.points = roofLine(
            frame.picture, roof, ranges, flatStart(frame.picture, frame.options, frame.selected));
        if (line.points.isEmpty())
            continue;
        if (roof.isMemory) {
            line.color = palette.memoryLevel(roof.kind);
            line.width = 2;
            line.dash = Palette::dash(roof.kind);
        } else {
            line.color = palette.role(roof.isCurrent ? "text" : "textSecondary");
            line.width = roof.isCurrent ? 2 : 1;
            if (!roof.isCurrent)
                line.dash = {1, 3};
        }
        lines.push_back(line);
    }
    frame.chart.setLines(lines);
}

void paintBase(QPainter& painter, Frame& frame) {
    painter.setRenderHint(QPainter::Antialiasing);
    frame.chart.paint(painter);
    paintDots(painter, frame);
}

void paintOverlay(QPainter& painter, const Frame& frame) {
    const Palette& palette = Palette::current();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = frame.chart.plotArea();
    auto taken = placeRoofLabels(frame.picture, frame.chart, frame.options, frame.selected);
    for (const auto& label : taken)
        paintRoofLabel(painter, label, frame.picture.roofs[label.item]);
    std::optional<PlacedLabel> cap;
    if (frame.selected)
        cap = placeCapLabel(frame.picture.dots[*frame.selected], frame.chart, taken);
    if (cap) {
        paintLabel(painter, *cap, palette.role("text"), smallFont());
        taken.push_back(*cap);
    }
    if (frame.options.caps)
        for (std::size_t d = 0; d < frame.dots.size() && d < 200; ++d)
            if (d != frame.selected && plot.contains(frame.dots[d].centre))
                paintCap(painter, frame, d);
    for (const std::size_t d : frame.alsoSelected)
        if (plot.contains(frame.dots[d].centre))
            paintSelectionRing(painter, around(frame.dots[d]), false, frame.dots[d].radius);
    if (frame.selected) {
        const std::size_t d = *frame.selected;
        paintCap(painter, frame, d);
        if (plot.contains(frame.dots[d].centre)) {
            paintLevels(painter, frame, d);
            paintSelectionRing(painter, around(frame.dots[d]), true, frame.dots[d].radius);
            paintDot(painter, around(frame.dots[d]), frame.picture.dots[d].bound,
                frame.picture.dots[d].isWithoutRoof);
        }
    }
    for (const auto& label : placeDotLabels(frame.picture, frame.dots, plot, frame.selected, taken))
        paintLabel(painter, label, palette.role(label.isBold ? "text" : "textSecondary"),
            label.isBold ? boldFont() : smallFont());
    for (const std::size_t d : frame.hovered)
        if (plot.contains(frame.dots[d].centre))
            paintHoverOutline(
                painter, around(frame.dots[d]).adjusted(-2, -2, 2, 2), frame.dots[d].radius + 2);
}

void paintGap(
    QPainter& painter, const QRectF& area, const Dot& dot, const analysis::Result& result) {
    const Palette& palette = Palette::current();
    const lowering::Estimate& estimate = result.program.steps[dot.step].estimate;
    const auto parts = gapParts(estimate, result.machine());
    painter.setPen(palette.role("separator"));
    painter.drawLine(area.topLeft(), area.topRight());
    const int line = lineHeight(bodyFont());
    QRectF row(area.left() + kPanelPadding, area.top() + 6, area.width() - 2 * kPanelPadding, line);
    painter.setPen(palette.role("text"));
    painter.setFont(boldFont());
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, tr("Where the gap goes"));
    const double titleWidth = textWidth(boldFont(), tr("Where the gap goes")) + 12;
    painter.setPen(palette.role("textSecondary"));
    painter.setFont(bodyFont());
    const QString note = tr("%1, from the work at peak to the estimate").arg(dot.name);
    painter.drawText(row.adjusted(titleWidth, 0, 0, 0),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(bodyFont())
            .elidedText(note, Qt::ElideRight, static_cast<int>(row.width() - titleWidth)));
    const QString total = formatTime(std::optional(estimate.time));
    const double totalWidth = std::max(textWidth(figureFont(), total), 64) + 12;
    const QRectF bar(row.left(), row.bottom() + 6, row.width() - totalWidth, kGapBar);
    paintGapBar(painter, bar, parts, result.machine());
    painter.setPen(palette.role("text"));
    painter.setFont(figureFont());
    const QRectF side(bar.right(), bar.top(), totalWidth, bar.height());
    painter.drawText(side, Qt::AlignRight | Qt::AlignVCenter, total);
    painter.setFont(smallFont());
    painter.setPen(palette.role("textSecondary"));
    const QRectF below(row.left(), bar.bottom() + 4, row.width(), lineHeight(smallFont()));
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(smallFont())
            .elidedText(gapText(parts), Qt::ElideRight, static_cast<int>(bar.width())));
    const QString band =
        isValidated(result) ? timeWithBand(estimate, result) : validationText(result);
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, band);
}

Legend legend(const Picture& picture, bool hasCaps) {
    Legend entries = {boundEntry(lowering::Bound::Compute), boundEntry(lowering::Bound::Memory),
        boundEntry(lowering::Bound::Scheduling)};
    if (picture.hasDotsWithoutRoof())
        entries.push_back(
            {tr("no published roof"), [](QPainter& painter, const QRectF& rect) {
                 paintDot(painter, rect.adjusted(1, 1, -1, -1), lowering::Bound::Compute, true);
             }});
    if (hasCaps)
        entries.push_back({tr("scheduling cap"), [](QPainter& painter, const QRectF& rect) {
                               painter.fillRect(
                                   QRectF(rect.left(), rect.center().y() - 1.5, rect.width(), 3),
                                   Palette::current().bound(lowering::Bound::Scheduling));
                           }});
    return entries;
}

} // namespace fivefold::views::roofline
