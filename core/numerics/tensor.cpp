// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/tensor.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace fivefold::numerics {

namespace {

std::int64_t product(const std::vector<std::int64_t>& shape) {
    return std::accumulate(
        shape.begin(), shape.end(), std::int64_t(1), std::multiplies<std::int64_t>());
}

std::int64_t truncated(double value) {
    constexpr double kBound = 9223372036854775808.0; // 2^63
    if (std::isnan(value))
        return 0;
    if (value >= kBound)
        return std::numeric_limits<std::int64_t>::max();
    return value < -kBound ? std::numeric_limits<std::int64_t>::min()
                           : static_cast<std::int64_t>(value);
}

} // namespace

Tensor::Tensor(ir::DType dtype, std::vector<std::int64_t> shape, Elements elements)
    : m_dtype(dtype)
    , m_shape(std::move(shape))
    , m_elements(std::make_shared<const Elements>(std::move(elements))) {
    assert(product(m_shape) == size());
}

Tensor Tensor::scalar(ir::DType dtype, double value) {
    if (ir::isFloat(dtype))
        return {dtype, {}, std::vector<double>{value}};
    return {dtype, {}, std::vector<std::int64_t>{truncated(value)}};
}

Tensor Tensor::integers(std::vector<std::int64_t> values) {
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(values.size())};
    return {ir::DType::Int64, std::move(shape), std::move(values)};
}

std::int64_t Tensor::size() const {
    if (!m_elements)
        return 0;
    return std::visit(
        [](const auto& list) { return static_cast<std::int64_t>(list.size()); }, *m_elements);
}

std::int64_t Tensor::bytesInMemory() const {
    if (!m_elements)
        return 0;
    return std::visit(
        [](const auto& list) { return static_cast<std::int64_t>(list.size() * sizeof(list[0])); },
        *m_elements);
}

double Tensor::number(std::int64_t flat) const {
    const auto at = static_cast<std::size_t>(flat);
    if (const auto* list = as<double>())
        return (*list)[at];
    if (const auto* list = as<float>())
        return static_cast<double>((*list)[at]);
    if (const auto* list = as<std::int64_t>())
        return m_dtype == ir::DType::UInt64
            ? static_cast<double>(static_cast<std::uint64_t>((*list)[at]))
            : static_cast<double>((*list)[at]);
    return std::numeric_limits<double>::quiet_NaN();
}

std::int64_t Tensor::integer(std::int64_t flat) const {
    if (const auto* list = as<std::int64_t>())
        return (*list)[static_cast<std::size_t>(flat)];
    return truncated(number(flat));
}

std::vector<double> Tensor::numbers() const {
    if (const auto* list = as<double>())
        return *list;
    std::vector<double> result(static_cast<std::size_t>(size()));
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = number(static_cast<std::int64_t>(i));
    return result;
}

Tensor Tensor::reshaped(std::vector<std::int64_t> shape) const {
    assert(product(shape) == size());
    Tensor copy = *this;
    copy.m_shape = std::move(shape);
    return copy;
}

Tensor Tensor::retyped(ir::DType dtype) const {
    Tensor copy = *this;
    copy.m_dtype = dtype;
    return copy;
}

template <typename T> Tensor Tensor::carried() const {
    using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
    const auto* list = as<Other>();
    if (!list)
        return *this;
    return {m_dtype, m_shape, std::vector<T>(list->begin(), list->end())};
}

template Tensor Tensor::carried<float>() const;
template Tensor Tensor::carried<double>() const;

} // namespace fivefold::numerics
