// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/roofline/side_card.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <map>

namespace fivefold::views::roofline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

QString betweenText(base::Seconds low, base::Seconds high) {
    return tr("%1 to %2").arg(formatTime(std::optional(low)), formatTime(std::optional(high)));
}

/// "the traffic's 3.5 µs hide the arithmetic's 0.9 µs; scheduling stands apart: 3.5 + 4.0 = 7.5 µs"
QString partsNote(const lowering::Estimate& estimate) {
    base::Seconds memory;
    for (const auto& traffic : estimate.traffic)
        memory = std::max(memory, traffic.time);
    const QString compute = formatTime(std::optional(estimate.compute));
    const QString moved = formatTime(std::optional(memory));
    QString text;
    const bool hasBoth = estimate.compute.value > 0 && memory.value > 0;
    if (hasBoth && estimate.memoryShare.value == 0)
        text = tr("The arithmetic hides the traffic's %1").arg(moved);
    else if (hasBoth && estimate.computeShare.value == 0)
        text = tr("The traffic hides the arithmetic's %1").arg(compute);
    else if (hasBoth)
        text = tr("Arithmetic and traffic follow each other");
    if (estimate.schedulingShare.value <= 0)
        return text.isEmpty() ? text : text + u'.';
    const base::Seconds busy = estimate.computeShare + estimate.memoryShare;
    const QString sum = tr("%1 + %2 = %3")
                            .arg(formatTime(std::optional(busy)),
                                formatTime(std::optional(estimate.schedulingShare)),
                                formatTime(std::optional(estimate.time)));
    return text.isEmpty() ? sum + u'.' : tr("%1; scheduling stands apart: %2.").arg(text, sum);
}

void addParts(SideContent& side, const analysis::Result& result, const lowering::Estimate& e) {
    if (e.compute.value > 0)
        side.parts.push_back({tr("arithmetic"), lowering::Bound::Compute, e.compute});
    const auto slowest = std::max_element(e.traffic.begin(), e.traffic.end(),
        [](const auto& a, const auto& b) { return a.time < b.time; });
    if (slowest != e.traffic.end() && slowest->time.value > 0)
        side.parts.push_back({tr("traffic of %1").arg(levelName(result, slowest->level)),
            lowering::Bound::Memory, slowest->time});
    for (const auto& part : e.scheduling)
        side.parts.push_back(
            {QString::fromStdString(part.name), lowering::Bound::Scheduling, part.time});
    side.partsNote = partsNote(e);
}

void addLevels(SideContent& side, const analysis::Result& result, const lowering::Estimate& e) {
    const auto& memories = result.machine().memories;
    for (std::size_t level = 0; level < memories.size(); ++level) {
        base::Bytes bytes;
        base::Seconds time;
        for (const auto& traffic : e.traffic)
            if (traffic.level == level) {
                bytes += traffic.total();
                time += traffic.time;
            }
        if (bytes.value > 0)
            side.levels.push_back({levelName(result, level), memories[level].kind, bytes,
                e.flops.value / static_cast<double>(bytes.value),
                memories[level].totalBandwidth() ? std::optional(time) : std::nullopt});
    }
}

/// The compute ceiling in force and those of the levels that are used.
void addFigures(SideContent& side, const Picture& picture) {
    for (const auto& roof : picture.roofs) {
        const bool isUsed = roof.isMemory ? std::any_of(side.levels.begin(), side.levels.end(),
                                [&](const auto& level) { return level.name == roof.name; })
                                          : roof.isCurrent;
        if (isUsed)
            side.figures.push_back({roof.status, statusName(roof.status) + u' ' + roof.label});
    }
}

void addBand(SideContent& side, const analysis::Result& result, std::optional<base::Seconds> low,
    std::optional<base::Seconds> high, const std::string& source) {
    if (low && high)
        side.pairs.push_back({tr("band"), betweenText(*low, *high)});
    side.pairs.push_back({tr("validated"),
        source.empty() ? validationText(result) : QString::fromStdString(source)});
}

