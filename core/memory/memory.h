// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::memory {

/// Bytes in use of one memory level over the program.
struct LevelUse {
    std::size_t level = 0;
    std::optional<base::Bytes> capacity; ///< usable bytes of one instance
    base::Bytes peak; ///< per instance
    base::Picoseconds peakAt;
    lowering::StepId peakStep;
    base::Bytes read, written; ///< traffic over the whole program, all instances
    /// Steps of the "bytes in use" curve: from `at` on, `bytes` are in use. By category in ValueRole order.
    struct Sample {
        base::Picoseconds at;
        lowering::StepId step;
        base::Bytes bytes;
        std::array<base::Bytes, 7> byRole;
    };
    std::vector<Sample> samples;
};

/// One entry a memory of the machine, far to near. Buffers' times must be filled (after schedule).
std::vector<LevelUse> use(const lowering::Program& program, const machines::Machine& machine);

/// First and last step of every value of a graph whose nodes run as the given steps: weights and inputs from the
/// first step on, outputs to the last, everything else from its writer to its last reader.
struct Lifetime {
    lowering::StepId first, last;
    bool operator==(const Lifetime&) const = default;
};
base::IdVector<lowering::ValueId, Lifetime> lifetimes(
    const lowering::StageGraph& graph, const base::IdVector<lowering::StepId, lowering::Step>& steps);

/// A request for room in a flat memory of `capacity` bytes.
struct Request {
    base::Bytes bytes;
    Lifetime lifetime;
};
/// Addresses by first fit over live ranges, in the order of the requests, each rounded up to `alignment`;
/// nullopt where it does not fit. Two placed requests that live together never overlap. O(n · alive).
std::vector<std::optional<std::int64_t>> allocateFirstFit(const std::vector<Request>& requests,
    std::optional<base::Bytes> capacity, std::int64_t alignment);

} // namespace fivefold::memory
