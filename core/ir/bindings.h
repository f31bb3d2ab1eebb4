// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

namespace fivefold::ir {

/// Whether a tensor's elements or bytes are more than 2^63 − 1, the largest count and address that
/// exists here. False for what is unknown and for everything but dense tensors.
bool isTooLarge(const ValueType& type);

/// Looks for tensors that are too large, alone or together with those before them in id order (a
/// program's addresses have to reach all of them). With bindings the first one is an Error that
/// names it. Without any the file itself says so: each such value loses its shape and gets a
/// warning "infer.too_large". O(values · rank).
base::Result<base::Done> checkSizes(Typed& typed, base::Diagnostics& diagnostics);

} // namespace fivefold::ir
