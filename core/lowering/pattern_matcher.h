// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/patterns.h"

#include <array>
#include <initializer_list>

namespace fivefold::lowering {

/// Looks around in a graph for one occurrence after another; shared by the matchers of the kinds.
class PatternFinder {
public:
    explicit PatternFinder(const StageGraph& graph);

    const StageGraph& graph() const { return m_graph; }
    const Node& node(NodeId id) const { return m_graph.nodes[id]; }
    ir::Op op(NodeId id) const { return id.isValid() ? node(id).canonical : ir::Op::Unknown; }
    NodeId producer(ValueId value) const {
        return value.isValid() ? m_graph.values[value].producer : NodeId();
    }
    ir::Op producerOp(ValueId value) const { return op(producer(value)); }
    ValueId input(NodeId id, std::size_t index) const {
        return id.isValid() && index < node(id).inputs.size() ? node(id).inputs[index] : ValueId();
    }
    ValueId output(NodeId id) const {
        return id.isValid() && !node(id).outputs.empty() ? node(id).outputs[0] : ValueId();
    }
    /// The node that alone reads the first result of this one; invalid for none or several, and for
    /// results of the model.
    NodeId onlyUser(NodeId id) const;
    /// A single number that the graph was given: equal to `wanted` within 1 %, or of contents that
    /// are not stored.
    bool isNumber(ValueId value, double wanted) const;
    bool isConstantScalar(ValueId value) const;
    bool isParameter(ValueId value) const; ///< a weight or constant
    /// The operand of a binary node that is not `known`; invalid unless exactly one is.
    ValueId otherOperand(NodeId binary, ValueId known) const;

    /// Finishes a match: sorts its nodes, checks that inner results stay inside, that all run
    /// equally often, and that no other match of the kind has them.
    bool accept(Match& match);

private:
    const StageGraph& m_graph;
    std::vector<std::uint8_t> m_isOutput;
    std::vector<std::uint8_t> m_taken; ///< one bit a kind
};

std::optional<Match> matchNorm(
    const PatternFinder& finder, NodeId sqrt, bool wantsLayerNorm, bool wantsRmsNorm);
std::optional<Match> matchSoftmax(const PatternFinder& finder, NodeId exp);
std::optional<Match> matchGelu(const PatternFinder& finder, NodeId anchor); ///< an Erf or a Tanh
std::optional<Match> matchSwish(const PatternFinder& finder, NodeId sigmoid);
std::optional<Match> matchHardSwish(
    const PatternFinder& finder, NodeId anchor); ///< a HardSigmoid or a Clip
/// Around a softmax given by its input value and its last node.
std::optional<Match> matchAttention(
    const PatternFinder& finder, ValueId scores, std::span<const NodeId> softmax);

} // namespace fivefold::lowering
