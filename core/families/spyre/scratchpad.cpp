// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/scratchpad.h"

#include "core/families/spyre/lx_copies.h"
#include "core/families/spyre/lx_relayout.h"
#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::spyre {

using lowering::roundUp;

namespace {

constexpr std::size_t kNone = SIZE_MAX;
/// "1,625,344".
std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

/// A buffer, or the copy of a relayout, that asks for LX.
struct Candidate {
    BufferIndex buffer = kNoBuffer; ///< of a copy: its source
    std::size_t plan = kNone; ///< of a copy
    std::vector<std::int64_t> ticks; ///< of its accesses, ascending
    std::int64_t bytes = 0; ///< a core
    std::vector<std::size_t> parents; ///< candidates whose slot it may take
    bool isInput = false;
    bool isDisplaced = false; ///< makes way for what the user wants in LX
    std::optional<std::int64_t> address;
};

class ScratchpadPlanner {
public:
    ScratchpadPlanner(LoopProgram& program, const LxSettings& settings)
        : m_program(program)
        , m_settings(settings)
        , m_uses(program)
        , m_agreements(program.buffers.size())
        , m_planOf(program.buffers.size())
        , m_candidateOf(program.buffers.size(), kNone)
        , m_capacity(usableLxBytes(settings.lxBytes, settings.backendShare)) { }

    void run() {
        findPlans();
        judge();
        findParents();
        addRelayouts();
        place();
        commit();
        demoteIncoherent();
        sayCosts();
    }

private:
    struct Group {
        BufferIndex source = kNoBuffer, copy = kNoBuffer;
        const RelayoutPlan* plan = nullptr;
    };

    void findPlans() {
        if (m_settings.allowsRelayout && m_settings.isAugust
            && m_settings.solver == LxSolver::Greedy)
            m_plans = planRelayouts(m_program, m_uses);
        for (std::size_t p = 0; p < m_plans.size(); ++p)
            m_planOf[m_plans[p].source].push_back(p);
        for (BufferIndex b = 0; b < m_program.buffers.size(); ++b) {
            m_agreements[b] = agreementOn(m_program, m_uses, b, m_settings.cores);
            if (m_planOf[b].empty())
                continue;
            m_agreements[b].cores = m_plans[m_planOf[b].front()].cores;
            m_agreements[b].mismatch.clear();
        }
    }

    /// Candidates in the compiler's order: results by program order, then the graph's inputs.
    void judge() {
        for (const LoopOp& op : m_program.ops) {
            const BufferIndex b = op.write.buffer;
            if (b == kNoBuffer || op.isMutation || op.kind == LoopKind::Constant
                || m_uses.of(b).empty() || m_candidateOf[b] != kNone)
                continue;
            consider(b,
                barOnBuffer(
                    m_program, m_uses, b, m_agreements[b], m_settings, !m_planOf[b].empty()),
                false);
        }
        for (BufferIndex b : m_program.inputs)
            if (!m_uses.of(b).empty() && m_uses.producer(b) == kNone)
                consider(b, barOnInput(m_program, m_uses, b, m_agreements[b], m_settings), true);
    }

    void consider(BufferIndex buffer, std::string bar, bool isInput) {
        Buffer& value = m_program.buffers[buffer];
        const std::int64_t bytes =
            value.layout.bytes() / std::max<std::int64_t>(1, m_agreements[buffer].cores);
        value.reason = std::move(bar);
        if (value.wantsLx == false)
            value.reason = "The user keeps it in LPDDR5.";
        if (!value.reason.empty())
            return;
        if (bytes > m_capacity) {
            value.reason = "The share of one core, " + grouped(bytes) + " B, is larger than the "
                + grouped(m_capacity) + " B of LX that the compiler may use.";
            value.isSpilled = true;
            return;
        }
        Candidate candidate;
        candidate.buffer = buffer;
        candidate.bytes = bytes;
        candidate.isInput = isInput;
        for (std::size_t op : m_uses.ops(buffer))
            candidate.ticks.push_back(static_cast<std::int64_t>(op));
        m_candidateOf[buffer] = m_candidates.size();
        m_candidates.push_back(std::move(candidate));
    }

