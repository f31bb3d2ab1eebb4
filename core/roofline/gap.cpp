// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/gap.h"

#include "core/roofline/causes.h"

#include <algorithm>

namespace fivefold::roofline {

using base::Seconds;
using lowering::Step;
using lowering::StepId;
using memory::StepKind;

namespace {

/// Share of the bytes across the border that is padding, 0..1.
double paddingShare(std::span<const memory::BorderValue> border) {
    double logical = 0, device = 0;
    for (const memory::BorderValue& value : border) {
        logical += static_cast<double>(value.logical.value);
        device += static_cast<double>(value.device.value);
    }
    return device > logical ? 1 - logical / device : 0;
}

/// Takes up to `wanted` out of `from`.
double take(double& from, double wanted) {
    const double taken = std::clamp(wanted, 0.0, std::max(0.0, from));
    from -= taken;
    return taken;
}

/// The time charged to memory by level: what a level takes longer than those farther out.
void splitLevels(const lowering::Estimate& e, StepParts& parts) {
    std::array<double, StepParts::kLevels> times{};
    std::size_t slowest = std::min(e.boundLevel, StepParts::kLevels - 1);
    for (const lowering::LevelTraffic& traffic : e.traffic)
        if (traffic.level < times.size())
            times[traffic.level] += traffic.time.value;
    for (std::size_t level = 0; level < times.size(); ++level)
        if (times[level] > times[slowest])
            slowest = level;
    double rest = e.memoryShare.value, reached = 0;
    for (std::size_t level = 0; level < times.size(); ++level) {
        parts.memory[level] = take(rest, times[level] - reached);
        reached = std::max(reached, times[level]);
    }
    parts.memory[slowest] += rest;
}

double takeFromLevels(StepParts& parts, double wanted) {
    double taken = 0;
    for (double& level : parts.memory)
        taken += take(level, wanted - taken);
    return taken;
}

/// Merges parts of one kind and name.
void addPart(Gap& gap, GapKind kind, std::string_view name, double time, std::size_t level = 0) {
    if (!(time > 0))
        return;
    for (GapPart& part : gap.parts)
        if (part.kind == kind && part.level == level && part.name == name) {
            part.time += Seconds(time);
            return;
        }
    gap.parts.push_back({kind, std::string(name), level, Seconds(time)});
}

GapKind kindOf(lowering::PartKind kind) {
    switch (kind) {
    case lowering::PartKind::Launch:
        return GapKind::Launch;
    case lowering::PartKind::Relayout:
        return GapKind::Relayout;
    case lowering::PartKind::Stall:
        break;
    }
    return GapKind::Stall;
}

/// Below this share of the estimate a part is rounding of sums.
constexpr double kRounding = 1e-9;

void finishGap(Gap& gap) {
    std::erase_if(gap.parts,
        [&](const GapPart& part) { return part.time.value <= gap.estimate.value * kRounding; });
    std::stable_sort(gap.parts.begin(), gap.parts.end(), [](const GapPart& a, const GapPart& b) {
        return std::pair(a.kind, a.level) < std::pair(b.kind, b.level);
    });
    double sum = 0;
    for (const GapPart& part : gap.parts)
        sum += part.time.value;
    if (!gap.parts.empty()) // what was rounding goes to the longest
        std::max_element(gap.parts.begin(), gap.parts.end(),
            [](const GapPart& a, const GapPart& b) { return a.time < b.time; })
            ->time += Seconds(gap.estimate.value - sum);
}

} // namespace

std::string_view toString(GapKind kind) {
    constexpr std::string_view kNames[] = {
        "ideal", "padding", "tile", "memory", "relayout", "launch", "stall"};
    return kNames[static_cast<std::size_t>(kind)];
}

GapAnalysis::GapAnalysis(const lowering::Program& program, const machines::Machine& machine)
    : m_program(program)
    , m_machine(machine)
    , m_borders(program)
    , m_charged(chargedSteps(program, m_borders)) {
    m_asked.resize(program.steps.size());
    for (std::size_t s = 0; s < m_charged.size(); ++s)
        if (m_charged[StepId(s)] != StepId(s))
            m_asked[m_charged[StepId(s)]].push_back(StepId(s));
}

StepParts GapAnalysis::partsOf(StepId id) const {
    const lowering::Estimate& e = m_program.steps[id].estimate;
    StepParts parts;
    if (!e.isKnown)
        return parts;
    parts.scheduling = e.schedulingShare.value;
    parts.tile = std::max(0.0, e.computeShare.value);
    splitLevels(e, parts);
    // The ideal is part of whichever share is larger; what exceeds that, of the other.
    const double ideal = m_borders.kind(id) != StepKind::Work
        ? 0
        : std::clamp(e.ideal.value, 0.0, e.computeShare.value + e.memoryShare.value);
    if (e.computeShare >= e.memoryShare) {
        parts.ideal = take(parts.tile, ideal);
        parts.ideal += takeFromLevels(parts, ideal - parts.ideal);
    } else {
        parts.ideal = takeFromLevels(parts, ideal);
        parts.ideal += take(parts.tile, ideal - parts.ideal);
    }
    if (e.paddedFlops > e.flops)
        parts.computePadding =
            take(parts.tile, e.computeShare.value * (1 - e.flops / e.paddedFlops));
    if (const double share = paddingShare(m_borders.of(id)); share > 0)
        parts.memoryPadding = takeFromLevels(parts, e.memoryShare.value * share);
    return parts;
}

void GapAnalysis::add(Gap& gap, StepId id, Charge charge) const {
    const Step& step = m_program.steps[id];
    const lowering::Estimate& e = step.estimate;
    if (!e.isKnown) {
        gap.isAtLeast = true;
        return;
    }
    const auto times = static_cast<double>(step.executions);
    gap.estimate += Seconds(e.time.value * times);
    gap.flops += base::Flops(e.flops.value * times);
    const bool isRelayout = m_borders.kind(id) != StepKind::Work;
    if (isRelayout && charge == Charge::ToCause) {
        const lowering::StageGraph* graph = m_borders.graph();
        addPart(gap, GapKind::Relayout,
            graph && graph->nodes.contains(step.mainNode) ? graph->nodes[step.mainNode].op
                                                          : step.name,
            e.time.value * times);
        return;
    }
    const auto part = [&](GapKind kind, std::string_view name, double time, std::size_t level = 0) {
        addPart(
            gap, isRelayout ? GapKind::Relayout : kind, name, time * times, isRelayout ? 0 : level);
    };
    const StepParts parts = partsOf(id);
    part(GapKind::Ideal, "ideal", parts.ideal);
    part(GapKind::Padding, "padding", parts.computePadding + parts.memoryPadding);
    part(GapKind::Tile, "tile and fill", parts.tile);
    for (std::size_t level = 0; level < parts.memory.size(); ++level)
        part(GapKind::Memory,
            level < m_machine.memories.size() ? std::string_view(m_machine.memories[level].name)
                                              : "memory",
            parts.memory[level], level);
    double rest = parts.scheduling;
    for (const lowering::TimePart& piece : e.scheduling)
        part(kindOf(piece.kind), piece.name, take(rest, piece.time.value));
    part(GapKind::Stall, "other", rest);
}

Gap GapAnalysis::of(std::span<const StepId> steps, Charge charge) const {
    Gap gap;
    for (const StepId step : steps) {
        if (!m_program.steps.contains(step))
            continue;
        if (charge == Charge::ToItself || m_charged[step] == step)
            add(gap, step, charge);
        if (charge == Charge::ToCause)
            for (const StepId asked : m_asked[step])
                add(gap, asked, charge);
    }
    finishGap(gap);
    return gap;
}

Gap GapAnalysis::ofProgram() const {
    Gap gap;
    for (std::size_t s = 0; s < m_program.steps.size(); ++s)
        add(gap, StepId(s), Charge::ToCause);
    finishGap(gap);
    return gap;
}

Gap gapOf(const lowering::Program& program, const machines::Machine& machine,
    std::span<const StepId> steps, Charge charge) {
    return GapAnalysis(program, machine).of(steps, charge);
}

Gap gapOf(const lowering::Program& program, const machines::Machine& machine) {
    return GapAnalysis(program, machine).ofProgram();
}

} // namespace fivefold::roofline
