// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/reader.h"

namespace fivefold::frontends::fx {

/// Reads the text that torch.fx.GraphModule.print_readable writes: fx_graph_readable.py and
/// fx_graph_transformed.py of TorchInductor's debug folders (PyTorch 2.5 to 2.14), with or without
/// strides and devices in the annotations. Nothing in the text is executed.
///
/// How it maps (core/frontends/fx/operators.h has the table):
/// - One node a call line, named as the line's name; `domain` is the operator's name space ("aten",
///   "prims", "spyre", "" for Python's own operators), `sourceOp` its whole target
///   ("aten.relu_.default").
/// - `op`, attributes and operand order are the canonical ones of ONNX; a literal among the
/// operands is
///   an unnamed initialiser. What ATen knows and ONNX does not is an extra attribute
///   (memory_format, correction, alpha of add and sub, rounding_mode of div).
/// - A call with several results has several outputs "split.0", "split.1"; every "split[1]" is an
/// Identity
///   node with sourceOp "getitem" and attribute "index".
/// - "self.name" is an initialiser without contents; "Sym(s0)" is an int64 scalar; symbols become
/// named
///   dimensions.
/// - Annotations give types, strides and shapes, and are trusted (ir::infer).
class FxReader final : public Reader {
public:
    std::string_view format() const override { return "fx"; }
    std::string_view description() const override { return "PyTorch fx graph (fx_graph_*.py)"; }
    int sniff(std::span<const std::byte> head) const override;
    base::Result<std::shared_ptr<const ir::Graph>> read(const std::filesystem::path& path,
        base::Diagnostics& diagnostics, const base::Progress& progress) const override;
};

/// As FxReader::read for text in memory; the path is only noted.
base::Result<std::shared_ptr<const ir::Graph>> readText(std::string_view text,
    const std::filesystem::path& path, base::Diagnostics& diagnostics,
    const base::Progress& progress = {});

} // namespace fivefold::frontends::fx
