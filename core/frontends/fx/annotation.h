// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/fx/syntax.h"
#include "core/ir/graph.h"

#include <string_view>

namespace fivefold::frontends::fx {

/// What stands in the quotes behind a name.
struct Annotation {
    ir::ValueType type; ///< dtype Undefined, no shape: nothing is said
    std::optional<std::vector<std::int64_t>> strides;
    std::string device; ///< "cuda:0", "cpu", "spyre:0"; empty: not said
    /// A dimension beyond int64, or a product of them beyond 2^63 − 1 bytes: no shape is given
    /// then.
    bool isTooLarge = false;
    std::optional<ir::Dim> size; ///< of "Sym(s0 + 1)": the value is a size, an int64 scalar
};

/// "f16[2, s0][s0, 1]cuda:0", "f32[]", "Sym(s0)": the notation of torch.fx (its dtype
/// abbreviations: torch/utils/_dtype_abbrs.py). Text that is none of these gives an empty
/// annotation.
Annotation parseAnnotation(std::string_view text);

/// A size expression of sympy's printer: + − * // % ** Max Min Mod FloorDiv CeilDiv over symbols.
/// What cannot be told is unknown.
ir::Dim sizeOf(const Expr& expr);

/// "torch.float16", "float16": the element type; nullopt for another name.
std::optional<ir::DType> dtypeOfName(std::string_view name);
/// The code of TensorProto.DataType (ONNX), which the canonical attributes "to" and "dtype" hold.
std::int64_t dtypeCode(ir::DType dtype);

} // namespace fivefold::frontends::fx
