// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/machines/bundled_data.h"
#include "core/machines/machine.h"

#include <QDir>
#include <QtTest>

#include <cmath>
#include <set>

using namespace fivefold::machines;

class TestBundledMachines : public QObject {
    Q_OBJECT
private slots:
    void everyFileIsEmbeddedAndReads();
    void pickerOrderIsFamilyThenYear();
    void everyKnownFigureNamesASource();
    void defaultPrecisionFollowsTheRates_data();
    void defaultPrecisionFollowsTheRates();
    void peaksFollowFromUnitsAndClock_data();
    void peaksFollowFromUnitsAndClock();
    void memoriesAddUp();
    void findsByIdOnly();
};

void TestBundledMachines::everyFileIsEmbeddedAndReads() {
    const QDir folder(FIVEFOLD_SOURCE_DIR "/resources/machines");
    const QStringList files = folder.entryList({"*.json"});
    QCOMPARE(int(bundledTexts().size()), int(files.size()));
    for (const BundledText& bundled : bundledTexts()) {
        const auto machine = readMachine(bundled.text, bundled.file);
        QVERIFY2(machine.isOk(), machine ? "" : machine.error().text().c_str());
        QCOMPARE(machine->id + ".json", std::string(bundled.file));
        QFile file(
            folder.filePath(QString::fromUtf8(bundled.file.data(), int(bundled.file.size()))));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray(bundled.text.data(), int(bundled.text.size())));
    }
    QCOMPARE(bundledMachines().size(), bundledTexts().size());
}

void TestBundledMachines::pickerOrderIsFamilyThenYear() {
    std::string families;
    int year = 0;
    for (const auto& machine : bundledMachines()) {
        if (families.find(machine->family) == std::string::npos) {
            families += machine->family + " ";
            year = 0;
        }
        QVERIFY(machine->year >= year);
        year = machine->year;
    }
    QCOMPARE(families, std::string("gpu tpu cerebras groq spyre cpu "));
    QVERIFY(bundledMachines().back()->isBaseline);
}

void TestBundledMachines::everyKnownFigureNamesASource() {
    for (const auto& machine : bundledMachines()) {
        std::set<std::string> names;
        for (const NamedFigure& named : figures(*machine)) {
            const std::string label = machine->id + " " + named.name;
            QVERIFY2(!named.figure.unit.empty(), label.c_str());
            QVERIFY2(names.insert(named.name).second, label.c_str());
            if (!named.figure.isKnown())
                continue;
            QVERIFY2(!named.figure.source.empty(), label.c_str());
            QVERIFY2(std::isfinite(*named.figure.value), label.c_str());
        }
    }
}

void TestBundledMachines::defaultPrecisionFollowsTheRates_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("precision");
    QTest::newRow("H100") << "gpu_h100_sxm"
                          << "bf16";
    QTest::newRow("T4 has no bf16") << "gpu_t4"
                                    << "fp16";
    QTest::newRow("TPU") << "tpu_v5e"
                         << "bf16";
    QTest::newRow("wafer") << "cerebras_wse3"
                           << "fp16";
    QTest::newRow("LPU") << "groq_lpu_v1"
                         << "fp16";
    QTest::newRow("LP30 has fp8 only") << "groq_lp30"
                                       << "fp8";
    QTest::newRow("Spyre") << "spyre"
                           << "fp16";
    QTest::newRow("CPU") << "cpu_reference"
                         << "fp32";
}

void TestBundledMachines::defaultPrecisionFollowsTheRates() {
    QFETCH(QString, id);
    QFETCH(QString, precision);
    const auto machine = findMachine(id.toStdString());
    QVERIFY(machine != nullptr);
    const auto name = toString(machine->defaultPrecision());
    QCOMPARE(QString::fromUtf8(name.data(), int(name.size())), precision);
}

void TestBundledMachines::peaksFollowFromUnitsAndClock_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("peak");
    // Units × multiply-adds a clock × 2 × clock, by hand.
    QTest::newRow("A100") << "gpu_a100_sxm_80gb" << 432 * 256 * 2 * 1.41e9;
    QTest::newRow("H100") << "gpu_h100_sxm" << 528 * 512 * 2 * 1.83e9;
    QTest::newRow("B200") << "gpu_b200_sxm" << 592.0 * 1024 * 2 * 1.856e9;
    QTest::newRow("T4") << "gpu_t4" << 320 * 64 * 2 * 1.59e9;
    QTest::newRow("L4") << "gpu_l4" << 232 * 128 * 2 * 2.04e9;
    QTest::newRow("RTX 4090") << "gpu_rtx4090" << 512 * 64 * 2 * 2.52e9;
    QTest::newRow("TPU v4") << "tpu_v4" << 8 * 128 * 128 * 2 * 1.05e9;
    QTest::newRow("TPU v5p") << "tpu_v5p" << 8 * 128 * 128 * 2 * 1.751e9;
    QTest::newRow("WSE-3") << "cerebras_wse3" << 900000 * 8 * 2 * 1.1e9;
    QTest::newRow("Spyre") << "spyre" << 32 * 1024 * 2 * 1.5e9;
    QTest::newRow("CPU") << "cpu_reference" << 8 * 16 * 2 * 3e9;
}

void TestBundledMachines::peaksFollowFromUnitsAndClock() {
    QFETCH(QString, id);
    QFETCH(double, peak);
    const auto machine = findMachine(id.toStdString());
    QVERIFY(machine != nullptr);
    const double stated = *machine->peak(machine->defaultPrecision());
    QVERIFY2(
        std::abs(stated / peak - 1) < 0.01, qPrintable(QString("%1 vs %2").arg(stated).arg(peak)));
}

void TestBundledMachines::memoriesAddUp() {
    const auto groq = findMachine("groq_lpu_v1");
    QCOMPARE(groq->parameterOr("mem_slices", 0) * groq->parameterOr("slice_bytes", 0),
        *groq->memories[0].capacity.value);
    const auto spyre = findMachine("spyre");
    QCOMPARE(*spyre->memory(MemoryKind::Scratchpad)->usableBytes(), 1625344.0);
    QCOMPARE(spyre->memory(MemoryKind::Scratchpad)->instances, std::int64_t{32});
    const auto wafer = findMachine("cerebras_wse3");
    const Memory* sram = wafer->memory(MemoryKind::Scratchpad);
    QVERIFY(std::abs(*sram->capacity.value * double(sram->instances) / 44e9 - 1) < 0.02);
    const auto h100 = findMachine("gpu_h100_sxm");
    QVERIFY(std::abs(*h100->memory(MemoryKind::Scratchpad)->totalBandwidth() / 30.9e12 - 1) < 0.01);
}

void TestBundledMachines::findsByIdOnly() {
    QVERIFY(findMachine("spyre") != nullptr);
    QVERIFY(findMachine("IBM Spyre") == nullptr);
    QVERIFY(findMachine("") == nullptr);
}

QTEST_APPLESS_MAIN(TestBundledMachines)
#include "test_bundled_machines.moc"
