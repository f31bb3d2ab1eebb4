// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

/// Activations of one number, in its own precision.
namespace fivefold::numerics::scalar {

template <typename T> T sigmoid(T x) {
    const T power = std::exp(-std::abs(x)); // never overflows
    return x >= 0 ? 1 / (1 + power) : power / (1 + power);
}

template <typename T> T softplus(T x) {
    return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
}

template <typename T> T hardSigmoid(T x, double alpha, double beta) {
    const T line = T(alpha) * x + T(beta);
    return line < 0 ? T(0) : line > 1 ? T(1) : line;
}

/// Hendrycks, Gimpel: Gaussian Error Linear Units, arXiv:1606.08415.
template <typename T> T geluByErf(T x) {
    return T(0.5) * x * (1 + std::erf(x * T(1 / std::numbers::sqrt2)));
}

/// The same paper's approximation.
template <typename T> T geluByTanh(T x) {
    constexpr double kCubic = 0.044715;
    const T scale = T(std::sqrt(2 / std::numbers::pi));
    return T(0.5) * x * (1 + std::tanh(scale * (x + T(kCubic) * x * x * x)));
}

} // namespace fivefold::numerics::scalar
