// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/layout/layout_geometry.h"

namespace fivefold::views::layout {

/// Height that a tensor of one unit takes when each of its lines is a row of lanes; 0 where that
/// does not work: too many lines, or lanes too narrow to point at.
double stripsHeight(const Picture& picture, double width);
/// Adds the rows to the geometry; returns where they end.
double arrangeStrips(
    const Picture& picture, const View& view, const QRectF& room, Geometry& geometry);

} // namespace fivefold::views::layout
