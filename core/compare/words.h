// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/metrics.h"

#include <string>

namespace fivefold::compare {

/// "0.0156", "6.1e-05", "NaN": at most four digits.
std::string number(double value);
/// "element 64 of 65", "all 24576 elements", "63 of 8192 elements, the first [0, 1, 64]".
std::string elementsText(const ElementSet& set, const std::vector<std::int64_t>& shape);
/// "[0, 1, 64]".
std::string indexText(const std::vector<std::int64_t>& shape, std::int64_t flat);
/// "1 element", "3 elements".
std::string counted(std::int64_t count, const std::string& noun);

} // namespace fivefold::compare
