// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/loop_nest.h"

#include "core/lowering/attention_shape.h"
#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>

namespace fivefold::lowering {

namespace {

constexpr double kPartialBytes = 4; ///< a partial sum is kept at fp32
constexpr std::array<std::string_view, 3> kOrders = {"output", "weight", "input"};
constexpr std::array<std::string_view, 3> kForms = {"kept", "online", "three_passes"};

template <typename Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N>& names, std::string_view text) {
    const auto found = std::ranges::find(names, text);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<Enum>(found - names.begin()));
}

double times(std::initializer_list<std::int64_t> extents) {
    double product = 1;
    for (const std::int64_t extent : extents)
        product *= static_cast<double>(std::max<std::int64_t>(extent, 1));
    return product;
}

std::int64_t elementBytesOf(const StageGraph& graph, const Node& node) {
    constexpr std::int64_t kBitsPerByte = 8;
    for (const ValueId input : node.inputs)
        if (graph.values.contains(input) && graph.values[input].dtype != ir::DType::Undefined)
            return std::max<std::int64_t>(1,
                static_cast<std::int64_t>(ir::bitWidth(graph.values[input].dtype)) / kBitsPerByte);
    return 2;
}

AttentionSizes fromShape(const AttentionShape& shape, std::int64_t elementBytes) {
    return {shape.batch, shape.heads, shape.kvHeads, shape.queries, shape.keys, shape.headSize,
        shape.valueSize, elementBytes};
}

constexpr int kLongestWay = 6; ///< scale, mask, casts and copies between a product and its softmax

bool isMatrixProductOp(ir::Op op) {
    return op == ir::Op::MatMul || op == ir::Op::FusedMatMul || op == ir::Op::Einsum;
}

/// The product that the value comes from through operators that keep its shape; invalid without
/// one.
NodeId productAbove(const StageGraph& graph, ValueId value, int steps) {
    if (!graph.values.contains(value) || steps > kLongestWay)
        return {};
    const NodeId producer = graph.values[value].producer;
    if (!graph.nodes.contains(producer))
        return {};
    const Node& node = graph.nodes[producer];
    if (isMatrixProductOp(node.canonical))
        return producer;
    if (node.opClass() != ir::OpClass::Pointwise && node.canonical != ir::Op::Identity)
        return {};
    for (const ValueId input : node.inputs)
        if (graph.values.contains(input) && graph.values[input].shape == graph.values[value].shape)
            if (const NodeId found = productAbove(graph, input, steps + 1); found.isValid())
                return found;
    return {};
}

/// The product whose first operand the value becomes, copies and dropouts on the way.
NodeId productBelow(const StageGraph& graph, ValueId value, int steps) {
    if (!graph.values.contains(value) || steps > kLongestWay)
        return {};
    for (const NodeId user : graph.values[value].users) {
        const Node& node = graph.nodes[user];
        if (isMatrixProductOp(node.canonical) && !node.inputs.empty() && node.inputs.front() == value)
            return user;
        const bool isCopy = node.canonical == ir::Op::Identity || node.canonical == ir::Op::Dropout
            || node.canonical == ir::Op::Cast;
        if (isCopy && !node.outputs.empty())
            if (const NodeId found = productBelow(graph, node.outputs.front(), steps + 1);
                found.isValid())
                return found;
    }
    return {};
}

/// From the works of both products: […, queries, size] · […, size, keys], then · […, keys, size].
std::optional<AttentionSizes> fromProducts(
    const StageGraph& graph, const Node& scores, const Node& context) {
    const Work &first = scores.work, &second = context.work;
    if (!first.isKnown || !second.isKnown || first.batch <= 0 || first.n != second.k
        || first.m != second.m)
        return std::nullopt;
    AttentionSizes sizes;
    sizes.heads = sizes.kvHeads = first.batch;
    sizes.queries = first.m;
    sizes.keys = first.n;
    sizes.headSize = first.k;
    sizes.valueSize = second.n;
    sizes.elementBytes = elementBytesOf(graph, scores);
    return sizes;
}

} // namespace

double ProductSizes::flops() const {
    return 2 * times({batch, m, n, k});
}

std::optional<ProductSizes> productSizes(const StageGraph& graph, const Node& node) {
    const Work& work = node.work;
    if (!work.isKnown || work.m <= 0 || work.n <= 0 || work.k <= 0 || isAttention(node.canonical)
        || node.opClass() != ir::OpClass::Contraction)
        return std::nullopt;
    ProductSizes sizes;
    sizes.batch = std::max<std::int64_t>(1, work.batch);
    sizes.m = work.m;
    sizes.n = work.n;
    sizes.k = work.k;
    sizes.elementBytes = elementBytesOf(graph, node);
    sizes.isConvolution = node.canonical == ir::Op::Conv || node.canonical == ir::Op::ConvTranspose;
    if (node.inputs.size() > 1 && graph.values.contains(node.inputs[1])) {
        const auto& shape = graph.values[node.inputs[1]].shape;
        sizes.isWeightShared = shape && (sizes.isConvolution || shape->size() <= 2);
    }
    if (sizes.isConvolution && graph.values.contains(node.inputs.front()))
        if (const auto bytes = graph.values[node.inputs.front()].bytes())
            sizes.inputBytes = bytes->value;
    return sizes;
}

