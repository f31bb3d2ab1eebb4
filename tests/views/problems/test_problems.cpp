// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/problems/problems_model.h"
#include "views/problems/problems_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QContextMenuEvent>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace fivefold;
using namespace fivefold::views;
using analysis::Problem;
using analysis::Remedy;
using base::Seconds;
using base::Severity;
using common::ViewState;
using problems::ProblemsModel;
using problems::ProblemsPanel;

namespace {

Problem problem(Severity severity, const char* code, const char* message, const char* advice) {
    Problem p;
    p.severity = severity;
    p.code = code;
    p.message = message;
    p.advice = advice;
    return p;
}

/// Two with a price, one of them with two remedies; then an error, a warning and a note without.
std::shared_ptr<analysis::Result> troubled() {
    const auto result = testing::attentionSample();
    const double total = result->totals.time.value;
    const auto at = [&](Problem& p, const char* name) {
        p.place = name;
        p.node = testing::nodeNamed(*result, name);
    };
    Problem padding = problem(Severity::Warning, "cost.padding", "A third goes into padding.",
        "Sizes without padding: 128.");
    at(padding, "/attn/c_attn/MatMul");
    padding.cost = Seconds(total / 3);
    padding.without = Seconds(total * 2 / 3);
    Remedy trim, grow;
    trim.text = "Set seq to 128";
    trim.binds["seq"] = 128;
    grow.text = "Set seq to 192";
    grow.binds["seq"] = 192;
    padding.remedies = {trim, grow};
    Problem host = problem(Severity::Warning, "cost.host", "Add runs on the host.", "");
    at(host, "/Add");
    host.cost = Seconds(total / 10);
    host.without = Seconds(total * 9 / 10);
    Remedy substitute;
    substitute.text = "Write Add as two";
    substitute.substitutes["/Add"] = "add-two";
    host.remedies = {substitute};
    Problem shapes = problem(
        Severity::Error, "infer.shape", "The shapes do not match.", "Export the model again.");
    at(shapes, "/attn/Mul");
    Problem missing = problem(Severity::Warning, "onnx.external_data_missing",
        "The weights are in a file that is not there.", "Put it beside the model.");
    missing.place = "c_attn.weight";
    missing.value = testing::valueNamed(*result, "c_attn.weight");
    missing.count = 7;
    Problem note = problem(Severity::Info, "onnx.note", "The model names no producer.", "");
    result->problems = {padding, host, shapes, missing, note};
    return result;
}

void click(common::Table& table, int row, int column) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
        table.visualRect(table.model()->index(row, column)).center());
}

} // namespace

class TestProblems : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void theModelHoldsItsContract();
    void costOrdersTheList();
    void clickSelectsTheNodeOrTheValue();
    void tryAsksForTheRemedy();
    void enterTriesTheRemedyOrShowsThePlace();
    void theContextMenuOffersEveryRemedy();
    void theSentenceCountsAndQuotes();
    void noProblemsIsSaid();
    void csvHasPlainNumbers();
    void columnsFitTheWidth();
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

void TestProblems::costOrdersTheList() {
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    for (int row = 0; row < 5; ++row)
        QCOMPARE(panel.table()->sourceRow(row), row);
    const auto text = [&](int row, int column) {
        return panel.model()->index(row, column).data().toString();
    };
    QCOMPARE(text(2, ProblemsModel::Cost), QStringLiteral("–")); // unknown is not 0
    QCOMPARE(text(2, ProblemsModel::Without), QStringLiteral("–"));
    QVERIFY(text(0, ProblemsModel::Cost).endsWith(QStringLiteral("µs")));
    QCOMPARE(text(0, ProblemsModel::Try), QStringLiteral("Try ▾"));
    QCOMPARE(text(1, ProblemsModel::Try), QStringLiteral("Try"));
    QVERIFY(text(2, ProblemsModel::Try).isEmpty());
    panel.table()->sortByColumn(ProblemsModel::Severity, Qt::DescendingOrder);
    QCOMPARE(panel.table()->sourceRow(0), 2);
    QCOMPARE(panel.table()->sourceRow(1), 0); // within a severity in the order of the list
}

void TestProblems::clickSelectsTheNodeOrTheValue() {
    ViewState state;
    const auto result = troubled();
    state.setResult(result, true);
    ProblemsPanel panel(state, nullptr);
    panel.resize(1036, 250);
    panel.show();
    click(*panel.table(), 0, ProblemsModel::Place);
    QCOMPARE(
        state.selection().nodes, std::vector{testing::nodeNamed(*result, "/attn/c_attn/MatMul")});
    QCOMPARE(panel.model()->selectedRow(), 0);
    click(*panel.table(), 3, ProblemsModel::Place);
    QVERIFY(state.selection().value == result->problems[3].value);
    click(*panel.table(), 4, ProblemsModel::Place);
    QVERIFY(state.selection().isEmpty());
}

