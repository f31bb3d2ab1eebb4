// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/divergence/elements_painter.h"
#include "views/divergence/parts.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace fivefold::views::divergence {

/// Heat map of a layer's elements. Arrows move over cells, Page Up and Down ten rows, Home and End
/// along the row, `.` and `,` to the next and previous wrong element, Space shows all, F the chosen
/// one; the wheel zooms, a drag pans.
class ElementsCanvas final : public common::Canvas {
    Q_OBJECT

public:
    ElementsCanvas(Focus& focus, QWidget* parent);

    void refresh(); ///< layer or comparison changed
    void updateElement(); ///< the same layer, another element
    const ElementsPicture& picture() const { return m_picture; }
    Coordinates coordinates() const { return m_coordinates; }
    void setCoordinates(Coordinates coordinates);
    ElementColour colour() const { return m_colour; }
    void setColour(ElementColour colour);
    void setPaddingShown(bool isShown);
    const ElementsGeometry& geometryNow() const;
    void paintInto(QPainter& painter, const QSize& size) const;
    void showAll();
    void showElement(); ///< zooms to the chosen one
    void goToWrong(int direction); ///< next or previous wrong element

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void doubleClicked(const QPoint& position) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void dragEnded(const QPoint& position) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const Pane* paneAt(const QPointF& at) const;
    std::optional<std::int64_t> elementAt(const QPointF& at) const;
    Window& windowOf(bool isDevice) { return isDevice ? m_device : m_logical; }
    const ElementGrid& activeGrid() const;
    void move(std::int64_t rows, std::int64_t columns);
    void follow(); ///< the window to the chosen element
    void invalidate();

    Focus& m_focus;
    ElementsPicture m_picture;
    Coordinates m_coordinates = Coordinates::Device;
    ElementColour m_colour = ElementColour::Delta;
    bool m_showsPadding = true;
    bool m_isDeviceActive = true;
    Window m_logical, m_device; ///< empty: all
    std::optional<std::size_t> m_layer; ///< that the picture is of
    std::optional<std::int64_t> m_hovered;
    QPointF m_dragRest; ///< cells that a drag has not moved yet
    mutable ElementsGeometry m_geometry;
    mutable bool m_isGeometryValid = false;
};

/// Which elements of a layer are wrong, where do they lie, and what have they in common?
class ElementsPanel final : public common::Panel {
    Q_OBJECT

public:
    explicit ElementsPanel(
        common::ViewState& state, QWidget* parent = nullptr, Place place = Place::Dock);

    QString id() const override { return QStringLiteral("elements"); }
    QString title() const override { return tr("Elements"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override; ///< wrong elements, the first hundred
    void zoomToFit() override { m_canvas->showAll(); }
    void zoomToSelection() override { m_canvas->showElement(); }

    ElementsCanvas& canvas() const { return *m_canvas; }
    void setCoordinates(Coordinates coordinates); ///< as the buttons do

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createHeader();
    void updateAll();
    void updateHeader();

    Focus& m_focus;
    common::PanelFrame* m_frame = nullptr;
    ElementsCanvas* m_canvas = nullptr;
    QButtonGroup* m_coordinates = nullptr;
    QComboBox* m_colour = nullptr;
    QCheckBox* m_padding = nullptr;
    QLabel* m_pattern = nullptr;
    QList<QWidget*> m_optional;
    QList<QAction*> m_actions;
};

/// What the card paints, for its accessible list too.
class ElementCardCanvas final : public common::Canvas {
    Q_OBJECT

public:
    explicit ElementCardCanvas(QWidget* parent);
    void setLines(QVector<CardLine> lines);
    const QVector<CardLine>& lines() const { return m_lines; }
    void paintInto(QPainter& painter, const QSize& size) const;

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

private:
    QVector<CardLine> m_lines;
};

/// One element: its values, where it lies on the device, how it got there.
class ElementPanel final : public common::Panel {
    Q_OBJECT

public:
    explicit ElementPanel(
        common::ViewState& state, QWidget* parent = nullptr, Place place = Place::Dock);

    QString id() const override { return QStringLiteral("element"); }
    QString title() const override { return tr("Element"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;

    ElementCardCanvas& canvas() const { return *m_canvas; }
    QString toText() const; ///< what Copy… puts on the clipboard as text

private:
    void updateAll();
    void copy(int format);

    Focus& m_focus;
    ElementsPicture m_picture;
    common::PanelFrame* m_frame = nullptr;
    ElementCardCanvas* m_canvas = nullptr;
    QPushButton* m_script = nullptr;
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::divergence
