// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/annotation.h"
#include "core/frontends/fx/operators.h"

namespace fivefold::frontends::fx {

namespace {

using ir::Op;

ir::DType resultType(const CallContext& call, ir::DType otherwise) {
    if (const ir::DType declared = call.result().dtype; declared != ir::DType::Undefined)
        return declared;
    return call.dtype("dtype").value_or(otherwise);
}

std::optional<std::vector<std::int64_t>> resultShape(const CallContext& call) {
    if (auto size = call.integers("size"))
        return size;
    const auto& shape = call.result().shape;
    return shape ? ir::knownShape(*shape) : std::nullopt;
}

/// One value in all elements. The *_like forms read only the shape of their operand, which the
/// declared result says.
void filled(CallContext& call, double value, ir::DType otherwise) {
    if (const auto shape = resultShape(call))
        call.add(call.constant(*shape));
    call.set("value", call.scalarTensor(value, resultType(call, otherwise)));
}

void full(CallContext& call) {
    const Expr* fill = call.argument("fill_value");
    const bool isInteger = fill && fill->is(Expr::Kind::Integer);
    filled(call, call.number("fill_value").value_or(0),
        isInteger ? ir::DType::Int64 : ir::DType::Float32);
}
void zeros(CallContext& call) {
    filled(call, 0, ir::DType::Float32);
}
void ones(CallContext& call) {
    filled(call, 1, ir::DType::Float32);
}

void scalarTensor(CallContext& call) {
    call.set("value",
        call.scalarTensor(call.number("s").value_or(0), resultType(call, ir::DType::Float32)));
}

void range(CallContext& call, double start, double limit, double delta) {
    const ir::DType dtype = resultType(call, ir::DType::Int64);
    call.add(call.scalar(start, dtype));
    call.add(call.scalar(limit, dtype));
    call.add(call.scalar(delta, dtype));
}

/// iota(length, start, step): length values.
void iota(CallContext& call) {
    const auto length = call.number("length");
    const double start = call.number("start").value_or(0);
    const double step = call.number("step").value_or(1);
    if (length)
        range(call, start, start + *length * step, step);
}

void arange(CallContext& call) {
    const auto end = call.number("end");
    if (end)
        range(call, call.number("start").value_or(0), *end, call.number("step").value_or(1));
}

void random(CallContext& call) {
    if (const auto shape = resultShape(call))
        call.set("shape", *shape);
    call.set("dtype", dtypeCode(resultType(call, ir::DType::Float32)));
}

/// inductor_random(size, seed, "rand" or "randn"): Philox from a seed.
void seeded(CallContext& call) {
    call.add("seed");
    if (call.text("mode").value_or("rand") == "randn")
        call.node().op = Op::RandomNormal;
    random(call);
}

void seeds(CallContext& call) {
    if (const auto count = call.integer("count"))
        call.set("shape", std::vector<std::int64_t>{*count});
}

void eye(CallContext& call) {
    if (const auto shape = resultShape(call))
        call.set("shape", *shape);
    call.set("dtype", dtypeCode(resultType(call, ir::DType::Float32)));
}

constexpr Row kRows[] = {
    {"aten.full", Op::ConstantOfShape, "size fill_value", full},
    {"aten.full_like", Op::ConstantOfShape, "self fill_value", full},
    {"aten.new_full", Op::ConstantOfShape, "self size fill_value", full},
    {"aten.zeros", Op::ConstantOfShape, "size", zeros},
    {"aten.zeros_like", Op::ConstantOfShape, "self", zeros},
    {"aten.new_zeros", Op::ConstantOfShape, "self size", zeros},
    {"aten.ones", Op::ConstantOfShape, "size", ones},
    {"aten.ones_like", Op::ConstantOfShape, "self", ones},
    {"aten.new_ones", Op::ConstantOfShape, "self size", ones},
    {"aten.empty", Op::ConstantOfShape, "size", zeros},
    {"aten.empty_like", Op::ConstantOfShape, "self", zeros},
    {"aten.new_empty", Op::ConstantOfShape, "self size", zeros},
    {"aten.scalar_tensor", Op::Constant, "s", scalarTensor},
    {"prims.iota", Op::Range, "length start step", iota},
    {"aten.arange", Op::Range, "end", arange},
    {"aten.arange.start", Op::Range, "start end", arange},
    {"aten.arange.start_step", Op::Range, "start end step", arange},
    {"aten.eye", Op::EyeLike, "n m", eye},
    {"aten.rand", Op::RandomUniform, "size", random},
    {"aten.rand_like", Op::RandomUniform, "self", random},
    {"aten.randn", Op::RandomNormal, "size", random},
    {"aten.randn_like", Op::RandomNormal, "self", random},
    {"prims.inductor_seeds", Op::RandomSeeds, "count device", seeds},
    {"prims.inductor_seed", Op::RandomSeeds, "device", seeds},
    {"prims.inductor_lookup_seed", Op::Gather, "@seeds index",
        [](CallContext& call) {
            call.add(call.scalar(static_cast<double>(call.integer("index", 0)), ir::DType::Int64));
            call.set("axis", std::int64_t(0));
        }},
    {"prims.inductor_random", Op::RandomUniform, "size seed mode", seeded},
    {"aten.bernoulli", Op::Bernoulli, "@self"},
};

} // namespace

std::span<const Row> generatorRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
