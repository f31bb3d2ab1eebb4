// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/ir/graph.h"

#include <string>
#include <string_view>

namespace fivefold::onnx {
class TypeProto;
}

namespace fivefold::frontends::onnx {

/// A dimension from the text of dim_param: a name ("batch", "unk__16"), or a sum of products that
/// exporters write for computed sizes ("2*seq + 1", "past + seq"). Placeholders that say nothing
/// ("", "?", "None",
/// "-1") are unknown; decimal digits are a size; any other expression is one opaque symbol.
ir::Dim dimOfText(std::string_view text);

/// Declared type of a value. Negative sizes, and zero in a shape of rank 2 or more, are what
/// exporters write for "not fixed": unknown, with a diagnostic; [0] is an empty list. An element
/// type that is not known is Undefined, with a diagnostic.
ir::ValueType valueType(
    const ::fivefold::onnx::TypeProto& type, std::string_view name, base::Diagnostics& diagnostics);

/// "seq(tensor(float32))": a type as text, for attributes that hold one.
std::string typeText(const ::fivefold::onnx::TypeProto& type);

} // namespace fivefold::frontends::onnx
