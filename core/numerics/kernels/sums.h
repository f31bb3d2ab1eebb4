// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/elements.h"

/// Sums as the arithmetic of an evaluation accumulates them.
namespace fivefold::numerics {

/// In double: the carriers' own sums.
class WideSum {
public:
    void reset() { m_value = 0; }
    void add(double term) { m_value += term; }
    double value() const { return m_value; }

private:
    double m_value = 0;
};

/// In fp32, rounded at each addition.
class SingleSum {
public:
    void reset() { m_value = 0; }
    void add(double term) { m_value += static_cast<float>(term); }
    double value() const { return static_cast<double>(m_value); }

private:
    float m_value = 0;
};

/// In any format, rounded at each addition.
class SteppedSum {
public:
    explicit SteppedSum(const Rounder& rounder)
        : m_rounder(rounder) { }
    void reset() { m_value = 0; }
    void add(double term) { m_value = m_rounder(m_value + term); }
    double value() const { return m_value; }

private:
    Rounder m_rounder;
    double m_value = 0;
};

enum class SumKind : std::uint8_t { Wide, Single, Stepped };
/// Single for fp32 rounded to nearest even, Stepped for what is narrower or rounds differently.
inline SumKind sumKind(const Evaluation& evaluation) {
    const Arithmetic* arithmetic = evaluation.arithmetic;
    if (!arithmetic || arithmetic->accumulate == Format::Fp64)
        return SumKind::Wide;
    const bool isSingle = arithmetic->accumulate == Format::Fp32
        && arithmetic->rounding == Rounding::NearestEven && !arithmetic->flushesSubnormals;
    return isSingle ? SumKind::Single : SumKind::Stepped;
}

/// Calls body(sum) with the sum that the evaluation asks for, at zero.
template <typename Body> auto withSum(const Evaluation& evaluation, Body&& body) {
    switch (sumKind(evaluation)) {
    case SumKind::Single:
        return body(SingleSum());
    case SumKind::Stepped:
        return body(SteppedSum(Rounder(evaluation.arithmetic->accumulate, *evaluation.arithmetic)));
    case SumKind::Wide:
        break;
    }
    return body(WideSum());
}

/// Rounds factors of products; leaves them where there is no arithmetic.
inline Rounder factorRounder(const Evaluation& evaluation) {
    return evaluation.arithmetic ? Rounder(evaluation.arithmetic->multiply, *evaluation.arithmetic)
                                 : Rounder();
}

} // namespace fivefold::numerics
