// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/index_points.h"

#include <algorithm>
#include <limits>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15ULL; ///< SplitMix64 (Steele, Lea, Flood 2014)

std::size_t axisFrom(std::int64_t axis, std::size_t rank) {
    const auto signedRank = static_cast<std::int64_t>(rank);
    const std::int64_t at = axis < 0 ? axis + signedRank : axis;
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(at, 0, std::max<std::int64_t>(0, signedRank - 1)));
}

/// One view or look-up, with the shapes at both ends.
class Mapper {
public:
    Mapper(const StageGraph& graph, const Node& node, std::size_t output, std::size_t input,
        const IndirectIndex& indirect)
        : m_graph(graph)
        , m_node(node)
        , m_output(output)
        , m_input(input)
        , m_indirect(indirect) {
        const auto shapeOf = [&](const std::vector<ValueId>& list,
                                 std::size_t i) -> const Extents* {
            if (i >= list.size() || !graph.values.contains(list[i]) || !graph.values[list[i]].shape)
                return nullptr;
            return &*graph.values[list[i]].shape;
        };
        m_to = shapeOf(node.outputs, output);
        m_from = shapeOf(node.inputs, input);
    }

    bool run(const Points& points, Points& result) {
        if (!m_to || !m_from || m_to->size() > kMostAxes || m_from->size() > kMostAxes)
            return false;
        if (isSameOrder()) {
            result = points;
            return true;
        }
        result.count = 0;
        for (std::size_t i = 0; i < points.count; ++i) {
            Coordinates to{}, from{};
            unravel(points.at[i], *m_to, to);
            if (!map(to, from))
                return false;
            result.add(ravel(from, *m_from));
        }
        return true;
    }

private:
    bool isSameOrder() const {
        switch (m_node.canonical) {
        case Op::Reshape:
        case Op::Flatten:
        case Op::Squeeze:
        case Op::Unsqueeze:
        case Op::Identity:
        case Op::BitCast:
            return true;
        case Op::Transpose:
        case Op::Slice:
        case Op::Split:
        case Op::Crop:
        case Op::Unbind:
        case Op::Concat:
        case Op::Gather:
        case Op::GatherElements:
        case Op::GatherND:
        case Op::Index:
        case Op::Pad:
        case Op::Roll:
        case Op::Tile:
        case Op::Diagonal:
        case Op::AsStrided:
        case Op::Resize:
        case Op::Upsample:
        case Op::DepthToSpace:
        case Op::SpaceToDepth:
        case Op::SliceScatter:
        case Op::SelectScatter:
            return false;
        default:
            return *m_to == *m_from;
        }
    }

    bool map(const Coordinates& to, Coordinates& from) const {
        switch (m_node.canonical) {
        case Op::Transpose:
            return transpose(to, from);
        case Op::Slice:
            return slice(to, from);
        case Op::Split:
        case Op::Unbind:
            return part(to, from);
        case Op::Concat:
            return concat(to, from);
        case Op::Gather:
            return gather(to, from);
        case Op::GatherElements:
            from = to;
            if (m_input == 0 && !m_from->empty()) // a scalar has no axis to look along
                from[axis()] = look(1, ravel(to, *m_to), (*m_from)[axis()]);
            return true;
        case Op::Index:
            return index(to, from);
        case Op::Pad:
            return pad(to, from);
        case Op::Roll:
            return roll(to, from);
        case Op::Diagonal:
            return diagonal(to, from);
        case Op::Resize:
        case Op::Upsample:
            return nearest(to, from);
        case Op::SliceScatter:
        case Op::SelectScatter:
            return scatterSlice(to, from);
        case Op::AsStrided:
            return strided(to, from);
        case Op::GatherND:
        case Op::DepthToSpace:
        case Op::SpaceToDepth:
        case Op::Crop:
            return scrambled(to, from);
        default:
            return broadcast(to, from); // also Expand and Tile
        }
    }

    std::size_t axis() const {
        return axisFrom(m_node.attributes.integer("axis", 0), m_from->size());
    }

    std::int64_t look(std::size_t input, std::int64_t at, std::int64_t size) const {
        return m_indirect ? m_indirect(input, at, size) : 0;
    }

