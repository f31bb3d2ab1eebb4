// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// An origin as the device left it.
struct Observed {
    const numerics::Tensor& device;
    const numerics::Tensor& expected; ///< of the node, from the device's own inputs
    double unit = 0; ///< round-off of the device's format
    double absolute = 0; ///< differences up to here mean nothing
};

/// One try: the node under one fault.
struct Attempt {
    numerics::Fault fault;
    double jaccard = 0; ///< of wrong elements, the device's against the fault's
    double values = 0; ///< share of the device's wrong elements whose value it gives
    double open = 0; ///< share of them of which it says only that they are old contents
    std::int64_t explained = 0, wrong = 0;
    bool isWhole = false; ///< nearly every element is wrong: then old contents explain anything
    bool isMatch() const;
    /// Larger is better.
    double score() const { return jaccard + values - open / 2; }
};

/// Old contents that the fault cannot know are NaN in `candidate` when `isOpen`.
Attempt attempt(const Observed& observed, const numerics::Tensor& candidate, bool isOpen);

/// The fault with the parameters and seeds that could have given these elements.
std::vector<numerics::Fault> variants(
    const numerics::Fault& fault, const numerics::Subject& subject, const Layer& layer);

/// Places in the order of the symptom prior (debugging.md, section 3.2): smaller is tried first.
int priorOf(numerics::FaultId fault, const Pattern& pattern);

} // namespace fivefold::compare
