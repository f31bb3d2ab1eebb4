// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/frontends/onnx/external_data.h"
#include "core/ir/tensor_data.h"

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace fivefold::onnx {
class TensorProto;
class SparseTensorProto;
} // namespace fivefold::onnx

namespace fivefold::frontends::onnx {

/// Turns the stored tensors of a model into entries of a TensorStore. Values stay in their files
/// unless they are small. What cannot be had (missing or refused external data, too few bytes, a
/// payload in several pieces) is stored as Missing with its reason, and reported.
class Tensors {
public:
    Tensors(
        ir::TensorStore& store, const std::filesystem::path& model, base::Diagnostics& diagnostics);

    /// The same message always gives the same id. name: used when the tensor has none.
    ir::TensorId add(const ::fivefold::onnx::TensorProto& tensor, const std::string& name);
    ir::TensorId add(const ::fivefold::onnx::SparseTensorProto& tensor, const std::string& name);

    /// Tensors that a Constant node spells out as attributes. Rank 0 for one value, else rank 1.
    ir::TensorId addFloats(
        const std::string& name, const std::vector<double>& values, bool isScalar);
    ir::TensorId addIntegers(
        const std::string& name, const std::vector<std::int64_t>& values, bool isScalar);
    ir::TensorId addStrings(
        const std::string& name, const std::vector<std::string>& values, bool isScalar);

private:
    ir::TensorData convert(const ::fivefold::onnx::TensorProto& tensor, const std::string& name);
    void setShape(ir::TensorData& data, const ::fivefold::onnx::TensorProto& tensor);
    void setExternal(ir::TensorData& data, const ::fivefold::onnx::TensorProto& tensor);
    void setLeftOut(ir::TensorData& data, const ::fivefold::onnx::TensorProto& tensor);
    void setInline(ir::TensorData& data, const ::fivefold::onnx::TensorProto& tensor);
    void setStrings(ir::TensorData& data, const ::fivefold::onnx::TensorProto& tensor);
    void setMissing(ir::TensorData& data, const char* code, std::string reason);

    ir::TensorStore& m_store;
    std::string m_model;
    ExternalFiles m_externalFiles;
    base::Diagnostics& m_diagnostics;
    std::unordered_map<const void*, ir::TensorId> m_idByMessage;
};

} // namespace fivefold::frontends::onnx
