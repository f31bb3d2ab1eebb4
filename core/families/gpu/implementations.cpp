// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/implementations.h"

#include "core/families/gpu/device.h"
#include "core/families/gpu/gemm.h"
#include "core/families/gpu/plan.h"
#include "core/lowering/implementation_choice.h"
#include "core/lowering/loop_nest.h"
#include "core/roofline/operator_forms.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using base::Bytes;
using base::Flops;
using base::Seconds;

constexpr const char* kTile = "tile";
constexpr const char* kSplit = "split";

std::string nameOf(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + "x" + std::to_string(columns);
}

roofline::FormRates rates(const Device& device) {
    roofline::FormRates r;
    r.farLevel = device.dramLevel;
    r.nearLevel = device.sharedLevel;
    r.farBytesPerSecond = device.dramBandwidth * device.pointwise.efficiency;
    r.nearBytes = device.sharedBytesPerSm;
    r.vectorPerSecond = device.vectorPeak;
    r.kernelSeconds = device.pointwise.fixedSeconds;
    r.units = device.sms;
    r.productSeconds = [&device](const ProductSizes& p) {
        return planGemm(device, {p.batch, p.m, p.n, p.k, p.elementBytes, 0}).computeSeconds;
    };
    r.tiledSeconds = [&device](const AttentionSizes& a) -> std::optional<double> {
        const AttentionProblem problem{
            a.batch, a.queries, a.keys, a.heads, a.kvHeads, a.headSize, a.elementBytes, false};
        return prefillTime({device.sms, device.peak, device.dramBandwidth}, device.prefill, problem)
            .seconds();
    };
    return r;
}

/// Attention calls and matched patterns are one kernel unless the user switched that off.
bool isTiled(const Device& device) {
    return device.isSdpaOn;
}

std::vector<ImplementationChoice> productChoices(const Device& device, const GemmProblem& problem) {
    const GemmPlan preset = planGemm(device, problem);
    ImplementationChoice tile{kTile, "CTA tile", {}, nameOf(preset.tileM, preset.tileN), true};
    for (const Tile& candidate : device.tiles)
        tile.values.push_back(nameOf(candidate.rows, candidate.columns));
    if (std::ranges::find(tile.values, tile.preset) == tile.values.end())
        tile.values.push_back(tile.preset);
    ImplementationChoice split{kSplit, "parts of k", {}, std::to_string(preset.splitK), true};
    for (const std::int64_t parts : splitsOf(problem))
        split.values.push_back(std::to_string(parts));
    return {std::move(tile), std::move(split)};
}

std::vector<ImplementationChoice> choices(
    const Context& context, const StageGraph& graph, NodeId node) {
    const Device device = gpu::device(context);
    if (!graph.nodes.contains(node))
        return {};
    const auto problem = problemOf(graph, graph.nodes[node]);
    return problem ? productChoices(device, *problem)
                   : roofline::formChoices(graph, node, rates(device), isTiled(device));
}

std::string because(const GemmPlan& plan) {
    if (plan.computeSeconds >= std::max(plan.dramSeconds, plan.l2Seconds))
        return "Its " + std::to_string(plan.tiles) + " CTAs take " + std::to_string(plan.waves)
            + (plan.waves == 1 ? " wave" : " waves") + ", "
            + std::to_string(std::lround(plan.waveEfficiency * plan.tileEfficiency * 100))
            + " % of which is useful work.";
    if (plan.dramSeconds >= plan.l2Seconds)
        return "Device memory takes longest.";
    return plan.splitK > 1 ? "Operand panels and partial sums through the L2 take longest."
                           : "Operand panels through the L2 take longest.";
}

ImplementationRow productRow(
    const Device& device, const GemmProblem& problem, ImplementationValues values) {
    const auto tile = std::ranges::find(
        device.tiles, values.at(kTile), [](const Tile& t) { return nameOf(t.rows, t.columns); });
    const GemmPlan plan =
        planGemm(device, problem, tile != device.tiles.end() ? *tile : device.tile.value_or(Tile{}),
            std::stoll(values.at(kSplit)));
    ImplementationRow row;
    row.choice = std::move(values);
    row.flops = Flops(2.0 * static_cast<double>(problem.batch) * static_cast<double>(problem.m)
        * static_cast<double>(problem.n) * static_cast<double>(problem.k));
    row.paddedFlops = Flops(std::max(plan.paddedFlops, row.flops.value));
    row.bytesByLevel.emplace_back(
        device.dramLevel, Bytes(std::llround(plan.dramReadBytes + plan.dramWrittenBytes)));
    if (device.l2Level)
        row.bytesByLevel.emplace_back(
            *device.l2Level, Bytes(std::llround(plan.operandBytes + plan.partialBytes)));
    row.syncs = plan.splitK > 1 ? 1 : 0; // the parts of k are added up
    row.units = std::min(plan.tiles, device.sms);
    row.time = Seconds(device.gemm.fixedSeconds + plan.seconds());
    row.because = because(plan);
    if (device.sharedBytesPerSm
        && static_cast<double>(plan.sharedBytesPerCta) > *device.sharedBytesPerSm)
        row.misfit = "A CTA stages " + std::to_string(plan.sharedBytesPerCta)
            + " bytes and an SM has " + std::to_string(std::llround(*device.sharedBytesPerSm))
            + ".";
    return row;
}

base::Result<ImplementationRow> row(const Context& context, const StageGraph& graph, NodeId node,
    const ImplementationValues& values) {
    const Device device = gpu::device(context);
    const auto problem =
        graph.nodes.contains(node) ? problemOf(graph, graph.nodes[node]) : std::nullopt;
    if (!problem)
        return roofline::formRow(
            context.machine, graph, node, rates(device), isTiled(device), values);
    auto complete = completeChoice(choices(context, graph, node), values, context.machine.name);
    if (!complete)
        return complete.error();
    return productRow(device, *problem, *std::move(complete));
}

} // namespace

std::optional<Device> chosenDevice(
    const Context& context, const Device& device, const StageGraph& graph, KernelId kernel) {
    if (context.settings.implementations.empty())
        return std::nullopt;
    for (const NodeId id : graph.kernels[kernel].nodes) {
        const Node& node = graph.nodes[id];
        const ImplementationValues* values = chosenImplementation(context, node);
        const auto problem = values ? problemOf(graph, node) : std::nullopt;
        if (!problem)
            continue;
        const auto complete =
            completeChoice(productChoices(device, *problem), *values, context.machine.name);
        if (!complete) {
            context.diagnostics.warn("gpu.implementation", node.name, complete.error().message,
                "Choose one of the values that the implementation picker lists.");
            return std::nullopt;
        }
        Device chosen = device;
        for (const Tile& tile : device.tiles)
            if (nameOf(tile.rows, tile.columns) == complete->at(kTile))
                chosen.tile = tile;
        chosen.splitK = std::stoll(complete->at(kSplit));
        return chosen;
    }
    return std::nullopt;
}

ImplementationRules implementationRules() {
    return {choices, row};
}

} // namespace fivefold::families::gpu
