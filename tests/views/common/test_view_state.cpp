// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"
#include "tests/views/common/sample_result.h"
#include "views/common/view_state.h"

#include <QSignalSpy>
#include <QTest>

using namespace fivefold;
using namespace fivefold::views;
using common::Selection;
using common::ViewState;

class TestViewState : public QObject {
    Q_OBJECT

private slots:
    void aSelectionIsKeptWhenTheMachineChanges();
    void aSelectionIsDroppedWithAnotherModel();
    void idsThatTheNewResultLacksAreDropped();
    void aStepSelectsItsCapturedNodes();
    void anAddedStepSelectsByNameAndIsFoundAtEveryStageThatHasIt();
    void toggleAddsAndRemoves();
    void aValueSelectsItsProducer();
    void theShownValueIsTheFirstOutputOfTheFirstNode();
    void backAndForwardWalkOverSelections();
    void aNewSelectionCutsTheWayForward();
    void signalsComeOnceAndOnlyForChanges();
    void badIdsSelectNothing();
    void withoutAResultNothingIsMapped();
    void aComparisonTurnsTheLensAndSelectsItsFirstOrigin();
    void anotherModelDropsTheComparison();
    void aLinkedStateSharesTheComparison();
};

namespace {

std::shared_ptr<compare::Divergence> divergenceOf(const analysis::Result& result) {
    auto divergence = std::make_shared<compare::Divergence>();
    compare::Layer layer;
    layer.node = ir::NodeId(2);
    layer.value = result.graph().nodes[layer.node].outputs.front();
    layer.shape = {3, 5};
    layer.verdict = compare::Verdict::Clean;
    divergence->layers.push_back(layer);
    layer.node = ir::NodeId(4);
    layer.value = result.graph().nodes[layer.node].outputs.front();
    layer.verdict = compare::Verdict::Origin;
    layer.global.total = 15;
    layer.global.wrong = {15, 2, {{7, 9}}};
    divergence->layers.push_back(layer);
    divergence->origins = {1};
    return divergence;
}

} // namespace

void TestViewState::aComparisonTurnsTheLensAndSelectsItsFirstOrigin() {
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    state.setLens(common::Lens::Bytes);
    QSignalSpy changed(&state, &ViewState::divergenceChanged);
    state.setDivergence(divergenceOf(*result));
    QCOMPARE(changed.count(), 1);
    QVERIFY(state.lens() == common::Lens::Verdict);
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(4)});
    QCOMPARE(state.shownValue(), state.divergence()->layers[1].value);
    QCOMPARE(*state.selection().element, (std::vector<std::int64_t>{1, 2}));
    // A later one keeps the lens that the user has chosen.
    state.setLens(common::Lens::Padding);
    state.setDivergence(divergenceOf(*result));
    QVERIFY(state.lens() == common::Lens::Padding);
    state.setLens(common::Lens::Verdict);
    QSignalSpy lens(&state, &ViewState::lensChanged);
    state.setDivergence(divergenceOf(*result));
    QCOMPARE(lens.count(), 1);
    state.setDivergence(nullptr);
    QVERIFY(state.lens() == common::Lens::Bytes);
}

void TestViewState::anotherModelDropsTheComparison() {
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    state.setDivergence(divergenceOf(*result));
    state.setResult(testing::attentionSample(), false);
    QVERIFY(state.divergence());
    state.setResult(testing::oneNodeSample(), true);
    QVERIFY(!state.divergence());
    QVERIFY(state.lens() == common::Lens::OperatorClass);
}

void TestViewState::aLinkedStateSharesTheComparison() {
    ViewState leader;
    const auto result = testing::attentionSample();
    leader.setResult(result, true);
    ViewState second(leader, nullptr);
    QSignalSpy changed(&second, &ViewState::divergenceChanged);
    second.setDivergence(divergenceOf(*result));
    QCOMPARE(changed.count(), 1);
    QVERIFY(leader.divergence());
    QCOMPARE(second.divergence(), leader.divergence());
}

void TestViewState::aSelectionIsKeptWhenTheMachineChanges() {
    ViewState state;
    const auto first = testing::attentionSample();
    state.setResult(first, true);
    const auto node = testing::nodeNamed(*first, "/attn/MatMul");
    state.selectNode(node);
    QSignalSpy changed(&state, &ViewState::selectionChanged);
    state.setResult(testing::attentionSample(), false);
    QCOMPARE(state.selection().nodes, std::vector{node});
    QCOMPARE(changed.count(), 0);
}

void TestViewState::aSelectionIsDroppedWithAnotherModel() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    state.selectNode(ir::NodeId(2));
    QSignalSpy changed(&state, &ViewState::selectionChanged);
    state.setResult(testing::oneNodeSample(), true);
    QVERIFY(state.selection().isEmpty());
    QVERIFY(!state.canGoBack());
    QCOMPARE(changed.count(), 1);
}

void TestViewState::idsThatTheNewResultLacksAreDropped() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    state.selectNode(ir::NodeId(9));
    state.setResult(testing::oneNodeSample(), false);
    QVERIFY(state.selection().isEmpty());
}

