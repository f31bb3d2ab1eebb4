// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/predict.h"
#include "core/analysis/refit.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fivefold;
using analysis::OperatorTable;
using roofline::MeasuredOperator;

namespace {

base::CsvTable table(std::vector<std::string> header, std::vector<std::vector<std::string>> rows) {
    return {std::move(header), std::move(rows)};
}

std::optional<double> predictOne(std::vector<std::string> header, std::vector<std::string> row) {
    const auto operators = analysis::readOperators(table(std::move(header), {std::move(row)}));
    return operators ? analysis::predict(operators->rows)[0] : std::nullopt;
}

const std::vector<std::string> kProduct = {"device", "dtype", "m", "n", "k"};
const std::vector<std::string> kSeries = {"group", "machine", "op", "dtype", "m", "n", "k", "pes",
    "shape", "cores", "bytes_read", "bytes_written"};
const std::vector<std::string> kAttention = {
    "device", "stage", "batch", "seq", "step", "heads", "kv_heads", "head_dim", "dtype"};

/// y = a + b·m, both constants free.
void line(const machines::Machine&, std::span<const double> c,
    std::span<const MeasuredOperator> rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = c[0] + c[1] * static_cast<double>(rows[i].m);
}
const roofline::MeasuredEquation kLine = {"line", {"a", "b"}, {1, 1}, line};

std::vector<analysis::Sample> lineSamples(double a, double b, int count) {
    std::vector<analysis::Sample> samples;
    for (int i = 1; i <= count; ++i) {
        analysis::Sample sample;
        sample.row.m = i * i;
        sample.measured = a + b * i * i;
        samples.push_back(sample);
    }
    return samples;
}

} // namespace

class TestPredict : public QObject {
    Q_OBJECT

private slots:
    void theKindOfATableFollowsItsColumns() {
        QVERIFY(
            analysis::readOperators(table(kProduct, {}))->kind == OperatorTable::Kind::Products);
        QVERIFY(
            analysis::readOperators(table(kAttention, {}))->kind == OperatorTable::Kind::Attention);
        QVERIFY(analysis::readOperators(table(kSeries, {}))->kind == OperatorTable::Kind::Series);
        QCOMPARE(analysis::readOperators(table(kSeries, {}))->predictionColumn(),
            std::string("predicted"));
        const auto none = analysis::readOperators(table({"x", "y"}, {}));
        QVERIFY(!none.isOk());
        QVERIFY(none.error().message.find("device, dtype, m, n") != std::string::npos);
    }

    void whatIsNotKnownHasNoPrediction_data() {
        QTest::addColumn<QStringList>("cells");
        QTest::newRow("machine") << QStringList{"gpu_none", "bfloat16", "128", "128", "128"};
        QTest::newRow("dtype") << QStringList{"gpu_h100_sxm", "float7", "128", "128", "128"};
        QTest::newRow("no rate") << QStringList{"gpu_a100_sxm_80gb", "fp8", "128", "128", "128"};
        QTest::newRow("negative") << QStringList{"gpu_h100_sxm", "bfloat16", "-1", "128", "128"};
        QTest::newRow("zero") << QStringList{"gpu_h100_sxm", "bfloat16", "0", "128", "128"};
        QTest::newRow("empty") << QStringList{"gpu_h100_sxm", "bfloat16", "", "128", "128"};
        QTest::newRow("text") << QStringList{"gpu_h100_sxm", "bfloat16", "many", "128", "128"};
        QTest::newRow("huge") << QStringList{"gpu_h100_sxm", "bfloat16", "1e300", "128", "128"};
        QTest::newRow("family") << QStringList{"groq_lpu_v1", "fp16", "128", "128", "128"};
    }
    void whatIsNotKnownHasNoPrediction() {
        QFETCH(QStringList, cells);
        std::vector<std::string> row;
        for (const QString& cell : cells)
            row.push_back(cell.toStdString());
        QVERIFY(!predictOne(kProduct, row));
    }

    void precisionHasLongAndShortNames() {
        const auto brief = predictOne(kProduct, {"gpu_h100_sxm", "bf16", "4096", "4096", "4096"});
        QVERIFY(brief);
        QCOMPARE(predictOne(kProduct, {"gpu_h100_sxm", "bfloat16", "4096", "4096", "4096"}), brief);
    }

