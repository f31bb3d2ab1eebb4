// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/address.h"

#include "core/layout/arithmetic.h"

namespace fivefold::layout {

std::optional<std::vector<std::int64_t>> coordinatesAtAddress(
    const TensorLayout& layout, std::int64_t unit, std::int64_t address) {
    const std::int64_t units = unitCount(layout);
    const std::int64_t perUnit = units > 0 ? deviceElements(layout) / units : 0;
    if (unit < 0 || unit >= units || address < 0 || layout.elementBits <= 0)
        return std::nullopt;
    const std::int64_t element = saturatingMultiply(address, 8) / layout.elementBits;
    if (element >= perUnit)
        return std::nullopt;
    return coordinatesOf(layout, saturatingMultiply(unit, perUnit) + element);
}

} // namespace fivefold::layout
