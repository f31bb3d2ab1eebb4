// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/tensor_layout.h"

#include <optional>
#include <vector>

namespace fivefold::views::layout {

/// One device element by the five numbers that the panel walks: block and row count inside the
/// unit.
struct Place {
    std::int64_t unit = 0, block = 0, row = 0, lane = 0, pack = 0;
    bool operator==(const Place&) const = default;
};

/// How the work on a tensor is dealt to units that share one memory: `dimension` is cut into
/// `parts` slices of whole sticks.
struct Deal {
    int dimension = 0;
    std::int64_t parts = 1;
};

/// A layout as units ▸ blocks ▸ rows ▸ lanes. The units are the layout's own Unit axes, or, where
/// it has none, the slices that the deals cut (the first deal varies fastest). All functions are
/// O(axes).
class Grid {
public:
    Grid(fivefold::layout::TensorLayout layout, std::vector<Deal> deals);

    const fivefold::layout::TensorLayout& layout() const { return m_layout; }
    std::int64_t units() const { return m_units; }
    std::int64_t blocks(std::int64_t unit) const {
        return count(unit, fivefold::layout::AxisRole::Block);
    }
    std::int64_t rows(std::int64_t unit) const {
        return count(unit, fivefold::layout::AxisRole::Row);
    }
    std::int64_t lanes() const { return m_lanes; }
    std::int64_t packs() const { return m_packs; }
    /// A unit's lines as a picture: the innermost axis that is no lane runs across, all others run
    /// down.
    struct Lines {
        std::int64_t down = 1, across = 1;
    };
    Lines lineGrid(std::int64_t unit) const;
    /// The place of lane 0 of a line, and the line of a place.
    Place placeOfLine(std::int64_t unit, const Lines& line) const;
    Lines lineOf(const Place& place) const;
    /// The axis that runs across; nullopt when there is one line across only.
    std::optional<std::size_t> acrossAxis(std::int64_t unit) const;
    /// The only axis that runs down; nullopt when several do, or none.
    std::optional<std::size_t> downAxis(std::int64_t unit) const;

    /// Lines (blocks × rows) of a unit and of all units.
    std::int64_t lines(std::int64_t unit) const;
    std::int64_t allLines() const { return m_lines; }
    bool isDealt() const { return !m_deals.empty(); }
    /// Columns of the unit map where the layout gives it a shape (a wafer's rectangle); 0
    /// otherwise.
    std::int64_t unitColumns() const { return m_unitColumns; }

    bool contains(const Place& place) const;
    /// The nearest place that exists.
    Place clamped(Place place) const;
    std::vector<std::int64_t> coordinates(const Place& place) const;
    Place placeOf(const std::vector<std::int64_t>& coordinates) const;

    std::optional<std::vector<std::int64_t>> indexAt(const Place& place) const;
    std::optional<Place> placeAt(const std::vector<std::int64_t>& index) const;
    std::int64_t bitAddress(const Place& place) const;
    /// The element that starts at a byte address of the unit's memory; nullopt outside the tensor.
    std::optional<Place> placeAtAddress(std::int64_t unit, std::int64_t address) const;
    /// Lanes of the place's line that hold elements; they come first.
    std::int64_t realLanes(Place place) const;
    /// True when the unit holds any element.
    bool isUsed(std::int64_t unit) const;

private:
    struct Range {
        std::int64_t first = 0, size = 0;
    };
    Range rangeOf(std::size_t axis, std::int64_t unit) const;
    std::int64_t sliceOf(std::size_t deal, std::int64_t unit) const;
    std::int64_t count(std::int64_t unit, fivefold::layout::AxisRole role) const;

    fivefold::layout::TensorLayout m_layout;
    std::vector<Deal> m_deals;
    std::vector<std::optional<std::size_t>> m_dealOfAxis;
    std::int64_t m_units = 1;
    std::int64_t m_lanes = 1;
    std::int64_t m_packs = 1;
    std::int64_t m_lines = 0;
    std::int64_t m_unitColumns = 0;
};

} // namespace fivefold::views::layout
