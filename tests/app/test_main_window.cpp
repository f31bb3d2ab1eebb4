// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/actions.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/search_field.h"
#include "app/gui/target_picker.h"
#include "app/gui/what_if_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDropEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QtTest>

using namespace fivefold;
using app::MainWindow;
using lowering::Stage;

namespace {

QString sample() {
    return QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx");
}

ir::NodeId nodeNamed(const analysis::Result& result, std::string_view name) {
    for (std::size_t i = 0; i < result.graph().nodes.size(); ++i)
        if (result.graph().nodes[ir::NodeId(i)].name == name)
            return ir::NodeId(i);
    return {};
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;

    std::shared_ptr<const analysis::Result> result() const { return m_window->state().result(); }
    void waitForJob() { QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().jobs().isRunning(), 60000); }
    void openSample() {
        m_window->session().open(sample());
        waitForJob();
        QVERIFY(result());
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(m_window.get(), key, modifiers);
    }

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("FivefoldTest"));
        QCoreApplication::setApplicationName(QStringLiteral("FivefoldTest"));
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
    }

    void cleanup() { m_window.reset(); }

    void theEmptyWindowSaysWhatToDo() {
        for (views::common::Panel* panel : m_window->panels())
            QVERIFY2(!panel->sentence().isEmpty(), qPrintable(panel->id()));
        m_window->grab();
    }

    void openingAModelFillsEveryPanel() {
        openSample();
        QCOMPARE(result()->graph().fileNodeCount(), 35);
        QCOMPARE(result()->machine().id, std::string("spyre"));
        for (views::common::Panel* panel : m_window->panels())
            QVERIFY2(!panel->sentence().isEmpty(), qPrintable(panel->id()));
        QVERIFY(!m_window->whatIfBar().totalText().isEmpty());
        QCOMPARE(m_window->session().recentFiles().first(), QFileInfo(sample()).absoluteFilePath());
    }

    void aFileThatFailsKeepsTheOldPicture() {
        openSample();
        const auto before = result();
        QTemporaryFile broken;
        QVERIFY(broken.open());
        broken.write("this is no model");
        broken.flush();
        m_window->session().open(broken.fileName());
        waitForJob();
        QCOMPARE(result(), before);
        QVERIFY(m_window->messageBar().text().contains(QFileInfo(broken.fileName()).fileName()));
        QCOMPARE(m_window->session().path(), sample());
    }

    void aDroppedFileOpens() {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(sample())});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({100, 100}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        waitForJob();
        QVERIFY(result());
    }

    void digitsChooseTheStage() {
        openSample();
        for (int number = 1; number <= 6; ++number) {
            press(static_cast<Qt::Key>(Qt::Key_0 + number));
            QVERIFY(m_window->state().stage() == static_cast<Stage>(number - 1));
        }
        press(Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(m_window->state().stage() == Stage::Placed);
        press(Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(m_window->state().stage() == Stage::Scheduled);
    }

    void altDigitsChooseTheMachineAndKeepTheSelection() {
        openSample();
        const ir::NodeId node = nodeNamed(*result(), "/attn/MatMul");
        QVERIFY(node.isValid());
        m_window->state().selectNode(node);
        int number = 0;
        for (std::string_view family : machines::kFamilies) {
            press(static_cast<Qt::Key>(Qt::Key_0 + ++number), Qt::AltModifier);
            waitForJob();
            QCOMPARE(result()->machine().family, std::string(family));
            QCOMPARE(m_window->state().selection().nodes, std::vector{node});
            QVERIFY2(!m_window->state().selectedSteps().empty(), result()->machine().id.c_str());
        }
    }

    void everyPanelSpeaksOfTheSelection() {
        openSample();
        const auto before = m_window->panel("roofline")->sentence();
        m_window->state().selectNode(nodeNamed(*result(), "/attn/MatMul"));
        QVERIFY(m_window->panel("roofline")->sentence() != before);
        QVERIFY(m_window->panel("inspector")->sentence() != QString());
        QVERIFY(m_window->panel("layout")->sentence().contains(QStringLiteral("12")));
    }

    void searchFindsNamesOperatorsShapesAndPatterns_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("name") << QStringLiteral("/attn/MatMul") << true;
        QTest::newRow("operator") << QStringLiteral("softmax") << true;
        QTest::newRow("shape") << QStringLiteral("12x128x128") << true;
        QTest::newRow("pattern") << QStringLiteral("MatMul → * → Softmax") << true;
        QTest::newRow("ascii pattern") << QStringLiteral("MatMul -> * -> Softmax") << true;
        QTest::newRow("nothing") << QStringLiteral("Conv") << false;
        QTest::newRow("no such pattern") << QStringLiteral("Softmax → Softmax") << false;
    }

    void searchFindsNamesOperatorsShapesAndPatterns() {
        QFETCH(QString, query);
        QFETCH(bool, isFound);
        openSample();
        press(Qt::Key_F, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget(), &m_window->searchField());
        m_window->searchField().insert(query); // keyClicks knows no arrows
        emit m_window->searchField().textEdited(query);
        QCOMPARE(!m_window->searchField().matches().empty(), isFound);
        QCOMPARE(!m_window->state().selection().isEmpty(), isFound);
        QTest::keyClick(&m_window->searchField(), Qt::Key_Escape);
        QVERIFY(m_window->searchField().text().isEmpty());
    }

    void digitsTypedIntoTheSearchStayThere() {
        openSample();
        m_window->state().setStage(Stage::Scheduled);
        m_window->searchField().setFocus();
        QTest::keyClicks(&m_window->searchField(), QStringLiteral("128"));
        QCOMPARE(m_window->searchField().text(), QStringLiteral("128"));
        QVERIFY(m_window->state().stage() == Stage::Scheduled);
    }

    void copyTakesTheNameOfTheSelection() {
        openSample();
        m_window->state().selectNode(nodeNamed(*result(), "/attn/MatMul"));
        press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("/attn/MatMul"));
    }

    void whatIfIsUndoable() {
        openSample();
        const double fused = result()->totals.time.value;
        app::Choices choices = m_window->session().choices();
        choices.isFusionOn = false;
        m_window->session().change(QStringLiteral("fusion off"), choices);
        waitForJob();
        const double unfused = result()->totals.time.value;
        QVERIFY(!result()->request.settings.isFusionOn);
        QVERIFY(unfused >= fused);
        press(Qt::Key_Z, Qt::ControlModifier);
        waitForJob();
        QVERIFY(result()->request.settings.isFusionOn);
        QCOMPARE(result()->totals.time.value, fused);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        waitForJob();
        QVERIFY(!result()->request.settings.isFusionOn);
    }

    void backAndForwardWalkTheSelections() {
        openSample();
        const ir::NodeId first(2), second(5);
        m_window->state().selectNode(first);
        m_window->state().selectNode(second);
        press(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_window->state().selection().nodes, std::vector{first});
        press(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(m_window->state().selection().nodes, std::vector{second});
    }

    void theThemeSwitches() {
        press(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(views::common::Palette::theme() == views::common::Theme::Dark);
        press(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(views::common::Palette::theme() == views::common::Theme::Light);
    }

    void docksCloseReopenAndAreRemembered() {
        QDockWidget* roofline = m_window->dock("roofline");
        roofline->close();
        QVERIFY(roofline->isHidden());
        m_window->close();
        m_window = std::make_unique<MainWindow>();
        m_window->arrange({1600, 1000}, true);
        m_window->show();
        QVERIFY(m_window->dock("roofline")->isHidden());
        m_window->dock("roofline")->toggleViewAction()->trigger();
        QVERIFY(!m_window->dock("roofline")->isHidden());
        m_window->resetArrangement();
        QVERIFY(m_window->dock("graph")->width() > 300);
    }

    void f6WalksThePanels() {
        openSample();
        QSet<QString> visited;
        for (std::size_t i = 0; i < m_window->panels().size(); ++i) {
            press(Qt::Key_F6);
            visited.insert(m_window->currentPanel()->id());
        }
        QVERIFY2(visited.size() >= 5, qPrintable(QStringList(visited.values()).join(' ')));
    }

    void everyActionIsInAMenuAndKeysAreUnique() {
        QSet<QAction*> inMenus;
        std::function<void(QMenu*)> walk = [&](QMenu* menu) {
            for (QAction* action : menu->actions()) {
                inMenus.insert(action);
                if (action->menu())
                    walk(action->menu());
            }
        };
        for (QAction* action : m_window->menuBar()->actions())
            walk(action->menu());
        QHash<QString, QString> byKey;
        const auto* actions = m_window->findChild<app::Actions*>();
        QVERIFY(actions);
        QVERIFY(actions->all().size() > 30);
        for (const auto& [menu, action] : actions->all()) {
            QVERIFY2(inMenus.contains(action), qPrintable(action->text()));
            for (const QKeySequence& key : action->shortcuts()) {
                if (action->shortcutContext() != Qt::WindowShortcut || key.isEmpty())
                    continue;
                QVERIFY2(!byKey.contains(key.toString()),
                    qPrintable(key.toString() + ": " + action->text() + " and "
                        + byKey.value(key.toString())));
                byKey.insert(key.toString(), action->text());
            }
        }
    }

    void questionMarkListsTheShortcuts() {
        QTest::keyClick(m_window.get(), Qt::Key_Question, Qt::ShiftModifier);
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("shortcuts"));
        if (!dialog) { // without a keyboard layout the event carries no Shift
            QTest::keyClick(m_window.get(), Qt::Key_Question);
            dialog = m_window->findChild<QDialog*>(QStringLiteral("shortcuts"));
        }
        QVERIFY(dialog);
        dialog->close();
    }

    void cancelLeavesTheOldPicture() {
        openSample();
        const auto before = result();
        m_window->session().open(sample());
        m_window->session().jobs().cancel();
        QVERIFY(!m_window->session().jobs().isRunning());
        QTest::qWait(100);
        QCOMPARE(result(), before);
        QVERIFY(!m_window->state().isStale());
    }
};

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
