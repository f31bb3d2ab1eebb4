// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/play.h"
#include "views/common/view_state.h"
#include "views/graph/graph_canvas.h"

#include <QRegion>
#include <QWidget>

#include <map>

namespace fivefold::views::graph {

/// Which boxes and edges of a picture a step is. At the scheduled stage the operators of the step;
/// before it the captured operators that they come from.
struct FiringMap {
    std::vector<std::vector<int>> boxesOf; ///< by step
    std::map<std::pair<int, int>, int> edgeOf; ///< (from box, to box) → display edge

    /// An edge on which a token of one step for the other goes; −1: none is drawn.
    int edgeBetween(lowering::StepId from, lowering::StepId to) const;
};
FiringMap firingMap(const DisplayGraph& graph, const analysis::Result& result);

/// What is lit at a moment.
struct FiringMarks {
    struct Box {
        int box = 0;
        bool isBlocked = false;
        double progress = 0; ///< of the furthest running event, 0..1
        QString words; ///< the rule that let it start, or what it waits for
        bool isWrong = false; ///< computes on a stale value
    };
    struct Token {
        int edge = 0;
        double progress = 0; ///< along the edge, 0..1
    };
    std::vector<Box> boxes; ///< a box once; running before blocked
    std::vector<Token> tokens;
};
FiringMarks firingMarks(const FiringMap& map, const analysis::Result& result,
    const schedule::FiringTrace& trace, base::Picoseconds at);

/// The point of an edge's curve at a share of its way; `points` as EdgeShape::points.
QPointF pointOnEdge(const QVector<QPointF>& points, double progress);

/// Lights the boxes of the graph and moves tokens along its edges while the clock of the play
/// runs. Lies over the canvas and repaints only what changes.
class FiringOverlay final : public QWidget {
    Q_OBJECT

public:
    FiringOverlay(common::ViewState& state, GraphCanvas& canvas);
    const FiringMarks& marks() const { return m_marks; }
    /// The result that the picture on the canvas is of; asked on every change.
    std::function<std::shared_ptr<const analysis::Result>()> shownResult;
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateMarks();
    QRectF boxRect(int box) const;
    QRectF wordsRect(const FiringMarks::Box& box) const;
    QRegion regionOf(const FiringMarks& marks) const;
    void paintBox(QPainter& painter, const FiringMarks::Box& box) const;
    void paintWords(QPainter& painter, const FiringMarks::Box& box) const;

    common::ViewState& m_state;
    GraphCanvas& m_canvas;
    std::weak_ptr<const PlacedGraph> m_mapped;
    FiringMap m_map;
    FiringMarks m_marks;
    QRegion m_painted;
};

} // namespace fivefold::views::graph
