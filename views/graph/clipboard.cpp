// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/clipboard.h"

#include "views/common/format.h"
#include "views/graph/geometry.h"
#include "views/graph/sentence.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace fivefold::views::graph {

namespace {

QJsonArray valueNames(
    const lowering::StageGraph& graph, const std::vector<lowering::ValueId>& values) {
    QJsonArray names;
    for (const lowering::ValueId id : values)
        names.append(graph.values.contains(id)
                ? QJsonValue(QString::fromStdString(graph.values[id].name))
                : QJsonValue());
    return names;
}

QJsonObject nodeObject(
    const analysis::Result& result, const lowering::StageGraph& graph, lowering::NodeId id) {
    const lowering::Node& node = graph.nodes[id];
    QJsonArray sources;
    for (const ir::NodeId source : node.sources)
        if (result.graph().nodes.contains(source))
            sources.append(QString::fromStdString(result.graph().nodes[source].name));
    return {{"name", QString::fromStdString(node.name)}, {"op", QString::fromStdString(node.op)},
        {"sources", sources}, {"inputs", valueNames(graph, node.inputs)},
        {"outputs", valueNames(graph, node.outputs)}, {"rule", QString::fromStdString(node.rule)},
        {"added_by", QString::fromStdString(node.addedBy)}};
}

QString cell(QString text) {
    return text.replace('|', QStringLiteral("\\|"));
}

} // namespace

QString asText(const analysis::Result& result, const DisplayGraph& graph, int box) {
    QStringList lines(graph.boxes[static_cast<std::size_t>(box)].fullName);
    lines << cardLines(result, graph, box);
    return lines.join('\n');
}

QString asJson(const analysis::Result& result, const DisplayGraph& graph, int number) {
    const DisplayBox& box = graph.boxes[static_cast<std::size_t>(number)];
    const auto& stage = result.program.stages[static_cast<std::size_t>(graph.stage)];
    const std::string_view stageName = lowering::toString(graph.stage);
    QJsonArray nodes;
    if (stage)
        for (const lowering::NodeId id : box.lowered)
            nodes.append(nodeObject(result, *stage, id));
    QJsonObject object{{"name", box.fullName},
        {"stage", QString::fromUtf8(stageName.data(), static_cast<qsizetype>(stageName.size()))},
        {"machine", QString::fromStdString(result.machine().id)}, {"nodes", nodes},
        {"time_s", box.time && !box.isTimeUnknown ? QJsonValue(box.time->value) : QJsonValue()}};
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

QString asMarkdown(const analysis::Result& result, const DisplayGraph& graph, int number) {
    const DisplayBox& box = graph.boxes[static_cast<std::size_t>(number)];
    const auto& stage = result.program.stages[static_cast<std::size_t>(graph.stage)];
    QString text =
        QStringLiteral("| name | operator | result | time |\n| --- | --- | --- | --- |\n");
    const auto row = [&](const QString& name, const QString& op, const QString& shape,
                         const QString& time) {
        text += QStringLiteral("| %1 | %2 | %3 | %4 |\n").arg(cell(name), cell(op), shape, time);
    };
    if (!stage || box.lowered.empty()) {
        row(box.fullName, QString(), QString(), timeText(box));
        return text;
    }
    for (const lowering::NodeId id : box.lowered) {
        const lowering::Node& node = stage->nodes[id];
        QString shape;
        if (!node.outputs.empty() && stage->values.contains(node.outputs.front()))
            shape = common::formatShape(stage->values[node.outputs.front()].shape);
        row(QString::fromStdString(node.name), QString::fromStdString(node.op), shape,
            box.lowered.size() == 1 ? timeText(box) : QString());
    }
    return text;
}

} // namespace fivefold::views::graph
