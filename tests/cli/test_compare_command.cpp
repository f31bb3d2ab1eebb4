// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Outcome {
    int status = -1;
    QByteArray out, err;
    QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
};

Outcome compare(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(FIVEFOLD_CLI), QStringList{"compare"} + arguments);
    Outcome outcome;
    if (!process.waitForFinished(110000))
        return outcome;
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

QString shared(const QString& path) {
    return qEnvironmentVariable("FIVEFOLD_SHARED") + "/data/" + path;
}

Outcome pair(const QString& folder, const QString& model, const QString& device,
    const QStringList& more = {}) {
    return compare(QStringList{"--model", shared("onnx/" + model), "--reference",
                       shared("dumps/" + folder + "/ref_fp32.npz"), "--device",
                       shared("dumps/" + folder + "/" + device), "--json", "-"}
        + more);
}

} // namespace

class TestCompareCommand : public QObject {
    Q_OBJECT
private slots:
    /// Recorded pairs of real models with one planted bug each, and one without.
    void stopsAtTheFirstLayer_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("value");
        const QString attention = "attention_block_b1_s128_d768_h12";
        QTest::newRow("attention") << attention << attention + ".onnx"
                                   << "device_fp16.npz"
                                   << "/attn/MatMul_1_output_0";
        QTest::newRow("attention, PyTorch file") << attention << attention + ".onnx"
                                                 << "device_fp16.pt"
                                                 << "/attn/MatMul_1_output_0";
        QTest::newRow("attention, clean") << attention << attention + ".onnx"
                                          << "device_fp16_clean.npz"
                                          << "";
        QTest::newRow("llama") << "llama_tiny_2l"
                               << "llama_tiny_2l.onnx"
                               << "device_fp16.npz"
                               << "/layers.1/self_attn/Neg_output_0";
        QTest::newRow("lstm, no weights") << "lstm_lm"
                                          << "lstm_lm_stripped.onnx"
                                          << "device_fp16.npz"
                                          << "/rnn/LSTM_1_output_0";
    }
    void stopsAtTheFirstLayer() {
        if (!QFile::exists(shared("dumps")))
            QSKIP("FIVEFOLD_SHARED is not set");
        QFETCH(QString, folder);
        QFETCH(QString, model);
        QFETCH(QString, device);
        QFETCH(QString, value);
        const auto outcome = pair(folder, model, device);
        QCOMPARE(outcome.status, 0);
        const QJsonObject json = outcome.object();
        QCOMPARE(json["origins"].toArray().size(), value.isEmpty() ? 0 : 1);
        QCOMPARE(json["first_diverging"].isNull(), value.isEmpty());
        QCOMPARE(json["first_diverging"].toObject()["value"].toString(), value);
        for (const QJsonValue& layer : json["layers"].toArray()) {
            const QString verdict = layer.toObject()["verdict"].toString();
            if (layer.toObject()["value"].toString() == value && !value.isEmpty())
                break;
            QVERIFY(verdict == "clean" || verdict == "benign" || verdict == "missing");
        }
    }

    void unmatchesAKey() {
        if (!QFile::exists(shared("dumps")))
            QSKIP("FIVEFOLD_SHARED is not set");
        const auto outcome = pair("lstm_lm", "lstm_lm_stripped.onnx", "device_fp16.npz",
            {"--map", "/rnn/LSTM_1_output_0="});
        QCOMPARE(outcome.status, 0);
        bool isUnmatched = false;
        for (const QJsonValue& layer : outcome.object()["layers"].toArray())
            isUnmatched = isUnmatched
                || (layer.toObject()["value"].toString() == "/rnn/LSTM_1_output_0"
                    && layer.toObject()["verdict"].toString() == "unmatched");
        QVERIFY(isUnmatched);
    }

    void saysWhatIsMissing() {
        QTemporaryDir folder;
        const QString nowhere = folder.filePath("nothing.npz");
        const auto usage = compare({"--model", "m.onnx"});
        QCOMPARE(usage.status, 2);
        const auto noReference = compare({"--model", "m.onnx", "--device", nowhere});
        QCOMPARE(noReference.status, 1);
        QVERIFY(noReference.err.contains("--reference"));
        const auto noModel = compare(
            {"--model", folder.filePath("m.onnx"), "--device", nowhere, "--reference", nowhere});
        QCOMPARE(noModel.status, 1);
        QCOMPARE(noModel.err.count('\n'), 1);
    }
};

QTEST_APPLESS_MAIN(TestCompareCommand)
#include "test_compare_command.moc"
