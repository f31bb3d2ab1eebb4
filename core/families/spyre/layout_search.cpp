// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/layout_search.h"

#include <algorithm>
#include <limits>

namespace fivefold::families::spyre {

namespace {

constexpr std::size_t kBeamWidth = 200; // optimize_restickify.py
constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Stands for an impossible future: larger than any cost, and still finite, so that such a state
/// comes last but is not dropped (optimize_restickify.py).
constexpr double kHopeless = 1e18;

/// Costs of one operand: [candidate of the operand][candidate of the result].
struct EdgeCosts {
    BufferIndex buffer = kNoBuffer;
    std::vector<std::vector<double>> cost;
    bool isFixed = false; ///< the result's candidate does not matter: one column
    double at(std::size_t in, std::size_t out) const { return cost[in][isFixed ? 0 : out]; }
};

struct Step {
    LayoutChoice choice;
    std::vector<EdgeCosts> edges;
    bool isWriter = false; ///< decides the layout of its buffer
};

class Search {
public:
    Search(const LoopProgram& program, layout::SpyreLayoutVersion version)
        : m_program(program)
        , m_version(version)
        , m_candidates(program.buffers.size())
        , m_canonical(program.buffers.size())
        , m_writer(program.buffers.size(), kNone)
        , m_lastUse(program.buffers.size(), kNone) { }

