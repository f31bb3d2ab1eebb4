// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/node_context.h"

#include <optional>

namespace fivefold::ir::inference {

bool isPositive(const Dim& dim); ///< provably > 0
bool isNegative(const Dim& dim); ///< provably < 0
bool isNonNegative(const Dim& dim); ///< provably ≥ 0

/// The element type of an ONNX TensorProto.DataType code; Undefined for codes beyond it.
DType dtypeOfCode(std::int64_t code);
/// As above for an attribute that is a code or, in the oldest operator sets, a name ("FLOAT").
DType dtypeAttribute(const Attributes& attributes, std::string_view name, DType fallback);

/// One element of an operator on integers or bools (bools are 0 and 1); unknown where it cannot be
/// told.
Dim evaluateUnary(Op op, const Dim& a);
Dim evaluateBinary(Op op, const Dim& a, const Dim& b);
std::optional<double> evaluateUnary(Op op, double a);
std::optional<double> evaluateBinary(Op op, double a, double b);

/// Computes contents and numbers of output 0 of a pointwise node whose output type is already set.
void propagatePointwise(NodeContext& context);

/// For each element of a row-major tensor of shape `out`, the index of the element of a tensor of
/// shape `in` that broadcasts to it.
std::vector<std::size_t> broadcastIndices(
    const std::vector<std::int64_t>& in, const std::vector<std::int64_t>& out);

/// Contents of an input of any numeric dtype: integers as they are, floats only where they are
/// whole.
std::optional<Contents> wholeContents(NodeContext& context, std::size_t input);

} // namespace fivefold::ir::inference
