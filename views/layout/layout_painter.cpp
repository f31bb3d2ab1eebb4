// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_painter.h"

#include "views/common/format.h"
#include "views/common/layout_text.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/layout/scene_painter.h"

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

struct Colours {
    /// Cells have the hue of their memory, or what the lens says of the tensor.
    explicit Colours(const Picture& picture, const LensMark& lens = {})
        : strong(lens.fill.isValid() ? lens.fill : Palette::current().memoryLevel(picture.memory))
        , canvas(Palette::current().role("canvas"))
        , data(blended(canvas, strong, kDataShare))
        , chosen(Palette::current().selection("row"))
        , line(Palette::current().role("nodeBorder"))
        , hatch(Palette::current().role("hatch"))
        , text(Palette::current().role("text"))
        , muted(Palette::current().role("textSecondary")) { }
    QColor strong, canvas, data, chosen, line, hatch, text, muted;
};

void paintUnits(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    if (geometry.unitsRect.isNull())
        return;
    if (geometry.isUnitMapDense) {
        const QRectF& map = geometry.unitsRect;
        paintHatch(painter, map, colours.hatch);
        painter.fillRect(
            QRectF(map.topLeft(),
                QSizeF(map.width() * geometry.usedWidth, map.height() * geometry.usedHeight)),
            colours.data);
        painter.setPen(colours.line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(map);
        const QRectF here = geometry.denseUnit(view.place.unit);
        painter.fillRect(here, colours.chosen);
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

/// How many lanes are padding, over a run of them.
void paintPaddingLabel(QPainter& painter, const QRectF& run, std::int64_t lanes,
    const Picture& picture, const Colours& colours) {
    const Grid& grid = *picture.grid;
    const std::int64_t bytes = lanes * grid.packs() * grid.layout().elementBits / 8;
    const QString text =
        (lanes == 1 ? tr("1 lane of padding") : tr("%1 lanes of padding").arg(formatCount(lanes)))
        + QStringLiteral(" · ") + formatBytes(base::Bytes(bytes));
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
    const QColor faint = blended(colours.canvas, colours.line, 0.5);
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

/// One label a strip; in the lanes of one line one label over the widest row of padding.
void paintPaddingLabels(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    QRectF run, widest;
    std::int64_t lanes = 0;
    const auto finish = [&] {
        if (geometry.isStrips && lanes > 0)
            paintPaddingLabel(painter, run, lanes, picture, colours);
        lanes = 0;
        run = {};
    };
    for (const LaneCell& cell : geometry.lanes) {
        const bool goesOn = lanes > 0 && qFuzzyCompare(run.top() + 1, cell.rect.top() + 1);
        if (cell.realPacks > 0 || !goesOn)
            finish();
        if (cell.realPacks > 0)
            continue;
        run = lanes > 0 ? run.united(cell.rect) : cell.rect;
        ++lanes;
        if (run.width() > widest.width())
            widest = run;
    }
    finish();
    if (!geometry.isStrips && !widest.isNull())
        paintPaddingLabel(painter, widest,
            picture.grid->lanes() - picture.grid->realLanes(view.place), picture, colours);
}

void paintValue(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color) {
    if (text.isEmpty() || rect.width() < 18)
        return;
    painter.setFont(smallFont());
    painter.setPen(color);
    painter.drawText(rect.adjusted(1, 0, -1, 0), Qt::AlignCenter | Qt::TextSingleLine,
        QFontMetrics(smallFont()).elidedText(text, Qt::ElideRight, qRound(rect.width() - 2)));
}

void paintLaneValues(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Colours& colours) {
    const std::int64_t packs = picture.grid->packs();
    for (const LaneCell& cell : geometry.lanes)
        for (std::int64_t pack = 0; pack < packs; ++pack) {
            Place place = cell.place;
            place.pack = pack;
            const double width = cell.rect.width() / static_cast<double>(packs);
            paintValue(painter,
                QRectF(cell.rect.left() + width * static_cast<double>(pack), cell.rect.top(), width,
                    cell.rect.height()),
                valueText(picture, place), colours.text);
        }
}

void paintLanes(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    const auto packs = static_cast<int>(std::min<std::int64_t>(8, picture.grid->packs()));
    paintLaneFills(painter, geometry, packs, colours);
    paintLaneBorders(painter, geometry, packs, colours);
    paintPaddingLabels(painter, picture, geometry, view, colours);
    if (showsValues(picture, view))
        paintLaneValues(painter, picture, geometry, colours);
    if (const LaneCell* cell = geometry.laneCell(view.place)) {
        if (cell->realPacks > 0) {
            painter.fillRect(cell->rect.adjusted(1, 1, -1, -1), colours.chosen);
            if (showsValues(picture, view) && picture.grid->packs() == 1)
                paintValue(painter, cell->rect, valueText(picture, view.place),
                    Palette::textOn(colours.chosen));
        }
        paintSelectionRing(painter, cell->rect, true, 0);
    }
}

void paintElements(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    painter.setBrush(colours.data);
    painter.setPen(colours.line);
    for (const ElementCell& cell : geometry.elements)
        painter.drawRect(cell.rect);
    if (showsValues(picture, view))
        for (const ElementCell& cell : geometry.elements)
            if (const auto place = picture.grid->placeAt(cell.index))
                paintValue(painter, cell.rect, valueText(picture, *place), colours.text);
    const auto index = picture.grid->indexAt(view.place);
    if (!index)
        return;
    if (const ElementCell* cell = geometry.elementCell(*index)) {
        painter.fillRect(cell->rect.adjusted(1, 1, -1, -1), colours.chosen);
        paintSelectionRing(painter, cell->rect, true, 0);
    }
}

/// From the logical element round the left side to its lane: both are one element.
void paintStripLink(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    const LaneCell* lane = geometry.laneCell(view.place);
    const auto index = picture.grid->indexAt(view.place);
    const ElementCell* element = index ? geometry.elementCell(*index) : nullptr;
    if (!lane || !element)
        return;
    const double between = geometry.elementsRect.bottom() + 7;
    const double left = geometry.lanesRect.left() - 8;
    painter.setPen(QPen(colours.text, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    QPolygonF path;
    path << QPointF(element->rect.center().x(), element->rect.bottom() + 6)
         << QPointF(element->rect.center().x(), between) << QPointF(left, between)
         << QPointF(left, lane->rect.center().y())
         << QPointF(lane->rect.left() - 6, lane->rect.center().y());
    painter.drawPolyline(path);
}

/// A dotted line from the unit to its line, as both are one place.
void paintLink(QPainter& painter, const Picture& picture, const Geometry& geometry,
    const View& view, const Colours& colours) {
    if (geometry.isStrips)
        return paintStripLink(painter, picture, geometry, view, colours);
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

void paintLabels(QPainter& painter, const Geometry& geometry) {
    for (const Label& label : geometry.labels)
        paintLabel(painter, label);
}

/// Operators' classes colour operators; a tensor then keeps the hue of its memory. Padding is
/// shown line by line.
LensMark tensorMark(const Picture& picture, const LensColours& lens) {
    if (lens.lens() == Lens::OperatorClass || lens.lens() == Lens::Padding)
        return {};
    return lens.value(picture.stage, picture.lowered);
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

/// Whether a line holds some elements, but not as many as it could. The line of the tensor's last
/// element holds the fewest, since every dimension ends there.
bool hasPartlyFilledLine(const Picture& picture) {
    std::vector<std::int64_t> last = picture.grid->layout().shape;
    for (std::int64_t& extent : last)
        --extent;
    const auto place = picture.grid->placeAt(last);
    return place && picture.grid->realLanes(*place) < picture.grid->lanes();
}

} // namespace

void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const View& view,
    const std::optional<Place>& hovered, const LensColours& lens) {
    if (picture.isEmpty())
        return;
    const Colours colours(picture, tensorMark(picture, lens));
    paintUnits(painter, picture, geometry, view, colours);
    paintLink(painter, picture, geometry, view, colours);
    paintLines(painter, picture, geometry, colours, lens.lens());
    paintLanes(painter, picture, geometry, view, colours);
    paintElements(painter, picture, geometry, view, colours);
    if (const LineCell* cell = geometry.lineCell(view.place))
        paintSelectionRing(painter, cell->rect, true, 0);
    paintLabels(painter, geometry); // over halos: heads stay readable
    if (hovered && *hovered != view.place)
        paintHover(painter, picture, geometry, *hovered);
}

Legend legend(const Picture& picture, const LensColours& lens) {
    if (picture.isEmpty())
        return {};
    const LensMark mark = tensorMark(picture, lens);
    const Colours colours(picture, mark);
    const auto box = [](const QColor& fill, const QColor& line) {
        return [fill, line](QPainter& painter, const QRectF& rect) {
            painter.setPen(line);
            painter.setBrush(fill);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        };
    };
    Legend entries;
    if (lens.lens() == Lens::Padding)
        return lensLegend(lens.lens());
    const QString data = mark.word.isEmpty()
        ? tr("data")
        : tr("data · %1: %2").arg(lensName(lens.lens()), mark.word);
    entries << LegendEntry{data, box(colours.data, colours.line)};
    const auto padding = paddingOf(picture.grid->layout());
    const LegendEntry hatched{tr("padding"), [colours](QPainter& painter, const QRectF& rect) {
                               paintHatch(painter, rect, colours.hatch);
                               painter.setPen(colours.line);
                               painter.setBrush(Qt::NoBrush);
                               painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
                           }};
    if (!padding || padding->share > 0)
        entries << hatched;
    if (hasPartlyFilledLine(picture))
        entries << LegendEntry{
            tr("partly filled %1").arg(picture.words.line), box(colours.strong, colours.line)};
    entries << LegendEntry{tr("selected"), [colours](QPainter& painter, const QRectF& rect) {
                               painter.fillRect(rect.adjusted(4, 4, -4, -4), colours.chosen);
                               paintSelectionRing(painter, rect.adjusted(4, 4, -4, -4), true, 0);
                           }};
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
