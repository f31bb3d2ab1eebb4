// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/roofline/roofline_fixture.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using views::roofline::AxisRanges;
using views::roofline::Picture;
using views::roofline::RooflinePanel;
using views::testing::plain;
using Fixture = views::testing::RooflineFixture;

class TestRoofline : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void noDotLiesAboveItsRoofs();
    void anEstimateAboveARoofIsDrawnOnIt();
    void dotsAreOrderedByTimeAndSizedByShare();
    void everyDotIsInViewAfterFit();
    void slantedRoofsEndAtTheKnee();
    void clickSelectsTheStepAndEmptySpaceClears();
    void ctrlClickAdds();
    void arrowsWalkByTime();
    void lettersSwitchLevelsAndCaps();
    void hoverIsPassedOn();
    void theWheelZoomsAboutThePointerAndStops();
    void dragPansAndStaysInBounds();
    void labelsStayApartAndInside();
    void namesKeepOffSmallDots();
    void axesStayWhenOnlySettingsChange();
    void lockedAxesStayOnAnotherMachine();
    void theSentenceNamesRoofShareAndCap();
    void stepsBelowAnUnpublishedRoofAreHollow();
    void theSentenceSaysWhyThereIsNoDot();
    void emptyAndOneNodeInputsHaveASentence();
    void csvHasARecordADot();
    void twentyThousandDotsRepaint();
};

void TestRoofline::noDotLiesAboveItsRoofs() {
    const auto result = testing::chainSample(2000);
    const Picture picture = views::roofline::present(*result);
    QVERIFY(picture.dots.size() > 1000);
    for (const auto& dot : picture.dots)
        for (const auto& at : dot.levels) {
            const auto roof = views::roofline::roofAt(picture, at.level, at.intensity);
            QVERIFY(roof);
            QVERIFY(dot.achieved <= *roof * (1 + 1e-9));
        }
}

void TestRoofline::anEstimateAboveARoofIsDrawnOnIt() {
    const auto result = testing::attentionSample();
    result->points.front().achieved = 1e18;
    const Picture picture = views::roofline::present(*result);
    const auto found = std::find_if(picture.dots.begin(), picture.dots.end(),
        [&](const auto& dot) { return dot.step == result->points.front().step; });
    QVERIFY(found != picture.dots.end());
    QCOMPARE(found->above.value_or(0), 1e18);
    QVERIFY(found->achieved <= *views::roofline::roofAt(picture, found->level, found->intensity));
}

void TestRoofline::dotsAreOrderedByTimeAndSizedByShare() {
    const Picture picture = views::roofline::present(*testing::attentionSample());
    for (std::size_t d = 1; d < picture.dots.size(); ++d)
        QVERIFY(picture.dots[d - 1].time >= picture.dots[d].time);
    QCOMPARE(views::roofline::dotRadius(0), 3.0);
    QCOMPARE(views::roofline::dotRadius(1), 10.0);
    QCOMPARE(views::roofline::dotRadius(0.25), 6.5);
    QCOMPARE(views::roofline::dotRadius(7), 10.0);
}

void TestRoofline::everyDotIsInViewAfterFit() {
    for (const auto size : {QSize(444, 302), QSize(280, 160), QSize(1200, 776)}) {
        Fixture f(testing::attentionSample(), size);
        f.panel->zoomToFit();
        const QRectF plot = f.canvas().chart().plotArea();
        for (const auto& dot : f.canvas().placedDots())
            QVERIFY(plot.contains(dot.centre));
        QVERIFY(!f.canvas().isFrozen());
    }
}

void TestRoofline::slantedRoofsEndAtTheKnee() {
    const Picture picture = views::roofline::present(*testing::attentionSample());
    const AxisRanges ranges{{-2, 5}, {8, 15}};
    for (const auto& roof : picture.roofs) {
        const auto line = views::roofline::roofLine(picture, roof, ranges);
        QCOMPARE(line.size(), 2);
        if (!roof.isMemory) {
            QCOMPARE(line[0].y(), roof.value);
            QCOMPARE(line[1].y(), roof.value);
            continue;
        }
        QVERIFY(std::abs(line[1].y() / picture.peak - 1) < 1e-9);
        QVERIFY(std::abs(line[0].y() / line[0].x() / roof.value - 1) < 1e-9);
    }
    const AxisRanges elsewhere{{-2, -1}, {20, 22}};
    for (const auto& roof : picture.roofs)
        QVERIFY(views::roofline::roofLine(picture, roof, elsewhere).isEmpty());
}

