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
    /// Compared bit for bit with the machine's own run of the node: the errors are within what
    /// tolerances allow.
    bool isFine = false;
    bool isWhole = false; ///< nearly every element is wrong: then old contents explain anything
    bool isMatch() const;
    /// Larger is better.
    double score() const { return jaccard + values - open / 2; }
};

/// Old contents that the fault cannot know are NaN in `candidate` when `isOpen`.
Attempt attempt(const Observed& observed, const numerics::Tensor& candidate, bool isOpen);

/// For errors of a rounding step or so: where the device differs bit for bit from `clean`, the node
/// as the machine runs it, against where `candidate` does, and with which values.
Attempt fineAttempt(const numerics::Tensor& device, const numerics::Tensor& clean,
    const numerics::Tensor& candidate);

/// Things that the fault's mechanism leaves open and that an attempt chose to fit: a burst, a
/// number of bits, when a transfer breaks off. Of two that explain as much the one with fewer is
/// likelier.
int freeParameters(const numerics::Fault& fault);

/// The fault with the parameters and seeds that could have given these elements.
std::vector<numerics::Fault> variants(
    const numerics::Fault& fault, const numerics::Subject& subject, const Layer& layer);

/// Places in the order of the symptom prior (debugging.md, section 3.2): smaller is tried first.
int priorOf(numerics::FaultId fault, const Pattern& pattern);

} // namespace fivefold::compare
