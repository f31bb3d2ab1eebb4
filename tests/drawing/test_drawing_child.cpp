// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/child.h"
#include "tests/drawing/sample_inputs.h"

#include <QTest>

#include <random>
#include <sstream>

using namespace fivefold;
using namespace fivefold::drawing;

class TestDrawingChild : public QObject {
    Q_OBJECT

private slots:
    void inputsComeBackBitByBit() {
        Input input = test::random(50, 80, 6, 11, true);
        input.boxes[3].width = 1.0 / 3.0;
        input.isLeftToRight = true;
        input.groups[2].minWidth = 77.25;
        const std::string text = serialise(input);
        const auto back = parseInput(text);
        QVERIFY(back.isOk());
        QCOMPARE(serialise(*back), text);
        QCOMPARE(back->boxes[3].width, 1.0 / 3.0);
        QCOMPARE(back->isLeftToRight, true);
    }

    void theChildAnswersWithADrawing() {
        const Input input = test::transformer(2, true);
        std::istringstream in(serialise(input));
        std::ostringstream out;
        QCOMPARE(runDrawChild(in, out), 0);
        const auto output = parseOutput(out.str());
        QVERIFY(output.isOk());
        QVERIFY(isFor(*output, input));
        QCOMPARE(output->engine, std::string("dot"));
        const auto direct = graphvizEngine().place(input, {});
        QVERIFY(direct.isOk());
        QCOMPARE(output->boxes, direct->boxes);
        QCOMPARE(output->edges, direct->edges);
    }

    void theChildStopsAtTheEndLine() {
        std::istringstream in(serialise(test::chain(2)) + "rest that nobody reads");
        std::ostringstream out;
        QCOMPARE(runDrawChild(in, out), 0);
    }

    void hostileInputIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("another version") << QByteArray("fivefold-draw 2\nend\n");
        QTest::newRow("no end") << QByteArray(
            "fivefold-draw 1\nflow 0 20 16\nboxes 0\nedges 0\ngroups 0\n");
        QTest::newRow("huge count")
            << QByteArray("fivefold-draw 1\nflow 0 20 16\nboxes 99999999999999999999\nend\n");
        QTest::newRow("count beyond the text")
            << QByteArray("fivefold-draw 1\nflow 0 20 16\nboxes 90000\n204 28 -1\nend\n");
        QTest::newRow("negative count")
            << QByteArray("fivefold-draw 1\nflow 0 20 16\nboxes -1\nend\n");
        QTest::newRow("nan") << QByteArray(
            "fivefold-draw 1\nflow 0 20 16\nboxes 1\nnan 28 -1\nedges 0\ngroups 0\nend\n");
        QTest::newRow("decimal comma")
            << QByteArray("fivefold-draw 1\nflow 0 20,5 16\nboxes 0\nedges 0\ngroups 0\nend\n");
        QTest::newRow("edge beyond") << QByteArray(
            "fivefold-draw 1\nflow 0 20 16\nboxes 1\n9 9 -1\nedges 1\n0 5 0 1\ngroups 0\nend\n");
        QTest::newRow("group in itself") << QByteArray(
            "fivefold-draw 1\nflow 0 20 16\nboxes 1\n9 9 0\nedges 0\ngroups 1\n0 1 1 1\nend\n");
        QTest::newRow("zeros") << QByteArray(4096, '\0');
    }
    void hostileInputIsRefused() {
        QFETCH(QByteArray, text);
        std::istringstream in(text.toStdString());
        std::ostringstream out;
        QCOMPARE(runDrawChild(in, out), 1);
        const auto output = parseOutput(out.str());
        QVERIFY(!output.isOk());
        QVERIFY(!output.error().message.empty());
    }

    void hostileOutputIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("html") << QByteArray("<!DOCTYPE html>");
        QTest::newRow("cut short") << QByteArray("fivefold-drawing 1 dot 10 10\nboxes 1\n0 0 1");
        QTest::newRow("half a curve") << QByteArray(
            "fivefold-drawing 1 dot 10 10\nboxes 0\nedges 1\n3 1 1 2 2 3 3\ngroups 0\nend\n");
        QTest::newRow("infinite") << QByteArray(
            "fivefold-drawing 1 dot inf 10\nboxes 0\nedges 0\ngroups 0\nend\n");
        QTest::newRow("huge count")
            << QByteArray("fivefold-drawing 1 dot 1 1\nboxes 0\nedges 1\n999999 1 1\nend\n");
    }
    void hostileOutputIsRefused() {
        QFETCH(QByteArray, text);
        QVERIFY(!parseOutput(text.toStdString()).isOk());
    }

    void damagedTextsNeverCrash() {
        const std::string good = serialise(test::random(20, 30, 4, 12, true));
        std::mt19937 engine(13);
        int refused = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string text = good;
            for (int k = 0; k < 1 + round % 4; ++k)
                text[engine() % text.size()] = static_cast<char>(engine() % 128);
            if (round % 3 == 0)
                text.resize(engine() % text.size());
            const auto input = parseInput(text);
            refused += input ? 0 : 1;
            if (input && !layeredEngine().place(*input, {}).isOk())
                QFAIL("what the parser accepts the engine must place");
        }
        QVERIFY(refused > 1000);
    }
};

QTEST_APPLESS_MAIN(TestDrawingChild)
#include "test_drawing_child.moc"
