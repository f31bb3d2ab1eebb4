// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/divergence/layers_geometry.h"
#include "views/divergence/parts.h"

class QScrollArea;

namespace fivefold::views::divergence {

/// The rows of the list, as high as all of them; paints what is in view.
class LayersCanvas final : public common::Canvas {
    Q_OBJECT

public:
    LayersCanvas(Focus& focus, QWidget* parent);

    void setPicture(LayersPicture picture);
    const LayersPicture& picture() const { return m_picture; }
    int rowHeight() const { return m_rowHeight; }
    void setRoom(int height); ///< of the viewport: decides how high rows are
    QRect rowRect(std::size_t row) const;
    int rowsPainted() const { return m_rowsPainted; } ///< by the last paint, for tests

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void doubleClicked(const QPoint& position) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    Focus& m_focus;
    LayersPicture m_picture;
    int m_rowHeight = kLayerRow;
    int m_hovered = -1;
    int m_room = 0;
    int m_rowsPainted = 0;
};

/// Every compared value in topological order: which is the first that is wrong by itself?
class LayersPanel final : public common::Panel {
    Q_OBJECT

public:
    explicit LayersPanel(
        common::ViewState& state, QWidget* parent = nullptr, Place place = Place::Dock);

    QString id() const override { return QStringLiteral("layers"); }
    QString title() const override { return tr("Layers"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;
    void zoomToSelection() override { showCurrent(); }

    LayersCanvas& canvas() const { return *m_canvas; }
    QScrollArea& scrollArea() const { return *m_scroll; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateAll();
    void updateRoom();
    void showCurrent();

    Focus& m_focus;
    common::PanelFrame* m_frame = nullptr;
    LayersCanvas* m_canvas = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_header = nullptr;
    QWidget* m_before = nullptr;
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::divergence
