// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

/// Arithmetic of tiles and waves. Counts are non-negative; a divisor below 1 counts as 1; products
/// and sums saturate at the largest int64.
namespace fivefold::lowering {

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    b = std::max<std::int64_t>(b, 1);
    return a <= 0 ? 0 : 1 + (a - 1) / b;
}

constexpr std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max()
                                                 : result;
}

constexpr std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max()
                                                 : result;
}

constexpr std::int64_t roundUp(std::int64_t a, std::int64_t multiple) {
    return saturatingMul(ceilDiv(a, multiple), std::max<std::int64_t>(multiple, 1));
}

/// Useful share of an extent cut in tiles: a ÷ roundUp(a, tile); 1 for nothing to do.
constexpr double tileEfficiency(std::int64_t a, std::int64_t tile) {
    return a <= 0 ? 1.0 : static_cast<double>(a) / static_cast<double>(roundUp(a, tile));
}

/// Rounds that `units` equal workers need for `tiles` equal pieces.
constexpr std::int64_t waves(std::int64_t tiles, std::int64_t units) {
    return ceilDiv(tiles, units);
}

/// Busy share of the units over all waves: tiles ÷ (waves · units); the tail of the last wave is
/// idle.
constexpr double waveEfficiency(std::int64_t tiles, std::int64_t units) {
    units = std::max<std::int64_t>(units, 1);
    return tiles <= 0 ? 1.0
                      : static_cast<double>(tiles)
            / (static_cast<double>(waves(tiles, units)) * static_cast<double>(units));
}

/// Tiles that cover an m × n result.
constexpr std::int64_t tileCount(
    std::int64_t m, std::int64_t n, std::int64_t tileM, std::int64_t tileN) {
    return saturatingMul(ceilDiv(m, tileM), ceilDiv(n, tileN));
}

/// Divisors of n up to `limit`, ascending; none for n < 1. O(min(√n, limit)).
std::vector<std::int64_t> divisors(std::int64_t n, std::int64_t limit);

/// Largest divisor of n that is at most `limit`; 1 at least.
std::int64_t largestDivisor(std::int64_t n, std::int64_t limit);

} // namespace fivefold::lowering
