// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace fivefold::numerics {

namespace {

using lowering::LoopRole;
using lowering::NodeId;
using lowering::ValueId;

bool isLoop(ir::Op op) {
    return op == ir::Op::Loop || op == ir::Op::Scan || op == ir::Op::SequenceMap;
}

class Planner {
public:
    Planner(const Subject& subject, const lowering::StageGraph& graph, LoopPlan& plan)
        : m_typed(*subject.typed)
        , m_captured(subject.graph())
        , m_graph(graph)
        , m_plan(plan) { }

    void run();

private:
    void collectOwners();
    std::int64_t trips(ir::NodeId owner) const;
    bool isOf(const lowering::Node& node, ir::NodeId owner) const;
    bool isInside(ir::BlockId block, ir::NodeId owner) const;
    int depth(ir::NodeId owner) const;
    void findNodes(std::uint32_t loop);
    bool readsStart(const lowering::Node& node, const StageLoop& loop) const;
    void emit(const std::vector<NodeId>& nodes, std::uint32_t frame, std::size_t firstLoop);
    void emitLoop(const std::vector<NodeId>& window, std::uint32_t loop, std::uint32_t frame);

    const ir::Typed& m_typed;
    const ir::Graph& m_captured;
    const lowering::StageGraph& m_graph;
    LoopPlan& m_plan;
    std::vector<std::vector<std::uint8_t>> m_isIn; ///< by loop: nodes
};

void Planner::collectOwners() {
    std::map<ir::NodeId, std::map<std::uint32_t, StageLoop::State>> owners;
    for (std::size_t i = 0; i < m_graph.values.size(); ++i)
        for (const LoopRole& role : m_graph.values[ValueId(i)].loopRoles) {
            if (!m_captured.nodes.contains(role.owner))
                continue;
            auto& states = owners[role.owner];
            if (role.kind == LoopRole::Kind::Starts)
                states[role.state].starts.push_back(ValueId(i));
            else if (role.kind == LoopRole::Kind::Carries)
                states[role.state].carries = ValueId(i);
        }
    for (const lowering::Node& node : m_graph.nodes)
        if (node.attributes.has("loop_step") || node.attributes.has("loop_stack"))
            for (const ir::NodeId source : node.sources)
                if (isLoop(m_captured.nodes[source].op) || isRecurrent(m_captured.nodes[source].op))
                    owners.try_emplace(source);
    for (auto& [owner, states] : owners) {
        StageLoop loop;
        loop.owner = owner;
        loop.trips = trips(owner);
        std::set<ValueId> seen;
        for (auto& [index, state] : states) {
            for (const ValueId value : state.starts)
                loop.isAmbiguous = loop.isAmbiguous || !seen.insert(value).second;
            loop.states.push_back(std::move(state));
        }
        for (std::size_t i = 0; i < loop.states.size(); ++i) // states that change places
            for (std::size_t j = 0; j < loop.states.size(); ++j)
                loop.isAmbiguous = loop.isAmbiguous
                    || (i != j
                        && std::find(loop.states[j].starts.begin(), loop.states[j].starts.end(),
                               loop.states[i].carries)
                            != loop.states[j].starts.end());
        m_plan.loops.push_back(std::move(loop));
    }
    std::stable_sort(m_plan.loops.begin(), m_plan.loops.end(), // outer loops first
        [&](const StageLoop& a, const StageLoop& b) { return depth(a.owner) < depth(b.owner); });
}

std::int64_t Planner::trips(ir::NodeId owner) const {
    const ir::Node& node = m_captured.nodes[owner];
    if (!isRecurrent(node.op))
        return owner.index() < m_typed.trips.size() ? m_typed.trips[owner] : 1;
    if (node.inputs.empty() || !node.inputs[0].isValid())
        return 1;
    const auto& shape = m_typed.types[node.inputs[0]].shape;
    const std::size_t axis = node.attributes.integer("layout", 0) == 1 ? 1 : 0;
    return shape && axis < shape->size() && (*shape)[axis].isKnown() ? (*shape)[axis].value() : 1;
}

bool Planner::isInside(ir::BlockId block, ir::NodeId owner) const {
    while (block.isValid() && m_captured.blocks.contains(block)) {
        const ir::NodeId holder = m_captured.blocks[block].owner;
        if (holder == owner)
            return true;
        block = holder.isValid() ? m_captured.nodes[holder].block : ir::BlockId();
    }
    return false;
}

/// Bodies around the node.
int Planner::depth(ir::NodeId node) const {
    int result = 0;
    for (ir::BlockId block = m_captured.nodes[node].block; m_captured.blocks.contains(block);) {
        const ir::NodeId holder = m_captured.blocks[block].owner;
        if (!holder.isValid())
            break;
        block = m_captured.nodes[holder].block;
        ++result;
    }
    return result;
}

bool Planner::isOf(const lowering::Node& node, ir::NodeId owner) const {
    if (isInside(node.block, owner))
        return true;
    const bool isSource =
        std::find(node.sources.begin(), node.sources.end(), owner) != node.sources.end();
    const std::int64_t around =
        owner.index() < m_typed.executions.size() ? m_typed.executions[owner] : 1;
    return isSource && node.executions > around;
}

bool Planner::readsStart(const lowering::Node& node, const StageLoop& loop) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
        return std::any_of(loop.states.begin(), loop.states.end(), [&](const auto& state) {
            return std::find(state.starts.begin(), state.starts.end(), input) != state.starts.end();
        });
    });
}

