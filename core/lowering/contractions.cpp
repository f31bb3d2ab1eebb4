// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

bool isFloatConv(ir::Op op) {
    return op == ir::Op::Conv || op == ir::Op::FusedConv;
}

/// x with its last two axes swapped.
ValueId swapped(Sequence& sequence, std::string_view suffix, ValueId x) {
    const auto rank = static_cast<std::int64_t>(sequence.rank(x).value_or(2));
    Extents order;
    for (std::int64_t axis = 0; axis < rank; ++axis)
        order.push_back(axis);
    if (rank >= 2)
        std::swap(
            order[static_cast<std::size_t>(rank - 1)], order[static_cast<std::size_t>(rank - 2)]);
    return sequence.transpose(suffix, x, std::move(order));
}

/// The product of a Gemm or a FusedMatMul, transposes as the style wants them.
ValueId emitProduct(Sequence& sequence, const Node& node, ValueId a, ValueId b,
    const KnownShape& shape, bool keepsTransposes) {
    const bool transA = node.attributes.integer("transA", 0) != 0;
    const bool transB = node.attributes.integer("transB", 0) != 0;
    if (!keepsTransposes) {
        if (transA)
            a = swapped(sequence, "a_transposed", a);
        if (transB)
            b = swapped(sequence, "b_transposed", b);
    }
    const bool fuses = keepsTransposes && (transA || transB);
    NewNode product{fuses ? ir::Op::FusedMatMul : ir::Op::MatMul, "matmul", {a, b}, {}, {}, {}};
    if (fuses && transA)
        product.attributes.set("transA", std::int64_t(1));
    if (fuses && transB)
        product.attributes.set("transB", std::int64_t(1));
    product.outputs.push_back({sequence.value(a).dtype, shape, ValueRole::Activation});
    return sequence.add(std::move(product));
}

ValueId emitScaled(Sequence& sequence, std::string_view suffix, ValueId x, double factor) {
    return factor == 1.0 ? x
                         : sequence.binary(ir::Op::Mul, suffix, x,
                             sequence.constant(std::string(suffix) + "_by", factor, x));
}

struct ConvShape {
    Extents x, w, y;
    std::int64_t group = 1, taps = 1, pixels = 1;
};

std::optional<ConvShape> convShape(const Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), w = rewriter.input(id, 1);
    if (!isFloatConv(node.canonical) || !x.isValid() || !w.isValid() || node.outputs.empty()
        || !node.outputs[0].isValid())
        return std::nullopt;
    const KnownShape &xs = rewriter.value(x).shape, &ws = rewriter.value(w).shape,
                     &ys = rewriter.value(node.outputs[0]).shape;
    if (!xs || !ws || !ys || xs->size() < 3 || ws->size() != xs->size() || ys->size() != xs->size())
        return std::nullopt;
    ConvShape c{*xs, *ws, *ys};
    c.group = std::max<std::int64_t>(node.attributes.integer("group", 1), 1);
    const auto taps = elements(Extents(c.w.begin() + 2, c.w.end()));
    const auto pixels = elements(Extents(c.y.begin() + 2, c.y.end()));
    if (!taps || !pixels || c.w[0] % c.group != 0 || !elements(Extents{c.w[1], *taps})
        || !elements(Extents{c.x[0], c.group, c.w[1] * *taps, *pixels}))
        return std::nullopt;
    c.taps = *taps;
    c.pixels = *pixels;
    return c;
}

/// A convolution that only mixes channels.
bool isPointwiseConv(const Node& node, const ConvShape& c) {
    const auto all = [&](std::string_view name, std::int64_t wanted) {
        const auto list = node.attributes.integers(name);
        return !list
            || std::all_of(list->begin(), list->end(), [&](std::int64_t v) { return v == wanted; });
    };
    return c.taps == 1 && c.group == 1 && all("strides", 1) && all("pads", 0)
        && Extents(c.x.begin() + 2, c.x.end()) == Extents(c.y.begin() + 2, c.y.end());
}

/// Bias, added tensor and activation that follow the product of a Conv or FusedConv.
ValueId emitConvTail(
    Sequence& sequence, const Rewriter& rewriter, NodeId id, const Node& node, ValueId y) {
    if (const ValueId bias = rewriter.input(id, 2); bias.isValid())
        y = emitChannelBias(sequence, "bias", y, bias);
    if (const ValueId added = rewriter.input(id, 3);
        node.canonical == ir::Op::FusedConv && added.isValid())
        y = sequence.binary(ir::Op::Add, "add", y, added);
    return emitActivation(
        sequence, y, node.canonical == ir::Op::FusedConv ? node.attributes.text("activation") : "");
}

} // namespace

