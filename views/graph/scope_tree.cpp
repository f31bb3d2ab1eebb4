// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/scope_tree.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace fivefold::views::graph {

namespace {

class TreeBuilder {
public:
    TreeBuilder(const analysis::Result& result, const lowering::StageGraph& graph)
        : m_result(result)
        , m_captured(result.graph())
        , m_graph(graph) {
        m_tree.containers.push_back({ContainerKind::Root, "/", "/"});
        m_tree.containerOf.assign(graph.nodes.size(), 0);
        m_tree.prefixOf.resize(graph.nodes.size());
    }

    ScopeTree build() {
        countOrigins();
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n)
            m_tree.containerOf[n] = containerOfNode(lowering::NodeId(n));
        placeAddedNodes();
        findConstants();
        fillItems();
        detail::sortParentsFirst(m_tree);
        mergeSmallScopes();
        detail::sortParentsFirst(m_tree);
        detail::summarise(m_tree, m_graph);
        detail::foldRuns(m_tree);
        detail::cutLongLists(m_tree, m_graph);
        detail::sortParentsFirst(m_tree);
        detail::summarise(m_tree, m_graph);
        return std::move(m_tree);
    }

private:
    int add(Container container) {
        m_tree.containers.push_back(std::move(container));
        return static_cast<int>(m_tree.containers.size()) - 1;
    }

    void countOrigins() {
        for (const lowering::Node& node : m_graph.nodes)
            if (node.sources.size() == 1 && m_captured.nodes.contains(node.sources.front()))
                ++m_origins[{node.sources.front().value, node.kernel.value}];
    }

    int containerOfNode(lowering::NodeId id) {
        const lowering::Node& node = m_graph.nodes[id];
        if (node.sources.empty() || !m_captured.nodes.contains(node.sources.front()))
            return -1;
        const ir::NodeId source = node.sources.front();
        const ir::Node& captured = m_captured.nodes[source];
        if (m_graph.stage == lowering::Stage::Captured && !captured.blocks.empty())
            return control(source);
        const int scope = containerOfScope(captured.block, captured.scope);
        // What became of it in one kernel: copies that other kernels compute stand with those.
        const std::pair key(source.value, node.kernel.value);
        if (node.sources.size() != 1 || m_origins[key] < 2)
            return scope;
        const auto [it, isNew] = m_originOf.try_emplace(key, 0);
        if (isNew) {
            const int part = m_originParts[source.value]++;
            it->second = add({ContainerKind::Origin,
                "origin:" + captured.name + (part == 0 ? "" : "#" + std::to_string(part)),
                captured.name, {}, scope, {}, 0, 0, source});
        }
        return it->second;
    }

    /// The module containers that enclose a scope of a block; made on first use, without recursion:
    /// control nodes around the block are finished on a stack first.
    int containerOfScope(ir::BlockId block, ir::ScopeId scope) {
        std::vector<std::pair<ir::BlockId, ir::ScopeId>> open;
        std::size_t guard = m_captured.blocks.size() + m_captured.scopes.size() + 2;
        int at = -1;
        for (; guard > 0; --guard) {
            if (const auto known = m_scopeOf.find({block.value, scope.value});
                known != m_scopeOf.end()) {
                at = known->second;
                break;
            }
            open.emplace_back(block, scope);
            const bool isTop = !m_captured.scopes.contains(scope) || scope == ir::Graph::rootScope()
                || isAroundOwner(block, scope);
            if (!isTop) {
                scope = m_captured.scopes[scope].parent;
                continue;
            }
            const ir::NodeId owner = ownerOf(block);
            if (!owner.isValid()) {
                at = 0;
                m_scopeOf[{block.value, scope.value}] = 0;
                open.pop_back();
                break;
            }
            scope = m_captured.nodes[owner].scope;
            block = m_captured.nodes[owner].block;
        }
        at = std::max(at, 0);
        for (auto it = open.rbegin(); it != open.rend(); ++it)
            at = m_scopeOf[{it->first.value, it->second.value}] =
                makeScope(it->first, it->second, at);
        return at;
    }

    int makeScope(ir::BlockId block, ir::ScopeId scope, int parent) {
        const bool isTop = !m_captured.scopes.contains(scope) || scope == ir::Graph::rootScope()
            || isAroundOwner(block, scope);
        if (isTop)
            return body(block, parent);
        const ir::Scope& module = m_captured.scopes[scope];
        std::string key = "scope:" + module.path;
        if (block != ir::Graph::mainBlock())
            key += "@" + std::to_string(block.value);
        return add({ContainerKind::Scope, std::move(key), module.name, {}, parent});
    }

