// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/measured_equations.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// Matrix products. Device times that developers published: AdnanHoque/torch-spyre and
// HieronZhang/torch-spyre artefacts.
namespace fivefold::families::spyre::measured {

namespace {

constexpr double kMicro = 1e6;
constexpr std::int64_t kStick = 64; ///< fp16 elements
constexpr double kHalfBytes = 2;

/// The series' word for a batch against one second operand.
constexpr std::string_view kSharedOperand = "bmm_shared";

using Split = std::array<std::int64_t, 4>; ///< of b, m, n, k

double up(std::int64_t extent) {
    return static_cast<double>(lowering::roundUp(extent, kStick));
}

/// Constants of section "products": their order in every equation below.
struct Product {
    double fixed, passRows, bandwidth, coreBandwidth, macsPerSecond;
};

Product productOf(const machines::Machine& machine, Values c, double macsPerCycle) {
    return {c[0], c[1], c[2], c[3], macsPerCycle * machine.parameterOr("cycles_per_s", 1.117e9)};
}

struct Parts {
    double compute = 0; ///< s, of the busiest core
    double computeWithoutFill = 0;
    double input = 0, weight = 0, output = 0; ///< B
    double bandwidth = 1; ///< B/s
};

Parts partsOf(const Product& p, const MeasuredOperator& row, const Split& split, double weightBytes,
    bool isShared) {
    const auto rows = static_cast<double>(lowering::ceilDiv(row.m, split[1]));
    const double n = up(lowering::ceilDiv(row.n, split[2]));
    const double k = up(lowering::ceilDiv(row.k, split[3]));
    const auto batch = static_cast<double>(lowering::ceilDiv(row.b, split[0]));
    const auto cores = static_cast<double>(split[0] * split[1] * split[2] * split[3]);
    const auto b = static_cast<double>(row.b), m = static_cast<double>(row.m);
    Parts parts;
    parts.compute = batch * (rows + p.passRows) * n * k / p.macsPerSecond;
    parts.computeWithoutFill = batch * rows * n * k / p.macsPerSecond;
    parts.input = kHalfBytes * b * m * up(row.k);
    parts.weight = weightBytes * (isShared ? 1 : b) * up(row.k) * up(row.n);
    parts.output = kHalfBytes * b * m * up(row.n);
    parts.bandwidth = std::min(p.bandwidth, p.coreBandwidth * cores);
    return parts;
}

double seconds(const Product& p, const Parts& parts, double compute) {
    return p.fixed + std::max(compute, parts.weight / parts.bandwidth)
        + (parts.input + parts.output) / parts.bandwidth;
}

bool isStated(const Split& split) {
    return std::all_of(split.begin(), split.end(), [](std::int64_t s) { return s > 0; });
}

/// m cores along the rows and the others along the columns, for m = 1, 2, 4 … cores.
template <typename Cost> double leastOverSplits(std::int64_t cores, const Cost& cost) {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t m = 1; m <= cores; m *= 2)
        least = std::min(least, cost(Split{1, m, std::max<std::int64_t>(1, cores / m), 1}));
    return least;
}

std::int64_t coresOf(const MeasuredOperator& row) {
    constexpr std::int64_t kAllCores = 32;
    return row.cores > 0 ? row.cores : kAllCores;
}

template <typename Cost> double withSplit(const MeasuredOperator& row, const Cost& cost) {
    return isStated(row.split) ? cost(row.split) : leastOverSplits(coresOf(row), cost);
}

} // namespace

void matmul(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core", 1024));
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro * withSplit(rows[i], [&](const Split& split) {
            const Parts parts =
                partsOf(p, rows[i], split, kHalfBytes, rows[i].op == kSharedOperand);
            return seconds(p, parts, parts.compute);
        });
}

void matmulSweep(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core", 1024));
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro * withSplit(rows[i], [&](const Split& split) {
            const Parts parts = partsOf(p, rows[i], split, kHalfBytes, true);
            return seconds(p, parts, parts.compute * (split[3] > 1 ? c[4] : 1));
        });
}

void matmulShared(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    matmul(machine, c, rows, out);
    for (double& value : out)
        value *= c[4];
}

void matmulFp8Scaled(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core_fp8", 2048));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double result = static_cast<double>(rows[i].m) * static_cast<double>(rows[i].n);
        out[i] = kMicro * (c[4] * result + withSplit(rows[i], [&](const Split& split) {
            const Parts parts = partsOf(p, rows[i], split, 1, true);
            return seconds(p, parts, parts.compute);
        }));
    }
}

void matmulFp8Optimised(
    const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core_fp8", 2048));
    const double lx =
        machine.parameterOr("cores", 32) * machine.parameterOr("lx_usable_bytes", 1625344);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto cost = [&](const Split& split) {
            const Parts parts = partsOf(p, rows[i], split, 1, true);
            const bool spills = std::max(parts.input, parts.output) > lx;
            return seconds(p, parts, parts.compute) * (spills ? c[4] : 1);
        };
        // The grids that this build uses.
        out[i] = kMicro
            * (isStated(rows[i].split)
                    ? cost(rows[i].split)
                    : std::min(cost(Split{1, 4, 8, 1}), cost(Split{1, 8, 4, 1})));
    }
}

void batchMatmul(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    constexpr std::int64_t kWideSplit = 16; // from here on the rows of a core are short
    constexpr double kMostBatches = 4; // the penalty does not grow beyond that many
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core", 1024));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredOperator& row = rows[i];
        Split split = row.split;
        if (!isStated(split)) {
            const std::int64_t n =
                std::max({std::int64_t{2}, row.n / 512, 1024 / std::max<std::int64_t>(1, row.m)});
            split = {1, std::max<std::int64_t>(1, coresOf(row) / n), n, 1};
        }
        const auto isRowOuter = [&row](const char* operand) {
            const auto found = row.options.find(operand);
            return found != row.options.end() && found->second == "row-outer" ? 1.0 : 0.0;
        };
        const Parts parts = partsOf(p, row, split, kHalfBytes, false);
        const double batches = std::min(static_cast<double>(row.b), kMostBatches) - 1;
        const double penalty = parts.computeWithoutFill * batches
            * (c[4] * isRowOuter("A") + c[5] * isRowOuter("B"))
            * (split[1] >= kWideSplit ? c[6] : 1);
        out[i] = kMicro * (seconds(p, parts, parts.compute + penalty) + c[7] * parts.output);
    }
}

} // namespace fivefold::families::spyre::measured
