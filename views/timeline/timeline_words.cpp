// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/timeline/timeline_presenter.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;
using lowering::BufferId;
using lowering::EventId;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

QString levelName(const analysis::Result& result, std::size_t level) {
    const auto& memories = result.machine().memories;
    return level < memories.size() ? QString::fromStdString(memories[level].name) : QString();
}

QString causeName(memory::TrafficCause cause) {
    switch (cause) {
    case memory::TrafficCause::Weights:
        return tr("weights");
    case memory::TrafficCause::Activations:
        return tr("activations");
    case memory::TrafficCause::KvCache:
        return tr("KV cache");
    case memory::TrafficCause::Spill:
        return tr("spill");
    case memory::TrafficCause::Relayout:
        return tr("relayout");
    case memory::TrafficCause::Padding:
        return tr("padding");
    case memory::TrafficCause::Reread:
        break;
    }
    return tr("read again");
}

/// The causes of a level's bytes, the largest first: "weights", "4.5 MiB · 38 %".
std::vector<TotalLine> causeLines(const memory::TrafficByCause& traffic, const QString& indent) {
    const auto total = static_cast<double>(traffic.total().value);
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < memory::kTrafficCauses; ++c)
        if (traffic.bytes[c].value > 0)
            order.push_back(c);
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return traffic.bytes[a] > traffic.bytes[b]; });
    std::vector<TotalLine> lines;
    for (const std::size_t c : order)
        lines.push_back({indent + causeName(static_cast<memory::TrafficCause>(c)),
            QStringLiteral("%1 · %2").arg(formatBytes(traffic.bytes[c]),
                formatShare(static_cast<double>(traffic.bytes[c].value) / total))});
    return lines;
}

} // namespace

std::optional<PlaceReason> placeReason(const analysis::Result& result, BufferId id) {
    if (!result.program.buffers.contains(id))
        return std::nullopt;
    const auto& buffer = result.program.buffers[id];
    if (buffer.reason.empty())
        return std::nullopt;
    // A nearer memory that somebody fills: why is it not there? Memories stand far to near.
    const auto& memories = result.machine().memories;
    for (std::size_t level = memories.size(); level-- > buffer.level + 1;)
        if (memories[level].kind == machines::MemoryKind::Scratchpad
            && std::ranges::any_of(result.memory,
                [level](const auto& use) { return use.level == level && use.peak.value > 0; }))
            return PlaceReason{
                tr("Why not in %1").arg(levelName(result, level)), asSentence(buffer.reason)};
    return PlaceReason{
        tr("Why in %1").arg(levelName(result, buffer.level)), asSentence(buffer.reason)};
}

QString holdText(const analysis::Result& result, EventId id) {
    if (!result.timing.contains(id))
        return {};
    const schedule::Timing& timing = result.timing[id];
    if (!result.program.events.contains(timing.heldBy))
        return tr("waits for nothing");
    const auto& before = result.program.events[timing.heldBy];
    const QString name = stepName(result, before.step);
    switch (timing.hold) {
    case schedule::Hold::Operand:
        return tr("waits for %1, which makes an operand").arg(name);
    case schedule::Hold::Step:
        return result.program.resources.contains(before.resource)
            ? tr("waits for its own part on %1")
                  .arg(QString::fromStdString(result.program.resources[before.resource].name))
            : QString();
    case schedule::Hold::Resource:
        return tr("waits until %1 leaves the resource").arg(name);
    case schedule::Hold::Order:
        return tr("waits for %1 in program order, not for its data").arg(name);
    case schedule::Hold::Nothing:
        break;
    }
    return tr("waits for nothing");
}

QString slackText(const analysis::Result& result, EventId id) {
    if (!result.timing.contains(id))
        return {};
    const base::Picoseconds slack = result.timing[id].slack;
    return slack.value > 0 ? tr("may end %1 later").arg(formatTime(slack))
                           : tr("no slack: the program waits for it");
}

std::vector<TotalLine> totalLines(
    const analysis::Result& result, const schedule::RangeTotals& totals) {
    std::vector<TotalLine> lines;
    lines.push_back({formatTime(std::optional(totals.duration)),
        tr("%1 of the program").arg(formatShare(totals.share))});
    lines.push_back({tr("steps"), formatCount(totals.steps)});
    if (totals.flops.value > 0)
        lines.push_back({tr("%1FLOP").arg(formatShortCount(totals.flops.value)),
            formatFlops(totals.flops.value / totals.duration.value)});
    for (const memory::TrafficByCause& traffic : totals.traffic) {
        const base::Bytes bytes = traffic.total();
        if (bytes.value <= 0)
            continue;
        lines.push_back({levelName(result, traffic.level),
            QStringLiteral("%1 · %2").arg(formatBytes(bytes),
                formatRate(static_cast<double>(bytes.value) / totals.duration.value))});
        for (TotalLine& line : causeLines(traffic, QStringLiteral("   ")))
            lines.push_back(std::move(line));
    }
    for (std::size_t r = 0; r < totals.events.size(); ++r) {
        const lowering::ResourceId resource(r);
        if (totals.events[resource] > 0)
            lines.push_back({QString::fromStdString(result.program.resources[resource].name),
                tr("%1 events · %2 busy")
                    .arg(
                        formatCount(totals.events[resource]), formatShare(totals.busy[resource]))});
    }
    return lines;
}

QString rangeTitle(const analysis::Result& result, const schedule::RangeTotals& totals) {
    const QString time =
        tr("%1 · %2 of the program")
            .arg(formatTime(std::optional(totals.duration)), formatShare(totals.share));
    if (totals.steps == 1)
        return stepName(result, totals.step) + u' ' + time;
    return tr("%1 steps · %2").arg(formatCount(totals.steps), time);
}

QString rangeTraffic(const analysis::Result& result, const schedule::RangeTotals& totals) {
    if (totals.level >= totals.traffic.size() || totals.duration.value <= 0)
        return {};
    const base::Bytes bytes = totals.traffic[totals.level].total();
    if (bytes.value <= 0)
        return {};
    return QStringLiteral("%1 %2 · %3")
        .arg(levelName(result, totals.level), formatBytes(bytes),
            formatRate(static_cast<double>(bytes.value) / totals.duration.value));
}

std::vector<TotalLine> trafficLines(const analysis::Result& result, std::size_t level) {
    for (const memory::TrafficByCause& traffic : result.traffic)
        if (traffic.level == level && traffic.total().value > 0)
            return causeLines(traffic, {});
    return {};
}

} // namespace fivefold::views::timeline
