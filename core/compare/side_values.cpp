// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/side_values.h"

#include "core/compare/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::compare {

using numerics::Format;
using numerics::Tensor;

namespace {

template <typename T>
std::vector<T> reorder(const std::vector<T>& from, const std::vector<std::int64_t>& shape,
    const std::vector<std::int64_t>& strides) {
    std::vector<T> to(from.size());
    std::vector<std::int64_t> index(shape.size(), 0);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = from[static_cast<std::size_t>(at)];
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            at += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            at -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return to;
}

bool holds(const Tensor& tensor, Format format) {
    constexpr std::int64_t kLooked = 4096;
    const std::int64_t step = std::max<std::int64_t>(1, tensor.size() / kLooked);
    for (std::int64_t i = 0; i < tensor.size(); i += step) {
        const double value = tensor.number(i);
        if (std::isfinite(value) && numerics::round(value, format) != value)
            return false;
    }
    return true;
}

/// Whether its elements say anything of their format: integers and a few constants lie in all.
bool isTelling(const Tensor& tensor) {
    constexpr std::size_t kFewest = 12;
    constexpr std::int64_t kLooked = 256;
    const std::int64_t step = std::max<std::int64_t>(1, tensor.size() / kLooked);
    std::set<double> fractions;
    for (std::int64_t i = 0; i < tensor.size() && fractions.size() < kFewest; i += step) {
        const double value = std::abs(tensor.number(i));
        if (std::isfinite(value) && value != std::floor(value))
            fractions.insert(value);
    }
    return fractions.size() >= kFewest;
}

/// Float tensors wider than 16 bits, neither tiny nor huge.
std::vector<std::size_t> wideEntries(const Dump& dump, const std::set<std::string>& skipped) {
    constexpr std::int64_t kLeast = 12, kMost = std::int64_t(1) << 22;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < dump.entries().size(); ++i) {
        const DumpEntry& entry = dump.entries()[i];
        const bool isWide = entry.dtype == ir::DType::Float32 || entry.dtype == ir::DType::Float64;
        if (!isWide || !entry.hasContents || skipped.contains(entry.name))
            continue;
        double elements = 1;
        for (const std::int64_t extent : entry.shape)
            elements *= static_cast<double>(extent);
        if (elements >= kLeast && elements <= static_cast<double>(kMost))
            result.push_back(i);
    }
    return result;
}

} // namespace

Tensor transposed(const Tensor& tensor, const std::vector<std::int64_t>& axes) {
    const auto& from = tensor.shape();
    std::vector<std::int64_t> own(from.size(), 1), shape, strides;
    for (std::size_t i = from.size(); i-- > 1;)
        own[i - 1] = own[i] * from[i];
    for (const std::int64_t axis : axes) {
        shape.push_back(from[static_cast<std::size_t>(axis)]);
        strides.push_back(own[static_cast<std::size_t>(axis)]);
    }
    return std::visit(
        [&](const auto& list) {
            return Tensor(tensor.dtype(), shape, reorder(list, shape, strides));
        },
        tensor.elements());
}

Format formatOfContents(const Dump& dump, const std::set<std::string>& skipped) {
    constexpr std::size_t kTensors = 32;
    constexpr double kShare = 0.75;
    constexpr std::array kCoarsestFirst{
        Format::Fp8E5M2, Format::Fp8E4M3, Format::Bf16, Format::DlFloat16, Format::Fp16};
    const auto wide = wideEntries(dump, skipped);
    const std::size_t step = std::max<std::size_t>(1, wide.size() / kTensors);
    std::array<std::size_t, kCoarsestFirst.size()> held{};
    std::size_t seen = 0;
    for (std::size_t i = 0; i < wide.size(); i += step) {
        const auto tensor = dump.read(wide[i]);
        if (!tensor || !isTelling(*tensor))
            continue;
        ++seen;
        for (std::size_t f = 0; f < kCoarsestFirst.size(); ++f)
            held[f] += holds(*tensor, kCoarsestFirst[f]) ? 1 : 0;
    }
    for (std::size_t f = 0; seen > 0 && f < kCoarsestFirst.size(); ++f) {
        if (static_cast<double>(held[f]) >= kShare * static_cast<double>(seen))
            return kCoarsestFirst[f];
    }
    return Format::Fp32;
}

SideValues::SideValues(const Side& side, const ir::Typed& typed)
    : m_side(side)
    , m_typed(typed)
    , m_matching(match(*side.repeats.front(), typed, side.edits))
    , m_index(typed.graph->values.size(), -1) {
    for (std::size_t i = 0; i < m_matching.matches.size(); ++i)
        m_index[m_matching.matches[i].value] = static_cast<std::int32_t>(i);
}

const Match* SideValues::of(ir::ValueId value) const {
    if (!m_index.contains(value) || m_index[value] < 0)
        return nullptr;
    return &m_matching.matches[static_cast<std::size_t>(m_index[value])];
}

const DumpEntry* SideValues::entry(ir::ValueId value) const {
    const Match* match = of(value);
    if (!match)
        return nullptr;
    const Dump& dump = *m_side.repeats.front();
    const auto at = dump.find(match->key);
    return at ? &dump.entries()[*at] : nullptr;
}

const Tensor& SideValues::tensor(ir::ValueId value, std::size_t repeat) {
    const auto [at, isNew] = m_tensors.try_emplace({value, repeat});
    const Match* match = of(value);
    if (isNew && match)
        at->second = read(*match, repeat);
    return at->second;
}

Tensor SideValues::read(const Match& match, std::size_t repeat) {
    const Dump& dump = *m_side.repeats[repeat];
    const auto at = dump.find(match.key);
    if (!at || !dump.entries()[*at].hasContents)
        return {};
    auto tensor = dump.read(*at);
    if (!tensor) {
        m_notes.push_back(tensor.error().text());
        return {};
    }
    if (!match.permutation.empty())
        return transposed(*tensor, match.permutation);
    // A batch axis more or less is the dump's own way of writing the same elements.
    const auto& type = m_typed.types[match.value];
    if (type.shape && type.shape->size() != tensor->rank()) {
        std::vector<std::int64_t> shape;
        std::int64_t elements = 1;
        for (const ir::Dim& dim : *type.shape) {
            if (!dim.isKnown())
                return *std::move(tensor);
            shape.push_back(dim.value());
            elements *= dim.value();
        }
        if (elements == tensor->size())
            return tensor->reshaped(std::move(shape));
    }
    return *std::move(tensor);
}

void SideValues::drop(ir::ValueId value) {
    for (std::size_t repeat = 0; repeat < repeats(); ++repeat)
        m_tensors.erase({value, repeat});
}

} // namespace fivefold::compare
