// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"

#include <QTest>

using namespace fivefold;

namespace {

numerics::Subject lowered(const std::string& sample, const std::string& machine) {
    auto model = analysis::openModel(
        std::string(FIVEFOLD_SOURCE_DIR) + "/samples/faults/" + sample + ".onnx");
    auto found = machines::machineByIdOrFile(machine);
    if (!model || !found)
        return {};
    analysis::Request request{*model, *found, {}, {}};
    request.settings.precision = (*found)->defaultPrecision();
    auto result = analysis::analyze(request);
    return result ? analysis::subjectOf(*result) : numerics::Subject();
}

} // namespace

class TestControls : public QObject {
    Q_OBJECT

private slots:
    void areNoBugs_data();
    void areNoBugs();
};

void TestControls::areNoBugs_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("machine");
    QTest::newRow("C1") << 1 << "scaled_bias"
                        << "gpu_h100_sxm";
    QTest::newRow("C2") << 2 << "two_products"
                        << "tpu_v5e";
    QTest::newRow("C3") << 3 << "bias_table"
                        << "spyre";
    QTest::newRow("C4") << 4 << "scaled_gemm"
                        << "gpu_h100_sxm";
    QTest::newRow("C5") << 5 << "norm_rows"
                        << "gpu_h100_sxm";
    QTest::newRow("C6") << 6 << "floor_rows"
                        << "gpu_h100_sxm";
    QTest::newRow("C7") << 7 << "attention_causal"
                        << "gpu_h100_sxm";
    QTest::newRow("C8") << 8 << "random_rows"
                        << "gpu_h100_sxm";
}

void TestControls::areNoBugs() {
    QFETCH(int, number);
    QFETCH(QString, sample);
    QFETCH(QString, machine);
    const auto subject = lowered(sample.toStdString(), machine.toStdString());
    QVERIFY(subject.program);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const auto inputs =
            compare::controlInputs(compare::lessonInputs(subject, {}, seed), number, seed);
        auto device = compare::control(subject, inputs, number, seed);
        QVERIFY2(device.isOk(), device ? "" : device.error().text().c_str());
        compare::Side side;
        side.repeats = {compare::dumpOf(*std::move(device), "control")};
        compare::CompareOptions options;
        options.arithmetic = numerics::arithmeticOf(*subject.machine, subject.precision);
        const auto divergence = compare::compareRuns(subject, nullptr, side, inputs, options);
        QVERIFY2(divergence.isOk(), divergence ? "" : divergence.error().text().c_str());
        if (!divergence->origins.empty()) {
            const auto& layer = divergence->layers[divergence->origins.front()];
            QFAIL(("seed " + std::to_string(seed) + ": " + layer.nodeName + ": " + layer.reason)
                      .c_str());
        }
    }
}

QTEST_GUILESS_MAIN(TestControls)
#include "test_controls.moc"
