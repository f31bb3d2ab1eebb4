// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion.h"
#include "core/memory/memory.h"

#include <span>

/// Tools of the families' place stages. Which value goes where stays each family's own rule.
namespace fivefold::memory {

/// Index of the machine's first memory of a kind.
std::optional<std::size_t> levelOf(const machines::Machine& machine, machines::MemoryKind kind);

/// Weights and constants: there before the program starts.
constexpr bool isResident(lowering::ValueRole role) {
    return role == lowering::ValueRole::Weight || role == lowering::ValueRole::Constant;
}

/// As lifetimes(), where a stored value lives as long as any view of it. `stored` names the stored
/// value behind each value (lowering::storedValues).
base::IdVector<lowering::ValueId, Lifetime> lifetimes(const lowering::StageGraph& graph,
    const base::IdVector<lowering::StepId, lowering::Step>& steps,
    const base::IdVector<lowering::ValueId, lowering::ValueId>& stored);

/// Stored values of known size that a kernel reads from outside or leaves, and those behind the
/// model's inputs and outputs; by id.
std::vector<lowering::ValueId> storedAtBorders(const lowering::StageGraph& graph,
    const base::IdVector<lowering::KernelId, lowering::Boundary>& borders,
    const base::IdVector<lowering::ValueId, lowering::ValueId>& stored);

/// A value's buffer but for its address, unit and reason.
lowering::Buffer bufferOf(const lowering::StageGraph& graph, lowering::ValueId value,
    std::size_t level, const Request& request);

/// Addresses in one memory, multiples of `alignment`: the buffers `fixed` one behind another from 0
/// on, those of `pool` above them by first fit over their lives. Returns the end of the highest.
std::int64_t assignAddresses(lowering::Program& program, std::span<const lowering::BufferId> fixed,
    std::span<const lowering::BufferId> pool, std::int64_t alignment);

} // namespace fivefold::memory
