// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// What is known of a result that is right given its inputs.
struct RightFacts {
    const ir::Node* node = nullptr;
    bool isOff = false; ///< differs from the reference beyond accumulated rounding
    bool isNotTight = false; ///< differs from it by more than two rounding steps
    bool isAfterOrigin = false, areInputsWrong = false;
    bool isRandom = false; ///< a random operator, or after one
    bool isAmplified = false, isAfterAmplified = false;
    bool isDeclared = false; ///< the machine's numerics are declared
    bool hasOverflow = false;
    bool hasLocal = false, hasReference = false;
    bool isInteger = false;
    std::optional<double> ratio;
    std::string cause, origin, format, policy;
};

/// Clean, benign with its reason, inherited or healed (facts, section 1.6).
void rightVerdict(const RightFacts& facts, Layer& layer);

} // namespace fivefold::compare
