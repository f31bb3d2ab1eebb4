// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QVector>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace fivefold::views::layout {

/// A shape in words, "12 × 128 × 65 fp16", whose extents can be picked and dragged: a click picks
/// the dimension that the padding curves vary, a drag tries other sizes of it. Left and Right pick,
/// Up and Down change the size by one, Return binds it.
class ShapeField final : public QWidget {
    Q_OBJECT

public:
    explicit ShapeField(QWidget* parent);

    void setShape(const std::vector<std::int64_t>& shape, const QString& dtype, int dimension);
    /// Another size of the picked dimension is tried; nullopt: none.
    void setTried(std::optional<std::int64_t> size);
    int dimension() const { return m_dimension; }
    QRectF extentRect(int dimension) const; ///< null when there is none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void dimensionPicked(int dimension);
    void sizeDragged(int dimension, qlonglong size);
    void dragFinished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QString text;
        QRectF rect;
        int dimension = -1; ///< −1: words between
    };
    void arrange();
    int dimensionAt(const QPointF& point) const;
    std::int64_t shown(int dimension) const;

    std::vector<std::int64_t> m_shape;
    QString m_dtype;
    int m_dimension = -1;
    std::optional<std::int64_t> m_tried;
    QVector<Part> m_parts;
    bool m_isPressed = false, m_isDragging = false;
    int m_pressedX = 0;
    std::int64_t m_pressedSize = 0;
};

} // namespace fivefold::views::layout
