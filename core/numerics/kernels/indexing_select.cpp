// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/indexing.h"
#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::numerics {

namespace {

/// Order of a TopK: NaN counts as largest; equal values keep their order.
template <typename T> bool isAhead(const T& a, const T& b, bool isLargest) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b))
            return isLargest ? std::isnan(a) && !std::isnan(b) : !std::isnan(a) && std::isnan(b);
    }
    return isLargest ? a > b : a < b;
}

/// For each row along the axis the chosen positions, best first.
std::vector<std::int64_t> bestOf(
    const Tensor& x, std::size_t axis, std::int64_t k, bool isLargest, bool isUnsigned) {
    const std::int64_t size = x.shape()[axis];
    const std::int64_t outer = productOf(x.shape(), 0, axis);
    const std::int64_t inner = productOf(x.shape(), axis + 1);
    std::vector<std::int64_t> chosen;
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    std::visit(
        [&](const auto& list) {
            for (std::int64_t row = 0; row < outer * inner; ++row) {
                const std::int64_t base = row / inner * size * inner + row % inner;
                const auto at = [&](std::int64_t i) -> const auto& {
                    return list[static_cast<std::size_t>(base + i * inner)];
                };
                std::iota(order.begin(), order.end(), 0);
                std::partial_sort(order.begin(), order.begin() + k, order.end(),
                    [&](std::int64_t a, std::int64_t b) {
                        if constexpr (std::is_same_v<std::decay_t<decltype(list)>,
                                          std::vector<std::int64_t>>) {
                            if (isUnsigned) {
                                const auto u = static_cast<std::uint64_t>(at(a));
                                const auto v = static_cast<std::uint64_t>(at(b));
                                return u == v ? a < b : isLargest ? u > v : u < v;
                            }
                        }
                        if (isAhead(at(a), at(b), isLargest))
                            return true;
                        return !isAhead(at(b), at(a), isLargest) && a < b;
                    });
                chosen.insert(chosen.end(), order.begin(), order.begin() + k);
            }
        },
        x.elements());
    return chosen;
}

} // namespace

Outputs runTopK(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    Tensor tensor = **x;
    const bool isScalar = tensor.rank() == 0;
    if (isScalar)
        tensor = tensor.reshaped({1});
    const auto axis = axisOf(call, "axis", -1, tensor.rank());
    if (!axis)
        return axis.error();
    const auto wanted = integerOf(call, 1, "k");
    const std::int64_t size = tensor.shape()[*axis];
    if (!wanted || *wanted < 0 || *wanted > size)
        return call.error("k must be 0 … " + std::to_string(size) + ".");
    const std::int64_t k = *wanted;
    const auto chosen = bestOf(tensor, *axis, k, call.attributes().integer("largest", 1) != 0,
        tensor.dtype() == ir::DType::UInt64);
    Extents shape = tensor.shape();
    shape[*axis] = k;
    const std::int64_t inner = productOf(shape, *axis + 1);
    // chosen is by row; results have k between the outer and the inner axes.
    std::vector<std::int64_t> indices(chosen.size());
    const auto rowOf = [&](std::int64_t flat) { return flat / (k * inner) * inner + flat % inner; };
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto flat = static_cast<std::int64_t>(i);
        indices[i] = chosen[static_cast<std::size_t>(rowOf(flat) * k + flat / inner % k)];
    }
    Tensor values = picked(tensor, shape, [&](std::size_t i) {
        const auto flat = static_cast<std::int64_t>(i);
        return (flat / (k * inner) * size + indices[i]) * inner + flat % inner;
    });
    Tensor places(ir::DType::Int64, shape, std::move(indices));
    if (isScalar && k == 1) {
        values = values.reshaped({});
        places = places.reshaped({});
    }
    return std::vector<Datum>{Datum(std::move(values)), Datum(std::move(places))};
}