void TestRoofline::clickSelectsTheStepAndEmptySpaceClears() {
    Fixture f(testing::attentionSample());
    QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, f.dotOf("/attn/MatMul"));
    QCOMPARE(f.state.selection().nodes, std::vector{testing::nodeNamed(*f.result, "/attn/MatMul")});
    QTest::mouseClick(
        &f.canvas(), Qt::LeftButton, {}, {f.canvas().width() - 30, f.canvas().height() - 60});
    QVERIFY(f.state.selection().isEmpty());
}

void TestRoofline::ctrlClickAdds() {
    Fixture f(testing::attentionSample());
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    QTest::mouseClick(
        &f.canvas(), Qt::LeftButton, Qt::ControlModifier, f.dotOf("/attn/c_attn/MatMul"));
    QCOMPARE(f.state.selection().nodes.size(), std::size_t(2));
}

void TestRoofline::arrowsWalkByTime() {
    Fixture f(testing::attentionSample());
    const auto& dots = f.canvas().picture().dots;
    QTest::keyClick(&f.canvas(), Qt::Key_Right);
    QCOMPARE(f.state.selectedSteps().front(), dots[0].step);
    QTest::keyClick(&f.canvas(), Qt::Key_Right);
    QCOMPARE(f.state.selectedSteps().front(), dots[1].step);
    QTest::keyClick(&f.canvas(), Qt::Key_Left);
    QTest::keyClick(&f.canvas(), Qt::Key_Left);
    QCOMPARE(f.state.selectedSteps().front(), dots.back().step);
}

void TestRoofline::lettersSwitchLevelsAndCaps() {
    Fixture f(testing::attentionSample());
    f.panel->activateWindow();
    f.canvas().setFocus();
    QTRY_VERIFY(f.canvas().hasFocus());
    QVERIFY(!f.canvas().options().allLevels);
    QTest::keyClick(&f.canvas(), Qt::Key_V);
    QVERIFY(f.canvas().options().allLevels);
    QTest::keyClick(&f.canvas(), Qt::Key_C);
    QVERIFY(f.canvas().options().caps);
    QTest::keyClick(&f.canvas(), Qt::Key_V);
    QVERIFY(!f.canvas().options().allLevels);
}

void TestRoofline::hoverIsPassedOn() {
    Fixture f(testing::attentionSample());
    const QPoint at = f.dotOf("/attn/MatMul");
    QMouseEvent over(QEvent::MouseMove, QPointF(at), f.canvas().mapToGlobal(QPointF(at)),
        Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&f.canvas(), &over);
    QCOMPARE(f.state.hover().nodes, std::vector{testing::nodeNamed(*f.result, "/attn/MatMul")});
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&f.canvas(), &leave);
    QVERIFY(f.state.hover().isEmpty());
}

void TestRoofline::theWheelZoomsAboutThePointerAndStops() {
    Fixture f(testing::attentionSample());
    const QPoint at = f.dotOf("/attn/MatMul");
    const QPointF before = f.canvas().chart().toData(at);
    testing::turnWheel(&f.canvas(), at, 240);
    const QPointF after = f.canvas().chart().toData(at);
    QVERIFY(std::abs(std::log10(after.x() / before.x())) < 1e-6);
    QVERIFY(std::abs(std::log10(after.y() / before.y())) < 1e-6);
    for (int turn = 0; turn < 80; ++turn)
        testing::turnWheel(&f.canvas(), at, 480);
    QVERIFY(f.canvas().ranges().x.span() >= common::LogLogChart::kMinimumSpan - 1e-9);
    for (int turn = 0; turn < 80; ++turn)
        testing::turnWheel(&f.canvas(), at, -480);
    const AxisRanges limits = views::roofline::bounds(f.canvas().picture());
    QVERIFY(f.canvas().ranges().x.low >= limits.x.low - 1e-9);
    QVERIFY(f.canvas().ranges().y.high <= limits.y.high + 1e-9);
}

void TestRoofline::dragPansAndStaysInBounds() {
    Fixture f(testing::attentionSample());
    const AxisRanges before = f.canvas().ranges();
    QTest::mousePress(&f.canvas(), Qt::LeftButton, {}, {200, 100});
    for (const QPoint to : {QPoint(230, 100), QPoint(9000, 100)}) {
        QMouseEvent move(QEvent::MouseMove, QPointF(to), f.canvas().mapToGlobal(QPointF(to)),
            Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&f.canvas(), &move);
        QVERIFY(f.canvas().ranges().x.low < before.x.low);
        QVERIFY(std::abs(f.canvas().ranges().x.span() - before.x.span()) < 1e-9);
    }
    QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {}, {9000, 100});
    QVERIFY(
        f.canvas().ranges().x.low >= views::roofline::bounds(f.canvas().picture()).x.low - 1e-9);
    QVERIFY(f.state.selection().isEmpty()); // a drag is no click
}

