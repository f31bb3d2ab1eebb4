// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/broadcast.h"

#include <algorithm>

namespace fivefold::numerics {

std::optional<Extents> broadcastShape(const Extents& a, const Extents& b) {
    const Extents& longer = a.size() >= b.size() ? a : b;
    const Extents& shorter = a.size() >= b.size() ? b : a;
    Extents shape = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& to = shape[longer.size() - shorter.size() + i];
        if (to == shorter[i] || shorter[i] == 1)
            continue;
        if (to != 1)
            return std::nullopt;
        to = shorter[i];
    }
    return shape;
}

base::Result<Extents> broadcastAll(const Call& call, std::span<const Tensor* const> tensors) {
    Extents shape;
    for (const Tensor* tensor : tensors) {
        const auto next = broadcastShape(shape, tensor->shape());
        if (!next)
            return call.error("operands of " + extentsText(shape) + " and "
                + extentsText(tensor->shape()) + " do not broadcast to one shape.");
        shape = *next;
    }
    if (auto error = call.tooLarge(shape))
        return *std::move(error);
    return shape;
}

Extents broadcastStrides(const Extents& in, const Extents& out) {
    const Extents own = stridesOf(in);
    Extents strides(out.size(), 0);
    for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i] != 1)
            strides[out.size() - in.size() + i] = own[i];
    return strides;
}

Tensor broadcastTo(const Tensor& tensor, const Extents& shape) {
    if (tensor.shape() == shape)
        return tensor;
    return strided(tensor, shape, broadcastStrides(tensor.shape(), shape), 0);
}

} // namespace fivefold::numerics