namespace {

/// Groups of equal slices along an axis: representatives in output order, and each slice's group.
struct Groups {
    std::vector<std::int64_t> first; ///< first slice of the group
    std::vector<std::int64_t> group; ///< of each slice
    std::vector<std::int64_t> counts;
};

template <typename List>
Groups groupsOf(
    const List& list, std::int64_t slices, std::int64_t inner, std::int64_t outer, bool isSorted) {
    const auto compare = [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t e = 0; e < inner; ++e) {
                const auto& x = list[static_cast<std::size_t>((o * slices + a) * inner + e)];
                const auto& y = list[static_cast<std::size_t>((o * slices + b) * inner + e)];
                if (x < y)
                    return -1;
                if (y < x)
                    return 1;
            }
        return 0;
    };
    std::vector<std::int64_t> order(static_cast<std::size_t>(slices));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
        [&](std::int64_t a, std::int64_t b) { return compare(a, b) < 0; });
    Groups groups;
    groups.group.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || compare(order[i - 1], order[i]) != 0) {
            groups.first.push_back(order[i]); // stable: the first of its group
            groups.counts.push_back(0);
        }
        groups.group[static_cast<std::size_t>(order[i])] = std::ssize(groups.first) - 1;
        ++groups.counts.back();
    }
    if (isSorted)
        return groups;
    std::vector<std::int64_t> rank(groups.first.size()), place(groups.first.size());
    std::iota(rank.begin(), rank.end(), 0);
    std::ranges::sort(
        rank, {}, [&](std::int64_t g) { return groups.first[static_cast<std::size_t>(g)]; });
    Groups result;
    for (std::size_t i = 0; i < rank.size(); ++i) {
        const auto old = static_cast<std::size_t>(rank[i]);
        place[old] = static_cast<std::int64_t>(i);
        result.first.push_back(groups.first[old]);
        result.counts.push_back(groups.counts[old]);
    }
    for (const std::int64_t group : groups.group)
        result.group.push_back(place[static_cast<std::size_t>(group)]);
    return result;
}

} // namespace

Outputs runUnique(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const bool isFlat = !call.attributes().has("axis");
    const Tensor tensor = isFlat ? (*x)->reshaped({(*x)->size()}) : **x;
    const auto axis =
        isFlat ? base::Result<std::size_t>(0) : axisOf(call, "axis", 0, tensor.rank());
    if (!axis)
        return axis.error();
    const std::int64_t slices = tensor.shape()[*axis];
    const std::int64_t outer = productOf(tensor.shape(), 0, *axis);
    const std::int64_t inner = productOf(tensor.shape(), *axis + 1);
    const bool isSorted = call.attributes().integer("sorted", 1) != 0;
    const Groups groups =
        std::visit([&](const auto& list) { return groupsOf(list, slices, inner, outer, isSorted); },
            tensor.elements());
    Extents shape = tensor.shape();
    const auto count = std::ssize(groups.first);
    shape[*axis] = count;
    Tensor values = picked(tensor, shape, [&](std::size_t i) {
        const auto flat = static_cast<std::int64_t>(i);
        const std::int64_t slice = groups.first[static_cast<std::size_t>(flat / inner % count)];
        return (flat / (count * inner) * slices + slice) * inner + flat % inner;
    });
    return std::vector<Datum>{Datum(std::move(values)), Datum(Tensor::integers(groups.first)),
        Datum(Tensor::integers(groups.group)), Datum(Tensor::integers(groups.counts))};
}

/// NonZero: one row an axis; with `elements_first` (ATen) one row an element.
Outputs runNonZero(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const std::size_t rank = (*x)->rank();
    std::vector<Extents> found;
    Walker walker((*x)->shape(), Extents(rank, 0));
    for (std::int64_t i = 0; i < (*x)->size(); ++i, walker.next())
        if ((*x)->number(i) != 0)
            found.push_back(walker.index());
    const bool isByElement = call.attributes().integer("elements_first", 0) != 0;
    Extents flat(found.size() * rank);
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t d = 0; d < rank; ++d)
            flat[isByElement ? i * rank + d : d * found.size() + i] = found[i][d];
    Extents shape{static_cast<std::int64_t>(rank), std::ssize(found)};
    if (isByElement)
        std::swap(shape[0], shape[1]);
    return one(Tensor(ir::DType::Int64, std::move(shape), std::move(flat)));
}

Outputs runCompress(const Call& call) {
    const auto x = call.required(0);
    const auto condition = call.required(1);
    if (!x || !condition)
        return x ? condition.error() : x.error();
    const bool isFlat = !call.attributes().has("axis");
    const Tensor tensor = isFlat ? (*x)->reshaped({(*x)->size()}) : **x;
    const auto axis =
        isFlat ? base::Result<std::size_t>(0) : axisOf(call, "axis", 0, tensor.rank());
    if (!axis)
        return axis.error();
    const std::int64_t size = tensor.shape()[*axis];
    Extents kept;
    for (std::int64_t i = 0; i < std::min(size, (*condition)->size()); ++i)
        if ((*condition)->integer(i) != 0)
            kept.push_back(i);
    Extents shape = tensor.shape();
    shape[*axis] = std::ssize(kept);
    const std::int64_t inner = productOf(shape, *axis + 1), count = shape[*axis];
    return one(picked(tensor, shape, [&](std::size_t i) {
        const auto flat = static_cast<std::int64_t>(i);
        return (flat / (count * inner) * size
                   + kept[static_cast<std::size_t>(flat / inner % count)])
            * inner
            + flat % inner;
    }));
}

