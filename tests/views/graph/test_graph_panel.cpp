// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/graph/samples.h"
#include "views/common/motion.h"
#include "views/graph/changes_popup.h"
#include "views/graph/graph_panel.h"
#include "views/graph/sentence.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <QWheelEvent>

#include <memory>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::graph;
using lowering::Stage;

namespace {

constexpr int kPatience = 30'000;

/// A shown panel with a drawn picture. Layered unless a program is given.
struct Shown {
    common::ViewState state;
    GraphPanel panel;
    std::shared_ptr<analysis::Result> result;

    explicit Shown(std::shared_ptr<analysis::Result> model, QSize size = {560, 844},
        const QString& program = {})
        : panel(state, nullptr)
        , result(std::move(model)) {
        panel.drawings().setProgram(program);
        panel.setMotion(false);
        panel.resize(size);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        state.setStage(Stage::LaidOut);
        state.setResult(result, true);
        QVERIFY(panel.settle(kPatience));
        panel.canvas().setFocus();
    }

    const DisplayGraph& graph() const { return panel.canvas().placed()->graph; }
    int box(const QString& title) const {
        for (std::size_t b = 0; b < graph().boxes.size(); ++b)
            if (graph().boxes[b].title == title)
                return static_cast<int>(b);
        return -1;
    }
    QPoint at(const QString& title) const { return panel.canvas().boxRect(box(title)).center(); }
    void click(const QString& title, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&panel.canvas(), Qt::LeftButton, modifiers, at(title));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&panel.canvas(), key, modifiers);
        panel.settle(kPatience);
    }
    ir::NodeId node(const char* name) const { return testing::nodeNamed(*result, name); }
    QStringList selected() const {
        QStringList names;
        for (const ir::NodeId id : state.selection().nodes)
            names << QString::fromStdString(result->graph().nodes[id].name);
        return names;
    }
    char mark(const QString& title) const {
        const auto& marks = panel.canvas().marks().selected;
        const auto b = static_cast<std::size_t>(box(title));
        return b < marks.size() ? marks[b] : 0;
    }
};

