// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/faults.h"

namespace fivefold::numerics {

std::string_view toString(Level) {
    return {};
}
std::string toString(FaultId) {
    return {};
}
std::optional<FaultId> parseFault(std::string_view) {
    return {};
}
const FaultFacts& facts(FaultId) {
    static const FaultFacts none{};
    return none;
}
std::span<const FaultFacts> faultCatalogue() {
    return {};
}
double Fault::parameter(std::string_view, double fallback) const {
    return fallback;
}

} // namespace fivefold::numerics
