// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/panel_fixture.h"
#include "tests/views/layout/tensor_sample.h"
#include "views/common/palette.h"
#include "views/layout/curve_pane.h"
#include "views/layout/layout_canvas.h"
#include "views/layout/layout_panel.h"
#include "views/layout/shape_field.h"

#include <QPushButton>

using namespace fivefold::views;
namespace analysis = fivefold::analysis;
namespace ir = fivefold::ir;
namespace lowering = fivefold::lowering;
namespace machines = fivefold::machines;
using layout::LayoutPanel;
using testing::keepPicture;
using testing::tensorSample;

namespace {

struct Shown : testing::ShownPanel<LayoutPanel> {
    using ShownPanel::ShownPanel;
    explicit Shown(
        std::shared_ptr<const analysis::Result> result, const QSize& size, LayoutPanel::Mode mode)
        : ShownPanel(std::move(result), size) {
        state.selectNode(testing::nodeNamed(*state.result(), "/relu"));
        panel.setMode(mode);
    }
    layout::CurveCanvas* curves() { return panel.curves()->canvas(); }
    const layout::CurveRow& row(std::string_view family) {
        for (const auto& each : curves()->picture().rows)
            if (each.machine->family == family)
                return each;
        qFatal("no such family");
    }
};

constexpr QSize kSize(900, 600);
constexpr auto kPadding = LayoutPanel::Mode::Padding;

} // namespace

