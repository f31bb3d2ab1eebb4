// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

namespace fivefold::families::gpu {

using Extents = std::vector<std::int64_t>;

/// Index expressions are compared by value: a set of points, each an element of a tensor as its
/// row-major number, goes through the views between a result and the buffers behind it, and two
/// expressions are the same where they give the same numbers. 24 points: two different index maps
/// of one buffer agree on all of them with a chance below (1/2)^24.
constexpr std::size_t kSamplePoints = 24;
constexpr std::size_t kMostPoints = 48;
/// Tensors of a higher rank are read through an index that equals no other.
constexpr std::size_t kMostAxes = 12;

struct Points {
    std::array<std::int64_t, kMostPoints> at{};
    std::size_t count = 0;

    void add(std::int64_t value) {
        if (count < kMostPoints)
            at[count++] = value;
    }
    bool operator==(const Points& other) const;
};

std::uint64_t hashOf(const Points& points);
/// SplitMix64: a pseudo-random number from a number.
std::uint64_t mixed(std::uint64_t value);

/// Fixed pseudo-random numbers in [0, size): the same for equal sizes, whoever asks.
Points samplesOf(std::int64_t size);

using Coordinates = std::array<std::int64_t, kMostAxes>;

/// The coordinates of row-major number `at`; `shape` has at most kMostAxes axes.
void unravel(std::int64_t at, const Extents& shape, Coordinates& coordinates);
/// The row-major number; coordinates outside of an axis wrap around (what stands behind a mask).
std::int64_t ravel(const Coordinates& coordinates, const Extents& shape);

/// Sets of points with one number each; equal sets have equal numbers.
class PointTable {
public:
    int add(const Points& points);
    const Points& operator[](int id) const { return m_points[static_cast<std::size_t>(id)]; }
    std::uint64_t hash(int id) const { return m_hashes[static_cast<std::size_t>(id)]; }
    void clear();

private:
    std::deque<Points> m_points; ///< a walk holds references while it adds more
    std::vector<std::uint64_t> m_hashes;
    std::unordered_map<std::uint64_t, int> m_ids;
};

/// What the elements of a tensor that is read through an index table stand for: a number in
/// [0, size) that depends on the table and the place in it only.
using IndirectIndex =
    std::function<std::int64_t(std::size_t input, std::int64_t at, std::int64_t size)>;

/// Elements of input `input` that the elements `points` of output `output` are computed from, for
/// an operator that reads one element of it (views, pointwise operators, look-ups, pads, parts of a
/// concatenation). False: no such map is known.
bool mapPoints(const lowering::StageGraph& graph, const lowering::Node& node, std::size_t output,
    std::size_t input, const Points& points, const IndirectIndex& indirect, Points& result);

} // namespace fivefold::families::gpu