std::vector<NodeId> decomposeGemm(Rewriter& rewriter, NodeId id, const GemmStyle& style) {
    const Node node = rewriter.node(id);
    const bool isGemm = node.canonical == ir::Op::Gemm || node.canonical == ir::Op::FusedGemm;
    const ValueId a = rewriter.input(id, 0), b = rewriter.input(id, 1), c = rewriter.input(id, 2);
    if ((!isGemm && node.canonical != ir::Op::FusedMatMul) || !a.isValid() || !b.isValid()
        || node.outputs.empty() || !node.outputs[0].isValid())
        return {};
    const double alpha = node.attributes.number("alpha", 1);
    const bool transposes =
        node.attributes.integer("transA", 0) != 0 || node.attributes.integer("transB", 0) != 0;
    if (!isGemm && alpha == 1.0 && (!transposes || style.keepsTransposes))
        return {}; // a product of the set already
    Sequence sequence = rewriter.replace(id, style.rule);
    ValueId y = emitProduct(
        sequence, node, a, b, rewriter.value(node.outputs[0]).shape, style.keepsTransposes);
    y = emitScaled(sequence, "alpha", y, alpha);
    if (isGemm && c.isValid())
        y = sequence.binary(ir::Op::Add, "add", y,
            emitScaled(sequence, "beta", c, node.attributes.number("beta", 1)));
    if (node.canonical == ir::Op::FusedGemm)
        y = emitActivation(sequence, y, node.attributes.text("activation"));
    return sequence.finish(y);
}

std::vector<NodeId> decomposeConv(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const auto c = convShape(rewriter, id);
    if (!c)
        return {};
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), w = rewriter.input(id, 1);
    const std::int64_t depth = c->w[1] * c->taps;
    const bool isGrouped = c->group != 1;
    const Extents columns = isGrouped ? Extents{c->x[0], c->group, depth, c->pixels}
                                      : Extents{c->x[0], depth, c->pixels};
    Sequence sequence = rewriter.replace(id, rule);
    ValueId unfolded;
    if (isPointwiseConv(node, *c)) {
        unfolded = sequence.reshape("im2col", x, columns);
    } else {
        NewNode unfold{ir::Op::Im2Col, "im2col", {x}, {}, {}, {}};
        unfold.attributes = node.attributes;
        if (!unfold.attributes.has("kernel_shape"))
            unfold.attributes.set("kernel_shape", Extents(c->w.begin() + 2, c->w.end()));
        unfold.outputs.push_back({sequence.value(x).dtype, columns, ValueRole::Activation});
        unfolded = sequence.add(std::move(unfold));
    }
    const std::int64_t channels = c->w[0] / c->group;
    const ValueId weight = sequence.reshaped(
        "weight", w, isGrouped ? Extents{c->group, channels, depth} : Extents{channels, depth});
    const ValueId product = sequence.matmul("matmul", weight, unfolded);
    const ValueId y = sequence.reshape("col2im", product, c->y);
    return sequence.finish(emitConvTail(sequence, rewriter, id, node, y));
}

std::vector<NodeId> splitConvBias(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), w = rewriter.input(id, 1);
    const bool isFused = node.canonical == ir::Op::FusedConv;
    if ((!isFloatConv(node.canonical) && node.canonical != ir::Op::ConvTranspose) || !x.isValid()
        || !w.isValid() || node.outputs.empty() || !node.outputs[0].isValid()
        || (!isFused && !rewriter.input(id, 2).isValid()))
        return {};
    Sequence sequence = rewriter.replace(id, rule);
    NewNode conv{isFused ? ir::Op::Conv : node.canonical, "conv", {x, w}, {}, node.attributes, {}};
    conv.outputs.push_back(
        {sequence.value(x).dtype, rewriter.value(node.outputs[0]).shape, ValueRole::Activation});
    const ValueId y = sequence.add(std::move(conv));
    return sequence.finish(emitConvTail(sequence, rewriter, id, node, y));
}

} // namespace fivefold::lowering
