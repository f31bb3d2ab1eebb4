// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/explain.h"
#include "tests/views/common/sample_result.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/inspector/inspector_canvas.h"
#include "views/inspector/inspector_panel.h"

#include <QApplication>
#include <QScrollArea>
#include <QTest>

#include <algorithm>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::inspector;
using common::ViewState;

namespace {

QString plain(QString text) {
    return text.replace(QChar(0x2009), u' ');
}

const Line* find(const Lines& lines, const QString& label) {
    const auto found = std::find_if(
        lines.begin(), lines.end(), [&](const Line& line) { return line.label == label; });
    return found == lines.end() ? nullptr : &*found;
}

struct Fixture {
    ViewState state;
    std::shared_ptr<analysis::Result> result;
    std::unique_ptr<InspectorPanel> panel;

    explicit Fixture(std::shared_ptr<analysis::Result> sample, QSize size = {444, 274})
        : result(std::move(sample)) {
        state.setResult(result, true);
        panel = std::make_unique<InspectorPanel>(state, nullptr);
        panel->resize(size);
        panel->show();
        QApplication::processEvents();
    }
    InspectorCanvas& canvas() { return *panel->canvas(); }
    const Lines& lines() { return canvas().lines(); }
    QString value(const char* label) {
        const Line* line = find(lines(), QString::fromUtf8(label));
        return line ? plain(line->text) : QStringLiteral("(no line)");
    }
};

} // namespace

class TestInspector : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void aNodeShowsWhatIsKnown();
    void anUnvalidatedTimeSaysSo();
    void attributesAreListed();
    void anAddedOperatorSaysWhy();
    void becauseLinksLeadToTheAddedOperator();
    void clickingAnInputSelectsIt();
    void keysWalkOverLinks();
    void withoutASelectionModelAndMachineAreShown();
    void aFigureCarriesStatusAndSource();
    void aRemovedNodeSaysWhere();
    void emptyInputsHaveASentence();
    void linesFollowEachOtherAtAnyWidth_data();
    void linesFollowEachOtherAtAnyWidth();
    void aNodeWithManyInputsIsCut();
    void csvHasEveryLine();
    void theLadderNamesTheStageThatAddsMost();
    void aCauseLeadsAlongItsChain();
    void energyIsARangeAndSaysAtLeast();
    void theCompilersIdealStandsBesideTheTime();
    void severalStepsAreSummed();
};

void TestInspector::aNodeShowsWhatIsKnown() {
    Fixture f(testing::attentionSample());
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    QVERIFY(f.lines().front().kind == LineKind::Title);
    QCOMPARE(f.lines().front().text, QStringLiteral("/attn/MatMul"));
    QCOMPARE(f.lines().front().note, QStringLiteral("in bundle 0"));
    QCOMPARE(f.value("operator"), QStringLiteral("MatMul"));
    QCOMPARE(f.value("work division"), QStringLiteral("b1 · m16 · n2 · k1 = 32 cores"));
    QCOMPARE(f.value("result layout"), QStringLiteral("[12, 128, 2, 64]"));
    QCOMPARE(f.value("padding"), QStringLiteral("none"));
    QVERIFY2(
        f.value("LPDDR5").endsWith(QStringLiteral(" · 768 KiB")), qPrintable(f.value("LPDDR5")));
    QCOMPARE(f.value("time"), QStringLiteral("6.0 µs (5.3–6.8)"));
    const Line* gap = find(f.lines(), QStringLiteral("gap"));
    QVERIFY(gap && !gap->gap.parts.empty());
    // The relayout that the product asked for counts in its gap.
    QVERIFY(std::ranges::any_of(gap->gap.parts, [](const roofline::GapPart& part) {
        return part.kind == roofline::GapKind::Relayout && part.name == "restickify";
    }));
    QCOMPARE(find(f.lines(), QStringLiteral("input"))->note, QStringLiteral("fp32 12×128×64"));
}

void TestInspector::anUnvalidatedTimeSaysSo() {
    const auto result = testing::attentionSample();
    result->totals.validated.reset();
    for (lowering::Step& step : result->program.steps)
        step.estimate.low = step.estimate.high = std::nullopt;
    Fixture f(result);
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    QCOMPARE(f.value("time"), QStringLiteral("~6.0 µs"));
    QCOMPARE(find(f.lines(), QStringLiteral("time"))->note, QStringLiteral("not validated"));
}

