// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/metrics.h"
#include "core/layout/tensor_layout.h"

#include <functional>

namespace fivefold::compare {

/// What the wrong elements have in common.
struct Pattern {
    enum class Kind : std::uint8_t {
        None, ///< nothing found
        All,
        Single, ///< one element
        Suffix, ///< "only indices ≥ 64" along an axis or the flat index
        Prefix,
        Residue, ///< "index mod 64 = 63 along axis 1"
        Slice, ///< whole rows, columns, heads, or a hyper-rectangle of an axis
        Permuted, ///< the same values at permuted places: axes
        Shifted, ///< device[i] = reference[i + shift]
        OtherTensor, ///< values of another tensor, at an offset in bytes
        Ratio, ///< device = c · reference
        Offset, ///< device = reference + c, per column or all
        Constant, ///< one value in all wrong elements (0, poison)
        NonFinite, ///< NaN or infinity
        SaturatedOrFlushed, ///< only large (small) magnitudes
        Negative, ///< where the reference has one sign
        Scattered, ///< no structure: looks like rounding
    } kind = Kind::None;
    std::string sentence; ///< "only indices ≥ 64", "values of tensor h shifted by 4096 bytes"
    int axis = -1;
    std::int64_t at = 0, period = 0;
    double value = 0; ///< ratio, offset or constant
    std::vector<std::int64_t> permutation;
    std::string otherTensor;
    double share = 0; ///< of the wrong elements that it explains, 0..1
};
std::string_view toString(Pattern::Kind kind); ///< "suffix"

/// Another tensor whose values may have got here.
struct Candidate {
    std::string name;
    const numerics::Tensor* tensor = nullptr;
};

/// The simplest pattern that covers every wrong element (share 1), else the best with share ≥ 0.95,
/// else Scattered. With a layout also in device coordinates ("lane 63 of each stick", "rows of
/// cores 1–3"). O(elements · log elements) + candidates.
Pattern classify(const numerics::Tensor& device, const numerics::Tensor& reference,
    const ElementSet& wrong, const layout::TensorLayout* layout,
    const std::vector<Candidate>& others);

} // namespace fivefold::compare
