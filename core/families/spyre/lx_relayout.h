// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/lx_residency.h"

/// Copies from cores to cores inside LX, where a writer and its readers cut a tensor in different
/// ways (torch-spyre lx_relayout.py, August 2026).
namespace fivefold::families::spyre {

/// One copy: readers of `source` that cut it as `to` read the copy instead.
struct RelayoutPlan {
    BufferIndex source = kNoBuffer;
    std::vector<std::size_t> readers; ///< indices into program.ops, ascending
    CoreView from, to;
    std::int64_t cores = 1;
};

/// Whether every core sends to equally many cores and receives from equally many, and each holds a
/// part of its own on both sides. O(cores² · axes).
bool areExchangeable(const CoreView& from, const CoreView& to, std::int64_t cores);

/// All relayouts that the rules allow, by first read of the source. A source qualifies only where
/// every reader cuts it like its writer or can be served by a copy: same number of cores, no
/// partial sums, a matrix product or an elementwise reader, one loop along each cut axis.
std::vector<RelayoutPlan> planRelayouts(const LoopProgram& program, const BufferUses& uses);

} // namespace fivefold::families::spyre