void TestRoofline::labelsStayApartAndInside() {
    for (const auto size : {QSize(444, 302), QSize(280, 200), QSize(900, 500), QSize(1200, 800)}) {
        Fixture f(testing::attentionSample(), size);
        f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
        const auto& picture = f.canvas().picture();
        const QRectF plot = f.canvas().chart().plotArea();
        const auto selected = f.canvas().selected();
        QVERIFY(selected);
        const auto name = views::roofline::placeSelectedName(
            picture, f.canvas().placedDots(), f.canvas().chart(), *selected);
        QVERIFY(name && name->isBold && plot.contains(name->rect));
        std::vector<views::roofline::PlacedLabel> labels{*name};
        const auto add = [&](const std::vector<views::roofline::PlacedLabel>& more) {
            labels.insert(labels.end(), more.begin(), more.end());
        };
        const auto roofs = views::roofline::placeRoofLabels(picture, f.canvas().chart(),
            f.canvas().options(), selected, labels, f.canvas().placedDots());
        QVERIFY(!roofs.empty() || size.width() < 300);
        add(roofs);
        add(views::roofline::placeLevelLabels(
            views::roofline::placeLevels(picture, f.canvas().chart(), *selected), *f.result, plot,
            labels));
        const auto names = views::roofline::placeDotLabels(
            picture, f.canvas().placedDots(), plot, selected, labels);
        QVERIFY(!names.empty());
        for (const auto& other : names) {
            QVERIFY(plot.contains(other.rect));
            const auto& dots = f.canvas().placedDots();
            for (std::size_t d = 0; d < dots.size(); ++d) // a name hides no dot
                QVERIFY(d == other.item || !other.rect.contains(dots[d].centre));
        }
        add(names);
        for (std::size_t a = 0; a < labels.size(); ++a)
            for (std::size_t b = a + 1; b < labels.size(); ++b)
                if (labels[a].angle == 0 && labels[b].angle == 0)
                    QVERIFY(!labels[a].rect.intersects(labels[b].rect));
    }
}

void TestRoofline::namesKeepOffSmallDots() {
    views::roofline::Picture picture;
    std::vector<views::roofline::PlacedDot> dots;
    const auto add = [&](double x, double y, double radius) {
        picture.dots.emplace_back().name = QStringLiteral("attn/MatMul");
        auto& placed = dots.emplace_back();
        placed.centre = {x, y};
        placed.radius = radius;
    };
    add(400, 250, 9); // alone
    add(200, 100, 8); // amid a cloud of small ones
    for (int d = 0; d < 120; ++d)
        add(200 + (d % 12 - 6) * 14 + 4, 100 + (d / 12 - 5) * 9 + 4, 3);
    const auto names =
        views::roofline::placeDotLabels(picture, dots, QRectF(0, 0, 600, 300), std::nullopt, {});
    QVERIFY(
        std::any_of(names.begin(), names.end(), [](const auto& name) { return name.item == 0; }));
    for (const auto& name : names)
        for (std::size_t d = 0; d < dots.size(); ++d)
            QVERIFY(d == name.item || !name.rect.contains(dots[d].centre));
}

void TestRoofline::axesStayWhenOnlySettingsChange() {
    Fixture f(testing::attentionSample());
    f.panel->zoomToFit();
    testing::turnWheel(&f.canvas(), {200, 100}, 120);
    const AxisRanges before = f.canvas().ranges();
    f.state.setResult(testing::attentionSample(), false);
    QCOMPARE(f.canvas().ranges(), before);
    f.state.setResult(testing::attentionSample(), true);
    QVERIFY(!(f.canvas().ranges() == before));
}

