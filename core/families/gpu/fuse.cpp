// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_label.h"
#include "core/families/gpu/operators.h"
#include "core/families/gpu/stages.h"
#include "core/lowering/tiling.h"

#include "core/lowering/fusion.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::size_t kMaximumNodes = 64; ///< torch._inductor.config.max_fusion_size
constexpr std::int64_t kSharedBytes = 10; ///< torch._inductor.config.score_fusion_memory_threshold

/// The iteration domain of a kernel: numel results of rnumel inputs each.
struct Domain {
    bool isKnown = false;
    bool isReduction = false;
    bool isOuter = false; ///< reduces along an axis that is not the innermost
    std::int64_t numel = 0, rnumel = 1;
};

bool isFusable(OpKind kind) {
    return kind == OpKind::Pointwise || kind == OpKind::Indirect || kind == OpKind::Window
        || kind == OpKind::Reduction;
}

/// Scatters write through an index: readers do not join, and the destination is stored first.
bool isScatter(Op op) {
    return op == Op::Scatter || op == Op::ScatterElements || op == Op::ScatterND
        || op == Op::TensorScatter;
}

bool isScan(Op op) {
    return op == Op::CumSum || op == Op::CumProd;
}

bool reducesOuterAxis(const StageGraph& graph, const Node& node) {
    const auto& shape = graph.values[node.inputs.front()].shape;
    if (!shape)
        return true;
    const std::vector<std::int64_t> axes = reducedAxes(node, shape->size());
    std::size_t expected = shape->size();
    for (std::size_t i = axes.size(); i-- > 0;) {
        --expected;
        while (expected > 0 && (*shape)[expected] == 1
            && static_cast<std::size_t>(axes[i]) != expected)
            --expected;
        if (static_cast<std::size_t>(axes[i]) != expected)
            return true;
    }
    return false;
}

Domain domainOf(const StageGraph& graph, const Node& node, OpKind kind) {
    Domain domain;
    if (!isFusable(kind) || node.outputs.empty() || !graph.values.contains(node.outputs.front()))
        return domain;
    const std::optional<std::int64_t> results = elements(graph.values[node.outputs.front()].shape);
    if (!results || *results <= 0)
        return domain;
    domain.isKnown = true;
    domain.numel = *results;
    if (kind != OpKind::Reduction || node.inputs.empty()
        || !graph.values.contains(node.inputs.front()))
        return domain;
    const std::optional<std::int64_t> read = elements(graph.values[node.inputs.front()].shape);
    const std::int64_t reduced = read && *read % *results == 0 ? *read / *results : 1;
    if (isScan(node.canonical)) {
        domain.isReduction = true; // a scan keeps its size: others × length
        domain.rnumel = std::max<std::int64_t>(1, node.work.reduced);
        domain.numel = domain.numel / domain.rnumel;
    } else if (isLoopedReduction(node) && reduced > 1) {
        domain.isReduction = true;
        domain.rnumel = reduced;
        domain.isOuter = reducesOuterAxis(graph, node);
    }
    return domain;
}

/// Inductor's group test (SIMDScheduling.can_fuse) for a producer and a consumer.
bool agree(const Domain& a, const Domain& b) {
    if (!a.isKnown || !b.isKnown)
        return false;
    if (a.isReduction && b.isReduction)
        return a.numel == b.numel && a.rnumel == b.rnumel;
    if (!a.isReduction && !b.isReduction)
        return a.numel == b.numel;
    const Domain& reduction = a.isReduction ? a : b;
    const Domain& pointwise = a.isReduction ? b : a;
    if (pointwise.numel == reduction.numel)
        return true;
    return !(reduction.isOuter && a.isReduction)
        && pointwise.numel == saturatingMul(reduction.numel, reduction.rnumel);
}

Domain united(const Domain& a, const Domain& b) {
    Domain domain = a.isReduction ? a : b;
    domain.isOuter = (a.isReduction && a.isOuter) || (b.isReduction && b.isOuter);
    return domain;
}

