// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/causes.h"
#include "core/roofline/cost_ladder.h"
#include "core/roofline/duration.h"
#include "core/roofline/energy.h"
#include "core/roofline/gap.h"
#include "core/roofline/roofline.h"
#include "tests/roofline/small_program.h"

#include <QtTest>

using namespace fivefold;
using base::Bytes;
using base::Flops;
using base::Seconds;
using lowering::PartKind;
using lowering::StepId;
using roofline::CauseKind;
using roofline::Charge;
using roofline::GapKind;
using tests::SmallProgram;

namespace {

/// The small program with times: the relayout 7 s, the product bound by arithmetic, relu by the
/// far memory, the last step on the host.
SmallProgram timed() {
    SmallProgram small;
    auto& relayout = small.step(small.relayout).estimate;
    relayout.traffic = {{0, Bytes(390), Bytes(110), Seconds(5)}};
    relayout.scheduling = {{"fixed", Seconds(2), PartKind::Launch}};
    roofline::finish(relayout);
    auto& matmul = small.step(small.matmul).estimate;
    small.step(small.matmul).executions = 2;
    small.step(small.matmul).workDivision = "m2 · n1";
    matmul.flops = Flops(3900);
    matmul.paddedFlops = Flops(7800);
    matmul.ideal = Seconds(4);
    matmul.compute = Seconds(10);
    matmul.traffic = {
        {0, Bytes(100), Bytes(60), Seconds(3)}, {1, Bytes(100), Bytes(60), Seconds(1)}};
    matmul.scheduling = {{"launch", Seconds(1), PartKind::Launch}, {"drain", Seconds(2)}};
    roofline::finish(matmul);
    auto& relu = small.step(small.relu).estimate;
    relu.flops = relu.paddedFlops = Flops(30);
    relu.ideal = Seconds(1.2);
    relu.traffic = {{0, Bytes(60), Bytes(60), Seconds(4)}};
    roofline::finish(relu);
    auto& host = small.step(small.host).estimate;
    host.scheduling = {{"hand-off", Seconds(20), PartKind::Launch}};
    roofline::finish(host);
    return small;
}

double timeOf(const roofline::Gap& gap, GapKind kind) {
    double time = 0;
    for (const auto& part : gap.parts)
        time += part.kind == kind ? part.time.value : 0;
    return time;
}

roofline::Gap gapOf(const SmallProgram& small, StepId step, Charge charge) {
    return roofline::gapOf(small.program, small.machine, std::span(&step, 1), charge);
}

const roofline::Cause* find(
    const std::vector<roofline::Cause>& causes, CauseKind kind, StepId step) {
    for (const auto& cause : causes)
        if (cause.kind == kind && cause.step == step)
            return &cause;
    return nullptr;
}

} // namespace

class TestCosts : public QObject {
    Q_OBJECT

private slots:
    void aRelayoutIsChargedToWhoAsked() {
        const SmallProgram small = timed();
        const auto charged = roofline::chargedSteps(small.program);
        QCOMPARE(charged[small.relayout].value, small.matmul.value);
        QCOMPARE(charged[small.matmul].value, small.matmul.value);
        const auto gap = gapOf(small, small.matmul, Charge::ToCause);
        QCOMPARE(gap.estimate.value, 2 * 13.0 + 7);
        QCOMPARE(timeOf(gap, GapKind::Relayout), 7.0);
        QVERIFY(gapOf(small, small.relayout, Charge::ToCause).parts.empty());
        const auto own = gapOf(small, small.relayout, Charge::ToItself);
        QCOMPARE(own.estimate.value, 7.0);
        QCOMPARE(timeOf(own, GapKind::Relayout), 7.0);
        QCOMPARE(own.parts.size(), std::size_t(3)); // the weight's padding, far, fixed
    }

