// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/numbers.h"
#include "core/compare/pattern_places.h"
#include "core/compare/words.h"
#include "core/numerics/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fivefold::compare {

namespace {

using numerics::Tensor;
constexpr double kShare = 0.95;

Pattern make(Pattern::Kind kind, std::string sentence, double value, double share) {
    Pattern pattern;
    pattern.kind = kind;
    pattern.sentence = std::move(sentence);
    pattern.value = value;
    pattern.share = share;
    return pattern;
}

/// "65/64" where it is one, else digits.
std::string ratioText(double ratio) {
    for (int below = 1; below <= 4096; below = below < 16 ? below + 1 : below * 2) {
        const double above = std::round(ratio * below);
        if (above != 0 && std::abs(ratio - above / below) < 1e-4 * std::abs(ratio)
            && std::abs(above) < 10000)
            return below == 1 ? number(above) : number(above) + "/" + std::to_string(below);
    }
    return number(ratio);
}

class Values {
public:
    Values(const Tensor& device, const Tensor& reference, const ElementSet& wrong)
        : m_d(device)
        , m_r(reference)
        , m_device(device)
        , m_wrong(wrong)
        , m_same(sameWithin(device.dtype())) { }

    Pattern find() const {
        for (const auto attempt : {&Values::nonFinite, &Values::saturated, &Values::constant,
                 &Values::ratio, &Values::offset, &Values::columnOffset, &Values::signs}) {
            const Pattern pattern = (this->*attempt)();
            if (pattern.kind != Pattern::Kind::None)
                return pattern;
        }
        return {};
    }

private:
    template <typename Test> double shareOf(Test test) const {
        std::int64_t hits = 0;
        allOf(m_wrong, [&](std::int64_t i) {
            hits += test(i) ? 1 : 0;
            return true;
        });
        return static_cast<double>(hits) / static_cast<double>(m_wrong.count);
    }

    Pattern nonFinite() const {
        const double share = shareOf([&](std::int64_t i) { return !std::isfinite(m_d[i]); });
        if (share < kShare)
            return {};
        const double nans = shareOf([&](std::int64_t i) { return std::isnan(m_d[i]); });
        return make(Pattern::Kind::NonFinite,
            nans >= kShare  ? "NaN"
                : nans == 0 ? "infinite"
                            : "NaN or infinite",
            0, share);
    }

    Pattern constant() const {
        const double value = m_d[*m_wrong.first()];
        if (m_wrong.count < 2 && value != 0)
            return {};
        const double share = shareOf([&](std::int64_t i) { return m_d[i] == value; });
        if (share < kShare || isReferenceConstant())
            return {};
        return make(Pattern::Kind::Constant,
            m_wrong.count == 1 ? number(value) + " there" : "all " + number(value) + " there",
            value, share);
    }

    bool isReferenceConstant() const {
        const double first = m_r[*m_wrong.first()];
        return m_wrong.count > 1 && shareOf([&](std::int64_t i) { return m_r[i] == first; }) == 1;
    }

    std::optional<double> median(bool isRatio) const {
        constexpr std::int64_t kMost = 4096;
        const std::int64_t step = std::max<std::int64_t>(1, m_wrong.count / kMost);
        std::vector<double> list;
        std::int64_t k = 0;
        allOf(m_wrong, [&](std::int64_t i) {
            const double value = isRatio ? m_d[i] / m_r[i] : m_d[i] - m_r[i];
            if (k++ % step == 0 && std::isfinite(value))
                list.push_back(value);
            return true;
        });
        if (list.empty())
            return std::nullopt;
        std::ranges::nth_element(list, list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2));
        return list[list.size() / 2];
    }

    Pattern ratio() const {
        if (m_wrong.count < 2)
            return {};
        const auto ratio = median(true);
        if (!ratio || *ratio == 0 || std::abs(*ratio - 1) < 2 * m_same)
            return {};
        const double share = shareOf([&](std::int64_t i) {
            return std::abs(m_d[i] - *ratio * m_r[i]) <= 2 * m_same * std::abs(m_d[i]);
        });
        if (share < kShare)
            return {};
        return make(Pattern::Kind::Ratio,
            *ratio == -1 ? "the sign is turned" : "device = " + ratioText(*ratio) + " · reference",
            *ratio, share);
    }

