// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dtype.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace fivefold::numerics {

/// Elements of a tensor as the interpreter carries them, whatever the declared type: floats of all
/// formats as float or double, integers and booleans as int64 (uint64 by its bit pattern).
using Elements = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>,
    std::vector<std::string>>;

/// A tensor in memory: declared type, shape, elements in row-major order. Elements are immutable
/// and shared: copies and views of another shape cost nothing.
class Tensor {
public:
    Tensor() = default; ///< an undefined value: no elements, type Undefined
    /// The number of elements is the product of the shape (asserted); each extent ≥ 0.
    Tensor(ir::DType dtype, std::vector<std::int64_t> shape, Elements elements);

    static Tensor scalar(ir::DType dtype, double value);
    static Tensor integers(std::vector<std::int64_t> values); ///< int64 of rank 1

    ir::DType dtype() const { return m_dtype; }
    const std::vector<std::int64_t>& shape() const { return m_shape; }
    std::size_t rank() const { return m_shape.size(); }
    std::int64_t size() const; ///< elements
    std::int64_t bytesInMemory() const; ///< of the carrier
    bool isDefined() const { return m_elements != nullptr; }

    const Elements& elements() const { return *m_elements; }
    /// Null when the carrier is another one.
    template <typename T> const std::vector<T>* as() const {
        return m_elements ? std::get_if<std::vector<T>>(m_elements.get()) : nullptr;
    }
    /// Any numeric carrier; NaN for text. O(1).
    double number(std::int64_t flat) const;
    std::int64_t integer(std::int64_t flat) const; ///< truncated, saturating, 0 for NaN
    std::vector<double> numbers() const;

    /// The same elements under another shape of as many elements (asserted), or another type.
    Tensor reshaped(std::vector<std::int64_t> shape) const;
    Tensor retyped(ir::DType dtype) const;
    /// Floats carried as T (float or double); integers stay as they are.
    template <typename T> Tensor carried() const;

    bool operator==(const Tensor&) const = default;

private:
    ir::DType m_dtype = ir::DType::Undefined;
    std::vector<std::int64_t> m_shape;
    std::shared_ptr<const Elements> m_elements;
};

extern template Tensor Tensor::carried<float>() const;
extern template Tensor Tensor::carried<double>() const;

/// What an edge of a graph holds while it runs: a tensor, a sequence of them, or an optional one.
struct Datum {
    enum class Kind : std::uint8_t { Tensor, Sequence, Optional } kind = Kind::Tensor;
    Tensor tensor;
    std::vector<Datum> items; ///< of a sequence; of an optional: none or one

    Datum() = default;
    Datum(Tensor value)
        : tensor(std::move(value)) { }
};

} // namespace fivefold::numerics
