// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/joins.h"

#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/lowering/family.h"
#include "core/memory/placement.h"

namespace fivefold::families::groq {

namespace {

using namespace lowering;

std::string joinRefusal(
    const Context& context, const StageGraph& fused, KernelId first, KernelId second) {
    std::int64_t products = 0, vectors = 0;
    for (const KernelId kernel : {first, second})
        for (const NodeId id : fused.kernels[kernel].nodes) {
            const Node& node = fused.nodes[id];
            switch (kindOf(fused, node)) {
            case OpKind::Matrix:
                ++products;
                break;
            case OpKind::Vector:
                ++vectors;
                break;
            case OpKind::View:
                break;
            default:
                return node.op
                    + " turns vectors through SRAM: the streams of a chain end before it.";
            }
        }
    if (products > 1)
        return "A chain has one product: its results leave the matrix unit on the streams that the "
               "next one would need.";
    const std::int64_t alus = chip(context.machine, context.settings.precision).alusPerLane;
    if (vectors > alus)
        return "The chain would have " + std::to_string(vectors) + " vector operations; a lane has "
            + std::to_string(alus) + " ALUs in a row.";
    return {};
}

std::string kindOfKernel(const StageGraph&, std::span<const NodeId>) {
    return "chain";
}

/// Everything lies in SRAM; there is no other memory.
std::optional<std::size_t> handOver(
    const machines::Machine& machine, const Settings&, base::Bytes) {
    return memory::levelOf(machine, machines::MemoryKind::Scratchpad);
}

bool isView(const StageGraph& graph, const Node& node) {
    return kindOf(graph, node) == OpKind::View;
}

} // namespace

FusionRules fusionRules() {
    return {joinRefusal, nullptr, kindOfKernel, handOver, nullptr, isView};
}

} // namespace fivefold::families::groq
