// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/layout/layout_painter.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;

namespace {
constexpr double kSmallestZoom = 0.5;
constexpr double kLargestZoom = 4;
} // namespace

LayoutCanvas::LayoutCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    updatePicture();
}

void LayoutCanvas::updatePicture() {
    if (m_isSetting)
        return;
    const auto before = m_picture.value;
    const QString name = m_picture.name;
    m_picture = present(m_state, m_whatIf);
    // A what-if belongs to one tensor as one model has it.
    if (m_whatIf
        && (before != m_picture.value || name != m_picture.name
            || m_modelShape != m_picture.modelShape)) {
        m_whatIf.reset();
        m_picture = present(m_state);
    }
    updateLens();
    if (!m_picture.isEmpty()) {
        const auto& element = m_state.selection().element;
        const bool isOther = before != m_picture.value || name != m_picture.name;
        const auto chosen = element ? m_picture.grid->placeAt(*element) : std::nullopt;
        m_view.place = m_picture.grid->clamped(chosen ? *chosen : isOther ? Place{} : m_view.place);
    }
    m_hovered.reset();
    rearrange();
    emit placeChanged();
}

void LayoutCanvas::updateHover() {
    std::optional<Place> place;
    const Selection& hover = m_state.hover();
    if (!m_picture.isEmpty() && hover.element && hover.value == m_picture.value)
        place = m_picture.grid->placeAt(*hover.element);
    if (place != m_hovered) {
        m_hovered = place;
        update();
    }
}

Selection LayoutCanvas::selectionAt(const Place& place) const {
    Selection selection = m_state.selection();
    const auto& graph = m_state.result()->program.stage(m_picture.stage);
    if (selection.isEmpty() && graph.values[m_picture.lowered].producer.isValid())
        selection = m_state.selectionOf(m_picture.stage, graph.values[m_picture.lowered].producer);
    selection.value = m_picture.value;
    selection.element = m_picture.grid->indexAt(place);
    return selection;
}

void LayoutCanvas::setPlace(Place place) {
    if (m_picture.isEmpty())
        return;
    m_view.place = m_picture.grid->clamped(place);
    // Padding has no element to select; a tensor that lowering made has no captured value.
    if (!m_picture.whatIf && m_picture.value.isValid() && m_picture.grid->indexAt(m_view.place)) {
        m_isSetting = true;
        m_state.setSelection(selectionAt(m_view.place));
        m_isSetting = false;
        m_picture.isDefault = false;
    }
    rearrange();
    emit placeChanged();
}

void LayoutCanvas::setLogical(bool isLogical) {
    m_view.isLogical = isLogical;
    rearrange();
    emit viewChanged();
}

void LayoutCanvas::setHex(bool isHex) {
    m_view.isHex = isHex;
    rearrange();
    emit viewChanged();
}

void LayoutCanvas::setValues(bool hasValues) {
    m_view.hasValues = hasValues;
    rearrange();
    emit viewChanged();
}

void LayoutCanvas::setWhatIf(const std::optional<WhatIf>& whatIf) {
    m_whatIf = whatIf;
    m_modelShape = m_picture.modelShape;
    updatePicture();
}

void LayoutCanvas::updateLens() {
    if (m_lensResult != m_state.result() || m_lens.lens() != m_state.lens()
        || m_lens.divergence() != m_state.divergence()) {
        m_lensResult = m_state.result();
        m_lens = LensColours(m_lensResult, m_state.lens(), m_state.divergence());
    }
    update();
}

void LayoutCanvas::setZoom(double zoom) {
    m_view.zoom = std::clamp(zoom, kSmallestZoom, kLargestZoom);
    rearrange();
}

void LayoutCanvas::rearrange() {
    m_geometry = arrange(m_picture, m_view, size());
    update();
}

void LayoutCanvas::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    paint(painter, m_picture, arrange(m_picture, m_view, size), m_view, std::nullopt, m_lens);
}

void LayoutCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paint(painter, m_picture, m_geometry, m_view, m_hovered, m_lens);
}

void LayoutCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    if (const auto place = placeAt(m_picture, m_geometry, m_view, position))
        setPlace(*place);
}

void LayoutCanvas::zoomed(const QPoint&, double factor, Qt::KeyboardModifiers) {
    setZoom(m_view.zoom * factor);
}

