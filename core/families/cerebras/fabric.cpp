// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/fabric.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::cerebras {

using lowering::ceilDiv;

Cycles& Cycles::operator+=(const Cycles& other) {
    compute += other.compute;
    steps += other.steps;
    allReduce += other.allReduce;
    moves += other.moves;
    return *this;
}

Fabric fabric(const machines::Machine& machine, machines::Precision precision) {
    Fabric f;
    const auto read = [&machine](const char* key, double& value) {
        value = machine.parameterOr(key, value);
    };
    const auto count = [&machine](const char* key, std::int64_t& value) {
        const double known = machine.parameterOr(key, static_cast<double>(value));
        if (known >= 1 && known < 1e6)
            value = static_cast<std::int64_t>(known);
    };
    count("fabric_columns", f.columns);
    count("fabric_rows", f.rows);
    read("pe_bytes", f.peBytes);
    read("pe_utilisation", f.usableShare);
    read("simd", f.simd);
    read("equation_clock_hz", f.clockHz);
    read("hop_cycles", f.hopCycles);
    read("off_wafer_bytes_per_s", f.offWaferBytesPerSecond);
    read("gemv_tree_base", f.gemvBase);
    read("gemv_tree_per_p", f.gemvPerSide);
    read("gemv_tree_per_mac", f.gemvPerMac);
    read("meshgemm_step", f.gemmStep);
    read("meshgemm_n2", f.gemmIssue);
    f.linkBytesPerCycle = machine.parameterOr("link_bits_per_cycle", 32) / 8;
    // The constant was fitted on the 8-wide PEs of WSE-3; fewer lanes do the same work in more
    // cycles.
    constexpr double kFittedSimd = 8;
    if (f.simd > 0 && f.simd < kFittedSimd)
        f.gemvPerMac *= kFittedSimd / f.simd;
    if (const machines::Memory* sram = machine.memory(machines::MemoryKind::Scratchpad)) {
        f.peBytesPerSecond = sram->bandwidth.valueOr(f.peBytesPerSecond);
        f.waferBytesPerSecond = sram->totalBandwidth().value_or(f.waferBytesPerSecond);
    }
    f.peak = machine.peak(precision).value_or(0);
    return f;
}

namespace {

Cycles gemvs(const Fabric& f, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t side) {
    const auto rows = static_cast<double>(m);
    Cycles c = gemvCycles(f.gemvBase, f.gemvPerSide, f.gemvPerMac, n, k, side);
    c.compute *= rows;
    c.allReduce *= rows;
    return c;
}

} // namespace

Cycles meshCycles(double step, double issue, double simd, std::int64_t m, std::int64_t n,
    std::int64_t k, std::int64_t side) {
    const double block = static_cast<double>(ceilDiv(m, side))
        * static_cast<double>(ceilDiv(n, side)) * static_cast<double>(ceilDiv(k, side));
    const double instructions = std::cbrt(block) * std::cbrt(block);
    const auto steps = static_cast<double>(side);
    Cycles c;
    c.compute = steps * (issue * instructions + block / simd);
    c.steps = steps * step;
    return c;
}

Cycles gemvCycles(
    double base, double perSide, double perMac, std::int64_t n, std::int64_t k, std::int64_t side) {
    Cycles c;
    c.compute =
        perMac * static_cast<double>(ceilDiv(k, side)) * static_cast<double>(ceilDiv(n, side));
    c.allReduce = base + perSide * static_cast<double>(side);
    return c;
}

Cycles productCycles(
    const Fabric& f, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t side) {
    side = std::max<std::int64_t>(1, side);
    const Cycles mesh = meshCycles(f.gemmStep, f.gemmIssue, f.simd, m, n, k, side);
    const Cycles vector = gemvs(f, m, n, k, side);
    return m == 1 || vector.total() < mesh.total() ? vector : mesh;
}

Cycles batchCycles(const Fabric& f, std::int64_t batch, std::int64_t m, std::int64_t n,
    std::int64_t k, std::int64_t side) {
    batch = std::max<std::int64_t>(1, batch);
    Cycles best;
    bool isFirst = true;
    for (std::int64_t grid = 1; grid <= side; grid *= 2) {
        const auto rounds = static_cast<double>(ceilDiv(batch, grid * grid));
        Cycles c = productCycles(f, m, n, k, side / grid);
        c.compute *= rounds;
        c.steps *= rounds;
        c.allReduce *= rounds;
        if (isFirst || c.total() < best.total())
            best = c;
        isFirst = false;
        if (grid * grid >= batch)
            break;
    }
    return best;
}

Cycles elementwiseCycles(const Fabric& f, double elements, std::int64_t side) {
    const auto pes = static_cast<double>(side) * static_cast<double>(side);
    Cycles c;
    c.compute = std::ceil(std::ceil(elements / pes) / f.simd) + f.gemmIssue;
    return c;
}

Cycles reductionCycles(const Fabric& f, double elements, std::int64_t side) {
    Cycles c = elementwiseCycles(f, elements, side);
    c.allReduce = f.gemvBase + f.gemvPerSide * static_cast<double>(side);
    return c;
}

Cycles moveCycles(const Fabric& f, double bytes, std::int64_t side) {
    const auto links = static_cast<double>(std::max<std::int64_t>(1, side));
    Cycles c;
    c.moves = std::ceil(bytes / (f.linkBytesPerCycle * links)) + 2 * f.hopCycles * links;
    return c;
}

} // namespace fivefold::families::cerebras
