// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/operators.h"

#include <limits>

namespace fivefold::frontends::fx {

namespace {

using ir::Op;

void alongAxis(CallContext& call) {
    call.set("axis", call.integer("dim", 0));
}

/// A scalar has no axis that a Gather could index: the result is one element a place, as many as
/// there are indices.
void selectIndices(CallContext& call) {
    alongAxis(call);
    if (call.isScalarAxis("self", call.integer("dim", 0)))
        call.node().op = Op::GatherElements;
}

void embedding(CallContext& call) {
    call.set("axis", std::int64_t(0));
}

/// self[None, …, indices, …]: one integer index is a Gather of its axis.
void index(CallContext& call) {
    call.add("self");
    const std::vector<ir::ValueId> indices = call.operands("indices");
    std::size_t given = 0;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (indices[i].isValid()) {
            ++given;
            axis = i;
        }
    const Expr* list = call.argument("indices");
    const bool isMask = list && axis < list->items.size() && list->items[axis].is(Expr::Kind::Name)
        && call.type(list->items[axis].text).dtype == ir::DType::Bool;
    if (given == 1 && !isMask) {
        call.node().op = Op::Gather;
        call.add(indices[axis]);
        call.set("axis", static_cast<std::int64_t>(axis));
        return;
    }
    for (const ir::ValueId id : indices)
        call.add(id);
}

/// Inputs: self, values, then one index (or none) an axis.
void indexPut(CallContext& call) {
    call.add("self");
    call.add("values");
    for (const ir::ValueId id : call.operands("indices"))
        call.add(id);
    call.set("accumulate", std::int64_t(call.flag("accumulate") ? 1 : 0));
}

void setReduction(CallContext& call, const std::string& reduce) {
    alongAxis(call);
    if (reduce.empty())
        return;
    call.set("reduction",
        reduce == "sum"        ? std::string("add")
            : reduce == "prod" ? std::string("mul")
            : reduce == "amax" ? std::string("max")
            : reduce == "amin" ? std::string("min")
                               : reduce);
}
void scatter(CallContext& call) {
    setReduction(call, call.text("reduce").value_or(""));
}
void scatterAdd(CallContext& call) {
    setReduction(call, "sum");
}

void sliceScatter(CallContext& call) {
    alongAxis(call);
    call.set("start", call.integer("start", 0));
    call.set("end", call.integer("end", std::numeric_limits<std::int64_t>::max()));
    call.set("step", call.integer("step", 1));
}

void selectScatter(CallContext& call) {
    alongAxis(call);
    call.set("index", call.integer("index", 0));
}

void triangle(CallContext& call, bool isUpper) {
    call.add("self");
    call.add(call.scalar(static_cast<double>(call.integer("diagonal", 0)), ir::DType::Int64));
    call.set("upper", std::int64_t(isUpper ? 1 : 0));
}
void lower(CallContext& call) {
    triangle(call, false);
}
void upper(CallContext& call) {
    triangle(call, true);
}

/// Nearest neighbours by flooring, corners not aligned.
void nearest(CallContext& call) {
    call.add("self");
    call.add(ir::ValueId());
    call.add(ir::ValueId());
    if (const auto& shape = call.result().shape)
        if (const auto sizes = ir::knownShape(*shape))
            call.add(call.constant(*sizes));
    call.set("mode", std::string("nearest"));
    call.set("coordinate_transformation_mode", std::string("asymmetric"));
    call.set("nearest_mode", std::string("floor"));
}

void axisSize(CallContext& call) {
    call.set("axis", call.integer("dim", 0));
}

constexpr Row kRows[] = {
    {"aten.embedding", Op::Gather, "@weight @indices padding_idx scale_grad_by_freq sparse",
        embedding},
    {"aten.index_select", Op::Gather, "@self dim @index", selectIndices},
    {"aten.gather", Op::GatherElements, "@self dim @index sparse_grad", alongAxis},
    {"aten.index", Op::Index, "self indices", index},
    {"aten._unsafe_index", Op::Index, "self indices", index},
    {"aten.index_put", Op::IndexPut, "self indices values accumulate", indexPut},
    {"aten._unsafe_index_put", Op::IndexPut, "self indices values accumulate", indexPut},
    {"aten.scatter", Op::ScatterElements, "@self dim @index @src reduce", scatter},
    {"aten.scatter_add", Op::ScatterElements, "@self dim @index @src", scatterAdd},
    {"aten.scatter_reduce", Op::ScatterElements, "@self dim @index @src reduce include_self",
        scatter},
    {"aten.slice_scatter", Op::SliceScatter, "@self @src dim start end step", sliceScatter},
    {"aten.select_scatter", Op::SelectScatter, "@self @src dim index", selectScatter},
    {"aten.tril", Op::Trilu, "self diagonal", lower},
    {"aten.triu", Op::Trilu, "self diagonal", upper},
    {"aten.nonzero", Op::NonZero, "@self",
        [](CallContext& call) { call.set("elements_first", std::int64_t(1)); }},
    {"aten.upsample_nearest2d", Op::Resize, "self output_size scales", nearest},
    {"aten.sym_size", Op::DimSize, "@self dim", axisSize},
    {"aten.sym_numel", Op::Size, "@self"},
};

} // namespace

std::span<const Row> indexingRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
