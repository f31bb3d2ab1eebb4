// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/measured.h"

#include "core/lowering/tiling.h"

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

/// base + per_p·P + per_mac·(k/P)·(n/P).
void gemv(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        return c[0] + c[1] * p + c[2] * share(row.k, row.side) * share(row.n, row.side);
    });
}

/// P·(step + n2·n² + n3·n³).
void meshProduct(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        const double m = share(row.m, row.side), n = share(row.n, row.side),
                     k = share(row.k, row.side);
        const double macs = m * n * k, vectors = std::cbrt(macs) * std::cbrt(macs);
        return p * (c[0] + c[1] * vectors + c[2] * macs);
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

/// base + per_p·P + per_mac·(4d² + 3df)/P².
void decodeLayer(const Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row, double p) {
        return c[0] + c[1] * p + c[2] * layerMacs(row) / (p * p);
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
        {"wse3_gemm_mesh", {"meshgemm_step", "meshgemm_n2", "meshgemm_n3"}, {241, 6.49, 0.147},
            meshProduct},
        {"wse3_gemm_summa4", {"summa_step", "summa_n2", "summa_n3"}, {346, 5.26, 0.161},
            meshProduct},
        {"wse2_gemm_summa", {"summa_fp32_n", "summa_fp32_n3"}, {185, 2.98}, summa},
        {"wse2_gemm_systolic", {"systolic_fp32_per_p", "systolic_fp32_per_mac"}, {188000, 3.23},
            systolic},
        {"wse3_decode_layer", {"decode_layer_base", "decode_layer_per_p", "decode_layer_per_mac"},
            {5922, 22.9, 0.591}, decodeLayer},
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
