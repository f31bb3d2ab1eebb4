// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/recipes.h"

namespace fivefold::lowering::recipes {

namespace {

constexpr std::int64_t kOnnxBool = 9; // TensorProto.DataType
constexpr std::int64_t kOnnxFloat = 1;

bool isKnown(const Operand& operand) {
    return operand.value.isValid() || operand.recipe;
}

} // namespace

Operand made(ir::Op op, std::initializer_list<Operand> operands, ir::Attributes attributes) {
    auto recipe = std::make_shared<Recipe>();
    recipe->op = op;
    recipe->attributes = std::move(attributes);
    recipe->operands = operands;
    return {{}, std::move(recipe)};
}

Operand number(double value) {
    ir::Attributes attributes;
    attributes.set("value_float", value);
    return made(ir::Op::Constant, {}, std::move(attributes));
}

Operand integer(std::int64_t value) {
    ir::Attributes attributes;
    attributes.set("value_int", value);
    return made(ir::Op::Constant, {}, std::move(attributes));
}

Operand reshaped(const Operand& operand, std::vector<std::int64_t> shape) {
    ir::Attributes attributes;
    attributes.set("shape", std::move(shape));
    return made(ir::Op::Reshape, {operand}, std::move(attributes));
}

Operand sliced(const Operand& operand, std::int64_t axis, std::int64_t start, std::int64_t end) {
    using List = std::vector<std::int64_t>;
    ir::Attributes attributes;
    attributes.set("starts", List{start});
    attributes.set("ends", List{end});
    attributes.set("axes", List{axis});
    attributes.set("steps", List{1});
    return made(ir::Op::Slice, {operand}, std::move(attributes));
}

Operand triangle(
    const std::vector<std::int64_t>& shape, bool isUpper, std::int64_t k, ir::DType dtype) {
    ir::Attributes whole;
    whole.set("shape", shape);
    ir::Attributes side;
    side.set("upper", std::int64_t(isUpper ? 1 : 0));
    ir::Attributes type;
    type.set("to", dtype == ir::DType::Bool ? kOnnxBool : kOnnxFloat);
    const Operand ones = made(ir::Op::Expand, {integer(1)}, std::move(whole));
    const Operand kept = made(ir::Op::Trilu, {ones, integer(k)}, std::move(side));
    return made(ir::Op::Cast, {kept}, std::move(type));
}

Operand contents(const Value& value) {
    Operand own;
    if (value.recipe)
        own.recipe = value.recipe;
    else if (value.source.isValid())
        own.value = value.source;
    else if (value.fill)
        own = number(*value.fill);
    if (!isKnown(own) || !value.shape)
        return own;
    if (!value.recipe && !value.source.isValid()) {
        ir::Attributes whole;
        whole.set("shape", *value.shape);
        return made(ir::Op::Expand, {own}, std::move(whole));
    }
    return reshaped(own, *value.shape);
}

void describe(Value& value, const Operand& operand) {
    value.source = ir::ValueId();
    value.recipe.reset();
    if (operand.recipe)
        value.recipe = operand.recipe;
    else if (operand.value.isValid())
        value.recipe = made(ir::Op::Identity, {operand}).recipe;
}

} // namespace fivefold::lowering::recipes
