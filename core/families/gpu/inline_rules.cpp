// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/inline_rules.h"

#include "core/families/gpu/operators.h"
#include "core/lowering/tiling.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

bool startsWith(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool isInPlace(std::string_view target) {
    const std::size_t dot = target.find('.');
    if (dot == std::string_view::npos)
        return false;
    const std::size_t end = std::min(target.find('.', dot + 1), target.size());
    return end >= dot + 3 && target[end - 1] == '_' && target[end - 2] != '_';
}

std::optional<Lowering> structural(Op op) {
    switch (op) {
    case Op::Range:
    case Op::ConstantOfShape:
    case Op::Constant:
    case Op::EyeLike:
    case Op::CausalMask:
        return Lowering::Constant;
    case Op::ReduceMax:
    case Op::ReduceMin:
    case Op::ReduceSum:
    case Op::ReduceMean:
    case Op::ReduceProd:
    case Op::ReduceAny:
    case Op::ReduceAll:
    case Op::ReduceSumSquare:
    case Op::ReduceL1:
    case Op::ReduceL2:
    case Op::ReduceLogSum:
    case Op::ReduceLogSumExp:
    case Op::Variance:
    case Op::StandardDeviation:
    case Op::VarianceMean:
    case Op::SoftmaxStatistics:
    case Op::ArgMax:
    case Op::ArgMin:
    case Op::MaxWithIndex:
    case Op::MinWithIndex:
    case Op::GlobalAveragePool:
    case Op::GlobalMaxPool:
        return Lowering::Reduction;
    case Op::CumSum:
    case Op::CumProd:
        return Lowering::Scan;
    case Op::Concat:
        return Lowering::Concat;
    case Op::ScatterElements:
    case Op::Scatter:
    case Op::ScatterND:
    case Op::IndexPut:
    case Op::TensorScatter:
        return Lowering::Scatter;
    case Op::MaxPool:
    case Op::AveragePool:
        return Lowering::Window;
    default:
        return std::nullopt;
    }
}

std::int64_t windowOf(const Node& node) {
    std::int64_t size = 1;
    for (const std::int64_t extent :
        node.attributes.integers("kernel_shape").value_or(std::vector<std::int64_t>{}))
        size = saturatingMul(size, std::max<std::int64_t>(1, extent));
    return size;
}

Lowering general(const Node& node) {
    switch (kindOf(node)) {
    case OpKind::View:
        return Lowering::View;
    case OpKind::Pointwise:
    case OpKind::Indirect:
    case OpKind::Window:
        return Lowering::Pointwise;
    case OpKind::Reduction:
    case OpKind::Library:
    case OpKind::Host:
    case OpKind::Unsupported:
        return Lowering::Library;
    case OpKind::Free:
        return Lowering::Nothing;
    }
    return Lowering::Nothing;
}

/// Elements of the largest window of an adaptive pooling [lowering.py, _adaptive_avg_pool2d].
std::int64_t adaptiveWindow(const StageGraph& graph, const Node& node) {
    const Value& from = graph.values[node.inputs.front()];
    const Value& to = graph.values[node.outputs.front()];
    if (!from.shape || !to.shape || from.shape->size() != to.shape->size()
        || from.shape->size() < 3)
        return kLargestWindow + 1;
    std::int64_t window = 1;
    for (std::size_t i = 2; i < from.shape->size(); ++i) {
        const std::int64_t in = (*from.shape)[i], out = std::max<std::int64_t>(1, (*to.shape)[i]);
        window = saturatingMul(window, ceilDiv(in + out - 1, out));
    }
    return window;
}

/// Small windows are expressions; larger ones reductions over the window, maximum by maximum;
/// averages over large overlapping windows are calls [lowering.py, _max_pool_with_offsets,
/// avg_pool2d].
Lowering windowKind(const Node& node, std::string_view target) {
    const std::int64_t window = windowOf(node);
    if (!node.attributes.has("kernel_shape") || node.inputs.empty())
        return Lowering::Library;
    if (node.canonical == Op::MaxPool) {
        const bool isUnrolledFurther = target.empty() || startsWith(target, "prims._low_memory");
        return window < (isUnrolledFurther ? kLargestWindow : kUnrolled) ? Lowering::Window
                                                                         : Lowering::Reduction;
    }
    if (window <= kLargestWindow)
        return Lowering::Window;
    return node.attributes.integers("strides") == node.attributes.integers("kernel_shape")
        ? Lowering::Reduction
        : Lowering::Library;
}

/// Operators whose meaning depends on attributes, operands or the ATen target.
Lowering kindBy(const StageGraph& graph, const Node& node, std::string_view target) {
    if (startsWith(target, "aten.clone"))
        return Lowering::Pointwise;
    const bool isLowered = startsWith(target, "prims.rev") || startsWith(target, "aten.glu");
    if (!isLowered && (node.support == Support::Unsupported || node.support == Support::Fallback))
        return Lowering::Library;
    const auto inputShape = [&](std::size_t i) -> const std::vector<std::int64_t>* {
        if (i >= node.inputs.size() || !graph.values.contains(node.inputs[i])
            || !graph.values[node.inputs[i]].shape)
            return nullptr;
        return &*graph.values[node.inputs[i]].shape;
    };
    switch (node.canonical) {
    case Op::Gather: // a select is a view
        return node.inputs.size() > 1 && graph.values.contains(node.inputs[1])
                && graph.values[node.inputs[1]].fill && inputShape(1) && inputShape(1)->empty()
            ? Lowering::View
            : Lowering::Pointwise;
    case Op::Slice: { // a flip computes an index
        const auto steps = node.attributes.integers("steps");
        return steps
                && std::any_of(steps->begin(), steps->end(), [](std::int64_t s) { return s < 0; })
            ? Lowering::Pointwise
            : Lowering::View;
    }
    case Op::TopK: {
        if (!startsWith(target, "aten.sort") || !inputShape(0))
            return Lowering::Library;
        const auto axes = axesOf(node, inputShape(0)->size());
        return extentAlong(*inputShape(0), axes) <= kLongestSort ? Lowering::Sort
                                                                 : Lowering::Library;
    }
    case Op::MaxPool:
    case Op::AveragePool:
        return windowKind(node, target);
    case Op::AdaptiveAveragePool:
        return adaptiveWindow(graph, node) > kLargestWindow ? Lowering::Library
                                                            : Lowering::Pointwise;
    case Op::Unknown: // lowered by Inductor, though it has no canonical operator
        return isLowered ? Lowering::Pointwise : general(node);
    case Op::CopyInto:
    case Op::Dropout:
        return Lowering::Pointwise;
    default:
        if (const auto kind = structural(node.canonical))
            return *kind;
        return general(node);
    }
}

int operationsOf(const StageGraph& graph, const Node& node) {
    int operations = 1;
    switch (node.canonical) {
    case Op::Identity:
    case Op::Expand:
    case Op::Tile:
    case Op::Gather:
    case Op::GatherElements:
    case Op::Index:
    case Op::Roll:
    case Op::Slice:
        return 0;
    case Op::Clip:
        operations = 2;
        break;
    case Op::Gelu:
    case Op::Mish:
        operations = 6;
        break;
    case Op::Concat:
        operations = static_cast<int>(5 * node.inputs.size());
        break;
    case Op::Pad:
        operations = 6;
        break;
    case Op::Trilu:
    case Op::SliceScatter:
    case Op::SelectScatter:
        operations = 5;
        break;
    default:
        break;
    }
    // Operands of another type are converted first.
    if (node.outputs.empty() || !graph.values.contains(node.outputs.front()))
        return operations;
    const ir::DType type = graph.values[node.outputs.front()].dtype;
    if (type != ir::DType::Bool && node.canonical != Op::Cast)
        for (const ValueId input : node.inputs)
            if (graph.values.contains(input) && !graph.values[input].fill
                && graph.values[input].dtype != type
                && graph.values[input].dtype != ir::DType::Bool)
                ++operations;
    return operations;
}

} // namespace

