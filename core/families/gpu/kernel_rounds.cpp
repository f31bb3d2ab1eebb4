// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_fuser.h"
#include "core/families/gpu/operators.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace fivefold::families::gpu {

using namespace lowering;

namespace {

constexpr std::size_t kWindow = 64; ///< config.max_fusion_buffer_group_pairwise_attempts
constexpr int kRounds = 10;

} // namespace

std::vector<KernelGroup> KernelFuser::run() {
    addGroups();
    for (int round = 0; round < kRounds; ++round)
        if (m_context.progress.isCancelled() || fuseOnce(false) == 0)
            break;
    fuseOnce(true);
    return result();
}

std::vector<std::uint8_t> KernelFuser::neededBuffers() {
    std::vector<std::uint8_t> needed(m_plan.buffers.size(), 0);
    const auto markValue = [&](ValueId value) {
        while (m_graph.values.contains(value)) {
            if (m_plan.values[value].buffer != kNoBuffer) {
                needed[static_cast<std::size_t>(m_plan.values[value].buffer)] = 1;
                return;
            }
            const NodeId producer = m_graph.values[value].producer;
            if (!producer.isValid() || m_graph.nodes[producer].inputs.empty())
                return;
            value = m_graph.nodes[producer].inputs.front();
        }
    };
    for (const ValueId output : m_graph.outputs)
        markValue(output);
    for (const PlannedCopy& copy : m_plan.copies)
        if (!copy.user.isValid())
            needed[static_cast<std::size_t>(copy.buffer)] = 1;
    for (std::size_t i = m_plan.buffers.size(); i-- > 0;) {
        const PlannedBuffer& buffer = m_plan.buffers[i];
        const bool isCall = buffer.kind == BufferKind::Library || buffer.kind == BufferKind::Joined;
        if (isCall && !m_graph.nodes[buffer.node].outputs.empty())
            needed[i] = 1; // a call runs whether or not anybody reads it
        if (!needed[i])
            continue;
        for (const int read : readsOf(static_cast<int>(i)))
            needed[static_cast<std::size_t>(read)] = 1;
    }
    return needed;
}

std::vector<int> KernelFuser::readsOf(int id) {
    const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(id)];
    std::vector<int> reads = buffer.reads;
    if (buffer.body != Body::None) {
        m_walk.run(buffer, {{0, 0}});
        for (const Load& load : m_walk.loads())
            reads.push_back(load.buffer);
    }
    if (buffer.base != kNoBuffer)
        reads.push_back(buffer.base);
    return reads;
}

void KernelFuser::addGroups() {
    const std::vector<std::uint8_t> needed = neededBuffers();
    m_groupOf.assign(m_plan.buffers.size(), -1);
    m_userCount.assign(m_plan.buffers.size(), 0);
    m_accesses.resize(m_plan.buffers.size());
    std::unordered_map<std::uint32_t, int> calls; // results of one call are one kernel
    for (std::size_t i = 0; i < m_plan.buffers.size(); ++i) {
        const PlannedBuffer& buffer = m_plan.buffers[i];
        if (buffer.kind == BufferKind::Input || !needed[i])
            continue;
        const int id = static_cast<int>(i);
        if (buffer.kind == BufferKind::Library) {
            const auto [at, isNew] =
                calls.try_emplace(buffer.node.value, static_cast<int>(m_groups.size()));
            if (!isNew) {
                m_groups[static_cast<std::size_t>(at->second)].members.push_back(id);
                m_groupOf[i] = at->second;
                continue;
            }
        }
        m_groupOf[i] = static_cast<int>(m_groups.size());
        m_groups.push_back(groupOf(id));
    }
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        std::unordered_set<int> read;
        for (const int member : m_groups[g].members)
            for (const int buffer : readsOf(member))
                read.insert(buffer);
        for (const int buffer : read)
            ++m_userCount[static_cast<std::size_t>(buffer)];
        m_producers.emplace_back();
        for (const int buffer : read)
            if (const int producer = m_groupOf[static_cast<std::size_t>(buffer)];
                producer >= 0 && producer != static_cast<int>(g))
                m_producers.back().push_back(producer);
        std::sort(m_producers.back().begin(), m_producers.back().end());
    }
    for (const ValueId output : m_graph.outputs)
        if (m_graph.values.contains(output) && m_plan.values[output].buffer != kNoBuffer)
            ++m_userCount[static_cast<std::size_t>(m_plan.values[output].buffer)];
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        m_parent.push_back(static_cast<int>(g));
}

