// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fivefold::lowering {

/// A weight-stationary systolic array. Weights lie still, `rows` along k and `columns · lanes`
/// along n; rows of the left operand enter from the left, partial sums leave at the bottom.
struct SystolicArray {
    std::int64_t rows = 0; ///< R
    std::int64_t columns = 0; ///< C
    std::int64_t lanes = 1; ///< columns of the right operand that one cell holds
    bool operator==(const SystolicArray&) const = default;
};

/// What the array does in a cycle of a fold.
enum class SystolicPhase : std::uint8_t {
    Load, ///< weights move down, one row a cycle: R cycles
    Fill, ///< the wavefront crosses the array: min(M, R + C − 2) cycles
    Stream, ///< every cell that holds a weight works: the rest of M
    Drain, ///< the last rows leave: R + C − 2 cycles
};
std::string_view toString(SystolicPhase phase); ///< "load", "fill", "stream", "drain"

/// One cycle of a run. Intervals are half open.
struct SystolicState {
    std::int64_t cycle = 0; ///< of the run, from 0
    std::int64_t fold = 0; ///< k runs fastest
    std::int64_t foldCycle = 0; ///< within the fold
    SystolicPhase phase = SystolicPhase::Load;
    std::int64_t phaseCycle = 0, phaseCycles = 0;
    std::int64_t firstK = 0, usedRows = 0; ///< block of k that the fold holds
    std::int64_t firstN = 0, usedN = 0; ///< block of n; usedN counts elements
    std::int64_t usedColumns = 0; ///< columns of cells that hold weights
    std::int64_t loadedRows = 0; ///< rows of weights in place (from the top)
    std::int64_t enteredRows = 0; ///< rows of the left operand that have entered
    std::int64_t leftRows = 0; ///< rows whose last result has left
    std::int64_t activeCells = 0; ///< cells that multiply in this cycle

    /// The row of the left operand in a cell in this cycle; none where the cell idles.
    std::optional<std::int64_t> rowIn(std::int64_t row, std::int64_t column) const;

    std::int64_t streamed = 0; ///< foldCycle − R: row i reaches cell (r, c) when this is i + r + c
    std::int64_t rowsOfLeft = 0; ///< M
};

/// An m × k by k × n product on one array, fold after fold, nothing overlapped: the schedule that
/// SCALE-Sim v3 simulates (scalesim-project/SCALE-Sim, systolic_compute_ws.py). A fold takes R
/// cycles to load, M to stream and R + C − 2 to skew and drain:
///
///     cycles = ⌈k/R⌉ · ⌈n/(C·lanes)⌉ · (M + 2R + C − 2) − 1
///
/// which is the index of the last cycle, counted from 0. Any state is found in O(R + C).
class SystolicRun {
public:
    /// None for sizes under 1 and for runs of more than 2⁶² cycles.
    static std::optional<SystolicRun> of(
        const SystolicArray& array, std::int64_t m, std::int64_t n, std::int64_t k);

    const SystolicArray& array() const { return m_array; }
    std::int64_t m() const { return m_m; }
    std::int64_t n() const { return m_n; }
    std::int64_t k() const { return m_k; }
    std::int64_t foldsK() const { return m_foldsK; }
    std::int64_t foldsN() const { return m_foldsN; }
    std::int64_t folds() const { return m_foldsK * m_foldsN; }
    std::int64_t foldCycles() const { return m_foldCycles; }
    /// The closed form: index of the last cycle.
    std::int64_t cycles() const { return folds() * m_foldCycles - 1; }
    /// Useful multiplications over those that all cells could do in all cycles, 0..1.
    double utilisation() const;
    /// With weight loads hidden behind the stream, as double-buffered arrays do:
    /// folds · max(M, R) + R + C − 2 + R (the first load).
    std::int64_t overlappedCycles() const;

    /// The state in a cycle, clamped to the run.
    SystolicState at(std::int64_t cycle) const;
    /// First cycle of the next phase, or the last cycle; first cycle of this phase or of the one
    /// before.
    std::int64_t nextPhase(std::int64_t cycle) const;
    std::int64_t previousPhase(std::int64_t cycle) const;

private:
    SystolicRun() = default;

    SystolicArray m_array;
    std::int64_t m_m = 0, m_n = 0, m_k = 0;
    std::int64_t m_foldsK = 0, m_foldsN = 0, m_foldCycles = 0;
};

} // namespace fivefold::lowering
