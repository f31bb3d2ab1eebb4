// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/roofline/measured_operator.h"

#include <array>
#include <cstdint>

/// The equations behind measured.h. Every one has the signature of MeasuredEquation::evaluate; `c`
/// are its constants in the order that measured.cpp lists. Results in µs.
namespace fivefold::families::spyre::measured {

using roofline::MeasuredOperator;

/// How a product of one kernel runs.
enum class ProductForm : std::uint8_t {
    Plain, ///< one matrix by one matrix; C times ksplit_factor where k is split
    Shared, ///< a batch against one second operand: linear_3d_factor times
    Batched, ///< a batch of both operands
};
using Split = std::array<std::int64_t, 4>; ///< of b, m, n, k

/// Bytes of a product's operands in device memory.
struct ProductBytes {
    double input = 0, weight = 0, output = 0;
};

/// Parts of a product's time, s.
struct ProductTime {
    double fixed = 0, compute = 0, weight = 0, activations = 0;
    double output = 0; ///< bmm_out_s_per_byte · O
    double factor = 1; ///< of all but `output`
    double seconds() const;
};

/// The equations below with the machine's own constants, as the estimates of a lowering call them:
/// `macsPerCycle` is a core's, `bytes` are those that are not in LX.
ProductTime productTime(const machines::Machine& machine, double macsPerCycle, ProductForm form,
    const MeasuredOperator& row, const Split& split, const ProductBytes& bytes);

using Rows = std::span<const MeasuredOperator>;
using Values = std::span<const double>;

/// fixed + max(C, W/bw) + (A + O)/bw with C = ⌈B/b⌉·(⌈M/m⌉ + pass_rows)·up64(N/n)·up64(K/k) ÷ (MACs
/// a cycle · clock), bw = min(matmul_bytes_per_s, core_bytes_per_s · cores). A split that is not
/// stated is the cheapest of m·n = cores.
void matmul(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// The same; C times ksplit_factor where k is split.
void matmulSweep(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// matmul times linear_3d_factor: a batch against one shared second operand.
void matmulShared(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// Twice the MACs a cycle, one byte a weight; plus fp8_scale_s_per_element · M·N for the scale
/// stages.
void matmulFp8Scaled(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// Twice the MACs a cycle; times fp8_spill_factor where A or O exceeds all cores' usable LX.
void matmulFp8Optimised(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// matmul with C + C0·(min(B,4) − 1)·(a·A_row + b·B_row)·(wide from m = 16 on), plus s·O; C0 is C
/// without pass rows, A_row and B_row are 1 where the operand's rows lie outside its batches.
void batchMatmul(const machines::Machine&, Values c, Rows rows, std::span<double> out);

/// max((R + W)/rate + turnaround·min(R, W), (R + W)/(core rate · cores)), the first times
/// pointwise_few_cores_factor below 32 cores; a sum across rows has a rate of its own.
void stream(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// fixed + (R + W)/rate.
void relayout(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// (R + W)/rate + turnaround·min(R, W); times a factor below 32 cores, and never faster than the
/// cores draw, which is less for a copy.
void pointwise(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// fixed + (R + W)/rate + turnaround·min(R, W).
void broadcast(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// (R + W)/rate·(1 + slope·log2(rows/2048)) from 2048 rows on; 8 to 16 cores and fewer have rates
/// of their own.
void reduceRows(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// k inputs of N bytes: factor · stream of 3(k−1)N, or of (k+1)N where the chain stays on chip.
void addChain(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// fixed + tile·(tiles−1) + (C^1.5 + M^1.5)^(2/3); C by elements a core, M by bytes, five reads and
/// three writes of stream() where a tile's share exceeds the usable LX.
void softmax(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// fixed + 2N/rate.
void transpose(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// [R, mid, C]: 2·mid·N/rate · max(1, (8/mid)^e) · (C/1024)^f · (g from mid > 8 on), N one [R, C].
void transposeOuter(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// Two inputs of N bytes along the first dimension: 3N/rate · (1 + slope·log2(columns/512)) ·
/// (rows/1024)^e, times pointwise_few_cores_factor below 32 cores.
void catFirst(const machines::Machine&, Values c, Rows rows, std::span<double> out);
/// Along the last dimension: 3N/rate.
void catLast(const machines::Machine&, Values c, Rows rows, std::span<double> out);

} // namespace fivefold::families::spyre::measured
