// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"
#include "core/numerics/tensor.h"

#include <filesystem>
#include <optional>
#include <string>

namespace fivefold::tests {

/// Reads `input_0.pb` or `output_0.pb` of ONNX test data as what the model declares at that place:
/// a tensor, a sequence of tensors, or an optional one. Floats as doubles.
base::Result<numerics::Datum> readDatum(const std::filesystem::path& file, ir::ValueKind kind);

/// How a computed value differs from the wanted one: dtype, kind, shape, or the first element
/// beyond |a − b| ≤ atol + rtol·|b| (after rounding to the declared type; NaN equals NaN);
/// nullopt: not at all.
std::optional<std::string> difference(
    const numerics::Datum& computed, const numerics::Datum& wanted, double rtol, double atol);

} // namespace fivefold::tests