FusedGroup KernelFuser::groupOf(int id) {
    const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(id)];
    FusedGroup group;
    group.members = {id};
    group.minimum = group.maximum = static_cast<int>(m_groups.size());
    group.isTemplate = m_hasTemplates && buffer.kind == BufferKind::Library
        && isMatrixProduct(m_graph.nodes[buffer.node].canonical);
    group.isFusable = group.isTemplate
        || (buffer.kind != BufferKind::Library && buffer.kind != BufferKind::Joined);
    if (!group.isFusable)
        return group;
    m_accesses[static_cast<std::size_t>(id)] =
        std::make_unique<KernelAccesses>(m_graph, m_plan, id, m_walk);
    const KernelAccesses& own = *m_accesses[static_cast<std::size_t>(id)];
    group.isReduction = own.isReduction();
    group.numel = own.numel();
    group.rnumel = own.rnumel();
    group.isSplitScan = buffer.kind == BufferKind::Scan && buffer.parts > 1;
    return group;
}

void KernelFuser::setDomain(FusedGroup& group, std::int64_t results) {
    if (group.domain == results)
        return;
    group.domain = results;
    group.reads.clear();
    group.writes.clear();
    group.bytesByKey.clear();
    const auto note = [&](const Access& access) {
        if (!access.isIndirect)
            group.bytesByKey.emplace(access.key(), access.bytes);
    };
    for (const int member : group.members) {
        KernelAccesses& own = *m_accesses[static_cast<std::size_t>(member)];
        group.writes.push_back(own.write(results));
        note(group.writes.back());
        for (const Access& read : own.reads(results, m_walk)) {
            group.reads.push_back(read);
            note(read);
        }
    }
}

int KernelFuser::find(int group) {
    while (m_parent[static_cast<std::size_t>(group)] != group)
        group = m_parent[static_cast<std::size_t>(group)] =
            m_parent[static_cast<std::size_t>(m_parent[static_cast<std::size_t>(group)])];
    return group;
}

std::vector<int> KernelFuser::liveGroups() {
    std::vector<int> live;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        if (find(static_cast<int>(g)) == static_cast<int>(g))
            live.push_back(static_cast<int>(g));
    std::stable_sort(live.begin(), live.end(), [&](int a, int b) {
        return m_groups[static_cast<std::size_t>(a)].minimum
            < m_groups[static_cast<std::size_t>(b)].minimum;
    });
    return live;
}

std::vector<KernelFuser::Pair> KernelFuser::collectPairs(bool isReorder) {
    // Users of each buffer, in order; buffers in the order in which they are first met.
    std::vector<std::vector<int>> users;
    std::unordered_map<int, std::size_t> place;
    for (const int g : liveGroups()) {
        FusedGroup& group = m_groups[static_cast<std::size_t>(g)];
        if (!group.isFusable)
            continue;
        setDomain(group, group.domain >= 0 ? group.domain : group.numel);
        std::vector<int> used;
        for (const auto* list : {&group.reads, &group.writes})
            for (const Access& access : *list)
                if (std::find(used.begin(), used.end(), access.buffer) == used.end())
                    used.push_back(access.buffer);
        for (const int buffer : used) {
            const auto [at, isNew] = place.try_emplace(buffer, users.size());
            if (isNew)
                users.emplace_back();
            users[at->second].push_back(g);
        }
    }
    std::vector<Pair> pairs;
    std::unordered_set<std::uint64_t> seen;
    for (const std::vector<int>& list : users)
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t j = i + 1; j < list.size() && j <= i + kWindow; ++j) {
                if (!seen.insert(static_cast<std::uint64_t>(list[i]) << 32
                             | static_cast<std::uint32_t>(list[j]))
                         .second)
                    continue;
                const FusionVerdict verdict = judge(list[i], list[j], isReorder);
                if (!verdict.isGood)
                    continue;
                const FusedGroup& a = m_groups[static_cast<std::size_t>(list[i])];
                const FusedGroup& b = m_groups[static_cast<std::size_t>(list[j])];
                pairs.push_back({list[i], list[j], a.isReduction == b.isReduction, verdict.bytes,
                    std::max(std::abs(a.minimum - b.maximum), std::abs(b.minimum - a.maximum))});
            }
    return pairs;
}

