// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"
#include "core/compare/evidence.h"
#include "tests/frontends/model_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace fivefold;
using numerics::Tensor;

namespace {

/// x [3, 130] → relu → copy → + ½ → · x: 130 elements are two sticks of fp16 and two lanes.
std::shared_ptr<const analysis::Model> cloneModel() {
    auto model = tests::emptyModel();
    auto& graph = *model.mutable_graph();
    tests::addInput(graph, "x", {3, 130});
    tests::addFloats(graph, "half", {1});
    tests::addNode(graph, "Relu", {"x"}, {"a"}, "first");
    tests::addNode(graph, "Identity", {"a"}, {"b"}, "clone");
    tests::addNode(graph, "Add", {"b", "half"}, {"c"}, "second");
    tests::addNode(graph, "Mul", {"c", "x"}, {"y"}, "third");
    tests::addOutput(graph, "y", {3, 130});
    const auto opened = tests::readModel(model);
    return opened.isOk() ? analysis::modelOf(*opened.result, {}) : nullptr;
}

struct Case {
    analysis::Request request;
    numerics::Subject subject;
    numerics::Inputs inputs;
    compare::Side device;
    std::shared_ptr<const compare::Divergence> divergence;
};

/// A device run of Spyre with the fault at the node, and what comparing it finds.
std::optional<Case> plantedCase(int fault, const std::string& node) {
    Case made;
    const auto machine = machines::machineByIdOrFile("spyre");
    if (!machine)
        return std::nullopt;
    made.request = {cloneModel(), *machine, {}, {}};
    made.request.settings.precision = (*machine)->defaultPrecision();
    const auto result = analysis::analyze(made.request);
    if (!result)
        return std::nullopt;
    made.subject = analysis::subjectOf(*result);
    std::vector<double> values(3 * 130);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 1 + static_cast<double>(i % 97) / 8;
    made.inputs["x"] = Tensor(ir::DType::Float32, {3, 130}, values);
    numerics::Fault planted;
    planted.id = static_cast<numerics::FaultId>(fault);
    planted.node = tests::nodeNamed(made.subject.graph(), node);
    auto run = compare::plant(made.subject, made.inputs, {planted});
    if (!run) {
        qWarning("%s", run.error().text().c_str());
        return std::nullopt;
    }
    made.device.repeats = {compare::dumpOf(run->device)};
    auto divergence = analysis::debug(
        {made.subject, std::nullopt, made.device, made.inputs, {}, run->faults});
    if (!divergence) {
        qWarning("%s", divergence.error().text().c_str());
        return std::nullopt;
    }
    made.divergence = *divergence;
    return made;
}

} // namespace

class TestReducer : public QObject {
    Q_OBJECT

private slots:
    void aCopyThatMissesAStickIsOneOperatorWithItsRemainder();
    void theFolderReplays();
    void aFolderThatIsNoneIsASentence_data();
    void aFolderThatIsNoneIsASentence();
    void theCardSaysWhatWhereAndWhy();
};

void TestReducer::aCopyThatMissesAStickIsOneOperatorWithItsRemainder() {
    const auto made = plantedCase(12, "first");
    QVERIFY(made);
    QCOMPARE(made->divergence->origins.size(), std::size_t{1});
    const auto reduced = compare::reduce(made->subject, *made->divergence, 0, made->device,
        made->inputs, analysis::lowererOf(made->request));
    QVERIFY2(reduced.isOk(), reduced.isOk() ? "" : reduced.error().text().c_str());
    QVERIFY(reduced->graph->nodes.size() <= 3);
    QVERIFY(reduced->fault);
    QCOMPARE(reduced->inputs.size(), std::size_t{1});
    const auto& shape = reduced->inputs.begin()->second.tensor.shape();
    QCOMPARE(shape.size(), std::size_t{2});
    QCOMPARE(shape[0], 1);
    QStringList steps;
    for (const std::string& step : reduced->steps)
        steps << QString::fromStdString(step);
    QVERIFY2(shape[1] % 64 != 0 && shape[1] < 130, qPrintable(steps.join("; ")));
    QVERIFY(QString::fromStdString(reduced->torchText).contains("torch.relu"));
}

void TestReducer::theFolderReplays() {
    const auto made = plantedCase(12, "first");
    QVERIFY(made);
    const auto lower = analysis::lowererOf(made->request);
    const auto reduced = compare::reduce(
        made->subject, *made->divergence, 0, made->device, made->inputs, lower);
    QVERIFY(reduced.isOk());
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("case").toStdString();
    const auto written = compare::writeReproducer(*reduced, path);
    QVERIFY2(written.isOk(), written.isOk() ? "" : written.error().text().c_str());
    for (const char* name : {"model.onnx", "inputs.npz", "expected.npz", "device.npz",
             "policy.json", "repro.py", "README.md"})
        QVERIFY2(QFile::exists(folder.filePath(QStringLiteral("case/") + name)), name);
    const auto back = compare::readReproducer(path);
    QVERIFY2(back.isOk(), back.isOk() ? "" : back.error().text().c_str());
    const auto replay = compare::replay(*back, lower);
    QVERIFY2(replay.isOk(), replay.isOk() ? "" : replay.error().text().c_str());
    QVERIFY2(replay->isReproduced, replay->sentence.c_str());
    QVERIFY(replay->wrong > 0);
}

void TestReducer::aFolderThatIsNoneIsASentence_data() {
    QTest::addColumn<QByteArray>("policy");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("{");
    QTest::newRow("a list") << QByteArray("[1]");
    QTest::newRow("another's") << QByteArray(R"({"format": 7})");
    QTest::newRow("deep") << QByteArray(100000, '[');
    QTest::newRow("no model") << QByteArray(R"({"format": "fivefold reproducer", "version": 1})");
}

void TestReducer::aFolderThatIsNoneIsASentence() {
    QFETCH(QByteArray, policy);
    const QTemporaryDir folder;
    if (!policy.isNull()) {
        QFile file(folder.filePath("policy.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(policy);
    }
    const auto back = compare::readReproducer(folder.path().toStdString());
    QVERIFY(!back.isOk());
    QVERIFY2(back.error().message.ends_with('.'), back.error().message.c_str());
}

void TestReducer::theCardSaysWhatWhereAndWhy() {
    const auto made = plantedCase(12, "first");
    QVERIFY(made);
    const auto card
        = QString::fromStdString(compare::evidenceCard(made->subject, *made->divergence, 0));
    for (const char* part : {"## Where", "`first`", "## Level of the stack",
             "## Why not its neighbours", "reconstructed", "## Excerpt", "## Capture"})
        QVERIFY2(card.contains(part), part);
    QVERIFY(card.contains("4 layout | ✕"));
}

QTEST_GUILESS_MAIN(TestReducer)
#include "test_reducer.moc"