    void aGapGoesFromTheIdealToTheEstimate() {
        const SmallProgram small = timed();
        const auto gap = gapOf(small, small.matmul, Charge::ToItself);
        QCOMPARE(timeOf(gap, GapKind::Ideal), 2 * 4.0);
        QCOMPARE(timeOf(gap, GapKind::Padding), 2 * 5.0); // half of 10 s of arithmetic
        QCOMPARE(timeOf(gap, GapKind::Tile), 2 * 1.0);
        QCOMPARE(timeOf(gap, GapKind::Memory), 0.0); // hidden
        QCOMPARE(timeOf(gap, GapKind::Launch), 2 * 1.0);
        QCOMPARE(timeOf(gap, GapKind::Stall), 2 * 2.0);
        const auto memory = gapOf(small, small.relu, Charge::ToItself);
        QCOMPARE(timeOf(memory, GapKind::Ideal), 1.2);
        QCOMPARE(timeOf(memory, GapKind::Memory), 4 - 1.2);
        QCOMPARE(memory.parts.back().name, std::string("far"));
    }

    void theProgramsGapIsTheSumOfAll() {
        SmallProgram small = timed();
        const auto gap = roofline::gapOf(small.program, small.machine);
        QCOMPARE(gap.estimate.value, 7 + 26 + 4 + 20.0);
        double sum = 0;
        for (const auto& part : gap.parts)
            sum += part.time.value;
        QCOMPARE(sum, gap.estimate.value);
        QVERIFY(!gap.isAtLeast);
        small.step(small.relu).estimate.isKnown = false;
        QVERIFY(roofline::gapOf(small.program, small.machine).isAtLeast);
    }

    void everyCostNamesItsCause() {
        const SmallProgram small = timed();
        const auto causes = roofline::causes(small.program, small.machine);
        const auto* relayout = find(causes, CauseKind::Relayout, small.relayout);
        QVERIFY(relayout);
        QCOMPARE(relayout->chargedTo.value, small.matmul.value);
        QCOMPARE(relayout->sentence(),
            std::string("restickify 7 s ← matmul_1 wants its stick on k ← w lies as stick d1 ← "
                        "the model keeps it"));
        QVERIFY(relayout->chain[0].stage == lowering::Stage::LaidOut);
        QCOMPARE(relayout->chain[0].node.value, 1U); // the product
        QVERIFY(relayout->chain[1].value.isValid());
        const auto* padding = find(causes, CauseKind::Padding, small.matmul);
        QVERIFY(padding);
        QCOMPARE(padding->time.value, 10.0);
        QCOMPARE(padding->chain.front().text, std::string("m2 · n1"));
        QVERIFY(find(causes, CauseKind::Launch, small.matmul));
        const auto* stall = find(causes, CauseKind::Stall, small.matmul);
        QVERIFY(stall);
        QCOMPARE(stall->name, std::string("drain")); // 4 s, before 2 s of tiles
        const auto* host = find(causes, CauseKind::Host, small.host);
        QVERIFY(host);
        QCOMPARE(host->time.value, 20.0);
        for (std::size_t i = 1; i < causes.size(); ++i)
            QVERIFY(causes[i].time <= causes[i - 1].time);
    }

    void aSpillTakesItsShareOfTheMemory() {
        const SmallProgram small = timed();
        const auto causes = roofline::causes(small.program, small.machine);
        const auto* spill = find(causes, CauseKind::Spill, small.relu);
        QVERIFY(spill);
        QCOMPARE(spill->bytes.value, 60);
        QCOMPARE(spill->time.value, (4 - 1.2) / 2); // half of what relu moves
        QCOMPARE(spill->chain.front().text, std::string("There is no room"));
        QCOMPARE(spill->chain.back().text, std::string("matmul_1 writes it"));
    }

