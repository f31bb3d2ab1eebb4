// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"
#include "core/numerics/rearrange.h"

/// Matrix products in the arithmetic of an evaluation.
namespace fivefold::numerics {

/// C (rows × columns) = A · B over `depth`. All matrices are row-major; a transposed one lies as
/// depth × rows, or columns × depth.
struct ProductShape {
    std::int64_t rows = 0, columns = 0, depth = 0;
    bool isATransposed = false, isBTransposed = false;
};
/// Where one product of a batch has its matrices, in elements.
struct ProductPlace {
    std::int64_t a = 0, b = 0, c = 0;
};

/// Writes the products to `c`, which is large enough, as are a and b. T: float or double, the
/// carrier; integers wrap.
template <typename T>
void multiply(const Evaluation& evaluation, const std::vector<T>& a, const std::vector<T>& b,
    std::vector<T>& c, const ProductShape& shape, std::span<const ProductPlace> places);
extern template void multiply<float>(const Evaluation&, const std::vector<float>&,
    const std::vector<float>&, std::vector<float>&, const ProductShape&,
    std::span<const ProductPlace>);
extern template void multiply<double>(const Evaluation&, const std::vector<double>&,
    const std::vector<double>&, std::vector<double>&, const ProductShape&,
    std::span<const ProductPlace>);
extern template void multiply<std::int64_t>(const Evaluation&, const std::vector<std::int64_t>&,
    const std::vector<std::int64_t>&, std::vector<std::int64_t>&, const ProductShape&,
    std::span<const ProductPlace>);

/// MatMul of NumPy: leading axes broadcast, vectors are rows or columns. The last two axes of an
/// operand may be swapped. The result has the first operand's type.
base::Result<Tensor> matmul(const Call& call, const Tensor& a, const Tensor& b,
    bool isATransposed = false, bool isBTransposed = false);

/// Sum of two broadcast operands in the first one's type, and the same with a factor.
base::Result<Tensor> added(const Call& call, const Tensor& a, const Tensor& b);

/// x with the operator that a fused operator's attribute `activation` names; x itself without.
base::Result<Tensor> activated(const Call& call, Tensor x);

} // namespace fivefold::numerics
