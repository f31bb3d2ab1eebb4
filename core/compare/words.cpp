// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/words.h"

#include "core/layout/tensor_layout.h"

#include <cmath>
#include <cstdio>

namespace fivefold::compare {

std::string number(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+∞" : "−∞";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.4g", value);
    return buffer;
}

std::string counted(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string indexText(const std::vector<std::int64_t>& shape, std::int64_t flat) {
    if (shape.size() < 2)
        return std::to_string(flat);
    std::string text;
    for (const std::int64_t index : layout::unflatten(shape, flat))
        text += (text.empty() ? "[" : ", ") + std::to_string(index);
    return text + "]";
}

std::string elementsText(const ElementSet& set, const std::vector<std::int64_t>& shape) {
    if (set.isEmpty())
        return "no element";
    if (set.count == set.total)
        return set.total == 1 ? "the one element" : "all " + counted(set.total, "element");
    const std::string first = indexText(shape, *set.first());
    if (set.count == 1)
        return "element " + first + " of " + std::to_string(set.total);
    return std::to_string(set.count) + " of " + counted(set.total, "element") + ", the first "
        + first;
}

} // namespace fivefold::compare
