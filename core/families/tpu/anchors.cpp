// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/anchors.h"

#include "core/lowering/work.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::int64_t kOneWindowColumns =
    768; ///< of the outer dot, up to v5p: fused 768, not 1024
constexpr std::int64_t kOnlineSoftmaxKeys = 256; ///< v6e and v7x: seen with 256 keys, not with 128
constexpr std::int64_t kTileRows = 8;
constexpr std::size_t kMostEpilogue = 64; ///< nodes behind one product
constexpr std::size_t kMostSearched = 256; ///< nodes that a search for a dependence looks at

bool isPlainReduction(Op op) {
    return op == Op::ReduceMax || op == Op::ReduceMin || op == Op::ReduceSum || op == Op::ReduceMean
        || op == Op::ReduceProd;
}

class AnchorFinder {
public:
    AnchorFinder(const StageGraph& graph, int generation)
        : m_graph(graph)
        , m_generation(generation)
        , m_isOutput(graph.values.size(), 0) {
        m_result.home.assign(graph.nodes.size(), Anchors::kNone);
        m_result.bond.assign(graph.nodes.size(), Bond::None);
        m_kinds.reserve(graph.nodes.size());
        for (const Node& node : graph.nodes)
            m_kinds.push_back(kindOf(node));
        for (const ValueId output : graph.outputs)
            if (graph.values.contains(output))
                m_isOutput[output.index()] = 1;
    }

    Anchors run() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (kind(NodeId(i)) == OpKind::Product)
                findOnlineSoftmax(NodeId(i));
        findEpilogues();
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (kind(NodeId(i)) == OpKind::Reduce)
                findRowReduction(NodeId(i));
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (kind(NodeId(i)) == OpKind::Product)
                findDotInside(NodeId(i));
        findSiblings();
        for (Node const& node : m_graph.nodes)
            findSlices(node);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_result.home[i] != Anchors::kNone)
                m_result.home[i] = find(static_cast<std::uint32_t>(i));
        return std::move(m_result);
    }

