// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fivefold::families::cerebras {

struct Rectangle {
    std::int64_t x = 0, y = 0, width = 0, height = 0;
    std::int64_t area() const { return width * height; }
    bool operator==(const Rectangle&) const = default;
};

/// Cuts a rectangle into one rectangle a demand, by straight cuts across the whole width or height
/// of what is left (guillotine cuts), areas in proportion to the demands as far as whole cells
/// allow, each at least one cell. Neighbours in the list stay neighbours on the floor. The parts
/// never overlap and cover the whole. nullopt when there are more demands than cells. O(n log n).
std::optional<std::vector<Rectangle>> packRectangles(
    const Rectangle& floor, const std::vector<double>& demands);

/// Places squares in shelves from the top, largest first; smaller squares stack up inside a shelf.
/// Equal sides stay in their order. nullopt where they do not fit. O(n log n).
std::optional<std::vector<Rectangle>> packSquares(
    const Rectangle& floor, const std::vector<std::int64_t>& sides);

} // namespace fivefold::families::cerebras
