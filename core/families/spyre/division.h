// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/work_division.h"
#include "core/lowering/stage_graph.h"

#include <map>

namespace fivefold::families::spyre {

/// How one OpSpec's work lies on the cores, as seen from each of its tensors.
struct OpDivision {
    std::vector<std::int64_t>
        splits; ///< in loop order: output dimensions, then reduced ones; b m n k of a product
    std::int64_t cores = 1;
    bool splitsReduction = false; ///< partial sums are combined over the ring
    bool fitsSpan = true;
    std::string text; ///< "b1 · m16 · n2 · k1 = 32 cores", "128 → 32 = 32 cores"
    std::vector<std::int64_t> outputSplits; ///< a dimension of the first output
    std::vector<std::vector<std::int64_t>> inputSplits; ///< a dimension of each input
};

/// The stick dimension of a laid-out value; −1 for a scalar or one element a stick.
int stickDimension(const lowering::Value& value);

/// Divides the nodes of one laid-out graph; equal products are searched once.
class Divider {
public:
    Divider(const lowering::StageGraph& graph, const DivisionRules& rules)
        : m_graph(graph)
        , m_rules(rules) { }

    OpDivision divide(const lowering::Node& node);

private:
    OpDivision matmul(const lowering::Node& node);
    OpDivision loops(const lowering::Node& node);
    const lowering::Value* value(lowering::ValueId id) const;

    const lowering::StageGraph& m_graph;
    DivisionRules m_rules;
    std::map<std::array<std::int64_t, 6>, MatmulDivision> m_matmuls;
};

} // namespace fivefold::families::spyre
