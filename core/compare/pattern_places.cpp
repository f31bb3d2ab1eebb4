// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/pattern_places.h"

#include "core/compare/words.h"

#include <algorithm>
#include <array>

namespace fivefold::compare {

namespace {

using Flags = std::vector<std::uint8_t>;
constexpr double kShare = 0.95;

struct AxisUse {
    std::int64_t extent = 0;
    std::vector<std::int64_t> hit; ///< coordinates with a wrong element, ascending
    bool isFull() const { return static_cast<std::int64_t>(hit.size()) == extent; }
};

std::vector<AxisUse> usesOf(const std::vector<std::int64_t>& shape, const ElementSet& wrong) {
    std::vector<Flags> flags;
    for (const std::int64_t extent : shape)
        flags.emplace_back(static_cast<std::size_t>(extent), std::uint8_t(0));
    allOf(wrong, [&](std::int64_t flat) {
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            flags[axis][static_cast<std::size_t>(flat % shape[axis])] = 1;
            flat /= shape[axis];
        }
        return true;
    });
    std::vector<AxisUse> uses;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        AxisUse use{shape[axis], {}};
        for (std::int64_t i = 0; i < shape[axis]; ++i) {
            if (flags[axis][static_cast<std::size_t>(i)])
                use.hit.push_back(i);
        }
        uses.push_back(std::move(use));
    }
    return uses;
}

std::string along(int axis, std::size_t rank) {
    return rank > 1 ? " along axis " + std::to_string(axis) : std::string();
}

/// Smallest period p with hit = all indices ≡ r (mod p); 0 where there is none.
std::int64_t periodOf(const AxisUse& use) {
    if (use.hit.size() < 2)
        return 0;
    const std::int64_t period = use.hit[1] - use.hit[0];
    if (period < 2 || use.hit[0] >= period || use.hit.back() + period < use.extent)
        return 0;
    for (std::size_t i = 1; i < use.hit.size(); ++i) {
        if (use.hit[i] - use.hit[i - 1] != period)
            return 0;
    }
    return period;
}

/// Whole stretches of one length at one distance: every second stick of 64.
std::string blocksText(const AxisUse& use) {
    constexpr std::array<std::int64_t, 6> kLengths{512, 256, 128, 64, 32, 16};
    for (const std::int64_t length : kLengths) {
        if (length * 2 > use.extent)
            continue;
        Flags blocks(static_cast<std::size_t>((use.extent + length - 1) / length), 0);
        for (const std::int64_t index : use.hit)
            blocks[static_cast<std::size_t>(index / length)] = 1;
        std::int64_t covered = 0, last = -1, count = 0;
        std::string list;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            if (!blocks[b])
                continue;
            const auto begin = static_cast<std::int64_t>(b) * length;
            covered += std::min(use.extent, begin + length) - begin;
            list += (list.empty() ? "" : ", ") + std::to_string(b);
            last = static_cast<std::int64_t>(b);
            ++count;
        }
        const bool isSome = count < static_cast<std::int64_t>(blocks.size()) && count <= 8;
        if (last >= 0 && isSome && covered == static_cast<std::int64_t>(use.hit.size()))
            return "blocks " + list + " of " + std::to_string(length);
    }
    return {};
}

