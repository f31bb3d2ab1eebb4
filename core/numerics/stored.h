// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ir/tensor_data.h"
#include "core/numerics/evaluate.h"

#include <cstddef>
#include <span>

namespace fivefold::numerics {

/// Packed little-endian elements as a tensor: floats of all formats exact in the carrier (doubles
/// rounded to float for Carrier::Float), integers and booleans as int64, uint64 by its bit pattern.
/// Fails for too few bytes and for complex numbers and texts.
base::Result<Tensor> decodeTensor(std::span<const std::byte> bytes, ir::DType dtype,
    std::vector<std::int64_t> shape, Carrier carrier);

/// A stored tensor of a model, sparse ones made dense, texts included. Fails with the store's
/// sentence where there are no contents.
base::Result<Tensor> storedTensor(const ir::TensorStore& store, ir::TensorId id, Carrier carrier);

} // namespace fivefold::numerics