class TestLayoutCurves : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }

    void fiveCurvesStandOnOneAxisInTheOrderOfTheFamilies() {
        Shown shown(tensorSample("spyre", {2, 65}), kSize, kPadding);
        const auto& rows = shown.curves()->picture().rows;
        QCOMPARE(rows.size(), std::size_t{5});
        for (std::size_t i = 0; i < rows.size(); ++i)
            QCOMPARE(rows[i].machine->family, std::string(machines::kFamilies[i]));
        QVERIFY(rows[4].isCurrent);
        const auto& geometry = shown.curves()->geometry();
        for (const auto& row : geometry.rows) {
            QCOMPARE(row.plot.left(), geometry.rows[0].plot.left());
            QCOMPARE(row.plot.width(), geometry.rows[0].plot.width());
            QCOMPARE(row.plot.height(), 64.0);
        }
    }

    void sixtyFiveWastesHalfOnSpyreAndNothingOnAGpu() {
        Shown shown(tensorSample("spyre", {65}), kSize, kPadding);
        QCOMPARE(qRound(shown.row("spyre").curve.at(65)->waste * 1000), 492);
        QCOMPARE(shown.row("gpu").curve.at(65)->waste, 0.0);
        QVERIFY2(
            shown.panel.sentence().contains("IBM Spyre 49"), qPrintable(shown.panel.sentence()));
    }

    void theNextSizeFreeOnAllIsNamedAndBound() {
        Shown shown(tensorSample("spyre", {2, 65}), kSize, kPadding);
        QVERIFY2(shown.panel.sentence().contains("next size without padding on all: 640"),
            qPrintable(shown.panel.sentence()));
        QVERIFY(shown.panel.curves()->bindButton()->text().contains("640"));
        QTest::mouseClick(shown.panel.curves()->bindButton(), Qt::LeftButton);
        QCOMPARE(shown.curves()->tried(), std::int64_t{640});
        // The model's dimension is fixed: a what-if of this tensor only.
        const auto& picture = shown.panel.canvas()->picture();
        QVERIFY(picture.whatIf.has_value());
        QCOMPARE(picture.grid->layout().shape, (std::vector<std::int64_t>{2, 640}));
        QCOMPARE(picture.modelShape, (std::vector<std::int64_t>{2, 65}));
        shown.panel.setMode(LayoutPanel::Mode::Lanes);
        QVERIFY2(shown.panel.sentence().contains("of this tensor only"),
            qPrintable(shown.panel.sentence()));
        shown.panel.setMode(kPadding);
        QTest::mouseClick(shown.panel.curves()->backButton(), Qt::LeftButton);
        QVERIFY(!shown.panel.canvas()->picture().whatIf);
        QCOMPARE(shown.curves()->tried(), std::int64_t{65});
    }

    void aDragTriesSizesAndLettingGoBinds() {
        Shown shown(tensorSample("spyre", {2, 65}), kSize, kPadding);
        QSignalSpy tried(shown.curves(), &layout::CurveCanvas::triedChanged);
        const auto& geometry = shown.curves()->geometry();
        const QPoint from(qRound(geometry.pixel(65)), qRound(geometry.rows[4].plot.center().y()));
        const QPoint to(qRound(geometry.pixel(192)), from.y());
        testing::drag(shown.curves(), from, to);
        QVERIFY(tried.count() >= 1);
        const std::int64_t size = shown.curves()->tried();
        QVERIFY2(std::abs(size - 192) <= geometry.to / 300 + 1, qPrintable(QString::number(size)));
        QCOMPARE(shown.panel.canvas()->picture().whatIf->size, size);
    }

    void keysStepJumpAndGoBack() {
        Shown shown(tensorSample("spyre", {2, 65}), kSize, kPadding);
        auto* canvas = shown.curves();
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(canvas->tried(), std::int64_t{66});
        QTest::keyClick(canvas, Qt::Key_PageUp);
        QCOMPARE(canvas->tried(), std::int64_t{50});
        QTest::keyClick(canvas, Qt::Key_N);
        QCOMPARE(canvas->tried(), std::int64_t{640});
        QVERIFY(!shown.panel.canvas()->picture().whatIf); // tried, not bound
        QTest::keyClick(canvas, Qt::Key_Return);
        QCOMPARE(shown.panel.canvas()->picture().whatIf->size, std::int64_t{640});
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!shown.panel.canvas()->picture().whatIf);
        QTest::keyClick(canvas, Qt::Key_Home);
        QTest::keyClick(canvas, Qt::Key_Left);
        QCOMPARE(canvas->tried(), std::int64_t{1});
    }

    void theWheelChangesTheRange() {
        Shown shown(tensorSample("spyre", {2, 65}), kSize, kPadding);
        const std::int64_t before = shown.curves()->range();
        testing::turnWheel(shown.curves(), QPoint(400, 200), -120);
        QVERIFY(shown.curves()->range() > before);
        for (int i = 0; i < 40; ++i)
            testing::turnWheel(shown.curves(), QPoint(400, 200), -120);
        QCOMPARE(shown.curves()->range(), layout::kLargestSize);
    }

    void draggingAnExtentInTheHeaderTriesItsSizes() {
        Shown shown(tensorSample("spyre", {2, 65}), kSize, LayoutPanel::Mode::Lanes);
        auto* field = shown.panel.shapeField();
        QVERIFY(field->isVisible());
        const QPoint at = field->extentRect(1).center().toPoint();
        testing::drag(field, at, at + QPoint(40, 0));
        QCOMPARE(shown.panel.mode(), kPadding);
        QCOMPARE(shown.curves()->tried(), std::int64_t{85}); // two pixels a step
        QCOMPARE(shown.panel.canvas()->picture().whatIf->size, std::int64_t{85});
        // Another dimension: its own curves.
        QTest::mouseClick(field, Qt::LeftButton, {}, field->extentRect(0).center().toPoint());
        QCOMPARE(shown.curves()->picture().dimension, 0);
    }

    void aFreeSymbolIsBoundInTheModel() {
        auto result = tensorSample("spyre", {2, 65});
        auto graph = std::make_shared<ir::Graph>(result->graph());
        const ir::ValueId output = testing::valueNamed(*result, "y");
        graph->values[output].declared.shape = ir::Shape{ir::Dim(2), ir::Dim::symbol("width")};
        auto model = std::make_shared<analysis::Model>(*result->request.model);
        model->graph = graph;
        result->request.model = model;
        Shown shown(result, kSize, kPadding);
        QCOMPARE(shown.curves()->picture().symbol, QString("width"));
        QSignalSpy bound(&shown.panel, &LayoutPanel::bindRequested);
        QTest::keyClick(shown.curves(), Qt::Key_N);
        QTest::keyClick(shown.curves(), Qt::Key_Return);
        QCOMPARE(bound.count(), 1);
        QCOMPARE(bound.front()[0].toString(), QString("width"));
        QCOMPARE(bound.front()[1].toLongLong(), qlonglong{640});
        QVERIFY(!shown.panel.canvas()->picture().whatIf);
    }

    void whatHasNoCurveSaysWhy_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<bool>("isKnown");
        QTest::addColumn<QString>("words");
        QTest::newRow("scalar") << 0 << true << "scalar";
        QTest::newRow("unknown") << 2 << false << "unknown";
    }

    void whatHasNoCurveSaysWhy() {
        QFETCH(int, rank);
        QFETCH(bool, isKnown);
        QFETCH(QString, words);
        Shown shown(
            tensorSample("spyre", std::vector<std::int64_t>(static_cast<std::size_t>(rank), 5),
                ir::DType::Float16, isKnown),
            kSize, kPadding);
        QVERIFY2(shown.panel.sentence().contains(words), qPrintable(shown.panel.sentence()));
        QTest::keyClick(shown.curves(), Qt::Key_N); // and no key crashes
        QTest::keyClick(shown.curves(), Qt::Key_Return);
    }

    void aTypeThatAMachineDoesNotHaveLeavesItsRowEmpty() {
        Shown shown(tensorSample("gpu_h100_sxm", {4, 65}, ir::DType::Float64), kSize, kPadding);
        QVERIFY(!shown.row("spyre").failure.isEmpty());
        QVERIFY(shown.row("spyre").curve.isEmpty());
        QVERIFY(!shown.row("gpu").curve.isEmpty());
    }

    void curvesStandBelowTheLanesOfATallPanel() {
        Shown shown(tensorSample("spyre", {2, 65}), QSize(1200, 800), LayoutPanel::Mode::Lanes);
        QVERIFY(shown.panel.curves()->isVisible());
        QVERIFY(shown.panel.canvas()->isVisible());
        keepPicture(shown.panel, "layout-strips-and-curves");
        shown.panel.resize(588, 312);
        QVERIFY(!shown.panel.curves()->isVisible());
    }

    void drawsAllShapesOnAllMachines_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("name");
        for (const char* machine :
            {"gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"})
            for (const char* name : {"65", "2x65", "4x77x768", "50257x768", "3x0", "scalar"})
                QTest::addRow("%s-%s", machine, name) << machine << name;
    }

    void drawsAllShapesOnAllMachines() {
        QFETCH(QString, machine);
        QFETCH(QString, name);
        std::vector<std::int64_t> shape;
        if (name != "scalar")
            for (const QString& part : name.split('x'))
                shape.push_back(part.toLongLong());
        for (const bool isDark : {false, true}) {
            common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
            Shown shown(tensorSample(qPrintable(machine), shape), QSize(1036, 560),
                LayoutPanel::Mode::Lanes);
            QVERIFY(!shown.panel.sentence().isEmpty());
            keepPicture(shown.panel,
                QString("lanes-%1-%2-%3").arg(machine, name, isDark ? "dark" : "light"));
            shown.panel.setMode(kPadding);
            if (name == "2x65")
                keepPicture(
                    shown.panel, QString("padding-%1-%2").arg(machine, isDark ? "dark" : "light"));
        }
        common::Palette::apply(*qApp, common::Theme::Light);
    }
};

QTEST_MAIN(TestLayoutCurves)
#include "test_layout_curves.moc"