/// OneHot: depth and values (off, on) as inputs; indices −depth … depth − 1, others are off.
Outputs runOneHot(const Call& call) {
    const auto indices = call.required(0);
    const auto depth = call.required(1);
    const auto values = call.required(2);
    for (const auto* operand : {&indices, &depth, &values})
        if (!*operand)
            return operand->error();
    if ((*depth)->size() != 1 || (*values)->size() != 2)
        return call.error("it needs one depth and two values.");
    const std::int64_t size = (*depth)->integer(0);
    const auto axis = axisOf(call, "axis", -1, (*indices)->rank() + 1);
    if (!axis || size < 0)
        return axis ? Outputs(call.error("the depth is negative.")) : Outputs(axis.error());
    Extents shape = (*indices)->shape();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*axis), size);
    if (const auto error = call.tooLarge(shape))
        return *error;
    const std::int64_t inner = productOf(shape, *axis + 1);
    return one(picked(**values, shape, [&](std::size_t i) {
        const auto flat = static_cast<std::int64_t>(i);
        std::int64_t index = (*indices)->integer(flat / (size * inner) * inner + flat % inner);
        index += index < 0 ? size : 0;
        return std::int64_t(index == flat / inner % size ? 1 : 0);
    }));
}

namespace {

struct Box {
    double top, left, bottom, right;
    double area() const { return (bottom - top) * (right - left); }
};

Box boxOf(const Tensor& boxes, std::int64_t flat, bool isCentred) {
    const double a = boxes.number(flat), b = boxes.number(flat + 1);
    const double c = boxes.number(flat + 2), d = boxes.number(flat + 3);
    if (isCentred) // x, y of the centre, width, height
        return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
    return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

double overlap(const Box& a, const Box& b) {
    const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
    if (height <= 0 || width <= 0)
        return 0;
    return height * width / (a.area() + b.area() - height * width);
}

} // namespace

/// NonMaxSuppression-11: rows (batch, class, box), best score first.
Outputs runNonMaxSuppression(const Call& call) {
    const auto boxes = call.required(0);
    const auto scores = call.required(1);
    if (!boxes || !scores)
        return boxes ? scores.error() : boxes.error();
    if ((*boxes)->rank() != 3 || (*scores)->rank() != 3 || (*boxes)->shape()[2] != 4
        || (*boxes)->shape()[0] != (*scores)->shape()[0]
        || (*boxes)->shape()[1] != (*scores)->shape()[2])
        return call.error("boxes and scores do not fit together.");
    const auto firstOr = [&](std::size_t input, double fallback) {
        const Tensor* tensor = call.input(input);
        return tensor && tensor->size() > 0 ? tensor->number(0) : fallback;
    };
    const auto most = static_cast<std::int64_t>(firstOr(2, 0));
    const double limit = firstOr(3, 0);
    const std::optional<double> least = call.input(4) ? std::optional(firstOr(4, 0)) : std::nullopt;
    const bool isCentred = call.attributes().integer("center_point_box", 0) != 0;
    const std::int64_t count = (*boxes)->shape()[1], classes = (*scores)->shape()[1];
    Extents rows;
    for (std::int64_t pair = 0; pair < (*scores)->shape()[0] * classes; ++pair) {
        if (call.evaluation.progress && call.evaluation.progress->isCancelled())
            return base::Progress::cancelled();
        const std::int64_t batch = pair / classes;
        Extents order;
        for (std::int64_t i = 0; i < count; ++i)
            if (!least || (*scores)->number(pair * count + i) > *least)
                order.push_back(i);
        std::ranges::stable_sort(order, std::greater<>(),
            [&](std::int64_t i) { return (*scores)->number(pair * count + i); });
        std::vector<Box> kept;
        for (const std::int64_t i : order) {
            if (std::ssize(kept) >= most)
                break;
            const Box box = boxOf(**boxes, (batch * count + i) * 4, isCentred);
            if (std::ranges::any_of(kept, [&](const Box& b) { return overlap(b, box) > limit; }))
                continue;
            kept.push_back(box);
            rows.insert(rows.end(), {batch, pair % classes, i});
        }
    }
    Extents shape{std::ssize(rows) / 3, 3};
    return one(Tensor(ir::DType::Int64, std::move(shape), std::move(rows)));
}

} // namespace fivefold::numerics
