// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_presenter.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <unordered_map>

namespace fivefold::views::timeline {

using namespace common;
using base::Picoseconds;
using lowering::BufferId;
using lowering::StepId;
using lowering::ValueRole;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

double number(Picoseconds time) {
    return static_cast<double>(time.value);
}

/// "LX a core" where there is one of it per core; the bare name otherwise.
QString bandName(const machines::Memory& memory) {
    const QString name = QString::fromStdString(memory.name);
    const QString scope = QString::fromStdString(memory.scope);
    if (memory.instances <= 1 || !scope.startsWith(QStringLiteral("per "))
        || name.split(u' ').contains(scope.mid(4)))
        return name;
    return tr("%1 a %2").arg(name, scope.mid(4));
}

/// "PE", where the instances of a memory hold different buffers; empty otherwise.
QString instanceName(const analysis::Result& result, std::size_t level) {
    const machines::Memory& memory = result.machine().memories[level];
    const QString scope = QString::fromStdString(memory.scope);
    if (memory.instances <= 1
        || std::ranges::none_of(result.program.buffers, [level](const lowering::Buffer& buffer) {
               return buffer.level == level && buffer.unit >= 0;
           }))
        return {};
    return scope.startsWith(QStringLiteral("per ")) ? scope.mid(4) : tr("instance");
}

std::vector<Picoseconds> stepStarts(const analysis::Result& result) {
    constexpr std::int64_t kNone = -1;
    std::vector<Picoseconds> starts(result.program.steps.size(), Picoseconds(kNone));
    for (const auto& event : result.program.events) {
        if (!result.program.steps.contains(event.step))
            continue;
        Picoseconds& start = starts[event.step.index()];
        if (start.value == kNone || event.start < start)
            start = event.start;
    }
    Picoseconds latest(0);
    for (Picoseconds& start : starts)
        latest = start =
            std::max(latest, start); // steps without events begin where the last one did
    return starts;
}

Band bandOf(const Picture& picture, const memory::LevelUse& use) {
    const auto& machine = picture.result->machine();
    Band band;
    band.level = use.level;
    band.capacity = use.capacity;
    band.peak = use.peak;
    band.peakAt = picture.toAxis(use.peakAt);
    if (use.level < machine.memories.size()) {
        band.name = bandName(machine.memories[use.level]);
        band.kind = machine.memories[use.level].kind;
        band.instance = instanceName(*picture.result, use.level);
    }
    band.samples.reserve(use.samples.size());
    for (const auto& from : use.samples) {
        Sample sample;
        sample.at = picture.toAxis(from.at);
        for (std::size_t role = 0; role < from.byRole.size(); ++role)
            sample.bytes[static_cast<std::size_t>(kindOf(static_cast<ValueRole>(role)))] +=
                static_cast<double>(from.byRole[role].value);
        band.samples.push_back(sample);
    }
    return band;
}

void addRows(Picture& picture) {
    const auto& program = picture.result->program;
    const auto& graph = program.stage(lowering::Stage::Scheduled);
    std::vector<char> isCritical(program.events.size(), 0);
    for (const auto event : picture.result->criticalPath)
        if (program.events.contains(event))
            isCritical[event.index()] = 1;
    std::vector<Row> rows(program.resources.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].resource = lowering::ResourceId(r);
        rows[r].name = QString::fromStdString(program.resources[rows[r].resource].name);
    }
    for (std::size_t e = 0; e < program.events.size(); ++e) {
        const auto& event = program.events[lowering::EventId(e)];
        if (!program.resources.contains(event.resource) || !program.steps.contains(event.step)
            || event.end < event.start)
            continue;
        Mark mark{picture.toAxis(event.start), picture.toAxis(event.end), lowering::EventId(e),
            event.step, ir::OpClass::Other, isCritical[e] != 0};
        const auto main = program.steps[event.step].mainNode;
        if (graph.nodes.contains(main))
            mark.opClass = graph.nodes[main].opClass();
        // A transfer moves data whatever its step computes.
        if (event.kind == lowering::EventKind::Read || event.kind == lowering::EventKind::Write
            || event.kind == lowering::EventKind::Relayout)
            mark.opClass = ir::OpClass::Movement;
        rows[event.resource.index()].marks.push_back(mark);
    }
    for (Row& row : rows) {
        if (row.marks.empty())
            continue;
        std::stable_sort(row.marks.begin(), row.marks.end(),
            [](const Mark& a, const Mark& b) { return a.start < b.start; });
        picture.rows.push_back(std::move(row));
    }
}

