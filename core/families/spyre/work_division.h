// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/spyre_layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fivefold::families::spyre {

/// One loop of an OpSpec's iteration space. A core takes whole units: elements, or sticks where the
/// loop walks a stick dimension, so that no stick is shared.
struct LoopDim {
    std::string name; ///< "b", "m", "n", "k", "d0", …
    std::int64_t units = 1; ///< sticks for a stick dimension, elements otherwise
    bool isReduced = false; ///< not in the output
    bool isStick = false;
    bool isPaddedStick = false; ///< its last stick is not full
};

/// A tensor as the span rule sees it: device extents but the lane, outermost first, with the loop
/// that walks each.
struct SpanOperand {
    std::vector<std::int64_t>
        deviceSize; ///< without the lane axis; the innermost entry is one stick wide
    std::vector<int> loops; ///< index into the loops, −1 = none; parallel to deviceSize
};

/// Compiler generations differ in their division rules; the layout version names the generation.
struct DivisionRules {
    std::int64_t cores = 32; ///< 1…32 (SENCORES)
    layout::SpyreLayoutVersion version = layout::SpyreLayoutVersion::V2026_09;

    bool isAugust() const { return version == layout::SpyreLayoutVersion::V2026_09; }
    /// Contiguous bytes that one core may address: 256 MiB in June 2026, 65535·4096 B from August
    /// on (torch-spyre work_division.py, MAX_SPAN_BYTES).
    std::int64_t spanBytes() const {
        return isAugust() ? std::int64_t{65535} * 4096 : std::int64_t{256} << 20;
    }
};

/// The split of every loop and the cores that work: their product.
struct Division {
    std::vector<std::int64_t> splits; ///< parallel to the loops; each divides its units
    std::int64_t cores = 1;
    bool isSpanForced = false; ///< the span pass split something
    bool fitsSpan =
        true; ///< false: no divisor brings a core's span under the limit (a prime stick count)
    std::string rule; ///< a sentence
};

/// Smallest splits, outermost device dimensions first, that bring every operand's span under the
/// limit.
Division spanDivision(const std::vector<LoopDim>& loops, const std::vector<SpanOperand>& operands,
    const DivisionRules& rules);

/// The default rule: output loops by decreasing units (stable), each the largest divisor that fits
/// the cores that are left; from August 2026 on then the one reduced loop that takes most cores,
/// unless it is a padded stick. Loops of one stick are not split. Starts from `start` (the span
/// pass). O(loops · cores).
Division defaultDivision(
    const std::vector<LoopDim>& loops, Division start, const DivisionRules& rules);

/// A batch of products C[b,m,n] = A[b,m,k]·B[(b,)k,n]; n and k in elements.
struct MatmulShape {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    std::int64_t elementsPerStick = 64;
    bool isRightShared = true; ///< the second operand has no batch (or there is none)
};

struct MatmulDivision {
    std::int64_t b = 1, m = 1, n = 1, k = 1;
    bool isByCost = false; ///< the cost search chose it; else span pass and default rule
    bool fitsSpan = true;
    std::string rule;

    std::int64_t cores() const { return b * m * n * k; }
    /// "b1 · m16 · n2 · k1 = 32 cores".
    std::string text() const;
    bool operator==(const MatmulDivision&) const = default;
};

/// Division of a matrix product: the cost search over divisors, unless the span pass split, n is
/// one stick, m is 1 or the default rule keeps more cores busy. Costs are those of torch-spyre's
/// cost_model_matmul_division of June or August 2026. Deterministic: the first minimum in ascending
/// b, m, n, k.
MatmulDivision matmulDivision(const MatmulShape& shape, const DivisionRules& rules);

/// Compiler's cost in µs of one split, June and August forms; exposed for tests.
double matmulCostJune(const MatmulShape& shape, const MatmulDivision& split);
double matmulCostAugust(const MatmulShape& shape, const MatmulDivision& split, std::int64_t cores);

} // namespace fivefold::families::spyre
