// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/job_runner.h"

#include <QElapsedTimer>

#include <new>

namespace fivefold::app {

namespace {

constexpr int kReportIntervalMs = 33;

} // namespace

JobRunner::JobRunner(QObject* parent)
    : QObject(parent) {
    // Two: a cancelled job that has not noticed yet must not hold up its successor.
    m_pool.setMaxThreadCount(2);
}

JobRunner::~JobRunner() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void JobRunner::cancel() {
    if (!m_isRunning)
        return;
    m_stop.request_stop();
    ++m_generation;
    m_isRunning = false;
    emit finished();
}

void JobRunner::startErased(
    std::function<void(const base::Progress&)> work, std::function<void()> apply) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    const quint64 generation = ++m_generation;
    m_isRunning = true;
    emit started();

    // The destructor waits for the pool, so `this` outlives every worker.
    auto timer = std::make_shared<QElapsedTimer>();
    timer->start();
    auto lastReport = std::make_shared<qint64>(-kReportIntervalMs);
    const auto sink = [this, generation, timer, lastReport](
                          std::string_view stage, double fraction) {
        if (timer->elapsed() - *lastReport < kReportIntervalMs)
            return;
        *lastReport = timer->elapsed();
        const QString text = QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size()));
        QMetaObject::invokeMethod(
            this,
            [this, generation, text, fraction] {
                if (generation == m_generation && m_isRunning)
                    emit progressed(text, fraction);
            },
            Qt::QueuedConnection);
    };
    const base::Progress progress(m_stop.get_token(), sink);
    m_pool.start([this, generation, progress, work = std::move(work), apply = std::move(apply)] {
        QString problem;
        try {
            work(progress);
        } catch (const std::bad_alloc&) {
            problem = tr("The memory did not suffice; close other programs or open a smaller model.");
        } catch (const std::exception& error) {
            problem = tr("The work stopped unexpectedly: %1.").arg(QString::fromUtf8(error.what()));
        }
        QMetaObject::invokeMethod(
            this,
            [this, generation, apply, problem] {
                if (generation != m_generation)
                    return;
                m_isRunning = false;
                if (problem.isEmpty())
                    apply();
                else
                    emit failed(problem);
                emit finished();
            },
            Qt::QueuedConnection);
    });
}

} // namespace fivefold::app
