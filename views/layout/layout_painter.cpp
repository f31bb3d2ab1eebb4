// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_painter.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;

namespace {

constexpr double kDataShare = 0.3; ///< of the level's hue in a full cell
constexpr double kLabelCell = 22; ///< narrowest unit with a name in it

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

QColor blend(const QColor& below, const QColor& above, double share) {
    const auto mix = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return {mix(below.red(), above.red()), mix(below.green(), above.green()),
        mix(below.blue(), above.blue())};
}

struct Colours {
    explicit Colours(const Picture& picture)
        : strong(Palette::current().memoryLevel(picture.memory))
        , canvas(Palette::current().role("canvas"))
        , data(blend(canvas, strong, kDataShare))
        , line(Palette::current().role("nodeBorder"))
        , hatch(Palette::current().role("hatch"))
        , text(Palette::current().role("text"))
        , muted(Palette::current().role("textSecondary")) { }
    QColor strong, canvas, data, line, hatch, text, muted;
};

void paintUnits(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    if (geometry.unitsRect.isNull())
        return;
    if (geometry.isUnitMapDense) {
        painter.setPen(colours.line);
        painter.setBrush(colours.data);
        painter.drawRect(geometry.unitsRect);
        const QRectF here = geometry.denseUnit(view.place.unit);
        painter.fillRect(here, colours.strong);
        paintSelectionRing(painter, here, true, 0);
        return;
    }
    painter.setFont(smallFont());
    for (const UnitCell& cell : geometry.units) {
        painter.fillRect(cell.rect, cell.isUsed ? colours.data : colours.canvas);
        if (!cell.isUsed)
            paintHatch(painter, cell.rect, colours.hatch);
        painter.setPen(colours.line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell.rect);
        const QString name = picture.words.unitLetter + QString::number(cell.unit);
        if (cell.rect.height() >= 11
            && cell.rect.width()
                >= std::max<double>(kLabelCell, textWidth(smallFont(), name) + 4)) {
            painter.setPen(colours.text);
            painter.drawText(cell.rect, Qt::AlignCenter, name);
        }
    }
    if (const UnitCell* cell = geometry.unitCell(view.place.unit))
        paintSelectionRing(painter, cell->rect, true, 0);
}

void paintLines(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const Colours& colours, Lens lens) {
    const std::int64_t lanes = std::max<std::int64_t>(1, picture.grid->lanes());
    for (const LineCell& cell : geometry.lines) {
        const QRectF inner = cell.rect.adjusted(1, 1, -1, -1);
        const double share = static_cast<double>(cell.realLanes) / static_cast<double>(lanes);
        QColor fill = cell.realLanes < lanes && cell.realLanes > 0 ? colours.strong : colours.data;
        if (lens == Lens::Padding)
            fill = Palette::current().sequential(1 - share);
        QRectF real = inner;
        real.setWidth(share > 0 ? std::max(2.0, inner.width() * share) : 0);
        if (cell.realLanes < lanes)
            paintHatch(painter, inner, colours.hatch);
        if (real.width() > 0)
            painter.fillRect(real, fill);
        painter.setPen(colours.line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(inner);
    }
}

/// How many lanes of the line are padding, over the widest run of them.
void paintPaddingLabel(QPainter& painter, const QRectF& run, std::int64_t lanes,
    const Picture& picture, const Colours& colours) {
    const Grid& grid = *picture.grid;
    const std::int64_t bytes = lanes * grid.packs() * grid.layout().elementBits / 8;
    const QString text =
        tr("%1 lanes of padding · %2").arg(formatCount(lanes), formatBytes(base::Bytes(bytes)));
    const int width = textWidth(smallFont(), text) + 8;
    if (width + 4 > run.width())
        return;
    const QRectF pill(run.center().x() - width / 2.0, run.center().y() - 7, width, 14);
    painter.fillRect(pill, colours.canvas);
    painter.setFont(smallFont());
    painter.setPen(colours.text);
    painter.drawText(pill, Qt::AlignCenter, text);
}

void paintLaneFills(
    QPainter& painter, const Geometry& geometry, int packs, const Colours& colours) {
    for (const LaneCell& cell : geometry.lanes) {
        if (cell.realPacks < packs)
            paintHatch(painter, cell.rect, colours.hatch);
        QRectF real = cell.rect;
        real.setWidth(cell.rect.width() * cell.realPacks / std::max(1, packs));
        if (cell.realPacks > 0)
            painter.fillRect(real, colours.data);
    }
}

void paintLaneBorders(
    QPainter& painter, const Geometry& geometry, int packs, const Colours& colours) {
    const QColor faint = blend(colours.canvas, colours.line, 0.5);
    painter.setBrush(Qt::NoBrush);
    for (const LaneCell& cell : geometry.lanes) {
        painter.setPen(cell.realPacks > 0 ? colours.line : faint);
        painter.drawRect(cell.rect);
        painter.setPen(faint);
        for (int p = 1; p < packs && cell.rect.width() >= 4 * packs; ++p) {
            const double x = cell.rect.left() + cell.rect.width() * p / packs;
            painter.drawLine(QPointF(x, cell.rect.top()), QPointF(x, cell.rect.bottom()));
        }
    }
}

void paintLanes(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    const auto packs = static_cast<int>(std::min<std::int64_t>(8, picture.grid->packs()));
    paintLaneFills(painter, geometry, packs, colours);
    paintLaneBorders(painter, geometry, packs, colours);
    QRectF run;
    QRectF widest;
    for (const LaneCell& cell : geometry.lanes) {
        if (cell.realPacks > 0) {
            run = {};
            continue;
        }
        const bool goesOn = !run.isNull() && qFuzzyCompare(run.top() + 1, cell.rect.top() + 1);
        run = goesOn ? run.united(cell.rect) : cell.rect;
        if (run.width() > widest.width())
            widest = run;
    }
    if (!widest.isNull())
        paintPaddingLabel(painter, widest,
            picture.grid->lanes() - picture.grid->realLanes(view.place), picture, colours);
    if (const LaneCell* cell = geometry.laneCell(view.place)) {
        if (cell->realPacks > 0)
            painter.fillRect(cell->rect.adjusted(1, 1, -1, -1), colours.strong);
        paintSelectionRing(painter, cell->rect, true, 0);
    }
}

void paintElements(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    painter.setBrush(colours.data);
    painter.setPen(colours.line);
    for (const ElementCell& cell : geometry.elements)
        painter.drawRect(cell.rect);
    const auto index = picture.grid->indexAt(view.place);
    if (!index)
        return;
    if (const ElementCell* cell = geometry.elementCell(*index)) {
        painter.fillRect(cell->rect.adjusted(1, 1, -1, -1), colours.strong);
        paintSelectionRing(painter, cell->rect, true, 0);
    }
}

/// A dotted line from the unit to its line, as both are one place.
void paintLink(
    QPainter& painter, const Geometry& geometry, const View& view, const Colours& colours) {
    const LineCell* line = geometry.lineCell(view.place);
    if (geometry.unitsRect.isNull() || !line)
        return;
    const UnitCell* unit = geometry.unitCell(view.place.unit);
    const QRectF from = unit ? unit->rect : geometry.denseUnit(view.place.unit);
    const QPointF start(geometry.unitsRect.right() + 4, from.center().y());
    const QPointF end(geometry.linesRect.left() - 2, line->rect.center().y());
    QPainterPath path(start);
    path.cubicTo(QPointF(end.x(), start.y()), QPointF(start.x(), end.y()), end);
    painter.setPen(QPen(colours.muted, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void paintLabels(QPainter& painter, const Geometry& geometry, const Colours& colours) {
    for (const Label& label : geometry.labels) {
        const QFont font = label.isMono ? monoFont() : smallFont();
        painter.setFont(font);
        painter.setPen(label.isMuted ? colours.muted : colours.text);
        const QString text = QFontMetrics(font).elidedText(
            label.text, Qt::ElideRight, qRound(std::max(0.0, label.rect.width())));
        painter.drawText(label.rect, static_cast<int>(label.alignment) | Qt::TextSingleLine, text);
    }
}

void paintHover(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Place& place) {
    if (const UnitCell* cell = geometry.unitCell(place.unit); cell && picture.grid->units() > 1)
        paintHoverOutline(painter, cell->rect, 0);
    if (const LineCell* cell = geometry.lineCell(place))
        paintHoverOutline(painter, cell->rect, 0);
    if (const LaneCell* cell = geometry.laneCell(place))
        paintHoverOutline(painter, cell->rect, 0);
    if (const auto index = picture.grid->indexAt(place))
        if (const ElementCell* cell = geometry.elementCell(*index))
            paintHoverOutline(painter, cell->rect, 0);
}

} // namespace

void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const View& view,
    const std::optional<Place>& hovered, Lens lens) {
    if (picture.isEmpty())
        return;
    const Colours colours(picture);
    paintUnits(painter, picture, geometry, view, colours);
    paintLink(painter, geometry, view, colours);
    paintLines(painter, picture, geometry, colours, lens);
    paintLanes(painter, picture, geometry, view, colours);
    paintElements(painter, picture, geometry, view, colours);
    paintLabels(painter, geometry, colours);
    if (const LineCell* cell = geometry.lineCell(view.place))
        paintSelectionRing(painter, cell->rect, true, 0);
    if (hovered && *hovered != view.place)
        paintHover(painter, picture, geometry, *hovered);
}

Legend legend(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const Colours colours(picture);
    const auto box = [](const QColor& fill, const QColor& line) {
        return [fill, line](QPainter& painter, const QRectF& rect) {
            painter.setPen(line);
            painter.setBrush(fill);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        };
    };
    Legend entries;
    entries << LegendEntry{tr("data"), box(colours.data, colours.line)};
    entries << LegendEntry{tr("padding"), [colours](QPainter& painter, const QRectF& rect) {
                               paintHatch(painter, rect, colours.hatch);
                               painter.setPen(colours.line);
                               painter.setBrush(Qt::NoBrush);
                               painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
                           }};
    entries << LegendEntry{
        tr("partly filled %1").arg(picture.words.line), box(colours.strong, colours.line)};
    return entries;
}

QString footnote(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const auto& layout = picture.grid->layout();
    return formatBytes(base::Bytes(fivefold::layout::deviceBytes(layout))) + QStringLiteral(" · ")
        + QString::fromStdString(layout.notation);
}

} // namespace fivefold::views::layout