class Grouping {
public:
    Grouping(const StageGraph& graph)
        : m_graph(graph)
        , m_fusion(graph)
        , m_kinds(graph.nodes.size(), OpKind::View) {
        m_fusion.maximumNodes = kMaximumNodes;
        m_domains.reserve(graph.nodes.size());
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Node& node = graph.nodes[NodeId(i)];
            m_kinds[i] = node.support == Support::Unsupported ? OpKind::Unsupported : kindOf(node);
            m_domains.push_back(domainOf(graph, node, m_kinds[i]));
        }
    }

    void run() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            visit(NodeId(i));
        attachInputViews();
    }

    const Fusion& fusion() const { return m_fusion; }
    OpKind kind(NodeId node) const { return m_kinds[node.index()]; }
    const Domain& domain(GroupId group) const { return m_domains[group.index()]; }

private:
    /// The node that really computes a value, behind views; and whether a view on the way shifts
    /// the index.
    struct Source {
        NodeId node;
        bool isShifted = false; ///< a slice or a split lies between
        bool isPermuted = false;
    };

    Source sourceOf(ValueId value) const {
        Source source;
        while (m_graph.values.contains(value)) {
            source.node = m_graph.values[value].producer;
            if (!source.node.isValid() || kind(source.node) != OpKind::View)
                return source;
            const Node& view = m_graph.nodes[source.node];
            source.isShifted |= view.canonical == Op::Slice || view.canonical == Op::Split
                || view.canonical == Op::Crop;
            source.isPermuted |= view.canonical == Op::Transpose;
            if (view.inputs.empty())
                return {};
            value = view.inputs.front();
        }
        return {};
    }

    bool merge(NodeId producer, NodeId consumer, const std::string& reason) {
        const GroupId a = m_fusion.groupOf(producer), b = m_fusion.groupOf(consumer);
        if (a == b)
            return true;
        const Domain domain = united(m_domains[a.index()], m_domains[b.index()]);
        if (!m_fusion.merge(a, b, reason))
            return false;
        m_domains[m_fusion.groupOf(consumer).index()] = domain;
        return true;
    }

    void visit(NodeId id) {
        const Node& node = m_graph.nodes[id];
        if (kind(id) == OpKind::View || kind(id) == OpKind::Free) {
            joinProducer(id);
            return;
        }
        if (takesBias(id) || !isFusable(kind(id)))
            return;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (readsInPlace(node, i))
                joinVertically(id, sourceOf(node.inputs[i]));
        joinSibling(id);
    }

    /// Views take the kernel of what they look at: they cost nothing there.
    void joinProducer(NodeId id) {
        const Node& node = m_graph.nodes[id];
        for (const ValueId input : node.inputs) {
            const NodeId producer =
                m_graph.values.contains(input) ? m_graph.values[input].producer : NodeId();
            if (!producer.isValid())
                continue;
            const GroupId group = m_fusion.groupOf(producer);
            const Domain domain = m_domains[group.index()];
            m_fusion.maximumNodes = 4096; // a view adds no code to the kernel
            if (m_fusion.merge(group, m_fusion.groupOf(id), m_fusion.reason(group)))
                m_domains[m_fusion.groupOf(id).index()] = domain;
            m_fusion.maximumNodes = kMaximumNodes;
            return;
        }
    }

    /// mm + bias is addmm: the library call takes a bias vector along.
    bool takesBias(NodeId id) {
        const Node& node = m_graph.nodes[id];
        if (node.canonical != Op::Add || node.inputs.size() != 2)
            return false;
        for (const std::size_t i : {0, 1}) {
            const ValueId product = node.inputs[i], bias = node.inputs[1 - i];
            const NodeId producer = m_graph.values[product].producer;
            if (!producer.isValid() || m_graph.nodes[producer].op != "aten.mm"
                || m_graph.values[product].users.size() != 1 || !isBias(bias)
                || m_graph.values[product].shape != m_graph.values[node.outputs.front()].shape)
                continue;
            const GroupId group = m_fusion.groupOf(producer);
            if (m_fusion.merge(group, m_fusion.groupOf(id),
                    "The bias vector rides along in the library call: mm and add are addmm.")) {
                m_domains[m_fusion.groupOf(id).index()] = Domain{};
                return true;
            }
        }
        return false;
    }

    bool isBias(ValueId id) const {
        const Value& value = m_graph.values[id];
        const bool isStored = value.role == ValueRole::Weight || value.role == ValueRole::Constant;
        return isStored && !value.producer.isValid() && value.shape && value.shape->size() == 1;
    }

    /// False for reads through another index than the node's own: table look-ups, windows,
    /// concatenation.
    bool readsInPlace(const Node& node, std::size_t input) const {
        switch (node.canonical) {
        case Op::Gather:
        case Op::GatherND:
        case Op::GatherElements:
            return input == 1;
        case Op::Concat:
        case Op::Pad:
        case Op::Tile:
            return false;
        default:
            break;
        }
        return kindOf(node) != OpKind::Window && !isScatter(node.canonical)
            && m_graph.values.contains(node.inputs[input]);
    }

    void joinVertically(NodeId id, const Source& source) {
        if (!source.node.isValid() || source.isShifted
            || isScatter(m_graph.nodes[source.node].canonical))
            return;
        const GroupId producer = m_fusion.groupOf(source.node), own = m_fusion.groupOf(id);
        const Domain &a = m_domains[producer.index()], &b = m_domains[own.index()];
        if (producer == own || !agree(a, b))
            return;
        if (source.isPermuted && (a.isReduction || b.isReduction))
            return;
        merge(source.node, id, reasonFor(a, b));
    }

    std::string reasonFor(const Domain& a, const Domain& b) const {
        const Domain domain = united(a, b);
        std::string size = std::to_string(domain.numel);
        if (!domain.isReduction)
            return "Same numel " + size + ": one loop, what lies between stays in registers.";
        return "Same domain (numel " + size + ", rnumel " + std::to_string(domain.rnumel)
            + "): statistics and what reads them are one kernel.";
    }

    /// Kernels that do not feed each other join when they read the same tensor over the same
    /// domain.
    void joinSibling(NodeId id) {
        const Node& node = m_graph.nodes[id];
        for (const ValueId input : node.inputs) {
            if (!m_graph.values.contains(input))
                continue;
            const std::optional<base::Bytes> bytes = m_graph.values[input].bytes();
            if (!bytes || bytes->value < kSharedBytes)
                continue;
            NodeId& last = m_lastReader[input.value];
            if (last.isValid() && m_fusion.groupOf(last) != m_fusion.groupOf(id)) {
                const Domain& a = m_domains[m_fusion.groupOf(last).index()];
                const Domain& b = m_domains[m_fusion.groupOf(id).index()];
                if (agree(a, b) && a.isReduction == b.isReduction)
                    merge(last, id,
                        "Both read " + m_graph.values[input].name + " over the same domain.");
            }
            last = id;
        }
    }

    /// Views of inputs and weights go to their first reader.
    void attachInputViews() {
        m_fusion.maximumNodes = 4096;
        for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
            const NodeId id(i);
            const GroupId own = m_fusion.groupOf(id);
            if (kind(id) != OpKind::View || m_fusion.nodes(own).size() > 1)
                continue;
            for (const ValueId output : m_graph.nodes[id].outputs) {
                if (!m_graph.values.contains(output) || m_graph.values[output].users.empty())
                    continue;
                const GroupId reader = m_fusion.groupOf(m_graph.values[output].users.front());
                const Domain domain = m_domains[reader.index()];
                if (m_fusion.merge(own, reader, m_fusion.reason(reader))) {
                    m_domains[m_fusion.groupOf(id).index()] = domain;
                    break;
                }
            }
        }
    }

    const StageGraph& m_graph;
    Fusion m_fusion;
    std::vector<OpKind> m_kinds;
    std::vector<Domain> m_domains; ///< by group id
    std::unordered_map<std::uint32_t, NodeId> m_lastReader;
};

} // namespace

base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) {
    if (!context.settings.isFusionOn)
        return oneKernelEach(
            std::move(decomposed), [](const Node& node) { return kernelKind(node); });
    Grouping grouping(decomposed);
    grouping.run();
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    const Fusion& fusion = grouping.fusion();
    std::vector<Fusion::Label> labels(decomposed.nodes.size()); // by group
    std::size_t number = 0;
    for (const GroupId group : fusion.groups()) {
        KernelLabel label =
            labelOf(decomposed, fusion.nodes(group), fusion.reason(group), number++);
        labels[group.index()] = {
            std::move(label.name), std::move(label.kind), std::move(label.reason)};
    }
    return fusion.finish(std::move(decomposed),
        [&labels](const Fusion&, GroupId group) { return std::move(labels[group.index()]); });
}

} // namespace fivefold::families::gpu
