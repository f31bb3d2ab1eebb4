// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"

namespace fivefold::numerics {

// Writing to places (indexing_scatter.cpp).
Outputs runScatterElements(const Call& call);
Outputs runScatterND(const Call& call);
Outputs runTensorScatter(const Call& call);
Outputs runIndex(const Call& call);
Outputs runIndexPut(const Call& call);

// Choosing by value (indexing_select.cpp).
Outputs runTopK(const Call& call);
Outputs runUnique(const Call& call);
Outputs runNonZero(const Call& call);
Outputs runCompress(const Call& call);
Outputs runOneHot(const Call& call);
Outputs runNonMaxSuppression(const Call& call);

} // namespace fivefold::numerics
