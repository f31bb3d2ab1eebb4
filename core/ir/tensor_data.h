// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::ir {

using TensorId = base::Id<struct TensorTag>;

/// Where the elements of a stored tensor are. Weights stay in their file until somebody reads them.
enum class TensorStorage : std::uint8_t {
    Inline, ///< `bytes` holds the packed little-endian elements (only small tensors)
    FileRegion, ///< `file`, `offset`, `length` say where the packed elements lie
    FileVarints, ///< as FileRegion, but a protobuf packed-varint run that needs decoding
    Strings, ///< `strings` holds them
    Missing, ///< external data that is not there, or a stripped payload: shape only
};

/// A stored constant: declared type and where its elements are. A sparse tensor keeps its non-zero
/// values here and its indices in a second tensor.
struct TensorData {
    std::string name;
    DType dtype = DType::Undefined;
    std::vector<std::int64_t> shape;
    TensorStorage storage = TensorStorage::Missing;
    std::vector<std::byte> bytes;
    std::vector<std::string> strings;
    std::string file; ///< path of the file that holds the region
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::string missingReason; ///< one sentence, when storage is Missing
    TensorId sparseIndices; ///< valid for a sparse (COO) tensor; `shape` is then the dense shape
    std::int64_t nonZeros = 0;

    bool isSparse() const { return sparseIndices.isValid(); }
    std::int64_t elements() const; ///< product of shape, saturating at INT64_MAX; 1 for a scalar
};

/// Owns the stored tensors of a model.
class TensorStore {
public:
    TensorId add(TensorData tensor) { return m_tensors.add(std::move(tensor)); }
    const TensorData& operator[](TensorId id) const { return m_tensors[id]; }
    std::size_t size() const { return m_tensors.size(); }

    /// Integer contents of an integer or bool tensor of at most `limit` elements; nullopt when it is larger,
    /// of another type, or not readable.
    std::optional<std::vector<std::int64_t>> integers(TensorId id, std::int64_t limit = 4096) const;
    /// Contents as doubles of any numeric tensor of at most `limit` elements, all float formats decoded.
    std::optional<std::vector<double>> numbers(TensorId id, std::int64_t limit = 4096) const;
    /// The packed bytes, read from the file where needed. Fails with a sentence when missing.
    base::Result<std::vector<std::byte>> read(TensorId id) const;

private:
    base::IdVector<TensorId, TensorData> m_tensors;
};

} // namespace fivefold::ir
