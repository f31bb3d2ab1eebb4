// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/measured.h"

#include "core/families/gpu/attention_time.h"
#include "core/families/gpu/gemm.h"

#include <algorithm>
#include <limits>

// Kernel times under a CUDA graph of five GPUs: aiconfigurator's GEMM and attention tables.
namespace fivefold::families::gpu {

namespace {

using machines::Machine;
using machines::Precision;
using roofline::MeasuredEquation;
using roofline::MeasuredOperator;
using Rows = std::span<const MeasuredOperator>;
using Values = std::span<const double>;
using Attention = MeasuredOperator::Attention;

constexpr double kMicro = 1e6;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// The constants of gemm.h in the order of the equation's keys, within what they can mean: shares
/// are at most 1, and what lies in the L2 is not slower than device memory.
GemmConstants gemmConstants(Values c) {
    GemmConstants gemm;
    gemm.sustained = std::min(1.0, c[0]);
    gemm.dramEfficiency = std::min(1.0, c[1]);
    gemm.fixedSeconds = c[2];
    gemm.l2Factor = c[3];
    gemm.ctaSeconds = c[4];
    gemm.saturation = std::min(1.0, c[5]);
    gemm.waveWeight = std::min(1.0, c[6]);
    gemm.residentShare = std::min(1.0, c[8]);
    gemm.residentFactor = std::max(1.0, c[9]);
    gemm.splitSeconds = c[10];
    gemm.exposedShare = std::min(1.0, c[11]);
    gemm.quantiseFactor = c.size() > 12 ? c[12] : 0;
    return gemm;
}

void products(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    Device device = deviceOf(
        machine, rows.empty() || !rows[0].precision ? Precision::Bf16 : *rows[0].precision);
    device.gemm = gemmConstants(c);
    const double sustained = device.gemm.sustained;
    const double fp32Sustained = machine.parameterOr("gemm_sus_fp32", sustained);
    device.tiles = tilesOf(machine, c[7]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredOperator& row = rows[i];
        const auto peak = row.precision ? machine.peak(*row.precision) : std::nullopt;
        if (!peak || row.m < 1 || row.n < 1 || row.k < 1) {
            out[i] = kNoValue;
            continue;
        }
        device.peak = *peak;
        device.gemm.sustained = *row.precision == Precision::Fp32 ? fp32Sustained : sustained;
        GemmProblem problem{row.b, row.m, row.n, row.k};
        problem.elementBytes = std::max(1, machines::storageBits(*row.precision) / 8);
        problem.resultBytes = std::max<std::int64_t>(2, problem.elementBytes);
        out[i] = kMicro * (device.gemm.fixedSeconds + planGemm(device, problem).seconds());
    }
}

AttentionProblem problemOf(const MeasuredOperator& row) {
    AttentionProblem problem;
    problem.batch = row.b;
    problem.keys = row.sequence;
    problem.queries = row.attention == Attention::Decode ? 1 : row.sequence;
    problem.heads = row.heads;
    problem.keyValueHeads = row.keyValueHeads;
    problem.headSize = row.headSize;
    problem.elementBytes = row.precision ? machines::storageBits(*row.precision) / 8 : 2;
    return problem;
}

AttentionDevice attentionDevice(const Machine& machine, const MeasuredOperator& row) {
    const machines::Memory* memory = machine.memory(machines::MemoryKind::Device);
    return {static_cast<std::int64_t>(machine.parameterOr("sms", 1)),
        row.precision ? machine.peak(*row.precision).value_or(0) : 0,
        memory ? memory->totalBandwidth().value_or(0) : 0};
}

DecodeConstants decodeConstants(Values c) {
    return {c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]};
}

template <typename Equation>
void attention(const Machine& machine, Rows rows, std::span<double> out, const Equation& equation) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const AttentionDevice device = attentionDevice(machine, rows[i]);
        const bool isKnown = device.peak > 0 && device.bandwidth > 0 && rows[i].sequence > 0;
        out[i] = isKnown ? kMicro * equation(device, problemOf(rows[i])) : kNoValue;
    }
}

