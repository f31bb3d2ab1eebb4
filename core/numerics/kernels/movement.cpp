// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/movement.h"

#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fivefold::numerics {

namespace {

using ir::Op;

Outputs reshape(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    auto shape = call.integers(1, "shape");
    if (!shape)
        return call.error("the new shape is missing.");
    const Extents& old = (*x)->shape();
    const bool isZeroAllowed = call.attributes().integer("allowzero", 0) != 0;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < shape->size(); ++i) {
        std::int64_t& size = (*shape)[i];
        if (size == 0 && !isZeroAllowed && i < old.size())
            size = old[i];
        else if (size == -1 && !open)
            open = i;
        else if (size < 0)
            return call.error("the new shape has the size " + std::to_string(size) + ".");
    }
    if (open) {
        (*shape)[*open] = 1;
        const std::int64_t others = productOf(*shape);
        (*shape)[*open] = others > 0 ? (*x)->size() / others : 0;
    }
    if (productOf(*shape) != (*x)->size())
        return call.error("a tensor of " + extentsText(old) + " cannot have the shape "
            + extentsText(*shape) + ".");
    return one((*x)->reshaped(*std::move(shape)));
}

Outputs flatten(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents& shape = (*x)->shape();
    const auto rank = std::ssize(shape);
    std::int64_t axis = call.attributes().integer("axis", 1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis > rank)
        return badAxis(call, axis, shape.size());
    const auto at = static_cast<std::size_t>(axis);
    return one((*x)->reshaped({productOf(shape, 0, at), productOf(shape, at)}));
}

Outputs squeeze(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents& shape = (*x)->shape();
    const auto axes = call.integers(1, "axes");
    std::vector<bool> isDropped(shape.size(), false);
    for (std::size_t i = 0; !axes && i < shape.size(); ++i)
        isDropped[i] = shape[i] == 1;
    for (const std::int64_t axis : axes.value_or(Extents{})) {
        const auto at = axisIn(axis, shape.size());
        if (!at)
            return badAxis(call, axis, shape.size());
        if (shape[*at] != 1)
            return call.error("axis " + std::to_string(axis) + " of " + extentsText(shape)
                + " is not of size 1.");
        isDropped[*at] = true;
    }
    Extents kept;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (!isDropped[i])
            kept.push_back(shape[i]);
    return one((*x)->reshaped(std::move(kept)));
}

Outputs unsqueeze(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto axes = call.integers(1, "axes");
    if (!axes)
        return call.error("the axes are missing.");
    const std::size_t rank = (*x)->rank() + axes->size();
    std::vector<bool> isNew(rank, false);
    for (const std::int64_t axis : *axes) {
        const auto at = axisIn(axis, rank);
        if (!at || isNew[*at])
            return badAxis(call, axis, rank);
        isNew[*at] = true;
    }
    Extents shape;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i)
        shape.push_back(isNew[i] ? 1 : (*x)->shape()[next++]);
    return one((*x)->reshaped(std::move(shape)));
}

Outputs transpose(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const std::size_t rank = (*x)->rank();
    std::vector<std::size_t> order(rank);
    for (std::size_t i = 0; i < rank; ++i)
        order[i] = rank - 1 - i;
    if (const auto perm = call.attributes().integers("perm"); perm && !perm->empty()) {
        if (perm->size() != rank)
            return call.error("perm names " + std::to_string(perm->size())
                + " axes of a tensor of rank " + std::to_string(rank) + ".");
        std::vector<bool> isUsed(rank, false);
        for (std::size_t i = 0; i < rank; ++i) {
            const auto axis = axisIn((*perm)[i], rank);
            if (!axis || isUsed[*axis])
                return badAxis(call, (*perm)[i], rank);
            isUsed[*axis] = true;
            order[i] = *axis;
        }
    }
    if (const auto error = call.tooLarge((*x)->shape()))
        return *error;
    return one(transposed(**x, order));
}

/// Two-way broadcast of the tensor with a shape of ones.
Outputs expand(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    auto shape = call.integers(1, "shape");
    if (!shape)
        return call.error("the new shape is missing.");
    const Extents own = (*x)->shape();
    Extents strides(std::max(shape->size(), own.size()), 0);
    shape->insert(shape->begin(), strides.size() - shape->size(), 1);
    const Extents ownStrides = stridesOf(own);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::size_t at = strides.size() - own.size() + i;
        if (own[i] != 1 && (*shape)[at] != 1 && (*shape)[at] != own[i] && (*shape)[at] != -1)
            return call.error(
                extentsText(own) + " does not broadcast to " + extentsText(*shape) + ".");
        if ((*shape)[at] == -1 || (*shape)[at] == 1)
            (*shape)[at] = own[i];
        strides[at] = own[i] == 1 ? 0 : ownStrides[i];
    }
    if (std::ranges::any_of(*shape, [](std::int64_t size) { return size < 0; }))
        return call.error("the new shape has a negative size.");
    if (const auto error = call.tooLarge(*shape))
        return *error;
    return one(strided(**x, *std::move(shape), std::move(strides), 0));
}

