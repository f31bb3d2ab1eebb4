// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

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

/// Attribute of placed nodes: the split of each loop, in loop order.
constexpr const char* kSplitsAttribute = "spyre.splits";

} // namespace fivefold::families::spyre
