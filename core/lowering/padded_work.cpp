// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/padded_work.h"

#include <algorithm>
#include <cmath>

namespace fivefold::lowering {

namespace {

double growth(const StageGraph& graph, ValueId id) {
    if (!graph.values.contains(id) || !graph.values[id].layout)
        return 1;
    const layout::TensorLayout& layout = *graph.values[id].layout;
    const auto real = static_cast<double>(layout::logicalElements(layout));
    return real > 0 ? std::max(1.0, static_cast<double>(layout::deviceElements(layout)) / real) : 1;
}

} // namespace

double paddedWork(const StageGraph& graph, const Node& node) {
    if (node.outputs.empty())
        return 1;
    const double result = growth(graph, node.outputs.front());
    if (node.opClass() != ir::OpClass::Contraction || node.inputs.size() < 2)
        return result;
    return std::sqrt(result * growth(graph, node.inputs[0]) * growth(graph, node.inputs[1]));
}

} // namespace fivefold::lowering
