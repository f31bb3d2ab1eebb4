// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/machine/array_geometry.h"

#include "views/common/type.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::machine {

using namespace common;
using lowering::SystolicPhase;

namespace {

constexpr double kSide = 22; ///< beside and under the cells
constexpr double kPhaseBar = 18;
constexpr double kSmallestCells = 40;
constexpr double kSmallestSpan = 3; ///< every phase shows

double line() {
    return lineHeight(smallFont()) + 1.0;
}

std::array<std::int64_t, 4> phaseCycles(const lowering::SystolicRun& run) {
    const auto& array = run.array();
    const std::int64_t skew = array.rows + array.columns - 2;
    const std::int64_t fill = std::min(run.m(), skew);
    return {array.rows, fill, run.m() - fill, skew};
}

void placePhases(ArrayGeometry& geometry, const Stepping& stepping) {
    const auto cycles = phaseCycles(stepping.run);
    double weight = 0;
    std::array<double, 4> widths{};
    for (std::size_t i = 0; i < 4; ++i) {
        // A root keeps a short fill visible beside a long stream.
        widths[i] = std::sqrt(static_cast<double>(cycles[i]));
        weight += widths[i];
    }
    const double room = geometry.phaseBar.width() - 4 * kSmallestSpan;
    double x = geometry.phaseBar.left();
    for (std::size_t i = 0; i < 4; ++i) {
        const double width = kSmallestSpan + (weight > 0 ? room * widths[i] / weight : 0);
        geometry.phases[i] = {static_cast<SystolicPhase>(i),
            QRectF(x, geometry.phaseBar.top(), width, geometry.phaseBar.height()), cycles[i]};
        x += width;
    }
}

} // namespace

ArrayGeometry arrangeArray(const Stepping& stepping, const QRectF& room) {
    ArrayGeometry geometry;
    geometry.title = QRectF(room.left(), room.top(), room.width(), 2 * line());
    // Three lines on the cycle, three of the closed form; a low panel keeps the first ones.
    const double fixed = geometry.title.height() + kSide + kSmallestCells + 8;
    const double spare = room.height() - fixed;
    const bool hasBar = spare > line() + kPhaseBar + 6;
    const double forLines = spare - (hasBar ? kPhaseBar + 6 : 0);
    const int lines = std::clamp(static_cast<int>(forLines / line()), 1, 6);
    const double below = lines * line() + 4 + (hasBar ? kPhaseBar + 8 : 0);
    const double top = geometry.title.bottom() + 6;
    const double height = std::max(8.0, room.bottom() - top - kSide - below);
    const double width = std::max(8.0, room.width() - 2 * kSide);
    const auto& array = stepping.run.array();
    const double cell = std::min(
        height / static_cast<double>(array.rows), width / static_cast<double>(array.columns));
    const QSizeF size(
        cell * static_cast<double>(array.columns), cell * static_cast<double>(array.rows));
    const double x = room.left() + kSide + (width - size.width()) / 2;
    geometry.cells = QRectF(QPointF(x, top), size);
    geometry.left = QRectF(x - kSide, top, kSide - 2, size.height());
    geometry.bottom = QRectF(x, geometry.cells.bottom() + 2, size.width(), kSide - 4);
    double y = geometry.cells.bottom() + kSide + 4;
    if (hasBar) {
        geometry.phaseBar = QRectF(room.left(), y, room.width(), kPhaseBar);
        placePhases(geometry, stepping);
        y += kPhaseBar + 4;
    }
    for (int i = 0; i < lines; ++i, y += line())
        geometry.lines << QRectF(room.left(), y, room.width(), line());
    return geometry;
}

std::optional<std::int64_t> cycleAt(const ArrayGeometry& geometry, const Stepping& stepping,
    std::int64_t cycle, const QPointF& point) {
    if (geometry.phaseBar.isNull() || !geometry.phaseBar.contains(point))
        return std::nullopt;
    const auto& run = stepping.run;
    std::int64_t at = run.at(cycle).fold * run.foldCycles();
    for (const PhaseSpan& span : geometry.phases) {
        if (point.x() < span.rect.right() && span.cycles > 0) {
            const double part =
                std::clamp((point.x() - span.rect.left()) / span.rect.width(), 0.0, 1.0);
            return std::min(run.cycles(),
                at
                    + std::min(span.cycles - 1,
                        static_cast<std::int64_t>(part * static_cast<double>(span.cycles))));
        }
        at += span.cycles;
    }
    return std::min(run.cycles(), at - 1);
}

} // namespace fivefold::views::machine
