// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ir/attributes.h"
#include "core/ir/operators.h"
#include "core/ir/tensor_data.h"
#include "core/numerics/format.h"
#include "core/numerics/tensor.h"

#include <span>
#include <string>
#include <vector>

namespace fivefold::numerics {

/// How floats are carried: float for speed (an fp32 run), double for the reference and for every
/// machine format, whose values it holds exactly.
enum class Carrier : std::uint8_t { Float, Double };

/// One operator to evaluate. `inputs` are positional; an undefined tensor is an omitted one.
struct Operation {
    ir::Op op = ir::Op::Unknown;
    std::string_view name; ///< for error sentences
    const ir::Attributes* attributes = nullptr;
    const ir::TensorStore* tensors = nullptr; ///< of tensor attributes; may be null
    int version = 0; ///< of the operator set; 0: the newest
    std::size_t outputs = 1; ///< wanted, omitted ones included
    ir::DType outputType =
        ir::DType::Undefined; ///< of the first result where it is not the operator's own
};

struct Evaluation {
    Carrier carrier = Carrier::Double;
    /// Null: the carrier's own. Otherwise operands of products, sums and results are rounded by it;
    /// the carrier is then Double.
    const Arithmetic* arithmetic = nullptr;
    std::uint64_t seed = 0; ///< of random operators: the same for the same name and seed
    std::int64_t largestTensorBytes = std::int64_t(4) << 30; ///< a larger result is an Error
    const base::Progress* progress = nullptr;
};

/// True where evaluate() knows the operator: all others are "not executable here". Bodies (If,
/// Loop, Scan, SequenceMap, Call) are the interpreter's.
bool isExecutable(ir::Op op);

/// Runs one operator by the definition of ONNX (or of ATen where ONNX has none). Operands that
/// shape inference folded into attributes (axes, starts, shape, …) are taken from there when the
/// input is missing. Errors name the operator and say what contradicts it; nothing throws.
base::Result<std::vector<Datum>> evaluate(
    const Operation& operation, std::span<const Datum> inputs, const Evaluation& evaluation);

} // namespace fivefold::numerics
