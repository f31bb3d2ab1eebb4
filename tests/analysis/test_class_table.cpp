// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/class_table.h"

#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1e-30, std::abs(a), std::abs(b)});
}

} // namespace

class TestClassTable : public QObject {
    Q_OBJECT

private slots:
    void rowsAddUpToTheProgram_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("attention") << "attention_block.onnx";
        QTest::newRow("unknown time") << "unsupported_operator.onnx";
        QTest::newRow("reductions") << "fusion_loses.onnx";
    }

    void rowsAddUpToTheProgram() {
        QFETCH(QString, file);
        const auto model =
            take(analysis::openModel(FIVEFOLD_SOURCE_DIR "/samples/" + file.toStdString()));
        for (const std::string_view machine : kFiveMachines) {
            const auto result = analyzeOn(model, machine);
            base::Seconds time;
            std::int64_t steps = 0, unknown = 0;
            double flops = 0, stepFlops = 0, low = 0, high = 0;
            bool isAtLeast = false;
            std::set<ir::OpClass> seen;
            for (const analysis::ClassRow& row : result->classes) {
                QVERIFY(seen.insert(row.opClass).second);
                time += row.time;
                steps += row.steps;
                unknown += row.unknownSteps;
                flops += row.flops.value;
                low += row.energy.joules.low;
                high += row.energy.joules.high;
                isAtLeast = isAtLeast || row.energy.isAtLeast;
                QVERIFY(row.bytes.value >= 0 && row.unknownSteps <= row.steps && row.steps > 0);
            }
            for (const lowering::Step& step : result->program.steps)
                if (step.estimate.isKnown)
                    stepFlops += step.estimate.flops.value * static_cast<double>(step.executions);
            QVERIFY(isNear(time.value, result->totals.time.value));
            QVERIFY(isNear(flops, stepFlops));
            QCOMPARE(std::size_t(steps), result->program.steps.size());
            QCOMPARE(unknown, result->totals.unknownSteps);
            QVERIFY(isNear(low, result->totalEnergy.joules.low));
            QVERIFY(isNear(high, result->totalEnergy.joules.high));
            QCOMPARE(isAtLeast, result->totalEnergy.isAtLeast);
        }
    }

    void onlyContractionsUseTheMatrixUnits() {
        const auto model = take(analysis::openModel(samplePath()));
        for (const std::string_view machine : kFiveMachines) {
            const auto result = analyzeOn(model, machine);
            for (const analysis::ClassRow& row : result->classes) {
                QCOMPARE(
                    row.matrixUtilisation.has_value(), row.opClass == ir::OpClass::Contraction);
                if (row.matrixUtilisation)
                    QVERIFY(*row.matrixUtilisation > 0 && *row.matrixUtilisation <= 1);
            }
        }
    }

    void relayoutsAreMovement() {
        const auto model =
            take(analysis::openModel(FIVEFOLD_SOURCE_DIR "/samples/badly_mapped_shape.onnx"));
        const auto result = analyzeOn(model, "spyre");
        const auto& graph = result->program.stage(lowering::Stage::Scheduled);
        int relayouts = 0;
        for (std::size_t s = 0; s < result->program.steps.size(); ++s) {
            const auto& main = graph.nodes[result->program.steps[lowering::StepId(s)].mainNode];
            if (main.op != "ReStickifyOpHBM" && main.addedBy.empty())
                continue;
            ++relayouts;
            QVERIFY(
                analysis::classOf(result->program, lowering::StepId(s)) == ir::OpClass::Movement);
        }
        QVERIFY(relayouts > 0);
    }
};

QTEST_APPLESS_MAIN(TestClassTable)
#include "test_class_table.moc"
