// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/estimate.h"
#include "core/families/gpu/implementations.h"
#include "core/families/gpu/plan.h"
#include "core/families/gpu/residency.h"
#include "core/families/gpu/stages.h"
#include "core/families/gpu/traffic.h"

#include "core/lowering/steps.h"
#include "core/lowering/wave_grid.h"
#include "core/memory/placement.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

constexpr std::int64_t kBlockBytes = 512; ///< the CUDA caching allocator rounds requests up to this

Buffer bufferOf(
    const StageGraph& graph, const Device& device, ValueId id, const memory::Lifetime& life) {
    Buffer buffer =
        memory::bufferOf(graph, id, device.dramLevel, {*graph.values[id].deviceBytes(), life});
    buffer.reason = memory::isResident(buffer.category)
        ? "Parameters stay in device memory from load to end."
        : "Kernels hand tensors over through device memory; the caching allocator reuses the room "
          "after the last reader. L2 may still hold it, which hardware decides.";
    return buffer;
}

void placeBuffers(const Context& context, const Device& device, const StageGraph& graph,
    std::vector<ValueId> values, const base::IdVector<ValueId, memory::Lifetime>& lives,
    Program& program) {
    std::vector<BufferId> fixed, pool;
    // In the order in which lives begin: the allocator then forgets what has ended.
    std::stable_sort(values.begin(), values.end(),
        [&lives](ValueId a, ValueId b) { return lives[a].first < lives[b].first; });
    for (const ValueId id : values) {
        if (!lives[id].first.isValid() || !lives[id].last.isValid())
            continue; // no step runs while it is there: an empty program
        Buffer buffer = bufferOf(graph, device, id, lives[id]);
        const bool stays = memory::isResident(buffer.category);
        (stays ? fixed : pool).push_back(program.buffers.add(std::move(buffer)));
    }
    const std::int64_t top = memory::assignAddresses(program, fixed, pool, kBlockBytes);
    const auto capacity = context.machine.memories[device.dramLevel].usableBytes();
    if (!capacity || static_cast<double>(top) <= *capacity)
        return;
    program.chips = static_cast<std::int64_t>(static_cast<double>(top) / *capacity) + 1;
    context.diagnostics.warn("gpu.out_of_memory", {},
        "The model needs " + std::to_string(top) + " bytes of device memory and "
            + context.machine.name + " has " + std::to_string(static_cast<std::int64_t>(*capacity))
            + ".",
        "Use a smaller precision or batch, or split the model over " + std::to_string(program.chips)
            + " devices.");
}

/// What holds a kernel's tiles and its inputs, as sentences behind its reason.
void explainMemories(const Device& device, StageGraph& graph,
    const base::IdVector<KernelId, Boundary>& borders,
    const base::IdVector<ValueId, ValueId>& stored, GemmPlans& plans) {
    const double l2 = device.l2Bytes.value_or(0);
    const auto shares = residentShares(graph, borders, stored, l2);
    for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
        Kernel& kernel = graph.kernels[KernelId(k)];
        const auto append = [&kernel](const std::string& sentence) {
            if (!sentence.empty())
                kernel.reason += (kernel.reason.empty() ? "" : " ") + sentence;
        };
        if (kernel.kind == "library")
            for (const NodeId id : kernel.nodes)
                if (const auto problem = problemOf(graph, graph.nodes[id])) {
                    append(occupancySentence(device, plans.get(device, *problem)));
                    break;
                }
        if (kernel.kind != "view")
            append(residencySentence(shares[KernelId(k)], l2));
    }
}

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    const Device device = gpu::device(context);
    laidOut.stage = Stage::Placed;
    program.steps = stepsFromKernels(laidOut);
    const auto stored = storedValues(laidOut);
    const auto borders = boundaries(laidOut);
    GemmPlans plans;
    std::size_t done = 0;
    for (Step& step : program.steps) {
        if ((++done & 255) == 0 && context.progress.isCancelled())
            return base::Progress::cancelled();
        const auto chosen = chosenDevice(context, device, laidOut, step.kernel);
        GemmPlans own;
        const StepPlan plan = planStep(chosen ? *chosen : device, laidOut, step.kernel,
            kernelBytes(laidOut, borders[step.kernel], step.kernel, stored), chosen ? own : plans);
        step.workDivision = plan.workDivision;
        step.unitsUsed = plan.unitsUsed;
        if (plan.grid && laidOut.nodes.contains(step.mainNode))
            setWaveGrid(laidOut.nodes[step.mainNode], *plan.grid);
    }
    explainMemories(device, laidOut, borders, stored, plans);
    placeBuffers(context, device, laidOut, memory::storedAtBorders(laidOut, borders, stored),
        memory::lifetimes(laidOut, program.steps, stored), program);
    program.mode = device.isCudaGraph
        ? "One stream: a CUDA graph launches one kernel after another."
        : "One stream: the host launches one kernel after another.";
    return laidOut;
}

} // namespace fivefold::families::gpu
