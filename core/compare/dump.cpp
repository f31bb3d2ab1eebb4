// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dump.h"

namespace fivefold::compare {

std::optional<std::size_t> Dump::find(std::string_view) const {
    return {};
}
base::Result<std::shared_ptr<const Dump>> openDump(
    const std::filesystem::path&, const DumpLimits&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

std::shared_ptr<const Dump> dumpOf(
    std::vector<std::pair<std::string, numerics::Tensor>>, std::string) {
    return {};
}
base::Result<base::Done> writeNpz(
    const std::filesystem::path&, const std::vector<std::pair<std::string, numerics::Tensor>>&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::compare
