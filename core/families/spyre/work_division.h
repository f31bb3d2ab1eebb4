// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/spyre_layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::families::spyre {

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

/// A batch of products C[b,m,n] = A[b,m,k]·B[(b,)k,n]; n and k in elements.
struct MatmulShape {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    std::int64_t elementsPerStick = 64;
    bool isRightShared = true; ///< the second operand has no batch (or there is none)
};

struct MatmulDivision {
    std::int64_t b = 1, m = 1, n = 1, k = 1;

    std::int64_t cores() const { return b * m * n * k; }
    /// "b1 · m16 · n2 · k1 = 32 cores".
    std::string text() const;
    bool operator==(const MatmulDivision&) const = default;
};

/// Key of Settings::implementations for a product's split.
constexpr const char* kSplitChoice = "split";
/// "1,16,2,1" along b, m, n, k, each at least 1; nullopt for anything else.
std::optional<MatmulDivision> parseDivision(std::string_view text);

/// The compiler's cost in µs of one split (torch-spyre cost_model_matmul_division), in the forms of
/// June and August 2026.
double matmulCostJune(const MatmulShape& shape, const MatmulDivision& split);
double matmulCostAugust(const MatmulShape& shape, const MatmulDivision& split, std::int64_t cores);

} // namespace fivefold::families::spyre
