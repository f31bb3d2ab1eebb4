// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/five_canvas.h"

#include "views/common/palette.h"
#include "views/common/panel.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

FiveCanvas::FiveCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state)
    , m_scroll(new QScrollBar(Qt::Vertical, this)) {
    for (const std::string_view family : machines::kFamilies)
        m_slots.push_back({std::string(family), nullptr, SlotState::Waiting, {}});
    m_scroll->hide();
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this] {
        arrangeAll();
        update();
    });
    updatePicture();
}

void FiveCanvas::setOptions(const Options& options) {
    if (options == m_options)
        return;
    const bool isRangeStale = options.isLog != m_options.isLog || !options.isLocked;
    const bool isScope = options.isSelection != m_options.isSelection;
    m_options = options;
    if (isRangeStale)
        m_hasRange = false;
    if (isScope) {
        updatePicture();
        return;
    }
    updateRange();
    arrangeAll();
    update();
    emit pictureChanged();
}

void FiveCanvas::setSlots(Slots machineSlots) {
    m_slots = std::move(machineSlots);
    updatePicture();
}

void FiveCanvas::updatePicture() {
    // Comparing costs time that a hidden panel need not take. The race needs the rows, too.
    const QWidget* panel = this;
    while (panel->parentWidget() && !qobject_cast<const Panel*>(panel))
        panel = panel->parentWidget();
    if (!panel->isVisible() && m_state.result() && window()->isVisible()) {
        m_isDirty = true;
        return;
    }
    m_isDirty = false;
    m_picture = present(m_state, m_slots, m_options, m_picture.rows);
    if (m_focused >= m_picture.rows.size())
        m_focused = -1;
    for (int row = 0; m_focused < 0 && row < m_picture.rows.size(); ++row)
        if (m_picture.rows[row].isCurrent)
            m_focused = row;
    if (m_focused < 0 && !m_picture.isEmpty())
        m_focused = 0;
    m_hovered = -1;
    updateRange();
    arrangeAll();
    update();
    emit pictureChanged();
}

/// A locked axis is taken from the first five answers about a thing; it stays for other settings
/// and generations, and is taken anew for another model, scope or selection.
void FiveCanvas::updateRange() {
    const auto result = m_state.result();
    const auto model = result ? result->request.model : nullptr;
    const QString what = (m_picture.isSelection ? u's' : u'w') + m_picture.what.section(u',', 0, 0);
    if (model != m_model || what != m_rangeOf)
        m_hasRange = false;
    const auto range = rangeOf(m_picture, m_options.isLog);
    if (!range)
        return;
    if (m_hasRange && m_options.isLocked && m_isWhole)
        return;
    // Answers that arrive one by one widen the axis, never shrink it.
    if (m_hasRange && m_options.isLocked)
        m_range = {std::min(m_range.low, range->low), std::max(m_range.high, range->high)};
    else
        m_range = *range;
    m_hasRange = true;
    m_model = model;
    m_rangeOf = what;
    m_isWhole = std::ranges::all_of(m_picture.rows, [](const Row& row) {
        return (row.hasAnswer() && !row.isStale) || row.state == SlotState::Failed;
    });
}

bool FiveCanvas::isFrozen() const {
    const auto wanted = rangeOf(m_picture, m_options.isLog);
    if (!wanted || !m_options.isLocked)
        return false;
    const double slack = m_range.span() * 0.1;
    return wanted->low < m_range.low - slack || wanted->high > m_range.high + slack;
}

void FiveCanvas::arrangeAll() {
    m_geometry = arrange(m_picture, m_range, m_options.isLog, size(), m_scroll->value());
    const int most = static_cast<int>(m_geometry.maximumScroll());
    m_scroll->setVisible(most > 0);
    if (most > 0) {
        const int width = m_scroll->sizeHint().width();
        m_scroll->setGeometry(this->width() - width, static_cast<int>(m_geometry.rows.top()), width,
            static_cast<int>(m_geometry.rows.height()));
        m_scroll->setPageStep(static_cast<int>(m_geometry.rows.height()));
        m_scroll->setSingleStep(static_cast<int>(m_geometry.rowHeight));
        m_geometry = arrange(m_picture, m_range, m_options.isLog,
            QSizeF(this->width() - width, height()), m_scroll->value());
    }
    m_scroll->setRange(0, most);
}

Marks FiveCanvas::marks(bool isPrinted) const {
    Marks marks;
    marks.isFrozen = isFrozen();
    if (!isPrinted) {
        marks.focused = hasFocus() ? m_focused : -1;
        marks.hovered = m_hovered;
    }
    return marks;
}

void FiveCanvas::paintContent(QPainter& painter, const QSize& size) const {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    paint(painter, m_picture, arrange(m_picture, m_range, m_options.isLog, size, 0), marks(true));
}

void FiveCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paint(painter, m_picture, m_geometry, marks(false));
}

void FiveCanvas::activate(int row) {
    if (row >= 0 && row < m_picture.rows.size() && !m_picture.rows[row].isCurrent)
        emit machineRequested(QString::fromStdString(m_picture.rows[row].family));
}

void FiveCanvas::focusRow(int row) {
    if (row < 0 || row >= m_picture.rows.size())
        return;
    m_focused = row;
    const QRectF& rect = m_geometry.rowRects[row];
    if (rect.top() < m_geometry.rows.top())
        m_scroll->setValue(
            m_scroll->value() - static_cast<int>(m_geometry.rows.top() - rect.top()));
    else if (rect.bottom() > m_geometry.rows.bottom())
        m_scroll->setValue(
            m_scroll->value() + static_cast<int>(rect.bottom() - m_geometry.rows.bottom()));
    update();
}

void FiveCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    const int row = m_geometry.rowAt(position);
    focusRow(row);
    activate(row);
}

void FiveCanvas::zoomed(const QPoint&, double factor, Qt::KeyboardModifiers) {
    m_scroll->setValue(
        m_scroll->value() + (factor > 1 ? -1 : 1) * static_cast<int>(m_geometry.rowHeight / 2));
}

void FiveCanvas::hovered(const QPoint* position) {
    const int row = position ? m_geometry.rowAt(*position) : -1;
    if (row == m_hovered)
        return;
    m_hovered = row;
    setCursor(
        row >= 0 && !m_picture.rows[row].isCurrent ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

CardContent FiveCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const int row = m_geometry.rowAt(position);
    if (row < 0)
        return {};
    const Column column = m_geometry.columnAt(position);
    const QRectF cell =
        column == Column::Because ? m_geometry.because(row) : m_geometry.cell(row, column);
    mark = cell.toRect();
    return five::card(m_picture.rows[row], column);
}

void FiveCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    const int row = m_geometry.rowAt(position);
    if (row < 0)
        return;
    menu.addAction(tr("Turn every panel to %1").arg(m_picture.rows[row].title), this,
            [this, row] { activate(row); })
        ->setEnabled(!m_picture.rows[row].isCurrent);
    menu.addAction(tr("Copy as text"), this,
        [text = twinText(m_picture.rows[row])] { QApplication::clipboard()->setText(text); });
}

void FiveCanvas::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_picture.rows.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Up:
        focusRow(std::max(0, m_focused - 1));
        return;
    case Qt::Key_Down:
        focusRow(std::min(last, m_focused + 1));
        return;
    case Qt::Key_Home:
        focusRow(0);
        return;
    case Qt::Key_End:
        focusRow(last);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate(m_focused);
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void FiveCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    arrangeAll();
}

void FiveCanvas::catchUp() {
    if (m_isDirty)
        updatePicture();
}

void FiveCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

} // namespace fivefold::views::five
