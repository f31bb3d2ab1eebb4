// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

namespace fivefold::base {

/// A number with a unit. Quantities of the same unit add and compare; scaling is by plain numbers.
/// Conversions between units are named functions below, never implicit.
template<typename Tag, typename Rep>
struct Quantity {
    Rep value = 0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep v)
        : value(v) { }

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity o) {
        value += o.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity o) {
        value -= o.value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
    friend constexpr Quantity operator*(Quantity a, Rep k) { return Quantity(a.value * k); }
    friend constexpr Quantity operator*(Rep k, Quantity a) { return Quantity(a.value * k); }
    /// Ratio of two quantities of one unit; a plain number.
    friend constexpr double operator/(Quantity a, Quantity b) {
        return static_cast<double>(a.value) / static_cast<double>(b.value);
    }
};

using Bytes = Quantity<struct BytesTag, std::int64_t>;
/// Floating-point operations; one multiply-accumulate is two.
using Flops = Quantity<struct FlopsTag, double>;
using Seconds = Quantity<struct SecondsTag, double>;
/// Time on a timeline; events that touch share the exact same number.
using Picoseconds = Quantity<struct PicosecondsTag, std::int64_t>;

constexpr double kPicosecondsPerSecond = 1e12;

inline Picoseconds toPicoseconds(Seconds s) {
    return Picoseconds(static_cast<std::int64_t>(std::llround(s.value * kPicosecondsPerSecond)));
}
constexpr Seconds toSeconds(Picoseconds p) {
    return Seconds(static_cast<double>(p.value) / kPicosecondsPerSecond);
}
/// Time to move bytes at a rate; bytesPerSecond > 0.
constexpr Seconds transferTime(Bytes b, double bytesPerSecond) {
    return Seconds(static_cast<double>(b.value) / bytesPerSecond);
}
/// Time to do work at a rate; flopsPerSecond > 0.
constexpr Seconds computeTime(Flops f, double flopsPerSecond) {
    return Seconds(f.value / flopsPerSecond);
}

} // namespace fivefold::base
