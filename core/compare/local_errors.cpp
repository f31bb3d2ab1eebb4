// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/local_errors.h"

#include "core/compare/noise.h"
#include "core/compare/numbers.h"
#include "core/compare/words.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using numerics::Format;
using numerics::Tensor;

namespace {

constexpr double kBudget = 3; ///< c of the facts, section 1.3
/// Of results over recomputed operands: their noise is a standard deviation, not a bound, and none
/// of 10^8 elements should be beyond it by chance.
constexpr double kRecomputedBudget = 6;
/// Root mean square of a rounding error, in units of the largest one: over a binade of mantissas.
constexpr double kUsual = 0.41;
constexpr std::int64_t kFewest = 64; ///< elements from which a mean says something
/// Means of |error| / (u |y| + noise) from which a whole tensor drifts: healthy rounding gives
/// 0.41, operators of several steps up to one.
constexpr double kDriftPlain = 1.0, kDriftComposite = 2.0;
/// Approximated functions in single precision: torch.testing's absolute tolerance is 1e-5; the
/// kernels of common runtimes stay within this.
constexpr double kApproximation = 1e-6;
constexpr double kSinglePrecision = 0x1p-24;

bool isApproximated(ir::Op op) {
    using ir::Op;
    switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Sqrt:
    case Op::Cast:
    case Op::Reciprocal:
    case Op::MatMul:
    case Op::Gemm:
    case Op::Conv:
    case Op::ReduceMean:
    case Op::ReduceSum:
        return false;
    default:
        return !isCopying(op) && !isDiscontinuous(op);
    }
}

/// Functions that runtimes approximate to an absolute error: their tails are not exact relative to
/// themselves.
bool isSaturating(ir::Op op) {
    using ir::Op;
    return op == Op::Sigmoid || op == Op::Tanh || op == Op::Erf || op == Op::Softmax
        || op == Op::Swish || op == Op::Gelu || op == Op::Softplus || op == Op::Mish;
}

bool isPlain(ir::Op op) {
    return ir::opClass(op) == ir::OpClass::Pointwise || op == ir::Op::MatMul || op == ir::Op::Gemm
        || op == ir::Op::Conv || op == ir::Op::ReduceMean || op == ir::Op::ReduceSum;
}

/// One comparison under way: expected values, what each may differ by, and sums over it.
class Judgement {
public:
    Judgement(const Tensor& device, const Expected& expected, const RoundOff& roundOff,
        const numerics::Arithmetic* declared, ir::Op op)
        : m_deviceTensor(device)
        , m_expected(expected)
        , m_roundOff(roundOff)
        , m_declared(declared)
        , m_op(op)
        , m_isFloat(ir::isFloat(device.dtype()))
        , m_facts(numerics::facts(roundOff.storage)) { }

    LocalError run() {
        LocalError error;
        error.expected = m_expected.value;
        error.tolerance = tolerance();
        compare(error, m_expected.value);
        if (!error.figures.wrong.isEmpty() && m_expected.unrounded.isDefined())
            compareOther(error);
        if (m_isFloat && error.figures.wrong.isEmpty() && m_expected.recomputed == 0)
            findDrift(error);
        if (m_isFloat && error.figures.wrong.isEmpty() && m_expected.recomputed == 0)
            findOutliers(error);
        error.tolerance.allowance.clear();
        return error;
    }

private:
    /// Of the finite elements, at most one.
    double largestExpected() const {
        const Numbers y(m_expected.value);
        double largest = 0;
        for (std::int64_t i = 0; i < y.size(); ++i)
            largest = std::max(largest, std::isfinite(y[i]) ? std::abs(y[i]) : 0.0);
        return std::min(1.0, largest);
    }

    double smallest() const { return m_roundOff.smallest; }
    /// What a small result may be off by.
    double floor() const {
        return isSaturating(m_op) ? std::max(smallest(), kSinglePrecision) : smallest();
    }