    ChosenLayouts run() {
        propagate();
        lookAhead();
        beam();
        collect();
        return std::move(m_out);
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void propagate() {
        for (std::size_t b = 0; b < m_program.buffers.size(); ++b) {
            const Buffer& buffer = m_program.buffers[b];
            if (buffer.role == BufferRole::Intermediate)
                continue;
            m_candidates[b] = {buffer.layout.deviceSize.empty()
                    ? makeLayout(buffer.shape, buffer.strides, buffer.dtype, {}, m_version)
                    : buffer.layout};
        }
        m_steps.resize(m_program.ops.size());
        for (std::size_t i = 0; i < m_program.ops.size(); ++i)
            open(i);
    }

    void open(std::size_t i) {
        const LoopOp& op = m_program.ops[i];
        Step& step = m_steps[i];
        if (op.write.buffer == kNoBuffer)
            return;
        step.choice = layoutsFor(op, m_program, m_candidates, m_version);
        if (!step.choice.refusal.empty())
            m_out.refusals.emplace_back(i, step.choice.refusal);
        step.isWriter = !op.isMutation;
        if (step.isWriter) {
            m_candidates[op.write.buffer] = step.choice.candidates;
            nameEqual(op.write.buffer);
            m_writer[op.write.buffer] = i;
        }
        for (const BufferIndex other : op.otherWrites)
            m_candidates[other] = {makeLayout(
                m_program.buffers[other].shape, {}, m_program.buffers[other].dtype, {}, m_version)};
        if (!op.isMutation)
            addEdges(op, step);
        for (const EdgeCosts& edge : step.edges)
            m_lastUse[edge.buffer] = i;
    }

    void addEdges(const LoopOp& op, Step& step) {
        const LayoutChoice& choice = step.choice;
        const bool isFixed = choice.rule == LayoutRule::FixedInOut;
        const std::vector<std::int64_t> extents = op.extents();
        std::vector<DeviceCoordinates> results;
        for (const DeviceLayout& out : choice.candidates)
            if (!isFixed && !choice.operands.empty())
                results.push_back(deviceCoordinates(out, extents, op.write.index));
        for (std::size_t e = 0; e < choice.operands.size(); ++e) {
            const Access& a = choice.operands[e];
            EdgeCosts edge;
            edge.buffer = a.buffer;
            edge.isFixed = isFixed;
            if (isFixed)
                results = {deviceCoordinates(choice.required[e], extents, a.index)};
            const Index& walked = isFixed ? a.index : op.write.index;
            const int forbidden = isFixed ? -1 : choice.forbiddenLoop;
            for (const DeviceLayout& in : m_candidates[a.buffer]) {
                const DeviceCoordinates at = deviceCoordinates(in, extents, a.index);
                std::vector<double> row;
                for (const DeviceCoordinates& out : results)
                    row.push_back(need(op, a, in, at, out, walked, forbidden, extents).cost(in));
                edge.cost.push_back(std::move(row));
            }
            step.edges.push_back(std::move(edge));
        }
    }

    Restickify need(const LoopOp& op, const Access& a, const DeviceLayout& in,
        const DeviceCoordinates& at, const DeviceCoordinates& wanted, const Index& wantedIndex,
        int forbidden, const std::vector<std::int64_t>& extents) const {
        if (op.isGather() && a.indirectVariable < 0)
            return {};
        Restickify r = restickifyFor(
            in, m_program.buffers[a.buffer], a.index, at, wanted, wantedIndex, extents);
        if (!r.isNeeded && forbidden >= 0 && at && at->back().uses(forbidden))
            r = {true, std::nullopt};
        return r;
    }

    /// Cost of one operand's layout towards a candidate of the result, whatever the others do.
    double towards(const Step& step, BufferIndex buffer, std::size_t in, std::size_t out) const {
        double sum = 0;
        bool isSeen = false;
        for (const EdgeCosts& edge : step.edges) {
            if (edge.buffer == buffer) {
                if (!isSeen || edge.isFixed)
                    sum += edge.at(in, out);
                isSeen = true;
                continue;
            }
            const bool isPossible =
                std::ranges::any_of(edge.cost, [&](const std::vector<double>& row) {
                    return row[edge.isFixed ? 0 : out] < kInfinite;
                });
            if (!isPossible)
                return kInfinite;
        }
        return sum;
    }

    /// Lower bound of what follows once a buffer has a layout: each reader on its own.
    void lookAhead() {
        std::vector<std::vector<std::size_t>> readers(m_program.buffers.size());
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            for (const EdgeCosts& edge : m_steps[i].edges)
                if (readers[edge.buffer].empty() || readers[edge.buffer].back() != i)
                    readers[edge.buffer].push_back(i);
        m_future.resize(m_steps.size());
        for (std::size_t i = m_steps.size(); i-- > 0;) {
            const Step& step = m_steps[i];
            if (!step.isWriter)
                continue;
            const BufferIndex buffer = m_program.ops[i].write.buffer;
            for (std::size_t c = 0; c < step.choice.candidates.size(); ++c) {
                double total = 0;
                for (const std::size_t reader : readers[buffer]) {
                    double best = kInfinite;
                    const Step& next = m_steps[reader];
                    for (std::size_t o = 0; o < next.choice.candidates.size(); ++o) {
                        const double edge = towards(next, buffer, c, o);
                        if (edge < kInfinite)
                            best = std::min(best,
                                edge + (o < m_future[reader].size() ? m_future[reader][o] : 0));
                    }
                    total += best < kInfinite ? best : kHopeless;
                }
                m_future[i].push_back(total);
            }
        }
    }

    /// What was chosen for the live buffers lies in m_choices, m_live.size() entries a state.
    struct State {
        std::size_t choices = 0;
        double cost = 0, bound = 0;
        std::size_t history = kNone; ///< last entry of m_history
    };
    struct Decision {
        std::size_t previous;
        std::uint32_t candidate;
    };

    /// Steps whose buffer has a choice; only those make states differ.
    bool isChoice(std::size_t i) const {
        return m_steps[i].isWriter && m_steps[i].choice.candidates.size() > 1;
    }

    void beam() {
        std::vector<State> states(1);
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            if (m_steps[i].isWriter && !m_steps[i].choice.candidates.empty())
                advance(i, states);
        const State* best = &states.front();
        for (const State& state : states)
            if (state.cost < best->cost)
                best = &state;
        m_chosen.assign(m_steps.size(), 0);
        std::size_t at = best->history;
        for (std::size_t i = m_steps.size(); i-- > 0;)
            if (isChoice(i)) {
                m_chosen[i] = m_history[at].candidate;
                at = m_history[at].previous;
            }
    }

    /// Places of an operation's operands among the live buffers; −1: only one candidate.
    std::vector<int> placesOf(const Step& step) const {
        std::vector<int> places;
        for (const EdgeCosts& edge : step.edges) {
            const auto at = std::ranges::find(m_live, edge.buffer);
            places.push_back(m_writer[edge.buffer] == kNone || m_candidates[edge.buffer].size() < 2
                        || at == m_live.end()
                    ? -1
                    : static_cast<int>(at - m_live.begin()));
        }
        return places;
    }

    double costOf(const Step& step, const std::vector<int>& places, const State& state,
        std::size_t candidate) const {
        double sum = 0;
        for (std::size_t e = 0; e < step.edges.size(); ++e)
            sum += step.edges[e].at(
                places[e] < 0 ? 0 : m_choices[state.choices + static_cast<std::size_t>(places[e])],
                candidate);
        return sum;
    }

    void advance(std::size_t i, std::vector<State>& states) {
        const bool hasChoice = isChoice(i);
        if (!(hasChoice ? expand(i, states) : extend(i, states))) {
            noLayout(i);
            m_steps[i].edges.clear();
            hasChoice ? expand(i, states) : extend(i, states);
        }
        if (hasChoice)
            m_live.push_back(m_program.ops[i].write.buffer);
        const bool hasDead = std::ranges::any_of(
            m_live, [&](BufferIndex b) { return m_lastUse[b] == kNone || m_lastUse[b] <= i; });
        if (states.size() == 1 && !hasDead)
            return;
        if (hasDead || hasChoice)
            merge(i, states);
        std::ranges::stable_sort(states, {}, &State::bound);
        if (states.size() > kBeamWidth)
            states.resize(kBeamWidth);
    }

    /// The one candidate of a step, in place; false: no state can take it.
    bool extend(std::size_t i, std::vector<State>& states) {
        const Step& step = m_steps[i];
        const std::vector<int> places = placesOf(step);
        m_extras.clear();
        bool isPossible = false;
        for (const State& state : states) {
            m_extras.push_back(costOf(step, places, state, 0));
            isPossible = isPossible || m_extras.back() < kInfinite;
        }
        if (!isPossible)
            return false;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < states.size(); ++k) {
            if (m_extras[k] >= kInfinite)
                continue;
            states[kept] = states[k];
            states[kept].cost += m_extras[k];
            states[kept].bound = states[kept].cost + m_future[i][0];
            ++kept;
        }
        states.resize(kept);
        return true;
    }

