// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/actions.h"
#include "app/gui/compare_docks.h"
#include "app/gui/list_dock.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/search_field.h"
#include "app/gui/stage_bar.h"
#include "app/gui/target_picker.h"
#include "app/gui/what_if_bar.h"
#include "views/common/lens.h"
#include "views/common/list_twin.h"
#include "views/graph/graph_panel.h"

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
        QTRY_VERIFY(m_window->dock("graph")->width() > 300);
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

    void theStageBarShowsEitherOrder() {
        openSample();
        app::StageBar& bar = m_window->stageBar();
        QComboBox* order = nullptr;
        for (auto* box : m_window->findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Order of the stages"))
                order = box;
        QVERIFY(order);
        QVERIFY(bar.stages().front() == Stage::Captured);
        QCOMPARE(bar.word(Stage::LaidOut), QStringLiteral("Laid out"));
        order->setFocus();
        QTest::keyClick(order, Qt::Key_Down);
        emit order->activated(order->currentIndex());
        QVERIFY(bar.order() == app::StageBar::Order::Compiler);
        // Spyre propagates layouts before it bundles.
        const auto stages = bar.stages();
        QCOMPARE(stages.size(), lowering::kStageCount);
        QVERIFY(std::find(stages.begin(), stages.end(), Stage::LaidOut)
            < std::find(stages.begin(), stages.end(), Stage::Fused));
        QVERIFY(bar.word(Stage::LaidOut) != QStringLiteral("Laid out"));
        // Next and previous follow the order that is shown; a click reaches every chevron.
        m_window->state().setStage(Stage::Captured);
        for (std::size_t i = 1; i < stages.size(); ++i) {
            press(Qt::Key_Down, Qt::ControlModifier);
            QVERIFY(m_window->state().stage() == stages[i]);
        }
        for (const Stage stage : lowering::kStages) {
            QTest::mouseClick(
                &bar, Qt::LeftButton, {}, bar.chevron(stage).boundingRect().center().toPoint());
            QVERIFY(m_window->state().stage() == stage);
        }
    }

    void aStageThatItsVerifierRefusedHasARedCorner() {
        openSample();
        app::StageBar& bar = m_window->stageBar();
        QVERIFY(!bar.hasFailed(Stage::LaidOut));
        auto broken = std::make_shared<analysis::Result>(*result());
        broken->diagnostics.error("lowering.verifier", "laid_out", "A value has no layout.");
        m_window->state().setResult(broken, false);
        QVERIFY(bar.hasFailed(Stage::LaidOut));
        QVERIFY(!bar.hasFailed(Stage::Placed));
        m_window->state().setStage(Stage::Captured);
        const QPoint corner = bar.chevron(Stage::LaidOut).at(0).toPoint() + QPoint(2, 2);
        const QColor red = views::common::Palette::current().role("error");
        QCOMPARE(bar.grab().toImage().pixelColor(corner), red);
    }

    void lettersTurnTheLensBothWays() {
        openSample();
        press(Qt::Key_L);
        QVERIFY(m_window->state().lens() == views::common::Lens::Bytes);
        press(Qt::Key_L, Qt::ShiftModifier);
        press(Qt::Key_L, Qt::ShiftModifier);
        QVERIFY(m_window->state().lens() == views::common::Lens::DecidedBy);
    }

    void f8PutsAStageOrAMachineBeside() {
        openSample();
        app::CompareDocks& compare = m_window->compare();
        m_window->state().setStage(Stage::LaidOut);
        press(Qt::Key_F8);
        QVERIFY(compare.isShown());
        QVERIFY(compare.graph()->isVisible() && compare.layout()->isVisible());
        QVERIFY(m_window->dock("graph")->isVisible() && m_window->dock("layout")->isVisible());
        QVERIFY(!m_window->dock("operators")->isVisible());
        auto& side = compare.side().state();
        QCOMPARE(side.result(), result());
        QVERIFY(side.stage() == Stage::Fused); // the stage before
        // One selection, whichever panel is clicked.
        const ir::NodeId node = nodeNamed(*result(), "/attn/MatMul");
        side.selectNode(node);
        QCOMPARE(m_window->state().selection().nodes, std::vector{node});
        // Digits act on the graph that has the focus.
        compare.panels().front()->setFocus();
        press(Qt::Key_2);
        QVERIFY(side.stage() == Stage::Decomposed);
        QVERIFY(m_window->state().stage() == Stage::LaidOut);
        m_window->panels().front()->setFocus();
        press(Qt::Key_5);
        QVERIFY(m_window->state().stage() == Stage::Placed);
        QVERIFY(side.stage() == Stage::Decomposed);
        // Another machine, at the same stage, with a result of its own.
        compare.side().setMachine(machines::findMachine("tpu_v5e"));
        QTRY_VERIFY_WITH_TIMEOUT(!compare.side().jobs().isRunning(), 60000);
        QCOMPARE(side.result()->machine().id, std::string("tpu_v5e"));
        QCOMPARE(result()->machine().id, std::string("spyre"));
        QVERIFY(side.stage() == Stage::Placed);
        QCOMPARE(side.selection().nodes, std::vector{node});
        QVERIFY(!side.selectedLowered(Stage::Placed).empty());
        QVERIFY(compare.graph()->windowTitle().contains("5 Placed"));
        m_window->grab();
        // A what-if step reaches both.
        app::Choices choices = m_window->session().choices();
        choices.isFusionOn = false;
        m_window->session().change(QStringLiteral("fusion off"), choices);
        waitForJob();
        QTRY_VERIFY_WITH_TIMEOUT(!compare.side().jobs().isRunning(), 60000);
        QVERIFY(!side.result()->request.settings.isFusionOn);
        press(Qt::Key_F8);
        QVERIFY(!compare.isShown());
        QVERIFY(!compare.graph()->isVisible());
        QVERIFY(m_window->dock("operators")->isVisible());
    }

    void theLectureShowsTheGraphAndOnePanel() {
        openSample();
        m_window->panel("roofline")->setFocus();
        m_window->arrangeForLecture();
        int shown = 0;
        for (views::common::Panel* panel : m_window->panels())
            shown += m_window->dock(panel->id())->isVisible();
        QCOMPARE(shown, 2);
        QVERIFY(m_window->dock("graph")->isVisible() && m_window->dock("roofline")->isVisible());
        m_window->resetArrangement();
        QVERIFY(m_window->dock("operators")->isVisible());
    }

    void theListTwinFollowsTheGraph() {
        openSample();
        for (views::common::Panel* panel : m_window->panels())
            panel->settle(20000);
        press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(m_window->list().isVisible());
        auto& list = m_window->list().list();
        QCOMPARE(list.panel(), m_window->panel("graph"));
        QCOMPARE(static_cast<std::size_t>(list.model()->rowCount()),
            m_window->panel("graph")->twinRows().size());
        QVERIFY(list.model()->rowCount() > 5);
        QTRY_COMPARE(QApplication::focusWidget(), &list);
        QTest::keyClick(&list, Qt::Key_Down);
        QTest::keyClick(&list, Qt::Key_Down);
        QVERIFY(!m_window->state().selection().isEmpty());
        press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_window->list().isVisible());
    }

    void aSplitIsUndoable() {
        openSample();
        m_window->state().setStage(Stage::Fused);
        auto* graph = qobject_cast<views::graph::GraphPanel*>(m_window->panel("graph"));
        QVERIFY(graph->settle(20000));
        const std::size_t kernels = result()->program.stage(Stage::Fused).kernels.size();
        m_window->state().selectNode(nodeNamed(*result(), "/attn/MatMul"));
        QAction* split = m_window->findChild<QAction*>(QStringLiteral("graph.split"));
        QVERIFY(split);
        split->trigger();
        waitForJob();
        QCOMPARE(result()->program.stage(Stage::Fused).kernels.size(), kernels + 1);
        QCOMPARE(result()->request.settings.fusionEdits.size(), std::size_t(1));
        for (const base::Diagnostic& finding : result()->diagnostics.entries())
            QVERIFY2(finding.code != "lowering.verifier", finding.message.c_str());
        press(Qt::Key_Z, Qt::ControlModifier);
        waitForJob();
        QCOMPARE(result()->program.stage(Stage::Fused).kernels.size(), kernels);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        waitForJob();
        QCOMPARE(result()->program.stage(Stage::Fused).kernels.size(), kernels + 1);
    }

    void aForbiddenFusionNamesItsRule() {
        openSample();
        press(Qt::Key_1, Qt::AltModifier); // the GPU
        waitForJob();
        m_window->state().setStage(Stage::Fused);
        auto* graph = qobject_cast<views::graph::GraphPanel*>(m_window->panel("graph"));
        QVERIFY(graph->settle(20000));
        m_window->state().selectNode(nodeNamed(*result(), "/attn/c_proj/MatMul"));
        m_window->findChild<QAction*>(QStringLiteral("graph.fuseNext"))->trigger();
        QVERIFY2(m_window->messageBar().text().contains("library call"),
            qPrintable(m_window->messageBar().text()));
        QVERIFY(m_window->session().choices().fusionEdits.empty());
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