void TestViewState::aStepSelectsItsCapturedNodes() {
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    const auto step = testing::stepNamed(*result, "/attn/Softmax");
    state.selectStep(step);
    QCOMPARE(state.selection().nodes, std::vector{testing::nodeNamed(*result, "/attn/Softmax")});
    QCOMPARE(state.selectedSteps(), std::vector{step});
}

void TestViewState::anAddedStepSelectsByNameAndIsFoundAtEveryStageThatHasIt() {
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    const auto step = testing::stepNamed(*result, "restickify Kᵀ");
    QVERIFY(step.isValid());
    state.selectStep(step);
    QVERIFY(state.selection().nodes.empty());
    QCOMPARE(state.selection().added, std::string("restickify Kᵀ"));
    QCOMPARE(state.selectedSteps(), std::vector{step});
    QVERIFY(state.selectedLowered(lowering::Stage::Fused).empty());
    QCOMPARE(state.selectedLowered(lowering::Stage::LaidOut).size(), std::size_t(1));
}

void TestViewState::toggleAddsAndRemoves() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    state.selectNode(ir::NodeId(1));
    state.toggleNode(ir::NodeId(4));
    QCOMPARE(state.selection().nodes, (std::vector{ir::NodeId(1), ir::NodeId(4)}));
    state.toggleNode(ir::NodeId(1));
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(4)});
}

void TestViewState::aValueSelectsItsProducer() {
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    state.selectValue(testing::valueNamed(*result, "scores"));
    QCOMPARE(state.selection().nodes, std::vector{testing::nodeNamed(*result, "/attn/MatMul")});
    state.selectValue(testing::valueNamed(*result, "x"));
    QVERIFY(state.selection().nodes.empty());
    QVERIFY(!state.selection().isEmpty());
}

void TestViewState::theShownValueIsTheFirstOutputOfTheFirstNode() {
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    QVERIFY(!state.shownValue().isValid());
    state.selectNode(testing::nodeNamed(*result, "/attn/MatMul"));
    QCOMPARE(state.shownValue(), testing::valueNamed(*result, "scores"));
    state.selectValue(testing::valueNamed(*result, "probs"));
    QCOMPARE(state.shownValue(), testing::valueNamed(*result, "probs"));
}

void TestViewState::backAndForwardWalkOverSelections() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    QVERIFY(!state.canGoBack());
    for (const std::size_t node : {1, 2, 3})
        state.selectNode(ir::NodeId(node));
    state.goBack();
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(2)});
    state.clearSelection();
    state.goBack(); // from nothing to where it was
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(2)});
    state.goBack();
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(1)});
    QVERIFY(!state.canGoBack());
    state.goBack();
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(1)});
    state.goForward();
    QVERIFY(state.canGoForward());
    state.goForward();
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(3)});
}

void TestViewState::aNewSelectionCutsTheWayForward() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    state.selectNode(ir::NodeId(1));
    state.selectNode(ir::NodeId(2));
    state.goBack();
    state.selectNode(ir::NodeId(5));
    QVERIFY(!state.canGoForward());
    state.goBack();
    QCOMPARE(state.selection().nodes, std::vector{ir::NodeId(1)});
}

void TestViewState::signalsComeOnceAndOnlyForChanges() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    QSignalSpy selection(&state, &ViewState::selectionChanged);
    QSignalSpy hover(&state, &ViewState::hoverChanged);
    QSignalSpy stage(&state, &ViewState::stageChanged);
    state.selectNode(ir::NodeId(1));
    state.selectNode(ir::NodeId(1));
    Selection over;
    over.nodes = {ir::NodeId(3)};
    state.setHover(over);
    state.setHover(over);
    state.setStage(lowering::Stage::Fused);
    state.setStage(lowering::Stage::Fused);
    QCOMPARE(selection.count(), 1);
    QCOMPARE(hover.count(), 1);
    QCOMPARE(stage.count(), 1);
}

void TestViewState::badIdsSelectNothing() {
    ViewState state;
    state.setResult(testing::oneNodeSample(), true);
    state.selectNode(ir::NodeId(77));
    QVERIFY(state.selection().isEmpty());
    state.selectStep(lowering::StepId(77));
    state.selectLowered(lowering::Stage::Placed, lowering::NodeId(77));
    state.selectValue(ir::ValueId(77));
    state.toggleNode(ir::NodeId());
    QVERIFY(state.selection().isEmpty());
}

void TestViewState::withoutAResultNothingIsMapped() {
    ViewState state;
    state.selectNode(ir::NodeId(0));
    state.goBack();
    state.goForward();
    QVERIFY(state.selection().isEmpty());
    QVERIFY(state.selectedSteps().empty());
    QVERIFY(state.selectedLowered(lowering::Stage::Captured).empty());
    QVERIFY(!state.shownValue().isValid());
}

QTEST_GUILESS_MAIN(TestViewState)
#include "test_view_state.moc"
