// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/packer.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

namespace fivefold::families::cerebras {

using lowering::ceilDiv;

namespace {

struct Part {
    Rectangle floor;
    std::size_t first, last; ///< demands [first, last)
};

class Packer {
public:
    explicit Packer(const std::vector<double>& demands)
        : m_sums(demands.size() + 1, 0)
        , m_out(demands.size()) {
        for (std::size_t i = 0; i < demands.size(); ++i)
            m_sums[i + 1] = m_sums[i] + std::max(demands[i], 1e-9);
    }

    std::vector<Rectangle> run(const Rectangle& floor) {
        std::vector<Part> open{{floor, 0, m_out.size()}};
        while (!open.empty()) {
            const Part part = open.back();
            open.pop_back();
            if (part.last - part.first == 1) {
                m_out[part.first] = part.floor;
                continue;
            }
            const auto [left, right] = cut(part);
            open.push_back(right);
            open.push_back(left);
        }
        return std::move(m_out);
    }

private:
    /// Halves the demand, then the longer side in that proportion; each half keeps a cell for each
    /// of its parts. Where no straight cut can do that, the halves are moved.
    std::pair<Part, Part> cut(const Part& part) const {
        std::size_t middle = half(part.first, part.last);
        const bool isWide = part.floor.width >= part.floor.height;
        const std::int64_t across = isWide ? part.floor.width : part.floor.height;
        const std::int64_t along = isWide ? part.floor.height : part.floor.width;
        const auto count = static_cast<std::int64_t>(part.last - part.first);
        const auto bounds = [&](std::size_t m) {
            const auto leftCount = static_cast<std::int64_t>(m - part.first);
            return std::pair{std::max<std::int64_t>(1, ceilDiv(leftCount, along)),
                across - std::max<std::int64_t>(1, ceilDiv(count - leftCount, along))};
        };
        auto [lowest, highest] = bounds(middle);
        if (lowest > highest) { // count ≤ across·along: full strips of `along` parts always fit
            middle = part.first + static_cast<std::size_t>(std::min(along, count - 1));
            std::tie(lowest, highest) = bounds(middle);
        }
        const double share =
            (m_sums[middle] - m_sums[part.first]) / (m_sums[part.last] - m_sums[part.first]);
        const auto wanted =
            static_cast<std::int64_t>(std::llround(share * static_cast<double>(across)));
        const std::int64_t at = std::clamp(wanted, lowest, std::max(lowest, highest));
        Rectangle left = part.floor, right = part.floor;
        if (isWide) {
            left.width = at;
            right.x += at;
            right.width -= at;
        } else {
            left.height = at;
            right.y += at;
            right.height -= at;
        }
        return {Part{left, part.first, middle}, Part{right, middle, part.last}};
    }

    std::size_t half(std::size_t first, std::size_t last) const {
        const double target = (m_sums[first] + m_sums[last]) / 2;
        const auto at = std::lower_bound(m_sums.begin() + static_cast<std::ptrdiff_t>(first) + 1,
            m_sums.begin() + static_cast<std::ptrdiff_t>(last), target);
        auto middle = static_cast<std::size_t>(at - m_sums.begin());
        if (middle > first + 1 && target - m_sums[middle - 1] < m_sums[middle] - target)
            --middle;
        return std::clamp(middle, first + 1, last - 1);
    }

    std::vector<double> m_sums;
    std::vector<Rectangle> m_out;
};

} // namespace

std::optional<std::vector<Rectangle>> packRectangles(
    const Rectangle& floor, const std::vector<double>& demands) {
    if (demands.empty())
        return std::vector<Rectangle>{};
    if (floor.width < 1 || floor.height < 1
        || static_cast<std::int64_t>(demands.size()) > floor.area())
        return std::nullopt;
    std::vector<std::size_t> order(demands.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, std::greater<>{}, [&demands](std::size_t i) { return demands[i]; });
    std::vector<double> sorted;
    sorted.reserve(demands.size());
    for (std::size_t i : order)
        sorted.push_back(demands[i]);
    const auto packed = Packer(sorted).run(floor);
    std::vector<Rectangle> out(demands.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        out[order[i]] = packed[i];
    return out;
}

std::optional<std::vector<Rectangle>> packSquares(
    const Rectangle& floor, const std::vector<std::int64_t>& sides) {
    std::vector<std::size_t> order(sides.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&sides](std::size_t i) { return sides[i]; });
    std::vector<Rectangle> out(sides.size());
    std::int64_t shelfTop = 0, shelfHeight = 0; // a shelf is as high as its first square
    std::int64_t stackLeft = 0, stackWidth = 0, stackTop = 0; // a stack as wide as its first
    for (const std::size_t i : order) {
        const std::int64_t side = sides[i];
        if (stackTop + side > shelfTop + shelfHeight) {
            stackLeft += stackWidth;
            stackWidth = side;
            stackTop = shelfTop;
        }
        if (stackLeft + side > floor.width || shelfHeight == 0) {
            shelfTop += shelfHeight;
            shelfHeight = side;
            stackLeft = 0;
            stackWidth = side;
            stackTop = shelfTop;
        }
        if (side < 1 || side > floor.width || stackTop + side > floor.height)
            return std::nullopt;
        out[i] = {floor.x + stackLeft, floor.y + stackTop, side, side};
        stackTop += side;
    }
    return out;
}

} // namespace fivefold::families::cerebras
