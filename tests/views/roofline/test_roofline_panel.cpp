// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/roofline/roofline_fixture.h"
#include "views/common/gap_bar.h"
#include "views/roofline/gap_block.h"
#include "views/roofline/side_card.h"

#include <QClipboard>
#include <QComboBox>
#include <QPainter>
#include <QSet>
#include <QTableWidget>
#include <QTest>

#include <cmath>

using namespace fivefold;
using namespace fivefold::views;
using views::roofline::AxisRanges;
using views::testing::plain;
using Fixture = views::testing::RooflineFixture;

class TestRooflinePanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void itDrawsAtEverySizeAndTheme_data();
    void itDrawsAtEverySizeAndTheme();
    void noEstimateLiesAboveARoof_data();
    void noEstimateLiesAboveARoof();
    void theGapBarComesWithHeight();
    void theGapEndsAtTheEstimate();
    void relayoutsCountWhereTheyAreCharged();
    void theTableOfPartsIsCopied();
    void theResidualIsNamed();
    void namesOfPartsStayApart();
    void theSideCardComesWithWidth();
    void shiftDragBrushesAndSelects();
    void theBrushModeNeedsNoShift();
    void allLevelsShowADotALevel();
    void coloursFollowTheBox();
    void theStateBeforeIsOverlaid();
    void anotherMachineIsOverlaid();
    void aMeasurementAboveARoofSaysWhy();
    void onePrecisionIsShownBesideTheCurrent();
    void everyActionHasWords();
};

void TestRooflinePanel::noEstimateLiesAboveARoof_data() {
    QTest::addColumn<QString>("machine");
    for (const auto& machine : machines::bundledMachines())
        QTest::newRow(machine->id.c_str()) << QString::fromStdString(machine->id);
}

void TestRooflinePanel::noEstimateLiesAboveARoof() {
    QFETCH(QString, machine);
    const auto result = testing::attentionOn(machine.toStdString());
    QVERIFY(result);
    const auto picture = views::roofline::present(*result);
    QVERIFY(!picture.dots.empty());
    for (const auto& dot : picture.dots)
        QVERIFY2(!dot.above, qPrintable(dot.name));
}

