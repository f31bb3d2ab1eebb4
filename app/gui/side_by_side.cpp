// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/side_by_side.h"

#include "app/gui/session.h"

namespace fivefold::app {

using views::common::ViewState;

SideBySide::SideBySide(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_state(session.state(), nullptr) {
    connect(&session.state(), &ViewState::resultChanged, this, &SideBySide::follow);
    connect(&session.state(), &ViewState::staleChanged, this, [this](bool isStale) {
        if (m_isActive && !m_machine)
            m_state.setStale(isStale);
    });
    connect(&session, &Session::choicesChanged, this, &SideBySide::machineChanged);
    connect(&m_jobs, &JobRunner::started, this, [this] { m_state.setStale(true); });
    connect(&m_jobs, &JobRunner::finished, this, [this] { m_state.setStale(false); });
    connect(&m_jobs, &JobRunner::failed, this, &SideBySide::failed);
}

void SideBySide::setActive(bool isActive) {
    if (m_isActive == isActive)
        return;
    m_isActive = isActive;
    if (!isActive) {
        m_jobs.cancel();
        return;
    }
    if (!m_wasActive && !m_machine) {
        const auto stage = static_cast<std::size_t>(m_session.state().stage());
        m_state.setStage(lowering::kStages[stage == 0 ? 1 : stage - 1]);
    }
    m_wasActive = true;
    follow(false);
}

void SideBySide::setMachine(std::shared_ptr<const machines::Machine> machine) {
    if (machine == m_machine)
        return;
    m_machine = std::move(machine);
    if (m_machine) // two machines are compared at the same stage
        m_state.setStage(m_session.state().stage());
    emit machineChanged();
    follow(false);
}

std::shared_ptr<const machines::Machine> SideBySide::machine() const {
    return m_machine ? m_machine : m_session.choices().machine;
}

/// Shows the session's result, or analyses the session's choices for the other machine.
void SideBySide::follow(bool isOtherModel) {
    m_isOtherModel |= isOtherModel;
    const auto own = m_session.state().result();
    if (!m_isActive || !own)
        return;
    if (!m_machine || m_machine->id == own->machine().id) {
        m_jobs.cancel();
        m_state.setResult(own, std::exchange(m_isOtherModel, false));
        return;
    }
    using AnalysisResult = base::Result<std::shared_ptr<const analysis::Result>>;
    // The model of the result that is shown: the session may be reading another one.
    analysis::Request request = m_session.requestFor(m_machine);
    request.model = own->request.model;
    m_jobs.start<AnalysisResult>(
        [request, cache = m_session.typedCache()](const base::Progress& progress) {
            return analysis::analyze(request, progress, cache.get());
        },
        [this](AnalysisResult result) {
            if (result)
                m_state.setResult(*result, std::exchange(m_isOtherModel, false));
            else if (result.error().code != base::ErrorCode::Cancelled)
                emit failed(QString::fromStdString(result.error().text()));
        });
}

} // namespace fivefold::app