private:
    OpKind kind(NodeId id) const { return m_kinds[id.index()]; }
    const Node& node(NodeId id) const { return m_graph.nodes[id]; }

    NodeId producerOf(ValueId value) const {
        return m_graph.values.contains(value) ? m_graph.values[value].producer : NodeId();
    }
    NodeId operand(NodeId id, std::size_t index) const {
        const auto& inputs = node(id).inputs;
        return index < inputs.size() ? producerOf(inputs[index]) : NodeId();
    }
    ValueId result(NodeId id) const {
        return node(id).outputs.empty() ? ValueId() : node(id).outputs.front();
    }
    std::optional<std::int64_t> size(NodeId id) const {
        return m_graph.values.contains(result(id)) ? elements(m_graph.values[result(id)].shape)
                                                   : std::nullopt;
    }
    /// The only reader of the node's only result, which stays inside the program.
    NodeId onlyReader(NodeId id) const {
        if (node(id).outputs.size() != 1 || !m_graph.values.contains(result(id))
            || m_isOutput[result(id).index()] != 0)
            return {};
        const auto& users = m_graph.values[result(id)].users;
        return users.size() == 1 ? users.front() : NodeId();
    }

    std::uint32_t find(std::uint32_t i) {
        while (m_result.home[i] != i) {
            m_result.home[i] = m_result.home[m_result.home[i]];
            i = m_result.home[i];
        }
        return i;
    }
    bool isAnchored(NodeId id) const { return m_result.home[id.index()] != Anchors::kNone; }
    void anchor(NodeId id, Bond bond) {
        m_result.home[id.index()] = id.value;
        m_result.bond[id.index()] = bond;
    }
    /// Adds a node, or its whole fusion, to another's.
    void join(NodeId id, NodeId to, Bond bond) {
        const std::uint32_t root = find(to.value);
        if (isAnchored(id))
            m_result.home[find(id.value)] = root;
        else
            m_result.home[id.index()] = root;
        m_result.bond[root] = std::max(m_result.bond[root], bond);
    }
    Bond bondOf(NodeId id) { return isAnchored(id) ? m_result.bond[find(id.value)] : Bond::None; }

    /// Walks from a value up through casts, broadcasts and unit axes; collects what it passes.
    NodeId source(ValueId value, std::vector<NodeId>& passed) const {
        NodeId at = producerOf(value);
        while (at.isValid()
            && (node(at).canonical == Op::Cast || node(at).canonical == Op::Expand
                || isIndexOnly(m_graph, node(at)))
            && onlyReader(at).isValid()) {
            passed.push_back(at);
            at = operand(at, 0);
        }
        return at;
    }

    bool reducesLastAxis(NodeId id) const {
        const Node& reduction = node(id);
        const ValueId from = reduction.inputs.empty() ? ValueId() : reduction.inputs.front();
        if (!m_graph.values.contains(from) || !m_graph.values[from].shape)
            return false;
        const auto rank = static_cast<std::int64_t>(m_graph.values[from].shape->size());
        const auto axes = reducedAxes(reduction, static_cast<std::size_t>(rank));
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[axes.size() - 1 - i] != rank - 1 - static_cast<std::int64_t>(i))
                return false;
        return !axes.empty();
    }

    /// div(exp(x − max x), sum exp) read by one product as its left operand.
    void findOnlineSoftmax(NodeId product) {
        if (m_generation < 5 || isConvolution(node(product).canonical)
            || node(product).inputs.size() != 2 || node(product).work.m <= 1)
            return;
        std::vector<NodeId> members;
        const NodeId divide = source(node(product).inputs[0], members);
        if (!divide.isValid() || node(divide).canonical != Op::Div || !onlyReader(divide).isValid())
            return;
        const NodeId exponential = source(node(divide).inputs[0], members);
        const NodeId sum = source(node(divide).inputs[1], members);
        if (!exponential.isValid() || !sum.isValid() || node(exponential).canonical != Op::Exp
            || node(sum).canonical != Op::ReduceSum || !reducesLastAxis(sum)
            || source(node(sum).inputs[0], members) != exponential)
            return;
        const NodeId subtract = source(node(exponential).inputs[0], members);
        if (!subtract.isValid() || node(subtract).canonical != Op::Sub)
            return;
        const NodeId maximum = source(node(subtract).inputs[1], members);
        if (!maximum.isValid() || node(maximum).canonical != Op::ReduceMax
            || !reducesLastAxis(maximum) || node(maximum).inputs[0] != node(subtract).inputs[0])
            return;
        if (m_graph.values[result(exponential)].users.size() > 2
            || m_isOutput[result(exponential).index()] != 0 || !onlyReader(subtract).isValid()
            || !onlyReader(sum).isValid() || !onlyReader(maximum).isValid())
            return;
        const auto& scores = m_graph.values[node(subtract).inputs[0]].shape;
        if (m_generation >= 6 && (!scores || scores->back() < kOnlineSoftmaxKeys))
            return;
        for (const NodeId id : {divide, exponential, sum, subtract, maximum})
            members.push_back(id);
        if (std::any_of(members.begin(), members.end(), [&](NodeId id) {
                return isAnchored(id) || node(id).executions != node(product).executions;
            }))
            return;
        anchor(product, Bond::OnlineSoftmax);
        for (const NodeId id : members)
            join(id, product, Bond::OnlineSoftmax);
    }

    void findEpilogues() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (kind(NodeId(i)) == OpKind::Product && !isAnchored(NodeId(i)))
                anchor(NodeId(i), Bond::Epilogue);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (bondOf(NodeId(i)) == Bond::Epilogue && kind(NodeId(i)) == OpKind::Product)
                growEpilogue(NodeId(i));
    }

    /// Elementwise operators of the product's size that read its result, in execution order, up to
    /// the last one whose result is all that others read.
    void growEpilogue(NodeId product) {
        std::set<NodeId> waiting; // readers of what is inside
        std::unordered_set<std::uint32_t> inside{product.value};
        std::vector<NodeId> grown, closed;
        addReaders(product, inside, waiting);
        while (!waiting.empty() && grown.size() < kMostEpilogue) {
            const NodeId id = *waiting.begin();
            if (isSharedWithLater(id, product, inside)) {
                closed.clear(); // the later product makes the whole chain for its own epilogue
                break;
            }
            if (!isEpilogue(id, product, inside)
                || std::any_of(
                    grown.begin(), grown.end(), [this](NodeId n) { return isLeaving(n); })
                || isLeaving(product))
                break;
            waiting.erase(waiting.begin());
            grown.push_back(id);
            inside.insert(id.value);
            addReaders(id, inside, waiting);
            if (isClosed(product, grown, inside))
                closed = grown;
        }
        for (const NodeId id : closed)
            join(id, product, Bond::Epilogue);
    }

    bool isLeaving(NodeId id) const {
        return node(id).outputs.size() != 1 || !m_graph.values.contains(result(id))
            || m_isOutput[result(id).index()] != 0;
    }

    void addReaders(NodeId id, const std::unordered_set<std::uint32_t>& inside,
        std::set<NodeId>& waiting) const {
        if (!m_graph.values.contains(result(id)))
            return;
        for (const NodeId user : m_graph.values[result(id)].users)
            if (!inside.contains(user.value))
                waiting.insert(user);
    }

    /// All but the last are read inside only.
    bool isClosed(NodeId product, const std::vector<NodeId>& grown,
        const std::unordered_set<std::uint32_t>& inside) const {
        const auto isInner = [&](NodeId id) {
            const auto& users = m_graph.values[result(id)].users;
            return std::all_of(users.begin(), users.end(),
                [&](NodeId user) { return inside.contains(user.value); });
        };
        return isInner(product) && std::all_of(grown.begin(), grown.end() - 1, isInner);
    }

    bool isEpilogue(
        NodeId id, NodeId product, const std::unordered_set<std::uint32_t>& inside) const {
        const bool isLoop = kind(id) == OpKind::Loop && node(id).canonical != Op::Concat;
        if ((!isLoop && !isIndexOnly(m_graph, node(id)))
            || m_result.home[id.index()] != Anchors::kNone || size(id) != size(product)
            || node(id).executions != node(product).executions)
            return false;
        // What comes from outside must not depend on the product.
        return std::all_of(node(id).inputs.begin(), node(id).inputs.end(), [&](ValueId input) {
            const NodeId producer = producerOf(input);
            return !producer.isValid() || producer < product || inside.contains(producer.value)
                || !dependsOn(producer, product);
        });
    }

    /// Whether a node reads another one's result over some way; cautious where the way is long.
    bool dependsOn(NodeId id, NodeId on) const {
        std::vector<NodeId> open{id};
        std::unordered_set<std::uint32_t> seen;
        while (!open.empty()) {
            const NodeId at = open.back();
            open.pop_back();
            if (at == on || seen.size() > kMostSearched)
                return true;
            if (at < on || !seen.insert(at.value).second)
                continue;
            for (const ValueId input : node(at).inputs)
                if (const NodeId producer = producerOf(input); producer.isValid())
                    open.push_back(producer);
        }
        return false;
    }

    /// Another input of the same node comes out of a later product of the same size.
    bool isSharedWithLater(
        NodeId id, NodeId product, const std::unordered_set<std::uint32_t>& inside) const {
        return std::any_of(node(id).inputs.begin(), node(id).inputs.end(), [&](ValueId input) {
            const NodeId other = producerOf(input);
            return other.isValid() && other > product && !inside.contains(other.value)
                && kind(other) == OpKind::Product && m_graph.values[input].users.size() == 1
                && size(other) == size(id) && size(id) == size(product);
        });
    }

    bool isDotFusion(NodeId id) {
        const Bond bond = bondOf(id);
        return (bond == Bond::Epilogue || bond == Bond::RowReduction)
            && !isConvolution(node(NodeId(find(id.value))).canonical);
    }

    void findRowReduction(NodeId id) {
        if (isAnchored(id) || !isPlainReduction(node(id).canonical) || !reducesLastAxis(id))
            return;
        NodeId from = operand(id, 0), square;
        if (from.isValid() && !isAnchored(from) && onlyReader(from) == id
            && (node(from).canonical == Op::Cast
                || (node(from).canonical == Op::Mul
                    && node(from).inputs[0] == node(from).inputs[1]))) {
            square = from;
            from = operand(square, 0);
        }
        if (!from.isValid() || !isDotFusion(from) || node(from).executions != node(id).executions)
            return;
        if (square.isValid())
            join(square, from, Bond::RowReduction);
        join(id, from, Bond::RowReduction);
    }

    bool isPointwiseConvolution(NodeId id) const {
        const Node& conv = node(id);
        if (conv.inputs.size() < 2 || !m_graph.values.contains(conv.inputs[1])
            || !m_graph.values[conv.inputs[1]].shape)
            return false;
        const auto& shape = *m_graph.values[conv.inputs[1]].shape;
        return shape.size() > 2
            && std::all_of(shape.begin() + 2, shape.end(), [](std::int64_t n) { return n == 1; });
    }

    void findDotInside(NodeId outer) {
        if (bondOf(outer) != Bond::Epilogue)
            return;
        const NodeId activation = operand(outer, 0);
        if (!activation.isValid() || bondOf(activation) != Bond::Epilogue
            || kind(activation) == OpKind::Product || onlyReader(activation) != outer
            || node(activation).executions != node(outer).executions)
            return;
        const NodeId inner(find(activation.value));
        if (inner == NodeId(find(outer.value)) || m_isShared.contains(inner.value)
            || m_isShared.contains(outer.value))
            return;
        const bool isOuterConvolution = isConvolution(node(outer).canonical);
        if (isOuterConvolution != isConvolution(node(inner).canonical))
            return;
        if (isOuterConvolution && (!isPointwiseConvolution(outer) || isPointwiseConvolution(inner)))
            return;
        if (m_generation < 6 && node(outer).work.n > kOneWindowColumns)
            return;
        m_isShared.insert(inner.value);
        m_isShared.insert(outer.value);
        join(inner, outer, Bond::DotIntoDot);
    }

    void findSiblings() {
        std::unordered_map<std::uint32_t, NodeId> first;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const NodeId id(i);
            if (isAnchored(id) || !isPlainReduction(node(id).canonical) || node(id).inputs.empty()
                || !node(id).inputs.front().isValid())
                continue;
            const auto [at, isNew] = first.try_emplace(node(id).inputs.front().value, id);
            if (isNew || node(at->second).executions != node(id).executions)
                continue;
            if (!isAnchored(at->second))
                anchor(at->second, Bond::SiblingReductions);
            join(id, at->second, Bond::SiblingReductions);
        }
    }

    /// Slices of one product's result whose readers reorder or concatenate them.
    void findSlices(const Node& from) {
        if (from.outputs.size() != 1 || !m_graph.values.contains(from.outputs[0]))
            return;
        const Value& value = m_graph.values[from.outputs[0]];
        if (value.users.size() < 2 || !value.producer.isValid() || !isAnchored(value.producer)
            || bondOf(value.producer) < Bond::Epilogue)
            return;
        NodeId first;
        for (const NodeId user : value.users) {
            if (node(user).canonical != Op::Slice || isAnchored(user) || !isReordered(user)
                || node(user).executions != from.executions)
                continue;
            if (!first.isValid()) {
                first = user;
                continue;
            }
            if (!isAnchored(first))
                anchor(first, Bond::Slices);
            join(user, first, Bond::Slices);
        }
    }

    bool isReordered(NodeId slice) const {
        const auto& users = m_graph.values[result(slice)].users;
        return std::any_of(users.begin(), users.end(), [&](NodeId user) {
            if (node(user).canonical == Op::Neg)
                user = onlyReader(user).isValid() ? onlyReader(user) : user;
            return kind(user) == OpKind::Relayout || kind(user) == OpKind::Product
                || node(user).canonical == Op::Concat;
        });
    }

    const StageGraph& m_graph;
    int m_generation;
    std::vector<OpKind> m_kinds;
    std::vector<std::uint8_t> m_isOutput;
    std::unordered_set<std::uint32_t> m_isShared; ///< products that share a fusion already
    Anchors m_result;
};

} // namespace

