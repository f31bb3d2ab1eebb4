// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/child.h"
#include "core/drawing/drawing.h"
#include "tests/drawing/sample_inputs.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <limits>
#include <locale.h>

using namespace fivefold;
using namespace fivefold::drawing;

namespace {

constexpr double kSlack = 0.6; // Graphviz rounds sizes to whole points

bool overlap(const Rect& a, const Rect& b) {
    return a.x + a.width > b.x + kSlack && b.x + b.width > a.x + kSlack
        && a.y + a.height > b.y + kSlack && b.y + b.height > a.y + kSlack;
}

bool contains(const Rect& outer, const Rect& inner) {
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack
        && inner.x + inner.width <= outer.x + outer.width + kSlack
        && inner.y + inner.height <= outer.y + outer.height + kSlack;
}

const Engine& engineNamed(const QString& name) {
    return name == "dot" ? graphvizEngine() : layeredEngine();
}

bool isInside(const Input& input, int group, int ancestor) {
    for (; group >= 0; group = input.groups[static_cast<std::size_t>(group)].parent)
        if (group == ancestor)
            return true;
    return false;
}

void addEngines(const char* row, const Input& input) {
    QTest::addRow("dot %s", row) << QString("dot") << input;
    QTest::addRow("layered %s", row) << QString("layered") << input;
}

Output placed(const QString& engine, const Input& input) {
    const auto result = engineNamed(engine).place(input, {});
    return result ? *result : Output();
}

} // namespace

Q_DECLARE_METATYPE(fivefold::drawing::Input)

class TestDrawingEngines : public QObject {
    Q_OBJECT

    static void samples() {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<Input>("input");
        addEngines("chain", test::chain(12));
        addEngines("one box", test::chain(1));
        addEngines("transformer", test::transformer(4, false));
        addEngines("transformer with groups", test::transformer(4, true));
        addEngines("random", test::random(60, 120, 0, 1, false));
        addEngines("random with nested groups", test::random(60, 90, 9, 2, false));
        addEngines("cycles", test::random(40, 120, 0, 3, true));
        addEngines("cycles with nested groups", test::random(40, 90, 7, 4, true));
        Input leftToRight = test::transformer(3, true);
        leftToRight.isLeftToRight = true;
        addEngines("left to right", leftToRight);
        Input isolated;
        isolated.boxes.resize(30);
        addEngines("without edges", isolated);
    }

private slots:
    void boxesNeverOverlap_data() { samples(); }
    void boxesNeverOverlap() {
        QFETCH(QString, engine);
        QFETCH(Input, input);
        const Output output = placed(engine, input);
        QVERIFY(isFor(output, input));
        for (std::size_t a = 0; a < output.boxes.size(); ++a) {
            QCOMPARE(output.boxes[a].width, input.boxes[a].width);
            QCOMPARE(output.boxes[a].height, input.boxes[a].height);
            QVERIFY(contains({0, 0, output.width, output.height}, output.boxes[a]));
            for (std::size_t b = a + 1; b < output.boxes.size(); ++b)
                QVERIFY2(!overlap(output.boxes[a], output.boxes[b]),
                    qPrintable(QString("boxes %1 and %2").arg(a).arg(b)));
        }
    }

    void groupsHoldTheirMembersAndNothingElse_data() { samples(); }
    void groupsHoldTheirMembersAndNothingElse() {
        QFETCH(QString, engine);
        QFETCH(Input, input);
        const Output output = placed(engine, input);
        QVERIFY(isFor(output, input));
        for (std::size_t g = 0; g < input.groups.size(); ++g) {
            const int group = static_cast<int>(g);
            for (std::size_t b = 0; b < input.boxes.size(); ++b) {
                if (isInside(input, input.boxes[b].group, group))
                    QVERIFY(contains(output.groups[g], output.boxes[b]));
                else
                    QVERIFY(!overlap(output.groups[g], output.boxes[b]));
            }
        }
    }

