// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/compiler_report.h"
#include "core/analysis/report.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <sstream>

using namespace fivefold;
using analysis::Json;
using lowering::CompilerPass;
using lowering::CompilerPipeline;
using lowering::Stage;

namespace {

const CompilerPipeline& pipelineOf(std::string_view family) {
    return analysis::findFamily(family)->compilerPipeline();
}

std::vector<std::string_view> orderOf(std::string_view family) {
    std::vector<std::string_view> names;
    for (Stage stage : lowering::stageOrder(pipelineOf(family)))
        names.push_back(lowering::toString(stage));
    return names;
}

} // namespace

class TestCompilerPipeline : public QObject {
    Q_OBJECT
private slots:
    void isSoundForEveryFamily();
    void aBrokenPipelineIsFound();
    void everyStageIsDoneByExactlyThePassesThatClaimIt();
    void compilersKeepTheirOwnOrder();
    void unpublishedPartsAreSaidToBe();
    void onGroqNothingAfterCompilationIsDecidedByHardware();
    void settingsNameTheModeInForce();
    void countsAreThoseOfTheStages();
    void theReportListsThePasses();
};

void TestCompilerPipeline::isSoundForEveryFamily() {
    for (const lowering::Family* family : analysis::families()) {
        const auto findings = lowering::verify(family->compilerPipeline());
        QVERIFY2(findings.empty(),
            findings.empty() ? "" : (std::string(family->id()) + ": " + findings.front()).c_str());
        // Words for the stage bar stay short.
        for (const std::string_view word : family->compilerPipeline().stageWords)
            QVERIFY(QString::fromUtf8(word.data(), int(word.size())).size() <= 18);
        for (const CompilerPass& pass : family->compilerPipeline().passes)
            QVERIFY2(pass.does.back() == '.', pass.id.data());
    }
}

void TestCompilerPipeline::aBrokenPipelineIsFound() {
    CompilerPipeline pipeline = pipelineOf("tpu");
    pipeline.passes[1].source = {};
    QCOMPARE(lowering::verify(pipeline).size(), std::size_t(1));
    pipeline = pipelineOf("tpu");
    std::erase_if(
        pipeline.passes, [](const CompilerPass& pass) { return pass.claims(Stage::Fused); });
    QCOMPARE(lowering::verify(pipeline).size(), std::size_t(1));
    pipeline = pipelineOf("tpu");
    std::swap(pipeline.passes.front(), pipeline.passes.back());
    QVERIFY(!lowering::verify(pipeline).empty());
}

void TestCompilerPipeline::everyStageIsDoneByExactlyThePassesThatClaimIt() {
    for (const lowering::Family* family : analysis::families()) {
        const CompilerPipeline& pipeline = family->compilerPipeline();
        std::size_t claims = 0, done = 0;
        for (const CompilerPass& pass : pipeline.passes)
            claims += pass.stages.size();
        for (Stage stage : lowering::kStages) {
            const auto passes = lowering::passesOf(pipeline, stage);
            QVERIFY(!passes.empty());
            for (const CompilerPass* pass : passes)
                QVERIFY(pass->claims(stage));
            done += passes.size();
        }
        QCOMPARE(done, claims);
    }
    const auto fused = lowering::passesOf(pipelineOf("spyre"), Stage::Fused);
    QCOMPARE(fused.size(), std::size_t(1));
    QVERIFY(fused.front()->name == "spyre_fuse_nodes");
}

void TestCompilerPipeline::compilersKeepTheirOwnOrder() {
    using Order = std::vector<std::string_view>;
    // XLA lays out before it fuses; Spyre lays out and plans LX before it bundles.
    QVERIFY((orderOf("tpu")
        == Order{"captured", "decomposed", "laid_out", "fused", "placed", "scheduled"}));
    QVERIFY((orderOf("spyre")
        == Order{"captured", "decomposed", "laid_out", "placed", "fused", "scheduled"}));
    for (const lowering::Family* family : analysis::families()) {
        const Order order = orderOf(family->id());
        QCOMPARE(order.size(), lowering::kStageCount);
        QVERIFY(order.front() == "captured");
    }
    const CompilerPipeline& spyre = pipelineOf("spyre");
    QVERIFY(spyre.find("scratchpad") < spyre.find("fuse_nodes"));
    QVERIFY(pipelineOf("tpu").find("layout_assignment") < pipelineOf("tpu").find("fusion"));
    QVERIFY(!pipelineOf("tpu").find("no such pass"));
}

void TestCompilerPipeline::unpublishedPartsAreSaidToBe() {
    QVERIFY(pipelineOf("tpu").find("llo")->disclosure == lowering::Disclosure::Unpublished);
    for (const std::string_view family : machines::kFamilies) {
        const CompilerPipeline& pipeline = pipelineOf(family);
        const bool hasClosedPart = std::ranges::any_of(pipeline.passes,
            [](const CompilerPass& pass) { return pass.disclosure != lowering::Disclosure::Open; });
        QCOMPARE(hasClosedPart, !pipeline.unpublished.empty());
    }
}

