// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/dot_export.h"
#include "core/analysis/precisions.h"
#include "core/analysis/report.h"
#include "core/analysis/summary.h"
#include "core/families/spyre/family.h"
#include "tests/analysis/analysis_fixture.h"

#include <QJsonDocument>
#include <QtTest>

#include <algorithm>
#include <numeric>
#include <sstream>

using namespace fivefold;
using lowering::Stage;

class TestPipeline : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const analysis::Model> m_model;
    analysis::TypedCache m_cache;

    static void addMachines() {
        QTest::addColumn<QString>("machine");
        for (const auto& machine : machines::bundledMachines())
            QTest::newRow(machine->id.c_str()) << QString::fromStdString(machine->id);
    }
    std::shared_ptr<const analysis::Result> fetched() {
        QFETCH_GLOBAL(QString, machine);
        return tests::analyzeOn(m_model, machine.toStdString(), &m_cache);
    }

private slots:
    void initTestCase_data() { addMachines(); }
    void initTestCase() { m_model = tests::take(analysis::openModel(tests::samplePath())); }

    void everyStageIsSound() {
        const auto result = fetched();
        for (Stage stage : lowering::kStages) {
            const auto findings = lowering::verify(result->program.stage(stage), result->graph());
            QVERIFY2(findings.empty(),
                findings.empty()
                    ? ""
                    : (std::string(lowering::toString(stage)) + ": " + findings[0]).c_str());
        }
    }

    void partsAddUpAndTheTimelineEndsAtTheTotal() {
        const auto result = fetched();
        const analysis::Totals& t = result->totals;
        QVERIFY(t.time.value > 0 || t.unknownSteps > 0);
        QVERIFY(std::abs((t.compute + t.memory + t.scheduling - t.time).value)
            <= 1e-12 * (1 + t.time.value));
        base::Picoseconds end;
        for (const lowering::Event& event : result->program.events)
            end = std::max(end, event.end);
        QVERIFY(std::abs(base::toSeconds(end).value - t.time.value) <= 1e-3 * t.time.value + 1e-12);
    }

    void everyCapturedNodeIsMappedOrItsRemovalIsExplained() {
        const auto result = fetched();
        for (std::size_t i = 0; i < result->graph().nodes.size(); ++i) {
            const auto& scheduled =
                result->provenance.toStage[std::size_t(Stage::Scheduled)][ir::NodeId(i)];
            QVERIFY2(!scheduled.empty() || !result->nodes[ir::NodeId(i)].rule.empty(),
                result->graph().nodes[ir::NodeId(i)].name.c_str());
        }
    }

    void sharesOfTheNodesSumToTheStepsWithSources() {
        const auto result = fetched();
        double ofNodes = 0, ofSteps = 0;
        for (const analysis::NodeSummary& node : result->nodes)
            ofNodes += node.time.value_or(base::Seconds(0)).value;
        for (std::size_t i = 0; i < result->program.steps.size(); ++i) {
            const auto& step = result->program.steps[lowering::StepId(i)];
            if (!result->provenance.fromSteps[lowering::StepId(i)].empty() && step.estimate.isKnown)
                ofSteps += step.estimate.time.value * double(step.executions);
        }
        QVERIFY2(std::abs(ofNodes - ofSteps) <= 1e-9 * (1e-6 + ofSteps),
            qPrintable(QString("%1 %2").arg(ofNodes).arg(ofSteps)));
    }

    void trafficOfTheStepsIsTrafficOfTheLevels() {
        const auto result = fetched();
        std::vector<std::int64_t> bySteps(result->machine().memories.size(), 0);
        for (const lowering::Step& step : result->program.steps)
            for (const lowering::LevelTraffic& t : step.estimate.traffic)
                bySteps[t.level] += t.total().value * step.executions;
        for (const memory::LevelUse& use : result->memory)
            QCOMPARE((use.read + use.written).value, bySteps[use.level]);
    }

    void bytesInUseStayWithinTheCapacityUnlessSpilled() {
        const auto result = fetched();
        for (const memory::LevelUse& use : result->memory) {
            for (const auto& sample : use.samples)
                QVERIFY(sample.bytes.value >= 0);
            if (use.capacity)
                QVERIFY2(
                    use.peak <= *use.capacity, result->machine().memories[use.level].name.c_str());
        }
    }

    void noPredictedPointLiesAboveACeiling() {
        const auto result = fetched();
        double peak = 0;
        for (const roofline::Ceiling& c : result->ceilings)
            if (c.kind == roofline::CeilingKind::Compute && c.value.isKnown())
                peak = std::max(peak, *c.value.value);
        for (const roofline::Point& point : result->points) {
            QVERIFY2(peak == 0 || point.achieved <= peak * (1 + 1e-9),
                result->program.steps[point.step].name.c_str());
            for (const roofline::Ceiling& c : result->ceilings) {
                if (c.kind != roofline::CeilingKind::Memory || !c.value.isKnown())
                    continue;
                if (const auto intensity = point.intensity(c.level))
                    QVERIFY2(point.achieved <= *intensity * *c.value.value * (1 + 1e-9),
                        (result->program.steps[point.step].name + " above " + c.name).c_str());
            }
        }
    }

    void theReportIsValidJson() {
        std::ostringstream out;
        analysis::writeReport(out, *fetched());
        QJsonParseError error;
        QJsonDocument::fromJson(QByteArray::fromStdString(out.str()), &error);
        QCOMPARE(error.errorString(), QJsonParseError().errorString());
    }

    void theDotExportNamesEveryNode() {
        const auto result = fetched();
        const auto& graph = result->program.stage(Stage::Scheduled);
        const std::string dot = analysis::toDot(graph, "a \"label\"");
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            QVERIFY(dot.find("n" + std::to_string(i) + " [label=") != std::string::npos);
        QVERIFY(dot.find("label=\"a \\\"label\\\"\"") != std::string::npos);
    }

    void aPrecisionWithoutARateOrALayoutListsThoseThatWork() {
        const auto result = fetched();
        const auto possible = analysis::precisions(result->machine());
        // 4-bit integers have a rate on Spyre and no stick layout.
        QCOMPARE(possible.size() + (result->machine().family == "spyre" ? 1 : 0),
            result->machine().ratedPrecisions().size());
        for (machines::Precision precision : machines::kAllPrecisions) {
            if (std::ranges::find(possible, precision) != possible.end())
                continue;
            analysis::Request request = result->request;
            request.settings.precision = precision;
            const auto refused = analysis::analyze(request);
            QVERIFY(!refused);
            for (machines::Precision works : possible)
                QVERIFY(
                    refused.error().message.find(machines::toString(works)) != std::string::npos);
        }
    }

    /// The record of matrix products stands for no total that holds other classes.
    void aTotalHasABandOnlyWhereEveryStepHasOne() {
        const auto result = fetched();
        bool all = true;
        for (const lowering::Step& step : result->program.steps)
            all = all && (!(step.estimate.time.value > 0) || step.estimate.low.has_value());
        QVERIFY(all || !result->totals.validated);
        QCOMPARE(result->totals.low.has_value(), all);
        if (result->machine().id == "gpu_h100_sxm")
            QVERIFY(!all); // its elementwise kernels were never measured
    }

    void aGraphThatTheCompilerRefusesHasATimeAndNoMeasuredBand() {
        const auto result = fetched();
        // Spyre's compiler refuses the attention of one batch in the sample.
        QCOMPARE(families::spyre::isRefused(result->program), result->machine().family == "spyre");
        if (result->machine().family != "spyre")
            return;
        QVERIFY(result->machine().parameter("validated_points"));
        QVERIFY(result->totals.time.value > 0);
        QVERIFY(!result->totals.validated && !result->totals.low && !result->totals.high);
        QVERIFY(result->program.mode.find("refuses the graph at /attn/") != std::string::npos);
    }

    void cancellingGivesNoResult() {
        std::stop_source stop;
        stop.request_stop();
        const auto result = fetched();
        const auto cancelled = analysis::analyze(result->request, base::Progress(stop.get_token()));
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, base::ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestPipeline)
#include "test_pipeline.moc"
