// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

namespace fivefold::analysis {

/// A tensor that is made and used up inside a fused kernel.
struct Intermediate {
    lowering::ValueId value; ///< of the placed stage
    std::optional<base::Bytes> bytes; ///< padding included
    std::int64_t reads = 0; ///< operators of the kernel that read it
    /// Where it lies: its buffer's level, or nullopt where it never leaves the kernel's registers,
    /// windows or streams.
    std::optional<std::size_t> level;
    /// Where it would lie if its kernel were cut there; nullopt: not known.
    std::optional<std::size_t> levelAlone;
    bool isRecomputed = false; ///< another kernel computes the same
};

/// What one fusion buys and costs, in bytes of one execution. Bytes are those of memories off the
/// chip (MemoryKind::Device and Host); `net` may be negative. The alternative that it is compared
/// with is every operator as a kernel of its own, and what is recomputed stored once.
///   saved = Σ over intermediates (1 + reads) · bytes  (reads alone where it is recomputed)
///         + Σ over tensors from outside (readers − 1) · bytes, where they would lie off the chip
///   net   = saved − spilled − recomputed
struct GroupCard {
    lowering::KernelId kernel;
    std::size_t operators = 0; ///< that are not views
    std::vector<Intermediate> intermediates; ///< in execution order
    std::optional<base::Bytes> intermediateBytes; ///< of all
    /// Without fusion all intermediates would lie on the chip: then nothing is saved off it.
    /// nullopt: there are none, or a level is not known.
    std::optional<bool> isOnChipAlready;
    /// The level that the answer rests on is managed by hardware: modelled, never allocated.
    bool isHardwareManaged = false;
    std::string levelAlone; ///< name of the level of most intermediates without fusion

    /// Working memory: of one tile where the family states it, else the kernel's own buffers in the
    /// nearest scratchpad at their peak.
    std::optional<lowering::TileFootprint> tile;
    std::optional<bool> fits() const;

    std::optional<base::Bytes> saved, spilled, recomputed, net; ///< nullopt: a shape is unknown
    std::string verdict; ///< one sentence
};

/// A card for each kernel of the placed stage that holds two operators or more which are not views;
/// parallel to that stage's kernels, nullopt for the others. O(nodes + edges + buffers).
base::IdVector<lowering::KernelId, std::optional<GroupCard>> groupCards(const Result& result);

/// Why a change of the kernels is not possible on this result, as a sentence; empty: it is.
std::string fusionRefusal(const Result& result, const lowering::FusionEdit& edit);

} // namespace fivefold::analysis
