// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/ir/inference.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace fivefold::ir::inference {

using Numbers = std::vector<double>;

/// The elements of a sequence whose length is known.
using SequenceItems = std::vector<ValueType>;

/// What the model demands of sizes that are still symbols; found on the way, used to choose assumed
/// sizes.
struct SizeDemand {
    enum class Kind {
        Equal, ///< an inner size of a product, a joined axis
        Broadcast, ///< equal, or one of the two is 1
        AtMost, ///< a position in a table
        AtLeast, ///< a window must fit
    };
    Kind kind = Kind::Equal;
    Dim left;
    Dim right;

    bool operator==(const SizeDemand&) const = default;
};

/// Largest tensor whose contents are followed, in elements.
constexpr std::int64_t kContentsLimit = 4096;
/// Largest float tensor whose contents are computed; only scales and scalars of shape arithmetic
/// matter.
constexpr std::int64_t kNumbersLimit = 256;
/// Bodies nested deeper than this are not analysed (a diagnostic says so); files limit themselves
/// earlier.
constexpr int kDeepestNesting = 400;

/// Working state of one inference run. `typed` is the part that the caller gets; the rest is side
/// knowledge that only inference needs.
struct State {
    const Graph& graph;
    Typed& typed;
    base::Diagnostics*
        diagnostics; ///< never null; a scratch one while a branch that is not taken is inferred
    const base::Progress& progress;

    /// Float contents; also of float tensors that hold integers with a known value.
    base::IdVector<ValueId, std::shared_ptr<const Numbers>> numbers;
    base::IdVector<ValueId, std::shared_ptr<const SequenceItems>> sequences;
    /// Exclusive upper bound of all elements (a Range's limit), for position tables.
    base::IdVector<ValueId, Dim> bounds;
    /// Whether stored contents were looked for already.
    base::IdVector<ValueId, std::uint8_t> isLoaded;
    /// Result type of an Optional's or Sequence's element kind where it is itself a sequence.
    base::IdVector<ValueId, std::uint8_t> isOptionalOfSequence;
    /// Sizes given to names: bindings and assumptions together.
    std::map<std::string, std::int64_t> sizes;
    std::vector<SizeDemand> demands;
    /// Nodes of every block, producers first, without those on cycles.
    base::IdVector<BlockId, std::vector<NodeId>> orders;
    bool isCancelled = false;
    /// Ifs that do not fold give the outputs of their dearer branch instead of what both have in
    /// common.
    bool takesDearerBranch = false;
    /// Node evaluations that may still be spent on running loops of known length step by step.
    std::int64_t unrollBudget = 40000;
    int depth = 0;
    /// Contents that a node's operand is taken to have instead of its own, by node and operand.
    std::map<std::pair<NodeId, std::size_t>, Contents> operands;
    /// Called before and after the rule of a node; may change `operands`. Empty in a plain run.
    std::function<void(State&, NodeId)> beforeNode, afterNode;
};

/// What is called around the rules of nodes.
struct Hooks {
    std::function<void(State&, NodeId)> beforeNode, afterNode;
};

/// One run in symbols (nothing assumed) with hooks. Check `progress` for cancellation afterwards.
Typed inferHooked(std::shared_ptr<const Graph> graph, const InferenceOptions& options,
    base::Diagnostics& diagnostics, const base::Progress& progress, const Hooks& hooks);

/// Notes a demand if it is one: nothing unknown, something symbolic, not evidently met.
void demand(State& state, SizeDemand::Kind kind, const Dim& left, const Dim& right);

/// Infers all nodes of a block in execution order, bodies included.
void inferBlock(State& state, BlockId block);

/// Integer contents of a value, loading stored tensors on first use; null when not known.
const Contents* contentsOf(State& state, ValueId value);
/// Contents as doubles; null when not known.
const Numbers* numbersOf(State& state, ValueId value);

/// Copies everything that is known about one value to another (bodies' formal inputs, views).
void copyKnowledge(State& state, ValueId from, ValueId to);
void forget(State& state, ValueId value);

/// A declared type with named dims replaced by their sizes, negative ones by unknown.
ValueType resolveDeclared(const State& state, const ValueType& declared);
/// A dimension's name as a file writes it ("seq", "past + 1", "2*s0") with known names replaced.
Dim resolveDimName(const std::map<std::string, std::int64_t>& sizes, const std::string& name);
/// Elements written as texts, numbers or expressions in symbols: what an integer constant that is
/// kept as text holds.
Contents resolveTexts(
    const std::map<std::string, std::int64_t>& sizes, const std::vector<std::string>& texts);
Dim resolveDim(const std::map<std::string, std::int64_t>& sizes, const Dim& dim);

/// Inferred wins where known; contradictions are reported on `name`.
ValueType mergeDeclared(
    State& state, const ValueType& inferred, const ValueType& declared, const std::string& name);
/// The declared type where it says something: for formats whose declarations come from a run of the
/// program itself. Contradictions are reported on `name`.
ValueType trustDeclared(
    State& state, const ValueType& inferred, const ValueType& declared, const std::string& name);
/// What holds in both: equal dims stay, others become unknown.
ValueType commonType(const ValueType& a, const ValueType& b);

} // namespace fivefold::ir::inference
