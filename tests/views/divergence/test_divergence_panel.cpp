// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/divergence/divergence_fixture.h"
#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/divergence/divergence_panel.h"
#include "views/divergence/matching_view.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::divergence;

namespace {

/// The panel on a comparison, with the focus in its list.
struct Shown {
    explicit Shown(std::shared_ptr<analysis::Result> of, std::shared_ptr<compare::Divergence> what,
        const QSize& size = {1500, 900})
        : result(std::move(of))
        , panel(state) {
        state.setResult(result, true);
        state.setDivergence(std::move(what));
        panel.resize(size);
        panel.show();
        panel.activateWindow();
        panel.layers().canvas().setFocus();
        QCoreApplication::processEvents();
    }
    Focus& focus() { return Focus::of(state); }
    std::shared_ptr<analysis::Result> result;
    common::ViewState state;
    DivergencePanel panel;
};

std::unique_ptr<Shown> cloned() {
    const auto result = testing::cloneResult();
    return std::make_unique<Shown>(result, testing::cloneDivergence(*result));
}

void hoverAt(QWidget& widget, const QPoint& at) {
    QMouseEvent event(
        QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

} // namespace

class TestDivergencePanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        common::Palette::apply(*qApp, common::Theme::Light);
        qRegisterMetaType<numerics::FaultId>();
        qRegisterMetaType<compare::MatchEdits>();
    }

    void withoutADumpItLeadsOut() {
        common::ViewState state;
        DivergencePanel panel(state);
        panel.resize(900, 600);
        panel.show();
        QVERIFY(panel.sentence().contains("No device dump yet"));
        QSignalSpy dump(&panel, &DivergencePanel::openDumpRequested),
            computed(&panel, &DivergencePanel::compareComputedRequested),
            lab(&panel, &DivergencePanel::faultLabRequested);
        const auto labels = panel.findChildren<EmptyLabel*>(QString(), Qt::FindDirectChildrenOnly);
        QCOMPARE(labels.size(), 1);
        QVERIFY(labels.front()->isVisible());
        emit labels.front()->linkActivated("dump");
        emit labels.front()->linkActivated("computed");
        emit labels.front()->linkActivated("lab");
        QCOMPARE(dump.count() + computed.count() + lab.count(), 3);
        QTest::keyClick(&panel.layers().canvas(), Qt::Key_Down); // nothing to move over
        QTest::keyClick(&panel.elements().canvas(), Qt::Key_Right);
    }

    void theFirstOriginIsSelectedAtOnce() {
        const auto shown = cloned();
        const ir::NodeId clone = testing::nodeNamed(*shown->result, "/clone");
        QVERIFY(shown->state.selection().contains(clone));
        QCOMPARE(*shown->state.selection().element, std::vector<std::int64_t>{64});
        QVERIFY(shown->panel.sentence().contains("expected 64.0, got 0.0"));
        QVERIFY(shown->panel.sentence().contains("proved"));
    }

