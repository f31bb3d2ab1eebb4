// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/layout/layout_presenter.h"

#include <QRectF>
#include <QStringList>

namespace fivefold::views::layout {

/// What the canvas is looking at.
struct View {
    Place place;
    bool isLogical = false; ///< the logical tensor instead of units and blocks
    bool isHex = true;
    bool hasValues = false; ///< cells are wide enough for the elements' values, where there are any
    double zoom = 1; ///< of the cells of lines and elements
};

/// Width of a cell that holds a value.
constexpr double kValueCell = 46;
/// True when the view shows values and the tensor has some.
bool showsValues(const Picture& picture, const View& view);

struct UnitCell {
    QRectF rect;
    std::int64_t unit = 0;
    bool isUsed = true;
};
struct LineCell {
    QRectF rect;
    Place place; ///< of lane 0
    std::int64_t realLanes = 0; ///< the rest is padding
};
struct LaneCell {
    QRectF rect;
    Place place; ///< of pack 0
    int realPacks = 0;
};
struct ElementCell {
    QRectF rect;
    std::vector<std::int64_t> index;
};
struct Label {
    QRectF rect;
    QString text;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    bool isMono = false;
    bool isMuted = true;
};

/// Rectangles of everything that is visible, and nothing else: the number of cells is bounded by
/// the pixels.
struct Geometry {
    QSizeF size;
    QRectF unitsRect, linesRect, lanesRect, elementsRect; ///< null: the pane is not there
    bool isUnitMapDense = false; ///< units are smaller than 3 px: the map is one rectangle
    double usedWidth = 1, usedHeight = 1; ///< share of a dense map that holds elements
    std::int64_t unitColumns = 1, unitRows = 1;
    bool isUnitMapByColumns = false; ///< units count downwards first
    std::vector<UnitCell> units;
    std::vector<LineCell> lines;
    std::vector<LaneCell> lanes;
    std::vector<ElementCell> elements;
    std::vector<Label> labels;
    bool isLinesCut = false; ///< more lines than are drawn
    bool isStrips = false; ///< every line of the unit is one row of lanes; `lines` is empty

    const UnitCell* unitCell(std::int64_t unit) const;
    const LineCell* lineCell(const Place& place) const;
    const LaneCell* laneCell(const Place& place) const;
    const ElementCell* elementCell(const std::vector<std::int64_t>& index) const;
    /// Where a unit lies in a dense map, at least 6 px wide.
    QRectF denseUnit(std::int64_t unit) const;
};

Geometry arrange(const Picture& picture, const View& view, const QSizeF& size);

/// What lies under a point: a place (the first of a unit or line), or nothing.
std::optional<Place> placeAt(
    const Picture& picture, const Geometry& geometry, const View& view, const QPointF& point);

} // namespace fivefold::views::layout
