// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <QMetaType>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::analysis {
struct Play;
}
namespace fivefold::compare {
struct Divergence;
}

namespace fivefold::views::common {

/// What is selected or hovered: captured-graph ids, so that it survives a change of machine, stage
/// and settings.
struct Selection {
    std::vector<ir::NodeId> nodes; ///< the clicked one first
    ir::ValueId value; ///< the tensor that layout and timeline show; valid when a value was picked
    std::string added; ///< name of a node that a compiler added (it has no captured counterpart)
    std::optional<std::vector<std::int64_t>> element; ///< logical index inside `value`

    bool isEmpty() const { return nodes.empty() && !value.isValid() && added.empty(); }
    bool contains(ir::NodeId node) const;
    bool operator==(const Selection&) const = default;
};

/// What the one colouring of all panels means.
enum class Lens { OperatorClass, Bytes, Padding, DType, Module, DecidedBy, Verdict };

/// The linked state of all panels: the one object that owns selection, hover, stage, time cursor
/// and lens. Panels never connect to panels. A second state may be linked to a first: for a second
/// stage or machine beside it, under one selection. UI thread only.
class ViewState final : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);
    /// Result, stage and time cursor are this state's own; selection, hover, lens and history are
    /// the leader's, by captured ids. Both must be of one model. The leader outlives it.
    ViewState(ViewState& leader, QObject* parent);
    bool isLinked() const { return m_leader != nullptr; }

    /// Null before the first model. A new result keeps selection and hover where their ids still
    /// exist: the caller says whether the model is another one.
    std::shared_ptr<const analysis::Result> result() const { return m_result; }
    void setResult(std::shared_ptr<const analysis::Result> result, bool isOtherModel);
    /// True while a newer result is being computed: panels show the old one at 60 %.
    bool isStale() const { return m_isStale; }
    void setStale(bool stale);

    /// Results of the same model and choices on one machine a family, always in the order GPU, TPU,
    /// WSE, LPU, SPY; null where one is being computed or failed. Empty before anybody asked.
    const std::vector<std::shared_ptr<const analysis::Result>>& otherResults() const {
        return m_leader ? m_leader->otherResults() : m_otherResults;
    }
    void setOtherResults(std::vector<std::shared_ptr<const analysis::Result>> results);

    const Selection& selection() const { return m_leader ? m_leader->selection() : m_selection; }
    void setSelection(Selection selection);
    void selectNode(ir::NodeId node); ///< replaces
    void toggleNode(ir::NodeId node); ///< Ctrl+click
    void selectStep(lowering::StepId step); ///< all its captured nodes, main node first
    void selectLowered(lowering::Stage stage, lowering::NodeId node);
    void selectValue(ir::ValueId value); ///< a tensor and its producer
    void clearSelection();

    const Selection& hover() const { return m_leader ? m_leader->hover() : m_hover; }
    void setHover(Selection hover);

    lowering::Stage stage() const { return m_stage; }
    void setStage(lowering::Stage stage);
    base::Picoseconds cursor() const { return m_cursor; }
    void setCursor(base::Picoseconds cursor);

    /// A block of the program as it fires under two execution models, its clock, and whether the
    /// clock runs. Null until somebody plays; a new result of this state drops it. Who plays moves
    /// the time cursor too.
    std::shared_ptr<const analysis::Play> play() const { return m_play; }
    void setPlay(std::shared_ptr<const analysis::Play> play); ///< the clock goes back to 0
    base::Picoseconds playTime() const { return m_playTime; }
    void setPlayTime(base::Picoseconds time);
    bool isPlaying() const { return m_isPlaying; }
    void setPlaying(bool isPlaying);

    /// The comparison of two runs of the model; null until somebody made one. Another model drops
    /// it. The first one turns the lens to its verdicts, dropping it turns the lens back. One that
    /// diverges selects its first origin, with the first wrong element.
    const std::shared_ptr<const compare::Divergence>& divergence() const {
        return m_leader ? m_leader->divergence() : m_divergence;
    }
    void setDivergence(std::shared_ptr<const compare::Divergence> divergence);

    Lens lens() const { return m_leader ? m_leader->lens() : m_lens; }
    void setLens(Lens lens);

    /// Back and forward over selections.
    bool canGoBack() const;
    bool canGoForward() const;
    void goBack();
    void goForward();

    // Mapping of the selection for the current result (empty without one).
    std::vector<lowering::NodeId> selectedLowered(lowering::Stage stage) const;
    std::vector<lowering::StepId> selectedSteps() const;
    std::vector<lowering::StepId> stepsOf(const Selection& selection) const;
    std::vector<lowering::NodeId> loweredOf(
        const Selection& selection, lowering::Stage stage) const;
    /// What clicking a step or a lowered node selects: its captured nodes, main node first, or the
    /// added node's name. Empty for an unknown id.
    Selection selectionOf(lowering::StepId step) const;
    Selection selectionOf(lowering::Stage stage, lowering::NodeId node) const;
    /// The tensor to show for the selection: the picked value, else the first output of the first
    /// node.
    ir::ValueId shownValue() const;

signals:
    void resultChanged(bool isOtherModel);
    void staleChanged(bool stale);
    void otherResultsChanged();
    void selectionChanged();
    void hoverChanged();
    void stageChanged();
    void cursorChanged();
    void playChanged(); ///< other traces, or none
    void playTimeChanged();
    void playingChanged(bool isPlaying);
    void divergenceChanged(); ///< before the selection of its first origin
    void lensChanged(); ///< or what the verdicts say
    void historyChanged();

private:
    void pushHistory();

    ViewState* m_leader = nullptr;
    std::shared_ptr<const analysis::Result> m_result;
    std::vector<std::shared_ptr<const analysis::Result>> m_otherResults;
    bool m_isStale = false;
    Selection m_selection;
    Selection m_hover;
    lowering::Stage m_stage = lowering::Stage::Scheduled;
    base::Picoseconds m_cursor;
    std::shared_ptr<const analysis::Play> m_play;
    base::Picoseconds m_playTime;
    bool m_isPlaying = false;
    std::shared_ptr<const compare::Divergence> m_divergence;
    Lens m_lens = Lens::OperatorClass;
    Lens m_lensBefore = Lens::OperatorClass; ///< in force before the first comparison
    std::vector<Selection> m_history;
    std::size_t m_historyAt = 0;
};

} // namespace fivefold::views::common

Q_DECLARE_METATYPE(fivefold::views::common::Selection)
