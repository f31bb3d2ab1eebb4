// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <stop_token>

namespace fivefold::app {

/// Runs one piece of work at a time away from the UI thread. Latest wins: a new start cancels the
/// work before it, and a result that is no longer wanted is dropped, never applied. UI thread only.
class JobRunner final : public QObject {
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// `work` runs on a worker thread and touches no widget; `apply` gets its value on the UI
    /// thread.
    template <typename Value>
    void start(std::function<Value(const base::Progress&)> work, std::function<void(Value)> apply) {
        auto value = std::make_shared<std::unique_ptr<Value>>();
        startErased([work = std::move(work), value](
                        const base::Progress& p) { *value = std::make_unique<Value>(work(p)); },
            [apply = std::move(apply), value] { apply(std::move(**value)); });
    }

    /// Takes effect at once: the runner is idle when this returns; the worker stops at its next
    /// check.
    void cancel();
    bool isRunning() const { return m_isRunning; }

signals:
    void started();
    /// At most about 30 times a second. fraction < 0: unknown.
    void progressed(const QString& stage, double fraction);
    void finished(); ///< applied, cancelled or failed
    /// The work threw (memory ran out): a sentence. Nothing was applied.
    void failed(const QString& sentence);

private:
    void startErased(std::function<void(const base::Progress&)> work, std::function<void()> apply);

    QThreadPool m_pool;
    std::stop_source m_stop;
    quint64 m_generation = 0;
    bool m_isRunning = false;
};

} // namespace fivefold::app
