// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/graph_panel.h"

#include "views/common/sentences.h"
#include "views/graph/sentence.h"

#include <QMenu>

/// Kernels: their cards, and how a user cuts and joins them.
namespace fivefold::views::graph {

using lowering::FusionEdit;

const analysis::GroupCard* GraphPanel::cardOf(lowering::KernelId kernel) const {
    const auto result = shownResult();
    const DisplayGraph* shown = graph();
    if (!result || !shown || !m_cards || m_cardsOf.lock() != result)
        return nullptr;
    // Cards are those of the placed stage; kernels keep their names.
    const auto& here = result->program.stages[static_cast<std::size_t>(shown->stage)];
    const auto& placed = result->program.stages[static_cast<std::size_t>(lowering::Stage::Placed)];
    if (!here->kernels.contains(kernel))
        return nullptr;
    const std::string& name = here->kernels[kernel].name;
    for (std::size_t k = 0; k < m_cards->size(); ++k) {
        // Nearly always the same number.
        const lowering::KernelId id((kernel.index() + k) % m_cards->size());
        if (placed->kernels[id].name == name)
            return (*m_cards)[id] ? &*(*m_cards)[id] : nullptr;
    }
    return nullptr;
}

std::string GraphPanel::editableNode(const Hit& hit) const {
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result || shown->stage < lowering::Stage::Fused)
        return {};
    const auto& stage = result->program.stages[static_cast<std::size_t>(shown->stage)];
    if (hit.box >= 0) {
        const DisplayBox& box = shown->boxes[static_cast<std::size_t>(hit.box)];
        return box.lowered.empty() ? std::string() : stage->nodes[box.lowered.front()].name;
    }
    if (hit.group < 0)
        return {};
    const DisplayGroup& group = shown->groups[static_cast<std::size_t>(hit.group)];
    if (!group.isKernel || !stage->kernels.contains(group.kernel))
        return {};
    return stage->nodes[stage->kernels[group.kernel].nodes.front()].name;
}

void GraphPanel::fillFusionMenu(QMenu& menu, const std::string& node) {
    const auto result = shownResult();
    if (node.empty() || !result)
        return;
    menu.setToolTipsVisible(true);
    menu.addSeparator();
    const auto add = [&](const QString& text, const FusionEdit& edit) {
        QAction* action = menu.addAction(text, this, [this, edit] { requestEdit(edit); });
        const std::string refusal = analysis::fusionRefusal(*result, edit);
        action->setEnabled(refusal.empty());
        if (refusal.empty())
            return;
        const QString why = common::asSentence(refusal);
        action->setToolTip(why);
        QAction* reason = menu.addAction(
            QStringLiteral("    ") + menu.fontMetrics().elidedText(why, Qt::ElideRight, 420));
        reason->setToolTip(why);
        reason->setEnabled(false);
    };
    add(tr("Split here"), {FusionEdit::Kind::Split, node, {}});
    add(tr("Fuse with next"), {FusionEdit::Kind::Join, node, {}});
}

void GraphPanel::editSelected(FusionEdit::Kind kind) {
    const int box = primaryBox();
    const std::string node = box < 0 ? std::string() : editableNode(Hit{box});
    if (node.empty()) {
        emit noticeRequested(state().stage() < lowering::Stage::Fused
                ? tr("Kernels are formed at stage 3; nothing can be cut or joined before.")
                : tr("Select an operator first: its kernel is cut before it, or takes the next one "
                     "in."));
        return;
    }
    requestEdit({kind, node, {}});
}

void GraphPanel::requestEdit(const FusionEdit& edit) {
    const auto result = shownResult();
    if (!result)
        return;
    const bool isSplit = edit.kind == FusionEdit::Kind::Split;
    if (const std::string refusal = analysis::fusionRefusal(*result, edit); !refusal.empty()) {
        emit noticeRequested(
            (isSplit ? tr("Not split: %1") : tr("Not fused: %1")).arg(common::asSentence(refusal)));
        return;
    }
    const QString name = common::shortName(edit.node);
    emit fusionEditRequested(
        isSplit ? tr("Split before %1").arg(name) : tr("Fuse the kernel of %1").arg(name), edit);
}

std::vector<common::TwinRow> GraphPanel::twinRows() const {
    std::vector<common::TwinRow> rows;
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return rows;
    for (std::size_t b = 0; b < shown->boxes.size(); ++b)
        rows.push_back(
            {twinText(*result, *shown, static_cast<int>(b)), selectionOf({static_cast<int>(b)})});
    return rows;
}

} // namespace fivefold::views::graph
