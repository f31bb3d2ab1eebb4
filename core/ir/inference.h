// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/ir/graph.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::ir {

/// What the user fixed: `--bind seq=128`, `--bind input_ids.1=128`, `--bind sr=16000`.
struct Bindings {
    std::map<std::string, std::int64_t> dims; ///< named dimension → size
    std::map<std::pair<std::string, int>, std::int64_t> axes; ///< (input, axis) → size
    std::map<std::string, std::int64_t> scalars; ///< scalar (one-element) input → value
    /// Full contents of small integer inputs (shapes, axes, repeats), e.g. read from test data.
    std::map<std::string, std::vector<std::int64_t>> contents;
    /// The same for small float inputs (scales of a Resize, limits of a Range).
    std::map<std::string, std::vector<double>> numbers;
    /// Element types of sequence inputs; the vector's size is the sequence's length.
    std::map<std::string, std::vector<ValueType>> sequences;

    bool operator==(const Bindings&) const = default;
};

/// Parses "DIM=N", "INPUT.AXIS=N" or "INPUT=VALUE"; which of the three is decided by the graph.
base::Result<base::Done> addBinding(Bindings& bindings, const Graph& graph, std::string_view text);

struct InferenceOptions {
    Bindings bindings;
    bool ignoreDeclared = false; ///< do not use declared types of outputs and intermediates
    /// Give every dimension that is still free after `bindings` an assumed size (recorded in
    /// Typed::assumed): axis 0 → 1, the two spatial axes of an image → 224, anything else → 128,
    /// clamped to the model's own range.
    bool assumeFree = false;
};

/// What a value is known to contain, element by element, for small integer (or bool) tensors;
/// the shape arithmetic of exporters runs on it.
using Contents = std::vector<Dim>;

/// Types, shapes and small contents of every value under one set of bindings, and how control flow
/// resolves. Immutable; one per (graph, options).
struct Typed {
    std::shared_ptr<const Graph> graph;
    InferenceOptions options;
    base::IdVector<ValueId, ValueType> types;
    base::IdVector<ValueId, std::shared_ptr<const Contents>> contents; ///< null: not known
    std::map<std::string, std::int64_t> assumed; ///< "seq" or "input.0" → size, in name order

    /// True for every value whose contents depend on constants of the file alone (no graph input).
    base::IdVector<ValueId, std::uint8_t> isConstant;

    /// For If: index into node.blocks of the branch that is taken (condition folds) or, when it
    /// does not fold, of the dearer one; `isBranchProved` tells which. −1 for other nodes.
    base::IdVector<NodeId, std::int8_t> takenBranch;
    base::IdVector<NodeId, std::uint8_t> isBranchProved;
    /// Executions of the node per run of the whole model: product of the trip counts of the loops
    /// around it (unknown trip counts count as 1, with a diagnostic); 0 in a branch that is not
    /// taken.
    base::IdVector<NodeId, std::int64_t> executions;
    /// Iterations of one execution of a Loop, Scan or SequenceMap; 1 where unknown and for other
    /// nodes.
    base::IdVector<NodeId, std::int64_t> trips;

    const ValueType& type(ValueId id) const { return types[id]; }
};

/// Infers types and shapes of all values. Never fails on bad nodes: a node whose inputs contradict
/// its operator gets a diagnostic with its name, and its outputs stay unknown. O(nodes + edges) for
/// acyclic blocks; cyclic or unsorted blocks are sorted first, nodes on a cycle are reported and
/// skipped. Fails only when cancelled.
base::Result<Typed> infer(std::shared_ptr<const Graph> graph, const InferenceOptions& options,
    base::Diagnostics& diagnostics, const base::Progress& progress = {});

/// Nodes of a block in an order where producers precede users (file order where it already is one).
/// Nodes on cycles come last, in file order.
std::vector<NodeId> executionOrder(const Graph& graph, BlockId block);

/// The free symbols of the model's inputs with a range if the model limits it.
struct FreeSymbol {
    std::string name; ///< "seq", or "input.0" for an unnamed dimension
    std::vector<std::pair<ValueId, int>> places; ///< (graph input, axis)
};
std::vector<FreeSymbol> freeSymbols(const Graph& graph);

} // namespace fivefold::ir
