// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/tensor_data.h"

#include <variant>

namespace fivefold::ir {

/// One element as its type has it: integers and booleans exact, floats of all formats decoded.
using ElementValue = std::variant<std::int64_t, double, std::string>;

/// Reads single elements of a stored tensor, wherever it is stored, a window of the file at a time:
/// a weight of gigabytes costs what its elements in view cost. The store outlives it. One thread.
class ElementReader {
public:
    static constexpr std::uint64_t kWindowBytes = 64 * 1024;
    /// Lists that have no fixed place for an element (varints, sparse) are decoded whole up to
    /// here.
    static constexpr std::int64_t kLargestList = 1 << 16;

    ElementReader(const TensorStore& store, TensorId tensor)
        : m_store(store)
        , m_tensor(tensor) { }

    /// Row-major flat number; nullopt outside the tensor, for a payload that is missing or damaged,
    /// and for a type without a decoder.
    std::optional<ElementValue> at(std::int64_t flat);

private:
    std::optional<ElementValue> packed(std::int64_t flat);
    std::optional<ElementValue> listed(std::int64_t flat);
    bool load(std::uint64_t byte, std::uint64_t length);

    const TensorStore& m_store;
    TensorId m_tensor;
    std::vector<std::byte> m_window;
    std::uint64_t m_windowAt = 0; ///< byte of the payload where the window begins
    bool m_hasList = false;
    std::optional<std::vector<std::int64_t>> m_integers;
    std::optional<std::vector<double>> m_numbers;
};

} // namespace fivefold::ir
