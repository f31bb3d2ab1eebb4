// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/interpreter.h"

namespace fivefold::numerics {

Weights::Weights(std::shared_ptr<const ir::Graph> graph, std::uint64_t seed)
    : m_graph(std::move(graph))
    , m_seed(seed) { }

base::Result<Tensor> Weights::of(ir::ValueId, Carrier, base::Diagnostics&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

bool Weights::isRandom(ir::ValueId) const {
    return false;
}

} // namespace fivefold::numerics
