// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/machine/array_geometry.h"
#include "views/machine/machine_geometry.h"

class QPainter;

namespace fivefold::views::machine {

struct Marks {
    std::optional<std::size_t> focused, hovered;
    std::int64_t cycle = 0; ///< of the stepping
};

void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks);
/// The cells in a cycle: which hold weights, which multiply, what enters and leaves.
void paintArray(
    QPainter& painter, const Stepping& stepping, const ArrayGeometry& geometry, std::int64_t cycle);

} // namespace fivefold::views::machine
