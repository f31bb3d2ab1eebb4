// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/analysis/analysis_fixture.h"

#include <QSet>
#include <QtTest>

using namespace fivefold;
using lowering::Stage;

/// The attention block on five machines: five different programs, each true to its machine.
class TestFivePrograms : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const analysis::Model> m_model;
    analysis::TypedCache m_cache;

    std::shared_ptr<const analysis::Result> on(std::string_view machine) {
        return tests::analyzeOn(m_model, machine, &m_cache);
    }
    static QStringList softmaxOps(const analysis::Result& result, Stage stage) {
        const ir::NodeId softmax = tests::firstOf(result.graph(), ir::Op::Softmax);
        QStringList ops;
        for (lowering::NodeId id : result.provenance.toStage[std::size_t(stage)][softmax])
            ops << QString::fromStdString(result.program.stage(stage).nodes[id].op);
        return ops;
    }
    static QSet<quint32> softmaxKernels(const analysis::Result& result) {
        const ir::NodeId softmax = tests::firstOf(result.graph(), ir::Op::Softmax);
        const auto& fused = result.program.stage(Stage::Fused);
        QSet<quint32> kernels;
        for (lowering::NodeId id : result.provenance.toStage[std::size_t(Stage::Fused)][softmax])
            kernels.insert(fused.nodes[id].kernel.value);
        return kernels;
    }

private slots:
    void initTestCase() { m_model = tests::take(analysis::openModel(tests::samplePath())); }

    void spyreRunsSoftmaxAsFiveOperatorsOfOneBundle() {
        const auto result = on("spyre");
        QCOMPARE(softmaxOps(*result, Stage::Decomposed),
            QStringList({"max", "sub", "exp", "sum", "realdiv"}));
        QCOMPARE(softmaxKernels(*result).size(), 1);
    }

    void aGpuRunsSoftmaxInOneKernel() { QCOMPARE(softmaxKernels(*on("gpu_h100_sxm")).size(), 1); }

    void aTpuCountsItsTilePadding() {
        // 12×128×128 scores fit (8,128) tiles exactly; the 64-wide heads do not fill 128 lanes.
        const auto result = on("tpu_v5e");
        std::int64_t padded = 0, logical = 0;
        for (const lowering::Value& value : result->program.stage(Stage::LaidOut).values)
            if (value.layout) {
                padded += layout::deviceBytes(*value.layout);
                logical += layout::logicalBytes(*value.layout);
            }
        QVERIFY(logical > 0);
        QVERIFY2(padded > logical, qPrintable(QString::number(padded)));
    }

    void theWafersRectanglesTileWithoutOverlap() {
        const auto result = on("cerebras_wse3");
        const auto& regions = result->program.regions;
        QVERIFY(regions.size() > 1);
        for (std::size_t i = 0; i < regions.size(); ++i) {
            const lowering::Region& a = regions[i];
            QVERIFY(a.width > 0 && a.height > 0 && a.x >= 0 && a.y >= 0);
            // The fabric of the WSE-3 that kernels see: 762 × 1172.
            QVERIFY2(a.x + a.width <= 762 && a.y + a.height <= 1172,
                qPrintable(QString("%1+%2, %3+%4").arg(a.x).arg(a.width).arg(a.y).arg(a.height)));
            for (std::size_t k = i + 1; k < regions.size(); ++k) {
                const lowering::Region& b = regions[k];
                const bool isApart = a.x + a.width <= b.x || b.x + b.width <= a.x
                    || a.y + a.height <= b.y || b.y + b.height <= a.y;
                QVERIFY2(isApart, qPrintable(QString("%1 and %2 overlap").arg(i).arg(k)));
            }
        }
    }

    void groqTakesThreeVectorsFor768() {
        const auto result = on("groq_lpu_v1");
        bool isSeen = false;
        for (const lowering::Value& value : result->program.stage(Stage::LaidOut).values) {
            if (!value.layout || value.layout->shape.empty() || value.layout->shape.back() != 768)
                continue;
            isSeen = true;
            std::int64_t lanes = 0, vectors = 0;
            for (const layout::Axis& axis : value.layout->axes) {
                if (axis.dimension != static_cast<int>(value.layout->shape.size()) - 1)
                    continue;
                if (axis.role == layout::AxisRole::Lane)
                    lanes = axis.extent;
                else
                    vectors = std::max(vectors, axis.extent);
            }
            QCOMPARE(lanes, 320);
            QCOMPARE(vectors, 3);
            QCOMPARE(vectors * lanes - 768, 192); // idle lanes of the last vector
        }
        QVERIFY(isSeen);
    }

    void fiveTimesFiveKernelCounts() {
        QSet<double> times;
        for (std::string_view machine : tests::kFiveMachines)
            times.insert(on(machine)->totals.time.value);
        QCOMPARE(times.size(), 5);
    }
};

QTEST_APPLESS_MAIN(TestFivePrograms)
#include "test_five_programs.moc"
