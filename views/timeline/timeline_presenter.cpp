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

/// "38 MiB of 40 MiB resident at most, 63 % of the bytes asked for hit": never an allocation.
QStringList cacheWords(const memory::LevelUse& use) {
    QStringList words{tr("hardware decides what stays")};
    if (use.cache->resident.value > 0) {
        const QString resident = formatBytes(use.cache->resident);
        words << (use.capacity
                ? tr("modelled: up to %1 of %2 resident").arg(resident, formatBytes(*use.capacity))
                : tr("modelled: up to %1 resident").arg(resident));
    }
    words << (use.cache->hitShare
            ? tr("%1 of the bytes asked for hit").arg(formatShare(*use.cache->hitShare))
            : tr("hit share unknown"));
    return words;
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
        band.key = QString::fromStdString(machine.memories[use.level].name);
        band.kind = machine.memories[use.level].kind;
        band.instance = instanceName(*picture.result, use.level);
    }
    if (use.cache)
        band.words = cacheWords(use);
    band.samples.reserve(use.samples.size());
    for (const auto& from : use.samples) {
        Sample sample;
        sample.at = picture.toAxis(from.at);
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            sample.bytes[kind] = static_cast<double>(from.byKind[kind].value);
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
    const auto busy = schedule::utilisation(program);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].busy = busy[lowering::ResourceId(r)];
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
    const auto starts = [](const Mark& a, const Mark& b) { return a.start < b.start; };
    for (Row& row : rows) {
        if (row.marks.empty())
            continue;
        if (!std::is_sorted(row.marks.begin(), row.marks.end(), starts))
            std::stable_sort(row.marks.begin(), row.marks.end(), starts);
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

/// "it leaves up to 816 KiB of LX a core in use (51 % of what is usable)": the most during a step.
QString heldText(
    const Picture& picture, const Band& band, const std::pair<Picoseconds, Picoseconds>& span) {
    const double from = picture.toAxis(span.first);
    const double to = picture.toAxis(span.second);
    auto it = std::upper_bound(band.samples.begin(), band.samples.end(), from,
        [](double at, const Sample& sample) { return at < sample.at; });
    if (it != band.samples.begin())
        --it;
    double most = 0;
    for (; it != band.samples.end() && it->at < to; ++it)
        most = std::max(most, it->total());
    QString text = tr("meanwhile %1 holds up to %2")
                       .arg(band.name, formatBytes(base::Bytes(static_cast<std::int64_t>(most))));
    if (!band.instance.isEmpty())
        text += tr(" on the fullest %1").arg(band.instance);
    if (band.capacity && band.capacity->value > 0)
        text += QStringLiteral(" (%1)").arg(
            formatShare(most / static_cast<double>(band.capacity->value)));
    return text;
}

QString programSentence(const Picture& picture) {
    const analysis::Result& result = *picture.result;
    QStringList peaks;
    for (const Band& band : picture.bands)
        if (peaks.size() < 2 && !band.isCache() && band.kind != machines::MemoryKind::Registers)
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
    const auto nearest = std::find_if(picture.bands.rbegin(), picture.bands.rend(),
        [](const Band& band) { return !band.samples.empty(); });
    if (nearest != picture.bands.rend())
        text += QStringLiteral("; ") + heldText(picture, *nearest, *span);
    return text + u'.';
}

/// The resource that is busy longest in a range; invalid where none is.
lowering::ResourceId busiest(const schedule::RangeTotals& totals) {
    lowering::ResourceId most;
    for (std::size_t r = 0; r < totals.busy.size(); ++r) {
        const lowering::ResourceId id(r);
        if (totals.busy[id] > 0 && (!most.isValid() || totals.busy[id] > totals.busy[most]))
            most = id;
    }
    return most;
}

QString rangeSentence(
    const analysis::Result& result, const schedule::RangeTotals& totals, Picoseconds from) {
    QString text = tr("The range from %1 lasts %2, %3 of the program")
                       .arg(formatTime(from), formatTime(std::optional(totals.duration)),
                           formatShare(totals.share));
    if (totals.level < totals.traffic.size())
        if (const auto bytes = totals.traffic[totals.level].total(); bytes.value > 0)
            text += tr(": %1 moves %2 at %3")
                        .arg(QString::fromStdString(result.machine().memories[totals.level].name),
                            formatBytes(bytes),
                            formatRate(static_cast<double>(bytes.value) / totals.duration.value));
    if (totals.flops.value > 0)
        text += tr(", %1 of useful work at %2")
                    .arg(tr("%1FLOP").arg(formatShortCount(totals.flops.value)),
                        formatFlops(totals.flops.value / totals.duration.value));
    if (const auto most = busiest(totals); most.isValid())
        text += tr(", %1 is busy %2")
                    .arg(QString::fromStdString(result.program.resources[most].name),
                        formatShare(totals.busy[most]));
    return text + u'.';
}

} // namespace

QString kindName(Kind kind) {
    switch (kind) {
    case Kind::Weights:
        return tr("weights");
    case Kind::KvCache:
        return tr("KV cache");
    case Kind::Activations:
        return tr("activations");
    case Kind::Scratch:
        return tr("scratch");
    case Kind::Spill:
        return tr("spill");
    case Kind::Padding:
        break;
    }
    return tr("padding");
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
    picture.end = schedule::makespan(result->program);
    picture.starts = stepStarts(*result);
    picture.spans = schedule::stepSpans(result->program);
    picture.length =
        order == Order::Time ? number(picture.end) : static_cast<double>(picture.starts.size());
    if (picture.end.value <= 0)
        picture.length = 0;
    for (const auto& use : result->memory)
        if (use.peak.value > 0 || use.cache)
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
        return memory::useKind(buffers[a]) < memory::useKind(buffers[b]);
    });
    return found;
}

std::vector<Slice> stack(const analysis::Result& result, std::size_t level, Picoseconds at) {
    const auto ids = alive(result, level, at);
    std::vector<Slice> slices;
    std::vector<Slice> padding;
    slices.reserve(ids.size());
    for (const BufferId id : ids) {
        const auto& buffer = result.program.buffers[id];
        const base::Bytes waste = memory::paddingOf(result.program, buffer);
        slices.push_back(
            {id, memory::useKind(buffer), static_cast<double>((buffer.bytes - waste).value)});
        if (waste.value > 0)
            padding.push_back({id, Kind::Padding, static_cast<double>(waste.value)});
    }
    slices.insert(slices.end(), padding.begin(), padding.end());
    return slices;
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
    const schedule::RangeTotals* totals, Picoseconds from) {
    if (!picture.result)
        return tr("No model is open; open one to see when its memories fill.");
    const analysis::Result& result = *picture.result;
    if (result.program.steps.empty())
        return tr("The model has no operators, so nothing runs.");
    if (picture.isEmpty())
        return tr("No step has a known time, so there is no timeline; bind the model's symbols.");
    if (totals && totals->duration.value > 0)
        return rangeSentence(result, *totals, from);
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