    /// The container of a body: its control node's, or one for the branch where there are several.
    int body(ir::BlockId block, int parentScope) {
        const ir::NodeId owner = ownerOf(block);
        if (!owner.isValid())
            return 0;
        const int around = control(owner, parentScope);
        const ir::Node& node = m_captured.nodes[owner];
        if (node.blocks.size() < 2)
            return around;
        if (const auto known = m_branchOf.find(block.value); known != m_branchOf.end())
            return known->second;
        const ir::Block& branch = m_captured.blocks[block];
        Container container{ContainerKind::Branch, "branch:" + node.name + ":" + branch.role,
            branch.role.empty() ? branch.name : branch.role, {}, around, {}, 0, 0, owner};
        container.isUntaken = isUntaken(owner, block);
        return m_branchOf[block.value] = add(std::move(container));
    }

    bool isUntaken(ir::NodeId owner, ir::BlockId block) const {
        if (!m_result.typed || owner.index() >= m_result.typed->takenBranch.size())
            return false;
        const int taken = m_result.typed->takenBranch[owner];
        const auto& blocks = m_captured.nodes[owner].blocks;
        return taken >= 0 && static_cast<std::size_t>(taken) < blocks.size()
            && blocks[static_cast<std::size_t>(taken)] != block;
    }

    int control(ir::NodeId owner) {
        const ir::Node& node = m_captured.nodes[owner];
        return control(owner, containerOfScope(node.block, node.scope));
    }
    int control(ir::NodeId owner, int parent) {
        const auto [it, isNew] = m_controlOf.try_emplace(owner.value, 0);
        if (isNew) {
            const ir::Node& node = m_captured.nodes[owner];
            it->second = add({ContainerKind::Control, "control:" + node.name,
                node.sourceOp.empty() ? std::string(ir::name(node.op)) : node.sourceOp, {}, parent,
                {}, 0, 0, owner});
        }
        return it->second;
    }

    ir::NodeId ownerOf(ir::BlockId block) const {
        if (!m_captured.blocks.contains(block) || block == ir::Graph::mainBlock())
            return {};
        const ir::NodeId owner = m_captured.blocks[block].owner;
        return m_captured.nodes.contains(owner) ? owner : ir::NodeId();
    }

    /// Scopes that already enclose the control node are not opened again inside its body.
    bool isAroundOwner(ir::BlockId block, ir::ScopeId scope) {
        const ir::NodeId owner = ownerOf(block);
        if (!owner.isValid())
            return false;
        const auto [it, isNew] = m_aroundOwner.try_emplace(block.value);
        if (isNew) {
            ir::ScopeId at = m_captured.nodes[owner].scope;
            while (m_captured.scopes.contains(at) && it->second.insert(at.value).second)
                at = m_captured.scopes[at].parent;
        }
        return it->second.count(scope.value) > 0;
    }

