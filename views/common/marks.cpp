// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::common {

namespace {

/// Leaves the painter as it was.
class Saved {
public:
    explicit Saved(QPainter& painter)
        : m_painter(painter) {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
    }
    ~Saved() { m_painter.restore(); }
    Saved(const Saved&) = delete;
    Saved& operator=(const Saved&) = delete;

private:
    QPainter& m_painter;
};

QRectF square(const QRectF& rect) {
    const qreal side = std::min(rect.width(), rect.height());
    return {rect.center().x() - side / 2, rect.center().y() - side / 2, side, side};
}

void triangle(QPainter& painter, const QRectF& r, bool isUp) {
    const QPointF up[] = {{r.center().x(), r.top()}, r.bottomRight(), r.bottomLeft()};
    const QPointF down[] = {{r.center().x(), r.bottom()}, r.topRight(), r.topLeft()};
    painter.drawPolygon(isUp ? up : down, 3);
}

void outline(QPainter& painter, const QRectF& rect, qreal radius) {
    if (radius > 0)
        painter.drawRoundedRect(rect, radius, radius);
    else
        painter.drawRect(rect);
}

} // namespace

void paintClassGlyph(
    QPainter& painter, const QRectF& rect, ir::OpClass opClass, const QColor& color) {
    const Saved saved(painter);
    const QRectF s = square(rect);
    const QRectF r =
        s.adjusted(s.width() * 0.12, s.width() * 0.12, -s.width() * 0.12, -s.width() * 0.12);
    painter.setPen(QPen(color, std::max(1.5, s.width() / 7), Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    switch (opClass) {
    case ir::OpClass::Contraction:
        painter.drawLine(r.topLeft(), r.bottomRight());
        painter.drawLine(r.topRight(), r.bottomLeft());
        return;
    case ir::OpClass::Normalisation: {
        const qreal width = r.width() / 4;
        const qreal heights[] = {0.45, 1.0, 0.7};
        for (int bar = 0; bar < 3; ++bar) {
            const qreal height = r.height() * heights[bar];
            painter.fillRect(
                QRectF(r.left() + bar * width * 1.5, r.bottom() - height, width, height), color);
        }
        return;
    }
    case ir::OpClass::Pointwise:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(r.center(), s.width() * 0.22, s.width() * 0.22);
        return;
    case ir::OpClass::Movement: {
        const QPointF tip(r.right(), r.center().y());
        const qreal head = r.width() * 0.38;
        painter.drawLine(QPointF(r.left(), tip.y()), tip);
        const QPointF arrow[] = {tip + QPointF(-head, -head), tip, tip + QPointF(-head, head)};
        painter.drawPolyline(arrow, 3);
        return;
    }
    case ir::OpClass::Control:
    case ir::OpClass::Other:
        break;
    }
    painter.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
}

void paintBoundGlyph(
    QPainter& painter, const QRectF& rect, lowering::Bound bound, const QColor& color) {
    const Saved saved(painter);
    const QRectF r = square(rect);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (bound) {
    case lowering::Bound::Compute:
        painter.drawEllipse(r);
        return;
    case lowering::Bound::Memory:
        // Same area as the circle, so that size keeps meaning the share of time.
        painter.drawRect(r.adjusted(
            r.width() * 0.057, r.width() * 0.057, -r.width() * 0.057, -r.width() * 0.057));
        return;
    case lowering::Bound::Scheduling:
        triangle(painter, r, true);
        return;
    case lowering::Bound::Unknown:
        break;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.5));
    painter.drawEllipse(r.adjusted(0.75, 0.75, -0.75, -0.75));
}

void paintMachineGlyph(
    QPainter& painter, const QRectF& rect, std::string_view family, const QColor& color) {
    const Saved saved(painter);
    const QRectF r = square(rect);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (family == "gpu") {
        painter.drawRect(r);
    } else if (family == "tpu") {
        painter.drawEllipse(r);
    } else if (family == "cerebras") {
        const QPointF c = r.center();
        const QPointF diamond[] = {
            {c.x(), r.top()}, {r.right(), c.y()}, {c.x(), r.bottom()}, {r.left(), c.y()}};
        painter.drawPolygon(diamond, 4);
    } else if (family == "groq") {
        triangle(painter, r, false);
    } else if (family == "spyre") {
        triangle(painter, r, true);
    } else {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.5, Qt::DashLine));
        painter.drawRect(r.adjusted(0.75, 0.75, -0.75, -0.75));
    }
}

