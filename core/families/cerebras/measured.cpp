// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/measured.h"

#include "core/families/cerebras/fabric.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Cycles of published runs on a square of P × P elements: WaferLLM rerun on a CS-3
// (Wang-oss-tech/Wafer-Scale-Accelerator-Experiments) and fp32 products on a CS-2
// (lingzhi227/MIMD_dataflow). n = ⌈extent / P⌉ is an element's share of an extent.
namespace fivefold::families::cerebras {

namespace {

using machines::Machine;
using roofline::MeasuredEquation;
using roofline::MeasuredOperator;
using Rows = std::span<const MeasuredOperator>;
using Values = std::span<const double>;

double share(std::int64_t extent, std::int64_t side) {
    return static_cast<double>(lowering::ceilDiv(extent, side));
}

template <typename Equation>
void forEach(Rows rows, std::span<double> out, const Equation& equation) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = rows[i].side > 0 ? equation(rows[i], static_cast<double>(rows[i].side))
                                  : std::numeric_limits<double>::quiet_NaN();
}

/// gemvCycles of one row.
void gemv(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double) {
        return gemvCycles(c[0], c[1], c[2], row.n, row.k, row.side).total();
    });
}

/// meshCycles with the PE's own vector width.
void meshProduct(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    const double simd = std::max(1.0, machine.parameterOr("simd", 8));
    forEach(rows, out, [c, simd](const MeasuredOperator& row, double) {
        return meshCycles(c[0], c[1], simd, row.m, row.n, row.k, row.side).total();
    });
}

/// P·(n1·n + n3·n³).
void summa(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        const double macs =
            share(row.m, row.side) * share(row.n, row.side) * share(row.k, row.side);
        return p * (c[0] * std::cbrt(macs) + c[1] * macs);
    });
}

/// per_p·P + per_element·(m·k + k·n + m·n): operands are streamed in and the result out.
void systolic(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        const auto m = static_cast<double>(row.m), n = static_cast<double>(row.n),
                   k = static_cast<double>(row.k);
        return c[0] * p + c[1] * (m * k + k * n + m * n);
    });
}

/// Multiply-adds of one layer's weights for one token: four projections and three feed-forward
/// products, extents padded to the square.
double layerMacs(const MeasuredOperator& row) {
    const auto d = static_cast<double>(lowering::roundUp(row.modelWidth, row.side));
    const auto f = static_cast<double>(lowering::roundUp(row.feedForwardWidth, row.side));
    return 4 * d * d + 3 * d * f;
}

/// One layer and token are nine GEMVs (four projections, scores and values, three of the
/// feed-forward block): base + per_p·P + the GEMV series' cycles a MAC · (4d² + 3df + 2Sd)/P² +
/// per_element·(13d + 3f + 2S)/P for their vectors, in and out.
void decodeLayer(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        const double d = share(row.modelWidth, row.side), f = share(row.feedForwardWidth, row.side);
        const double s = static_cast<double>(row.sequence) / p;
        return c[0] + c[1] * p + c[2] * (13 * d + 3 * f + 2 * s)
            + c[3] * (4 * d * d + 3 * d * f + 2 * s * d);
    });
}

/// per_p·P + per_mac·(S·(4d² + 3df) + 2·S²·d)/P².
void prefillLayer(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        const auto s = static_cast<double>(row.sequence);
        const auto d = static_cast<double>(row.modelWidth);
        return c[0] * p + c[1] * (s * layerMacs(row) + 2 * s * s * d) / (p * p);
    });
}

const std::vector<MeasuredEquation>& equations() {
    static const std::vector<MeasuredEquation> kEquations = {
        {"wse3_gemv_tree", {"gemv_tree_base", "gemv_tree_per_p", "gemv_tree_per_mac"},
            {307, 2.39, 0.335}, gemv},
        {"wse3_gemv_pipeline",
            {"gemv_pipeline_base", "gemv_pipeline_per_p", "gemv_pipeline_per_mac"},
            {1186, 14.76, 2.21}, gemv},
        {"wse3_gemm_mesh", {"meshgemm_step", "meshgemm_n2"}, {236.8, 6.81}, meshProduct},
        {"wse3_gemm_summa4", {"summa_step", "summa_n2"}, {334.2, 5.79}, meshProduct},
        {"wse2_gemm_summa", {"summa_fp32_n", "summa_fp32_n3"}, {185, 2.98}, summa},
        {"wse2_gemm_systolic", {"systolic_fp32_per_p", "systolic_fp32_per_mac"}, {188000, 3.23},
            systolic},
        {"wse3_decode_layer",
            {"decode_layer_base", "decode_layer_per_p", "decode_layer_per_element",
                "gemv_tree_per_mac"},
            {5151, 22.84, 4.32, 0.335}, decodeLayer, 0, 3},
        {"wse3_prefill_layer", {"prefill_layer_per_p", "prefill_layer_per_mac"}, {5175, 0.708},
            prefillLayer},
    };
    return kEquations;
}

} // namespace

const MeasuredEquation* measuredEquation(const Machine&, const MeasuredOperator& row) {
    return roofline::equationOf(equations(), row);
}

} // namespace fivefold::families::cerebras