    std::vector<double> scales(const Tensor& expected) const {
        const Numbers y(expected);
        const double growth = m_expected.isMovement
            ? 0
            : 0.5 * std::sqrt(static_cast<double>(m_expected.depth)) * m_roundOff.accumulator
                / std::max(m_roundOff.operand, m_roundOff.unit);
        const bool isNoisy = m_expected.noise.size() == static_cast<std::size_t>(y.size());
        std::vector<double> result(static_cast<std::size_t>(y.size()));
        for (std::size_t i = 0; i < result.size(); ++i) {
            const double magnitude = std::abs(y[static_cast<std::int64_t>(i)]);
            result[i] = (std::isfinite(magnitude) ? magnitude * m_roundOff.unit : 0.0)
                + (isNoisy ? m_expected.noise[i] * (1 + growth) : 0.0);
        }
        return result;
    }

    Tolerance tolerance() {
        Tolerance tolerance;
        if (!m_isFloat) {
            for (const double noise : m_expected.noise)
                tolerance.allowance.push_back(static_cast<float>(noise));
            tolerance.reason = "integers: exact, but where a rounding of the inputs flips them";
            return tolerance;
        }
        m_scales = scales(m_expected.value);
        const double budget = m_expected.recomputed > 0 ? kRecomputedBudget
            : m_expected.isMovement                     ? 1
                                                        : kBudget;
        tolerance.absolute = budget * smallest();
        if (m_roundOff.unit <= 4 * kSinglePrecision && isApproximated(m_op))
            tolerance.absolute = std::max(tolerance.absolute, kApproximation);
        else if (isSaturating(m_op))
            tolerance.absolute = std::max(
                {tolerance.absolute, kSinglePrecision, kApproximation * largestExpected()});
        const bool isExact = m_expected.isInteger && isExactHere();
        tolerance.allowance.reserve(m_scales.size());
        for (const double scale : m_scales)
            tolerance.allowance.push_back(
                isExact ? 0.0F : static_cast<float>(budget * scale * (1 + 1e-6)));
        tolerance.reason = reason(budget, isExact);
        return tolerance;
    }

    /// Small integers went in: where the results are integers that the format holds, every step was
    /// exact.
    bool isExactHere() const {
        if (ir::opClass(m_op) == ir::OpClass::Other || isDiscontinuous(m_op))
            return false;
        const double most = std::ldexp(1.0, m_facts.mantissaBits);
        const Numbers y(m_expected.value);
        for (std::int64_t i = 0; i < y.size(); ++i) {
            if (!(std::abs(y[i]) <= most) || y[i] != std::floor(y[i]))
                return false;
        }
        return true;
    }

    std::string reason(double budget, bool isExact) const {
        const std::string format(numerics::toString(m_roundOff.storage));
        if (isExact)
            return format + ": small integers, every step is exact";
        if (m_expected.isMovement)
            return format + ": elements are copied; " + number(budget) + " u |x|";
        return format + ": " + number(budget) + " u (1 + √" + std::to_string(m_expected.depth)
            + ") S, u = " + number(m_roundOff.unit) + ", S the root mean square of the terms";
    }

    /// What the device's format makes of a value that it cannot hold.
    bool isOverflow(double device, double exact) const {
        if (!m_isFloat || !std::isfinite(exact) || std::abs(exact) <= m_roundOff.largest
            || m_roundOff.storage == Format::Fp64)
            return false;
        if (std::isnan(device))
            return !m_facts.hasInfinity;
        return std::signbit(device) == std::signbit(exact)
            && std::abs(device) >= m_roundOff.largest;
    }

    /// Expected values that the device's format cannot hold count as what it makes of them.
    Tensor withOverflow(const Tensor& expected, ElementSet& overflowed) const {
        const Numbers y(expected), d(m_deviceTensor);
        overflowed.total = y.size();
        std::vector<double> changed;
        for (std::int64_t i = 0; i < y.size(); ++i) {
            if (!isOverflow(d[i], y[i]))
                continue;
            if (changed.empty())
                changed = expected.numbers();
            changed[static_cast<std::size_t>(i)] = d[i];
            overflowed.add(i);
        }
        return changed.empty() ? expected
                               : Tensor(expected.dtype(), expected.shape(), std::move(changed));
    }

    void compare(LocalError& error, const Tensor& expected) {
        const bool isSame = expected.size() == m_deviceTensor.size();
        const Tensor target = m_isFloat && isSame && expected.as<std::string>() == nullptr
            ? withOverflow(expected, error.overflowed)
            : expected;
        error.figures = differ(m_deviceTensor, target, error.tolerance, m_roundOff.storage);
    }

