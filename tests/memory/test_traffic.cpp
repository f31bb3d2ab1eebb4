// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/traffic.h"
#include "tests/roofline/small_program.h"

#include <QtTest>

using namespace fivefold;
using base::Bytes;
using memory::StepKind;
using memory::TrafficCause;
using tests::SmallProgram;

namespace {

std::int64_t bytes(const memory::TrafficByCause& traffic, TrafficCause cause) {
    return traffic.bytes[static_cast<std::size_t>(cause)].value;
}

} // namespace

class TestTraffic : public QObject {
    Q_OBJECT

private slots:
    void bordersKnowWhatLowersAndWhatWorks() {
        const SmallProgram small;
        const memory::StepBorders borders(small.program);
        QVERIFY(borders.kind(small.relayout) == StepKind::Relayout);
        QVERIFY(borders.kind(small.matmul) == StepKind::Work);
        const auto matmul = borders.of(small.matmul);
        QCOMPARE(matmul.size(), std::size_t(3)); // x, the turned weight, y
        const auto relayout = borders.of(small.relayout);
        QCOMPARE(relayout.size(), std::size_t(2));
        for (const auto& value : relayout)
            if (!value.isWritten) {
                QCOMPARE(value.logical.value, 3 * 65 * 2);
                QCOMPARE(value.device.value, 3 * 128 * 2);
            }
        for (const auto& value : borders.of(small.relu))
            QCOMPARE(value.isSpill, !value.isWritten);
    }

    void bytesAreSplitByCause() {
        SmallProgram small;
        small.step(small.relayout).estimate.traffic = {{0, Bytes(768), Bytes(390), {}}};
        // x 1300 B, the turned weight 390 B, y 60 B; 250 B more are read again.
        small.step(small.matmul).estimate.traffic = {{0, Bytes(1940), Bytes(60), {}}};
        small.step(small.matmul).executions = 3;
        small.step(small.relu).estimate.traffic = {{0, Bytes(60), Bytes(60), {}}};
        const auto traffic = memory::trafficByCause(small.program, small.machine);
        QCOMPARE(traffic.size(), std::size_t(2));
        QCOMPARE(bytes(traffic[0], TrafficCause::Relayout), 768 + 390);
        QCOMPARE(bytes(traffic[0], TrafficCause::Reread), 3 * 250);
        QCOMPARE(bytes(traffic[0], TrafficCause::Spill), 3 * 60 + 60);
        QCOMPARE(bytes(traffic[0], TrafficCause::Weights), 3 * 390); // turned, a weight still
        QCOMPARE(bytes(traffic[0], TrafficCause::Activations), 3 * 1300 + 60);
        QCOMPARE(traffic[0].total().value, 768 + 390 + 3 * 2000 + 120);
        QCOMPARE(traffic[1].total().value, 0);
    }

    void lessThanTheBorderIsSplitInProportion() {
        SmallProgram small;
        small.step(small.matmul).estimate.traffic = {{0, Bytes(101), Bytes(0), {}}};
        const auto traffic = memory::trafficByCause(small.program, small.machine);
        QCOMPARE(traffic[0].total().value, 101);
        QVERIFY(bytes(traffic[0], TrafficCause::Spill) > 0);
        QVERIFY(
            bytes(traffic[0], TrafficCause::Activations) > bytes(traffic[0], TrafficCause::Spill));
    }

    void aTableCountsWithWhatIsReadOfIt() {
        SmallProgram small;
        auto graph = std::make_shared<lowering::StageGraph>(*small.program.stages.back());
        graph->nodes[lowering::NodeId(0)].canonical = ir::Op::Gather;
        graph->values[lowering::ValueId(2)].shape = {{1, 3}}; // 6 of 390 bytes
        small.program.stages.back() = graph;
        const memory::StepBorders borders(small.program);
        for (const auto& value : borders.of(small.relayout))
            if (!value.isWritten)
                QCOMPARE(value.logical.value, 6);
    }

    void aProgramWithoutStagesHasNoBorders() {
        lowering::Program program;
        program.steps.add({});
        const memory::StepBorders borders(program);
        QVERIFY(borders.of(lowering::StepId(0)).empty());
        machines::Machine machine;
        machine.memories.resize(1);
        QCOMPARE(memory::trafficByCause(program, machine).size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestTraffic)
#include "test_traffic.moc"
