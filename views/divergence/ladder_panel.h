// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/divergence/ladder_geometry.h"
#include "views/divergence/parts.h"
#include "views/divergence/waits_geometry.h"

class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace fivefold::views::divergence {

/// The nine rungs, and what is known of the eight levels. Arrows walk over the levels, Enter opens
/// the page of one.
class LadderCanvas final : public common::Canvas {
    Q_OBJECT

public:
    LadderCanvas(Focus& focus, QWidget* parent);
    void refresh();
    const LadderPicture& picture() const { return m_picture; }
    LadderGeometry geometryNow() const;
    void paintInto(QPainter& painter, const QSize& size) const;
    void setRoom(const QSize& room);

signals:
    void levelChosen(fivefold::numerics::Level level);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    Focus& m_focus;
    LadderPicture m_picture;
    QSize m_room;
    int m_hovered = -1;
    int m_focused = -1;
};

/// Who waits for whom when nothing moves any more; full queues; transfers and their deadlines.
class WaitsCanvas final : public common::Canvas {
    Q_OBJECT

public:
    WaitsCanvas(Focus& focus, QWidget* parent);
    void refresh();
    const WaitsPicture& picture() const { return m_picture; }
    WaitsGeometry geometryNow() const;
    void paintInto(QPainter& painter, const QSize& size) const;
    void setRoom(const QSize& room);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    int nodeAt(const QPointF& at) const;
    QVector<int> selectedNodes() const;
    void choose(int node);

    Focus& m_focus;
    WaitsPicture m_picture;
    QSize m_room;
    int m_hovered = -1;
};

/// Which level of the stack is to blame, and why not its neighbours?
class LadderPanel final : public common::Panel {
    Q_OBJECT

public:
    explicit LadderPanel(
        common::ViewState& state, QWidget* parent = nullptr, Place place = Place::Dock);

    QString id() const override { return QStringLiteral("ladder"); }
    QString title() const override { return tr("Ladder"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;

    enum class Page { Ladder, Waits, Level };
    Page page() const { return m_page; }
    void showPage(Page page);
    void showLevel(numerics::Level level); ///< symptom, artefact, what exonerates it, bugs, a fault
    LadderCanvas& canvas() const { return *m_canvas; }
    WaitsCanvas& waits() const { return *m_waits; }
    QTextBrowser& levelText() const { return *m_text; }
    QPushButton& plantButton() const { return *m_plant; }
    QPushButton& backButton() const { return *m_back; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* createLevelPage();
    QScrollArea* scrolled(QWidget* canvas);
    void createSwitch();
    void updateAll();
    void showFirstPage(); ///< a hang shows its waits
    void updateLevelText();

    Focus& m_focus;
    common::PanelFrame* m_frame = nullptr;
    QStackedWidget* m_pages = nullptr;
    LadderCanvas* m_canvas = nullptr;
    WaitsCanvas* m_waits = nullptr;
    QTextBrowser* m_text = nullptr;
    QPushButton *m_plant = nullptr, *m_back = nullptr;
    QWidget* m_switch = nullptr;
    QToolButton *m_toLadder = nullptr, *m_toWaits = nullptr;
    QScrollArea *m_ladderScroll = nullptr, *m_waitsScroll = nullptr;
    Page m_page = Page::Ladder;
    numerics::Level m_level = numerics::Level::Capture;
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::divergence
