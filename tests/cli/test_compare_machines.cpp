// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

#include <cmath>

namespace {

struct Outcome {
    int status = -1;
    QByteArray out, err;
    QJsonArray rows() const { return QJsonDocument::fromJson(out)["rows"].toArray(); }
};

Outcome compare(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(FIVEFOLD_CLI),
        QStringList{
            "compare-machines", QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx")}
            + arguments);
    Outcome outcome;
    if (!process.waitForFinished(120000))
        return outcome;
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

} // namespace

class TestCompareMachines : public QObject {
    Q_OBJECT
private slots:
    void printsARowAFamily() {
        const Outcome done = compare({});
        QCOMPARE(done.status, 0);
        const QJsonArray rows = done.rows();
        const QStringList families{"gpu", "tpu", "cerebras", "groq", "spyre"};
        QCOMPARE(rows.size(), families.size());
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonObject row = rows[i].toObject();
            QCOMPARE(row["family"].toString(), families[i]);
            QVERIFY(row["time_s"].toDouble() > 0);
            QCOMPARE(row["low_s"].isNull(), row["validation"].toString() == "not validated");
            QVERIFY(!row["bytes_by_level"].toArray().isEmpty());
            QVERIFY(row["because"].toString().endsWith('.'));
            const double race = row["race"].toObject()["length_ps"].toDouble() * 1e-12;
            QVERIFY(std::abs(race - row["time_s"].toDouble()) < 1e-6 * race + 1e-12);
        }
    }

    void asksForASelectionOfChosenMachines() {
        const Outcome whole = compare({"--machine", "tpu_v6e", "--machine", "spyre"});
        const Outcome one = compare(
            {"--machine", "tpu_v6e", "--machine", "spyre", "--select", "/attn/c_attn/MatMul"});
        QCOMPARE(one.status, 0);
        QCOMPARE(one.rows().size(), 2);
        for (qsizetype i = 0; i < 2; ++i)
            QVERIFY(one.rows()[i].toObject()["time_s"].toDouble() < whole.rows()[i].toObject()["time_s"].toDouble());
    }

    void wrongNamesAreSentences() {
        const Outcome node = compare({"--select", "/no/such"});
        QCOMPARE(node.status, 1);
        QVERIFY(node.err.contains("/no/such"));
        // One machine that fails leaves the others their rows.
        const Outcome machine = compare({"--machine", "nonesuch", "--machine", "spyre"});
        QCOMPARE(machine.status, 0);
        QVERIFY(machine.rows()[0].toObject()["error"].toString().contains("nonesuch"));
        QVERIFY(machine.rows()[1].toObject()["time_s"].toDouble() > 0);
        QCOMPARE(compare({"--machine", "nonesuch"}).status, 1);
        QCOMPARE(compare({"--precision", "fp99"}).status, 1);
    }
};

QTEST_APPLESS_MAIN(TestCompareMachines)
#include "test_compare_machines.moc"
