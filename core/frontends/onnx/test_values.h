// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ir/inference.h"

#include <filesystem>

namespace fivefold::frontends::onnx {

/// Reads `input_0.pb`, `input_1.pb` … of a folder of ONNX test data (TensorProto, SequenceProto or
/// OptionalProto, decided by the declared kind of the graph's input of that position) into
/// bindings: sizes of axes that the graph leaves open, contents of integer and bool tensors of at
/// most 4096 elements and of float tensors of at most 256, element types of sequences. Files that
/// are not there are skipped. Fails when the folder does not exist or a file cannot be read as what
/// it should be.
base::Result<ir::Bindings> readTestValues(
    const std::filesystem::path& folder, const ir::Graph& graph);

} // namespace fivefold::frontends::onnx
