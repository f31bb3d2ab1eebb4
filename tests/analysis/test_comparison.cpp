// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/comparison.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace fivefold;
using analysis::ComparisonRow;
using analysis::RaceLane;

namespace {

std::shared_ptr<const analysis::Result> resultOn(std::string_view machine) {
    static const auto kModel = tests::take(analysis::openModel(tests::samplePath()));
    static analysis::TypedCache cache;
    return tests::analyzeOn(kModel, machine, &cache);
}

/// What the union of all events covers.
std::int64_t covered(const RaceLane& lane) {
    std::int64_t sum = 0, reached = 0;
    for (const analysis::RaceEvent& event : lane.events) {
        sum += std::max<std::int64_t>(0, event.end.value - std::max(reached, event.start.value));
        reached = std::max(reached, event.end.value);
    }
    return sum;
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT
private slots:
    void theWholeGraphIsTheTotal_data();
    void theWholeGraphIsTheTotal();
    void aSelectionIsItsSteps();
    void whatIsRemovedSaysSo();
    void theRaceOfTheWholeEndsWithTheTotal();
    void theRaceOfASelectionStandsStillForOthers();
    void sentencesNameTheReason();
    void wordsAreTheMachines();
};

void TestComparison::theWholeGraphIsTheTotal_data() {
    QTest::addColumn<QString>("machine");
    for (const std::string_view machine : tests::kFiveMachines)
        QTest::addRow("%s", machine.data()) << QString::fromUtf8(machine.data());
}

void TestComparison::theWholeGraphIsTheTotal() {
    QFETCH(QString, machine);
    const auto result = resultOn(machine.toStdString());
    const ComparisonRow row = analysis::compare(*result, {});
    QVERIFY(row.time && *row.time == result->totals.time);
    QCOMPARE(row.isAtLeast, result->totals.unknownSteps > 0);
    QCOMPARE(row.isValidated, result->totals.validated && result->totals.low);
    QCOMPARE(row.low.has_value(), row.isValidated);
    QCOMPARE(row.validation == "not validated", !row.isValidated);
    if (row.isValidated)
        QVERIFY(*row.low < *row.time && *row.time < *row.high);
    for (const auto& [level, bytes] : row.bytesByLevel) {
        const memory::LevelUse& use = result->memory[level];
        QCOMPARE(bytes.value, use.read.value + use.written.value);
    }
    QVERIFY(std::ranges::is_sorted(row.bytesByLevel));
    QVERIFY(row.boundShare > 0.33 && row.boundShare <= 1);
    QCOMPARE(row.others, 0);
    QVERIFY(row.because.ends_with('.'));
}

void TestComparison::aSelectionIsItsSteps() {
    for (const std::string_view machine : tests::kFiveMachines) {
        const auto result = resultOn(machine);
        const ir::NodeId node = tests::nodeNamed(result->graph(), "/attn/c_attn/MatMul");
        const auto steps = analysis::comparedSteps(*result, {{node}});
        QVERIFY(!steps.empty());
        double seconds = 0;
        for (const lowering::StepId id : steps) {
            const lowering::Step& step = result->program.steps[id];
            seconds += step.estimate.time.value * static_cast<double>(step.executions);
        }
        const ComparisonRow row = analysis::compare(*result, {{node}});
        QVERIFY(row.time && std::abs(row.time->value - seconds) < 1e-15);
        QVERIFY(*row.time < result->totals.time);
        // Two selected nodes of one kernel count once.
        const ComparisonRow twice = analysis::compare(*result, {{node, node}});
        QVERIFY(*twice.time == *row.time);
        QCOMPARE(twice.kernels, row.kernels);
    }
    // On a GPU the bias runs in the product's kernel: the other captured nodes are told of.
    const auto gpu = resultOn("gpu_h100_sxm");
    const ir::NodeId node = tests::nodeNamed(gpu->graph(), "/attn/c_attn/MatMul");
    QVERIFY(analysis::compare(*gpu, {{node}}).others > 0);
}

void TestComparison::whatIsRemovedSaysSo() {
    const auto result = resultOn("spyre");
    const ComparisonRow nowhere = analysis::compare(*result, {{ir::NodeId(1000000)}});
    QVERIFY(nowhere.isRemoved);
    QVERIFY(!nowhere.time);
    QCOMPARE(nowhere.kernels, 0);
    int removed = 0;
    for (std::size_t i = 0; i < result->graph().nodes.size(); ++i) {
        const ir::NodeId id(i);
        if (!result->provenance.toSteps[id].empty())
            continue;
        ++removed;
        const ComparisonRow row = analysis::compare(*result, {{id}});
        QVERIFY(row.isRemoved);
        QVERIFY2(row.because.starts_with("Nothing of it is left"), row.because.c_str());
        QCOMPARE(analysis::raceLane(*result, {{id}}).length.value, 0);
    }
    QVERIFY(removed > 0); // the sample has constants and views
}

void TestComparison::theRaceOfTheWholeEndsWithTheTotal() {
    for (const std::string_view machine : tests::kFiveMachines) {
        const auto result = resultOn(machine);
        const RaceLane lane = analysis::raceLane(*result, {});
        QVERIFY(!lane.events.empty());
        const double total = result->totals.time.value * base::kPicosecondsPerSecond;
        QVERIFY2(std::abs(static_cast<double>(lane.length.value) - total) < 1e-6 * total + 2,
            machine.data());
        QVERIFY(std::ranges::is_sorted(lane.events, {}, &analysis::RaceEvent::start));
        for (const auto& event : lane.events)
            QVERIFY(event.resource < lane.resources.size() && event.end > event.start);
    }
}

void TestComparison::theRaceOfASelectionStandsStillForOthers() {
    for (const std::string_view machine : tests::kFiveMachines) {
        const auto result = resultOn(machine);
        // First and last product: others run between them.
        const std::vector<ir::NodeId> nodes = {
            tests::nodeNamed(result->graph(), "/attn/c_attn/MatMul"),
            tests::nodeNamed(result->graph(), "/attn/c_proj/MatMul")};
        const RaceLane lane = analysis::raceLane(*result, nodes);
        QCOMPARE(lane.events.front().start.value, 0);
        QCOMPARE(covered(lane), lane.length.value); // no gap is left
        QVERIFY(lane.length < analysis::raceLane(*result, {}).length);
    }
}

void TestComparison::sentencesNameTheReason() {
    // The largest stretch of the gap is what the sentence is about, with its share.
    for (const std::string_view machine : tests::kFiveMachines) {
        const auto result = resultOn(machine);
        const std::string because = analysis::compare(*result, {}).because;
        QVERIFY2(because.find('%') != std::string::npos, because.c_str());
        QVERIFY2(because.find("nan") == std::string::npos, because.c_str());
    }
    // Launches from the host are worth a CUDA graph.
    analysis::Request request = resultOn("gpu_h100_sxm")->request;
    request.settings.values["cuda_graph"] = "off";
    const auto slow = tests::take(analysis::analyze(request));
    const auto gap = roofline::gapOf(slow->program, slow->machine());
    const auto largest = std::ranges::max_element(
        gap.parts, {}, [](const roofline::GapPart& part) { return part.time; });
    const std::string because = analysis::compare(*slow, {}).because;
    if (largest->kind == roofline::GapKind::Launch)
        QVERIFY2(because.find("CUDA graph") != std::string::npos, because.c_str());
}

void TestComparison::wordsAreTheMachines() {
    const std::pair<std::string_view, std::string_view> kWords[] = {
        {"gpu_h100_sxm", "kernels"}, {"tpu_v5e", "fusions"}, {"spyre", "bundle"}};
    for (const auto& [machine, word] : kWords) {
        const ComparisonRow row = analysis::compare(*resultOn(machine), {});
        QVERIFY2(row.programs.find(word) != std::string::npos, row.programs.c_str());
        QVERIFY(row.programs.starts_with(std::to_string(row.kernels)));
        QVERIFY(!row.detail.empty());
    }
    const ComparisonRow groq = analysis::compare(*resultOn("groq_lpu_v1"), {});
    QVERIFY(groq.padding.value > 0);
    QCOMPARE(groq.paddingDetail, std::string("lanes of 320"));
}

QTEST_APPLESS_MAIN(TestComparison)
#include "test_comparison.moc"