void TestRoofline::lockedAxesStayOnAnotherMachine() {
    Fixture f(testing::attentionSample());
    auto machine = std::make_shared<machines::Machine>(*testing::sampleMachine());
    machine->id = "other";
    for (auto& [precision, peak] : machine->peaks)
        peak.value = *peak.value * 1000;
    machine->memories[0].bandwidth.value = *machine->memories[0].bandwidth.value * 1000;
    const auto other = testing::sampleResult(
        {{"/a/MatMul", ir::Op::MatMul, {"x"}, "y", {128, 128}, 9'000'000'000, 1e-9, 0, 40, 40}},
        machine);
    const AxisRanges before = f.canvas().ranges();
    f.canvas().setAxesLocked(true);
    f.state.setResult(other, false);
    QCOMPARE(f.canvas().ranges(), before);
    QVERIFY(f.canvas().isFrozen());
}

void TestRoofline::theSentenceNamesRoofShareAndCap() {
    const auto result = testing::attentionSample();
    for (std::size_t s = 0; s < result->chargedTo.size(); ++s)
        result->chargedTo[lowering::StepId(s)] = lowering::StepId(s);
    Fixture f(result);
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul"));
    QCOMPARE(plain(f.panel->sentence()),
        QStringLiteral("attn/MatMul reaches 4.2 TFLOP/s, 64 % of the LPDDR5 roof at 32 FLOP per "
                       "byte; its fixed 1.8 µs alone would cap it at 14.0."));
    f.state.clearSelection();
    QVERIFY(f.panel->sentence().contains(QStringLiteral("bound by")));
}

void TestRoofline::stepsBelowAnUnpublishedRoofAreHollow() {
    const auto result = testing::attentionSample();
    const auto step = testing::stepNamed(*result, "/attn/MatMul");
    std::erase_if(result->ceilings, [](const auto& ceiling) {
        return ceiling.kind == fivefold::roofline::CeilingKind::Memory && ceiling.level == 1;
    });
    for (auto& point : result->points)
        if (point.step == step) {
            point.bytesByLevel.assign(2, base::Bytes(0));
            point.bytesByLevel[1] = base::Bytes(1'000);
        }
    Fixture f(result);
    f.state.selectStep(step);
    // Exactly those that move bytes, and none through the memory that still has a roof.
    for (const auto& dot : f.canvas().picture().dots) {
        const auto point = std::find_if(result->points.begin(), result->points.end(),
            [&](const auto& p) { return p.step == dot.step; });
        QCOMPARE(dot.isWithoutRoof, point->bytesByLevel[0].value == 0);
    }
    QVERIFY(f.canvas().picture().hasDotsWithoutRoof());
    QVERIFY2(f.panel->sentence().contains(QStringLiteral("LX, where its bytes stay, has no")),
        qPrintable(f.panel->sentence()));
}

void TestRoofline::theSentenceSaysWhyThereIsNoDot() {
    const auto result = testing::attentionSample();
    Fixture f(result);
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/q/Slice"));
    QSignalSpy said(f.panel.get(), &common::Panel::sentenceChanged);
    result->program.steps[testing::stepNamed(*f.result, "/attn/v/Slice")].estimate.isKnown = false;
    result->points.erase(std::remove_if(result->points.begin(), result->points.end(),
                             [&](const auto& p) {
                                 return p.step == testing::stepNamed(*f.result, "/attn/v/Slice");
                             }),
        result->points.end());
    f.state.setResult(result, false);
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/v/Slice"));
    QVERIFY(f.panel->sentence().contains(QStringLiteral("unknown")));
    QVERIFY(said.count() >= 1);
}

void TestRoofline::emptyAndOneNodeInputsHaveASentence() {
    ViewState none;
    RooflinePanel without(none, nullptr);
    without.show();
    QVERIFY(without.sentence().endsWith(u'.'));
    without.grab();
    Fixture empty(testing::emptySample());
    QVERIFY(empty.panel->sentence().contains(QStringLiteral("no operators")));
    empty.panel->grab();
    QTest::keyClick(&empty.canvas(), Qt::Key_Right);
    empty.panel->zoomToFit();
    Fixture one(testing::oneNodeSample());
    QCOMPARE(one.canvas().picture().dots.size(), std::size_t(1));
    one.panel->grab();
}

void TestRoofline::csvHasARecordADot() {
    Fixture f(testing::attentionSample());
    const auto dots = static_cast<int>(f.canvas().picture().dots.size());
    QCOMPARE(f.panel->toCsv().count(QStringLiteral("\r\n")), dots + 1);
}

void TestRoofline::twentyThousandDotsRepaint() {
    Fixture f(testing::chainSample(20'000), {900, 500});
    QVERIFY(f.canvas().picture().dots.size() > 10'000);
    f.panel->grab();
    QElapsedTimer timer;
    timer.start();
    constexpr int kFrames = 10;
    for (int frame = 0; frame < kFrames; ++frame) {
        f.state.setHover(
            f.state.selectionOf(f.canvas().picture().dots[static_cast<std::size_t>(frame)].step));
        f.panel->grab();
    }
    qInfo("%.1f ms a hover frame", static_cast<double>(timer.elapsed()) / kFrames);
}

QTEST_MAIN(TestRoofline)
#include "test_roofline.moc"
