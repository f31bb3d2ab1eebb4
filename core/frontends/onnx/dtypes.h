// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dtype.h"

#include <optional>

namespace fivefold::frontends::onnx {

/// Element type of a TensorProto.DataType code (1 FLOAT … 26 INT2); nullopt for a code that is not
/// known. 0 is Undefined.
std::optional<ir::DType> dtypeOfCode(int code);

} // namespace fivefold::frontends::onnx
