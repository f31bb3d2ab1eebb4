// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/evaluate.h"

#include <optional>
#include <utility>

namespace fivefold::numerics {

/// One evaluation as a kernel sees it. Kernels give exact results of the carrier; evaluate() rounds
/// them to the arithmetic's storage. Products and sums round inside, by `evaluation.arithmetic`.
struct Call {
    const Operation& operation;
    std::span<const Datum> inputs;
    const Evaluation& evaluation;

    const ir::Attributes& attributes() const { return *operation.attributes; }
    /// Null when omitted or not there, and for sequences.
    const Tensor* input(std::size_t index) const;
    /// The tensor, or an Error that names the operator and the position.
    base::Result<const Tensor*> required(std::size_t index) const;
    /// Integers of a small operand, from the input or, without it, from the attribute of that name.
    std::optional<std::vector<std::int64_t>> integers(
        std::size_t index, std::string_view attribute) const;
    /// "Reshape /attn/Reshape: the sentence."
    base::Error error(std::string sentence) const;
    bool isDouble() const { return evaluation.carrier == Carrier::Double; }
    /// An Error when a result of that many elements would exceed the limit, or the work is
    /// cancelled.
    std::optional<base::Error> tooLarge(const std::vector<std::int64_t>& shape) const;
};

using Outputs = base::Result<std::vector<Datum>>;
using Kernel = Outputs (*)(const Call&);
using KernelTable = std::span<const std::pair<ir::Op, Kernel>>;

// One table a subject; evaluate() looks the operator up in all of them.
KernelTable pointwiseKernels();
KernelTable contractionKernels(); ///< matrix products, Einsum, convolutions
KernelTable reductionKernels(); ///< reductions, arg max, cumulative sums, soft-max
KernelTable normalisationKernels();
KernelTable
attentionKernels(); ///< attention in its forms, rotary embedding, fused decoder operators
KernelTable quantisationKernels();
KernelTable movementKernels(); ///< views, transpositions, concatenation, slices, padding
KernelTable indexingKernels(); ///< gather, scatter, top-k, unique, non-zero
KernelTable poolingKernels(); ///< windows, regions of interest
KernelTable samplingKernels(); ///< resize, grid sample, affine grid
KernelTable recurrentKernels();
KernelTable generatorKernels(); ///< constants, ranges, windows of signals, random numbers
KernelTable sequenceKernels();
KernelTable signalKernels(); ///< DFT, STFT, determinants, losses

} // namespace fivefold::numerics
