// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/waits_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/common/verdict.h"
#include "views/divergence/parts.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace fivefold::views::divergence {

using common::Palette;
using compare::Verdict;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::divergence", text);
}

QColor role(const char* name) {
    return Palette::current().role(name);
}

/// Where a line from the middle of a box towards a point leaves it.
QPointF borderOf(const QRectF& box, const QPointF& towards) {
    const QPointF c = box.center(), d = towards - c;
    if (qFuzzyIsNull(d.x()) && qFuzzyIsNull(d.y()))
        return c;
    const double sx = d.x() != 0 ? (box.width() / 2 + 3) / std::abs(d.x()) : 1e9;
    const double sy = d.y() != 0 ? (box.height() / 2 + 3) / std::abs(d.y()) : 1e9;
    return c + d * std::min({sx, sy, 1.0});
}

void paintEdge(QPainter& painter, const WaitsPicture::Edge& edge, const WaitsGeometry& geometry) {
    const QRectF& from = geometry.nodes[edge.from];
    const QRectF& to = geometry.nodes[edge.to];
    if (edge.from == edge.to)
        return;
    const QPointF d = to.center() - from.center();
    const double length = std::max(1.0, std::hypot(d.x(), d.y()));
    const QPointF across(-d.y() / length, d.x() / length);
    // Bent to one side, so that there and back are two lines.
    const QPointF bend = (from.center() + to.center()) / 2 - across * std::min(40.0, length / 4);
    const QPointF start = borderOf(from, bend), end = borderOf(to, bend);
    const QColor colour = edge.isInCycle ? common::verdictColour(Verdict::Origin) : role("edge");
    QPainterPath path(start);
    path.quadTo(bend, end);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(edge.isInCycle ? QPen(colour, 2.5) : common::dashedPen(colour, 1.5, {4, 3}));
    painter.drawPath(path);
    const QPointF along = end - bend;
    const double reach = std::max(1.0, std::hypot(along.x(), along.y()));
    const QPointF u = along / reach, v(-u.y(), u.x());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{end, end - u * 9 + v * 4.5, end - u * 9 - v * 4.5});
    const QPointF middle = path.pointAtPercent(0.5);
    painter.setFont(common::smallFont());
    const double wide = common::textWidth(common::smallFont(), edge.label) + 8;
    const double room = std::min(wide, std::max(60.0, geometry.graph.width() / 3));
    QRectF label(middle.x() - room / 2, middle.y() - 8, room, 16);
    label.moveLeft(std::clamp(label.left(), 2.0, std::max(2.0, geometry.graph.right() - room - 2)));
    painter.fillRect(label, role("canvas"));
    painter.setPen(role(edge.isInCycle ? "text" : "textSecondary"));
    drawElided(painter, label.adjusted(2, 0, -2, 0), edge.label, Qt::AlignHCenter);
}

void paintNode(QPainter& painter, const WaitsPicture::Node& node, const QRectF& box, bool isHovered,
    bool isSelected) {
    painter.setBrush(role("node"));
    painter.setPen(node.isInCycle ? common::verdictPen(Verdict::Origin)
                                  : common::dashedPen(role("nodeBorder"), 1.5, {4, 3}));
    painter.drawRoundedRect(box, 3, 3);
    painter.setFont(node.isInCycle ? common::boldFont() : common::bodyFont());
    painter.setPen(role("text"));
    drawElided(painter, box.adjusted(8, 0, -8, 0), node.name, Qt::AlignHCenter, Qt::ElideMiddle);
    if (isSelected)
        common::paintSelectionRing(painter, box, true);
    else if (isHovered)
        common::paintHoverOutline(painter, box.adjusted(-2, -2, 2, 2));
}

void paintQueues(QPainter& painter, const WaitsPicture& picture, const WaitsGeometry& geometry) {
    if (picture.queues.isEmpty())
        return;
    painter.setFont(common::boldFont());
    painter.setPen(role("text"));
    drawElided(painter, geometry.queueTitle, tr("Queues that are full, by tokens in them"));
    painter.setFont(common::bodyFont());
    for (qsizetype q = 0; q < picture.queues.size(); ++q) {
        const QRectF& bar = geometry.queues[q];
        const QColor colour = common::verdictColour(Verdict::Origin);
        painter.setPen(role("text"));
        drawElided(painter,
            QRectF(geometry.queueTitle.left(), bar.top() - 3, bar.left() - 20, bar.height() + 6),
            picture.queues[q].name, Qt::AlignLeft, Qt::ElideMiddle);
        painter.fillRect(bar, colour);
        painter.setPen(Palette::textOn(colour));
        drawElided(painter, bar.adjusted(4, 0, -4, 0), tr("100 %"), Qt::AlignRight);
        painter.setPen(role("textSecondary"));
        drawElided(painter,
            QRectF(bar.right() + 8, bar.top() - 3, geometry.queueTitle.right() - bar.right() - 8,
                bar.height() + 6),
            picture.queues[q].words, Qt::AlignLeft, Qt::ElideMiddle);
    }
}

