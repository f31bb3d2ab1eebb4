// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dtype.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::layout {

/// What a device axis walks over.
enum class AxisRole : std::uint8_t {
    Unit, ///< core, SM wave slot, PE, slice, chip
    Block, ///< tile or stick number
    Row, ///< row of a tile (sublane)
    Lane, ///< position in a vector, stick or transaction
    Pack, ///< elements that share one word
};
std::string_view toString(AxisRole role);

constexpr int kSynthetic = -1;

/// One device axis. A logical index along `dimension` is the sum of coordinate × step over that
/// dimension's axes; a sum outside the tensor is padding. An axis with dimension kSynthetic walks
/// nothing: all but its coordinate 0 is padding.
struct Axis {
    std::int64_t extent = 1;
    int dimension = kSynthetic;
    std::int64_t step = 0; ///< in elements of the logical dimension
    AxisRole role = AxisRole::Row;
    bool operator==(const Axis&) const = default;
};

/// Where and how the elements of one tensor lie. Axes are listed outermost (slowest in memory)
/// first; device memory is row-major over them, except that Unit axes select another instance of
/// the memory and take no address bits.
struct TensorLayout {
    std::vector<std::int64_t> shape; ///< logical extents; empty = scalar
    ir::DType dtype = ir::DType::Float16; ///< type on the device
    int elementBits = 16; ///< bits of one element in device memory (bool is 16 on Spyre)
    std::vector<Axis> axes;
    std::int64_t alignmentBytes = 1; ///< total bytes are rounded up to this
    std::string notation; ///< in the vendor's words: "{1,0:T(8,128)(2,1)}", "stick d1", "row-major"

    // Spyre only: the compiler's own fields (facts of SpyreTensorLayout).
    std::vector<std::int64_t> deviceSize;
    std::vector<std::int64_t> strideMap;

    bool operator==(const TensorLayout&) const = default;
};

/// One element's place.
struct Location {
    std::int64_t unit = 0; ///< row-major over the Unit axes
    std::int64_t block = 0; ///< row-major over the Block axes
    std::int64_t row = 0;
    std::int64_t lane = 0;
    std::int64_t pack = 0;
    std::int64_t bitAddress = 0; ///< from the tensor's base in its unit's memory
    std::int64_t address() const { return bitAddress / 8; } ///< bytes
    bool operator==(const Location&) const = default;
};

std::int64_t logicalElements(const TensorLayout& layout); ///< real elements
std::int64_t deviceElements(
    const TensorLayout& layout); ///< product of the extents, padding included
std::int64_t paddedElements(const TensorLayout& layout); ///< deviceElements − logicalElements
std::int64_t deviceBytes(const TensorLayout& layout); ///< all units together
std::int64_t logicalBytes(const TensorLayout& layout);
/// Share of the device elements that is padding, 0..1; 0 for an empty tensor.
double waste(const TensorLayout& layout);
std::int64_t unitCount(const TensorLayout& layout);
std::int64_t bytesPerUnit(const TensorLayout& layout);

/// The place of a real element. `index` has one entry a logical dimension, each inside the shape;
/// nullopt otherwise. O(axes).
std::optional<Location> locate(const TensorLayout& layout, const std::vector<std::int64_t>& index);
/// Device coordinates of an element, one an axis, outermost first.
std::optional<std::vector<std::int64_t>> coordinates(
    const TensorLayout& layout, const std::vector<std::int64_t>& index);
/// The logical index at device coordinates, or nullopt when they lie in padding.
std::optional<std::vector<std::int64_t>> indexAt(
    const TensorLayout& layout, const std::vector<std::int64_t>& coordinates);
Location locationOf(const TensorLayout& layout, const std::vector<std::int64_t>& coordinates);
/// Coordinates of the element number `device` in device order of one unit after another.
std::vector<std::int64_t> coordinatesOf(const TensorLayout& layout, std::int64_t device);
/// Row-major flat number of a logical index and back.
std::int64_t flatten(
    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& index);
std::vector<std::int64_t> unflatten(const std::vector<std::int64_t>& shape, std::int64_t flat);

/// Plain row-major layout without padding: one Block axis a leading dimension, lanes last.
TensorLayout rowMajor(const std::vector<std::int64_t>& shape, ir::DType dtype);

} // namespace fivefold::layout
