// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_solver.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace fivefold::families::spyre {

using lowering::roundUp;

namespace {

using Addresses = std::vector<std::optional<std::int64_t>>;
constexpr std::size_t kNone = SIZE_MAX;
/// Program and debug data of the backend (torch-spyre scratchpad/allocator.py).
constexpr std::int64_t kReservedLxBytes = 64 << 10;

struct Span {
    std::int64_t begin = 0, end = 0; ///< bytes, end exclusive
};

class Greedy {
public:
    Greedy(const std::vector<LxRequest>& requests, std::int64_t capacity)
        : m_requests(requests)
        , m_capacity(capacity)
        , m_addresses(requests.size())
        , m_isHandedOver(requests.size(), false)
        , m_isRejected(requests.size(), false)
        , m_root(requests.size(), kNone) { }

    Addresses run() {
        std::map<std::int64_t, std::pair<std::vector<std::size_t>, bool>> ticks;
        for (std::size_t i = 0; i < m_requests.size(); ++i) {
            ticks[m_requests[i].first].first.push_back(i);
            ticks[m_requests[i].last + 1].second = true;
            if (m_requests[i].companions.empty())
                continue;
            m_root[i] = i;
            for (std::size_t companion : m_requests[i].companions)
                m_root[companion] = i;
        }
        for (const auto& [tick, starting] : ticks) {
            if (starting.second)
                std::erase_if(m_inUse,
                    [this, tick = tick](std::size_t i) { return m_requests[i].last < tick; });
            for (std::size_t i : starting.first)
                start(i);
        }
        return std::move(m_addresses);
    }

private:
    void start(std::size_t request) {
        if (m_addresses[request] || m_isRejected[request])
            return;
        if (m_root[request] == kNone) {
            placeOne(request);
            return;
        }
        std::vector<std::size_t> group{m_root[request]};
        const auto& companions = m_requests[group.front()].companions;
        group.insert(group.end(), companions.begin(), companions.end());
        const auto inUse = m_inUse;
        const auto handedOver = m_isHandedOver;
        for (std::size_t member : group)
            if (!placeOne(member)) {
                m_inUse = inUse;
                m_isHandedOver = handedOver;
                for (std::size_t m : group) {
                    m_addresses[m].reset();
                    m_isRejected[m] = true;
                }
                return;
            }
    }

    bool placeOne(std::size_t request) {
        auto address = takenOver(request);
        if (!address)
            address = freeBlock(m_requests[request].bytes);
        m_addresses[request] = address;
        if (address)
            m_inUse.push_back(request);
        return address.has_value();
    }

    std::optional<std::int64_t> takenOver(std::size_t request) {
        for (std::size_t parent : m_requests[request].inPlaceParents) {
            if (m_isHandedOver[parent] || std::ranges::find(m_inUse, parent) == m_inUse.end()
                || m_requests[request].bytes > m_requests[parent].bytes)
                continue;
            m_isHandedOver[parent] = true;
            return m_addresses[parent];
        }
        return std::nullopt;
    }

    std::optional<std::int64_t> freeBlock(std::int64_t bytes) const {
        if (bytes > m_capacity)
            return std::nullopt;
        const std::vector<Span> spans = occupied();
        if (spans.empty() || spans.front().begin >= bytes)
            return 0;
        const std::int64_t above = roundUp(spans.back().end, kLxAlignment);
        if (above + bytes <= m_capacity)
            return above;
        for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
            const std::int64_t begin = roundUp(spans[i].end, kLxAlignment);
            if (spans[i + 1].begin - begin >= bytes)
                return begin;
        }
        return std::nullopt;
    }

    /// Addresses in use, merged and sorted: a child lies inside its dying parent.
    std::vector<Span> occupied() const {
        std::vector<Span> spans;
        for (std::size_t i : m_inUse)
            spans.push_back({*m_addresses[i], *m_addresses[i] + m_requests[i].bytes});
        std::ranges::sort(
            spans, {}, [](const Span& span) { return std::pair(span.begin, span.end); });
        std::vector<Span> merged;
        for (const Span& span : spans) {
            if (!merged.empty() && span.begin <= merged.back().end)
                merged.back().end = std::max(merged.back().end, span.end);
            else
                merged.push_back(span);
        }
        return merged;
    }

    const std::vector<LxRequest>& m_requests;
    std::int64_t m_capacity;
    Addresses m_addresses;
    std::vector<std::size_t> m_inUse;
    std::vector<bool> m_isHandedOver, m_isRejected;
    std::vector<std::size_t> m_root; ///< request → the request whose group it is in
};

class GapFit {
public:
    GapFit(const std::vector<LxRequest>& requests, std::int64_t capacity, bool isBest)
        : m_requests(requests)
        , m_capacity(capacity)
        , m_isBest(isBest)
        , m_addresses(requests.size()) { }

    Addresses run() {
        for (std::size_t request : order()) {
            m_addresses[request] = place(request);
            if (m_addresses[request])
                for (std::int64_t t = m_requests[request].first; t <= m_requests[request].last; ++t)
                    m_alive[t].push_back(request);
        }
        return std::move(m_addresses);
    }

private:
    /// By rank, every parent before its children.
    std::vector<std::size_t> order() const {
        const std::size_t n = m_requests.size();
        std::vector<bool> isParent(n, false);
        for (const LxRequest& request : m_requests)
            for (std::size_t parent : request.inPlaceParents)
                isParent[parent] = true;
        const auto rank = [&](std::size_t i) {
            const LxRequest& r = m_requests[i];
            const auto ticks = static_cast<double>(r.last + 1 - r.first);
            const double discount =
                (r.inPlaceParents.empty() ? 0 : 0.25) + (isParent[i] ? 0.25 : 0);
            const double uses = static_cast<double>(r.uses) + (r.isCopiedIn ? 0 : 0.5);
            return std::pair((ticks - discount) / uses, ticks);
        };
        std::vector<std::size_t> sorted(n), position(n);
        for (std::size_t i = 0; i < n; ++i)
            sorted[i] = i;
        std::ranges::stable_sort(sorted, {}, rank);
        for (std::size_t i = 0; i < n; ++i)
            position[sorted[i]] = i;
        return parentsFirst(sorted, position);
    }

