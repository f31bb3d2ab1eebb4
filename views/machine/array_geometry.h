// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/machine/machine_presenter.h"

#include <QRectF>

#include <array>

namespace fivefold::views::machine {

struct PhaseSpan {
    lowering::SystolicPhase phase = lowering::SystolicPhase::Load;
    QRectF rect;
    std::int64_t cycles = 0;
};

/// The stepping array: its title, the cells, what enters and leaves, the phases of the fold, and
/// lines of text.
struct ArrayGeometry {
    QRectF title;
    QRectF cells; ///< rows of k downwards, columns of n to the right
    QRectF left; ///< where rows of the left operand wait
    QRectF bottom; ///< where results leave
    std::array<PhaseSpan, 4> phases; ///< of one fold, widths in proportion to their cycles
    QRectF phaseBar; ///< null where there is no room
    QVector<QRectF> lines; ///< of cycleTexts, then the closed form
};
ArrayGeometry arrangeArray(const Stepping& stepping, const QRectF& room);

/// Cycle under a point of the phase bar, in the fold of `cycle`.
std::optional<std::int64_t> cycleAt(const ArrayGeometry& geometry, const Stepping& stepping,
    std::int64_t cycle, const QPointF& point);

} // namespace fivefold::views::machine