    void rankingEdgesPointForward_data() { samples(); }
    void rankingEdgesPointForward() {
        QFETCH(QString, engine);
        QFETCH(Input, input);
        if (QString(QTest::currentDataTag()).contains("cycles")
            || QString(QTest::currentDataTag()).contains("nested"))
            QSKIP("Groups that depend on each other, or cycles, have edges against the flow");
        const Output output = placed(engine, input);
        for (const Edge& edge : input.edges) {
            if (!edge.isRanking || edge.from == edge.to)
                continue;
            const Rect& from = output.boxes[static_cast<std::size_t>(edge.from)];
            const Rect& to = output.boxes[static_cast<std::size_t>(edge.to)];
            if (input.isLeftToRight)
                QVERIFY(to.x >= from.x + from.width - kSlack);
            else
                QVERIFY(to.y >= from.y + from.height - kSlack);
        }
    }

    void routesRunFromBoxToBox_data() { samples(); }
    void routesRunFromBoxToBox() {
        QFETCH(QString, engine);
        QFETCH(Input, input);
        const Output output = placed(engine, input);
        int routed = 0;
        for (std::size_t e = 0; e < input.edges.size(); ++e) {
            const std::vector<Point>& route = output.edges[e];
            if (route.empty())
                continue;
            ++routed;
            QCOMPARE(route.size() % 3, std::size_t(1));
            const auto touches = [](Rect box, Point point) {
                constexpr double kNear = 2;
                return point.x >= box.x - kNear && point.x <= box.x + box.width + kNear
                    && point.y >= box.y - kNear && point.y <= box.y + box.height + kNear;
            };
            QVERIFY(touches(
                output.boxes[static_cast<std::size_t>(input.edges[e].from)], route.front()));
            QVERIFY(
                touches(output.boxes[static_cast<std::size_t>(input.edges[e].to)], route.back()));
        }
        QVERIFY(input.edges.empty() || routed > 0);
    }

    void theSameInputGivesTheSameDrawing_data() { samples(); }
    void theSameInputGivesTheSameDrawing() {
        QFETCH(QString, engine);
        QFETCH(Input, input);
        QCOMPARE(serialise(placed(engine, input)), serialise(placed(engine, input)));
    }

    void layeredLanesMissOtherBoxes() {
        const Input input = test::transformer(6, false);
        const Output output = placed("layered", input);
        for (std::size_t e = 0; e < input.edges.size(); ++e) {
            const std::vector<Point>& route = output.edges[e];
            for (std::size_t i = 0; i + 3 < route.size(); i += 3) {
                if (route[i].x != route[i + 3].x)
                    continue; // a curve in a gap
                for (std::size_t b = 0; b < output.boxes.size(); ++b) {
                    if (static_cast<int>(b) == input.edges[e].from
                        || static_cast<int>(b) == input.edges[e].to)
                        continue;
                    const Rect& box = output.boxes[b];
                    const bool crosses = route[i].x > box.x + kSlack
                        && route[i].x < box.x + box.width - kSlack
                        && route[i + 3].y > box.y + kSlack
                        && route[i].y < box.y + box.height - kSlack;
                    QVERIFY(!crosses);
                }
            }
        }
    }

    void chainsAreStraight() {
        const Output output = placed("layered", test::chain(20));
        for (const Rect& box : output.boxes)
            QCOMPARE(box.x, output.boxes[0].x);
        QCOMPARE(output.boxes[1].y - output.boxes[0].y, 48.0); // the row pitch
    }

    void longEdgesBecomeStubsInsteadOfLanes() {
        Input input = test::chain(100);
        input.edges.push_back({0, 99});
        const Output output = placed("layered", input);
        QVERIFY(output.edges.back().empty());
        QVERIFY(!output.edges.front().empty());
    }

    void groupsAreAsWideAsTheirTitleNeeds_data() {
        QTest::addColumn<QString>("engine");
        QTest::newRow("dot") << QString("dot");
        QTest::newRow("layered") << QString("layered");
    }
    void groupsAreAsWideAsTheirTitleNeeds() {
        QFETCH(QString, engine);
        Input input = test::chain(3);
        input.groups.push_back({-1, 12, 16, 500});
        input.boxes[1].group = 0;
        const Output output = placed(engine, input);
        QVERIFY(output.groups[0].width >= 499);
        QVERIFY(contains(output.groups[0], output.boxes[1]));
        QVERIFY(output.boxes[1].y - output.groups[0].y >= 16);
    }

