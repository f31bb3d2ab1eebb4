// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dim.h"
#include "core/ir/operators.h"

#include <cstddef>

namespace fivefold::ir::inference {

/// Which inputs a matrix product multiplies.
struct MatMulOperands {
    std::size_t left = 0;
    std::size_t right = 1;
};
MatMulOperands matMulOperands(Op op);

/// FusedMatMul's transA/transB and transBatchA/transBatchB applied to an operand's shape.
Shape transposedOperand(Shape shape, bool isTransposed, bool isBatchTransposed);

} // namespace fivefold::ir::inference