    bool expand(std::size_t i, std::vector<State>& states) {
        const Step& step = m_steps[i];
        const std::vector<int> places = placesOf(step);
        const std::size_t live = m_live.size();
        m_nextStates.clear();
        m_nextChoices.clear();
        for (const State& state : states)
            for (std::size_t c = 0; c < step.choice.candidates.size(); ++c) {
                const double extra = costOf(step, places, state, c);
                if (extra >= kInfinite)
                    continue;
                State grown;
                grown.choices = m_nextChoices.size();
                m_nextChoices.insert(m_nextChoices.end(),
                    m_choices.begin() + static_cast<std::ptrdiff_t>(state.choices),
                    m_choices.begin() + static_cast<std::ptrdiff_t>(state.choices + live));
                m_nextChoices.push_back(static_cast<std::uint32_t>(c));
                grown.cost = state.cost + extra;
                grown.bound = grown.cost + m_future[i][c];
                m_history.push_back({state.history, static_cast<std::uint32_t>(c)});
                grown.history = m_history.size() - 1;
                m_nextStates.push_back(grown);
            }
        if (m_nextStates.empty())
            return false;
        std::swap(states, m_nextStates);
        std::swap(m_choices, m_nextChoices);
        return true;
    }

    /// States that agree on all that is still read are one; the best stays.
    void merge(std::size_t i, std::vector<State>& states) {
        std::vector<std::size_t> kept;
        for (std::size_t k = 0; k < m_live.size(); ++k)
            if (m_lastUse[m_live[k]] != kNone && m_lastUse[m_live[k]] > i)
                kept.push_back(k);
        std::size_t slots = 4;
        while (slots < 2 * states.size())
            slots *= 2;
        m_table.assign(slots, kNone); // open addressing over m_nextStates
        m_nextStates.clear();
        m_nextChoices.clear();
        for (State state : states) {
            const std::size_t first = m_nextChoices.size();
            std::size_t hash = 0xcbf29ce484222325U; // FNV-1a
            for (const std::size_t k : kept) {
                m_nextChoices.push_back(m_choices[state.choices + k]);
                hash = (hash ^ canonical(m_live[k], m_nextChoices.back())) * 0x100000001b3U;
            }
            state.choices = first;
            const auto isSame = [&](const State& other) {
                for (std::size_t k = 0; k < kept.size(); ++k)
                    if (canonical(m_live[kept[k]], m_nextChoices[other.choices + k])
                        != canonical(m_live[kept[k]], m_nextChoices[first + k]))
                        return false;
                return true;
            };
            std::size_t slot = (hash ^ (hash >> 29U)) & (slots - 1);
            while (m_table[slot] != kNone && !isSame(m_nextStates[m_table[slot]]))
                slot = (slot + 1) & (slots - 1);
            if (m_table[slot] == kNone) {
                m_table[slot] = m_nextStates.size();
                m_nextStates.push_back(state);
                continue;
            }
            if (state.bound < m_nextStates[m_table[slot]].bound)
                m_nextStates[m_table[slot]] = state;
            else
                m_nextChoices.resize(first);
        }
        std::vector<BufferIndex> live;
        for (const std::size_t k : kept)
            live.push_back(m_live[k]);
        m_live = std::move(live);
        std::swap(states, m_nextStates);
        std::swap(m_choices, m_nextChoices);
    }

