// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/recipes.h"
#include "core/lowering/substitution_rules.h"

#include <algorithm>
#include <limits>

namespace fivefold::lowering::rules {

namespace {

using ir::Op;
using Extents = std::vector<std::int64_t>;

constexpr std::int64_t kMostTaps = 49; ///< of one window: more make more nodes than they save

/// One spatial axis of a window.
struct Axis {
    std::int64_t in = 0, out = 0, kernel = 1, stride = 1, dilation = 1;
    std::int64_t before = 0, after = 0; ///< padding
};

std::int64_t at(const std::optional<Extents>& list, std::size_t i, std::int64_t fallback) {
    return list && i < list->size() ? (*list)[i] : fallback;
}

/// The window of a convolution or pooling over x [N, C, …] with result y; nullopt when something is
/// unknown. The padding behind follows from the result, so that it covers ceil_mode and auto_pad.
std::optional<std::vector<Axis>> window(
    const Node& node, const KnownShape& x, const KnownShape& y, const Extents& kernel) {
    if (!x || !y || x->size() < 3 || y->size() != x->size() || kernel.size() + 2 != x->size())
        return std::nullopt;
    const auto strides = node.attributes.integers("strides"),
               dilations = node.attributes.integers("dilations"),
               pads = node.attributes.integers("pads");
    const std::string mode = node.attributes.text("auto_pad", "NOTSET");
    std::vector<Axis> axes;
    for (std::size_t d = 0; d < kernel.size(); ++d) {
        Axis axis{(*x)[d + 2], (*y)[d + 2], kernel[d], at(strides, d, 1), at(dilations, d, 1)};
        if (axis.in <= 0 || axis.out <= 0 || axis.kernel <= 0 || axis.stride <= 0
            || axis.dilation <= 0)
            return std::nullopt;
        const std::int64_t needed =
            (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
        const std::int64_t padding = std::max<std::int64_t>(0, needed - axis.in);
        axis.before = mode == "SAME_UPPER" ? padding / 2
            : mode == "SAME_LOWER"         ? padding - padding / 2
            : mode == "VALID"              ? 0
                                           : at(pads, d, 0);
        axis.after = std::max<std::int64_t>(0, needed - axis.in - axis.before);
        axes.push_back(axis);
    }
    return axes;
}

/// x with the padding of all axes, filled with a number; x itself without any.
ValueId padded(Sequence& sequence, ValueId x, const std::vector<Axis>& axes, double fill) {
    Extents shape = *sequence.value(x).shape, pads(2 * shape.size(), 0);
    bool isPadded = false;
    for (std::size_t d = 0; d < axes.size(); ++d) {
        pads[d + 2] = axes[d].before;
        pads[d + 2 + shape.size()] = axes[d].after;
        shape[d + 2] += axes[d].before + axes[d].after;
        isPadded = isPadded || axes[d].before > 0 || axes[d].after > 0;
    }
    if (!isPadded)
        return x;
    NewNode pad{Op::Pad, "pad", {x, ValueId(), sequence.constant("fill", fill, x)}, {}, {}, {}};
    pad.attributes.set("mode", std::string("constant"));
    pad.attributes.set("pads", pads);
    pad.outputs.push_back({sequence.value(x).dtype, shape, ValueRole::Activation});
    return sequence.add(std::move(pad));
}

/// The elements that one tap reads: a strided slice over the spatial axes from `taps` on.
ValueId tapOf(Sequence& sequence, ValueId x, const std::vector<Axis>& axes, const Extents& taps) {
    Extents shape = *sequence.value(x).shape, starts, ends, over, steps;
    bool isWhole = true;
    for (std::size_t d = 0; d < axes.size(); ++d) {
        const std::int64_t start = taps[d] * axes[d].dilation;
        const std::int64_t end = start + (axes[d].out - 1) * axes[d].stride + 1;
        isWhole = isWhole && start == 0 && axes[d].stride == 1 && end == shape[d + 2];
        starts.push_back(start);
        ends.push_back(end);
        over.push_back(static_cast<std::int64_t>(d) + 2);
        steps.push_back(axes[d].stride);
        shape[d + 2] = axes[d].out;
    }
    if (isWhole)
        return x;
    NewNode slice{Op::Slice, "tap", {x}, {}, {}, {}};
    slice.attributes.set("starts", starts);
    slice.attributes.set("ends", ends);
    slice.attributes.set("axes", over);
    slice.attributes.set("steps", steps);
    slice.outputs.push_back({sequence.value(x).dtype, shape, ValueRole::Activation});
    return sequence.add(std::move(slice));
}

/// The next tap in row-major order; false after the last.
bool advance(Extents& taps, const std::vector<Axis>& axes) {
    for (std::size_t d = axes.size(); d-- > 0;) {
        if (++taps[d] < axes[d].kernel)
            return true;
        taps[d] = 0;
    }
    return false;
}

/// A part of a weight that is there before the program starts: [rows, columns] of one tap.
ValueId weightOf(Rewriter& rewriter, ValueId w, std::size_t tap, Extents shape) {
    Value part = rewriter.value(w);
    part.users.clear();
    const Extents& ws = *part.shape;
    const recipes::Operand taps = recipes::reshaped(recipes::contents(part),
        Extents{ws[0], ws[1], elements(Extents(ws.begin() + 2, ws.end())).value_or(1)});
    const auto at = static_cast<std::int64_t>(tap);
    recipes::describe(part, recipes::sliced(taps, 2, at, at + 1)); // only a part of it
    part.fill.reset();
    part.name += "[…," + std::to_string(tap) + "]";
    part.shape = std::move(shape);
    return rewriter.addValue(std::move(part));
}

bool isPrepared(const Value& value) {
    return !value.producer.isValid()
        && (value.role == ValueRole::Weight || value.role == ValueRole::Constant);
}

ValueId tail(Sequence& sequence, const Rewriter& rewriter, NodeId id, const Node& node, ValueId y) {
    if (const ValueId bias = rewriter.input(id, 2); bias.isValid())
        y = emitChannelBias(sequence, "bias", y, bias);
    if (const ValueId added = rewriter.input(id, 3);
        node.canonical == Op::FusedConv && added.isValid())
        y = sequence.binary(Op::Add, "skip", y, added);
    return emitActivation(
        sequence, y, node.canonical == Op::FusedConv ? node.attributes.text("activation") : "");
}

} // namespace

bool convByTaps(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), w = rewriter.input(id, 1);
    if (!x.isValid() || !w.isValid() || node.outputs.empty() || !node.outputs[0].isValid()
        || !rewriter.value(w).shape || !isPrepared(rewriter.value(w)))
        return false;
    const Extents ws = *rewriter.value(w).shape;
    const KnownShape ys = rewriter.value(node.outputs[0]).shape;
    if (ws.size() < 3)
        return false;
    const auto axes = window(node, rewriter.value(x).shape, ys, Extents(ws.begin() + 2, ws.end()));
    const std::int64_t group = std::max<std::int64_t>(1, node.attributes.integer("group", 1));
    const auto taps = elements(Extents(ws.begin() + 2, ws.end()));
    const auto pixels = ys ? elements(Extents(ys->begin() + 2, ys->end())) : std::nullopt;
    const std::int64_t batch = ys ? ys->front() : 0;
    if (!axes || !taps || !pixels || *taps > kMostTaps || ws[0] % group != 0)
        return false;
    const bool isDepthwise = group == ws[0] && ws[1] == 1;
    const std::int64_t rows = ws[0] / group, columns = ws[1];
    Sequence sequence = rewriter.replace(id, rule);
    const ValueId whole = padded(sequence, x, *axes, 0);
    ValueId sum;
    Extents tap(axes->size(), 0);
    for (std::size_t number = 0;; ++number) {
        ValueId term = tapOf(sequence, whole, *axes, tap);
        if (isDepthwise) { // one factor a channel
            Extents perChannel(ys->size() - 1, 1);
            perChannel[0] = ws[0];
            term = sequence.binary(Op::Mul, "mul", term, weightOf(rewriter, w, number, perChannel));
        } else {
            term = sequence.reshape("columns", term,
                group == 1 ? Extents{batch, columns, *pixels}
                           : Extents{batch, group, columns, *pixels});
            const ValueId weight = weightOf(rewriter, w, number,
                group == 1 ? Extents{rows, columns} : Extents{group, rows, columns});
            term = sequence.matmul("matmul", weight, term);
        }
        sum = sum.isValid() ? sequence.binary(Op::Add, "add", sum, term) : term;
        if (!advance(tap, *axes))
            break;
    }
    const ValueId y = isDepthwise ? sum : sequence.reshape("image", sum, ys);
    sequence.finish(tail(sequence, rewriter, id, node, y));
    return true;
}

bool convTransposeByProduct(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), w = rewriter.input(id, 1);
    if (!x.isValid() || !w.isValid() || node.outputs.empty() || !node.outputs[0].isValid()
        || !rewriter.value(x).shape || !rewriter.value(w).shape || !isPrepared(rewriter.value(w))
        || node.attributes.integer("group", 1) != 1)
        return false;
    const Extents xs = *rewriter.value(x).shape, ws = *rewriter.value(w).shape;
    const KnownShape ys = rewriter.value(node.outputs[0]).shape;
    if (xs.size() < 3 || ws.size() != xs.size() || !ys || ys->size() != xs.size())
        return false;
    const auto strides = node.attributes.integers("strides");
    const auto blocks = elements(Extents(ws.begin() + 1, ws.end()));
    const auto pixels = elements(Extents(xs.begin() + 2, xs.end()));
    bool tiles = blocks && pixels; // every input element makes a block of its own
    for (std::size_t d = 2; d < xs.size(); ++d)
        tiles = tiles && at(strides, d - 2, 1) == ws[d] && (*ys)[d] == xs[d] * ws[d];
    if (!tiles)
        return false;
    const std::size_t spatial = xs.size() - 2;
    Extents apart{xs[0], ws[1]}, order{0, 1};
    apart.insert(apart.end(), ws.begin() + 2, ws.end());
    apart.insert(apart.end(), xs.begin() + 2, xs.end());
    for (std::size_t d = 0; d < spatial; ++d) {
        order.push_back(static_cast<std::int64_t>(2 + spatial + d));
        order.push_back(static_cast<std::int64_t>(2 + d));
    }
    Sequence sequence = rewriter.replace(id, rule);
    Value prepared = rewriter.value(w);
    prepared.users.clear();
    ir::Attributes turned;
    turned.set("perm", Extents{1, 0});
    recipes::describe(prepared,
        recipes::made(Op::Transpose,
            {recipes::reshaped(recipes::contents(prepared), Extents{xs[1], *blocks})},
            std::move(turned)));
    prepared.shape = Extents{*blocks, xs[1]};
    const ValueId weight = rewriter.addValue(std::move(prepared));
    const ValueId columns = sequence.reshape("columns", x, Extents{xs[0], xs[1], *pixels});
    const ValueId product = sequence.matmul("matmul", weight, columns);
    const ValueId moved =
        sequence.transpose("transpose", sequence.reshape("blocks", product, apart), order);
    sequence.finish(tail(sequence, rewriter, id, node, sequence.reshape("image", moved, ys)));
    return true;
}