    bool broadcast(const Coordinates& to, Coordinates& from) const {
        if (m_from->size() > m_to->size())
            return scrambled(to, from);
        const std::size_t shift = m_to->size() - m_from->size();
        for (std::size_t i = 0; i < m_from->size(); ++i)
            from[i] = (*m_from)[i] == 1 ? 0 : to[i + shift]; // a Tile wraps around in ravel()
        return true;
    }

    bool transpose(const Coordinates& to, Coordinates& from) const {
        const auto perm = m_node.attributes.integers("perm");
        for (std::size_t i = 0; i < m_to->size(); ++i) {
            const std::size_t source = perm && i < perm->size()
                ? axisFrom((*perm)[i], m_from->size())
                : m_to->size() - 1 - i;
            from[source] = to[i];
        }
        return true;
    }

    bool slice(const Coordinates& to, Coordinates& from) const {
        const auto starts = m_node.attributes.integers("starts");
        const auto axes = m_node.attributes.integers("axes");
        const auto steps = m_node.attributes.integers("steps");
        if (!starts)
            return scrambled(to, from);
        from = to;
        for (std::size_t i = 0; i < starts->size(); ++i) {
            const std::size_t at =
                axes && i < axes->size() ? axisFrom((*axes)[i], m_from->size()) : i;
            if (at >= m_from->size())
                return false;
            const std::int64_t size = (*m_from)[at],
                               step = steps && i < steps->size() ? (*steps)[i] : 1;
            std::int64_t start = (*starts)[i];
            start = std::clamp<std::int64_t>(
                start < 0 ? start + size : start, 0, step < 0 ? size - 1 : size);
            from[at] = start + to[at] * step;
        }
        return true;
    }

    bool part(const Coordinates& to, Coordinates& from) const {
        const std::size_t at = axis();
        if (m_node.canonical == Op::Unbind) {
            for (std::size_t i = 0, j = 0; i < m_from->size(); ++i)
                from[i] = i == at ? static_cast<std::int64_t>(m_output) : to[j++];
            return true;
        }
        from = to;
        for (std::size_t i = 0; i < m_output && i < m_node.outputs.size(); ++i) {
            const ValueId before = m_node.outputs[i];
            if (m_graph.values.contains(before) && m_graph.values[before].shape
                && at < m_graph.values[before].shape->size())
                from[at] += (*m_graph.values[before].shape)[at];
            else if (const auto sizes = m_node.attributes.integers("split");
                     sizes && i < sizes->size())
                from[at] += (*sizes)[i];
        }
        return true;
    }

    bool concat(const Coordinates& to, Coordinates& from) const {
        if (m_node.attributes.integer("new_axis", 0) != 0) { // a stack
            const std::size_t at = axisFrom(m_node.attributes.integer("axis", 0), m_to->size());
            for (std::size_t i = 0, j = 0; i < m_to->size(); ++i)
                if (i != at)
                    from[j++] = to[i];
            return true;
        }
        const std::size_t at = axis();
        from = to;
        for (std::size_t i = 0; i < m_input; ++i) {
            const ValueId before = m_node.inputs[i];
            if (m_graph.values.contains(before) && m_graph.values[before].shape
                && at < m_graph.values[before].shape->size())
                from[at] -= (*m_graph.values[before].shape)[at];
        }
        return true;
    }

    /// data[.., indices, ..]: the axis is replaced by those of the indices.
    bool gather(const Coordinates& to, Coordinates& from) const {
        if (m_node.inputs.size() < 2 || !m_graph.values.contains(m_node.inputs[1]))
            return false;
        const Value& indices = m_graph.values[m_node.inputs[1]];
        const Value& data = m_graph.values[m_node.inputs[0]];
        if (!indices.shape || !data.shape || indices.shape->size() > kMostAxes)
            return false;
        const std::size_t at = axisFrom(m_node.attributes.integer("axis", 0), data.shape->size());
        const std::size_t width = indices.shape->size();
        Coordinates place{};
        for (std::size_t i = 0; i < width; ++i)
            place[i] = to[at + i];
        if (m_input == 1) {
            from = place;
            return true;
        }
        std::int64_t index = 0;
        if (indices.fill)
            index =
                static_cast<std::int64_t>(*indices.fill) + (*indices.fill < 0 ? (*m_from)[at] : 0);
        else
            index = look(1, ravel(place, *indices.shape), (*m_from)[at]);
        for (std::size_t i = 0; i < m_from->size(); ++i)
            from[i] = i < at ? to[i] : i == at ? index : to[i + width - 1];
        return true;
    }

