// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::memory {

/// What the bytes in use of a memory are for. Padding stands apart, and so does what wanted a nearer
/// memory and found no room there.
enum class UseKind : std::uint8_t { Weights, KvCache, Activations, Scratch, Spill, Padding };
constexpr std::size_t kUseKinds = 6;
std::string_view toString(UseKind kind); ///< "weights", "kv_cache", …
/// Of a buffer's bytes without their padding.
UseKind useKind(const lowering::Buffer& buffer);
/// The padding among a buffer's bytes: as large a share as in its tensor's layout. 0 where shape or
/// layout are unknown.
base::Bytes paddingOf(const lowering::Program& program, const lowering::Buffer& buffer);

/// What a cache that hardware manages is modelled to do: nothing is placed in it.
struct CacheUse {
    /// Bytes that the memory behind it does not move, of those that are asked of the cache; nullopt
    /// where nothing passes through both.
    std::optional<double> hitShare;
    base::Bytes resident; ///< most bytes of the program's tensors that it holds at once
    base::Picoseconds residentAt;
    struct Sample {
        base::Picoseconds at; ///< end of the step
        lowering::StepId step;
        base::Bytes resident; ///< after it: least recently used goes first
        std::optional<double> hitShare; ///< of the step
    };
    std::vector<Sample> samples; ///< one a step that takes time
};

/// Of a cache, behind which the next memory of kind Device stands. Which tensors it holds follows from
/// the order of the steps: what a step touches goes in whole, the least recently used goes out.
/// O(steps + border values).
CacheUse cacheUse(
    const lowering::Program& program, const machines::Machine& machine, std::size_t level);

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
        std::array<base::Bytes, kUseKinds> byKind; ///< adds up to `bytes`
    };
    std::vector<Sample> samples;
    std::optional<CacheUse> cache; ///< of a cache; it has no samples of its own
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
