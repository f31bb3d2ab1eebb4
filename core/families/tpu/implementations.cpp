// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/implementations.h"

#include "core/families/tpu/device.h"
#include "core/families/tpu/estimate.h"
#include "core/families/tpu/mxu.h"
#include "core/families/tpu/windows.h"
#include "core/lowering/implementation_choice.h"
#include "core/lowering/loop_nest.h"
#include "core/lowering/tiling.h"
#include "core/roofline/operator_forms.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using base::Bytes;
using base::Flops;
using base::Seconds;

constexpr const char* kBlockM = "block_m";
constexpr const char* kBlockN = "block_n";
constexpr const char* kBlockK = "block_k";
constexpr const char* kOrder = "order";
constexpr std::int64_t kBlocks[] = {128, 256, 512, 1024, 2048, 4096};
constexpr std::int64_t kWindowRows = 8, kWindowLanes = 128; ///< XLA's unit of windows
/// Seconds of a grid step, at least: 64³ steps of a Pallas product take 91.84 ms on a v5e (JAX
/// Pallas matmul notebook). grid_step_s of the machine.
constexpr double kGridStepSeconds = 0.35e-6;

double matrixSeconds(const Device& device, const MxuProblem& problem) {
    return planMxu(device, problem).cycles()
        / (device.clock * device.matrixEfficiency * device.precisionFactor);
}

roofline::FormRates rates(const Device& device) {
    roofline::FormRates r;
    r.farLevel = device.hbmLevel;
    r.nearLevel = device.vmemLevel;
    r.farBytesPerSecond = device.hbmBandwidth * device.hbmEfficiency;
    r.nearBytes = static_cast<double>(device.windowBytes);
    r.vectorPerSecond = device.vectorRate;
    r.kernelSeconds = device.opSeconds;
    r.units = device.arrays;
    r.productSeconds = [&device](const ProductSizes& p) {
        return matrixSeconds(device, {p.batch, p.m, p.n, p.k});
    };
    return r;
}

/// Rounded block extents to choose from: XLA's own, powers of two of whole tiles, and the whole.
ImplementationChoice blockChoice(
    const char* key, std::string name, std::int64_t extent, std::int64_t preset) {
    ImplementationChoice choice{key, std::move(name), {}, std::to_string(preset)};
    std::vector<std::int64_t> values = {preset};
    for (const std::int64_t block : kBlocks)
        if (block < extent)
            values.push_back(block);
    values.push_back(extent);
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    for (const std::int64_t value : values)
        choice.values.push_back(std::to_string(value));
    return choice;
}

/// The order that reads the larger operand once, as XLA's windows do.
LoopOrder presetOrder(const WindowPlan& plan) {
    if (plan.stepsK > 1)
        return LoopOrder::OutputStationary;
    return plan.stepsM > plan.stepsN ? LoopOrder::WeightStationary : LoopOrder::InputStationary;
}

std::vector<ImplementationChoice> choices(
    const Context& context, const StageGraph& graph, NodeId node) {
    const Device device = tpu::device(context);
    const auto sizes =
        graph.nodes.contains(node) ? productSizes(graph, graph.nodes[node]) : std::nullopt;
    if (!sizes)
        return roofline::formChoices(graph, node, rates(device), false);
    const WindowPlan plan =
        planWindows(device, {sizes->batch, sizes->m, sizes->n, sizes->k}, sizes->elementBytes);
    ImplementationChoice order{
        kOrder, "operand that stays", {}, std::string(toString(presetOrder(plan)))};
    for (const LoopOrder o :
        {LoopOrder::OutputStationary, LoopOrder::WeightStationary, LoopOrder::InputStationary})
        order.values.emplace_back(toString(o));
    return {blockChoice(
                kBlockM, "rows of a window", sizes->m, std::min(sizes->m, plan.m8 * kWindowRows)),
        blockChoice(
            kBlockN, "columns of a window", sizes->n, std::min(sizes->n, plan.n128 * kWindowLanes)),
        blockChoice(
            kBlockK, "depth of a window", sizes->k, std::min(sizes->k, plan.k128 * kWindowLanes)),
        std::move(order)};
}

/// First copies + Σ steps max(compute, copy, 0.35 µs) + last write (facts of the Pallas pipeline:
/// JAX documentation, "Pallas TPU pipelining").
ImplementationRow productRow(const Context& context, const Device& device,
    const ProductSizes& sizes, ImplementationValues values) {
    const auto extent = [&values](const char* key) { return std::stoll(values.at(key)); };
    const Block block{extent(kBlockM), extent(kBlockN), extent(kBlockK)};
    const NestTraffic nest = nestTraffic(sizes, block, *parseLoopOrder(values.at(kOrder)));
    const MxuPlan mxu = planMxu(device, {sizes.batch, sizes.m, sizes.n, sizes.k});
    const double rate = device.hbmBandwidth * device.hbmEfficiency;
    const double compute = matrixSeconds(device, {sizes.batch, sizes.m, sizes.n, sizes.k});
    const double copies = nest.total() / rate;
    const double steps = static_cast<double>(nest.steps)
        * context.machine.parameterOr("grid_step_s", kGridStepSeconds);
    const double ends = nest.steps > 1 ? copies / static_cast<double>(nest.steps) : 0;
    const double body = nest.steps > 1 ? std::max({compute, copies, steps}) : compute + copies;
    ImplementationRow row;
    row.choice = std::move(values);
    row.flops = Flops(sizes.flops());
    row.paddedFlops = Flops(std::max(mxu.paddedFlops, row.flops.value));
    row.bytesByLevel.emplace_back(device.hbmLevel, Bytes(std::llround(nest.total())));
    if (device.vmemLevel)
        row.bytesByLevel.emplace_back(*device.vmemLevel, Bytes(std::llround(nest.held)));
    row.syncs = nest.steps - 1;
    row.units = device.arrays;
    row.time = Seconds(device.productSeconds + body + ends);
    row.because = nest.steps <= 1 ? "One step: the copies are not hidden."
        : steps >= std::max(compute, copies)
        ? "Its " + std::to_string(nest.steps) + " steps are too short to hide their start."
        : compute >= copies ? "The matrix units work through."
                            : "Copies into VMEM take longest.";
    if (nest.held > static_cast<double>(device.windowBytes))
        row.misfit = "The windows take " + std::to_string(std::llround(nest.held))
            + " bytes and a kernel has " + std::to_string(device.windowBytes) + " of VMEM.";
    return row;
}

base::Result<ImplementationRow> row(const Context& context, const StageGraph& graph, NodeId node,
    const ImplementationValues& values) {
    const Device device = tpu::device(context);
    const auto sizes =
        graph.nodes.contains(node) ? productSizes(graph, graph.nodes[node]) : std::nullopt;
    if (!sizes)
        return roofline::formRow(context.machine, graph, node, rates(device), false, values);
    auto complete = completeChoice(choices(context, graph, node), values, context.machine.name);
    if (!complete)
        return complete.error();
    return productRow(context, device, *sizes, *std::move(complete));
}

} // namespace

ImplementationRules implementationRules() {
    return {choices, row};
}

} // namespace fivefold::families::tpu
