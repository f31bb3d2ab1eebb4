// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/overlay.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace fivefold::views::roofline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

/// Captured operator, or the name of one that a compiler added.
using Key = std::pair<std::uint32_t, std::string>;

std::optional<Key> keyOf(const analysis::Result& result, lowering::StepId step) {
    const auto& graph = result.program.stages.back();
    if (!graph || !result.program.steps.contains(step))
        return std::nullopt;
    const auto main = result.program.steps[step].mainNode;
    if (!graph->nodes.contains(main))
        return std::nullopt;
    const auto& node = graph->nodes[main];
    if (node.sources.empty())
        return Key{ir::NodeId::kInvalid, node.name};
    return Key{node.sources.front().value, {}};
}

QString totalText(const analysis::Result& result) {
    const auto& totals = result.totals;
    const QString time = formatTime(std::optional(totals.time));
    return totals.unknownSteps > 0 ? tr("at least %1").arg(time) : time;
}

} // namespace

Overlay makeOverlay(const analysis::Result& shown, const Picture& picture,
    std::shared_ptr<const analysis::Result> other, bool isBefore) {
    Overlay overlay;
    overlay.name = isBefore ? tr("before") : QString::fromStdString(other->machine().name);
    overlay.isBefore = isBefore;
    overlay.family = other->machine().family;
    overlay.picture = present(*other, picture.charge);
    std::map<Key, std::size_t> there;
    for (std::size_t d = 0; d < overlay.picture.dots.size(); ++d)
        if (const auto key = keyOf(*other, overlay.picture.dots[d].step))
            there.emplace(*key, d); // the first is the longest
    for (std::size_t d = 0; d < picture.dots.size(); ++d) {
        const auto key = keyOf(shown, picture.dots[d].step);
        const auto found = key ? there.find(*key) : there.end();
        if (found == there.end())
            continue;
        overlay.arrows.push_back({found->second, d});
        there.erase(found);
    }
    overlay.result = std::move(other);
    return overlay;
}

QString overlaySentence(const Overlay& overlay, const Picture& picture,
    const analysis::Result& shown, std::optional<std::size_t> selected) {
    QString text = overlay.isBefore
        ? tr("Before %1, now %2").arg(totalText(*overlay.result), totalText(shown))
        : tr("%1 takes %2, %3 takes %4")
              .arg(overlay.name, totalText(*overlay.result),
                  QString::fromStdString(shown.machine().name), totalText(shown));
    const Arrow* told = nullptr;
    double most = 0;
    for (const auto& arrow : overlay.arrows) {
        const double change = std::abs(
            picture.dots[arrow.to].time.value - overlay.picture.dots[arrow.from].time.value);
        if (selected ? arrow.to == *selected : change > most) {
            told = &arrow;
            most = change;
        }
    }
    if (told) {
        const Dot& from = overlay.picture.dots[told->from];
        const Dot& to = picture.dots[told->to];
        text += (selected ? tr("; %1 moves from %2 to %3 (%4 → %5)")
                          : tr("; most changes %1, from %2 to %3 (%4 → %5)"))
                    .arg(to.name, formatFlops(from.achieved), formatFlops(to.achieved),
                        formatTime(std::optional(from.time)), formatTime(std::optional(to.time)));
    } else if (selected) {
        text += tr("; %1 has no dot there").arg(picture.dots[*selected].name);
    } else if (!overlay.arrows.empty()) {
        text += tr("; no operator changed");
    }
    return text + u'.';
}

} // namespace fivefold::views::roofline