    /// What a compiler added stands with the first node that reads it, else with the one that feeds
    /// it.
    void placeAddedNodes() {
        for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
            if (m_tree.containerOf[i] >= 0)
                continue;
            const lowering::Node& node = m_graph.nodes[lowering::NodeId(i)];
            int at = -1;
            for (const lowering::ValueId output : node.outputs)
                if (at < 0 && m_graph.values.contains(output))
                    for (const lowering::NodeId user : m_graph.values[output].users)
                        if (at < 0 && m_graph.nodes.contains(user))
                            at = m_tree.containerOf[user.index()];
            for (const lowering::ValueId input : node.inputs)
                if (at < 0 && m_graph.values.contains(input)) {
                    const lowering::NodeId producer = m_graph.values[input].producer;
                    if (m_graph.nodes.contains(producer))
                        at = m_tree.containerOf[producer.index()];
                }
            while (at > 0 && m_tree.containers[index(at)].kind == ContainerKind::Origin)
                at = m_tree.containers[index(at)].parent;
            m_tree.containerOf[i] = std::max(at, 0);
        }
    }

    /// Nodes stand in execution order, so one pass sees producers first.
    void findConstants() {
        m_tree.isConstant.assign(m_graph.nodes.size(), 0);
        const bool isCaptured = m_graph.stage == lowering::Stage::Captured;
        const auto isStored = [&](lowering::ValueId id) {
            if (!m_graph.values.contains(id))
                return true; // omitted
            const lowering::Value& value = m_graph.values[id];
            if (value.producer.isValid())
                return m_tree.isConstant[value.producer.index()] != 0;
            return value.role == lowering::ValueRole::Weight
                || value.role == lowering::ValueRole::Constant;
        };
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            const lowering::Node& node = m_graph.nodes[lowering::NodeId(n)];
            const bool isUsed =
                std::any_of(node.outputs.begin(), node.outputs.end(), [&](lowering::ValueId id) {
                    return m_graph.values.contains(id) && !m_graph.values[id].users.empty();
                });
            const bool isOutput =
                std::any_of(node.outputs.begin(), node.outputs.end(), [&](lowering::ValueId id) {
                    return std::find(m_graph.outputs.begin(), m_graph.outputs.end(), id)
                        != m_graph.outputs.end();
                });
            const bool isFixed = node.inputs.empty()
                ? node.canonical == ir::Op::Constant
                : isCaptured && node.opClass() != ir::OpClass::Control
                    && std::all_of(node.inputs.begin(), node.inputs.end(), isStored);
            m_tree.isConstant[n] = isUsed && !isOutput && isFixed;
        }
    }

    void fillItems() {
        std::vector<char> isListed(m_tree.containers.size(), 0);
        isListed[0] = 1;
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            if (m_tree.isConstant[n])
                continue;
            int at = m_tree.containerOf[n];
            m_tree.containers[index(at)].items.push_back({true, static_cast<int>(n)});
            while (!isListed[index(at)]) {
                isListed[index(at)] = 1;
                const int parent = m_tree.containers[index(at)].parent;
                m_tree.containers[index(parent)].items.push_back({false, at});
                at = parent;
            }
        }
    }

    /// A module with one operator is that operator; a module with one module is one frame with both
    /// names.
    void mergeSmallScopes() {
        for (auto it = m_tree.order.rbegin(); it != m_tree.order.rend(); ++it) {
            Container& container = m_tree.containers[index(*it)];
            if (container.kind != ContainerKind::Scope || container.items.size() != 1)
                continue;
            const Item only = container.items.front();
            Container& parent = m_tree.containers[index(container.parent)];
            const auto place =
                std::find(parent.items.begin(), parent.items.end(), Item{false, *it});
            if (place == parent.items.end())
                continue;
            *place = only;
            if (only.isNode) {
                const auto n = index(only.index);
                m_tree.containerOf[n] = container.parent;
                std::string& prefix = m_tree.prefixOf[n];
                prefix = prefix.empty() ? container.label : container.label + "/" + prefix;
            } else {
                Container& child = m_tree.containers[index(only.index)];
                child.parent = container.parent;
                if (child.kind == ContainerKind::Origin)
                    child.prefix = child.prefix.empty() ? container.label
                                                        : container.label + "/" + child.prefix;
                if (child.kind == ContainerKind::Scope)
                    child.label = container.label + "/" + child.label;
            }
            container.items.clear();
        }
    }

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    const analysis::Result& m_result;
    const ir::Graph& m_captured;
    const lowering::StageGraph& m_graph;
    ScopeTree m_tree;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int>
        m_origins; ///< (captured node, kernel) → nodes that it became there
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> m_originOf;
    std::map<std::uint32_t, int> m_originParts; ///< captured node → kernels that have some
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> m_scopeOf;
    std::map<std::uint32_t, int> m_controlOf, m_branchOf;
    std::map<std::uint32_t, std::unordered_set<std::uint32_t>> m_aroundOwner;
};

} // namespace

bool ScopeTree::isBelow(int container, int ancestor) const {
    for (; container >= 0; container = containers[static_cast<std::size_t>(container)].parent)
        if (container == ancestor)
            return true;
    return false;
}

ScopeTree buildScopeTree(const analysis::Result& result, lowering::Stage stage) {
    const auto& graph = result.program.stages[static_cast<std::size_t>(stage)];
    if (!graph || !result.request.model || !result.request.model->graph) {
        ScopeTree empty;
        empty.containers.push_back({ContainerKind::Root, "/", "/"});
        empty.order = {0};
        return empty;
    }
    return TreeBuilder(result, *graph).build();
}

} // namespace fivefold::views::graph
