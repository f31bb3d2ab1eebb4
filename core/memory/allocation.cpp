// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/memory.h"

#include <algorithm>
#include <limits>

namespace fivefold::memory {

namespace {

/// A stretch of memory that is taken from step `first` to step `last`, both included.
struct Segment {
    std::int64_t begin = 0, end = 0;
    std::uint32_t first = 0, last = 0;
};

class FirstFit {
public:
    FirstFit(std::optional<base::Bytes> capacity, std::int64_t alignment, bool isOrdered)
        : m_capacity(capacity ? capacity->value : std::numeric_limits<std::int64_t>::max())
        , m_alignment(std::max<std::int64_t>(alignment, 1))
        , m_isOrdered(isOrdered) { }

    std::optional<std::int64_t> place(const Request& request) {
        const std::uint32_t first =
            request.lifetime.first.isValid() ? request.lifetime.first.value : 0;
        const std::uint32_t last = std::max(request.lifetime.last.value, first);
        const std::int64_t bytes = std::max<std::int64_t>(request.bytes.value, 0);
        if (m_isOrdered) // no later request lives before this one: what ended is gone for good
            std::erase_if(m_taken, [&](const Segment& s) { return s.last < first; });
        std::int64_t address = 0;
        auto at = m_taken.begin();
        for (; at != m_taken.end(); ++at) {
            if (at->last < first || at->first > last)
                continue;
            if (at->begin >= address && at->begin - address >= bytes)
                break;
            const auto next = aligned(std::max(address, at->end));
            if (!next)
                return std::nullopt;
            address = *next;
        }
        if (bytes > m_capacity || address > m_capacity - bytes)
            return std::nullopt;
        if (bytes > 0)
            insert({address, address + bytes, first, last});
        return address;
    }

private:
    std::optional<std::int64_t> aligned(std::int64_t address) const {
        const std::int64_t rest = address % m_alignment;
        std::int64_t result = 0;
        if (rest == 0)
            return address;
        return __builtin_add_overflow(address, m_alignment - rest, &result) ? std::nullopt
                                                                            : std::optional(result);
    }

    void insert(Segment segment) {
        const auto byBegin = [](const Segment& a, const Segment& b) { return a.begin < b.begin; };
        const auto at = std::upper_bound(m_taken.begin(), m_taken.end(), segment, byBegin);
        // Neighbours that end together count as one: long lists of resident weights stay short.
        if (m_isOrdered && at != m_taken.begin()) {
            Segment& before = *std::prev(at);
            if (before.last == segment.last && aligned(before.end) == segment.begin
                && before.first <= segment.first) {
                before.end = segment.end;
                return;
            }
        }
        m_taken.insert(at, segment);
    }

    std::int64_t m_capacity;
    std::int64_t m_alignment;
    bool m_isOrdered;
    std::vector<Segment> m_taken; ///< by begin
};

} // namespace

std::vector<std::optional<std::int64_t>> allocateFirstFit(const std::vector<Request>& requests,
    std::optional<base::Bytes> capacity, std::int64_t alignment) {
    const bool isOrdered = std::is_sorted(requests.begin(), requests.end(),
        [](const Request& a, const Request& b) { return a.lifetime.first < b.lifetime.first; });
    FirstFit memory(capacity, alignment, isOrdered);
    std::vector<std::optional<std::int64_t>> addresses;
    addresses.reserve(requests.size());
    for (const Request& request : requests)
        addresses.push_back(memory.place(request));
    return addresses;
}

} // namespace fivefold::memory
