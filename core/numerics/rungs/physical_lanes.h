// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/tensor_layout.h"
#include "core/numerics/rungs.h"

#include <memory>
#include <span>
#include <vector>

namespace fivefold::numerics {

using Extents = std::vector<std::int64_t>;

/// Where the elements of a layout lie, dimension by dimension: the device number of an index (as
/// layout::coordinatesOf counts) is the sum of one offset a dimension. Indices beyond the shape and
/// below the reach are padding lanes. Immutable. Built in O(axes + sum of the reaches).
class LaneIndex {
public:
    explicit LaneIndex(const layout::TensorLayout& layout);

    std::int64_t lanes() const { return m_lanes; } ///< device elements, padding included
    const Extents& shape() const { return m_shape; } ///< logical extents
    /// Indices along a dimension that have a lane; at least the shape's where the layout is sound.
    const Extents& reach() const { return m_reach; }
    /// Offsets of the indices [0, reach) of a dimension; −1 where no lane has that index.
    std::span<const std::int64_t> offsets(std::size_t dimension) const {
        return m_offsets[dimension];
    }
    bool isPadded(std::size_t dimension) const { return m_reach[dimension] > m_shape[dimension]; }
    /// Device number = row-major flat number, no padding.
    bool isPlain() const { return m_isPlain; }
    /// Every element has a lane.
    bool reachesAll() const;
    /// Device number of an index; −1 outside. Indices below the reach.
    std::int64_t laneOf(std::span<const std::int64_t> index) const;

private:
    std::int64_t m_lanes = 0;
    Extents m_shape, m_reach;
    std::vector<std::vector<std::int64_t>> m_offsets;
    bool m_isPlain = false;
};

/// Calls row(flat, base) for every row of a box along its last dimension: `flat` is the row-major
/// number of its first element, `base` the sum of the offsets of the outer indices, −1 where one of
/// them has no lane. A scalar is one row.
template <typename Row> void forEachRow(const LaneIndex& index, const Extents& box, const Row& row);

/// Elements of a box of padded extents, row-major; `outside` where an index has no lane.
template <typename T>
std::vector<T> readBox(
    const LaneIndex& index, const std::vector<T>& lanes, const Extents& box, T outside);
/// Writes a box into the lanes; indices without a lane are dropped. `written` (may be null) is set
/// to 1 there.
template <typename T>
void writeBox(const LaneIndex& index, const std::vector<T>& values, const Extents& box,
    std::vector<T>& lanes, std::vector<std::uint8_t>* written);
/// Sets the lanes whose index lies in the padding of one of the axes, and in the shape along all
/// others.
template <typename T>
void fillPadding(const LaneIndex& index, std::span<const std::size_t> axes, T value,
    std::vector<T>& lanes, std::vector<std::uint8_t>* written);

/// A value of a stage in a machine's memory: lanes of doubles (floats) or of int64 (the rest).
/// Copies share the lanes until one of them changes. Lanes are made when somebody looks at them:
/// until then the value is its elements, and what its padding is set to.
class DeviceValue {
public:
    DeviceValue() = default;
    /// Without a layout: sequences, text, what stays on the host.
    explicit DeviceValue(Datum whole)
        : m_whole(std::move(whole)) { }
    /// Fresh memory: every lane holds `poison`.
    DeviceValue(std::shared_ptr<const layout::TensorLayout> layout,
        std::shared_ptr<const LaneIndex> index, ir::DType dtype, bool isInteger, double poison);
    /// Contents that are put into lanes on demand; their padding holds `poison`. `isTracked`: what
    /// is written stays known when lanes change.
    DeviceValue(std::shared_ptr<const layout::TensorLayout> layout,
        std::shared_ptr<const LaneIndex> index, Tensor contents, double poison,
        bool isTracked = false);

    bool isDefined() const { return m_index || m_whole.tensor.isDefined() || isContainer(); }
    bool isContainer() const { return m_whole.kind != Datum::Kind::Tensor; }
    bool hasLanes() const { return m_index != nullptr; }
    bool isInteger() const { return m_isInteger; }
    ir::DType dtype() const { return m_dtype; }
    double poison() const { return m_poison; }
    const LaneIndex& index() const { return *m_index; }
    const std::shared_ptr<const LaneIndex>& sharedIndex() const { return m_index; }
    const layout::TensorLayout& layout() const { return *m_layout; }
    const std::shared_ptr<const layout::TensorLayout>& sharedLayout() const { return m_layout; }
    /// Coordinates that the loops that wrote it cover, one range an axis; empty: all.
    std::vector<std::pair<std::int64_t, std::int64_t>> loopRange;

    /// Logical contents.
    Datum whole() const;
    Tensor tensor() const { return whole().tensor; }
    /// Padded extents as a tensor of that shape.
    Tensor box(const Extents& extents) const;
    void write(const Tensor& box, bool isTracked);
    /// Pads of these axes := value; integers take the nearest.
    void pad(std::span<const std::size_t> axes, double value);
    /// The lanes as numbers; made from the contents on demand.
    const std::vector<double>& floats() const;
    const std::vector<std::int64_t>& integers() const;
    std::vector<double>& changeFloats(); ///< of this copy alone
    std::vector<std::int64_t>& changeIntegers();
    const std::vector<std::uint8_t>& written() const { return m_written; } ///< empty: not tracked
    std::vector<std::uint8_t>& changeWritten();
    Lanes lanes() const; ///< as a run gives them

private:
    struct Pad {
        std::vector<std::size_t> axes;
        double value = 0;
    };
    void fill() const;
    void apply(const Pad& pad, std::vector<std::uint8_t>* written) const;
    void forgetContents();

    Datum m_whole; ///< the elements as long as lanes hold them unchanged; all without a layout
    std::vector<Pad> m_pads; ///< in order, while m_whole is defined
    mutable Tensor m_read; ///< the elements as last read from lanes that have not changed since
    std::shared_ptr<const layout::TensorLayout> m_layout;
    std::shared_ptr<const LaneIndex> m_index;
    ir::DType m_dtype = ir::DType::Undefined;
    bool m_isInteger = false;
    bool m_isTracked = false;
    double m_poison = 0;
    mutable std::shared_ptr<std::vector<double>> m_floats;
    mutable std::shared_ptr<std::vector<std::int64_t>> m_integers;
    mutable std::vector<std::uint8_t> m_written;
};

/// What integer memory holds where floats hold `poison`: 0 for 0, else a number that no model
/// holds.
std::int64_t integerPoison(double poison);

template <typename Row>
void forEachRow(const LaneIndex& index, const Extents& box, const Row& row) {
    const std::size_t rank = box.size();
    for (const std::int64_t extent : box)
        if (extent <= 0)
            return;
    if (rank == 0)
        return row(std::int64_t(0), std::int64_t(0));
    const std::size_t outer = rank - 1;
    Extents at(outer, 0);
    const auto offset = [&](std::size_t d, std::int64_t i) {
        const auto list = index.offsets(d);
        return i < static_cast<std::int64_t>(list.size()) ? list[static_cast<std::size_t>(i)]
                                                          : std::int64_t(-1);
    };
    for (std::int64_t flat = 0;; flat += box[outer]) {
        std::int64_t base = 0;
        for (std::size_t d = 0; d < outer && base >= 0; ++d) {
            const std::int64_t o = offset(d, at[d]);
            base = o < 0 ? -1 : base + o;
        }
        row(flat, base);
        std::size_t d = outer;
        while (d > 0 && ++at[d - 1] == box[d - 1])
            at[--d] = 0;
        if (d == 0)
            return;
    }
}

} // namespace fivefold::numerics
