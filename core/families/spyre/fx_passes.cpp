// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/fx_passes.h"

#include "core/families/spyre/loops.h"
#include "core/families/spyre/operators.h"
#include "core/lowering/patterns.h"

#include <algorithm>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::ValueId;

namespace {

using Extents = std::vector<std::int64_t>;

/// The order of the nodes as a list while nodes move in it.
class LocalOrder {
public:
    LocalOrder(const StageGraph& graph, const ir::Graph& captured)
        : m_graph(graph)
        , m_captured(captured)
        , m_isLive(graph.nodes.size(), false)
        , m_isSeen(graph.nodes.size(), false)
        , m_next(graph.nodes.size() + 1)
        , m_previous(graph.nodes.size() + 1) { }

    std::vector<NodeId> run() {
        markLive();
        link();
        for (const ValueId output : m_graph.outputs)
            visit(output, m_end);
        for (std::size_t at = m_previous[m_end]; at != m_end; at = m_previous[at]) {
            m_isSeen[at] = true;
            for (const ValueId input : m_graph.nodes[NodeId(at)].inputs)
                visit(input, at);
        }
        std::vector<NodeId> order;
        for (std::size_t at = m_next[m_end]; at != m_end; at = m_next[at])
            order.emplace_back(at);
        return order;
    }

private:
    void markLive() {
        std::vector<ValueId> open(m_graph.outputs);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_graph.nodes[NodeId(i)].canonical == Op::CopyInto)
                mark(NodeId(i), open);
        while (!open.empty()) {
            const ValueId value = open.back();
            open.pop_back();
            if (value.isValid() && m_graph.values[value].producer.isValid())
                mark(m_graph.values[value].producer, open);
        }
    }

    void mark(NodeId id, std::vector<ValueId>& open) {
        if (m_isLive[id.index()])
            return;
        m_isLive[id.index()] = true;
        const auto& inputs = m_graph.nodes[id].inputs;
        open.insert(open.end(), inputs.begin(), inputs.end());
    }

    void link() {
        m_end = m_graph.nodes.size();
        std::size_t last = m_end;
        for (std::size_t i = 0; i < m_end; ++i) {
            if (!m_isLive[i])
                continue;
            m_next[last] = i;
            m_previous[i] = last;
            last = i;
        }
        m_next[last] = m_end;
        m_previous[m_end] = last;
    }

    bool isGetItem(const Node& node) const {
        return node.canonical == Op::Identity && !node.sources.empty()
            && m_captured.nodes[node.sources.front()].sourceOp.find("getitem") != std::string::npos;
    }

    void visit(ValueId input, std::size_t user) {
        const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
        if (!producer.isValid())
            return;
        const Node& node = m_graph.nodes[producer];
        if (isGetItem(node) || node.canonical == Op::CopyInto)
            return;
        for (const ValueId output : node.outputs)
            if (output.isValid())
                for (const NodeId other : m_graph.values[output].users)
                    if (m_isLive[other.index()] && !m_isSeen[other.index()])
                        return;
        const std::size_t at = producer.index();
        if (at == user)
            return;
        m_next[m_previous[at]] = m_next[at];
        m_previous[m_next[at]] = m_previous[at];
        m_previous[at] = m_previous[user];
        m_next[at] = user;
        m_next[m_previous[user]] = at;
        m_previous[user] = at;
    }

    const StageGraph& m_graph;
    const ir::Graph& m_captured;
    std::vector<bool> m_isLive, m_isSeen;
    std::vector<std::size_t> m_next, m_previous; ///< the entry behind the nodes is the end
    std::size_t m_end = 0;
};

bool isFlattening(const Rewriter& rewriter, NodeId id) {
    return id.isValid() && rewriter.isAlive(id) && kindOf(rewriter.node(id)) == OpKind::View
        && (rewriter.node(id).canonical == Op::Reshape
            || rewriter.node(id).canonical == Op::Flatten);
}

Extents shapeOf(const Rewriter& rewriter, ValueId id) {
    return id.isValid() ? rewriter.value(id).shape.value_or(Extents{}) : Extents{};
}

/// The only user of a value, where that is a reshape.
NodeId onlyReshape(const Rewriter& rewriter, ValueId value) {
    const auto users = rewriter.users(value);
    for (const ValueId output : rewriter.graph().outputs)
        if (output.isValid() && rewriter.resolve(output) == rewriter.resolve(value))
            return {};
    return users.size() == 1 && isFlattening(rewriter, users.front()) ? users.front() : NodeId();
}

