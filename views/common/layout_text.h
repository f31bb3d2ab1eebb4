// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/units.h"
#include "core/layout/tensor_layout.h"

#include <QString>

#include <optional>

namespace fivefold::views::common {

/// Padding of one tensor's layout.
struct Padding {
    base::Bytes bytes; ///< rounded down to whole bytes
    double share = 0; ///< of the device elements, 0..1
};
/// nullopt when the sizes overflow int64.
std::optional<Padding> paddingOf(const fivefold::layout::TensorLayout& layout);
/// "[12, 128, 2, 1, 64]" where the compiler has a device size, else its notation, else the axes.
QString layoutText(const fivefold::layout::TensorLayout& layout);

} // namespace fivefold::views::common
