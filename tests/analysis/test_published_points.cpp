// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/published_points.h"
#include "core/analysis/residual_network.h"
#include "core/ir/cost.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace fivefold;
using analysis::PublishedPoint;

namespace {

const PublishedPoint& point(int number) {
    return analysis::publishedPoints().at(static_cast<std::size_t>(number - 1));
}

} // namespace

class TestPublishedPoints : public QObject {
    Q_OBJECT

private slots:
    void thereAreNinetyEightInOrder() {
        const auto& points = analysis::publishedPoints();
        QCOMPARE(points.size(), std::size_t(98));
        for (std::size_t i = 0; i < points.size(); ++i) {
            QCOMPARE(points[i].number, static_cast<int>(i) + 1);
            QVERIFY(points[i].measured > 0);
            QVERIFY(!points[i].source.empty());
        }
        QCOMPARE(point(22).machine, std::string("gpu_a100_sxm_80gb"));
        QCOMPARE(point(22).measured, 3.9614);
        QCOMPARE(point(98).unit, std::string("tok/s/user"));
    }

    /// A row from which a constant was taken says nothing about the model.
    void calibrationIsListedAndNeverScored() {
        std::set<int> calibration, scored;
        for (const PublishedPoint& p : analysis::publishedPoints()) {
            QVERIFY(!(p.isCalibration && p.isScored));
            if (p.isCalibration)
                calibration.insert(p.number);
            if (p.isScored)
                scored.insert(p.number);
            QVERIFY2(p.isScored || !p.note.empty(), "says why it is not scored");
        }
        QCOMPARE(calibration,
            std::set<int>({1, 2, 3, 18, 19, 20, 21, 28, 29, 30, 31, 32, 33, 57, 59, 60, 61, 64, 65,
                66, 67, 68, 69, 70, 71, 72, 83, 84, 86, 92}));
        for (const int number :
            {51, 52, 53, 76, 77, 78, 79, 85, 87, 88, 91, 96, 97, 98, 35, 44, 74})
            QVERIFY(!scored.contains(number) && !point(number).predicted);
        for (const int number : {12, 24, 26, 27, 34, 49, 58, 62, 63, 73, 89, 90})
            QVERIFY2(scored.contains(number) && point(number).factor, point(number).config.c_str());
    }

    /// Rates are compared as times: 2·1024·10240·5120 in 271.2 TFLOP/s take 395.9 µs.
    void aRateIsComparedAsATime() {
        const PublishedPoint& p = point(28);
        const double work = 2.0 * 1024 * 10240 * 5120;
        const double measured = work / (p.measured * 1e12),
                     predicted = work / (*p.predicted * 1e12);
        QVERIFY(std::abs(measured - 395.9e-6) < 0.1e-6);
        QVERIFY(std::abs(*p.factor - std::max(predicted / measured, measured / predicted)) < 1e-9);
    }

    void theMedianIsOfTheScoredPointsOfTheMachines() {
        std::vector<PublishedPoint> points(4);
        for (int i = 0; i < 4; ++i) {
            points[static_cast<std::size_t>(i)].machine = i == 3 ? "tpu_x" : "gpu_x";
            points[static_cast<std::size_t>(i)].factor = 1 + i;
            points[static_cast<std::size_t>(i)].isScored = true;
        }
        QCOMPARE(*analysis::medianFactor(points, "gpu_"), 2.0);
        points[0].isScored = false;
        QCOMPARE(*analysis::medianFactor(points, "gpu_"), 2.5);
        QVERIFY(!analysis::medianFactor(points, "groq_"));
    }

    void mediansAreWithinTheirBar() {
        const auto& points = analysis::publishedPoints();
        QVERIFY(*analysis::medianFactor(points, "gpu_") <= 1.3);
        QVERIFY(*analysis::medianFactor(points, "tpu_") <= 1.5);
    }

    void whatIsOffByMoreThanTwoSaysWhy() {
        for (const PublishedPoint& p : analysis::publishedPoints())
            if (p.factor && *p.factor > 2)
                QVERIFY2(!p.note.empty(), std::to_string(p.number).c_str());
    }

    void theNetworkHasTorchvisionsCount() {
        base::Diagnostics diagnostics;
        ir::InferenceOptions options;
        options.assumeFree = true;
        const auto typed = ir::infer(analysis::residualNetwork50(), options, diagnostics);
        QVERIFY(typed.isOk());
        QCOMPARE(*ir::modelCost(*typed).macs, std::int64_t(4089184256));
        QCOMPARE(analysis::residualNetwork50()->parameterCount(), std::int64_t(25530472));
    }
};

QTEST_GUILESS_MAIN(TestPublishedPoints)
#include "test_published_points.moc"
