// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

#include <span>
#include <string_view>
#include <vector>

namespace fivefold::lowering {

/// An operator written in others that more machines have. The user asks for it by name
/// (`--substitute NODE=RULE`): nothing is substituted by itself.
struct Substitution {
    std::string_view rule; ///< "maxpool-slices"
    ir::Op op = ir::Op::Unknown; ///< that it stands for
    std::string_view text; ///< what it becomes: "x·clip(x÷6 + ½, 0, 1)"
    bool isExact = false;
    std::string_view exactness; ///< how far the result is the same, a sentence
};

/// All of them, in a fixed order: of several for one operator the closest first.
std::span<const Substitution> substitutions();
const Substitution* findSubstitution(std::string_view rule); ///< null: there is none
/// Those that may fit a captured operator, by its operator and attributes.
std::vector<const Substitution*> substitutionsOf(const ir::Node& node);

/// The inlined graph with the substitutes of the settings in place, in every body that the node is
/// in. One that does not fit its node (shapes unknown, another operator, attributes that the rule
/// does not cover) is a diagnostic "lowering.substitute" and changes nothing. O(nodes + nodes
/// made).
StageGraph withSubstitutes(const Context& context, StageGraph inlined);

} // namespace fivefold::lowering
