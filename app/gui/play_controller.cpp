// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/play_controller.h"

#include "views/common/motion.h"
#include "views/play/play_panel.h"

#include <QAction>
#include <QApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::app {

using analysis::Play;
using base::Picoseconds;
using views::common::ViewState;

PlayController::PlayController(ViewState& state, QObject* parent)
    : QObject(parent)
    , m_state(state) {
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &PlayController::tick);
    connect(&state, &ViewState::playingChanged, this, [this](bool isPlaying) {
        if (!isPlaying)
            m_timer.stop();
    });
}

PlayController::~PlayController() {
    m_jobs.cancel();
}

void PlayController::setRequest(const analysis::PlayRequest& request, bool isWanted) {
    m_request = request;
    m_isAnswered = false;
    if (isWanted)
        compute(m_then);
}

bool PlayController::isCurrent() const {
    return m_isAnswered && m_state.play();
}

/// Computes the request and goes on with `then`; the clock keeps its share of the way.
void PlayController::compute(std::function<void()> then) {
    const auto result = m_state.result();
    if (!result || !m_request || result->program.events.empty())
        return;
    m_then = std::move(then);
    using Answer = std::shared_ptr<const Play>;
    m_jobs.start<Answer>(
        [result, request = *m_request](const base::Progress& progress) -> Answer {
            return std::make_shared<const Play>(analysis::play(*result, request, progress));
        },
        [this, result](Answer answer) {
            if (result != m_state.result())
                return;
            const auto before = m_state.play();
            const double share =
                before && before->length.value > 0 ? m_state.playTime() / before->length : 0;
            m_isAnswered = true;
            m_moments.clear();
            for (const auto& trace : answer->traces) {
                const auto moments = schedule::momentsOf(trace);
                m_moments.insert(m_moments.end(), moments.begin(), moments.end());
            }
            m_moments.push_back(answer->length);
            std::sort(m_moments.begin(), m_moments.end());
            m_moments.erase(std::unique(m_moments.begin(), m_moments.end()), m_moments.end());
            m_state.setPlay(answer);
            if (share > 0)
                moveTo(Picoseconds(static_cast<std::int64_t>(
                    std::llround(share * static_cast<double>(answer->length.value)))));
            m_time = static_cast<double>(m_state.playTime().value);
            if (const auto next = std::exchange(m_then, {}))
                next();
        });
}

void PlayController::toggle() {
    if (m_state.isPlaying()) {
        setRunning(false);
        return;
    }
    if (!isCurrent()) {
        compute([this] { toggle(); });
        return;
    }
    if (m_state.playTime() >= m_state.play()->length)
        moveTo({});
    setRunning(true);
}

void PlayController::setRunning(bool isRunning) {
    if (isRunning) {
        m_time = static_cast<double>(m_state.playTime().value);
        m_elapsed.start();
        m_timer.start(views::common::isMotionReduced() ? kStepMs : kFrameMs);
    } else {
        m_timer.stop();
    }
    m_state.setPlaying(isRunning);
}

void PlayController::tick() {
    const auto play = m_state.play();
    if (!play) {
        setRunning(false);
        return;
    }
    const double length = static_cast<double>(play->length.value);
    const double passed =
        length * static_cast<double>(m_elapsed.restart()) / (1000.0 * std::max(1, m_pace));
    m_time = std::min(length, m_time + passed);
    Picoseconds at(static_cast<std::int64_t>(std::llround(m_time)));
    if (views::common::isMotionReduced()) { // at the next moment, or the one the pace asks for
        const auto next = neighbour(m_state.playTime(), 1);
        at = std::max(next.value_or(play->length), at);
        const auto last = std::upper_bound(m_moments.begin(), m_moments.end(), at);
        at = last == m_moments.begin() ? at : *std::prev(last);
        m_time = static_cast<double>(at.value);
    }
    moveTo(at);
    if (at >= play->length)
        setRunning(false);
}

std::optional<Picoseconds> PlayController::neighbour(Picoseconds at, int direction) const {
    if (direction > 0) {
        const auto next = std::upper_bound(m_moments.begin(), m_moments.end(), at);
        return next == m_moments.end() ? std::nullopt : std::optional(*next);
    }
    const auto here = std::lower_bound(m_moments.begin(), m_moments.end(), at);
    return here == m_moments.begin() ? std::nullopt : std::optional(*std::prev(here));
}

void PlayController::step(int direction) {
    setRunning(false);
    if (!isCurrent()) {
        compute([this, direction] { step(direction); });
        return;
    }
    if (const auto next = neighbour(m_state.playTime(), direction))
        moveTo(*next);
}

void PlayController::seek(Picoseconds at) {
    if (!m_state.play())
        return;
    moveTo(at);
    m_time = static_cast<double>(m_state.playTime().value);
}

void PlayController::moveTo(Picoseconds at) {
    const auto play = m_state.play();
    const auto result = m_state.result();
    if (!play || !result || play->traces.empty())
        return;
    at = std::clamp(at, Picoseconds(0), play->length);
    m_state.setPlayTime(at);
    m_state.setCursor(schedule::programTime(result->program, play->traces.front(), at));
}

namespace {

/// A panel that plays something of its own keeps the keys of playing while it has the focus.
void shareKeys(views::play::PlayPanel* panel) {
    const auto update = [panel](QWidget*, const QWidget* focus) {
        const views::common::Panel* focused = nullptr;
        for (; focus && !focused; focus = focus->parentWidget())
            focused = qobject_cast<const views::common::Panel*>(focus);
        for (QAction* action : panel->panelActions()) {
            bool isTaken = false;
            if (focused && focused != panel && !action->shortcut().isEmpty())
                for (const QAction* other : focused->panelActions())
                    isTaken = isTaken
                        || (other->isEnabled() && other->shortcuts().contains(action->shortcut()));
            action->setShortcutContext(
                isTaken ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
        }
    };
    QObject::connect(qApp, &QApplication::focusChanged, panel, update);
}

} // namespace

void connectPlay(
    const std::vector<views::common::Panel*>& panels, ViewState& state, QObject* owner) {
    using views::play::PlayPanel;
    for (views::common::Panel* each : panels)
        if (auto* panel = qobject_cast<PlayPanel*>(each)) {
            auto* controller = new PlayController(state, owner);
            QObject::connect(
                panel, &PlayPanel::requestChanged, controller, &PlayController::setRequest);
            QObject::connect(panel, &PlayPanel::playToggled, controller, &PlayController::toggle);
            QObject::connect(panel, &PlayPanel::stepWanted, controller, &PlayController::step);
            QObject::connect(panel, &PlayPanel::clockWanted, controller, &PlayController::seek);
            QObject::connect(panel, &PlayPanel::paceChanged, controller, &PlayController::setPace);
            controller->setRequest(panel->request(), panel->isVisible());
            shareKeys(panel);
        }
}

} // namespace fivefold::app