bool maxPoolBySlices(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    const auto kernel = node.attributes.integers("kernel_shape");
    if (!x.isValid() || !kernel || node.outputs.empty() || !node.outputs[0].isValid()
        || (node.outputs.size() > 1 && node.outputs[1].isValid()))
        return false;
    const auto axes =
        window(node, rewriter.value(x).shape, rewriter.value(node.outputs[0]).shape, *kernel);
    if (!axes
        || std::ranges::any_of(*axes, [](const Axis& axis) { return axis.kernel > kMostTaps; }))
        return false;
    Sequence sequence = rewriter.replace(id, rule);
    // Below every number of the type: the padding never wins.
    ValueId y = padded(sequence, x, *axes, std::numeric_limits<float>::lowest());
    for (std::size_t d = 0; d < axes->size(); ++d) {
        const Axis& axis = (*axes)[d];
        const auto over = static_cast<std::int64_t>(d) + 2;
        const ValueId from = y;
        ValueId best;
        for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
            const std::int64_t start = tap * axis.dilation;
            const ValueId part = sequence.slice(
                "tap", from, over, start, start + (axis.out - 1) * axis.stride + 1, axis.stride);
            best = best.isValid() ? sequence.binary(Op::Max, "max", best, part) : part;
        }
        y = best;
    }
    sequence.finish(y);
    return true;
}