    void noProductIsFasterThanThePeak_data() {
        QTest::addColumn<QString>("device");
        for (const auto& machine : machines::bundledMachines())
            if (machine->family == "gpu" && machine->peak(machines::Precision::Fp16))
                QTest::newRow(machine->id.c_str()) << QString::fromStdString(machine->id);
    }
    void noProductIsFasterThanThePeak() {
        QFETCH(QString, device);
        const auto machine = machines::findMachine(device.toStdString());
        for (const std::int64_t size : {16, 128, 1000, 4096, 16384}) {
            const std::string extent = std::to_string(size);
            const auto time =
                predictOne(kProduct, {machine->id, "float16", extent, extent, extent});
            QVERIFY(time);
            const double flops = 2.0 * std::pow(static_cast<double>(size), 3);
            QVERIFY(*time * 1e-6 >= flops / *machine->peak(machines::Precision::Fp16));
        }
    }

    void decodingReadsEveryCachedToken() {
        const auto at = [](const char* step) {
            return *predictOne(kAttention,
                {"gpu_a100_sxm_80gb", "decode", "64", "1", step, "32", "8", "128", "bfloat16"});
        };
        // 64 sequences · 8 heads · 128 · 2 tensors · 2 B a token: 2 GB at 8191 cached ones, 1.05 ms
        // at the A100's 2039 GB/s.
        QVERIFY(at("8191") > 64.0 * 8 * 128 * 2 * 2 * 8192 / 2039e9 * 1e6);
        QVERIFY(at("8191") > 1.8 * at("4095"));
    }

    // measurements.md, 2.3: 307 + 2.39·P + 0.335·(k/P)·(n/P) cycles.
    void aGemvOnTheWaferFollowsItsEquation() {
        const auto cycles = predictOne(kSeries,
            {"wse3_gemv_tree", "cerebras_wse3", "gemv_tree", "fp16", "1", "4320", "4320", "120", "",
                "", "", ""});
        QCOMPARE(*cycles, 307 + 2.39 * 120 + 0.335 * 36 * 36);
    }

    // measurements.md, 2.1: one core up to 2^30 multiply-adds, so 1024³ is as slow as 1536·1024².
    void oneTensorCoreTakesProductsUpTo2To30() {
        const auto matmul = [](const char* m) {
            return *predictOne(kSeries,
                {"tpu_v4_matmul", "tpu_v4", "matmul", "fp16", m, "1024", "1024", "", "", "", "",
                    ""});
        };
        QVERIFY(std::abs(matmul("1024") / matmul("1536") - 1) < 0.15);
    }

    // measurements.md, 2.1: XLA picks the dimension order with least padding: 8 × 32 × 24 pads to
    // 32 rows × 8 outer · 128 lanes in one order and to 8 rows · 128 lanes · 24 in another.
    void elementwiseTakesTheOrderThatPadsLeast() {
        const auto relu = [](const char* shape) {
            return *predictOne(kSeries,
                {"tpu_v4_elementwise", "tpu_v4", "relu", "fp16", "", "", "", "", shape, "", "",
                    ""});
        };
        QCOMPARE(relu("8x32x24"), relu("24x8x32"));
        QVERIFY(relu("8x32x24") < relu("8x32x129"));
    }

    void aRelayoutOnSpyreMovesItsBytesBothWays() {
        const auto time = predictOne(kSeries,
            {"spyre_relayout", "spyre", "restickify", "fp16", "", "", "", "", "512x512", "",
                "524288", "524288"});
        QVERIFY(std::abs(*time - (0.9 + 2 * 524288 / 108e3)) < 1e-9);
    }

    void refittingFindsTheConstantsOfExactData() {
        const machines::Machine machine;
        const auto values = analysis::refit(kLine, machine, lineSamples(3, 0.5, 40), {1, 1}, 2000);
        QVERIFY(std::abs(values[0] / 3 - 1) < 0.01);
        QVERIFY(std::abs(values[1] / 0.5 - 1) < 0.01);
    }

    void constantsOfAnotherSeriesStay() {
        const machines::Machine machine;
        roofline::MeasuredEquation equation = kLine;
        equation.firstOwn = 1;
        equation.ownConstants = 1;
        const auto values =
            analysis::refit(equation, machine, lineSamples(3, 0.5, 40), {2.5, 1}, 2000);
        QCOMPARE(values[0], 2.5);
    }

    void heldOutRowsTakeNoPartInTheFit() {
        const machines::Machine machine;
        auto samples = lineSamples(3, 0.5, 20);
        QVERIFY(analysis::crossValidate(kLine, machine, samples).geomean < 0.01);
        samples[5].measured *= 10; // cannot be explained by the others
        QVERIFY(
            analysis::crossValidate(kLine, machine, samples).geomean > std::pow(9.0, 1.0 / 20) - 1);
    }

    void anInfiniteErrorIsNotHidden() {
        const auto summary = analysis::summarise({0.1, std::numeric_limits<double>::infinity()});
        QVERIFY(std::isinf(summary.geomean));
    }
};

QTEST_GUILESS_MAIN(TestPredict)
#include "test_predict.moc"
