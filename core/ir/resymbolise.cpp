// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/resymbolise.h"

namespace fivefold::ir {

std::vector<FreeAxis> freeAxes(const Graph&, const base::Progress&) {
    return {};
}

base::Result<std::shared_ptr<const Graph>> resymbolise(
    const std::shared_ptr<const Graph>& graph, const FreeAxis& axis) {
    if (axis.isProved)
        return graph;
    return base::Error{base::ErrorCode::InvalidArgument, axis.reason, axis.symbol};
}

} // namespace fivefold::ir
