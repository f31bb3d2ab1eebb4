// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

namespace {

struct Outcome {
    int status = -1;
    QByteArray out, err;
    QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
};

Outcome layout(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(FIVEFOLD_CLI), QStringList{"layout"} + arguments);
    Outcome outcome;
    if (!process.waitForFinished(60000))
        return outcome;
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

QString numbers(const QJsonValue& array) {
    QStringList texts;
    for (const QJsonValue& number : array.toArray())
        texts << QString::number(number.toInteger());
    return texts.join(',');
}

/// Steps along an axis of extent 1 mean nothing: they compare as "·".
QString strides(const QJsonObject& json) {
    QStringList texts;
    const QJsonArray map = json["stride_map"].toArray(), size = json["device_size"].toArray();
    for (qsizetype i = 0; i < map.size(); ++i)
        texts << (size[i].toInteger() == 1 ? QStringLiteral("·")
                                           : QString::number(map[i].toInteger()));
    return texts.join(',');
}

} // namespace

class TestLayoutCommand : public QObject {
    Q_OBJECT
private slots:
    /// The worked examples of the public Spyre layout algorithm (facts/spyre.md, section 2; from
    /// torch-spyre's tests and documents), in their order.
    void printsTheWorkedExamples_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("map");
        QTest::addColumn<qlonglong>("sticks");
        QTest::addColumn<qlonglong>("padded");
        QTest::addColumn<double>("percent");
        const auto row = [](const char* name, const QString& shape, const char* dtype,
                             const char* order, const char* device, const char* map,
                             qlonglong sticks, qlonglong padded, double percent) {
            QStringList arguments{"--machine", "spyre", "--shape", shape, "--dtype", dtype};
            if (*order)
                arguments << "--order" << order;
            QTest::newRow(name) << arguments << device << QString::fromUtf8(map) << sticks << padded
                                << percent;
        };
        row("1 scalar", "", "fp16", "", "1,64", "·,-1", 1, 63, 98.4);
        row("2 one stick", "64", "fp16", "", "1,64", "·,1", 1, 0, 0);
        row("3 one over", "65", "fp16", "", "2,64", "64,1", 2, 63, 49.2);
        row("4 matrix", "1024,256", "fp16", "", "4,1024,64", "64,256,1", 4096, 0, 0);
        row("5 ragged", "72,91", "fp16", "", "2,72,64", "64,91,1", 144, 2664, 28.9);
        row("6 transposed", "72,91", "fp16", "1,0", "2,91,64", "5824,1,91", 182, 5096, 43.8);
        row("7 rank 3", "5,100,150", "fp16", "", "100,3,5,64", "150,64,15000,1", 1500, 21000, 21.9);
        row("8 rank 3", "50,10,200", "fp16", "", "10,4,50,64", "200,64,2000,1", 2000, 28000, 21.9);
        row("9 small", "3,7,9", "fp16", "", "7,1,3,64", "9,·,63,1", 21, 1155, 85.9);
        row("10 rank 4", "2,16,200,80", "fp16", "", "16,200,2,2,64", "16000,80,64,256000,1", 12800,
            307200, 37.5);
        row("11 sparse sum", "64", "fp16", "0,-1", "1,64,64", "·,1,-1", 64, 4032, 98.4);
        row("12 dense sum", "256", "fp16", "", "4,64", "64,1", 4, 0, 0);
        row("13 forced sparse", "512,256", "fp16", "0,1,-1", "256,1,512,64", "1,·,256,-1", 131072,
            8257536, 98.4);
        row("14 inner one", "512,1,256", "fp16", "", "1,4,512,64", "·,64,256,1", 2048, 0, 0);
        row("15 trailing one", "512,256,1", "fp16", "", "256,1,512,64", "1,·,256,-1", 131072,
            8257536, 98.4);
        row("16 fp32", "64,768", "fp32", "", "24,64,32", "32,768,1", 1536, 0, 0);
        row("17 int64 as int32", "1,855", "int64", "", "27,1,32", "32,·,1", 27, 9, 1.0);
        row("18 bool as fp16", "100", "bool", "", "2,64", "64,1", 2, 28, 21.9);
        row("19 fp8", "2880,128", "fp8", "", "1,2880,128", "·,128,1", 2880, 0, 0);
        row("20 LM head", "49216,4096", "fp16", "1,0", "769,4096,64", "262144,1,4096", 3149824, 0,
            0);
    }

    void printsTheWorkedExamples() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, device);
        QFETCH(QString, map);
        QFETCH(qlonglong, sticks);
        QFETCH(qlonglong, padded);
        QFETCH(double, percent);
        const Outcome o = layout(arguments);
        QVERIFY2(o.status == 0, o.err.constData());
        const QJsonObject json = o.object();
        QCOMPARE(numbers(json["device_size"]), device);
        QCOMPARE(strides(json), map);
        QCOMPARE(json["sticks"].toInteger(), sticks);
        QCOMPARE(json["padded_elements"].toInteger(), padded);
        QCOMPARE(json["bytes"].toInteger(), 128 * sticks);
        QCOMPARE(qRound(json["waste"].toDouble() * 1000), qRound(percent * 10));
    }

    void printsThePaddingCurve() {
        const Outcome o = layout(
            {"--machine", "spyre", "--shape", "2,65", "--dtype", "fp16", "--curve", "1=1..256"});
        QVERIFY2(o.status == 0, o.err.constData());
        const QJsonArray curve = o.object()["curve"].toArray();
        QCOMPARE(curve.size(), 256);
        QCOMPARE(curve[64]["size"].toInteger(), 65);
        QCOMPARE(qRound(curve[64]["waste"].toDouble() * 1000), 492);
        QCOMPARE(curve[64]["bytes"].toInteger(), 512);
        QCOMPARE(curve[63]["waste"].toDouble(), 0.0);
        QCOMPARE(o.object()["next_free_size"].toInteger(), 128);
        // From the end, and on a machine that pads nothing.
        const Outcome gpu = layout({"--machine", "gpu_h100_sxm", "--shape", "2,65", "--dtype",
            "fp16", "--curve=-1=65..65"});
        QCOMPARE(gpu.object()["curve"].toArray().size(), 1);
        QCOMPARE(gpu.object()["curve"][0]["waste"].toDouble(), 0.0);
        QCOMPARE(gpu.object()["curve_dimension"].toInt(), 1);
    }

    void findsElementsAndAddresses() {
        const QStringList tensor{"--machine", "spyre", "--shape", "2,65", "--dtype", "fp16"};
        const QJsonObject place =
            layout(tensor + QStringList{"--element", "64"}).object()["place"].toObject();
        QCOMPARE(place["block"].toInt(), 1);
        QCOMPARE(place["lane"].toInt(), 0);
        QCOMPARE(place["address"].toInt(), 256);
        const QJsonObject back =
            layout(tensor + QStringList{"--address", "0x100"}).object()["place"].toObject();
        QCOMPARE(back, place);
        QCOMPARE(
            layout(tensor + QStringList{"--element", "0,64"}).object()["place"].toObject(), place);
        const QJsonObject padding =
            layout(tensor + QStringList{"--address", "258"}).object()["place"].toObject();
        QVERIFY(padding["element"].isNull());
        QCOMPARE(padding["lane"].toInt(), 1);
    }

    void refusesNonsenseWithASentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("curve without a range") << QStringList{"--curve", "1"};
        QTest::newRow("curve of words") << QStringList{"--curve", "a=b..c"};
        QTest::newRow("curve backwards") << QStringList{"--curve", "1=9..3"};
        QTest::newRow("no such dimension") << QStringList{"--curve", "2=1..3"};
        QTest::newRow("endless") << QStringList{"--curve", "0=1..9000000000000000000"};
        QTest::newRow("element outside") << QStringList{"--element", "130"};
        QTest::newRow("index of another rank") << QStringList{"--element", "1,2,3"};
        QTest::newRow("address outside") << QStringList{"--address", "512"};
        QTest::newRow("no address") << QStringList{"--address", "here"};
        QTest::newRow("PEs elsewhere") << QStringList{"--pe-columns", "16"};
    }

    void refusesNonsenseWithASentence() {
        QFETCH(QStringList, arguments);
        const Outcome o = layout(
            QStringList{"--machine", "spyre", "--shape", "2,65", "--dtype", "fp16"} + arguments);
        QCOMPARE(o.status, 1);
        QVERIFY(o.out.isEmpty());
        QVERIFY2(o.err.count('\n') == 1 && o.err.size() > 20, o.err.constData());
    }

    void unsignedBytesAreMarkedAsAnEstimate() {
        const Outcome o = layout({"--machine", "spyre", "--shape", "130", "--dtype", "uint8"});
        QVERIFY(o.object()["notation"].toString().contains("estimate"));
        QCOMPARE(o.object()["sticks"].toInteger(), 2);
        const Outcome same = layout({"--machine", "spyre", "--shape", "130", "--dtype", "int8"});
        QVERIFY(!same.object()["notation"].toString().contains("estimate"));
        QCOMPARE(same.object()["device_size"], o.object()["device_size"]);
    }
};

QTEST_APPLESS_MAIN(TestLayoutCommand)
#include "test_layout_command.moc"
