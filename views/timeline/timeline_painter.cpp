// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/common/type.h"
#include "views/timeline/timeline_marks.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

void paintStretches(QPainter& painter, const std::vector<Stretch>& stretches,
    machines::MemoryKind level, const QRectF& plot, double top, bool hasLine) {
    const auto y = [&](double bytes) { return plot.bottom() - bytes / top * plot.height(); };
    std::array<QColor, kKinds> fills;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        fills[kind] = kindColour(level, static_cast<Kind>(kind));
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false); // no seams between neighbours
    for (const Stretch& stretch : stretches) {
        double below = 0;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (stretch.bytes[kind] <= 0)
                continue;
            const QRectF rect(QPointF(stretch.left, y(below + stretch.bytes[kind])),
                QPointF(stretch.right, y(below)));
            painter.fillRect(rect, fills[kind]);
            if (hasCue(static_cast<Kind>(kind)))
                paintKindCue(painter, rect, static_cast<Kind>(kind));
            below += stretch.bytes[kind];
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (!hasLine || stretches.empty())
        return;
    QPainterPath path(QPointF(stretches.front().left, y(stretches.front().total())));
    for (const Stretch& stretch : stretches) {
        path.lineTo(stretch.left, y(stretch.total()));
        path.lineTo(stretch.right, y(stretch.total()));
    }
    painter.setPen(QPen(colour("text"), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void paintBufferNames(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const BandPlace& place) {
    const auto& buffers = picture.result->program.buffers;
    for (const BufferLabel& label : bufferLabels(picture, geometry, place)) {
        const QColor fill =
            kindColour(picture.bands[place.band].kind, memory::useKind(buffers[label.buffer]));
        drawText(
            painter, label.rect, Qt::AlignCenter, smallFont(), Palette::textOn(fill), label.text);
    }
}

/// The tip of the peak's sign, which stays inside the band.
QPointF peakAt(const Geometry& geometry, const Band& band, const BandPlace& place) {
    const double left = place.plot.left() + 5;
    return {std::clamp(geometry.toX(band.peakAt), left, std::max(left, place.plot.right() - 5)),
        place.plot.bottom() - static_cast<double>(band.peak.value) / place.top * place.plot.height()
            - 2};
}

void paintPeak(
    QPainter& painter, const Geometry& geometry, const Band& band, const BandPlace& place) {
    const double at = geometry.toX(band.peakAt);
    if (at < place.plot.left() || at > place.plot.right() || place.plot.height() < 40)
        return;
    const auto [x, y] =
        std::pair(peakAt(geometry, band, place).x(), peakAt(geometry, band, place).y());
    QPainterPath triangle(QPointF(x, y));
    triangle.lineTo(x - 4, y - 6);
    triangle.lineTo(x + 4, y - 6);
    triangle.closeSubpath();
    painter.fillPath(triangle, colour("text"));
    const QString word = tr("peak");
    const double width = textWidth(boldFont(), word) + 4;
    const double height = lineHeight(boldFont());
    const double left = std::clamp(x - width / 2, place.plot.left() + 2,
        std::max(place.plot.left() + 2, place.plot.right() - width - 2));
    if (y - 6 - height >= place.plot.top())
        drawText(painter, QRectF(left, y - 6 - height, width, height), Qt::AlignCenter, boldFont(),
            colour("text"), word);
}

/// The sign of a pinned track, beside its name.
void paintPin(QPainter& painter, const QRectF& label) {
    const QPointF head(label.right() - 4, label.top() + 6);
    painter.setPen(QPen(colour("text"), 1.2));
    painter.drawLine(head, head + QPointF(0, 8));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour("text"));
    painter.drawEllipse(head, 3, 3);
}

/// What is known of a cache, in words: nothing is allocated in it.
void paintCache(QPainter& painter, const Band& band, const BandPlace& place) {
    painter.setPen(dashedPen(colour("separator"), 1, Palette::dash(band.kind)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.plot);
    drawText(painter, place.plot.adjusted(6, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter,
        smallFont(), colour("textSecondary"), place.capacityText);
    drawText(painter, place.label, Qt::AlignLeft | Qt::AlignVCenter, boldFont(), colour("text"),
        band.name);
    if (place.isPinned)
        paintPin(painter, place.label);
}

void paintByteTicks(QPainter& painter, const BandPlace& place) {
    const double line = lineHeight(smallFont());
    QColor backing = colour("canvas");
    backing.setAlphaF(0.75F);
    for (const Tick& tick : place.ticks) {
        painter.setPen(colour("textSecondary"));
        painter.drawLine(
            QPointF(place.plot.left(), tick.x), QPointF(place.plot.left() + 4, tick.x));
        const QRectF words(
            place.plot.left() + 7, tick.x - line / 2, textWidth(smallFont(), tick.text) + 2, line);
        painter.fillRect(words, backing);
        drawText(painter, words, Qt::AlignLeft | Qt::AlignVCenter, smallFont(),
            colour("textSecondary"), tick.text);
    }
}

void paintBandLabel(QPainter& painter, const Band& band, const BandPlace& place) {
    if (place.isPinned)
        paintPin(painter, place.label);
    double top = place.label.top();
    const auto label = [&](const QFont& font, const QColor& color, const QString& text) {
        const double height = lineHeight(font);
        if (top + height <= place.label.bottom() + 2)
            drawText(painter, QRectF(place.label.left(), top, place.label.width(), height),
                Qt::AlignLeft, font, color, text);
        top += height + 1;
    };
    label(boldFont(), colour("text"), band.name);
    label(smallFont(), colour("textSecondary"), tr("peak %1").arg(formatBytes(band.peak)));
    if (band.capacity)
        label(smallFont(), colour("textSecondary"), tr("of %1").arg(formatBytes(*band.capacity)));
}

void paintBand(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const BandPlace& place) {
    const Band& band = picture.bands[place.band];
    if (band.isCache()) {
        paintCache(painter, band, place);
        return;
    }
    painter.save();
    painter.setClipRect(place.plot.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    const auto stretches = curve(band, geometry, geometry.view.low, geometry.view.high,
        place.plot.left(), place.plot.right());
    paintStretches(painter, stretches, band.kind, place.plot, place.top, true);
    paintByteTicks(painter, place);
    paintBufferNames(painter, picture, geometry, place);
    paintPeak(painter, geometry, band, place);
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(colour("separator"));
    painter.drawRect(place.plot);
    const double line = lineHeight(smallFont());
    QRectF words(place.plot.left() + 6, place.plot.top() + 1, place.plot.width() - 12, line);
    QColor pen = colour("textSecondary");
    if (place.capacityY) {
        pen = colour("error");
        painter.setPen(dashedPen(pen, 1.5, {6, 3}));
        painter.drawLine(QPointF(place.plot.left(), *place.capacityY),
            QPointF(place.plot.right(), *place.capacityY));
        words.moveTop(*place.capacityY + 1);
    }
    const double width = textWidth(smallFont(), place.capacityText) + 4;
    words.setLeft(std::max(words.left(), words.right() - width));
    // The words give way to the sign of the peak.
    const QPointF peak = peakAt(geometry, band, place);
    if (QRectF(words).adjusted(-8, -2, 8, 8).contains(peak)
        && peak.x() - 8 - width >= place.plot.left() + 6)
        words.moveRight(peak.x() - 8);
    QColor backing = colour("canvas");
    backing.setAlphaF(0.75F); // the curve may reach the words in a low band
    painter.fillRect(words.adjusted(-2, 0, 2, 0), backing);
    drawText(
        painter, words, Qt::AlignRight | Qt::AlignVCenter, smallFont(), pen, place.capacityText);
    paintBandLabel(painter, band, place);
}

/// The name, its last part, or the beginning of that, whichever fits; empty where a stump would be
/// left.
QString fittedName(const QString& name, int room) {
    constexpr qsizetype kShortest = 5;
    const QString last = name.section(u'/', -1);
    for (const QString& text : {name, last})
        if (textWidth(smallFont(), text) <= room)
            return text;
    const QString cut = QFontMetrics(smallFont()).elidedText(last, Qt::ElideRight, room);
    return cut.size() >= kShortest ? cut : QString();
}

void paintRowLabel(QPainter& painter, const Row& row, const RowPlace& place) {
    QRectF name = place.label;
    if (place.isPinned) {
        paintPin(painter, place.label);
        name.setRight(name.right() - 12);
    }
    const double line = lineHeight(smallFont());
    if (place.label.height() >= 2 * line + 2) {
        name.setHeight(place.label.height() / 2);
        drawText(
            painter, name, Qt::AlignLeft | Qt::AlignBottom, smallFont(), colour("text"), row.name);
        drawText(painter, name.translated(0, name.height()), Qt::AlignLeft | Qt::AlignTop,
            smallFont(), colour("textSecondary"), tr("busy %1").arg(formatShare(row.busy)));
        return;
    }
    drawText(
        painter, name, Qt::AlignLeft | Qt::AlignVCenter, smallFont(), colour("text"), row.name);
}

/// A transfer moves data, whatever its step computes. Invalid: nothing is known.
QColor fillOf(const Mark& mark, const Options& options) {
    return options.lens.lens() == Lens::OperatorClass
        ? Palette::current().operatorClass(mark.opClass)
        : options.lens.event(mark.event).fill;
}

/// Over all fills, since events of one resource may overlap; a name ends where the next begins.
void paintRowNames(QPainter& painter, const Picture& picture, const std::vector<PlacedMark>& marks,
    const RowPlace& place, const Options& options) {
    const Row& row = picture.rows[place.row];
    for (std::size_t m = 0; m < marks.size(); ++m) {
        QRectF rect = markRect(marks[m], place).intersected(place.plot);
        if (m + 1 < marks.size())
            rect.setRight(std::min(rect.right(), markRect(marks[m + 1], place).left()));
        if (m > 0)
            rect.setLeft(std::max(rect.left(), markRect(marks[m - 1], place).right()));
        if (marks[m].count > 1 || rect.width() < 24)
            continue;
        const Mark& mark = row.marks[marks[m].first];
        QString name = shortName(picture.result->program.steps[mark.step].name);
        if (options.lens.lens() == Lens::DecidedBy)
            name = options.lens.event(mark.event).word + u' ' + name;
        const QString text = fittedName(name, qRound(rect.width()) - 6);
        const QColor fill = fillOf(mark, options);
        if (!text.isEmpty())
            drawText(painter, rect, Qt::AlignCenter, smallFont(),
                Palette::textOn(fill.isValid() ? fill : colour("canvas")), text);
    }
}

void paintRow(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const RowPlace& place, const Options& options) {
    const Row& row = picture.rows[place.row];
    painter.setPen(colour("separator"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.plot);
    paintRowLabel(painter, row, place);
    painter.save();
    painter.setClipRect(place.plot, Qt::IntersectClip);
    const QColor canvas = colour("canvas"), ink = colour("text");
    const auto marks = placedMarks(row, geometry);
    for (const PlacedMark& placed : marks) {
        const QRectF rect = markRect(placed, place);
        const QColor fill = fillOf(row.marks[placed.first], options);
        painter.fillRect(rect, fill.isValid() ? fill : canvas);
        if (!fill.isValid())
            paintHatch(painter, rect, colour("hatch"), true);
        if (options.criticalPath && placed.isCritical)
            painter.fillRect(
                QRectF(rect.left(), rect.bottom() - kCriticalHeight, rect.width(), kCriticalHeight),
                ink);
    }
    paintRowNames(painter, picture, marks, place, options);
    painter.restore();
}

void paintAxis(QPainter& painter, const Geometry& geometry) {
    painter.setPen(colour("textSecondary"));
    painter.drawLine(geometry.axis.topLeft(), geometry.axis.topRight());
    for (const Tick& tick : geometry.ticks) {
        painter.setPen(colour("textSecondary"));
        painter.drawLine(
            QPointF(tick.x, geometry.axis.top()), QPointF(tick.x, geometry.axis.top() + 4));
        drawText(painter, tickRect(geometry, tick), Qt::AlignCenter, smallFont(),
            colour("textSecondary"), tick.text);
    }
}

/// Says that a locked scale cuts what is there.
void paintFrozen(QPainter& painter, const Geometry& geometry) {
    if (!geometry.isCut)
        return;
    const QString text = tr("frozen");
    const double width = textWidth(smallFont(), text) + 10;
    const QRectF tag(geometry.plot.right() - width - 4, geometry.plot.top() + 18, width,
        lineHeight(smallFont()) + 2);
    painter.setPen(QPen(colour("text"), 1));
    painter.setBrush(colour("canvas"));
    painter.drawRect(tag);
    drawText(painter, tag, Qt::AlignCenter, smallFont(), colour("text"), text);
}

void paintOverview(QPainter& painter, const Picture& picture, const Geometry& geometry) {
    if (geometry.overview.isNull())
        return;
    const QRectF& rect = geometry.overview;
    const auto band = std::ranges::find_if(
        picture.bands, [](const Band& candidate) { return !candidate.samples.empty(); });
    if (band != picture.bands.end()) {
        const auto stretches = curve(*band, geometry, 0, picture.length, rect.left(), rect.right());
        paintStretches(painter, stretches, band->kind, rect,
            static_cast<double>(std::max<std::int64_t>(1, band->peak.value)) * 1.1, false);
    }
    const QRectF window = geometry.window(picture.length);
    QColor veil = colour("canvas");
    veil.setAlpha(160);
    painter.fillRect(QRectF(rect.topLeft(), window.bottomLeft()), veil);
    painter.fillRect(QRectF(window.topRight(), rect.bottomRight()), veil);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour("text"), 1));
    painter.drawRect(window);
    painter.setBrush(colour("canvas"));
    for (const double x : {window.left(), window.right()})
        painter.drawRoundedRect(QRectF(std::clamp(x, rect.left() + 2, rect.right() - 2) - 2.5,
                                    window.center().y() - 7, 5, 14),
            2, 2);
    drawText(painter, QRectF(8, rect.top(), rect.left() - 16, rect.height()),
        Qt::AlignLeft | Qt::AlignVCenter, smallFont(), colour("textSecondary"), tr("overview"));
}

void paintHidden(QPainter& painter, const Geometry& geometry) {
    if (geometry.hiddenBands + geometry.hiddenRows == 0)
        return;
    const QString text = tr("+ %1").arg(geometry.hiddenBands + geometry.hiddenRows);
    drawText(painter,
        QRectF(8, geometry.axis.top() + 5, geometry.axis.left() - 12, lineHeight(smallFont())),
        Qt::AlignLeft, smallFont(), colour("textSecondary"), text + tr(" hidden"));
}

} // namespace

void paintBase(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Options& options) {
    if (picture.isEmpty())
        return;
    paintOverview(painter, picture, geometry);
    for (const BandPlace& place : geometry.bands)
        paintBand(painter, picture, geometry, place);
    for (const RowPlace& place : geometry.rows)
        paintRow(painter, picture, geometry, place, options);
    if (options.dependencies) {
        painter.save();
        painter.setClipRect(geometry.plot.adjusted(-6, 0, 6, 0), Qt::IntersectClip);
        for (const Arrow& arrow : arrows(picture, geometry, nullptr))
            paintArrow(painter, arrow, colour("textSecondary"));
        painter.restore();
    }
    paintAxis(painter, geometry);
    paintHidden(painter, geometry);
    paintFrozen(painter, geometry);
}

namespace {

void addClasses(Legend& entries, const Picture& picture) {
    std::array<bool, 6> classes{};
    for (const Row& row : picture.rows)
        for (const Mark& mark : row.marks)
            classes[static_cast<std::size_t>(mark.opClass)] = true;
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (classes[c])
            entries << classEntry(static_cast<ir::OpClass>(c));
}

} // namespace

Legend legend(const Picture& picture, const Options& options) {
    Legend entries;
    if (picture.isEmpty())
        return entries;
    std::array<bool, kKinds> isUsed{};
    for (const Band& band : picture.bands)
        for (const Sample& sample : band.samples)
            for (std::size_t kind = 0; kind < kKinds; ++kind)
                isUsed[kind] = isUsed[kind] || sample.bytes[kind] > 0;
    const auto level =
        picture.bands.empty() ? machines::MemoryKind::Device : picture.bands.front().kind;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (isUsed[kind])
            entries << LegendEntry{kindName(static_cast<Kind>(kind)),
                [level, kind](QPainter& painter, const QRectF& rect) {
                    painter.fillRect(rect, kindColour(level, static_cast<Kind>(kind)));
                    paintKindCue(painter, rect, static_cast<Kind>(kind));
                }};
    // Colours first: what does not fit into a narrow panel is left out at the end.
    if (options.lens.lens() != Lens::OperatorClass)
        entries << lensLegend(options.lens.lens());
    else
        addClasses(entries, picture);
    if (std::ranges::any_of(picture.bands,
            [](const Band& band) { return !band.isCache() && band.hasCapacityInScale(); }))
        entries << LegendEntry{tr("capacity"), [](QPainter& painter, const QRectF& rect) {
                                   painter.setPen(dashedPen(colour("error"), 1.5, {6, 3}));
                                   painter.drawLine(QPointF(rect.left() - 1, rect.center().y()),
                                       QPointF(rect.right() + 1, rect.center().y()));
                               }};
    if (options.criticalPath)
        entries << LegendEntry{
            tr("critical path"), [](QPainter& painter, const QRectF& rect) {
                painter.fillRect(
                    QRectF(rect.left(), rect.center().y() - 1.5, rect.width(), 3), colour("text"));
            }};
    return entries;
}

QString footnote(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const auto& totals = picture.result->totals;
    if (totals.unknownSteps > 0)
        return tr("at least %1, %2 of unknown time · %3")
            .arg(formatTime(picture.end), formatCount(totals.unknownSteps),
                validationText(*picture.result));
    const QString time = totals.low && totals.high
        ? timeBetween(totals.time, *totals.low, *totals.high)
        : formatTime(picture.end);
    return tr("estimate %1 · %2").arg(time, validationText(*picture.result));
}

} // namespace fivefold::views::timeline
