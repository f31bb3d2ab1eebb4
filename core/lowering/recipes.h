// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <initializer_list>

namespace fivefold::lowering::recipes {

using Operand = Recipe::Operand;

/// What a weight or constant holds, in its own shape; omitted for one that nothing describes.
Operand contents(const Value& value);
Operand number(double value);
Operand integer(std::int64_t value);
Operand made(ir::Op op, std::initializer_list<Operand> operands, ir::Attributes attributes = {});
Operand reshaped(const Operand& operand, std::vector<std::int64_t> shape);
/// [start, end) of one axis.
Operand sliced(const Operand& operand, std::int64_t axis, std::int64_t start, std::int64_t end);
/// Ones in a triangle of the shape and zeros elsewhere: on and below diagonal `k`, or on and above.
Operand triangle(
    const std::vector<std::int64_t>& shape, bool isUpper, std::int64_t k, ir::DType dtype);

/// Describes the value by the operand; a value without known operands stays undescribed.
void describe(Value& value, const Operand& operand);

} // namespace fivefold::lowering::recipes
