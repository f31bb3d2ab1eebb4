// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/analysis/analysis_fixture.h"
#include "views/common/palette.h"
#include "views/implementation/implementation_canvas.h"
#include "views/implementation/implementation_panel.h"

#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using implementation::ImplementationPanel;
using implementation::Side;

namespace {

std::shared_ptr<const analysis::Result> resultOn(std::string_view machine) {
    static const auto kModel = tests::take(analysis::openModel(tests::samplePath()));
    return tests::analyzeOn(kModel, machine);
}

void keepPicture(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
    if (!folder.isEmpty())
        QVERIFY(image.save(folder + '/' + name + ".png"));
}

/// A state with the first operator of that kind selected.
void select(ViewState& state, std::string_view machine, ir::Op op) {
    state.setResult(resultOn(machine), true);
    state.selectNode(tests::firstOf(state.result()->graph(), op));
}

} // namespace

class TestImplementationPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }

    void saysWhatToSelect() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        QVERIFY(panel.sentence().contains("No model"));
        state.setResult(resultOn("spyre"), true);
        QVERIFY(panel.sentence().contains("Select a matrix product"));
        state.selectNode(tests::firstOf(state.result()->graph(), ir::Op::Add));
        QVERIFY(panel.sentence().contains("leaves no choice"));
        QImage picture(200, 100, QImage::Format_RGB32); // nothing of a table is painted
        QPainter painter(&picture);
        panel.canvas()->paintContent(painter, picture.size());
        painter.end();
        QImage plain(picture.size(), picture.format());
        plain.fill(picture.pixel(0, 0));
        QCOMPARE(picture, plain);
    }

    void startsWithTheCompilersAndAnother() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        select(state, "gpu_h100_sxm", ir::Op::MatMul);
        const auto& picture = panel.canvas()->picture();
        QVERIFY(!picture.isEmpty());
        QCOMPARE(picture.choices.front().chosen[0], picture.choices.front().preset);
        QVERIFY(picture.choices.front().chosen[1] != picture.choices.front().preset);
        QVERIFY(picture.figures.front().isTime);
        QVERIFY(panel.toCsv().startsWith("what,A,B,B/A"));
    }

    void keysChangeTheSides() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        panel.resize(900, 420);
        panel.show();
        select(state, "tpu_v5e", ir::Op::MatMul);
        auto* canvas = panel.canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Down);
        QVERIFY(canvas->picture().choices[1].isFocused);
        const int before = canvas->picture().choices[1].chosen[1];
        const auto& values = canvas->picture().choices[1].values;
        QTest::keyClick(canvas, before + 1 < values.size() ? Qt::Key_Right : Qt::Key_Left);
        QVERIFY(canvas->picture().choices[1].chosen[1] != before);
        const int onA = canvas->picture().choices[1].chosen[0];
        const int onB = canvas->picture().choices[1].chosen[1];
        canvas->swapSides();
        QCOMPARE(canvas->picture().choices[1].chosen[0], onB);
        QCOMPARE(canvas->picture().choices[1].chosen[1], onA);
    }

    void aClickListsTheValues() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        panel.resize(900, 420);
        panel.show();
        select(state, "gpu_h100_sxm", ir::Op::MatMul);
        auto* canvas = panel.canvas();
        const QRectF cell = canvas->geometry().choices.front().cell[1];
        QTest::mouseClick(canvas, Qt::LeftButton, {}, cell.center().toPoint());
        auto* menu = canvas->findChild<QMenu*>();
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), canvas->picture().choices.front().values.size());
        menu->actions().front()->trigger();
        QCOMPARE(canvas->picture().choices.front().chosen[1], 0);
    }

    void aBarOfTheSweepIsTaken() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        panel.resize(1000, 420);
        panel.show();
        select(state, "spyre", ir::Op::MatMul);
        auto* canvas = panel.canvas();
        QVERIFY(!canvas->geometry().bars.empty());
        const auto bar = canvas->geometry().bars.back();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, bar.row.center().toPoint());
        QCOMPARE(canvas->picture().choices.front().chosen[1], static_cast<int>(bar.bar));
    }

    void useAsksForTheWholeModel() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        select(state, "gpu_h100_sxm", ir::Op::MatMul);
        QSignalSpy spy(&panel, &common::Panel::remedyRequested);
        panel.panelActions().last()->trigger();
        QCOMPARE(spy.size(), 1);
        const auto remedy = spy.first().at(1).value<analysis::Remedy>();
        QCOMPARE(remedy.implementations.size(), std::size_t(1));
        QVERIFY(remedy.implementations.begin()->second.contains("tile"));
    }

    /// Where one operator cannot be told apart by the compiler the panel only prices it.
    void useIsOffWhereNothingIsApplied() {
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        select(state, "groq_lpu_v1", ir::Op::MatMul);
        QVERIFY(!panel.canvas()->picture().isEmpty());
        QVERIFY(!panel.panelActions().last()->isEnabled());
    }

    void drawsOnAllMachinesAtAllSizes_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QSize>("size");
        for (const std::string_view machine : tests::kFiveMachines)
            for (const QSize size :
                {QSize(280, 160), QSize(444, 298), QSize(1036, 212), QSize(1200, 600)})
                QTest::addRow("%s %dx%d", machine.data(), size.width(), size.height())
                    << QString::fromUtf8(machine.data()) << size;
    }
    void drawsOnAllMachinesAtAllSizes() {
        QFETCH(QString, machine);
        QFETCH(QSize, size);
        ViewState state;
        ImplementationPanel panel(state, nullptr);
        panel.resize(size);
        panel.show();
        for (const ir::Op op : {ir::Op::MatMul, ir::Op::Softmax}) {
            select(state, machine.toStdString(), op);
            QVERIFY(!panel.sentence().isEmpty());
            const QImage image = panel.grab().toImage();
            QCOMPARE(image.size() / image.devicePixelRatio(), size);
            keepPicture(
                image, QStringLiteral("%1-%2-%3").arg(machine).arg(size.width()).arg(int(op)));
            for (const auto& row : panel.canvas()->geometry().figures)
                QVERIFY(row.all().right() <= panel.canvas()->width());
        }
    }
};

QTEST_MAIN(TestImplementationPanel)
#include "test_implementation_panel.moc"