std::size_t KernelFuser::fuseOnce(bool isReorder) {
    std::vector<Pair> pairs = collectPairs(isReorder);
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return std::tuple(b.isSameKind, b.bytes, a.distance)
            < std::tuple(a.isSameKind, a.bytes, b.distance);
    });
    std::size_t fused = 0;
    for (const Pair& pair : pairs) {
        const int first = find(pair.first), second = find(pair.second);
        if (first == second)
            continue;
        const FusionVerdict verdict = judge(first, second, isReorder);
        if (!verdict.isGood)
            continue;
        merge(first, second, verdict.reason);
        ++fused;
    }
    return fused;
}

void KernelFuser::merge(int first, int second, const std::string& reason) {
    FusedGroup& a = m_groups[static_cast<std::size_t>(first)];
    FusedGroup& b = m_groups[static_cast<std::size_t>(second)];
    a.isMixed = a.isReduction && b.isReduction && (a.numel != b.numel || a.rnumel != b.rnumel);
    a.isSplitScan |= b.isSplitScan;
    if (b.isReduction && !a.isReduction) {
        a.numel = b.numel;
        a.rnumel = b.rnumel;
        a.isReduction = true;
    }
    a.members.insert(a.members.end(), b.members.begin(), b.members.end());
    std::sort(a.members.begin(), a.members.end());
    a.minimum = std::min(a.minimum, b.minimum);
    a.maximum = std::max(a.maximum, b.maximum);
    a.reason = b.isReduction || a.reason.empty() ? reason : a.reason;
    a.domain = -1;
    b.members.clear();
    m_parent[static_cast<std::size_t>(second)] = first;
    auto& into = m_producers[static_cast<std::size_t>(first)];
    const auto& from = m_producers[static_cast<std::size_t>(second)];
    into.insert(into.end(), from.begin(), from.end());
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
    into.erase(std::remove_if(into.begin(), into.end(), [&](int g) { return find(g) == first; }),
        into.end());
}

std::vector<KernelGroup> KernelFuser::result() {
    const std::vector<int> live = liveGroups();
    std::vector<std::uint8_t> state(m_groups.size(), 0); // 1: on the way, 2: done
    std::vector<KernelGroup> groups;
    const auto emit = [&](int g) {
        const FusedGroup& group = m_groups[static_cast<std::size_t>(g)];
        groups.push_back(
            {group.members, group.isReduction, group.numel, group.rnumel, group.reason});
    };
    for (const int root : live) {
        std::vector<std::pair<int, std::size_t>> stack{{root, 0}};
        while (!stack.empty()) {
            auto& [g, next] = stack.back();
            if (state[static_cast<std::size_t>(g)] == 2) {
                stack.pop_back();
                continue;
            }
            state[static_cast<std::size_t>(g)] = 1;
            const auto& producers = m_producers[static_cast<std::size_t>(g)];
            if (next < producers.size()) {
                const int producer = find(producers[next++]);
                if (state[static_cast<std::size_t>(producer)] == 0)
                    stack.emplace_back(producer, 0);
                continue;
            }
            state[static_cast<std::size_t>(g)] = 2;
            emit(g);
            stack.pop_back();
        }
    }
    return groups;
}

std::vector<KernelGroup> fuseBuffers(
    const Context& context, const StageGraph& graph, const BufferPlan& plan, bool hasTemplates) {
    return KernelFuser(context, graph, plan, hasTemplates).run();
}

} // namespace fivefold::families::gpu
