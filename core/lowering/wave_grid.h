// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/lowering/tiling.h"

namespace fivefold::lowering {

/// A kernel that is a grid of equal pieces, which hardware deals to the units as they come free
/// (the CTAs of a GPU over its SMs). `places()` pieces run at once, a wave; the last wave may leave
/// places idle.
struct WaveGrid {
    std::int64_t pieces = 0;
    std::int64_t units = 1; ///< SMs
    std::int64_t perUnit = 1; ///< pieces that one unit runs at once
    std::int64_t rows = 0, columns = 0; ///< of one piece, in elements of the result; 0: unknown
    std::int64_t splits = 1; ///< pieces that share one tile of the result

    std::int64_t places() const { return saturatingMul(units, perUnit); }
    std::int64_t waves() const { return lowering::waves(pieces, places()); }
    /// Pieces of the last wave; equals places() when it is full.
    std::int64_t tail() const { return pieces <= 0 ? 0 : pieces - (waves() - 1) * places(); }
    std::int64_t idlePlaces() const { return pieces <= 0 ? 0 : places() - tail(); }
    /// Idle share of all places over all waves, 0..1.
    double idleShare() const { return 1 - waveEfficiency(pieces, places()); }
    bool operator==(const WaveGrid&) const = default;
};

/// Attribute of a kernel's main node from Placed on: pieces, units, perUnit, rows, columns, splits.
constexpr const char* kWaveGrid = "gpu.waves";

inline void setWaveGrid(Node& node, const WaveGrid& grid) {
    node.attributes.set(kWaveGrid,
        std::vector<std::int64_t>{
            grid.pieces, grid.units, grid.perUnit, grid.rows, grid.columns, grid.splits});
}

/// Nullopt where the family does not cut kernels that way.
inline std::optional<WaveGrid> waveGrid(const Node& node) {
    const auto numbers = node.attributes.integers(kWaveGrid);
    if (!numbers || numbers->size() != 6)
        return std::nullopt;
    return WaveGrid{
        (*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3], (*numbers)[4], (*numbers)[5]};
}

} // namespace fivefold::lowering
