// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/job_runner.h"

#include <QSignalSpy>
#include <QtTest>

#include <atomic>
#include <thread>

using namespace fivefold;
using app::JobRunner;

class TestJobRunner : public QObject {
    Q_OBJECT

private slots:
    void aResultArrivesOnTheUiThread() {
        JobRunner runner;
        int got = 0;
        QThread* thread = nullptr;
        runner.start<int>([](const base::Progress&) { return 42; },
            [&](int value) {
                got = value;
                thread = QThread::currentThread();
            });
        QTRY_COMPARE(got, 42);
        QCOMPARE(thread, QThread::currentThread());
        QVERIFY(!runner.isRunning());
    }

    void aNewerRequestDropsTheOlder() {
        JobRunner runner;
        QStringList applied;
        std::atomic<bool> sawStop = false;
        runner.start<int>(
            [&](const base::Progress& progress) {
                while (!progress.isCancelled())
                    std::this_thread::yield();
                sawStop = true;
                return 1;
            },
            [&](int) { applied << "old"; });
        runner.start<int>([](const base::Progress&) { return 2; }, [&](int) { applied << "new"; });
        QTRY_COMPARE(applied, QStringList{"new"});
        QTRY_VERIFY(sawStop);
        QTest::qWait(20);
        QCOMPARE(applied, QStringList{"new"});
    }

    void cancelIsIdleAtOnceAndAppliesNothing() {
        JobRunner runner;
        QSignalSpy finished(&runner, &JobRunner::finished);
        bool isApplied = false;
        runner.start<int>(
            [](const base::Progress& progress) {
                while (!progress.isCancelled())
                    std::this_thread::yield();
                return 0;
            },
            [&](int) { isApplied = true; });
        runner.cancel();
        QVERIFY(!runner.isRunning());
        QCOMPARE(finished.count(), 1);
        QTest::qWait(20);
        QVERIFY(!isApplied);
        QCOMPARE(finished.count(), 1);
    }

    void workThatThrowsBecomesASentence() {
        JobRunner runner;
        QSignalSpy failed(&runner, &JobRunner::failed);
        bool isApplied = false;
        runner.start<int>([](const base::Progress&) -> int { throw std::bad_alloc(); },
            [&](int) { isApplied = true; });
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!failed.first().at(0).toString().isEmpty());
        QVERIFY(!isApplied);
        QVERIFY(!runner.isRunning());
    }

    void progressNamesTheStage() {
        JobRunner runner;
        QSignalSpy progressed(&runner, &JobRunner::progressed);
        bool isDone = false;
        runner.start<int>(
            [](const base::Progress& progress) {
                progress.report("shapes", 0.5);
                return 0;
            },
            [&](int) { isDone = true; });
        QTRY_VERIFY(isDone);
        QCOMPARE(progressed.count(), 1);
        QCOMPARE(progressed.first().at(0).toString(), QStringLiteral("shapes"));
        QCOMPARE(progressed.first().at(1).toDouble(), 0.5);
    }
};

QTEST_GUILESS_MAIN(TestJobRunner)
#include "test_job_runner.moc"