SideContent ofStep(const Picture& picture, const analysis::Result& result, const Dot& dot) {
    SideContent side;
    const lowering::Step& step = result.program.steps[dot.step];
    const lowering::Estimate& e = step.estimate;
    side.title = QString::fromStdString(step.name);
    const auto& graph = result.program.stages.back();
    if (graph && step.kernel.isValid() && graph->kernels.contains(step.kernel)) {
        const auto& kernel = graph->kernels[step.kernel];
        side.pairs.push_back({tr("kernel"),
            QString::fromStdString(kernel.kind) + QStringLiteral(" · ")
                + QString::fromStdString(kernel.name)});
    }
    if (!step.workDivision.empty())
        side.pairs.push_back({tr("division"), QString::fromStdString(step.workDivision)});
    side.pairs.push_back({tr("work"), workText(e.flops)});
    side.pairs.push_back({tr("estimate"), formatTime(std::optional(e.time)), true});
    if (step.executions > 1)
        side.pairs.push_back({tr("runs"),
            tr("%1 times, %2 in all")
                .arg(formatCount(step.executions), formatTime(std::optional(dot.time)))});
    addBand(side, result, e.low, e.high, e.bandSource);
    if (e.compilerIdeal)
        side.pairs.push_back({tr("compiler's ideal"), formatTime(e.compilerIdeal)});
    addLevels(side, result, e);
    addParts(side, result, e);
    addFigures(side, picture);
    return side;
}

SideContent ofSum(const Picture& picture, const analysis::Result& result,
    const std::vector<std::size_t>& dots, bool isWhole) {
    SideContent side;
    std::map<std::size_t, base::Bytes> bytes;
    base::Seconds compute, memory, scheduling;
    for (const std::size_t d : dots) {
        const Dot& dot = picture.dots[d];
        const lowering::Step& step = result.program.steps[dot.step];
        const auto times = static_cast<double>(std::max<std::int64_t>(1, step.executions));
        compute += step.estimate.computeShare * times;
        memory += step.estimate.memoryShare * times;
        scheduling += step.estimate.schedulingShare * times;
        for (const auto& at : dot.levels)
            bytes[at.level] += at.bytes;
    }
    const Sum sum = sumOf(picture, dots);
    const auto& totals = result.totals;
    const QString count = formatCount(static_cast<std::int64_t>(sum.count));
    side.title = isWhole ? tr("Whole graph") : tr("%1 operators").arg(count);
    if (isWhole)
        side.pairs.push_back({tr("operators"),
            tr("%1 on the chart of %2")
                .arg(count, formatCount(static_cast<std::int64_t>(result.program.steps.size())))});
    side.pairs.push_back({tr("work"), workText(sum.flops)});
    const QString time = formatTime(std::optional(isWhole ? totals.time : sum.time));
    side.pairs.push_back({tr("estimate"),
        isWhole && totals.unknownSteps > 0 ? tr("at least %1").arg(time) : time, true});
    if (isWhole)
        addBand(side, result, totals.low, totals.high, {});
    else
        side.pairs.push_back({tr("share"), tr("%1 of the time").arg(formatShare(sum.share))});
    const auto& memories = result.machine().memories;
    for (const auto& [level, moved] : bytes)
        side.levels.push_back({levelName(result, level),
            level < memories.size() ? memories[level].kind : machines::MemoryKind::Device, moved,
            sum.flops.value / static_cast<double>(moved.value), std::nullopt});
    side.parts = {{tr("compute"), lowering::Bound::Compute, isWhole ? totals.compute : compute},
        {tr("memory"), lowering::Bound::Memory, isWhole ? totals.memory : memory},
        {tr("scheduling"), lowering::Bound::Scheduling, isWhole ? totals.scheduling : scheduling}};
    addFigures(side, picture);
    return side;
}

} // namespace

SideContent sideContent(
    const Picture& picture, const analysis::Result& result, const std::vector<std::size_t>& dots) {
    if (dots.size() == 1)
        return ofStep(picture, result, picture.dots[dots.front()]);
    if (!dots.empty())
        return ofSum(picture, result, dots, false);
    std::vector<std::size_t> all(picture.dots.size());
    for (std::size_t d = 0; d < all.size(); ++d)
        all[d] = d;
    return ofSum(picture, result, all, true);
}

} // namespace fivefold::views::roofline