void TestProblems::tryAsksForTheRemedy() {
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    panel.resize(1036, 250);
    panel.show();
    Remedy asked;
    QString text;
    int times = 0;
    connect(&panel, &common::Panel::remedyRequested, this,
        [&](const QString& what, const Remedy& remedy) {
            text = what;
            asked = remedy;
            ++times;
        });
    click(*panel.table(), 1, ProblemsModel::Message);
    QCOMPARE(times, 0);
    click(*panel.table(), 1, ProblemsModel::Try);
    QCOMPARE(times, 1);
    QCOMPARE(text, QStringLiteral("Write Add as two"));
    QCOMPARE(asked.substitutes.at("/Add"), std::string("add-two"));
    click(*panel.table(), 2, ProblemsModel::Try); // it has none
    QCOMPARE(times, 1);
    panel.tryRemedy(0, 1);
    QCOMPARE(asked.binds.at("seq"), std::int64_t(192));
    panel.tryRemedy(0, 2);
    panel.tryRemedy(-1);
    QCOMPARE(times, 2);
    // The action of the menu does it for the current row.
    click(*panel.table(), 1, ProblemsModel::Message);
    QAction* action = panel.panelActions().back();
    QVERIFY(action->isEnabled());
    action->trigger();
    QCOMPARE(times, 3);
    click(*panel.table(), 2, ProblemsModel::Message);
    QVERIFY(!action->isEnabled());
}

void TestProblems::enterTriesTheRemedyOrShowsThePlace() {
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    panel.resize(1036, 250);
    panel.show();
    QSignalSpy remedies(&panel, &common::Panel::remedyRequested);
    QSignalSpy shown(&panel, &common::Panel::showRequested);
    click(*panel.table(), 1, ProblemsModel::Message);
    QTest::keyClick(panel.table(), Qt::Key_Return);
    QCOMPARE(remedies.count(), 1);
    QTest::keyClick(panel.table(), Qt::Key_Down);
    QTest::keyClick(panel.table(), Qt::Key_Return);
    QCOMPARE(remedies.count(), 1);
    QCOMPARE(shown.count(), 1);
}

void TestProblems::theContextMenuOffersEveryRemedy() {
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    panel.resize(1036, 250);
    panel.show();
    QSignalSpy remedies(&panel, &common::Panel::remedyRequested);
    QStringList offered;
    connect(panel.table(), &common::Table::menuRequested, this, [&](QMenu* menu, int) {
        for (QAction* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Try")))
                offered << action->text();
        menu->actions()[1]->trigger();
        QTimer::singleShot(0, menu, &QMenu::close);
    });
    const QPoint at = panel.table()->visualRect(panel.table()->model()->index(0, 1)).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, panel.mapToGlobal(at));
    QApplication::sendEvent(panel.table()->viewport(), &event);
    QCOMPARE(offered,
        QStringList(
            {QStringLiteral("Try: Set seq to 128"), QStringLiteral("Try: Set seq to 192")}));
    QCOMPARE(remedies.count(), 1);
    QCOMPARE(remedies.front().front().toString(), QStringLiteral("Set seq to 192"));
}

void TestProblems::theSentenceCountsAndQuotes() {
    ViewState state;
    const auto result = troubled();
    state.setResult(result, true);
    ProblemsPanel panel(state, nullptr);
    QVERIFY(panel.sentence().startsWith(QStringLiteral(
        "1 error, 3 warnings, 1 note for this model on IBM Spyre; the dearest costs ")));
    QVERIFY(panel.sentence().endsWith(QStringLiteral(": A third goes into padding.")));
    QCOMPARE(panel.title(), QStringLiteral("Problems 5"));
    auto wordy = troubled();
    wordy->problems.resize(1);
    wordy->problems.front().message = "It is refused. Its neighbours pay for that.";
    wordy->problems.front().cost = base::Seconds(1e-6);
    state.setResult(wordy, true);
    QVERIFY(panel.sentence().endsWith(QStringLiteral(": It is refused."))); // the row says the rest
    state.setResult(result, true);
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
    const auto untroubled = testing::attentionSample();
    untroubled->problems.clear();
    state.setResult(untroubled, true);
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
    QVERIFY(csv.contains(QStringLiteral("Set seq to 128; Set seq to 192")));
}

void TestProblems::columnsFitTheWidth() {
    ViewState state;
    state.setResult(troubled(), true);
    ProblemsPanel panel(state, nullptr);
    panel.show();
    for (const int width : {420, 640, 1036, 1600}) {
        panel.resize(width, 212);
        QCOMPARE(panel.table()->isColumnHidden(ProblemsModel::Advice), width < 640);
        QVERIFY(!panel.table()->isColumnHidden(ProblemsModel::Cost)
            && !panel.table()->isColumnHidden(ProblemsModel::Try));
        int sum = 0;
        for (int column = 0; column < ProblemsModel::kColumns; ++column)
            sum += panel.table()->isColumnHidden(column) ? 0 : panel.table()->columnWidth(column);
        QVERIFY2(sum <= std::max(width, 420), qPrintable(QString::number(sum)));
    }
}

QTEST_MAIN(TestProblems)
#include "test_problems.moc"
