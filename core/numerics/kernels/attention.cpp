// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/kernel.h"

namespace fivefold::numerics {

KernelTable attentionKernels() {
    return {};
}

} // namespace fivefold::numerics
