// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/reader.h"
#include "core/numerics/interpreter.h"
#include "tests/numerics/test_data.h"

#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

using namespace fivefold;

namespace {

/// Where Debian's libonnx-testdata puts the ONNX project's backend tests.
constexpr const char* kDebianTests = "/usr/share/libonnx-testdata/data";
constexpr const char* kListed = FIVEFOLD_SOURCE_DIR "/tests/numerics/data/node_tests_failing.tsv";
constexpr const char* kOperators =
    FIVEFOLD_SOURCE_DIR "/tests/numerics/data/pytorch_onnx_operators.txt";
constexpr double kRelative = 1e-3;
constexpr double kAbsolute = 1e-7;
constexpr double kWantedShare = 0.9;

std::set<std::string> operatorsOfPyTorch() {
    std::ifstream file(kOperators);
    std::set<std::string> names;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#')
            names.insert(line);
    return names;
}

/// "corpus/folder/test" → why it fails.
std::map<std::string, std::string> listedFailures() {
    std::ifstream file(kListed);
    std::map<std::string, std::string> listed;
    for (std::string line; std::getline(file, line);)
        if (const auto tab = line.find('\t'); tab != std::string::npos && line[0] != '#')
            listed[line.substr(0, tab)] = line.substr(tab + 1);
    return listed;
}

/// What running one test folder gave.
struct Outcome {
    bool isOfPyTorch = true; ///< every operator is in the list
    std::optional<std::string> failure; ///< nullopt: all outputs are as they should be
    bool isRefused = false; ///< an operator said "not executable here"
};

/// The precision that the test was made in: single, where no input is double.
numerics::Carrier carrierOf(const ir::Graph& graph) {
    const bool isDouble = std::ranges::any_of(graph.main().inputs,
        [&](ir::ValueId id) { return graph.values[id].declared.dtype == ir::DType::Float64; });
    return isDouble ? numerics::Carrier::Double : numerics::Carrier::Float;
}

void runSet(const ir::Typed& typed, numerics::Weights& weights, const std::filesystem::path& folder,
    Outcome& outcome) {
    const ir::Graph& graph = *typed.graph;
    numerics::Inputs inputs;
    for (std::size_t i = 0; i < graph.main().inputs.size(); ++i) {
        const auto file = folder / ("input_" + std::to_string(i) + ".pb");
        if (!std::filesystem::exists(file))
            continue;
        auto datum = tests::readDatum(file, graph.values[graph.main().inputs[i]].declared.kind);
        if (!datum) {
            outcome.failure = "input " + std::to_string(i) + ": " + datum.error().text();
            return;
        }
        inputs[std::to_string(i)] = *std::move(datum);
    }
    numerics::RunOptions options;
    options.carrier = carrierOf(graph);
    auto result = numerics::run(typed, inputs, weights, options);
    if (!result) {
        outcome.failure = result.error().text();
        return;
    }
    for (const auto& entry : result->diagnostics.entries())
        if (entry.message.find("not executable here") != std::string::npos)
            outcome.isRefused = true;
    for (std::size_t i = 0; i < graph.main().outputs.size(); ++i) {
        const ir::ValueId id = graph.main().outputs[i];
        const auto file = folder / ("output_" + std::to_string(i) + ".pb");
        if (!std::filesystem::exists(file))
            continue;
        auto wanted = tests::readDatum(file, graph.values[id].declared.kind);
        const auto found = result->values.find(id);
        if (!wanted)
            outcome.failure = "output " + std::to_string(i) + ": " + wanted.error().text();
        else if (found == result->values.end())
            outcome.failure = result->diagnostics.empty()
                ? "output " + std::to_string(i) + " is not computed"
                : result->diagnostics.entries().front().message;
        else if (auto different = tests::difference(found->second, *wanted, kRelative, kAbsolute))
            outcome.failure = "output " + std::to_string(i) + ": " + *different;
        if (outcome.failure)
            return;
    }
}

Outcome runTest(const std::filesystem::path& folder, const std::set<std::string>& operators) {
    Outcome outcome;
    base::Diagnostics diagnostics;
    const auto graph = frontends::open(folder / "model.onnx", diagnostics);
    if (!graph) {
        outcome.failure = graph.error().text();
        return outcome;
    }
    for (const ir::Node& node : (*graph)->nodes)
        outcome.isOfPyTorch = outcome.isOfPyTorch
            && (node.op == ir::Op::Call
                || (node.domain.empty() && operators.contains(node.sourceOp)));
    const auto typed = ir::infer(*graph, {}, diagnostics);
    if (!typed) {
        outcome.failure = typed.error().text();
        return outcome;
    }
    numerics::Weights weights(*graph);
    std::error_code error;
    for (int set = 0;; ++set) {
        const auto data = folder / ("test_data_set_" + std::to_string(set));
        if (!std::filesystem::is_directory(data, error))
            return outcome;
        runSet(*typed, weights, data, outcome);
        if (outcome.failure)
            return outcome;
    }
}

} // namespace

