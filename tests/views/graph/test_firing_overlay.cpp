// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/graph/firing_overlay.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using base::Picoseconds;
using graph::DisplayGraph;
using schedule::ExecutionModel;

namespace {

DisplayGraph pictureOf(const analysis::Result& result, lowering::Stage stage) {
    graph::PresentOptions options;
    options.folding.mode = graph::FoldMode::Expanded;
    return graph::present(result, stage,
        std::make_shared<const graph::ScopeTree>(graph::buildScopeTree(result, stage)), options);
}

} // namespace

class TestFiringOverlay : public QObject {
    Q_OBJECT

private slots:
    void pointsOnACurve() {
        const QVector<QPointF> line{{0, 0}, {0, 10}, {0, 20}, {0, 30}};
        QCOMPARE(graph::pointOnEdge(line, 0), QPointF(0, 0));
        QCOMPARE(graph::pointOnEdge(line, 0.5), QPointF(0, 15));
        QCOMPARE(graph::pointOnEdge(line, 1), QPointF(0, 30));
        QVector<QPointF> two = line;
        two << QPointF(10, 30) << QPointF(20, 30) << QPointF(30, 30);
        QCOMPARE(graph::pointOnEdge(two, 0.5), QPointF(0, 30));
        QCOMPARE(graph::pointOnEdge(two, 0.75), QPointF(15, 30));
        QCOMPARE(graph::pointOnEdge(two, 7), QPointF(30, 30));
        QCOMPARE(graph::pointOnEdge({}, 0.5), QPointF());
        QCOMPARE(graph::pointOnEdge({{3, 4}}, 0.5), QPointF(3, 4));
    }

    void everyStepIsABox_data() {
        QTest::addColumn<int>("stage");
        for (const lowering::Stage stage : lowering::kStages)
            QTest::addRow("%s", lowering::toString(stage).data()) << static_cast<int>(stage);
    }

    void everyStepIsABox() {
        QFETCH(int, stage);
        const auto result = testing::attentionSample();
        const DisplayGraph picture = pictureOf(*result, static_cast<lowering::Stage>(stage));
        const graph::FiringMap map = graph::firingMap(picture, *result);
        QCOMPARE(map.boxesOf.size(), result->program.steps.size());
        std::size_t lit = 0;
        for (const auto& boxes : map.boxesOf)
            lit += boxes.empty() ? 0 : 1;
        // What the compiler added has no box before the stage that added it.
        QVERIFY(lit + 1 >= map.boxesOf.size());
        for (const auto& boxes : map.boxesOf)
            for (const int box : boxes)
                QVERIFY(box >= 0 && box < static_cast<int>(picture.boxes.size()));
    }

    void marksFollowTheClock() {
        const auto result = testing::attentionSample();
        const DisplayGraph picture = pictureOf(*result, lowering::Stage::Scheduled);
        const graph::FiringMap map = graph::firingMap(picture, *result);
        const auto trace = schedule::fire(result->program, {});
        int tokens = 0, blocked = 0;
        for (const auto& firing : trace.firings) {
            if (firing.end <= firing.start)
                continue;
            const Picoseconds at((firing.start.value + firing.end.value) / 2);
            const auto marks = graph::firingMarks(map, *result, trace, at);
            const auto step = result->program.events[firing.event].step;
            for (const int box : map.boxesOf[step.index()]) {
                const auto found = std::find_if(marks.boxes.begin(), marks.boxes.end(),
                    [&](const auto& mark) { return mark.box == box; });
                QVERIFY(found != marks.boxes.end());
                QVERIFY(!found->isBlocked && found->progress > 0);
                QVERIFY(!found->words.isEmpty());
            }
            for (const auto& token : marks.tokens) {
                QVERIFY(token.progress >= 0 && token.progress <= 1);
                const auto& edge = picture.edges[static_cast<std::size_t>(token.edge)];
                QVERIFY(edge.from != edge.to);
            }
            tokens += static_cast<int>(marks.tokens.size());
            for (const auto& mark : marks.boxes)
                blocked += mark.isBlocked ? 1 : 0;
        }
        QVERIFY(tokens > 0);
        const auto end = graph::firingMarks(map, *result, trace, trace.length);
        QVERIFY(end.boxes.empty() && end.tokens.empty());
    }

    void aBlockedBoxSaysWhatItWaitsFor() {
        const auto result = testing::attentionSample();
        const DisplayGraph picture = pictureOf(*result, lowering::Stage::Scheduled);
        const graph::FiringMap map = graph::firingMap(picture, *result);
        schedule::FiringOptions options;
        options.model = ExecutionModel::DynamicDataflow;
        options.queueCapacity = 1;
        const auto trace = schedule::fire(result->program, options);
        bool found = false;
        for (const Picoseconds at : schedule::momentsOf(trace))
            for (const auto& mark : graph::firingMarks(map, *result, trace, at).boxes)
                if (mark.isBlocked && !mark.words.isEmpty()) {
                    QVERIFY2(mark.words.startsWith("waits for"), qPrintable(mark.words));
                    found = true;
                }
        QVERIFY(found);
    }
};

QTEST_MAIN(TestFiringOverlay)
#include "test_firing_overlay.moc"
