// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_presenter.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::views::roofline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

/// Above a roof by less than this is rounding.
constexpr double kTolerance = 1e-9;

Roof makeRoof(const fivefold::roofline::Ceiling& ceiling, const machines::Machine& machine) {
    Roof roof;
    roof.isMemory = ceiling.kind == fivefold::roofline::CeilingKind::Memory;
    roof.isCurrent = ceiling.isCurrent && !roof.isMemory;
    roof.value = *ceiling.value.value;
    roof.level = ceiling.level;
    if (roof.isMemory && ceiling.level < machine.memories.size())
        roof.kind = machine.memories[ceiling.level].kind;
    roof.status = ceiling.value.status;
    roof.source = sourceText(ceiling.value);
    roof.label = QString::fromStdString(ceiling.name) + u' ' + formatFigure(ceiling.value);
    return roof;
}

/// FLOP per byte at every level where the step moves bytes.
std::vector<std::pair<std::size_t, double>> intensities(const fivefold::roofline::Point& point) {
    std::vector<std::pair<std::size_t, double>> levels;
    for (std::size_t level = 0; level < point.bytesByLevel.size(); ++level)
        if (point.bytesByLevel[level].value > 0)
            levels.emplace_back(
                level, point.flops.value / static_cast<double>(point.bytesByLevel[level].value));
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

void clampToRoofs(Dot& dot, const Picture& picture, double peak) {
    double roof = peak > 0 ? peak : dot.achieved;
    for (const auto& [level, intensity] : dot.levels)
        if (const Roof* memory = picture.memoryRoof(level))
            roof = std::min(roof, memory->value * intensity);
    if (dot.achieved > roof * (1 + kTolerance))
        dot.isClamped = true;
    dot.achieved = std::min(dot.achieved, roof);
}

std::optional<Dot> makeDot(const fivefold::roofline::Point& point, const analysis::Result& result,
    const Picture& picture) {
    if (!result.program.steps.contains(point.step) || !(point.flops.value > 0)
        || !(point.achieved > 0) || !std::isfinite(point.achieved))
        return std::nullopt;
    const lowering::Step& step = result.program.steps[point.step];
    Dot dot;
    dot.levels = intensities(point);
    if (dot.levels.empty())
        return std::nullopt;
    dot.step = point.step;
    dot.name = stepName(result, point.step);
    dot.bound = point.bound;
    dot.achieved = point.achieved;
    dot.cap = point.schedulingCap;
    dot.time = point.time * static_cast<double>(std::max<std::int64_t>(1, step.executions));
    const double total = result.totals.time.value;
    dot.share = total > 0 ? std::clamp(dot.time.value / total, 0.0, 1.0) : 0;
    auto place = std::find_if(dot.levels.begin(), dot.levels.end(), [&](const auto& level) {
        return point.bound == lowering::Bound::Memory && level.first == point.boundLevel;
    });
    // A level with a roof says more than one without.
    if (place == dot.levels.end() || !picture.memoryRoof(place->first))
        place = std::find_if(dot.levels.begin(), dot.levels.end(),
            [&](const auto& level) { return picture.memoryRoof(level.first) != nullptr; });
    dot.isWithoutRoof = place == dot.levels.end();
    if (dot.isWithoutRoof)
        place = dot.levels.begin();
    dot.level = place->first;
    dot.intensity = place->second;
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

QString levelName(const analysis::Result& result, std::size_t level) {
    const auto& memories = result.machine().memories;
    return level < memories.size() ? QString::fromStdString(memories[level].name) : tr("memory");
}

QString intensityText(double intensity) {
    const QLocale locale;
    const double size = std::abs(intensity);
    if (size > 0 && size < 0.0995)
        return locale.toString(intensity, 'g', 2);
    return locale.toString(intensity, 'f', size < 0.995 ? 2 : size < 9.95 ? 1 : 0);
}

/// The number of `text` alone where it has the unit of `like`.
QString sameUnit(const QString& text, const QString& like) {
    const auto space = like.lastIndexOf(QChar(0x2009));
    return space >= 0 && text.endsWith(like.mid(space))
        ? text.left(text.size() - (like.size() - space))
        : text;
}

QString dotSentence(const Picture& picture, const Dot& dot, const analysis::Result& result) {
    const QString achieved = formatFlops(dot.achieved);
    QString text = tr("%1 reaches %2").arg(dot.name, achieved);
    const auto roof = roofAt(picture, dot.level, dot.intensity);
    if (roof && *roof > 0) {
        const QString share = formatShare(dot.achieved / *roof);
        const Roof* memory = picture.memoryRoof(dot.level);
        const bool isFlat =
            picture.peak > 0 && (!memory || memory->value * dot.intensity > picture.peak);
        text += isFlat
            ? tr(", %1 of the compute roof at %2 FLOP per byte")
                  .arg(share, intensityText(dot.intensity))
            : tr(", %1 of the %2 roof at %3 FLOP per byte")
                  .arg(share, levelName(result, dot.level), intensityText(dot.intensity));
    }
    if (dot.isWithoutRoof)
        text += tr("; %1, where its bytes stay, has no published roof")
                    .arg(levelName(result, dot.level));
    if (dot.cap && *dot.cap > 0) {
        const auto& estimate = result.program.steps[dot.step].estimate;
        const QString name = estimate.scheduling.size() == 1
            ? QString::fromStdString(estimate.scheduling.front().name)
            : tr("scheduling");
        text += tr("; its %1 %2 alone would cap it at %3")
                    .arg(name, formatTime(std::optional(estimate.schedulingShare)),
                        sameUnit(formatFlops(dot.cap), achieved));
    }
    return text + u'.';
}

/// Why a selected thing has no dot.
QString missingSentence(const ViewState& state, const analysis::Result& result) {
    const auto steps = state.selectedSteps();
    const auto& selection = state.selection();
    QString name = QString::fromStdString(selection.added);
    if (!selection.nodes.empty())
        name = shortName(result.graph().nodes[selection.nodes.front()].name);
    const QString machine = QString::fromStdString(result.machine().name);
    if (steps.empty()) {
        const auto& removed = result.program.stages.back();
        if (removed && !selection.nodes.empty())
            for (const auto& entry : removed->removed)
                if (entry.node == selection.nodes.front())
                    return tr("%1 was removed on %2 at stage %3: %4.")
                        .arg(name, machine, stageName(entry.stage),
                            QString::fromStdString(entry.rule));
        return tr("%1 runs in no step on %2, so it has no place on the roofline.")
            .arg(name, machine);
    }
    if (!result.program.steps[steps.front()].estimate.isKnown)
        return tr("The time of %1 on %2 is unknown, so it has no place on the roofline.")
            .arg(name, machine);
    return tr("%1 does no arithmetic or moves no bytes that are counted, so it has no place on the "
              "roofline.")
        .arg(name);
}

QString overviewSentence(const Picture& picture) {
    std::array<double, 4> time{};
    std::array<std::size_t, 4> count{};
    for (const auto& dot : picture.dots) {
        time[static_cast<std::size_t>(dot.bound)] += dot.share;
        ++count[static_cast<std::size_t>(dot.bound)];
    }
    const auto most =
        static_cast<std::size_t>(std::max_element(time.begin(), time.end()) - time.begin());
    const Dot& first = picture.dots.front();
    const auto roof = roofAt(picture, first.level, first.intensity);
    QString text =
        tr("%1 of %2 steps are bound by %3 and take %4 of the time; the longest, %5, reaches %6")
            .arg(formatCount(static_cast<std::int64_t>(count[most])),
                formatCount(static_cast<std::int64_t>(picture.dots.size())),
                boundName(static_cast<lowering::Bound>(most)), formatShare(time[most]), first.name,
                formatFlops(first.achieved));
    if (roof && *roof > 0)
        text += tr(", %1 of its roof").arg(formatShare(first.achieved / *roof));
    return text + u'.';
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

Picture present(const analysis::Result& result) {
    Picture picture;
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
    for (const auto& point : result.points) {
        if (auto dot = makeDot(point, result, picture))
            picture.dots.push_back(std::move(*dot));
        else
            ++picture.withoutTraffic;
    }
    std::stable_sort(picture.dots.begin(), picture.dots.end(),
        [](const Dot& a, const Dot& b) { return a.time > b.time; });
    for (const auto& step : result.program.steps)
        picture.unknownSteps += step.estimate.isKnown ? 0 : 1;
    picture.farLevel = mostUsedLevel(picture.dots);
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

std::optional<std::size_t> selectedDot(const Picture& picture, const ViewState& state) {
    const auto steps = state.selectedSteps();
    if (steps.empty())
        return std::nullopt;
    for (std::size_t d = 0; d < picture.dots.size(); ++d)
        if (std::find(steps.begin(), steps.end(), picture.dots[d].step) != steps.end())
            return d;
    return std::nullopt;
}

QString sentence(const Picture& picture, const ViewState& state) {
    const auto result = state.result();
    if (!result)
        return tr("No model is open, so there is no roofline.");
    if (const auto dot = selectedDot(picture, state))
        return dotSentence(picture, picture.dots[*dot], *result);
    if (!state.selection().isEmpty())
        return missingSentence(state, *result);
    if (picture.dots.empty())
        return result->program.steps.empty()
            ? tr("The model has no operators that run, so nothing is on the roofline.")
            : tr("No step has arithmetic, bytes and a known time, so nothing is on the roofline.");
    return overviewSentence(picture);
}

} // namespace fivefold::views::roofline
