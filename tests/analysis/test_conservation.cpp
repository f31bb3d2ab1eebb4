// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/analysis/analysis_fixture.h"

#include "core/lowering/tiling.h"
#include "core/roofline/gap.h"

#include <QDir>
#include <QTest>

#include <cmath>
#include <map>
#include <numeric>

using namespace fivefold;
using analysis::Result;
using lowering::StepId;

namespace {

constexpr double kRounding = 1e-9;

bool isClose(double a, double b, double scale) {
    return std::abs(a - b) <= kRounding * std::max(std::abs(scale), 1e-15);
}

QString stepText(const Result& result, StepId step) {
    return QString::fromStdString(result.program.steps[step].name);
}

/// Models whose every kind of step occurs on some machine; larger collections are tests/analysis'
/// corpora.
QStringList modelPaths() {
    QStringList paths;
    const QDir samples(QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples"));
    for (const QString& name : samples.entryList({QStringLiteral("*.onnx")}, QDir::Files))
        paths << samples.filePath(name);
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    if (shared.isEmpty())
        return paths;
    for (const char* name :
        {"onnx/gpt2_small.onnx", "onnx/resnet50_stripped.onnx", "onnx/unet_c32_stripped.onnx",
            "onnx/lstm_lm_stripped.onnx", "onnx/moe_top2_of_8_dense_stripped.onnx",
            "onnx/nested_loop_if_loop.onnx", "onnx/silero_vad_v5.onnx",
            "onnx/llama7b_dims_2l_stripped.onnx", "onnx/ch_PP-OCRv4_det_infer.onnx"})
        if (const QString path = shared + QStringLiteral("/data/") + QLatin1String(name);
            QFile::exists(path))
            paths << path;
    return paths;
}

} // namespace

/// What goes in comes out: nothing is counted twice and nothing is lost between the operators, the
/// levels, the causes and the totals.
class TestConservation : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void bytesOfOperatorsAreBytesOfLevels_data() { rows(); }
    void bytesOfOperatorsAreBytesOfLevels();
    void bytesInUseStayWithinCapacity_data() { rows(); }
    void bytesInUseStayWithinCapacity();
    void partsAddUpToTimes_data() { rows(); }
    void partsAddUpToTimes();
    void gapsAddUpToTheEstimate_data() { rows(); }
    void gapsAddUpToTheEstimate();
    void classesAddUpToTotals_data() { rows(); }
    void classesAddUpToTotals();
    void energyAddsUp_data() { rows(); }
    void energyAddsUp();
    void theTimelineEndsAtTheEstimate_data() { rows(); }
    void theTimelineEndsAtTheEstimate();
    void pointsLieUnderEveryCeiling_data() { rows(); }
    void pointsLieUnderEveryCeiling();
    void causesCostNoMoreThanTheirSteps_data() { rows(); }
    void causesCostNoMoreThanTheirSteps();
    void theLadderEndsAtTheTotal_data() { rows(); }
    void theLadderEndsAtTheTotal();

private:
    void rows() const {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_results.size(); ++i)
            QTest::addRow("%s on %s", qPrintable(m_names[static_cast<qsizetype>(i)]),
                m_results[i]->machine().id.c_str())
                << static_cast<int>(i);
    }
    const Result& result() const {
        QFETCH(int, index);
        return *m_results[static_cast<std::size_t>(index)];
    }

    QStringList m_names;
    std::vector<std::shared_ptr<const Result>> m_results;
};

void TestConservation::initTestCase() {
    for (const QString& path : modelPaths()) {
        const auto model = tests::take(analysis::openModel(path.toStdString()));
        analysis::TypedCache cache;
        for (const std::string_view machine : tests::kFiveMachines) {
            m_results.push_back(tests::analyzeOn(model, machine, &cache));
            m_names << QFileInfo(path).fileName();
        }
    }
}

void TestConservation::bytesOfOperatorsAreBytesOfLevels() {
    const Result& r = result();
    std::vector<std::int64_t> sums(r.machine().memories.size(), 0);
    for (const lowering::Step& step : r.program.steps)
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            sums[traffic.level] = lowering::saturatingAdd(sums[traffic.level],
                lowering::saturatingMul(traffic.total().value, step.executions));
    QCOMPARE(r.memory.size(), sums.size());
    QCOMPARE(r.traffic.size(), sums.size());
    for (std::size_t level = 0; level < sums.size(); ++level) {
        QCOMPARE((r.memory[level].read + r.memory[level].written).value, sums[level]);
        QCOMPARE(r.traffic[level].total().value, sums[level]);
        for (const base::Bytes part : r.traffic[level].bytes)
            QVERIFY(part.value >= 0);
    }
}

