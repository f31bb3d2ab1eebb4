// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/estimate.h"
#include "core/families/gpu/stages.h"
#include "core/families/gpu/traffic.h"

#include "core/lowering/steps.h"
#include "core/memory/memory.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

constexpr std::int64_t kBlockBytes = 512; ///< the CUDA caching allocator rounds requests up to this

bool isResident(ValueRole role) {
    return role == ValueRole::Weight || role == ValueRole::Constant;
}

/// Stored values that a kernel reads from or leaves in device memory.
std::vector<ValueId> storedInMemory(const StageGraph& graph,
    const base::IdVector<KernelId, Boundary>& boundaries,
    const base::IdVector<ValueId, ValueId>& stored) {
    std::vector<std::uint8_t> isThere(graph.values.size(), 0);
    const auto mark = [&](ValueId id) {
        if (graph.values.contains(id))
            isThere[stored[id].index()] = 1;
    };
    for (const Boundary& boundary : boundaries) {
        std::for_each(boundary.inputs.begin(), boundary.inputs.end(), mark);
        std::for_each(boundary.outputs.begin(), boundary.outputs.end(), mark);
    }
    std::for_each(graph.inputs.begin(), graph.inputs.end(), mark);
    std::for_each(graph.outputs.begin(), graph.outputs.end(), mark);
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < isThere.size(); ++i)
        if (isThere[i] != 0 && graph.values[ValueId(i)].deviceBytes())
            values.push_back(ValueId(i));
    return values;
}

/// A stored value lives as long as any view of it.
std::vector<memory::Lifetime> lifetimesOf(const StageGraph& graph, const Program& program,
    const base::IdVector<ValueId, ValueId>& stored) {
    const auto own = memory::lifetimes(graph, program.steps);
    std::vector<memory::Lifetime> lives(own.begin(), own.end());
    for (std::size_t i = 0; i < lives.size(); ++i) {
        memory::Lifetime& base = lives[stored[ValueId(i)].index()];
        const memory::Lifetime& view = own[ValueId(i)];
        if (!view.first.isValid() || !view.last.isValid())
            continue;
        if (!base.last.isValid() || base.last < view.last)
            base.last = view.last;
        if (!base.first.isValid())
            base.first = view.first;
    }
    return lives;
}

Buffer bufferOf(
    const StageGraph& graph, const Device& device, ValueId id, const memory::Lifetime& life) {
    const Value& value = graph.values[id];
    Buffer buffer;
    buffer.value = id;
    buffer.level = device.dramLevel;
    buffer.bytes = *value.deviceBytes();
    buffer.firstStep = life.first;
    buffer.lastStep = life.last;
    buffer.category = value.role;
    buffer.reason = isResident(value.role)
        ? "Parameters stay in device memory from load to end."
        : "Kernels hand tensors over through device memory; the caching allocator reuses the room "
          "after the last reader. L2 may still hold it, which hardware decides.";
    return buffer;
}

std::int64_t roundedUp(std::int64_t bytes) {
    return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

void placeBuffers(const Context& context, const Device& device, const StageGraph& graph,
    std::vector<ValueId> values, const std::vector<memory::Lifetime>& lives, Program& program) {
    std::int64_t resident = 0;
    std::vector<memory::Request> requests;
    std::vector<BufferId> asking;
    // In the order in which lives begin: the allocator then forgets what has ended.
    std::stable_sort(values.begin(), values.end(),
        [&lives](ValueId a, ValueId b) { return lives[a.index()].first < lives[b.index()].first; });
    for (const ValueId id : values) {
        if (!lives[id.index()].first.isValid() || !lives[id.index()].last.isValid())
            continue; // no step runs while it is there: an empty program
        Buffer buffer = bufferOf(graph, device, id, lives[id.index()]);
        const bool stays = isResident(buffer.category);
        if (stays) {
            buffer.address = resident;
            resident += roundedUp(buffer.bytes.value);
        }
        const memory::Request request{buffer.bytes, lives[id.index()]};
        const BufferId added = program.buffers.add(std::move(buffer));
        if (!stays) {
            requests.push_back(request);
            asking.push_back(added);
        }
    }
    const auto addresses = memory::allocateFirstFit(requests, std::nullopt, kBlockBytes);
    std::int64_t top = resident;
    for (std::size_t i = 0; i < asking.size(); ++i) {
        Buffer& buffer = program.buffers[asking[i]];
        buffer.address = resident + addresses[i].value_or(0);
        top = std::max(top, buffer.address + buffer.bytes.value);
    }
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
        const StepPlan plan = planStep(device, laidOut, step.kernel,
            kernelBytes(laidOut, borders[step.kernel], step.kernel, stored), plans);
        step.workDivision = plan.workDivision;
        step.unitsUsed = plan.unitsUsed;
    }
    const std::vector<ValueId> values = storedInMemory(laidOut, borders, stored);
    placeBuffers(context, device, laidOut, values, lifetimesOf(laidOut, program, stored), program);
    program.mode = device.isCudaGraph
        ? "One stream: a CUDA graph launches one kernel after another."
        : "One stream: the host launches one kernel after another.";
    return laidOut;
}

} // namespace fivefold::families::gpu
