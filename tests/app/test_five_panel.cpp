// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/actions.h"
#include "app/gui/comparing.h"
#include "app/gui/main_window.h"
#include "views/common/palette.h"
#include "views/five/five_canvas.h"
#include "views/five/five_panel.h"

#include <QDockWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace fivefold;
using app::Comparing;
using app::MainWindow;
using views::five::FivePanel;

class TestFivePanel : public QObject {
    Q_OBJECT

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;

    FivePanel& panel() { return *qobject_cast<FivePanel*>(m_window->panel("five")); }
    Comparing& comparing() { return *m_window->findChild<Comparing*>(); }
    QStringList shownDocks() const {
        QStringList names;
        for (const auto* dock : m_window->findChildren<QDockWidget*>())
            if (!dock->isHidden())
                names << dock->objectName();
        names.sort();
        return names;
    }
    void waitForFive() {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().otherResults().size() == 5
                && std::ranges::all_of(m_window->state().otherResults(),
                    [](const auto& result) { return result != nullptr; }),
            120000);
    }
    void openSample() {
        m_window->session().open(
            QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().jobs().isRunning(), 60000);
        QVERIFY(m_window->state().result());
    }

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("FivefoldTest"));
        QCoreApplication::setApplicationName(QStringLiteral("FivefoldTestFive"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
    }

    void init() {
        views::common::Palette::apply(*qApp, views::common::Theme::Light);
        m_window = std::make_unique<MainWindow>();
        m_window->arrange({1600, 1000}, false);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->panels().front()->setFocus();
        openSample();
    }

    void cleanup() { m_window.reset(); }

    void f7LaysItOverTheDocksAndTakesItAway() {
        const QStringList before = shownDocks();
        QVERIFY(!before.contains("five") && !before.contains("published"));
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QCOMPARE(shownDocks(), QStringList{"five"});
        QCoreApplication::processEvents();
        QVERIFY(panel().width() > 1590);
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QCOMPARE(shownDocks(), before);
        // Escape and the close button lead back, too.
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QTest::keyClick(panel().canvas(), Qt::Key_Escape);
        QCOMPARE(shownDocks(), before);
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        m_window->dock("five")->close();
        QTRY_COMPARE(shownDocks(), before);
    }

    void whatLiesOverTheDocksIsNoArrangement() {
        const QStringList before = shownDocks();
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        m_window->close();
        m_window = std::make_unique<MainWindow>();
        m_window->arrange({1600, 1000}, true);
        m_window->show();
        QCOMPARE(shownDocks(), before);
    }

    void resultsComeWhileItIsSeen() {
        QVERIFY(
            m_window->state().otherResults().empty() || !comparing().results().jobs().isRunning());
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QVERIFY(comparing().results().isWanted());
        waitForFive();
        const auto& results = m_window->state().otherResults();
        for (std::size_t i = 0; i < results.size(); ++i)
            QVERIFY(results[i]->machine().family == machines::kFamilies[i]);
        QCOMPARE(results[4], m_window->state().result()); // the session's own is taken
        for (const auto& row : panel().canvas()->picture().rows)
            QVERIFY(row.hasAnswer() && !row.isStale);
        // Other choices are followed; what they do not change is kept.
        app::Choices choices = m_window->session().choices();
        choices.isFusionOn = false;
        const auto before = results;
        m_window->session().change("fusion off", choices);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().jobs().isRunning()
                && m_window->state().otherResults()[0]
                && m_window->state().otherResults()[0] != before[0],
            60000);
        waitForFive();
        for (const auto& result : m_window->state().otherResults())
            QVERIFY(!result->request.settings.isFusionOn);
        // Hidden, it computes nothing more.
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QVERIFY(!comparing().results().isWanted());
        QVERIFY(!comparing().results().jobs().isRunning());
    }

    void aRowTurnsTheWindowToItsMachine() {
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        waitForFive();
        const auto tpu = m_window->state().otherResults()[1];
        const auto node = ir::NodeId(3);
        m_window->state().selectNode(node);
        auto* canvas = panel().canvas();
        QTest::mouseClick(
            canvas, Qt::LeftButton, {}, canvas->geometry().rowRects[1].center().toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().result()->machine().family == "tpu"
                && !m_window->session().jobs().isRunning(),
            60000);
        QVERIFY(m_window->state().selection().contains(node));
        QVERIFY(canvas->picture().rows[1].isCurrent);
        waitForFive();
        QVERIFY(m_window->state().otherResults()[1]->machine().id == tpu->machine().id);
    }

    void thePrecisionIsOneStepForAll() {
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        waitForFive();
        emit panel().precisionRequested(machines::Precision::Int8);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().jobs().isRunning(), 60000);
        waitForFive();
        QTRY_VERIFY(m_window->state().otherResults()[0]->request.settings.precision
            == machines::Precision::Int8);
        m_window->session().undoStack().undo();
        QVERIFY(!m_window->session().choices().precision);
    }

    void publishedPointsOpenFromTheMenu() {
        auto* action = m_window->findChild<QAction*>("help.published");
        QVERIFY(action);
        action->trigger();
        QCOMPARE(shownDocks(), QStringList{"published"});
        action->trigger();
        QVERIFY(!shownDocks().contains("published"));
    }
};

QTEST_MAIN(TestFivePanel)
#include "test_five_panel.moc"
