// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/implementations.h"

#include "core/families/spyre/options.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/times.h"
#include "core/lowering/implementation_choice.h"
#include "core/lowering/loop_nest.h"
#include "core/lowering/tiling.h"
#include "core/roofline/operator_forms.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::spyre {

namespace {

using namespace lowering;
using base::Bytes;
using base::Flops;
using base::Seconds;

constexpr const char* kStick = "stick";
constexpr const char* kStickOnColumns = "n";
constexpr const char* kStickOnDepth = "k";

struct Levels {
    std::size_t far = 0;
    std::optional<std::size_t> near;
    std::optional<double> nearBytes;
};

Levels levels(const machines::Machine& machine) {
    Levels l;
    for (std::size_t i = 0; i < machine.memories.size(); ++i) {
        if (machine.memories[i].kind == machines::MemoryKind::Device)
            l.far = i;
        if (machine.memories[i].kind == machines::MemoryKind::Scratchpad) {
            l.near = i;
            l.nearBytes = machine.memories[i].usableBytes();
        }
    }
    return l;
}

std::string textOf(const MatmulDivision& split) {
    return std::to_string(split.b) + "," + std::to_string(split.m) + "," + std::to_string(split.n)
        + "," + std::to_string(split.k);
}

MatmulShape shapeOf(const ProductSizes& p, const StageGraph& graph, const Node& node) {
    const std::int64_t stick =
        layout::spyreElementsPerStick(graph.values[node.inputs.front()].dtype).value_or(64);
    return {p.batch, p.m, p.n, p.k, stick, p.isWeightShared};
}

/// As many cores as any split occupies; a split divides its extent, and sticks are never cut.
std::vector<MatmulDivision> splits(const MatmulShape& s, std::int64_t cores) {
    std::vector<MatmulDivision> all;
    const std::int64_t n = ceilDiv(s.n, s.elementsPerStick), k = ceilDiv(s.k, s.elementsPerStick);
    for (const std::int64_t b : divisors(s.batch, cores))
        for (const std::int64_t m : divisors(s.m, cores / b))
            for (const std::int64_t c : divisors(n, cores / (b * m)))
                for (const std::int64_t d : divisors(k, cores / (b * m * c)))
                    all.push_back({b, m, c, d});
    std::int64_t most = 0;
    for (const MatmulDivision& split : all)
        most = std::max(most, split.cores());
    std::erase_if(all, [most](const MatmulDivision& split) { return split.cores() < most; });
    return all;
}

roofline::FormRates rates(const Context& context, const Constants& c, std::int64_t cores) {
    roofline::FormRates r;
    const Levels l = levels(context.machine);
    r.farLevel = l.far;
    r.nearLevel = l.near;
    r.nearBytes = l.nearBytes;
    r.farBytesPerSecond = c.streamBytesPerSecond;
    r.units = cores;
    // A softmax makes five passes of the vector unit over its elements.
    r.vectorPerSecond = static_cast<double>(cores) / c.vectorSecondsPerElement;
    r.kernelSeconds = c.kernelFixedSeconds;
    r.productSeconds = [c, cores](const ProductSizes& p) {
        constexpr std::int64_t kStickElements = 64; // fp16; padding of other types is alike
        const double n = static_cast<double>(roundUp(p.n, kStickElements)),
                     k = static_cast<double>(roundUp(p.k, kStickElements));
        return static_cast<double>(p.batch) * (static_cast<double>(p.m) + c.fillRows) * n * k
            / (static_cast<double>(cores) * c.macsPerCycle * c.cyclesPerSecond);
    };
    return r;
}

bool isProduct(const StageGraph& graph, NodeId node) {
    return graph.nodes.contains(node) && !graph.nodes[node].inputs.empty()
        && graph.values.contains(graph.nodes[node].inputs.front())
        && productSizes(graph, graph.nodes[node]).has_value();
}

MatmulDivision presetOf(const Node& node, const std::vector<MatmulDivision>& all) {
    const auto own = node.attributes.integers(kSplitsAttribute);
    if (own && own->size() == 4)
        return {(*own)[0], (*own)[1], (*own)[2], (*own)[3]};
    return all.empty() ? MatmulDivision{} : all.front();
}

std::vector<ImplementationChoice> choices(
    const Context& context, const StageGraph& graph, NodeId node) {
    const Options chosen = options(context.settings, context.machine);
    if (!isProduct(graph, node))
        return roofline::formChoices(graph, node,
            rates(context, constants(context.machine, context.settings.precision),
                chosen.division.cores),
            false);
    const Node& lowered = graph.nodes[node];
    const auto all =
        splits(shapeOf(*productSizes(graph, lowered), graph, lowered), chosen.division.cores);
    ImplementationChoice split{
        kSplitChoice, "work split b·m·n·k", {}, textOf(presetOf(lowered, all)), true};
    for (const MatmulDivision& candidate : all)
        split.values.push_back(textOf(candidate));
    if (std::ranges::find(split.values, split.preset) == split.values.end())
        split.values.push_back(split.preset);
    return {std::move(split),
        {kStick, "stick of the second operand", {kStickOnColumns, kStickOnDepth}, kStickOnColumns}};
}

/// Bytes with the last extent in whole sticks.
double stickBytes(const MatmulShape& s, double rows, std::int64_t columns, std::int64_t element) {
    return rows * static_cast<double>(roundUp(columns, s.elementsPerStick) * element);
}

ImplementationRow productRow(const Context& context, const StageGraph& graph, const Node& node,
    ImplementationValues values) {
    const ProductSizes sizes = *productSizes(graph, node);
    const MatmulShape shape = shapeOf(sizes, graph, node);
    const Constants c = constants(context.machine, context.settings.precision);
    const MatmulDivision split = *parseDivision(values.at(kSplitChoice));
    const Levels l = levels(context.machine);
    const auto batch = static_cast<double>(sizes.batch);
    OpTraffic traffic;
    traffic.input =
        stickBytes(shape, batch * static_cast<double>(sizes.m), sizes.k, sizes.elementBytes);
    traffic.output =
        stickBytes(shape, batch * static_cast<double>(sizes.m), sizes.n, sizes.elementBytes);
    traffic.weight =
        stickBytes(shape, (sizes.isWeightShared ? 1 : batch) * static_cast<double>(sizes.k),
            sizes.n, sizes.elementBytes);
    Estimate e;
    e.flops = Flops(sizes.flops());
    timeMatmul(e, c, shape, split, traffic);
    ImplementationRow row;
    row.flops = e.flops;
    row.paddedFlops = Flops(std::max(e.paddedFlops.value, e.flops.value));
    row.time = e.time;
    row.because = e.because;
    row.units = split.cores();
    row.syncs = split.k > 1 ? 1 : 0; // partial sums over the ring
    double far = traffic.read() + traffic.output;
    if (values.at(kStick) == kStickOnDepth) {
        Estimate relayout;
        OpTraffic move;
        move.input =
            stickBytes(shape, (sizes.isWeightShared ? 1 : batch) * static_cast<double>(sizes.n),
                sizes.k, sizes.elementBytes);
        move.output = traffic.weight;
        timeRelayout(relayout, c, move);
        far += move.input + move.output;
        row.time += relayout.time;
        ++row.syncs;
        row.because = "The product wants sticks along n, so the operand is restickified first. "
            + row.because;
    }
    row.choice = std::move(values);
    row.bytesByLevel.emplace_back(l.far, Bytes(std::llround(far)));
    return row;
}

base::Result<ImplementationRow> row(const Context& context, const StageGraph& graph, NodeId node,
    const ImplementationValues& values) {
    if (!isProduct(graph, node)) {
        const Options chosen = options(context.settings, context.machine);
        return roofline::formRow(context.machine, graph, node,
            rates(context, constants(context.machine, context.settings.precision),
                chosen.division.cores),
            false, values);
    }
    auto complete = completeChoice(choices(context, graph, node), values, context.machine.name);
    if (!complete)
        return complete.error();
    return productRow(context, graph, graph.nodes[node], *std::move(complete));
}

} // namespace

ImplementationRules implementationRules() {
    return {choices, row};
}

} // namespace fivefold::families::spyre
