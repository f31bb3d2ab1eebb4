// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/kernel_cycles.h"
#include "core/lowering/wave_grid.h"
#include "core/memory/address_map.h"
#include "tests/views/common/panel_fixture.h"
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/layout/layout_canvas.h"
#include "views/layout/layout_panel.h"
#include "views/layout/scene_canvas.h"

#include <QPainter>
#include <QToolButton>

using namespace fivefold::views;
namespace analysis = fivefold::analysis;
namespace ir = fivefold::ir;
namespace lowering = fivefold::lowering;
namespace machines = fivefold::machines;
namespace memory = fivefold::memory;
using layout::LayoutPanel;
using layout::SceneCanvas;
using lowering::StepId;
using testing::attentionOn;
using testing::keepPicture;

namespace {

struct Shown : testing::ShownPanel<LayoutPanel> {
    Shown(std::shared_ptr<const analysis::Result> result, LayoutPanel::Mode mode,
        const QSize& size = {900, 560})
        : ShownPanel(std::move(result), size) {
        panel.setMode(mode);
    }
    SceneCanvas* canvas() {
        return panel.mode() == LayoutPanel::Mode::Memory ? panel.memoryMap() : panel.machineView();
    }
    const layout::Scene& scene() { return canvas()->scene(); }
};

constexpr auto kMemory = LayoutPanel::Mode::Memory;
constexpr auto kMachine = LayoutPanel::Mode::Machine;
const char* const kMachines[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

/// The widest mark that something can be selected by.
const layout::SceneMark* widest(const layout::Scene& scene) {
    const layout::SceneMark* best = nullptr;
    for (const auto& mark : scene.marks)
        if (!mark.target.isEmpty()
            && (!best
                || mark.rect.width() * mark.rect.height()
                    > best->rect.width() * best->rect.height()))
            best = &mark;
    return best;
}

} // namespace

class TestLayoutScenes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }

    void everyMapShowsTheBuffersOfItsMemory_data() {
        QTest::addColumn<QString>("machine");
        for (const char* machine : kMachines)
            QTest::newRow(machine) << machine;
    }

    void everyMapShowsTheBuffersOfItsMemory() {
        QFETCH(QString, machine);
        Shown shown(attentionOn(qPrintable(machine)), kMemory);
        QVERIFY(shown.state.result() != nullptr);
        const auto level = layout::shownLevel(shown.state, shown.canvas()->view());
        QVERIFY(level.has_value());
        const auto unit = layout::shownUnit(shown.state, shown.canvas()->view());
        const auto map = memory::addressMap(
            shown.state.result()->program, shown.state.result()->machine(), *level, unit);
        QCOMPARE(shown.scene().marks.size(), map.stays.size() + map.refused.size());
        for (const auto& mark : shown.scene().marks)
            QVERIFY(QRectF(shown.canvas()->rect()).contains(mark.rect));
        QVERIFY2(shown.panel.sentence().contains("buffer"), qPrintable(shown.panel.sentence()));
        QCOMPARE(shown.panel.twinRows().size(), map.stays.size() + map.refused.size());
        keepPicture(shown.panel, "map-" + machine);
    }

    void aClickOnABufferSelectsItsTensor() {
        Shown shown(attentionOn("spyre"), kMemory);
        const auto& graph = shown.state.result()->program.stage(lowering::Stage::Placed);
        // A buffer of a value that lowering made has no captured tensor to select.
        layout::Scene captured = shown.scene();
        std::erase_if(captured.marks, [&](const layout::SceneMark& mark) {
            return !graph.values.contains(mark.target.value)
                || !graph.values[mark.target.value].source.isValid();
        });
        const auto* mark = widest(captured);
        QVERIFY(mark != nullptr);
        const auto target = mark->target;
        QTest::mouseClick(
            shown.canvas(), Qt::LeftButton, Qt::NoModifier, mark->rect.center().toPoint());
        QCOMPARE(shown.state.selection().value, graph.values[target.value].source);
        QVERIFY2(shown.panel.sentence().contains("lies at 0x"), qPrintable(shown.panel.sentence()));
        // Empty space clears.
        shown.canvas()->setFocus();
        QTest::keyClick(shown.canvas(), Qt::Key_Escape);
        QVERIFY(shown.state.selection().isEmpty());
    }

    void arrowsWalkTheBuffers() {
        Shown shown(attentionOn("spyre"), kMemory);
        QTest::keyClick(shown.canvas(), Qt::Key_Right);
        const auto first = shown.state.selection();
        QVERIFY(!first.isEmpty());
        QTest::keyClick(shown.canvas(), Qt::Key_Right);
        QVERIFY(!(shown.state.selection() == first));
        QTest::keyClick(shown.canvas(), Qt::Key_Left);
        QVERIFY(shown.state.selection() == first);
    }

    void theWheelZoomsAndSpaceFits() {
        Shown shown(attentionOn("spyre"), kMemory);
        testing::turnWheel(shown.canvas(), shown.scene().plot.center().toPoint(), 240);
        QVERIFY(shown.canvas()->view().x.span() < 1);
        const auto before = shown.canvas()->view().x;
        testing::drag(shown.canvas(), shown.scene().plot.center().toPoint(),
            shown.scene().plot.center().toPoint() + QPoint(60, 0));
        QVERIFY(shown.canvas()->view().x.low < before.low);
        shown.panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.panel));
        shown.canvas()->setFocus();
        QTest::keyClick(shown.canvas(), Qt::Key_Space);
        QCOMPARE(shown.canvas()->view().x.span(), 1.0);
    }

    void whatDidNotFitStandsAboveTheMapWithItsReason() {
        auto result = std::make_shared<analysis::Result>(*attentionOn("spyre"));
        const auto far = memory::mappedLevels(result->program, result->machine()).back();
        lowering::BufferId spilled;
        for (std::size_t i = 0; i < result->program.buffers.size(); ++i)
            if (result->program.buffers[lowering::BufferId(i)].level == far)
                spilled = lowering::BufferId(i);
        result->program.buffers[spilled].isSpill = true;
        result->program.buffers[spilled].reason = "it does not fit beside what lives there";
        Shown shown(result, kMemory);
        SceneCanvas* canvas = shown.canvas();
        layout::SceneView view = canvas->view();
        // The map of the memory that it wanted, whether or not something else lies there.
        for (std::size_t i = 0; i < result->machine().memories.size(); ++i)
            if (result->machine().memories[i].kind == machines::MemoryKind::Scratchpad)
                view.level = i;
        canvas->setView(view);
        const auto refused = std::ranges::count_if(
            shown.scene().marks, [](const auto& mark) { return mark.isRefused; });
        if (layout::shownLevel(shown.state, canvas->view()) == view.level) {
            QVERIFY(refused > 0);
            QVERIFY2(
                shown.panel.sentence().contains("did not fit"), qPrintable(shown.panel.sentence()));
            const auto& mark = *std::ranges::find_if(
                shown.scene().marks, [](const auto& each) { return each.isRefused; });
            QVERIFY(mark.card.lines.join(' ').contains("It does not fit beside"));
            QVERIFY(mark.card.lines.join(' ').contains("largest gap"));
        }
    }

    void theSwitchNamesTheMachinesOwnView_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("name");
        QTest::newRow("gpu") << "gpu_h100_sxm"
                             << "Waves";
        QTest::newRow("tpu") << "tpu_v5e"
                             << "";
        QTest::newRow("wafer") << "cerebras_wse3"
                               << "Floor plan";
        QTest::newRow("groq") << "groq_lpu_v1"
                              << "Slices";
        QTest::newRow("spyre") << "spyre"
                               << "";
    }

    void theSwitchNamesTheMachinesOwnView() {
        QFETCH(QString, machine);
        QFETCH(QString, name);
        Shown shown(attentionOn(qPrintable(machine)), kMachine);
        QCOMPARE(shown.panel.mode(), name.isEmpty() ? LayoutPanel::Mode::Lanes : kMachine);
        bool isNamed = false;
        for (const auto* button : shown.panel.findChildren<QToolButton*>())
            isNamed = isNamed || (!name.isEmpty() && button->isVisible() && button->text() == name);
        QCOMPARE(isNamed, !name.isEmpty());
        if (!name.isEmpty()) {
            QVERIFY(!shown.scene().marks.empty());
            keepPicture(shown.panel, "own-" + machine);
        }
    }

    void theOwnViewComesBackWithItsMachine() {
        Shown shown(attentionOn("gpu_h100_sxm"), kMachine);
        shown.state.setResult(attentionOn("spyre"), false);
        QCOMPARE(shown.panel.mode(), LayoutPanel::Mode::Lanes);
        shown.state.setResult(attentionOn("groq_lpu_v1"), false);
        QCOMPARE(shown.panel.mode(), kMachine);
    }

    void theFloorPlanSelectsItsKernels() {
        Shown shown(attentionOn("cerebras_wse3"), kMachine);
        const auto& regions = shown.state.result()->program.regions;
        if (!regions.empty())
            QCOMPARE(shown.scene().marks.size(), regions.size());
        const auto* mark = widest(shown.scene());
        QVERIFY(mark != nullptr);
        const StepId step = mark->target.step;
        QTest::mouseClick(
            shown.canvas(), Qt::LeftButton, Qt::NoModifier, mark->rect.center().toPoint());
        const auto steps = shown.state.selectedSteps();
        QVERIFY(std::ranges::find(steps, step) != steps.end());
        keepPicture(shown.panel, "own-cerebras-selected");
    }

    void wavesHatchTheIdleTail() {
        auto result = std::make_shared<analysis::Result>(*attentionOn("gpu_h100_sxm"));
        auto graph = std::make_shared<lowering::StageGraph>(
            result->program.stage(lowering::Stage::Scheduled));
        const lowering::Step& step = result->program.steps[StepId(0)];
        lowering::setWaveGrid(graph->nodes[step.mainNode], {109, 108, 1, 128, 256, 1});
        result->program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)] = graph;
        Shown shown(result, kMachine);
        shown.state.selectStep(StepId(0));
        QCOMPARE(shown.scene().marks.size(), std::size_t{216}); // two waves of 108 SMs
        std::size_t idle = 0;
        for (const auto& mark : shown.scene().marks)
            idle += mark.filled <= 0 ? 1 : 0;
        QCOMPARE(idle, std::size_t{107});
        QVERIFY2(shown.panel.sentence().contains("107"), qPrintable(shown.panel.sentence()));
        keepPicture(shown.panel, "own-gpu-tail");
    }

    void manyWavesShowTheFirstAndTheLast() {
        auto result = std::make_shared<analysis::Result>(*attentionOn("gpu_h100_sxm"));
        auto graph = std::make_shared<lowering::StageGraph>(
            result->program.stage(lowering::Stage::Scheduled));
        const lowering::Step& step = result->program.steps[StepId(0)];
        lowering::setWaveGrid(graph->nodes[step.mainNode], {1'000'000'000, 132, 16, 0, 0, 1});
        result->program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)] = graph;
        Shown shown(result, kMachine);
        shown.state.selectStep(StepId(0));
        QVERIFY(!shown.scene().marks.empty());
        QVERIFY(shown.scene().marks.size() < 13 * 132);
    }

    void slicesShowEventsAtTheirCycles() {
        Shown shown(attentionOn("groq_lpu_v1"), kMachine);
        QVERIFY2(shown.panel.sentence().contains("cycles"), qPrintable(shown.panel.sentence()));
        const auto* mark = widest(shown.scene());
        QTest::mouseMove(shown.canvas(), mark->rect.center().toPoint());
        QVERIFY(!shown.state.hover().isEmpty());
        QCOMPARE(shown.scene().rows.size(), shown.state.result()->program.events.size());
    }

    void aSelectedKernelShowsItsCycles() {
        const auto result = attentionOn("groq_lpu_v1");
        Shown shown(result, kMachine);
        StepId chosen;
        for (std::size_t s = 0; s < result->program.steps.size() && !chosen.isValid(); ++s) {
            const auto kernel = result->program.steps[StepId(s)].kernel;
            const auto view = analysis::kernelCycles(
                *result, result->program.stage(lowering::Stage::Scheduled).kernels[kernel].name);
            if (view && view->cycles > 0)
                chosen = StepId(s);
        }
        QVERIFY(chosen.isValid());
        shown.state.selectStep(chosen);
        QVERIFY2(
            shown.panel.sentence().contains("one run takes"), qPrintable(shown.panel.sentence()));
        QCOMPARE(shown.scene().marks.size(), shown.scene().rows.size());
        keepPicture(shown.panel, "own-groq-cycles");
        QTest::keyClick(shown.canvas(), Qt::Key_Escape);
        QVERIFY2(shown.panel.sentence().contains("events"), qPrintable(shown.panel.sentence()));
    }

    void emptyStatesSayWhy() {
        common::ViewState state;
        LayoutPanel panel(state, nullptr);
        panel.resize(900, 560);
        panel.show();
        for (const auto mode : {LayoutPanel::Mode::Lanes, LayoutPanel::Mode::Padding, kMemory}) {
            panel.setMode(mode);
            QVERIFY2(panel.sentence().contains("No model"), qPrintable(panel.sentence()));
        }
        state.setResult(testing::emptySample(), true);
        panel.setMode(kMemory);
        QVERIFY2(panel.sentence().contains("Nothing runs"), qPrintable(panel.sentence()));
        QImage image(400, 300, QImage::Format_ARGB32);
        QPainter painter(&image);
        panel.paintContent(painter, image.size());
    }

    void twoPanelsOnTwoStatesDoNotDisturbEachOther() {
        common::ViewState first;
        common::ViewState second(first, nullptr);
        first.setResult(attentionOn("spyre"), true);
        second.setResult(attentionOn("groq_lpu_v1"), false);
        LayoutPanel left(first, nullptr), right(second, nullptr);
        for (LayoutPanel* panel : {&left, &right}) {
            panel->resize(700, 480);
            panel->show();
        }
        right.setMode(kMachine);
        QCOMPARE(left.mode(), LayoutPanel::Mode::Lanes);
        const ir::NodeId node = testing::nodeNamed(*first.result(), "/attn/MatMul");
        first.selectNode(node.isValid() ? node : ir::NodeId(3));
        QVERIFY(!left.canvas()->picture().isEmpty());
        left.canvas()->setPlace({0, 0, 0, 1, 0});
        QVERIFY(first.selection() == second.selection());
        right.setMode(LayoutPanel::Mode::Lanes);
        if (!right.canvas()->picture().isEmpty() && second.selection().element)
            QVERIFY(right.canvas()->picture().grid->indexAt(right.canvas()->view().place)
                == second.selection().element);
        keepPicture(left, "two-left");
        keepPicture(right, "two-right");
    }

    void drawsInBothThemesAtAllSizes_data() {
        QTest::addColumn<QString>("machine");
        for (const char* machine : kMachines)
            QTest::newRow(machine) << machine;
    }

    void drawsInBothThemesAtAllSizes() {
        QFETCH(QString, machine);
        const auto result = attentionOn(qPrintable(machine));
        for (const QSize size :
            {QSize(280, 160), QSize(416, 280), QSize(588, 312), QSize(1036, 600)})
            for (const bool isDark : {false, true}) {
                common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
                for (const auto mode : {kMemory, kMachine}) {
                    Shown shown(result, mode, size);
                    QCOMPARE(shown.panel.grab().size(), size);
                    if (isDark && size.width() > 500)
                        keepPicture(shown.panel,
                            QString("scene-%1-%2-%3-dark")
                                .arg(machine)
                                .arg(static_cast<int>(mode))
                                .arg(size.width()));
                }
            }
        common::Palette::apply(*qApp, common::Theme::Light);
    }
};

QTEST_MAIN(TestLayoutScenes)
#include "test_layout_scenes.moc"
