// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/numbers.h"
#include "core/compare/pattern_places.h"
#include "core/compare/side_values.h"
#include "core/compare/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace fivefold::compare {

namespace {

using numerics::Tensor;
constexpr double kShare = 0.95;
constexpr std::int64_t kMostElements = std::int64_t(1) << 22;
constexpr std::size_t kMostRank = 5; ///< 120 orders of axes

class Movement {
public:
    Movement(const Tensor& device, const Tensor& reference, const ElementSet& wrong)
        : m_device(device)
        , m_reference(reference)
        , m_wrong(wrong)
        , m_d(device)
        , m_r(reference)
        , m_same(2 * sameWithin(device.dtype())) { }

    /// Several values that differ: anything equals a constant tensor everywhere.
    bool isTelling() const {
        std::set<double> distinct;
        allOf(m_wrong, [&](std::int64_t i) {
            if (std::isfinite(m_d[i]) && m_d[i] != 0)
                distinct.insert(m_d[i]);
            return distinct.size() < 8;
        });
        return distinct.size() >= std::min<std::size_t>(3, static_cast<std::size_t>(m_wrong.count))
            && distinct.size() >= 2;
    }

    Pattern permuted() const {
        const std::size_t rank = m_reference.rank();
        if (rank < 2 || rank > kMostRank || m_wrong.count * 2 < m_d.size() / 4)
            return {};
        std::vector<std::int64_t> axes(rank);
        std::iota(axes.begin(), axes.end(), 0);
        while (std::next_permutation(axes.begin(), axes.end())) {
            const Tensor moved = transposed(m_reference, axes);
            if (moved.shape() == m_reference.shape() && isAxesOfOne(axes))
                continue;
            const Numbers there(moved);
            if (!agrees([&](std::int64_t i) { return there[i]; }, kShare, true))
                continue;
            Pattern pattern = make(Pattern::Kind::Permuted, "permuted by (");
            for (std::size_t k = 0; k < rank; ++k)
                pattern.sentence += (k ? "," : "") + std::to_string(axes[k]);
            pattern.sentence += ")";
            pattern.permutation = axes;
            return pattern;
        }
        return {};
    }

    /// Whole slices of an axis in another order: swapped heads, a turned or rolled axis.
    Pattern reordered() const {
        const auto& shape = m_reference.shape();
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const auto order = orderAlong(axis);
            if (order.empty())
                continue;
            const auto at = [&](std::int64_t i) { return m_r[mapped(i, axis, order)]; };
            if (!agrees(at, kShare, false))
                continue;
            Pattern pattern = make(Pattern::Kind::Permuted, orderText(order, axis));
            pattern.axis = static_cast<int>(axis);
            pattern.permutation = order;
            return pattern;
        }
        return {};
    }

    Pattern shifted() const {
        for (const std::int64_t shift : shiftsIn(m_r)) {
            if (shift == 0 || !agreesShifted(m_r, shift))
                continue;
            Pattern pattern = make(Pattern::Kind::Shifted,
                "values of the reference " + counted(std::abs(shift), "element")
                    + (shift > 0 ? " further on" : " before"));
            pattern.at = shift;
            return pattern;
        }
        return pitched();
    }

    /// Row r is shifted by r · s: a stale row pitch.
    Pattern pitched() const {
        if (m_reference.rank() < 2)
            return {};
        const std::int64_t columns = m_reference.shape().back();
        const std::int64_t rows = m_r.size() / std::max<std::int64_t>(1, columns);
        if (rows < 2 || columns < 2)
            return {};
        for (std::int64_t step = -columns; step <= columns; ++step) {
            if (step == 0)
                continue;
            const auto at = [&](std::int64_t i) {
                const std::int64_t from = i + step * (i / columns);
                return from >= 0 && from < m_r.size() ? m_r[from]
                                                      : std::numeric_limits<double>::quiet_NaN();
            };
            if (!agreesWhereKnown(at))
                continue;
            Pattern pattern = make(Pattern::Kind::Shifted,
                "row r holds values " + counted(std::abs(step), "element") + " · r "
                    + (step > 0 ? "further on" : "before") + ": a wrong row pitch");
            pattern.at = step;
            pattern.period = columns;
            return pattern;
        }
        return {};
    }

