// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/five_results.h"

#include <algorithm>

namespace fivefold::app {

using views::common::ViewState;
using views::five::SlotState;
using AnalysisResult = base::Result<std::shared_ptr<const analysis::Result>>;

namespace {

bool isSame(const analysis::Request& a, const analysis::Request& b) {
    return a.model == b.model && a.machine == b.machine && a.bindings == b.bindings
        && a.settings == b.settings;
}

/// Whether a result answers a request. An analysis titles a graph that keeps its own types by the
/// precision that it found there.
bool answers(const analysis::Result& result, const analysis::Request& request) {
    analysis::Request asked = request;
    if (!asked.settings.isPrecisionGiven)
        asked.settings.precision = result.request.settings.precision;
    return isSame(result.request, asked);
}

} // namespace

FiveResults::FiveResults(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_entries(std::size(machines::kFamilies)) {
    for (const std::string_view family : machines::kFamilies)
        m_slots.push_back({std::string(family), nullptr, SlotState::Waiting, {}});
    // After the session's own result is there: it is what the user waits for.
    connect(&session.state(), &ViewState::resultChanged, this, &FiveResults::follow);
    connect(&session.jobs(), &JobRunner::finished, this, &FiveResults::follow);
    connect(&m_jobs, &JobRunner::progressed, this, [this](const QString& stage, double) {
        if (m_running < 0)
            return;
        m_slots[static_cast<std::size_t>(m_running)].text = stage;
        emit slotsChanged();
    });
    connect(&m_jobs, &JobRunner::failed, this, [this](const QString& sentence) {
        if (m_running >= 0)
            m_entries[static_cast<std::size_t>(m_running)].failure = sentence;
        m_running = -1;
        publish();
        startNext();
    });
}

void FiveResults::setWanted(const QObject* asker, bool isWanted) {
    if (isWanted) {
        if (!m_askers.contains(asker))
            connect(asker, &QObject::destroyed, this, [this, asker] { forget(asker); });
        m_askers.insert(asker);
        follow();
        return;
    }
    if (forget(asker))
        publish();
}

/// True when what was running was for this asker alone. Publishes nothing: the asker may be half
/// gone.
bool FiveResults::forget(const QObject* asker) {
    m_askers.remove(asker);
    if (!m_askers.isEmpty() || m_running < 0)
        return false;
    m_running = -1;
    m_jobs.cancel();
    return true;
}

std::shared_ptr<const machines::Machine> FiveResults::machineOf(std::string_view family) const {
    const auto& current = m_session.choices().machine;
    return current->family == family ? current : m_session.preferredMachine(family);
}

analysis::Request FiveResults::requestOf(std::string_view family) const {
    analysis::Request request = m_session.requestFor(machineOf(family));
    // The model of the result that is shown: the session may be reading another one.
    if (const auto own = m_session.state().result())
        request.model = own->request.model;
    return request;
}

/// Keeps the answers that still hold, takes the session's, and computes the rest while wanted.
void FiveResults::follow() {
    const auto own = m_session.state().result();
    if (!own || m_session.jobs().isRunning())
        return;
    bool isInVain = false; // what runs was asked for under other choices, or is answered
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const analysis::Request request = requestOf(machines::kFamilies[i]);
        Entry& entry = m_entries[i];
        const bool isOther = !isSame(entry.request, request);
        if (isOther)
            entry = {request, nullptr, {}};
        if (answers(*own, request)) {
            entry.result = own;
            entry.failure.clear();
        }
        if (m_running == static_cast<int>(i) && (isOther || entry.isAnswered()))
            isInVain = true;
    }
    if (isInVain) {
        m_running = -1;
        m_jobs.cancel();
    }
    publish();
    startNext();
}

void FiveResults::startNext() {
    if (!isWanted() || m_running >= 0)
        return;
    const auto next = std::ranges::find_if(
        m_entries, [](const Entry& entry) { return entry.request.model && !entry.isAnswered(); });
    if (next == m_entries.end())
        return;
    m_running = static_cast<int>(next - m_entries.begin());
    const auto index = static_cast<std::size_t>(m_running);
    m_jobs.start<AnalysisResult>(
        [request = next->request, cache = m_session.typedCache()](const base::Progress& progress) {
            return analysis::analyze(request, progress, cache.get());
        },
        [this, index](AnalysisResult result) {
            m_running = -1;
            Entry& entry = m_entries[index];
            if (result)
                entry.result = *result;
            else
                entry.failure = QString::fromStdString(result.error().text());
            publish();
            startNext();
        });
    publish();
}

void FiveResults::publish() {
    std::vector<std::shared_ptr<const analysis::Result>> results;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        results.push_back(entry.result);
        views::five::Slot& slot = m_slots[i];
        slot.machine = entry.request.machine ? entry.request.machine : machineOf(slot.family);
        slot.text = entry.failure;
        slot.state = entry.result              ? SlotState::Ready
            : !entry.failure.isEmpty()         ? SlotState::Failed
            : m_running == static_cast<int>(i) ? SlotState::Computing
                                               : SlotState::Waiting;
    }
    emit slotsChanged(); // before the results: a row then knows what it stands for
    m_session.state().setOtherResults(std::move(results));
}

} // namespace fivefold::app
