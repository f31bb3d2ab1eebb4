// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/summary.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <filesystem>
#include <set>

using namespace fivefold;
using lowering::Stage;

/// Real models on all five machines; skipped where they are not at hand.
class TestNamedModels : public QObject {
    Q_OBJECT

private slots:
    void theyLowerOnEveryMachine_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"attention_block_b1_s128_d768_h12", "resnet50_stripped",
                 "mobilenet_v2", "gpt2_small", "bert_base_like", "llama7b_dims_2l_stripped",
                 "silero_vad_v5", "ch_PP-OCRv4_det_infer", "moe_top2_of_8_dense_stripped",
                 "big_moe_96l_16e_stripped"})
            QTest::newRow(model) << QString(model);
    }

    void theyLowerOnEveryMachine() {
        QFETCH(QString, model);
        const std::filesystem::path folder = qEnvironmentVariable("FIVEFOLD_SHARED").toStdString();
        const auto path = folder / "data/onnx" / (model.toStdString() + ".onnx");
        if (folder.empty() || !std::filesystem::exists(path))
            QSKIP("FIVEFOLD_SHARED does not name a folder with this model");
        const auto opened = tests::take(analysis::openModel(path));
        const auto summary = tests::take(analysis::summarize(*opened, {}));
        QCOMPARE(summary.unknownCostNodes, 0);
        QVERIFY(summary.macs.has_value());
        analysis::TypedCache cache;
        std::set<double> times;
        for (std::string_view machine : tests::kFiveMachines) {
            const auto result = tests::analyzeOn(opened, machine, &cache);
            times.insert(result->totals.time.value);
            for (Stage stage : lowering::kStages) {
                const auto findings =
                    lowering::verify(result->program.stage(stage), result->graph());
                QVERIFY2(findings.empty(), findings.empty() ? "" : findings[0].c_str());
            }
            QVERIFY(result->totals.time.value > 0);
            double peak = 0;
            for (const roofline::Ceiling& c : result->ceilings)
                if (c.kind == roofline::CeilingKind::Compute)
                    peak = std::max(peak, c.value.valueOr(0));
            if (peak > 0)
                QVERIFY(result->totals.time.value >= 0.9 * 2 * double(*summary.macs) / peak);
        }
        QCOMPARE(times.size(), std::size(tests::kFiveMachines));
    }
};

QTEST_APPLESS_MAIN(TestNamedModels)
#include "test_named_models.moc"
