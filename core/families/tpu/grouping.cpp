// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/grouping.h"

#include "core/families/tpu/hlo_forms.h"
#include "core/lowering/work.h"

#include <algorithm>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::size_t kMostReaders = 3; ///< fusions that may repeat one producer
constexpr std::size_t kMostIndexReaders = 8; ///< the same for index arithmetic
constexpr int kMostIndexSteps = 4; ///< reshapes in a row that are looked through
constexpr std::uint32_t kNone = Anchors::kNone;

class Grouper {
public:
    Grouper(const StageGraph& graph, int generation, bool recomputes)
        : m_graph(graph)
        , m_recomputes(recomputes)
        , m_anchors(findAnchors(graph, generation))
        , m_isOutput(graph.values.size(), 0)
        , m_fusionOf(graph.nodes.size(), kNone)
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
        for (std::size_t i = m_graph.nodes.size(); i-- > 0;)
            place(NodeId(i));
        return std::move(m_result);
    }

private:
    OpKind kind(NodeId id) const { return m_kinds[id.index()]; }
    const Node& node(NodeId id) const { return m_graph.nodes[id]; }

    std::optional<std::int64_t> sizeOf(ValueId value) const {
        return m_graph.values.contains(value) ? elements(m_graph.values[value].shape)
                                              : std::nullopt;
    }
    std::optional<std::int64_t> size(NodeId id) const {
        return node(id).outputs.empty() ? std::nullopt : sizeOf(node(id).outputs.front());
    }

    std::uint32_t newFusion(OpKind rootKind, Bond bond) {
        m_rootKinds.push_back(rootKind);
        m_result.bonds.push_back(bond);
        return static_cast<std::uint32_t>(m_rootKinds.size() - 1);
    }

    void place(NodeId id) {
        std::vector<std::uint32_t>& own = m_result.fusions[id];
        if (m_anchors.isAnchored(id)) {
            const std::uint32_t home = m_anchors.home[id.index()];
            if (m_fusionOf[home] == kNone)
                m_fusionOf[home] = newFusion(kind(NodeId(home)), m_anchors.bond[home]);
            own = {m_fusionOf[home]};
            return;
        }
        own = readersOf(id);
        if (own.size() > 1 && own.size() <= mostReaders(id) && readsMoreThanItMakes(id))
            if (std::vector<std::uint32_t> writer = secondOutput(id); !writer.empty())
                own = std::move(writer);
        if (own.size() > mostReaders(id))
            own = secondOutput(id);
        if (own.empty())
            own = {newFusion(kind(id), Bond::None)};
        m_budget -= std::min(m_budget, own.size() - 1);
    }

    std::size_t mostReaders(NodeId id) const {
        if (!m_recomputes || m_budget == 0)
            return 1;
        return isFree(id) ? kMostIndexReaders : kMostReaders;
    }

    /// The fusions that take the node as a producer; empty: it is a root.
    std::vector<std::uint32_t> readersOf(NodeId id) const {
        if ((kind(id) != OpKind::Loop && kind(id) != OpKind::Relayout)
            || node(id).outputs.size() != 1 || !m_graph.values.contains(node(id).outputs.front())
            || isIndexClamp(m_graph, node(id)))
            return {};
        const ValueId result = node(id).outputs.front();
        if (m_isOutput[result.index()] != 0)
            return {};
        std::vector<std::uint32_t> readers;
        for (const NodeId user : m_graph.values[result].users) {
            if (node(user).executions != node(id).executions || !accepts(id, user))
                return {};
            for (const std::uint32_t fusion : m_result.fusions[user])
                if (std::find(readers.begin(), readers.end(), fusion) == readers.end())
                    readers.push_back(fusion);
        }
        return readers;
    }

    bool accepts(NodeId id, NodeId user) const {
        const OpKind reader = kind(user);
        if (m_anchors.bondOf(user) == Bond::OnlineSoftmax || isIndexClamp(m_graph, node(user)))
            return false; // a call takes nothing in; wrapping indices and clamping them are apart
        const bool isIndex = isIndexOnly(m_graph, node(id));
        const bool readerIsLoop = reader == OpKind::Loop || isIndexOnly(m_graph, node(user));
        if (kind(id) == OpKind::Relayout && !isIndex)
            return reader == OpKind::Relayout && !readerIsLoop && rootIs(user, OpKind::Relayout);
        if (reader == OpKind::Relayout && !readerIsLoop)
            return (isIndex || node(id).canonical == Op::Slice) && rootIs(user, OpKind::Relayout);
        if (!readerIsLoop && reader != OpKind::Reduce && reader != OpKind::Product)
            return false;
        if (reader == OpKind::Product && node(id).canonical == Op::Expand && !isIndex)
            return false;
        return isFree(id) || reader == OpKind::Reduce || reader == OpKind::Product
            || isReadAtOwnSize(id, user, kMostIndexSteps);
    }

    bool rootIs(NodeId user, OpKind wanted) const {
        const auto& fusions = m_result.fusions[user];
        return std::all_of(fusions.begin(), fusions.end(),
            [&](std::uint32_t fusion) { return m_rootKinds[fusion] == wanted; });
    }

    /// Broadcasts, unit axes and constants are index arithmetic.
    bool isFree(NodeId id) const {
        const Op op = node(id).canonical;
        return op == Op::Expand || op == Op::ConstantOfShape || op == Op::Range || op == Op::Tile
            || op == Op::EyeLike || isIndexOnly(m_graph, node(id));
    }

    /// No reader asks for more elements than the node makes: behind index arithmetic, its readers.
    bool isReadAtOwnSize(NodeId id, NodeId user, int steps) const {
        const auto own = size(id), read = size(user);
        if (!own || !read || *own < *read)
            return false;
        if (!isIndexOnly(m_graph, node(user)) || steps == 0)
            return true;
        const auto& users = m_graph.values[node(user).outputs.front()].users;
        return std::all_of(users.begin(), users.end(), [&](NodeId next) {
            return kind(next) == OpKind::Reduce || kind(next) == OpKind::Product
                || isReadAtOwnSize(id, next, steps - 1);
        });
    }

    /// Two or more different operands of the result's own size.
    bool readsMoreThanItMakes(NodeId id) const {
        if (isFree(id))
            return false;
        const auto own = size(id);
        std::vector<ValueId> whole;
        for (const ValueId input : node(id).inputs)
            if (own && *own > 1 && sizeOf(input) == own
                && std::find(whole.begin(), whole.end(), input) == whole.end())
                whole.push_back(input);
        return whole.size() > 1;
    }

    /// The fusion of a reduction that reads the node's result alone, or its square: it writes the
    /// result too. Nothing that the reduction reads can depend on the other readers then.
    std::vector<std::uint32_t> secondOutput(NodeId id) {
        const ValueId result = node(id).outputs.front();
        for (NodeId user : m_graph.values[result].users) {
            if (node(user).canonical == Op::Mul && node(user).inputs[0] == node(user).inputs[1]
                && m_graph.values[node(user).outputs.front()].users.size() == 1)
                user = m_graph.values[node(user).outputs.front()].users.front();
            if (kind(user) != OpKind::Reduce || m_result.fusions[user].size() != 1)
                continue;
            const std::uint32_t fusion = m_result.fusions[user].front();
            if (m_rootKinds[fusion] != OpKind::Reduce)
                continue;
            m_result.bonds[fusion] = std::max(m_result.bonds[fusion], Bond::SecondOutput);
            return {fusion};
        }
        return {};
    }

    const StageGraph& m_graph;
    bool m_recomputes;
    Anchors m_anchors;
    std::vector<OpKind> m_kinds;
    std::vector<std::uint8_t> m_isOutput;
    std::vector<std::uint32_t> m_fusionOf; ///< by standing node of the anchors
    std::size_t m_budget; ///< repeated nodes still allowed
    std::vector<OpKind> m_rootKinds; ///< by fusion
    Grouping m_result;
};

} // namespace

Grouping group(const StageGraph& graph, int generation, bool recomputes) {
    return Grouper(graph, generation, recomputes).run();
}

} // namespace fivefold::families::tpu