std::vector<BufferId> aliveAnywhere(
    const analysis::Result& result, std::size_t level, Picoseconds at) {
    std::vector<BufferId> found;
    const auto& buffers = result.program.buffers;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const auto& buffer = buffers[BufferId(b)];
        if (buffer.level == level && buffer.first <= at
            && (at < buffer.last || buffer.first == buffer.last))
            found.push_back(BufferId(b));
    }
    return found;
}

QString stepName(const analysis::Result& result, StepId step) {
    return result.program.steps.contains(step) ? shortName(result.program.steps[step].name)
                                               : tr("nothing");
}

/// "LX peaks at 18 KiB (1.1 % of what is usable)", "PE SRAM peaks at 2 KiB on the fullest PE (…)".
QString peakText(const Band& band) {
    QString text = tr("%1 peaks at %2").arg(band.name, formatBytes(band.peak));
    if (!band.instance.isEmpty())
        text += tr(" on the fullest %1").arg(band.instance);
    if (band.capacity && band.capacity->value > 0)
        text += QStringLiteral(" (%1)").arg(formatShare(
            static_cast<double>(band.peak.value) / static_cast<double>(band.capacity->value)));
    return text;
}

QString programSentence(const Picture& picture) {
    const analysis::Result& result = *picture.result;
    QStringList peaks;
    for (const Band& band : picture.bands)
        if (peaks.size() < 2 && band.kind != machines::MemoryKind::Registers)
            peaks << peakText(band);
    QString text = tr("%1 steps take %2 on %3")
                       .arg(formatCount(static_cast<std::int64_t>(result.program.steps.size())),
                           formatTime(picture.end), QString::fromStdString(result.machine().name));
    if (!peaks.isEmpty())
        text += QStringLiteral("; ") + peaks.join(QStringLiteral(", "));
    return text + u'.';
}

QString stepSentence(const Picture& picture, StepId id) {
    const analysis::Result& result = *picture.result;
    const auto& step = result.program.steps[id];
    const QString name = shortName(step.name);
    if (!step.estimate.isKnown)
        return tr("%1 has no known time: %2").arg(name, asSentence(step.estimate.because));
    const auto span = spanOf(result, id);
    if (!span)
        return tr("%1 takes no time of its own on %2.")
            .arg(name, QString::fromStdString(result.machine().name));
    const Picoseconds duration = span->second - span->first;
    QString text =
        tr("%1 runs %2 from %3").arg(name, formatTime(duration), formatTime(span->first));
    if (picture.end.value > 0)
        text += tr(", %1 of the program").arg(formatShare(number(duration) / number(picture.end)));
    if (step.estimate.bound == lowering::Bound::Memory
        && step.estimate.boundLevel < result.machine().memories.size())
        text += tr(", bound by %1")
                    .arg(QString::fromStdString(
                        result.machine().memories[step.estimate.boundLevel].name));
    else if (step.estimate.bound != lowering::Bound::Unknown)
        text += tr(", bound by %1").arg(boundName(step.estimate.bound));
    if (!picture.bands.empty())
        text += QStringLiteral("; ") + peakText(picture.bands.back());
    return text + u'.';
}

} // namespace

Kind kindOf(ValueRole role) {
    switch (role) {
    case ValueRole::Weight:
    case ValueRole::Constant:
        return Kind::Weights;
    case ValueRole::KvCache:
        return Kind::KvCache;
    case ValueRole::Scratch:
        return Kind::Scratch;
    default:
        return Kind::Activations;
    }
}

