// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/kernel.h"

namespace fivefold::numerics {

KernelTable reductionKernels() {
    return {};
}

} // namespace fivefold::numerics
