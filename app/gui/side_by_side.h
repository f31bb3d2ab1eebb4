// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/job_runner.h"
#include "views/common/view_state.h"

namespace fivefold::app {

class Session;

/// The second of two views under one selection: another stage of the same result, or the same model
/// on another machine, analysed in a job of its own. It follows the session's model and what-if
/// choices while it is active.
class SideBySide final : public QObject {
    Q_OBJECT

public:
    explicit SideBySide(Session& session, QObject* parent = nullptr);

    views::common::ViewState& state() { return m_state; }
    JobRunner& jobs() { return m_jobs; }
    bool isActive() const { return m_isActive; }
    /// Active from now on. The first time it shows the stage before the session's one.
    void setActive(bool isActive);
    /// The machine of the second view; null: the session's own, whatever it becomes.
    void setMachine(std::shared_ptr<const machines::Machine> machine);
    std::shared_ptr<const machines::Machine> machine() const;

signals:
    void machineChanged();
    void failed(const QString& sentence);

private:
    void follow(bool isOtherModel);

    Session& m_session;
    views::common::ViewState m_state;
    JobRunner m_jobs;
    std::shared_ptr<const machines::Machine> m_machine;
    bool m_isActive = false;
    bool m_wasActive = false;
    bool m_isOtherModel = false; ///< since the last result that was applied
};

} // namespace fivefold::app
