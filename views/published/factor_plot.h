// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/published/published_model.h"

namespace fivefold::views::published {

/// A dot of the plot.
struct FactorDot {
    int row = 0; ///< of the model
    QPointF at;
};

/// How far off is every point? A line of dots a family, on one log axis from a factor of 1.
class FactorPlot final : public common::Canvas {
    Q_OBJECT

public:
    static constexpr int kHeight = 168;

    FactorPlot(const PublishedModel& model, QWidget* parent);

    const QVector<FactorDot>& dots() const { return m_dots; }
    void refresh(); ///< the points changed
    void paintContent(QPainter& painter, const QSize& size) const;

signals:
    void rowChosen(int row);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QVector<FactorDot> dotsOf(const QSizeF& size) const;
    void paintAll(QPainter& painter, const QSizeF& size, const QVector<FactorDot>& dots) const;
    double toX(double factor, double width) const;
    int dotAt(const QPointF& point) const; ///< index into dots; −1: none

    const PublishedModel& m_model;
    QVector<FactorDot> m_dots;
    double m_most = 2; ///< right end of the axis
    int m_hovered = -1;
};

} // namespace fivefold::views::published