void TestInspector::attributesAreListed() {
    Fixture f(testing::attentionSample());
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/Softmax"));
    QVERIFY2(f.value("attributes").startsWith(QStringLiteral("axis = ")),
        qPrintable(f.value("attributes")));
    QCOMPARE(f.value("support"), QStringLiteral("decomposed"));
}

void TestInspector::anAddedOperatorSaysWhy() {
    Fixture f(testing::attentionSample());
    f.state.selectStep(testing::stepNamed(*f.result, "restickify Kᵀ"));
    QCOMPARE(f.lines().front().text, QStringLiteral("restickify Kᵀ"));
    QCOMPARE(f.value("added"), QStringLiteral("at stage Laid out"));
    QVERIFY(std::any_of(f.lines().begin(), f.lines().end(),
        [](const Line& line) { return line.text.startsWith(QStringLiteral("Added: ")); }));
}

void TestInspector::becauseLinksLeadToTheAddedOperator() {
    Fixture f(testing::attentionSample(), {444, 900});
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    for (std::size_t l = 0; l < f.lines().size(); ++l)
        if (f.lines()[l].link.step.isValid()) {
            QTest::mouseClick(&f.canvas(), Qt::LeftButton, {},
                f.canvas().placement().lines[l].value.center().toPoint());
            QCOMPARE(f.state.selection().added, std::string("restickify Kᵀ"));
            return;
        }
    QFAIL("no link to the added operator");
}

void TestInspector::clickingAnInputSelectsIt() {
    Fixture f(testing::attentionSample(), {444, 900});
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    for (std::size_t l = 0; l < f.lines().size(); ++l)
        if (f.lines()[l].label == QLatin1String("input")
            && f.lines()[l].text == QLatin1String("q")) {
            QTest::mouseClick(&f.canvas(), Qt::LeftButton, {},
                f.canvas().placement().lines[l].value.center().toPoint());
            QCOMPARE(f.state.selection().value, testing::valueNamed(*f.result, "q"));
            QCOMPARE(f.state.selection().nodes,
                std::vector{testing::nodeNamed(*f.result, "/attn/q/Slice")});
            QCOMPARE(f.value("made by"), QStringLiteral("/attn/q/Slice"));
            return;
        }
    QFAIL("no input q");
}

void TestInspector::keysWalkOverLinks() {
    Fixture f(testing::attentionSample());
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    QTest::keyClick(&f.canvas(), Qt::Key_Down);
    QVERIFY(f.canvas().currentLine());
    QTest::keyClick(&f.canvas(), Qt::Key_Down);
    const std::size_t at = *f.canvas().currentLine();
    const ir::ValueId value = f.lines()[at].link.value;
    QVERIFY(value.isValid());
    QTest::keyClick(&f.canvas(), Qt::Key_Return);
    QCOMPARE(f.state.selection().value, value);
}

void TestInspector::withoutASelectionModelAndMachineAreShown() {
    Fixture f(testing::attentionSample());
    QCOMPARE(f.lines().front().text, QStringLiteral("attention_block.onnx"));
    QCOMPARE(f.value("operators"), QStringLiteral("15"));
    QCOMPARE(f.value("MAC"), QStringLiteral("327,155,712"));
    QCOMPARE(f.value("peak fp16"), QStringLiteral("98.3 TFLOP/s"));
    QCOMPARE(f.value("LPDDR5"), QStringLiteral("128 GiB"));
    QCOMPARE(f.value("clock"), QStringLiteral("~1 GHz"));
    QVERIFY(f.panel->sentence().startsWith(
        QStringLiteral("15 operators run as 16 steps on IBM Spyre in ")));
}

void TestInspector::aFigureCarriesStatusAndSource() {
    Fixture f(testing::attentionSample());
    const Line* power = find(f.lines(), QStringLiteral("power"));
    QVERIFY(power && power->status);
    QVERIFY(*power->status == machines::FigureStatus::Published);
    QCOMPARE(power->toolTip, QStringLiteral("published: IBM product page"));
    auto machine = std::make_shared<machines::Machine>(f.result->machine());
    machine->power = {};
    f.result->request.machine = machine;
    f.state.setResult(f.result, false);
    QCOMPARE(f.value("power"), QStringLiteral("unknown"));
    QVERIFY(!find(f.lines(), QStringLiteral("power"))->status);
}

