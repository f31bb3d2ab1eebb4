// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QAction>
#include <QWidget>

class QPainter;

namespace fivefold::views::common {

/// One line of a panel's list twin: what the canvas shows, in words, and what choosing it selects.
struct TwinRow {
    QString text;
    Selection selection;
    bool operator==(const TwinRow&) const = default;
};

/// A dockable view that answers one question. From top to bottom: header controls (32), the
/// sentence (20 or 36), the canvas, the legend (24). Panels get an immutable Result through the
/// ViewState and never compute.
class Panel : public QWidget {
    Q_OBJECT

public:
    Panel(ViewState& state, QWidget* parent);

    virtual QString id() const = 0; ///< stable, for --render and settings: "graph"
    virtual QString title() const = 0; ///< dock title: "Graph"
    /// What the panel shows for the current selection, in one sentence. Also the caption of exports
    /// and the accessible name of the canvas.
    virtual QString sentence() const = 0;
    /// Paints the content (canvas and legend, no header) into a rectangle of logical size; used by
    /// exports, which put the sentence above and the foot line below.
    virtual void paintContent(QPainter& painter, const QSize& size) = 0;
    /// The table as CSV with a header line; empty for panels that are no tables.
    virtual QString toCsv() const { return {}; }
    /// Actions that belong in menus and have shortcuts (fit, zoom…); owned by the panel.
    virtual QList<QAction*> panelActions() const { return {}; }
    /// What the canvas shows, as lines in the same order; empty for panels that are lists
    /// themselves. Emit twinChanged() when the answer changes.
    virtual std::vector<TwinRow> twinRows() const { return {}; }
    virtual void zoomToFit() { }
    virtual void zoomToSelection() { }
    /// Finishes pending work (a drawing job) before an off-screen render; true when nothing is
    /// pending.
    virtual bool settle(int timeoutMs) {
        Q_UNUSED(timeoutMs);
        return true;
    }

    ViewState& state() const { return m_state; }

signals:
    void sentenceChanged(const QString& sentence);
    /// Ask the window to show another panel ("inspector") for the current selection.
    void showRequested(const QString& panelId);
    /// Ask for another target: the id of a machine, or of a family, which means its usual machine.
    void machineRequested(const QString& machine);
    void twinChanged();
    /// Ask the window to show a sentence that is no error of the panel's own.
    void noticeRequested(const QString& sentence);
    /// Ask for a change of the kernels as one undoable step; `text` names it.
    void fusionEditRequested(const QString& text, const fivefold::lowering::FusionEdit& edit);
    /// Ask for a remedy of a problem, or a choice of implementation, as one undoable step.
    void remedyRequested(const QString& text, const fivefold::analysis::Remedy& remedy);

protected:
    /// Emits sentenceChanged and updates the accessible name; call when what is shown changed.
    void refreshSentence();

private:
    ViewState& m_state;
};

} // namespace fivefold::views::common
