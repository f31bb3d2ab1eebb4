// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/by_class/by_class_model.h"
#include "views/by_class/by_class_panel.h"
#include "views/common/palette.h"
#include "views/common/table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTest>

#include <cmath>

using namespace fivefold;
using namespace fivefold::views;
using by_class::ByClassModel;
using by_class::ByClassPanel;
using common::ViewState;

namespace {

std::shared_ptr<analysis::Result> counted() {
    const auto result = testing::attentionSample();
    result->energy.resize(result->program.steps.size());
    for (auto& energy : result->energy)
        energy.joules = {1e-6, 2e-6};
    result->classes = analysis::classTable(*result);
    return result;
}

} // namespace

class TestByClass : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void theModelHoldsItsContract();
    void sharesAddUp();
    void clickSelectsTheStepsOfTheClass();
    void arrowsMoveBetweenClasses();
    void unknownIsNotZero();
    void energyHasItsRange();
    void theSentenceAnswers();
    void csvHasPlainNumbers();
    void columnsFitTheWidth();
};

void TestByClass::theModelHoldsItsContract() {
    ViewState state;
    ByClassModel model(state);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    state.setResult(counted(), true);
    model.reset();
    QVERIFY(model.rowCount() >= 3);
    state.selectNode(ir::NodeId(2));
    model.refreshMarks();
    state.setResult(testing::emptySample(), true);
    model.reset();
    QCOMPARE(model.rowCount(), 0);
}

void TestByClass::sharesAddUp() {
    ViewState state;
    state.setResult(counted(), true);
    ByClassModel model(state);
    for (const int column : {ByClassModel::TimeShare, ByClassModel::FlopsShare,
             ByClassModel::BytesShare, ByClassModel::EnergyShare}) {
        double sum = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            sum += model.share(model.row(row), column).value_or(0);
        QVERIFY2(std::abs(sum - 1) < 1e-9, qPrintable(QString::number(sum)));
    }
}

void TestByClass::clickSelectsTheStepsOfTheClass() {
    ViewState state;
    const auto result = counted();
    state.setResult(result, true);
    ByClassPanel panel(state, nullptr);
    panel.resize(1036, 212);
    panel.show();
    auto& table = *panel.table();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
        table.visualRect(table.model()->index(0, 0)).center());
    const int row = table.sourceRow(0);
    QCOMPARE(panel.model()->selectedRow(), row);
    QVERIFY(!state.selection().nodes.empty());
    const auto opClass = panel.model()->row(row).opClass;
    for (const lowering::StepId step : state.stepsOf(state.selection()))
        QVERIFY(analysis::classOf(result->program, step) == opClass);
    QTest::mouseClick(
        table.viewport(), Qt::LeftButton, {}, QPoint(20, table.viewport()->height() - 4));
    QVERIFY(state.selection().isEmpty());
}

void TestByClass::arrowsMoveBetweenClasses() {
    ViewState state;
    state.setResult(counted(), true);
    ByClassPanel panel(state, nullptr);
    panel.resize(1036, 212);
    panel.show();
    auto& table = *panel.table();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
        table.visualRect(table.model()->index(0, 0)).center());
    const int first = panel.model()->selectedRow();
    QTest::keyClick(&table, Qt::Key_Down);
    QVERIFY(panel.model()->selectedRow() >= 0 && panel.model()->selectedRow() != first);
}

void TestByClass::unknownIsNotZero() {
    ViewState state;
    const auto result = counted();
    for (auto& row : result->classes)
        row.energy = {{}, true, {}};
    auto& first = result->classes.front();
    first.unknownSteps = first.steps;
    first.time = {};
    state.setResult(result, true);
    ByClassModel model(state);
    const auto text = [&](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(ByClassModel::Time), QStringLiteral("unknown"));
    QCOMPARE(text(ByClassModel::TimeShare), QStringLiteral("–"));
    QCOMPARE(text(ByClassModel::Energy), QStringLiteral("unknown"));
    QCOMPARE(text(ByClassModel::EnergyShare), QStringLiteral("–"));
}

void TestByClass::energyHasItsRange() {
    const auto text = [](double low, double high, bool isAtLeast) {
        return by_class::energyText({{low, high}, isAtLeast, {}})
            .replace(QChar(0x2009), QLatin1Char(' '));
    };
    QCOMPARE(text(8.2e-4, 1.31e-3, false), QStringLiteral("0.82–1.31 mJ"));
    QCOMPARE(text(2e-6, 2e-6, true), QStringLiteral("≥ 2.00 µJ"));
    QCOMPARE(text(0, 0, true), QStringLiteral("unknown"));
    QCOMPARE(text(0, 0, false), QStringLiteral("–"));
}

void TestByClass::theSentenceAnswers() {
    ViewState state;
    ByClassPanel panel(state, nullptr);
    QVERIFY(panel.sentence().startsWith(QStringLiteral("No model is open")));
    state.setResult(counted(), true);
    QVERIFY(panel.sentence().contains(QStringLiteral("IBM Spyre")));
    QVERIFY(panel.sentence().contains(QStringLiteral("matrix units")));
    state.setResult(testing::emptySample(), true);
    QVERIFY(panel.sentence().startsWith(QStringLiteral("The model has no operators")));
    QCOMPARE(panel.id(), QStringLiteral("by-class"));
}

void TestByClass::csvHasPlainNumbers() {
    ViewState state;
    state.setResult(counted(), true);
    ByClassPanel panel(state, nullptr);
    panel.resize(1600, 600);
    panel.show();
    const QString csv = panel.toCsv();
    QCOMPARE(csv.count(QStringLiteral("\r\n")), panel.model()->rowCount() + 1);
    QVERIFY(!csv.contains(QStringLiteral("µs")) && !csv.contains(QLatin1Char('%')));
}

void TestByClass::columnsFitTheWidth() {
    ViewState state;
    state.setResult(counted(), true);
    ByClassPanel panel(state, nullptr);
    panel.show();
    for (const int width : {620, 1036, 1600}) {
        panel.resize(width, 212);
        int sum = 0;
        for (int column = 0; column < ByClassModel::kColumns; ++column)
            sum += panel.table()->isColumnHidden(column) ? 0 : panel.table()->columnWidth(column);
        QVERIFY2(sum <= width, qPrintable(QString::number(sum)));
    }
}

QTEST_MAIN(TestByClass)
#include "test_by_class.moc"
