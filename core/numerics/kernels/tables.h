// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"

#include <initializer_list>
#include <vector>

/// Parts of the tables of kernel.h, one a file.
namespace fivefold::numerics {

using KernelList = std::vector<std::pair<ir::Op, Kernel>>;
inline KernelList joinedTables(std::initializer_list<KernelTable> tables) {
    KernelList list;
    for (const KernelTable table : tables)
        list.insert(list.end(), table.begin(), table.end());
    return list;
}

KernelTable unaryKernels(); ///< elementary functions of one operand
KernelTable activationKernels(); ///< activations, fused biases included
KernelTable binaryKernels(); ///< arithmetic of two or more operands
KernelTable logicKernels(); ///< comparisons, bits, selection
KernelTable castKernels();
KernelTable productKernels(); ///< matrix products
KernelTable convolutionKernels();
KernelTable softmaxKernels();
KernelTable statisticsKernels(); ///< variance, arg max, cumulative sums
KernelTable tokenKernels(); ///< rotary embedding, embedding norms and gates of decoders
KernelTable quantisedProductKernels();
KernelTable regionKernels(); ///< pooling of regions of interest

} // namespace fivefold::numerics
