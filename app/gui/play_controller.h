// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/job_runner.h"
#include "core/analysis/play.h"
#include "views/common/view_state.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

namespace fivefold::views::common {
class Panel;
}

namespace fivefold::app {

/// Owns the clock of a play: computes the traces away from the UI thread, moves the clock while it
/// runs and the time cursor with it. With reduced motion the clock goes from one moment to the next
/// instead of running. UI thread only.
class PlayController final : public QObject {
    Q_OBJECT

public:
    static constexpr int kFrameMs = 16;
    static constexpr int kStepMs = 500; ///< between two steps of a play with reduced motion

    explicit PlayController(views::common::ViewState& state, QObject* parent = nullptr);
    ~PlayController() override;

    /// What is to be played. `isWanted`: compute it now; else when somebody plays.
    void setRequest(const analysis::PlayRequest& request, bool isWanted);
    void toggle(); ///< play or pause; from the end it starts again
    /// Pauses, and goes to the next or previous moment at which an operation starts or ends.
    void step(int direction);
    void seek(base::Picoseconds at);
    /// How long the whole block takes on the screen; > 0.
    void setPace(int seconds) { m_pace = seconds; }
    JobRunner& jobs() { return m_jobs; }

private:
    void compute(std::function<void()> then);
    bool isCurrent() const;
    void moveTo(base::Picoseconds at);
    void setRunning(bool isRunning);
    void tick();
    std::optional<base::Picoseconds> neighbour(base::Picoseconds at, int direction) const;

    views::common::ViewState& m_state;
    JobRunner m_jobs;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
    std::optional<analysis::PlayRequest> m_request;
    bool m_isAnswered = false; ///< the state's play answers the request
    std::function<void()> m_then; ///< once the running computation ends
    std::vector<base::Picoseconds> m_moments; ///< of all traces
    double m_time = 0; ///< ps; finer than the state's
    int m_pace = 10;
};

/// Makes the controller that answers the Play panel among `panels`, where there is one.
void connectPlay(const std::vector<views::common::Panel*>& panels, views::common::ViewState& state,
    QObject* owner);

} // namespace fivefold::app
