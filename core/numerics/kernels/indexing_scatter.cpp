// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/indexing.h"
#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <cmath>

namespace fivefold::numerics {

namespace {

enum class Combine : std::uint8_t { Replace, Add, Multiply, Maximum, Minimum };

std::optional<Combine> combineOf(const std::string& text) {
    if (text == "none" || text.empty())
        return Combine::Replace;
    if (text == "add" || text == "sum")
        return Combine::Add;
    if (text == "mul" || text == "prod")
        return Combine::Multiply;
    if (text == "max" || text == "amax")
        return Combine::Maximum;
    return text == "min" || text == "amin" ? std::optional(Combine::Minimum) : std::nullopt;
}

template <typename T> T combined(const T& old, const T& update, Combine combine) {
    if constexpr (std::is_same_v<T, std::string>) {
        return update;
    } else {
        // Unsigned arithmetic wraps as two's complement does; floats never get there.
        using U = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
        switch (combine) {
        case Combine::Replace:
            return update;
        case Combine::Add:
            return static_cast<T>(static_cast<U>(old) + static_cast<U>(update));
        case Combine::Multiply:
            return static_cast<T>(static_cast<U>(old) * static_cast<U>(update));
        case Combine::Maximum:
            return update != update ? update : std::max(old, update);
        case Combine::Minimum:
            return update != update ? update : std::min(old, update);
        }
        return update;
    }
}

/// The data with update i combined into element place(i), in order.
template <typename Place>
Outputs scattered(
    const Call& call, const Tensor& data, const Tensor& updates, Combine combine, Place place) {
    if (data.elements().index() != updates.elements().index())
        return call.error("data and updates have different kinds of elements.");
    Elements elements = std::visit(
        [&](const auto& list) -> Elements {
            using List = std::decay_t<decltype(list)>;
            const auto& from = std::get<List>(updates.elements());
            List result = list;
            for (std::size_t i = 0; i < from.size(); ++i) {
                auto& target = result[static_cast<std::size_t>(place(i))];
                target = combined(target, from[i], combine);
            }
            return result;
        },
        data.elements());
    return one(Tensor(data.dtype(), data.shape(), std::move(elements)));
}

struct Operands {
    const Tensor* data;
    const Tensor* indices;
    const Tensor* updates;
    Combine combine = Combine::Replace;
};

base::Result<Operands> operandsOf(const Call& call) {
    Operands operands{};
    const Tensor** const places[] = {&operands.data, &operands.indices, &operands.updates};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto tensor = call.required(i);
        if (!tensor)
            return tensor.error();
        *places[i] = *tensor;
    }
    const std::string reduction = call.attributes().text("reduction", "none");
    const auto combine = combineOf(reduction);
    if (!combine)
        return call.error("the reduction " + reduction + " is not executable here.");
    operands.combine = *combine;
    return operands;
}

base::Error outside(const Call& call, std::int64_t index, std::int64_t size) {
    return call.error(
        "index " + std::to_string(index) + " is outside an axis of " + std::to_string(size) + ".");
}

} // namespace

/// Scatter, ScatterElements and ATen's scatter family.
Outputs runScatterElements(const Call& call) {
    const auto o = operandsOf(call);
    if (!o)
        return o.error();
    Tensor updates = *o->updates;
    const Extents& shape = o->indices->shape();
    const Extents& base = o->data->shape();
    if (updates.size() == 1 && o->indices->size() > 1) // ATen: one value for all
        updates = strided(updates, shape, Extents(shape.size(), 0), 0);
    if (base.empty() && o->indices->size() == 1)
        return scattered(call, *o->data, updates, o->combine, [](std::size_t) { return 0; });
    const auto axis = axisOf(call, "axis", 0, base.size());
    if (!axis)
        return axis.error();
    if (shape.size() != base.size())
        return call.error("data and indices have different ranks.");
    const Extents ownUpdates = updates.shape();
    if (ownUpdates.size() != shape.size())
        return call.error("indices and updates have different shapes.");
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] > ownUpdates[d] || (d != *axis && shape[d] > base[d]))
            return call.error("the indices reach beyond the data or the updates.");
    if (ownUpdates != shape) // ATen reads the corner that the indices cover
        updates = strided(updates, shape, stridesOf(ownUpdates), 0);
    const std::int64_t size = base[*axis];
    for (std::int64_t i = 0; i < o->indices->size(); ++i)
        if (const std::int64_t index = o->indices->integer(i); index < -size || index >= size)
            return outside(call, index, size);
    const Extents strides = stridesOf(base);
    Walker walker(shape, strides);
    return scattered(call, *o->data, updates, o->combine, [&](std::size_t i) {
        std::int64_t index = o->indices->integer(static_cast<std::int64_t>(i));
        index += index < 0 ? size : 0;
        const std::int64_t at = walker.at() + (index - walker.index()[*axis]) * strides[*axis];
        walker.next();
        return at;
    });
}

