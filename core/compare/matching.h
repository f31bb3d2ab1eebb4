// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dump.h"
#include "core/ir/inference.h"

namespace fivefold::compare {

/// Rules by which a dump's key is taken for a value of the model, highest first (facts, 1.7).
enum class MatchRule : std::uint8_t {
    None,
    UserMap, ///< the user said so: wins over all
    Provenance,
    ExactName,
    CallPath, ///< msprobe: kind.name.call.forward.output.index
    NormalisedName, ///< suffixes, separators, case
    Structure, ///< operator, fan-in and shape
    Position, ///< by order and shape; a warning
};
std::string_view toString(MatchRule rule);

struct Match {
    std::string key; ///< of the dump
    ir::ValueId value;
    MatchRule rule = MatchRule::None;
    std::vector<std::int64_t> permutation; ///< of axes, key → value; empty: none needed
};

/// The user's corrections: key → value name; an empty name unmatches the key.
using MatchEdits = std::map<std::string, std::string>;

struct Matching {
    std::vector<Match> matches; ///< one per matched value, in topological order of the values
    std::vector<std::string> unmatchedKeys; ///< file order
    std::vector<ir::ValueId> missing; ///< values of main-graph nodes without a key
    std::vector<std::string> notes;
    const Match* of(ir::ValueId value) const;
};

Matching match(const Dump& dump, const ir::Typed& typed, const MatchEdits& edits = {});

/// Keys that both dumps have without any model, by the rules on names alone: (reference, device).
std::vector<std::pair<std::string, std::string>> matchDumps(
    const Dump& reference, const Dump& device);

} // namespace fivefold::compare
