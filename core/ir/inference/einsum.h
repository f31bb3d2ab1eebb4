// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dim.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::ir::inference {

/// An Einsum equation bound to operand shapes. A label of an ellipsis axis is its distance from the
/// end written as "~0", "~1" …; other labels are single letters.
struct Einsum {
    std::vector<std::vector<std::string>> operands;
    std::vector<std::string> output;
    std::map<std::string, Dim> sizes; ///< broadcast over operands
};

/// nullopt when the equation is malformed or contradicts the shapes.
std::optional<Einsum> parseEinsum(std::string_view equation, const std::vector<Shape>& shapes);

} // namespace fivefold::ir::inference
