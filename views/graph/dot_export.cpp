// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/dot_export.h"

#include "views/graph/labels.h"

#include "views/common/palette.h"

#include <QTextStream>

namespace fivefold::views::graph {

namespace {

QString quoted(QString text) {
    text.replace('\\', QStringLiteral("\\\\"));
    text.replace('"', QStringLiteral("\\\""));
    text.replace('\n', QStringLiteral("\\n"));
    text.remove(QChar(0));
    return '"' + text + '"';
}

void writeNode(QTextStream& out, const lowering::StageGraph& graph, lowering::NodeId id) {
    const lowering::Node& node = graph.nodes[id];
    const QColor colour = common::Palette::current().operatorClass(node.opClass());
    out << "    n" << id.index() << " [label=" << quoted(titleOf(node, {}))
        << ", tooltip=" << quoted(QString::fromStdString(node.name)) << ", color=\""
        << colour.name() << '"' << (node.addedBy.empty() ? "" : ", style=\"rounded,dashed\"")
        << "];\n";
}

} // namespace

QString toDot(const analysis::Result& result, lowering::Stage stage) {
    const auto& graph = result.program.stages[static_cast<std::size_t>(stage)];
    if (!graph)
        return {};
    QString text;
    QTextStream out(&text);
    const std::string_view name = lowering::toString(stage);
    out << "digraph " << quoted(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
        << " {\n    rankdir=TB;\n    node [shape=box, style=rounded, fontname=\"DejaVu Sans\", "
           "fontsize=10];\n"
        << "    edge [fontname=\"DejaVu Sans\", fontsize=8];\n";
    std::vector<char> isWritten(graph->nodes.size(), 0);
    for (std::size_t k = 0; k < graph->kernels.size(); ++k) {
        const lowering::Kernel& kernel = graph->kernels[lowering::KernelId(k)];
        out << "    subgraph cluster_" << k << " {\n    label=" << quoted(kernelName(kernel))
            << ";\n";
        for (const lowering::NodeId id : kernel.nodes)
            if (graph->nodes.contains(id) && !isWritten[id.index()]) {
                isWritten[id.index()] = 1;
                writeNode(out, *graph, id);
            }
        out << "    }\n";
    }
    for (std::size_t n = 0; n < graph->nodes.size(); ++n)
        if (!isWritten[n])
            writeNode(out, *graph, lowering::NodeId(n));
    for (const lowering::ValueId input : graph->inputs)
        if (graph->values.contains(input))
            out << "    v" << input.index() << " [shape=oval, label="
                << quoted(QString::fromStdString(graph->values[input].name)) << "];\n";
    const ir::DType usual = machines::storageType(result.request.settings.precision);
    for (std::size_t v = 0; v < graph->values.size(); ++v) {
        const lowering::Value& value = graph->values[lowering::ValueId(v)];
        const bool isInput =
            std::find(graph->inputs.begin(), graph->inputs.end(), lowering::ValueId(v))
            != graph->inputs.end();
        if (!value.producer.isValid() && !isInput)
            continue;
        const QString from = value.producer.isValid()
            ? QStringLiteral("n%1").arg(value.producer.index())
            : QStringLiteral("v%1").arg(v);
        for (const lowering::NodeId user : value.users)
            out << "    " << from << " -> n" << user.index()
                << " [label=" << quoted(edgeLabel(value, usual, {})) << "];\n";
    }
    out << "}\n";
    out.flush();
    return text;
}

} // namespace fivefold::views::graph
