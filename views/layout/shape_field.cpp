// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/shape_field.h"

#include "views/common/palette.h"
#include "views/common/type.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;

namespace {
constexpr int kPadding = 6;
constexpr int kPixelsPerStep = 2; ///< of a drag
} // namespace

ShapeField::ShapeField(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setFixedHeight(24);
    setToolTip(tr("Drag an extent to see what its padding would be on all five machines"));
}

void ShapeField::setShape(
    const std::vector<std::int64_t>& shape, const QString& dtype, int dimension) {
    m_shape = shape;
    m_dtype = dtype;
    m_dimension = shape.empty() ? -1 : std::clamp(dimension, 0, static_cast<int>(shape.size()) - 1);
    arrange();
}

void ShapeField::setTried(std::optional<std::int64_t> size) {
    if (m_tried == size)
        return;
    m_tried = size;
    arrange();
}

std::int64_t ShapeField::shown(int dimension) const {
    return dimension == m_dimension && m_tried ? *m_tried
                                               : m_shape[static_cast<std::size_t>(dimension)];
}

void ShapeField::arrange() {
    m_parts.clear();
    double x = kPadding;
    const auto add = [&](const QString& text, int dimension) {
        QFont font = bodyFont();
        font.setBold(dimension >= 0 && dimension == m_dimension);
        const double width = textWidth(font, text) + (dimension >= 0 ? 6 : 0);
        m_parts.push_back({text, QRectF(x, 2, width, height() - 4), dimension});
        x += width;
    };
    for (int d = 0; d < static_cast<int>(m_shape.size()); ++d) {
        if (d > 0)
            add(QStringLiteral("×"), -1);
        add(QString::number(shown(d)), d);
    }
    if (m_shape.empty() && !m_dtype.isEmpty())
        add(tr("scalar"), -1);
    add(u' ' + m_dtype, -1);
    QString name = tr("Shape");
    for (const Part& part : m_parts)
        name += u' ' + part.text;
    setAccessibleName(name);
    updateGeometry();
    update();
}

QSize ShapeField::sizeHint() const {
    return {
        m_parts.isEmpty() ? 2 * kPadding : static_cast<int>(m_parts.back().rect.right()) + kPadding,
        24};
}

QRectF ShapeField::extentRect(int dimension) const {
    for (const Part& part : m_parts)
        if (part.dimension == dimension && dimension >= 0)
            return part.rect;
    return {};
}

int ShapeField::dimensionAt(const QPointF& point) const {
    for (const Part& part : m_parts)
        if (part.dimension >= 0 && part.rect.adjusted(-2, -2, 2, 2).contains(point))
            return part.dimension;
    return -1;
}

void ShapeField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& palette = Palette::current();
    painter.setPen(palette.role("border"));
    painter.setBrush(palette.role("base"));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    for (const Part& part : m_parts) {
        QFont font = bodyFont();
        const bool isPicked = part.dimension >= 0 && part.dimension == m_dimension;
        font.setBold(isPicked);
        painter.setFont(font);
        if (isPicked) {
            painter.setPen(palette.role("link"));
            painter.drawLine(QPointF(part.rect.left() + 3, part.rect.bottom() - 2),
                QPointF(part.rect.right() - 3, part.rect.bottom() - 2));
        }
        painter.setPen(palette.role(part.dimension < 0 ? "textSecondary" : "text"));
        painter.drawText(part.rect, Qt::AlignCenter | Qt::TextSingleLine, part.text);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(palette.role("highlight"));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    }
}

void ShapeField::mousePressEvent(QMouseEvent* event) {
    const int dimension = dimensionAt(event->position());
    if (event->button() != Qt::LeftButton || dimension < 0)
        return;
    if (dimension != m_dimension) {
        m_dimension = dimension;
        m_tried.reset();
        arrange();
    }
    m_isPressed = true;
    m_isDragging = false;
    m_pressedX = qRound(event->position().x());
    m_pressedSize = shown(dimension);
    emit dimensionPicked(dimension);
}

void ShapeField::mouseMoveEvent(QMouseEvent* event) {
    if (!m_isPressed) {
        setCursor(dimensionAt(event->position()) >= 0 ? Qt::SizeHorCursor : Qt::ArrowCursor);
        return;
    }
    const int moved = qRound(event->position().x()) - m_pressedX;
    m_isDragging = m_isDragging || std::abs(moved) >= QApplication::startDragDistance();
    if (m_isDragging)
        emit sizeDragged(
            m_dimension, std::max<std::int64_t>(1, m_pressedSize + moved / kPixelsPerStep));
}

void ShapeField::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_isPressed)
        return;
    m_isPressed = false;
    if (m_isDragging)
        emit dragFinished();
    m_isDragging = false;
}

void ShapeField::keyPressEvent(QKeyEvent* event) {
    const int rank = static_cast<int>(m_shape.size());
    const auto pick = [&](int dimension) {
        if (rank == 0)
            return;
        m_dimension = std::clamp(dimension, 0, rank - 1);
        m_tried.reset();
        arrange();
        emit dimensionPicked(m_dimension);
    };
    const auto change = [&](std::int64_t by) {
        if (m_dimension >= 0)
            emit sizeDragged(m_dimension, std::max<std::int64_t>(1, shown(m_dimension) + by));
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return pick(m_dimension - 1);
    case Qt::Key_Right:
        return pick(m_dimension + 1);
    case Qt::Key_Up:
        return change(1);
    case Qt::Key_Down:
        return change(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit dragFinished();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ShapeField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        arrange();
}

} // namespace fivefold::views::layout