void TestConservation::bytesInUseStayWithinCapacity() {
    const Result& r = result();
    for (const memory::LevelUse& use : r.memory) {
        const bool isSpilled = std::ranges::any_of(
            r.program.buffers, [&](const lowering::Buffer& b) { return b.isSpill; });
        for (const memory::LevelUse::Sample& sample : use.samples) {
            QVERIFY(sample.bytes.value >= 0);
            QVERIFY(!use.capacity || sample.bytes <= *use.capacity || isSpilled);
        }
    }
}

void TestConservation::partsAddUpToTimes() {
    const Result& r = result();
    const analysis::Totals& t = r.totals;
    QVERIFY(isClose((t.compute + t.memory + t.scheduling).value, t.time.value, t.time.value));
    const roofline::GapAnalysis gaps(r.program, r.machine());
    for (std::size_t s = 0; s < r.program.steps.size(); ++s) {
        const StepId step(s);
        const lowering::Estimate& e = r.program.steps[step].estimate;
        const double shares = (e.computeShare + e.memoryShare + e.schedulingShare).value;
        QVERIFY2(isClose(shares, e.time.value, e.time.value), qPrintable(stepText(r, step)));
        double scheduling = 0;
        for (const lowering::TimePart& part : e.scheduling)
            scheduling += part.time.value;
        if (e.isKnown)
            QVERIFY2(isClose(scheduling, e.schedulingShare.value, e.time.value),
                qPrintable(stepText(r, step)));
        const roofline::StepParts parts = gaps.partsOf(step);
        const double sum = parts.ideal + parts.computePadding + parts.memoryPadding + parts.tile
            + std::accumulate(parts.memory.begin(), parts.memory.end(), 0.0) + parts.scheduling;
        QVERIFY2(isClose(sum, e.time.value, e.time.value), qPrintable(stepText(r, step)));
    }
}

void TestConservation::gapsAddUpToTheEstimate() {
    const Result& r = result();
    const roofline::GapAnalysis gaps(r.program, r.machine());
    const auto check = [&](const roofline::Gap& gap, double estimate, const QString& what) {
        double sum = 0;
        for (const roofline::GapPart& part : gap.parts) {
            QVERIFY2(part.time.value > 0, qPrintable(what));
            sum += part.time.value;
        }
        QVERIFY2(isClose(sum, gap.estimate.value, gap.estimate.value), qPrintable(what));
        QVERIFY2(isClose(gap.estimate.value, estimate, estimate), qPrintable(what));
    };
    const roofline::Gap whole = gaps.ofProgram();
    check(whole, r.totals.time.value, QStringLiteral("the program"));
    double charged = 0;
    std::map<roofline::GapKind, double> byKind, own;
    for (const roofline::GapPart& part : whole.parts)
        byKind[part.kind] += part.time.value;
    for (std::size_t s = 0; s < r.program.steps.size(); ++s) {
        const StepId step(s);
        const lowering::Step& it = r.program.steps[step];
        const roofline::Gap own1 = gaps.of(std::span(&step, 1), roofline::Charge::ToItself);
        check(own1, it.estimate.time.value * static_cast<double>(it.executions), stepText(r, step));
        for (const roofline::GapPart& part : own1.parts)
            own[part.kind] += part.time.value;
        charged += gaps.of(std::span(&step, 1), roofline::Charge::ToCause).estimate.value;
    }
    QVERIFY(isClose(charged, whole.estimate.value, whole.estimate.value));
    for (const auto& [kind, time] : byKind)
        QVERIFY2(std::abs(own[kind] - time) <= 1e-6 * whole.estimate.value,
            roofline::toString(kind).data());
}

void TestConservation::classesAddUpToTotals() {
    const Result& r = result();
    std::int64_t steps = 0;
    double flops = 0, time = 0, allFlops = 0, allTime = 0;
    for (const analysis::ClassRow& row : r.classes) {
        steps += row.steps;
        flops += row.flops.value;
        time += row.time.value;
    }
    for (const lowering::Step& step : r.program.steps) {
        allFlops += step.estimate.flops.value * static_cast<double>(step.executions);
        allTime += step.estimate.time.value * static_cast<double>(step.executions);
    }
    QCOMPARE(steps, static_cast<std::int64_t>(r.program.steps.size()));
    QVERIFY(isClose(flops, allFlops, allFlops));
    QVERIFY(isClose(time, allTime, allTime));
    QVERIFY(isClose(time, r.totals.time.value, allTime));
}

void TestConservation::energyAddsUp() {
    const Result& r = result();
    roofline::EnergyRange sum;
    bool isAtLeast = false;
    for (const roofline::StepEnergy& energy : r.energy) {
        roofline::EnergyRange parts;
        for (const roofline::EnergyPart& part : energy.parts) {
            QVERIFY(
                !part.joules || (part.joules->low <= part.joules->high && !part.source.empty()));
            QVERIFY(part.joules || energy.isAtLeast);
            if (part.joules)
                parts += *part.joules;
        }
        QVERIFY(isClose(parts.low, energy.joules.low, energy.joules.low));
        QVERIFY(isClose(parts.high, energy.joules.high, energy.joules.high));
        sum += energy.joules;
        isAtLeast = isAtLeast || energy.isAtLeast;
    }
    QVERIFY(isClose(sum.low, r.totalEnergy.joules.low, sum.low));
    QVERIFY(isClose(sum.high, r.totalEnergy.joules.high, sum.high));
    QCOMPARE(r.totalEnergy.isAtLeast, isAtLeast);
    QVERIFY(sum.low <= sum.high);
}

