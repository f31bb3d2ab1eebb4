// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/layers_geometry.h"

#include <QRect>

class QPainter;

namespace fivefold::views::divergence {

void paintLayersHeader(QPainter& painter, const QRectF& rect);
/// Rows that meet `dirty`, the first of the list at y = 0. `selected`, `hovered`: −1 for none.
void paintLayerRows(QPainter& painter, const LayersPicture& picture, double width, int rowHeight,
    const QRect& dirty, int selected, int hovered);
/// What was checked before any layer; only as many rows as fit, or one line that counts them.
void paintBefore(QPainter& painter, const compare::Divergence& divergence, const QRectF& rect);
void paintLocalMark(QPainter& painter, const QRectF& rect);
void paintInheritedMark(QPainter& painter, const QRectF& rect);

} // namespace fivefold::views::divergence
