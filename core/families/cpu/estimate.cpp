// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/stages.h"
#include "core/lowering/steps.h"
#include "core/roofline/roofline.h"

#include <algorithm>

namespace fivefold::families::cpu {

using base::Seconds;

namespace {

/// The rates of the machine, as far as it gives them.
struct Rates {
    std::optional<double> flopsPerSecond, bytesPerSecond;
    double computeEfficiency = 1, memoryEfficiency = 1;
    Seconds launch;
    std::size_t level = 0;
};

Rates ratesOf(const lowering::Context& context) {
    const machines::Machine& machine = context.machine;
    Rates rates;
    rates.flopsPerSecond = machine.peak(context.settings.precision);
    if (!rates.flopsPerSecond)
        for (const auto& [precision, figure] : machine.peaks)
            rates.flopsPerSecond = std::max(rates.flopsPerSecond, figure.value);
    rates.level = mainMemory(machine);
    if (rates.level < machine.memories.size())
        rates.bytesPerSecond = machine.memories[rates.level].totalBandwidth();
    rates.computeEfficiency = std::clamp(machine.parameterOr("compute_efficiency", 1), 0.01, 1.0);
    rates.memoryEfficiency = std::clamp(machine.parameterOr("memory_efficiency", 1), 0.01, 1.0);
    rates.launch = Seconds(std::max(machine.parameterOr("launch_s", 0), 0.0));
    return rates;
}

lowering::Estimate unknown(std::string because) {
    lowering::Estimate estimate;
    estimate.isKnown = false;
    estimate.because = std::move(because);
    return estimate;
}

lowering::Estimate estimateStep(const lowering::StageGraph& graph, const lowering::Step& step,
    const lowering::Boundary& boundary, const Rates& rates) {
    const lowering::Node& node = graph.nodes[step.mainNode];
    if (node.support == lowering::Support::Unsupported)
        return unknown("The cost of this operator is not known.");
    lowering::Estimate e;
    if (ir::isView(node.canonical)) {
        e.because = "A view moves nothing.";
        roofline::finish(e);
        return e;
    }
    const lowering::StepWork work = lowering::stepWork(graph, step);
    const auto bytes = lowering::boundaryBytes(graph, boundary);
    if (!work.isKnown || !bytes)
        return unknown("Its shapes are not known.");
    if (!rates.flopsPerSecond || !rates.bytesPerSecond)
        return unknown("The machine gives no peak rate or no bandwidth.");
    e.flops = e.paddedFlops = work.flops;
    e.compute = base::computeTime(work.flops, *rates.flopsPerSecond * rates.computeEfficiency);
    const base::Bytes total = bytes->read + bytes->written;
    const Seconds transfer =
        base::transferTime(total, *rates.bytesPerSecond * rates.memoryEfficiency);
    e.traffic.push_back({rates.level, bytes->read, bytes->written, transfer});
    e.ideal = std::max(base::computeTime(work.flops, *rates.flopsPerSecond),
        base::transferTime(total, *rates.bytesPerSecond));
    if (rates.launch.value > 0)
        e.scheduling.push_back({"launch", rates.launch, lowering::PartKind::Launch});
    roofline::finish(e);
    return e;
}

} // namespace

void estimate(const lowering::Context& context, const lowering::StageGraph& graph,
    lowering::Program& program) {
    const Rates rates = ratesOf(context);
    const auto boundaries = lowering::boundaries(graph);
    for (lowering::Step& step : program.steps)
        step.estimate = estimateStep(graph, step, boundaries[step.kernel], rates);
}

} // namespace fivefold::families::cpu
