// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_presenter.h"

#include "core/roofline/caps.h"
#include "views/common/format.h"
#include "views/common/sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fivefold::views::roofline {

using namespace common;

namespace {

/// Above a roof by less than this is rounding.
constexpr double kTolerance = 1e-9;

Roof makeRoof(const fivefold::roofline::Ceiling& ceiling, const machines::Machine& machine) {
    Roof roof;
    roof.name = QString::fromStdString(ceiling.name);
    roof.isMemory = ceiling.kind == fivefold::roofline::CeilingKind::Memory;
    roof.isCurrent = ceiling.isCurrent && !roof.isMemory;
    roof.value = *ceiling.value.value;
    roof.level = ceiling.level;
    if (roof.isMemory && ceiling.level < machine.memories.size())
        roof.kind = machine.memories[ceiling.level].kind;
    roof.status = ceiling.value.status;
    roof.source = sourceText(ceiling.value);
    roof.label = roof.name + u' ' + formatFigure(ceiling.value);
    return roof;
}

/// Every level where the step moves bytes.
std::vector<LevelDot> levelsOf(const fivefold::roofline::Point& point, std::int64_t executions) {
    std::vector<LevelDot> levels;
    for (std::size_t level = 0; level < point.bytesByLevel.size(); ++level)
        if (const auto bytes = point.bytesByLevel[level]; bytes.value > 0)
            levels.push_back({level, point.flops.value / static_cast<double>(bytes.value),
                base::Bytes(bytes.value * executions)});
    return levels;
}

/// Integer arithmetic may run at a ceiling above the chosen precision's.
bool readsQuantised(const analysis::Result& result, const lowering::Step& step) {
    const auto& graph = result.program.stages.back();
    if (!graph || !graph->nodes.contains(step.mainNode))
        return false;
    for (const auto input : graph->nodes[step.mainNode].inputs)
        if (graph->values.contains(input) && ir::isQuantised(graph->values[input].dtype))
            return true;
    return false;
}

double highestPeak(const Picture& picture) {
    double peak = 0;
    for (const auto& roof : picture.roofs)
        if (!roof.isMemory)
            peak = std::max(peak, roof.value);
    return peak;
}

/// The estimates of the families stay below the roofs by themselves; what does not is drawn on its
/// roof and says so.
void clampToRoofs(Dot& dot, const Picture& picture, double peak) {
    double roof = peak > 0 ? peak : dot.achieved;
    for (const auto& at : dot.levels)
        if (const Roof* memory = picture.memoryRoof(at.level))
            roof = std::min(roof, memory->value * at.intensity);
    if (dot.achieved > roof * (1 + kTolerance))
        dot.above = dot.achieved;
    dot.achieved = std::min(dot.achieved, roof);
}

/// The level that the dot stands at: the one that binds, else the farthest with a roof.
void chooseLevel(Dot& dot, const fivefold::roofline::Point& point, const Picture& picture) {
    auto place = std::find_if(dot.levels.begin(), dot.levels.end(), [&](const LevelDot& at) {
        return point.bound == lowering::Bound::Memory && at.level == point.boundLevel;
    });
    // A level with a roof says more than one without.
    if (place == dot.levels.end() || !picture.memoryRoof(place->level))
        place = std::find_if(dot.levels.begin(), dot.levels.end(),
            [&](const LevelDot& at) { return picture.memoryRoof(at.level) != nullptr; });
    dot.isWithoutRoof = place == dot.levels.end();
    if (dot.isWithoutRoof)
        place = dot.levels.begin();
    dot.level = place->level;
    dot.intensity = place->intensity;
}

std::optional<Dot> makeDot(const fivefold::roofline::Point& point, const analysis::Result& result,
    const Picture& picture) {
    if (!result.program.steps.contains(point.step) || !(point.flops.value > 0)
        || !(point.achieved > 0) || !std::isfinite(point.achieved))
        return std::nullopt;
    const lowering::Step& step = result.program.steps[point.step];
    const std::int64_t executions = std::max<std::int64_t>(1, step.executions);
    Dot dot;
    dot.levels = levelsOf(point, executions);
    if (dot.levels.empty())
        return std::nullopt;
    dot.step = point.step;
    dot.name = stepName(result, point.step);
    dot.bound = point.bound;
    dot.achieved = point.achieved;
    dot.time = point.time * static_cast<double>(executions);
    dot.flops = point.flops * static_cast<double>(executions);
    if (const auto& graph = result.program.stages.back();
        graph && graph->nodes.contains(step.mainNode))
        dot.opClass = graph->nodes[step.mainNode].opClass();
    const double total = result.totals.time.value;
    dot.share = total > 0 ? std::clamp(dot.time.value / total, 0.0, 1.0) : 0;
    chooseLevel(dot, point, picture);
    clampToRoofs(dot, picture, readsQuantised(result, step) ? highestPeak(picture) : picture.peak);
    return dot;
}

std::size_t mostUsedLevel(const std::vector<Dot>& dots) {
    std::vector<std::size_t> counts;
    for (const auto& dot : dots) {
        if (dot.level >= counts.size())
            counts.resize(dot.level + 1);
        ++counts[dot.level];
    }
    return counts.empty()
        ? 0
        : static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

} // namespace

const Roof* Picture::memoryRoof(std::size_t level) const {
    const auto found = std::find_if(roofs.begin(), roofs.end(),
        [&](const Roof& roof) { return roof.isMemory && roof.level == level; });
    return found == roofs.end() ? nullptr : &*found;
}

bool Picture::hasDotsWithoutRoof() const {
    return std::any_of(dots.begin(), dots.end(), [](const Dot& dot) { return dot.isWithoutRoof; });
}

Picture present(const analysis::Result& result, Charge charge) {
    Picture picture;
    picture.charge = charge;
    for (const auto& ceiling : result.ceilings)
        if (ceiling.value.isKnown() && *ceiling.value.value > 0
            && ceiling.kind != fivefold::roofline::CeilingKind::Scheduling)
            picture.roofs.push_back(makeRoof(ceiling, result.machine()));
    for (const auto& roof : picture.roofs)
        if (roof.isCurrent)
            picture.peak = std::max(picture.peak, roof.value);
    if (picture.peak == 0)
        picture.peak = highestPeak(picture);
    picture.dots.reserve(result.points.size());
    const auto caps = fivefold::roofline::schedulingCaps(result.program, result.chargedTo, charge);
    for (const auto& point : result.points) {
        if (auto dot = makeDot(point, result, picture)) {
            dot->cap = caps[point.step];
            picture.dots.push_back(std::move(*dot));
        } else {
            ++picture.withoutTraffic;
        }
    }
    std::stable_sort(picture.dots.begin(), picture.dots.end(),
        [](const Dot& a, const Dot& b) { return a.time > b.time; });
    for (const auto& step : result.program.steps)
        picture.unknownSteps += step.estimate.isKnown ? 0 : 1;
    picture.farLevel = mostUsedLevel(picture.dots);
    for (std::size_t s = 0; s < result.chargedTo.size(); ++s)
        if (result.chargedTo[lowering::StepId(s)] != lowering::StepId(s))
            picture.hasRelayouts = true;
    return picture;
}

std::optional<double> roofAt(const Picture& picture, std::size_t level, double intensity) {
    std::optional<double> roof;
    if (picture.peak > 0)
        roof = picture.peak;
    if (const Roof* memory = picture.memoryRoof(level))
        roof = std::min(roof.value_or(memory->value * intensity), memory->value * intensity);
    return roof;
}

std::vector<std::size_t> dotsOf(
    const Picture& picture, const std::vector<lowering::StepId>& steps) {
    std::vector<lowering::StepId> sorted = steps;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> dots;
    if (!sorted.empty())
        for (std::size_t d = 0; d < picture.dots.size(); ++d)
            if (std::binary_search(sorted.begin(), sorted.end(), picture.dots[d].step))
                dots.push_back(d);
    return dots;
}

std::optional<std::size_t> selectedDot(const Picture& picture, const ViewState& state) {
    const auto dots = dotsOf(picture, state.selectedSteps());
    return dots.empty() ? std::nullopt : std::optional(dots.front());
}

Sum sumOf(const Picture& picture, const std::vector<std::size_t>& dots) {
    Sum sum;
    sum.count = dots.size();
    std::array<double, 4> time{};
    std::size_t far = std::numeric_limits<std::size_t>::max();
    for (const std::size_t d : dots) {
        const Dot& dot = picture.dots[d];
        sum.time += dot.time;
        sum.share += dot.share;
        sum.flops += dot.flops;
        time[static_cast<std::size_t>(dot.bound)] += dot.time.value;
        far = std::min(far, dot.levels.front().level);
    }
    if (dots.empty())
        return sum;
    sum.level = far;
    for (const std::size_t d : dots)
        for (const auto& at : picture.dots[d].levels)
            if (at.level == far)
                sum.bytes += at.bytes;
    sum.bound =
        static_cast<lowering::Bound>(std::max_element(time.begin(), time.end()) - time.begin());
    return sum;
}

} // namespace fivefold::views::roofline