Pattern ofAxis(const AxisUse& use, int axis, std::size_t rank, bool isLine) {
    Pattern pattern;
    pattern.axis = axis;
    pattern.at = use.hit.front();
    const bool isRun =
        use.hit.back() - use.hit.front() + 1 == static_cast<std::int64_t>(use.hit.size());
    const std::string where = along(axis, rank);
    if (use.hit.size() == 1 && use.hit.front() + 1 != use.extent) {
        pattern.kind = Pattern::Kind::Slice;
        pattern.sentence = "only index " + std::to_string(pattern.at) + where;
    } else if (isRun && use.hit.back() + 1 == use.extent) {
        pattern.kind = Pattern::Kind::Suffix;
        pattern.sentence = "only indices ≥ " + std::to_string(pattern.at) + where;
    } else if (isRun && use.hit.front() == 0) {
        pattern.kind = Pattern::Kind::Prefix;
        pattern.at = use.hit.back() + 1;
        pattern.sentence = "only indices < " + std::to_string(pattern.at) + where;
    } else if (const std::int64_t period = periodOf(use)) {
        pattern.kind = Pattern::Kind::Residue;
        pattern.period = period;
        pattern.sentence = "only indices that are " + std::to_string(pattern.at) + " modulo "
            + std::to_string(period) + where;
    } else if (isRun) {
        pattern.kind = Pattern::Kind::Slice;
        pattern.sentence = "only indices " + std::to_string(use.hit.front()) + "–"
            + std::to_string(use.hit.back()) + where;
    } else if (const std::string blocks = blocksText(use); !blocks.empty()) {
        pattern.kind = Pattern::Kind::Slice;
        pattern.sentence = "only " + blocks + where;
    } else {
        // A list of indices is a structure only where whole rows go with them.
        pattern.kind = isLine ? Pattern::Kind::Scattered : Pattern::Kind::Slice;
        pattern.sentence = isLine
            ? "at places without structure"
            : "only " + std::to_string(use.hit.size()) + " of " + std::to_string(use.extent)
                + " indices" + where + ", the first " + std::to_string(pattern.at);
    }
    return pattern;
}

/// Masks: elements on one side of the diagonal of the last two axes.
Pattern ofTriangle(const std::vector<std::int64_t>& shape, const ElementSet& wrong) {
    Pattern pattern;
    if (shape.size() < 2 || shape.back() < 2 || shape[shape.size() - 2] < 2)
        return pattern;
    const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2];
    const auto isAll = [&](auto test) {
        return allOf(wrong,
            [&](std::int64_t flat) { return test((flat / columns) % rows, flat % columns); });
    };
    const bool isAbove = isAll([](std::int64_t row, std::int64_t column) { return column > row; });
    const bool isBelow =
        !isAbove && isAll([](std::int64_t row, std::int64_t column) { return column < row; });
    if (!isAbove && !isBelow)
        return pattern;
    pattern.kind = Pattern::Kind::Slice;
    pattern.axis = static_cast<int>(shape.size()) - 1;
    pattern.share = 1;
    pattern.sentence = isAbove ? "only above the diagonal of the last two axes"
                               : "only below the diagonal of the last two axes";
    return pattern;
}

} // namespace

