// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/tensor_data.h"

namespace fivefold::frontends::fx {

/// A scalar of that type: the nearest value for float types (float32 for those of fewer bits is
/// rounded once), saturated for integers. Undefined gives float32.
ir::TensorData scalarData(double value, ir::DType dtype);
ir::TensorData scalarData(std::int64_t value, ir::DType dtype);
/// An int64 vector.
ir::TensorData vectorData(const std::vector<std::int64_t>& values);

/// The type a literal among tensors is held in: Python's numbers do not widen tensors, and kernels
/// compute with them in float32 or more (ATen's opmath type), so a float literal is float32 next to
/// narrower floats, and an integer one takes an integer tensor's type.
ir::DType literalType(bool isFloatLiteral, ir::DType neighbour);

} // namespace fivefold::frontends::fx
