// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/diagnostics.h"
#include "core/base/id.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/sha256.h"
#include "core/base/units.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace fivefold::base;

class TestBase : public QObject {
    Q_OBJECT

private slots:
    void anIdIsInvalidUntilGivenAnIndex() {
        using NodeId = Id<struct SomeTag>;
        QVERIFY(!NodeId().isValid());
        IdVector<NodeId, int> items;
        const NodeId first = items.add(7);
        QVERIFY(first.isValid());
        QCOMPARE(items[first], 7);
        QVERIFY(items.contains(first));
        QVERIFY(!items.contains(NodeId()));
        QVERIFY(!items.contains(NodeId(1)));
    }

    void secondsAndPicosecondsConvertExactly_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<qint64>("picoseconds");
        QTest::newRow("zero") << 0.0 << qint64(0);
        QTest::newRow("a picosecond") << 1e-12 << qint64(1);
        QTest::newRow("rounds half away") << 1.5e-12 << qint64(2);
        QTest::newRow("88.8 us") << 88.8e-6 << qint64(88'800'000);
        QTest::newRow("an hour") << 3600.0 << qint64(3'600'000'000'000'000);
    }

    void secondsAndPicosecondsConvertExactly() {
        QFETCH(double, seconds);
        QFETCH(qint64, picoseconds);
        QCOMPARE(toPicoseconds(Seconds(seconds)).value, picoseconds);
        QVERIFY(std::abs(toSeconds(Picoseconds(picoseconds)).value - seconds) <= 1e-12);
    }

    void transferAndComputeTimesAreQuotients() {
        // 204.8 GB/s moves 2048 bytes in 10 ns; 98.304 TFLOP/s does 983040 operations in 10 ns.
        QVERIFY(std::abs(transferTime(Bytes(2048), 204.8e9).value - 10e-9) < 1e-18);
        QVERIFY(std::abs(computeTime(Flops(983040), 98.304e12).value - 10e-9) < 1e-18);
    }

    void aResultHoldsAValueOrASentence() {
        const Result<int> good = 5;
        QVERIFY(good.isOk());
        QCOMPARE(*good, 5);
        const Result<int> bad = Error{ErrorCode::NotFound, "There is no such file.", "x.onnx"};
        QVERIFY(!bad);
        QCOMPARE(bad.error().text(), std::string("x.onnx: There is no such file."));
    }

    void repeatedDiagnosticsAreCounted() {
        Diagnostics diagnostics;
        for (int i = 0; i < 3; ++i)
            diagnostics.warn("onnx.unknown", "node", "The operator is unknown.");
        diagnostics.warn("onnx.unknown", "other", "The operator is unknown.");
        QCOMPARE(diagnostics.entries().size(), std::size_t(2));
        QCOMPARE(diagnostics.entries().front().count, 3);
        QCOMPARE(diagnostics.count("onnx.unknown"), 4);
        QCOMPARE(diagnostics.count("nothing"), 0);
    }

    void aFloodOfDiagnosticsStaysBounded() {
        Diagnostics diagnostics;
        constexpr int kFlood = 5000;
        for (int i = 0; i < kFlood; ++i)
            diagnostics.warn("flood", std::to_string(i), "Too many.");
        QCOMPARE(diagnostics.entries().size(), Diagnostics::kKeptPerCode);
        QCOMPARE(diagnostics.count("flood"), kFlood);
    }

    void appendingKeepsCounts() {
        Diagnostics a, b;
        a.warn("c", "n", "m");
        b.warn("c", "n", "m");
        b.error("d", "n", "m");
        a.append(b);
        QCOMPARE(a.entries().size(), std::size_t(2));
        QCOMPARE(a.entries().front().count, 2);
    }

    void progressReportsAndCancels() {
        std::stop_source stop;
        QString seen;
        const Progress progress(stop.get_token(), [&](std::string_view stage, double fraction) {
            seen = QString("%1 %2").arg(QString::fromStdString(std::string(stage))).arg(fraction);
        });
        progress.report("shapes", 0.25);
        QCOMPARE(seen, QString("shapes 0.25"));
        QVERIFY(!progress.isCancelled());
        stop.request_stop();
        QVERIFY(progress.isCancelled());
        QVERIFY(!Progress().isCancelled());
    }

    void digestsMatchThePublishedVectors_data() {
        // FIPS 180-4 examples.
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("digest");
        QTest::newRow("empty") << QByteArray(
            "") << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        QTest::newRow("abc") << QByteArray("abc")
                             << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    }

    void digestsMatchThePublishedVectors() {
        QFETCH(QByteArray, text);
        QFETCH(QString, digest);
        QTemporaryDir folder;
        const auto path = folder.filePath("file").toStdString();
        std::ofstream(path, std::ios::binary).write(text.data(), text.size());
        const auto got = sha256OfFile(path);
        QVERIFY(got);
        QCOMPARE(QString::fromStdString(*got), digest);
        QVERIFY(!sha256OfFile(path + ".missing"));
    }
};

QTEST_APPLESS_MAIN(TestBase)
#include "test_base.moc"
