// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/measured.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

// Times of published series: TPU v4 device times (yutation/SCALE-SIM_Validation), v6e and v7x wall
// and device times (yangwhale/gpu-tpu-pedia, AI-Hypercomputer/tpu-recipes). Times in µs, bytes in
// B.
namespace fivefold::families::tpu {

namespace {

using machines::Machine;
using machines::Precision;
using roofline::MeasuredEquation;
using roofline::MeasuredOperator;
using Rows = std::span<const MeasuredOperator>;
using Values = std::span<const double>;

constexpr double kMicro = 1e6;
constexpr std::int64_t kLanes = 128, kSublanes = 8;

double up(std::int64_t extent, std::int64_t multiple) {
    return static_cast<double>(lowering::roundUp(extent, multiple));
}

/// One JAX device: a chip up to v6e, one of two TensorCores on v7x.
double devices(const Machine& machine) {
    return machine.parameterOr("generation", 0) >= 7 ? machine.parameterOr("tensor_cores", 1) : 1;
}

double peak(const Machine& machine, Precision precision) {
    return machine.peak(precision).value_or(0) / devices(machine);
}

double bandwidth(const Machine& machine) {
    const machines::Memory* memory = machine.memory(machines::MemoryKind::Device);
    return memory ? memory->totalBandwidth().value_or(0) / devices(machine) : 0;
}

double elementBytes(const MeasuredOperator& row) {
    return row.precision ? machines::storageBits(*row.precision) / 8.0 : 1;
}

/// fixed + 2·M8·N128·K128/(share·peak) + bytes/(share·HBM). One TensorCore works on products of at
/// most one_core_macs multiply-adds.
void matmulV4(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    const double chip = peak(machine, Precision::Bf16), memory = bandwidth(machine);
    const double cores = machine.parameterOr("tensor_cores", 1);
    const double oneCore = machine.parameterOr("one_core_macs", 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredOperator& row = rows[i];
        const double m = up(row.m, kSublanes), n = up(row.n, kLanes), k = up(row.k, kLanes);
        const double macs =
            static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.k);
        const double rate = macs <= oneCore ? chip / cores : chip;
        const double bytes = elementBytes(row) * (m * k + k * n + m * n);
        out[i] = kMicro * (c[0] + 2 * m * n * k / (rate * c[1]) + bytes / (memory * c[2]));
    }
}

/// Elements with the padding of the dimension order that pads least: XLA chooses it.
double leastPadded(const std::vector<std::int64_t>& shape) {
    constexpr std::int64_t kVector = 256; // elements that a 1-D fp16 array is rounded up to
    if (shape.size() < 2)
        return up(shape.empty() ? 1 : shape[0], kVector);
    double all = 1, least = std::numeric_limits<double>::infinity();
    for (const std::int64_t extent : shape)
        all *= static_cast<double>(extent);
    for (std::size_t row = 0; row < shape.size(); ++row)
        for (std::size_t lane = 0; lane < shape.size(); ++lane) {
            if (row == lane || shape[row] <= 0 || shape[lane] <= 0)
                continue;
            const double outer =
                all / static_cast<double>(shape[row]) / static_cast<double>(shape[lane]);
            least = std::min(least, outer * up(shape[row], kSublanes) * up(shape[lane], kLanes));
        }
    return least;
}

/// fixed + streams·2·padded/rate; two operands make three streams.
void elementwiseV4(const Machine&, Values c, Rows rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string& op = rows[i].op;
        const bool isBinary = op == "add" || op == "subtract" || op == "multiply" || op == "divide"
            || op == "maximum" || op == "minimum";
        const double streams = isBinary ? 3 : 2;
        const double bytes = elementBytes(rows[i]) * leastPadded(rows[i].shape);
        out[i] = kMicro * (c[0] + streams * bytes / c[1]);
    }
}

