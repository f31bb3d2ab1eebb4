// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/five_presenter.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::views::five {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FivePanel", text);
}

QString precisionName(machines::Precision precision) {
    const auto name = machines::toString(precision);
    return QString::fromUtf8(name.data(), static_cast<int>(name.size()));
}

/// The machine's name without the words that the title has.
QString subtitleOf(const machines::Machine& machine) {
    QString name = QString::fromStdString(machine.name);
    for (const QString& word : {QStringLiteral("NVIDIA "), QStringLiteral("Google TPU "),
             QStringLiteral("Cerebras "), QStringLiteral("Groq "), QStringLiteral("IBM Spyre")})
        if (name.startsWith(word))
            name.remove(0, word.size());
    return name.isEmpty() && machine.year > 0 ? QString::number(machine.year) : name;
}

void addTime(Row& row) {
    const analysis::ComparisonRow& figures = row.figures;
    if (!figures.time) {
        row.time = figures.isRemoved ? tr("removed") : formatTime(std::optional<base::Seconds>());
        return;
    }
    row.time = formatTime(figures.time);
    if (figures.isAtLeast)
        row.time = tr("at least %1").arg(row.time);
    else if (!figures.isValidated)
        row.time.prepend(u'~');
    if (figures.isValidated && figures.low && figures.high) {
        const QString range =
            timeBetween(*figures.time, *figures.low, *figures.high).section(u'(', 1).chopped(1);
        const QString unit = formatTime(figures.time).section(QChar(0x2009), 1);
        const bool hasUnit = range.contains(QChar(0x2009));
        row.band = tr("%1 · %2").arg(hasUnit ? range : range + QChar(0x2009) + unit,
            QString::fromStdString(figures.validation));
    }
}

void addBars(Row& row) {
    const auto& levels = row.figures.bytesByLevel; // far to near
    if (levels.empty())
        return;
    const auto& memories = row.result->machine().memories;
    const auto add = [&](const std::pair<std::size_t, base::Bytes>& level) {
        row.bars.push_back({QString::fromStdString(memories[level.first].name),
            memories[level.first].kind, level.second, 0});
    };
    add(levels.front());
    // Registers and streams carry what another level keeps.
    const std::pair<std::size_t, base::Bytes>* most = nullptr;
    for (std::size_t i = 1; i < levels.size(); ++i)
        if (memories[levels[i].first].kind != machines::MemoryKind::Registers
            && (!most || levels[i].second > most->second))
            most = &levels[i];
    if (most)
        add(*most);
}

void fill(Row& row, std::shared_ptr<const analysis::Result> result,
    const std::vector<ir::NodeId>& nodes) {
    row.result = std::move(result);
    row.figures = analysis::compare(*row.result, nodes);
    row.subtitle = subtitleOf(row.result->machine()) + QStringLiteral(" · ")
        + precisionName(row.result->request.settings.precision);
    addTime(row);
    addBars(row);
}

QString modelName(const analysis::Result& result) {
    const QString path = QString::fromStdString(result.graph().info.path);
    QString name = path.section(u'/', -1);
    if (name.isEmpty())
        name = QString::fromStdString(result.graph().info.graphName);
    const auto& bindings = result.request.bindings;
    for (const auto& [symbol, size] : bindings.dims)
        name += QStringLiteral(", %1 %2").arg(QString::fromStdString(symbol)).arg(size);
    if (result.typed)
        for (const auto& [symbol, size] : result.typed->assumed)
            name += QStringLiteral(", %1 %2").arg(QString::fromStdString(symbol)).arg(size);
    return name;
}

/// MACs of the selected nodes, over all their executions; nullopt where one is unknown.
std::optional<std::int64_t> macsOf(
    const analysis::Result& result, const std::vector<ir::NodeId>& nodes) {
    if (!result.cost)
        return std::nullopt;
    if (nodes.empty())
        return result.cost->macs;
    std::int64_t sum = 0;
    for (const ir::NodeId node : nodes) {
        if (!result.cost->nodes.contains(node) || !result.cost->nodes[node].macs
            || __builtin_add_overflow(sum, *result.cost->nodes[node].macs, &sum))
            return std::nullopt;
    }
    return sum;
}

