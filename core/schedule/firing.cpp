// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing.h"

namespace fivefold::schedule {

std::string_view toString(ExecutionModel model) {
    constexpr std::string_view kNames[] = {
        "program_counter", "dynamic_dataflow", "static_schedule"};
    return kNames[static_cast<std::size_t>(model)];
}

std::string_view toString(Arbitration arbitration) {
    constexpr std::string_view kNames[] = {"oldest_first", "round_robin", "critical_first"};
    return kNames[static_cast<std::size_t>(arbitration)];
}

FiringTrace fire(const lowering::Program&, const FiringOptions& options) {
    FiringTrace trace;
    trace.options = options;
    return trace;
}

FiringState stateAt(const FiringTrace&, base::Picoseconds) {
    return {};
}

} // namespace fivefold::schedule