    Pattern ofOther(const Candidate& other) const {
        const std::int64_t bytes = std::max(1, ir::bitWidth(m_device.dtype()) / 8);
        const Numbers values(*other.tensor);
        std::vector<std::int64_t> shifts = shiftsIn(values);
        if (std::ranges::find(shifts, 0) == shifts.end() && values.size() == m_d.size())
            shifts.insert(shifts.begin(), 0);
        for (const std::int64_t shift : shifts) {
            if (!agreesShifted(values, shift))
                continue;
            Pattern pattern = make(Pattern::Kind::OtherTensor,
                "values of tensor " + other.name
                    + (shift == 0 ? std::string()
                                  : " shifted by " + std::to_string(shift * bytes) + " bytes"));
            pattern.otherTensor = other.name;
            pattern.at = shift * bytes;
            return pattern;
        }
        return {};
    }

private:
    Pattern make(Pattern::Kind kind, std::string sentence) const {
        Pattern pattern;
        pattern.kind = kind;
        pattern.sentence = std::move(sentence);
        pattern.share = 1;
        return pattern;
    }

    bool isSame(double a, double b) const {
        return std::abs(a - b) <= m_same * std::abs(b) + 1e-12;
    }

    /// Axes of extent one moved about change nothing.
    bool isAxesOfOne(const std::vector<std::int64_t>& axes) const {
        std::int64_t last = -1;
        for (const std::int64_t axis : axes) {
            if (m_reference.shape()[static_cast<std::size_t>(axis)] == 1)
                continue;
            if (axis < last)
                return false;
            last = axis;
        }
        return true;
    }

    template <typename At> bool agrees(At at, double share, bool isWhole) const {
        const std::int64_t count = isWhole ? m_d.size() : m_wrong.count;
        const auto allowed = static_cast<std::int64_t>((1 - share) * static_cast<double>(count));
        std::int64_t misses = 0;
        if (isWhole) {
            for (std::int64_t i = 0; i < m_d.size() && misses <= allowed; ++i)
                misses += isSame(m_d[i], at(i)) ? 0 : 1;
        } else {
            allOf(m_wrong, [&](std::int64_t i) {
                misses += isSame(m_d[i], at(i)) ? 0 : 1;
                return misses <= allowed;
            });
        }
        return misses <= allowed;
    }

    /// At least a third of the wrong elements come from inside the tensor, and those agree.
    template <typename At> bool agreesWhereKnown(At at) const {
        std::int64_t known = 0, hits = 0, seen = 0;
        allOf(m_wrong, [&](std::int64_t i) {
            const double value = at(i);
            ++seen;
            if (!std::isnan(value)) {
                ++known;
                hits += isSame(m_d[i], value) ? 1 : 0;
            }
            return seen < 64 || 2 * hits >= known;
        });
        return seen == m_wrong.count && 3 * known >= seen && known >= 3
            && static_cast<double>(hits) >= kShare * static_cast<double>(known);
    }

    bool agreesShifted(const Numbers& values, std::int64_t shift) const {
        return agreesWhereKnown([&](std::int64_t i) {
            const std::int64_t from = i + shift;
            return from >= 0 && from < values.size() ? values[from]
                                                     : std::numeric_limits<double>::quiet_NaN();
        });
    }

    /// Distances at which values of the first telling wrong elements lie in a tensor.
    std::vector<std::int64_t> shiftsIn(const Numbers& values) const {
        constexpr std::size_t kMost = 64, kLooked = 3;
        std::vector<std::int64_t> shifts;
        std::size_t looked = 0;
        const std::int64_t middle = m_wrong.runs[m_wrong.runs.size() / 2].begin;
        const auto look = [&](std::int64_t i) {
            if (!std::isfinite(m_d[i]) || m_d[i] == 0)
                return true;
            for (std::int64_t k = 0; k < values.size() && shifts.size() < kMost; ++k) {
                if (isSame(m_d[i], values[k]) && std::ranges::find(shifts, k - i) == shifts.end())
                    shifts.push_back(k - i);
            }
            return ++looked < kLooked;
        };
        look(middle);
        allOf(m_wrong, look);
        return shifts;
    }

    std::pair<std::int64_t, std::int64_t> stepsOf(std::size_t axis) const {
        std::int64_t inner = 1;
        for (std::size_t k = axis + 1; k < m_reference.rank(); ++k)
            inner *= m_reference.shape()[k];
        return {inner, m_reference.shape()[axis]};
    }

