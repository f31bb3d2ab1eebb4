// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/five_panel.h"

#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/five/five_canvas.h"
#include "views/five/race_canvas.h"
#include "views/five/race_page.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPainter>
#include <QStackedWidget>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

FivePanel::FivePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_pages = new QStackedWidget(this);
    m_canvas = new FiveCanvas(state, m_pages);
    m_race = new RacePage(m_pages);
    m_pages->setMinimumSize(1, 1);
    m_pages->addWidget(m_canvas);
    m_pages->addWidget(m_race);
    createHeader();
    createActions();
    m_frame->setCanvas(m_pages);
    fitHeader(m_frame->header(), m_optional, width());
    m_pages->setFocusProxy(m_canvas);
    connectState();
    updateAll();
}

void FivePanel::connectState() {
    connect(&state(), &ViewState::resultChanged, m_canvas, &FiveCanvas::updatePicture);
    connect(&state(), &ViewState::otherResultsChanged, m_canvas, &FiveCanvas::updatePicture);
    connect(&state(), &ViewState::selectionChanged, this, [this] {
        if (m_canvas->options().isSelection)
            m_canvas->updatePicture();
        else
            updateAll();
    });
    connect(this, &Panel::sentenceChanged, m_canvas, &Canvas::setSentence);
    connect(this, &Panel::sentenceChanged, m_race->canvas(), &Canvas::setSentence);
    connect(m_canvas, &FiveCanvas::machineRequested, this, &Panel::machineRequested);
    connect(m_canvas, &FiveCanvas::pictureChanged, this, &FivePanel::updateAll);
    connect(m_race->canvas(), &RaceCanvas::machineRequested, this, &Panel::machineRequested);
    connect(m_race->canvas(), &RaceCanvas::playingChanged, this, [this] { refreshSentence(); });
    connect(m_race->canvas(), &RaceCanvas::clockChanged, this, [this] {
        // A screen reader is not told of every frame.
        if (!m_race->canvas()->isPlaying())
            refreshSentence();
    });
}

bool FivePanel::isRacing() const {
    return m_pages->currentWidget() == m_race;
}

void FivePanel::setRacing(bool isRacing) {
    m_raceButton->setChecked(isRacing);
    if (isRacing == this->isRacing())
        return;
    const bool hadFocus = m_pages->isAncestorOf(focusWidget()) && focusWidget();
    QWidget* page = isRacing ? static_cast<QWidget*>(m_race) : m_canvas;
    m_pages->setCurrentWidget(page);
    m_pages->setFocusProxy(isRacing ? static_cast<QWidget*>(m_race->canvas()) : m_canvas);
    if (hadFocus || isVisible())
        m_pages->setFocus(Qt::OtherFocusReason);
    m_race->canvas()->setClock(0);
    updateRace();
    updateLegend();
    refreshSentence();
}

std::vector<ir::NodeId> FivePanel::scope() const {
    return m_canvas->picture().isSelection ? state().selection().nodes : std::vector<ir::NodeId>{};
}

QString FivePanel::sentence() const {
    if (isRacing() && !m_canvas->picture().isEmpty())
        return raceSentence(
            m_race->canvas()->picture(), m_race->canvas()->kind(), m_race->canvas()->clock());
    return five::sentence(m_canvas->picture());
}

void FivePanel::updateAll() {
    const Picture& picture = m_canvas->picture();
    m_ofSelection->setEnabled(!state().selection().isEmpty() || m_canvas->options().isSelection);
    m_ofSelection->setChecked(m_canvas->options().isSelection);
    m_ofWhole->setChecked(!m_canvas->options().isSelection);
    updatePrecisions();
    if (picture.isEmpty())
        m_frame->showEmpty(picture.reason);
    else
        m_frame->showCanvas();
    updateRace();
    updateLegend();
    refreshSentence();
    emit twinChanged();
}

void FivePanel::updateRace() {
    if (isRacing())
        m_race->canvas()->setPicture(presentRace(m_canvas->picture(), scope()));
}

void FivePanel::updateLegend() {
    if (m_canvas->picture().isEmpty())
        m_frame->setLegend({});
    else if (isRacing())
        m_frame->setLegend(raceLegend(), tr("drag to scrub"));
    else
        m_frame->setLegend(
            legend(m_canvas->picture()), footnote(m_canvas->options(), m_canvas->isFrozen()));
}

void FivePanel::setSlots(Slots machineSlots) {
    m_slots = machineSlots;
    m_canvas->setSlots(std::move(machineSlots));
}

void FivePanel::setWanting(bool isWanting) {
    if (m_isWanting == isWanting)
        return;
    m_isWanting = isWanting;
    emit resultsWanted(isWanting);
}

void FivePanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    m_canvas->catchUp();
    setWanting(true);
}

void FivePanel::hideEvent(QHideEvent* event) {
    Panel::hideEvent(event);
    setWanting(false);
}

void FivePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_optional, width());
}

bool FivePanel::settle(int timeoutMs) {
    const auto isDone = [this] {
        return !m_isWanting || !state().result()
            || std::ranges::all_of(m_slots, [](const Slot& slot) {
                   return slot.state == SlotState::Ready || slot.state == SlotState::Failed;
               });
    };
    QElapsedTimer timer;
    timer.start();
    while (!isDone() && timer.elapsed() < timeoutMs)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    return isDone();
}

void FivePanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    const Picture& picture = m_canvas->picture();
    const QRect row(0, canvas.height(), size.width(), kLegendHeight);
    if (picture.isEmpty()) {
        painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, picture.reason);
        return;
    }
    if (isRacing())
        m_race->canvas()->paintContent(painter, canvas);
    else
        m_canvas->paintContent(painter, canvas);
    painter.fillRect(row, Palette::current().role("canvas"));
    paintLegend(painter, row, isRacing() ? raceLegend() : legend(picture),
        isRacing() ? QString() : footnote(m_canvas->options(), m_canvas->isFrozen()));
}

QString FivePanel::toCsv() const {
    return m_canvas->picture().isEmpty() ? QString() : csv(m_canvas->picture());
}

std::vector<TwinRow> FivePanel::twinRows() const {
    std::vector<TwinRow> rows;
    for (const Row& row : m_canvas->picture().rows)
        rows.push_back({twinText(row), state().selection()});
    return rows;
}

} // namespace fivefold::views::five
