// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"
#include "views/divergence/elements_geometry.h"

class QPainter;

namespace fivefold::views::divergence {

struct ElementMarks {
    std::optional<std::int64_t> element; ///< chosen
    std::optional<std::int64_t> hovered;
    bool showsPadding = true; ///< hatched; else blank
};

/// Heat map, rulers, brackets of what the loops cover, the strip of neighbours.
void paintElements(QPainter& painter, const ElementsPicture& picture,
    const ElementsGeometry& geometry, const ElementMarks& marks);
/// Fill of a bin; invalid for padding and none.
QColor binColour(const Bin& bin, ElementColour colour);
common::Legend elementsLegend(const ElementsPicture& picture);

} // namespace fivefold::views::divergence
