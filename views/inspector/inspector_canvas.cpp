// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/inspector/inspector_canvas.h"

#include "views/common/marks.h"
#include "views/common/type.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace fivefold::views::inspector {

using namespace common;

namespace {

void paintMarks(QPainter& painter, const Line& line, const PlacedLine& placed) {
    const Palette& palette = Palette::current();
    if (line.kind == LineKind::Title && line.opClass) {
        const QRectF glyph(placed.status.left(), placed.status.center().y() - 7, 14, 14);
        paintClassGlyph(painter, glyph, *line.opClass, palette.operatorClass(*line.opClass));
    } else if (line.status) {
        paintStatusGlyph(painter, placed.status, *line.status, palette.role("textSecondary"));
    }
    if (line.kind == LineKind::Title) {
        painter.setPen(palette.role("separator"));
        painter.drawLine(
            QPointF(8, placed.row.bottom()), QPointF(placed.row.right() - 8, placed.row.bottom()));
    }
}

/// A stage's share of the dearest; or the sure part of a value, then the range in hatching, open
/// at the end where no upper end is known.
void paintBar(QPainter& painter, const Line& line, const PlacedLine& placed) {
    if (placed.bar.width() < 4)
        return;
    const Palette& palette = Palette::current();
    const double sure = placed.bar.width() * std::clamp(line.share, 0.0, 1.0);
    const QRectF filled(placed.bar.left(), placed.bar.top(), sure, placed.bar.height());
    if (line.kind == LineKind::Share) {
        painter.fillRect(placed.bar, palette.role("grid"));
        painter.fillRect(filled, palette.role(line.isBold ? "link" : "neutral"));
        return;
    }
    painter.fillRect(filled, palette.role("neutral"));
    const QRectF range(
        filled.right(), placed.bar.top(), placed.bar.right() - filled.right(), placed.bar.height());
    if (range.width() < 1)
        return;
    paintHatch(painter, range, palette.role("neutral"), true);
    painter.setPen(palette.role("neutral"));
    painter.drawLine(range.topLeft(), range.topRight());
    painter.drawLine(range.bottomLeft(), range.bottomRight());
    if (!line.isAtLeast)
        painter.drawLine(range.topRight(), range.bottomRight());
}

void paintLine(QPainter& painter, const Line& line, const PlacedLine& placed) {
    const Palette& palette = Palette::current();
    paintMarks(painter, line, placed);
    painter.setFont(bodyFont());
    painter.setPen(palette.role("textSecondary"));
    if (!line.label.isEmpty())
        painter.drawText(placed.label, Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine,
            QFontMetrics(bodyFont())
                .elidedText(line.label, Qt::ElideRight, static_cast<int>(placed.label.width())));
    const bool isFigure = line.kind == LineKind::Share; // in columns
    if (!line.note.isEmpty() && !placed.note.isEmpty())
        painter.drawText(placed.note,
            (line.kind == LineKind::Title ? Qt::AlignVCenter : Qt::AlignTop)
                | (isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::TextSingleLine,
            line.note);
    if (line.kind == LineKind::Gap) {
        paintGapBar(painter, placed.value, line.gap);
        return;
    }
    if (line.kind == LineKind::Share || line.kind == LineKind::Band)
        paintBar(painter, line, placed);
    const bool isBold =
        line.isBold || line.kind == LineKind::Title || line.kind == LineKind::Heading;
    painter.setFont(isBold ? boldFont() : bodyFont());
    painter.setPen(
        palette.role(line.link.isValid() && line.kind != LineKind::Title ? "link" : "text"));
    const int flags = placed.isWrapped ? int(Qt::AlignLeft | Qt::AlignTop
                          | wrapFlag(painter.font(), placed.text, placed.value.width()))
        : line.kind == LineKind::Title ? int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine)
                                       : int(Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine);
    painter.drawText(placed.value, flags, placed.text);
}

} // namespace

void paintLines(QPainter& painter, const Lines& lines, const Placement& placement,
    const QRectF& dirty, std::optional<std::size_t> current) {
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const PlacedLine& placed = placement.lines[l];
        if (!placed.row.adjusted(0, -2, 0, 2).intersects(dirty))
            continue;
        paintLine(painter, lines[l], placed);
        if (current == l) {
            painter.setPen(Palette::current().role("highlight"));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(placed.row.adjusted(4.5, -1.5, -4.5, 1.5));
        }
    }
}

