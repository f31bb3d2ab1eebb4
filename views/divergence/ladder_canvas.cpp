// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/divergence/ladder_painter.h"
#include "views/divergence/ladder_panel.h"
#include "views/divergence/waits_painter.h"
#include "views/divergence/words.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace fivefold::views::divergence {

using namespace common;

namespace {

QString caption() {
    return LadderPanel::tr("eight levels, reconstructed from public descriptions");
}

void paintCaption(QPainter& painter, const QSizeF& size) {
    painter.setFont(smallFont());
    painter.setPen(Palette::current().role("textSecondary"));
    drawElided(
        painter, QRectF(8, size.height() - 20, size.width() - 16, 18), caption(), Qt::AlignRight);
}

} // namespace

LadderCanvas::LadderCanvas(Focus& focus, QWidget* parent)
    : Canvas(parent)
    , m_focus(focus) {
    setMinimumWidth(1);
    refresh();
}

void LadderCanvas::refresh() {
    m_picture = ladderPicture(m_focus.verdict());
    update();
}

void LadderCanvas::setRoom(const QSize& room) {
    m_room = room;
    setMinimumHeight(static_cast<int>(ladderGeometry(room.width(), room.height()).height));
}

LadderGeometry LadderCanvas::geometryNow() const {
    return ladderGeometry(width(), std::max(height(), m_room.height()));
}

void LadderCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paintLadder(painter, m_picture, geometryNow(), m_hovered, hasFocus() ? m_focused : -1);
    paintCaption(painter, size());
}

void LadderCanvas::paintInto(QPainter& painter, const QSize& size) const {
    paintLadder(painter, m_picture, ladderGeometry(size.width(), size.height()), -1, -1);
    paintCaption(painter, size);
}

void LadderCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    const int level = geometryNow().tagAt(position);
    if (level < 0)
        return;
    m_focused = level;
    emit levelChosen(static_cast<numerics::Level>(level + 1));
}

void LadderCanvas::hovered(const QPoint* position) {
    const int level = position ? geometryNow().tagAt(*position) : -1;
    if (level == m_hovered)
        return;
    m_hovered = level;
    setCursor(level >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

CardContent LadderCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const LadderGeometry geometry = geometryNow();
    CardContent card;
    if (const int level = geometry.tagAt(position); level >= 0) {
        const auto& row = m_picture.rows[static_cast<std::size_t>(level)];
        const QRectF& tag = geometry.tags[static_cast<std::size_t>(level)];
        mark = (tag.contains(position) ? tag : geometry.rows[static_cast<std::size_t>(level)])
                   .toAlignedRect();
        card.title = tr("%1 %2").arg(level + 1).arg(levelName(row.level));
        card.lines << (row.sentence.isEmpty() ? tr("Nothing was run that would clear or blame it.")
                                              : row.sentence);
        card.lines << tr("Click or Enter: symptom, first artefact, public bugs");
        return card;
    }
    const int rung = geometry.lampAt(position);
    if (rung < 0)
        return card;
    const auto& lamp = m_picture.lamps[static_cast<std::size_t>(rung)];
    mark = geometry.lamps[static_cast<std::size_t>(rung)].toAlignedRect();
    card.title = rungName(lamp.rung);
    card.lines << (lamp.words.isEmpty() ? tr("not given: this rung was not run") : lamp.words);
    return card;
}

void LadderCanvas::keyPressEvent(QKeyEvent* event) {
    const int last = numerics::kLevels - 1;
    const int start = m_picture.blamed ? static_cast<int>(*m_picture.blamed) - 1 : 0;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        m_focused = m_focused < 0 ? start : std::min(last, m_focused + 1);
        break;
    case Qt::Key_Left:
    case Qt::Key_Up:
        m_focused = m_focused < 0 ? start : std::max(0, m_focused - 1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit levelChosen(static_cast<numerics::Level>((m_focused < 0 ? start : m_focused) + 1));
        break;
    default:
        Canvas::keyPressEvent(event);
        return;
    }
    update();
}

void LadderCanvas::wheelEvent(QWheelEvent* event) {
    hideCard();
    event->ignore();
}

WaitsCanvas::WaitsCanvas(Focus& focus, QWidget* parent)
    : Canvas(parent)
    , m_focus(focus) {
    setMinimumWidth(1);
    refresh();
}

void WaitsCanvas::refresh() {
    const compare::LevelVerdict* verdict = m_focus.verdict();
    m_picture = verdict ? waitsPicture(*verdict, m_focus.state().result().get()) : WaitsPicture();
    setRoom(m_room);
    update();
}

void WaitsCanvas::setRoom(const QSize& room) {
    m_room = room;
    setMinimumHeight(
        static_cast<int>(waitsGeometry(m_picture, room.width(), room.height()).height));
}

WaitsGeometry WaitsCanvas::geometryNow() const {
    return waitsGeometry(m_picture, width(), std::max(height(), m_room.height()));
}

QVector<int> WaitsCanvas::selectedNodes() const {
    QVector<int> nodes;
    const auto result = m_focus.state().result();
    if (!result)
        return nodes;
    const auto steps = m_focus.state().selectedSteps();
    for (qsizetype n = 0; n < m_picture.nodes.size(); ++n) {
        const lowering::EventId event = m_picture.nodes[n].event;
        if (result->program.events.contains(event)
            && std::find(steps.begin(), steps.end(), result->program.events[event].step)
                != steps.end())
            nodes << static_cast<int>(n);
    }
    return nodes;
}

void WaitsCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paintWaits(painter, m_picture, geometryNow(), m_hovered, selectedNodes());
}

