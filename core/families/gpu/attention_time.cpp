// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/attention_time.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::gpu {

using lowering::ceilDiv;
using lowering::roundUp;

namespace {

constexpr std::int64_t kKeyBlock = 128; ///< keys that a decoding CTA takes at once
constexpr std::int64_t kLeastKeysOfSplit = 256;
constexpr std::int64_t kCtasPerSm = 2; ///< that splitting aims at
constexpr double kHeadSize = 128; ///< that the serial times were measured at

double number(std::int64_t value) {
    return static_cast<double>(value);
}

/// Query rows of a CTA's tile.
std::int64_t queryBlock(std::int64_t queries) {
    return queries <= 32 ? 32 : queries <= 64 ? 64 : 128;
}

} // namespace

double prefillSeconds(
    const AttentionDevice& device, const PrefillConstants& c, const AttentionProblem& p) {
    const std::int64_t block = queryBlock(p.queries);
    const std::int64_t blocks = ceilDiv(p.queries, block);
    const double keys = number(block * blocks);
    const double waves = std::ceil(number(p.batch * p.heads * blocks) / number(device.sms));
    // Two products of 2 FLOPs an element; a causal block sees half of the keys on average.
    const double flopsPerKey = 4 * number(block) * number(p.headSize);
    const double rate = device.peak * c.sustained / number(device.sms);
    const double average = flopsPerKey * (keys + number(block)) / 2 / rate + c.ctaSeconds;
    const double longest = flopsPerKey * keys / rate + c.ctaSeconds;
    const double bytes = number(p.elementBytes) * number(p.batch) * number(p.queries)
        * number(p.headSize) * number(2 * p.heads + 2 * p.keyValueHeads);
    const double memory = bytes / (device.bandwidth * c.efficiency);
    return c.fixedSeconds + std::max({waves * average, longest, memory})
        + c.moved * bytes / device.bandwidth;
}

double decodeSeconds(
    const AttentionDevice& device, const DecodeConstants& c, const AttentionProblem& p) {
    const double headShare = number(p.headSize) / kHeadSize;
    const double keyBytes =
        2 * number(p.elementBytes) * number(p.batch) * number(p.keyValueHeads) * number(p.headSize);
    if (p.heads == p.keyValueHeads) {
        const double memory = keyBytes * number(p.keys) / (device.bandwidth * c.plainEfficiency);
        const double walk = number(p.keys) * c.plainSecondsPerKey * headShare;
        const double waves = number(p.batch * p.heads) / number(device.sms);
        return c.plainFixedSeconds + std::max(memory, walk)
            + c.plainWaveSeconds * std::max(0.0, waves - 1);
    }
    const std::int64_t keys = roundUp(p.keys, kKeyBlock);
    const std::int64_t groups = p.batch * p.keyValueHeads;
    const std::int64_t splits = std::clamp<std::int64_t>(
        kCtasPerSm * device.sms / groups, 1, std::max<std::int64_t>(1, keys / kLeastKeysOfSplit));
    const double queryBytes =
        2 * number(p.elementBytes) * number(p.batch) * number(p.heads) * number(p.headSize);
    const double memory =
        (keyBytes * number(keys) + queryBytes) / (device.bandwidth * c.efficiency);
    const double crowd =
        std::max(1.0, number(groups * splits) / (c.saturation * number(device.sms)));
    const double walk = number(keys) / number(splits) * c.serialSecondsPerKey * headShare * crowd;
    return c.fixedSeconds + (p.batch > 1 && p.keyValueHeads > 1 ? c.groupSeconds : 0)
        + (splits > 1 ? c.combineSeconds : 0) + std::max(memory, walk);
}

} // namespace fivefold::families::gpu
