// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/pipeline.h"
#include "core/analysis/play.h"
#include "core/analysis/report.h"
#include "core/analysis/report_firing.h"
#include "core/schedule/schedule.h"

#include <QtTest>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace fivefold;
using analysis::PlayBlock;
using analysis::PlayRequest;
using schedule::ExecutionModel;
using schedule::FiringOptions;

namespace {

constexpr const char* kMachines[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};
constexpr ExecutionModel kModels[] = {ExecutionModel::ProgramCounter,
    ExecutionModel::DynamicDataflow, ExecutionModel::StaticSchedule};

FiringOptions with(ExecutionModel model, double jitter = 0) {
    FiringOptions options;
    options.model = model;
    options.jitter = jitter;
    return options;
}

} // namespace

class TestFiringReport : public QObject {
    Q_OBJECT

private:
    std::map<std::string, std::shared_ptr<const analysis::Result>> m_results;

    std::shared_ptr<const analysis::Result> on(const std::string& machineId) {
        auto& result = m_results[machineId];
        if (result)
            return result;
        const auto model = analysis::openModel(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx");
        const auto machine = machines::findMachine(machineId);
        if (!model || !machine)
            return nullptr;
        analysis::Request request{*model, machine, {}, {}};
        request.settings.precision = machine->defaultPrecision();
        if (const auto done = analysis::analyze(request))
            result = *done;
        return result;
    }

private slots:
    void everyEventFiresOnceOnEveryMachine_data() {
        QTest::addColumn<QString>("machine");
        for (const char* machine : kMachines)
            QTest::addRow("%s", machine) << QString::fromLatin1(machine);
    }

    void everyEventFiresOnceOnEveryMachine() {
        QFETCH(QString, machine);
        const auto result = on(machine.toStdString());
        QVERIFY(result);
        PlayRequest request;
        for (const ExecutionModel model : kModels) {
            request.models.push_back(with(model));
            request.models.push_back(with(model, 0.3));
        }
        const analysis::Play played = analysis::play(*result, request);
        QCOMPARE(played.traces.size(), request.models.size());
        const auto makespan = schedule::makespan(result->program);
        for (const auto& trace : played.traces) {
            QCOMPARE(trace.firings.size(), result->program.events.size());
            QVERIFY(!trace.deadlock);
            QVERIFY(!trace.sentence.empty());
            QCOMPARE(trace.planned.value, makespan.value);
            if (trace.options.jitter == 0.0)
                QVERIFY2(trace.length <= makespan, trace.sentence.c_str());
            if (trace.options.model == ExecutionModel::StaticSchedule) {
                QCOMPARE(trace.length.value, makespan.value);
                QCOMPARE(trace.lateOperands > 0, trace.options.jitter > 0);
            }
        }
        QVERIFY(played.traces[1].length >= played.traces[0].length);
        QVERIFY(!played.difference.empty());
    }

    void blocks() {
        const auto result = on("spyre");
        QVERIFY(result);
        PlayRequest request;
        request.models = {with(ExecutionModel::ProgramCounter)};
        QVERIFY(analysis::play(*result, request).block == PlayBlock::Graph);
        request.block = PlayBlock::Selection; // nothing is selected
        QVERIFY(analysis::play(*result, request).block == PlayBlock::Graph);
        const auto product = analysis::playRequest(result->graph(), "/attn/MatMul", request.models);
        QVERIFY(product);
        const auto one = analysis::play(*result, *product);
        QCOMPARE(one.blockName, std::string("/attn/MatMul"));
        QVERIFY(!one.steps.empty() && one.steps.size() < result->program.steps.size());
        QVERIFY(one.length < schedule::makespan(result->program));
        for (const auto& firing : one.traces[0].firings)
            QVERIFY(std::find(one.steps.begin(), one.steps.end(),
                        result->program.events[firing.event].step)
                != one.steps.end());
        const auto scope = analysis::playRequest(result->graph(), "/attn", request.models);
        QVERIFY(scope);
        QVERIFY(analysis::play(*result, *scope).steps.size() > one.steps.size());
        const auto none = analysis::playRequest(result->graph(), "/nothing", request.models);
        QVERIFY(!none && none.error().code == base::ErrorCode::NotFound);
        request.nodes = {ir::NodeId(1000000)}; // out of range
        QVERIFY(analysis::play(*result, request).block == PlayBlock::Graph);
    }

    void optionsAsTextAndWhatIsWrongWithThem() {
        const auto options = analysis::parseFiringOptions(
            "dynamic_dataflow:jitter=0.3,seed=7,queue=4,arbitration=critical_first,late=12");
        QVERIFY(options);
        QVERIFY(options->model == ExecutionModel::DynamicDataflow);
        QCOMPARE(options->jitter, 0.3);
        QCOMPARE(options->seed, std::uint64_t(7));
        QCOMPARE(options->queueCapacity, std::int64_t(4));
        QVERIFY(options->arbitration == schedule::Arbitration::CriticalFirst);
        QVERIFY(options->late == lowering::EventId(12));
        QVERIFY(analysis::parseFiringOptions("static_schedule"));
        for (const char* wrong : {"", "magic", "program_counter:jitter", "program_counter:jitter=5",
                 "program_counter:jitter=nan", "program_counter:seed=-1", "program_counter:queue=0",
                 "program_counter:speed=1", "program_counter:arbitration=mine",
                 "program_counter:late=x", "program_counter:jitter=0.1x"}) {
            const auto refused = analysis::parseFiringOptions(wrong);
            QVERIFY2(!refused, wrong);
            QVERIFY(refused.error().message.size() > 20);
        }
    }

    void theReportHoldsWhatThePanelShows() {
        const auto result = on("groq_lpu_v1");
        QVERIFY(result);
        PlayRequest request;
        request.models = {
            with(ExecutionModel::StaticSchedule, 0.5), with(ExecutionModel::DynamicDataflow, 0.5)};
        const analysis::Play played = analysis::play(*result, request);
        std::ostringstream out, again;
        analysis::writeReport(out, *result, {}, nullptr, &played);
        analysis::writeReport(again, *result, {}, nullptr, &played);
        QVERIFY(out.str() == again.str());
        const auto json = nlohmann::json::parse(out.str());
        const auto& firing = json.at("firing");
        QCOMPARE(firing.at("block").get<std::string>(), std::string("graph"));
        QCOMPARE(
            firing.at("own_model").at("model").get<std::string>(), std::string("static_schedule"));
        QVERIFY(firing.at("difference").get<std::string>().find("stale") != std::string::npos);
        const auto& fixed = firing.at("traces").at(0);
        QCOMPARE(fixed.at("late_operands").get<std::int64_t>(), played.traces[0].lateOperands);
        QCOMPARE(fixed.at("firings").size(), played.traces[0].firings.size());
        QCOMPARE(fixed.at("flights").size(), played.traces[0].flights.size());
        QVERIFY(fixed.at("deadlock").is_null());
        QVERIFY(!firing.at("traces").at(1).at("queues").empty());
        std::int64_t late = 0;
        for (const auto& each : fixed.at("firings"))
            late += each.at("late_operands").get<std::int64_t>();
        QCOMPARE(late, played.traces[0].lateOperands);
        std::ostringstream without;
        analysis::writeReport(without, *result);
        QVERIFY(!nlohmann::json::parse(without.str()).contains("firing"));
    }

    void everyFamilyHasItsModel() {
        for (const std::string_view family : machines::kFamilies)
            QVERIFY(!analysis::ownModel(family).because.empty());
        QVERIFY(analysis::ownModel("groq").model == ExecutionModel::StaticSchedule);
        QVERIFY(analysis::ownModel("cerebras").model == ExecutionModel::DynamicDataflow);
        for (const ExecutionModel model : kModels)
            QVERIFY(analysis::otherModel(model) != model);
    }
};

QTEST_APPLESS_MAIN(TestFiringReport)
#include "test_firing_report.moc"
