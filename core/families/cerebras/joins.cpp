// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/joins.h"

#include "core/families/cerebras/operators.h"
#include "core/lowering/family.h"
#include "core/memory/placement.h"

namespace fivefold::families::cerebras {

namespace {

using namespace lowering;

constexpr std::size_t kMaximumNodes = 96; ///< as in fuse.cpp: code is a part of a PE's 48 KB

std::string joinRefusal(const Context&, const StageGraph& fused, KernelId first, KernelId second) {
    std::size_t products = 0;
    for (const KernelId kernel : {first, second})
        for (const NodeId id : fused.kernels[kernel].nodes)
            products += kindOf(fused.nodes[id]) == OpKind::Contraction;
    if (products > 1)
        return "A region is one layer: a second product needs a rectangle cut to its own work.";
    const std::size_t nodes =
        fused.kernels[first].nodes.size() + fused.kernels[second].nodes.size();
    if (nodes > kMaximumNodes)
        return "The program of " + std::to_string(nodes)
            + " operators does not fit the code memory of a PE, which holds about "
            + std::to_string(kMaximumNodes) + ".";
    return {};
}

std::string kindOfKernel(const StageGraph&, std::span<const NodeId>) {
    return "region";
}

/// Regions hand over through the memories of their PEs: everything is on the wafer.
std::optional<std::size_t> handOver(
    const machines::Machine& machine, const Settings&, base::Bytes) {
    return memory::levelOf(machine, machines::MemoryKind::Scratchpad);
}

bool isView(const StageGraph&, const Node& node) {
    return kindOf(node) == OpKind::View;
}

} // namespace

FusionRules fusionRules() {
    return {joinRefusal, nullptr, kindOfKernel, handOver, nullptr, isView};
}

} // namespace fivefold::families::cerebras
