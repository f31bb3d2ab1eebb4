// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/graph.h"

#include <memory>

namespace fivefold::analysis {

/// ResNet-50 for one image of 3 × 224 × 224, as torchvision builds it and inference runtimes run
/// it: 53 convolutions with their normalisations folded in, strides in the 3 × 3 ones,
/// 4,089,184,256 multiply-adds. Weights have shapes but no contents.
std::shared_ptr<const ir::Graph> residualNetwork50();

} // namespace fivefold::analysis
