// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/machines/machine.h"

namespace fivefold::analysis {

/// What analyze() takes: the precisions that the machine has a rate for and whose tensors its
/// family can lay out.
std::vector<machines::Precision> precisions(const machines::Machine& machine);

} // namespace fivefold::analysis
