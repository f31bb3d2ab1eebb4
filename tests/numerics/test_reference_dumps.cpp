// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"
#include "core/compare/dump.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace fivefold;

namespace {

/// |a − b| ≤ kShare · max|b|, as the reference values of PyTorch in fp32 are met.
constexpr double kShare = 1e-4;

double largest(const numerics::Tensor& tensor) {
    double most = 0;
    for (const double value : tensor.numbers())
        most = std::max(most, std::abs(value));
    return most;
}

double farthest(const numerics::Tensor& a, const numerics::Tensor& b) {
    double most = 0;
    for (std::int64_t i = 0; i < b.size(); ++i) {
        const double difference = std::abs(a.number(i) - b.number(i));
        most = std::isnan(difference) ? INFINITY : std::max(most, difference);
    }
    return most;
}

} // namespace

/// Real models against the values that PyTorch computed.
class TestReferenceDumps : public QObject {
    Q_OBJECT

private slots:
    void everyValueIsMet_data();
    void everyValueIsMet();
};

void TestReferenceDumps::everyValueIsMet_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("attention block") << "attention_block_b1_s128_d768_h12";
    QTest::newRow("llama") << "llama_tiny_2l";
}

void TestReferenceDumps::everyValueIsMet() {
    QFETCH(QString, name);
    const QString data = qEnvironmentVariable("FIVEFOLD_SHARED") + "/data";
    if (!qEnvironmentVariableIsSet("FIVEFOLD_SHARED")
        || !QFileInfo::exists(data + "/dumps/" + name + "/ref_fp32.npz"))
        QSKIP("FIVEFOLD_SHARED does not name the folder of reference data");
    const auto model = analysis::openModel((data + "/onnx/" + name + ".onnx").toStdString());
    QVERIFY2(model.isOk(), model ? "" : model.error().text().c_str());
    const std::string folder = (data + "/dumps/" + name).toStdString();
    const auto given = compare::openDump(folder + "/inputs.npz");
    const auto wanted = compare::openDump(folder + "/ref_fp32.npz");
    QVERIFY(given.isOk() && wanted.isOk());
    const auto inputs = analysis::inputsOf(*(*model)->graph, **given);
    QVERIFY2(inputs.isOk(), inputs ? "" : inputs.error().text().c_str());
    const auto subject = analysis::subjectOf(*model, {}, *inputs);
    QVERIFY2(subject.isOk(), subject ? "" : subject.error().text().c_str());
    numerics::RunOptions options;
    options.carrier = numerics::Carrier::Float;
    const auto run = numerics::run(*subject->typed, *inputs, *subject->weights, options);
    QVERIFY2(run.isOk(), run ? "" : run.error().text().c_str());
    QVERIFY2(run->skipped.empty(),
        run->diagnostics.empty() ? "skipped" : run->diagnostics.entries()[0].message.c_str());
    std::map<std::string, numerics::Tensor> computed; // the reference holds weights too
    base::Diagnostics diagnostics;
    for (const ir::ValueId id : (*model)->graph->main().initializers)
        if (const auto weight = subject->weights->of(id, options.carrier, diagnostics))
            computed[(*model)->graph->values[id].name] = *weight;
    QVERIFY(diagnostics.empty());
    for (const auto& [id, datum] : run->values)
        computed[(*model)->graph->values[id].name] = datum.tensor;
    std::size_t met = 0;
    for (std::size_t i = 0; i < (*wanted)->entries().size(); ++i) {
        const auto& entry = (*wanted)->entries()[i];
        const auto found = computed.find(entry.name);
        if (found == computed.end())
            continue;
        const auto value = (*wanted)->read(i);
        QVERIFY2(value.isOk(), value ? "" : value.error().text().c_str());
        QVERIFY2(found->second.shape() == value->shape(), entry.name.c_str());
        const double distance = farthest(found->second, *value);
        QVERIFY2(distance <= kShare * largest(*value),
            (entry.name + " is off by " + std::to_string(distance)).c_str());
        ++met;
    }
    QCOMPARE(met, (*wanted)->entries().size());
}

QTEST_APPLESS_MAIN(TestReferenceDumps)
#include "test_reference_dumps.moc"
