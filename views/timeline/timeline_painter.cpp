// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;

namespace {

/// Share of the level's hue that a buffer kind has; KV cache also carries dots.
constexpr std::array<double, kKinds> kKindShare = {1.0, 0.6, 0.6, 0.3};
constexpr double kCriticalHeight = 3;
constexpr std::size_t kMostArrows = 200;

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

QColor colour(const char* role) {
    return Palette::current().role(role);
}

QColor blend(const QColor& below, const QColor& above, double share) {
    const auto mix = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return {mix(below.red(), above.red()), mix(below.green(), above.green()),
        mix(below.blue(), above.blue())};
}

QColor kindColour(machines::MemoryKind level, std::size_t kind) {
    return blend(colour("canvas"), Palette::current().memoryLevel(level), kKindShare[kind]);
}

void drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
    const QColor& pen, const QString& text) {
    painter.setFont(font);
    painter.setPen(pen);
    painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
        QFontMetrics(font).elidedText(text, Qt::ElideRight, qRound(std::max(0.0, rect.width()))));
}

void paintStretches(QPainter& painter, const std::vector<Stretch>& stretches,
    machines::MemoryKind level, const QRectF& plot, double top, bool hasLine) {
    const auto y = [&](double bytes) { return plot.bottom() - bytes / top * plot.height(); };
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false); // no seams between neighbours
    for (const Stretch& stretch : stretches) {
        double below = 0;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (stretch.bytes[kind] <= 0)
                continue;
            const QRectF rect(QPointF(stretch.left, y(below + stretch.bytes[kind])),
                QPointF(stretch.right, y(below)));
            painter.fillRect(rect, kindColour(level, kind));
            if (static_cast<Kind>(kind) == Kind::KvCache) {
                painter.fillRect(rect, QBrush(colour("text"), Qt::Dense7Pattern));
            }
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
        const QColor fill = kindColour(picture.bands[place.band].kind,
            static_cast<std::size_t>(kindOf(buffers[label.buffer].category)));
        drawText(
            painter, label.rect, Qt::AlignCenter, smallFont(), Palette::textOn(fill), label.text);
    }
}

void paintPeak(
    QPainter& painter, const Geometry& geometry, const Band& band, const BandPlace& place) {
    const double x = geometry.toX(band.peakAt);
    if (x < place.plot.left() || x > place.plot.right() || place.plot.height() < 40)
        return;
    const double y = place.plot.bottom()
        - static_cast<double>(band.peak.value) / place.top * place.plot.height() - 2;
    QPainterPath triangle(QPointF(x, y));
    triangle.lineTo(x - 4, y - 6);
    triangle.lineTo(x + 4, y - 6);
    triangle.closeSubpath();
    painter.fillPath(triangle, colour("text"));
}