/// Repeats an axis; ATen's may name more axes than the tensor has, ahead of its own.
Outputs tile(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    Tensor tensor = **x;
    auto repeats = call.integers(1, "repeats");
    if (!repeats)
        return call.error("the repeats are missing.");
    if (const auto at = integerOf(call, 2, {})) { // operator set 1: tiles and axis
        const auto axis = axisIn(*at, tensor.rank());
        if (!axis || repeats->size() != 1)
            return call.error("tiles and axis do not fit the tensor.");
        Extents all(tensor.rank(), 1);
        all[*axis] = repeats->front();
        repeats = std::move(all);
    }
    if (repeats->size() < tensor.rank())
        return call.error("there are " + std::to_string(repeats->size())
            + " repeats for a tensor of rank " + std::to_string(tensor.rank()) + ".");
    Extents own = tensor.shape();
    own.insert(own.begin(), repeats->size() - own.size(), 1);
    Extents wide, wideStrides, shape;
    const Extents strides = stridesOf(own);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if ((*repeats)[i] < 0)
            return call.error("a number of repeats is negative.");
        wide.insert(wide.end(), {(*repeats)[i], own[i]});
        wideStrides.insert(wideStrides.end(), {0, strides[i]});
        shape.push_back(productOf({(*repeats)[i], own[i]}));
    }
    if (const auto error = call.tooLarge(shape))
        return *error;
    return one(strided(tensor, std::move(wide), std::move(wideStrides), 0).reshaped(shape));
}

Outputs concat(const Call& call) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < call.inputs.size(); ++i)
        if (const Tensor* part = call.input(i))
            parts.push_back(*part);
    if (parts.empty())
        return call.error("there is nothing to join.");
    const bool isNew = call.attributes().integer("new_axis", 0) != 0;
    // ATen joins vectors without elements with anything.
    if (!isNew && parts.size() > 1 && call.operation.version == 0) {
        const auto isNothing = [](const Tensor& part) { return part.shape() == Extents{0}; };
        if (!std::ranges::all_of(parts, isNothing))
            std::erase_if(parts, isNothing);
    }
    const auto axis = axisOf(call, "axis", 1, parts[0].rank() + (isNew ? 1 : 0));
    if (!axis)
        return axis.error();
    Extents shape = parts[0].shape();
    if (isNew)
        shape.push_back(std::ssize(parts));
    else
        for (std::size_t i = 1; i < parts.size(); ++i)
            shape[*axis] += *axis < parts[i].rank() ? parts[i].shape()[*axis] : 0;
    if (const auto error = call.tooLarge(shape))
        return *error;
    auto result = isNew ? stacked(parts, *axis) : joined(parts, *axis);
    if (!result)
        return call.error(result.error().message);
    return one(*std::move(result));
}

Outputs split(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto axis = axisOf(call, "axis", 0, (*x)->rank());
    if (!axis)
        return axis.error();
    const std::int64_t whole = (*x)->shape()[*axis];
    auto sizes = call.integers(1, "split");
    if (!sizes) { // equal parts and a shorter last one
        const auto count =
            static_cast<std::int64_t>(std::max<std::size_t>(1, call.operation.outputs));
        const std::int64_t parts =
            std::max<std::int64_t>(1, call.attributes().integer("num_outputs", count));
        const std::int64_t size = (whole + parts - 1) / parts;
        sizes.emplace();
        for (std::int64_t i = 0; i < std::min<std::int64_t>(parts, count); ++i)
            sizes->push_back(std::clamp<std::int64_t>(whole - i * size, 0, size));
    }
    std::vector<Datum> results;
    std::int64_t begin = 0;
    for (const std::int64_t size : *sizes) {
        if (size < 0 || begin + size > whole)
            return call.error(
                "the parts do not add up to the axis of " + std::to_string(whole) + ".");
        results.emplace_back(sliceOf(**x, *axis, begin, size));
        begin += size;
    }
    return results;
}

/// First index and count along one axis of a Slice (ONNX Slice-13: clamping depends on the sign of
/// the step).
struct Cut {
    std::int64_t start = 0, step = 1, count = 0;
};

