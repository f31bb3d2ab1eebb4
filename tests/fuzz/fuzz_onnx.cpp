// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/file_kind.h"
#include "core/frontends/onnx/onnx_reader.h"
#include "core/frontends/onnx/slim.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

using namespace fivefold;

/// Any bytes: they open or give a sentence. What opens can be counted and its small tensors
/// decoded.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    if (frontends::fileKind(bytes).empty() || frontends::onnx::sniffModel(bytes) < 0)
        std::abort();
    base::Diagnostics diagnostics;
    const auto result = frontends::onnx::readModel(bytes, "/nonexistent/model.onnx", diagnostics);
    if (!result) {
        if (result.error().message.empty())
            std::abort();
        return 0;
    }
    const ir::Graph& graph = **result;
    if (graph.fileNodeCount() < 0 || graph.parameterCount() < 0)
        std::abort();
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        (void)graph.tensors.numbers(ir::TensorId(i));
        (void)graph.tensors.integers(ir::TensorId(i));
    }
    return 0;
}
