// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/metrics.h"

#include "core/compare/numbers.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace fivefold::compare {

namespace {

using Run = ElementSet::Run;

/// Both sets' runs in order of their begin, as +1 and −1 edges; keeps stretches where `wanted`.
template <typename Wanted>
ElementSet combine(const ElementSet& a, const ElementSet& b, Wanted wanted) {
    ElementSet result;
    result.total = std::max(a.total, b.total);
    std::vector<std::int64_t> edges;
    for (const ElementSet* set : {&a, &b}) {
        for (const Run& run : set->runs)
            edges.insert(edges.end(), {run.begin, run.end});
    }
    std::inplace_merge(
        edges.begin(), edges.begin() + 2 * std::ssize(a.runs), edges.end()); // each is in order
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
    std::size_t i = 0, j = 0;
    for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
        const std::int64_t begin = edges[k], end = edges[k + 1];
        while (i < a.runs.size() && a.runs[i].end <= begin)
            ++i;
        while (j < b.runs.size() && b.runs[j].end <= begin)
            ++j;
        const bool inA = i < a.runs.size() && a.runs[i].begin <= begin;
        const bool inB = j < b.runs.size() && b.runs[j].begin <= begin;
        if (!wanted(inA, inB))
            continue;
        result.count += end - begin;
        if (!result.runs.empty() && result.runs.back().end == begin)
            result.runs.back().end = end;
        else
            result.runs.push_back({begin, end});
    }
    return result;
}

std::size_t binOf(std::int64_t ulps) {
    if (ulps <= 2)
        return static_cast<std::size_t>(ulps);
    const auto bin = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(ulps - 1)));
    return std::min(bin + 1, kUlpBins - 1);
}

/// Steps of the format between two finite values: by their bits where both are normal numbers of it
/// and of one sign, which nearly all are.
class UlpDistance {
public:
    explicit UlpDistance(numerics::Format format)
        : m_format(format)
        , m_smallest(numerics::facts(format).smallestNormal)
        , m_largest(numerics::facts(format).largest)
        , m_isFast(numerics::facts(format).exponentBits > 0 && format != numerics::Format::Fp64)
        , m_dropped(52 - numerics::facts(format).mantissaBits) { }

    std::int64_t operator()(double a, double b) const {
        if (a == b)
            return 0;
        const double x = std::abs(a), y = std::abs(b);
        const bool isPlain = m_isFast && (a < 0) == (b < 0) && std::min(x, y) >= m_smallest
            && std::max(x, y) <= m_largest;
        if (!isPlain)
            return numerics::ulpDistance(a, b, m_format)
                .value_or(std::numeric_limits<std::int64_t>::max());
        return std::abs(ordinal(x) - ordinal(y));
    }

private:
    std::int64_t ordinal(double magnitude) const {
        const auto bits = std::bit_cast<std::int64_t>(magnitude);
        return (bits + (std::int64_t(1) << (m_dropped - 1))) >> m_dropped;
    }

    numerics::Format m_format;
    double m_smallest, m_largest;
    bool m_isFast;
    int m_dropped;
};

/// Below it relative errors say nothing: the small-value bounds of msprobe (facts, section 1.3).
double smallValue(numerics::Format format) {
    switch (format) {
    case numerics::Format::Fp16:
    case numerics::Format::DlFloat16:
        return 0x1p-11;
    case numerics::Format::Bf16:
        return 0x1p-8;
    case numerics::Format::Fp64:
        return 0x1p-30;
    default:
        return numerics::facts(format).bits <= 8 ? numerics::facts(format).smallestNormal : 0x1p-14;
    }
}

/// Sums over pairs that are finite on both sides.
struct Sums {
    std::int64_t finite = 0;
    double squares = 0, signedSum = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    double lowA = INFINITY, highA = -INFINITY, lowB = INFINITY, highB = -INFINITY;

    void add(double x, double y) {
        const double d = x - y;
        ++finite;
        squares += d * d;
        signedSum += d;
        aa += x * x;
        bb += y * y;
        ab += x * y;
        lowA = std::min(lowA, x), highA = std::max(highA, x);
        lowB = std::min(lowB, y), highB = std::max(highB, y);
    }
    void fill(ErrorFigures& figures) const {
        if (finite == 0)
            return;
        const auto n = static_cast<double>(finite);
        figures.rmse = std::sqrt(squares / n);
        figures.referenceRms = std::sqrt(bb / n);
        figures.meanSigned = signedSum / n;
        const bool isConstant = lowA == highA || lowB == highB;
        if (!isConstant && aa > 0 && bb > 0)
            figures.cosine = ab / (std::sqrt(aa) * std::sqrt(bb));
    }
};

