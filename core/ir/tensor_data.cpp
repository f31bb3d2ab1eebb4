// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/tensor_data.h"

#include "core/base/mapped_file.h"
#include "core/ir/element_codec.h"

#include <limits>

namespace fivefold::ir {

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

/// Places the non-zero values of a COO tensor into a dense list. Indices are linear ([nnz]) or by
/// dimension ([nnz, rank]), as ONNX SparseTensorProto has them. Nullopt when one points outside.
template <typename T>
std::optional<std::vector<T>> scatter(const std::vector<T>& values,
    const std::vector<std::int64_t>& indices, const std::vector<std::int64_t>& shape,
    std::int64_t elements) {
    const bool isLinear = indices.size() == values.size();
    if (!isLinear && indices.size() != values.size() * shape.size())
        return std::nullopt;
    std::vector<T> dense(static_cast<std::size_t>(elements), T(0));
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::int64_t at = isLinear ? indices[i] : 0;
        for (std::size_t d = 0; !isLinear && d < shape.size(); ++d) {
            const std::int64_t index = indices[i * shape.size() + d];
            if (index < 0 || index >= shape[d])
                return std::nullopt;
            at = at * shape[d] + index;
        }
        if (at < 0 || at >= elements)
            return std::nullopt;
        dense[static_cast<std::size_t>(at)] = values[i];
    }
    return dense;
}

} // namespace

std::int64_t TensorData::elements() const {
    std::int64_t product = 1;
    for (std::int64_t dim : shape)
        if (dim <= 0)
            return 0;
    for (std::int64_t dim : shape)
        if (__builtin_mul_overflow(product, dim, &product))
            return kMax;
    return product;
}

base::Result<std::vector<std::byte>> TensorStore::read(TensorId id) const {
    if (!m_tensors.contains(id))
        return base::Error{base::ErrorCode::InvalidArgument, "There is no such tensor.", {}};
    const TensorData& tensor = m_tensors[id];
    const auto fail = [&](base::ErrorCode code, std::string message) {
        return base::Error{code, std::move(message), tensor.name};
    };
    switch (tensor.storage) {
    case TensorStorage::Missing:
        return fail(base::ErrorCode::NotFound,
            tensor.missingReason.empty() ? "The file holds no values for this tensor."
                                         : tensor.missingReason);
    case TensorStorage::Strings:
        return fail(base::ErrorCode::InvalidArgument,
            "The tensor holds texts, which have no packed form; read its strings.");
    case TensorStorage::Inline:
        return tensor.bytes;
    case TensorStorage::FileRegion:
        return base::readRegion(tensor.file, tensor.offset, tensor.length);
    case TensorStorage::FileVarints:
        break;
    }
    const auto run = base::readRegion(tensor.file, tensor.offset, tensor.length);
    if (!run)
        return run.error();
    auto packed = unpackVarints(*run, tensor.dtype);
    if (!packed)
        return fail(base::ErrorCode::Malformed,
            "The tensor's list of integers is damaged in " + tensor.file + "; get the file again.");
    return std::move(*packed);
}

std::optional<std::vector<std::int64_t>> TensorStore::integers(
    TensorId id, std::int64_t limit) const {
    if (!m_tensors.contains(id))
        return std::nullopt;
    const TensorData& tensor = m_tensors[id];
    const std::int64_t elements = tensor.elements();
    if (elements > limit || !(isInteger(tensor.dtype) || tensor.dtype == DType::Bool))
        return std::nullopt;
    const std::int64_t stored = tensor.isSparse() ? tensor.nonZeros : elements;
    if (stored < 0 || stored > limit)
        return std::nullopt;
    if (stored == 0)
        return std::vector<std::int64_t>(static_cast<std::size_t>(elements), 0);
    const auto bytes = read(id);
    if (!bytes)
        return std::nullopt;
    const auto values = decodeIntegers(*bytes, tensor.dtype, stored);
    if (!values || !tensor.isSparse())
        return values;
    const auto indices = integers(tensor.sparseIndices, kMax);
    return indices ? scatter(*values, *indices, tensor.shape, elements) : std::nullopt;
}

std::optional<std::vector<double>> TensorStore::numbers(TensorId id, std::int64_t limit) const {
    if (!m_tensors.contains(id))
        return std::nullopt;
    const TensorData& tensor = m_tensors[id];
    const std::int64_t elements = tensor.elements();
    const std::int64_t stored = tensor.isSparse() ? tensor.nonZeros : elements;
    if (elements > limit || stored < 0 || stored > limit || bitWidth(tensor.dtype) == 0)
        return std::nullopt;
    if (stored == 0)
        return std::vector<double>(static_cast<std::size_t>(elements), 0.0);
    const auto bytes = read(id);
    if (!bytes)
        return std::nullopt;
    const auto values = decodeNumbers(*bytes, tensor.dtype, stored);
    if (!values || !tensor.isSparse())
        return values;
    const auto indices = integers(tensor.sparseIndices, kMax);
    return indices ? scatter(*values, *indices, tensor.shape, elements) : std::nullopt;
}

} // namespace fivefold::ir
