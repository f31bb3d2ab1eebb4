// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/global_errors.h"

#include "core/compare/numbers.h"
#include "core/compare/words.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

namespace {

constexpr double kTight = 2; ///< rounding steps within which a value counts as the reference's
constexpr double kAccumulated = 8;

double rootMeanSquare(const Numbers& values, std::int64_t begin, std::int64_t end) {
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t i = begin; i < end; ++i) {
        if (!std::isfinite(values[i]) || std::abs(values[i]) > 1e30)
            continue; // masks
        sum += values[i] * values[i];
        ++count;
    }
    return count ? std::sqrt(sum / static_cast<double>(count)) : 0.0;
}

double slopeOf(const Numbers& device, const Numbers& reference) {
    double products = 0, squares = 0;
    for (std::int64_t i = 0; i < std::min(device.size(), reference.size()); ++i) {
        const double a = device[i], b = reference[i];
        if (!std::isfinite(a) || !std::isfinite(b) || std::abs(b) > 1e30)
            continue;
        products += a * b;
        squares += b * b;
    }
    return squares > 0 ? products / squares : 1;
}

} // namespace

GlobalError globalError(const numerics::Tensor& device, const numerics::Tensor& reference,
    const RoundOff& roundOff, double share) {
    GlobalError error;
    const bool isFloat = ir::isFloat(device.dtype());
    if (isFloat) {
        error.tolerance.relative = kTight * roundOff.unit;
        error.tolerance.absolute = roundOff.smallest;
    }
    error.figures = differ(device, reference, error.tolerance, roundOff.storage);
    error.notTight = error.figures.wrong;
    if (error.figures.referenceRms > 0)
        error.relative = error.figures.rmse / error.figures.referenceRms;
    if (!error.notTight.isEmpty())
        error.slope = slopeOf(Numbers(device), Numbers(reference));
    const double allowed = std::max(kAccumulated * roundOff.unit, share);
    error.tolerance.reason = isFloat ? std::string(numerics::toString(roundOff.storage)) + ": "
            + number(allowed) + " (|x| + root mean square of the row)"
                                     : "integers: exact";
    if (!isFloat || error.notTight.isEmpty() || device.size() != reference.size())
        return error;
    const Numbers a(device), b(reference);
    const std::int64_t row =
        reference.rank() == 0 ? 1 : std::max<std::int64_t>(1, reference.shape().back());
    ElementSet wrong;
    wrong.total = error.notTight.total;
    // A share of its own: rows that are nearly zero say nothing of what fed them.
    const double least = share > 0 ? rootMeanSquare(b, 0, b.size()) : 0;
    std::int64_t current = -1;
    double usual = 0;
    for (const auto& run : error.notTight.runs) {
        for (std::int64_t i = run.begin; i < run.end; ++i) {
            if (i / row != current) {
                current = i / row;
                usual = std::max(least,
                    rootMeanSquare(b, current * row, std::min(b.size(), (current + 1) * row)));
            }
            const double difference = std::abs(a[i] - b[i]);
            const double limit = allowed * (std::abs(b[i]) + usual) + error.tolerance.absolute;
            if (!(difference <= limit) && !(std::isnan(a[i]) && std::isnan(b[i])))
                wrong.add(i);
        }
    }
    error.figures.wrong = std::move(wrong);
    return error;
}

bool isScaled(const GlobalError& error, double unit) {
    constexpr double kFewest = 64, kFactor = 8;
    const double scale = std::abs(error.slope - 1);
    const auto count = static_cast<double>(error.figures.total);
    // What the slope does not explain: RMSE² = scale² + rest².
    const double rest = std::sqrt(std::max(0.0, error.relative * error.relative - scale * scale));
    return count >= kFewest && scale > kFactor * unit && rest < scale / 3;
}

bool looksLikeNoise(const GlobalError& error) {
    constexpr double kOutlier = 8; // of a normal distribution: one in 10¹⁵
    return error.figures.nonFiniteWrong.isEmpty() && error.figures.rmse > 0
        && error.figures.maxAbs < kOutlier * error.figures.rmse;
}

} // namespace fivefold::compare