void LayoutCanvas::hovered(const QPoint* position) {
    const auto place = position ? placeAt(m_picture, m_geometry, m_view, *position) : std::nullopt;
    setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Selection hover;
    if (place && m_picture.value.isValid()) {
        hover.value = m_picture.value;
        hover.element = m_picture.grid->indexAt(*place);
    }
    m_state.setHover(std::move(hover));
    if (m_hovered != place) { // padding is no element, and still has a place
        m_hovered = place;
        update();
    }
}

CardContent LayoutCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const auto place = placeAt(m_picture, m_geometry, m_view, position);
    if (!place)
        return {};
    mark = QRect(position - QPoint(6, 6), QSize(12, 12));
    CardContent card;
    card.title = indexText(m_picture, *place);
    card.lines << lineText(m_picture, *place) << addressText(m_picture, *place, m_view.isHex);
    card.lines << tr("block %1, row %2").arg(place->block).arg(place->row);
    if (m_picture.grid->units() > 1)
        card.lines << unitText(m_picture, *place);
    if (const QString value = valueText(m_picture, *place); !value.isEmpty())
        card.lines << tr("value %1").arg(value);
    return card;
}

void LayoutCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (m_picture.isEmpty())
        return;
    const Place place = placeAt(m_picture, m_geometry, m_view, position).value_or(m_view.place);
    const auto copy = [&](const QString& action, const QString& text) {
        menu.addAction(action, this, [text] { QApplication::clipboard()->setText(text); });
    };
    copy(tr("Copy name"), m_picture.name);
    copy(tr("Copy index"), indexText(m_picture, place));
    copy(tr("Copy address"), addressText(m_picture, place, m_view.isHex));
    if (const QString value = valueText(m_picture, place); !value.isEmpty())
        copy(tr("Copy value"), value);
    menu.addSeparator();
    menu.addActions(actions());
}

void LayoutCanvas::walk(int key, bool isUnit) {
    const Grid& grid = *m_picture.grid;
    Place place = m_view.place;
    const auto carry = [](std::int64_t& low, std::int64_t size, std::int64_t& high,
                           std::int64_t by) {
        low += by;
        if (low < 0 && high > 0) {
            --high;
            low = size - 1;
        } else if (low >= size) {
            ++high;
            low = 0;
        }
    };
    const bool isBack = key == Qt::Key_Left || key == Qt::Key_Up || key == Qt::Key_PageUp;
    const std::int64_t by = isBack ? -1 : 1;
    if (isUnit) {
        place.unit += by;
    } else if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const std::int64_t packs = grid.packs();
        std::int64_t element = place.lane * packs + place.pack;
        carry(element, grid.lanes() * packs, place.row, by);
        place.lane = element / packs;
        place.pack = element % packs;
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        carry(place.row, grid.rows(place.unit), place.block, by);
    } else {
        place.block += by;
    }
    // At the end of the unit the place stays where it is.
    if (!isUnit && (place.row >= grid.rows(place.unit) || place.row < 0)) {
        const std::int64_t over = place.row < 0 ? -1 : 1;
        if (place.block + over < 0 || place.block + over >= grid.blocks(place.unit))
            return;
        place.block += over;
        place.row = over < 0 ? grid.rows(place.unit) - 1 : 0;
    }
    if (!isUnit && (place.block < 0 || place.block >= grid.blocks(place.unit)))
        return;
    if (isUnit && (place.unit < 0 || place.unit >= grid.units()))
        return;
    setPlace(place);
}

void LayoutCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_picture.isEmpty()) {
        Canvas::keyPressEvent(event);
        return;
    }
    Place place = m_view.place;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        walk(event->key(), false);
        return;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        walk(event->key(), event->modifiers().testFlag(Qt::ControlModifier));
        return;
    case Qt::Key_Home:
        place.lane = place.pack = 0;
        setPlace(place);
        return;
    case Qt::Key_End:
        place.lane = m_picture.grid->lanes() - 1;
        place.pack = m_picture.grid->packs() - 1;
        setPlace(place);
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void LayoutCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    rearrange();
}

void LayoutCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_lensResult.reset(); // the colours of the other theme
        updateLens();
        rearrange();
    }
}

} // namespace fivefold::views::layout
