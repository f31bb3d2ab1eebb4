// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/state.h"
#include "core/ir/resymbolise_reshape.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fivefold::ir::freeing {

/// Sizes of the file that may have to follow a freed axis: each a symbol of its own until the
/// operators' demands say what it is.
class Unknowns {
public:
    Unknowns(std::string symbol, std::int64_t size);

    /// Of a graph input. A broadcast solves it only where `isBroadcast` says so.
    std::size_t add(bool isBroadcast);
    /// Of a shape operand's element.
    std::size_t at(NodeId node, std::size_t operand, std::size_t element);
    Dim value(std::size_t unknown) const; ///< its symbol, or what it was found to be
    NodeId node(std::size_t unknown) const { return m_items[unknown].node; }
    std::vector<std::size_t> unsolved() const;
    void solve(std::size_t unknown, const Dim& dim) { m_items[unknown].solution = dim; }
    /// One demand as an equation; true when it solved an unknown. A broadcast solves an operand's
    /// size of 1 never: 1 fits everything.
    bool equate(const Dim& unknown, const Dim& other, bool isEqual);

    /// Sizes of 1 in this operator's shape may follow, too.
    void unfix(NodeId node) { m_unfixed.insert(node); }
    bool isUnfixed(NodeId node) const { return m_unfixed.contains(node); }

    /// To be called before each round: other symbols of the graph get numbers.
    void refresh(const Graph& graph);
    const Sizes& sizes() const { return m_sizes; }
    std::int64_t size() const { return m_size; }
    const std::string& symbol() const { return m_symbol; }

private:
    struct Item {
        std::string name;
        NodeId node; ///< invalid: a graph input's
        bool isBroadcast = false; ///< a size of 1 may follow what it is broadcast to
        std::optional<Dim> solution;
    };
    std::size_t addItem(NodeId node);
    bool hasUnsolved(const Dim& dim) const;

    std::string m_symbol;
    std::int64_t m_size;
    std::vector<Item> m_items;
    std::map<std::pair<NodeId, std::pair<std::size_t, std::size_t>>, std::size_t> m_byPlace;
    std::set<NodeId> m_unfixed;
    Sizes m_sizes;
};

/// Derives the shape operands of nodes anew from the shapes of their data, in one run of inference.
class OperandDeriver {
public:
    /// `file`: types of the file as it is.
    OperandDeriver(const Graph& graph, const Typed& file, Unknowns& unknowns)
        : m_graph(graph)
        , m_file(file)
        , m_unknowns(unknowns) { }

    /// Sets state.operands of the node where they have to change.
    void derive(inference::State& state, NodeId node);

    const std::map<std::pair<NodeId, std::size_t>, Contents>& operands() const {
        return m_operands;
    }
    const std::string& refusal() const { return m_refusal; } ///< a sentence; empty: none
    std::int64_t smallest() const { return m_smallest; }

private:
    std::optional<Contents> contents(inference::State& state, const Node& node,
        std::string_view attribute, std::size_t operand) const;
    bool isFreed(const Dim& dim) const { return m_unknowns.sizes().isFreed(dim); }
    void replace(inference::State& state, NodeId node, std::size_t operand, const Contents& before,
        const Contents& after);
    void refuse(const Node& node, const std::string& reason);

    void deriveReshape(inference::State& state, NodeId id);
    void deriveSqueeze(inference::State& state, NodeId id);
    void deriveExpand(inference::State& state, NodeId id);
    void deriveNewShape(inference::State& state, NodeId id); ///< ConstantOfShape
    void deriveTile(inference::State& state, NodeId id);
    void deriveRange(inference::State& state, NodeId id);
    void deriveSlice(inference::State& state, NodeId id);
    void deriveGather(inference::State& state, NodeId id);
    void deriveResize(inference::State& state, NodeId id);
    Dim followed(NodeId node, std::size_t operand, std::size_t element, const Dim& size);

    const Graph& m_graph;
    const Typed& m_file;
    Unknowns& m_unknowns;
    std::map<std::pair<NodeId, std::size_t>, Contents> m_operands;
    std::string m_refusal;
    std::int64_t m_smallest = 1;
};

} // namespace fivefold::ir::freeing