/// What the rows are about: the captured nodes, and the words for them.
std::vector<ir::NodeId> scopeOf(Picture& picture, const ViewState& state, const Options& options) {
    const auto result = state.result();
    const Selection& selection = state.selection();
    if (options.isSelection && !selection.nodes.empty()) {
        picture.isSelection = true;
        picture.what = shortName(result->graph().nodes[selection.nodes.front()].name);
        if (selection.nodes.size() > 1)
            picture.what =
                tr("%1 and %2 more")
                    .arg(picture.what, formatCount(static_cast<int>(selection.nodes.size()) - 1));
        return selection.nodes;
    }
    picture.what = modelName(*result);
    if (options.isSelection)
        picture.note = selection.added.empty()
            ? tr("Nothing is selected, so this is the whole graph.")
            : tr("%1 was added by one machine's compiler and has no counterpart, so this is the "
                 "whole graph.")
                  .arg(shortName(selection.added));
    return {};
}

/// Whether an older row may stand for the slot until the new one is there.
bool isKept(const Row& old, const Slot& slot, const analysis::Result& current) {
    return old.result && old.family == slot.family && slot.machine
        && old.result->machine().id == slot.machine->id
        && old.result->request.model == current.request.model;
}

} // namespace

Picture present(
    const ViewState& state, const Slots& machineSlots, const Options& options, const Known& known) {
    Picture picture;
    const auto current = state.result();
    if (!current) {
        picture.reason = tr("No model is open, so there is nothing to compare.");
        return picture;
    }
    const auto nodes = scopeOf(picture, state, options);
    picture.macs = macsOf(*current, nodes);
    const auto& results = state.otherResults();
    for (std::size_t i = 0; i < machineSlots.size(); ++i) {
        const Slot& slot = machineSlots[i];
        Row row;
        row.family = slot.family;
        row.title = familyTitle(slot.family);
        row.state = slot.state;
        row.stateText = slot.text;
        row.isCurrent = current->machine().family == slot.family;
        if (slot.machine)
            row.subtitle = subtitleOf(*slot.machine);
        const auto old = static_cast<qsizetype>(i);
        if (i < results.size() && results[i]) {
            row.state = SlotState::Ready;
            fill(row, results[i], nodes);
        } else if (slot.state != SlotState::Failed && old < known.size()
            && isKept(known[old], slot, *current)) {
            fill(row, known[old].result, nodes);
            row.isStale = true;
        }
        picture.rows.push_back(std::move(row));
    }
    double most = 0;
    for (const Row& row : picture.rows)
        for (const LevelBar& bar : row.bars)
            most = std::max(most, static_cast<double>(bar.bytes.value));
    for (Row& row : picture.rows)
        for (LevelBar& bar : row.bars)
            bar.share = most > 0 ? static_cast<double>(bar.bytes.value) / most : 0;
    return picture;
}

std::optional<Interval> rangeOf(const Picture& picture, bool isLog) {
    constexpr double kUnvalidated = 2; // the band that is drawn without a measured one
    constexpr double kMargin = 0.06; // of a log axis, on both sides
    double low = 0, high = 0;
    for (const Row& row : picture.rows) {
        if (!row.hasAnswer() || !row.figures.time || !(row.figures.time->value > 0))
            continue;
        const double time = row.figures.time->value;
        const double from = row.figures.isValidated && row.figures.low ? row.figures.low->value
                                                                       : time / kUnvalidated;
        const double to = row.figures.isValidated && row.figures.high ? row.figures.high->value
                                                                      : time * kUnvalidated;
        low = low > 0 ? std::min(low, from) : from;
        high = std::max(high, to);
    }
    if (!(low > 0) || !(high > 0))
        return std::nullopt;
    if (!isLog)
        return Interval{0, high * (1 + kMargin)};
    const double margin = std::max(0.05, (std::log10(high) - std::log10(low)) * kMargin);
    return Interval{std::log10(low) - margin, std::log10(high) + margin};
}

} // namespace fivefold::views::five
