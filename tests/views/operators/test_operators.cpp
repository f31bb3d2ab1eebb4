// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/operators/operators_model.h"
#include "views/operators/operators_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using operators::OperatorsModel;
using operators::OperatorsPanel;

namespace {

QString plain(QString text) {
    return text.replace(QChar(0x2009), u' ');
}

QString cell(const OperatorsModel& model, int row, int column) {
    return plain(model.index(row, column).data().toString());
}

struct Fixture {
    ViewState state;
    std::shared_ptr<analysis::Result> result;
    std::unique_ptr<OperatorsPanel> panel;

    explicit Fixture(std::shared_ptr<analysis::Result> sample)
        : result(std::move(sample)) {
        state.setResult(result, true);
        panel = std::make_unique<OperatorsPanel>(state, nullptr);
        panel->resize(1036, 330);
        panel->show();
        QApplication::processEvents();
    }
};

} // namespace

class TestOperators : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void theModelHoldsItsContract_data();
    void theModelHoldsItsContract();
    void aRowShowsTheStep();
    void unknownIsNotZero();
    void refusedOperatorsWithoutAStepAreListed();
    void theLongestComesFirst();
    void clickSelectsAndControlClickAdds();
    void arrowsMoveTheSelection();
    void selectionFromElsewhereIsMarked();
    void theFilterNarrowsTableAndCsv();
    void theSentenceRanksTheSelection();
    void aTotalWithUnknownStepsReadsAtLeast();
    void emptyInputsShowTheSentence();
    void tenThousandRowsSortAndSelect();
};

void TestOperators::theModelHoldsItsContract_data() {
    QTest::addColumn<int>("nodes");
    QTest::newRow("empty") << 0;
    QTest::newRow("one") << 1;
    QTest::newRow("many") << 300;
}

void TestOperators::theModelHoldsItsContract() {
    QFETCH(int, nodes);
    ViewState state;
    OperatorsModel model(state);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    state.setResult(testing::chainSample(static_cast<std::size_t>(nodes)), true);
    model.reset();
    QCOMPARE(model.rowCount(), nodes);
    state.selectNode(ir::NodeId(0));
    model.refreshMarks();
    state.setResult(nullptr, true);
    model.reset();
    QCOMPARE(model.rowCount(), 0);
}

void TestOperators::aRowShowsTheStep() {
    Fixture f(testing::attentionSample());
    const OperatorsModel& model = *f.panel->model();
    const int row = model.rowOf(testing::stepNamed(*f.result, "/attn/MatMul"));
    QCOMPARE(cell(model, row, OperatorsModel::Number), QStringLiteral("9"));
    QCOMPARE(cell(model, row, OperatorsModel::Name), QStringLiteral("attn/MatMul"));
    QCOMPARE(cell(model, row, OperatorsModel::Class), QStringLiteral("contraction"));
    QCOMPARE(cell(model, row, OperatorsModel::Shape), QStringLiteral("12×128×128"));
    QCOMPARE(cell(model, row, OperatorsModel::Mac), QStringLiteral("12.6 M"));
    QCOMPARE(cell(model, row, OperatorsModel::FarBytes), QStringLiteral("768 KiB"));
    QCOMPARE(cell(model, row, OperatorsModel::Time), QStringLiteral("6.0 µs"));
    QCOMPARE(cell(model, row, OperatorsModel::Bound), QStringLiteral("memory"));
    QCOMPARE(model.headerData(OperatorsModel::FarBytes, Qt::Horizontal, Qt::DisplayRole).toString(),
        QStringLiteral("LPDDR5"));
}

void TestOperators::unknownIsNotZero() {
    const auto result = testing::sampleResult({{"/odd/Odd", ir::Op::Unknown, {"x"}, "y", {4}, 0, 0,
        0, 0, 0, "", {}, "", lowering::Support::Unsupported, "", 0, false}});
    Fixture f(result);
    const OperatorsModel& model = *f.panel->model();
    QCOMPARE(cell(model, 0, OperatorsModel::Time), QStringLiteral("unknown"));
    QCOMPARE(cell(model, 0, OperatorsModel::Mac), QStringLiteral("unknown"));
    QCOMPARE(cell(model, 0, OperatorsModel::Share), QStringLiteral("–"));
    QVERIFY(model.index(0, OperatorsModel::Time).data(common::kCsvRole).toString().isEmpty());
    QVERIFY(!model.index(0, OperatorsModel::Share).data(common::kShareRole).isValid());
}

void TestOperators::refusedOperatorsWithoutAStepAreListed() {
    const auto result = testing::attentionSample();
    const auto node = testing::nodeNamed(*result, "/Add");
    result->nodes[node].support = lowering::Support::Unsupported;
    result->provenance.toSteps[node].clear();
    Fixture f(result);
    const OperatorsModel& model = *f.panel->model();
    const int last = model.rowCount() - 1;
    QCOMPARE(model.rowCount(), static_cast<int>(result->program.steps.size()) + 1);
    QCOMPARE(model.row(last).node, node);
    QCOMPARE(cell(model, last, OperatorsModel::Support), QStringLiteral("unsupported"));
    f.state.selectNode(node);
    QCOMPARE(model.selectedRow(), last);
    QVERIFY(f.panel->sentence().contains(QStringLiteral("unknown")));
}

