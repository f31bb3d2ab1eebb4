// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/drawing/drawing.h"

#include <random>

namespace fivefold::drawing::test {

inline Input chain(int count) {
    Input input;
    input.boxes.resize(static_cast<std::size_t>(count));
    for (int i = 0; i + 1 < count; ++i)
        input.edges.push_back({i, i + 1});
    return input;
}

/// Blocks of a transformer: 16 nodes with a three-way split and two residual edges each; a group a
/// block if wanted.
inline Input transformer(int blocks, bool hasGroups) {
    Input input;
    const int perBlock = 16;
    for (int b = 0; b < blocks; ++b) {
        if (hasGroups)
            input.groups.push_back({});
        const int base = b * perBlock;
        for (int i = 0; i < perBlock; ++i) {
            Box box;
            box.width = i % 3 == 0 ? 204 : 120;
            box.group = hasGroups ? b : -1;
            input.boxes.push_back(box);
        }
        const auto edge = [&](int from, int to) {
            input.edges.push_back({base + from, base + to});
        };
        if (b > 0)
            input.edges.push_back({base - 1, base});
        for (const int split : {1, 2, 3}) {
            edge(0, split);
            edge(split, 4);
        }
        for (int i = 4; i + 1 < perBlock; ++i)
            edge(i, i + 1);
        edge(0, 8);
        edge(8, 15);
    }
    return input;
}

/// Forward edges only unless `hasCycles`; nested groups of three levels.
inline Input random(int boxes, int edges, int groups, unsigned seed, bool hasCycles) {
    std::mt19937 engine(seed);
    const auto below = [&](int limit) {
        return static_cast<int>(engine() % static_cast<unsigned>(limit));
    };
    Input input;
    for (int g = 0; g < groups; ++g) {
        Group group;
        group.parent = g < 3 ? -1 : below(g);
        input.groups.push_back(group);
    }
    for (int b = 0; b < boxes; ++b) {
        Box box;
        box.width = 40 + below(180);
        box.height = 20 + below(30);
        box.group = groups > 0 ? below(groups + 1) - 1 : -1;
        input.boxes.push_back(box);
    }
    for (int e = 0; e < edges; ++e) {
        int a = below(boxes), b = below(boxes);
        if (!hasCycles && a > b)
            std::swap(a, b);
        if (!hasCycles && a == b)
            continue;
        input.edges.push_back({a, b, 0, below(10) != 0});
    }
    return input;
}

} // namespace fivefold::drawing::test
