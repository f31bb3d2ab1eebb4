// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/pattern.h"

namespace fivefold::compare {

/// What the places of the wrong elements have in common: All, Single, Suffix, Prefix, Residue,
/// Slice, else Scattered with share 0.
Pattern placesOf(const std::vector<std::int64_t>& shape, const ElementSet& wrong);
/// The same in device coordinates ("lane 63 of each stick", "rows of cores 1–3"); None where they
/// say no more.
Pattern devicePlacesOf(const layout::TensorLayout& layout, const ElementSet& wrong);

/// What the values there have in common: Constant, NonFinite, Ratio, Offset, SaturatedOrFlushed,
/// Negative; else None.
Pattern valuesOf(
    const numerics::Tensor& device, const numerics::Tensor& reference, const ElementSet& wrong);

/// Where the values there come from: Permuted, Shifted, OtherTensor; else None.
Pattern movementOf(const numerics::Tensor& device, const numerics::Tensor& reference,
    const ElementSet& wrong, const std::vector<Candidate>& others);

/// Relative error within which a device's value counts as another one, by its type.
double sameWithin(ir::DType dtype);

/// Calls with each index of the set; stops when it gives false.
template <typename Visit> bool allOf(const ElementSet& set, Visit visit) {
    for (const auto& run : set.runs) {
        for (std::int64_t i = run.begin; i < run.end; ++i) {
            if (!visit(i))
                return false;
        }
    }
    return true;
}

} // namespace fivefold::compare
