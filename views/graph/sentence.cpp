// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/sentence.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/graph/labels.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>

namespace fivefold::views::graph {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::graph", text);
}

QString withoutFullStop(QString text) {
    while (text.endsWith('.'))
        text.chop(1);
    return text;
}

/// A reason behind "because": its first letter small, unless the word is a name or an acronym.
QString asClause(const std::string& reason) {
    QString text = withoutFullStop(QString::fromStdString(reason));
    if (text.size() > 1 && text[0].isUpper() && text[1].isLower())
        text[0] = text[0].toLower();
    return text;
}

/// "stage 4 added 1 restickify, because …"; empty when the stage added nothing.
QString addedPart(const lowering::StageGraph& graph) {
    std::map<std::string, int> byOp;
    const lowering::Node* first = nullptr;
    int total = 0;
    for (const lowering::Node& node : graph.nodes) {
        if (node.addedBy.empty() || node.addedAt != graph.stage)
            continue;
        first = first ? first : &node;
        ++byOp[node.op];
        ++total;
    }
    if (!first)
        return {};
    const int stage = static_cast<int>(graph.stage) + 1;
    QString what;
    if (byOp.size() == 1)
        what = QStringLiteral("%1 %2").arg(total).arg(QString::fromStdString(first->op));
    else
        what = tr("%1 operators (%2 and others)").arg(total).arg(QString::fromStdString(first->op));
    const QString part = tr("stage %1 added %2").arg(stage).arg(what);
    return total == 1 ? part + tr(", because %1").arg(asClause(first->addedBy))
                      : part + tr(", the first because %1").arg(asClause(first->addedBy));
}

QString removedPart(const lowering::StageGraph& graph) {
    std::map<std::string, int> byRule;
    int total = 0;
    for (const lowering::Removed& removed : graph.removed) {
        if (removed.stage != graph.stage)
            continue;
        ++byRule[removed.rule];
        ++total;
    }
    if (total == 0)
        return {};
    const auto most = std::max_element(byRule.begin(), byRule.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    const QString rule = asClause(most->first).section(':', 0, 0);
    return byRule.size() == 1
        ? tr("stage %1 removed %2 (%3)").arg(static_cast<int>(graph.stage) + 1).arg(total).arg(rule)
        : tr("stage %1 removed %2, %3 of them %4")
              .arg(static_cast<int>(graph.stage) + 1)
              .arg(total)
              .arg(most->second)
              .arg(rule);
}

/// Where the selection is not to be seen as a box of its own.
QString selectionPart(const common::ViewState& state, const DisplayGraph& graph) {
    const auto& selection = state.selection();
    if (selection.nodes.empty() || !state.result())
        return {};
    const ir::NodeId node = selection.nodes.front();
    const analysis::Result& result = *state.result();
    if (!result.graph().nodes.contains(node))
        return {};
    const QString name = common::shortName(result.graph().nodes[node].name);
    const std::vector<int> boxes = graph.boxesOfCaptured(node);
    if (!boxes.empty()) {
        const DisplayBox& box = graph.boxes[static_cast<std::size_t>(boxes.front())];
        if (box.kind == BoxKind::Folded && selection.nodes.size() == 1 && box.captured.size() > 1)
            return tr("%1 stands inside the folded %2; Enter opens it.").arg(name, box.title);
        return {};
    }
    const auto& stage = result.program.stages[static_cast<std::size_t>(graph.stage)];
    for (const lowering::Removed& removed : stage->removed)
        if (removed.node == node)
            return tr("%1 was removed on %2 at stage %3: %4.")
                .arg(name, QString::fromStdString(result.machine().name))
                .arg(static_cast<int>(removed.stage) + 1)
                .arg(withoutFullStop(QString::fromStdString(removed.rule)));
    return tr("%1 has no counterpart at this stage on %2.")
        .arg(name, QString::fromStdString(result.machine().name));
}

} // namespace