    /// The device may have kept its parameters wider than its results.
    void compareOther(LocalError& error) {
        LocalError other;
        other.tolerance = error.tolerance;
        compare(other, m_expected.unrounded);
        const ElementSet both = intersection(error.figures.wrong, other.figures.wrong);
        if (other.figures.wrong.count < error.figures.wrong.count) {
            error.figures = std::move(other.figures);
            error.expected = m_expected.unrounded;
            error.overflowed = other.overflowed;
        }
        error.figures.wrong = both;
    }

    void findDrift(LocalError& error) {
        const Numbers d(m_deviceTensor), y(error.expected);
        double squares = 0, model = 0;
        std::int64_t count = 0;
        const double floor = this->floor();
        for (std::int64_t i = 0; i < d.size(); ++i) {
            const double scale = m_scales[static_cast<std::size_t>(i)] + floor;
            const double difference = d[i] - y[i];
            if (!std::isfinite(difference) || y[i] == 0)
                continue;
            squares += difference * difference / (scale * scale);
            model += kUsual * kUsual * scale * scale;
            ++count;
        }
        if (count < kFewest || model <= 0)
            return;
        const auto n = static_cast<double>(count);
        error.figures.ratio = error.figures.rmse / std::sqrt(model / n);
        const double drift = std::sqrt(squares / n);
        if (!m_expected.isMovement && drift > (isPlain(m_op) ? kDriftPlain : kDriftComposite)) {
            error.why = "no element alone is beyond its tolerance, but together they drift: "
                + number(drift / kUsual) + " times what rounding to "
                + std::string(numerics::toString(m_roundOff.storage)) + " gives";
            markDrift(error, [&](std::int64_t i) {
                return std::abs(d[i] - y[i])
                    > 0.5 * (m_scales[static_cast<std::size_t>(i)] + floor);
            });
            return;
        }
        // Rounded parameters err to one side: they may be what looks like cutting off.
        const bool hasOther = m_expected.unrounded.isDefined()
            && m_expected.unrounded.size() == d.size() && m_expected.value.size() == d.size();
        if (!hasOther)
            return findTruncation(error, d, y);
        const Numbers value(m_expected.value), unrounded(m_expected.unrounded);
        if (isNearest(d, value) || isNearest(d, unrounded))
            return;
        findTruncation(error, d, value);
        if (error.why.empty())
            findTruncation(error, d, unrounded);
    }

    /// Whether nearly all elements are the expected ones, rounded to nearest.
    bool isNearest(const Numbers& d, const Numbers& y) const {
        std::int64_t same = 0;
        for (std::int64_t i = 0; i < d.size(); ++i)
            same += d[i] == numerics::round(y[i], m_roundOff.storage) ? 1 : 0;
        return static_cast<double>(same) >= 0.98 * static_cast<double>(d.size());
    }

    /// Correct rounding errs to both sides; cutting off errs towards zero on half of the elements.
    void findTruncation(LocalError& error, const Numbers& d, const Numbers& y) {
        constexpr double kShare = 0.05, kOneSided = 0.98;
        const bool isDeclared =
            m_declared && m_declared->rounding == numerics::Rounding::TowardZero;
        if (!isPlain(m_op) || isDeclared || m_expected.isMovement || m_facts.bits > 16)
            return;
        std::int64_t count = 0, inwards = 0, other = 0;
        const auto isCut = [&](std::int64_t i) {
            return d[i] != numerics::round(y[i], m_roundOff.storage)
                && d[i]
                == numerics::round(y[i], m_roundOff.storage, numerics::Rounding::TowardZero);
        };
        for (std::int64_t i = 0; i < d.size(); ++i) {
            if (!std::isfinite(y[i]) || y[i] == 0)
                continue;
            ++count;
            if (d[i] == numerics::round(y[i], m_roundOff.storage))
                continue;
            ++(isCut(i) ? inwards : other);
        }
        const auto differing = static_cast<double>(inwards + other);
        if (inwards < kFewest || differing < kShare * static_cast<double>(count)
            || static_cast<double>(inwards) < kOneSided * differing)
            return;
        error.isTruncated = true;
        error.why = "results are cut off instead of rounded to nearest: " + std::to_string(inwards)
            + " of " + std::to_string(count) + " elements are one step too close to zero";
        markDrift(error, isCut);
    }

