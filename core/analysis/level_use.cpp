// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/level_use.h"

#include <algorithm>

namespace fivefold::analysis {

namespace {

using machines::Memory;
using machines::MemoryKind;

bool isPlannedScratchpad(const Memory& memory) {
    return memory.kind == MemoryKind::Scratchpad && memory.managedBy.starts_with("compiler");
}

/// Memories that a compiler gives addresses in: off-chip ones, and the scratchpad that it plans
/// where there is one. Of several it may plan one only, so there a buffer has to show it.
bool isPlanned(const machines::Machine& machine, const Memory& memory) {
    if (memory.kind == MemoryKind::Device || memory.kind == MemoryKind::Host)
        return true;
    return isPlannedScratchpad(memory)
        && std::ranges::count_if(machine.memories, isPlannedScratchpad) == 1;
}

} // namespace

KnownUse knownUse(const memory::LevelUse& use, const machines::Machine& machine) {
    const bool isTracked = !use.samples.empty()
        || (use.level < machine.memories.size() && isPlanned(machine, machine.memories[use.level]));
    KnownUse known;
    if (isTracked)
        known.peak = use.peak;
    if (isTracked || use.read.value != 0 || use.written.value != 0) {
        known.read = use.read;
        known.written = use.written;
    }
    return known;
}

} // namespace fivefold::analysis
