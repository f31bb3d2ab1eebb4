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
constexpr std::string_view kRowOuter = "row-outer"; ///< rows lie outside their batches

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

ProductBytes bytesOf(const MeasuredOperator& row, double weightBytes, bool isShared) {
    const auto b = static_cast<double>(row.b), m = static_cast<double>(row.m);
    return {kHalfBytes * b * m * up(row.k),
        weightBytes * (isShared ? 1 : b) * up(row.k) * up(row.n), kHalfBytes * b * m * up(row.n)};
}

/// Seconds of the busiest core's arithmetic, a weight pass costing `passRows` rows more.
double computeTime(
    const Product& p, const MeasuredOperator& row, const Split& split, double passRows) {
    const auto rows = static_cast<double>(lowering::ceilDiv(row.m, split[1]));
    const double n = up(lowering::ceilDiv(row.n, split[2]));
    const double k = up(lowering::ceilDiv(row.k, split[3]));
    const auto batch = static_cast<double>(lowering::ceilDiv(row.b, split[0]));
    return batch * (rows + passRows) * n * k / p.macsPerSecond;
}

ProductTime timeOf(
    const Product& p, const MeasuredOperator& row, const Split& split, const ProductBytes& bytes) {
    const auto cores = static_cast<double>(split[0] * split[1] * split[2] * split[3]);
    const double bandwidth = std::min(p.bandwidth, p.coreBandwidth * cores);
    return {p.fixed, computeTime(p, row, split, p.passRows), bytes.weight / bandwidth,
        (bytes.input + bytes.output) / bandwidth};
}

/// What rows that lie outside their batches cost: c are bmm_a_factor, bmm_b_factor, bmm_wide_factor
/// and bmm_out_s_per_byte.
ProductTime batchedTime(const Product& p, Values c, const MeasuredOperator& row, const Split& split,
    const ProductBytes& bytes) {
    constexpr std::int64_t kWideSplit = 16; // from here on the rows of a core are short
    constexpr double kMostBatches = 4; // the penalty does not grow beyond that many
    const auto isRowOuter = [&row](const char* operand) {
        const auto found = row.options.find(operand);
        return found != row.options.end() && found->second == kRowOuter ? 1.0 : 0.0;
    };
    ProductTime time = timeOf(p, row, split, bytes);
    const double batches = std::min(static_cast<double>(row.b), kMostBatches) - 1;
    time.compute += computeTime(p, row, split, 0) * batches
        * (c[0] * isRowOuter("A") + c[1] * isRowOuter("B")) * (split[1] >= kWideSplit ? c[2] : 1);
    time.output = c[3] * bytes.output;
    return time;
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

double ProductTime::seconds() const {
    return factor * (fixed + std::max(compute, weight) + activations) + output;
}

ProductTime productTime(const machines::Machine& machine, double macsPerCycle, ProductForm form,
    const MeasuredOperator& row, const Split& split, const ProductBytes& bytes) {
    const std::array<double, 4> common = {machine.parameterOr("kernel_fixed_s", 1.8e-6),
        machine.parameterOr("pass_rows", 40), machine.parameterOr("matmul_bytes_per_s", 140.6e9),
        machine.parameterOr("core_bytes_per_s", 67e9)};
    const Product p = productOf(machine, common, macsPerCycle);
    if (form == ProductForm::Batched) {
        const std::array<double, 4> c = {machine.parameterOr("bmm_a_factor", 1.03),
            machine.parameterOr("bmm_b_factor", 0.76), machine.parameterOr("bmm_wide_factor", 1.85),
            machine.parameterOr("bmm_out_s_per_byte", 15.8e-12)};
        return batchedTime(p, c, row, split, bytes);
    }
    ProductTime time = timeOf(p, row, split, bytes);
    if (form == ProductForm::Shared)
        time.factor = machine.parameterOr("linear_3d_factor", 1.39);
    else if (split[3] > 1)
        time.compute *= machine.parameterOr("ksplit_factor", 1.9);
    return time;
}

void matmul(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core", 1024));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ProductBytes bytes = bytesOf(rows[i], kHalfBytes, rows[i].op == kSharedOperand);
        out[i] = kMicro * withSplit(rows[i], [&](const Split& split) {
            return timeOf(p, rows[i], split, bytes).seconds();
        });
    }
}

void matmulSweep(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core", 1024));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ProductBytes bytes = bytesOf(rows[i], kHalfBytes, true);
        out[i] = kMicro * withSplit(rows[i], [&](const Split& split) {
            ProductTime time = timeOf(p, rows[i], split, bytes);
            time.compute *= split[3] > 1 ? c[4] : 1;
            return time.seconds();
        });
    }
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
        const ProductBytes bytes = bytesOf(rows[i], 1, true);
        out[i] = kMicro * (c[4] * result + withSplit(rows[i], [&](const Split& split) {
            return timeOf(p, rows[i], split, bytes).seconds();
        }));
    }
}

void matmulFp8Optimised(
    const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core_fp8", 2048));
    const double lx =
        machine.parameterOr("cores", 32) * machine.parameterOr("lx_usable_bytes", 1625344);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ProductBytes bytes = bytesOf(rows[i], 1, true);
        const double factor = std::max(bytes.input, bytes.output) > lx ? c[4] : 1;
        const auto cost = [&](const Split& split) {
            return timeOf(p, rows[i], split, bytes).seconds() * factor;
        };
        // The grids that this build uses.
        out[i] = kMicro
            * (isStated(rows[i].split)
                    ? cost(rows[i].split)
                    : std::min(cost(Split{1, 4, 8, 1}), cost(Split{1, 8, 4, 1})));
    }
}

void batchMatmul(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Product p = productOf(machine, c, machine.parameterOr("mac_per_cycle_core", 1024));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredOperator& row = rows[i];
        Split split = row.split;
        if (!isStated(split)) {
            const std::int64_t n =
                std::max({std::int64_t{2}, row.n / 512, 1024 / std::max<std::int64_t>(1, row.m)});
            split = {1, std::max<std::int64_t>(1, coresOf(row) / n), n, 1};
        }
        out[i] = kMicro
            * batchedTime(p, c.subspan(4), row, split, bytesOf(row, kHalfBytes, false)).seconds();
    }
}

} // namespace fivefold::families::spyre::measured
