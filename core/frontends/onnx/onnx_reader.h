// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/reader.h"

namespace fivefold::frontends::onnx {

/// Reads ONNX models of any IR version and operator set. Takes memory for the graph, not for the
/// weights.
class OnnxReader final : public Reader {
public:
    std::string_view format() const override { return "onnx"; }
    std::string_view description() const override { return "ONNX model (.onnx)"; }
    int sniff(std::span<const std::byte> head) const override;
    base::Result<std::shared_ptr<const ir::Graph>> read(const std::filesystem::path& path,
        base::Diagnostics& diagnostics, const base::Progress& progress) const override;
};

/// Reads a model that is already in memory. path: what external data is relative to; the file is
/// not opened. Weights that stay in the file are noted as regions of that path.
base::Result<std::shared_ptr<const ir::Graph>> readModel(std::span<const std::byte> bytes,
    const std::filesystem::path& path, base::Diagnostics& diagnostics,
    const base::Progress& progress = {});

} // namespace fivefold::frontends::onnx