    Pattern offset() const {
        if (m_wrong.count < 2)
            return {};
        const auto offset = median(false);
        if (!offset || *offset == 0)
            return {};
        const double share = shareOf([&](std::int64_t i) {
            return std::abs(m_d[i] - m_r[i] - *offset)
                <= 2 * m_same * (std::abs(m_d[i]) + std::abs(m_r[i]));
        });
        // Errors that all but vanish beside the values would fit any offset.
        if (share < kShare || isLost(*offset))
            return {};
        return make(
            Pattern::Kind::Offset, "device = reference + " + number(*offset), *offset, share);
    }

    bool isLost(double offset) const {
        double sum = 0;
        allOf(m_wrong, [&](std::int64_t i) {
            sum += std::isfinite(m_r[i]) ? std::abs(m_r[i]) : 0;
            return true;
        });
        return std::abs(offset) < 8 * m_same * sum / static_cast<double>(m_wrong.count);
    }

    /// One offset a column, the same in every row.
    Pattern columnOffset() const {
        const std::int64_t columns = m_device.rank() > 1 ? m_device.shape().back() : 0;
        if (columns < 2 || m_wrong.count < 3 * columns / 2 || m_d.size() / columns < 2)
            return {};
        std::map<std::int64_t, std::vector<double>> byColumn;
        allOf(m_wrong, [&](std::int64_t i) {
            byColumn[i % columns].push_back(m_d[i] - m_r[i]);
            return true;
        });
        std::int64_t hits = 0;
        double largest = 0;
        for (auto& [column, list] : byColumn) {
            std::ranges::nth_element(
                list, list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2));
            const double middle = list[list.size() / 2];
            largest = std::max(largest, std::abs(middle));
            for (const double value : list)
                hits += std::abs(value - middle) <= 0.05 * std::abs(middle) ? 1 : 0;
        }
        const double share = static_cast<double>(hits) / static_cast<double>(m_wrong.count);
        if (share < kShare || largest == 0)
            return {};
        return make(
            Pattern::Kind::Offset, "device = reference + a constant per column", largest, share);
    }

    Pattern saturated() const {
        if (m_wrong.count == m_wrong.total)
            return {};
        double most = 0, least = INFINITY;
        const double zeros = shareOf([&](std::int64_t i) {
            most = std::max(most, std::abs(m_r[i]));
            least = std::min(least, std::abs(m_r[i]));
            return m_d[i] == 0;
        });
        const double cap = std::abs(m_d[*m_wrong.first()]);
        const double capped = shareOf([&](std::int64_t i) { return std::abs(m_d[i]) == cap; });
        std::int64_t below = 0, above = 0;
        for (std::int64_t i = 0; i < m_r.size(); ++i) {
            below += m_r[i] != 0 && std::abs(m_r[i]) <= most ? 1 : 0;
            above += std::abs(m_r[i]) >= least ? 1 : 0;
        }
        const auto wrong = static_cast<double>(m_wrong.count);
        if (zeros >= kShare && wrong >= kShare * static_cast<double>(below))
            return make(Pattern::Kind::SaturatedOrFlushed,
                "only magnitudes up to " + number(most) + ", which become 0", most, zeros);
        if (m_wrong.count > 1 && cap > 0 && capped >= kShare
            && wrong >= kShare * static_cast<double>(above))
            return make(Pattern::Kind::SaturatedOrFlushed,
                "only magnitudes from " + number(least) + ", which stop at " + number(cap), cap,
                capped);
        return {};
    }

    Pattern signs() const {
        const double negative = shareOf([&](std::int64_t i) { return m_r[i] < 0; });
        std::int64_t all = 0;
        for (std::int64_t i = 0; i < m_r.size(); ++i)
            all += m_r[i] < 0 ? 1 : 0;
        if (m_wrong.count < 4 || negative < 1
            || static_cast<double>(m_wrong.count) < kShare * static_cast<double>(all))
            return {};
        return make(Pattern::Kind::Negative, "only where the reference is negative", 0, negative);
    }

    Numbers m_d, m_r;
    const Tensor& m_device;
    const ElementSet& m_wrong;
    double m_same;
};

} // namespace

double sameWithin(ir::DType dtype) {
    const auto format = numerics::formatOf(dtype);
    return format == numerics::Format::Fp64 ? 1e-9 : 2 * numerics::facts(format).unitRoundoff;
}

Pattern valuesOf(const Tensor& device, const Tensor& reference, const ElementSet& wrong) {
    return Values(device, reference, wrong).find();
}

} // namespace fivefold::compare
