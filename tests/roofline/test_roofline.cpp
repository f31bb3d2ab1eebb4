// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/roofline.h"

#include <QtTest>
#include <limits>
#include <random>

using namespace fivefold;
using base::Bytes;
using base::Flops;
using base::Seconds;
using lowering::Bound;

class TestRoofline : public QObject {
    Q_OBJECT

private:
    static lowering::Estimate estimate(double compute, std::vector<double> memory, double launch) {
        lowering::Estimate e;
        e.flops = Flops(1e6);
        e.compute = Seconds(compute);
        for (std::size_t i = 0; i < memory.size(); ++i)
            e.traffic.push_back({i, Bytes(500), Bytes(500), Seconds(memory[i])});
        if (launch > 0)
            e.scheduling.push_back({"launch", Seconds(launch)});
        return e;
    }

private slots:
    void theLongerPartBinds_data() {
        QTest::addColumn<double>("compute");
        QTest::addColumn<double>("far");
        QTest::addColumn<double>("near");
        QTest::addColumn<double>("launch");
        QTest::addColumn<Bound>("bound");
        QTest::addColumn<int>("level");
        QTest::newRow("compute") << 5.0 << 3.0 << 1.0 << 1.0 << Bound::Compute << 0;
        QTest::newRow("far memory") << 2.0 << 3.0 << 1.0 << 1.0 << Bound::Memory << 0;
        QTest::newRow("near memory") << 2.0 << 3.0 << 4.0 << 1.0 << Bound::Memory << 1;
        QTest::newRow("launch") << 2.0 << 3.0 << 1.0 << 9.0 << Bound::Scheduling << 0;
        QTest::newRow("nothing") << 0.0 << 0.0 << 0.0 << 0.0 << Bound::Unknown << 0;
    }

    void theLongerPartBinds() {
        QFETCH(double, compute);
        QFETCH(double, far);
        QFETCH(double, near);
        QFETCH(double, launch);
        QFETCH(Bound, bound);
        QFETCH(int, level);
        for (const bool overlaps : {true, false}) {
            lowering::Estimate e = estimate(compute, {far, near}, launch);
            roofline::finish(e, overlaps);
            QVERIFY(e.bound == bound);
            if (bound == Bound::Memory)
                QCOMPARE(e.boundLevel, static_cast<std::size_t>(level));
            const double memory = std::max(far, near);
            QCOMPARE(
                e.time.value, (overlaps ? std::max(compute, memory) : compute + memory) + launch);
            QCOMPARE(
                e.computeShare.value + e.memoryShare.value + e.schedulingShare.value, e.time.value);
            QVERIFY(!e.because.empty());
        }
    }

    void sharesAlwaysAddUp() {
        std::mt19937 random(3);
        const auto time = [&] { return static_cast<double>(random() % 1000) * 1e-9; };
        for (int i = 0; i < 1000; ++i) {
            lowering::Estimate e = estimate(time(), {time(), time()}, time());
            roofline::finish(e, i % 2 == 0);
            QVERIFY(std::abs((e.computeShare + e.memoryShare + e.schedulingShare - e.time).value)
                <= 1e-15);
            QVERIFY(e.time >= e.compute);
        }
    }

    void aBrokenPartMakesTheTimeUnknown_data() {
        QTest::addColumn<double>("part");
        QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
        QTest::newRow("negative") << -1.0;
    }

    void aBrokenPartMakesTheTimeUnknown() {
        QFETCH(double, part);
        lowering::Estimate e = estimate(part, {1.0}, 1);
        roofline::finish(e);
        QVERIFY(!e.isKnown);
        QCOMPARE(e.time.value, 0.0);
    }

    void ceilingsAreSortedAndSkipWhatIsUnknown() {
        machines::Machine m;
        m.peaks[machines::Precision::Fp32] = {
            1e12, "FLOP/s", machines::FigureStatus::Published, "test", ""};
        m.peaks[machines::Precision::Fp16] = {
            4e12, "FLOP/s", machines::FigureStatus::Published, "test", ""};
        m.peaks[machines::Precision::Int8] = {};
        m.memories.resize(3);
        m.memories[0].name = "HBM";
        m.memories[0].bandwidth.value = 1e12;
        m.memories[2].name = "LX";
        m.memories[2].bandwidth.value = 1e11;
        m.memories[2].instances = 32;
        const auto all = roofline::ceilings(m, machines::Precision::Fp32);
        QCOMPARE(all.size(), std::size_t(4));
        QCOMPARE(all[0].name, std::string("fp16"));
        QVERIFY(!all[0].isCurrent && all[1].isCurrent);
        QCOMPARE(all[2].name, std::string("HBM"));
        QCOMPARE(all[3].level, std::size_t(2));
        QCOMPARE(*all[3].value.value, 3.2e12);
    }

    void pointsLeaveOutWhatHasNoWorkOrNoTime() {
        machines::Machine m;
        m.memories.resize(2);
        lowering::Program program;
        lowering::Step step;
        step.estimate = estimate(2.0, {1.0}, 1);
        roofline::finish(step.estimate);
        program.steps.add(step);
        step.estimate.isKnown = false;
        program.steps.add(step);
        step.estimate = {};
        program.steps.add(step);
        const auto points = roofline::points(program, m);
        QCOMPARE(points.size(), std::size_t(1));
        QCOMPARE(points[0].achieved, 1e6 / 3.0);
        QCOMPARE(*points[0].intensity(0), 1e6 / 1000);
        QVERIFY(!points[0].intensity(1));
        QVERIFY(!points[0].intensity(7));
        QCOMPARE(*points[0].schedulingCap, 1e6);
    }
};

QTEST_APPLESS_MAIN(TestRoofline)
#include "test_roofline.moc"