/// Nodes of the body, and those that the compiler put between them: it adds copies of what a body
/// reads and makes, which belong to the iteration.
void Planner::findNodes(std::uint32_t index) {
    StageLoop& loop = m_plan.loops[index];
    auto& isIn = m_isIn.emplace_back(m_graph.nodes.size(), std::uint8_t(0));
    if (loop.trips <= 1)
        return;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const lowering::Node& node = m_graph.nodes[NodeId(i)];
        bool isMember = isOf(node, loop.owner);
        if (!isMember && node.sources.empty() && node.executions > 1) {
            isMember = readsStart(node, loop);
            for (const ValueId input : node.inputs) {
                const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
                isMember = isMember || (producer.isValid() && isIn[producer.index()] != 0);
            }
        }
        isIn[i] = isMember;
        if (isMember)
            loop.nodes.push_back(NodeId(i));
    }
}

/// Nodes of one level in order; those of an inner loop, from its first to its last, as one.
void Planner::emit(const std::vector<NodeId>& nodes, std::uint32_t frame, std::size_t firstLoop) {
    for (std::size_t i = 0; i < nodes.size();) {
        std::size_t loop = firstLoop;
        while (loop < m_plan.loops.size() && m_isIn[loop][nodes[i].index()] == 0)
            ++loop;
        if (m_plan.isTooLong)
            return;
        if (loop == m_plan.loops.size()) {
            m_plan.turns.push_back({nodes[i++], frame});
            m_plan.isTooLong = m_plan.turns.size() > LoopPlan::kMostTurns;
            continue;
        }
        std::size_t end = i;
        for (std::size_t j = i; j < nodes.size(); ++j)
            if (m_isIn[loop][nodes[j].index()] != 0)
                end = j + 1;
        emitLoop({nodes.begin() + static_cast<std::ptrdiff_t>(i),
                     nodes.begin() + static_cast<std::ptrdiff_t>(end)},
            static_cast<std::uint32_t>(loop), frame);
        i = end;
    }
}

/// A window may hold nodes of others: what waits for the loop follows it, the rest comes first.
void Planner::emitLoop(const std::vector<NodeId>& window, std::uint32_t loop, std::uint32_t frame) {
    std::vector<NodeId> before, body, after;
    std::set<NodeId> waits;
    for (const NodeId id : window) {
        const bool isBody = m_isIn[loop][id.index()] != 0;
        const bool isFed = std::any_of(
            m_graph.nodes[id].inputs.begin(), m_graph.nodes[id].inputs.end(), [&](ValueId input) {
                return input.isValid() && waits.contains(m_graph.values[input].producer);
            });
        (isBody ? body : isFed ? after : before).push_back(id);
        if (isBody || isFed)
            waits.insert(id);
    }
    emit(before, frame, loop + 1);
    for (std::int64_t i = 0; i < m_plan.loops[loop].trips && !m_plan.isTooLong; ++i) {
        m_plan.frames.push_back({loop, i, frame});
        emit(body, static_cast<std::uint32_t>(m_plan.frames.size() - 1), loop + 1);
    }
    emit(after, frame, loop + 1);
}

void Planner::run() {
    m_plan.frames.emplace_back();
    collectOwners();
    for (std::uint32_t i = 0; i < m_plan.loops.size(); ++i)
        findNodes(i);
    std::vector<NodeId> all;
    all.reserve(m_graph.nodes.size());
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        all.emplace_back(i);
    emit(all, 0, 0);
}

} // namespace

bool isRecurrent(ir::Op op) {
    return op == ir::Op::LSTM || op == ir::Op::GRU || op == ir::Op::RNN;
}

LoopPlan::LoopPlan(const Subject& subject, const lowering::StageGraph& graph) {
    Planner(subject, graph, *this).run();
}

} // namespace fivefold::numerics