void drag(QWidget* widget, QPoint from, QPoint to) {
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 4; ++step) {
        const QPoint at = from + (to - from) * step / 4;
        QMouseEvent move(QEvent::MouseMove, QPointF(at), widget->mapToGlobal(QPointF(at)),
            Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

void turnWheel(QWidget* widget, QPoint at, int angle, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(QPointF(at), widget->mapToGlobal(QPointF(at)), {}, QPoint(0, angle),
        Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

} // namespace

class TestGraphPanel : public QObject {
    Q_OBJECT

    static QFont shownFont() { return QApplication::font(); }

private slots:
    void theEmptyPanelSaysWhatToDo() {
        common::ViewState state;
        GraphPanel panel(state);
        QCOMPARE(panel.id(), QStringLiteral("graph"));
        QCOMPARE(panel.sentence(), QStringLiteral("Open a model to see its graph."));
        state.setResult(testing::emptySample(), true);
        QVERIFY(panel.sentence().contains("no operators"));
        QVERIFY(panel.settle(1000));
    }

    void aClickSelectsAndEmptySpaceClears() {
        Shown shown(testing::attentionSample());
        shown.click("Softmax");
        QCOMPARE(shown.selected(), QStringList{"/attn/Softmax"});
        QCOMPARE(shown.mark("Softmax"), char(2));
        QTest::mouseClick(&shown.panel.canvas(), Qt::LeftButton, {},
            QPoint(6, shown.panel.canvas().height() / 2));
        QVERIFY(shown.state.selection().isEmpty());
        QCOMPARE(shown.mark("Softmax"), char(0));
    }

    void clickingAnAddedOperatorSelectsItByName() {
        Shown shown(testing::attentionSample());
        shown.click(QStringLiteral("restickify Kᵀ"));
        QCOMPARE(shown.state.selection().added, std::string("restickify Kᵀ"));
        QCOMPARE(shown.mark(QStringLiteral("restickify Kᵀ")), char(2));
    }

    void controlAddsAndShiftTakesThePath() {
        Shown shown(testing::attentionSample());
        shown.click("Mul");
        shown.click("Transpose_3", Qt::ControlModifier);
        QCOMPARE(shown.selected(), (QStringList{"/attn/Mul", "/attn/Transpose_3"}));
        shown.click("Transpose_3", Qt::ControlModifier);
        QCOMPARE(shown.selected(), QStringList{"/attn/Mul"});
        shown.click("MatMul_1", Qt::ShiftModifier);
        QCOMPARE(shown.selected(), (QStringList{"/attn/Mul", "/attn/Softmax", "/attn/MatMul_1"}));
    }

    void arrowsFollowEdges() {
        Shown shown(testing::attentionSample());
        shown.click("Mul");
        shown.key(Qt::Key_Down);
        QCOMPARE(shown.selected(), QStringList{"/attn/Softmax"});
        shown.key(Qt::Key_Down);
        shown.key(Qt::Key_Up);
        QCOMPARE(shown.selected(), QStringList{"/attn/Softmax"});
        shown.click(QStringLiteral("k · Slice"));
        shown.key(Qt::Key_Left);
        shown.key(Qt::Key_Right);
        QCOMPARE(shown.selected(), QStringList{"/attn/k/Slice"});
        shown.key(Qt::Key_Escape);
        QVERIFY(shown.state.selection().isEmpty());
    }

    void foldedScopesOpenAndClose() {
        Shown shown(testing::layeredSample(24));
        const QString run = QStringLiteral("layers.0–23 ×24");
        QVERIFY(shown.box(run) >= 0);
        QTest::mouseDClick(&shown.panel.canvas(), Qt::LeftButton, {}, shown.at(run));
        QVERIFY(shown.panel.settle(kPatience));
        QVERIFY(shown.box(run) < 0);
        QVERIFY(shown.box("layers.7") >= 0);
        shown.state.selectNode(shown.node("/layers.7/mlp/act/Relu"));
        QCOMPARE(shown.mark("layers.7"), char(2)); // the ring is on the box that holds it
        QVERIFY(shown.panel.sentence().contains("folded layers.7"));
        shown.key(Qt::Key_Return);
        QVERIFY(shown.box("layers.7") < 0);
        shown.state.selectNode(shown.node("/layers.7/Add"));
        shown.key(Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(shown.box("layers.7") >= 0);
    }

    void eOpensEverythingBelow() {
        Shown shown(testing::layeredSample(4));
        shown.state.clearSelection();
        shown.key(Qt::Key_E, Qt::ShiftModifier);
        QVERIFY(shown.box(QStringLiteral("layers.0–3 ×4")) >= 0);
        shown.click(QStringLiteral("layers.0–3 ×4"));
        shown.key(Qt::Key_E);
        QCOMPARE(shown.graph().expansion.foldedCount, 0);
    }

    void tracingFadesTheRest() {
        Shown shown(testing::attentionSample());
        shown.click("Softmax");
        shown.key(Qt::Key_T);
        const auto traced = shown.panel.canvas().marks().traced;
        QVERIFY(traced[static_cast<std::size_t>(shown.box("Mul"))]);
        QVERIFY(traced[static_cast<std::size_t>(shown.box(QStringLiteral("q · Slice")))]);
        QVERIFY(!traced[static_cast<std::size_t>(shown.box("MatMul_1"))]);
        shown.key(Qt::Key_T, Qt::ShiftModifier);
        QVERIFY(
            shown.panel.canvas().marks().traced[static_cast<std::size_t>(shown.box("MatMul_1"))]);
        shown.key(Qt::Key_Escape);
        QVERIFY(shown.panel.canvas().marks().traced.empty());
        QVERIFY(!shown.state.selection().isEmpty());
    }

    void theWheelZoomsAtThePointer() {
        Shown shown(testing::attentionSample());
        auto& canvas = shown.panel.canvas();
        const QPoint at = shown.at("Mul");
        const QPointF before = canvas.view().toContent(QPointF(at));
        const double scale = canvas.view().scale();
        turnWheel(&canvas, at, 120, Qt::ControlModifier);
        QVERIFY(canvas.view().scale() > scale);
        const QPointF after = canvas.view().toContent(QPointF(at));
        QVERIFY(QLineF(before, after).length() < 0.5);
        turnWheel(&canvas, at, -240);
        QVERIFY(canvas.view().scale() < scale);
    }

    void draggingPansAndSelectsNothing() {
        Shown shown(testing::attentionSample(), {436, 400});
        auto& canvas = shown.panel.canvas();
        const QPointF before = canvas.view().origin();
        drag(&canvas, {200, 200}, {180, 120});
        QVERIFY(canvas.view().origin().y() > before.y());
        QVERIFY(shown.state.selection().isEmpty());
    }

    void keysZoomAndFit() {
        Shown shown(testing::attentionSample(), {436, 560});
        auto& canvas = shown.panel.canvas();
        shown.key(Qt::Key_Space);
        QVERIFY(canvas.view().visibleContent().contains(canvas.placed()->geometry.bounds));
        shown.key(Qt::Key_Backspace, Qt::ShiftModifier);
        QCOMPARE(canvas.view().scale(), 1.0);
        shown.key(Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(canvas.view().scale() > 1.0);
        shown.key(Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(std::abs(canvas.view().scale() - 1.0) < 1e-9);
        shown.state.selectNode(shown.node("/attn/c_proj/Add"));
        shown.key(Qt::Key_F);
        QVERIFY(canvas.rect().contains(canvas.boxRect(shown.panel.canvas().placed()
                ? shown.graph().boxesOfCaptured(shown.node("/attn/c_proj/Add")).front()
                : 0)));
    }

    void directionTurns() {
        Shown shown(testing::attentionSample());
        const QRect a = shown.panel.canvas().boxRect(shown.box("Mul"));
        const QRect b = shown.panel.canvas().boxRect(shown.box("Softmax"));
        QVERIFY(b.top() > a.bottom());
        shown.key(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(shown.panel.isLeftToRight());
        const QRect c = shown.panel.canvas().boxRect(shown.box("Mul"));
        const QRect d = shown.panel.canvas().boxRect(shown.box("Softmax"));
        QVERIFY(d.left() > c.right());
        shown.click("Mul");
        shown.key(Qt::Key_Right);
        QCOMPARE(shown.selected(), QStringList{"/attn/Softmax"});
    }

    void optionsFollowKeysAndCheckBoxes() {
        Shown shown(testing::attentionSample(), {620, 844});
        shown.key(Qt::Key_R);
        QVERIFY(shown.panel.options().showsRemoved);
        shown.key(Qt::Key_I, Qt::ControlModifier);
        QVERIFY(shown.box("c_attn.weight") >= 0);
        for (auto* check : shown.panel.findChildren<QCheckBox*>())
            if (check->text() == "Shapes") {
                QVERIFY(check->isVisible());
                check->click();
            }
        QVERIFY(!shown.panel.options().showsShapes);
        QVERIFY(shown.panel.settle(kPatience));
        for (const DisplayEdge& edge : shown.graph().edges)
            QVERIFY(!edge.label.contains(QStringLiteral("×")));
    }

    void theFoldingBoxFoldsEverything() {
        Shown shown(testing::layeredSample(2));
        auto* combo = shown.panel.findChild<QComboBox*>();
        QVERIFY(combo);
        QCOMPARE(combo->currentText(), QStringLiteral("Nothing folded"));
        combo->setCurrentIndex(2);
        emit combo->activated(2);
        QVERIFY(shown.panel.settle(kPatience));
        QVERIFY(shown.graph().expansion.foldedCount > 0);
        QVERIFY(combo->currentText().contains("folded"));
    }

    void hoverLightsCounterpartsAndShowsACard() {
        Shown shown(testing::attentionSample());
        auto& canvas = shown.panel.canvas();
        QTest::mouseMove(&canvas, shown.at("Softmax"));
        QTRY_COMPARE(shown.state.hover().nodes.size(), std::size_t(1));
        QCOMPARE(shown.state.hover().nodes[0], shown.node("/attn/Softmax"));
        QTRY_VERIFY_WITH_TIMEOUT(canvas.card() && canvas.card()->isVisible(), 3000);
        QCOMPARE(canvas.card()->content().title, QStringLiteral("/attn/Softmax"));
        QVERIFY(!canvas.card()->content().lines.isEmpty());
        QVERIFY(canvas.card()->content().lines.size() <= common::CardContent::kMaximumLines);
        QTest::mouseMove(&canvas, QPoint(4, canvas.height() - 4));
        QTRY_VERIFY(shown.state.hover().isEmpty());
    }

    void aSelectionFromElsewhereScrollsIntoView() {
        Shown shown(testing::attentionSample(), {436, 400});
        auto& canvas = shown.panel.canvas();
        shown.panel.canvas().resetZoom();
        const int last = shown.graph().boxesOfCaptured(shown.node("/attn/c_proj/MatMul")).front();
        QVERIFY(!canvas.rect().intersects(canvas.boxRect(last)));
        shown.state.selectNode(shown.node("/attn/c_proj/MatMul"));
        QVERIFY(canvas.rect().contains(canvas.boxRect(last)));
    }

    void counterpartsOutOfViewAreCounted() {
        Shown shown(testing::attentionSample(), {436, 400});
        auto& canvas = shown.panel.canvas();
        canvas.resetZoom();
        shown.state.selectNode(shown.node("/attn/c_proj/MatMul"));
        canvas.view().panBy({0, 4000});
        const auto outside = canvas.outside();
        QVERIFY(outside.isSelection);
        QCOMPARE(outside.below, 1);
        QCOMPARE(outside.above, 0);
    }

    void theViewStaysBetweenStages() {
        Shown shown(testing::attentionSample());
        auto& canvas = shown.panel.canvas();
        canvas.zoomBy(1.5);
        const QPointF origin = canvas.view().origin();
        const QRectF before =
            canvas.placed()->geometry.boxes[static_cast<std::size_t>(shown.box("Softmax"))];
        shown.state.setStage(Stage::Placed);
        QVERIFY(shown.panel.settle(kPatience));
        QCOMPARE(canvas.view().origin(), origin);
        QCOMPARE(canvas.placed()->geometry.boxes[static_cast<std::size_t>(shown.box("Softmax"))],
            before);
    }

    void survivorsGlideWhereMotionIsWanted() {
        Shown shown(testing::attentionSample());
        shown.panel.setMotion(true);
        shown.state.setStage(Stage::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(shown.panel.canvas().isMoving(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.panel.canvas().isMoving(), 5000);
    }

    void theFirstViewIsReadable_data() {
        QTest::addColumn<int>("count");
        QTest::newRow("400") << 400;
        QTest::newRow("10,000") << 10000;
    }
    void theFirstViewIsReadable() {
        QFETCH(int, count);
        Shown shown(testing::chainSample(static_cast<std::size_t>(count)));
        auto& canvas = shown.panel.canvas();
        QVERIFY(canvas.view().scale() >= 0.6);
        QVERIFY(canvas.rect().contains(canvas.boxRect(0).center())); // starts at the top
        QVERIFY(!canvas.minimapRect().isNull());
        QVERIFY(canvas.outside().below > 0);
    }

    void tenThousandNodesDoNotBlock() {
        common::ViewState state;
        GraphPanel panel(state);
        panel.drawings().setProgram({});
        panel.resize(560, 844);
        const auto result = testing::chainSample(10000);
        state.setResult(result, true);
        QVERIFY(!panel.canvas().placed()); // handed over, not drawn
        QVERIFY(panel.settle(kPatience));
        QVERIFY(panel.canvas().placed());
        PresentOptions options = panel.options();
        options.folding.mode = FoldMode::Expanded;
        panel.setOptions(options);
        QVERIFY(panel.settle(kPatience));
        QVERIFY(panel.canvas().placed()->graph.boxes.size() <= kMaxBoxes + 2);
        QVERIFY(panel.sentence().contains("500 boxes"));
    }

    void dotDrawsInAChildProcess() {
        Shown shown(testing::attentionSample());
        QCOMPARE(shown.panel.canvas().placed()->geometry.engine, QStringLiteral("layered"));
        DrawingService service;
        service.setProgram(QStringLiteral(FIVEFOLD_DRAW_CHILD));
        service.setTimeout(kPatience);
        QSignalSpy finished(&service, &DrawingService::finished);
        auto input = std::make_shared<drawing::Input>();
        input->boxes.resize(3);
        input->edges = {{0, 1}, {1, 2}};
        const quint64 number = service.request(input);
        QVERIFY(finished.isEmpty()); // never at once
        QVERIFY(service.waitForDone(kPatience));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][0].toULongLong(), number);
        const auto drawing = finished[0][1].value<DrawingService::Drawing>();
        QVERIFY(drawing);
        QCOMPARE(drawing->engine, std::string("dot"));
        service.request(std::make_shared<drawing::Input>(*input)); // known: at once
        QCOMPARE(finished.count(), 2);
        QCOMPARE(finished[1][1].value<DrawingService::Drawing>(), drawing);
    }

    void aBadChildFallsBackToTheLayeredDrawing_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("mode");
        QTest::newRow("missing") << QStringLiteral("/nonexistent/program") << QByteArray();
        QTest::newRow("slow") << QStringLiteral(FIVEFOLD_DRAW_CHILD) << QByteArray("slow");
        QTest::newRow("noise") << QStringLiteral(FIVEFOLD_DRAW_CHILD) << QByteArray("noise");
    }
    void aBadChildFallsBackToTheLayeredDrawing() {
        QFETCH(QString, program);
        QFETCH(QByteArray, mode);
        qputenv("FIVEFOLD_DRAW_CHILD", mode);
        DrawingService service;
        service.setProgram(program);
        service.setTimeout(300);
        QSignalSpy finished(&service, &DrawingService::finished);
        auto input = std::make_shared<drawing::Input>();
        input->boxes.resize(2);
        input->edges = {{0, 1}};
        service.request(input);
        QVERIFY(service.waitForDone(kPatience));
        qunsetenv("FIVEFOLD_DRAW_CHILD");
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][1].value<DrawingService::Drawing>()->engine, std::string("layered"));
    }

    void aNewerRequestCancelsTheOlder() {
        qputenv("FIVEFOLD_DRAW_CHILD", "slow");
        DrawingService service;
        service.setProgram(QStringLiteral(FIVEFOLD_DRAW_CHILD));
        service.setTimeout(kPatience);
        QSignalSpy finished(&service, &DrawingService::finished);
        auto input = std::make_shared<drawing::Input>();
        input->boxes.resize(2);
        service.request(input);
        qunsetenv("FIVEFOLD_DRAW_CHILD");
        auto second = std::make_shared<drawing::Input>();
        second->boxes.resize(3);
        const quint64 number = service.request(second);
        QVERIFY(service.waitForDone(kPatience));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][0].toULongLong(), number);
        QCOMPARE(finished[0][1].value<DrawingService::Drawing>()->boxes.size(), std::size_t(3));
        service.request(input);
        service.cancel();
        QVERIFY(!service.isBusy());
        QTest::qWait(50);
        QCOMPARE(finished.count(), 1);
    }

    void theMenuCopies() {
        Shown shown(testing::attentionSample());
        auto& canvas = shown.panel.canvas();
        QMenu menu;
        Hit hit;
        hit.box = shown.box("Softmax");
        canvas.menuSource(menu, hit);
        QCOMPARE(shown.selected(), QStringList{"/attn/Softmax"});
        const auto trigger = [&](QMenu& in, const QString& text) {
            for (QAction* action : in.actions()) {
                if (action->text() == text) {
                    action->trigger();
                    return true;
                }
                if (action->menu())
                    for (QAction* inner : action->menu()->actions())
                        if (inner->text() == text) {
                            inner->trigger();
                            return true;
                        }
            }
            return false;
        };
        QVERIFY(trigger(menu, "Copy name"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("/attn/Softmax"));
        QVERIFY(trigger(menu, "JSON"));
        QVERIFY(QApplication::clipboard()->text().contains("\"op\": \"Softmax\""));
        QVERIFY(trigger(menu, "Markdown"));
        QVERIFY(QApplication::clipboard()->text().startsWith("| name |"));
        QSignalSpy wanted(&shown.panel, &common::Panel::showRequested);
        QVERIFY(trigger(menu, "Roofline"));
        QCOMPARE(wanted.value(0).value(0).toString(), QStringLiteral("roofline"));
    }

    void exportsPaintTheWholePicture() {
        Shown shown(testing::attentionSample());
        QImage image(600, 900, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        shown.panel.paintContent(painter, image.size());
        painter.end();
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                colours.insert(image.pixel(x, y));
        QVERIFY(!colours.contains(QColor(Qt::magenta).rgba()));
        QVERIFY(colours.size() > 10);
    }

    void goingBackToAStageShowsTheKeptPictureAtOnce() {
        Shown shown(testing::attentionSample());
        const auto laidOut = shown.panel.canvas().placed();
        shown.state.setStage(Stage::Placed);
        QVERIFY(shown.panel.settle(kPatience));
        QVERIFY(shown.panel.canvas().placed() != laidOut);
        shown.state.setStage(Stage::LaidOut); // nothing is awaited
        QCOMPARE(shown.panel.canvas().placed(), laidOut);
        // Another result is another picture.
        shown.result = testing::attentionSample();
        shown.state.setResult(shown.result, false);
        QVERIFY(shown.panel.settle(kPatience));
        QVERIFY(shown.panel.canvas().placed() != laidOut);
    }

    void theSelectedBoxKeepsItsPlaceOnTheScreen() {
        Shown shown(testing::attentionSample(), {300, 300});
        auto& canvas = shown.panel.canvas();
        shown.state.selectNode(shown.node("/attn/Mul"));
        shown.panel.zoomToSelection();
        const QPoint before =
            shown.at(shown.graph()
                         .boxes[static_cast<std::size_t>(
                             shown.graph().boxesOfCaptured(shown.node("/attn/Mul")).front())]
                         .title);
        shown.state.setStage(Stage::Fused); // one operator above it is gone
        QVERIFY(shown.panel.settle(kPatience));
        const QRect now =
            canvas.boxRect(shown.graph().boxesOfCaptured(shown.node("/attn/Mul")).front());
        QVERIFY2((now.center() - before).manhattanLength() <= 4,
            qPrintable(QStringLiteral("%1, %2")
                           .arg(now.center().x() - before.x())
                           .arg(now.center().y() - before.y())));
    }

    void whatAStageBringsIsOutlinedUntilTheNextChange() {
        Shown shown(testing::attentionSample());
        auto& canvas = shown.panel.canvas();
        QVERIFY(canvas.freshBoxes().empty()); // the first picture has nothing to compare with
        shown.state.setStage(Stage::Fused);
        QVERIFY(shown.panel.settle(kPatience));
        for (std::size_t b = 0; b < canvas.freshBoxes().size(); ++b)
            QVERIFY2(!canvas.freshBoxes()[b] || shown.graph().boxes[b].lowered.empty(),
                qPrintable(shown.graph().boxes[b].fullName));
        shown.state.setStage(Stage::LaidOut);
        QStringList fresh;
        for (std::size_t b = 0; b < canvas.freshBoxes().size(); ++b)
            if (canvas.freshBoxes()[b])
                fresh << shown.graph().boxes[b].fullName;
        QCOMPARE(fresh, QStringList{QStringLiteral("restickify Kᵀ")});
    }

    void survivorsGlideWhereMotionIsOn() {
        Shown shown(testing::attentionSample());
        shown.panel.setMotion(true);
        shown.state.setStage(Stage::Fused);
        while (shown.panel.drawings().isBusy())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
        QVERIFY(shown.panel.canvas().isMoving());
        QTRY_VERIFY(!shown.panel.canvas().isMoving());
        common::setMotionReduced(true);
        shown.state.setStage(Stage::LaidOut);
        QVERIFY(!shown.panel.canvas().isMoving());
        common::setMotionReduced(false);
        shown.state.setStage(Stage::Fused);
        QVERIFY(shown.panel.canvas().isMoving());
        shown.panel.canvas().finishMotion();
        shown.panel.setMotion(false);
        shown.state.setStage(Stage::LaidOut);
        QVERIFY(!shown.panel.canvas().isMoving());
    }

    void theChangesListSelectsWhatIsClicked() {
        Shown shown(testing::attentionSample(), {700, 844});
        QToolButton* button = nullptr;
        for (auto* each : shown.panel.findChildren<QToolButton*>())
            if (each->accessibleName() == QStringLiteral("Changes"))
                button = each;
        QVERIFY(button && button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        auto* popup = shown.panel.findChild<ChangesPopup*>();
        QVERIFY(popup && popup->isVisible());
        QTreeWidget& list = popup->list();
        QTreeWidgetItem* row = nullptr;
        for (int top = 0; top < list.topLevelItemCount(); ++top)
            for (int i = 0; i < list.topLevelItem(top)->childCount(); ++i)
                if (list.topLevelItem(top)->child(i)->text(0).contains("restickify"))
                    row = list.topLevelItem(top)->child(i);
        QVERIFY(row);
        QVERIFY(row->text(2).contains("stick on the sequence"));
        list.expandAll();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(row).center());
        QCOMPARE(shown.state.selection().added, std::string("restickify Kᵀ"));
        QTRY_VERIFY(!shown.panel.findChild<ChangesPopup*>());
    }

    void theLegendCountsTheEdgesThatTheStageAdded() {
        const auto result = testing::attentionSample();
        const auto changes = analysis::stageChanges(*result, Stage::LaidOut);
        QCOMPARE(changes.added.size(), std::size_t(1));
        QCOMPARE(movementWords(changes),
            QStringLiteral("%1 edges added: %1 %2")
                .arg(changes.edges.size())
                .arg(movementName(changes.added.front().kind)));
        QVERIFY(movementWords(analysis::stageChanges(*result, Stage::Fused)).isEmpty());
    }

    void theListTwinHasOneLineABox() {
        Shown shown(testing::attentionSample());
        const auto rows = shown.panel.twinRows();
        QCOMPARE(rows.size(), shown.graph().boxes.size());
        const auto b = static_cast<std::size_t>(shown.box(QStringLiteral("Softmax")));
        QVERIFY2(rows[b].text.startsWith("Softmax, normalisation"), qPrintable(rows[b].text));
        QVERIFY(rows[b].text.contains("reads"));
        QCOMPARE(rows[b].selection.nodes.front(), shown.node("/attn/Softmax"));
        QSignalSpy changed(&shown.panel, &common::Panel::twinChanged);
        shown.state.setStage(Stage::Fused);
        QVERIFY(shown.panel.settle(kPatience));
        QCOMPARE(changed.size(), 1);
    }

    void aKernelsFrameOffersToCutAndToJoin() {
        Shown shown(testing::attentionSample());
        Hit frame;
        for (std::size_t g = 0; g < shown.graph().groups.size(); ++g)
            if (shown.graph().groups[g].isKernel)
                frame.group = static_cast<int>(g);
        QVERIFY(frame.group >= 0);
        QMenu menu;
        shown.panel.canvas().menuSource(menu, frame);
        QStringList texts;
        for (QAction* action : menu.actions())
            texts << action->text();
        QVERIFY2(texts.contains("Fuse with next"), qPrintable(texts.join('|')));
        const common::CardContent card = shown.panel.canvas().cardSource(frame);
        QVERIFY2(card.lines.join('|').contains("net"), qPrintable(card.lines.join('|')));
        QVERIFY(card.lines.size() <= common::CardContent::kMaximumLines);
    }

    void splittingIsAskedForByName() {
        Shown shown(testing::attentionSample());
        shown.click(QStringLiteral("Softmax"));
        QSignalSpy edits(&shown.panel, &common::Panel::fusionEditRequested);
        shown.panel.splitSelected();
        QCOMPARE(edits.size(), 1);
        const auto edit = edits.front().at(1).value<lowering::FusionEdit>();
        QVERIFY(edit.kind == lowering::FusionEdit::Kind::Split);
        QCOMPARE(edit.node, std::string("/attn/Softmax"));
        // The first operator of a kernel has nothing before it: the rule is told, nothing is asked.
        shown.state.selectNode(shown.node("/ln/LayerNormalization"));
        QSignalSpy notices(&shown.panel, &common::Panel::noticeRequested);
        shown.panel.splitSelected();
        QCOMPARE(edits.size(), 1);
        QVERIFY(notices.value(0).value(0).toString().contains("Nothing but views stands before"));
    }

    void beforeFusionThereIsNothingToCut() {
        Shown shown(testing::attentionSample());
        shown.state.setStage(Stage::Decomposed);
        QVERIFY(shown.panel.settle(kPatience));
        shown.click(QStringLiteral("Softmax"));
        QSignalSpy notices(&shown.panel, &common::Panel::noticeRequested);
        shown.panel.splitSelected();
        QVERIFY(notices.value(0).value(0).toString().contains("stage 3"));
    }

    void aLongGraphFromLeftToRightStaysReadable() {
        Shown shown(testing::layeredSample(3), {560, 844});
        PresentOptions options = shown.panel.options();
        options.folding.mode = FoldMode::Expanded;
        shown.panel.setOptions(options);
        QVERIFY(shown.panel.settle(kPatience));
        shown.key(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(shown.panel.isLeftToRight());
        shown.key(Qt::Key_Space);
        QVERIFY2(shown.panel.canvas().view().scale() >= kDetailScale,
            qPrintable(QString::number(shown.panel.canvas().view().scale())));
    }

    void longTitlesLoseTheirModulesFirst() {
        const QFontMetricsF metrics(shownFont());
        const QString title = QStringLiteral("transformer/h.0/c_attn · addmm");
        QCOMPARE(fittedTitle(title, metrics, 10000), title);
        const QString shorter = fittedTitle(
            title, metrics, metrics.horizontalAdvance(QStringLiteral("…/c_attn · addmm")) + 1);
        QCOMPARE(shorter, QStringLiteral("…/c_attn · addmm"));
    }

    void narrowPanelsAreNotHeldOpenByTheHeader() {
        common::ViewState state;
        GraphPanel panel(state);
        panel.resize(300, 500);
        panel.show();
        QCOMPARE(panel.width(), 300);
    }
};

QTEST_MAIN(TestGraphPanel)
#include "test_graph_panel.moc"