    /// The first candidate that is the same layout.
    std::uint32_t canonical(BufferIndex buffer, std::uint32_t candidate) const {
        return m_canonical[buffer][candidate];
    }

    void nameEqual(BufferIndex buffer) {
        const auto& all = m_candidates[buffer];
        m_canonical[buffer].clear();
        for (const DeviceLayout& layout : all)
            m_canonical[buffer].push_back(
                static_cast<std::uint32_t>(std::ranges::find(all, layout) - all.begin()));
    }

    void noLayout(std::size_t i) {
        const LoopOp& op = m_program.ops[i];
        std::string why = m_program.buffers[op.write.buffer].name
            + (op.kind == LoopKind::Reduction ? " (Reduction)" : " (Pointwise)")
            + ": no mechanism to resolve stick incompatibility. Inputs:";
        for (const Access& a : m_steps[i].choice.operands) {
            const Buffer& buffer = m_program.buffers[a.buffer];
            why += " " + buffer.name + " ";
            const DeviceLayout& layout = m_candidates[a.buffer].front();
            const auto c = deviceCoordinates(layout, op.extents(), a.index);
            why += c
                ? "with its stick on " + (c->back().isZero() ? "one element" : c->back().text())
                : "with no stick expression";
            why += ";";
        }
        why.back() = '.';
        m_out.refusals.emplace_back(i, std::move(why));
    }

    void collect() {
        m_out.layouts.resize(m_program.buffers.size());
        for (std::size_t b = 0; b < m_out.layouts.size(); ++b)
            if (!m_candidates[b].empty())
                m_out.layouts[b] =
                    m_candidates[b][m_writer[b] == kNone ? 0 : m_chosen[m_writer[b]]];
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            restickifiesOf(i);
        // The compiler stops at the first one; propagation runs before the search.
        if (m_out.refusals.size() > 1)
            m_out.refusals.resize(1);
    }

