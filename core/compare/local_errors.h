// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/recompute.h"

namespace fivefold::compare {

/// A device's result against the same node recomputed from the device's own inputs.
struct LocalError {
    ErrorFigures figures;
    Tolerance tolerance; ///< allowance dropped
    numerics::Tensor expected; ///< what it is compared with
    ElementSet overflowed; ///< exact and finite, beyond what the format holds; not in `wrong`
    bool isTruncated = false; ///< cut off on the whole, in the place of rounding to nearest
    std::string
        why; ///< a sentence where the whole drifts though no element is beyond its tolerance
};

/// `declared`: how the machine computes; null: by the dump's own format. `op` says what may be
/// approximated.
LocalError localError(const numerics::Tensor& device, const Expected& expected,
    const RoundOff& roundOff, const numerics::Arithmetic* declared, ir::Op op);

/// Round-off by the format of the device's tensor, or by the declared numerics where they are
/// coarser.
RoundOff roundOffOf(numerics::Format dump, const numerics::Arithmetic* declared);

} // namespace fivefold::compare