bool isSameKind(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || a == b;
}

void differText(
    const numerics::Tensor& device, const numerics::Tensor& reference, ErrorFigures& figures) {
    const auto* a = device.as<std::string>();
    const auto* b = reference.as<std::string>();
    for (std::int64_t i = 0; i < figures.total; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!a || !b || (*a)[at] != (*b)[at])
            figures.wrong.add(i);
    }
}

bool isText(const numerics::Tensor& tensor) {
    return tensor.as<std::string>() != nullptr;
}

bool isExact(const Tolerance& tolerance) {
    return tolerance.absolute == 0 && tolerance.relative == 0 && tolerance.allowance.empty();
}

/// Integers beyond 2⁵³ lose digits as doubles.
bool differsAsInteger(
    const numerics::Tensor& device, const numerics::Tensor& reference, std::int64_t at) {
    const auto* a = device.as<std::int64_t>();
    const auto* b = reference.as<std::int64_t>();
    return a && b && (*a)[static_cast<std::size_t>(at)] != (*b)[static_cast<std::size_t>(at)];
}

} // namespace

void ElementSet::add(std::int64_t flat) {
    ++count;
    if (!runs.empty() && runs.back().end == flat)
        ++runs.back().end;
    else
        runs.push_back({flat, flat + 1});
}

bool ElementSet::contains(std::int64_t flat) const {
    const auto after = std::ranges::upper_bound(runs, flat, {}, &Run::begin);
    return after != runs.begin() && flat < std::prev(after)->end;
}

ElementSet intersection(const ElementSet& a, const ElementSet& b) {
    return combine(a, b, [](bool inA, bool inB) { return inA && inB; });
}
ElementSet difference(const ElementSet& a, const ElementSet& b) {
    return combine(a, b, [](bool inA, bool inB) { return inA && !inB; });
}
ElementSet unite(const ElementSet& a, const ElementSet& b) {
    return combine(a, b, [](bool inA, bool inB) { return inA || inB; });
}
double jaccard(const ElementSet& a, const ElementSet& b) {
    const std::int64_t common = intersection(a, b).count, all = a.count + b.count - common;
    return all == 0 ? 1.0 : static_cast<double>(common) / static_cast<double>(all);
}

ErrorFigures differ(const numerics::Tensor& device, const numerics::Tensor& reference,
    const Tolerance& tolerance, numerics::Format format) {
    ErrorFigures figures;
    figures.total = std::max(device.size(), reference.size());
    figures.wrong.total = figures.nonFiniteWrong.total = figures.total;
    if (device.size() != reference.size()) {
        for (std::int64_t i = 0; i < figures.total; ++i)
            figures.wrong.add(i);
        return figures;
    }
    if (isText(device) || isText(reference)) {
        differText(device, reference, figures);
        return figures;
    }
    const Numbers a(device), b(reference);
    const UlpDistance ulps(format);
    const double small = smallValue(format);
    const float* allowance = tolerance.allowance.empty() ? nullptr : tolerance.allowance.data();
    const bool isIntegral = isExact(tolerance) && device.as<std::int64_t>();
    Sums sums;
    for (std::int64_t i = 0; i < figures.total; ++i) {
        const double x = a[i], y = b[i];
        if (!std::isfinite(x) || !std::isfinite(y)) {
            if (!isSameKind(x, y)) {
                figures.wrong.add(i);
                figures.nonFiniteWrong.add(i);
            }
            continue;
        }
        const double error = std::abs(x - y);
        sums.add(x, y);
        const std::int64_t steps = ulps(x, y);
        ++figures.ulpHistogram[binOf(steps)];
        if (!figures.maxUlp || steps > *figures.maxUlp)
            figures.maxUlp = steps;
        if (error > figures.maxAbs || figures.maxAbsAt < 0) {
            figures.maxAbs = error;
            figures.maxAbsAt = i;
        }
        if (std::abs(y) >= small)
            figures.maxRel = std::max(figures.maxRel, error / std::abs(y));
        const double allowed = tolerance.absolute + tolerance.relative * std::abs(y)
            + (allowance ? static_cast<double>(allowance[i]) : 0.0);
        if (error > allowed || (isIntegral && differsAsInteger(device, reference, i)))
            figures.wrong.add(i);
    }
    sums.fill(figures);
    return figures;
}

} // namespace fivefold::compare