double Picture::toAxis(Picoseconds time) const {
    if (order == Order::Time || starts.empty())
        return number(time);
    const auto next = std::upper_bound(starts.begin(), starts.end(), time);
    const auto step =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, next - starts.begin()) - 1);
    const Picoseconds from = starts[step];
    const Picoseconds to = next == starts.end() ? std::max(end, from) : *next;
    const double share = to > from ? number(time - from) / number(to - from) : 0;
    return static_cast<double>(step) + std::clamp(share, 0.0, 1.0);
}

Picoseconds Picture::fromAxis(double at) const {
    if (order == Order::Time || starts.empty())
        return Picoseconds(static_cast<std::int64_t>(std::clamp(at, 0.0, length)));
    at = std::clamp(at, 0.0, static_cast<double>(starts.size()));
    const auto step = std::min(static_cast<std::size_t>(at), starts.size() - 1);
    const Picoseconds from = starts[step];
    const Picoseconds to = step + 1 < starts.size() ? starts[step + 1] : std::max(end, from);
    return from
        + Picoseconds(
            static_cast<std::int64_t>((at - static_cast<double>(step)) * number(to - from)));
}

Picture present(const std::shared_ptr<const analysis::Result>& result, Order order) {
    Picture picture;
    picture.order = order;
    picture.result = result;
    if (!result)
        return picture;
    for (const auto& event : result->program.events)
        picture.end = std::max(picture.end, event.end);
    picture.starts = stepStarts(*result);
    picture.length =
        order == Order::Time ? number(picture.end) : static_cast<double>(picture.starts.size());
    if (picture.end.value <= 0)
        picture.length = 0;
    for (const auto& use : result->memory)
        if (use.peak.value > 0)
            picture.bands.push_back(bandOf(picture, use));
    addRows(picture);
    return picture;
}

std::vector<BufferId> alive(const analysis::Result& result, std::size_t level, Picoseconds at) {
    const auto& buffers = result.program.buffers;
    std::vector<BufferId> found = aliveAnywhere(result, level, at);
    std::unordered_map<std::int64_t, std::int64_t> bytes; // by instance
    for (const BufferId id : found)
        if (buffers[id].unit >= 0)
            bytes[buffers[id].unit] += buffers[id].bytes.value;
    std::pair<std::int64_t, std::int64_t> fullest{-1, -1}; // bytes, instance
    for (const auto& [unit, total] : bytes)
        fullest = std::max(fullest, {total, unit});
    std::erase_if(found,
        [&](BufferId id) { return buffers[id].unit >= 0 && buffers[id].unit != fullest.second; });
    std::stable_sort(found.begin(), found.end(), [&](BufferId a, BufferId b) {
        return kindOf(buffers[a].category) < kindOf(buffers[b].category);
    });
    return found;
}

std::size_t aliveElsewhere(const analysis::Result& result, std::size_t level, Picoseconds at) {
    return aliveAnywhere(result, level, at).size() - alive(result, level, at).size();
}

QString bufferName(const analysis::Result& result, BufferId id) {
    const auto& graph = result.program.stage(lowering::Stage::Placed);
    const auto value = result.program.buffers[id].value;
    if (!graph.values.contains(value) || graph.values[value].name.empty())
        return tr("scratch");
    return shortName(graph.values[value].name);
}

ir::ValueId bufferValue(const analysis::Result& result, BufferId id) {
    const auto& graph = result.program.stage(lowering::Stage::Placed);
    const auto value = result.program.buffers[id].value;
    return graph.values.contains(value) ? graph.values[value].source : ir::ValueId();
}

QString bufferStory(const analysis::Result& result, BufferId id) {
    const auto& buffer = result.program.buffers[id];
    const auto& graph = result.program.stage(lowering::Stage::Placed);
    const bool isWritten =
        graph.values.contains(buffer.value) && graph.values[buffer.value].producer.isValid();
    const QString readers = tr("read last by %1").arg(stepName(result, buffer.lastStep));
    QString text = isWritten
        ? tr("written by %1, %2").arg(stepName(result, buffer.firstStep), readers)
        : readers;
    if (buffer.isSpill)
        text += tr(", spilled");
    return text;
}

