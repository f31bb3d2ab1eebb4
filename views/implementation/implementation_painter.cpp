// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/implementation/implementation_painter.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QPainter>

namespace fivefold::views::implementation {

using namespace common;

namespace {

constexpr double kInset = 4, kArrow = 7, kBarHeight = 4;

QString tr(const char* text) {
    return QCoreApplication::translate("implementation", text);
}

/// A in a neutral fill, B in the current one's: no machine, class or bound is meant.
QColor sideColor(Side side) {
    return Palette::current().role(side == Side::A ? "textSecondary" : "highlight");
}

class Brush {
public:
    Brush(QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks)
        : m_painter(painter)
        , m_picture(picture)
        , m_geometry(geometry)
        , m_marks(marks)
        , m_palette(Palette::current()) { }

    void paint() {
        heads(m_geometry.head);
        if (!m_geometry.figureHead[0].isEmpty())
            heads(m_geometry.figureHead);
        for (const PlacedRow& row : m_geometry.choices)
            choice(row);
        for (const PlacedRow& row : m_geometry.figures)
            figure(row);
        sweep();
    }

private:
    void text(const QRectF& rect, const QString& text, const QFont& font, const QColor& color,
        Qt::Alignment alignment = Qt::AlignLeft) {
        if (rect.width() < 6)
            return;
        m_painter.setFont(font);
        m_painter.setPen(color);
        m_painter.drawText(rect,
            static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
            QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width()));
    }

    void heads(const std::array<QRectF, kSides>& cells) {
        for (const Side side : {Side::A, Side::B}) {
            const QRectF cell = cells[index(side)];
            m_painter.fillRect(
                QRectF(cell.left() + kInset, cell.center().y() - 5, 10, 10), sideColor(side));
            text(cell.adjusted(kInset + 16, 0, 0, 0), side == Side::A ? tr("A") : tr("B"),
                boldFont(), m_palette.role("text"));
        }
    }

    void choice(const PlacedRow& placed) {
        const ChoiceRow& row = m_picture.choices[placed.row];
        if (row.isFocused && m_marks.isFocused)
            m_painter.fillRect(placed.all(), m_palette.selection("row"));
        text(placed.label.adjusted(0, 0, -kInset, 0), row.name,
            row.isFocused ? boldFont() : bodyFont(), m_palette.role("text"));
        for (const Side side : {Side::A, Side::B})
            valueBox(placed, row, side);
    }

    /// A value that can be changed: a flat box with an arrow; bold where it is not the compiler's.
    void valueBox(const PlacedRow& placed, const ChoiceRow& row, Side side) {
        const QRectF box = placed.cell[index(side)].adjusted(0, 1, -kInset, -1);
        m_painter.setBrush(m_palette.role("node"));
        m_painter.setPen(m_palette.role("nodeBorder"));
        m_painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        const int chosen = row.chosen[index(side)];
        text(box.adjusted(kInset, 0, -kArrow - 2 * kInset, 0), row.values.value(chosen),
            chosen == row.preset ? bodyFont() : boldFont(), m_palette.role("text"));
        const QPointF tip(box.right() - kInset - kArrow / 2, box.center().y() + 2);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_palette.role("textSecondary"));
        m_painter.drawPolygon(QPolygonF({tip, tip + QPointF(-kArrow / 2, -kArrow / 2),
            tip + QPointF(kArrow / 2, -kArrow / 2)}));
        const bool isHovered = m_marks.hovered.kind == Hit::Kind::Choice
            && m_marks.hovered.index == placed.row && m_marks.hovered.side == side;
        if (isHovered)
            paintHoverOutline(m_painter, box, 2);
    }

    void figure(const PlacedRow& placed) {
        const FigureRow& row = m_picture.figures[placed.row];
        const QFont font = row.isTime ? boldFont() : bodyFont();
        m_painter.setPen(m_palette.role("grid"));
        m_painter.drawLine(placed.all().topLeft(), placed.all().topRight());
        text(placed.label.adjusted(0, 0, -kInset, 0), row.label, font, m_palette.role("text"));
        for (const Side side : {Side::A, Side::B}) {
            const QRectF cell = placed.cell[index(side)].adjusted(kInset, 0, -kInset, 0);
            const QRectF bar(cell.left(), cell.bottom() - kBarHeight - 1,
                cell.width() * row.share[index(side)], kBarHeight);
            const bool isMisfit = !m_picture.misfit[index(side)].isEmpty();
            if (isMisfit && row.isTime)
                paintHatch(m_painter, bar, m_palette.role("hatch"), true);
            else
                m_painter.fillRect(bar, sideColor(side));
            text(cell.adjusted(0, 0, 0, -kBarHeight), row.text[index(side)], font,
                m_palette.role(isMisfit && row.isTime ? "textSecondary" : "text"));
        }
        text(placed.ratio, row.ratio, row.isTime ? boldFont() : smallFont(),
            m_palette.role(row.isTime ? "text" : "textSecondary"), Qt::AlignRight);
    }

    const ChoiceRow* focused() const {
        for (const ChoiceRow& row : m_picture.choices)
            if (row.isFocused)
                return &row;
        return nullptr;
    }

    void sweep() {
        const ChoiceRow* row = focused();
        if (!row || m_geometry.sweepTitle.isEmpty())
            return;
        text(m_geometry.sweepTitle, tr("time by %1, the rest as in B").arg(row->name), smallFont(),
            m_palette.role("textSecondary"));
        for (const PlacedBar& placed : m_geometry.bars)
            bar(placed, *row);
    }

    void bar(const PlacedBar& placed, const ChoiceRow& row) {
        const SweepBar& bar = m_picture.sweep[placed.bar];
        const int at = static_cast<int>(placed.bar);
        const bool isA = row.chosen[0] == at, isB = row.chosen[1] == at;
        const QColor textColor = m_palette.role(bar.misfit.isEmpty() ? "text" : "textSecondary");
        text(placed.label.adjusted(0, 0, -kInset, 0), bar.value,
            bar.isPreset ? boldFont() : smallFont(), textColor);
        const QRectF filled(placed.track.topLeft(),
            QSizeF(placed.track.width() * bar.share, placed.track.height()));
        if (!bar.misfit.isEmpty())
            paintHatch(m_painter, filled, m_palette.role("hatch"), true);
        else
            m_painter.fillRect(filled,
                isB       ? sideColor(Side::B)
                    : isA ? sideColor(Side::A)
                          : m_palette.role("nodeBorder"));
        text(placed.time, bar.misfit.isEmpty() ? bar.time : tr("does not fit"), smallFont(),
            textColor, Qt::AlignRight);
        if (m_marks.hovered.kind == Hit::Kind::Bar && m_marks.hovered.index == placed.bar)
            paintHoverOutline(m_painter, placed.row.adjusted(0, 0, -1, -1), 2);
    }

    QPainter& m_painter;
    const Picture& m_picture;
    const Geometry& m_geometry;
    const Marks& m_marks;
    const Palette& m_palette;
};

} // namespace

void paint(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks) {
    if (picture.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    Brush(painter, picture, geometry, marks).paint();
    painter.restore();
}

Legend legend(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const auto square = [](const QColor& color) {
        return [color](QPainter& painter, const QRectF& rect) {
            painter.fillRect(rect.adjusted(1, 1, -1, -1), color);
        };
    };
    return {{tr("A"), square(sideColor(Side::A))}, {tr("B"), square(sideColor(Side::B))},
        {tr("does not fit"), [](QPainter& painter, const QRectF& rect) {
             paintHatch(painter, rect, Palette::current().role("hatch"), true);
         }}};
}

} // namespace fivefold::views::implementation
