// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/analysis/json_stream.h"
#include "core/analysis/kernel_cycles.h"
#include "core/analysis/pipeline.h"

#include <QtTest>

#include <sstream>

using namespace fivefold;

namespace {

std::shared_ptr<const analysis::Result> block(const std::string& machine) {
    auto model = analysis::openModel(test::kAttentionBlock);
    if (!model)
        return nullptr;
    const auto found = machines::findMachine(machine);
    lowering::Settings settings;
    settings.precision = found->defaultPrecision();
    auto result = analysis::analyze({*model, found, {}, settings});
    return result ? *result : nullptr;
}

} // namespace

/// The cycle view that a panel and the command line ask the analysis for.
class TestGroqCycles : public QObject {
    Q_OBJECT

private slots:
    void aKernelIsFoundByItsName();
    void unknownKernelsAndMachinesAreRefusedInASentence();
    void theReportHoldsRowsAndPhases();
};

void TestGroqCycles::aKernelIsFoundByItsName() {
    const auto result = block("groq_lpu_v1");
    QVERIFY(result);
    const auto view = analysis::kernelCycles(*result, "/attn/c_attn/MatMul");
    QVERIFY(view.isOk());
    // 128 × 768 · 768 × 2304 in fp16: 48 rounds of 64 rows, 40 cycles to install, 44 to arrive.
    QCOMPARE(view->cycles, std::int64_t{48 * 64 + 40 + 44});
    QCOMPARE(view->clockHz, 0.9e9);
}

void TestGroqCycles::unknownKernelsAndMachinesAreRefusedInASentence() {
    const auto lpu = block("groq_lpu_v1"), tpu = block("tpu_v5e");
    QVERIFY(lpu && tpu);
    const auto unknown = analysis::kernelCycles(*lpu, "no such kernel");
    QVERIFY(!unknown.isOk());
    QVERIFY(unknown.error().message.find("\"no such kernel\"") != std::string::npos);
    const auto wrong = analysis::kernelCycles(*tpu, "/attn/c_attn/MatMul");
    QVERIFY(!wrong.isOk());
    QVERIFY(wrong.error().message.find("TPU v5e") != std::string::npos);
}

void TestGroqCycles::theReportHoldsRowsAndPhases() {
    const auto result = block("groq_lpu_v1");
    QVERIFY(result);
    const auto view = analysis::kernelCycles(*result, "/attn/c_attn/MatMul");
    QVERIFY(view.isOk());
    std::ostringstream out;
    {
        analysis::JsonStream json(out);
        json.beginObject();
        analysis::writeCycles(json, *view);
        json.endObject();
    }
    const auto json = analysis::Json::parse(out.str());
    QCOMPARE(json["cycles"].size(), std::size_t(analysis::kMostCycleRows));
    QCOMPARE(json["cycles"][0]["MXM"].get<std::string>(), std::string("Install weights"));
    QCOMPARE(json["cycle_view"]["cycles"].get<std::int64_t>(), view->cycles);
    QCOMPARE(json["cycle_view"]["phases"].size(), view->phases.size());
}

QTEST_APPLESS_MAIN(TestGroqCycles)
#include "test_groq_cycles.moc"