void paintBand(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const BandPlace& place) {
    const Band& band = picture.bands[place.band];
    painter.save();
    painter.setClipRect(place.plot.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    const auto stretches = curve(band, geometry, geometry.view.low, geometry.view.high,
        place.plot.left(), place.plot.right());
    paintStretches(painter, stretches, band.kind, place.plot, place.top, true);
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
    words.setLeft(
        std::max(words.left(), words.right() - textWidth(smallFont(), place.capacityText) - 4));
    QColor backing = colour("canvas");
    backing.setAlphaF(0.75F); // the curve may reach the words in a low band
    painter.fillRect(words.adjusted(-2, 0, 2, 0), backing);
    drawText(
        painter, words, Qt::AlignRight | Qt::AlignVCenter, smallFont(), pen, place.capacityText);

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

QRectF markRect(const PlacedMark& mark, const RowPlace& place) {
    return {mark.left, place.plot.top() + 1, std::max(1.0, mark.right - mark.left),
        place.plot.height() - 2};
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

void paintRow(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const RowPlace& place, const Options& options) {
    const Row& row = picture.rows[place.row];
    painter.setPen(colour("separator"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.plot);
    drawText(painter, place.label, Qt::AlignLeft | Qt::AlignVCenter, smallFont(), colour("text"),
        row.name);
    painter.save();
    painter.setClipRect(place.plot, Qt::IntersectClip);
    for (const PlacedMark& placed : placedMarks(row, geometry)) {
        const Mark& mark = row.marks[placed.first];
        const QRectF rect = markRect(placed, place);
        const LensMark lens = options.lens.event(mark.event);
        const QColor fill = lens.fill.isValid() ? lens.fill : colour("canvas");
        painter.fillRect(rect, fill);
        if (!lens.fill.isValid())
            paintHatch(painter, rect, colour("hatch"), true);
        if (options.criticalPath && placed.isCritical)
            painter.fillRect(
                QRectF(rect.left(), rect.bottom() - kCriticalHeight, rect.width(), kCriticalHeight),
                colour("text"));
        if (placed.count > 1 || rect.width() < 24)
            continue;
        QString name = shortName(picture.result->program.steps[mark.step].name);
        if (options.lens.lens() == Lens::DecidedBy)
            name = lens.word + u' ' + name;
        const double visible =
            std::min(rect.right(), place.plot.right()) - std::max(rect.left(), place.plot.left());
        const QString text = fittedName(name, qRound(visible) - 6);
        if (!text.isEmpty())
            drawText(painter, rect.intersected(place.plot), Qt::AlignCenter, smallFont(),
                Palette::textOn(fill), text);
    }
    painter.restore();
}

QRectF tickRect(const Geometry& geometry, const Tick& tick) {
    const double width = textWidth(smallFont(), tick.text) + 2;
    const double left =
        std::clamp(tick.x - width / 2, geometry.axis.left() - 2, geometry.size.width() - width - 2);
    return {left, geometry.axis.top() + 5, width, static_cast<double>(lineHeight(smallFont()))};
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

void paintOverview(QPainter& painter, const Picture& picture, const Geometry& geometry) {
    if (geometry.overview.isNull() || picture.bands.empty())
        return;
    const QRectF& rect = geometry.overview;
    const Band& band = picture.bands.front();
    const auto stretches = curve(band, geometry, 0, picture.length, rect.left(), rect.right());
    paintStretches(painter, stretches, band.kind, rect,
        static_cast<double>(std::max<std::int64_t>(1, band.peak.value)) * 1.1, false);
    const double left = rect.left() + geometry.view.low / picture.length * rect.width();
    const double right = rect.left() + geometry.view.high / picture.length * rect.width();
    QColor veil = colour("canvas");
    veil.setAlpha(160);
    painter.fillRect(QRectF(rect.topLeft(), QPointF(left, rect.bottom())), veil);
    painter.fillRect(QRectF(QPointF(right, rect.top()), rect.bottomRight()), veil);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour("text"), 1));
    painter.drawRect(
        QRectF(QPointF(left, rect.top()), QPointF(std::max(left + 2, right), rect.bottom())));
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

const RowPlace* placeOfResource(
    const Picture& picture, const Geometry& geometry, lowering::ResourceId resource) {
    for (const RowPlace& place : geometry.rows)
        if (picture.rows[place.row].resource == resource)
            return &place;
    return nullptr;
}

void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to) {
    QPainterPath path(from);
    const double bend = std::max(8.0, std::abs(to.x() - from.x()) / 2);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.setPen(QPen(colour("text"), 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    QPainterPath head(to);
    head.lineTo(to + QPointF(-6, -3.5));
    head.lineTo(to + QPointF(-6, 3.5));
    head.closeSubpath();
    painter.fillPath(head, colour("text"));
}

void paintDependencies(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    const auto& events = picture.result->program.events;
    std::size_t drawn = 0;
    for (const RowPlace& place : geometry.rows)
        for (const Mark& mark : picture.rows[place.row].marks) {
            if (mark.step.index() >= overlay.selected.size()
                || !overlay.selected[mark.step.index()])
                continue;
            for (const auto before : events[mark.event].depends) {
                if (!events.contains(before) || drawn >= kMostArrows)
                    continue;
                if (const RowPlace* other =
                        placeOfResource(picture, geometry, events[before].resource)) {
                    paintArrow(painter,
                        {geometry.toX(picture.toAxis(events[before].end)),
                            other->plot.center().y()},
                        {geometry.toX(mark.start), place.plot.center().y()});
                    ++drawn;
                }
            }
        }
}

void paintRings(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    const auto is = [](const std::vector<char>& steps, lowering::StepId step) {
        return step.index() < steps.size() && steps[step.index()];
    };
    for (const RowPlace& place : geometry.rows) {
        const Row& row = picture.rows[place.row];
        for (const PlacedMark& placed : placedMarks(row, geometry)) {
            const Mark& mark = row.marks[placed.first];
            QRectF rect = markRect(placed, place);
            if (rect.width() < 3)
                rect.adjust(-1, 0, 1, 0);
            if (is(overlay.selected, mark.step))
                paintSelectionRing(
                    painter, rect, !overlay.current.isValid() || mark.event == overlay.current, 2);
            else if (is(overlay.hovered, mark.step))
                paintHoverOutline(painter, rect, 2);
        }
    }
}

/// A bar at the foot of its band shows how long the selected tensor lives.
void paintLifetime(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    if (!overlay.buffer.isValid())
        return;
    for (const auto& buffer : picture.result->program.buffers) {
        if (buffer.value != overlay.buffer)
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

void paintCursor(
    QPainter& painter, const Picture& picture, const Geometry& geometry, base::Picoseconds cursor) {
    const double x = geometry.toX(picture.toAxis(cursor));
    if (x < geometry.plot.left() - 0.5 || x > geometry.plot.right() + 0.5)
        return;
    painter.setPen(QPen(colour("text"), 1.5));
    painter.drawLine(QPointF(x, geometry.plot.top()), QPointF(x, geometry.axis.top() + 4));
    const QString text = formatTime(cursor);
    const double width = textWidth(boldFont(), text) + 12;
    const double height = std::min<double>(lineHeight(boldFont()) + 2, geometry.axis.height() - 2);
    const QRectF flag(
        std::clamp(x - width / 2, 2.0, std::max(2.0, geometry.plot.right() + 6 - width)),
        geometry.axis.top() + 3, width, height);
    for (const Tick& tick : geometry.ticks) // no half labels beside the flag
        if (tickRect(geometry, tick).intersects(flag))
            painter.fillRect(tickRect(geometry, tick), colour("canvas"));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour("text"));
    painter.drawRoundedRect(flag, 2, 2);
    drawText(painter, flag, Qt::AlignCenter, boldFont(), colour("canvas"), text);
}

void paintList(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Overlay& overlay) {
    if (geometry.list.isNull())
        return;
    painter.fillRect(geometry.list, colour("window"));
    painter.setPen(colour("separator"));
    painter.drawLine(geometry.list.topLeft(), geometry.list.bottomLeft());
    const auto& buffers = picture.result->program.buffers;
    bool isFirst = true;
    for (const ListLine& line : listLines(picture, geometry, overlay.cursor)) {
        const bool isSelected = line.buffer.isValid()
            && buffers[line.buffer].value == overlay.buffer && overlay.buffer.isValid();
        if (isSelected) {
            painter.fillRect(line.rect.adjusted(-6, 0, 6, 0), Palette::current().selection("row"));
            painter.fillRect(QRectF(line.rect.left() - 6, line.rect.top(), 3, line.rect.height()),
                Palette::current().selection("ring"));
        }
        const QFont font = isFirst ? boldFont() : line.isHeading ? smallFont() : bodyFont();
        const QColor pen = line.isHeading && !isFirst ? colour("textSecondary") : colour("text");
        const double height = lineHeight(font) + 2;
        const double sizeWidth = textWidth(font, line.size) + 4;
        QRectF name(
            line.rect.left(), line.rect.top() + 1, line.rect.width() - sizeWidth - 4, height);
        if (line.buffer.isValid()) {
            const auto level = buffers[line.buffer].level;
            const auto& memories = picture.result->machine().memories;
            const auto memory =
                level < memories.size() ? memories[level].kind : machines::MemoryKind::Device;
            painter.fillRect(QRectF(name.left(), name.center().y() - 5, 10, 10),
                kindColour(
                    memory, static_cast<std::size_t>(kindOf(buffers[line.buffer].category))));
            name.setLeft(name.left() + 16);
        }
        drawText(painter, name, Qt::AlignLeft | Qt::AlignVCenter, font, pen, line.name);
        drawText(painter, QRectF(line.rect.right() - sizeWidth, name.top(), sizeWidth, height),
            Qt::AlignRight | Qt::AlignVCenter, isFirst ? smallFont() : font,
            isFirst ? colour("textSecondary") : pen, line.size);
        if (!line.story.isEmpty())
            drawText(painter,
                QRectF(name.left(), name.bottom(), line.rect.right() - name.left(),
                    lineHeight(smallFont())),
                Qt::AlignLeft, smallFont(), colour("textSecondary"), line.story);
        isFirst = false;
    }
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
    paintAxis(painter, geometry);
    paintHidden(painter, geometry);
}

void paintOverlay(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const Options& options, const Overlay& overlay) {
    if (picture.isEmpty())
        return;
    painter.save();
    painter.setClipRect(
        geometry.plot.adjusted(-6, -2, 6, geometry.axis.height()), Qt::IntersectClip);
    paintLifetime(painter, picture, geometry, overlay);
    paintRings(painter, picture, geometry, overlay);
    if (options.dependencies)
        paintDependencies(painter, picture, geometry, overlay);
    if (overlay.range)
        paintRange(painter, geometry, *overlay.range);
    painter.restore();
    paintCursor(painter, picture, geometry, overlay.cursor);
    paintList(painter, picture, geometry, overlay);
}

Legend legend(const Picture& picture, const Options& options) {
    Legend entries;
    if (picture.isEmpty())
        return entries;
    std::array<bool, kKinds> isUsed{};
    for (const Band& band : picture.bands)
        for (const Sample& sample : band.samples)
            for (std::size_t kind = 0; kind < kKinds; ++kind)
                isUsed[kind] = isUsed[kind] || sample.bytes[kind] > 0;
    const QString names[] = {tr("weights"), tr("KV cache"), tr("activations"), tr("scratch")};
    const auto level =
        picture.bands.empty() ? machines::MemoryKind::Device : picture.bands.front().kind;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (isUsed[kind])
            entries << LegendEntry{
                names[kind], [level, kind](QPainter& painter, const QRectF& rect) {
                    painter.fillRect(rect, kindColour(level, kind));
                    if (static_cast<Kind>(kind) == Kind::KvCache)
                        painter.fillRect(rect, QBrush(colour("text"), Qt::Dense7Pattern));
                }};
    if (options.criticalPath)
        entries << LegendEntry{
            tr("critical path"), [](QPainter& painter, const QRectF& rect) {
                painter.fillRect(
                    QRectF(rect.left(), rect.center().y() - 1.5, rect.width(), 3), colour("text"));
            }};
    if (options.lens.lens() != Lens::OperatorClass) {
        entries << lensLegend(options.lens.lens());
        return entries;
    }
    std::array<bool, 6> classes{};
    for (const Row& row : picture.rows)
        for (const Mark& mark : row.marks)
            classes[static_cast<std::size_t>(mark.opClass)] = true;
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (classes[c])
            entries << classEntry(static_cast<ir::OpClass>(c));
    return entries;
}

QString footnote(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const auto& totals = picture.result->totals;
    QString text = tr("total %1").arg(formatTime(picture.end));
    if (totals.unknownSteps > 0)
        text = tr("at least %1, %2 of unknown time")
                   .arg(formatTime(picture.end), formatCount(totals.unknownSteps));
    return text + QStringLiteral(" · ") + validationText(*picture.result);
}

} // namespace fivefold::views::timeline
