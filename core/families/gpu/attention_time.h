// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fivefold::families::gpu {

/// Fused attention: `batch` sequences of `queries` against `keys`.
struct AttentionProblem {
    std::int64_t batch = 1, queries = 1, keys = 1;
    std::int64_t heads = 1, keyValueHeads = 1, headSize = 128;
    std::int64_t elementBytes = 2;
    bool isCausal = true; ///< a block of queries needs no later keys; not looked at for one query
};

/// Seconds of one kernel: fixed + max(compute, memory) + exposed.
struct AttentionTime {
    double fixed = 0; ///< start, drain, and putting parts together
    double compute = 0; ///< arithmetic in prefill; the walk over the keys in decode
    double memory = 0; ///< device memory
    double exposed = 0; ///< loads and waves that nothing hides
    std::int64_t ctas = 1, splits = 1, queryBlock = 1;
    double seconds() const;
};

/// What the equations read of a device.
struct AttentionDevice {
    std::int64_t sms = 1;
    double peak = 1; ///< FLOP/s
    double bandwidth = 1; ///< B/s of device memory
};

/// Fitted on kernel times of TensorRT-LLM on an A100 (aiconfigurator's tables).
struct PrefillConstants {
    double fixedSeconds = 7.9e-6;
    double sustained = 0.59; ///< share of the peak
    double efficiency = 0.57; ///< share of the bandwidth
    double moved = 1.09; ///< times the operands' bytes that nothing hides
    double ctaSeconds = 3.0e-6; ///< of a wave beside its arithmetic
};
struct DecodeConstants {
    double fixedSeconds = 10.8e-6;
    double groupSeconds = 6.0e-6; ///< several sequences of several groups of key-value heads
    double efficiency = 0.79;
    double serialSecondsPerKey = 14.6e-9; ///< a CTA walks its keys one after another
    double saturation = 0.41; ///< CTAs a SM up to which the walk does not slow down
    double combineSeconds = 5.4e-6; ///< of putting the parts of split keys together
    double plainFixedSeconds =
        10.8e-6; ///< every head has its own keys: another kernel, which never splits
    double plainEfficiency = 0.76;
    double plainSecondsPerKey = 22.5e-9;
    double plainWaveSeconds = 3.2e-6;
};

/// fixed + max(waves·(work/rate + cta), longest/rate + cta, bytes/(BW·eff)) + moved·bytes/BW with
/// blocks of 32, 64 or 128 queries, a CTA a block and head, rate = peak·sustained/SMs.
AttentionTime prefillTime(const AttentionDevice& device, const PrefillConstants& constants,
    const AttentionProblem& problem);

/// Grouped heads: fixed + group + combine + max(bytes/(BW·eff), keys/splits · serial · crowd); keys
/// count in blocks of 128, splits = 2·SMs/(batch·key-value heads) of at least 256 keys.
/// A head a key-value head: fixed + max(bytes/(BW·eff), keys·serial) + wave·(heads/SMs − 1).
AttentionTime decodeTime(const AttentionDevice& device, const DecodeConstants& constants,
    const AttentionProblem& problem);

} // namespace fivefold::families::gpu
