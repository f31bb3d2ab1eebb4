// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/job_runner.h"
#include "core/analysis/debug.h"

#include <QObject>
#include <QStringList>

#include <optional>

namespace fivefold::app {

class Session;

/// Where the two runs of a comparison come from.
struct DebugSources {
    QStringList device; ///< repeats of one run; empty: the fault lab's
    QStringList reference; ///< empty: computed here in fp64
    QString inputs; ///< empty: inputs.npz beside the reference or the device, else seeded random
    compare::MatchEdits edits;
    std::vector<numerics::FaultId> planted; ///< the fault lab plants these, in this order
    QString plantedNode; ///< captured node that the first befalls; empty: the first it applies to
    std::map<std::string, double> parameters; ///< of what is planted, beyond its defaults
    std::uint64_t seed = 1;
    bool isHidden = false; ///< the answer is kept back until it is marked

    bool isLab() const { return !planted.empty(); }
    /// A lab without a fault: the machine's own numerics against fp64.
    bool isComputed() const { return planted.empty() && device.isEmpty(); }
};

/// What a comparison was made of, for what is done with it later.
struct DebugCase {
    analysis::DebugRequest request;
    analysis::Request lowering; ///< as the machine lowered the model for it
    std::shared_ptr<const compare::Divergence> divergence; ///< whole, the hidden part included
    std::optional<compare::Planted> planted;
    bool isHidden = false;
};

/// Compares runs of the session's model on its machine, away from the UI thread, and gives what it
/// finds to the view state. Follows the machine; another model ends it. UI thread only.
class DebugSession final : public QObject {
    Q_OBJECT

public:
    explicit DebugSession(Session& session);
    ~DebugSession() override;

    void start(const DebugSources& sources);
    /// Opens a model on a machine (empty: the present one) and starts when it is there.
    void openAndStart(const QString& path, const QString& machine, const DebugSources& sources);
    /// On top of earlier ones.
    void setEdits(const compare::MatchEdits& edits);
    void close(); ///< nothing is compared any more
    /// Shows the part of a lab's comparison that was hidden.
    void reveal();

    const std::optional<DebugSources>& sources() const { return m_sources; }
    /// Null: nothing is compared.
    std::shared_ptr<const DebugCase> current() const { return m_case; }
    JobRunner& jobs() { return m_jobs; }

signals:
    void changed();
    void failed(const QString& sentence);

private:
    void run();

    Session& m_session;
    JobRunner m_jobs;
    std::optional<DebugSources> m_sources, m_pending;
    std::shared_ptr<const DebugCase> m_case;
};

/// Opens, plants, compares: what the job does. Safe on any thread.
base::Result<std::shared_ptr<const DebugCase>> makeCase(
    const DebugSources& sources, const analysis::Request& request, const base::Progress& progress);

} // namespace fivefold::app
