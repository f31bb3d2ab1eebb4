// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>
#include <QTextStream>

#include <algorithm>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

/// Where Debian's libonnx-testdata puts the ONNX project's backend tests.
constexpr const char* kDebianTests = "/usr/share/libonnx-testdata";

QStringList modelsUnder(const QString& folder) {
    QStringList models;
    QDirIterator files(folder, {"*.onnx"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        models << files.next();
    std::sort(models.begin(), models.end());
    return models;
}

/// Opens all, reports what was refused, and gives the share of refusals.
double refusedShare(const QStringList& models) {
    int refused = 0;
    for (const QString& path : models) {
        const auto opened = openFile(path.toStdString());
        if (opened.isOk()) {
            const std::string broken = brokenInvariant(opened.graph());
            [&] { QVERIFY2(broken.empty(), (path.toStdString() + ": " + broken).c_str()); }();
            continue;
        }
        ++refused;
        qInfo("%s", opened.message().c_str());
    }
    qInfo("%d of %d models opened", int(models.size()) - refused, int(models.size()));
    return models.isEmpty() ? 1 : double(refused) / double(models.size());
}

QString shared() {
    return QString::fromLocal8Bit(qgetenv("FIVEFOLD_SHARED"));
}

} // namespace

class TestOnnxCorpus : public QObject {
    Q_OBJECT
private slots:
    void countsEqualTheReference_data();
    void countsEqualTheReference();
    void modelsOfExportersOpen_data();
    void modelsOfExportersOpen();
    void debiansTestModelsOpen();
    void foldersOfTheUserOpen();
};

void TestOnnxCorpus::countsEqualTheReference_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<qint64>("nodes");
    QTest::addColumn<qint64>("parameters");
    QFile table(shared() + "/reference/onnx_expected.csv");
    if (shared().isEmpty() || !table.open(QIODevice::ReadOnly))
        return;
    QTextStream lines(&table);
    lines.readLine();
    while (!lines.atEnd()) {
        const QStringList cells = lines.readLine().split(',');
        if (cells.size() >= 3)
            QTest::newRow(qPrintable(cells[0])) << shared() + "/data/onnx/" + cells[0]
                                                << cells[1].toLongLong() << cells[2].toLongLong();
    }
}

void TestOnnxCorpus::countsEqualTheReference() {
    if (shared().isEmpty())
        QSKIP("FIVEFOLD_SHARED is not set");
    QFETCH(QString, path);
    QFETCH(qint64, nodes);
    QFETCH(qint64, parameters);
    const auto opened = openFile(path.toStdString());
    QVERIFY2(opened.isOk(), opened.message().c_str());
    QCOMPARE(opened.graph().fileNodeCount(), std::int64_t(nodes));
    QCOMPARE(opened.graph().parameterCount(), std::int64_t(parameters));
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxCorpus::modelsOfExportersOpen_data() {
    QTest::addColumn<QString>("folder");
    for (const char* folder : {"onnx", "onnx-genai", "onnx-dynamo"})
        QTest::newRow(folder) << shared() + "/data/" + folder;
}

void TestOnnxCorpus::modelsOfExportersOpen() {
    if (shared().isEmpty())
        QSKIP("FIVEFOLD_SHARED is not set");
    QFETCH(QString, folder);
    const QStringList models = modelsUnder(folder);
    QVERIFY(!models.isEmpty());
    QCOMPARE(refusedShare(models), 0.0);
}

void TestOnnxCorpus::debiansTestModelsOpen() {
    const QStringList models = modelsUnder(kDebianTests);
    if (models.isEmpty())
        QSKIP("libonnx-testdata is not installed");
    QVERIFY(refusedShare(models) < 0.02);
}

/// FIVEFOLD_CORPUS: a folder with more models, an unpacked archive for instance.
void TestOnnxCorpus::foldersOfTheUserOpen() {
    const QString folder = QString::fromLocal8Bit(qgetenv("FIVEFOLD_CORPUS"));
    if (folder.isEmpty())
        QSKIP("FIVEFOLD_CORPUS is not set");
    const QStringList models = modelsUnder(folder);
    QVERIFY(!models.isEmpty());
    QVERIFY(refusedShare(models) < 0.02);
}

QTEST_APPLESS_MAIN(TestOnnxCorpus)
#include "test_onnx_corpus.moc"