    /// An operand that dies where the result is written may give it its slot: same layout, same
    /// share of a core. Copied-in inputs come last, in the graph's order.
    void findParents() {
        for (Candidate& child : m_candidates) {
            if (child.isInput)
                continue;
            const LoopOp& op = m_program.ops[m_uses.producer(child.buffer)];
            std::vector<std::size_t> inputs;
            for (const Access& read : op.reads) {
                const std::size_t parent = m_candidateOf[read.buffer];
                if (parent == kNone || !m_planOf[read.buffer].empty()
                    || !fits(child, m_candidates[parent])
                    || !mayWriteOver(op, read, m_settings.isAugust))
                    continue;
                auto& parents = m_candidates[parent].isInput ? inputs : child.parents;
                if (std::ranges::find(parents, parent) == parents.end())
                    parents.push_back(parent);
            }
            std::ranges::sort(inputs);
            child.parents.insert(child.parents.end(), inputs.begin(), inputs.end());
        }
    }

    bool fits(const Candidate& child, const Candidate& parent) const {
        return child.bytes == parent.bytes && parent.ticks.back() == child.ticks.front()
            && m_program.buffers[child.buffer].layout == m_program.buffers[parent.buffer].layout;
    }

    /// Copies between cores run half a tick before their first reader, which frees the source.
    void addRelayouts() {
        if (std::ranges::none_of(
                m_candidates, [this](const Candidate& c) { return !m_planOf[c.buffer].empty(); }))
            return;
        for (Candidate& candidate : m_candidates)
            for (std::int64_t& tick : candidate.ticks)
                tick = 2 * tick + 1;
        const std::size_t sources = m_candidates.size();
        for (std::size_t i = 0; i < sources; ++i)
            for (std::size_t p : m_planOf[m_candidates[i].buffer])
                addCopy(i, p);
    }

    void addCopy(std::size_t source, std::size_t plan) {
        Candidate copy;
        copy.buffer = m_candidates[source].buffer;
        copy.plan = plan;
        copy.bytes = roundUp(m_candidates[source].bytes, kLxAlignment);
        auto& ticks = m_candidates[source].ticks;
        const std::int64_t first = 2 * static_cast<std::int64_t>(m_plans[plan].readers.front());
        copy.ticks.push_back(first);
        for (std::size_t reader : m_plans[plan].readers) {
            copy.ticks.push_back(2 * static_cast<std::int64_t>(reader) + 1);
            std::erase(ticks, copy.ticks.back());
        }
        ticks.insert(std::ranges::lower_bound(ticks, first), first);
        m_copies.push_back({source, m_candidates.size()});
        m_candidates.push_back(std::move(copy));
    }

    /// The solver takes requests that start together in list order: a copy stands before its
    /// source.
    void place() {
        std::vector<std::size_t> order, position(m_candidates.size());
        std::vector<std::vector<std::size_t>> copiesOf(m_candidates.size());
        for (const auto& [source, copy] : m_copies)
            copiesOf[source].push_back(copy);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            if (m_candidates[i].plan != kNone)
                continue;
            order.insert(order.end(), copiesOf[i].begin(), copiesOf[i].end());
            order.push_back(i);
        }
        for (std::size_t i = 0; i < order.size(); ++i)
            position[order[i]] = i;
        std::vector<LxRequest> requests;
        for (std::size_t i : order) {
            const Candidate& candidate = m_candidates[i];
            LxRequest request;
            request.bytes = candidate.bytes;
            request.first = candidate.ticks.front();
            request.last = candidate.ticks.back();
            request.uses = static_cast<std::int64_t>(candidate.ticks.size());
            request.isCopiedIn = candidate.isInput;
            for (std::size_t parent : candidate.parents)
                request.inPlaceParents.push_back(position[parent]);
            for (std::size_t copy : copiesOf[i])
                request.companions.push_back(position[copy]);
            requests.push_back(std::move(request));
        }
        auto addresses = planLx(requests, m_capacity, m_settings.solver);
        while (const auto victim = victimOf(requests, order, addresses)) {
            requests[*victim].bytes = m_capacity + 1; // never fits
            m_candidates[order[*victim]].isDisplaced = true;
            addresses = planLx(requests, m_capacity, m_settings.solver);
        }
        for (std::size_t i = 0; i < order.size(); ++i)
            m_candidates[order[i]].address = addresses[i];
    }

