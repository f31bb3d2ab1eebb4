// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/play.h"
#include "views/common/panel.h"
#include "views/common/panel_frame.h"

class QSlider;

namespace fivefold::views::play {

class PlayCanvas;
class PlayControls;

/// What would the same block do under another execution model? It asks for plays and clock moves;
/// who owns the clock answers through the ViewState.
class PlayPanel final : public common::Panel {
    Q_OBJECT

public:
    PlayPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("play"); }
    QString title() const override { return tr("Play"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override; ///< one record a firing
    QList<QAction*> panelActions() const override { return m_actions; }
    /// What runs and what waits at the clock, by model.
    std::vector<common::TwinRow> twinRows() const override;
    bool settle(int timeoutMs) override;

    /// What is to be played now: the controls, the selection, the machine's models.
    analysis::PlayRequest request() const;
    QAction* playAction() const { return m_play; }
    PlayCanvas* canvas() const { return m_canvas; }
    PlayControls* controls() const { return m_controls; }
    QSlider* slider() const { return m_slider; }

signals:
    /// Another request; `isWanted`: somebody sees or plays it, so compute it now.
    void requestChanged(const fivefold::analysis::PlayRequest& request, bool isWanted);
    void playToggled();
    void stepWanted(int direction);
    void clockWanted(fivefold::base::Picoseconds at);
    void paceChanged(int seconds);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool isSeen() const;
    void createActions();
    void createClock();
    void connectState();
    void ask();
    void updateResult();
    void updatePicture();
    void updateClock();
    void updateLegend();
    common::Legend legend() const;
    QString footnote() const;

    bool m_isAsking = false; ///< about to ask for what is to be played
    common::PanelFrame* m_frame = nullptr;
    PlayCanvas* m_canvas = nullptr;
    PlayControls* m_controls = nullptr;
    QSlider* m_slider = nullptr;
    QAction *m_play = nullptr, *m_step = nullptr, *m_back = nullptr;
    QList<QAction*> m_actions;
    std::string m_family; ///< whose models the controls show
};

} // namespace fivefold::views::play

Q_DECLARE_METATYPE(fivefold::analysis::PlayRequest)
