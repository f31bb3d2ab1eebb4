// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/measured.h"

#include "core/families/spyre/measured_equations.h"

namespace fivefold::families::spyre {

using roofline::MeasuredEquation;

namespace {

// Parameter keys and the values that were fitted, in the order in which the equations read them.
const std::vector<MeasuredEquation>& equations() {
    using namespace measured;
    static const std::vector<MeasuredEquation> kEquations = {
        {"spyre_matmul", {"kernel_fixed_s", "pass_rows", "matmul_bytes_per_s", "core_bytes_per_s"},
            {1.8e-6, 40, 140.6e9, 67e9}, matmul},
        {"spyre_sweep_matmul",
            {"kernel_fixed_s", "pass_rows", "matmul_bytes_per_s", "core_bytes_per_s",
                "ksplit_factor"},
            {1.8e-6, 40, 140.6e9, 67e9, 1.9}, matmulSweep, 4, 1},
        {"spyre_bmm_shared",
            {"kernel_fixed_s", "pass_rows", "matmul_bytes_per_s", "core_bytes_per_s",
                "linear_3d_factor"},
            {1.8e-6, 40, 140.6e9, 67e9, 1.39}, matmulShared, 4, 1},
        {"spyre_bmm",
            {"kernel_fixed_s", "pass_rows", "matmul_bytes_per_s", "core_bytes_per_s",
                "bmm_a_factor", "bmm_b_factor", "bmm_wide_factor", "bmm_out_s_per_byte"},
            {1.8e-6, 40, 140.6e9, 67e9, 1.03, 0.76, 1.85, 15.8e-12}, batchMatmul, 4, 4},
        {"spyre_fp8_sendnn",
            {"kernel_fixed_s", "pass_rows", "matmul_bytes_per_s", "core_bytes_per_s",
                "fp8_scale_s_per_element"},
            {1.8e-6, 40, 140.6e9, 67e9, 0.106e-9}, matmulFp8Scaled, 4, 1},
        {"spyre_fp8_optimised",
            {"kernel_fixed_s", "pass_rows", "matmul_bytes_per_s", "core_bytes_per_s",
                "fp8_spill_factor"},
            {1.8e-6, 40, 140.6e9, 67e9, 2.07}, matmulFp8Optimised, 4, 1},
        {"spyre_stream",
            {"stream_bytes_per_s", "turnaround_s_per_byte", "core_bytes_per_s",
                "column_bytes_per_s", "pointwise_few_cores_factor"},
            {130.9e9, 3.41e-12, 67e9, 116.1e9, 1.16}, stream, 0, 4},
        {"spyre_reduce_cols",
            {"stream_bytes_per_s", "turnaround_s_per_byte", "core_bytes_per_s",
                "column_bytes_per_s", "pointwise_few_cores_factor"},
            {130.9e9, 3.41e-12, 67e9, 116.1e9, 1.16}, stream, 0, 0},
        {"spyre_write",
            {"stream_bytes_per_s", "turnaround_s_per_byte", "core_bytes_per_s",
                "column_bytes_per_s", "pointwise_few_cores_factor"},
            {130.9e9, 3.41e-12, 67e9, 116.1e9, 1.16}, stream, 0, 0},
        {"spyre_relayout", {"transpose_fixed_s", "relayout_bytes_per_s"}, {0.9e-6, 108e9}, relayout,
            1, 1},
        {"spyre_pointwise",
            {"pointwise_bytes_per_s", "pointwise_turnaround_s_per_byte",
                "pointwise_few_cores_factor", "pointwise_copy_core_bytes_per_s",
                "core_bytes_per_s"},
            {140.3e9, 4.81e-12, 1.15, 41.1e9, 67e9}, pointwise, 0, 4},
        {"spyre_broadcast",
            {"broadcast_fixed_s", "broadcast_bytes_per_s", "broadcast_turnaround_s_per_byte"},
            {1e-6, 129e9, 2.09e-12}, broadcast},
        {"spyre_reduce_rows",
            {"rowreduce_bytes_per_s", "rowreduce_log_slope", "rowreduce_mid_core_bytes_per_s",
                "rowreduce_few_core_bytes_per_s"},
            {149.5e9, 0.115, 78e9, 16.3e9}, reduceRows},
        {"spyre_add_chain",
            {"stream_bytes_per_s", "turnaround_s_per_byte", "core_bytes_per_s",
                "pointwise_few_cores_factor", "add_chain_factor"},
            {130.9e9, 3.41e-12, 67e9, 1.16, 1.09}, addChain, 4, 1},
        {"spyre_softmax",
            {"softmax_fixed_s", "softmax_tile_s", "softmax_core_s_per_element",
                "softmax_bytes_per_s", "stream_bytes_per_s", "turnaround_s_per_byte",
                "core_bytes_per_s", "pointwise_few_cores_factor"},
            {2.1e-6, 2.7e-6, 350e-12, 122.7e9, 130.9e9, 3.41e-12, 67e9, 1.16}, softmax, 0, 4},
        {"spyre_softmax_tiled",
            {"softmax_fixed_s", "softmax_tile_s", "softmax_core_s_per_element",
                "softmax_bytes_per_s", "stream_bytes_per_s", "turnaround_s_per_byte",
                "core_bytes_per_s", "pointwise_few_cores_factor"},
            {2.1e-6, 2.7e-6, 350e-12, 122.7e9, 130.9e9, 3.41e-12, 67e9, 1.16}, softmax, 0, 4},
        {"spyre_transpose", {"transpose_fixed_s", "transpose_bytes_per_s"}, {0.9e-6, 116e9},
            transpose},
        {"spyre_transpose_outer",
            {"outer_transpose_bytes_per_s", "outer_transpose_middle_exponent",
                "outer_transpose_column_exponent", "outer_transpose_wide_factor"},
            {100.3e9, 0.29, 0.077, 1.1}, transposeOuter},
        {"spyre_cat0",
            {"cat_first_bytes_per_s", "cat_first_log_slope", "cat_first_row_exponent",
                "pointwise_few_cores_factor"},
            {102.2e9, 0.236, 0.0735, 1.16}, catFirst, 0, 3},
        {"spyre_cat1", {"cat_last_bytes_per_s"}, {106.5e9}, catLast},
    };
    return kEquations;
}

} // namespace

const MeasuredEquation* measuredEquation(
    const machines::Machine&, const roofline::MeasuredOperator& row) {
    // A product that belongs to no series.
    if (row.group.empty() && row.op == "matmul" && row.m > 0 && row.b == 1
        && row.precision == machines::Precision::Fp16)
        return &equations().front();
    return roofline::equationOf(equations(), row);
}

} // namespace fivefold::families::spyre
