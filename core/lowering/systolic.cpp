// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/systolic.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

constexpr std::int64_t kMostCycles = std::int64_t{1} << 62;
constexpr std::int64_t kLargestSize = std::int64_t{1}
    << 40; ///< sums of a few stay far from overflow

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Cells (r, c) of a block with r + c == diagonal.
std::int64_t diagonalCells(std::int64_t rows, std::int64_t columns, std::int64_t diagonal) {
    const std::int64_t first = std::max<std::int64_t>(0, diagonal - (columns - 1));
    const std::int64_t last = std::min(rows - 1, diagonal);
    return std::max<std::int64_t>(0, last - first + 1);
}

/// A phase's place in a fold.
struct Span {
    SystolicPhase phase;
    std::int64_t begin, length;
};

Span spanAt(const SystolicArray& array, std::int64_t m, std::int64_t foldCycle) {
    const std::int64_t skew = array.rows + array.columns - 2;
    const std::int64_t fill = std::min(m, skew);
    const std::int64_t lengths[] = {array.rows, fill, m - fill, skew};
    std::int64_t begin = 0;
    for (int phase = 0; phase < 4; ++phase) {
        if (foldCycle < begin + lengths[phase] || phase == 3)
            return {static_cast<SystolicPhase>(phase), begin, lengths[phase]};
        begin += lengths[phase];
    }
    return {};
}

} // namespace

std::string_view toString(SystolicPhase phase) {
    switch (phase) {
    case SystolicPhase::Load:
        return "load";
    case SystolicPhase::Fill:
        return "fill";
    case SystolicPhase::Stream:
        return "stream";
    case SystolicPhase::Drain:
        break;
    }
    return "drain";
}

std::optional<std::int64_t> SystolicState::rowIn(std::int64_t row, std::int64_t column) const {
    const std::int64_t index = streamed - row - column;
    if (row < 0 || row >= usedRows || column < 0 || column >= usedColumns || index < 0
        || index >= rowsOfLeft)
        return std::nullopt;
    return index;
}

std::optional<SystolicRun> SystolicRun::of(
    const SystolicArray& array, std::int64_t m, std::int64_t n, std::int64_t k) {
    for (const std::int64_t size : {array.rows, array.columns, array.lanes, m, n, k})
        if (size < 1 || size > kLargestSize)
            return std::nullopt;
    if (array.columns > kLargestSize / array.lanes)
        return std::nullopt;
    SystolicRun run;
    run.m_array = array;
    run.m_m = m;
    run.m_n = n;
    run.m_k = k;
    run.m_foldsK = ceilDivide(k, array.rows);
    run.m_foldsN = ceilDivide(n, array.columns * array.lanes);
    run.m_foldCycles = m + 2 * array.rows + array.columns - 2;
    if (run.m_foldsK > kMostCycles / run.m_foldsN
        || run.m_foldsK * run.m_foldsN > kMostCycles / run.m_foldCycles)
        return std::nullopt;
    return run;
}

double SystolicRun::utilisation() const {
    const double useful =
        static_cast<double>(m_m) * static_cast<double>(m_n) * static_cast<double>(m_k);
    const double cells = static_cast<double>(m_array.rows) * static_cast<double>(m_array.columns)
        * static_cast<double>(m_array.lanes);
    return useful / (cells * (static_cast<double>(cycles()) + 1));
}

std::int64_t SystolicRun::overlappedCycles() const {
    return folds() * std::max(m_m, m_array.rows) + m_array.rows + m_array.columns - 2
        + m_array.rows;
}

SystolicState SystolicRun::at(std::int64_t cycle) const {
    SystolicState state;
    state.cycle = std::clamp<std::int64_t>(cycle, 0, cycles());
    state.fold = state.cycle / m_foldCycles;
    state.foldCycle = state.cycle % m_foldCycles;
    const Span span = spanAt(m_array, m_m, state.foldCycle);
    state.phase = span.phase;
    state.phaseCycle = state.foldCycle - span.begin;
    state.phaseCycles = span.length;
    state.firstK = (state.fold % m_foldsK) * m_array.rows;
    state.usedRows = std::min(m_array.rows, m_k - state.firstK);
    const std::int64_t blockN = m_array.columns * m_array.lanes;
    state.firstN = (state.fold / m_foldsK) * blockN;
    state.usedN = std::min(blockN, m_n - state.firstN);
    state.usedColumns = ceilDivide(state.usedN, m_array.lanes);
    state.rowsOfLeft = m_m;
    state.streamed = state.foldCycle - m_array.rows;
    state.loadedRows = state.phase == SystolicPhase::Load
        ? std::min(state.foldCycle + 1, state.usedRows)
        : state.usedRows;
    if (state.streamed < 0)
        return state;
    state.enteredRows = std::min(m_m, state.streamed + 1);
    const std::int64_t skew = m_array.rows + m_array.columns - 2;
    state.leftRows = std::clamp<std::int64_t>(state.streamed + 1 - skew, 0, m_m);
    // A cell on diagonal d works on row streamed − d.
    for (std::int64_t d = 0; d <= state.usedRows + state.usedColumns - 2; ++d)
        if (state.streamed - d >= 0 && state.streamed - d < m_m)
            state.activeCells += diagonalCells(state.usedRows, state.usedColumns, d);
    return state;
}

std::int64_t SystolicRun::nextPhase(std::int64_t cycle) const {
    const SystolicState state = at(cycle);
    const std::int64_t begin = state.cycle - state.phaseCycle;
    return std::min(cycles(), begin + std::max<std::int64_t>(1, state.phaseCycles));
}

std::int64_t SystolicRun::previousPhase(std::int64_t cycle) const {
    const SystolicState state = at(cycle);
    if (state.phaseCycle > 0)
        return state.cycle - state.phaseCycle;
    if (state.cycle == 0)
        return 0;
    const SystolicState before = at(state.cycle - 1);
    return before.cycle - before.phaseCycle;
}

} // namespace fivefold::lowering
