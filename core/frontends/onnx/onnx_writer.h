// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ir/inference.h"

#include <filesystem>

namespace fivefold::frontends::onnx {

/// Writes a graph as an ONNX model with its weights inside, replaced as a whole. Operators keep the
/// file's own names, domains and opsets; types are those that inference knows. What ONNX cannot
/// hold (operators of fx text without an ONNX form) is an Error that names the node.
base::Result<base::Done> writeModel(const ir::Typed& typed, const std::filesystem::path& path);

} // namespace fivefold::frontends::onnx
