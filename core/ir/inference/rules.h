// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/node_context.h"

#include <array>
#include <initializer_list>

namespace fivefold::ir::inference {

/// Sets the types (and where it can, the contents) of a node's outputs from its operands.
using Rule = void (*)(NodeContext&);

class RuleTable {
public:
    void set(Op op, Rule rule) { m_rules[static_cast<std::size_t>(op)] = rule; }
    void set(std::initializer_list<Op> ops, Rule rule) {
        for (Op op : ops)
            set(op, rule);
    }
    Rule find(Op op) const { return m_rules[static_cast<std::size_t>(op)]; }

private:
    std::array<Rule, kOpCount> m_rules{};
};

/// All rules; null for operators without one (their outputs stay unknown).
const RuleTable& rules();

void addPointwiseRules(RuleTable& table);
void addReductionRules(RuleTable& table);
void addNormalisationRules(RuleTable& table);
void addConvolutionRules(RuleTable& table);
void addPoolingRules(RuleTable& table);
void addContractionRules(RuleTable& table);
void addAttentionRules(RuleTable& table);
void addMovementRules(RuleTable& table);
void addIndexingRules(RuleTable& table);
void addGeneratorRules(RuleTable& table);
void addImageRules(RuleTable& table);
void addRecurrentRules(RuleTable& table);
void addSequenceRules(RuleTable& table);
void addControlFlowRules(RuleTable& table);
void addQuantisedRules(RuleTable& table);
void addSignalRules(RuleTable& table);
void addContribRules(RuleTable& table);
void addLossAndTrainingRules(RuleTable& table);
void addTextRules(RuleTable& table);
void addClassicalRules(RuleTable& table);
void addAtenRules(RuleTable& table);

} // namespace fivefold::ir::inference
