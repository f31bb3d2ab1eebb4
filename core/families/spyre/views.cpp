// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/views.h"

#include "core/lowering/tiling.h"

namespace fivefold::families::spyre {

using lowering::saturatingMul;

Extents contiguousStrides(const Extents& shape) {
    Extents strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = saturatingMul(strides[d], shape[d]);
    return strides;
}

std::optional<Extents> viewStrides(
    const Extents& shape, const Extents& strides, const Extents& wanted) {
    Extents out(wanted.size(), 1);
    std::size_t to = wanted.size();
    std::int64_t chunk = 1; // elements of the run of dimensions that lie one behind another
    std::int64_t done = 1; // elements of the run that the wanted dimensions cover already
    std::int64_t base = shape.empty() ? 1 : strides.back();
    for (std::size_t d = shape.size(); d-- > 0;) {
        chunk = saturatingMul(chunk, shape[d]);
        const bool runEnds =
            d == 0 || (shape[d - 1] != 1 && strides[d - 1] != saturatingMul(chunk, base));
        if (!runEnds)
            continue;
        while (to > 0 && (done < chunk || wanted[to - 1] == 1)) {
            out[--to] = saturatingMul(done, base);
            done = saturatingMul(done, wanted[to]);
        }
        if (done != chunk)
            return std::nullopt;
        if (d > 0) {
            base = strides[d - 1];
            chunk = 1;
            done = 1;
        }
    }
    if (to != 0 && !shape.empty())
        return std::nullopt;
    return out;
}

} // namespace fivefold::families::spyre
