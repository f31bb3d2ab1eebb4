// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/graph/painter.h"

#include <QVariantAnimation>

#include <functional>
#include <memory>

namespace fivefold::views::graph {

/// One drawn picture. Shared, so that the old one can be painted while the next is made.
struct PlacedGraph {
    DisplayGraph graph;
    Geometry geometry;
};

/// Shows a placed graph: zoom, pan, minimap, chips, hit testing, keys along edges. It knows no
/// Result; what a click means is the panel's.
class GraphCanvas final : public common::Canvas {
    Q_OBJECT

public:
    explicit GraphCanvas(QWidget* parent);

    /// How a new picture is brought in.
    enum class Entry {
        Anew, ///< another model: the readable first view
        Glide, ///< same model: survivors glide; the one nearest to the middle, or the selected
               ///< one, keeps its place on the screen
    };
    void setPlaced(std::shared_ptr<const PlacedGraph> placed, Entry entry);
    std::shared_ptr<const PlacedGraph> placed() const { return m_placed; }
    void setBands(Bands bands, common::Lens lens);
    void setMarks(Marks marks);
    const Marks& marks() const { return m_marks; }
    /// Set for the boxes that the last change of the picture brought: outlined until the next one.
    const std::vector<char>& freshBoxes() const { return m_survivors.isFresh; }
    /// Moves and fades only where the user has not reduced motion.
    void setMotion(bool isOn) { m_hasMotion = isOn; }
    bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }
    void finishMotion();

    common::PlaneView& view() { return m_view; }
    const common::PlaneView& view() const { return m_view; }
    void showFirstView();
    /// The whole picture where its words stay readable, else its beginning at a readable size.
    void fitAll();
    void fitBoxes(const std::vector<int>& boxes);
    void zoomBy(double factor);
    void resetZoom();
    void showBoxes(const std::vector<int>& boxes); ///< scrolls as little as possible

    /// The picture with another size, for exports.
    void paintInto(QPainter& painter, const QSize& size);
    /// Pixels of a box, for tests and cards.
    QRect boxRect(int box) const;
    QRect minimapRect() const; ///< null when everything is in view
    /// Boxes that are not in view above, below, left and right; selected ones only when some are
    /// selected.
    struct Outside {
        int above = 0, below = 0, left = 0, right = 0;
        bool isSelection = false;
    };
    Outside outside() const;

    /// The card's text for a box, an edge or a frame.
    std::function<common::CardContent(const Hit&)> cardSource;
    std::function<void(QMenu&, const Hit&)> menuSource;

signals:
    void hitClicked(const fivefold::views::graph::Hit& hit, Qt::KeyboardModifiers modifiers);
    void hitDoubleClicked(const fivefold::views::graph::Hit& hit);
    void boxHovered(int box); ///< −1: none
    void neighbourWanted(Qt::Key arrow);
    void expandWanted();
    void collapseWanted();
    void escapePressed();
    void viewChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void doubleClicked(const QPoint& position) override;
    void dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Chip {
        QRect rect;
        QString text;
        QPointF step; ///< pan, in viewports
    };

    Hit hitAt(const QPoint& position) const;
    Scene scene() const;
    std::vector<Chip> chips() const;
    void paintChips(QPainter& painter) const;
    void viewMoved();

    void keepAnchor(const std::vector<char>& selectedBefore, const QPointF& originBefore);

    std::shared_ptr<const PlacedGraph> m_placed, m_before;
    Survivors m_survivors; ///< of the last change of the picture
    Geometry m_shown; ///< the geometry between two pictures while boxes glide
    Bands m_bands;
    Marks m_marks;
    common::Lens m_lens = common::Lens::OperatorClass;
    common::PlaneView m_view;
    QVariantAnimation m_animation;
    bool m_hasMotion = true;
    bool m_isFirstViewWanted = false; ///< a picture came before the first size
    bool m_isMinimapDrag = false;
    int m_hoveredBox = -1;
};

} // namespace fivefold::views::graph
