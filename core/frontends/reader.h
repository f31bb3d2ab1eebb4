// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ir/graph.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace fivefold::frontends {

/// Reads one file format into a captured graph. Stateless; one instance a format.
class Reader {
public:
    virtual ~Reader() = default;

    virtual std::string_view format() const = 0; ///< "onnx"
    virtual std::string_view description() const = 0; ///< "ONNX model"
    /// How sure the reader is, from the first bytes alone (0: not mine, 100: certain). The file's name is
    /// not looked at.
    virtual int sniff(std::span<const std::byte> head) const = 0;
    /// Reads the file. Weights are not read; nothing in the file is executed. Bad data is a diagnostic,
    /// a bad file an Error.
    virtual base::Result<std::shared_ptr<const ir::Graph>> read(const std::filesystem::path& path,
        base::Diagnostics& diagnostics, const base::Progress& progress) const = 0;
};

/// Opens a model file of any known format: sniffs, then reads. Errors are sentences that say what failed,
/// where, and what would mend it.
base::Result<std::shared_ptr<const ir::Graph>> open(const std::filesystem::path& path,
    base::Diagnostics& diagnostics, const base::Progress& progress = {});

} // namespace fivefold::frontends