void TestInspector::aRemovedNodeSaysWhere() {
    const auto result = testing::attentionSample();
    const auto node = testing::nodeNamed(*result, "/attn/Mul");
    for (const auto stage : {lowering::Stage::Decomposed, lowering::Stage::Scheduled}) {
        auto& slot = result->program.stages[static_cast<std::size_t>(stage)];
        auto changed = std::make_shared<lowering::StageGraph>(*slot);
        changed->removed.push_back({node, lowering::Stage::Decomposed, "constant folded"});
        slot = changed;
    }
    for (std::size_t stage = 1; stage < lowering::kStageCount; ++stage)
        result->provenance.toStage[stage][node].clear();
    result->provenance.toSteps[node].clear();
    Fixture f(result);
    f.state.selectNode(node);
    QCOMPARE(f.panel->sentence(),
        QStringLiteral("attn/Mul was removed on IBM Spyre at stage Decomposed: constant folded."));
}

void TestInspector::emptyInputsHaveASentence() {
    ViewState none;
    InspectorPanel without(none, nullptr);
    without.resize(444, 274);
    without.show();
    QVERIFY(without.sentence().startsWith(QStringLiteral("No model is open")));
    QVERIFY(without.toCsv().isEmpty());
    Fixture empty(testing::emptySample());
    QVERIFY(empty.panel->sentence().endsWith(u'.'));
    empty.panel->grab();
}

void TestInspector::linesFollowEachOtherAtAnyWidth_data() {
    QTest::addColumn<double>("width");
    for (const double width : {160.0, 280.0, 444.0, 900.0})
        QTest::addRow("%.0f", width) << width;
}

void TestInspector::linesFollowEachOtherAtAnyWidth() {
    QFETCH(double, width);
    ViewState state;
    const auto result = testing::attentionSample();
    state.setResult(result, true);
    for (int pass = 0; pass < 2; ++pass) {
        const Lines lines = present(state);
        const Placement placement = place(lines, width);
        QCOMPARE(placement.lines.size(), lines.size());
        double bottom = 0;
        for (const auto& line : placement.lines) {
            QVERIFY(line.row.top() >= bottom);
            bottom = line.row.bottom();
            QVERIFY(line.value.isEmpty() || line.value.bottom() <= line.row.bottom() + 0.01);
            if (!line.note.isEmpty() && line.note.top() == line.value.top())
                QVERIFY(line.note.left() >= line.value.left());
            QVERIFY(line.note.right() <= width);
            QVERIFY(line.label.isEmpty() || line.label.right() <= line.value.left());
        }
        QVERIFY(placement.height >= bottom);
        for (std::size_t l = 0; l < lines.size(); ++l)
            QCOMPARE(lineAt(placement, placement.lines[l].row.center()), std::optional(l));
        state.selectNode(testing::nodeNamed(*result, "/attn/MatMul"));
    }
}

void TestInspector::aNodeWithManyInputsIsCut() {
    std::vector<std::string> inputs;
    for (int n = 0; n < 500; ++n)
        inputs.push_back("x" + std::to_string(n));
    Fixture f(testing::sampleResult(
        {{"/cat/Concat", ir::Op::Concat, inputs, "y", {4, 4}, 0, 0, 1e-6, 100, 100}}));
    f.state.selectNode(ir::NodeId(0));
    int shown = 0;
    for (const auto& line : f.lines())
        shown += line.label == QLatin1String("input") ? 1 : 0;
    QVERIFY(shown > 10 && shown < 40);
}

void TestInspector::csvHasEveryLine() {
    Fixture f(testing::attentionSample());
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    QVERIFY(f.panel->toCsv().startsWith(QStringLiteral("label,value,note\r\n")));
    QVERIFY(f.panel->toCsv().contains(QStringLiteral("\"[12, 128, 2, 64]\"")));
}

void TestInspector::theLadderNamesTheStageThatAddsMost() {
    Fixture f(testing::attentionSample(), {444, 900});
    QVERIFY(f.result->ladder.addsMost != lowering::Stage::Captured);
    f.state.setStage(lowering::Stage::Captured);
    std::vector<lowering::Stage> stages;
    std::optional<std::size_t> dearest;
    for (std::size_t l = 0; l < f.lines().size(); ++l) {
        const Line& line = f.lines()[l];
        if (line.kind != LineKind::Share)
            continue;
        QVERIFY(line.link.stage.has_value());
        stages.push_back(*line.link.stage);
        QVERIFY(line.share >= 0 && line.share <= 1);
        if (line.isBold) {
            QVERIFY(!dearest);
            dearest = l;
        }
    }
    QVERIFY(std::ranges::equal(stages, lowering::kStages));
    QVERIFY(dearest && f.lines()[*dearest].note.startsWith(u'+'));
    QTest::mouseClick(&f.canvas(), Qt::LeftButton, {},
        f.canvas().placement().lines[*dearest].bar.center().toPoint());
    QVERIFY(f.state.stage() == f.result->ladder.addsMost);
    QVERIFY(f.state.selection().isEmpty());
}

