// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/tiling.h"

namespace fivefold::lowering {

std::vector<std::int64_t> divisors(std::int64_t n, std::int64_t limit) {
    std::vector<std::int64_t> low, high;
    // Past the limit neither d nor n / d ≥ d counts.
    for (std::int64_t d = 1; d <= limit && d <= n / d; ++d) {
        if (n % d != 0)
            continue;
        low.push_back(d);
        if (n / d != d && n / d <= limit)
            high.push_back(n / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

std::int64_t largestDivisor(std::int64_t n, std::int64_t limit) {
    const auto all = divisors(n, limit);
    return all.empty() ? 1 : all.back();
}

} // namespace fivefold::lowering
