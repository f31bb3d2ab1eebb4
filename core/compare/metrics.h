// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/format.h"
#include "core/numerics/tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::compare {

/// Flat indices (row-major, logical), as runs.
struct ElementSet {
    struct Run {
        std::int64_t begin = 0, end = 0; ///< [begin, end)
        bool operator==(const Run&) const = default;
    };
    std::int64_t total = 0; ///< elements of the tensor
    std::int64_t count = 0; ///< in the set
    std::vector<Run> runs; ///< ascending, disjoint, not touching

    std::optional<std::int64_t> first() const {
        return runs.empty() ? std::nullopt : std::optional(runs.front().begin);
    }
    bool isEmpty() const { return count == 0; }
    void add(std::int64_t flat); ///< flat ≥ every index so far; amortised O(1)
    bool contains(std::int64_t flat) const; ///< O(log runs)
    bool operator==(const ElementSet&) const = default;
};
ElementSet intersection(const ElementSet& a, const ElementSet& b);
ElementSet difference(const ElementSet& a, const ElementSet& b);
ElementSet unite(const ElementSet& a, const ElementSet& b);
double jaccard(const ElementSet& a, const ElementSet& b); ///< 1 for two empty sets

/// What an element may differ by: |a − b| ≤ absolute + relative · |b| + |scale|·share terms that
/// the policy adds. One for a tensor.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    std::string reason; ///< "fp16: 3 u (1 + √768) S + 1e-5"
    /// Per element further allowance (c·u·(1 + √K)·S of the facts, section 1.3); empty: none.
    std::vector<float> allowance;
};

/// Bins of the ULP histogram: 0, 1, 2, 3–4, 5–8, … powers of two, the last open.
constexpr std::size_t kUlpBins = 20;

/// How two tensors of as many elements differ. Non-finite values are compared by kind and place and
/// never masked; figures other than counts run over the pairs that are finite on both sides.
struct ErrorFigures {
    std::int64_t total = 0;
    ElementSet wrong; ///< beyond the tolerance, or of another non-finite kind
    ElementSet nonFiniteWrong; ///< NaN, +∞ or −∞ on one side and not the same on the other
    double maxAbs = 0;
    std::int64_t maxAbsAt = -1;
    double maxRel = 0; ///< over |reference| ≥ the dtype's small-value bound
    double rmse = 0;
    double referenceRms = 0;
    double meanSigned = 0; ///< of a − b
    std::optional<double> cosine; ///< nullopt for a zero or constant tensor
    std::optional<std::int64_t> maxUlp;
    std::array<std::int64_t, kUlpBins> ulpHistogram{};
    std::optional<double> ratio; ///< R = RMSE(device, fp64) / RMSE(emulated, fp64)
};
ErrorFigures differ(const numerics::Tensor& device, const numerics::Tensor& reference,
    const Tolerance& tolerance, numerics::Format format);

} // namespace fivefold::compare
