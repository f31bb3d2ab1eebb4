// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/folding.h"

#include <algorithm>

namespace fivefold::views::graph {

namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

class Expander {
public:
    Expander(const ScopeTree& tree, const Folding& folding)
        : m_tree(tree)
        , m_folding(folding) {
        m_result.isOpen.assign(tree.containers.size(), 0);
        m_result.isOpen[0] = 1;
        m_result.boxes = static_cast<int>(tree.containers[0].items.size());
    }

    Expansion run() {
        openWanted(m_folding.last);
        for (const int c : m_tree.order)
            if (wish(c) == 1)
                openWithAncestors(c);
        if (m_folding.mode == FoldMode::Automatic)
            openLevels();
        else if (m_folding.mode == FoldMode::Expanded)
            openAll();
        finish();
        return std::move(m_result);
    }

private:
    const Container& container(int c) const { return m_tree.containers[index(c)]; }

    /// 1 open, 0 closed, −1 no wish.
    int wish(int c) const {
        const auto found = m_folding.isOpen.find(container(c).key);
        return found == m_folding.isOpen.end() ? -1 : found->second ? 1 : 0;
    }

    void openWanted(const std::string& key) {
        if (key.empty())
            return;
        for (const int c : m_tree.order)
            if (container(c).key == key && wish(c) == 1)
                openWithAncestors(c);
    }

    void openWithAncestors(int c) {
        std::vector<int> path;
        int cost = 0;
        for (int at = c; at >= 0 && !m_result.isOpen[index(at)]; at = container(at).parent) {
            if (at != c && wish(at) == 0)
                return; // inside something the user closed
            path.push_back(at);
            cost += price(at);
        }
        if (m_result.boxes + cost > kMaxBoxes) {
            m_result.isLimited |= !path.empty();
            return;
        }
        for (const int at : path)
            open(at);
        m_result.boxes += cost;
    }

    /// Boxes that opening adds. The branches of a control node open with it.
    int price(int c) const {
        int price = static_cast<int>(container(c).items.size()) - 1;
        for (const Item& item : container(c).items)
            if (isBranch(item))
                price += static_cast<int>(container(item.index).items.size()) - 1;
        return price;
    }
    void open(int c) {
        m_result.isOpen[index(c)] = 1;
        for (const Item& item : container(c).items)
            if (isBranch(item))
                m_result.isOpen[index(item.index)] = 1;
    }
    bool isBranch(const Item& item) const {
        return !item.isNode && container(item.index).kind == ContainerKind::Branch
            && wish(item.index) < 0 && !m_result.isOpen[index(item.index)];
    }

    bool mayOpen(int c) const {
        const ContainerKind kind = container(c).kind;
        return wish(c) < 0 && kind != ContainerKind::Run && kind != ContainerKind::Origin;
    }

    /// Opens all of them when they fit.
    bool openTogether(const std::vector<int>& siblings, int limit) {
        int cost = 0;
        for (const int c : siblings)
            cost += price(c);
        if (siblings.empty() || m_result.boxes + cost > limit)
            return false;
        for (const int c : siblings)
            open(c);
        m_result.boxes += cost;
        return true;
    }

    void openLevels() {
        std::vector<int> level(1, 0);
        while (!level.empty()) {
            std::vector<int> next, all;
            std::vector<std::vector<int>> byParent;
            for (const int parent : level) {
                std::vector<int> siblings;
                for (const Item& item : container(parent).items) {
                    if (item.isNode)
                        continue;
                    if (m_result.isOpen[index(item.index)])
                        next.push_back(item.index);
                    else if (mayOpen(item.index))
                        siblings.push_back(item.index);
                }
                all.insert(all.end(), siblings.begin(), siblings.end());
                byParent.push_back(std::move(siblings));
            }
            if (openTogether(all, kFirstBoxes)) {
                next.insert(next.end(), all.begin(), all.end());
            } else {
                for (const std::vector<int>& siblings : byParent)
                    if (openTogether(siblings, kFirstBoxes))
                        next.insert(next.end(), siblings.begin(), siblings.end());
            }
            level = std::move(next);
        }
    }

    void openAll() {
        for (const int c : m_tree.order) {
            const int parent = container(c).parent;
            if (c == 0 || m_result.isOpen[index(c)] || wish(c) == 0
                || !m_result.isOpen[index(parent)])
                continue;
            if (!openTogether({c}, kMaxBoxes))
                m_result.isLimited = true;
        }
    }

    void finish() {
        m_result.foldedInto.assign(m_tree.containers.size(), -1);
        for (const int c : m_tree.order) {
            const int parent = container(c).parent;
            int& into = m_result.foldedInto[index(c)];
            into = parent >= 0 ? m_result.foldedInto[index(parent)] : -1;
            if (into < 0 && !m_result.isOpen[index(c)]) {
                into = c;
                ++m_result.foldedCount;
            }
        }
    }

    const ScopeTree& m_tree;
    const Folding& m_folding;
    Expansion m_result;
};

} // namespace

Expansion expand(const ScopeTree& tree, const Folding& folding) {
    return Expander(tree, folding).run();
}

} // namespace fivefold::views::graph
