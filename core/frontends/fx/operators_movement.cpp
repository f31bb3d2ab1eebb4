// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/operators.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fivefold::frontends::fx {

namespace {

using Integers = std::vector<std::int64_t>;
using ir::Op;

/// The shape a view is given; where a size is a symbol, the declared result says it as far as it is
/// a number, and one open size is −1.
std::optional<Integers> targetShape(CallContext& call, std::string_view name) {
    if (auto sizes = call.integers(name))
        return sizes;
    const auto& shape = call.result().shape;
    if (!shape)
        return std::nullopt;
    Integers sizes;
    for (const ir::Dim& dim : *shape)
        sizes.push_back(dim.known().value_or(-1));
    if (std::count(sizes.begin(), sizes.end(), -1) > 1)
        return std::nullopt;
    return sizes;
}

void reshape(CallContext& call) {
    call.add("self");
    const auto shape = targetShape(call, "size");
    if (!shape)
        return;
    call.add(call.constant(*shape));
    if (std::find(shape->begin(), shape->end(), 0) != shape->end())
        call.set("allowzero", std::int64_t(1)); // ATen's 0 is a size, ONNX's a copy of the input's
}

/// ATen's −1 keeps a size, as a 1 does in ONNX.
void expand(CallContext& call) {
    call.add("self");
    auto sizes = call.integers("size");
    if (!sizes)
        if (const auto& shape = call.result().shape)
            sizes = ir::knownShape(*shape);
    if (!sizes)
        return;
    for (std::int64_t& size : *sizes)
        if (size == -1)
            size = 1;
    call.add(call.constant(*sizes));
}

std::optional<std::size_t> axisOf(std::int64_t axis, int rank) {
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    return at >= 0 && at < rank ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

/// ATen leaves axes of another size than 1 alone.
void squeeze(CallContext& call) {
    call.add("self");
    const auto& shape = call.type("self").shape;
    const auto given = call.integers("dim");
    if (!shape) {
        if (given)
            call.add(call.constant(*given));
        return;
    }
    const int rank = static_cast<int>(shape->size());
    Integers axes;
    const auto consider = [&](std::size_t axis) {
        if ((*shape)[axis].is(1) || ((*shape)[axis].isUnknown() && given))
            axes.push_back(static_cast<std::int64_t>(axis));
    };
    for (std::size_t i = 0; !given && i < shape->size(); ++i)
        consider(i);
    for (const std::int64_t axis : given.value_or(Integers{}))
        if (const auto at = axisOf(axis, rank))
            consider(*at);
    if (axes.empty())
        call.node().op = Op::Identity;
    else
        call.add(call.constant(axes));
}

void unsqueeze(CallContext& call) {
    call.add("self");
    if (const auto axis = call.integer("dim"))
        call.add(call.constant({*axis}));
}

void permute(CallContext& call) {
    auto perm = call.integers("dims");
    if (!perm)
        return;
    for (std::int64_t& axis : *perm)
        if (axis < 0)
            axis += static_cast<std::int64_t>(perm->size());
    call.set("perm", *perm);
}

void swapAxes(CallContext& call, std::int64_t first, std::int64_t second) {
    int rank = call.rank("self");
    if (rank < 0 && call.result().shape)
        rank = static_cast<int>(call.result().shape->size());
    constexpr int kHighestRank = 1024;
    if (rank < 0 || rank > kHighestRank)
        return;
    Integers perm(static_cast<std::size_t>(rank));
    std::iota(perm.begin(), perm.end(), 0);
    const auto a = axisOf(first, rank);
    const auto b = axisOf(second, rank);
    if (a && b)
        std::swap(perm[*a], perm[*b]);
    call.set("perm", perm);
}

void transpose(CallContext& call) {
    swapAxes(call, call.integer("dim0", 0), call.integer("dim1", 0));
}
void transposeMatrix(CallContext& call) {
    if (call.rank("self") < 2 && call.rank("self") >= 0)
        call.node().op = Op::Identity; // t() of a vector is the vector
    else
        swapAxes(call, 0, 1);
}

/// slice(self, dim, start, end, step).
void slice(CallContext& call) {
    call.add("self");
    if ((call.has("start") && !call.integer("start")) || (call.has("end") && !call.integer("end")))
        return; // symbols: the declared result says the size
    call.add(call.constant({call.integer("start", 0)}));
    call.add(call.constant({call.integer("end", std::numeric_limits<std::int64_t>::max())}));
    call.add(call.constant({call.integer("dim", 0)}));
    call.add(call.constant({call.integer("step", 1)}));
}

/// One index of an axis, which goes away: a Gather with a scalar index.
void select(CallContext& call) {
    call.add("self");
    if (const auto index = call.integer("index"))
        call.add(call.scalar(static_cast<double>(*index), ir::DType::Int64));
    else
        call.add("index"); // a symbol
    call.set("axis", call.integer("dim", 0));
}

constexpr std::size_t kMostParts = 4096;

/// The sizes of equal parts and a rest.
std::optional<Integers> equalParts(
    const ir::ValueType& type, std::int64_t axis, std::int64_t size) {
    if (!type.shape || size <= 0)
        return std::nullopt;
    const auto at = axisOf(axis, static_cast<int>(type.shape->size()));
    const auto whole = at ? (*type.shape)[*at].known() : std::nullopt;
    if (!whole || *whole < 0 || *whole / size >= static_cast<std::int64_t>(kMostParts))
        return std::nullopt;
    Integers parts(static_cast<std::size_t>(*whole / size), size);
    if (*whole % size != 0 || parts.empty())
        parts.push_back(*whole % size);
    return parts;
}

void splitInto(CallContext& call, const std::optional<Integers>& parts) {
    call.add("self");
    call.set("axis", call.integer("dim", 0));
    if (parts && parts->size() <= kMostParts) {
        call.add(call.constant(*parts));
        call.setOutputs(parts->size());
    } else {
        call.setOutputs(1);
    }
}

/// split(self, split_size or sizes, dim).
void split(CallContext& call) {
    const Expr* size = call.argument("split_size");
    if (size && !size->is(Expr::Kind::Integer))
        return splitInto(call, call.integers("split_size"));
    splitInto(
        call, equalParts(call.type("self"), call.integer("dim", 0), call.integer("split_size", 0)));
}

/// chunk(self, n, dim): parts of ceil(size / n).
void chunk(CallContext& call) {
    const auto& type = call.type("self");
    const std::int64_t axis = call.integer("dim", 0);
    const std::int64_t count = call.integer("chunks", 1);
    std::optional<Integers> parts;
    if (type.shape && count > 0)
        if (const auto at = axisOf(axis, static_cast<int>(type.shape->size())))
            if (const auto whole = (*type.shape)[*at].known(); whole && *whole > 0)
                parts = equalParts(type, axis, *whole / count + (*whole % count != 0 ? 1 : 0));
    splitInto(call, parts);
}

void unbind(CallContext& call) {
    const auto& type = call.type("self");
    const std::int64_t axis = call.integer("dim", 0);
    call.set("axis", axis);
    const auto parts = equalParts(type, axis, 1);
    call.setOutputs(parts ? parts->size() : 1);
}

void addTensors(CallContext& call) {
    for (const ir::ValueId id : call.operands("tensors"))
        call.add(id);
    call.set("axis", call.integer("dim", 0));
}

void stack(CallContext& call) {
    addTensors(call);
    call.set("new_axis", std::int64_t(1));
}

/// Scalars count as vectors of one element, so that they are stacked.
void concatenate(CallContext& call) {
    const Expr* list = call.argument("tensors");
    const std::int64_t axis = call.integer("dim", 0);
    const bool isOfScalars = list && !list->items.empty()
        && std::all_of(list->items.begin(), list->items.end(), [&](const Expr& item) {
               return item.is(Expr::Kind::Name) && call.isScalarAxis(item.text, axis);
           });
    if (isOfScalars)
        stack(call);
    else
        addTensors(call);
}

/// A flip reads each axis backwards.
void flip(CallContext& call) {
    const Integers axes = call.integers("dims").value_or(Integers{});
    call.add("self");
    if (call.rank("self") == 0) {
        call.node().op = Op::Identity;
        return;
    }
    call.add(call.constant(Integers(axes.size(), -1)));
    call.add(call.constant(Integers(axes.size(), std::numeric_limits<std::int64_t>::min())));
    call.add(call.constant(axes));
    call.add(call.constant(Integers(axes.size(), -1)));
}

void roll(CallContext& call) {
    call.set("shifts", call.integers("shifts").value_or(Integers{}));
    call.set("axes", call.integers("dims").value_or(Integers{}));
}

void repeat(CallContext& call) {
    call.add("self");
    if (const auto repeats = call.integers("repeats"))
        call.add(call.constant(*repeats));
}

void asStrided(CallContext& call) {
    if (const auto size = call.integers("size"))
        call.set("shape", *size);
    if (const auto stride = call.integers("stride"))
        call.set("strides", *stride);
    call.set("offset", call.integer("storage_offset", 0));
}

void diagonal(CallContext& call) {
    call.set("offset", call.integer("offset", 0));
    call.set("axis1", call.integer("dim1", 0));
    call.set("axis2", call.integer("dim2", 1));
}

/// ATen's pairs run from the last axis back: (before, after) each.
void pad(CallContext& call) {
    call.add("self");
    const auto pairs = call.integers("pad");
    const int rank = call.rank("self");
    if (!pairs || rank < 0 || pairs->size() % 2 != 0
        || pairs->size() / 2 > static_cast<std::size_t>(rank))
        return;
    Integers pads(static_cast<std::size_t>(rank) * 2, 0);
    for (std::size_t i = 0; i < pairs->size() / 2; ++i) {
        const std::size_t axis = static_cast<std::size_t>(rank) - 1 - i;
        pads[axis] = (*pairs)[2 * i];
        pads[axis + static_cast<std::size_t>(rank)] = (*pairs)[2 * i + 1];
    }
    call.set("mode", std::string("constant"));
    call.add(call.constant(pads));
    call.add(call.has("value") ? call.operand("value") : call.scalar(0, call.type("self").dtype));
}

constexpr Row kRows[] = {
    {"aten.view", Op::Reshape, "self size", reshape},
    {"aten._unsafe_view", Op::Reshape, "self size", reshape},
    {"aten.reshape", Op::Reshape, "self size", reshape},
    {"aten.view_copy", Op::Reshape, "self size", reshape},
    {"aten.squeeze", Op::Squeeze, "self dim", squeeze},
    {"aten.unsqueeze", Op::Unsqueeze, "self dim", unsqueeze},
    {"aten.expand", Op::Expand, "self size", expand},
    {"aten.permute", Op::Transpose, "@self dims", permute},
    {"aten.transpose", Op::Transpose, "@self dim0 dim1", transpose},
    {"aten.t", Op::Transpose, "@self", transposeMatrix},
    {"aten.slice", Op::Slice, "self dim start end step", slice},
    {"aten.select", Op::Gather, "self dim index", select},
    {"aten.split", Op::Split, "self split_size dim", split},
    {"aten.split_with_sizes", Op::Split, "self split_size dim", split},
    {"aten.chunk", Op::Split, "self chunks dim", chunk},
    {"aten.unbind", Op::Unbind, "@self dim", unbind},
    {"aten.cat", Op::Concat, "tensors dim", concatenate},
    {"aten.stack", Op::Concat, "tensors dim", stack},
    {"aten.flip", Op::Slice, "self dims", flip},
    {"aten.roll", Op::Roll, "@self shifts dims", roll},
    {"aten.repeat", Op::Tile, "self repeats", repeat},
    {"aten.as_strided", Op::AsStrided, "@self size stride storage_offset", asStrided},
    {"aten.diagonal", Op::Diagonal, "@self offset dim1 dim2", diagonal},
    {"aten.constant_pad_nd", Op::Pad, "self pad value", pad},
};

} // namespace

std::span<const Row> movementRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
