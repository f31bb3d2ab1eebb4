// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/traffic.h"

#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::memory {

using base::Bytes;
using lowering::saturatingAdd;
using lowering::saturatingMul;

namespace {

using ByCause = std::array<std::int64_t, kTrafficCauses>;

std::int64_t& at(ByCause& bytes, TrafficCause cause) {
    return bytes[static_cast<std::size_t>(cause)];
}

TrafficCause causeOf(const BorderValue& value, std::size_t level) {
    if (value.isSpill && value.level == level)
        return TrafficCause::Spill;
    switch (value.role) {
    case lowering::ValueRole::Weight:
    case lowering::ValueRole::Constant:
        return TrafficCause::Weights;
    case lowering::ValueRole::KvCache:
        return TrafficCause::KvCache;
    default:
        return TrafficCause::Activations;
    }
}

/// The causes of `total` bytes: as the border says, the rest read again; where the border has more
/// (a level that keeps some of it), in proportion. The parts add up to the total.
ByCause split(const ByCause& border, std::int64_t total) {
    std::int64_t sum = 0;
    for (const std::int64_t part : border)
        sum = saturatingAdd(sum, part);
    ByCause parts = border;
    if (sum <= total) {
        at(parts, TrafficCause::Reread) += total - sum;
        return parts;
    }
    std::int64_t given = 0;
    for (std::int64_t& part : parts) {
        part = static_cast<std::int64_t>(static_cast<long double>(part)
            / static_cast<long double>(sum) * static_cast<long double>(total));
        part = std::min(part, total - given);
        given += part;
    }
    *std::max_element(parts.begin(), parts.end()) += total - given;
    return parts;
}

ByCause causesAt(const StepBorders& borders, lowering::StepId step, std::size_t level) {
    ByCause bytes{};
    for (const BorderValue& value : borders.of(step)) {
        if (value.level > level) // lies nearer than this memory
            continue;
        std::int64_t& part = at(bytes, causeOf(value, level));
        part = saturatingAdd(part, value.logical.value);
        std::int64_t& padding = at(bytes, TrafficCause::Padding);
        padding = saturatingAdd(padding, value.device.value - value.logical.value);
    }
    return bytes;
}

} // namespace

std::string_view toString(TrafficCause cause) {
    constexpr std::string_view kNames[] = {
        "weights", "activations", "KV cache", "spill", "relayout", "padding", "read again"};
    return kNames[static_cast<std::size_t>(cause)];
}

Bytes TrafficByCause::total() const {
    Bytes sum;
    for (const Bytes part : bytes)
        sum = Bytes(saturatingAdd(sum.value, part.value));
    return sum;
}

std::vector<TrafficByCause> trafficByCause(
    const lowering::Program& program, const machines::Machine& machine) {
    return trafficByCause(program, machine, StepBorders(program));
}

std::vector<TrafficByCause> trafficByCause(const lowering::Program& program,
    const machines::Machine& machine, const StepBorders& borders, std::span<const double> shares) {
    std::vector<TrafficByCause> levels(machine.memories.size());
    for (std::size_t level = 0; level < levels.size(); ++level)
        levels[level].level = level;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        const lowering::StepId id(s);
        const lowering::Step& step = program.steps[id];
        const double share = s < shares.size() ? shares[s] : 1;
        if (!(share > 0))
            continue;
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic) {
            const std::int64_t total = saturatingAdd(traffic.read.value, traffic.written.value);
            if (traffic.level >= levels.size() || total <= 0)
                continue;
            ByCause parts{};
            if (borders.kind(id) == StepKind::Relayout)
                at(parts, TrafficCause::Relayout) = total;
            else
                parts = split(causesAt(borders, id, traffic.level), total);
            for (std::size_t cause = 0; cause < kTrafficCauses; ++cause) {
                Bytes& sum = levels[traffic.level].bytes[cause];
                std::int64_t bytes = saturatingMul(parts[cause], step.executions);
                if (share < 1)
                    bytes = static_cast<std::int64_t>(static_cast<double>(bytes) * share);
                sum = Bytes(saturatingAdd(sum.value, bytes));
            }
        }
    }
    return levels;
}

} // namespace fivefold::memory
