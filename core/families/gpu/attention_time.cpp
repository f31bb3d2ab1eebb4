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

/// Rows of a CTA's tile of queries, and of the keys that it takes at once.
std::int64_t blockOf(std::int64_t rows) {
    return rows <= 32 ? 32 : rows <= 64 ? 64 : 128;
}

} // namespace

double AttentionTime::seconds() const {
    return fixed + std::max(compute, memory) + exposed;
}

AttentionTime prefillTime(
    const AttentionDevice& device, const PrefillConstants& c, const AttentionProblem& p) {
    AttentionTime time;
    time.queryBlock = blockOf(p.queries);
    const std::int64_t blocks = ceilDiv(p.queries, time.queryBlock);
    time.ctas = lowering::saturatingMul(lowering::saturatingMul(p.batch, p.heads), blocks);
    const double keys = number(roundUp(p.keys, blockOf(p.keys)));
    const double waves = std::ceil(number(time.ctas) / number(device.sms));
    // Two products of 2 FLOPs an element; a causal block sees half of its own sequence on average.
    const double block = number(time.queryBlock);
    const double flopsPerKey = 4 * block * number(p.headSize);
    const double seen = p.isCausal ? keys - (block * number(blocks) - block) / 2 : keys;
    const double rate = device.peak * c.sustained / number(device.sms);
    const double average = flopsPerKey * std::max(block, seen) / rate + c.ctaSeconds;
    const double longest = flopsPerKey * keys / rate + c.ctaSeconds;
    time.compute = std::max(waves * average, longest);
    const double rows =
        2 * number(p.heads) * number(p.queries) + 2 * number(p.keyValueHeads) * number(p.keys);
    const double bytes = number(p.elementBytes) * number(p.batch) * number(p.headSize) * rows;
    time.memory = bytes / (device.bandwidth * c.efficiency);
    time.exposed = c.moved * bytes / device.bandwidth;
    time.fixed = c.fixedSeconds;
    return time;
}

namespace {

/// Every head has keys of its own: another kernel, which never splits them.
AttentionTime plainDecodeTime(
    const AttentionDevice& device, const DecodeConstants& c, const AttentionProblem& p) {
    AttentionTime time;
    time.ctas = lowering::saturatingMul(p.batch, p.heads);
    const double bytes =
        2 * number(p.elementBytes) * number(time.ctas) * number(p.headSize) * number(p.keys);
    time.memory = bytes / (device.bandwidth * c.plainEfficiency);
    time.compute = number(p.keys) * c.plainSecondsPerKey * number(p.headSize) / kHeadSize;
    const double waves = number(time.ctas) / number(device.sms);
    time.exposed = c.plainWaveSeconds * std::max(0.0, waves - 1);
    time.fixed = c.plainFixedSeconds;
    return time;
}

} // namespace

AttentionTime decodeTime(
    const AttentionDevice& device, const DecodeConstants& c, const AttentionProblem& p) {
    if (p.heads == p.keyValueHeads)
        return plainDecodeTime(device, c, p);
    AttentionTime time;
    const std::int64_t keys = roundUp(p.keys, kKeyBlock);
    const std::int64_t groups =
        std::max<std::int64_t>(1, lowering::saturatingMul(p.batch, p.keyValueHeads));
    time.splits = std::clamp<std::int64_t>(
        kCtasPerSm * device.sms / groups, 1, std::max<std::int64_t>(1, keys / kLeastKeysOfSplit));
    time.ctas = lowering::saturatingMul(groups, time.splits);
    const double perRow = 2 * number(p.elementBytes) * number(p.headSize);
    const double bytes =
        perRow * (number(groups) * number(keys) + number(p.batch) * number(p.heads));
    time.memory = bytes / (device.bandwidth * c.efficiency);
    const double crowd = std::max(1.0, number(time.ctas) / (c.saturation * number(device.sms)));
    time.compute = number(keys) / number(time.splits) * c.serialSecondsPerKey * number(p.headSize)
        / kHeadSize * crowd;
    time.fixed = c.fixedSeconds + (p.batch > 1 && p.keyValueHeads > 1 ? c.groupSeconds : 0)
        + (time.splits > 1 ? c.combineSeconds : 0);
    return time;
}

} // namespace fivefold::families::gpu
