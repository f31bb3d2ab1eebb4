// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/level_use.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/inspector/inspector_costs.h"

#include <QCoreApplication>

namespace fivefold::views::inspector {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("inspector", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

void add(Lines& lines, const QString& label, const QString& value) {
    if (!value.isEmpty())
        lines.push_back(field(label, value));
}

void addFigure(Lines& lines, const QString& label, const machines::Figure& figure) {
    Line line = field(label, formatFigure(figure));
    line.toolTip = sourceText(figure);
    if (figure.isKnown())
        line.status = figure.status;
    lines.push_back(std::move(line));
}

QString plainKey(const std::string& key) {
    QString words = text(key);
    return words.replace(u'_', u' ');
}

void addFile(Lines& lines, const analysis::Result& result) {
    const ir::ModelInfo& info = result.graph().info;
    const QString path = text(info.path);
    const QString file = path.mid(path.lastIndexOf(u'/') + 1);
    Line title;
    title.kind = LineKind::Title;
    title.text = file.isEmpty() ? text(info.graphName) : file;
    title.note = text(info.format);
    title.toolTip = path;
    lines.push_back(title);
}

void addModel(Lines& lines, const analysis::Result& result) {
    const ir::Graph& graph = result.graph();
    const ir::ModelInfo& info = graph.info;
    lines.push_back(heading(tr("Model")));
    add(lines, tr("graph"), text(info.graphName));
    add(lines, tr("producer"), text(info.producer));
    QStringList opsets;
    for (const auto& opset : info.opsets)
        opsets << (opset.domain.empty() ? QStringLiteral("ai.onnx") : text(opset.domain)) + u' '
                + QString::number(opset.version);
    add(lines, tr("opsets"), opsets.join(QStringLiteral(", ")));
    if (info.fileBytes > 0)
        add(lines, tr("file size"), formatBytes(base::Bytes(info.fileBytes)));
    add(lines, tr("operators"), formatCount(graph.fileNodeCount()));
    add(lines, tr("parameters"), formatCount(graph.parameterCount()));
    if (result.cost) {
        add(lines, tr("MAC"), formatCount(result.cost->macs));
        add(lines, tr("FLOP"), formatShortCount(result.cost->flops));
        if (result.cost->unknownNodes > 0)
            add(lines, tr("unknown cost"),
                tr("%1 operators").arg(formatCount(result.cost->unknownNodes)));
    }
    QStringList assumed;
    if (result.typed)
        for (const auto& [name, size] : result.typed->assumed)
            assumed << text(name) + QStringLiteral(" = ") + QString::number(size);
    add(lines, tr("assumed"), assumed.join(QStringLiteral(", ")));
}

void addTensors(Lines& lines, const analysis::Result& result) {
    const ir::Graph& graph = result.graph();
    if (graph.blocks.empty())
        return;
    const auto list = [&](const std::vector<ir::ValueId>& values, const QString& label) {
        for (const auto id : values) {
            if (!graph.values.contains(id)
                || graph.values[id].origin == ir::ValueOrigin::Initializer)
                continue;
            const bool isTyped = result.typed && result.typed->types.contains(id);
            const ir::ValueType& type =
                isTyped ? result.typed->types[id] : graph.values[id].declared;
            Line line = field(label, text(graph.values[id].name));
            line.note = dtypeName(type.dtype) + u' ' + formatShape(type.shape);
            line.link.value = id;
            lines.push_back(std::move(line));
        }
    };
    list(graph.main().inputs, tr("input"));
    list(graph.main().outputs, tr("output"));
}

void addTotals(Lines& lines, const analysis::Result& result) {
    lines.push_back(heading(tr("On %1").arg(text(result.machine().name))));
    const analysis::Totals& totals = result.totals;
    Line time = field(tr("time"), formatTime(std::optional(totals.time)));
    time.isBold = true;
    if (!totals.validated)
        time.text.prepend(u'~');
    else if (totals.low && totals.high)
        time.text = timeBetween(totals.time, *totals.low, *totals.high);
    if (totals.unknownSteps > 0)
        time.text = tr("at least ") + time.text;
    time.note = validationText(result);
    if (totals.validated)
        time.toolTip = text(totals.validated->source);
    lines.push_back(time);
    Line gap;
    gap.kind = LineKind::Gap;
    gap.label = tr("gap");
    gap.gap = roofline::gapOf(result.program, result.machine());
    gap.toolTip = gapText(gap.gap);
    if (!gap.gap.parts.empty())
        lines.push_back(std::move(gap));
    if (!result.totalEnergy.parts.empty())
        lines.push_back(energyLine(tr("energy"), result.totalEnergy));
    add(lines, tr("steps"), formatCount(static_cast<std::int64_t>(result.program.steps.size())));
    if (totals.unknownSteps > 0)
        add(lines, tr("unknown time"), tr("%1 steps").arg(formatCount(totals.unknownSteps)));
    if (result.program.chips > 1)
        add(lines, tr("chips"), formatCount(result.program.chips));
    add(lines, tr("mode"), text(result.program.mode));
    for (const auto& use : result.memory) {
        if (use.level >= result.machine().memories.size())
            continue;
        const auto known = analysis::knownUse(use, result.machine());
        if (!known.peak)
            continue; // nothing is placed there, so nobody knows
        QString peak = formatBytes(known.peak);
        if (use.capacity)
            peak += tr(" of %1").arg(formatBytes(use.capacity));
        add(lines, tr("%1 peak").arg(text(result.machine().memories[use.level].name)), peak);
    }
}

void addMemories(Lines& lines, const machines::Machine& machine) {
    for (const auto& memory : machine.memories) {
        const QString name = text(memory.name);
        const std::size_t first = lines.size();
        addFigure(lines, name, memory.capacity);
        if (memory.usable.isKnown())
            addFigure(lines, tr("%1 usable").arg(name), memory.usable);
        addFigure(lines, tr("%1 rate").arg(name), memory.bandwidth);
        if (memory.instances > 1) // not of all together, as the roofline has it
            for (std::size_t l = first; l < lines.size(); ++l)
                if (lines[l].status && lines[l].note.isEmpty())
                    lines[l].note = tr("each of %1").arg(formatCount(memory.instances));
        if (memory.aggregateBandwidth.isKnown())
            addFigure(lines, tr("%1 rate, all").arg(name), memory.aggregateBandwidth);
        QStringList words;
        if (memory.instances > 1)
            words << formatCount(memory.instances) + QStringLiteral("×");
        for (const auto& part : {memory.scope, memory.managedBy})
            if (!part.empty())
                words << text(part);
        add(lines, tr("%1 kind").arg(name), words.join(QStringLiteral(", ")));
    }
}

void addMachine(Lines& lines, const machines::Machine& machine) {
    lines.push_back(
        heading(machine.generation.empty() ? text(machine.name) : text(machine.generation)));
    if (machine.year > 0)
        add(lines, tr("year"), QString::number(machine.year));
    static constexpr const char* kPrecisions[] = {
        "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4"};
    for (const auto& [precision, figure] : machine.peaks)
        addFigure(lines,
            tr("peak %1").arg(QLatin1String(kPrecisions[static_cast<std::size_t>(precision)])),
            figure);
    addMemories(lines, machine);
    for (const auto& unit : machine.units) {
        addFigure(lines, tr("%1 count").arg(text(unit.name)), unit.count);
        if (!unit.shape.empty())
            lines.back().note = text(unit.shape);
        for (const auto& [key, figure] : unit.figures)
            addFigure(lines, text(unit.name) + u' ' + plainKey(key), figure);
    }
    for (const auto& link : machine.links) {
        addFigure(lines, text(link.name), link.bandwidth);
        if (link.latency.isKnown())
            addFigure(lines, tr("%1 latency").arg(text(link.name)), link.latency);
    }
    addFigure(lines, tr("clock"), machine.clock);
    addFigure(lines, tr("power"), machine.power);
    for (const auto& [key, figure] : machine.parameters)
        addFigure(lines, plainKey(key), figure);
    for (const auto& sentence : machine.unpublished) {
        Line line;
        line.kind = LineKind::Text;
        line.text = asSentence(sentence);
        lines.push_back(std::move(line));
    }
}

} // namespace

Lines overview(const analysis::Result& result) {
    Lines lines;
    addFile(lines, result);
    addTotals(lines, result);
    addLadder(lines, result);
    addModel(lines, result);
    addTensors(lines, result);
    addMachine(lines, result.machine());
    return lines;
}

} // namespace fivefold::views::inspector
