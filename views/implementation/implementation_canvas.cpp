// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/implementation/implementation_canvas.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::implementation {

using namespace common;

ImplementationCanvas::ImplementationCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    updatePicture();
}

/// The choices stay while operator and machine are the same.
void ImplementationCanvas::updatePicture() {
    const auto result = m_state.result();
    const ir::NodeId node = operatorOf(m_state);
    const std::string machine = result ? result->machine().id : std::string();
    if (node != m_node || machine != m_machine)
        m_chosen = result && node.isValid() ? startingWith(*result, node) : Chosen();
    m_node = node;
    m_machine = machine;
    show();
}

void ImplementationCanvas::show() {
    m_picture = present(m_state, m_node, m_chosen);
    m_geometry = arrange(m_picture, size());
    m_hovered = {};
    update();
    emit pictureChanged();
}

void ImplementationCanvas::swapSides() {
    std::swap(m_chosen.values[0], m_chosen.values[1]);
    show();
}

void ImplementationCanvas::resetSides() {
    const auto result = m_state.result();
    m_chosen = result && m_node.isValid() ? startingWith(*result, m_node) : Chosen();
    show();
}

void ImplementationCanvas::choose(Side side, std::size_t choice, int value) {
    const auto result = m_state.result();
    if (!result || choice >= m_picture.choices.size())
        return;
    const auto choices = analysis::implementationChoices(*result, m_node);
    if (choice >= choices.size() || value < 0
        || value >= static_cast<int>(choices[choice].values.size()))
        return;
    m_chosen.values[index(side)][choices[choice].key] =
        choices[choice].values[static_cast<std::size_t>(value)];
    m_chosen.focus = choices[choice].key;
    show();
}

std::size_t ImplementationCanvas::focusedChoice() const {
    const auto found =
        std::ranges::find_if(m_picture.choices, [](const ChoiceRow& row) { return row.isFocused; });
    return found == m_picture.choices.end()
        ? 0
        : static_cast<std::size_t>(found - m_picture.choices.begin());
}

void ImplementationCanvas::focusChoice(std::size_t choice) {
    if (choice >= m_picture.choices.size())
        return;
    m_chosen.focus = m_picture.choices[choice].key;
    show();
}

void ImplementationCanvas::step(Side side, int by) {
    const std::size_t choice = focusedChoice();
    const ChoiceRow& row = m_picture.choices[choice];
    choose(side, choice,
        std::clamp(row.chosen[index(side)] + by, 0, static_cast<int>(row.values.size()) - 1));
}

QMenu* ImplementationCanvas::listValues(std::size_t choice, Side side) {
    if (choice >= m_picture.choices.size())
        return nullptr;
    focusChoice(choice);
    const ChoiceRow& row = m_picture.choices[choice];
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int value = 0; value < row.values.size(); ++value) {
        QString name = row.values[value];
        if (value == row.preset)
            name = tr("%1 (the compiler's)").arg(name);
        QAction* action = menu->addAction(
            name, this, [this, side, choice, value] { choose(side, choice, value); });
        action->setCheckable(true);
        action->setChecked(value == row.chosen[index(side)]);
    }
    QPoint at(0, height());
    for (const PlacedRow& placed : m_geometry.choices)
        if (placed.row == choice)
            at = placed.cell[index(side)].bottomLeft().toPoint();
    menu->popup(mapToGlobal(at));
    return menu;
}

void ImplementationCanvas::paintContent(QPainter& painter, const QSize& size) const {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    paint(painter, m_picture, arrange(m_picture, size), {});
}

void ImplementationCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paint(painter, m_picture, m_geometry, {m_hovered, hasFocus()});
}

void ImplementationCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    setFocus(Qt::MouseFocusReason);
    const Hit hit = hitAt(m_geometry, position);
    if (hit.kind == Hit::Kind::Choice)
        listValues(hit.index, hit.side);
    else if (hit.kind == Hit::Kind::Bar)
        choose(modifiers.testFlag(Qt::ShiftModifier) ? Side::A : Side::B, focusedChoice(),
            static_cast<int>(hit.index));
}

void ImplementationCanvas::hovered(const QPoint* position) {
    m_hovered = position ? hitAt(m_geometry, *position) : Hit{};
    setCursor(m_hovered.kind == Hit::Kind::None ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

CardContent ImplementationCanvas::cardAt(const QPoint& position, QRect& mark) const {
    CardContent card;
    const Hit hit = hitAt(m_geometry, position);
    if (hit.kind != Hit::Kind::Bar)
        return card;
    for (const PlacedBar& placed : m_geometry.bars)
        if (placed.bar == hit.index)
            mark = placed.row.toRect();
    const SweepBar& bar = m_picture.sweep[hit.index];
    card.title = bar.value;
    card.lines << bar.time << bar.because;
    if (!bar.misfit.isEmpty())
        card.lines << bar.misfit;
    if (bar.isPreset)
        card.lines << tr("The compiler takes this one.");
    return card;
}

void ImplementationCanvas::fillContextMenu(QMenu& menu, const QPoint&) {
    if (m_picture.isEmpty())
        return;
    menu.addAction(tr("Copy as text"), this,
        [text = implementation::sentence(m_picture)] { QApplication::clipboard()->setText(text); });
    menu.addAction(tr("Copy as CSV"), this,
        [text = implementation::csv(m_picture)] { QApplication::clipboard()->setText(text); });
}

void ImplementationCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_picture.isEmpty()) {
        Canvas::keyPressEvent(event);
        return;
    }
    const Side side = event->modifiers().testFlag(Qt::ShiftModifier) ? Side::A : Side::B;
    const std::size_t choice = focusedChoice();
    switch (event->key()) {
    case Qt::Key_Up:
        focusChoice(choice > 0 ? choice - 1 : 0);
        return;
    case Qt::Key_Down:
        focusChoice(std::min(choice + 1, m_picture.choices.size() - 1));
        return;
    case Qt::Key_Left:
        step(side, -1);
        return;
    case Qt::Key_Right:
        step(side, 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        listValues(choice, side);
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void ImplementationCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_geometry = arrange(m_picture, size());
}

void ImplementationCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_geometry = arrange(m_picture, size());
        update();
    }
}

} // namespace fivefold::views::implementation
