// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/reduction_split.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cstdlib>

namespace fivefold::families::gpu {

namespace {

using lowering::ceilDiv;
using lowering::saturatingMul;

constexpr std::int64_t kThreadsPerSm = 2048;
constexpr std::int64_t kWarp = 32; ///< also the least elements a thread
constexpr std::int64_t kMostElements = 512; ///< a thread
constexpr std::int64_t kBlockThreads = 8 * kWarp;
constexpr std::int64_t kInnerThreshold = 8192; ///< shorter rows are never split
constexpr std::int64_t kOuterRows =
    4; ///< elements along the reduced axis that a thread takes at once
constexpr std::int64_t kOuterColumns = 128; ///< results a block
constexpr std::int64_t kInnerNearness = 30, kOuterNearness = 20, kMostNearness = 50;

/// The divisor of `value` nearest to `target`; the smaller of two.
std::int64_t nearestDivisor(std::int64_t value, std::int64_t target) {
    std::int64_t best = 1;
    const auto consider = [&](std::int64_t divisor) {
        const std::int64_t a = std::abs(divisor - target), b = std::abs(best - target);
        if (a < b || (a == b && divisor < best))
            best = divisor;
    };
    for (std::int64_t d = 1; d <= value / d; ++d)
        if (value % d == 0) {
            consider(d);
            consider(value / d);
        }
    return best;
}

std::int64_t chunkNear(std::int64_t reduced, std::int64_t target, std::int64_t nearness) {
    const std::int64_t closest = nearestDivisor(reduced, target);
    return std::abs(closest - target) < nearness ? std::max(closest, kWarp) : target;
}

std::int64_t largestChunk(std::int64_t reduced) {
    const std::int64_t closest = nearestDivisor(reduced, kMostElements);
    return std::abs(closest - kMostElements) < kMostNearness ? closest : kMostElements;
}

std::int64_t innerParts(std::int64_t results, std::int64_t reduced, std::int64_t sms) {
    if (results >= 2 * sms || reduced <= kInnerThreshold)
        return 1;
    const std::int64_t all = saturatingMul(reduced, results);
    std::int64_t chunk = largestChunk(reduced);
    if (all <= kWarp * sms * kThreadsPerSm) {
        chunk = kWarp;
    } else if (all < kMostElements * sms * kThreadsPerSm) {
        const std::int64_t blocks = ceilDiv(sms * kThreadsPerSm / (2 * kBlockThreads), results);
        chunk = chunkNear(reduced, ceilDiv(reduced, kBlockThreads * blocks), kInnerNearness);
    }
    return ceilDiv(reduced, saturatingMul(chunk, kBlockThreads));
}

std::int64_t outerParts(std::int64_t results, std::int64_t reduced, std::int64_t sms) {
    const std::int64_t all = saturatingMul(reduced, results);
    std::int64_t chunk = largestChunk(reduced);
    if (all < kWarp * sms * kThreadsPerSm) {
        chunk = kWarp;
    } else if (all < kMostElements * sms * kThreadsPerSm) {
        const std::int64_t blocks =
            ceilDiv(sms * kThreadsPerSm / kBlockThreads, ceilDiv(results, kOuterColumns));
        chunk = chunkNear(reduced, ceilDiv(reduced, kOuterRows * blocks), kOuterNearness);
    }
    return ceilDiv(reduced, saturatingMul(chunk, kOuterRows));
}

} // namespace

std::int64_t reductionParts(
    std::int64_t results, std::int64_t reduced, bool isInner, std::int64_t sms) {
    if (results <= 0 || reduced <= 0)
        return 1;
    if (results == 1)
        return innerParts(results, reduced, sms);
    if (reduced <= kWarp || results >= sms * 2 * kWarp)
        return 1;
    return isInner ? innerParts(results, reduced, sms) : outerParts(results, reduced, sms);
}

std::vector<std::size_t> pickLoopOrder(
    const std::vector<std::vector<std::int64_t>>& strides, const std::vector<std::int64_t>& sizes) {
    const auto isBefore = [&](std::size_t a, std::size_t b) {
        if (sizes[a] == 1 || sizes[b] == 1)
            return sizes[a] != 1 && sizes[b] == 1;
        int first = 0, second = 0;
        for (const std::vector<std::int64_t>& access : strides) {
            const std::int64_t x = std::abs(access[a]), y = std::abs(access[b]);
            first += y == 0 || x < y;
            second += x == 0 || y < x;
        }
        return first != second ? first > second : a > b;
    };
    std::vector<std::size_t> order;
    for (std::size_t i = sizes.size(); i-- > 0;) { // stable insertion from the last loop on
        auto at = order.end();
        while (at != order.begin() && isBefore(i, *(at - 1)))
            --at;
        order.insert(at, i);
    }
    return order;
}

} // namespace fivefold::families::gpu