/// The interpreter against the ONNX project's own tests.
class TestNodeTests : public QObject {
    Q_OBJECT

public:
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); }

private slots:
    void debianTests();
    void sharedTests();

private:
    void runAll(const std::string& corpus, const QString& folder);
};

void TestNodeTests::debianTests() {
    if (!QFileInfo(kDebianTests).isDir())
        QSKIP("libonnx-testdata is not installed");
    runAll("libonnx-testdata", kDebianTests);
}

void TestNodeTests::sharedTests() {
    const QString archive =
        qEnvironmentVariable("FIVEFOLD_SHARED") + "/data/onnx-backend-tests.tar.xz";
    if (!qEnvironmentVariableIsSet("FIVEFOLD_SHARED") || !QFileInfo::exists(archive))
        QSKIP("FIVEFOLD_SHARED does not name the folder of reference data");
    QTemporaryDir folder;
    QCOMPARE(
        QProcess::execute("tar", {"-xf", archive, "-C", folder.path(), "--no-same-permissions"}),
        0);
    runAll("onnx-backend-tests", folder.filePath("onnx-backend/onnx/backend/test/data"));
}

void TestNodeTests::runAll(const std::string& corpus, const QString& folder) {
    const auto operators = operatorsOfPyTorch();
    QVERIFY(operators.size() > 100);
    auto listed = listedFailures();
    QStringList models;
    QDirIterator files(folder, {"model.onnx"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        models << files.next();
    std::sort(models.begin(), models.end());
    int tried = 0, passed = 0, refused = 0;
    QStringList surprises;
    for (const QString& model : models) {
        const QString place = QFileInfo(model).path();
        if (!QFileInfo(place + "/test_data_set_0").isDir())
            continue;
        const std::string name = corpus + '/' + QDir(folder).relativeFilePath(place).toStdString();
        const Outcome outcome = runTest(place.toStdString(), operators);
        if (!outcome.isOfPyTorch) {
            refused += outcome.isRefused ? 1 : 0;
            continue;
        }
        ++tried;
        passed += outcome.failure ? 0 : 1;
        const bool isListed = listed.contains(name);
        if (outcome.failure && !isListed)
            surprises << QString::fromStdString(name + '\t' + *outcome.failure);
        if (!outcome.failure && isListed)
            surprises << QString::fromStdString(name + " passes and is still in the list");
        listed.erase(name);
    }
    for (const auto& [name, reason] : listed)
        if (name.starts_with(corpus + '/'))
            surprises << QString::fromStdString(name + " is in the list and not among the tests");
    qInfo("%d of %d tests pass; %d others say \"not executable here\"", passed, tried, refused);
    if (const QByteArray file = qgetenv("FIVEFOLD_NODE_TESTS_OUT"); !file.isEmpty())
        std::ofstream(file.toStdString(), std::ios::app)
            << surprises.join('\n').toStdString() << '\n';
    QVERIFY(tried > 500);
    QVERIFY(passed >= kWantedShare * tried);
    QVERIFY2(surprises.isEmpty(), qPrintable(surprises.mid(0, 20).join('\n')));
}

QTEST_APPLESS_MAIN(TestNodeTests)
#include "test_node_tests.moc"