void TestOperators::theLongestComesFirst() {
    Fixture f(testing::attentionSample());
    const auto& table = *f.panel->table();
    base::Seconds before(1e9);
    for (int row = 0; row < table.visibleRows(); ++row) {
        const auto time = f.panel->model()->row(table.sourceRow(row)).time;
        QVERIFY(time && *time <= before);
        before = *time;
    }
}

void TestOperators::clickSelectsAndControlClickAdds() {
    Fixture f(testing::attentionSample());
    auto& table = *f.panel->table();
    const auto at = [&](int row) {
        return table.visualRect(table.model()->index(row, 1)).center();
    };
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at(0));
    QCOMPARE(f.state.selectedSteps().front(), f.panel->model()->row(table.sourceRow(0)).step);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::ControlModifier, at(1));
    QCOMPARE(f.state.selection().nodes.size(), std::size_t(2));
    QSignalSpy asked(f.panel.get(), &common::Panel::showRequested);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, at(0));
    QCOMPARE(asked.last().front().toString(), QStringLiteral("inspector"));
}

void TestOperators::arrowsMoveTheSelection() {
    Fixture f(testing::attentionSample());
    auto& table = *f.panel->table();
    f.state.selectStep(f.panel->model()->row(table.sourceRow(2)).step);
    QTest::keyClick(&table, Qt::Key_Down);
    QCOMPARE(f.state.selectedSteps().front(), f.panel->model()->row(table.sourceRow(3)).step);
    QTest::keyClick(&table, Qt::Key_Up);
    QCOMPARE(f.state.selectedSteps().front(), f.panel->model()->row(table.sourceRow(2)).step);
}

void TestOperators::selectionFromElsewhereIsMarked() {
    Fixture f(testing::attentionSample());
    const auto step = testing::stepNamed(*f.result, "restickify Kᵀ");
    f.state.selectStep(step);
    const int row = f.panel->model()->rowOf(step);
    QCOMPARE(f.panel->model()->index(row, 0).data(common::kSelectedRole).toInt(), 2);
    QCOMPARE(f.panel->model()->selectedRow(), row);
    common::Selection hover;
    hover.nodes = {testing::nodeNamed(*f.result, "/attn/Softmax")};
    f.state.setHover(hover);
    const int hovered = f.panel->model()->rowOf(testing::stepNamed(*f.result, "/attn/Softmax"));
    QVERIFY(f.panel->model()->index(hovered, 0).data(common::kHoveredRole).toBool());
}

void TestOperators::theFilterNarrowsTableAndCsv() {
    Fixture f(testing::attentionSample());
    auto* filter = f.panel->findChild<QLineEdit*>();
    QVERIFY(filter);
    QTest::keyClicks(filter, QStringLiteral("matmul contraction"));
    QCOMPARE(f.panel->table()->visibleRows(), 4);
    QCOMPARE(f.panel->toCsv().count(QStringLiteral("\r\n")), 5);
    QVERIFY(f.panel->toCsv().contains(QStringLiteral("12582912"))); // plain numbers, not words
    QVERIFY(f.panel->sentence().startsWith(QStringLiteral("4 of 16 steps")));
}

void TestOperators::theSentenceRanksTheSelection() {
    Fixture f(testing::attentionSample());
    f.state.selectStep(f.panel->model()->row(f.panel->table()->sourceRow(0)).step);
    QVERIFY2(f.panel->sentence().contains(QStringLiteral("place 1 of 16")),
        qPrintable(f.panel->sentence()));
    f.state.clearSelection();
    QVERIFY(f.panel->sentence().startsWith(QStringLiteral("16 steps on IBM Spyre take ")));
}

void TestOperators::aTotalWithUnknownStepsReadsAtLeast() {
    const auto result = testing::attentionSample();
    result->totals.unknownSteps = 1;
    Fixture f(result);
    QVERIFY(f.panel->sentence().contains(QStringLiteral("at least")));
}

void TestOperators::emptyInputsShowTheSentence() {
    ViewState none;
    OperatorsPanel without(none, nullptr);
    without.resize(400, 200);
    without.show();
    QVERIFY(!without.table()->isVisible());
    QVERIFY(without.toCsv().isEmpty());
    Fixture empty(testing::emptySample());
    QVERIFY(!empty.panel->table()->isVisible());
    QVERIFY(empty.panel->sentence().endsWith(u'.'));
}

void TestOperators::tenThousandRowsSortAndSelect() {
    Fixture f(testing::chainSample(10'000));
    QCOMPARE(f.panel->table()->visibleRows(), 10'000);
    f.panel->table()->sortByColumn(OperatorsModel::Name, Qt::AscendingOrder);
    f.state.selectNode(ir::NodeId(9'999));
    QCOMPARE(f.panel->model()->selectedRow(), 9'999);
    const int shown = f.panel->table()->viewRow(9'999);
    QVERIFY(f.panel->table()->rowViewportPosition(shown) >= 0);
    f.panel->grab();
}

QTEST_MAIN(TestOperators)
#include "test_operators.moc"
