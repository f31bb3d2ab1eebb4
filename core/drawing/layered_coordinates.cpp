// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/layered_flat.h"

#include <algorithm>
#include <limits>

namespace fivefold::drawing::layered {

namespace {

/// How strongly a link pulls its ends together: lanes should be straight, boxes near their
/// neighbours.
constexpr double kLanePull = 8, kMixedPull = 2, kBoxPull = 1;
constexpr int kRounds = 6;
constexpr std::size_t kManyVertices = 8000;

enum class Side { Before, After, Both };

class Relaxer {
public:
    Relaxer(const Ranked& ranked, double nodeGap)
        : m_ranked(ranked)
        , m_gap(nodeGap)
        , m_across(ranked.vertices.size(), 0) {
        for (const std::vector<int>& row : ranked.rows) {
            double at = 0;
            for (const int v : row) {
                m_across[index(v)] = at + breadth(v) / 2;
                at += breadth(v) + nodeGap;
            }
        }
    }

    void relaxRow(std::size_t r, Side side) {
        const std::vector<int>& row = m_ranked.rows[r];
        m_blocks.clear();
        double shift = 0; // sum of the least distances so far
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                shift += distance(row[i - 1], row[i]);
            const auto [target, weight] = wanted(row[i], side);
            m_blocks.push_back({target - shift, weight, 1});
            pool();
        }
        shift = 0;
        std::size_t i = 0;
        for (const Block& block : m_blocks)
            for (std::size_t k = 0; k < block.count; ++k, ++i) {
                if (i > 0)
                    shift += distance(row[i - 1], row[i]);
                m_across[index(row[i])] = block.mean + shift;
            }
    }

    /// Gives every lane one position where all its rows leave room for it.
    void straighten() {
        std::vector<std::size_t> place(m_across.size(), 0);
        for (const std::vector<int>& row : m_ranked.rows)
            for (std::size_t i = 0; i < row.size(); ++i)
                place[index(row[i])] = i;
        for (const std::vector<int>& chain : m_ranked.chains) {
            if (chain.size() < 4)
                continue; // one lane at most: nothing to line up
            double low = -std::numeric_limits<double>::infinity(), high = -low, sum = 0;
            for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
                const auto [a, b] = room(chain[i], place[index(chain[i])]);
                low = std::max(low, a);
                high = std::min(high, b);
                sum += m_across[index(chain[i])];
            }
            if (low > high)
                continue;
            const double at = std::clamp(sum / static_cast<double>(chain.size() - 2), low, high);
            for (std::size_t i = 1; i + 1 < chain.size(); ++i)
                m_across[index(chain[i])] = at;
        }
    }

    std::vector<double> finish() {
        double left = std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < m_across.size(); ++v)
            left = std::min(left, m_across[v] - m_ranked.vertices[v].breadth / 2);
        for (double& a : m_across)
            a -= left;
        return std::move(m_across);
    }

private:
    struct Block {
        double mean = 0, weight = 0;
        std::size_t count = 0;
    };

    static std::size_t index(int v) { return static_cast<std::size_t>(v); }
    double breadth(int v) const { return m_ranked.vertices[index(v)].breadth; }
    bool isLane(int v) const { return m_ranked.vertices[index(v)].isLane; }
    double distance(int a, int b) const {
        const double gap = isLane(a) && isLane(b) ? m_gap * 0.75 : m_gap;
        return (breadth(a) + breadth(b)) / 2 + gap;
    }

    void pool() {
        while (m_blocks.size() > 1 && m_blocks[m_blocks.size() - 2].mean > m_blocks.back().mean) {
            const Block last = m_blocks.back();
            m_blocks.pop_back();
            Block& block = m_blocks.back();
            block.mean = (block.mean * block.weight + last.mean * last.weight)
                / (block.weight + last.weight);
            block.weight += last.weight;
            block.count += last.count;
        }
    }

    /// Where a vertex wants to stand, and how much.
    std::pair<double, double> wanted(int v, Side side) const {
        double sum = 0, weight = 0;
        const auto add = [&](const Ranked::Link& link, int other, double otherOffset,
                             double ownOffset) {
            const double pull = isLane(v) && isLane(other) ? kLanePull
                : isLane(v) || isLane(other)               ? kMixedPull
                                                           : kBoxPull;
            (void)link;
            sum += pull * (m_across[index(other)] + otherOffset - ownOffset);
            weight += pull;
        };
        if (side != Side::After)
            for (const int l : m_ranked.incoming[index(v)]) {
                const Ranked::Link& link = m_ranked.links[index(l)];
                add(link, link.from, link.fromOffset, link.toOffset);
            }
        if (side != Side::Before)
            for (const int l : m_ranked.outgoing[index(v)]) {
                const Ranked::Link& link = m_ranked.links[index(l)];
                add(link, link.to, link.toOffset, link.fromOffset);
            }
        if (weight == 0)
            return {m_across[index(v)], 0.1};
        return {sum / weight, weight};
    }

    /// The interval in which a vertex may move between its neighbours.
    std::pair<double, double> room(int v, std::size_t at) const {
        const std::vector<int>& row = m_ranked.rows[index(m_ranked.vertices[index(v)].rank)];
        double low = -std::numeric_limits<double>::infinity(), high = -low;
        if (at > 0)
            low = m_across[index(row[at - 1])] + distance(row[at - 1], v);
        if (at + 1 < row.size())
            high = m_across[index(row[at + 1])] - distance(v, row[at + 1]);
        return {low, high};
    }

    const Ranked& m_ranked;
    double m_gap;
    std::vector<double> m_across;
    std::vector<Block> m_blocks;
};

} // namespace

std::vector<double> assignAcross(
    const Ranked& ranked, double nodeGap, const base::Progress& progress) {
    if (ranked.vertices.empty())
        return {};
    Relaxer relaxer(ranked, nodeGap);
    const int rounds = ranked.vertices.size() > kManyVertices ? kRounds / 2 : kRounds;
    const std::size_t rows = ranked.rows.size();
    for (int round = 0; round < rounds && !progress.isCancelled(); ++round) {
        for (std::size_t r = 1; r < rows; ++r)
            relaxer.relaxRow(r, Side::Before);
        for (std::size_t r = rows; r-- > 1;)
            relaxer.relaxRow(r - 1, Side::After);
    }
    for (std::size_t r = 0; r < rows; ++r)
        relaxer.relaxRow(r, Side::Both);
    for (std::size_t r = rows; r-- > 0;)
        relaxer.relaxRow(r, Side::Both);
    relaxer.straighten();
    return relaxer.finish();
}

} // namespace fivefold::drawing::layered
