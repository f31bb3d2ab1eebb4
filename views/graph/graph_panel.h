// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/group_card.h"
#include "core/analysis/stage_changes.h"
#include "views/common/panel.h"
#include "views/common/panel_frame.h"
#include "views/graph/drawing_service.h"
#include "views/graph/graph_canvas.h"

#include <deque>
#include <memory>

class QComboBox;
class QToolButton;

namespace fivefold::views::graph {

/// The dataflow graph of the current stage, folded so that it can be read.
class GraphPanel final : public common::Panel {
    Q_OBJECT

public:
    explicit GraphPanel(common::ViewState& state, QWidget* parent = nullptr);
    ~GraphPanel() override;

    QString id() const override { return QStringLiteral("graph"); }
    QString title() const override { return tr("Graph"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    void zoomToFit() override { m_canvas->fitAll(); }
    void zoomToSelection() override;
    bool settle(int timeoutMs) override;
    std::vector<common::TwinRow> twinRows() const override;

    GraphCanvas& canvas() const { return *m_canvas; }
    DrawingService& drawings() { return m_drawings; }
    const PresentOptions& options() const { return m_options; }
    void setOptions(const PresentOptions& options);
    bool isLeftToRight() const { return m_isLeftToRight; }
    /// False: pictures change at once.
    void setMotion(bool isOn) { m_canvas->setMotion(isOn); }

    void toggleDirection();
    void expandBox(int box);
    void collapse(int container);
    void expandSelected();
    void collapseSelected();
    /// Opens or closes everything below what is selected, or the whole graph.
    void setAllBelow(bool isOpen);
    /// Keeps what the selection is made from (or feeds) and fades the rest; again or Escape ends
    /// it.
    void trace(bool isInputs);
    void endTrace();
    /// Cuts the kernel of the selected operator before it, or takes the next kernel into its own;
    /// what a rule forbids becomes a notice with the rule.
    void splitSelected() { editSelected(lowering::FusionEdit::Kind::Split); }
    void fuseSelected() { editSelected(lowering::FusionEdit::Kind::Join); }
    /// What the stage in view added, removed and replaced, as a list to choose from.
    void showChanges();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using Cards = base::IdVector<lowering::KernelId, std::optional<analysis::GroupCard>>;
    struct Presented;
    struct Shown;

    void makeActions();
    void makeHeader();
    QAction* addAction(const QString& id, const QString& text, const QList<QKeySequence>& keys,
        const QString& icon = {});
    QAction* addOption(const QString& id, const QString& text, bool PresentOptions::*option,
        const QKeySequence& key = {});

    void resultChanged(bool isOtherModel);
    void rebuild();
    std::shared_ptr<const Shown> cached() const;
    void showPicture(std::shared_ptr<const Shown> shown);
    /// The result whose picture is on the canvas; null while a newer one has replaced it.
    std::shared_ptr<const analysis::Result> shownResult() const;
    QString footnote() const;
    void takePresented(std::shared_ptr<const Presented> presented);
    void takeDrawing(quint64 number, DrawingService::Drawing drawing, const QString& problem);
    void updateMarks();
    void updateBands();
    void updateCombo();
    void updateHeader();
    void showSelection();

    void boxClicked(int box, Qt::KeyboardModifiers modifiers);
    void hitClicked(const Hit& hit, Qt::KeyboardModifiers modifiers);
    void hitDoubleClicked(const Hit& hit);
    void selectBoxes(const std::vector<int>& boxes);
    void selectPath(int from, int to);
    void moveSelection(Qt::Key arrow);
    int primaryBox() const;
    std::vector<int> selectedBoxes() const;
    common::Selection selectionOf(const std::vector<int>& boxes) const;
    common::CardContent cardFor(const Hit& hit) const;
    void fillMenu(QMenu& menu, const Hit& hit);
    void fillFusionMenu(QMenu& menu, const std::string& node);
    /// The fused-stage operator that a box or a kernel's frame stands for; empty: none.
    std::string editableNode(const Hit& hit) const;
    void editSelected(lowering::FusionEdit::Kind kind);
    void requestEdit(const lowering::FusionEdit& edit);
    const analysis::GroupCard* cardOf(lowering::KernelId kernel) const;
    const DisplayGraph* graph() const;

    common::PanelFrame m_frame;
    GraphCanvas* m_canvas = nullptr;
    QComboBox* m_folding = nullptr;
    QToolButton* m_showButton = nullptr;
    QList<QWidget*> m_checks;
    QList<QAction*> m_actions;
    QList<std::pair<QAction*, bool PresentOptions::*>> m_optionActions;
    QAction* m_directionAction = nullptr;
    DrawingService m_drawings;
    PresentOptions m_options;
    bool m_isLeftToRight = false;
    bool m_isOwnSelection = false;
    bool m_isAnew = true; ///< the next picture is of another model
    quint64 m_generation = 0; ///< of present jobs
    bool m_isPresenting = false;
    std::shared_ptr<const ScopeTree> m_tree;
    const void* m_treeResult = nullptr;
    lowering::Stage m_treeStage = lowering::Stage::Captured;
    std::shared_ptr<const Presented> m_waiting; ///< presented, being drawn
    std::shared_ptr<const Shown> m_placed; ///< what the canvas shows
    std::deque<std::shared_ptr<const Shown>> m_known; ///< pictures drawn last, the newest first
    std::shared_ptr<const Cards> m_cards; ///< of the result m_cardsOf
    std::weak_ptr<const analysis::Result> m_cardsOf;
    QToolButton* m_changesButton = nullptr;
    std::vector<char> m_traced;
    int m_traceDirection = 0;
    QString m_problem;
};

} // namespace fivefold::views::graph
