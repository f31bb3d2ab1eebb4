// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"
#include "views/implementation/implementation_geometry.h"

class QPainter;

namespace fivefold::views::implementation {

/// What is marked beside what is chosen.
struct Marks {
    Hit hovered;
    bool isFocused = false; ///< the canvas has the keyboard
};

void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks);
common::Legend legend(const Picture& picture);

} // namespace fivefold::views::implementation
