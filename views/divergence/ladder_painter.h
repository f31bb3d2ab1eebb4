// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/ladder_geometry.h"

class QPainter;

namespace fivefold::views::divergence {

/// Lamps, tags and reasons. `focused`: index of the level that the keyboard is on, −1: none.
void paintLadder(QPainter& painter, const LadderPicture& picture, const LadderGeometry& geometry,
    int hovered, int focused);

} // namespace fivefold::views::divergence
