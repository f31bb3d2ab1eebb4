// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/estimate.h"
#include "core/families/gpu/implementations.h"
#include "core/families/gpu/stages.h"
#include "core/families/gpu/traffic.h"

#include "core/schedule/schedule.h"

namespace fivefold::families::gpu {

using namespace lowering;

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    const Device device = gpu::device(context);
    placed.stage = Stage::Scheduled;
    const auto stored = storedValues(placed);
    const auto borders = boundaries(placed);
    GemmPlans plans;
    std::size_t done = 0;
    for (Step& step : program.steps) {
        if ((++done & 255) == 0 && context.progress.isCancelled())
            return base::Progress::cancelled();
        const auto chosen = chosenDevice(context, device, placed, step.kernel);
        GemmPlans own;
        step.estimate = planStep(chosen ? *chosen : device, placed, step.kernel,
            kernelBytes(placed, borders[step.kernel], step.kernel, stored), chosen ? own : plans)
                            .estimate;
    }
    const std::string memoryName = context.machine.memories.empty()
        ? std::string("memory")
        : context.machine.memories[device.dramLevel].name;
    schedule::ResourceMap map;
    map.compute = program.resources.add({"tensor cores", "compute"});
    map.vector = program.resources.add({"CUDA cores", "compute"});
    map.read = program.resources.add({memoryName + " read", "memory"});
    map.write = program.resources.add({memoryName + " write", "memory"});
    map.launch = program.resources.add(
        {device.isCudaGraph ? "launch queue (CUDA graph)" : "launch queue (host)", "queue"});
    map.host = program.resources.add({"host", "queue"});
    map.farLevel = device.dramLevel;
    fivefold::schedule::sequence(program, map);
    return placed;
}

} // namespace fivefold::families::gpu
