// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

namespace {

struct Outcome {
    int status = -1;
    QByteArray out;
    QByteArray err;
    QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
};

Outcome run(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(FIVEFOLD_CLI), arguments);
    Outcome outcome;
    if (!process.waitForFinished(60000))
        return outcome;
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

QString sample() {
    return QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx");
}
const QStringList kMachines{"gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

QJsonArray array(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key)).toArray();
}

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private slots:
    void summaryCountsTheAttentionBlock() {
        const Outcome o = run({"summary", sample(), "--json"});
        QCOMPARE(o.status, 0);
        const QJsonObject json = o.object();
        QCOMPARE(json["nodes"].toInt(), 35);
        QCOMPARE(json["parameters"].toInt(), 2363904);
        // 128×768×2304 + 2×12×128×128×64 + 128×768×768 multiply-accumulates.
        QCOMPARE(json["macs"].toInteger(), 327155712);
        QCOMPARE(json["unknown_cost_nodes"].toInt(), 0);
        // Counts are whole numbers: no ".0".
        static const QRegularExpression flops(QStringLiteral("\"flops\": *[0-9]+[,\n]"));
        QVERIFY(flops.match(QString::fromUtf8(o.out)).hasMatch());
    }

    void analyzeHoldsWhatTheContractPromises_data() {
        QTest::addColumn<QString>("machine");
        for (const QString& machine : kMachines)
            QTest::newRow(qPrintable(machine)) << machine;
        QTest::newRow("reference") << QStringLiteral("cpu_reference");
    }

    void analyzeHoldsWhatTheContractPromises() {
        QFETCH(QString, machine);
        const Outcome o = run({"analyze", sample(), "--machine", machine, "--json", "-"});
        QVERIFY2(o.status == 0, o.err.constData());
        const QJsonObject json = o.object();
        QStringList stages;
        for (const QJsonValue& stage : array(json, "stages"))
            stages << stage["name"].toString();
        QCOMPARE(stages,
            QStringList({"captured", "decomposed", "fused", "laid_out", "placed", "scheduled"}));
        for (const QJsonValue& stage : array(json, "stages"))
            for (const QJsonValue& node : stage["nodes"].toArray())
                QVERIFY2(!node["sources"].toArray().isEmpty() || !node["added_by"].isNull(),
                    qPrintable(node["name"].toString()));
        const QJsonObject totals = json["totals"].toObject();
        const double time = totals["time_s"].toDouble();
        QVERIFY(time > 0);
        const double parts = totals["compute_s"].toDouble() + totals["memory_s"].toDouble()
            + totals["scheduling_s"].toDouble();
        QVERIFY(qAbs(parts - time) <= 1e-9 * time);
        qint64 end = 0;
        for (const QJsonValue& event : array(json, "events"))
            end = qMax(end, event["end_ps"].toInteger());
        QVERIFY2(qAbs(double(end) * 1e-12 - time) <= 1e-3 * time, qPrintable(QString::number(end)));
        QVERIFY(!array(json, "layouts").isEmpty());
        QVERIFY(!array(json, "buffers").isEmpty());
        QVERIFY(!array(json["roofline"].toObject(), "points").isEmpty());
    }

    void theFiveMachinesGiveFiveTimes() {
        QSet<double> times;
        for (const QString& machine : kMachines)
            times.insert(run({"analyze", sample(), "--machine", machine, "--json", "-"})
                             .object()
                             .value(QLatin1String("totals"))
                             .toObject()
                             .value(QLatin1String("time_s"))
                             .toDouble());
        QCOMPARE(times.size(), 5);
    }

    void theSameInputGivesTheSameBytes() {
        const QStringList arguments{"analyze", sample(), "--machine", "spyre", "--json", "-"};
        QCOMPARE(run(arguments).out, run(arguments).out);
    }

    void whatIsUnknownIsNull() {
        QTemporaryDir dir;
        QFile file(dir.filePath("unknown.fx.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("class GraphModule(torch.nn.Module):\n"
                   "    def forward(self, x: \"f16[4, 64]\"):\n"
                   "        odd: \"f16[4, 64]\" = torch.ops.mylib.odd.default(x);  x = None\n"
                   "        return (odd,)\n");
        file.close();
        for (const QString& machine : {"tpu_v4", "gpu_h100_sxm"}) { // both have measured errors
            const Outcome o =
                run({"analyze", file.fileName(), "--machine", machine, "--json", "-"});
            QCOMPARE(o.status, 0);
            const QJsonObject json = o.object();
            for (const char* key : {"time_s", "low_s", "high_s"})
                QVERIFY2(json["totals"][QLatin1String(key)].isNull(), key);
            QVERIFY(json["gap"]["estimate_s"].isNull());
            const QJsonObject row = array(json, "classes").at(0).toObject();
            QVERIFY(row["time_s"].isNull() && row["flops"].isNull() && row["bytes"].isNull());
            QVERIFY(row["energy"]["at_least"].toBool());
            const QJsonObject last = array(json, "cost_ladder").last().toObject();
            QVERIFY(last["time_s"].isNull() && last["added_s"].isNull());
            QVERIFY(json["cost_ladder_sentence"].isNull());
        }
    }

    void wishesThatCannotHoldAreErrors_data() {
        QTest::addColumn<QStringList>("wish");
        QTest::addColumn<QString>("sentence");
        const QString product = QStringLiteral("/attn/c_attn/MatMul");
        QTest::newRow("key") << QStringList{"--machine", "spyre", "--implement",
            product + ":nope=1"}
                             << "is no choice of this operator";
        QTest::newRow("value") << QStringList{"--machine", "gpu_h100_sxm", "--implement",
            product + ":tile=7x3"}
                               << "there are: 256x128";
        QTest::newRow("no choice")
            << QStringList{"--machine", "cpu_reference", "--implement", product + ":tile=64x64"}
            << "leaves no choice";
        QTest::newRow("not applied") << QStringList{"--machine", "cerebras_wse3", "--implement",
            product + ":side=32"} << "`implementations` prints";
        QTest::newRow("late") << QStringList{"--machine", "groq_lpu_v1", "--play",
            "static_schedule:jitter=1,late=999999"}
                              << "no transfer 999999";
    }

    void wishesThatCannotHoldAreErrors() {
        QFETCH(QStringList, wish);
        QFETCH(QString, sentence);
        const Outcome o = run(QStringList{"analyze", sample(), "--json", "-"} + wish);
        QCOMPARE(o.status, 1);
        QVERIFY2(o.err.contains(sentence.toUtf8()), o.err.constData());
        QVERIFY(o.out.isEmpty());
    }

    void outputReplacesFilesOnlyAndFollowsLinks() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("out.json");
        const QString link = folder.filePath("link.json");
        QVERIFY(QFile::link(file, link));
        const QStringList layout{
            "layout", "--machine", "spyre", "--shape", "65", "--dtype", "fp16", "--json"};
        QCOMPARE(run(layout + QStringList(link)).status, 0);
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(QFileInfo(file).size() > 0);

        // A pipe stands for every device: it is written to, and it is still a pipe afterwards.
        const QByteArray pipe = QFile::encodeName(folder.filePath("pipe"));
        QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
        const int reader = ::open(pipe.constData(), O_RDWR | O_NONBLOCK);
        QVERIFY(reader >= 0);
        const int status = run(layout + QStringList(QFile::decodeName(pipe))).status;
        char first = 0;
        const auto got = ::read(reader, &first, 1);
        ::close(reader);
        QCOMPARE(status, 0);
        QCOMPARE(got, 1);
        QCOMPARE(first, '{');
        QVERIFY(!QFileInfo(QFile::decodeName(pipe)).isFile());

        QCOMPARE(run(layout + QStringList(folder.path())).status, 1);
        const QStringList left = QDir(folder.path()).entryList({"*.part"}, QDir::AllEntries);
        QVERIFY2(left.isEmpty(), qPrintable(left.join(' ')));
    }

    void layoutPrintsTheWorkedExample() {
        const Outcome o = run(
            {"layout", "--machine", "spyre", "--shape", "65", "--dtype", "fp16", "--json", "-"});
        QVERIFY2(o.status == 0, o.err.constData());
        const QJsonObject json = o.object();
        QCOMPARE(json["device_size"].toArray(), QJsonArray({2, 64}));
        QCOMPARE(json["sticks"].toInt(), 2);
        QCOMPARE(json["padded_elements"].toInt(), 63);
        QCOMPARE(json["bytes"].toInt(), 256);
    }

    void layoutTakesScalarsAndTheSparseOrder() {
        const Outcome scalar =
            run({"layout", "--machine", "spyre", "--shape", "", "--dtype", "fp16", "--json", "-"});
        QVERIFY2(scalar.status == 0, scalar.err.constData());
        QCOMPARE(scalar.object()["device_size"].toArray(), QJsonArray({1, 64}));
        const Outcome sparse = run({"layout", "--machine", "spyre", "--shape", "64", "--dtype",
            "fp16", "--order", "0,-1", "--json", "-"});
        QVERIFY2(sparse.status == 0, sparse.err.constData());
        QCOMPARE(sparse.object()["device_size"].toArray(), QJsonArray({1, 64, 64}));
    }

    void machinesListsEveryFigureWithItsSource() {
        const Outcome o = run({"machines", "--json"});
        QCOMPARE(o.status, 0);
        const QJsonArray machines = QJsonDocument::fromJson(o.out).array();
        QCOMPARE(machines.size(), 19);
        for (const QJsonValue& machine : machines)
            for (const QJsonValue& figure : machine["figures"].toArray())
                QVERIFY2(figure["value"].isNull() || !figure["source"].toString().isEmpty(),
                    qPrintable(machine["id"].toString() + " " + figure["name"].toString()));
    }

    void goldenOutputsAreUnchanged_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("golden");
        QTest::newRow("layout tpu")
            << QStringList{"layout", "--machine", "tpu_v5e", "--shape", "5,300", "--dtype", "bf16"}
            << "layout_tpu_v5e_5x300_bf16.json";
        QTest::newRow("layout spyre") << QStringList{"layout", "--machine", "spyre", "--shape",
            "72,91", "--dtype", "fp16", "--order", "1,0"}
                                      << "layout_spyre_72x91_fp16_1_0.json";
        QTest::newRow("layout groq") << QStringList{"layout", "--machine", "groq_lpu_v1", "--shape",
            "128,768", "--dtype", "fp16"}
                                     << "layout_groq_lpu_v1_128x768_fp16.json";
    }

    void goldenOutputsAreUnchanged() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, golden);
        QFile file(QStringLiteral(FIVEFOLD_SOURCE_DIR "/tests/golden/") + golden);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(golden));
        const Outcome o = run(arguments);
        QVERIFY2(o.status == 0, o.err.constData());
        QCOMPARE(QString::fromUtf8(o.out), QString::fromUtf8(file.readAll()));
    }

    void wrongUsageEndsWithTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"frobnicate"};
        QTest::newRow("no model") << QStringList{"summary"};
        QTest::newRow("no machine") << QStringList{"analyze", sample()};
        QTest::newRow("unknown option") << QStringList{"machines", "--jsn"};
    }

    void wrongUsageEndsWithTwo() {
        QFETCH(QStringList, arguments);
        QCOMPARE(run(arguments).status, 2);
    }

    void failuresEndWithOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("missing file") << QStringList{"summary", "nowhere.onnx"} << "nowhere.onnx";
        QTest::newRow("not a model")
            << QStringList{"summary", QStringLiteral(FIVEFOLD_SOURCE_DIR "/LICENSE")} << "LICENSE";
        QTest::newRow("a folder") << QStringList{"summary", QDir::tempPath()} << QDir::tempPath();
        QTest::newRow("unknown machine")
            << QStringList{"analyze", sample(), "--machine", "abacus"} << "gpu_h100_sxm";
        QTest::newRow("no rate") << QStringList{"analyze", sample(), "--machine", "groq_lpu_v1",
            "--precision", "bf16"}
                                 << "fp16";
        QTest::newRow("unknown setting")
            << QStringList{"analyze", sample(), "--machine", "spyre", "--set", "warp=9"} << "cores";
        QTest::newRow("bad binding")
            << QStringList{"summary", sample(), "--bind", "banana=3"} << "banana";
        QTest::newRow("no kernel to cut")
            << QStringList{"analyze", sample(), "--machine", "gpu_h100_sxm", "--split", "nope"}
            << "nope";
        QTest::newRow("no kernel to join")
            << QStringList{"analyze", sample(), "--machine", "tpu_v5e", "--fuse-next", "nope"}
            << "nope";
        QTest::newRow("no kernel named")
            << QStringList{"analyze", sample(), "--machine", "groq_lpu_v1", "--cycles", ""}
            << "There is no kernel";
        QTest::newRow("no such kernel")
            << QStringList{"analyze", sample(), "--machine", "groq_lpu_v1", "--cycles", "nope"}
            << "nope";
        QTest::newRow("layouts elsewhere") << QStringList{"analyze", sample(), "--machine",
            "gpu_h100_sxm", "--input-layout", "x=[2,64]:[64,1]"}
                                           << "spyre";
        QTest::newRow("bad shape") << QStringList{"layout", "--machine", "spyre", "--shape", "2,x",
            "--dtype", "fp16"} << "2,x";
        QTest::newRow("bad dtype") << QStringList{"layout", "--machine", "spyre", "--shape", "2",
            "--dtype", "half"} << "half";
        QTest::newRow("unwritable") << QStringList{"layout", "--machine", "spyre", "--shape", "2",
            "--dtype", "fp16", "--json", "/nonexistent/folder/x.json"}
                                    << "/nonexistent/folder/x.json";
    }

    void whatIsNotTrackedIsUnknown() {
        const auto levels = [](const char* machine) {
            std::map<QString, QJsonObject> byName;
            const auto json =
                run({"analyze", sample(), "--machine", machine, "--json", "-"}).object();
            for (const QJsonValue& level : array(json["memory"].toObject(), "levels"))
                byName[level["name"].toString()] = level.toObject();
            return byName;
        };
        const auto gpu = levels("gpu_h100_sxm");
        QVERIFY(gpu.at("HBM3")["peak_bytes"].toDouble() > 0);
        for (const char* name : {"L2", "L1/shared", "registers"})
            QVERIFY2(gpu.at(name)["peak_bytes"].isNull(), name);
        QVERIFY(gpu.at("L2")["read_bytes"].toDouble() > 0);
        QVERIFY(gpu.at("registers")["read_bytes"].isNull());
        const auto tpu = levels("tpu_v5e");
        QVERIFY(tpu.at("VMEM")["peak_bytes"].toDouble() > 0);
        for (const char* name : {"SMEM", "VREG"})
            QVERIFY2(tpu.at(name)["peak_bytes"].isNull(), name);
        QVERIFY(levels("spyre").at("LX")["peak_bytes"].isDouble());
    }

    void failuresEndWithOneSentence() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentions);
        const Outcome o = run(arguments);
        QCOMPARE(o.status, 1);
        QVERIFY2(o.out.isEmpty(), o.out.constData());
        QCOMPARE(o.err.count('\n'), 1);
        QVERIFY2(QString::fromUtf8(o.err).contains(mentions), o.err.constData());
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
