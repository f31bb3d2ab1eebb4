// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"

namespace fivefold::numerics {

// Borders and blocks (movement_blocks.cpp).
Outputs runPad(const Call& call);
Outputs runDepthToSpace(const Call& call);
Outputs runSpaceToDepth(const Call& call);
Outputs runTrilu(const Call& call);
Outputs runReverseSequence(const Call& call);
Outputs runCenterCropPad(const Call& call);
Outputs runCrop(const Call& call);
Outputs runIm2Col(const Call& call);
Outputs runCol2Im(const Call& call);

// What fx graphs have and ONNX has not (movement_aten.cpp).
Outputs runUnbind(const Call& call);
Outputs runAsStrided(const Call& call);
Outputs runDiagonal(const Call& call);
Outputs runRoll(const Call& call);
Outputs runSliceScatter(const Call& call);
Outputs runSelectScatter(const Call& call);
Outputs runCopyInto(const Call& call);
Outputs runCausalMask(const Call& call);

} // namespace fivefold::numerics
