// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/numerics/kernels/movement.h"
#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fivefold::numerics {

namespace {

/// The tensor broadcast to a shape; nullopt where it does not.
std::optional<Tensor> broadcastTo(const Tensor& from, const Extents& shape) {
    if (from.rank() > shape.size())
        return from.size() == productOf(shape) ? std::optional(from.reshaped(shape)) : std::nullopt;
    const Extents own = stridesOf(from.shape());
    Extents strides(shape.size(), 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::size_t at = shape.size() - own.size() + i;
        if (from.shape()[i] != 1 && from.shape()[i] != shape[at])
            return std::nullopt;
        strides[at] = from.shape()[i] == 1 ? 0 : own[i];
    }
    return strided(from, shape, std::move(strides), 0);
}

/// The source in the type and carrier of the destination.
Tensor typedLike(const Tensor& source, const Tensor& like) {
    if (source.dtype() == like.dtype() && source.elements().index() == like.elements().index())
        return source;
    if (like.as<std::string>() || source.as<std::string>())
        return source;
    if (like.as<std::int64_t>()) {
        std::vector<std::int64_t> integers(static_cast<std::size_t>(source.size()));
        for (std::size_t i = 0; i < integers.size(); ++i)
            integers[i] = like.dtype() == ir::DType::Bool
                ? source.number(static_cast<std::int64_t>(i)) != 0
                : source.integer(static_cast<std::int64_t>(i));
        return {like.dtype(), source.shape(), std::move(integers)};
    }
    std::vector<double> numbers = source.numbers();
    const bool isNarrower = ir::bitWidth(like.dtype()) < ir::bitWidth(source.dtype());
    for (double& value : numbers)
        if (isNarrower)
            value = round(value, formatOf(like.dtype()));
    const Tensor tensor(like.dtype(), source.shape(), std::move(numbers));
    return like.as<float>() ? tensor.carried<float>() : tensor;
}

/// `base` with the elements that strides and a start lead to replaced by those of `part`.
Outputs overwritten(const Call& call, const Tensor& base, const Tensor& part, const Extents& shape,
    const Extents& strides, std::int64_t start) {
    const auto source = broadcastTo(typedLike(part, base), shape);
    if (!source || source->elements().index() != base.elements().index())
        return call.error("a part of " + extentsText(part.shape()) + " does not fit into "
            + extentsText(shape) + ".");
    Elements elements = std::visit(
        [&](const auto& list) -> Elements {
            using List = std::decay_t<decltype(list)>;
            const auto& from = std::get<List>(source->elements());
            List result = list;
            Walker walker(shape, strides, start);
            for (std::size_t i = 0; i < from.size(); ++i, walker.next())
                result[static_cast<std::size_t>(walker.at())] = from[i];
            return result;
        },
        base.elements());
    return one(Tensor(base.dtype(), base.shape(), std::move(elements)));
}

struct Pair {
    const Tensor* base;
    const Tensor* part;
};

base::Result<Pair> pairOf(const Call& call) {
    const auto base = call.required(0);
    if (!base)
        return base.error();
    const auto part = call.required(1);
    if (!part)
        return part.error();
    return Pair{*base, *part};
}

std::int64_t bounded(std::int64_t at, std::int64_t size) {
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
    at = std::clamp<std::int64_t>(at, -kFar, kFar);
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
}

} // namespace

Outputs runUnbind(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto axis = axisOf(call, "axis", 0, (*x)->rank());
    if (!axis)
        return axis.error();
    std::vector<Datum> results;
    for (std::int64_t i = 0; i < (*x)->shape()[*axis]; ++i)
        results.emplace_back(sliceAt(**x, *axis, i));
    return results;
}

/// AsStrided: strides and offset count elements of the contiguous tensor.
Outputs runAsStrided(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto shape = call.attributes().integers("shape");
    const auto strides = call.attributes().integers("strides");
    if (!shape || !strides || shape->size() != strides->size())
        return call.error("it needs a shape and as many strides.");
    const std::int64_t start = call.attributes().integer("offset", 0);
    std::int64_t last = start, first = start;
    for (std::size_t i = 0; i < shape->size(); ++i) {
        std::int64_t reach = 0;
        if ((*shape)[i] < 0 || __builtin_mul_overflow((*shape)[i] - 1, (*strides)[i], &reach)
            || __builtin_add_overflow(reach > 0 ? last : first, reach, reach > 0 ? &last : &first))
            return call.error("the strides lead beyond any tensor.");
    }
    if (const auto error = call.tooLarge(*shape))
        return *error;
    if (productOf(*shape) == 0)
        return one(zerosLike(**x, *shape));
    if (first < 0 || last >= (*x)->size())
        return call.error("the strides lead outside the tensor of " + std::to_string((*x)->size())
            + " elements.");
    return one(strided(**x, *shape, *strides, start));
}

Outputs runDiagonal(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto a = axisOf(call, "axis1", 0, (*x)->rank());
    const auto b = axisOf(call, "axis2", 1, (*x)->rank());
    if (!a || !b)
        return a ? b.error() : a.error();
    if (*a == *b)
        return call.error("it needs two different axes.");
    const std::int64_t offset = call.attributes().integer("offset", 0);
    Extents shape, strides;
    const Extents own = stridesOf((*x)->shape());
    for (std::size_t i = 0; i < own.size(); ++i)
        if (i != *a && i != *b) {
            shape.push_back((*x)->shape()[i]);
            strides.push_back(own[i]);
        }
    const std::int64_t rows = (*x)->shape()[*a], columns = (*x)->shape()[*b];
    const std::int64_t count = offset >= 0 ? std::min(rows, columns - std::min(offset, columns))
                                           : std::min(rows - std::min(-offset, rows), columns);
    shape.push_back(std::max<std::int64_t>(0, count));
    strides.push_back(own[*a] + own[*b]);
    if (productOf(shape) == 0)
        return one(zerosLike(**x, shape));
    return one(strided(**x, shape, strides, offset >= 0 ? offset * own[*b] : -offset * own[*a]));
}

