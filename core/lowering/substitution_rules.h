// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/emitters.h"

#include <string>

/// The substitutions, one function each. They replace one node and return whether they did; a node
/// that lacks what they need stays as it is. `rule` is the sentence kept on what they make.
namespace fivefold::lowering::rules {

using Substitute = bool(Rewriter& rewriter, NodeId id, const std::string& rule);

Substitute geluByTanh; ///< Gelu, BiasGelu
Substitute geluByErf; ///< FastGelu, Gelu with approximate = "tanh"
Substitute hardSwishByClip; ///< HardSwish
/// erf x ≈ 1 − 2 ÷ (e^2u + 1), u = 2/√π · (x + 0.08943·x³): what Gelu's tanh form makes of erf.
Substitute erfByExp;
Substitute sineByParabola; ///< Sin, Cos
Substitute modByFloor; ///< Mod of floats with fmod = 0
Substitute isNanByCompare; ///< IsNaN
Substitute xorByCompare; ///< Xor
Substitute argMaxByTopK; ///< ArgMax, ArgMin

Substitute convByTaps; ///< Conv, FusedConv: one product a tap of the window
Substitute convTransposeByProduct; ///< ConvTranspose whose stride is its kernel
Substitute maxPoolBySlices; ///< MaxPool without indices
Substitute globalMaxByReduction; ///< GlobalMaxPool
Substitute resizeByExpand; ///< Resize, Upsample: nearest, by whole factors
Substitute cumSumByProduct; ///< CumSum of floats
Substitute triluByMask; ///< Trilu
Substitute einsumByProduct; ///< Einsum of two operands

} // namespace fivefold::lowering::rules