ir::Attributes named(const char* aten) {
    ir::Attributes attributes;
    attributes.set(kAtenAttribute, std::string(aten));
    return attributes;
}

/// view, mm or addmm, view → bmm over the weight of every batch, and an add.
bool unflattenLinear(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const bool isGemm = node.canonical == Op::Gemm;
    if ((node.canonical != Op::MatMul && !isGemm) || node.outputs.size() != 1)
        return false;
    if (isGemm
        && (node.attributes.number("alpha", 1) != 1 || node.attributes.number("beta", 1) != 1
            || node.attributes.integer("transA", 0) != 0
            || node.attributes.integer("transB", 0) != 0))
        return false;
    const ValueId flat = rewriter.input(id, 0), weight = rewriter.input(id, 1);
    const NodeId flatten = flat.isValid() ? rewriter.value(flat).producer : NodeId();
    const NodeId restore = onlyReshape(rewriter, node.outputs[0]);
    if (!isFlattening(rewriter, flatten) || !restore.isValid())
        return false;
    const ValueId x = rewriter.input(flatten, 0);
    const Extents from = shapeOf(rewriter, x), w = shapeOf(rewriter, weight);
    const Extents to = shapeOf(rewriter, rewriter.node(restore).outputs[0]);
    if (from.size() != 3 || w.size() != 2 || to.size() != 3 || from[2] != w[0] || to[0] != from[0]
        || to[1] != from[1] || to[2] != w[1])
        return false;
    const ValueId bias = isGemm ? rewriter.input(id, 2) : ValueId();
    auto sequence = rewriter.replace(std::vector<NodeId>{id, restore},
        "A linear layer of a batch is a batched product with its weight expanded.");
    auto expandTo = [&](const char* suffix, ValueId value, Extents shape) {
        ir::Attributes attributes = named("aten.expand.default");
        attributes.set("shape", shape);
        return sequence.add({Op::Expand, suffix, {value},
            {{ir::DType::Undefined, std::move(shape)}}, std::move(attributes)});
    };
    const ValueId left = expandTo("left", x, from);
    const ValueId unsqueezed = sequence.add({Op::Unsqueeze, "unsqueeze", {weight},
        {{ir::DType::Undefined, Extents{1, w[0], w[1]}}}, named("aten.unsqueeze.default")});
    const ValueId right = expandTo("right", unsqueezed, {from[0], w[0], w[1]});
    ValueId out = sequence.add({Op::MatMul, "bmm", {left, right}, {{ir::DType::Undefined, to}},
        named("aten.bmm.default")});
    if (bias.isValid())
        out = sequence.add(
            {Op::Add, "add", {out, bias}, {{ir::DType::Undefined, to}}, named("aten.add.Tensor")});
    sequence.finish(out);
    return true;
}

/// view, view, bmm, view of rank-4 tensors → spyre.batched_matmul.
bool unflattenBatched(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.canonical != Op::MatMul || node.outputs.size() != 1 || node.inputs.size() != 2)
        return false;
    ValueId operands[2];
    for (std::size_t i = 0; i < 2; ++i) {
        const ValueId flat = rewriter.input(id, i);
        const NodeId flatten = flat.isValid() ? rewriter.value(flat).producer : NodeId();
        if (!isFlattening(rewriter, flatten) || shapeOf(rewriter, flat).size() != 3)
            return false;
        operands[i] = rewriter.input(flatten, 0);
        if (shapeOf(rewriter, operands[i]).size() != 4)
            return false;
    }
    const NodeId restore = onlyReshape(rewriter, node.outputs[0]);
    if (!restore.isValid())
        return false;
    const Extents a = shapeOf(rewriter, operands[0]), b = shapeOf(rewriter, operands[1]);
    const Extents to = shapeOf(rewriter, rewriter.node(restore).outputs[0]);
    if (to != Extents{a[0], a[1], a[2], b[3]} || a[0] != b[0] || a[1] != b[1] || a[3] != b[2])
        return false;
    auto sequence = rewriter.replace(std::vector<NodeId>{id, restore},
        "A batched product of rank 4 keeps its batch dimensions.");
    sequence.finish(sequence.add({Op::MatMul, "batched_matmul", {operands[0], operands[1]},
        {{ir::DType::Undefined, to}}, named("spyre.batched_matmul.default")}));
    return true;
}

} // namespace

