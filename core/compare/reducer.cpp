// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/reducer.h"

namespace fivefold::compare {

base::Result<Reproducer> reduce(const numerics::Subject&, const Divergence&, std::size_t,
    const Lowerer&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<base::Done> writeReproducer(const Reproducer&, const std::filesystem::path&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<Reproducer> readReproducer(const std::filesystem::path&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<Replay> replay(const Reproducer&, const Lowerer&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::compare
