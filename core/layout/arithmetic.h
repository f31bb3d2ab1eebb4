// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace fivefold::layout {

/// a·b for non-negative numbers, INT64_MAX where it does not fit.
inline std::int64_t saturatingMultiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                  : product;
}

/// ⌈a/b⌉ for a ≥ 0 and b > 0, without overflow.
inline std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

/// Bytes of elements of `bits` bits side by side, rounded up; INT64_MAX where they do not fit.
/// 8 elements at a time, so that the bits of nearly 2⁶³ bytes do not overflow.
inline std::int64_t packedBytes(std::int64_t elements, std::int64_t bits) {
    const std::int64_t whole = saturatingMultiply(elements / 8, bits);
    std::int64_t bytes = 0;
    return __builtin_add_overflow(whole, ceilDivide(elements % 8 * bits, 8), &bytes)
        ? std::numeric_limits<std::int64_t>::max()
        : bytes;
}

/// Smallest power of two that is not below `value`; 1 for value ≤ 1, 2⁶² at most.
inline std::int64_t powerOfTwoCeiling(std::int64_t value) {
    std::int64_t power = 1;
    while (power < value && power < (std::int64_t{1} << 62))
        power *= 2;
    return power;
}

} // namespace fivefold::layout
