// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/implementations.h"

#include "core/families/groq/chip.h"
#include "core/lowering/implementation_choice.h"
#include "core/lowering/loop_nest.h"
#include "core/lowering/tiling.h"
#include "core/roofline/operator_forms.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::groq {

namespace {

using namespace lowering;
using base::Bytes;
using base::Flops;
using base::Seconds;

constexpr const char* kPlanes = "planes";

Chip chipOf(const Context& context) {
    return chip(context.machine, context.settings.precision);
}

/// Rows and weight sets: a batch against one weight streams as more rows.
ProductPlan planOf(const Chip& chip, const ProductSizes& p) {
    return p.isWeightShared && !p.isConvolution
        ? planProduct(chip, saturatingMul(p.batch, p.m), p.n, p.k, 1)
        : planProduct(chip, p.m, p.n, p.k, p.batch);
}

std::size_t sramLevel(const machines::Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].kind == machines::MemoryKind::Scratchpad)
            return i;
    return 0;
}

roofline::FormRates rates(const Context& context, const Chip& chip) {
    roofline::FormRates r;
    r.farLevel = sramLevel(context.machine);
    r.farBytesPerSecond = static_cast<double>(chip.operandBytesPerCycle()) * chip.clockHz;
    r.vectorPerSecond = static_cast<double>(chip.lanes * chip.alusPerLane) * chip.clockHz;
    r.kernelSeconds = static_cast<double>(chip.installCycles + chip.transitCycles()) / chip.clockHz;
    r.units = chip.planes;
    r.productSeconds = [chip](const ProductSizes& p) {
        return static_cast<double>(planOf(chip, p).cycles) / chip.clockHz;
    };
    return r;
}

std::vector<ImplementationChoice> choices(
    const Context& context, const StageGraph& graph, NodeId node) {
    const Chip chip = chipOf(context);
    const auto sizes =
        graph.nodes.contains(node) ? productSizes(graph, graph.nodes[node]) : std::nullopt;
    if (!sizes)
        return roofline::formChoices(graph, node, rates(context, chip), false);
    ImplementationChoice planes{kPlanes, "planes on different tiles", {},
        std::to_string(planOf(chip, *sizes).planesOnTiles)};
    for (std::int64_t p = 1; p <= chip.planes; p *= 2)
        planes.values.push_back(std::to_string(p));
    return {std::move(planes)};
}

ImplementationRow productRow(const Context& context, const Chip& chip, const ProductSizes& sizes,
    ImplementationValues values) {
    Chip one = chip;
    const std::int64_t planes = std::stoll(values.at(kPlanes));
    ProductPlan plan = planOf(chip, sizes);
    // As planProduct counts it, with the planes given.
    const std::int64_t rows = sizes.isWeightShared && !sizes.isConvolution
        ? saturatingMul(sizes.batch, sizes.m)
        : sizes.m;
    const std::int64_t round =
        std::max(ceilDiv(saturatingMul(rows, planes), one.planes), one.installCycles);
    const std::int64_t stream = saturatingMul(ceilDiv(plan.passes, planes), round);
    const double padded = static_cast<double>(plan.tiles * chip.planeRows * chip.planeColumns);
    const double operands = padded * static_cast<double>(chip.elementBytes);
    const double weights = operands / static_cast<double>(chip.streamBytesPerCycle);
    const double element = static_cast<double>(sizes.elementBytes);
    const double all = static_cast<double>(sizes.batch);
    const double activations = element * all
        * static_cast<double>(sizes.m * ceilDiv(sizes.k, chip.planeRows) * chip.planeRows
                * ceilDiv(ceilDiv(sizes.n, chip.planeColumns), planes)
            + sizes.m * ceilDiv(sizes.n, chip.planeColumns) * chip.planeColumns);
    const double moving =
        (operands + activations) / static_cast<double>(chip.operandBytesPerCycle());
    const double cycles = std::max({static_cast<double>(stream), weights, moving});
    ImplementationRow row;
    row.choice = std::move(values);
    row.flops = Flops(sizes.flops());
    row.paddedFlops = Flops(2 * padded * static_cast<double>(rows));
    row.bytesByLevel.emplace_back(
        sramLevel(context.machine), Bytes(std::llround(operands + activations)));
    row.syncs = 0;
    row.units = std::min(planes, std::max<std::int64_t>(1, plan.tiles)) * (chip.planes / planes);
    row.time = Seconds(
        (cycles + static_cast<double>(chip.installCycles + chip.transitCycles())) / chip.clockHz);
    row.because = cycles <= static_cast<double>(stream)
        ? std::to_string(ceilDiv(plan.passes, planes)) + " rounds of " + std::to_string(round)
            + (round == chip.installCycles ? " cycles, the time to install a tile."
                                           : " cycles, a row each.")
        : weights >= moving ? "The weights take longest to arrive on the streams."
                            : "The activations pass once for every group of tiles.";
    return row;
}

base::Result<ImplementationRow> row(const Context& context, const StageGraph& graph, NodeId node,
    const ImplementationValues& values) {
    const Chip chip = chipOf(context);
    const auto sizes =
        graph.nodes.contains(node) ? productSizes(graph, graph.nodes[node]) : std::nullopt;
    if (!sizes)
        return roofline::formRow(context.machine, graph, node, rates(context, chip), false, values);
    auto complete = completeChoice(choices(context, graph, node), values, context.machine.name);
    if (!complete)
        return complete.error();
    return productRow(context, chip, *sizes, *std::move(complete));
}

} // namespace

ImplementationRules implementationRules() {
    return {choices, row};
}

} // namespace fivefold::families::groq
