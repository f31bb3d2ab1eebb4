// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/work_division.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fivefold::families::spyre {

using lowering::ceilDiv;

namespace {

// The compiler's own figures (torch-spyre, cost_model_matmul_division): peak of the card, and its
// LPDDR5.
constexpr double kMacsPerMicrosecond = 1.536e6, kBytesPerMicrosecond = 204'800;

double product(std::initializer_list<std::int64_t> factors) {
    double p = 1;
    for (std::int64_t f : factors)
        p *= static_cast<double>(f);
    return p;
}

double log2Positive(double x) {
    return x > 1 ? std::log2(x) : 0;
}

} // namespace

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
        / static_cast<double>(split.cores()) / (kMacsPerMicrosecond * efficiency);
    const double bytes = 2
        * (product({shape.batch, shape.m, shape.k}) + product({shape.batch, shape.k, shape.n})
            + results);
    const double memory = bytes / kBytesPerMicrosecond
        * std::max(1.0, static_cast<double>(std::max(split.m, split.n)) / 8);
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
        / (kMacsPerMicrosecond * std::min(1.0, std::pow(std::max(1.0, rows / 8) / 5, 0.25)));
    const double bytes = 2 * (product({s.batch, s.m, k}) + weight * product({k, n}) + results);
    return compute + bytes / kBytesPerMicrosecond * std::max(1.0, std::pow(fan / 8, 0.75))
        + static_cast<double>(split.k - 1) * (results / product({split.b, split.m, split.n}))
        * perPartial
        + 10 * log2Positive(wanted / static_cast<double>(split.m))
        + 30 * (rows > 0 ? log2Positive(16 / rows) : 0) + 25 * log2Positive(columns / 512)
        + 150 * log2Positive(static_cast<double>(cores) / used) + shapeTerm;
}

std::optional<MatmulDivision> parseDivision(std::string_view text) {
    MatmulDivision split;
    std::int64_t* parts[] = {&split.b, &split.m, &split.n, &split.k};
    const char* at = text.data();
    const char* end = text.data() + text.size();
    for (std::int64_t* part : parts) {
        const auto [next, failed] = std::from_chars(at, end, *part);
        const bool isLast = part == parts[3];
        if (failed != std::errc() || *part < 1 || (next == end) != isLast
            || (!isLast && *next != ','))
            return std::nullopt;
        at = next + 1;
    }
    return split;
}

} // namespace fivefold::families::spyre