QString stageSentence(const analysis::Result& result, lowering::Stage stage) {
    const auto& graph = result.program.stages[static_cast<std::size_t>(stage)];
    if (!graph)
        return tr("This stage is missing.");
    const auto count = static_cast<qint64>(graph->nodes.size());
    if (count == 0)
        return tr("This model has no operators, so there is nothing to draw.");
    QString what = common::formatCount(count) + ' ' + operatorWord(result, stage, count);
    const auto kernels = static_cast<qint64>(graph->kernels.size());
    if (kernels > 0)
        what += tr(" in %1 %2").arg(common::formatCount(kernels), kernelWord(*graph, kernels));
    QStringList parts;
    const QString head = common::stageName(stage);
    if (stage == lowering::Stage::Captured)
        parts << tr("%1: %2, as the file gives them").arg(head, what);
    else
        parts << tr("%1 for %2: %3").arg(head, QString::fromStdString(result.machine().name), what);
    if (stage == lowering::Stage::Scheduled && result.totals.time.value > 0)
        parts.last() += tr(" take %1%2")
                            .arg(result.totals.unknownSteps > 0 ? tr("at least ") : QString(),
                                common::formatTime(std::optional(result.totals.time)));
    if (const QString added = addedPart(*graph); !added.isEmpty())
        parts << added;
    if (const QString removed = removedPart(*graph); !removed.isEmpty())
        parts << removed;
    return parts.join(QStringLiteral("; ")) + '.';
}

QString sentenceOf(const common::ViewState& state, const DisplayGraph* graph) {
    if (!state.result())
        return tr("Open a model to see its graph.");
    if (graph && graph->stage == state.stage())
        if (const QString part = selectionPart(state, *graph); !part.isEmpty())
            return part;
    QString sentence = stageSentence(*state.result(), state.stage());
    if (graph && graph->expansion.isLimited)
        sentence +=
            ' ' + tr("Some modules stay folded: a picture has at most %1 boxes.").arg(kMaxBoxes);
    return sentence;
}

QStringList cardLines(const analysis::Result& result, const DisplayGraph& graph, int number) {
    const DisplayBox& box = graph.boxes[static_cast<std::size_t>(number)];
    const auto& stage = result.program.stages[static_cast<std::size_t>(graph.stage)];
    QStringList lines;
    if (box.kind == BoxKind::Removed) {
        lines
            << tr("Removed at stage %1: %2").arg(static_cast<int>(box.addedAt) + 1).arg(box.reason);
        return lines;
    }
    if (box.lowered.size() == 1 && stage) {
        const lowering::Node& node = stage->nodes[box.lowered.front()];
        lines << tr("%1, %2").arg(QString::fromStdString(node.op), common::className(box.opClass));
        for (const lowering::ValueId output : node.outputs)
            if (stage->values.contains(output)) {
                const lowering::Value& value = stage->values[output];
                QString result_ =
                    tr("result %1 %2")
                        .arg(common::formatShape(value.shape), common::dtypeName(value.dtype));
                if (value.layout && !value.layout->notation.empty())
                    result_ +=
                        QStringLiteral(" · ") + QString::fromStdString(value.layout->notation);
                lines << result_;
                break;
            }
    } else if (!box.lowered.empty()) {
        lines << tr("%1 operators, folded").arg(box.lowered.size());
    }
    if (box.time || box.isTimeUnknown)
        lines << tr("%1, %2 of the total")
                     .arg(box.isTimeUnknown && !box.time ? tr("time unknown")
                                                         : common::formatTime(box.time),
                         common::formatShare(box.share))
                + (common::isValidated(result) ? QString() : tr(" · not validated"));
    if (box.isAdded)
        lines << tr("Added at stage %1: %2").arg(static_cast<int>(box.addedAt) + 1).arg(box.reason);
    else if (!box.reason.isEmpty())
        lines << box.reason;
    if (!box.weights.isEmpty())
        lines << tr("weights: %1").arg(box.weights);
    return lines;
}

} // namespace fivefold::views::graph