RangeTotals rangeTotals(const Picture& picture, Picoseconds from, Picoseconds to) {
    RangeTotals totals;
    if (!picture.result || to <= from)
        return totals;
    const auto& program = picture.result->program;
    totals.duration = base::toSeconds(to - from);
    totals.share = picture.end.value > 0 ? number(to - from) / number(picture.end) : 0;
    std::vector<double> busy(program.resources.size(), 0);
    std::vector<std::pair<Picoseconds, Picoseconds>> spans(
        program.steps.size(), {Picoseconds(INT64_MAX), Picoseconds(0)});
    for (const auto& event : program.events) {
        if (!program.steps.contains(event.step) || !program.resources.contains(event.resource))
            continue;
        auto& span = spans[event.step.index()];
        span = {std::min(span.first, event.start), std::max(span.second, event.end)};
        const Picoseconds inside = std::min(event.end, to) - std::max(event.start, from);
        if (inside.value > 0)
            busy[event.resource.index()] += number(inside);
    }
    std::vector<double> bytes(picture.result->machine().memories.size(), 0);
    for (std::size_t s = 0; s < spans.size(); ++s) {
        const double duration = number(spans[s].second) - number(spans[s].first);
        const double inside =
            number(std::min(spans[s].second, to)) - number(std::max(spans[s].first, from));
        if (duration <= 0 || inside <= 0)
            continue;
        const auto& step = program.steps[StepId(s)];
        for (const auto& traffic : step.estimate.traffic)
            if (traffic.level < bytes.size())
                bytes[traffic.level] += static_cast<double>(traffic.total().value)
                    * static_cast<double>(step.executions) * inside / duration;
    }
    if (!bytes.empty()) {
        const auto most = std::max_element(bytes.begin(), bytes.end());
        totals.level = static_cast<std::size_t>(most - bytes.begin());
        totals.bytes = *most;
    }
    if (!busy.empty()) {
        const auto most = std::max_element(busy.begin(), busy.end());
        totals.busiest = QString::fromStdString(
            program.resources[lowering::ResourceId(static_cast<std::size_t>(most - busy.begin()))]
                .name);
        totals.busy = *most / number(to - from);
    }
    return totals;
}

std::optional<std::pair<Picoseconds, Picoseconds>> spanOf(
    const analysis::Result& result, StepId step) {
    std::optional<std::pair<Picoseconds, Picoseconds>> span;
    for (const auto& event : result.program.events) {
        if (event.step != step)
            continue;
        if (!span)
            span = {event.start, event.end};
        span = {std::min(span->first, event.start), std::max(span->second, event.end)};
    }
    return span;
}

QString sentence(const Picture& picture, const ViewState& state,
    const std::optional<std::pair<Picoseconds, Picoseconds>>& range) {
    if (!picture.result)
        return tr("No model is open; open one to see when its memories fill.");
    const analysis::Result& result = *picture.result;
    if (result.program.steps.empty())
        return tr("The model has no operators, so nothing runs.");
    if (picture.isEmpty())
        return tr("No step has a known time, so there is no timeline; bind the model's symbols.");
    if (range && range->second > range->first) {
        const RangeTotals totals = rangeTotals(picture, range->first, range->second);
        QString text =
            tr("The range from %1 lasts %2, %3 of the program")
                .arg(formatTime(range->first), formatTime(std::optional(totals.duration)),
                    formatShare(totals.share));
        if (totals.bytes > 0)
            text += tr(": %1 moves %2 at %3")
                        .arg(QString::fromStdString(result.machine().memories[totals.level].name),
                            formatBytes(base::Bytes(static_cast<std::int64_t>(totals.bytes))),
                            formatRate(totals.bytes / totals.duration.value));
        if (totals.busy > 0)
            text += tr(", %1 is busy %2").arg(totals.busiest, formatShare(totals.busy));
        return text + u'.';
    }
    const auto steps = state.selectedSteps();
    if (!steps.empty())
        return stepSentence(picture, steps.front());
    if (!state.selection().isEmpty())
        return tr("The selection has no step of its own on %1: nothing runs for it. ")
                   .arg(QString::fromStdString(result.machine().name))
            + programSentence(picture);
    return programSentence(picture);
}

} // namespace fivefold::views::timeline
