// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace fivefold::frontends::onnx {

/// What the slimming filter keeps.
struct SlimLimits {
    /// Larger contents of a tensor stay in the file; constants that shapes are made of are smaller.
    std::uint64_t tensorBytes = 1024;
    /// Texts of one string tensor that are kept together.
    std::uint64_t stringBytes = 64 * 1024;
    /// Longest text attribute that is kept (compiled blobs of other tools live in such attributes).
    std::uint64_t textBytes = 1024 * 1024;
    /// Nesting of subgraphs; three protobuf messages each (graph, node, attribute).
    int subgraphDepth = 256;
    /// Bytes of all that is kept.
    std::uint64_t keptBytes = std::uint64_t(512) << 20;
};

/// Number of the field that replaces left-out contents (fivefold_onnx.proto).
constexpr std::uint32_t kLeftOutField = 15000;

/// Copies an ONNX ModelProto without the contents of large tensors and notes, in the tensor, where
/// they lie (TensorProto.left_out). O(kept bytes) time and memory: payloads are jumped over, not
/// read. Checks every length against its parent, so a truncated or damaged file ends in an Error
/// whose sentence names the node, tensor or function at fault and whose `where` is the byte offset.
base::Result<std::string> slimModel(std::span<const std::byte> file, const SlimLimits& limits = {},
    const base::Progress& progress = {});

/// 0..100: how much the first bytes of a file look like a ModelProto. ONNX has no magic number:
/// judged by field numbers, wire types and plausible values, as far as `head` reaches.
int sniffModel(std::span<const std::byte> head);

} // namespace fivefold::frontends::onnx
