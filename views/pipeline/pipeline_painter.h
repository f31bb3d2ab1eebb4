// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/pipeline/pipeline_geometry.h"

#include "core/lowering/stage_graph.h"

class QPainter;

namespace fivefold::views::pipeline {

/// What is marked: steps that do the shown stage, the one with the keyboard, the one under the
/// pointer.
struct Marks {
    lowering::Stage stage = lowering::Stage::Captured;
    Place focused; ///< valid while the canvas has the focus
    Place hovered;
    int hoveredRow = -1; ///< its label
};

void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks);

} // namespace fivefold::views::pipeline
