// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/layers_painter.h"

#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/common/verdict.h"
#include "views/divergence/parts.h"
#include "views/divergence/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

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

QRectF cell(const QRectF& column, const QRectF& row) {
    return {row.left() + column.left(), row.top(), column.width(), row.height()};
}

/// The error by the node itself solid, what it came with hatched and outlined.
void paintBar(QPainter& painter, const QRectF& bar, const LayersPicture& picture,
    const compare::Layer& layer) {
    painter.setPen(QPen(role("separator"), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    const bool isOwn = layer.verdict == Verdict::Origin && !layer.local;
    const double total = picture.share(layer.global.maxAbs);
    const double local = isOwn ? total : layer.local ? picture.share(layer.local->maxAbs) : 0;
    const QRectF inherited(bar.left(), bar.top(), bar.width() * total, bar.height());
    if (total > local && total > 0) {
        const QColor colour = common::verdictColour(
            layer.verdict == Verdict::Origin ? Verdict::Inherited : layer.verdict);
        common::paintHatch(painter, inherited, colour);
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(inherited);
    }
    if (local > 0)
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * local, bar.height()),
            common::verdictColour(
                layer.verdict == Verdict::Inherited ? Verdict::Benign : layer.verdict));
}

void paintGround(QPainter& painter, const QRectF& row, std::size_t index, bool isSelected,
    bool isSuspect, bool isHovered) {
    const Palette& palette = Palette::current();
    if (isSelected)
        painter.fillRect(row, palette.selection("row"));
    else if (index % 2 == 1)
        painter.fillRect(row, palette.role("alternate"));
    if (isSuspect) {
        QColor shade = palette.selection("brush");
        shade.setAlphaF(0.18F);
        painter.fillRect(row, shade);
        painter.fillRect(
            QRectF(row.right() - 3, row.top(), 3, row.height()), palette.selection("brush"));
    }
    if (isSelected)
        painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), palette.selection("ring"));
    if (isHovered && !isSelected) {
        painter.setPen(QPen(palette.selection("hover"), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void paintRow(QPainter& painter, const LayersPicture& picture, const LayerColumns& columns,
    const QRectF& row, std::size_t index, bool isSelected) {
    const compare::Layer& layer = picture.divergence->layers[index];
    const bool isGrey = !isCompared(layer);
    const QColor ink = role(isGrey ? "textSecondary" : "text");
    painter.setFont(common::smallFont());
    painter.setPen(role("textSecondary"));
    drawElided(painter, cell(columns.number, row), QString::number(index));
    painter.setFont(isSelected ? common::boldFont() : common::bodyFont());
    painter.setPen(ink);
    drawElided(painter, cell(columns.name, row), layerName(layer), Qt::AlignLeft, Qt::ElideMiddle);
    const QRectF verdict = cell(columns.verdict, row);
    common::paintVerdictGlyph(
        painter, QRectF(verdict.left(), row.center().y() - 7, 14, 14), layer.verdict);
    painter.setFont(common::bodyFont());
    painter.setPen(ink);
    if (columns.hasVerdictWord)
        drawElided(painter, verdict.adjusted(22, 0, 0, 0), common::verdictName(layer.verdict));
    if (!columns.bar.isNull() && !isGrey)
        paintBar(painter,
            QRectF(row.left() + columns.bar.left(), row.center().y() - 7, columns.bar.width(), 14),
            picture, layer);
    painter.setPen(ink);
    painter.setFont(common::bodyFont());
    if (!columns.wrong.isNull())
        drawElided(painter, cell(columns.wrong, row), wrongText(layer), Qt::AlignRight);
    drawElided(painter, cell(columns.error, row),
        isGrey ? QStringLiteral("–") : errorText(layer.global.maxAbs), Qt::AlignRight);
}

} // namespace

void paintLayersHeader(QPainter& painter, const QRectF& rect) {
    painter.fillRect(rect, role("window"));
    painter.setPen(QPen(role("separator"), 1));
    painter.drawLine(
        QPointF(rect.left(), rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5));
    painter.setPen(role("text"));
    painter.setFont(common::bodyFont());
    const LayerColumns columns = layerColumns(rect.width());
    drawElided(painter, cell(columns.number, rect), QStringLiteral("#"));
    drawElided(painter, cell(columns.name, rect), tr("Layer"));
    if (columns.hasVerdictWord)
        drawElided(painter, cell(columns.verdict, rect), tr("Verdict"));
    if (!columns.bar.isNull())
        drawElided(painter, cell(columns.bar, rect), tr("Local and total error"));
    if (!columns.wrong.isNull())
        drawElided(painter, cell(columns.wrong, rect), tr("Wrong"), Qt::AlignRight);
    drawElided(painter, cell(columns.error, rect), tr("max |Δ|"), Qt::AlignRight);
}

void paintLayerRows(QPainter& painter, const LayersPicture& picture, double width, int rowHeight,
    const QRect& dirty, int selected, int hovered) {
    if (picture.rows() == 0 || rowHeight <= 0)
        return;
    const LayerColumns columns = layerColumns(width);
    const auto first = static_cast<std::size_t>(std::max(0, dirty.top() / rowHeight));
    const auto last = std::min(
        picture.rows(), static_cast<std::size_t>(std::max(0, dirty.bottom() / rowHeight + 1)));
    for (std::size_t index = first; index < last; ++index) {
        const QRectF row(0, static_cast<double>(index) * rowHeight, width, rowHeight);
        const bool isSelected = static_cast<int>(index) == selected;
        paintGround(painter, row, index, isSelected,
            index < picture.isSuspect.size() && picture.isSuspect[index],
            static_cast<int>(index) == hovered);
        paintRow(painter, picture, columns, row, index, isSelected);
    }
}

void paintBefore(QPainter& painter, const compare::Divergence& divergence, const QRectF& rect) {
    painter.setPen(QPen(role("separator"), 1));
    painter.drawLine(rect.topLeft() + QPointF(8, 0.5), rect.topRight() + QPointF(-8, 0.5));
    const QRectF title(rect.left() + 8, rect.top() + 4, rect.width() - 16, kBeforeTitle - 6);
    const auto& all = divergence.before;
    const bool hasRows = rect.height() >= kBeforeTitle + kBeforeRow;
    painter.setPen(role("text"));
    painter.setFont(common::boldFont());
    if (!hasRows) {
        const auto bad = std::find_if(all.begin(), all.end(),
            [](const compare::Precondition& p) { return p.holds == false; });
        common::paintVerdictGlyph(painter, QRectF(title.left(), title.center().y() - 7, 14, 14),
            markOf(bad == all.end()));
        painter.setFont(common::bodyFont());
        const auto held = std::count_if(
            all.begin(), all.end(), [](const compare::Precondition& p) { return p.holds == true; });
        drawElided(painter, title.adjusted(22, 0, 0, 0),
            bad == all.end()
                ? tr("Before any layer: %1 of %2 checks hold").arg(held).arg(all.size())
                : QString::fromStdString(bad->name + ": " + bad->sentence));
        return;
    }
    drawElided(painter, title, tr("Before any layer"));
    painter.setFont(common::bodyFont());
    double y = rect.top() + kBeforeTitle;
    for (const compare::Precondition& check : all) {
        const QRectF row(rect.left() + 8, y, rect.width() - 16, kBeforeRow);
        if (row.bottom() > rect.bottom() + 1)
            break;
        common::paintVerdictGlyph(
            painter, QRectF(row.left(), row.center().y() - 6.5, 13, 13), markOf(check.holds));
        painter.setPen(role("text"));
        drawElided(painter, row.adjusted(22, 0, 0, 0),
            QString::fromStdString(check.name + ": " + check.sentence));
        y += kBeforeRow;
    }
}

void paintLocalMark(QPainter& painter, const QRectF& rect) {
    painter.fillRect(rect.adjusted(0, 1, 0, -1), common::verdictColour(Verdict::Origin));
}

void paintInheritedMark(QPainter& painter, const QRectF& rect) {
    const QColor colour = common::verdictColour(Verdict::Inherited);
    const QRectF box = rect.adjusted(0.5, 1.5, -0.5, -1.5);
    common::paintHatch(painter, box, colour);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
}

} // namespace fivefold::views::divergence
