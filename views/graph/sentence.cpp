// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/sentence.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/graph/geometry.h"
#include "views/graph/labels.h"
#include "views/graph/times.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
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

QString signedBytes(base::Bytes bytes) {
    return bytes.value < 0 ? QChar(0x2212) + common::formatBytes(base::Bytes(-bytes.value))
                           : common::formatBytes(bytes);
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
    const auto marks = countedNodes(result, stage);
    const auto counted = static_cast<qint64>(std::count(marks.begin(), marks.end(), 1));
    QString what = common::formatCount(counted) + ' ' + operatorWord(result, stage, counted);
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

QString movementWords(const analysis::StageChanges& changes) {
    if (changes.edges.empty())
        return {};
    QStringList kinds;
    for (std::size_t k = 0; k < analysis::kMovementKinds; ++k)
        if (changes.edgesByKind[k] > 0)
            kinds << QStringLiteral("%1 %2")
                         .arg(changes.edgesByKind[k])
                         .arg(movementName(static_cast<analysis::MovementKind>(k)));
    const auto count = static_cast<qint64>(changes.edges.size());
    return tr("%1: %2").arg(
        count == 1 ? tr("1 edge added") : tr("%1 edges added").arg(common::formatCount(count)),
        kinds.join(QStringLiteral(", ")));
}

QString movementName(analysis::MovementKind kind) {
    switch (kind) {
    case analysis::MovementKind::Relayout:
        return tr("relayout");
    case analysis::MovementKind::Copy:
        return tr("copy");
    case analysis::MovementKind::Dma:
        return tr("DMA");
    case analysis::MovementKind::Padding:
        return tr("padding");
    case analysis::MovementKind::Host:
        return tr("to the host");
    case analysis::MovementKind::Recomputation:
        return tr("recomputed");
    case analysis::MovementKind::View:
        return tr("view");
    case analysis::MovementKind::Other:
        break;
    }
    return tr("other");
}

QStringList fusionLines(const analysis::GroupCard& card) {
    QStringList lines;
    const auto count = static_cast<qint64>(card.intermediates.size());
    if (count > 0) {
        QString line = count == 1
            ? tr("1 intermediate, %1: ").arg(common::formatBytes(card.intermediateBytes))
            : tr("%1 intermediates, %2: ")
                  .arg(common::formatCount(count), common::formatBytes(card.intermediateBytes));
        const QString level = QString::fromStdString(card.levelAlone);
        if (!card.isOnChipAlready)
            line += tr("where they would lie unfused is not known");
        else if (*card.isOnChipAlready)
            line += card.isHardwareManaged
                ? tr("on chip without fusion (%1, if hardware keeps it)").arg(level)
                : tr("on chip without fusion (%1)").arg(level);
        else
            line += tr("in %1 without fusion").arg(level);
        lines << line;
    }
    if (card.tile) {
        const QString bytes = common::formatBytes(base::Bytes(card.tile->bytes));
        const QString memory = QString::fromStdString(card.tile->memory);
        const auto fits = card.fits();
        lines << (!fits
                ? tr("tile %1 in %2, whose size is not published").arg(bytes, memory)
                : (*fits ? tr("tile fits: %1 of %2 (%3)") : tr("tile does not fit: %1 of %2 (%3)"))
                      .arg(bytes, common::formatBytes(base::Bytes(*card.tile->capacity)), memory));
    }
    if (card.net)
        lines << tr("saved %1 − spilled %2 − recomputed %3 = net %4")
                     .arg(common::formatBytes(card.saved), common::formatBytes(card.spilled),
                         common::formatBytes(card.recomputed), signedBytes(*card.net));
    lines << QString::fromStdString(card.verdict);
    return lines;
}

QString twinText(const analysis::Result& result, const DisplayGraph& graph, int number) {
    const DisplayBox& box = graph.boxes[static_cast<std::size_t>(number)];
    QStringList parts{box.title};
    switch (box.kind) {
    case BoxKind::Input:
        parts << tr("input");
        break;
    case BoxKind::Output:
        parts << tr("output");
        break;
    case BoxKind::Constant:
        parts << tr("constant");
        break;
    case BoxKind::Removed:
        parts << tr("removed at stage %1").arg(static_cast<int>(box.addedAt) + 1);
        break;
    case BoxKind::Folded:
        parts << tr("%1 operators, folded").arg(box.lowered.size());
        break;
    case BoxKind::Operator:
        parts << common::className(box.opClass);
        break;
    }
    if (box.time || box.isTimeUnknown)
        parts << timeText(box);
    if (const QString tag = tagText(box); !tag.isEmpty())
        parts << tag;
    const auto& stage = result.program.stages[static_cast<std::size_t>(graph.stage)];
    if (!box.lowered.empty() && stage)
        if (const auto kernel = stage->nodes[box.lowered.front()].kernel;
            stage->kernels.contains(kernel))
            parts << tr("in %1").arg(kernelName(stage->kernels[kernel]));
    QStringList feeders;
    for (const DisplayEdge& edge : graph.edges)
        if (edge.to == number && !edge.isRemoved)
            feeders << graph.boxes[static_cast<std::size_t>(edge.from)].title;
    if (!feeders.isEmpty())
        parts << tr("reads %1").arg(feeders.join(QStringLiteral(", ")));
    return parts.join(QStringLiteral(", "));
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
    if (!box.from.isEmpty())
        lines << tr("replaces %1 (%2)").arg(box.from, QString::fromStdString(box.origin));
    if (!box.weights.isEmpty())
        lines << tr("weights: %1").arg(box.weights);
    return lines;
}

} // namespace fivefold::views::graph
