// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/layered_flat.h"

#include <algorithm>
#include <cstdint>

namespace fivefold::drawing::layered {

namespace {

/// Sweeps in each direction; more than four rarely removes a crossing.
constexpr int kSweeps = 4;
/// Above this many vertices one sweep must do.
constexpr std::size_t kManyVertices = 8000;

std::vector<int> positions(const Ranked& ranked) {
    std::vector<int> position(ranked.vertices.size(), 0);
    for (const std::vector<int>& row : ranked.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            position[static_cast<std::size_t>(row[i])] = static_cast<int>(i);
    return position;
}

/// A vertex's place in its row plus where on its side the link starts: wide groups have many links
/// that do not cross.
double endPosition(
    const Ranked& ranked, const std::vector<int>& position, int vertex, double offset) {
    const double breadth = ranked.vertices[static_cast<std::size_t>(vertex)].breadth;
    const double inside = breadth > 0 ? std::clamp(offset / breadth, -0.5, 0.5) * 0.9 : 0;
    return position[static_cast<std::size_t>(vertex)] + inside;
}

/// Sorts one row by the mean position of the neighbours in the row before (`isDown`) or after;
/// vertices without neighbours stay where they are.
void sortRow(Ranked& ranked, std::vector<int>& position, std::size_t r, bool isDown) {
    std::vector<int>& row = ranked.rows[r];
    std::vector<std::pair<double, int>> keyed;
    keyed.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto v = static_cast<std::size_t>(row[i]);
        const std::vector<int>& links = isDown ? ranked.incoming[v] : ranked.outgoing[v];
        double sum = 0;
        for (const int l : links) {
            const Ranked::Link& link = ranked.links[static_cast<std::size_t>(l)];
            sum += isDown ? endPosition(ranked, position, link.from, link.fromOffset)
                          : endPosition(ranked, position, link.to, link.toOffset);
        }
        const double key =
            links.empty() ? static_cast<double>(i) : sum / static_cast<double>(links.size());
        keyed.emplace_back(key, row[i]);
    }
    std::stable_sort(
        keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = keyed[i].second;
        position[static_cast<std::size_t>(row[i])] = static_cast<int>(i);
    }
}

/// Inversions between neighbouring rows by a binary indexed tree over the lower row.
std::size_t crossingsBetween(const Ranked& ranked, const std::vector<int>& position,
    std::size_t upper, std::vector<int>& tree) {
    const std::size_t width = ranked.rows[upper + 1].size();
    tree.assign(width + 1, 0);
    std::vector<int> ends;
    std::size_t crossings = 0, seen = 0;
    for (const int v : ranked.rows[upper]) {
        ends.clear();
        for (const int l : ranked.outgoing[static_cast<std::size_t>(v)])
            ends.push_back(
                position[static_cast<std::size_t>(ranked.links[static_cast<std::size_t>(l)].to)]);
        for (const int end : ends) {
            std::size_t notRight = 0;
            for (int i = end + 1; i > 0; i -= i & -i)
                notRight += static_cast<std::size_t>(tree[static_cast<std::size_t>(i)]);
            crossings += seen - notRight;
        }
        for (const int end : ends)
            for (int i = end + 1; i <= static_cast<int>(width); i += i & -i)
                ++tree[static_cast<std::size_t>(i)];
        seen += ends.size();
    }
    return crossings;
}

} // namespace

std::size_t countCrossings(const Ranked& ranked) {
    const std::vector<int> position = positions(ranked);
    std::vector<int> tree;
    std::size_t crossings = 0;
    for (std::size_t r = 0; r + 1 < ranked.rows.size(); ++r)
        crossings += crossingsBetween(ranked, position, r, tree);
    return crossings;
}

void orderRows(Ranked& ranked, const base::Progress& progress) {
    std::vector<std::vector<int>> best = ranked.rows;
    std::size_t fewest = countCrossings(ranked);
    const int sweeps = ranked.vertices.size() > kManyVertices ? 1 : kSweeps;
    for (int sweep = 0; sweep < sweeps && fewest > 0 && !progress.isCancelled(); ++sweep) {
        std::vector<int> position = positions(ranked);
        for (std::size_t r = 1; r < ranked.rows.size(); ++r)
            sortRow(ranked, position, r, true);
        for (std::size_t r = ranked.rows.size(); r-- > 1;)
            sortRow(ranked, position, r - 1, false);
        const std::size_t crossings = countCrossings(ranked);
        if (crossings < fewest) {
            fewest = crossings;
            best = ranked.rows;
        }
    }
    ranked.rows = std::move(best);
}

} // namespace fivefold::drawing::layered