std::string_view toString(LoopOrder order) {
    return kOrders[static_cast<std::size_t>(order)];
}

std::optional<LoopOrder> parseLoopOrder(std::string_view text) {
    return parse<LoopOrder>(kOrders, text);
}

NestTraffic nestTraffic(const ProductSizes& p, const Block& block, LoopOrder order) {
    const std::int64_t bm = ceilDiv(p.m, block.m), bn = ceilDiv(p.n, block.n),
                       bk = ceilDiv(p.k, block.k);
    const auto element = static_cast<double>(p.elementBytes);
    const double batch = times({p.batch});
    const double a =
        p.inputBytes > 0 ? static_cast<double>(p.inputBytes) : batch * element * times({p.m, p.k});
    const double b = element * times({p.k, p.n}) * (p.isWeightShared ? 1 : batch);
    const double c = batch * times({p.m, p.n});
    // A block that covers its operand along all loops inside stays, whatever the order.
    const bool isInputWhole = bm == 1 && bk == 1, isWeightWhole = bn == 1 && bk == 1;
    NestTraffic t;
    const auto again = [](std::int64_t blocks) { return static_cast<double>(blocks); };
    t.input = a * (order == LoopOrder::InputStationary || isInputWhole ? 1 : again(bn));
    t.weight = b * (order == LoopOrder::WeightStationary || isWeightWhole ? 1 : again(bm));
    t.result = c * element;
    if (order != LoopOrder::OutputStationary && bk > 1)
        t.result += c * kPartialBytes * (2 * again(bk) - 2);
    t.steps = saturatingMul(saturatingMul(bm, bn), saturatingMul(bk, p.batch));
    const auto buffers = [](bool changes) { return changes ? 2.0 : 1.0; };
    const auto held = [&p](std::int64_t extent, std::int64_t part) {
        return static_cast<double>(std::min(extent, part));
    };
    t.held = element * held(p.m, block.m) * held(p.k, block.k) * buffers(bm > 1 || bk > 1)
        + element * held(p.k, block.k) * held(p.n, block.n) * buffers(bn > 1 || bk > 1)
        + kPartialBytes * held(p.m, block.m) * held(p.n, block.n);
    return t;
}

std::string_view toString(SoftmaxForm form) {
    return kForms[static_cast<std::size_t>(form)];
}

std::optional<SoftmaxForm> parseSoftmaxForm(std::string_view text) {
    return parse<SoftmaxForm>(kForms, text);
}

std::int64_t reads(SoftmaxForm form) {
    return static_cast<std::int64_t>(form) + 1;
}

double AttentionSizes::flops() const {
    return 2 * times({batch, heads, queries, keys}) * static_cast<double>(headSize + valueSize);
}

double AttentionSizes::operandBytes() const {
    const double q = times({batch, heads, queries}) * static_cast<double>(headSize + valueSize);
    const double kv = times({batch, kvHeads, keys}) * static_cast<double>(headSize + valueSize);
    return (q + kv) * static_cast<double>(elementBytes);
}

double AttentionSizes::scoreBytes() const {
    return times({batch, heads, queries, keys}) * static_cast<double>(elementBytes);
}

double unfusedAttentionBytes(const AttentionSizes& sizes, SoftmaxForm form) {
    // Written by the first product, read and written by the softmax, read by the second product.
    return sizes.operandBytes() + sizes.scoreBytes() * static_cast<double>(3 + reads(form));
}

double tiledAttentionBytes(const AttentionSizes& sizes, std::int64_t queryBlock) {
    const double kv = times({sizes.batch, sizes.kvHeads, sizes.keys})
        * static_cast<double>((sizes.headSize + sizes.valueSize) * sizes.elementBytes);
    // Heads of a group share a block's keys.
    return sizes.operandBytes() + kv * static_cast<double>(ceilDiv(sizes.queries, queryBlock) - 1);
}

double attentionTileBytes(
    const AttentionSizes& sizes, std::int64_t queryBlock, std::int64_t keyBlock) {
    const auto q = static_cast<double>(std::min(queryBlock, sizes.queries));
    const auto k = static_cast<double>(std::min(keyBlock, sizes.keys));
    const auto element = static_cast<double>(sizes.elementBytes);
    const auto width = static_cast<double>(sizes.headSize + sizes.valueSize);
    return q * static_cast<double>(sizes.headSize) * element
        + q * static_cast<double>(sizes.valueSize) * kPartialBytes + 2 * k * width * element
        + q * k * kPartialBytes;
}

std::optional<AttentionSizes> attentionSizes(const StageGraph& graph, NodeId id) {
    if (!graph.nodes.contains(id))
        return std::nullopt;
    const Node& node = graph.nodes[id];
    if (const auto shape = attentionShape(graph.values, node))
        return fromShape(*shape, elementBytesOf(graph, node));
    if (node.canonical != ir::Op::Softmax)
        return std::nullopt;
    if (node.inputs.empty() || node.outputs.empty())
        return std::nullopt;
    const NodeId above = productAbove(graph, node.inputs.front(), 0);
    const NodeId below = productBelow(graph, node.outputs.front(), 0);
    if (!above.isValid() || !below.isValid())
        return std::nullopt;
    return fromProducts(graph, graph.nodes[above], graph.nodes[below]);
}

} // namespace fivefold::lowering