    /// The largest request in LX that stands beside one which the user wants there and which found
    /// no room; nullopt: all such have room, or nobody is left to make way.
    std::optional<std::size_t> victimOf(const std::vector<LxRequest>& requests,
        const std::vector<std::size_t>& order,
        const std::vector<std::optional<std::int64_t>>& addresses) const {
        const auto isWanted = [&](std::size_t request) {
            return m_program.buffers[m_candidates[order[request]].buffer].wantsLx == true;
        };
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (addresses[i] || !isWanted(i))
                continue;
            std::optional<std::size_t> victim;
            for (std::size_t other = 0; other < requests.size(); ++other)
                if (addresses[other] && !isWanted(other)
                    && requests[other].first <= requests[i].last
                    && requests[other].last >= requests[i].first
                    && (!victim || requests[other].bytes > requests[*victim].bytes))
                    victim = other;
            if (victim)
                return victim;
        }
        return std::nullopt;
    }

    void commit() {
        CopyInserter inserter(m_program);
        m_isRelayout.assign(m_program.buffers.size(), false);
        std::vector<BufferIndex> bufferOf(m_candidates.size(), kNoBuffer);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const Candidate& candidate = m_candidates[i];
            const BufferIndex b = candidate.buffer;
            if (candidate.plan != kNone)
                continue;
            if (!candidate.address) {
                m_program.buffers[b].isSpilled = true;
                if (candidate.isDisplaced) {
                    m_program.buffers[b].reason =
                        "It makes way in LX for what the user keeps there.";
                    continue;
                }
                m_program.buffers[b].reason = "No room in LX while it is live: "
                    + grouped(candidate.bytes) + " B a core beside what lies there.";
                continue;
            }
            bufferOf[i] = b;
            if (candidate.isInput) {
                bufferOf[i] = inserter.copyBefore(
                    b, m_uses.ops(b), m_agreements[b].view, LoopOrigin::BoundaryCopy, "_lx");
                m_program.buffers[b].reason = "It is copied into LX once for all its readers.";
            } else if (m_program.buffers[b].isOutput) {
                const BufferIndex out = inserter.copyOut(b, m_uses.producer(b));
                m_program.buffers[out].reason =
                    "It leaves the graph: later operations read " + name(b) + " in LX.";
            }
            settle(bufferOf[i], candidate);
        }
        commitRelayouts(inserter, bufferOf);
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            for (std::size_t parent : m_candidates[i].parents)
                if (bufferOf[i] != kNoBuffer && bufferOf[parent] != kNoBuffer
                    && m_candidates[i].address == m_candidates[parent].address) {
                    m_program.buffers[bufferOf[i]].inPlaceOf = bufferOf[parent];
                    break;
                }
        inserter.apply();
        m_isRelayout.resize(m_program.buffers.size(), false);
        alignLoopOrders(m_program, m_isRelayout);
    }

    void commitRelayouts(CopyInserter& inserter, std::vector<BufferIndex>& bufferOf) {
        std::size_t before = kNone;
        std::size_t number = 0;
        for (const auto& [source, copy] : m_copies) {
            number = source == before ? number + 1 : 1;
            before = source;
            const Candidate& candidate = m_candidates[copy];
            if (!candidate.address)
                continue;
            const RelayoutPlan& plan = m_plans[candidate.plan];
            bufferOf[copy] =
                inserter.copyBefore(candidate.buffer, plan.readers, plan.to, LoopOrigin::LxRelayout,
                    number == 1 ? "_relayout" : "_relayout" + std::to_string(number));
            settle(bufferOf[copy], candidate);
            m_isRelayout.resize(m_program.buffers.size(), false);
            m_isRelayout[bufferOf[copy]] = m_isRelayout[candidate.buffer] = true;
            m_groups.push_back({candidate.buffer, bufferOf[copy], &plan});
        }
    }

    void settle(BufferIndex buffer, const Candidate& candidate) {
        Buffer& value = m_program.buffers[buffer];
        value.space = MemorySpace::Lx;
        value.address = *candidate.address;
        value.lxBytes = candidate.bytes;
    }

    std::string name(BufferIndex buffer) const { return m_program.buffers[buffer].name; }

    /// The scheduler may emit loops in another order than the plan saw, and with it give slices to
    /// other cores. What then no longer agrees leaves LX (demote_incoherent_lx_buffers).
    void demoteIncoherent() {
        const BufferUses uses(m_program);
        std::vector<std::vector<std::size_t>> groupsOf(m_program.buffers.size());
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            groupsOf[m_groups[g].source].push_back(g);
            groupsOf[m_groups[g].copy].push_back(g);
        }
        for (BufferIndex b = 0; b < m_program.buffers.size(); ++b) {
            if (m_program.buffers[b].space != MemorySpace::Lx)
                continue;
            const Group* group = groupsOf[b].empty() ? nullptr : &m_groups[groupsOf[b].front()];
            const std::string culprit = incoherentUser(uses.of(b), group, b);
            if (culprit.empty())
                continue;
            const BufferIndex source = group ? group->source : b;
            demote(source, culprit);
            for (std::size_t g : groupsOf[source])
                demote(m_groups[g].copy, culprit);
        }
    }

    /// First user whose emitted loops give its cores other slices than planned; empty: none does.
    std::string incoherentUser(
        const std::vector<BufferUse>& users, const Group* group, BufferIndex buffer) const {
        std::optional<CoreView> expected;
        if (group)
            expected = group->source == buffer ? group->plan->from : group->plan->to;
        for (const BufferUse& use : users) {
            const LoopOp& op = m_program.ops[use.op];
            if (!use.isWrite && op.origin == LoopOrigin::LxRelayout)
                continue; // it reads with the division of its source
            const CoreView view = coreView(m_program, op, *use.access, LoopOrder::Emitted);
            if (!expected)
                expected = view;
            if (!view.isRepresentable || !view.isSameCut(*expected))
                return displayName(m_program, op);
        }
        return {};
    }

    void demote(BufferIndex buffer, const std::string& culprit) {
        Buffer& value = m_program.buffers[buffer];
        value.space = MemorySpace::Unplaced;
        value.address = value.lxBytes = 0;
        value.inPlaceOf = kNoBuffer;
        value.reason = "It was planned into LX, but " + culprit
            + " as emitted gives its slices to other cores than planned.";
    }

    /// What staying out of LX costs an intermediate: its bytes cross LPDDR5 with every access.
    void sayCosts() {
        const BufferUses uses(m_program);
        for (BufferIndex b = 0; b < m_program.buffers.size(); ++b) {
            Buffer& value = m_program.buffers[b];
            const std::size_t reads = std::ranges::count(uses.of(b), false, &BufferUse::isWrite);
            if (value.space == MemorySpace::Lx || value.role != BufferRole::Intermediate
                || value.isOutput || value.reason.empty() || reads == 0)
                continue;
            const std::int64_t crossings = static_cast<std::int64_t>(reads) + 1;
            value.reason += " Writing it and reading it "
                + (reads == 1 ? std::string("once") : std::to_string(reads) + " times") + " takes "
                + grouped(crossings * value.layout.bytes()) + " B through LPDDR5.";
        }
    }

    LoopProgram& m_program;
    const LxSettings& m_settings;
    BufferUses m_uses;
    std::vector<Agreement> m_agreements; ///< by buffer
    std::vector<RelayoutPlan> m_plans;
    std::vector<std::vector<std::size_t>> m_planOf; ///< by buffer
    std::vector<Candidate> m_candidates;
    std::vector<std::pair<std::size_t, std::size_t>> m_copies; ///< candidates: source, copy
    std::vector<std::size_t> m_candidateOf; ///< by buffer
    std::vector<bool> m_isRelayout; ///< by buffer
    std::vector<Group> m_groups;
    std::int64_t m_capacity;
};

} // namespace

void planScratchpad(LoopProgram& program, const LxSettings& settings) {
    if (settings.isOn) {
        ScratchpadPlanner(program, settings).run();
        return;
    }
    for (Buffer& buffer : program.buffers)
        buffer.reason = "LX planning is off.";
}

std::vector<std::optional<OpRange>> liveRanges(const LoopProgram& program) {
    std::vector<std::optional<OpRange>> ranges(program.buffers.size());
    const auto touch = [&](BufferIndex buffer, std::size_t op) {
        if (buffer == kNoBuffer)
            return;
        if (!ranges[buffer])
            ranges[buffer] = OpRange{op, op};
        ranges[buffer]->last = op;
    };
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        for (const Access& read : program.ops[i].reads)
            touch(read.buffer, i);
        for (BufferIndex other : program.ops[i].otherWrites)
            touch(other, i);
        touch(program.ops[i].write.buffer, i);
    }
    return ranges;
}

} // namespace fivefold::families::spyre
