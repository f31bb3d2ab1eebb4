// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/summary.h"
#include "tests/analysis/analysis_fixture.h"
#include "tests/analysis/result_checks.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <map>
#include <sstream>

using namespace fivefold;

namespace {

/// Where Debian's libonnx-testdata puts the ONNX project's backend tests.
constexpr const char* kDebianTests = "/usr/share/libonnx-testdata";

/// CPU time that one model may take on five machines; sanitizers cost about ten times as much.
constexpr double kSecondsPerModel = 180;
constexpr double kSanitizerFactor = 15;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

/// Of large collections every n-th model is taken, unless FIVEFOLD_ALL is set.
struct Corpus {
    const char* name;
    const char* place; ///< folder or archive under FIVEFOLD_SHARED
    int stride;
};
constexpr Corpus kShared[] = {
    {"onnx", "data/onnx", 1},
    {"onnx-genai", "data/onnx-genai", 1},
    {"onnx-dynamo", "data/onnx-dynamo", 1},
    {"onnx-backend-tests", "data/onnx-backend-tests.tar.xz", 7},
    {"tensorrt-tools", "data/tensorrt-tools.tar.xz", 2},
    {"burn-onnx", "data/burn-onnx.tar.xz", 5},
};
constexpr int kDebianStride = 7;

QStringList modelsUnder(const QString& folder) {
    QStringList models;
    QDirIterator files(folder, {"*.onnx"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        models << files.next();
    std::sort(models.begin(), models.end());
    return models;
}

/// A refusal that a person can use: words, and an end.
bool isSentence(const std::string& message) {
    return message.find(' ') != std::string::npos && message.back() == '.';
}

std::string joined(const std::vector<std::string>& findings) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(findings.size(), 5); ++i)
        text += (i ? "\n" : "") + findings[i];
    return findings.size() > 5 ? text + "\nand " + std::to_string(findings.size() - 5) + " more"
                               : text;
}

} // namespace

/// Every model at hand, through all of core on five machines: it works, or there is a sentence.
class TestCorpora : public QObject {
    Q_OBJECT

public:
    /// One test function goes through all rows; ctest and the check below bound the time.
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "14400000"); }

private slots:
    void everyModelWorksOrIsRefusedInASentence_data();
    void everyModelWorksOrIsRefusedInASentence();
    void nearlyNoModelIsRefused_data();
    void nearlyNoModelIsRefused();
    void cleanupTestCase();

private:
    struct Count {
        int models = 0;
        int refused = 0;
    };
    void addCorpus(const QString& name, const QString& folder, int stride);
    QString unpacked(const QString& archive);
    void runOn(const std::shared_ptr<const analysis::Model>& model,
        std::vector<std::string>& findings, bool& isRefused);

    QTemporaryDir m_unpacked;
    std::map<QString, Count> m_counts;
    std::vector<std::pair<double, QString>> m_seconds;
};

void TestCorpora::addCorpus(const QString& name, const QString& folder, int stride) {
    const QStringList models = modelsUnder(folder);
    if (qEnvironmentVariableIsSet("FIVEFOLD_ALL"))
        stride = 1;
    for (qsizetype i = 0; i < models.size(); i += stride)
        QTest::newRow(qPrintable(name + "/" + QDir(folder).relativeFilePath(models[i])))
            << name << models[i];
}

QString TestCorpora::unpacked(const QString& archive) {
    const QString folder = m_unpacked.filePath(QFileInfo(archive).fileName().section('.', 0, 0));
    if (!QDir().mkpath(folder)
        || QProcess::execute("tar", {"-xf", archive, "-C", folder, "--no-same-permissions"}) != 0)
        qWarning("%s could not be unpacked", qPrintable(archive));
    return folder;
}

void TestCorpora::everyModelWorksOrIsRefusedInASentence_data() {
    QTest::addColumn<QString>("corpus");
    QTest::addColumn<QString>("path");
    addCorpus("samples", FIVEFOLD_SOURCE_DIR "/samples", 1);
    addCorpus("libonnx-testdata", kDebianTests, kDebianStride);
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    if (shared.isEmpty())
        return;
    for (const Corpus& corpus : kShared) {
        const QString place = shared + "/" + corpus.place;
        if (QFileInfo(place).isDir())
            addCorpus(corpus.name, place, corpus.stride);
        else if (QFileInfo::exists(place))
            addCorpus(corpus.name, unpacked(place), corpus.stride);
    }
}

void TestCorpora::everyModelWorksOrIsRefusedInASentence() {
    QFETCH(QString, corpus);
    QFETCH(QString, path);
    Count& count = m_counts[corpus];
    ++count.models;
    const std::clock_t start = std::clock();
    const auto model = analysis::openModel(path.toStdString());
    if (!model) {
        ++count.refused;
        qInfo("%s", model.error().text().c_str());
        QVERIFY2(isSentence(model.error().message), model.error().message.c_str());
        return;
    }
    std::vector<std::string> findings;
    bool isRefused = false;
    runOn(*model, findings, isRefused);
    count.refused += isRefused ? 1 : 0;
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    m_seconds.emplace_back(seconds, path);
    QVERIFY2(findings.empty(), joined(findings).c_str());
    QVERIFY2(seconds < kSecondsPerModel * (kIsSanitized ? kSanitizerFactor : 1),
        qPrintable(QString("took %1 s of CPU time").arg(seconds)));
}

void TestCorpora::runOn(const std::shared_ptr<const analysis::Model>& model,
    std::vector<std::string>& findings, bool& isRefused) {
    const auto note = [&](std::string_view where, const base::Error& error) {
        isRefused = true;
        qInfo("%s: %s", std::string(where).c_str(), error.text().c_str());
        if (!isSentence(error.message))
            findings.push_back(std::string(where) + ": no sentence: " + error.message);
    };
    if (const auto summary = analysis::summarize(*model, {})) {
        std::ostringstream json;
        analysis::writeSummaryJson(json, *summary);
        if (!nlohmann::json::accept(json.str()))
            findings.push_back("the summary is no JSON");
        if (summary->macs.value_or(0) < 0 || !(summary->flops.value_or(0) >= 0))
            findings.push_back("a count of the summary is negative");
    } else {
        note("summary", summary.error());
    }
    analysis::TypedCache cache;
    for (std::string_view machine : tests::kFiveMachines) {
        analysis::Request request{model, machines::findMachine(machine), {}, {}};
        request.settings.precision = request.machine->defaultPrecision();
        const auto result = analysis::analyze(request, {}, &cache);
        if (!result) {
            note(machine, result.error());
            continue;
        }
        for (const std::string& finding : tests::unsoundIn(**result))
            findings.push_back(std::string(machine) + ": " + finding);
    }
}

void TestCorpora::nearlyNoModelIsRefused_data() {
    QTest::addColumn<QString>("corpus");
    for (const auto& [corpus, count] : m_counts)
        QTest::newRow(qPrintable(corpus)) << corpus;
}

void TestCorpora::nearlyNoModelIsRefused() {
    QFETCH(QString, corpus);
    const Count count = m_counts[corpus];
    qInfo("%d of %d models refused", count.refused, count.models);
    QVERIFY(count.refused < 0.02 * count.models);
}

void TestCorpora::cleanupTestCase() {
    std::ranges::sort(m_seconds, std::greater());
    for (std::size_t i = 0; i < std::min<std::size_t>(m_seconds.size(), 5); ++i)
        qInfo("%.2f s of CPU time: %s", m_seconds[i].first, qPrintable(m_seconds[i].second));
}

QTEST_APPLESS_MAIN(TestCorpora)
#include "test_corpora.moc"
