// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

namespace fivefold::lowering {

/// The captured stage: every captured node one to one, bodies included, in execution order.
StageGraph captured(const Context& context);

/// True for graphs that are already what a compiler's own passes left (fx text): every node of theirs
/// runs, in the element types that they state, unless a precision is given.
bool keepsProgram(const ir::Graph& graph);
/// The precision in a title: the one in the settings, or for graphs that keep their types that of most
/// of the float values that nodes produce, if it is one (half of them: the wider).
machines::Precision precisionOf(const ir::Typed& typed, const Settings& settings);

/// What every family starts from: bodies of taken branches, loops and function calls flattened into one list in
/// execution order (outer values wired through), nodes whose results are known from constants or
/// shapes alone removed ("constant folded"), branches that are not taken removed. Each node equals one
/// captured node; its dtypes are those of the chosen precision (float tensors take the precision's storage type,
/// unless the file quantises them). Stage: Decomposed, what the families' first stage starts from.
/// - An operand whose contents are known (the shape of a Reshape, the axes of a reduction, starts and ends of a
///   Slice, …) becomes an attribute under the name that the older version of the operator gave it.
/// - A loop's carried value is wired to its initial value; scanned inputs and outputs are a Gather and a Concat
///   (attribute new_axis = 1) with the loop as their source; body nodes execute once a trip.
/// - Softmax of an operator set before 13 gets the attribute `axes`: it runs over all trailing axes.
StageGraph inlined(const Context& context);

} // namespace fivefold::lowering