    std::int64_t mapped(
        std::int64_t i, std::size_t axis, const std::vector<std::int64_t>& order) const {
        const auto [inner, extent] = stepsOf(axis);
        const std::int64_t index = (i / inner) % extent;
        return i + (order[static_cast<std::size_t>(index)] - index) * inner;
    }

    /// Sum of magnitudes of each slice, and which reference slice has that of a device slice.
    std::vector<std::int64_t> orderAlong(std::size_t axis) const {
        const auto [inner, extent] = stepsOf(axis);
        if (extent < 2 || extent > 4096 || m_r.size() / extent < 2)
            return {};
        const auto sums = [&, inner = inner, extent = extent](const Numbers& values) {
            std::vector<double> result(static_cast<std::size_t>(extent), 0.0);
            for (std::int64_t i = 0; i < values.size(); ++i) {
                const std::int64_t weight = 1 + (i % inner) % 7 + (i / inner / extent) % 5;
                result[static_cast<std::size_t>((i / inner) % extent)] += std::isfinite(values[i])
                    ? std::abs(values[i]) * static_cast<double>(weight)
                    : 0.0;
            }
            return result;
        };
        const auto device = sums(m_d), reference = sums(m_r);
        std::vector<std::pair<double, std::int64_t>> sorted;
        for (std::size_t k = 0; k < reference.size(); ++k)
            sorted.emplace_back(reference[k], static_cast<std::int64_t>(k));
        std::ranges::sort(sorted);
        std::vector<std::int64_t> order;
        bool isMoved = false;
        for (std::size_t k = 0; k < device.size(); ++k) {
            if (std::abs(device[k] - reference[k]) <= m_same * reference[k]) {
                order.push_back(static_cast<std::int64_t>(k));
                continue;
            }
            auto at = std::ranges::lower_bound(sorted, std::pair(device[k], std::int64_t(-1)));
            if (at == sorted.end()
                || (at != sorted.begin()
                    && device[k] - std::prev(at)->first < at->first - device[k]))
                --at;
            if (std::abs(at->first - device[k]) > m_same * device[k])
                return {};
            order.push_back(at->second);
            isMoved = true;
        }
        return isMoved ? order : std::vector<std::int64_t>();
    }

    static std::string orderText(const std::vector<std::int64_t>& order, std::size_t axis) {
        const auto n = static_cast<std::int64_t>(order.size());
        bool isTurned = true, isRolled = true;
        std::string moves;
        int shown = 0;
        for (std::int64_t k = 0; k < n; ++k) {
            const std::int64_t from = order[static_cast<std::size_t>(k)];
            isTurned = isTurned && from == n - 1 - k;
            isRolled = isRolled && from == (k + order[0]) % n;
            if (from != k && ++shown <= 4)
                moves +=
                    (moves.empty() ? "" : ", ") + std::to_string(from) + " at " + std::to_string(k);
        }
        const std::string where = " along axis " + std::to_string(axis);
        if (isTurned)
            return "the same values in reverse order" + where;
        if (isRolled)
            return "the same values rolled by " + std::to_string(order[0]) + where;
        return "the same values with indices moved" + where + " (" + moves
            + (shown > 4 ? ", …" : "") + ")";
    }

    const Tensor& m_device;
    const Tensor& m_reference;
    const ElementSet& m_wrong;
    Numbers m_d, m_r;
    double m_same;
};

} // namespace

Pattern movementOf(const Tensor& device, const Tensor& reference, const ElementSet& wrong,
    const std::vector<Candidate>& others) {
    if (device.size() > kMostElements || wrong.count < 2)
        return {};
    const Movement movement(device, reference, wrong);
    if (!movement.isTelling())
        return {};
    for (const auto attempt : {&Movement::permuted, &Movement::reordered, &Movement::shifted}) {
        const Pattern pattern = (movement.*attempt)();
        if (pattern.kind != Pattern::Kind::None)
            return pattern;
    }
    for (const Candidate& other : others) {
        if (!other.tensor || other.tensor->size() > kMostElements)
            continue;
        const Pattern pattern = movement.ofOther(other);
        if (pattern.kind != Pattern::Kind::None)
            return pattern;
    }
    return {};
}

} // namespace fivefold::compare