Outputs runScatterND(const Call& call) {
    const auto o = operandsOf(call);
    if (!o)
        return o.error();
    const Extents& base = o->data->shape();
    const Extents& where = o->indices->shape();
    if (where.empty() || where.back() > std::ssize(base))
        return call.error("the indices reach more axes than the data has.");
    const auto reach = static_cast<std::size_t>(where.back());
    const std::int64_t inner = productOf(base, reach);
    const std::int64_t rows = productOf(where, 0, where.size() - 1);
    if (o->updates->size() != rows * inner)
        return call.error("there are " + std::to_string(o->updates->size()) + " updates for "
            + std::to_string(rows * inner) + " places.");
    const Extents strides = stridesOf(base);
    Extents starts;
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < reach; ++d) {
            const std::int64_t index =
                o->indices->integer(row * where.back() + static_cast<std::int64_t>(d));
            if (index < -base[d] || index >= base[d])
                return outside(call, index, base[d]);
            at += (index < 0 ? index + base[d] : index) * strides[d];
        }
        starts.push_back(at);
    }
    return scattered(call, *o->data, *o->updates, o->combine, [&](std::size_t i) {
        const auto flat = static_cast<std::int64_t>(i);
        return starts[static_cast<std::size_t>(flat / inner)] + flat % inner;
    });
}

/// TensorScatter-24: (past cache, update, write indices by batch), along `axis`.
Outputs runTensorScatter(const Call& call) {
    const auto data = call.required(0);
    const auto update = call.required(1);
    if (!data || !update)
        return data ? update.error() : data.error();
    const Extents& base = (*data)->shape();
    const Extents& shape = (*update)->shape();
    const auto axis = axisOf(call, "axis", -2, base.size());
    if (!axis)
        return axis.error();
    bool isFitting = shape.size() == base.size() && *axis > 0;
    for (std::size_t d = 0; isFitting && d < shape.size(); ++d)
        isFitting = d == *axis ? shape[d] <= base[d] : shape[d] == base[d];
    const Tensor* starts = call.input(2);
    if (!isFitting || (starts && starts->size() != base[0]))
        return call.error("the update or the write indices do not fit the cache.");
    const bool isCircular = call.attributes().text("mode", "linear") == "circular";
    const std::int64_t size = base[*axis];
    for (std::int64_t b = 0; starts && b < base[0]; ++b)
        if (const std::int64_t at = starts->integer(b);
            at < 0 || (!isCircular && at + shape[*axis] > size))
            return outside(call, at, size);
    const Extents strides = stridesOf(base);
    Walker walker(shape, strides);
    return scattered(call, **data, **update, Combine::Replace, [&](std::size_t) {
        const std::int64_t own = walker.index()[*axis];
        const std::int64_t start = starts ? starts->integer(walker.index()[0]) : 0;
        const std::int64_t at = walker.at() + ((start + own) % size - own) * strides[*axis];
        walker.next();
        return at;
    });
}

