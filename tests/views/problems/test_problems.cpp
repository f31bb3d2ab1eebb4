// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/problems/problems_model.h"
#include "views/problems/problems_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTest>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using problems::ProblemsModel;
using problems::ProblemsPanel;

namespace {

std::shared_ptr<analysis::Result> troubled() {
    const auto result = testing::attentionSample();
    result->diagnostics.info("onnx.note", "", "The model names no producer.");
    result->diagnostics.warn("onnx.external_data_missing", "c_attn.weight",
        "The weights are in a file that is not there.", "Put it beside the model.");
    result->diagnostics.error(
        "infer.shape", "/attn/Mul", "The shapes do not match.", "Export the model again.");
    result->diagnostics.error("infer.shape", "/attn/c_attn/MatMul", "The shapes do not match.",
        "Export the model again.");
    result->nodes[testing::nodeNamed(*result, "/Add")].support = lowering::Support::Fallback;
    return result;
}

} // namespace

class TestProblems : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void theModelHoldsItsContract();
    void severityThenCostOrdersTheList();
    void refusedOperatorsAreListedOnce();
    void clickSelectsTheNodeOrTheValue();
    void theSentenceCountsAndQuotes();
    void noProblemsIsSaid();
    void csvHasPlainNumbers();
};

void TestProblems::theModelHoldsItsContract() {
    ViewState state;
    ProblemsModel model(state);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    state.setResult(troubled(), true);
    model.reset();
    QCOMPARE(model.rowCount(), 5);
    state.selectNode(ir::NodeId(2));
    model.refreshMarks();
    state.setResult(testing::emptySample(), true);
    model.reset();
    QCOMPARE(model.rowCount(), 0);
}

void TestProblems::severityThenCostOrdersTheList() {
    const auto list = problems::problems(*troubled());
    QCOMPARE(list.size(), std::size_t(5));
    QCOMPARE(list[0].place,
        QStringLiteral("/attn/c_attn/MatMul")); // both are errors, this one costs more
    QCOMPARE(list[1].place, QStringLiteral("/attn/Mul"));
    QVERIFY(list[0].cost && list[1].cost && *list[0].cost > *list[1].cost);
    QVERIFY(list.back().severity == base::Severity::Info);
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    for (int row = 0; row < 5; ++row)
        QCOMPARE(panel.table()->sourceRow(row), row);
}

void TestProblems::refusedOperatorsAreListedOnce() {
    const auto result = troubled();
    const auto count = problems::problems(*result).size();
    result->diagnostics.warn("lowering.fallback", "/Add", "Add runs on the host.");
    QCOMPARE(problems::problems(*result).size(), count);
    const auto softmax = testing::nodeNamed(*result, "/attn/Softmax");
    result->nodes[softmax].support = lowering::Support::Unsupported;
    const auto list = problems::problems(*result);
    QCOMPARE(list.size(), count + 1);
    QVERIFY(std::any_of(list.begin(), list.end(), [](const auto& p) {
        return p.place == QStringLiteral("/attn/Softmax") && p.severity == base::Severity::Error;
    }));
    // A diagnostic that tells of it takes the place of that line, whatever its family calls it.
    for (const char* code : {"spyre.refused", "gpu.host_operator", "cpu.unknown_operator"}) {
        auto told = std::make_shared<analysis::Result>(*result);
        told->diagnostics.warn(code, "/attn/Softmax", "The graph is refused here.");
        QCOMPARE(problems::problems(*told).size(), count + 1);
    }
}

void TestProblems::clickSelectsTheNodeOrTheValue() {
    ViewState state;
    const auto result = troubled();
    state.setResult(result, true);
    ProblemsPanel panel(state, nullptr);
    panel.resize(1036, 250);
    panel.show();
    auto& table = *panel.table();
    const auto click = [&](int row) {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
            table.visualRect(table.model()->index(row, 1)).center());
    };
    click(0);
    QCOMPARE(
        state.selection().nodes, std::vector{testing::nodeNamed(*result, "/attn/c_attn/MatMul")});
    QCOMPARE(panel.model()->selectedRow(), 0);
    click(2);
    const auto& at = panel.model()->problem(2);
    QVERIFY(at.value.isValid() ? state.selection().value == at.value
                               : state.selection().contains(at.node));
    click(4);
    QVERIFY(state.selection().isEmpty());
}

void TestProblems::theSentenceCountsAndQuotes() {
    ViewState state;
    const auto result = troubled();
    state.setResult(result, true);
    ProblemsPanel panel(state, nullptr);
    QCOMPARE(panel.sentence(),
        QStringLiteral("2 errors, 2 warnings, 1 note for this model on IBM Spyre; first: The "
                       "shapes do not match."));
    QCOMPARE(panel.title(), QStringLiteral("Problems 5"));
    state.selectNode(testing::nodeNamed(*result, "/attn/Mul"));
    QCOMPARE(panel.sentence(),
        QStringLiteral("/attn/Mul: The shapes do not match. Export the model again."));
}

void TestProblems::noProblemsIsSaid() {
    ViewState state;
    ProblemsPanel panel(state, nullptr);
    panel.resize(500, 200);
    panel.show();
    QVERIFY(panel.sentence().startsWith(QStringLiteral("No model is open")));
    state.setResult(testing::attentionSample(), true);
    QCOMPARE(panel.sentence(),
        QStringLiteral("No problems: all 15 operators were read and run on IBM Spyre."));
    QVERIFY(!panel.table()->isVisible());
    QVERIFY(panel.toCsv().isEmpty());
    QCOMPARE(panel.title(), QStringLiteral("Problems"));
}

void TestProblems::csvHasPlainNumbers() {
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    const QString csv = panel.toCsv();
    QCOMPARE(csv.count(QStringLiteral("\r\n")), 6);
    QVERIFY(!csv.contains(QStringLiteral("µs")));
}

QTEST_MAIN(TestProblems)
#include "test_problems.moc"
