// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/drawing.h"

#include <cmath>

namespace fivefold::drawing {

namespace {

/// Larger than any drawing on a screen, small enough that sums stay exact.
constexpr double kMaxLength = 1e6;

bool isLength(double value) {
    return std::isfinite(value) && value >= 0 && value <= kMaxLength;
}

base::Error bad(std::string message) {
    return {base::ErrorCode::InvalidArgument, std::move(message), "drawing"};
}

/// Depth of each group, or −1 where its ancestors form a cycle or are too many.
std::vector<int> groupDepths(const std::vector<Group>& groups) {
    std::vector<int> depth(groups.size(), 0);
    std::vector<int> path;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        path.clear();
        int at = static_cast<int>(i);
        while (at >= 0 && depth[static_cast<std::size_t>(at)] == 0) {
            path.push_back(at);
            if (path.size() > static_cast<std::size_t>(kMaxGroupDepth))
                return {};
            at = groups[static_cast<std::size_t>(at)].parent;
        }
        int level = at < 0 ? 0 : depth[static_cast<std::size_t>(at)];
        for (auto it = path.rbegin(); it != path.rend(); ++it)
            depth[static_cast<std::size_t>(*it)] = ++level;
        if (level > kMaxGroupDepth)
            return {};
    }
    return depth;
}

} // namespace

base::Result<base::Done> check(const Input& input) {
    const int groupCount = static_cast<int>(input.groups.size());
    const int boxCount = static_cast<int>(input.boxes.size());
    if (!isLength(input.rankGap) || !isLength(input.nodeGap))
        return bad("The gaps of a drawing must be finite and not negative.");
    for (const Box& box : input.boxes) {
        if (!isLength(box.width) || !isLength(box.height))
            return bad("A box has a size that is not finite, negative or beyond 1,000,000.");
        if (box.group < -1 || box.group >= groupCount)
            return bad("A box names a group that does not exist.");
    }
    for (const Edge& edge : input.edges) {
        if (edge.from < 0 || edge.from >= boxCount || edge.to < 0 || edge.to >= boxCount)
            return bad("An edge names a box that does not exist.");
        if (!isLength(edge.labelWidth))
            return bad(
                "An edge has a label width that is not finite, negative or beyond 1,000,000.");
    }
    for (const Group& group : input.groups) {
        if (group.parent < -1 || group.parent >= groupCount)
            return bad("A group names a parent that does not exist.");
        if (!isLength(group.padding) || !isLength(group.titleHeight) || !isLength(group.minWidth))
            return bad("A group has a size that is not finite, negative or beyond 1,000,000.");
    }
    if (groupDepths(input.groups).size() != input.groups.size())
        return bad("Groups contain themselves or nest deeper than 512 levels.");
    return base::Done{};
}

} // namespace fivefold::drawing
