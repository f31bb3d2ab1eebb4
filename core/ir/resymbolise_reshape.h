// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dim.h"

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace fivefold::ir::freeing {

/// What a dimension is while an axis is being made free: some symbols are being freed (the axis and
/// those sizes of the file that may have to follow it), all others stand for numbers.
struct Sizes {
    std::map<std::string, std::int64_t> freed; ///< symbol → size in the file
    std::map<std::string, std::int64_t> all; ///< the same, and a large prime for every other symbol

    bool isFreed(const Dim& dim) const; ///< depends on a symbol that is being freed
    Dim inFile(const Dim& dim) const; ///< with the freed symbols at their sizes in the file
    std::int64_t number(const Dim& dim) const; ///< with all symbols as numbers; −1: unknown
};

/// Why a size in a shape can't be told: a part of a sentence that begins with the operator's name.
using Ambiguity = std::string;

/// Where the freed symbols of `in` go when a tensor is reshaped to `out`, a shape of the file's
/// sizes with as many elements: the same shape with those sizes as expressions. A symbol keeps an
/// axis of its own where `out` has one of its size at that place; else it multiplies the axis that
/// keeps the order of the elements. Several such places are an ambiguity. O(rank²).
std::variant<Shape, Ambiguity> alignReshape(const Shape& in, const Shape& out, const Sizes& sizes);

} // namespace fivefold::ir::freeing