/// fixed + 2·bytes/rate + rows·row.
void layerNormV4(const Machine&, Values c, Rows rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double lines = 1;
        for (std::size_t d = 0; d + 1 < rows[i].shape.size(); ++d)
            lines *= static_cast<double>(rows[i].shape[d]);
        const double elements =
            rows[i].shape.empty() ? 0 : lines * static_cast<double>(rows[i].shape.back());
        const double bytes = 2 * elementBytes(rows[i]) * elements;
        out[i] = kMicro * (c[0] + bytes / c[1] + lines * c[2]);
    }
}

double productBytes(const MeasuredOperator& row) {
    const auto m = static_cast<double>(row.m), n = static_cast<double>(row.n),
               k = static_cast<double>(row.k);
    // A product of int8 operands leaves int32.
    const double result = row.precision == Precision::Int8 ? 4 : elementBytes(row);
    return elementBytes(row) * (m * k + k * n) + result * m * n;
}

double productFlops(const MeasuredOperator& row) {
    return 2.0 * static_cast<double>(row.m) * static_cast<double>(row.n)
        * static_cast<double>(row.k);
}

/// dispatch + max(F/(share·peak), bytes/(share·HBM)). fp32 runs at the bf16 rate; int8 has a rate
/// of its own up to v6e.
void matmulWall(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    const bool hasInt8 = machine.parameterOr("generation", 0) < 7;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isInt8 = rows[i].precision == Precision::Int8 && hasInt8;
        const double rate = peak(machine, isInt8 ? Precision::Int8 : Precision::Bf16);
        out[i] = kMicro
            * (c[0]
                + std::max(productFlops(rows[i]) / (rate * c[1]),
                    productBytes(rows[i]) / (bandwidth(machine) * c[2])));
    }
}

/// fixed + max(F/(share·peak), B) + min(B, exposed), B = bytes/rate.
void matmulDevice(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double copy = productBytes(rows[i]) / c[2];
        const double compute = productFlops(rows[i]) / (peak(machine, Precision::Bf16) * c[1]);
        out[i] = kMicro * (c[0] + std::max(compute, copy) + std::min(copy, c[3]));
    }
}

/// fixed + (read + written)/(share·HBM).
void copy(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro
            * (c[0] + (rows[i].bytesRead + rows[i].bytesWritten) / (bandwidth(machine) * c[1]));
}

/// fixed + received/rate.
void allGather(const Machine&, Values c, Rows rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro * (c[0] + rows[i].bytesRead / c[1]);
}

const std::vector<MeasuredEquation>& equations() {
    static const std::vector<MeasuredEquation> kEquations = {
        {"tpu_v4_matmul", {"matmul_fixed_s", "matmul_efficiency", "hbm_efficiency"},
            {1.03e-6, 0.66, 0.48}, matmulV4},
        {"tpu_v4_elementwise", {"op_fixed_s", "elementwise_bytes_per_s"}, {0.909e-6, 337e9},
            elementwiseV4},
        {"tpu_v4_layer_norm", {"norm_fixed_s", "norm_bytes_per_s", "norm_row_s"},
            {6.79e-6, 295e9, 1.72e-9}, layerNormV4},
        {"tpu_v6e_matmul_wall", {"dispatch_s", "matmul_efficiency", "hbm_efficiency"},
            {118e-6, 0.78, 0.93}, matmulWall},
        {"tpu_v7x_matmul_wall", {"dispatch_s", "wall_matmul_efficiency", "wall_hbm_efficiency"},
            {132e-6, 0.67, 0.69}, matmulWall},
        {"tpu_v7x_matmul_device",
            {"matmul_fixed_s", "matmul_efficiency", "matmul_bytes_per_s", "exposed_copy_s"},
            {1.5e-6, 0.955, 3.2e12, 10.5e-6}, matmulDevice},
        {"tpu_v7x_copy", {"copy_fixed_s", "hbm_efficiency"}, {1.2e-6, 0.865}, copy},
        {"tpu_v7x_all_gather", {"all_gather_fixed_s", "all_gather_bytes_per_s"}, {13.9e-6, 179e9},
            allGather},
    };
    return kEquations;
}

} // namespace

const MeasuredEquation* measuredEquation(const Machine&, const MeasuredOperator& row) {
    return roofline::equationOf(equations(), row);
}

} // namespace fivefold::families::tpu
