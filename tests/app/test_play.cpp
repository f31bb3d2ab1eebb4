// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/main_window.h"
#include "app/gui/play_controller.h"
#include "views/common/motion.h"
#include "views/common/palette.h"
#include "views/graph/firing_overlay.h"
#include "views/graph/graph_panel.h"
#include "views/play/play_canvas.h"
#include "views/play/play_controls.h"
#include "views/play/play_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolBar>
#include <QtTest>

using namespace fivefold;
using app::MainWindow;
using base::Picoseconds;

/// The Play panel in the window, with its keys.
class TestPlay : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;

    views::common::ViewState& state() { return m_window->state(); }
    views::play::PlayPanel& panel() {
        return *qobject_cast<views::play::PlayPanel*>(m_window->panel(QStringLiteral("play")));
    }
    views::graph::FiringOverlay& overlay() {
        return *m_window->panel(QStringLiteral("graph"))->findChild<views::graph::FiringOverlay*>();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    void waitForPlay() { QTRY_VERIFY_WITH_TIMEOUT(state().play(), 60000); }

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("FivefoldTest"));
        QCoreApplication::setApplicationName(QStringLiteral("FivefoldTest"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
    }

    void init() {
        views::common::setMotionReduced(false);
        views::common::Palette::apply(*qApp, views::common::Theme::Light);
        m_window = std::make_unique<MainWindow>();
        m_window->arrange({1600, 1000}, false);
        m_window->show();
        m_window->session().open(
            QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().jobs().isRunning(), 60000);
        QVERIFY(state().result());
        m_window->panel(QStringLiteral("graph"))->settle(20000);
    }

    void cleanup() {
        m_window.reset();
        views::common::setMotionReduced(false);
    }

    void f9PlaysAndPauses() {
        QVERIFY(!state().play()); // nobody looks: nothing is computed
        press(Qt::Key_F9);
        waitForPlay();
        QTRY_VERIFY(state().isPlaying());
        QTRY_VERIFY(state().playTime().value > 0);
        QTRY_VERIFY(state().cursor().value > 0); // timeline and layout follow
        press(Qt::Key_F9);
        QVERIFY(!state().isPlaying());
        const Picoseconds at = state().playTime();
        QTest::qWait(3 * app::PlayController::kFrameMs);
        QCOMPARE(state().playTime().value, at.value);
        QVERIFY(!overlay().marks().boxes.empty());
    }

    void shiftF9GoesFromMomentToMoment() {
        press(Qt::Key_F9, Qt::ShiftModifier);
        waitForPlay();
        const auto moments = schedule::momentsOf(state().play()->traces[0]);
        QTRY_VERIFY(state().playTime().value > 0);
        const Picoseconds first = state().playTime();
        press(Qt::Key_F9, Qt::ShiftModifier);
        QVERIFY(state().playTime() > first);
        QVERIFY(!state().isPlaying());
        QVERIFY(first <= moments[1]);
    }

    void thePlayEndsAndStartsAgain() {
        m_window->showPanel(QStringLiteral("play"));
        waitForPlay();
        QTest::keyClick(panel().canvas(), Qt::Key_End);
        QCOMPARE(state().playTime().value, state().play()->length.value);
        press(Qt::Key_F9); // from the end: again
        QVERIFY(state().isPlaying());
        QVERIFY(state().playTime() < state().play()->length);
        QTest::keyClick(panel().slider(), Qt::Key_End);
        QTRY_VERIFY(!state().isPlaying()); // the clock has come to the end
    }

    void anotherMachineOrModelIsPlayedAnew() {
        m_window->showPanel(QStringLiteral("play"));
        waitForPlay();
        const auto before = state().play();
        QTest::keyClick(panel().controls()->jitter(), Qt::Key_PageUp);
        QTRY_VERIFY(state().play() != before);
        QVERIFY(state().play()->request.models[0].jitter > 0);
        press(Qt::Key_4, Qt::AltModifier); // Groq
        QTRY_VERIFY_WITH_TIMEOUT(state().result()->machine().family == "groq", 60000);
        QTRY_VERIFY_WITH_TIMEOUT(state().play()
                && state().play()->request.models[0].model
                    == schedule::ExecutionModel::StaticSchedule,
            60000);
        QVERIFY(state().play()->traces[0].lateOperands > 0);
    }

    void reducedMotionGoesInSteps() {
        views::common::setMotionReduced(true);
        m_window->showPanel(QStringLiteral("play"));
        waitForPlay();
        press(Qt::Key_F9);
        QTRY_VERIFY(state().playTime().value > 0);
        press(Qt::Key_F9);
        std::vector<std::int64_t> moments{state().play()->length.value};
        for (const auto& trace : state().play()->traces)
            for (const Picoseconds moment : schedule::momentsOf(trace))
                moments.push_back(moment.value);
        QVERIFY(
            std::find(moments.begin(), moments.end(), state().playTime().value) != moments.end());
    }

    void theGraphIsLitAtEveryStage() {
        m_window->showPanel(QStringLiteral("play"));
        waitForPlay();
        auto* graph =
            qobject_cast<views::graph::GraphPanel*>(m_window->panel(QStringLiteral("graph")));
        const auto& trace = state().play()->traces[0];
        // A step that the compiler added has no box as captured.
        const auto& result = *state().result();
        const auto found = std::find_if(
            trace.firings.begin() + 1, trace.firings.end(), [&](const schedule::Firing& firing) {
                const auto step = result.program.events[firing.event].step;
                return firing.end > firing.start && !result.provenance.fromSteps[step].empty();
            });
        QVERIFY(found != trace.firings.end());
        const auto& middle = *found;
        for (const lowering::Stage stage : lowering::kStages) {
            state().setStage(stage);
            graph->settle(20000);
            state().setPlayTime({});
            QVERIFY(overlay().isHidden());
            state().setPlayTime(Picoseconds((middle.start.value + middle.end.value) / 2));
            QVERIFY2(!overlay().marks().boxes.empty(), lowering::toString(stage).data());
            QVERIFY(!overlay().isHidden());
        }
    }

    void keysOfAnotherPanelStayItsOwn() {
        m_window->showPanel(QStringLiteral("machine"));
        press(Qt::Key_F9); // the machine panel plays its array, or nobody does; never both
        QTest::qWait(50);
        m_window->showPanel(QStringLiteral("graph"));
        press(Qt::Key_F9);
        waitForPlay();
    }
};

QTEST_MAIN(TestPlay)
#include "test_play.moc"
