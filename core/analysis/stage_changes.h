// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

namespace fivefold::analysis {

/// Why bytes move that the model does not ask to move, or what else a compiler adds.
enum class MovementKind : std::uint8_t {
    Relayout, ///< the same tensor in another layout: restickify, transpose, channels-last copy
    Copy, ///< the same tensor in the same layout elsewhere
    Dma, ///< between two memories
    Padding, ///< elements that are not the model's
    Host, ///< to the host and back
    Recomputation, ///< computed again instead of stored
    View, ///< another way to address what lies there: nothing moves
    Other, ///< arithmetic that the compiler added
};
constexpr std::size_t kMovementKinds = 8;
std::string_view toString(MovementKind kind); ///< "relayout", "copy", "dma", …

struct AddedNode {
    lowering::NodeId node; ///< of the stage
    MovementKind kind = MovementKind::Other;
    std::string rule; ///< why the compiler added it; a sentence
    ir::NodeId cause; ///< captured operator that first reads it; invalid: a result of the model
    std::optional<base::Bytes> bytes; ///< that it writes, padding included
    lowering::DecidedBy decidedBy = lowering::DecidedBy::Compiler;
};

/// An edge that the model does not have: it ends or begins at an added node.
struct AddedEdge {
    lowering::ValueId value;
    lowering::NodeId from, to; ///< of the stage; invalid: an input or output of the model
    MovementKind kind = MovementKind::Other;
    std::string rule;
};

/// A captured operator whose nodes at this stage are not those of the stage before.
struct ReplacedNode {
    ir::NodeId captured;
    std::vector<lowering::NodeId> by; ///< nodes of the stage
    std::string rule;
};

struct FusedGroup {
    lowering::KernelId kernel;
    std::size_t operators = 0;
    std::string rule; ///< why these are together
    lowering::DecidedBy decidedBy = lowering::DecidedBy::Compiler;
};

struct PaddedValue {
    lowering::ValueId value;
    base::Bytes bytes; ///< of padding
};

/// Events of one kind on one resource.
struct Transfers {
    lowering::EventKind kind = lowering::EventKind::Read;
    lowering::ResourceId resource;
    std::int64_t events = 0; ///< repeats counted
};

/// What one stage did to the graph that the stage before left.
struct StageChanges {
    lowering::Stage stage = lowering::Stage::Captured;
    std::vector<AddedNode> added;
    std::vector<AddedEdge> edges;
    std::vector<lowering::Removed> removed;
    std::vector<ReplacedNode> replaced;
    std::vector<FusedGroup> groups; ///< of Fused: kernels of two nodes or more
    std::vector<PaddedValue> padded; ///< of LaidOut
    std::vector<Transfers> transfers; ///< of Scheduled: everything but arithmetic
    std::vector<lowering::BufferId> spills; ///< of Placed
    std::array<std::int64_t, kMovementKinds> edgesByKind{}; ///< of `edges`
    std::array<std::optional<base::Bytes>, kMovementKinds> bytesByKind{}; ///< of `added`; views move none

    bool isEmpty() const;
    base::Bytes paddingBytes() const;
};

/// Pure; O(nodes + edges + events).
StageChanges stageChanges(const Result& result, lowering::Stage stage);

/// "3 relayouts and 1 copy were added (6 edges)"; empty where the stage added no edge.
std::string movementSentence(const StageChanges& changes);

} // namespace fivefold::analysis
