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

/// Smallest power of two that is not below `value`; 1 for value ≤ 1, 2⁶² at most.
inline std::int64_t powerOfTwoCeiling(std::int64_t value) {
    std::int64_t power = 1;
    while (power < value && power < (std::int64_t{1} << 62))
        power *= 2;
    return power;
}

} // namespace fivefold::layout