void paintBar(QPainter& painter, const WaitsPicture& picture, const WaitsGeometry& geometry,
    qsizetype index) {
    const WaitsPicture::Bar& bar = picture.bars[index];
    const QRectF& row = geometry.bars[index];
    const QColor colour = common::verdictColour(bar.isClean ? Verdict::Clean : Verdict::Origin);
    painter.setFont(common::bodyFont());
    painter.setPen(role("text"));
    drawElided(painter,
        QRectF(geometry.barTitle.left(), row.top(), geometry.axis.left() - 20, row.height()),
        bar.name, Qt::AlignLeft, Qt::ElideMiddle);
    const double left = geometry.x(picture, bar.issued),
                 right = std::max(left + 2, geometry.x(picture, bar.completed));
    painter.fillRect(QRectF(left, row.top() + 5, right - left, row.height() - 10), colour);
    const double read = geometry.x(picture, bar.firstRead);
    painter.setPen(Qt::NoPen);
    painter.setBrush(role("text"));
    painter.drawPolygon(QPolygonF{QPointF(read, row.center().y() + 4),
        QPointF(read - 4, row.top() + 2), QPointF(read + 4, row.top() + 2)});
    if (bar.deadline) {
        const double at = geometry.x(picture, *bar.deadline);
        painter.setPen(common::dashedPen(role("text"), 2, {4, 3}));
        painter.drawLine(QPointF(at, row.top() - 1), QPointF(at, row.bottom() + 1));
    }
    painter.setPen(role(bar.isClean ? "textSecondary" : "text"));
    drawElided(painter,
        QRectF(geometry.axis.right() + 10, row.top(), row.right() - geometry.axis.right() - 22,
            row.height()),
        bar.isLate ? tr("past its deadline · %1").arg(bar.words) : bar.words);
}

void paintTransfers(QPainter& painter, const WaitsPicture& picture, const WaitsGeometry& geometry) {
    if (picture.bars.isEmpty())
        return;
    painter.setFont(common::boldFont());
    painter.setPen(role("text"));
    drawElided(painter, geometry.barTitle,
        tr("Transfers from issue to completion; ▼ first read, dashed line: deadline"));
    painter.setPen(QPen(role("grid"), 1));
    painter.drawLine(geometry.axis.bottomLeft(), geometry.axis.bottomRight());
    for (qsizetype b = 0; b < picture.bars.size(); ++b)
        paintBar(painter, picture, geometry, b);
    painter.setFont(common::smallFont());
    painter.setPen(role("textSecondary"));
    const QRectF foot(
        geometry.axis.left() - 60, geometry.axis.bottom() + 2, geometry.axis.width() + 120, 16);
    painter.drawText(foot.adjusted(60, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
        common::formatTime(picture.first));
    painter.drawText(foot.adjusted(0, 0, -60, 0), Qt::AlignRight | Qt::AlignVCenter,
        common::formatTime(picture.last));
}

} // namespace

void paintWaits(QPainter& painter, const WaitsPicture& picture, const WaitsGeometry& geometry,
    int hoveredNode, const QVector<int>& selectedNodes) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const WaitsPicture::Edge& edge : picture.edges)
        if (!edge.isInCycle)
            paintEdge(painter, edge, geometry);
    for (const WaitsPicture::Edge& edge : picture.edges)
        if (edge.isInCycle)
            paintEdge(painter, edge, geometry);
    for (qsizetype n = 0; n < picture.nodes.size(); ++n)
        paintNode(painter, picture.nodes[n], geometry.nodes[n], n == hoveredNode,
            selectedNodes.contains(static_cast<int>(n)));
    if (!picture.nodes.isEmpty()) {
        QString words;
        if (picture.stoppedAt)
            words = tr("stopped at %1").arg(common::formatTime(*picture.stoppedAt));
        if (picture.hiddenNodes > 0)
            words += tr(" · %1 more operations wait").arg(picture.hiddenNodes);
        painter.setFont(common::smallFont());
        painter.setPen(role("textSecondary"));
        drawElided(painter, geometry.graph.adjusted(12, geometry.graph.height() - 18, -12, -2),
            words, Qt::AlignRight);
    }
    paintQueues(painter, picture, geometry);
    paintTransfers(painter, picture, geometry);
    painter.restore();
}

} // namespace fivefold::views::divergence
