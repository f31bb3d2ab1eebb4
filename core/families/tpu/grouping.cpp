// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/grouping.h"

#include "core/families/tpu/operators.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::size_t kMostReaders = 3; ///< fusions that may repeat one producer
constexpr std::uint32_t kNone = 0xffffffff;

class Grouper {
public:
    Grouper(const StageGraph& graph, bool recomputes)
        : m_graph(graph)
        , m_recomputes(recomputes)
        , m_epilogue(graph.nodes.size(), kNone)
        , m_isOutput(graph.values.size(), 0)
        , m_budget(graph.nodes.size()) {
        m_result.fusions.resize(graph.nodes.size());
        m_kinds.reserve(graph.nodes.size());
        for (const Node& node : graph.nodes)
            m_kinds.push_back(kindOf(node));
        for (const ValueId output : graph.outputs)
            if (graph.values.contains(output))
                m_isOutput[output.index()] = 1;
    }

    Grouping run() {
        findEpilogues();
        for (std::size_t i = m_graph.nodes.size(); i-- > 0;)
            place(NodeId(i));
        m_result.count = static_cast<std::uint32_t>(m_rootKinds.size());
        return std::move(m_result);
    }

private:
    OpKind kind(NodeId id) const { return m_kinds[id.index()]; }

    std::optional<std::int64_t> size(NodeId id) const {
        const Node& node = m_graph.nodes[id];
        return node.outputs.empty() || !m_graph.values.contains(node.outputs.front())
            ? std::nullopt
            : elements(m_graph.values[node.outputs.front()].shape);
    }

    NodeId producerOf(ValueId value) const {
        return m_graph.values.contains(value) ? m_graph.values[value].producer : NodeId();
    }

    /// m_epilogue[node] = the product whose fusion it joins, for products themselves their own
    /// index.
    void findEpilogues() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const NodeId id(i);
            if (kind(id) == OpKind::Product) {
                m_epilogue[i] = id.value;
                continue;
            }
            if (kind(id) != OpKind::Loop || m_graph.nodes[id].canonical == Op::Concat)
                continue;
            for (const ValueId input : m_graph.nodes[id].inputs) {
                const NodeId producer = producerOf(input);
                if (!producer.isValid() || m_epilogue[producer.index()] == kNone
                    || m_graph.values[input].users.size() != 1 || m_isOutput[input.index()] != 0
                    || size(producer) != size(id) || dependsElsewhere(id, producer)
                    || m_graph.nodes[producer].executions != m_graph.nodes[id].executions)
                    continue;
                m_epilogue[i] = m_epilogue[producer.index()];
                break;
            }
        }
    }

    /// Another input of the same node comes out of a product too: the later product takes the
    /// epilogue.
    bool dependsElsewhere(NodeId id, NodeId chosen) const {
        for (const ValueId input : m_graph.nodes[id].inputs) {
            const NodeId other = producerOf(input);
            if (other.isValid() && other != chosen && other > chosen
                && m_epilogue[other.index()] != kNone && m_graph.values[input].users.size() == 1
                && size(other) == size(id))
                return true;
        }
        return false;
    }

    std::uint32_t newFusion(OpKind rootKind) {
        m_rootKinds.push_back(rootKind);
        return static_cast<std::uint32_t>(m_rootKinds.size() - 1);
    }

    void place(NodeId id) {
        std::vector<std::uint32_t>& own = m_result.fusions[id];
        const std::uint32_t product = m_epilogue[id.index()];
        if (product != kNone) {
            std::uint32_t& fusion = m_productFusion[product];
            if (fusion == 0)
                fusion = newFusion(OpKind::Product) + 1;
            own = {fusion - 1};
            return;
        }
        own = readersOf(id);
        if (own.empty())
            own = {newFusion(kind(id))};
        m_budget -= std::min(m_budget, own.size() - 1);
    }

    /// The fusions that take the node as a producer; empty: it is a root.
    std::vector<std::uint32_t> readersOf(NodeId id) const {
        const Node& node = m_graph.nodes[id];
        if ((kind(id) != OpKind::Loop && kind(id) != OpKind::Relayout) || node.outputs.size() != 1
            || !m_graph.values.contains(node.outputs.front()))
            return {};
        const ValueId result = node.outputs.front();
        if (m_isOutput[result.index()] != 0 || m_graph.values[result].users.empty())
            return {};
        std::vector<std::uint32_t> readers;
        for (const NodeId user : m_graph.values[result].users) {
            if (m_graph.nodes[user].executions != node.executions || !accepts(id, user))
                return {};
            for (const std::uint32_t fusion : m_result.fusions[user])
                if (std::find(readers.begin(), readers.end(), fusion) == readers.end())
                    readers.push_back(fusion);
        }
        const std::size_t most = m_recomputes && m_budget > 0 ? kMostReaders : 1;
        return readers.size() <= most ? readers : std::vector<std::uint32_t>{};
    }

    bool accepts(NodeId id, NodeId user) const {
        const OpKind reader = kind(user);
        if (kind(id) == OpKind::Relayout)
            return reader == OpKind::Relayout && rootIs(user, OpKind::Relayout);
        if (reader == OpKind::Relayout)
            return m_graph.nodes[id].canonical == Op::Slice && rootIs(user, OpKind::Relayout);
        if (reader != OpKind::Loop && reader != OpKind::Reduce && reader != OpKind::Product)
            return false;
        return isFree(id) || isReadAtOwnSize(id, user);
    }

    bool rootIs(NodeId user, OpKind wanted) const {
        const auto& fusions = m_result.fusions[user];
        return std::all_of(fusions.begin(), fusions.end(),
            [&](std::uint32_t fusion) { return m_rootKinds[fusion] == wanted; });
    }

    /// Broadcasts and constants are index arithmetic.
    bool isFree(NodeId id) const {
        const Op op = m_graph.nodes[id].canonical;
        return op == Op::Expand || op == Op::ConstantOfShape || op == Op::Range || op == Op::Tile
            || op == Op::EyeLike;
    }

    bool isReadAtOwnSize(NodeId id, NodeId user) const {
        if (kind(user) != OpKind::Loop)
            return true; // a reduction or a product reads each element of its operand
        const auto own = size(id), read = size(user);
        return own && read && *own >= *read;
    }

    const StageGraph& m_graph;
    bool m_recomputes;
    std::vector<OpKind> m_kinds;
    std::vector<std::uint32_t> m_epilogue;
    std::vector<std::uint8_t> m_isOutput;
    std::size_t m_budget; ///< repeated nodes still allowed
    std::vector<OpKind> m_rootKinds; ///< by fusion
    std::unordered_map<std::uint32_t, std::uint32_t> m_productFusion; ///< product node → fusion + 1
    Grouping m_result;
};

} // namespace

Grouping group(const StageGraph& graph, bool recomputes) {
    return Grouper(graph, recomputes).run();
}

} // namespace fivefold::families::tpu
