// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::memory {

/// A buffer's rectangle: addresses over time. Bytes of one instance of the memory.
struct Stay {
    lowering::BufferId buffer;
    std::int64_t address = 0, bytes = 0;
    lowering::StepId first, last; ///< both included
    base::Picoseconds begin, end; ///< of the first step and after the last one
    lowering::BufferId inPlaceOf; ///< the buffer that it was written over; invalid: none

    std::int64_t top() const { return address + bytes; }
};

/// What lies where in one instance of one memory, over the whole program.
struct AddressMap {
    std::size_t level = 0;
    std::int64_t unit = -1; ///< −1: what every instance holds alike
    std::optional<base::Bytes> capacity; ///< usable bytes of one instance
    std::vector<Stay> stays; ///< by first step, then by address
    std::int64_t top = 0; ///< end of the highest stay
    lowering::StepId lastStep; ///< of the program; invalid without steps
    base::Picoseconds end; ///< of the program
    /// Buffers that wanted this memory and did not get in: they lie in a farther one, or above the
    /// capacity. Their `reason` says why.
    std::vector<lowering::BufferId> refused;
};

/// Levels that hold buffers, near to far.
std::vector<std::size_t> mappedLevels(
    const lowering::Program& program, const machines::Machine& machine);
/// Instances of a level that hold buffers of their own, ascending; {−1} where all hold the same.
std::vector<std::int64_t> mappedUnits(const lowering::Program& program, std::size_t level);
/// The stays of one instance: what every instance holds and what is its own. O(n log n).
AddressMap addressMap(const lowering::Program& program, const machines::Machine& machine,
    std::size_t level, std::int64_t unit);

/// For each buffer the one whose room it takes over as its own step reads it for the last time:
/// same memory, instance and address, and the writer reads the older value. Invalid: none. O(n).
base::IdVector<lowering::BufferId, lowering::BufferId> inPlaceParents(
    const lowering::Program& program);

/// A free stretch of addresses.
struct Gap {
    std::int64_t address = 0, bytes = 0;
    bool operator==(const Gap&) const = default;
};
/// Free stretches during a step, ascending, up to the capacity (up to the top where that is
/// unknown). O(n log n).
std::vector<Gap> gapsAt(const AddressMap& map, lowering::StepId step);
/// Bytes in use during a step.
std::int64_t usedAt(const AddressMap& map, lowering::StepId step);

} // namespace fivefold::memory