    void aPaddedDimensionIsNamed() {
        SmallProgram small = timed();
        auto graph = std::make_shared<lowering::StageGraph>(
            *small.program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)]);
        // The product reads the padded weight itself.
        graph->nodes[lowering::NodeId(1)].inputs[1] = lowering::ValueId(1);
        graph->values[lowering::ValueId(1)].users.push_back(lowering::NodeId(1));
        small.program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)] = graph;
        const auto causes = roofline::causes(small.program, small.machine);
        const auto* padding = find(causes, CauseKind::Padding, small.matmul);
        QVERIFY(padding);
        QCOMPARE(padding->name, std::string("padding of k from 65 to 128"));
        QCOMPARE(padding->bytes.value, 2 * 3 * (128 - 65) * 2);
    }

    void anUnknownTimeHasNoCauses() {
        SmallProgram small = timed();
        for (auto& step : small.program.steps)
            step.estimate.isKnown = false;
        QVERIFY(roofline::causes(small.program, small.machine).empty());
        const lowering::Program empty;
        QVERIFY(roofline::causes(empty, small.machine).empty());
        QVERIFY(roofline::gapOf(empty, small.machine).parts.empty());
        const auto ladder = roofline::costLadder(empty, small.machine, 0, Seconds(0));
        QVERIFY(ladder.addsMost == lowering::Stage::Captured && ladder.sentence.empty());
    }

    void energyKeepsRangesAndWhatIsUnknown() {
        SmallProgram small = timed();
        auto& p = small.machine.parameters;
        p["energy_mac_fp16_low_j"] = SmallProgram::figure(2, "J");
        p["energy_mac_fp16_high_j"] = SmallProgram::figure(4, "J");
        p["energy_bit_far_j"] = SmallProgram::figure(10, "J");
        const auto steps =
            roofline::stepEnergies(small.program, small.machine, machines::Precision::Fp16);
        const auto& relu = steps[small.relu];
        QCOMPARE(relu.joules.low, 30 * 1 + 120 * 8 * 10.0);
        QCOMPARE(relu.joules.high, 30 * 2 + 120 * 8 * 10.0);
        QVERIFY(!relu.isAtLeast);
        const auto& matmul =
            steps[small.matmul]; // two executions, and a near memory without figure
        QVERIFY(matmul.isAtLeast);
        QCOMPARE(matmul.joules.low, 2 * (3900 * 1 + 160 * 8 * 10.0));
        QCOMPARE(matmul.parts.back().name, std::string("near"));
        QVERIFY(!matmul.parts.back().joules);
        const auto total = roofline::totalEnergy(steps);
        QVERIFY(total.isAtLeast);
        QCOMPARE(total.joules.low,
            steps[small.relayout].joules.low + matmul.joules.low + relu.joules.low
                + steps[small.host].joules.low);
        // Arithmetic, then far to near, whatever the first step has.
        base::IdVector<lowering::StepId, roofline::StepEnergy> turned;
        turned.resize(2);
        turned[lowering::StepId(0)].parts = {matmul.parts.back()};
        turned[lowering::StepId(1)].parts = matmul.parts;
        std::vector<std::string> names;
        for (const auto& part : roofline::totalEnergy(turned).parts)
            names.push_back(part.name);
        QVERIFY((names == std::vector<std::string>{"fp16 arithmetic", "far", "near"}));
    }

    void theLadderNamesTheStageThatAddsMost() {
        const SmallProgram small = timed();
        const auto ladder = roofline::costLadder(small.program, small.machine, 1000, Seconds(57));
        QCOMPARE(ladder.rungs.back().time.value, 57.0);
        // max(3900 ÷ 1000, bytes ÷ 100) of the product: 1300 + 390 + 60 B at 100 B/s.
        QVERIFY(ladder.rungs[0].time.value >= 17.5);
        // Padding of the weight is counted from the layouts on.
        QVERIFY(ladder.rungs[3].bytes > ladder.rungs[2].bytes);
        QVERIFY(ladder.addsMost == lowering::Stage::Scheduled);
        QVERIFY(ladder.sentence.starts_with("Scheduling adds most: "));
    }

    void quantitiesAreWrittenShort() {
        QCOMPARE(roofline::durationText(Seconds(41.23e-6)), std::string("41.2 µs"));
        QCOMPARE(roofline::durationText(Seconds(0.99999e-3)), std::string("1 ms"));
        QCOMPARE(roofline::durationText(Seconds(0)), std::string("0 s"));
        QCOMPARE(roofline::bytesText(Bytes(512)), std::string("512 B"));
        QCOMPARE(roofline::bytesText(Bytes(38'597'376)), std::string("38.6 MB"));
    }
};

QTEST_APPLESS_MAIN(TestCosts)
#include "test_costs.moc"