void TestRooflinePanel::itDrawsAtEverySizeAndTheme_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<bool>("isDark");
    for (const char* id : {"gpu_a100_sxm_80gb", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"})
        for (const bool isDark : {false, true})
            QTest::addRow("%s %s", id, isDark ? "dark" : "light") << id << isDark;
}

void TestRooflinePanel::itDrawsAtEverySizeAndTheme() {
    QFETCH(QString, machine);
    QFETCH(bool, isDark);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    const auto result = testing::attentionOn(machine.toStdString());
    const auto other =
        testing::attentionOn(machine == QLatin1String("spyre") ? "tpu_v5e" : "spyre");
    QVERIFY(result && other);
    auto shared = std::make_shared<analysis::Result>(*other); // of the same model
    shared->request.model = result->request.model;
    for (const auto size : {QSize(1200, 776), QSize(444, 302), QSize(420, 220)}) {
        Fixture f(result, size);
        const QString name =
            QStringLiteral("%1-%2-%3")
                .arg(machine, isDark ? QStringLiteral("dark") : QStringLiteral("light"),
                    QString::number(size.width()));
        testing::keepPicture(*f.panel, name + QStringLiteral("-whole"));
        QTest::keyClick(&f.canvas(), Qt::Key_Right);
        QVERIFY(f.canvas().selected());
        testing::keepPicture(*f.panel, name);
        f.action("all levels")->trigger();
        f.action("scheduling caps")->trigger();
        f.panel->colourBox()->setCurrentIndex(1);
        f.panel->zoomToFit();
        testing::keepPicture(*f.panel, name + QStringLiteral("-levels"));
        f.action("all levels")->trigger();
        f.action("scheduling caps")->trigger();
        f.panel->colourBox()->setCurrentIndex(0);
        f.state.setOtherResults({shared});
        f.action("Next overlay")->trigger();
        f.action("Next overlay")->trigger();
        QVERIFY(f.canvas().overlay());
        testing::keepPicture(*f.panel, name + QStringLiteral("-overlay"));
        // The chart has the width that the side column leaves, and the rest is not blank.
        QCOMPARE(f.canvas().width(),
            size.width() - (f.panel->sideCard()->isHidden() ? 0 : f.panel->sideCard()->width()));
    }
    common::Palette::apply(*qApp, common::Theme::Light);
}

void TestRooflinePanel::theGapBarComesWithHeight() {
    Fixture low(testing::attentionSample(), {444, 302});
    QVERIFY(low.panel->gapBlock()->isHidden());
    Fixture high(testing::attentionSample(), {1200, 640});
    QVERIFY(high.panel->gapBlock()->isVisible());
    QVERIFY(!high.canvas().geometry().intersects(high.panel->gapBlock()->geometry()));
    QVERIFY(high.panel->gapBlock()->content().subject.contains(QStringLiteral("whole graph")));
    high.state.selectNode(testing::nodeNamed(*high.result, "/attn/MatMul"));
    QCOMPARE(high.panel->gapBlock()->content().subject, QStringLiteral("attn/MatMul"));
    high.action("Gap bar of the whole graph")->trigger();
    QVERIFY(high.panel->gapBlock()->content().subject.contains(QStringLiteral("whole graph")));
    high.action("Gap bar of the selection")->trigger();
    QCOMPARE(high.panel->gapBlock()->content().subject, QStringLiteral("attn/MatMul"));
}

void TestRooflinePanel::theGapEndsAtTheEstimate() {
    const auto result = testing::attentionSample();
    const auto step = testing::stepNamed(*result, "/attn/c_attn/MatMul");
    const lowering::StepId steps[] = {step};
    const auto content = views::roofline::gapContent(*result,
        fivefold::roofline::GapAnalysis(result->program, result->machine()), steps,
        fivefold::roofline::Charge::ToItself, QStringLiteral("c_attn"));
    double sum = 0;
    for (const auto& part : content.gap.parts)
        sum += part.time.value;
    const double time = result->program.steps[step].estimate.time.value;
    QVERIFY(std::abs(sum / time - 1) < 1e-9);
    QVERIFY(content.low && content.high);
    QVERIFY(std::abs(content.high->value / time - 1.125) < 1e-9);
    QVERIFY(content.absent.contains(QStringLiteral("relayout")));
    QCOMPARE(
        views::roofline::gapRows(content).size(), static_cast<qsizetype>(content.gap.parts.size()));
}

void TestRooflinePanel::relayoutsCountWhereTheyAreCharged() {
    const auto result = testing::attentionSample();
    const auto relayout = testing::stepNamed(*result, "restickify Kᵀ");
    const auto payer = testing::stepNamed(*result, "/attn/MatMul");
    result->chargedTo[relayout] = payer;
    Fixture f(result, {1200, 700});
    f.state.selectStep(payer);
    const double charged = *f.canvas().picture().dots[*f.canvas().selected()].cap;
    QVERIFY2(f.panel->sentence().contains(QStringLiteral("of relayouts that it asked for")),
        qPrintable(f.panel->sentence()));
    QVERIFY(f.panel->gapBlock()->chargeBox()->isVisible());
    f.panel->gapBlock()->chargeBox()->setCurrentIndex(1);
    QVERIFY(!f.action("Charge relayouts to their cause")->isChecked());
    const double own = *f.canvas().picture().dots[*f.canvas().selected()].cap;
    const auto& estimate = result->program.steps[payer].estimate;
    QVERIFY(std::abs(own * estimate.schedulingShare.value / estimate.flops.value - 1) < 1e-9);
    QVERIFY(std::abs(charged
                    * (estimate.schedulingShare.value
                        + result->program.steps[relayout].estimate.time.value)
                    / estimate.flops.value
                - 1)
        < 1e-9);
    QVERIFY(f.panel->sentence().contains(QStringLiteral("alone would cap it")));
}

void TestRooflinePanel::theTableOfPartsIsCopied() {
    Fixture f(testing::attentionSample(), {1200, 700});
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/c_attn/MatMul"));
    f.action("Gap as a table")->trigger();
    auto* table = f.panel->gapBlock()->table();
    QVERIFY(table->isVisible());
    QCOMPARE(table->rowCount(), static_cast<int>(f.panel->gapBlock()->content().gap.parts.size()));
    f.panel->activateWindow();
    table->setFocus();
    QTRY_VERIFY(table->hasFocus());
    table->selectAll();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    QCOMPARE(copied.count(u'\n') + 1, table->rowCount());
    QVERIFY(copied.startsWith(table->item(0, 0)->text() + u'\t'));
}

void TestRooflinePanel::theResidualIsNamed() {
    views::roofline::GapContent content;
    content.gap.estimate = base::Seconds(8e-6);
    content.gap.parts = {{fivefold::roofline::GapKind::Ideal, "ideal", 0, base::Seconds(8e-6)}};
    content.measured = base::Seconds(10e-6);
    const auto rows = views::roofline::gapRows(content);
    QCOMPARE(rows.size(), 2);
    QCOMPARE(plain(rows[1][1]), QStringLiteral("2.0 µs"));
    QImage image(600, 120, QImage::Format_RGB32);
    QPainter painter(&image);
    views::roofline::paintGap(painter, QRectF(0, 0, 600, 120), content, 0);
}

void TestRooflinePanel::namesOfPartsStayApart() {
    const auto result = testing::attentionSample();
    for (const double width : {60.0, 200.0, 900.0})
        for (std::size_t s = 0; s < result->program.steps.size(); ++s) {
            const lowering::StepId steps[] = {lowering::StepId(s)};
            const auto gap = fivefold::roofline::gapOf(
                result->program, result->machine(), steps, fivefold::roofline::Charge::ToItself);
            const auto segments = common::gapRects(gap, QRectF(10, 20, width, 36));
            const auto names =
                views::roofline::gapNameRects(gap, segments, QRectF(10, 4, width, 14));
            for (qsizetype a = 0; a < names.size(); ++a)
                for (qsizetype b = a + 1; b < names.size(); ++b)
                    QVERIFY(
                        names[a].isEmpty() || names[b].isEmpty() || !names[a].intersects(names[b]));
        }
}

void TestRooflinePanel::theSideCardComesWithWidth() {
    Fixture narrow(testing::attentionSample(), {880, 500});
    QVERIFY(narrow.panel->sideCard()->isHidden());
    narrow.panel->resize(1200, 500);
    QApplication::processEvents();
    QVERIFY(narrow.panel->sideCard()->isVisible());
    QCOMPARE(narrow.panel->sideCard()->content().title, QStringLiteral("Whole graph"));
    narrow.state.selectNode(testing::nodeNamed(*narrow.result, "/attn/MatMul"));
    const auto& side = narrow.panel->sideCard()->content();
    QCOMPARE(side.title, QStringLiteral("/attn/MatMul"));
    QCOMPARE(side.levels.size(), 2);
    QCOMPARE(side.levels[0].bytes.value, std::int64_t(786'432));
    QVERIFY(side.text().contains(QStringLiteral("LPDDR5")));
    QVERIFY(!side.figures.isEmpty());
}

void TestRooflinePanel::shiftDragBrushesAndSelects() {
    Fixture f(testing::attentionSample(), {900, 500});
    const AxisRanges before = f.canvas().ranges();
    const QRectF plot = f.canvas().chart().plotArea();
    testing::drag(&f.canvas(), plot.topLeft().toPoint() + QPoint(1, 1),
        plot.bottomRight().toPoint(), Qt::ShiftModifier);
    QCOMPARE(f.canvas().ranges(), before);
    QVERIFY(f.canvas().brush());
    QCOMPARE(f.canvas().brushed().size(), f.canvas().picture().dots.size());
    QVERIFY(f.state.selection().nodes.size() > 10);
    QVERIFY2(f.panel->sentence().contains(QStringLiteral("operators take")),
        qPrintable(f.panel->sentence()));
    f.canvas().setFocus();
    QTest::keyClick(&f.canvas(), Qt::Key_Escape);
    QVERIFY(!f.canvas().brush());
    QVERIFY(!f.state.selection().isEmpty()); // what was brushed stays selected
}

void TestRooflinePanel::theBrushModeNeedsNoShift() {
    Fixture f(testing::attentionSample(), {900, 500});
    f.action("Brush by dragging (Shift+drag)")->trigger();
    const QPoint dot = f.dotOf("/attn/c_attn/MatMul");
    testing::drag(&f.canvas(), dot - QPoint(14, 14), dot + QPoint(14, 14), Qt::NoModifier);
    QVERIFY(f.canvas().brush());
    for (const std::size_t d : f.canvas().brushed())
        QVERIFY(QRect(dot - QPoint(15, 15), dot + QPoint(15, 15))
                    .contains(f.canvas().placedDots()[d].centre.toPoint()));
    QVERIFY(f.state.selection().contains(testing::nodeNamed(*f.result, "/attn/c_attn/MatMul")));
    f.state.selectNode(testing::nodeNamed(*f.result, "/attn/MatMul")); // elsewhere
    QVERIFY(!f.canvas().brush());
}

void TestRooflinePanel::allLevelsShowADotALevel() {
    Fixture f(testing::attentionSample(), {900, 500});
    QVERIFY(f.canvas().placedLevels().empty());
    QTest::keyClick(&f.canvas(), Qt::Key_V);
    std::size_t expected = 0;
    for (const auto& dot : f.canvas().picture().dots)
        expected += dot.levels.size() - 1;
    QCOMPARE(f.canvas().placedLevels().size(), expected);
    f.panel->zoomToFit();
    // A click on the mark at another level selects the operator.
    const auto& dots = f.canvas().picture().dots;
    for (const auto& level : f.canvas().placedLevels())
        if (dots[level.dot].step == testing::stepNamed(*f.result, "/attn/c_attn/MatMul"))
            QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, level.centre.toPoint());
    QCOMPARE(f.state.selection().nodes,
        std::vector{testing::nodeNamed(*f.result, "/attn/c_attn/MatMul")});
}

void TestRooflinePanel::coloursFollowTheBox() {
    Fixture f(testing::attentionSample(), {900, 500});
    const auto colour = [&] {
        const auto& dots = f.canvas().picture().dots;
        for (std::size_t d = 0; d < dots.size(); ++d)
            if (dots[d].step == testing::stepNamed(*f.result, "/attn/c_attn/MatMul")) {
                const auto& placed = f.canvas().placedDots()[d];
                return f.canvas().grab().toImage().pixelColor(
                    (placed.centre - QPointF(0, placed.radius - 1.5)).toPoint());
            }
        return QColor();
    };
    QCOMPARE(colour(), common::Palette::current().bound(lowering::Bound::Memory));
    f.panel->colourBox()->setCurrentIndex(1);
    QCOMPARE(colour(), common::Palette::current().operatorClass(ir::OpClass::Contraction));
}

void TestRooflinePanel::theStateBeforeIsOverlaid() {
    Fixture f(testing::attentionSample(), {900, 500});
    QVERIFY(!f.canvas().overlay());
    f.action("Next overlay")->trigger();
    QCOMPARE(f.panel->overlayBox()->currentIndex(), 1);
    // A what-if: the same model, other times.
    auto changed = std::make_shared<analysis::Result>(*f.result);
    for (auto& point : changed->points) {
        point.time = point.time * 2.0;
        point.achieved /= 2;
    }
    changed->totals.time = changed->totals.time * 2.0;
    f.state.setResult(changed, false);
    const auto* overlay = f.canvas().overlay();
    QVERIFY(overlay && overlay->isBefore);
    QCOMPARE(overlay->arrows.size(), f.canvas().picture().dots.size());
    for (const auto& arrow : overlay->arrows) {
        const auto& from = overlay->picture.dots[arrow.from];
        const auto& to = f.canvas().picture().dots[arrow.to];
        QVERIFY(from.step == to.step);
        QVERIFY(std::abs(from.achieved / to.achieved - 2) < 1e-6);
    }
    QVERIFY2(
        f.panel->sentence().startsWith(QStringLiteral("Before ")), qPrintable(f.panel->sentence()));
    f.panel->grab();
    f.action("Take this state as before")->trigger();
    QVERIFY(f.canvas().overlay()->result == changed);
    QVERIFY(f.panel->sentence().contains(QStringLiteral("no operator changed")));
}

void TestRooflinePanel::anotherMachineIsOverlaid() {
    Fixture f(testing::attentionSample(), {900, 500});
    auto machine = std::make_shared<machines::Machine>(*testing::sampleMachine());
    machine->id = "other";
    machine->name = "Other";
    machine->family = "gpu";
    auto other = std::make_shared<analysis::Result>(*f.result);
    other->request.machine = machine;
    f.state.setOtherResults({other});
    QCOMPARE(f.panel->overlayBox()->count(), 3);
    QCOMPARE(f.panel->overlayBox()->itemText(2), QStringLiteral("Other"));
    f.panel->overlayBox()->setFocus();
    QTest::keyClick(f.panel->overlayBox(), Qt::Key_End);
    QVERIFY(f.canvas().overlay());
    QCOMPARE(f.canvas().overlay()->name, QStringLiteral("Other"));
    QVERIFY2(f.panel->sentence().contains(QStringLiteral("Other takes")),
        qPrintable(f.panel->sentence()));
    f.panel->grab();
    f.state.setOtherResults({});
    QVERIFY(!f.canvas().overlay());
    QCOMPARE(f.panel->overlayBox()->currentIndex(), 0);
}

void TestRooflinePanel::aMeasurementAboveARoofSaysWhy() {
    Fixture f(testing::attentionSample(), {900, 500});
    auto dot = f.canvas().picture().dots.front();
    dot.measured = views::roofline::Measured{
        9e14, QStringLiteral("profiler"), QStringLiteral("operands fit L2")};
    const auto card = f.canvas().dotCard(dot);
    QVERIFY(card.lines.last().contains(QStringLiteral("operands fit L2")));
    QVERIFY(card.lines.size() <= common::CardContent::kMaximumLines);
}

void TestRooflinePanel::onePrecisionIsShownBesideTheCurrent() {
    Fixture f(testing::attentionSample(), {900, 500});
    const auto& picture = f.canvas().picture();
    const auto shown = [&](const QString& name) {
        for (const auto& roof : picture.roofs)
            if (roof.name == name)
                return views::roofline::isShown(picture, roof, f.canvas().options(), std::nullopt);
        return false;
    };
    QVERIFY(shown(QStringLiteral("fp16")) && shown(QStringLiteral("int8")));
    f.panel->precisionBox()->setFocus();
    QTest::keyClick(f.panel->precisionBox(), Qt::Key_Down); // fp16 alone
    QVERIFY(shown(QStringLiteral("fp16")));
    QVERIFY(!shown(QStringLiteral("int8")));
}

void TestRooflinePanel::everyActionHasWords() {
    Fixture f(testing::attentionSample());
    QSet<QString> texts;
    for (const QAction* action : f.panel->panelActions()) {
        QVERIFY(!action->text().isEmpty());
        QVERIFY2(!texts.contains(action->text()), qPrintable(action->text()));
        texts.insert(action->text());
    }
    QVERIFY(texts.size() >= 15);
}

QTEST_MAIN(TestRooflinePanel)
#include "test_roofline_panel.moc"