    void restickifiesOf(std::size_t i) {
        const LoopOp& op = m_program.ops[i];
        const LayoutChoice& choice = m_steps[i].choice;
        if (choice.rule == LayoutRule::AnyIn || m_steps[i].edges.size() != choice.operands.size()) {
            if (!op.isMutation)
                return;
        }
        for (std::size_t e = 0; e < choice.operands.size(); ++e) {
            const Access& a = choice.operands[e];
            const DeviceLayout& in = m_out.layouts[a.buffer];
            const bool isFixed = choice.rule == LayoutRule::FixedInOut;
            const DeviceLayout& wanted =
                isFixed ? choice.required[e] : m_out.layouts[op.write.buffer];
            const auto extents = op.extents();
            const Index& walked = isFixed ? a.index : op.write.index;
            const Restickify r = op.isMutation
                ? needOfTarget(op, a, in, wanted)
                : need(op, a, in, deviceCoordinates(in, extents, a.index),
                    deviceCoordinates(wanted, extents, walked), walked, choice.forbiddenLoop,
                    extents);
            if (!r.isNeeded)
                continue;
            if (!r.target) {
                if (op.isMutation)
                    m_out.refusals.emplace_back(i,
                        "mutation op arg=" + m_program.buffers[a.buffer].name
                            + ": cannot restickify it to the stick of the tensor that it writes.");
                continue;
            }
            const bool isKnown = std::ranges::any_of(m_out.restickifies,
                [&](const NeededRestickify& n) { return n.op == i && n.buffer == a.buffer; });
            if (!isKnown)
                m_out.restickifies.push_back(
                    {i, a.buffer, *r.target, reason(op, a, in, wanted, e)});
        }
    }

    /// A write into a tensor starts wherever it starts; only the stick's loop must agree.
    Restickify needOfTarget(const LoopOp& op, const Access& a, const DeviceLayout& in,
        const DeviceLayout& target) const {
        const auto extents = op.extents();
        const auto idc = deviceCoordinates(in, extents, a.index);
        const auto out = deviceCoordinates(target, extents, op.write.index);
        if (!idc || !out)
            return {};
        if (areCompatible(*idc, *out) && isOffsetFree(idc->back(), in.lanes()))
            return {};
        Coordinate stick = out->back();
        stick.offset = 0;
        const Buffer& host = m_program.buffers[a.buffer];
        const auto ic = coordinatesOf(host.shape, host.strides, extents, a.index);
        if (!ic || stick.terms.empty())
            return {};
        return {true, restickified(in, host, stick, *ic, *idc)};
    }

    std::string reason(const LoopOp& op, const Access& a, const DeviceLayout& in,
        const DeviceLayout& wanted, std::size_t operand) const {
        static const std::string kNames[] = {"its first operand", "its second operand"};
        const std::string what =
            op.isMatmul() && operand < 2 ? kNames[operand] : m_program.buffers[a.buffer].name;
        const auto at = [&](const DeviceLayout& layout, const Index& index) {
            const auto c = deviceCoordinates(layout, op.extents(), index);
            return !c || c->back().isZero() ? std::string("one element a stick")
                                            : "its stick on " + c->back().text();
        };
        const bool isOwn = op.isMatmul() || op.op == "exx2";
        return op.op + " wants " + what + " with " + at(wanted, isOwn ? a.index : op.write.index)
            + "; it arrives with " + at(in, a.index) + ".";
    }

    const LoopProgram& m_program;
    layout::SpyreLayoutVersion m_version;
    std::vector<std::vector<DeviceLayout>> m_candidates; ///< by buffer
    std::vector<std::vector<std::uint32_t>> m_canonical; ///< by buffer, see canonical()
    std::vector<std::size_t> m_writer, m_lastUse; ///< by buffer
    std::vector<Step> m_steps;
    std::vector<std::vector<double>> m_future;
    std::vector<BufferIndex> m_live;
    std::vector<Decision> m_history;
    std::vector<std::uint32_t> m_choices, m_nextChoices;
    std::vector<State> m_nextStates;
    std::vector<std::size_t> m_table;
    std::vector<double> m_extras;
    std::vector<std::size_t> m_chosen;
    ChosenLayouts m_out;
};

} // namespace

ChosenLayouts chooseLayouts(const LoopProgram& program, layout::SpyreLayoutVersion version) {
    return Search(program, version).run();
}

} // namespace fivefold::families::spyre