void decode(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    attention(machine, rows, out, [c](const AttentionDevice& d, const AttentionProblem& p) {
        return decodeTime(d, decodeConstants(c), p).seconds();
    });
}

const std::vector<std::string_view>& decodeKeys() {
    static const std::vector<std::string_view> kKeys = {"attention_decode_t0_s",
        "attention_decode_group_s", "attention_decode_eff", "attention_decode_token_s",
        "attention_decode_sat", "attention_decode_combine_s", "attention_plain_t0_s",
        "attention_plain_eff", "attention_plain_token_s", "attention_plain_wave_s"};
    return kKeys;
}

std::vector<double> decodeDefaults() {
    const DecodeConstants d;
    return {d.fixedSeconds, d.groupSeconds, d.efficiency, d.serialSecondsPerKey, d.saturation,
        d.combineSeconds, d.plainFixedSeconds, d.plainEfficiency, d.plainSecondsPerKey,
        d.plainWaveSeconds};
}

void prefill(const Machine& machine, Values c, Rows rows, std::span<double> out) {
    static const std::vector<double> kDecode = decodeDefaults();
    attention(machine, rows, out, [c](const AttentionDevice& d, const AttentionProblem& p) {
        // One query of one token is the decoding kernel's job.
        if (p.queries == 1)
            return decodeTime(d, decodeConstants(kDecode), p).seconds();
        return prefillTime(d, {c[0], c[1], c[2], c[3], c[4]}, p).seconds();
    });
}

const std::vector<MeasuredEquation>& equations() {
    const GemmConstants g;
    const PrefillConstants p;
    static const std::vector<MeasuredEquation> kEquations = {
        {"gpu_gemm",
            {"gemm_sus", "gemm_eff", "gemm_t0_s", "gemm_l2x", "gemm_t_cta_s", "gemm_sat", "gemm_w",
                "gemm_softening", "gemm_resident_share", "gemm_resident_factor", "gemm_split_s",
                "gemm_exposed_share"},
            {0.8, 0.78, 3e-6, 8, 0.4e-6, 0.4, 0.6, 1, g.residentShare, 1.2, g.splitSeconds,
                g.exposedShare},
            products},
        {"gpu_gemm_fp8",
            {"gemm_fp8_sus", "gemm_fp8_eff", "gemm_fp8_t0_s", "gemm_fp8_l2x", "gemm_fp8_t_cta_s",
                "gemm_fp8_sat", "gemm_fp8_w", "gemm_fp8_softening", "gemm_fp8_resident_share",
                "gemm_fp8_resident_factor", "gemm_fp8_split_s", "gemm_fp8_exposed_share",
                "gemm_fp8_quantise"},
            {0.8, 0.78, 12e-6, 8, 0.5e-6, 0.4, 0.56, 0.65, 0.1, 1.05, 2e-6, 0.15, 2.4}, products},
        {"gpu_attention_decode", decodeKeys(), decodeDefaults(), decode},
        {"gpu_attention_prefill",
            {"attention_prefill_t0_s", "attention_prefill_sus", "attention_prefill_eff",
                "attention_prefill_moved", "attention_prefill_cta_s"},
            {p.fixedSeconds, p.sustained, p.efficiency, p.moved, p.ctaSeconds}, prefill},
    };
    return kEquations;
}

} // namespace

const MeasuredEquation* measuredEquation(const Machine& machine, const MeasuredOperator& row) {
    if (!row.precision || !machine.peak(*row.precision))
        return nullptr;
    switch (row.attention) {
    case Attention::Decode:
        return &equations()[2];
    case Attention::Prefill:
        return &equations()[3];
    case Attention::None:
        break;
    }
    if (row.op != "matmul" || row.m < 1)
        return nullptr;
    return &equations()[*row.precision == Precision::Fp8 ? 1 : 0];
}

} // namespace fivefold::families::gpu
