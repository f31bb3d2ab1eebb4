// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/dtypes.h"

#include <array>

namespace fivefold::frontends::onnx {

namespace {

using ir::DType;

/// In the order of the codes of TensorProto.DataType (ONNX 1.20, IR version 13).
constexpr std::array kByCode = {DType::Undefined, DType::Float32, DType::UInt8, DType::Int8,
    DType::UInt16, DType::Int16, DType::Int32, DType::Int64, DType::String, DType::Bool,
    DType::Float16, DType::Float64, DType::UInt32, DType::UInt64, DType::Complex64,
    DType::Complex128, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E4M3FNUZ,
    DType::Float8E5M2, DType::Float8E5M2FNUZ, DType::UInt4, DType::Int4, DType::Float4E2M1,
    DType::Float8E8M0, DType::UInt2, DType::Int2};

} // namespace

std::optional<ir::DType> dtypeOfCode(int code) {
    if (code < 0 || static_cast<std::size_t>(code) >= kByCode.size())
        return std::nullopt;
    return kByCode[static_cast<std::size_t>(code)];
}

} // namespace fivefold::frontends::onnx