    void aClickedRowSelectsItsNode() {
        const auto shown = cloned();
        auto& canvas = shown->panel.layers().canvas();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.rowRect(3).center());
        QVERIFY(shown->state.selection().contains(testing::nodeNamed(*shown->result, "/mul")));
        QVERIFY(shown->focus().layer() == std::size_t(3));
        QVERIFY(shown->panel.elements().sentence().contains("mul"));
        hoverAt(canvas, canvas.rowRect(4).center());
        QVERIFY(shown->state.hover().contains(testing::nodeNamed(*shown->result, "/relu")));
    }

    void aNodeChosenElsewhereSelectsItsLayer() {
        const auto shown = cloned();
        shown->state.selectNode(testing::nodeNamed(*shown->result, "/add"));
        QVERIFY(shown->focus().layer() == std::size_t(2));
        shown->state.selectValue(testing::valueNamed(*shown->result, "x"));
        QVERIFY(shown->focus().layer() == std::size_t(0));
        shown->state.clearSelection();
        QVERIFY(!shown->focus().layer());
        QVERIFY(shown->panel.elements().sentence().contains("Choose a layer"));
    }

    void arrowsWalkOverLayers() {
        const auto shown = cloned();
        auto& canvas = shown->panel.layers().canvas();
        QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY(shown->focus().layer() == std::size_t(2));
        QTest::keyClick(&canvas, Qt::Key_End);
        QVERIFY(shown->focus().layer() == std::size_t(5));
        QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY(shown->focus().layer() == std::size_t(5));
        QTest::keyClick(&canvas, Qt::Key_Home);
        QVERIFY(shown->focus().layer() == std::size_t(0));
    }

    void keysGoToTheNextAndTheWorst() {
        const auto chain = testing::chainSample(200);
        Shown shown(chain, testing::longDivergence(*chain, 200));
        const auto origins = shown.state.divergence()->origins;
        auto& canvas = shown.panel.layers().canvas();
        QVERIFY(canvas.hasFocus());
        for (const std::size_t expected : {origins[1], origins[2], origins[0]}) {
            QTest::keyClick(&canvas, Qt::Key_N);
            QVERIFY(shown.focus().layer() == expected);
        }
        QTest::keyClick(&canvas, Qt::Key_N);
        QVERIFY(shown.panel.banner().text().headline.startsWith("Origin 2 of 3"));
        QTest::keyClick(&canvas, Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(shown.focus().layer() == std::size_t(199));
    }

    void theSuspectIntervalIsSelectedByAKey() {
        const auto result = testing::cloneResult();
        Shown shown(result, testing::partialDivergence(*result));
        QTest::keyClick(&shown.panel.layers().canvas(), Qt::Key_B);
        QCOMPARE(shown.state.selection().nodes.size(), std::size_t(4));
        QVERIFY(shown.focus().layer() == std::size_t(1));
    }

    void aLayerWithoutACounterpartCanBeChosen() {
        const auto result = testing::cloneResult();
        Shown shown(result, testing::partialDivergence(*result));
        auto& canvas = shown.panel.layers().canvas();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.rowRect(6).center());
        QVERIFY(shown.focus().layer() == std::size_t(6));
        QVERIFY(shown.state.selection().isEmpty());
        QVERIFY(shown.panel.elements().sentence().contains("no counterpart"));
    }

    void dumpsWithoutAModelCanBeWalked() {
        const auto result = testing::cloneResult();
        auto divergence = testing::cloneDivergence(*result);
        for (compare::Layer& layer : divergence->layers) {
            layer.node = {};
            layer.value = {};
        }
        common::ViewState state;
        DivergencePanel panel(state);
        state.setDivergence(divergence);
        panel.resize(1200, 800);
        panel.show();
        QVERIFY(Focus::of(state).layer() == std::size_t(1));
        QTest::keyClick(&panel.layers().canvas(), Qt::Key_Down);
        QVERIFY(Focus::of(state).layer() == std::size_t(2));
        Focus::of(state).setLayer(1);
        QTest::keyClick(&panel.elements().canvas(), Qt::Key_Left);
        QVERIFY(Focus::of(state).element() == std::int64_t(63));
    }

    void theButtonsAskTheWindow() {
        const auto shown = cloned();
        DivergencePanel& panel = shown->panel;
        QSignalSpy evidence(&panel, &DivergencePanel::evidenceRequested),
            reduce(&panel, &DivergencePanel::reduceRequested);
        for (const char* name : {"evidence", "reduce", "next", "worst"})
            QVERIFY(panel.banner().button(name) && panel.banner().button(name)->isVisible());
        QTest::mouseClick(panel.banner().button("evidence"), Qt::LeftButton);
        QTest::mouseClick(panel.banner().button("reduce"), Qt::LeftButton);
        QCOMPARE(evidence.count(), 1);
        QCOMPARE(evidence.front().front().toULongLong(), 0ULL);
        QCOMPARE(reduce.count(), 1);
        for (QAction* action : panel.panelActions())
            QVERIFY(!action->text().isEmpty());
    }

    void aClickedElementIsSelectedEverywhere() {
        const auto shown = cloned();
        auto& canvas = shown->panel.elements().canvas();
        const auto& geometry = canvas.geometryNow();
        QVERIFY(geometry.panes.front().isDevice);
        const QPoint at = geometry.panes.front().rect(0, 10).center().toPoint();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
        QCOMPARE(*shown->state.selection().element, std::vector<std::int64_t>{10});
        QVERIFY(shown->panel.element().sentence().contains("Element 10"));
        // Padding is no element.
        QTest::mouseClick(&canvas, Qt::LeftButton, {},
            canvas.geometryNow().panes.front().rect(1, 30).center().toPoint());
        QCOMPARE(*shown->state.selection().element, std::vector<std::int64_t>{10});
        // The Layout panel's choice comes back.
        common::Selection selection = shown->state.selection();
        selection.element = std::vector<std::int64_t>{20};
        shown->state.setSelection(selection);
        QVERIFY(shown->focus().element() == std::int64_t(20));
    }

    void keysMoveOverElements() {
        const auto shown = cloned();
        auto& canvas = shown->panel.elements().canvas();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(&canvas, key);
            return *shown->focus().element();
        };
        QCOMPARE(press(Qt::Key_Left), std::int64_t(63)); // from stick 1 into stick 0
        QCOMPARE(press(Qt::Key_Right), std::int64_t(64));
        QCOMPARE(press(Qt::Key_Right), std::int64_t(64)); // padding to the end
        QCOMPARE(press(Qt::Key_Up), std::int64_t(0));
        QCOMPARE(press(Qt::Key_End), std::int64_t(63));
        QCOMPARE(press(Qt::Key_Period), std::int64_t(64));
        QCOMPARE(press(Qt::Key_Comma), std::int64_t(64)); // the only wrong one
    }

    void theWheelZoomsAndSpaceShowsAll() {
        const auto result = testing::cloneResult();
        Shown shown(result, testing::millionDivergence(*result));
        shown.panel.elements().setCoordinates(Coordinates::Logical);
        auto& canvas = shown.panel.elements().canvas();
        const auto before = canvas.geometryNow().panes.front().window;
        testing::turnWheel(&canvas, canvas.rect().center(), 240);
        QVERIFY(canvas.geometryNow().panes.front().window.columns < before.columns);
        testing::drag(&canvas, canvas.rect().center(), canvas.rect().center() + QPoint(-60, 0));
        QTest::keyClick(&canvas, Qt::Key_Space);
        QVERIFY(canvas.geometryNow().panes.front().window == before);
        QTest::keyClick(&canvas, Qt::Key_F);
        QVERIFY(canvas.geometryNow().panes.front().window.columns <= 64);
        QVERIFY(!canvas.geometryNow().panes.front().isBinned());
    }

    void aLevelOpensItsPageAndPlantsItsFault() {
        const auto shown = cloned();
        LadderPanel& ladder = shown->panel.ladder();
        QSignalSpy plant(&shown->panel, &DivergencePanel::plantRequested);
        const LadderGeometry geometry = ladder.canvas().geometryNow();
        QTest::mouseClick(
            &ladder.canvas(), Qt::LeftButton, {}, geometry.tags[3].center().toPoint());
        QVERIFY(ladder.page() == LadderPanel::Page::Level);
        QVERIFY(ladder.levelText().toPlainText().contains("Level 4 of 8"));
        QVERIFY(ladder.levelText().toPlainText().contains("Symptom"));
        if (ladder.plantButton().isVisible()) {
            QTest::mouseClick(&ladder.plantButton(), Qt::LeftButton);
            QCOMPARE(plant.count(), 1);
        }
        QTest::mouseClick(&ladder.backButton(), Qt::LeftButton);
        QVERIFY(ladder.page() == LadderPanel::Page::Ladder);
        ladder.canvas().setFocus();
        QTest::keyClick(&ladder.canvas(), Qt::Key_Right);
        QTest::keyClick(&ladder.canvas(), Qt::Key_Right);
        QTest::keyClick(&ladder.canvas(), Qt::Key_Return);
        QVERIFY(ladder.levelText().toPlainText().contains("Level 6 of 8"));
    }

    void aHangShowsItsCycle() {
        const auto result = testing::cloneResult();
        Shown shown(result, testing::hangDivergence(*result));
        LadderPanel& ladder = shown.panel.ladder();
        QVERIFY(ladder.page() == LadderPanel::Page::Waits);
        QVERIFY(ladder.sentence().contains("nothing moves"));
        QVERIFY(shown.panel.banner().text().isHang);
        const WaitsGeometry geometry = ladder.waits().geometryNow();
        QTest::mouseClick(
            &ladder.waits(), Qt::LeftButton, {}, geometry.nodes[0].center().toPoint());
        QVERIFY(!shown.state.selection().isEmpty());
        QVERIFY(!ladder.twinRows().empty());
    }

    void fiveThousandLayersPaintOnlyWhatIsSeen() {
        const auto chain = testing::chainSample(1000);
        auto divergence = testing::longDivergence(*chain, 1000);
        while (divergence->layers.size() < 5000)
            divergence->layers.push_back(divergence->layers[divergence->layers.size() - 1000]);
        Shown shown(chain, divergence);
        auto& layers = shown.panel.layers();
        QCOMPARE(layers.canvas().height(), 5000 * layers.canvas().rowHeight());
        layers.scrollArea().verticalScrollBar()->setValue(2500 * layers.canvas().rowHeight());
        layers.grab();
        QVERIFY(layers.canvas().rowsPainted() < 100);
        shown.focus().setLayer(4999);
        const int bottom = layers.scrollArea().verticalScrollBar()->value()
            + layers.scrollArea().viewport()->height();
        QVERIFY(bottom >= layers.canvas().rowRect(4999).bottom());
        QVERIFY(!layers.toCsv().isEmpty());
    }

    void aSmallDockHasTabs() {
        const auto shown = cloned();
        QVERIFY(!shown->panel.isTabbed());
        shown->panel.resize(600, 300);
        QCoreApplication::processEvents();
        QVERIFY(shown->panel.isTabbed());
        QVERIFY(shown->panel.layers().isVisible() && !shown->panel.ladder().isVisible());
        shown->panel.showPart(DivergencePanel::Part::Elements);
        QVERIFY(shown->panel.elements().isVisible() && !shown->panel.layers().isVisible());
        shown->panel.resize(1500, 900);
        QCoreApplication::processEvents();
        QVERIFY(shown->panel.ladder().isVisible() && shown->panel.elements().isVisible());
    }

    void partsApartShareTheFocus() {
        const auto result = testing::cloneResult();
        common::ViewState state;
        state.setResult(result, true);
        const auto parts = createParts(state, nullptr);
        state.setDivergence(testing::cloneDivergence(*result));
        QStringList ids;
        for (auto* part : parts) {
            ids << part->id();
            part->resize(600, 300);
            part->show();
            QVERIFY(!part->sentence().isEmpty());
            QVERIFY(!part->twinRows().empty());
        }
        QCOMPARE(ids.join(','), QStringLiteral("verdict,layers,ladder,elements,element"));
        Focus::of(state).setLayer(3);
        QVERIFY(parts[3]->sentence().contains("mul"));
        parts[1]->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(parts[1]));
        auto* layers = qobject_cast<LayersPanel*>(parts[1]);
        layers->canvas().setFocus();
        QTest::keyClick(&layers->canvas(), Qt::Key_N);
        QVERIFY(Focus::of(state).layer() == std::size_t(1));
        qDeleteAll(parts);
    }

    void matchesAreEditedInPlace() {
        const auto result = testing::cloneResult();
        MatchingView view;
        view.setDivergence(testing::cloneDivergence(*result),
            std::shared_ptr<const ir::Graph>(result, &result->graph()));
        view.resize(600, 400);
        view.show();
        MatchingModel& model = view.model();
        QCOMPARE(model.rowCount(), 6);
        QSignalSpy changed(&view, &MatchingView::editsChanged);
        QVERIFY(!view.applyButton().isEnabled());
        const QModelIndex value = model.index(1, MatchingModel::Value);
        QVERIFY(!model.setData(value, "no such value", Qt::EditRole));
        QVERIFY(model.setData(value, "add", Qt::EditRole));
        QVERIFY(model.setData(model.index(2, MatchingModel::Value), "", Qt::EditRole));
        QVERIFY(view.applyButton().isEnabled());
        QTest::mouseClick(&view.applyButton(), Qt::LeftButton);
        QCOMPARE(changed.count(), 1);
        const auto edits = changed.front().front().value<compare::MatchEdits>();
        QCOMPARE(edits.size(), std::size_t(2));
        QCOMPARE(edits.at("clone"), std::string("add"));
        QCOMPARE(edits.at("add"), std::string());
        QVERIFY(model.setData(value, "clone", Qt::EditRole)); // as it was
        QCOMPARE(view.edits().size(), std::size_t(1));
    }
};

QTEST_MAIN(TestDivergencePanel)
#include "test_divergence_panel.moc"
