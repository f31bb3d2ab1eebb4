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

Outcome run(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(FIVEFOLD_CLI), QStringList{"run"} + arguments);
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

QTEST_APPLESS_MAIN(TestRunCommand)
#include "test_run_command.moc"
