// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/node_context.h"

#include <optional>
#include <string>
#include <vector>

namespace fivefold::ir::inference {

/// Axis in 0..rank−1 from one in −rank..rank−1, or nullopt.
std::optional<int> normalAxis(std::int64_t axis, int rank);
/// As above; reports a wrong axis on the node.
std::optional<int> axisOf(NodeContext& context, std::int64_t axis, int rank);
/// Sorted distinct normal axes; reports wrong ones.
std::optional<std::vector<int>> axesOf(
    NodeContext& context, const std::vector<std::int64_t>& axes, int rank);

/// One dimension of a multidirectional broadcast (ONNX "Broadcasting"). nullopt: they contradict.
/// Two different symbols give their maximum: one of them is 1 or both are equal in a valid model.
std::optional<Dim> broadcastDim(const Dim& a, const Dim& b);
/// Broadcast of two shapes; unknown where either is; reports contradictions on the node.
MaybeShape broadcast(NodeContext& context, const MaybeShape& a, const MaybeShape& b);
/// Broadcast of the first `count` inputs.
MaybeShape broadcastInputs(NodeContext& context, std::size_t first, std::size_t count);

/// Knowledge of one dim from two sources that must agree: the known one, else the symbolic one.
Dim agree(const Dim& a, const Dim& b);
Shape unknownShape(int rank);
/// Product of the dims in [first, last).
Dim productOf(const Shape& shape, std::size_t first, std::size_t last);
Dim sumOf(const std::vector<Dim>& dims);

/// Padding, stride and dilation of one spatial axis.
struct Window {
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padBefore = 0;
    std::int64_t padAfter = 0;
    std::int64_t effective() const; ///< dilation·(kernel − 1) + 1, saturating
};

enum class AutoPad { Explicit, Valid, Same };
AutoPad autoPad(const Attributes& attributes);

/// floor((in + pads − effective) / stride) + 1, the ceil_mode form of it, or ceil(in / stride) for
/// SAME (ONNX operators Conv and MaxPool). Unknown for a stride below 1.
Dim windowCount(const Dim& in, const Window& window, AutoPad pad, bool isCeil);
/// kernel/strides/dilations/pads attributes for `kernel.size()` spatial axes; reports wrong
/// lengths.
std::optional<std::vector<Window>> windowsOf(
    NodeContext& context, const std::vector<std::int64_t>& kernel);

/// Output type equal to that of the input, for unary operators.
void sameAsInput(NodeContext& context);

} // namespace fivefold::ir::inference