    void emptyInputGivesAnEmptyDrawing() {
        for (const Engine* engine : {&layeredEngine(), &graphvizEngine()}) {
            const auto output = engine->place({}, {});
            QVERIFY(output.isOk());
            QVERIFY(output->boxes.empty());
            QCOMPARE(output->width, 0.0);
        }
    }

    void badInputIsRefusedWithASentence_data() {
        QTest::addColumn<Input>("input");
        Input input = test::chain(3);
        input.edges[0].to = 3;
        QTest::newRow("edge beyond the boxes") << input;
        input = test::chain(3);
        input.boxes[0].group = 0;
        QTest::newRow("group that does not exist") << input;
        input = test::chain(3);
        input.groups = {{1}, {0}};
        QTest::newRow("groups in a circle") << input;
        input = test::chain(3);
        input.boxes[1].width = std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("size that is no number") << input;
        input = test::chain(3);
        for (int g = 0; g < 1000; ++g)
            input.groups.push_back({g - 1});
        QTest::newRow("groups too deep") << input;
    }
    void badInputIsRefusedWithASentence() {
        QFETCH(Input, input);
        for (const Engine* engine : {&layeredEngine(), &graphvizEngine()}) {
            const auto output = engine->place(input, {});
            QVERIFY(!output.isOk());
            QVERIFY(QString::fromStdString(output.error().message).endsWith('.'));
        }
    }

    void cancelledWorkSaysSo() {
        std::stop_source source;
        source.request_stop();
        const auto output =
            layeredEngine().place(test::transformer(10, true), base::Progress(source.get_token()));
        QVERIFY(!output.isOk());
        QCOMPARE(output.error().code, base::ErrorCode::Cancelled);
    }

    void twentyThousandBoxesArePlaced_data() {
        QTest::addColumn<Input>("input");
        QTest::newRow("transformer") << test::transformer(1250, false);
        QTest::newRow("transformer with groups") << test::transformer(1250, true);
        QTest::newRow("chain") << test::chain(20000);
        QTest::newRow("random") << test::random(20000, 30000, 0, 5, true);
        Input wide;
        wide.boxes.resize(20000);
        for (int i = 1; i < 19999; ++i) {
            wide.edges.push_back({0, i});
            wide.edges.push_back({i, 19999});
        }
        QTest::newRow("fan") << wide;
        Input isolated;
        isolated.boxes.resize(20000);
        QTest::newRow("without edges") << isolated;
    }
    void twentyThousandBoxesArePlaced() {
        QFETCH(Input, input);
        QElapsedTimer timer;
        timer.start();
        const auto output = layeredEngine().place(input, {});
        qInfo("%lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY(output.isOk());
        QCOMPARE(output->boxes.size(), input.boxes.size());
    }

    void ranksFollowTheLongestPath() {
        Input input = test::chain(4);
        input.edges.push_back({0, 3});
        QCOMPARE(ranks(input), (std::vector<int>{0, 1, 2, 3}));
        input.edges.push_back({3, 0}); // closes a cycle
        QCOMPARE(ranks(input), (std::vector<int>{0, 1, 2, 3}));
    }

    void graphvizIgnoresTheLocale() {
        const Input input = test::transformer(2, true);
        const std::string before = serialise(placed("dot", input));
        if (!setlocale(LC_ALL, "ru_RU.UTF-8") && !setlocale(LC_ALL, "it_IT.UTF-8")
            && !setlocale(LC_ALL, "de_DE.UTF-8"))
            QSKIP("no locale with a decimal comma is installed");
        const std::string after = serialise(placed("dot", input));
        setlocale(LC_ALL, "C");
        QCOMPARE(after, before);
    }
};

QTEST_APPLESS_MAIN(TestDrawingEngines)
#include "test_drawing_engines.moc"