void paintHatch(QPainter& painter, const QRectF& rect, const QColor& color, bool isUnresolved) {
    if (rect.isEmpty())
        return;
    const Saved saved(painter);
    painter.setClipRect(rect, Qt::IntersectClip);
    // Pitch is measured across the lines, so that it reads the same at any angle.
    const qreal pitch = (isUnresolved ? 10 : 6) * std::sqrt(2.0);
    painter.setPen(QPen(color, isUnresolved ? 1 : 1.5));
    const QRectF clip = painter.clipBoundingRect().intersected(rect);
    const qreal height = clip.height();
    // Lines are anchored to the origin: neighbouring rectangles join without a seam.
    const qreal anchor = isUnresolved ? clip.left() - clip.top() : clip.left() + clip.top();
    const qreal first = std::floor(anchor / pitch) * pitch - anchor + clip.left();
    for (qreal x = first - (isUnresolved ? height + pitch : 0); x < clip.right() + height + pitch;
         x += pitch) {
        if (isUnresolved)
            painter.drawLine(QPointF(x, clip.top()), QPointF(x + height, clip.bottom()));
        else
            painter.drawLine(QPointF(x, clip.top()), QPointF(x - height, clip.bottom()));
    }
}

void paintSelectionRing(QPainter& painter, const QRectF& rect, bool isPrimary, qreal radius) {
    const Saved saved(painter);
    const Palette& palette = Palette::current();
    painter.setBrush(Qt::NoBrush);
    if (isPrimary) {
        QPen halo(palette.selection("halo"), 4);
        halo.setJoinStyle(Qt::MiterJoin);
        painter.setPen(halo);
        outline(painter, rect.adjusted(-4, -4, 4, 4), radius > 0 ? radius + 4 : 0);
    }
    QPen ring(palette.selection("ring"), 2);
    ring.setJoinStyle(Qt::MiterJoin);
    painter.setPen(ring);
    outline(painter, rect.adjusted(-1, -1, 1, 1), radius > 0 ? radius + 1 : 0);
}

void paintHoverOutline(QPainter& painter, const QRectF& rect, qreal radius) {
    const Saved saved(painter);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Palette::current().selection("hover"), 1));
    outline(painter, rect.adjusted(-0.5, -0.5, 0.5, 0.5), radius);
}

void paintStatusGlyph(
    QPainter& painter, const QRectF& rect, machines::FigureStatus status, const QColor& color) {
    const Saved saved(painter);
    const QPointF c = rect.center();
    const QRectF r(c.x() - 4, c.y() - 4, 8, 8);
    painter.setPen(QPen(color, 1.2));
    painter.setBrush(Qt::NoBrush);
    switch (status) {
    case machines::FigureStatus::Published:
        painter.setBrush(color);
        painter.drawEllipse(r.adjusted(0.6, 0.6, -0.6, -0.6));
        return;
    case machines::FigureStatus::Measured:
        painter.fillRect(r.adjusted(0.5, 0.5, -0.5, -0.5), color);
        return;
    case machines::FigureStatus::Derived:
        painter.drawEllipse(r.adjusted(0.6, 0.6, -0.6, -0.6));
        painter.setBrush(color);
        painter.drawPie(r.adjusted(0.6, 0.6, -0.6, -0.6), 90 * 16, 180 * 16);
        return;
    case machines::FigureStatus::Estimated:
        break;
    }
    painter.drawEllipse(r.adjusted(0.6, 0.6, -0.6, -0.6));
}

QPen dashedPen(const QColor& color, qreal width, const QVector<qreal>& pixels) {
    QPen pen(color, width);
    pen.setCapStyle(Qt::FlatCap);
    if (!pixels.isEmpty()) {
        QVector<qreal> pattern; // Qt counts dashes in pen widths
        for (const qreal part : pixels)
            pattern.push_back(part / std::max<qreal>(width, 1));
        pen.setDashPattern(pattern);
    }
    return pen;
}

QPen levelPen(machines::MemoryKind kind, qreal width) {
    return dashedPen(Palette::current().memoryLevel(kind), width, Palette::dash(kind));
}

QString boundGlyph(lowering::Bound bound) {
    switch (bound) {
    case lowering::Bound::Compute:
        return QStringLiteral("●");
    case lowering::Bound::Memory:
        return QStringLiteral("■");
    case lowering::Bound::Scheduling:
        return QStringLiteral("▲");
    case lowering::Bound::Unknown:
        break;
    }
    return QStringLiteral("○");
}

QString classGlyph(ir::OpClass opClass) {
    switch (opClass) {
    case ir::OpClass::Contraction:
        return QStringLiteral("×");
    case ir::OpClass::Normalisation:
        return QStringLiteral("▂");
    case ir::OpClass::Pointwise:
        return QStringLiteral("•");
    case ir::OpClass::Movement:
        return QStringLiteral("→");
    case ir::OpClass::Control:
    case ir::OpClass::Other:
        break;
    }
    return QStringLiteral("□");
}

} // namespace fivefold::views::common
