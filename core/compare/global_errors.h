// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/recompute.h"

namespace fivefold::compare {

/// A device's tensor against the reference's.
struct GlobalError {
    ErrorFigures figures; ///< `wrong`: beyond what accumulated rounding explains
    ElementSet notTight; ///< beyond two rounding steps of the device's format
    Tolerance tolerance;
    double relative = 0; ///< RMSE over the reference's root mean square, 0 for a zero reference
    double slope = 1; ///< of the line through zero that fits device over reference best
};

/// Accumulated rounding is allowed for by the magnitudes: |a − b| ≤ 8 u (|b| + root mean square of
/// b's row), or `share` in the place of 8 u where it is larger.
GlobalError globalError(const numerics::Tensor& device, const numerics::Tensor& reference,
    const RoundOff& roundOff, double share = 0);

/// Errors that look like noise: none stands out from the rest by more than chance.
bool looksLikeNoise(const GlobalError& error);

/// A factor of all values, beyond what noise explains: rounding and amplified rounding have none.
bool isScaled(const GlobalError& error, double unit);

} // namespace fivefold::compare
