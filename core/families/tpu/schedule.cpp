// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/estimate.h"
#include "core/families/tpu/residency.h"
#include "core/families/tpu/stages.h"

#include "core/roofline/roofline.h"
#include "core/schedule/schedule.h"

namespace fivefold::families::tpu {

using namespace lowering;

namespace {

/// A call that is waited for shows the host's dispatch before its first kernel.
void countDispatch(const Device& device, Program& program) {
    for (Step& step : program.steps) {
        if (!step.estimate.isKnown || step.estimate.time.value <= 0)
            continue;
        step.estimate.scheduling.push_back({"dispatch",
            base::Seconds(device.dispatchSeconds / static_cast<double>(step.executions))});
        roofline::finish(step.estimate);
        return;
    }
}

} // namespace

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    const Device device = tpu::device(context);
    placed.stage = Stage::Scheduled;
    const auto stored = storedValues(placed);
    const auto borders = boundaries(placed);
    const auto isNear = nearValues(placed, program, device);
    std::size_t done = 0;
    for (Step& step : program.steps) {
        if ((++done & 255) == 0 && context.progress.isCancelled())
            return base::Progress::cancelled();
        step.estimate = planStep(device, placed, step.kernel,
            kernelBytes(placed, borders[step.kernel], step.kernel, stored, isNear))
                            .estimate;
    }
    if (device.isDispatchCounted)
        countDispatch(device, program);
    fivefold::schedule::ResourceMap map;
    map.compute = program.resources.add({"matrix units (MXU)", "compute"});
    map.vector = program.resources.add({"vector unit (VPU)", "compute"});
    map.read = program.resources.add({"HBM in (DMA)", "memory"});
    map.write = program.resources.add({"HBM out (DMA)", "memory"});
    map.launch = program.resources.add({"scalar core", "queue"});
    map.host = program.resources.add({"host", "queue"});
    map.farLevel = device.hbmLevel;
    fivefold::schedule::sequence(program, map);
    return placed;
}

} // namespace fivefold::families::tpu