Pattern placesOf(const std::vector<std::int64_t>& shape, const ElementSet& wrong) {
    Pattern pattern;
    pattern.kind = Pattern::Kind::Scattered;
    pattern.sentence = "at places without structure";
    if (wrong.count == wrong.total) {
        pattern.kind = Pattern::Kind::All;
        pattern.share = 1;
        pattern.sentence = "all elements";
        return pattern;
    }
    const auto uses = usesOf(shape, wrong);
    double box = 1;
    std::vector<std::size_t> partial;
    for (std::size_t axis = 0; axis < uses.size(); ++axis) {
        box *= static_cast<double>(uses[axis].hit.size());
        if (!uses[axis].isFull())
            partial.push_back(axis);
    }
    const bool isBox = box > 0 && static_cast<double>(wrong.count) >= kShare * box;
    if (isBox && !partial.empty()) {
        // A box with several limited axes: the last one names the kind, all are said.
        std::string sentence;
        for (const std::size_t axis : partial) {
            const Pattern one = ofAxis(
                uses[axis], static_cast<int>(axis), shape.size(), uses[axis].extent == wrong.total);
            sentence += (sentence.empty() ? "" : ", ") + one.sentence;
            pattern = one;
        }
        pattern.sentence = sentence;
        pattern.share = pattern.kind == Pattern::Kind::Scattered ? 0 : 1;
        if (partial.size() > 1)
            pattern.kind = Pattern::Kind::Slice;
    }
    if (wrong.runs.size() == 1 && wrong.runs[0].end == wrong.total
        && (pattern.kind == Pattern::Kind::Scattered || shape.size() == 1)) {
        pattern.kind = Pattern::Kind::Suffix;
        pattern.axis = shape.size() == 1 ? 0 : -1;
        pattern.at = wrong.runs[0].begin;
        pattern.share = 1;
        pattern.sentence = "only indices ≥ " + std::to_string(pattern.at)
            + (shape.size() > 1 ? " in memory order" : "");
    }
    if (wrong.count == 1) {
        if (pattern.kind != Pattern::Kind::Suffix)
            pattern.kind = Pattern::Kind::Single;
        pattern.share = 1;
        pattern.at = *wrong.first();
        if (shape.size() != 1 || pattern.at + 1 != wrong.total) {
            pattern.kind = Pattern::Kind::Single;
            pattern.sentence = pattern.at + 1 == wrong.total
                ? "only the last element, " + indexText(shape, pattern.at)
                : "only element " + indexText(shape, pattern.at);
        }
    }
    if (pattern.kind == Pattern::Kind::Scattered) {
        if (const Pattern triangle = ofTriangle(shape, wrong); triangle.kind != Pattern::Kind::None)
            return triangle;
    }
    return pattern;
}

Pattern devicePlacesOf(const layout::TensorLayout& layout, const ElementSet& wrong) {
    constexpr std::int64_t kMostLooked = 1 << 18;
    Pattern none;
    if (wrong.count == wrong.total || wrong.count > kMostLooked
        || layout::logicalElements(layout) != wrong.total)
        return none;
    std::int64_t lanes = 1;
    for (const layout::Axis& axis : layout.axes)
        lanes *= axis.role == layout::AxisRole::Lane ? axis.extent : 1;
    const std::int64_t units = layout::unitCount(layout);
    Flags lane(static_cast<std::size_t>(std::max<std::int64_t>(lanes, 1)), 0);
    Flags unit(static_cast<std::size_t>(std::max<std::int64_t>(units, 1)), 0);
    const bool isKnown = allOf(wrong, [&](std::int64_t flat) {
        const auto at = layout::locate(layout, layout::unflatten(layout.shape, flat));
        if (!at || at->lane >= lanes || at->unit >= units)
            return false;
        lane[static_cast<std::size_t>(at->lane)] = 1;
        unit[static_cast<std::size_t>(at->unit)] = 1;
        return true;
    });
    if (!isKnown)
        return none;
    Pattern pattern;
    const auto count = [](const Flags& flags) { return std::ranges::count(flags, 1); };
    const auto first = [](const Flags& flags) {
        return static_cast<std::int64_t>(std::ranges::find(flags, 1) - flags.begin());
    };
    if (units > 1 && count(unit) < units) {
        const std::int64_t from = first(unit), n = count(unit);
        pattern.kind = Pattern::Kind::Slice;
        pattern.at = from;
        pattern.sentence = n == 1 ? "core " + std::to_string(from)
            : unit[static_cast<std::size_t>(from + n - 1)] && from + n <= units
            ? "cores " + std::to_string(from) + "–" + std::to_string(from + n - 1)
            : std::to_string(n) + " of " + std::to_string(units) + " cores";
    } else if (lanes > 1 && count(lane) == 1 && wrong.count > 1) {
        pattern.kind = Pattern::Kind::Residue;
        pattern.period = lanes;
        pattern.at = first(lane);
        pattern.sentence = pattern.at + 1 == lanes
            ? "the last lane of each stick"
            : "lane " + std::to_string(pattern.at) + " of each stick";
    }
    pattern.share = pattern.kind == Pattern::Kind::None ? 0 : 1;
    return pattern;
}

} // namespace fivefold::compare
