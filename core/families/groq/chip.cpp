// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/chip.h"

#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::groq {

using lowering::ceilDiv;
using lowering::saturatingMul;

Chip chip(const machines::Machine& machine, machines::Precision precision) {
    Chip c;
    const auto read = [&machine](const char* key, std::int64_t& value, std::int64_t least = 1) {
        const double known = machine.parameterOr(key, static_cast<double>(value));
        if (known >= static_cast<double>(least) && known < 1e15)
            value = static_cast<std::int64_t>(known);
    };
    read("lanes", c.lanes);
    read("mxm_planes", c.planes);
    read("mxm_rows", c.planeRows);
    read("mxm_columns", c.planeColumns);
    read("install_cycles", c.installCycles);
    read("stream_bytes_per_cycle", c.streamBytesPerCycle);
    read("sram_bytes_per_cycle", c.sramBytesPerCycle);
    read("vxm_alus_per_lane", c.alusPerLane);
    read("mem_slices", c.slices);
    read("layer_latency_cycles", c.latencyCycles, 0);
    c.elementBytes = std::max(1, machines::storageBits(precision) / 8);
    c.hasStreams = std::any_of(machine.memories.begin(), machine.memories.end(),
        [](const machines::Memory& m) { return m.kind != machines::MemoryKind::Scratchpad; });
    c.isClockAssumed = !machine.clock.isKnown();
    const auto isCarriedOver = [&machine](const char* key) {
        const machines::Figure* figure = machine.parameter(key);
        return figure && figure->source.find("carried over") != std::string::npos;
    };
    c.isEstimated = c.isClockAssumed || isCarriedOver("mxm_planes") || isCarriedOver("lanes");
    c.clockHz = machine.clock.valueOr(machine.parameterOr("assumed_clock_hz", c.clockHz));
    c.peak = machine.peak(precision).value_or(0);
    if (const machines::Memory* sram = machine.memory(machines::MemoryKind::Scratchpad)) {
        c.sramBytes = static_cast<std::int64_t>(
            sram->usableBytes().value_or(static_cast<double>(c.sramBytes)));
        if (!machine.parameter("sram_bytes_per_cycle") && sram->bandwidth.isKnown()
            && c.clockHz > 0)
            c.sramBytesPerCycle = std::max<std::int64_t>(
                1, static_cast<std::int64_t>(*sram->bandwidth.value / c.clockHz));
    }
    for (const machines::Link& link : machine.links)
        if (link.role == "host" && link.bandwidth.isKnown())
            c.hostBytesPerSecond =
                *link.bandwidth.value / (link.direction.find("both") == 0 ? 2 : 1);
        else if (link.role == "chip" && link.bandwidth.isKnown()) {
            const double count = link.count.valueOr(1);
            c.linkBytesPerSecond = machine.parameter("link_cabled_bytes_per_s")
                ? machine.parameterOr("link_cabled_bytes_per_s", 0) * count
                : *link.bandwidth.value / 2;
        }
    return c;
}

ProductPlan planProduct(
    const Chip& c, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t weightSets) {
    ProductPlan plan;
    plan.tiles = saturatingMul(
        saturatingMul(ceilDiv(k, c.planeRows), ceilDiv(n, c.planeColumns)), weightSets);
    plan.passes = saturatingMul(plan.tiles, c.elementBytes * c.elementBytes);
    for (std::int64_t p = 1; p <= c.planes; p *= 2) {
        const std::int64_t rows = ceilDiv(saturatingMul(m, p), c.planes);
        const std::int64_t round = std::max(rows, c.installCycles);
        const std::int64_t cycles = saturatingMul(ceilDiv(plan.passes, p), round);
        if (p > 1 && cycles >= plan.cycles)
            continue;
        plan.planesOnTiles = p;
        plan.rounds = ceilDiv(plan.passes, p);
        plan.roundCycles = round;
        plan.cycles = cycles;
    }
    const std::int64_t weights = ceilDiv(
        saturatingMul(saturatingMul(plan.tiles, c.planeRows * c.planeColumns), c.elementBytes),
        c.streamBytesPerCycle);
    plan.isWeightBound = weights > plan.cycles;
    plan.cycles = std::max(plan.cycles, weights);
    return plan;
}

std::int64_t productCycles(
    const Chip& c, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t weightSets) {
    return planProduct(c, m, n, k, weightSets).cycles;
}

std::int64_t vectorCycles(const Chip& c, std::int64_t vectors, std::int64_t operations) {
    return saturatingMul(vectors, ceilDiv(std::max<std::int64_t>(1, operations), c.alusPerLane));
}

std::int64_t reductionCycles(const Chip& c, std::int64_t vectors) {
    return lowering::saturatingAdd(shiftCycles(c, vectors), vectors);
}

std::int64_t shiftCycles(const Chip& c, std::int64_t vectors) {
    return ceilDiv(saturatingMul(vectors, c.elementBytes), c.shifters);
}

} // namespace fivefold::families::groq
