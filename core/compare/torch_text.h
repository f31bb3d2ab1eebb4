// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

#include <string>

namespace fivefold::compare {

/// A PyTorch program that runs the nodes of the main graph in eager mode on the contents of
/// `inputs.npz`, weights from `weights.npz`, and compares with `expected.npz` and `device.npz` beside
/// it. An operator without a line of PyTorch raises NotImplementedError by name where it is reached.
std::string torchText(const ir::Typed& typed);

} // namespace fivefold::compare