bool isIndexOnly(const StageGraph& graph, const Node& node) {
    if (node.canonical != Op::Reshape && node.canonical != Op::Squeeze
        && node.canonical != Op::Unsqueeze && node.canonical != Op::Flatten
        && node.canonical != Op::Expand)
        return false;
    if (node.inputs.empty() || node.outputs.size() != 1 || !graph.values.contains(node.inputs[0])
        || !graph.values.contains(node.outputs[0]) || !graph.values[node.inputs[0]].shape
        || !graph.values[node.outputs[0]].shape)
        return false;
    const auto &from = *graph.values[node.inputs[0]].shape,
               &to = *graph.values[node.outputs[0]].shape;
    if (node.canonical == Op::Expand)
        return from == to;
    const auto isOne = [](std::int64_t n) { return n != 1; };
    std::vector<std::int64_t> a, b;
    std::copy_if(from.begin(), from.end(), std::back_inserter(a), isOne);
    std::copy_if(to.begin(), to.end(), std::back_inserter(b), isOne);
    if (a == b)
        return true;
    if (from.size() < 2 || to.size() < 2 || from.back() != to.back() || from.back() == 1)
        return false;
    return from[from.size() - 2] % kTileRows == 0 && to[to.size() - 2] % kTileRows == 0;
}

Anchors findAnchors(const StageGraph& graph, int generation) {
    return AnchorFinder(graph, generation).run();
}

} // namespace fivefold::families::tpu
