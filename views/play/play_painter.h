// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/play/play_geometry.h"

class QPainter;

namespace fivefold::views::play {

/// Titles, lanes and bars as they are before (`isFired` false: pale) or after they fire. Costly on
/// large programs: keep it as a picture.
void paintBars(QPainter& painter, const Picture& picture, const Places& places, bool isFired);
/// What changes with the clock: what runs and waits, tokens, the clock's line, lists and queues.
/// `selected`: steps that carry the selection's ring.
void paintMoment(QPainter& painter, const Picture& picture, const Places& places,
    base::Picoseconds at, const std::vector<lowering::StepId>& selected);

/// Lines that a side's list has room for.
std::size_t listLines(const SidePlace& side);

} // namespace fivefold::views::play
