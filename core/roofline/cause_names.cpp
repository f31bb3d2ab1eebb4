// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/cause_names.h"

#include "core/lowering/tiling.h"

namespace fivefold::roofline {

namespace {

/// Extent of a logical dimension over its axes, padding included.
std::int64_t paddedExtent(const layout::TensorLayout& layout, int dimension) {
    std::int64_t last = 0; // largest index that the axes reach
    for (const layout::Axis& axis : layout.axes)
        if (axis.dimension == dimension && axis.extent > 0)
            last =
                lowering::saturatingAdd(last, lowering::saturatingMul(axis.extent - 1, axis.step));
    return lowering::saturatingAdd(last, 1);
}

std::string dimensionName(std::int64_t extent, int dimension, const lowering::Work& work) {
    const bool isM = work.m == extent, isN = work.n == extent, isK = work.k == extent;
    if (isM + isN + isK == 1)
        return isM ? "m" : isN ? "n" : "k";
    return "dimension " + std::to_string(dimension);
}

} // namespace

std::string clause(std::string sentences) {
    if (const auto end = sentences.find(". "); end != std::string::npos)
        sentences.resize(end);
    if (!sentences.empty() && sentences.back() == '.')
        sentences.pop_back();
    return sentences;
}

std::string layoutClause(const lowering::StageGraph& graph, lowering::ValueId id) {
    const lowering::Value& value = graph.values[id];
    const std::string name = value.name.empty() ? "%" + std::to_string(id.value) : value.name;
    if (!value.layout || value.layout->notation.empty())
        return name + " as it lies in memory";
    return name + " lies as " + value.layout->notation;
}

std::string paddingName(
    const lowering::StageGraph& graph, lowering::ValueId id, const lowering::Work& work) {
    const auto& layout = graph.values[id].layout;
    if (!layout)
        return "padding";
    int dimension = -1;
    double most = 1;
    for (std::size_t d = 0; d < layout->shape.size(); ++d) {
        const std::int64_t extent = layout->shape[d];
        if (extent <= 0)
            continue;
        const double grows = static_cast<double>(paddedExtent(*layout, static_cast<int>(d)))
            / static_cast<double>(extent);
        if (grows > most) {
            most = grows;
            dimension = static_cast<int>(d);
        }
    }
    if (dimension < 0)
        return "padding";
    const std::int64_t extent = layout->shape[static_cast<std::size_t>(dimension)];
    return "padding of " + dimensionName(extent, dimension, work) + " from "
        + std::to_string(extent) + " to " + std::to_string(paddedExtent(*layout, dimension));
}

} // namespace fivefold::roofline