void TestInspector::aCauseLeadsAlongItsChain() {
    Fixture f(testing::attentionSample(), {444, 1400});
    f.state.setStage(lowering::Stage::Captured);
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    const Lines lines = f.lines();
    const auto head = std::ranges::find_if(lines,
        [](const Line& line) { return line.text.startsWith(QStringLiteral("restickify ")); });
    QVERIFY(head != lines.end() && head->link.step.isValid());
    const Line& first = *(head + 1);
    QVERIFY2(first.text.startsWith(QStringLiteral("← ")), qPrintable(first.text));
    QVERIFY(first.link.stage == lowering::Stage::LaidOut);
    const Line& second = *(head + 2);
    QVERIFY2(second.link.selects(), qPrintable(second.text));
    QSet<QString> said;
    for (const Line& line : lines)
        if (line.text.startsWith(QStringLiteral("← "))) { // one clause, and each decision once
            QVERIFY2(!said.contains(line.text), qPrintable(line.text));
            QVERIFY2(!line.text.contains(QStringLiteral(". ")), qPrintable(line.text));
            said.insert(line.text);
        }
    const auto at = static_cast<std::size_t>(head - lines.begin()) + 2;
    QTest::mouseClick(&f.canvas(), Qt::LeftButton, {},
        f.canvas().placement().lines[at].value.topLeft().toPoint() + QPoint(8, 8));
    QVERIFY(f.state.stage() == *second.link.stage);
    if (second.link.value.isValid())
        QCOMPARE(f.state.selection().value, second.link.value);
    else
        QVERIFY(f.state.selection().nodes.front() == second.link.node);
}

void TestInspector::energyIsARangeAndSaysAtLeast() {
    const auto result = testing::attentionSample();
    auto machine = std::make_shared<machines::Machine>(result->machine());
    const auto joules = [](double value) {
        return machines::Figure{value, "J", machines::FigureStatus::Estimated, "a table, 7 nm", ""};
    };
    machine->parameters["energy_mac_fp16_low_j"] = joules(2e-12);
    machine->parameters["energy_mac_fp16_high_j"] = joules(4e-12);
    machine->parameters["energy_bit_LPDDR5_j"] = joules(5e-12);
    result->request.machine = machine;
    analysis::explain(*result);
    Fixture f(result);
    f.state.selectNode(testing::nodeNamed(*result, "/attn/MatMul"));
    const Line* energy = find(f.lines(), QStringLiteral("energy"));
    QVERIFY(energy && energy->kind == LineKind::Band);
    // 25.2 MFLOP at 1 to 2 pJ and 768 KiB at 5 pJ a bit; LX has no figure.
    QCOMPARE(plain(energy->text), QStringLiteral("at least 56.6–81.8 µJ"));
    QVERIFY(energy->isAtLeast && energy->share > 0.6 && energy->share < 0.8);
    QVERIFY(energy->toolTip.contains(QStringLiteral("a table, 7 nm")));
    QVERIFY(energy->toolTip.contains(QStringLiteral("LX: no figure is known")));
}

void TestInspector::theCompilersIdealStandsBesideTheTime() {
    const auto result = testing::attentionSample();
    const auto step = testing::stepNamed(*result, "/attn/MatMul");
    result->program.steps[step].estimate.compilerIdeal = base::Seconds(3.2e-6);
    Fixture f(result);
    f.state.selectNode(testing::nodeNamed(*result, "/attn/MatMul"));
    QCOMPARE(f.value("compiler's ideal"), QStringLiteral("3.2 µs"));
    f.state.selectNode(testing::nodeNamed(*result, "/attn/Mul"));
    QCOMPARE(f.value("compiler's ideal"), QStringLiteral("(no line)"));
}

void TestInspector::severalStepsAreSummed() {
    Fixture f(testing::attentionSample());
    const auto a = testing::nodeNamed(*f.result, "/attn/MatMul");
    const auto b = testing::nodeNamed(*f.result, "/attn/Mul");
    f.state.setSelection({{a, b}, {}, {}, {}});
    double sum = 0;
    for (const auto step : f.state.selectedSteps())
        sum += f.result->program.steps[step].estimate.time.value;
    QCOMPARE(f.value("time"),
        plain(common::formatTime(std::optional(base::Seconds(sum))))
            + QStringLiteral(" in 2 steps"));
}

QTEST_MAIN(TestInspector)
#include "test_inspector.moc"