    /// self[i0, i1, …]: the broadcast indices stand where the first of them does when they are
    /// neighbours, in front otherwise (torch advanced indexing).
    bool index(const Coordinates& to, Coordinates& from) const {
        std::size_t rank = 0, first = m_node.inputs.size(), last = 0, given = 0;
        for (std::size_t i = 1; i < m_node.inputs.size(); ++i)
            if (m_graph.values.contains(m_node.inputs[i])) {
                const auto& shape = m_graph.values[m_node.inputs[i]].shape;
                if (!shape)
                    return false;
                rank = std::max(rank, shape->size());
                first = std::min(first, i - 1);
                last = i - 1;
                ++given;
            }
        if (given == 0)
            return false;
        const std::size_t at = last - first + 1 == given ? first : 0;
        if (m_input > 0) {
            const std::size_t shift = rank - m_from->size();
            for (std::size_t i = 0; i < m_from->size(); ++i)
                from[i] = (*m_from)[i] == 1 ? 0 : to[at + shift + i];
            return true;
        }
        Coordinates block{};
        for (std::size_t i = 0; i < rank; ++i)
            block[i] = to[at + i];
        const Extents blockShape(m_to->begin() + static_cast<std::ptrdiff_t>(at),
            m_to->begin() + static_cast<std::ptrdiff_t>(at + rank));
        const std::int64_t place = ravel(block, blockShape);
        for (std::size_t i = 0, j = 0; i < m_from->size(); ++i) {
            if (j == at)
                j += rank;
            if (i + 1 < m_node.inputs.size() && m_graph.values.contains(m_node.inputs[i + 1]))
                from[i] = look(i + 1, place, (*m_from)[i]);
            else
                from[i] = j < kMostAxes ? to[j++] : 0;
        }
        return true;
    }

    bool pad(const Coordinates& to, Coordinates& from) const {
        const auto pads = m_node.attributes.integers("pads");
        from = to;
        if (m_input > 0) {
            from = {};
            return true;
        }
        const auto axes = m_node.attributes.integers("axes");
        for (std::size_t i = 0; pads && i < pads->size() / 2; ++i) {
            const std::size_t at =
                axes && i < axes->size() ? axisFrom((*axes)[i], m_from->size()) : i;
            if (at < m_from->size())
                from[at] -= (*pads)[i];
        }
        return true;
    }

    bool roll(const Coordinates& to, Coordinates& from) const {
        const auto shifts = m_node.attributes.integers("shifts");
        const auto axes = m_node.attributes.integers("axes");
        from = to;
        for (std::size_t i = 0; shifts && axes && i < shifts->size() && i < axes->size(); ++i)
            from[axisFrom((*axes)[i], m_from->size())] -= (*shifts)[i];
        return true;
    }

    bool diagonal(const Coordinates& to, Coordinates& from) const {
        if (m_from->size() != m_to->size() + 1)
            return scrambled(to, from);
        const std::size_t a = axisFrom(m_node.attributes.integer("axis1", 0), m_from->size());
        const std::size_t b = axisFrom(m_node.attributes.integer("axis2", 1), m_from->size());
        const std::int64_t offset = m_node.attributes.integer("offset", 0);
        const std::int64_t place = to[m_to->size() - 1];
        for (std::size_t i = 0, j = 0; i < m_from->size(); ++i)
            from[i] = i == a ? place + (offset < 0 ? -offset : 0)
                : i == b     ? place + (offset > 0 ? offset : 0)
                             : to[j++];
        return true;
    }

    bool nearest(const Coordinates& to, Coordinates& from) const {
        if (m_input > 0 || m_from->size() != m_to->size())
            return scrambled(to, from);
        for (std::size_t i = 0; i < m_from->size(); ++i)
            from[i] = (*m_to)[i] == (*m_from)[i] || (*m_to)[i] == 0
                ? to[i]
                : to[i] * (*m_from)[i] / (*m_to)[i];
        return true;
    }