Outputs runRoll(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents shifts = call.attributes().integers("shifts").value_or(Extents{});
    const Extents axes = call.attributes().integers("axes").value_or(Extents{});
    const bool isFlat = axes.empty();
    if (isFlat ? shifts.size() != 1 : shifts.size() != axes.size())
        return call.error("it needs as many axes as shifts.");
    const Tensor tensor = isFlat ? (*x)->reshaped({(*x)->size()}) : **x;
    const Extents& shape = tensor.shape();
    Extents moved(shape.size(), 0);
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const auto axis = axisIn(isFlat ? 0 : axes[i], shape.size());
        if (!axis)
            return badAxis(call, axes[i], shape.size());
        if (shape[*axis] > 0)
            moved[*axis] = (moved[*axis] + shifts[i] % shape[*axis]) % shape[*axis];
    }
    const Extents strides = stridesOf(shape);
    Walker walker(shape, Extents(shape.size(), 0));
    const Tensor rolled = picked(tensor, shape, [&](std::size_t) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < shape.size(); ++d)
            at += ((walker.index()[d] - moved[d]) % shape[d] + shape[d]) % shape[d] * strides[d];
        walker.next();
        return at;
    });
    return one(rolled.reshaped((*x)->shape()));
}

Outputs runSliceScatter(const Call& call) {
    const auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const auto axis = axisOf(call, "axis", 0, pair->base->rank());
    if (!axis)
        return axis.error();
    const std::int64_t size = pair->base->shape()[*axis];
    const std::int64_t start = bounded(call.attributes().integer("start", 0), size);
    const std::int64_t end =
        bounded(call.attributes().integer("end", std::numeric_limits<std::int64_t>::max()), size);
    const std::int64_t step = call.attributes().integer("step", 1);
    if (step < 1)
        return call.error("the step must be 1 or more.");
    Extents shape = pair->base->shape(), strides = stridesOf(shape);
    const std::int64_t begin = start * strides[*axis];
    shape[*axis] = end > start ? (end - start - 1) / step + 1 : 0;
    strides[*axis] *= shape[*axis] > 1 ? step : 1;
    return overwritten(call, *pair->base, *pair->part, shape, strides, begin);
}

Outputs runSelectScatter(const Call& call) {
    const auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const auto axis = axisOf(call, "axis", 0, pair->base->rank());
    if (!axis)
        return axis.error();
    Extents shape = pair->base->shape(), strides = stridesOf(shape);
    std::int64_t index = call.attributes().integer("index", 0);
    index += index < 0 ? shape[*axis] : 0;
    if (index < 0 || index >= shape[*axis])
        return call.error("index " + std::to_string(index) + " is outside the axis.");
    const std::int64_t begin = index * strides[*axis];
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(*axis));
    return overwritten(call, *pair->base, *pair->part, shape, strides, begin);
}

/// CopyInto(destination, source): the whole, or from `offsets` along `axes` on.
Outputs runCopyInto(const Call& call) {
    const auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const auto axes = call.attributes().integers("axes");
    const auto offsets = call.attributes().integers("offsets");
    Extents shape = pair->base->shape();
    const Extents strides = stridesOf(shape);
    if (!axes || !offsets)
        return overwritten(call, *pair->base, *pair->part, shape, strides, 0);
    if (axes->size() != offsets->size() || pair->part->rank() != shape.size())
        return call.error("it needs a part of the destination's rank and as many offsets as axes.");
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = axisIn((*axes)[i], shape.size());
        if (!axis)
            return badAxis(call, (*axes)[i], shape.size());
        shape[*axis] = pair->part->shape()[*axis];
        if ((*offsets)[i] < 0 || (*offsets)[i] + shape[*axis] > pair->base->shape()[*axis])
            return call.error("the part reaches beyond the destination.");
        begin += (*offsets)[i] * strides[*axis];
    }
    return overwritten(call, *pair->base, *pair->part, shape, strides, begin);
}

/// CausalMask: 0 where a column is seen by the row, −∞ above the diagonal (added to logits); for a
/// boolean type true and false.
Outputs runCausalMask(const Call& call) {
    const auto shape = call.attributes().integers("shape");
    if (!shape || shape->size() < 2)
        return call.error("the shape is missing.");
    if (const auto error = call.tooLarge(*shape))
        return *error;
    const ir::DType dtype =
        ir::inference::dtypeAttribute(call.attributes(), "dtype", ir::DType::Float16);
    const std::int64_t columns = shape->back(), rows = (*shape)[shape->size() - 2];
    std::vector<double> values(static_cast<std::size_t>(productOf(*shape)));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const bool isSeen = at % columns <= at / columns % rows;
        values[i] = dtype == ir::DType::Bool ? isSeen
            : isSeen                         ? 0
                                             : -std::numeric_limits<double>::infinity();
    }
    return one(tensorOf(call, dtype, *shape, std::move(values)));
}

} // namespace fivefold::numerics
