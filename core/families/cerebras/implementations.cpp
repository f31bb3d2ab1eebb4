// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/implementations.h"

#include "core/families/cerebras/fabric.h"
#include "core/families/cerebras/measured.h"
#include "core/lowering/implementation_choice.h"
#include "core/lowering/loop_nest.h"
#include "core/lowering/tiling.h"
#include "core/roofline/operator_forms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::families::cerebras {

namespace {

using namespace lowering;
using base::Bytes;
using base::Flops;
using base::Seconds;

constexpr const char* kAlgorithm = "algorithm";
constexpr const char* kSide = "side";
constexpr std::array<std::int64_t, 8> kSides = {16, 32, 64, 120, 240, 360, 480, 660};
constexpr std::int64_t kTensors = 3; ///< both operands and the result lie on every element

/// A published equation by the words of the choice.
struct Algorithm {
    std::string_view word, group;
    bool isVector; ///< one row at a time
};
constexpr std::array<Algorithm, 4> kAlgorithms = {{
    {"mesh", "wse3_gemm_mesh", false},
    {"summa", "wse3_gemm_summa4", false},
    {"gemv_tree", "wse3_gemv_tree", true},
    {"gemv_pipeline", "wse3_gemv_pipeline", true},
}};

std::size_t peLevel(const machines::Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].kind == machines::MemoryKind::Scratchpad)
            return i;
    return 0;
}

/// Cycles of one product on a square; nullopt where the equation gives none.
std::optional<double> cyclesOf(const machines::Machine& machine, const Algorithm& algorithm,
    const ProductSizes& p, std::int64_t side) {
    roofline::MeasuredOperator row;
    row.machine = machine.id;
    row.group = algorithm.group;
    row.m = algorithm.isVector ? 1 : p.m;
    row.n = p.n;
    row.k = p.k;
    row.side = side;
    const roofline::MeasuredEquation* equation = measuredEquation(machine, row);
    if (!equation)
        return std::nullopt;
    std::array<double, 1> out{};
    equation->evaluate(machine, roofline::valuesOf(*equation, machine), std::span(&row, 1), out);
    if (!std::isfinite(out[0]))
        return std::nullopt;
    const double again =
        static_cast<double>(p.batch) * (algorithm.isVector ? static_cast<double>(p.m) : 1);
    return out[0] * again;
}

/// The largest offered side that the fabric has.
std::int64_t widest(const Fabric& fabric) {
    const std::int64_t most = std::min(fabric.columns, fabric.rows);
    std::int64_t side = 1;
    for (const std::int64_t candidate : kSides)
        if (candidate <= most)
            side = candidate;
    return side;
}

roofline::FormRates rates(const Context& context, const Fabric& f) {
    roofline::FormRates r;
    const std::int64_t side = widest(f);
    r.farLevel = peLevel(context.machine);
    r.farBytesPerSecond = f.peBytesPerSecond * static_cast<double>(side * side);
    r.nearBytes = f.usableBytes();
    r.vectorPerSecond = static_cast<double>(side * side) * f.simd * f.clockHz;
    r.kernelSeconds = (f.gemvBase + f.gemvPerSide * static_cast<double>(side)) / f.clockHz;
    r.units = side * side;
    r.productSeconds = [f, side](const ProductSizes& p) {
        return batchCycles(f, p.batch, p.m, p.n, p.k, side).total() / f.clockHz;
    };
    return r;
}