void TestCompilerPipeline::onGroqNothingAfterCompilationIsDecidedByHardware() {
    for (const CompilerPass& pass : pipelineOf("groq").passes)
        QVERIFY2(pass.decidedBy != lowering::DecidedBy::Hardware, pass.id.data());
    const auto& gpu = pipelineOf("gpu").passes;
    QVERIFY(std::ranges::any_of(gpu,
        [](const CompilerPass& pass) { return pass.decidedBy == lowering::DecidedBy::Hardware; }));
}

void TestCompilerPipeline::settingsNameTheModeInForce() {
    const auto modeOf = [](std::string_view machineId, const lowering::Settings& settings) {
        const auto machine = machines::findMachine(machineId);
        const lowering::Family* family = analysis::findFamily(machine->family);
        const auto* mode =
            analysis::modeInForce(family->compilerPipeline(), settings, family->settings(*machine));
        return mode ? mode->id : std::string_view();
    };
    lowering::Settings settings;
    settings.values["cuda_graph"] = "off";
    QVERIFY(modeOf("gpu_h100_sxm", settings) == "default");
    settings.isFusionOn = false;
    QVERIFY(modeOf("gpu_h100_sxm", settings) == "eager");
    settings = {};
    settings.values["cuda_graph"] = "on";
    QVERIFY(modeOf("gpu_h100_sxm", settings) == "reduce-overhead");
    settings = {};
    settings.values["layout"] = "2026-06";
    QVERIFY(modeOf("spyre", settings) == "2026-06");
    settings.values.clear();
    QVERIFY(modeOf("spyre", settings) == "2026-09"); // the default
    settings.precision = machines::Precision::Int8;
    QVERIFY(modeOf("groq_lpu_v1", settings) == "int8");
    settings.precision = machines::Precision::Fp32;
    QVERIFY(modeOf("groq_lpu_v1", settings).empty()); // GroqFlow has no such mode
}

void TestCompilerPipeline::countsAreThoseOfTheStages() {
    const auto model = tests::take(analysis::openModel(tests::samplePath()));
    for (const std::string_view machine : tests::kFiveMachines) {
        const auto result = tests::analyzeOn(model, machine);
        const CompilerPipeline& pipeline = pipelineOf(result->machine().family);
        for (const CompilerPass& pass : pipeline.passes) {
            const auto counts = analysis::passCounts(*result, pass);
            QCOMPARE(counts.size(), pass.metrics.size());
            for (const analysis::PassCount& count : counts) {
                QVERIFY(count.value.has_value());
                const Stage stage =
                    pass.stages.empty() ? Stage::Scheduled : std::ranges::max(pass.stages);
                if (count.metric == lowering::PassMetric::Nodes)
                    QCOMPARE(*count.value, double(result->program.stage(stage).nodes.size()));
                if (count.metric == lowering::PassMetric::Kernels)
                    QCOMPARE(*count.value, double(result->program.stage(stage).kernels.size()));
                if (count.metric == lowering::PassMetric::Time)
                    QCOMPARE(*count.value, result->totals.time.value);
                if (count.metric == lowering::PassMetric::OnChip)
                    QVERIFY(*count.value <= double(result->program.buffers.size()));
            }
        }
    }
}

void TestCompilerPipeline::theReportListsThePasses() {
    const auto model = tests::take(analysis::openModel(tests::samplePath()));
    for (const std::string_view machine : tests::kFiveMachines) {
        std::ostringstream out;
        analysis::writeReport(out, *tests::analyzeOn(model, machine), "");
        const Json report = Json::parse(out.str());
        const CompilerPipeline& pipeline =
            pipelineOf(report["machine"]["family"].get<std::string>());
        QCOMPARE(report["pipeline"].size(), pipeline.passes.size());
        QCOMPARE(report["compiler"]["stage_order"].size(), lowering::kStageCount);
        QVERIFY(report["compiler"].contains("mode"));
        for (const Json& pass : report["pipeline"]) {
            QVERIFY(!pass["source"].get<std::string>().empty());
            QVERIFY(pass["counts"].is_object());
        }
        const bool hasArray =
            machine == "tpu_v5e" || machine == "groq_lpu_v1" || machine == "spyre";
        QCOMPARE(report["product"].is_object(), hasArray);
        if (hasArray)
            QVERIFY(report["product"]["cycles"].get<std::int64_t>() > 0);
    }
}

QTEST_GUILESS_MAIN(TestCompilerPipeline)
#include "test_compiler_pipeline.moc"
