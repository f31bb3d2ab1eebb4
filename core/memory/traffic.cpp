// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/traffic.h"

namespace fivefold::memory {

std::string_view toString(TrafficCause cause) {
    constexpr std::string_view kNames[] = {
        "weights", "activations", "KV cache", "spill", "relayout", "padding", "read again"};
    return kNames[static_cast<std::size_t>(cause)];
}

base::Bytes TrafficByCause::total() const {
    base::Bytes sum;
    for (base::Bytes part : bytes)
        sum += part;
    return sum;
}

std::vector<TrafficByCause> trafficByCause(const lowering::Program&, const machines::Machine&) {
    return {};
}

} // namespace fivefold::memory