namespace {

/// ATen's indexing by tensors: which axes they index, and where each result row starts.
struct Indexing {
    Extents shape; ///< of the result
    Extents places; ///< flat element of self for each element of the result
};

/// Integer indices an axis; a boolean mask of rank r stands for r of them.
base::Result<std::vector<std::optional<Tensor>>> integerIndices(
    const Call& call, const Tensor& self, std::size_t first) {
    std::vector<std::optional<Tensor>> indices;
    for (std::size_t i = first; i < call.inputs.size(); ++i) {
        const Tensor* index = call.input(i);
        const bool isMask =
            index && (index->dtype() == ir::DType::Bool || index->dtype() == ir::DType::UInt8);
        if (!isMask) {
            indices.push_back(index ? std::optional(*index) : std::nullopt);
            continue;
        }
        std::vector<Extents> found(index->rank());
        Walker walker(index->shape(), Extents(index->rank(), 0));
        for (std::int64_t e = 0; e < index->size(); ++e, walker.next())
            for (std::size_t d = 0; index->integer(e) != 0 && d < found.size(); ++d)
                found[d].push_back(walker.index()[d]);
        for (std::size_t d = 0; d < found.size(); ++d) {
            if (indices.size() >= self.rank() || index->shape()[d] != self.shape()[indices.size()])
                return call.error("a mask does not have the shape of what it indexes.");
            indices.emplace_back(Tensor::integers(std::move(found[d])));
        }
    }
    if (indices.size() > self.rank())
        return call.error("there are more indices than axes.");
    indices.resize(self.rank());
    return indices;
}

/// Common broadcast shape of the indices; nullopt where they contradict.
std::optional<Extents> broadcastShape(const std::vector<std::optional<Tensor>>& indices) {
    Extents shape;
    for (const auto& index : indices) {
        if (!index)
            continue;
        const Extents& own = index->shape();
        if (own.size() > shape.size())
            shape.insert(shape.begin(), own.size() - shape.size(), 1);
        for (std::size_t i = 0; i < own.size(); ++i) {
            std::int64_t& size = shape[shape.size() - own.size() + i];
            if (size != own[i] && size != 1 && own[i] != 1)
                return std::nullopt;
            size = size == 1 ? own[i] : size;
        }
    }
    return shape;
}

Extents broadcastStrides(const Extents& own, std::size_t rank) {
    Extents strides(rank, 0);
    const Extents dense = stridesOf(own);
    for (std::size_t i = 0; i < own.size(); ++i)
        strides[rank - own.size() + i] = own[i] == 1 ? 0 : dense[i];
    return strides;
}

/// The axes that are indexed stand together at the first of them, or in front where a whole axis
/// lies between them (NumPy's rule for advanced indexing).
base::Result<Indexing> indexingOf(const Call& call, const Tensor& self, std::size_t first) {
    const auto indices = integerIndices(call, self, first);
    if (!indices)
        return indices.error();
    const auto common = broadcastShape(*indices);
    if (!common)
        return call.error("the indices do not broadcast together.");
    std::vector<std::size_t> indexed;
    for (std::size_t d = 0; d < indices->size(); ++d)
        if ((*indices)[d])
            indexed.push_back(d);
    const bool isTogether =
        indexed.empty() || indexed.back() - indexed.front() + 1 == indexed.size();
    const std::size_t front = isTogether && !indexed.empty() ? indexed.front() : 0;
    Indexing result;
    Extents free; // strides of the whole axes at their places, 0 for the indexed block
    const Extents strides = stridesOf(self.shape());
    for (std::size_t d = 0, seen = 0; d <= self.rank(); ++d) {
        if (seen++ == front) {
            result.shape.insert(result.shape.end(), common->begin(), common->end());
            free.insert(free.end(), common->size(), 0);
        }
        while (d < self.rank() && (*indices)[d])
            ++d;
        if (d < self.rank()) {
            result.shape.push_back(self.shape()[d]);
            free.push_back(strides[d]);
        }
    }
    if (const auto error = call.tooLarge(result.shape))
        return *error;
    const auto count = static_cast<std::size_t>(productOf(result.shape));
    Walker whole(result.shape, free);
    for (std::size_t i = 0; i < count; ++i, whole.next())
        result.places.push_back(whole.at());
    for (const std::size_t d : indexed) {
        const Tensor& index = *(*indices)[d];
        Extents own(result.shape.size(), 0);
        std::ranges::copy(broadcastStrides(index.shape(), common->size()),
            own.begin() + static_cast<std::ptrdiff_t>(front));
        Walker walker(result.shape, own);
        for (std::size_t i = 0; i < count; ++i, walker.next()) {
            const std::int64_t at = index.integer(walker.at()), size = self.shape()[d];
            if (at < -size || at >= size)
                return outside(call, at, size);
            result.places[i] += (at < 0 ? at + size : at) * strides[d];
        }
    }
    return result;
}

} // namespace

/// Index(self, one index or none an axis…).
Outputs runIndex(const Call& call) {
    const auto self = call.required(0);
    if (!self)
        return self.error();
    auto indexing = indexingOf(call, **self, 1);
    if (!indexing)
        return indexing.error();
    return one(picked(
        **self, std::move(indexing->shape), [&](std::size_t i) { return indexing->places[i]; }));
}

/// IndexPut(self, values, one index or none an axis…), `accumulate` adds.
Outputs runIndexPut(const Call& call) {
    const auto self = call.required(0);
    const auto values = call.required(1);
    if (!self || !values)
        return self ? values.error() : self.error();
    const auto indexing = indexingOf(call, **self, 2);
    if (!indexing)
        return indexing.error();
    Tensor updates = **values;
    Extents own = updates.shape();
    while (own.size() > indexing->shape.size() && own.front() == 1)
        own.erase(own.begin());
    bool isFitting = own.size() <= indexing->shape.size();
    for (std::size_t i = 0; isFitting && i < own.size(); ++i)
        isFitting =
            own[i] == 1 || own[i] == indexing->shape[indexing->shape.size() - own.size() + i];
    if (!isFitting)
        return call.error("values of " + extentsText(updates.shape())
            + " do not broadcast to the places of " + extentsText(indexing->shape) + ".");
    updates = strided(
        updates.reshaped(own), indexing->shape, broadcastStrides(own, indexing->shape.size()), 0);
    const bool isAdded = call.attributes().integer("accumulate", 0) != 0;
    return scattered(call, **self, updates, isAdded ? Combine::Add : Combine::Replace,
        [&](std::size_t i) { return indexing->places[i]; });
}

} // namespace fivefold::numerics
