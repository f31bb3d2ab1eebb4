// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/roofline/roofline_presenter.h"

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

/// A smaller share of an operator's time is rounding.
constexpr double kNothing = 1e-9;
/// Characters of a name in the sentence: two lines of a docked panel hold the figures as well.
constexpr int kLongestInSentence = 24;

/// The number of `text` alone where it has the unit of `like`.
QString sameUnit(const QString& text, const QString& like) {
    const auto space = like.lastIndexOf(QChar(0x2009));
    return space >= 0 && text.endsWith(like.mid(space))
        ? text.left(text.size() - (like.size() - space))
        : text;
}

/// "; its fixed 1.8 µs alone would cap it at 14.0", with the relayouts that it asked for where they
/// count in its cap.
QString capText(const Dot& dot, const lowering::Step& step, const QString& achieved) {
    const auto& estimate = step.estimate;
    const QString name = estimate.scheduling.size() == 1
        ? QString::fromStdString(estimate.scheduling.front().name)
        : tr("scheduling");
    const QString own = formatTime(std::optional(estimate.schedulingShare));
    const QString cap = sameUnit(formatFlops(dot.cap), achieved);
    const auto executions = static_cast<double>(std::max<std::int64_t>(1, step.executions));
    const double asked = dot.flops.value / *dot.cap - estimate.schedulingShare.value * executions;
    if (asked <= dot.time.value * kNothing)
        return tr("; its %1 %2 alone would cap it at %3").arg(name, own, cap);
    const QString relayouts = formatTime(std::optional(base::Seconds(asked)));
    if (estimate.schedulingShare.value <= 0)
        return tr("; the %1 of relayouts that it asked for alone would cap it at %2")
            .arg(relayouts, cap);
    return tr("; its %1 %2 and the %3 of relayouts that it asked for would cap it at %4")
        .arg(name, own, relayouts, cap);
}

QString dotSentence(
    const Picture& picture, const Dot& dot, const analysis::Result& result, std::size_t steps) {
    const QString achieved = formatFlops(dot.achieved);
    QString text = steps > 1
        ? tr("%1, the longest of %2 steps, reaches %3")
              .arg(dot.name, formatCount(static_cast<std::int64_t>(steps)), achieved)
        : tr("%1 reaches %2").arg(dot.name, achieved);
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
    if (dot.cap && *dot.cap > 0)
        text += capText(dot, result.program.steps[dot.step], achieved);
    return text + u'.';
}

/// Why a selected thing has no dot.
QString missingSentence(
    const Picture& picture, const ViewState& state, const analysis::Result& result) {
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
    const lowering::StepId step = steps.front();
    const auto& estimate = result.program.steps[step].estimate;
    if (estimate.isKnown && result.chargedTo.contains(step) && result.chargedTo[step] != step
        && picture.charge == Charge::ToCause)
        return tr(
            "%1 only changes a layout: its %2 count in the cap and the gap of %3, which asked "
            "for it.")
            .arg(name, formatTime(std::optional(estimate.time)),
                stepName(result, result.chargedTo[step]));
    if (!estimate.isKnown)
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
    const QString bound = boundName(static_cast<lowering::Bound>(most));
    const QString dots = formatCount(static_cast<std::int64_t>(picture.dots.size()));
    // Steps without arithmetic have no dot, so "of the steps" alone would promise too much.
    QString text = picture.dots.size() == 1
        ? tr("The one step that computes is bound by %1 and takes %2 of the time; %3 reaches %4")
              .arg(bound, formatShare(time[most]))
        : count[most] == picture.dots.size()
        ? tr("All %1 steps that compute are bound by %2 and take %3 of the time; the longest, %4, "
             "reaches %5")
              .arg(dots, bound, formatShare(time[most]))
        : tr("%1 of the %2 steps that compute are bound by %3 and take %4 of the time; the "
             "longest, %5, reaches %6")
              .arg(formatCount(static_cast<std::int64_t>(count[most])), dots, bound,
                  formatShare(time[most]));
    text = text.arg(fitPath(first.name, kLongestInSentence), formatFlops(first.achieved));
    if (roof && *roof > 0)
        text += tr(", %1 of its roof").arg(formatShare(first.achieved / *roof));
    return text + u'.';
}

} // namespace

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

QString workText(base::Flops flops) {
    const QString count = formatShortCount(flops.value);
    return count.contains(QChar(0x2009)) ? count + tr("FLOP") : count + QChar(0x2009) + tr("FLOP");
}

QString sumSentence(
    const Picture& picture, const std::vector<std::size_t>& dots, const analysis::Result& result) {
    if (dots.empty())
        return tr("No operator lies in the brushed range.");
    const Sum sum = sumOf(picture, dots);
    return tr("%1 operators take %2, %3 of the time: %4 over %5 of %6 traffic, mostly bound by %7.")
        .arg(formatCount(static_cast<std::int64_t>(sum.count)), formatTime(std::optional(sum.time)),
            formatShare(sum.share), workText(sum.flops), formatBytes(sum.bytes),
            levelName(result, sum.level), boundName(sum.bound));
}

QString sentence(const Picture& picture, const ViewState& state) {
    const auto result = state.result();
    if (!result)
        return tr("No model is open, so there is no roofline.");
    const auto dots = dotsOf(picture, state.selectedSteps());
    if (dots.size() > 1 && state.selection().nodes.size() > 1)
        return sumSentence(picture, dots, *result);
    if (!dots.empty())
        return dotSentence(picture, picture.dots[dots.front()], *result, dots.size());
    if (!state.selection().isEmpty())
        return missingSentence(picture, state, *result);
    if (picture.dots.empty())
        return result->program.steps.empty()
            ? tr("The model has no operators that run, so nothing is on the roofline.")
            : tr("No step has arithmetic, bytes and a known time, so nothing is on the roofline.");
    return overviewSentence(picture);
}

} // namespace fivefold::views::roofline
