// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_physical.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::numerics {

namespace {

/// A tensor cut along one dimension: `outer` repeats of `extent` rows of `inner` elements.
struct Rows {
    std::int64_t outer = 1, extent = 1, inner = 1;
};

/// Along the first dimension of at least `least` indices; nullopt without one.
std::optional<Rows> rowsOf(const Extents& shape, std::int64_t least) {
    Rows rows;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] >= least) {
            rows.extent = shape[d];
            for (std::size_t i = d + 1; i < shape.size(); ++i)
                rows.inner *= shape[i];
            return rows.inner > 0 ? std::optional(rows) : std::nullopt;
        }
        rows.outer *= shape[d];
    }
    return std::nullopt;
}

const layout::TensorLayout* operandLayout(const PlantedFault& planted) {
    const lowering::ValueId id = planted.place.operand;
    return planted.graph->values.contains(id) ? planted.graph->values[id].layout.get() : nullptr;
}

/// Cores that share the place's work: the units of the operand's layout, else those of the step.
std::int64_t coresOf(const PlantedFault& planted, const layout::TensorLayout& layout) {
    if (const double asked = planted.parameter("cores", 0); asked >= 2)
        return std::llround(asked);
    if (const std::int64_t units = layout::unitCount(layout); units > 1)
        return units;
    const auto steps = stepsOfNodes(*planted.program, planted.graph->nodes.size());
    const lowering::StepId step = steps[planted.place.entry];
    return step.isValid() ? planted.program->steps[step].unitsUsed : 1;
}

/// The source row of every row; −1: what the memory held.
using RowMap = std::vector<std::int64_t>;

/// F21: core i reads another core's slice, or finds only core 0's in place.
RowMap slicesElsewhere(const PlantedFault& planted, std::int64_t rows, std::int64_t cores) {
    const std::int64_t size = lowering::ceilDiv(rows, std::min(cores, rows));
    const std::int64_t slices = lowering::ceilDiv(rows, size);
    const bool isPermuted = planted.parameter("permuted", planted.fault->seed % 2 == 0) != 0;
    RowMap map(static_cast<std::size_t>(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t slice = row / size, first = (slice + 1) % slices * size;
        const std::int64_t last = std::min(first + size, rows) - 1;
        map[static_cast<std::size_t>(row)] = isPermuted ? std::min(first + row % size, last)
            : slice == 0                                ? row
                                                        : -1;
    }
    return map;
}

std::int64_t tilesOf(const PlantedFault& planted, std::int64_t rows) {
    constexpr std::int64_t kFewest = 4, kSpread = 5;
    const auto fallback = std::min<std::int64_t>(
        rows, kFewest + static_cast<std::int64_t>(planted.fault->seed % kSpread));
    const auto asked = std::llround(planted.parameter("tiles", static_cast<double>(fallback)));
    return std::clamp<std::int64_t>(asked, 1, rows);
}

/// F22: the load of tile i + 1 lands in the buffer that iteration i still reads. The first
/// iteration runs before the loop is ahead, the last has no load behind it.
RowMap tilesAhead(const PlantedFault& planted, std::int64_t rows) {
    const std::int64_t size = lowering::ceilDiv(rows, tilesOf(planted, rows));
    const std::int64_t tiles = lowering::ceilDiv(rows, size);
    RowMap map(static_cast<std::size_t>(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t tile = row / size;
        const bool isInside = tile > 0 && tile + 1 < tiles && row + size < rows;
        map[static_cast<std::size_t>(row)] = isInside ? row + size : row;
    }
    return map;
}

template <typename T>
std::vector<T> mapped(const std::vector<T>& right, const Rows& rows, const RowMap& map, T junk) {
    std::vector<T> wrong(right.size(), junk);
    for (std::int64_t o = 0; o < rows.outer; ++o)
        for (std::int64_t r = 0; r < rows.extent; ++r) {
            const std::int64_t from = map[static_cast<std::size_t>(r)];
            if (from < 0)
                continue;
            const auto* source = right.data() + (o * rows.extent + from) * rows.inner;
            std::copy_n(source, rows.inner, wrong.data() + (o * rows.extent + r) * rows.inner);
        }
    return wrong;
}

constexpr std::int64_t kFewestTiles = 3; ///< F22 leaves the ends right

} // namespace

bool conflictFaultActs(const PlantedFault& planted) {
    if (planted.number == 20)
        return !intrudersOf(*planted.program, *planted.graph, planted.place).empty();
    const layout::TensorLayout* layout = operandLayout(planted);
    if (!layout || LaneIndex(*layout).lanes() == 0)
        return false;
    if (planted.number == 21)
        return rowsOf(layout->shape, 2).has_value() && coresOf(planted, *layout) >= 2;
    if (planted.number == 22)
        return rowsOf(layout->shape, kFewestTiles).has_value();
    // F23: somebody must have been due to make it.
    return planted.graph->values[planted.place.operand].producer.isValid();
}

void misreadConflict(const PlantedFault& planted, DeviceValue& operand) {
    const Tensor right = operand.tensor();
    const Extents& shape = right.shape();
    Rows rows;
    RowMap map;
    if (planted.number == 23) {
        rows.extent = right.size();
        map.assign(static_cast<std::size_t>(right.size()), -1);
    } else {
        const auto found = rowsOf(shape, planted.number == 22 ? kFewestTiles : 2);
        if (!found)
            return;
        rows = *found;
        map = planted.number == 22
            ? tilesAhead(planted, rows.extent)
            : slicesElsewhere(planted, rows.extent, coresOf(planted, operand.layout()));
    }
    if (const auto* list = right.as<std::int64_t>())
        operand.write(
            Tensor(right.dtype(), shape, mapped(*list, rows, map, integerPoison(planted.poison))),
            false);
    else
        operand.write(
            Tensor(right.dtype(), shape, mapped(right.numbers(), rows, map, planted.poison)),
            false);
}

} // namespace fivefold::numerics
