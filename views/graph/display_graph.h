// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/graph/folding.h"
#include "views/graph/scope_tree.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fivefold::views::graph {

enum class BoxKind { Operator, Folded, Input, Output, Constant, Removed };

/// A box of the picture, before it has a place.
struct DisplayBox {
    BoxKind kind = BoxKind::Operator;
    std::string key; ///< the same for the same thing in the next picture: it glides there
    /// Captured operator that it stands for or comes from: where it glides from when no box of the
    /// picture before has its key; empty: none.
    std::string origin;
    QString title;
    QString fullName;
    int count = 1; ///< operators inside; 1 for an operator
    int repeats = 1; ///< of a folded run
    ir::OpClass opClass = ir::OpClass::Other;
    std::vector<lowering::NodeId> lowered; ///< of the stage
    std::vector<ir::NodeId> captured; ///< sources, the main one first
    std::vector<ir::ValueId> values; ///< of pills
    int container = -1; ///< of folded boxes
    int group = -1;
    std::optional<base::Seconds> time; ///< of the steps that lie wholly inside
    bool isTimeUnknown = false; ///< a step inside has no known time
    double share = 0; ///< of the total time, 0..1
    bool isAdded = false; ///< by the compiler
    lowering::Stage addedAt = lowering::Stage::Captured;
    bool isPale = false; ///< in a branch that does not run
    QString from; ///< operator of the model that this stage replaced by it; empty: none
    QString reason; ///< rule, or why it was added or removed
    QString weights; ///< names and shapes of the constants that it reads
};

struct DisplayEdge {
    int from = 0, to = 0;
    std::vector<lowering::ValueId> values; ///< of the stage; empty for edges of removed nodes
    QString label;
    bool isAdded = false; ///< touches an added node: dashed
    bool isRemoved = false;
    bool isStub = false; ///< drawn as a named pill at its target
    QString stubName;
};

struct DisplayGroup {
    bool isKernel = false;
    std::string key;
    QString name;
    QString details; ///< "5 OpSpecs · 36.3 µs · 41 %"
    int parent = -1;
    int container = -1; ///< of a frame around an open scope
    lowering::KernelId kernel;
    bool isAdded = false; ///< a kernel that this stage formed: dashed
    bool isEdited = false; ///< a kernel that the user cut or joined
    bool isPale = false;
    std::vector<ir::NodeId> captured;
    QString reason;
};

struct DisplayGraph {
    std::vector<DisplayBox> boxes;
    std::vector<DisplayEdge> edges;
    std::vector<DisplayGroup> groups;
    std::shared_ptr<const ScopeTree> tree;
    Expansion expansion;
    lowering::Stage stage = lowering::Stage::Captured;
    int hiddenConstants = 0; ///< constants and weights that are not drawn
    base::IdVector<ir::NodeId, std::vector<int>> boxesOf; ///< captured node → boxes
    std::unordered_map<std::string, int> boxOfAdded; ///< name of an added node → its box
    std::unordered_map<std::uint32_t, int>
        boxOfValue; ///< captured value → the pill, or its producer's box

    std::vector<int> boxesOfCaptured(ir::NodeId node) const {
        return boxesOf.contains(node) ? boxesOf[node] : std::vector<int>();
    }
};

struct PresentOptions {
    Folding folding;
    bool showsShapes = true;
    bool showsLayouts = true;
    bool showsRemoved = false;
    bool showsConstants = false;
    bool showsNames = false; ///< full names as titles
    bool operator==(const PresentOptions&) const = default;
};

/// Values read by more boxes than this become named stubs.
constexpr std::size_t kFanOut = 6;
/// So do edges over more ranks than this, where the box has another input.
constexpr int kLongSpan = 8;
/// More model inputs or outputs than this share one pill.
constexpr std::size_t kManyPills = 12;
/// More removed nodes than this are not drawn.
constexpr std::size_t kManyRemoved = 200;

/// The picture of a stage: what is folded, grouped, labelled and left out. Pure; O(nodes + edges).
/// `tree` is that of the result and stage.
DisplayGraph present(const analysis::Result& result, lowering::Stage stage,
    std::shared_ptr<const ScopeTree> tree, const PresentOptions& options);

} // namespace fivefold::views::graph
