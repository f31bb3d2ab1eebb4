// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/joins.h"

#include "core/families/gpu/kernel_label.h"
#include "core/families/gpu/operators.h"
#include "core/lowering/family.h"
#include "core/lowering/tiling.h"
#include "core/lowering/work.h"
#include "core/memory/placement.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

constexpr std::size_t kMaximumNodes = 64; ///< torch._inductor.config.max_fusion_size
constexpr std::int64_t kBlock = 1024; ///< elements of a Triton block (triton_heuristics.pointwise)
constexpr std::int64_t kThreads = 128; ///< of that block: four warps
constexpr std::int64_t kRegisters = 255; ///< of one thread (CUDA C++ Programming Guide, table 27)
constexpr std::int64_t kRegisterBytes = 4; ///< arithmetic is fp32 in registers

/// The loop of a kernel: numel results of rnumel inputs each.
struct Loop {
    std::size_t working = 0;
    const Node* call = nullptr; ///< a library call
    bool isKnown = true, isReduction = false, writesThroughIndex = false;
    std::int64_t numel = 0, rnumel = 1;
};

Loop loopOf(const StageGraph& graph, std::span<const NodeId> nodes) {
    Loop loop;
    for (const NodeId id : nodes) {
        const Node& node = graph.nodes[id];
        const OpKind kind = kindOf(node);
        if (kind == OpKind::View || kind == OpKind::Free)
            continue;
        ++loop.working;
        if (kind == OpKind::Library)
            loop.call = &node;
        loop.writesThroughIndex |= node.canonical == ir::Op::ScatterElements
            || node.canonical == ir::Op::ScatterND || node.canonical == ir::Op::TensorScatter
            || node.canonical == ir::Op::Scatter;
        const ValueId result = node.outputs.empty() ? ValueId() : node.outputs.front();
        const auto results =
            graph.values.contains(result) ? elements(graph.values[result].shape) : std::nullopt;
        if (!results) {
            loop.isKnown = false;
        } else if (isLoopedReduction(node) && node.work.isKnown && node.work.reduced > 1) {
            loop.isReduction = true;
            loop.numel = *results;
            loop.rnumel = node.work.reduced;
        } else if (!loop.isReduction) {
            loop.numel = std::max(loop.numel, *results);
        }
    }
    return loop;
}

std::string inWords(const Loop& loop) {
    std::string text = "numel " + std::to_string(loop.numel);
    return loop.isReduction ? text + " × rnumel " + std::to_string(loop.rnumel) : text;
}

/// Inductor's group test (SIMDScheduling.can_fuse).
bool agree(const Loop& a, const Loop& b) {
    if (a.isReduction == b.isReduction)
        return a.numel == b.numel && a.rnumel == b.rnumel;
    const Loop& reduction = a.isReduction ? a : b;
    const Loop& pointwise = a.isReduction ? b : a;
    return pointwise.numel == reduction.numel
        || pointwise.numel == saturatingMul(reduction.numel, reduction.rnumel);
}

std::string joinRefusal(const Context&, const StageGraph& fused, KernelId first, KernelId second) {
    const Loop a = loopOf(fused, fused.kernels[first].nodes);
    const Loop b = loopOf(fused, fused.kernels[second].nodes);
    for (const Loop* loop : {&a, &b})
        if (loop->call)
            return loop->call->op
                + " is a library call: without max-autotune Inductor fuses nothing into it.";
    if (a.working + b.working > kMaximumNodes)
        return "Together they have " + std::to_string(a.working + b.working)
            + " operators; Inductor's max_fusion_size is " + std::to_string(kMaximumNodes) + ".";
    if (a.writesThroughIndex)
        return "The first writes through an index (a scatter); no reader joins it.";
    if (!a.isKnown || !b.isKnown)
        return "A shape is unknown, so Inductor cannot tell that the iteration domains agree.";
    if (a.working > 0 && b.working > 0 && !agree(a, b))
        return "Their iteration domains differ: " + inWords(a) + " and " + inWords(b)
            + " are not one loop.";
    return {};
}

std::string splitRefusal(const Context&, const StageGraph& fused, KernelId kernel, NodeId) {
    const Loop loop = loopOf(fused, fused.kernels[kernel].nodes);
    return loop.call ? loop.call->op + " is one library call; nothing inside it can be cut."
                     : std::string();
}

std::string kindOfKernel(const StageGraph& fused, std::span<const NodeId> nodes) {
    return labelOf(fused, {nodes.begin(), nodes.end()}, {}, 0).kind;
}

/// Kernels hand over through device memory; hardware keeps in L2 what was written last. That half
/// of it is left over by the inputs that stream through is our assumption.
std::optional<std::size_t> handOver(
    const machines::Machine& machine, const Settings&, base::Bytes bytes) {
    const auto l2 = memory::levelOf(machine, machines::MemoryKind::Cache);
    if (l2
        && static_cast<double>(bytes.value) <= machine.memories[*l2].usableBytes().value_or(0) / 2)
        return l2;
    return memory::levelOf(machine, machines::MemoryKind::Device);
}

/// Most values that live at the same time while the nodes run in order; each takes a register of
/// every element of the block.
std::int64_t mostAlive(const StageGraph& graph, std::span<const NodeId> nodes) {
    std::unordered_map<std::uint32_t, std::size_t> lastUse;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const ValueId input : graph.nodes[nodes[i]].inputs)
            if (input.isValid())
                lastUse[input.value] = i;
    std::unordered_map<std::uint32_t, std::size_t> alive;
    std::size_t most = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = graph.nodes[nodes[i]];
        if (kindOf(node) == OpKind::View)
            continue;
        for (const ValueId input : node.inputs)
            if (input.isValid() && !graph.values[input].fill)
                alive[input.value] = lastUse[input.value];
        for (const ValueId output : node.outputs)
            if (output.isValid())
                alive[output.value] = lastUse.contains(output.value) ? lastUse[output.value] : i;
        most = std::max(most, alive.size());
        std::erase_if(alive, [i](const auto& entry) { return entry.second <= i; });
    }
    return static_cast<std::int64_t>(most);
}

std::optional<TileFootprint> footprint(const machines::Machine&, const Settings&,
    const StageGraph& graph, std::span<const NodeId> nodes) {
    const Loop loop = loopOf(graph, nodes);
    if (loop.call || !loop.isKnown || loop.working == 0)
        return std::nullopt;
    const std::int64_t alive = mostAlive(graph, nodes);
    TileFootprint tile;
    tile.memory = "registers of a block";
    tile.bytes = kBlock * kRegisterBytes * alive;
    tile.capacity = kThreads * kRegisters * kRegisterBytes;
    tile.how = std::to_string(alive) + " live values of " + std::to_string(kBlock) + " elements on "
        + std::to_string(kThreads) + " threads";
    const std::int64_t blocks = ceilDiv(saturatingMul(loop.numel, loop.rnumel), kBlock);
    if (tile.bytes > *tile.capacity) // written to local memory and read back
        tile.spilled = saturatingMul(2 * (tile.bytes - *tile.capacity), blocks);
    return tile;
}

bool isView(const StageGraph&, const Node& node) {
    return kindOf(node) == OpKind::View || kindOf(node) == OpKind::Free;
}

} // namespace

FusionRules fusionRules() {
    return {joinRefusal, splitRefusal, kindOfKernel, handOver, footprint, isView};
}

} // namespace fivefold::families::gpu
