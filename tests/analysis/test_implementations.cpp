// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/implementations.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <algorithm>

using namespace fivefold;
using lowering::ImplementationRow;
using lowering::ImplementationValues;

/// The ways to run one operator, on five machines.
class TestImplementations : public QObject {
    Q_OBJECT

private:
    static std::shared_ptr<const analysis::Result> resultOn(
        std::string_view machine, std::map<std::string, ImplementationValues> chosen = {}) {
        static const auto kModel = tests::take(analysis::openModel(tests::samplePath()));
        analysis::Request request{kModel, machines::findMachine(machine), {}, {}};
        request.settings.precision = request.machine->defaultPrecision();
        request.settings.implementations = std::move(chosen);
        return tests::take(analysis::analyze(request));
    }
    static void eachMachine() {
        QTest::addColumn<QString>("machine");
        for (const std::string_view machine : tests::kFiveMachines)
            QTest::newRow(machine.data()) << QString::fromUtf8(machine.data());
    }
    static std::optional<base::Seconds> timeOf(const analysis::Result& result, ir::NodeId node) {
        return result.nodes[node].time;
    }

private slots:
    void productsHaveAChoiceOnEveryMachine_data() { eachMachine(); }
    void productsHaveAChoiceOnEveryMachine() {
        QFETCH(QString, machine);
        const auto result = resultOn(machine.toStdString());
        const ir::NodeId node = tests::firstOf(result->graph(), ir::Op::MatMul);
        const auto choices = analysis::implementationChoices(*result, node);
        QVERIFY(!choices.empty());
        for (const auto& choice : choices) {
            QVERIFY2(std::ranges::find(choice.values, choice.preset) != choice.values.end(),
                choice.key.c_str());
            const auto rows = analysis::sweepImplementation(*result, node, choice.key);
            QCOMPARE(rows.size(), choice.values.size());
            for (const ImplementationRow& row : rows) {
                QVERIFY(row.time.value > 0 && std::isfinite(row.time.value));
                QCOMPARE(row.flops.value, rows.front().flops.value); // equal work
                QVERIFY(row.paddedFlops >= row.flops);
                QVERIFY(!row.bytesByLevel.empty() && !row.because.empty());
            }
        }
    }

    /// The compiler's own choice is the fastest of its sweep where it searches by the same
    /// equation.
    void theGpuTakesItsFastestTile() {
        const auto result = resultOn("gpu_h100_sxm");
        const ir::NodeId node = tests::firstOf(result->graph(), ir::Op::MatMul);
        const auto preset = tests::take(analysis::compareImplementations(*result, node, {{}}));
        for (const ImplementationRow& row : analysis::sweepImplementation(*result, node, "tile"))
            QVERIFY(row.time >= preset.front().time);
    }

    void attentionTiledKeepsItsScores_data() { eachMachine(); }
    void attentionTiledKeepsItsScores() {
        QFETCH(QString, machine);
        const auto result = resultOn(machine.toStdString());
        const ir::NodeId node = tests::firstOf(result->graph(), ir::Op::Softmax);
        const auto rows = tests::take(analysis::compareImplementations(
            *result, node, {{{"attention", "tiled"}}, {{"attention", "unfused"}}}));
        QCOMPARE(rows[0].flops.value, rows[1].flops.value);
        QCOMPARE(rows[0].syncs, 0);
        QCOMPARE(rows[1].syncs, 2);
        QVERIFY(rows[0].bytesByLevel.front().second < rows[1].bytesByLevel.front().second);
    }

    void aChosenTileIsLowered() {
        const auto before = resultOn("gpu_a100_sxm_80gb");
        const ir::NodeId node = tests::firstOf(before->graph(), ir::Op::MatMul);
        const std::string name = before->graph().nodes[node].name;
        const auto rows = analysis::sweepImplementation(*before, node, "tile");
        const auto slowest = std::ranges::max_element(rows, {}, &ImplementationRow::time);
        const auto after = resultOn("gpu_a100_sxm_80gb", {{name, slowest->choice}});
        QVERIFY(*timeOf(*after, node) > *timeOf(*before, node));
        QVERIFY(after->totals.time > before->totals.time);
    }

    void aChosenSplitIsLowered() {
        const auto before = resultOn("spyre");
        const ir::NodeId node = tests::firstOf(before->graph(), ir::Op::MatMul);
        const std::string name = before->graph().nodes[node].name;
        const auto choices = analysis::implementationChoices(*before, node);
        const auto other = std::ranges::find_if(choices.front().values,
            [&](const std::string& v) { return v != choices.front().preset; });
        const auto after = resultOn("spyre", {{name, {{"split", *other}}}});
        bool isThere = false;
        std::string wanted = "[" + *other + "]";
        for (const lowering::OpSpec& spec : after->program.opSpecs) {
            std::string splits;
            for (const std::int64_t part : spec.splits)
                splits += (splits.empty() ? "[" : ",") + std::to_string(part);
            isThere = isThere || splits.find(other->substr(other->find(',') + 1)) != splits.npos;
        }
        QVERIFY2(isThere || *timeOf(*after, node) != *timeOf(*before, node), wanted.c_str());
    }

    void whatAMachineDoesNotHaveIsAnError() {
        const auto result = resultOn("gpu_h100_sxm");
        const ir::NodeId node = tests::firstOf(result->graph(), ir::Op::MatMul);
        const auto unknownKey =
            analysis::compareImplementations(*result, node, {{{"colour", "red"}}});
        QVERIFY(!unknownKey);
        QVERIFY(unknownKey.error().message.find("tile") != std::string::npos);
        const auto unknownValue =
            analysis::compareImplementations(*result, node, {{{"tile", "3x3"}}});
        QVERIFY(!unknownValue);
        const auto noChoice = analysis::compareImplementations(
            *result, tests::firstOf(result->graph(), ir::Op::Add), {{}});
        QVERIFY(!noChoice);
        QVERIFY(analysis::implementationChoices(*result, ir::NodeId()).empty());
    }

    /// A wrong wish is said and left out: the analysis goes on.
    void aWrongWishIsADiagnostic() {
        const auto plain = resultOn("gpu_h100_sxm");
        const std::string name =
            plain->graph().nodes[tests::firstOf(plain->graph(), ir::Op::MatMul)].name;
        const auto result = resultOn("gpu_h100_sxm", {{name, {{"tile", "3x3"}}}});
        QCOMPARE(result->totals.time.value, plain->totals.time.value);
        QVERIFY(result->diagnostics.count("gpu.implementation") > 0);
    }
};

QTEST_APPLESS_MAIN(TestImplementations)
#include "test_implementations.moc"
