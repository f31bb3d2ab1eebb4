// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/job_runner.h"
#include "app/gui/session.h"
#include "views/five/five_presenter.h"

#include <QSet>

namespace fivefold::app {

/// The results of the shown model on one machine of each family, for ViewState::otherResults. It
/// works while somebody wants them, one machine after the other in the background, takes the
/// session's own result where it is one of them, and computes again only what other choices change.
/// UI thread only.
class FiveResults final : public QObject {
    Q_OBJECT

public:
    explicit FiveResults(Session& session, QObject* parent = nullptr);

    /// Each asker counts once; the work stops when nobody wants the results.
    void setWanted(const QObject* asker, bool isWanted);
    bool isWanted() const { return !m_askers.isEmpty(); }
    JobRunner& jobs() { return m_jobs; }
    /// How far each machine is, in the fixed order of the families.
    const views::five::Slots& machineSlots() const { return m_slots; }

signals:
    void slotsChanged();

private:
    bool forget(const QObject* asker);
    struct Entry {
        analysis::Request request; ///< what `result` or `failure` answers
        std::shared_ptr<const analysis::Result> result;
        QString failure;
        bool isAnswered() const { return result || !failure.isEmpty(); }
    };
    void follow();
    void startNext();
    void publish();
    std::shared_ptr<const machines::Machine> machineOf(std::string_view family) const;
    analysis::Request requestOf(std::string_view family) const;

    Session& m_session;
    JobRunner m_jobs;
    QSet<const QObject*> m_askers;
    std::vector<Entry> m_entries; ///< in the order of the families
    views::five::Slots m_slots;
    int m_running = -1; ///< entry that the job is about
};

} // namespace fivefold::app
