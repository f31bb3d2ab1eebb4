// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/wait_graph.h"

#include <algorithm>
#include <map>

namespace fivefold::schedule {

using lowering::EventId;

std::string_view toString(WaitReason reason) {
    constexpr std::string_view kNames[] = {"operand", "room", "turn"};
    return kNames[static_cast<std::size_t>(reason)];
}

namespace {

class CycleSearch {
public:
    explicit CycleSearch(const std::vector<WaitFor>& waits) {
        for (const WaitFor& wait : waits)
            m_holders[wait.waiter].push_back(wait.holder);
        for (auto& [waiter, holders] : m_holders)
            std::sort(holders.begin(), holders.end());
    }

    std::vector<EventId> find() {
        for (const auto& [waiter, holders] : m_holders)
            if (m_place[waiter] == kUnseen)
                if (auto cycle = follow(waiter); !cycle.empty())
                    return cycle;
        return {};
    }

private:
    enum Place : std::uint8_t { kUnseen, kOnPath, kDone };
    struct Visit {
        EventId event;
        std::size_t next = 0;
    };

    /// Depth first from one waiter with its own stack.
    std::vector<EventId> follow(EventId from) {
        std::vector<Visit> path{{from}};
        m_place[from] = kOnPath;
        while (!path.empty()) {
            Visit& top = path.back();
            const auto found = m_holders.find(top.event);
            if (found == m_holders.end() || top.next >= found->second.size()) {
                m_place[top.event] = kDone;
                path.pop_back();
                continue;
            }
            const EventId next = found->second[top.next++];
            if (m_place[next] == kOnPath)
                return cycleOf(path, next);
            if (m_place[next] == kUnseen) {
                m_place[next] = kOnPath;
                path.push_back({next});
            }
        }
        return {};
    }

    static std::vector<EventId> cycleOf(const std::vector<Visit>& path, EventId first) {
        std::vector<EventId> cycle;
        auto at = std::find_if(
            path.begin(), path.end(), [&](const Visit& visit) { return visit.event == first; });
        for (; at != path.end(); ++at)
            cycle.push_back(at->event);
        std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
        return cycle;
    }

    std::map<EventId, std::vector<EventId>> m_holders;
    std::map<EventId, Place> m_place;
};

} // namespace

std::vector<EventId> waitCycle(const std::vector<WaitFor>& waits) {
    return CycleSearch(waits).find();
}

} // namespace fivefold::schedule
