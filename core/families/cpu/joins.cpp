// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/joins.h"

#include "core/families/cpu/stages.h"
#include "core/lowering/family.h"

namespace fivefold::families::cpu {

namespace {

using namespace lowering;

std::string joinRefusal(const Context&, const StageGraph&, KernelId, KernelId) {
    return "The library has one call an operator: it fuses nothing.";
}

std::optional<std::size_t> handOver(
    const machines::Machine& machine, const Settings&, base::Bytes) {
    return machine.memories.empty() ? std::nullopt : std::optional(mainMemory(machine));
}

} // namespace

FusionRules fusionRules() {
    return {joinRefusal, nullptr, nullptr, handOver, nullptr, nullptr};
}

} // namespace fivefold::families::cpu
