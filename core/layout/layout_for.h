// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/layout/tensor_layout.h"

#include <string>
#include <vector>

namespace fivefold::layout {

/// A tensor and the few plain values of a machine that decide where its elements lie. The values
/// come from the machine description; the defaults are those of the family's first product.
struct LayoutQuery {
    std::string family; ///< "gpu", "tpu", "cerebras", "groq", "spyre", "cpu"
    std::vector<std::int64_t> shape;
    ir::DType dtype = ir::DType::Float16;
    /// Dimensions from slow to fast, the last in the lanes. Empty: 0…r−1, on a TPU the order that
    /// XLA chooses. On Spyre the last is the stick dimension, and may be −1 (one element a stick).
    std::vector<int> order;
    std::vector<std::int64_t> strides; ///< Spyre only: host strides in elements; empty: contiguous
    std::string version; ///< Spyre only: "2025-11", "2026-06", "2026-09"; empty: the newest

    int tpuGeneration = 5; ///< parameter "generation"
    std::int64_t peRows = 994; ///< parameter "usable_rows"
    std::int64_t peColumns = 750; ///< parameter "usable_columns"
    std::int64_t lanes = 320; ///< parameter "lanes"
    std::int64_t slices = 88; ///< parameter "mem_slices"
};

/// The layout that the family's memory gives the tensor. Fails with a sentence on an unknown
/// family, a wrong order, strides on a family that stores tensors contiguous, or a tensor beyond
/// 2⁶³ bytes.
base::Result<TensorLayout> layoutFor(const LayoutQuery& query);

} // namespace fivefold::layout
