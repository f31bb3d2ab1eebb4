// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <vector>

namespace fivefold::schedule {

/// Which of many half-open intervals [begin, end) cover a moment. Empty intervals never do.
class IntervalIndex {
public:
    void add(base::Picoseconds begin, base::Picoseconds end, std::size_t item);
    /// Call once after the last add. O(n log n).
    void build();
    /// Items of the intervals that cover `at`, by begin, then in the order of adding.
    /// O(log n + answer · log n).
    std::vector<std::size_t> at(base::Picoseconds at) const;
    std::size_t size() const { return m_intervals.size(); }

private:
    struct Interval {
        std::int64_t begin = 0, end = 0;
        std::size_t item = 0;
    };

    void collect(std::size_t node, std::size_t from, std::size_t to, std::int64_t at,
        std::vector<std::size_t>& found) const;

    std::vector<Interval> m_intervals; ///< by begin
    std::vector<std::int64_t> m_lastEnd; ///< of a binary tree over the intervals
    std::size_t m_leaves = 0;
};

} // namespace fivefold::schedule
