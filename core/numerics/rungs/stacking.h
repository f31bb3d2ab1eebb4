// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/tensor.h"

#include <optional>
#include <vector>

namespace fivefold::numerics {

/// Index `at` of an axis (negative: from the end), without that axis; nullopt out of range.
std::optional<Tensor> partAt(const Tensor& tensor, std::int64_t axis, std::int64_t at);
/// Tensors of one shape and type along a new axis; nullopt where they differ or there is none.
std::optional<Tensor> stack(const std::vector<Tensor>& parts, std::int64_t axis);
/// The tensor with one axis moved to another place; nullopt out of range.
std::optional<Tensor> movedAxis(const Tensor& tensor, std::size_t from, std::size_t to);

} // namespace fivefold::numerics
