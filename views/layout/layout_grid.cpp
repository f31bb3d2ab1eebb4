// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_grid.h"

#include "core/layout/arithmetic.h"

#include <algorithm>

namespace fivefold::views::layout {

using fivefold::layout::Axis;
using fivefold::layout::AxisRole;
using fivefold::layout::ceilDivide;
using fivefold::layout::saturatingMultiply;

namespace {

std::int64_t& counter(Place& place, AxisRole role) {
    switch (role) {
    case AxisRole::Unit:
        return place.unit;
    case AxisRole::Block:
        return place.block;
    case AxisRole::Lane:
        return place.lane;
    case AxisRole::Pack:
        return place.pack;
    case AxisRole::Row:
        break;
    }
    return place.row;
}

/// Axes that tell lines apart.
bool isOuter(const Axis& axis) {
    return axis.role == AxisRole::Block || axis.role == AxisRole::Row;
}

std::int64_t product(const std::vector<Axis>& axes, AxisRole role) {
    std::int64_t result = 1;
    for (const Axis& axis : axes)
        if (axis.role == role)
            result = saturatingMultiply(result, axis.extent);
    return result;
}

} // namespace

Grid::Grid(fivefold::layout::TensorLayout layout, std::vector<Deal> deals)
    : m_layout(std::move(layout))
    , m_dealOfAxis(m_layout.axes.size()) {
    const bool hasUnits = std::any_of(m_layout.axes.begin(), m_layout.axes.end(),
        [](const Axis& axis) { return axis.role == AxisRole::Unit; });
    m_lanes = product(m_layout.axes, AxisRole::Lane);
    m_packs = product(m_layout.axes, AxisRole::Pack);
    m_units = product(m_layout.axes, AxisRole::Unit);
    for (const Axis& axis : m_layout.axes)
        if (axis.role == AxisRole::Unit)
            m_unitColumns = axis.extent;
    for (const Deal& deal : deals) {
        if (hasUnits || deal.parts <= 1)
            continue;
        // Slices are cut on the coarsest axis of the dimension, so that a unit gets whole sticks.
        std::optional<std::size_t> coarsest;
        for (std::size_t i = 0; i < m_layout.axes.size(); ++i) {
            const Axis& axis = m_layout.axes[i];
            if (isOuter(axis) && axis.dimension == deal.dimension && !m_dealOfAxis[i]
                && (!coarsest || axis.step > m_layout.axes[*coarsest].step))
                coarsest = i;
        }
        if (!coarsest)
            continue;
        m_dealOfAxis[*coarsest] = m_deals.size();
        m_deals.push_back(deal);
        m_units = saturatingMultiply(m_units, deal.parts);
    }
    m_lines = saturatingMultiply(
        product(m_layout.axes, AxisRole::Block), product(m_layout.axes, AxisRole::Row));
    if (hasUnits)
        m_lines = saturatingMultiply(m_lines, m_units);
}

std::int64_t Grid::sliceOf(std::size_t deal, std::int64_t unit) const {
    for (std::size_t i = 0; i < deal; ++i)
        unit /= m_deals[i].parts;
    return unit % m_deals[deal].parts;
}

Grid::Range Grid::rangeOf(std::size_t axis, std::int64_t unit) const {
    const std::int64_t extent = m_layout.axes[axis].extent;
    if (!m_dealOfAxis[axis])
        return {0, extent};
    const std::int64_t each = ceilDivide(extent, m_deals[*m_dealOfAxis[axis]].parts);
    const std::int64_t first = std::min(extent, sliceOf(*m_dealOfAxis[axis], unit) * each);
    return {first, std::min(each, extent - first)};
}

std::int64_t Grid::count(std::int64_t unit, AxisRole role) const {
    std::int64_t result = 1;
    for (std::size_t i = 0; i < m_layout.axes.size(); ++i)
        if (m_layout.axes[i].role == role)
            result = saturatingMultiply(result, rangeOf(i, unit).size);
    return result;
}

std::int64_t Grid::lines(std::int64_t unit) const {
    return saturatingMultiply(blocks(unit), rows(unit));
}

std::optional<std::size_t> Grid::acrossAxis(std::int64_t unit) const {
    for (std::size_t i = m_layout.axes.size(); i-- > 0;)
        if (isOuter(m_layout.axes[i]) && rangeOf(i, unit).size > 1)
            return i;
    return std::nullopt;
}

std::optional<std::size_t> Grid::downAxis(std::int64_t unit) const {
    const auto across = acrossAxis(unit);
    std::optional<std::size_t> down;
    for (std::size_t i = 0; i < m_layout.axes.size(); ++i) {
        if (!isOuter(m_layout.axes[i]) || i == across || rangeOf(i, unit).size <= 1)
            continue;
        if (down)
            return std::nullopt;
        down = i;
    }
    return down;
}

Grid::Lines Grid::lineGrid(std::int64_t unit) const {
    Lines lines;
    const auto across = acrossAxis(unit);
    for (std::size_t i = 0; i < m_layout.axes.size(); ++i) {
        if (!isOuter(m_layout.axes[i]))
            continue;
        const std::int64_t size = rangeOf(i, unit).size;
        if (i == across)
            lines.across = size;
        else
            lines.down = saturatingMultiply(lines.down, size);
    }
    return lines;
}

Place Grid::placeOfLine(std::int64_t unit, const Lines& line) const {
    auto place = coordinates({unit, 0, 0, 0, 0});
    const auto across = acrossAxis(unit);
    std::int64_t down = line.down;
    for (std::size_t i = m_layout.axes.size(); i-- > 0;) {
        if (!isOuter(m_layout.axes[i]))
            continue;
        const Range range = rangeOf(i, unit);
        const std::int64_t size = std::max<std::int64_t>(1, range.size);
        if (i == across) {
            place[i] = range.first + line.across;
        } else {
            place[i] = range.first + down % size;
            down /= size;
        }
    }
    return placeOf(place);
}

Grid::Lines Grid::lineOf(const Place& place) const {
    const auto at = coordinates(place);
    const auto across = acrossAxis(place.unit);
    Lines line{0, 0};
    for (std::size_t i = 0; i < m_layout.axes.size(); ++i) {
        if (!isOuter(m_layout.axes[i]))
            continue;
        const Range range = rangeOf(i, place.unit);
        if (i == across)
            line.across = at[i] - range.first;
        else
            line.down = saturatingMultiply(line.down, std::max<std::int64_t>(1, range.size)) + at[i]
                - range.first;
    }
    return line;
}

bool Grid::contains(const Place& place) const {
    return place.unit >= 0 && place.unit < m_units && place.block >= 0
        && place.block < blocks(place.unit) && place.row >= 0 && place.row < rows(place.unit)
        && place.lane >= 0 && place.lane < m_lanes && place.pack >= 0 && place.pack < m_packs;
}

Place Grid::clamped(Place place) const {
    const auto clamp = [](std::int64_t value, std::int64_t size) {
        return std::clamp<std::int64_t>(value, 0, std::max<std::int64_t>(0, size - 1));
    };
    place.unit = clamp(place.unit, m_units);
    place.block = clamp(place.block, blocks(place.unit));
    place.row = clamp(place.row, rows(place.unit));
    place.lane = clamp(place.lane, m_lanes);
    place.pack = clamp(place.pack, m_packs);
    return place;
}

std::vector<std::int64_t> Grid::coordinates(const Place& place) const {
    std::vector<std::int64_t> result(m_layout.axes.size(), 0);
    Place rest = place;
    for (std::size_t i = m_layout.axes.size(); i-- > 0;) {
        const Range range = rangeOf(i, place.unit);
        std::int64_t& left = counter(rest, m_layout.axes[i].role);
        const std::int64_t size = std::max<std::int64_t>(1, range.size);
        result[i] = range.first + left % size;
        left /= size;
    }
    return result;
}

Place Grid::placeOf(const std::vector<std::int64_t>& coordinates) const {
    Place place;
    std::int64_t weight = 1;
    std::vector<std::int64_t> slices(m_deals.size(), 0);
    for (std::size_t i = 0; i < m_layout.axes.size() && i < coordinates.size(); ++i)
        if (m_dealOfAxis[i]) {
            const std::size_t deal = *m_dealOfAxis[i];
            const std::int64_t each = ceilDivide(m_layout.axes[i].extent, m_deals[deal].parts);
            slices[deal] = each > 0 ? coordinates[i] / each : 0;
        }
    for (std::size_t deal = 0; deal < m_deals.size(); ++deal) {
        place.unit += slices[deal] * weight;
        weight *= m_deals[deal].parts;
    }
    const std::int64_t dealtUnit = place.unit;
    if (!m_deals.empty())
        place.unit = 0;
    for (std::size_t i = 0; i < m_layout.axes.size() && i < coordinates.size(); ++i) {
        const Range range = rangeOf(i, dealtUnit);
        std::int64_t& number = counter(place, m_layout.axes[i].role);
        number = saturatingMultiply(number, std::max<std::int64_t>(1, range.size)) + coordinates[i]
            - range.first;
    }
    if (!m_deals.empty())
        place.unit = dealtUnit;
    return place;
}

std::optional<std::vector<std::int64_t>> Grid::indexAt(const Place& place) const {
    if (!contains(place))
        return std::nullopt;
    return fivefold::layout::indexAt(m_layout, coordinates(place));
}

std::optional<Place> Grid::placeAt(const std::vector<std::int64_t>& index) const {
    const auto place = fivefold::layout::coordinates(m_layout, index);
    if (!place)
        return std::nullopt;
    return placeOf(*place);
}

std::int64_t Grid::bitAddress(const Place& place) const {
    return fivefold::layout::locationOf(m_layout, coordinates(place)).bitAddress;
}

std::optional<Place> Grid::placeAtAddress(std::int64_t unit, std::int64_t address) const {
    const std::int64_t units = fivefold::layout::unitCount(m_layout);
    const std::int64_t perUnit = units > 0 ? fivefold::layout::deviceElements(m_layout) / units : 0;
    if (address < 0 || m_layout.elementBits <= 0)
        return std::nullopt;
    const std::int64_t element = saturatingMultiply(address, 8) / m_layout.elementBits;
    if (element >= perUnit)
        return std::nullopt;
    const std::int64_t base = isDealt() ? 0 : saturatingMultiply(unit, perUnit);
    return placeOf(fivefold::layout::coordinatesOf(m_layout, base + element));
}

std::int64_t Grid::realLanes(Place place) const {
    std::int64_t low = 0;
    std::int64_t high = m_lanes;
    place.pack = 0;
    while (low < high) { // elements come first, so the first empty lane is found by halving
        place.lane = low + (high - low) / 2;
        if (indexAt(place))
            low = place.lane + 1;
        else
            high = place.lane;
    }
    return low;
}

bool Grid::isUsed(std::int64_t unit) const {
    return indexAt({unit, 0, 0, 0, 0}).has_value();
}

} // namespace fivefold::views::layout
