// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/lens.h"
#include "views/common/list_twin.h"
#include "views/common/palette.h"

#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace fivefold;
using namespace fivefold::views::common;
using fivefold::views::testing::attentionSample;
using fivefold::views::testing::nodeNamed;
using lowering::Stage;

namespace {

/// A panel that lists the captured operators.
class ListedPanel final : public Panel {
public:
    explicit ListedPanel(ViewState& state)
        : Panel(state, nullptr) {
        connect(&state, &ViewState::resultChanged, this, [this] { emit twinChanged(); });
    }
    QString id() const override { return QStringLiteral("listed"); }
    QString title() const override { return QStringLiteral("Listed"); }
    QString sentence() const override { return QStringLiteral("A list."); }
    void paintContent(QPainter&, const QSize&) override { }
    std::vector<TwinRow> twinRows() const override {
        std::vector<TwinRow> rows;
        if (const auto result = state().result())
            for (std::size_t n = 0; n < result->graph().nodes.size(); ++n) {
                Selection selection;
                selection.nodes = {ir::NodeId(n)};
                rows.push_back(
                    {QString::fromStdString(result->graph().nodes[ir::NodeId(n)].name), selection});
            }
        return rows;
    }
};

} // namespace

/// Two states under one selection, one lens for all panels, and the list twin.
class TestLinkedViews : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Palette::apply(*qApp, Theme::Light); }

    void twoStatesShareSelectionHoverAndLens() {
        ViewState first;
        ViewState second(first, nullptr);
        QVERIFY(second.isLinked());
        const auto result = attentionSample();
        first.setResult(result, true);
        second.setResult(result, true);
        QSignalSpy firstChanged(&first, &ViewState::selectionChanged);
        QSignalSpy secondChanged(&second, &ViewState::selectionChanged);
        second.selectNode(nodeNamed(*result, "/attn/MatMul"));
        QCOMPARE(first.selection().nodes, std::vector{nodeNamed(*result, "/attn/MatMul")});
        QVERIFY(second.selection() == first.selection());
        QCOMPARE(firstChanged.size(), 1);
        QCOMPARE(secondChanged.size(), 1);
        Selection hover;
        hover.nodes = {nodeNamed(*result, "/attn/Softmax")};
        first.setHover(hover);
        QVERIFY(second.hover() == hover);
        second.setLens(Lens::Bytes);
        QVERIFY(first.lens() == Lens::Bytes);
        second.clearSelection();
        QVERIFY(first.selection().isEmpty());
        QVERIFY(second.canGoBack());
        second.goBack();
        QCOMPARE(first.selection().nodes, std::vector{nodeNamed(*result, "/attn/MatMul")});
    }

    void stageAndResultAreEachOnesOwn() {
        ViewState first;
        ViewState second(first, nullptr);
        first.setResult(attentionSample(), true);
        first.setStage(Stage::Placed);
        second.setStage(Stage::Decomposed);
        QVERIFY(first.stage() == Stage::Placed);
        QVERIFY(second.stage() == Stage::Decomposed);
        QVERIFY(!second.result());
        second.setResult(attentionSample(), true);
        QVERIFY(second.result() != first.result());
        first.selectNode(nodeNamed(*first.result(), "/attn/Softmax"));
        QCOMPARE(second.selectedLowered(Stage::Decomposed).size(), std::size_t(1));
        QVERIFY(second.shownValue().isValid());
    }

    void oneThingHasOneFillInAllItsForms_data() {
        QTest::addColumn<int>("lens");
        for (int lens = 0; lens < kLenses; ++lens)
            QTest::newRow(qPrintable(lensName(static_cast<Lens>(lens)))) << lens;
    }
    void oneThingHasOneFillInAllItsForms() {
        QFETCH(int, lens);
        const auto result = attentionSample();
        const LensColours colours(result, static_cast<Lens>(lens));
        const auto& graph = result->program.stage(Stage::Scheduled);
        for (std::size_t s = 0; s < result->program.steps.size(); ++s) {
            const lowering::StepId step(s);
            const lowering::NodeId node = result->program.steps[step].mainNode;
            const LensMark asNode = colours.node(Stage::Scheduled, node);
            QCOMPARE(colours.step(step).fill, asNode.fill);
            QVERIFY(!asNode.word.isEmpty());
            const LensMark asValue =
                colours.value(Stage::Scheduled, graph.nodes[node].outputs.front());
            QCOMPARE(asValue.fill, asNode.fill);
            QCOMPARE(asValue.word, asNode.word);
        }
        QVERIFY(!lensLegend(static_cast<Lens>(lens)).isEmpty());
    }

    void whatIsNotKnownHasNoFill() {
        auto result = attentionSample();
        auto stage = std::make_shared<lowering::StageGraph>(result->program.stage(Stage::LaidOut));
        stage->values[stage->nodes[lowering::NodeId(0)].outputs.front()].shape.reset();
        stage->values[stage->nodes[lowering::NodeId(0)].outputs.front()].layout.reset();
        result->program.stages[static_cast<std::size_t>(Stage::LaidOut)] = stage;
        const LensMark mark =
            LensColours(result, Lens::Bytes).node(Stage::LaidOut, lowering::NodeId(0));
        QVERIFY(!mark.fill.isValid());
        QCOMPARE(mark.word, QStringLiteral("unknown"));
    }

    void decidersCarryTheirLetters() {
        auto result = attentionSample();
        result->program.events[lowering::EventId(0)].decidedBy = lowering::DecidedBy::Hardware;
        const LensColours colours(result, Lens::DecidedBy);
        QCOMPARE(colours.event(lowering::EventId(0)).word, QStringLiteral("H"));
        QVERIFY(colours.event(lowering::EventId(0)).fill
            != colours.step(result->program.events[lowering::EventId(0)].step).fill);
    }

    void neighbouringModulesDiffer() {
        const auto result = attentionSample();
        const LensColours colours(result, Lens::Module);
        const ir::Graph& graph = result->graph();
        const auto& captured = result->program.stage(Stage::Captured);
        int changes = 0;
        for (std::size_t n = 1; n < captured.nodes.size(); ++n) {
            const auto scope = [&](std::size_t i) {
                return graph.nodes[captured.nodes[lowering::NodeId(i)].sources.front()].scope;
            };
            if (scope(n) != scope(n - 1))
                changes += colours.node(Stage::Captured, lowering::NodeId(n)).fill
                    != colours.node(Stage::Captured, lowering::NodeId(n - 1)).fill;
        }
        QVERIFY(changes > 0);
    }

    void theListTwinHasTheSameOrderAndSelection() {
        ViewState state;
        ListedPanel panel(state);
        ListTwin twin;
        twin.setPanel(&panel);
        QCOMPARE(twin.model()->rowCount(), 0);
        const auto result = attentionSample();
        state.setResult(result, true);
        QCOMPARE(static_cast<std::size_t>(twin.model()->rowCount()), result->graph().nodes.size());
        twin.resize(300, 400);
        twin.show();
        QVERIFY(QTest::qWaitForWindowActive(&twin));
        // From the panel to the list…
        state.selectNode(ir::NodeId(3));
        QCOMPARE(twin.currentIndex().row(), 3);
        QCOMPARE(twin.selectedRows(), std::vector<int>{3});
        // …and by arrows from the list to the panel.
        twin.setFocus();
        QTest::keyClick(&twin, Qt::Key_Down);
        QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(4)});
        QTest::keyClick(&twin, Qt::Key_Up);
        QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(3)});
        QSignalSpy asked(&panel, &Panel::showRequested);
        QTest::keyClick(&twin, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QTest::keyClick(&twin, Qt::Key_Escape);
        QVERIFY(state.selection().isEmpty());
        QCOMPARE(twin.accessibleDescription(), QStringLiteral("A list."));
    }

    void theListTwinMarksAllOfASelection() {
        ViewState state;
        ListedPanel panel(state);
        ListTwin twin;
        twin.setPanel(&panel);
        state.setResult(attentionSample(), true);
        Selection both;
        both.nodes = {ir::NodeId(5), ir::NodeId(2)};
        state.setSelection(both);
        QCOMPARE(twin.selectedRows(), (std::vector<int>{5, 2}));
        QCOMPARE(twin.currentIndex().row(), 5);
        QVERIFY(state.selection() == both); // following it changes nothing
    }
};

QTEST_MAIN(TestLinkedViews)
#include "test_linked_views.moc"
