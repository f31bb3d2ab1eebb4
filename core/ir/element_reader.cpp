// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/element_reader.h"

#include "core/base/mapped_file.h"
#include "core/ir/element_codec.h"

#include <algorithm>

namespace fivefold::ir {

std::optional<ElementValue> ElementReader::at(std::int64_t flat) {
    if (!m_tensor.isValid() || m_tensor.index() >= m_store.size())
        return std::nullopt;
    const TensorData& tensor = m_store[m_tensor];
    if (flat < 0 || flat >= tensor.elements())
        return std::nullopt;
    if (tensor.storage == TensorStorage::Missing)
        return std::nullopt;
    if (tensor.storage == TensorStorage::Strings)
        return static_cast<std::size_t>(flat) < tensor.strings.size()
            ? std::optional<ElementValue>(tensor.strings[static_cast<std::size_t>(flat)])
            : std::nullopt;
    return tensor.storage == TensorStorage::FileVarints || tensor.isSparse() ? listed(flat)
                                                                             : packed(flat);
}

std::optional<ElementValue> ElementReader::packed(std::int64_t flat) {
    const TensorData& tensor = m_store[m_tensor];
    const int bits = bitWidth(tensor.dtype);
    if (bits <= 0)
        return std::nullopt;
    // Elements of less than a byte: the bytes of their group are decoded together.
    const std::int64_t group = std::max(1, 8 / bits);
    const std::int64_t first = flat / group * group;
    const auto byte = static_cast<std::uint64_t>(first / group)
        * static_cast<std::uint64_t>(std::max(1, bits / 8));
    const auto length = static_cast<std::uint64_t>(std::max(1, bits / 8));
    std::span<const std::byte> bytes;
    if (tensor.storage == TensorStorage::Inline) {
        if (byte + length > tensor.bytes.size())
            return std::nullopt;
        bytes = std::span(tensor.bytes).subspan(byte, length);
    } else {
        if (!load(byte, length))
            return std::nullopt;
        bytes = std::span(std::as_const(m_window)).subspan(byte - m_windowAt, length);
    }
    const std::int64_t count = std::min(group, tensor.elements() - first);
    const auto at = static_cast<std::size_t>(flat - first);
    if (isInteger(tensor.dtype) || tensor.dtype == DType::Bool)
        if (const auto values = decodeIntegers(bytes, tensor.dtype, count))
            return (*values)[at];
    if (const auto values = decodeNumbers(bytes, tensor.dtype, count))
        return (*values)[at];
    return std::nullopt;
}

bool ElementReader::load(std::uint64_t byte, std::uint64_t length) {
    if (byte >= m_windowAt && byte + length <= m_windowAt + m_window.size())
        return true;
    const TensorData& tensor = m_store[m_tensor];
    if (byte + length > tensor.length)
        return false;
    const std::uint64_t from = byte / kWindowBytes * kWindowBytes;
    const std::uint64_t until =
        std::min(tensor.length, std::max(from + kWindowBytes, byte + length));
    auto read = base::readRegion(tensor.file, tensor.offset + from, until - from);
    if (!read)
        return false;
    m_window = std::move(*read);
    m_windowAt = from;
    return true;
}

std::optional<ElementValue> ElementReader::listed(std::int64_t flat) {
    if (!m_hasList) {
        m_hasList = true;
        m_integers = m_store.integers(m_tensor, kLargestList);
        if (!m_integers)
            m_numbers = m_store.numbers(m_tensor, kLargestList);
    }
    const auto at = static_cast<std::size_t>(flat);
    if (m_integers && at < m_integers->size())
        return (*m_integers)[at];
    if (m_numbers && at < m_numbers->size())
        return (*m_numbers)[at];
    return std::nullopt;
}

} // namespace fivefold::ir
