// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/joins.h"

#include "core/families/tpu/operators.h"
#include "core/lowering/family.h"
#include "core/lowering/fusion.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;

constexpr std::int64_t kSublanes = 8, kLanes = 128; ///< of a register, and so of the least window
constexpr std::int64_t kBuffers = 2; ///< windows are double-buffered

struct Contents {
    std::size_t products = 0, reductions = 0, working = 0;
    const Node* alone = nullptr; ///< what fuses with nothing
    const Node* relayout = nullptr;
    const Node* product = nullptr;
    OpKind lone = OpKind::Free; ///< of the last working node
};

Contents contentsOf(const StageGraph& graph, std::span<const NodeId> nodes) {
    Contents contents;
    for (const NodeId id : nodes) {
        const Node& node = graph.nodes[id];
        const OpKind kind = kindOf(node);
        if (kind == OpKind::Free)
            continue;
        ++contents.working;
        contents.lone = kind;
        contents.products += kind == OpKind::Product;
        contents.reductions += kind == OpKind::Reduce;
        if (kind == OpKind::Product)
            contents.product = &node;
        if (kind == OpKind::Alone)
            contents.alone = &node;
        if (kind == OpKind::Relayout || kind == OpKind::Copy)
            contents.relayout = &node;
    }
    return contents;
}

std::optional<TileFootprint> footprint(const machines::Machine& machine, const Settings&,
    const StageGraph& graph, std::span<const NodeId> nodes);

std::string joinRefusal(
    const Context& context, const StageGraph& fused, KernelId first, KernelId second) {
    const Contents a = contentsOf(fused, fused.kernels[first].nodes);
    const Contents b = contentsOf(fused, fused.kernels[second].nodes);
    for (const Contents* contents : {&a, &b})
        if (contents->alone)
            return "XLA fuses nothing into " + contents->alone->op + ".";
    if (a.products + b.products > 1)
        return "A fusion holds one product: the matrix unit installs one set of weights.";
    if (a.reductions > 0)
        return "A reduction takes its producers along, not its consumers: they wait for all of it.";
    const bool hasRelayout = a.relayout || b.relayout;
    if (hasRelayout && (a.products + b.products + b.reductions > 0 || !a.relayout || !b.relayout))
        return (a.relayout ? a.relayout : b.relayout)->op
            + " changes the order of the bytes, which ends a fusion.";
    if (a.product && !b.products) {
        const auto& made = fused.values[a.product->outputs.front()].shape;
        for (const NodeId id : fused.kernels[second].nodes)
            for (const ValueId output : fused.nodes[id].outputs)
                if (output.isValid() && fused.values[output].shape != made)
                    return "An epilogue has the product's own size; " + fused.nodes[id].name
                        + " has another.";
    }
    std::vector<NodeId> all = fused.kernels[first].nodes;
    all.insert(all.end(), fused.kernels[second].nodes.begin(), fused.kernels[second].nodes.end());
    const auto tile = footprint(context.machine, context.settings, fused, all);
    if (tile && tile->capacity && tile->bytes > *tile->capacity)
        return "Their windows take " + std::to_string(tile->bytes) + " bytes of VMEM; a kernel has "
            + std::to_string(*tile->capacity) + ".";
    return {};
}

std::string kindOfKernel(const StageGraph& fused, std::span<const NodeId> nodes) {
    const Contents contents = contentsOf(fused, nodes);
    if (contents.products > 0)
        return contents.working > 1 ? "output fusion" : "dot";
    if (contents.relayout)
        return "copy";
    if (contents.working > 1)
        return "loop fusion";
    return contents.reductions > 0 ? "reduce" : "loop";
}

/// Internal results lie in CMEM (v4) or VMEM where a core's share fits beside the kernels' windows.
std::optional<std::size_t> handOver(
    const machines::Machine& machine, const Settings& settings, base::Bytes bytes) {
    const auto set = settings.values.find("vmem");
    auto near = machine.memoryIndex("CMEM");
    if (!near)
        near = machine.memoryIndex("VMEM");
    const auto far = memory::levelOf(machine, machines::MemoryKind::Device);
    if (!near || (set != settings.values.end() && set->second == "off"))
        return far;
    const auto instances = std::max<std::int64_t>(1, machine.memories[*near].instances);
    const double room = machine.parameterOr("prefetch_bytes", 0);
    return static_cast<double>(ceilDiv(bytes.value, instances)) <= room ? near : far;
}

/// The least windows with which the kernel can run: eight rows of every tensor that crosses its
/// border, lanes padded, in two buffers.
std::optional<TileFootprint> footprint(const machines::Machine& machine, const Settings&,
    const StageGraph& graph, std::span<const NodeId> nodes) {
    const machines::Figure* budget = machine.parameter("kernel_vmem_bytes");
    const Boundary border = boundary(graph, nodes);
    TileFootprint tile;
    tile.memory = "VMEM";
    std::size_t windows = 0;
    for (const auto* list : {&border.inputs, &border.outputs})
        for (const ValueId id : *list) {
            const Value& value = graph.values[id];
            if (!value.shape || value.fill)
                continue;
            const std::int64_t last = value.shape->empty() ? 1 : value.shape->back();
            const std::int64_t bytes =
                ceilDiv(saturatingMul(kSublanes * kBuffers, roundUp(last, kLanes))
                        * ir::bitWidth(value.dtype),
                    8);
            tile.bytes += bytes;
            ++windows;
        }
    if (windows == 0)
        return std::nullopt;
    if (budget && budget->isKnown())
        tile.capacity = static_cast<std::int64_t>(*budget->value);
    tile.how = "eight rows of " + std::to_string(windows) + " tensors, in two buffers each";
    return tile;
}

bool isView(const StageGraph&, const Node& node) {
    return kindOf(node) == OpKind::Free;
}

} // namespace

FusionRules fusionRules() {
    return {joinRefusal, nullptr, kindOfKernel, handOver, footprint, isView};
}

} // namespace fivefold::families::tpu
