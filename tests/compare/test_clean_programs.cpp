// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"

#include <QFile>
#include <QTest>

using namespace fivefold;

/// A machine's own program, run in its own numerics, is no bug: it fuses, takes apart and rounds
/// elsewhere than the captured operators, and what it makes in between bears other names.
class TestCleanPrograms : public QObject {
    Q_OBJECT

private slots:
    void nothingDiverges_data();
    void nothingDiverges();
};

void TestCleanPrograms::nothingDiverges_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("machine");
    QStringList models{QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx")};
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    if (!shared.isEmpty())
        models << shared + "/data/onnx/llama_tiny_2l.onnx"
               << shared + "/data/onnx/moe_top2_of_8_dense_stripped.onnx";
    for (const QString& model : models)
        for (const char* machine :
            {"gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"})
            QTest::addRow("%s on %s", qPrintable(model.section('/', -1)), machine)
                << model << QString::fromLatin1(machine);
}

void TestCleanPrograms::nothingDiverges() {
    QFETCH(QString, path);
    QFETCH(QString, machine);
    if (!QFile::exists(path))
        QSKIP("the shared folder has no such model");
    const auto model = analysis::openModel(path.toStdString());
    QVERIFY(model.isOk());
    const auto target = machines::machineByIdOrFile(machine.toStdString());
    QVERIFY(target.isOk());
    analysis::Request request{*model, *target, {}, {}};
    request.settings.precision = (*target)->defaultPrecision();
    const auto result = analysis::analyze(request);
    QVERIFY(result.isOk());
    const numerics::Subject subject = analysis::subjectOf(*result);
    const numerics::Inputs inputs = numerics::randomInputs(*subject.typed, 7);
    const auto run = numerics::runRung(subject, numerics::Rung::Numerics, inputs);
    QVERIFY2(run.isOk(), run.isOk() ? "" : run.error().text().c_str());
    std::vector<std::pair<std::string, numerics::Tensor>> device;
    for (const auto& [id, datum] : run->values)
        if (datum.tensor.isDefined())
            device.emplace_back(subject.graph().values[id].name, datum.tensor);
    for (const auto& [name, tensor] : run->inner)
        device.emplace_back(name, tensor);
    QVERIFY(device.size() > 10);
    const auto found = analysis::debug(
        {subject, std::nullopt, compare::Side{{compare::dumpOf(device)}, {}}, inputs, {}, {}});
    QVERIFY2(found.isOk(), found.isOk() ? "" : found.error().text().c_str());
    std::size_t compared = 0;
    for (const compare::Layer& layer : (*found)->layers)
        compared +=
            layer.verdict == compare::Verdict::Clean || layer.verdict == compare::Verdict::Benign;
    QVERIFY(compared > 10);
    QVERIFY2((*found)->origins.empty(), (*found)->headline.c_str());
}

QTEST_GUILESS_MAIN(TestCleanPrograms)
#include "test_clean_programs.moc"
