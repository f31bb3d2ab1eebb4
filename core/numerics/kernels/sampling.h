// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"

namespace fivefold::numerics {

/// Weights of the four taps around a place `t` (0 … 1) behind the second of them (Keys, 1981).
void cubicWeights(double t, double a, double weights[4]);
double cubicWeight(double distance, double a);

// Resize and Upsample are in sampling_resize.cpp, the others in sampling.cpp.
Outputs runResize(const Call& call);
Outputs runUpsample(const Call& call);

} // namespace fivefold::numerics