    bool scatterSlice(const Coordinates& to, Coordinates& from) const {
        if (m_input == 0) {
            from = to;
            return true;
        }
        const std::size_t at = axisFrom(m_node.attributes.integer("axis", 0), m_to->size());
        if (m_node.canonical == Op::SelectScatter) {
            for (std::size_t i = 0, j = 0; i < m_to->size(); ++i)
                if (i != at)
                    from[j++] = to[i];
            return true;
        }
        from = to;
        const std::int64_t start = m_node.attributes.integer("start", 0);
        const std::int64_t step = std::max<std::int64_t>(1, m_node.attributes.integer("step", 1));
        from[at] = (to[at] - (start < 0 ? start + (*m_to)[at] : start)) / step;
        return true;
    }

    bool strided(const Coordinates& to, Coordinates& from) const {
        const auto strides = m_node.attributes.integers("strides");
        std::int64_t at = m_node.attributes.integer("offset", 0);
        for (std::size_t i = 0; strides && i < m_to->size() && i < strides->size(); ++i)
            at += to[i] * (*strides)[i];
        unravel(at, *m_from, from);
        return true;
    }

    /// A map that nothing else equals.
    bool scrambled(const Coordinates& to, Coordinates& from) const {
        const std::uint64_t hash = mixed(static_cast<std::uint64_t>(ravel(to, *m_to))
            ^ (static_cast<std::uint64_t>(m_node.outputs.empty() ? 0 : m_node.outputs[0].value)
                << 32));
        std::int64_t size = 1;
        for (const std::int64_t extent : *m_from)
            size = std::max<std::int64_t>(1, size * std::max<std::int64_t>(1, extent));
        unravel(static_cast<std::int64_t>(hash >> 1) % size, *m_from, from);
        return true;
    }

    const StageGraph& m_graph;
    const Node& m_node;
    std::size_t m_output, m_input;
    const IndirectIndex& m_indirect;
    const Extents *m_to = nullptr, *m_from = nullptr;
};

} // namespace

bool Points::operator==(const Points& other) const {
    return count == other.count
        && std::equal(
            at.begin(), at.begin() + static_cast<std::ptrdiff_t>(count), other.at.begin());
}

std::uint64_t mixed(std::uint64_t value) {
    value += kSeed;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

std::uint64_t hashOf(const Points& points) {
    std::uint64_t hash = points.count;
    for (std::size_t i = 0; i < points.count; ++i)
        hash = (hash ^ static_cast<std::uint64_t>(points.at[i])) * 0x100000001b3ULL + (hash >> 29);
    return mixed(hash);
}

Points samplesOf(std::int64_t size) {
    Points points;
    const auto range = static_cast<std::uint64_t>(std::max<std::int64_t>(1, size));
    for (std::uint64_t i = 0; i < kSamplePoints; ++i)
        points.add(static_cast<std::int64_t>(mixed(i * 7 + 1) % range));
    return points;
}

void unravel(std::int64_t at, const Extents& shape, Coordinates& coordinates) {
    for (std::size_t i = shape.size(); i-- > 0;) {
        const std::int64_t extent = std::max<std::int64_t>(1, shape[i]);
        coordinates[i] = at % extent;
        at /= extent;
    }
}

std::int64_t ravel(const Coordinates& coordinates, const Extents& shape) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t extent = std::max<std::int64_t>(1, shape[i]);
        std::int64_t c = coordinates[i];
        if (c < 0 || c >= extent) {
            c %= extent;
            c += c < 0 ? extent : 0;
        }
        at = at * extent + c;
    }
    return at;
}

int PointTable::add(const Points& points) {
    const std::uint64_t hash = hashOf(points);
    const auto [at, isNew] = m_ids.try_emplace(hash, static_cast<int>(m_points.size()));
    if (isNew) {
        m_points.push_back(points);
        m_hashes.push_back(hash);
    }
    return at->second;
}

void PointTable::clear() {
    m_points.clear();
    m_hashes.clear();
    m_ids.clear();
}

bool mapPoints(const StageGraph& graph, const Node& node, std::size_t output, std::size_t input,
    const Points& points, const IndirectIndex& indirect, Points& result) {
    return Mapper(graph, node, output, input, indirect).run(points, result);
}

} // namespace fivefold::families::gpu