std::string_view targetOf(const Node& node, const ir::Graph& captured) {
    if (node.sources.size() != 1 || !captured.nodes.contains(node.sources.front())
        || !node.addedBy.empty())
        return {};
    const ir::Node& source = captured.nodes[node.sources.front()];
    return source.op == node.canonical && !source.domain.empty() && captured.info.format == "fx"
        ? std::string_view(source.sourceOp)
        : std::string_view();
}

std::vector<std::int64_t> axesOf(const Node& node, std::size_t rank) {
    switch (node.canonical) {
    case Op::ArgMax:
    case Op::ArgMin:
        if (node.attributes.integer("all_axes", 0) != 0) {
            std::vector<std::int64_t> axes(rank);
            std::iota(axes.begin(), axes.end(), 0);
            return axes;
        }
        [[fallthrough]];
    case Op::CumSum:
    case Op::CumProd:
    case Op::TopK:
    case Op::MaxWithIndex:
    case Op::MinWithIndex:
    case Op::SoftmaxStatistics: {
        const bool isLast = node.canonical == Op::TopK || node.canonical == Op::SoftmaxStatistics;
        std::int64_t axis = node.attributes.integer("axis", isLast ? -1 : 0);
        axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
            return {};
        return {axis};
    }
    case Op::GlobalAveragePool:
    case Op::GlobalMaxPool: {
        std::vector<std::int64_t> axes;
        for (std::size_t i = 2; i < rank; ++i)
            axes.push_back(static_cast<std::int64_t>(i));
        return axes;
    }
    default:
        break;
    }
    std::vector<std::int64_t> axes;
    if (const auto given = node.attributes.integers("axes")) {
        for (std::int64_t axis : *given) {
            axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
            if (axis >= 0 && axis < static_cast<std::int64_t>(rank))
                axes.push_back(axis);
        }
        std::sort(axes.begin(), axes.end());
        axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
        if (!axes.empty())
            return axes;
    }
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

std::int64_t extentAlong(
    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& axes) {
    std::int64_t extent = 1;
    for (const std::int64_t axis : axes)
        extent =
            saturatingMul(extent, std::max<std::int64_t>(0, shape[static_cast<std::size_t>(axis)]));
    return extent;
}

OperatorRule ruleOf(const StageGraph& graph, const Node& node, const ir::Graph& captured) {
    OperatorRule rule;
    const std::string_view target = targetOf(node, captured);
    rule.kind = kindBy(graph, node, target);
    rule.isInPlace = isInPlace(target);
    rule.operations = operationsOf(graph, node);
    const bool isMatMul = node.canonical == Op::MatMul || node.canonical == Op::FusedMatMul;
    rule.isMatrixProduct =
        target.empty() ? isMatMul && node.op == "aten.mm" : startsWith(target, "aten.mm.");
    rule.needsRealised = target.empty() ? isMatMul || isConvolution(node.canonical)
            || rule.kind == Lowering::Window || node.canonical == Op::Resize
                                        : rule.isMatrixProduct || startsWith(target, "aten.bmm")
            || startsWith(target, "aten.convolution") || startsWith(target, "aten.avg_pool2d")
            || startsWith(target, "aten.max_pool2d_with_indices")
            || startsWith(target, "aten.max_pool3d_with_indices")
            || startsWith(target, "aten.upsample_nearest2d")
            || startsWith(target, "aten.as_strided");
    return rule;
}

} // namespace fivefold::families::gpu
