// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/work_division.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::families::spyre {

using lowering::ceilDiv;
using lowering::divisors;
using lowering::largestDivisor;

namespace {

bool isDivisible(const LoopDim& loop) {
    return loop.units > 1;
}

double product(std::initializer_list<std::int64_t> factors) {
    double p = 1;
    for (std::int64_t f : factors)
        p *= static_cast<double>(f);
    return p;
}

double log2Positive(double x) {
    return x > 1 ? std::log2(x) : 0;
}

std::int64_t busyCores(const std::vector<std::int64_t>& splits) {
    return std::accumulate(
        splits.begin(), splits.end(), std::int64_t{1}, std::multiplies<std::int64_t>());
}

/// Splits the loops of one operand until its span fits. An inner dimension helps only once a core
/// holds a single step of all outer ones.
void splitForSpan(const std::vector<LoopDim>& loops, const SpanOperand& operand,
    const DivisionRules& rules, Division& division) {
    double inner = layout::kSpyreStickBytes;
    std::vector<double> strides(operand.deviceSize.size());
    for (std::size_t d = operand.deviceSize.size(); d-- > 0;) {
        strides[d] = inner;
        inner *= static_cast<double>(operand.deviceSize[d]);
    }
    const auto limit = static_cast<double>(rules.spanBytes());
    for (std::size_t d = 0; d < operand.deviceSize.size(); ++d) {
        const int loop = operand.loops[d];
        const auto extent = static_cast<double>(operand.deviceSize[d]);
        const std::int64_t have = loop >= 0 ? division.splits[loop] : 1;
        if (extent / static_cast<double>(have) * strides[d] <= limit)
            return;
        std::int64_t taken = have;
        if (loop >= 0 && isDivisible(loops[loop])) {
            const std::int64_t room =
                rules.cores / std::max<std::int64_t>(1, busyCores(division.splits) / have);
            for (std::int64_t split : divisors(loops[loop].units, room)) {
                taken = std::max(have, split);
                if (extent / static_cast<double>(taken) * strides[d] <= limit)
                    break;
            }
            division.splits[loop] = taken;
            division.isSpanForced = division.isSpanForced || taken > have;
        }
        const double left = extent / static_cast<double>(taken);
        if (left * strides[d] <= limit)
            return;
        if (left > 1)
            break;
    }
    division.fitsSpan = false;
}

} // namespace

Division spanDivision(const std::vector<LoopDim>& loops, const std::vector<SpanOperand>& operands,
    const DivisionRules& rules) {
    Division division;
    division.splits.assign(loops.size(), 1);
    for (const SpanOperand& operand : operands)
        splitForSpan(loops, operand, rules, division);
    division.cores = busyCores(division.splits);
    if (division.isSpanForced)
        division.rule = "A core addresses at most " + std::to_string(rules.spanBytes())
            + " contiguous bytes, so the outermost dimensions are split first.";
    return division;
}

Division defaultDivision(
    const std::vector<LoopDim>& loops, Division start, const DivisionRules& rules) {
    Division division = std::move(start);
    division.splits.resize(loops.size(), 1);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (!loops[i].isReduced && isDivisible(loops[i]) && division.splits[i] == 1)
            order.push_back(i);
    std::ranges::stable_sort(
        order, [&loops](std::size_t a, std::size_t b) { return loops[a].units > loops[b].units; });
    std::int64_t left = std::max<std::int64_t>(1, rules.cores / busyCores(division.splits));
    for (std::size_t i : order) {
        division.splits[i] = largestDivisor(loops[i].units, left);
        left /= division.splits[i];
    }
    if (rules.isAugust() && left > 1) {
        std::size_t best = loops.size();
        std::int64_t most = 1;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            if (!loops[i].isReduced || loops[i].isPaddedStick || division.splits[i] != 1)
                continue;
            const std::int64_t split = largestDivisor(loops[i].units, left);
            if (split > most) {
                most = split;
                best = i;
            }
        }
        if (best < loops.size())
            division.splits[best] = most;
    }
    division.cores = busyCores(division.splits);
    if (division.rule.empty())
        division.rule = "The largest output dimension is split first, by the largest divisor that "
                        "fits the cores left.";
    return division;
}

std::string MatmulDivision::text() const {
    return "b" + std::to_string(b) + " · m" + std::to_string(m) + " · n" + std::to_string(n)
        + " · k" + std::to_string(k) + " = " + std::to_string(cores())
        + (cores() == 1 ? " core" : " cores");
}

double matmulCostJune(const MatmulShape& shape, const MatmulDivision& split) {
    const double rows = static_cast<double>(shape.m) / static_cast<double>(split.m);
    const double passes = std::max(1.0, rows / 8);
    const double efficiency = std::min(1.0, std::sqrt(passes / 8));
    const double results = product({shape.batch, shape.m, shape.n});
    const double compute = results * static_cast<double>(shape.k)
        / static_cast<double>(split.cores()) / (1.536e6 * efficiency);
    const double bytes = 2
        * (product({shape.batch, shape.m, shape.k}) + product({shape.batch, shape.k, shape.n})
            + results);
    const double memory =
        bytes / 204800 * std::max(1.0, static_cast<double>(std::max(split.m, split.n)) / 8);
    const double partials = static_cast<double>(split.k - 1) * results * 1.4e-4;
    const double tieBreak = passes < 8 ? 50 * std::log2(8 / passes) : 0;
    return (compute + memory + partials + tieBreak) * std::pow(static_cast<double>(split.b), 1.4);
}