std::vector<ImplementationChoice> choices(
    const Context& context, const StageGraph& graph, NodeId node) {
    const Fabric f = fabric(context.machine, context.settings.precision);
    const auto sizes =
        graph.nodes.contains(node) ? productSizes(graph, graph.nodes[node]) : std::nullopt;
    if (!sizes)
        return roofline::formChoices(graph, node, rates(context, f), false);
    ImplementationChoice algorithm{kAlgorithm, "algorithm", {}, {}};
    ImplementationChoice side{kSide, "elements along a side", {}, std::to_string(widest(f))};
    for (const std::int64_t candidate : kSides)
        if (candidate <= std::min(f.columns, f.rows))
            side.values.push_back(std::to_string(candidate));
    if (side.values.empty())
        side.values.push_back(side.preset);
    double least = 0;
    for (const Algorithm& a : kAlgorithms) {
        const auto cycles = cyclesOf(context.machine, a, *sizes, widest(f));
        if (!cycles)
            continue;
        algorithm.values.emplace_back(a.word);
        if (algorithm.preset.empty() || *cycles < least) {
            algorithm.preset = a.word;
            least = *cycles;
        }
    }
    if (algorithm.values.empty())
        return {};
    return {std::move(algorithm), std::move(side)};
}

base::Result<ImplementationRow> productRow(const Context& context, const Fabric& f,
    const ProductSizes& sizes, ImplementationValues values) {
    const auto algorithm = std::ranges::find(kAlgorithms, values.at(kAlgorithm), &Algorithm::word);
    const std::int64_t side = std::stoll(values.at(kSide));
    const auto cycles = cyclesOf(context.machine, *algorithm, sizes, side);
    if (!cycles)
        return base::Error{base::ErrorCode::InvalidArgument,
            "No equation covers this product with that algorithm on " + context.machine.name + ".",
            {}};
    const auto padded = [side](std::int64_t extent) {
        return static_cast<double>(roundUp(extent, side));
    };
    const double m = algorithm->isVector ? static_cast<double>(sizes.m) : padded(sizes.m);
    const double pes = static_cast<double>(side) * static_cast<double>(side);
    const double held = static_cast<double>(sizes.elementBytes)
        * (m * padded(sizes.k) + padded(sizes.k) * padded(sizes.n) + m * padded(sizes.n)) / pes;
    const double steps =
        algorithm->isVector ? static_cast<double>(sizes.m) : static_cast<double>(side);
    ImplementationRow row;
    row.choice = std::move(values);
    row.flops = Flops(sizes.flops());
    row.paddedFlops =
        Flops(2 * static_cast<double>(sizes.batch) * m * padded(sizes.n) * padded(sizes.k));
    row.bytesByLevel.emplace_back(peLevel(context.machine),
        Bytes(std::llround(held * pes * static_cast<double>(sizes.batch)
            + static_cast<double>(sizes.elementBytes) * steps
                * (algorithm->isVector
                        ? padded(sizes.n)
                        : (m * padded(sizes.k) + padded(sizes.k) * padded(sizes.n))))));
    row.syncs = static_cast<std::int64_t>(steps) * sizes.batch;
    row.units = side * side;
    row.time = Seconds(*cycles / f.clockHz);
    row.because = algorithm->isVector
        ? "A reduction across the square for every row."
        : "Operands shift from neighbour to neighbour " + std::to_string(side) + " times.";
    if (held > f.usableBytes())
        row.misfit = "An element would hold " + std::to_string(std::llround(held)) + " bytes in "
            + std::to_string(kTensors) + " blocks and has "
            + std::to_string(std::llround(f.usableBytes())) + ".";
    return row;
}

base::Result<ImplementationRow> row(const Context& context, const StageGraph& graph, NodeId node,
    const ImplementationValues& values) {
    const Fabric f = fabric(context.machine, context.settings.precision);
    const auto sizes =
        graph.nodes.contains(node) ? productSizes(graph, graph.nodes[node]) : std::nullopt;
    if (!sizes)
        return roofline::formRow(context.machine, graph, node, rates(context, f), false, values);
    auto complete = completeChoice(choices(context, graph, node), values, context.machine.name);
    if (!complete)
        return complete.error();
    return productRow(context, f, *sizes, *std::move(complete));
}

} // namespace

ImplementationRules implementationRules() {
    return {choices, row};
}

} // namespace fivefold::families::cerebras
