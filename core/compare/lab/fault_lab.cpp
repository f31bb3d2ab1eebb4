// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/fault_lab.h"

namespace fivefold::compare {

std::span<const Carrier> carriers() {
    return {};
}
std::string notApplicable(numerics::FaultId, std::string_view) {
    return {};
}
std::vector<numerics::Fault> applicable(const numerics::Subject&, ir::NodeId) {
    return {};
}
std::span<const ControlFacts> controls() {
    return {};
}
base::Result<Planted> plant(const numerics::Subject&, const numerics::Inputs&,
    std::vector<numerics::Fault>, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<std::vector<std::pair<std::string, numerics::Tensor>>> control(
    const numerics::Subject&, const numerics::Inputs&, int, std::uint64_t, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

Marks mark(const Planted&, const Answer&) {
    return {};
}

} // namespace fivefold::compare
