// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/lens.h"
#include "views/layout/layout_geometry.h"

class QPainter;

namespace fivefold::views::layout {

/// Paints cells, labels, the ring of the place and the outline of the hovered one.
void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const View& view,
    const std::optional<Place>& hovered, const common::LensColours& lens);

common::Legend legend(const Picture& picture, const common::LensColours& lens);
QString footnote(const Picture& picture);

} // namespace fivefold::views::layout
