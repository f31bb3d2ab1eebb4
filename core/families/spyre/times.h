// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/division.h"
#include "core/lowering/program.h"
#include "core/roofline/measured_operator.h"

namespace fivefold::families::spyre {

/// What the times read of a machine, from its parameters of the names given. The equations
/// themselves, and the rest of their constants, are those of measured_equations.h; the defaults are
/// what was fitted to device times of one card (AdnanHoque/torch-spyre and HieronZhang/torch-spyre
/// artefacts).
struct Constants {
    const machines::Machine* machine = nullptr; ///< outlives them; null: the defaults
    double kernelFixedSeconds = 1.8e-6; ///< kernel_fixed_s
    double fillRows = 40; ///< pass_rows: row cycles that each weight pass costs on top
    double cyclesPerSecond = 1.117e9; ///< cycles_per_s
    double macsPerCycle =
        1024; ///< mac_per_cycle_core, at fp16; scaled by the ratio of the peaks elsewhere
    double streamBytesPerSecond = 130.9e9; ///< stream_bytes_per_s
    /// softmax_core_s_per_element ÷ 5: a softmax makes five passes of the vector unit over its
    /// elements.
    double vectorSecondsPerElement = 3.5e-10 / 5;
    double handoffSeconds = 0.33e-3; ///< program_handoff_s: between two device programs
    double hostBytesPerSecond = 63e9; ///< bandwidth of the link whose role is "host"
    double peak = 0; ///< FLOP/s at the chosen precision; 0 = unknown
    double deviceBytesPerSecond = 204.8e9; ///< published bandwidth, for the ideal time
    bool isHalf = true; ///< fp16, which the bands were measured in
};
Constants constants(const machines::Machine& machine, machines::Precision precision);

/// Padded bytes that an OpSpec moves through LPDDR5 and through LX.
struct OpTraffic {
    double input = 0, weight = 0, output = 0; ///< LPDDR5; weight: the second operand of a product
    double lxRead = 0, lxWritten = 0;
    double logical = 0; ///< LPDDR5 bytes without padding
    double read() const { return input + weight; }
};

/// Whether an operand of a batched product has its rows outside its batches.
struct RowOrder {
    bool isLeftOuter = false, isRightOuter = false;
};

/// measured::productTime of the LPDDR5 bytes: one matrix, a batch with one second operand, or a
/// batch of both, by the shape.
void timeMatmul(lowering::Estimate& estimate, const Constants& constants, const MatmulShape& shape,
    const MatmulDivision& split, const OpTraffic& traffic, const RowOrder& order = {});

/// One operator beside products, by the equation of a series ("spyre_pointwise") and what the
/// series reads of it.
struct Pass {
    std::string_view series, band; ///< "error_pointwise"; empty: not validated
    std::string_view fixedKey; ///< parameter of the fixed time within the equation; empty: none
    roofline::MeasuredOperator row;
    double share = 1; ///< of the equation's time: a cat's part of the whole
    double elements = 0; ///< that the vector unit passes over
    bool isWholeInMemory = true; ///< no operand lies in LX, as in all that was measured
};
/// The equation; where an operand lies in LX, overlapped with the vector unit's passes over the
/// elements.
void timePass(lowering::Estimate& estimate, const Constants& constants, const Pass& pass,
    const OpTraffic& traffic);

/// The series spyre_relayout.
void timeRelayout(
    lowering::Estimate& estimate, const Constants& constants, const OpTraffic& traffic);

/// Prediction of a row's series with the machine's constants, s.
double measuredSeconds(const Constants& constants, const roofline::MeasuredOperator& row);
/// All times of an estimate by a factor; one more scheduling part; the band of a series in fp16.
void scale(lowering::Estimate& estimate, double factor);
void addPart(lowering::Estimate& estimate, lowering::TimePart part);
void setBand(lowering::Estimate& estimate, const Constants& constants, std::string_view key);

/// A host operator: the tensors cross PCIe both ways and the device program stops and starts; the
/// host's own arithmetic is not in it.
void timeFallback(
    lowering::Estimate& estimate, const Constants& constants, const OpTraffic& traffic);

/// The compiler's own ideal of a bundle, s (torch-spyre, cost_model.py): max(flops ÷
/// compiler_flops_per_s, (R + W) ÷ compiler_bytes_per_s + compiler_turnaround_s_per_byte · min(R,
/// W)); R and W are LPDDR5 bytes, what several operators read once.
double compilerIdealSeconds(
    const machines::Machine& machine, double paddedFlops, double read, double written);

} // namespace fivefold::families::spyre
