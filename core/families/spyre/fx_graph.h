// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"
#include "core/lowering/rewriter.h"

namespace fivefold::families::spyre {

/// What Inductor and torch-spyre do to a post-grad fx graph before it is loops: gives every node
/// its ATen name, drops what is no operator (getitem, alias, dead calls), resolves in-place copies,
/// and takes apart what the Spyre decompositions take apart. O(nodes + edges).
void prepareFx(lowering::Rewriter& rewriter, const lowering::Context& context);

} // namespace fivefold::families::spyre
