// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"
#include "core/lowering/work.h"

namespace fivefold::lowering {

/// The part that captured() and inlined() share: how one captured value or node reads as a lowered
/// one.

/// Name, identity, type and shape; the role is left at Activation.
Value valueFrom(const ir::Typed& typed, ir::ValueId id);
/// Everything but the values: operator, name, source, attributes, block, executions.
Node nodeFrom(const ir::Typed& typed, ir::NodeId id);
/// Work by shapes, with the multiply-accumulates and operations of the model's own count.
Work workFrom(const Context& context, const Values& values, const Node& node, ir::NodeId id);
/// Role of an input or output of the model: KvCache for cached keys and values, else `otherwise`.
ValueRole boundaryRole(const ir::Typed& typed, ir::ValueId id, ValueRole otherwise);

} // namespace fivefold::lowering
