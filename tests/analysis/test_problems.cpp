// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/problems.h"

#include "core/analysis/remedies.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <cmath>

using namespace fivefold;
using namespace fivefold::tests;
using analysis::Problem;

namespace {

std::shared_ptr<const analysis::Model> sample(const char* name) {
    return take(analysis::openModel(std::string(FIVEFOLD_SOURCE_DIR "/samples/") + name));
}

const Problem* at(const analysis::Result& result, const std::string& place) {
    for (const Problem& problem : result.problems)
        if (problem.place == place)
            return &problem;
    return nullptr;
}

bool isSorted(const std::vector<Problem>& problems) {
    for (std::size_t i = 1; i < problems.size(); ++i) {
        const auto &a = problems[i - 1], &b = problems[i];
        if (b.cost && (!a.cost || *a.cost < *b.cost))
            return false;
        if (!a.cost && !b.cost && a.severity < b.severity)
            return false;
    }
    return true;
}

} // namespace

class TestProblems : public QObject {
    Q_OBJECT

private slots:
    void theListIsSortedAndPriced_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"attention_block.onnx", "fusion_loses.onnx",
                 "unsupported_operator.onnx", "badly_mapped_shape.onnx", "one_placement.onnx"})
            QTest::newRow(file) << file;
    }

    void theListIsSortedAndPriced() {
        QFETCH(QString, file);
        const auto model = sample(file.toLatin1());
        for (const std::string_view machine : kFiveMachines) {
            const auto result = analyzeOn(model, machine);
            const double total = result->totals.time.value;
            QVERIFY(isSorted(result->problems));
            for (const Problem& problem : result->problems) {
                QVERIFY(!problem.message.empty() && !problem.code.empty() && problem.count >= 1);
                QCOMPARE(problem.cost.has_value(), problem.without.has_value());
                if (problem.cost) {
                    QVERIFY(problem.cost->value >= 0 && problem.cost->value <= total);
                    QVERIFY(std::abs(problem.cost->value + problem.without->value - total)
                        <= 1e-9 * total);
                }
                for (const auto& remedy : problem.remedies)
                    QVERIFY(!remedy.isEmpty() && !remedy.text.empty());
            }
        }
    }

    /// Each sample's trouble does not show in the time of the operator that makes it; the list
    /// names it first, and trying the remedy gives what the list promised.
    void samplesNameTheirCulprit_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("operatorName");
        QTest::newRow("unsupported operator") << "unsupported_operator.onnx"
                                              << "spyre"
                                              << "/gate/Erf"
                                              << "/gate/Erf";
        QTest::newRow("badly mapped shape, Spyre") << "badly_mapped_shape.onnx"
                                                   << "spyre"
                                                   << "/cache/Concat"
                                                   << "/cache/Concat";
        QTest::newRow("badly mapped shape, TPU") << "badly_mapped_shape.onnx"
                                                 << "tpu_v5e"
                                                 << "/cache/Concat"
                                                 << "/cache/Concat";
        QTest::newRow("one placement") << "one_placement.onnx"
                                       << "spyre"
                                       << "skip"
                                       << "/skip/Mul";
    }

    void samplesNameTheirCulprit() {
        QFETCH(QString, file);
        QFETCH(QString, machine);
        QFETCH(QString, place);
        QFETCH(QString, operatorName);
        const auto before = analyzeOn(sample(file.toLatin1()), machine.toStdString());
        QVERIFY(!before->problems.empty());
        const Problem* culprit = at(*before, place.toStdString());
        QVERIFY2(culprit, "the list does not name it");
        const auto rank = culprit - before->problems.data();
        QVERIFY2(rank < 2, qPrintable(QString::number(rank)));
        QVERIFY(culprit->cost && culprit->cost->value > 0.05 * before->totals.time.value);
        // Invisible in the operator's own time.
        const auto own = before->nodes[nodeNamed(before->graph(), operatorName.toStdString())].time;
        QVERIFY(!own || own->value < culprit->cost->value);
        QVERIFY(!culprit->remedies.empty());
        const auto after =
            take(analysis::analyze(analysis::applied(before->request, culprit->remedies.front())));
        QVERIFY2(after->totals.time < before->totals.time,
            qPrintable(QString::number(after->totals.time.value)));
        const double promised = culprit->without->value, got = after->totals.time.value;
        QVERIFY2(std::abs(promised / got - 1) < 0.25,
            qPrintable(QStringLiteral("promised %1, got %2").arg(promised).arg(got)));
        QVERIFY(after->totals.unknownSteps == 0);
    }

    void anUnsupportedOperatorKeepsAnUnknownTime() {
        const auto result = analyzeOn(sample("unsupported_operator.onnx"), "spyre");
        const Problem* erf = at(*result, "/gate/Erf");
        QVERIFY(erf);
        QVERIFY(erf->message.find("unknown") != std::string::npos);
        QVERIFY(!result->nodes[erf->node].time);
        QCOMPARE(erf->remedies.front().substitutes.at("/gate/Erf"), std::string("erf-exp"));
        QVERIFY(erf->remedies.front().text.find("not exact") != std::string::npos);
        // A substitute that was taken is not offered again, and the operator is no problem.
        const auto after =
            take(analysis::analyze(analysis::applied(result->request, erf->remedies.front())));
        QVERIFY(!at(*after, "/gate/Erf"));
        // It runs on the other machines.
        for (const std::string_view machine : {"gpu_h100_sxm", "tpu_v5e", "groq_lpu_v1"})
            QVERIFY(!at(*analyzeOn(result->request.model, machine), "/gate/Erf"));
    }

    void wishesThatAMachineCannotFulfilAreSaid() {
        auto request = analyzeOn(sample("one_placement.onnx"), "gpu_h100_sxm")->request;
        request.settings.placements["skip"] = "L2";
        const auto result = take(analysis::analyze(request));
        QCOMPARE(result->diagnostics.count("lowering.placement"), 1);
        request.machine = machines::findMachine("spyre");
        request.settings.precision = request.machine->defaultPrecision();
        request.settings.placements = {{"h3", "LX"}};
        const auto kept = take(analysis::analyze(request));
        QCOMPARE(kept->diagnostics.count("lowering.placement"), 0);
        const auto& placed = kept->program.stage(lowering::Stage::Placed);
        bool isInLx = false, isSkipInLx = false;
        for (const auto& buffer : kept->program.buffers) {
            const bool isNear = kept->machine().memories[buffer.level].name == "LX";
            isInLx = isInLx || (isNear && placed.values[buffer.value].name == "h3");
            isSkipInLx = isSkipInLx || (isNear && placed.values[buffer.value].name == "skip");
        }
        QVERIFY(isInLx && !isSkipInLx);
    }

    void repeatedNamesArePatterns() {
        QCOMPARE(analysis::namePattern("/h.11/attn/MatMul_3"), std::string("/h.#/attn/MatMul_#"));
        QCOMPARE(analysis::namePattern(""), std::string());
    }

    void symbolsSolveForExtents() {
        const analysis::DimensionSymbol symbol{"past", 2, 1, 64};
        QVERIFY(symbol.sizeFor(129) == 64);
        QVERIFY(!symbol.sizeFor(128));
        QVERIFY(!symbol.sizeFor(1));
    }
};

QTEST_APPLESS_MAIN(TestProblems)
#include "test_problems.moc"