void WaitsCanvas::paintInto(QPainter& painter, const QSize& size) const {
    paintWaits(painter, m_picture, waitsGeometry(m_picture, size.width(), size.height()), -1,
        selectedNodes());
}

int WaitsCanvas::nodeAt(const QPointF& at) const {
    const WaitsGeometry geometry = geometryNow();
    for (qsizetype n = 0; n < geometry.nodes.size(); ++n)
        if (geometry.nodes[n].contains(at))
            return static_cast<int>(n);
    return -1;
}

void WaitsCanvas::choose(int node) {
    const auto result = m_focus.state().result();
    const lowering::EventId event = m_picture.nodes[node].event;
    if (result && result->program.events.contains(event))
        m_focus.state().selectStep(result->program.events[event].step);
}

void WaitsCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    if (const int node = nodeAt(position); node >= 0)
        choose(node);
}

void WaitsCanvas::hovered(const QPoint* position) {
    const int node = position ? nodeAt(*position) : -1;
    if (node == m_hovered)
        return;
    m_hovered = node;
    update();
}

CardContent WaitsCanvas::cardAt(const QPoint& position, QRect& mark) const {
    CardContent card;
    const WaitsGeometry geometry = geometryNow();
    if (const int node = nodeAt(position); node >= 0) {
        mark = geometry.nodes[node].toAlignedRect();
        card.title = m_picture.nodes[node].name;
        for (const WaitsPicture::Edge& edge : m_picture.edges)
            if (edge.from == node && card.lines.size() < CardContent::kMaximumLines)
                card.lines
                    << tr("waits %1, held by %2").arg(edge.label, m_picture.nodes[edge.to].name);
        return card;
    }
    for (qsizetype b = 0; b < geometry.bars.size(); ++b) {
        if (!geometry.bars[b].contains(position))
            continue;
        const WaitsPicture::Bar& bar = m_picture.bars[b];
        mark = geometry.bars[b].toAlignedRect();
        card.title = bar.name;
        card.lines
            << bar.words
            << tr("issued %1, complete %2").arg(formatTime(bar.issued), formatTime(bar.completed))
            << tr("first read %1").arg(formatTime(bar.firstRead));
        if (bar.deadline)
            card.lines << tr("deadline %1").arg(formatTime(*bar.deadline));
    }
    return card;
}

void WaitsCanvas::keyPressEvent(QKeyEvent* event) {
    const auto count = static_cast<int>(m_picture.nodes.size());
    const bool isForward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool isBack = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if (count == 0 || (!isForward && !isBack)) {
        Canvas::keyPressEvent(event);
        return;
    }
    const QVector<int> selected = selectedNodes();
    const int now = selected.isEmpty() ? (isForward ? -1 : 0) : selected.front();
    choose((now + (isForward ? 1 : count - 1)) % count);
}

void WaitsCanvas::wheelEvent(QWheelEvent* event) {
    hideCard();
    event->ignore();
}

} // namespace fivefold::views::divergence