    /// Tolerances have room for operands that the machine rounds. Where nearly all elements are the
    /// results in single precision, rounded once, it did not round them: the few others are wrong.
    void findOutliers(LocalError& error) {
        std::optional<ElementSet> wrong;
        for (const Tensor* expected : {&m_expected.value, &m_expected.unrounded}) {
            auto own = outliers(*expected);
            if (own)
                wrong = wrong ? intersection(*wrong, *own) : *std::move(own);
        }
        if (!wrong || wrong->isEmpty())
            return;
        error.figures.wrong = *std::move(wrong);
        error.why = "all other elements are results in single precision, rounded once";
    }

    /// Nullopt where too many elements differ from what was expected, rounded once.
    std::optional<ElementSet> outliers(const Tensor& expected) const {
        constexpr double kShare = 0.98, kSingleUnits = 64;
        const bool isNoisy =
            m_expected.noise.size() == static_cast<std::size_t>(m_deviceTensor.size());
        if (m_deviceTensor.size() < kFewest || expected.size() != m_deviceTensor.size()
            || m_facts.bits > 16 || !isNoisy)
            return std::nullopt;
        const Numbers d(m_deviceTensor), y(expected);
        ElementSet off;
        off.total = d.size();
        std::int64_t same = 0;
        for (std::int64_t i = 0; i < d.size(); ++i) {
            const double sums = m_expected.noise[static_cast<std::size_t>(i)] / m_roundOff.operand;
            same += d[i] == numerics::round(y[i], m_roundOff.storage) ? 1 : 0;
            if (std::abs(d[i] - y[i]) > 2 * numerics::ulp(y[i], m_roundOff.storage)
                    + m_facts.smallestNormal + floor() + kSingleUnits * kSinglePrecision * sums)
                off.add(i);
        }
        return static_cast<double>(same) < kShare * static_cast<double>(d.size())
            ? std::nullopt
            : std::optional(std::move(off));
    }

    template <typename IsWrong> void markDrift(LocalError& error, IsWrong isWrong) {
        for (std::int64_t i = 0; i < m_deviceTensor.size(); ++i) {
            if (isWrong(i))
                error.figures.wrong.add(i);
        }
    }

    const Tensor& m_deviceTensor;
    const Expected& m_expected;
    const RoundOff& m_roundOff;
    const numerics::Arithmetic* m_declared;
    ir::Op m_op;
    bool m_isFloat;
    const numerics::FormatFacts& m_facts;
    std::vector<double> m_scales;
};

} // namespace

RoundOff roundOffOf(Format dump, const numerics::Arithmetic* declared) {
    RoundOff result;
    result.storage = dump == Format::Fp64 ? Format::Fp32 : dump;
    if (declared
        && numerics::facts(declared->storage).unitRoundoff
            > numerics::facts(result.storage).unitRoundoff)
        result.storage = declared->storage;
    result.unit = numerics::facts(result.storage).unitRoundoff;
    result.operand = result.unit;
    result.accumulator = kSinglePrecision;
    const Format held = dump == Format::Fp64 ? Format::Fp32 : dump;
    result.smallest = std::max(numerics::ulp(0.0, held), numerics::ulp(0.0, result.storage));
    result.largest =
        std::min(numerics::facts(held).largest, numerics::facts(result.storage).largest);
    if (declared) {
        if (declared->flushesSubnormals)
            result.smallest =
                std::max(result.smallest, numerics::facts(declared->storage).smallestNormal);
        result.operand = std::max(result.unit, numerics::facts(declared->multiply).unitRoundoff);
        result.accumulator =
            std::max(kSinglePrecision, numerics::facts(declared->accumulate).unitRoundoff);
    }
    return result;
}

LocalError localError(const Tensor& device, const Expected& expected, const RoundOff& roundOff,
    const numerics::Arithmetic* declared, ir::Op op) {
    return Judgement(device, expected, roundOff, declared, op).run();
}

} // namespace fivefold::compare
