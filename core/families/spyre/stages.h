// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"
#include "core/lowering/staged_family.h"

/// The stages, one source file each; see lowering::Family for their contract.
namespace fivefold::families::spyre {

/// OpSpecs of the public compiler, with its fallbacks to the host and what it refuses.
lowering::RewriteStage decompose;
/// Bundles.
lowering::RewriteStage bundle;
/// Sticks, and a restickify where producer and consumer disagree.
lowering::RewriteStage layOut;
/// Work division over the cores; LX where the rules allow it, LPDDR5 for the rest.
lowering::AssignStage place;
/// Time of every OpSpec, one after another.
lowering::AssignStage schedule;
const lowering::CompilerPipeline& compilerPipeline();

/// Host strides of a graph's values as its file states them.
StridesOf stridesOf(const lowering::Context& context, const lowering::StageGraph& graph);

/// Attributes of placed nodes. Of a product: the split of batch, rows, columns and k; of others:
/// one a dimension of the result.
constexpr const char* kSplitsAttribute = "spyre.splits";
/// The split of each of LoopOp::loops, in their order.
constexpr const char* kLoopSplitsAttribute = "spyre.loop_splits";
/// Attribute of laid out nodes: the public compiler's reason to refuse the graph there.
constexpr const char* kRefusalAttribute = "spyre.refusal";

} // namespace fivefold::families::spyre
