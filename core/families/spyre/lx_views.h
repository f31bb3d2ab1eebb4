// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"

/// Which part of a tensor each core holds, as one operation cuts it (torch-spyre pass_utils.py,
/// PerCoreView, and core_mapping.py, August 2026).
namespace fivefold::families::spyre {

/// One device axis cut into equal slices. Core c owns slice (c / step) mod slots.
struct CoreSlice {
    std::size_t axis = 0;
    std::int64_t slices = 1;
    std::int64_t step = 1;
    std::int64_t slots = 1; ///< = slices, less where one loop step covers several sticks
    auto operator<=>(const CoreSlice&) const = default;
};

struct CoreView {
    std::vector<CoreSlice> slices; ///< by axis; empty: every core has all of it
    bool isRepresentable = true; ///< false: the cut follows no device axis; `slices` is then empty
    bool hasPartialSums = false; ///< the operation splits a reduced loop
    std::int64_t cores() const; ///< that hold different parts
    bool isSameCut(const CoreView& other) const { return slices == other.slices; }
    std::string text() const; ///< "axis 0 in 16 (core mod 16), axis 1 in 2 (core/16 mod 2)"
};

/// Core numbers are given out over the loops in order, the first varies fastest; the innermost
/// reduced loop of a matrix product comes before all. The planner sees the order of the written
/// tensor's host dimensions; the scheduler may emit another.
enum class LoopOrder : std::uint8_t { Planned, Emitted };

/// Order in which core numbers are given to the loops of `op`: indices into op.loops.
std::vector<std::size_t> coreOrder(const LoopOp& op, LoopOrder order);

/// How `op` cuts the buffer of `access`. A split whose host stride is no device axis, shares an
/// axis with another, or does not divide it makes the view unrepresentable. O(loops · axes).
CoreView coreView(
    const LoopProgram& program, const LoopOp& op, const Access& access, LoopOrder order);

} // namespace fivefold::families::spyre