InspectorCanvas::InspectorCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) { }

void InspectorCanvas::refresh() {
    hideCard();
    m_lines = present(m_state);
    m_current.reset();
    layOut();
    update();
}

void InspectorCanvas::layOut() {
    m_placement = place(m_lines, width());
    setFixedHeight(static_cast<int>(m_placement.height) + 1);
}

void InspectorCanvas::paintCanvas(QPainter& painter, const QRect& dirty) {
    paintLines(painter, m_lines, m_placement, dirty, hasFocus() ? m_current : std::nullopt);
}

void InspectorCanvas::follow(const Link& link) {
    if (link.stage)
        m_state.setStage(*link.stage);
    if (link.value.isValid())
        m_state.selectValue(link.value);
    else if (link.step.isValid())
        m_state.selectStep(link.step);
    else if (link.node.isValid())
        m_state.selectNode(link.node);
    else if (!link.added.empty())
        m_state.setSelection({{}, {}, link.added, {}});
}

void InspectorCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    const auto at = lineAt(m_placement, position);
    if (at && m_lines[*at].link.isValid())
        follow(Link(m_lines[*at].link)); // the lines change while it is followed
}

void InspectorCanvas::hovered(const QPoint* position) {
    const auto at = position ? lineAt(m_placement, *position) : std::nullopt;
    const bool isLink = at && m_lines[*at].link.isValid();
    setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Selection hover;
    if (isLink) {
        const Link& link = m_lines[*at].link;
        if (link.step.isValid())
            hover = m_state.selectionOf(link.step);
        hover.value = link.value;
        if (link.node.isValid())
            hover.nodes = {link.node};
        if (!link.added.empty())
            hover.added = link.added;
    }
    m_state.setHover(std::move(hover));
}

CardContent InspectorCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const auto at = lineAt(m_placement, position);
    if (!at)
        return {};
    const Line& line = m_lines[*at];
    const PlacedLine& placed = m_placement.lines[*at];
    mark = placed.row.toAlignedRect();
    // A card that only repeats what stands there is noise.
    if (line.toolTip.isEmpty() || (line.toolTip == placed.text && !line.status))
        return {};
    CardContent card;
    card.title = line.label.isEmpty() ? line.text : line.label + QStringLiteral(": ") + line.text;
    if (line.toolTip != line.text)
        card.lines << line.toolTip;
    return card;
}

void InspectorCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    const auto at = lineAt(m_placement, position);
    if (at && !m_lines[*at].text.isEmpty()) {
        const QString value = m_lines[*at].text;
        menu.addAction(tr("Copy"), this, [value] { QApplication::clipboard()->setText(value); });
    }
    menu.addAction(tr("Copy all"), this, [this] {
        QStringList rows;
        for (const auto& line : m_lines)
            rows << QStringList{line.label, line.text, line.note}.join(u'\t').trimmed();
        QApplication::clipboard()->setText(rows.join(u'\n'));
    });
}

void InspectorCanvas::wheelEvent(QWheelEvent* event) {
    event->ignore(); // the scroll area's
}

void InspectorCanvas::keyPressEvent(QKeyEvent* event) {
    const bool isDown = event->key() == Qt::Key_Down || event->key() == Qt::Key_Right;
    const bool isUp = event->key() == Qt::Key_Up || event->key() == Qt::Key_Left;
    if (event->matches(QKeySequence::Copy) && m_current) {
        QApplication::clipboard()->setText(m_lines[*m_current].text);
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current) {
        follow(Link(m_lines[*m_current].link));
        return;
    }
    if (!isDown && !isUp) {
        Canvas::keyPressEvent(event);
        return;
    }
    const auto count = static_cast<std::ptrdiff_t>(m_lines.size());
    const std::ptrdiff_t by = isDown ? 1 : -1;
    for (std::ptrdiff_t l = m_current ? static_cast<std::ptrdiff_t>(*m_current) + by
             : isDown                 ? 0
                                      : count - 1;
         l >= 0 && l < count; l += by) {
        const auto at = static_cast<std::size_t>(l);
        if (!m_lines[at].link.isValid())
            continue;
        m_current = at;
        update();
        emit lineReached(m_placement.lines[at].row.toAlignedRect());
        return;
    }
}

void InspectorCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        layOut();
}

void InspectorCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

} // namespace fivefold::views::inspector