bool globalMaxByReduction(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || node.outputs.empty() || !node.outputs[0].isValid()
        || !rewriter.value(x).shape || rewriter.value(x).shape->size() < 3)
        return false;
    Extents axes;
    for (std::size_t d = 2; d < rewriter.value(x).shape->size(); ++d)
        axes.push_back(static_cast<std::int64_t>(d));
    Sequence sequence = rewriter.replace(id, rule);
    sequence.finish(sequence.reduce(Op::ReduceMax, "max", x, axes));
    return true;
}

namespace {

/// Whether a nearest resize by a whole factor repeats each element: the source of output i is
/// ⌊i ÷ factor⌋ (ONNX, Resize, coordinate_transformation_mode and nearest_mode).
bool repeatsElements(const Node& node, std::int64_t factor) {
    if (node.attributes.text("mode", "nearest") != "nearest")
        return false;
    const std::string where = node.attributes.text("coordinate_transformation_mode",
        node.canonical == Op::Upsample ? "asymmetric" : "half_pixel");
    const std::string round = node.attributes.text(
        "nearest_mode", node.canonical == Op::Upsample ? "floor" : "round_prefer_floor");
    if (where == "half_pixel" || where == "pytorch_half_pixel")
        return round.starts_with("round");
    return where == "asymmetric"
        && (round == "floor" || (round == "round_prefer_floor" && factor <= 2));
}

} // namespace

bool resizeByExpand(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || node.outputs.empty() || !node.outputs[0].isValid())
        return false;
    const KnownShape from = rewriter.value(x).shape, to = rewriter.value(node.outputs[0]).shape;
    if (!from || !to || from->size() != to->size() || from->empty())
        return false;
    Extents apart, wide;
    for (std::size_t d = 0; d < from->size(); ++d) {
        const std::int64_t size = (*from)[d], wanted = (*to)[d];
        if (size <= 0 || wanted % size != 0 || !repeatsElements(node, wanted / size))
            return false;
        apart.push_back(size);
        wide.push_back(size);
        if (wanted == size)
            continue;
        apart.push_back(1);
        wide.push_back(wanted / size);
    }
    if (apart.size() == from->size())
        return false;
    Sequence sequence = rewriter.replace(id, rule);
    NewNode expand{Op::Expand, "repeat", {sequence.reshape("apart", x, apart)}, {}, {}, {}};
    expand.attributes.set("shape", wide);
    expand.outputs.push_back({sequence.value(x).dtype, wide, ValueRole::Activation});
    sequence.finish(sequence.reshape("image", sequence.add(std::move(expand)), to));
    return true;
}

} // namespace fivefold::lowering::rules
