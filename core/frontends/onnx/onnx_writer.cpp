// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/onnx_writer.h"

namespace fivefold::frontends::onnx {

base::Result<base::Done> writeModel(const ir::Typed&, const std::filesystem::path&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::frontends::onnx
