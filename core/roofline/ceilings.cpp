// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/roofline.h"

#include <algorithm>

namespace fivefold::roofline {

std::string_view toString(CeilingKind kind) {
    switch (kind) {
    case CeilingKind::Compute:
        return "compute";
    case CeilingKind::Memory:
        return "memory";
    case CeilingKind::Scheduling:
        return "scheduling";
    }
    return "compute";
}

namespace {

machines::Figure totalBandwidth(const machines::Memory& memory) {
    if (memory.aggregateBandwidth.isKnown() || memory.instances <= 1)
        return memory.aggregateBandwidth.isKnown() ? memory.aggregateBandwidth : memory.bandwidth;
    machines::Figure figure = memory.bandwidth;
    figure.value = memory.totalBandwidth();
    figure.note = std::to_string(memory.instances) + " instances together";
    return figure;
}

} // namespace

std::vector<Ceiling> ceilings(const machines::Machine& machine, machines::Precision precision) {
    std::vector<Ceiling> result;
    for (const auto& [rated, figure] : machine.peaks)
        if (figure.isKnown())
            result.push_back({std::string(machines::toString(rated)), CeilingKind::Compute, figure,
                0, rated == precision});
    std::stable_sort(result.begin(), result.end(),
        [](const Ceiling& a, const Ceiling& b) { return *a.value.value > *b.value.value; });
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].totalBandwidth())
            result.push_back({machine.memories[i].name, CeilingKind::Memory,
                totalBandwidth(machine.memories[i]), i, false});
    return result;
}

} // namespace fivefold::roofline
