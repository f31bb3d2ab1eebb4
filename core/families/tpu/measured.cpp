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
/// From here JAX shows each TensorCore as a device, and there is no int8.
constexpr double kDeviceGeneration = 7;
constexpr double kSummingGeneration = 4; ///< up to here copies and arithmetic add up

double up(std::int64_t extent, std::int64_t multiple) {
    return static_cast<double>(lowering::roundUp(extent, multiple));
}

/// One JAX device: a chip up to v6e, one of two TensorCores on v7x.
double devices(const Machine& machine) {
    return machine.parameterOr("generation", 0) >= kDeviceGeneration
        ? machine.parameterOr("tensor_cores", 1)
        : 1;
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

double flopsOf(const Product& p) {
    return 2 * p.batch * p.m * p.n * p.k;
}

/// Constants of a form, and the rates that they are shares of.
struct Rates {
    double peak = 0, bandwidth = 0; ///< of the JAX device
    double share = 1, memoryShare = 1;
};

ProductTime summed(const Machine& machine, const Rates& r, const Product& p) {
    const auto rounded = [](double extent, std::int64_t multiple) {
        return std::ceil(extent / static_cast<double>(multiple)) * static_cast<double>(multiple);
    };
    const double cores = machine.parameterOr("tensor_cores", 1);
    const bool isOnOne = flopsOf(p) / 2 <= machine.parameterOr("one_core_macs", 0);
    const double padded =
        2 * p.batch * rounded(p.m, kSublanes) * rounded(p.n, kLanes) * rounded(p.k, kLanes);
    return {padded / ((isOnOne ? r.peak / cores : r.peak) * r.share),
        p.bytes() / (r.bandwidth * r.memoryShare), 0, false};
}

ProductTime overlapped(const Rates& r, const Product& p) {
    return {flopsOf(p) / (r.peak * r.share), p.bytes() / (r.bandwidth * r.memoryShare)};
}

ProductTime secondExposed(const Machine& machine, const Rates& r, const Product& p) {
    ProductTime time = overlapped(r, p);
    time.isOverlapped = p.bytes() > machine.parameterOr("kernel_vmem_bytes", 0);
    if (time.isOverlapped)
        time.exposed =
            std::max(time.compute + p.secondBytes / (r.bandwidth * r.memoryShare), time.memory)
            - std::max(time.compute, time.memory);
    return time;
}

/// HBM bytes of a row's operands, each rounded up to rows × lanes.
Product productOf(const MeasuredOperator& row, std::int64_t rows = 1, std::int64_t lanes = 1) {
    // A product of int8 operands leaves int32.
    const double result = row.precision == Precision::Int8 ? 4 : elementBytes(row);
    const double m = up(row.m, rows), n = up(row.n, lanes), k = up(row.k, lanes);
    return {1, static_cast<double>(row.m), static_cast<double>(row.n), static_cast<double>(row.k),
        elementBytes(row) * m * k, elementBytes(row) * k * n, result * m * n};
}

/// Up to v4, padded operands.
void matmulV4(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Rates rates{peak(machine, Precision::Bf16), bandwidth(machine), c[1], c[2]};
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro
            * (c[0] + summed(machine, rates, productOf(rows[i], kSublanes, kLanes)).seconds());
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

/// dispatch + fixed + the overlapped product. fp32 runs at the bf16 rate; int8 has a rate of its
/// own up to v6e.
void matmulWall(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    const bool hasInt8 = machine.parameterOr("generation", 0) < kDeviceGeneration;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isInt8 = rows[i].precision == Precision::Int8 && hasInt8;
        const Rates rates{peak(machine, isInt8 ? Precision::Int8 : Precision::Bf16),
            bandwidth(machine), c[1], c[2]};
        out[i] = kMicro * (c[0] + c[3] + overlapped(rates, productOf(rows[i])).seconds());
    }
}

/// fixed + the product whose second operand's copy is exposed.
void matmulDevice(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    const Rates rates{peak(machine, Precision::Bf16), bandwidth(machine), c[0], c[2]};
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro * (c[1] + secondExposed(machine, rates, productOf(rows[i])).seconds());
}

/// Rows that belong to no series: device time as a lowering estimates it.
void product(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double bf16 = peak(machine, Precision::Bf16);
        const double own = rows[i].precision ? peak(machine, *rows[i].precision) : 0;
        out[i] = kMicro
            * (c[0]
                + productTime(machine, own > 0 ? own : bf16, bandwidth(machine),
                    productOf(rows[i], kSublanes, kLanes))
                      .seconds());
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
        {"tpu_v6e_matmul_wall",
            {"dispatch_s", "matmul_efficiency", "hbm_efficiency", "matmul_fixed_s"},
            {116.5e-6, 0.78, 0.93, 1.5e-6}, matmulWall, 0, 3},
        {"tpu_v7x_matmul_wall",
            {"dispatch_s", "wall_matmul_efficiency", "wall_hbm_efficiency", "matmul_fixed_s"},
            {130.5e-6, 0.67, 0.69, 1.5e-6}, matmulWall, 0, 3},
        {"tpu_v7x_matmul_device", {"matmul_efficiency", "matmul_fixed_s", "hbm_efficiency"},
            {0.979, 1.5e-6, 0.865}, matmulDevice, 0, 1},
        {"tpu_v7x_copy", {"copy_fixed_s", "hbm_efficiency"}, {1.2e-6, 0.865}, copy},
        {"tpu_v7x_all_gather", {"all_gather_fixed_s", "all_gather_bytes_per_s"}, {13.9e-6, 179e9},
            allGather},
    };
    return kEquations;
}

} // namespace

double ProductTime::seconds() const {
    return (isOverlapped ? std::max(compute, memory) : compute + memory) + exposed;
}

ProductTime productTime(
    const Machine& machine, double flopsPerSecond, double bytesPerSecond, const Product& product) {
    const Rates rates{flopsPerSecond, bytesPerSecond,
        std::clamp(machine.parameterOr("matmul_efficiency", 0.78), 0.01, 1.0),
        std::clamp(machine.parameterOr("hbm_efficiency", 0.87), 0.01, 1.0)};
    const double generation = machine.parameterOr("generation", 0);
    if (generation >= kDeviceGeneration)
        return secondExposed(machine, rates, product);
    return generation <= kSummingGeneration ? summed(machine, rates, product)
                                            : overlapped(rates, product);
}

double layerNormSeconds(const Machine& machine, const std::vector<std::int64_t>& shape) {
    MeasuredOperator row;
    row.group = "tpu_v4_layer_norm";
    row.precision = Precision::Bf16;
    row.shape = shape;
    const MeasuredEquation& equation = *roofline::equationOf(equations(), row);
    double microseconds = 0;
    equation.evaluate(
        machine, valuesOf(equation, machine), std::span(&row, 1), std::span(&microseconds, 1));
    return microseconds / kMicro;
}

const MeasuredEquation* measuredEquation(const Machine&, const MeasuredOperator& row) {
    static const MeasuredEquation kProduct = {"tpu_matmul", {"matmul_fixed_s"}, {1.5e-6}, product};
    if (row.group.empty() && row.op == "matmul" && row.m > 0 && row.b == 1)
        return &kProduct;
    return roofline::equationOf(equations(), row);
}

} // namespace fivefold::families::tpu