Cut cutOf(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
    // Sums of these saturate nowhere: the sizes are far below the limits.
    const auto normal = [size](std::int64_t at) {
        constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
        at = std::clamp<std::int64_t>(at, -kFar, kFar);
        return at < 0 ? at + size : at;
    };
    Cut cut;
    cut.step = step;
    const bool isForward = step > 0;
    cut.start =
        std::clamp<std::int64_t>(normal(start), isForward ? 0 : -1, isForward ? size : size - 1);
    const std::int64_t last =
        std::clamp<std::int64_t>(normal(end), isForward ? 0 : -1, isForward ? size : size - 1);
    const std::int64_t span = isForward ? last - cut.start : cut.start - last;
    // Beyond the axis's size every step takes one element.
    const std::int64_t stride = isForward ? step
        : step == std::numeric_limits<std::int64_t>::min()
        ? std::numeric_limits<std::int64_t>::max()
        : -step;
    cut.count = span > 0 ? (span - 1) / stride + 1 : 0;
    if (cut.count <= 1)
        cut.step = 1;
    return cut;
}

Outputs slice(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto starts = call.integers(1, "starts");
    const auto ends = call.integers(2, "ends");
    if (!starts || !ends || starts->size() != ends->size())
        return call.error("it needs as many ends as starts.");
    Extents axes(starts->size());
    std::iota(axes.begin(), axes.end(), 0);
    axes = call.integers(3, "axes").value_or(axes);
    const Extents steps = call.integers(4, "steps").value_or(Extents(starts->size(), 1));
    if (axes.size() != starts->size() || steps.size() != starts->size())
        return call.error("it needs as many axes and steps as starts.");
    Extents shape = (*x)->shape();
    Extents strides = stridesOf(shape);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = axisIn(axes[i], shape.size());
        if (!axis)
            return badAxis(call, axes[i], shape.size());
        if (steps[i] == 0)
            return call.error("a step is 0.");
        const Cut cut = cutOf((*x)->shape()[*axis], (*starts)[i], (*ends)[i], steps[i]);
        begin += cut.start * strides[*axis];
        strides[*axis] *= cut.step;
        shape[*axis] = cut.count;
    }
    if (productOf(shape) == 0)
        return one(zerosLike(**x, std::move(shape)));
    if (const auto error = call.tooLarge(shape))
        return *error;
    return one(strided(**x, std::move(shape), std::move(strides), begin));
}

Outputs shapeOf(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto rank = std::ssize((*x)->shape());
    const auto bound = [rank](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    const std::int64_t start = bound(std::max(call.attributes().integer("start", 0), -rank));
    const std::int64_t end = bound(std::max(call.attributes().integer("end", rank), -rank));
    const auto begin = (*x)->shape().begin();
    return one(Tensor::integers(end > start ? Extents(begin + start, begin + end) : Extents()));
}

Outputs sizeOf(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    return one(Tensor(ir::DType::Int64, {}, Extents{(*x)->size()}));
}

Outputs dimSize(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto axis = axisOf(call, "axis", 0, (*x)->rank());
    if (!axis)
        return axis.error();
    return one(Tensor(ir::DType::Int64, {}, Extents{(*x)->shape()[*axis]}));
}

} // namespace

KernelTable movementKernels() {
    static const std::pair<Op, Kernel> table[] = {{Op::Reshape, reshape}, {Op::Flatten, flatten},
        {Op::Squeeze, squeeze}, {Op::Unsqueeze, unsqueeze}, {Op::Transpose, transpose},
        {Op::Expand, expand}, {Op::Tile, tile}, {Op::Concat, concat}, {Op::Split, split},
        {Op::Slice, slice}, {Op::Shape, shapeOf}, {Op::Size, sizeOf}, {Op::DimSize, dimSize},
        {Op::Pad, runPad}, {Op::DepthToSpace, runDepthToSpace}, {Op::SpaceToDepth, runSpaceToDepth},
        {Op::Trilu, runTrilu}, {Op::ReverseSequence, runReverseSequence},
        {Op::CenterCropPad, runCenterCropPad}, {Op::Crop, runCrop}, {Op::Im2Col, runIm2Col},
        {Op::Col2Im, runCol2Im}, {Op::Unbind, runUnbind}, {Op::AsStrided, runAsStrided},
        {Op::Diagonal, runDiagonal}, {Op::Roll, runRoll}, {Op::SliceScatter, runSliceScatter},
        {Op::SelectScatter, runSelectScatter}, {Op::CopyInto, runCopyInto},
        {Op::CausalMask, runCausalMask}};
    return table;
}

} // namespace fivefold::numerics
