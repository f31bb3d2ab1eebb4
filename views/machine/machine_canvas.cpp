// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/machine/machine_canvas.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::machine {

using namespace common;

namespace {

constexpr int kFrameMs = 33;
constexpr int kFramesPerFold = 120; ///< a fold takes about four seconds

/// The same product on the same array: the cycle may stay.
bool isSameRun(const std::optional<Stepping>& a, const std::optional<Stepping>& b) {
    return a && b && a->run.array() == b->run.array() && a->run.m() == b->run.m()
        && a->run.n() == b->run.n() && a->run.k() == b->run.k();
}

/// Where the picture explains itself: in the first fold, between the last row's and the first
/// row's crossing of the array, which is the middle of the stream where there is one.
std::int64_t openingCycle(const std::optional<Stepping>& stepping) {
    if (!stepping)
        return 0;
    const auto& run = stepping->run;
    const std::int64_t skew = run.array().rows + run.array().columns - 2;
    return std::min(run.cycles(), run.array().rows + (run.m() + skew) / 2);
}

} // namespace

MachineCanvas::MachineCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    m_timer.setInterval(kFrameMs);
    connect(&m_timer, &QTimer::timeout, this, &MachineCanvas::advance);
    updatePicture();
}

void MachineCanvas::updatePicture() {
    const auto before = m_picture.stepping;
    m_picture = present(m_state);
    if (!isSameRun(before, m_picture.stepping)) {
        setPlaying(false);
        m_cycle = openingCycle(m_picture.stepping);
    }
    if (m_focused && *m_focused >= m_picture.diagram.boxes.size())
        m_focused.reset();
    m_hovered.reset();
    rearrange();
    emit pictureChanged();
    emit cycleChanged();
}

void MachineCanvas::setOptions(const Options& options) {
    m_options = options;
    rearrange();
}

void MachineCanvas::rearrange() {
    m_geometry = arrange(m_picture, m_options, size());
    m_arrayGeometry = m_picture.stepping && !m_geometry.array.isNull()
        ? arrangeArray(*m_picture.stepping, m_geometry.array)
        : ArrayGeometry{};
    update();
}

void MachineCanvas::setCycle(std::int64_t cycle) {
    const std::int64_t last = m_picture.stepping ? m_picture.stepping->run.cycles() : 0;
    cycle = std::clamp<std::int64_t>(cycle, 0, last);
    if (cycle == m_cycle)
        return;
    m_cycle = cycle;
    update();
    emit cycleChanged();
}

void MachineCanvas::stepBy(std::int64_t cycles) {
    setCycle(m_cycle + cycles);
}

void MachineCanvas::stepPhase(int by) {
    if (!m_picture.stepping)
        return;
    const auto& run = m_picture.stepping->run;
    setCycle(by > 0 ? run.nextPhase(m_cycle) : run.previousPhase(m_cycle));
}

void MachineCanvas::setPlaying(bool isOn) {
    isOn = isOn && m_picture.stepping;
    if (isOn == m_timer.isActive())
        return;
    if (isOn) {
        // From the end it starts again.
        if (m_cycle >= m_picture.stepping->run.cycles())
            setCycle(0);
        m_timer.start();
    } else {
        m_timer.stop();
    }
    emit playingChanged(isOn);
}

void MachineCanvas::advance() {
    if (!m_picture.stepping) {
        setPlaying(false);
        return;
    }
    const auto& run = m_picture.stepping->run;
    stepBy(std::max<std::int64_t>(1, run.foldCycles() / kFramesPerFold));
    if (m_cycle >= run.cycles())
        setPlaying(false);
}

void MachineCanvas::paintContent(QPainter& painter, const QSize& size) const {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    const Geometry geometry = arrange(m_picture, m_options, size);
    paint(painter, m_picture, geometry, {{}, {}, m_cycle});
    if (m_picture.stepping && !geometry.array.isNull())
        paintArray(painter, *m_picture.stepping, arrangeArray(*m_picture.stepping, geometry.array),
            m_cycle);
    else if (!m_options.showsMachine) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), size).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_picture.noStepping);
    }
}

void MachineCanvas::paintCanvas(QPainter& painter, const QRect&) {
    Marks marks{hasFocus() ? m_focused : std::nullopt, m_hovered, m_cycle};
    paint(painter, m_picture, m_geometry, marks);
    if (m_picture.stepping && !m_geometry.array.isNull())
        paintArray(painter, *m_picture.stepping, m_arrayGeometry, m_cycle);
    else if (!m_options.showsMachine) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap,
            m_picture.noStepping);
    }
}

void MachineCanvas::scrubTo(const QPoint& position) {
    if (!m_picture.stepping)
        return;
    if (const auto cycle = cycleAt(m_arrayGeometry, *m_picture.stepping, m_cycle, position))
        setCycle(*cycle);
}

void MachineCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    m_focused = m_geometry.boxAt(position);
    scrubTo(position);
    update();
}

void MachineCanvas::dragged(const QPoint&, const QPoint& position) {
    scrubTo(position);
}

void MachineCanvas::hovered(const QPoint* position) {
    const auto box = position ? m_geometry.boxAt(*position) : std::nullopt;
    if (box == m_hovered)
        return;
    m_hovered = box;
    update();
}

CardContent MachineCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (const auto box = m_geometry.boxAt(position)) {
        const BoxShape* shape = m_geometry.shapeOf(*box);
        mark = (shape->hasChildren ? shape->header : shape->rect).toRect();
        return machine::card(m_picture, *box);
    }
    if (!m_geometry.vocabulary.isNull() && m_geometry.vocabulary.contains(position)) {
        mark = m_geometry.vocabulary.toRect();
        return vocabularyCard(m_picture);
    }
    return {};
}

void MachineCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    const auto box = m_geometry.boxAt(position);
    if (!box)
        return;
    const CardContent content = machine::card(m_picture, *box);
    menu.addAction(
        tr("Copy name"), this, [content] { QApplication::clipboard()->setText(content.title); });
    menu.addAction(tr("Copy as text"), this, [content] {
        QApplication::clipboard()->setText(content.title + u'\n' + content.lines.join(u'\n'));
    });
}

void MachineCanvas::walk(int by) {
    const auto count = static_cast<int>(m_geometry.boxes.size());
    if (count == 0)
        return;
    int at = by > 0 ? -1 : count;
    for (int i = 0; i < count; ++i)
        if (m_focused == m_geometry.boxes[i].index)
            at = i;
    m_focused = m_geometry.boxes[std::clamp(at + by, 0, count - 1)].index;
    update();
}

void MachineCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        walk(-1);
        return;
    case Qt::Key_Right:
    case Qt::Key_Down:
        walk(+1);
        return;
    case Qt::Key_Home:
        setCycle(0);
        return;
    case Qt::Key_End:
        if (m_picture.stepping)
            setCycle(m_picture.stepping->run.cycles());
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void MachineCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    rearrange();
}

void MachineCanvas::hideEvent(QHideEvent* event) {
    setPlaying(false);
    Canvas::hideEvent(event);
}

void MachineCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rearrange();
}

} // namespace fivefold::views::machine