void TestConservation::theTimelineEndsAtTheEstimate() {
    const Result& r = result();
    std::int64_t end = 0;
    for (const lowering::Event& event : r.program.events)
        end = std::max(end, event.end.value);
    // Each event is rounded to whole picoseconds, times its repeats.
    double rounding = 1;
    for (const lowering::Step& step : r.program.steps)
        rounding += static_cast<double>(step.executions);
    QVERIFY(std::abs(static_cast<double>(end) - r.totals.time.value * 1e12) <= rounding);
}

void TestConservation::pointsLieUnderEveryCeiling() {
    const Result& r = result();
    for (const roofline::Point& point : r.points)
        for (const roofline::Ceiling& ceiling : r.ceilings) {
            if (!ceiling.value.isKnown())
                continue;
            const bool isCompute = ceiling.kind == roofline::CeilingKind::Compute;
            if (isCompute && !ceiling.isCurrent)
                continue;
            if (ceiling.kind == roofline::CeilingKind::Scheduling)
                continue;
            const double rate = isCompute
                ? point.achieved
                : static_cast<double>(point.bytesByLevel[ceiling.level].value) / point.time.value;
            QVERIFY2(rate <= *ceiling.value.value * (1 + kRounding),
                qPrintable(QStringLiteral("%1: %2 above %3 of %4")
                               .arg(stepText(r, point.step), QString::number(rate),
                                   QString::number(*ceiling.value.value),
                                   QString::fromStdString(ceiling.name))));
        }
}

void TestConservation::causesCostNoMoreThanTheirSteps() {
    const Result& r = result();
    std::vector<double> costs(r.program.steps.size(), 0);
    double last = std::numeric_limits<double>::infinity(), relayouts = 0;
    for (const roofline::Cause& cause : r.causes) {
        QVERIFY(r.program.steps.contains(cause.step));
        QVERIFY(cause.chargedTo == r.chargedTo[cause.step]);
        QVERIFY2(!cause.chain.empty(), cause.name.c_str());
        QVERIFY(cause.time.value >= 0 && cause.bytes.value >= 0);
        QVERIFY(cause.time.value > 0 || cause.bytes.value > 0);
        QVERIFY(cause.time.value <= last);
        last = cause.time.value;
        for (const roofline::CauseLink& link : cause.chain) {
            QVERIFY2(!link.text.empty(), cause.sentence().c_str());
            QVERIFY(link.node.isValid() + link.value.isValid() + !link.added.empty() <= 1);
            QVERIFY(!link.node.isValid() || r.graph().nodes.contains(link.node));
            QVERIFY(!link.value.isValid() || r.graph().values.contains(link.value));
        }
        costs[cause.step.index()] += cause.time.value;
        if (r.chargedTo[cause.step] != cause.step)
            relayouts += cause.time.value;
    }
    double asked = 0;
    for (std::size_t s = 0; s < costs.size(); ++s) {
        const lowering::Step& step = r.program.steps[StepId(s)];
        const double time = step.estimate.time.value * static_cast<double>(step.executions);
        QVERIFY2(costs[s] <= time * (1 + 1e-6), qPrintable(stepText(r, StepId(s))));
        if (r.chargedTo[StepId(s)] != StepId(s))
            asked += time;
        // A charge leads to a step that does something, in one go.
        QVERIFY(r.chargedTo[r.chargedTo[StepId(s)]] == r.chargedTo[StepId(s)]);
    }
    QVERIFY(isClose(relayouts, asked, asked));
}

void TestConservation::theLadderEndsAtTheTotal() {
    const Result& r = result();
    QCOMPARE(r.ladder.rungs.back().time.value, r.totals.time.value);
    double most = 0, time = r.ladder.rungs.front().time.value;
    for (std::size_t i = 1; i < r.ladder.rungs.size(); ++i) {
        most = std::max(most, r.ladder.rungs[i].added.value);
        time += r.ladder.rungs[i].added.value;
        QVERIFY(r.ladder.rungs[i].time.value >= 0);
    }
    QVERIFY(isClose(time, r.totals.time.value, std::max(time, r.totals.time.value) * 1e3));
    QVERIFY(most == 0
        || r.ladder.rungs[static_cast<std::size_t>(r.ladder.addsMost)].added.value == most);
    QVERIFY(!r.ladder.sentence.empty() || r.totals.time.value == 0);
}

QTEST_GUILESS_MAIN(TestConservation)
#include "test_conservation.moc"
