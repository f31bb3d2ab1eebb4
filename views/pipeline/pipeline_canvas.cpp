// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/pipeline/pipeline_canvas.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::pipeline {

using namespace common;

PipelineCanvas::PipelineCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    updatePicture();
}

void PipelineCanvas::updatePicture() {
    m_picture = present(m_state, m_mode);
    m_geometry = arrange(m_picture, size());
    if (!m_picture.step(m_focused.row, m_focused.step))
        m_focused = m_picture.isEmpty() ? Place{} : Place{m_picture.current, 0};
    m_hovered = {};
    m_hoveredRow = -1;
    update();
    emit pictureChanged();
}

void PipelineCanvas::setMode(const QString& mode) {
    m_mode = mode;
    updatePicture();
}

Marks PipelineCanvas::marks(bool isPrinted) const {
    Marks marks;
    marks.stage = m_state.stage();
    if (!isPrinted) {
        if (hasFocus())
            marks.focused = m_focused;
        marks.hovered = m_hovered;
        marks.hoveredRow = m_hoveredRow;
    }
    return marks;
}

void PipelineCanvas::paintContent(QPainter& painter, const QSize& size) const {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    paint(painter, m_picture, arrange(m_picture, size), marks(true));
}

void PipelineCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paint(painter, m_picture, m_geometry, marks(false));
}

/// A pass of the current machine leads to its stage: the one that is not shown yet where it does
/// several.
void PipelineCanvas::activate(const Place& place) {
    const Step* step = m_picture.step(place.row, place.step);
    if (!step)
        return;
    const auto& stages = step->pass->stages;
    if (!stages.empty()) {
        const auto shown = std::ranges::find(stages, m_state.stage());
        const bool goesOn = shown != stages.end() && shown + 1 != stages.end();
        m_state.setStage(goesOn ? *(shown + 1) : stages.front());
    }
    if (!m_picture.rows[place.row].isCurrent) {
        const std::string_view family = m_picture.rows[place.row].family;
        emit machineRequested(QString::fromUtf8(family.data(), static_cast<int>(family.size())));
    }
}

void PipelineCanvas::focusStep(const Place& place) {
    if (!m_picture.step(place.row, place.step))
        return;
    m_focused = place;
    update();
}

void PipelineCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    const Place place = m_geometry.placeAt(position);
    if (place.isValid()) {
        focusStep(place);
        activate(place);
        return;
    }
    const int row = m_geometry.rowAt(position);
    if (row >= 0 && !m_picture.rows[row].isCurrent) {
        const std::string_view family = m_picture.rows[row].family;
        emit machineRequested(QString::fromUtf8(family.data(), static_cast<int>(family.size())));
    }
}

void PipelineCanvas::hovered(const QPoint* position) {
    const Place place = position ? m_geometry.placeAt(*position) : Place{};
    const int row = position && !place.isValid() ? m_geometry.rowAt(*position) : -1;
    if (place == m_hovered && row == m_hoveredRow)
        return;
    m_hovered = place;
    m_hoveredRow = row;
    setCursor(place.isValid() || row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

CardContent PipelineCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const Place place = m_geometry.placeAt(position);
    if (const StepBox* box = m_geometry.box(place)) {
        mark = box->rect.toRect();
        return pipeline::card(m_picture, place.row, place.step);
    }
    const int row = m_geometry.rowAt(position);
    if (row >= 0)
        mark = m_geometry.rows[row].label.toRect();
    return rowCard(m_picture, row);
}

void PipelineCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    const Place place = m_geometry.placeAt(position);
    if (!place.isValid())
        return;
    const CardContent content = pipeline::card(m_picture, place.row, place.step);
    menu.addAction(tr("Copy name"), this, [name = m_picture.step(place.row, place.step)->name] {
        QApplication::clipboard()->setText(name);
    });
    menu.addAction(tr("Copy as text"), this, [content] {
        QApplication::clipboard()->setText(content.title + u'\n' + content.lines.join(u'\n'));
    });
    menu.addAction(tr("Show its stage"), this, [this, place] { activate(place); })
        ->setEnabled(!m_picture.step(place.row, place.step)->pass->stages.empty());
}

void PipelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_picture.isEmpty()) {
        Canvas::keyPressEvent(event);
        return;
    }
    const auto last = static_cast<int>(m_picture.rows[m_focused.row].steps.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        focusStep({m_focused.row, std::max(0, m_focused.step - 1)});
        return;
    case Qt::Key_Right:
        focusStep({m_focused.row, std::min(last, m_focused.step + 1)});
        return;
    case Qt::Key_Up:
        focusStep(neighbour(m_geometry, m_focused, -1));
        return;
    case Qt::Key_Down:
        focusStep(neighbour(m_geometry, m_focused, +1));
        return;
    case Qt::Key_Home:
        focusStep({m_focused.row, 0});
        return;
    case Qt::Key_End:
        focusStep({m_focused.row, last});
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate(m_focused);
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void PipelineCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_geometry = arrange(m_picture, size());
}

void PipelineCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

} // namespace fivefold::views::pipeline