    std::vector<std::size_t> parentsFirst(
        const std::vector<std::size_t>& sorted, const std::vector<std::size_t>& position) const {
        std::vector<std::size_t> waiting(sorted.size(), 0);
        std::vector<std::vector<std::size_t>> children(sorted.size());
        for (std::size_t i = 0; i < m_requests.size(); ++i)
            for (std::size_t parent : m_requests[i].inPlaceParents) {
                children[parent].push_back(i);
                ++waiting[i];
            }
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
        for (std::size_t i = 0; i < sorted.size(); ++i)
            if (waiting[sorted[i]] == 0)
                ready.push(i);
        std::vector<std::size_t> result;
        while (!ready.empty()) {
            const std::size_t request = sorted[ready.top()];
            ready.pop();
            result.push_back(request);
            for (std::size_t child : children[request])
                if (--waiting[child] == 0)
                    ready.push(position[child]);
        }
        return result;
    }

    std::optional<std::int64_t> place(std::size_t request) const {
        const LxRequest& wanted = m_requests[request];
        const auto gaps = gapsFor(request, true);
        std::vector<Span> withParent;
        std::vector<std::size_t> parentOf;
        for (const Span& gap : gaps)
            for (std::size_t parent : wanted.inPlaceParents)
                if (const auto at = m_addresses[parent]; at
                    && wanted.bytes <= m_requests[parent].bytes && gap.begin <= *at
                    && *at + m_requests[parent].bytes <= gap.end) {
                    withParent.push_back(gap);
                    parentOf.push_back(parent);
                    break;
                }
        if (const std::size_t i = pick(withParent, wanted.bytes); i != kNone)
            return m_addresses[parentOf[i]];
        const auto plain = gapsFor(request, false);
        const std::size_t i = pick(plain, wanted.bytes);
        return i == kNone ? std::nullopt : std::optional(roundUp(plain[i].begin, kLxAlignment));
    }

    std::size_t pick(const std::vector<Span>& gaps, std::int64_t bytes) const {
        std::size_t best = kNone;
        std::int64_t leastLeft = 0;
        for (std::size_t i = 0; i < gaps.size(); ++i) {
            const std::int64_t left = gaps[i].end - roundUp(gaps[i].begin, kLxAlignment) - bytes;
            if (left < 0 || (best != kNone && left >= leastLeft))
                continue;
            best = i;
            leastLeft = left;
            if (!m_isBest)
                break;
        }
        return best;
    }

    /// What no request that lives at the same time occupies, by address.
    std::vector<Span> gapsFor(std::size_t request, bool overParents) const {
        const LxRequest& wanted = m_requests[request];
        std::vector<std::size_t> others;
        for (auto at = m_alive.lower_bound(wanted.first);
             at != m_alive.end() && at->first <= wanted.last; ++at)
            others.insert(others.end(), at->second.begin(), at->second.end());
        std::vector<Span> taken;
        for (std::size_t other : others)
            if (!overParents
                || std::ranges::find(wanted.inPlaceParents, other) == wanted.inPlaceParents.end())
                taken.push_back(
                    {*m_addresses[other], *m_addresses[other] + m_requests[other].bytes});
        std::ranges::sort(taken, {}, &Span::begin);
        std::vector<Span> gaps;
        std::int64_t begin = 0;
        for (const Span& span : taken) {
            if (span.begin - begin >= wanted.bytes && span.begin > begin)
                gaps.push_back({begin, span.begin});
            begin = std::max(begin, span.end);
        }
        if (m_capacity - begin >= wanted.bytes)
            gaps.push_back({begin, m_capacity});
        return gaps;
    }

    const std::vector<LxRequest>& m_requests;
    std::int64_t m_capacity;
    bool m_isBest;
    Addresses m_addresses;
    std::map<std::int64_t, std::vector<std::size_t>> m_alive; ///< tick → placed requests
};

constexpr std::array<std::string_view, 3> kSolvers{"greedy", "firstfit", "bestfit"};

} // namespace

std::string_view toString(LxSolver solver) {
    return kSolvers[static_cast<std::size_t>(solver)];
}

std::optional<LxSolver> parseLxSolver(std::string_view text) {
    const auto at = std::ranges::find(kSolvers, text);
    return at == kSolvers.end() ? std::nullopt
                                : std::optional(static_cast<LxSolver>(at - kSolvers.begin()));
}

std::int64_t usableLxBytes(std::int64_t lxBytes, double backendShare) {
    const std::int64_t tracked = std::max<std::int64_t>(0, lxBytes - kReservedLxBytes);
    const double share = std::clamp(backendShare, 0.0, 1.0);
    const auto kept =
        static_cast<std::int64_t>(std::floor(static_cast<double>(tracked) * (1 - share)));
    return roundUp(kept, kLxAlignment);
}

std::vector<std::optional<std::int64_t>> planLx(
    const std::vector<LxRequest>& requests, std::int64_t capacity, LxSolver solver) {
    if (solver == LxSolver::Greedy)
        return Greedy(requests, capacity).run();
    return GapFit(requests, capacity, solver == LxSolver::BestFit).run();
}

} // namespace fivefold::families::spyre
