// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Outcome {
    int status = -1;
    QByteArray err;
};

Outcome run(const QStringList& arguments, const QString& command = QStringLiteral("run")) {
    QProcess process;
    process.start(QStringLiteral(FIVEFOLD_CLI), QStringList{command} + arguments);
    Outcome outcome;
    if (!process.waitForFinished(110000))
        return outcome;
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.err = process.readAllStandardError();
    return outcome;
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestRunCommand : public QObject {
    Q_OBJECT

private slots:
    void randomInputsAreSaidAndKept();
    void aStageNeedsItsMachine();
    void laidOutLoopsKeepTheirSteps();

private:
    QString m_model = FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx";
};

/// The inputs that a run without any wrote give the same values again.
void TestRunCommand::randomInputsAreSaidAndKept() {
    QTemporaryDir folder;
    const QString first = folder.filePath("first"), second = folder.filePath("second");
    const Outcome made = run({m_model, "--seed", "3", "--out", first});
    QVERIFY2(made.status == 0, made.err.constData());
    QVERIFY2(made.err.contains("random ones are used (--seed 3)"), made.err.constData());
    const Outcome again =
        run({m_model, "--seed", "3", "--inputs", first + "/inputs.npz", "--out", second});
    QVERIFY2(again.status == 0, again.err.constData());
    QVERIFY(!again.err.contains("No inputs are given"));
    QVERIFY(!contents(first + "/values.npz").isEmpty());
    QVERIFY(contents(first + "/values.npz") == contents(second + "/values.npz"));
}

void TestRunCommand::aStageNeedsItsMachine() {
    QTemporaryDir folder;
    const Outcome fused = run({m_model, "--stage", "fused", "--out", folder.path()});
    QCOMPARE(fused.status, 1);
    QVERIFY2(fused.err.contains("add --machine"), fused.err.constData());
    const Outcome unknown = run({m_model, "--stage", "melted", "--out", folder.path()});
    QCOMPARE(unknown.status, 1);
    QVERIFY2(unknown.err.contains("is no stage"), unknown.err.constData());
}

/// Moves of a placed loop's results must not stand for all of its steps.
void TestRunCommand::laidOutLoopsKeepTheirSteps() {
    const QString model =
        qEnvironmentVariable("FIVEFOLD_SHARED") + "/data/onnx/lstm_lm_stripped.onnx";
    if (!QFileInfo::exists(model))
        QSKIP("The shared models are not here.");
    QTemporaryDir folder;
    const QString first = folder.filePath("fused"), second = folder.filePath("laid_out");
    const QStringList common{model, "--bind", "seq=6", "--seed", "3", "--machine", "cerebras_wse3"};
    const Outcome fused = run(common + QStringList{"--stage", "fused", "--out", first});
    QVERIFY2(fused.status == 0, fused.err.constData());
    const Outcome laidOut = run(common
        + QStringList{"--stage", "laid_out", "--inputs", first + "/inputs.npz", "--out", second});
    QVERIFY2(laidOut.status == 0, laidOut.err.constData());
    const QString report = folder.filePath("report.json");
    const Outcome compared = run({"--model", model, "--reference", first + "/values.npz",
                                     "--device", second + "/values.npz", "--json", report},
        "compare");
    QVERIFY2(compared.status == 0, compared.err.constData());
    QVERIFY(contents(report).replace(" ", "").contains("\"first_diverging\":null"));
}

QTEST_APPLESS_MAIN(TestRunCommand)
#include "test_run_command.moc"
