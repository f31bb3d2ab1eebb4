// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/interval_index.h"

#include <algorithm>
#include <limits>

namespace fivefold::schedule {

namespace {
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
}

void IntervalIndex::add(base::Picoseconds begin, base::Picoseconds end, std::size_t item) {
    if (begin < end)
        m_intervals.push_back({begin.value, end.value, item});
}

void IntervalIndex::build() {
    std::stable_sort(m_intervals.begin(), m_intervals.end(),
        [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    m_leaves = 1;
    while (m_leaves < m_intervals.size())
        m_leaves *= 2;
    m_lastEnd.assign(2 * m_leaves, kNever);
    for (std::size_t i = 0; i < m_intervals.size(); ++i)
        m_lastEnd[m_leaves + i] = m_intervals[i].end;
    for (std::size_t i = m_leaves - 1; i > 0; --i)
        m_lastEnd[i] = std::max(m_lastEnd[2 * i], m_lastEnd[2 * i + 1]);
}

std::vector<std::size_t> IntervalIndex::at(base::Picoseconds at) const {
    std::vector<std::size_t> found;
    if (m_leaves > 0)
        collect(1, 0, m_leaves, at.value, found);
    return found;
}

void IntervalIndex::collect(std::size_t node, std::size_t from, std::size_t to, std::int64_t at,
    std::vector<std::size_t>& found) const {
    if (from >= m_intervals.size() || m_lastEnd[node] <= at || m_intervals[from].begin > at)
        return;
    if (node >= m_leaves) {
        found.push_back(m_intervals[from].item);
        return;
    }
    const std::size_t middle = (from + to) / 2;
    collect(2 * node, from, middle, at, found);
    collect(2 * node + 1, middle, to, at, found);
}

} // namespace fivefold::schedule