double matmulCostAugust(const MatmulShape& s, const MatmulDivision& split, std::int64_t cores) {
    const auto e = s.elementsPerStick;
    const std::int64_t n = ceilDiv(s.n, e) * e, k = ceilDiv(s.k, e) * e;
    const auto rows = static_cast<double>(s.m / split.m),
               columns = static_cast<double>(n / split.n);
    const auto used = static_cast<double>(split.cores());
    const double results = product({s.batch, s.m, n});
    const bool shared = s.isRightShared;
    const double weight = shared ? 1 : static_cast<double>(s.batch);
    const auto fan = static_cast<double>(shared ? std::max(split.m, split.n) : split.n);
    const double perPartial = shared ? 1e-3 : 1e-4;
    const double kOverN = log2Positive(static_cast<double>(k) / static_cast<double>(n))
        * std::log2(static_cast<double>(split.n));
    double shapeTerm = 0;
    if (shared)
        shapeTerm = (rows >= 16 ? 5 * log2Positive(4096.0 / static_cast<double>(n))
                                * log2Positive(columns / 128)
                                : 0)
            + 10 * kOverN;
    else
        shapeTerm = (rows >= 16 ? 20 * kOverN : 0) + 10 * std::log2(static_cast<double>(split.b));
    const double wanted = std::max(4.0,
        std::min(static_cast<double>(cores) / 2,
            static_cast<double>(std::max<std::int64_t>(1, s.m / 32))));
    const double compute = results * static_cast<double>(k) / used
        / (1.536e6 * std::min(1.0, std::pow(std::max(1.0, rows / 8) / 5, 0.25)));
    const double bytes = 2 * (product({s.batch, s.m, k}) + weight * product({k, n}) + results);
    return compute + bytes / 204800 * std::max(1.0, std::pow(fan / 8, 0.75))
        + static_cast<double>(split.k - 1) * (results / product({split.b, split.m, split.n}))
        * perPartial
        + 10 * log2Positive(wanted / static_cast<double>(split.m))
        + 30 * (rows > 0 ? log2Positive(16 / rows) : 0) + 25 * log2Positive(columns / 512)
        + 150 * log2Positive(static_cast<double>(cores) / used) + shapeTerm;
}

namespace {

/// Loops b, m, n, k of a product; n and k count sticks.
std::vector<LoopDim> matmulLoops(const MatmulShape& s) {
    const auto e = s.elementsPerStick;
    return {{"b", s.batch}, {"m", s.m}, {"n", ceilDiv(s.n, e), false, true, s.n % e != 0},
        {"k", ceilDiv(s.k, e), true, true, s.k % e != 0}};
}

/// Operands in the default stick layout: rank 2 [sticks, rows], rank 3 [rows, sticks, batch].
std::vector<SpanOperand> matmulOperands(const MatmulShape& s, const std::vector<LoopDim>& loops) {
    const auto operand = [&](int rows, std::int64_t rowCount, int sticks, bool isBatched) {
        if (isBatched && s.batch > 1)
            return SpanOperand{{rowCount, loops[sticks].units, s.batch}, {rows, sticks, 0}};
        return SpanOperand{{loops[sticks].units, rowCount}, {sticks, rows}};
    };
    return {
        operand(1, s.m, 3, true), operand(3, s.k, 2, !s.isRightShared), operand(1, s.m, 2, true)};
}

MatmulDivision toMatmul(const Division& division) {
    MatmulDivision out{division.splits[0], division.splits[1], division.splits[2],
        division.splits[3], false, division.fitsSpan, division.rule};
    return out;
}

MatmulDivision cheapest(const MatmulShape& shape, const DivisionRules& rules,
    const std::vector<LoopDim>& loops, std::int64_t atLeast) {
    MatmulDivision best;
    double bestCost = INFINITY;
    for (std::int64_t b : divisors(loops[0].units, rules.cores))
        for (std::int64_t m : divisors(loops[1].units, rules.cores / b))
            for (std::int64_t n : divisors(loops[2].units, rules.cores / b / m))
                for (std::int64_t k : divisors(loops[3].units, rules.cores / b / m / n)) {
                    if (b * m * n * k < atLeast)
                        continue;
                    const MatmulDivision split{b, m, n, k, true, true, {}};
                    const double cost = rules.isAugust()
                        ? matmulCostAugust(shape, split, rules.cores)
                        : matmulCostJune(shape, split);
                    if (cost < bestCost - 1e-12) {
                        bestCost = cost;
                        best = split;
                    }
                }
    return best;
}

} // namespace

MatmulDivision matmulDivision(const MatmulShape& shape, const DivisionRules& rules) {
    const auto loops = matmulLoops(shape);
    Division span = spanDivision(loops, matmulOperands(shape, loops), rules);
    const bool isSpanForced = span.isSpanForced;
    const MatmulDivision standard = toMatmul(defaultDivision(loops, std::move(span), rules));
    if (isSpanForced || loops[2].units <= 1 || shape.m <= 1)
        return standard;
    // June searched only splits that keep as many cores busy as the default rule does; August
    // searches all and falls back when fewer are busy.
    MatmulDivision best = cheapest(shape, rules, loops, rules.isAugust() ? 1 : standard.cores());
    if (best.cores() < standard.cores() || !best.isByCost)
        return standard;
    best.rule = "The split with the least modelled cost of all divisors of b, m, n and k.";
    return best;
}

} // namespace fivefold::families::spyre