StageGraph inLocalOrder(StageGraph graph, const ir::Graph& captured) {
    const std::vector<NodeId> order = LocalOrder(graph, captured).run();
    std::vector<NodeId> now(graph.nodes.size());
    base::IdVector<NodeId, Node> nodes;
    for (const NodeId id : order) {
        now[id.index()] = NodeId(nodes.size());
        nodes.add(std::move(graph.nodes[id]));
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!now[i].isValid())
            for (const ir::NodeId source : graph.nodes[NodeId(i)].sources)
                graph.removed.push_back({source, lowering::Stage::Decomposed, "Nothing reads it."});
    graph.nodes = std::move(nodes);
    for (lowering::Value& value : graph.values) {
        if (value.producer.isValid())
            value.producer = now[value.producer.index()];
        std::erase_if(value.users, [&now](NodeId user) { return !now[user.index()].isValid(); });
        for (NodeId& user : value.users)
            user = now[user.index()];
        std::ranges::sort(value.users);
    }
    return graph;
}

void unflattenProducts(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order())
        if (rewriter.isAlive(id) && !unflattenLinear(rewriter, id))
            unflattenBatched(rewriter, id);
}

bool decomposeConvolution(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), weight = rewriter.input(id, 1);
    const ValueId bias = rewriter.input(id, 2);
    const Extents w = shapeOf(rewriter, weight), from = shapeOf(rewriter, x);
    const Extents to = node.outputs.empty() ? Extents{} : shapeOf(rewriter, node.outputs.front());
    if (node.canonical != Op::Conv || node.outputs.size() != 1 || w.size() != 4 || from.size() != 4
        || to.size() != 4 || node.attributes.integer("group", 1) != 1)
        return false;
    const std::int64_t batch = to[0], channels = to[1], places = to[2] * to[3],
                       taps = w[1] * w[2] * w[3];
    ir::Attributes windows = named("spyre.unfold.default");
    for (const char* key : {"kernel_shape", "strides", "pads", "dilations"})
        if (const auto list = node.attributes.integers(key))
            windows.set(key, *list);
    if (!windows.has("kernel_shape"))
        windows.set("kernel_shape", Extents{w[2], w[3]});
    auto sequence = rewriter.replace(id, "A convolution is unfolded on the host and multiplied.");
    const auto add = [&](Op op, const char* suffix, std::vector<ValueId> inputs, Extents shape,
                         ir::Attributes attributes) {
        return sequence.add({op, suffix, std::move(inputs),
            {{ir::DType::Undefined, std::move(shape)}}, std::move(attributes)});
    };
    const auto reshape = [&](const char* suffix, ValueId value, Extents shape, const char* aten) {
        ir::Attributes attributes = named(aten);
        attributes.set("shape", shape);
        return add(Op::Reshape, suffix, {value}, std::move(shape), std::move(attributes));
    };
    const auto expand = [&](const char* suffix, ValueId value, Extents shape) {
        ir::Attributes attributes = named("aten.expand.default");
        attributes.set("shape", shape);
        return add(Op::Expand, suffix, {value}, std::move(shape), std::move(attributes));
    };
    constexpr const char* kOnHost = "spyre.reshape_via_cpu.default";
    ValueId left = reshape("weight", weight, {channels, taps}, kOnHost);
    left = add(Op::Unsqueeze, "weight_batch", {left}, {1, channels, taps},
        named("aten.unsqueeze.default"));
    left = expand("weights", left, {batch, channels, taps});
    if (batch > 1)
        left = sequence.add({Op::Identity, "clone", {left},
            {{ir::DType::Undefined, Extents{batch, channels, taps}}}, named("aten.clone.default"),
            std::string(kClone)});
    left = expand("left", left, {batch, channels, taps});
    const ValueId right =
        expand("right", add(Op::Im2Col, "unfold", {x}, {batch, taps, places}, std::move(windows)),
            {batch, taps, places});
    ValueId out =
        add(Op::MatMul, "bmm", {left, right}, {batch, channels, places}, named("aten.bmm.default"));
    if (bias.isValid())
        out = add(Op::Add, "add", {out, reshape("bias", bias, {1, channels, 1}, kOnHost)},
            {batch, channels, places}, named("aten.add.Tensor"));
    sequence.finish(reshape("result", out, to, "aten.reshape.default"));
    return true;
}

} // namespace fivefold::families::spyre
