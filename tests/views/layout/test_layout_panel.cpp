// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/panel_fixture.h"
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/layout/address_bar.h"
#include "views/layout/layout_canvas.h"
#include "views/layout/layout_panel.h"

#include <QLineEdit>
#include <QPainter>
#include <QtTest>

using namespace fivefold::views;
namespace ir = fivefold::ir;
namespace lowering = fivefold::lowering;
using common::ViewState;
using layout::AddressBar;
using layout::LayoutPanel;

namespace {

using testing::keepPicture;

/// The attention block with the cores of its first product dealt as m16 × n2.
std::shared_ptr<fivefold::analysis::Result> dividedSample() {
    auto result = testing::attentionSample();
    auto placed =
        std::make_shared<lowering::StageGraph>(result->program.stage(lowering::Stage::Placed));
    for (auto& node : placed->nodes)
        if (node.name == "/attn/MatMul")
            node.attributes.set("spyre.splits", std::vector<std::int64_t>{1, 16, 2, 1});
    result->program.stages[static_cast<std::size_t>(lowering::Stage::Placed)] = placed;
    return result;
}

void select(ViewState& state, std::string_view name) {
    state.selectNode(testing::nodeNamed(*state.result(), name));
}

} // namespace

class TestLayoutPanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void saysWhyItIsEmpty();
    void showsTheResultOfTheSelectedNode();
    void arrowsAndPagesWalkLanesRowsAndBlocks();
    void aClickOnALanePicksItsElement();
    void typingAnIndexMovesAllFields();
    void hoverGoesBothWays();
    void logicalAndDeviceShareThePlace();
    void tensorsWithoutLayoutGetASentence();
    void drawsInBothThemesAtAllSizes_data();
    void drawsInBothThemesAtAllSizes();
};

void TestLayoutPanel::initTestCase() {
    common::Palette::apply(*qApp, common::Theme::Light);
}

void TestLayoutPanel::saysWhyItIsEmpty() {
    ViewState state;
    LayoutPanel panel(state, nullptr);
    QVERIFY(panel.sentence().contains("No model"));
    state.setResult(testing::emptySample(), true);
    QVERIFY(!panel.sentence().isEmpty());
    QVERIFY(panel.canvas()->picture().isEmpty());
    QImage image(400, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    panel.paintContent(painter, image.size()); // an export of nothing is a sentence, not a crash
}

void TestLayoutPanel::showsTheResultOfTheSelectedNode() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    LayoutPanel panel(state, nullptr);
    QVERIFY(panel.canvas()->picture().isDefault);
    QSignalSpy changed(&panel, &common::Panel::sentenceChanged);
    const auto& graph = state.result()->graph();
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        state.selectNode(ir::NodeId(n));
        QVERIFY(!panel.canvas()->picture().isEmpty());
        QVERIFY(!panel.canvas()->picture().isDefault);
        QCOMPARE(panel.canvas()->picture().value, graph.nodes[ir::NodeId(n)].outputs.front());
        QVERIFY(panel.sentence().contains("sticks of 64"));
    }
    QVERIFY(changed.count() > 0);
}

void TestLayoutPanel::arrowsAndPagesWalkLanesRowsAndBlocks() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    LayoutPanel panel(state, nullptr);
    panel.resize(700, 500);
    panel.show();
    state.selectNode(ir::NodeId(0));
    auto* canvas = panel.canvas();
    canvas->setPlace({});
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->view().place.lane, std::int64_t{1});
    QCOMPARE(state.selection().element.value().back(), std::int64_t{1});
    QTest::keyClick(canvas, Qt::Key_Left);
    QTest::keyClick(canvas, Qt::Key_Left); // at the beginning nothing moves
    QVERIFY(canvas->view().place == layout::Place{});
    QTest::keyClick(canvas, Qt::Key_Down);
    QCOMPARE(canvas->view().place.row, std::int64_t{1});
    QTest::keyClick(canvas, Qt::Key_Up);
    if (canvas->picture().grid->blocks(0) > 1) {
        QTest::keyClick(canvas, Qt::Key_PageDown);
        QCOMPARE(canvas->view().place.block, std::int64_t{1});
        QTest::keyClick(canvas, Qt::Key_PageUp);
    }
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(canvas->view().place.lane, canvas->picture().grid->lanes() - 1);
    QTest::keyClick(canvas, Qt::Key_Right); // carries over to the next row
    QCOMPARE(canvas->view().place.lane, std::int64_t{0});
    QCOMPARE(canvas->view().place.row, std::int64_t{1});
    QTest::keyClick(canvas, Qt::Key_PageDown, Qt::ControlModifier); // one unit only: stays
    QCOMPARE(canvas->view().place.unit, std::int64_t{0});
}

void TestLayoutPanel::aClickOnALanePicksItsElement() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    LayoutPanel panel(state, nullptr);
    panel.resize(700, 500);
    panel.show();
    state.selectNode(ir::NodeId(0));
    auto* canvas = panel.canvas();
    QVERIFY(canvas->geometry().lanes.size() > 8);
    const auto cell = canvas->geometry().lanes[5];
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, cell.rect.center().toPoint());
    QCOMPARE(canvas->view().place.lane, std::int64_t{5});
    QVERIFY(state.selection().element == canvas->picture().grid->indexAt(canvas->view().place));
    QVERIFY(state.selection().nodes == std::vector<ir::NodeId>{ir::NodeId(0)});
    QVERIFY(panel.sentence().contains("Element"));
}

void TestLayoutPanel::typingAnIndexMovesAllFields() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    LayoutPanel panel(state, nullptr);
    panel.resize(1000, 600);
    panel.show();
    state.selectNode(ir::NodeId(0));
    auto* element = panel.addressBar()->field(AddressBar::Field::Element);
    auto* index = panel.addressBar()->field(AddressBar::Field::Index);
    element->setFocus();
    element->selectAll();
    QTest::keyClicks(element, "70");
    QTest::keyClick(element, Qt::Key_Return);
    const auto& shape = panel.canvas()->picture().grid->layout().shape;
    QVERIFY(state.selection().element == fivefold::layout::unflatten(shape, 70));
    QCOMPARE(element->text(), QString("70"));
    QVERIFY(index->text().startsWith('['));
    element->selectAll();
    QTest::keyClicks(element, "99999999999");
    QTest::keyClick(element, Qt::Key_Return);
    QVERIFY(state.selection().element
        == fivefold::layout::unflatten(shape, 70)); // refused, the place stays
    QVERIFY(!element->styleSheet().isEmpty());
}

void TestLayoutPanel::hoverGoesBothWays() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    LayoutPanel panel(state, nullptr);
    panel.resize(700, 500);
    panel.show();
    state.selectNode(ir::NodeId(0));
    auto* canvas = panel.canvas();
    const auto cell = canvas->geometry().lanes[7];
    QTest::mouseMove(canvas, cell.rect.center().toPoint());
    QTRY_VERIFY(state.hover().element.has_value());
    QVERIFY(state.hover().value == canvas->picture().value);
    canvas->setLogical(true);
    QVERIFY(!canvas->geometry().elements.empty());
    const auto logical = canvas->geometry().elements[3];
    QTest::mouseMove(canvas, logical.rect.center().toPoint());
    QTRY_VERIFY(state.hover().element == logical.index);
}

void TestLayoutPanel::logicalAndDeviceShareThePlace() {
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    LayoutPanel panel(state, nullptr);
    panel.resize(700, 500);
    panel.show();
    state.selectNode(ir::NodeId(0));
    auto* canvas = panel.canvas();
    canvas->setLogical(true);
    const auto cell = canvas->geometry().elements[9];
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, cell.rect.center().toPoint());
    QVERIFY(state.selection().element == cell.index);
    canvas->setLogical(false);
    QVERIFY(canvas->picture().grid->indexAt(canvas->view().place) == cell.index);
    keepPicture(panel, "layout-700x500");
}

void TestLayoutPanel::tensorsWithoutLayoutGetASentence() {
    auto result = testing::oneNodeSample();
    auto stage =
        std::make_shared<lowering::StageGraph>(result->program.stage(lowering::Stage::Scheduled));
    for (auto& value : stage->values) {
        value.layout = nullptr;
        if (!value.producer.isValid())
            value.shape.reset();
    }
    for (const auto s :
        {lowering::Stage::LaidOut, lowering::Stage::Placed, lowering::Stage::Scheduled})
        result->program.stages[static_cast<std::size_t>(s)] = stage;
    ViewState state;
    state.setResult(result, true);
    LayoutPanel panel(state, nullptr);
    state.selectNode(ir::NodeId(0));
    QVERIFY2(panel.sentence().contains("no layout"), qPrintable(panel.sentence()));
    Q_ASSERT(!result->graph().nodes[ir::NodeId(0)].inputs.empty());
    common::Selection selection = state.selection();
    selection.value = result->graph().nodes[ir::NodeId(0)].inputs.front();
    state.setSelection(selection);
    QVERIFY2(panel.sentence().contains("unknown"), qPrintable(panel.sentence()));
}

void TestLayoutPanel::drawsInBothThemesAtAllSizes_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    for (const QSize size : {QSize(280, 160), QSize(416, 280), QSize(588, 312), QSize(1200, 800)})
        for (const bool isDark : {false, true})
            QTest::addRow("%dx%d-%s", size.width(), size.height(), isDark ? "dark" : "light")
                << size << isDark;
}

void TestLayoutPanel::drawsInBothThemesAtAllSizes() {
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    ViewState state;
    state.setResult(dividedSample(), true);
    LayoutPanel panel(state, nullptr);
    panel.resize(size);
    panel.show();
    select(state, "/attn/MatMul");
    panel.canvas()->setPlace(panel.canvas()->picture().isEmpty()
            ? layout::Place{}
            : *panel.canvas()->picture().grid->placeAt({3, 42, 0}));
    const QImage image = panel.grab().toImage();
    QCOMPARE(image.size(), size);
    keepPicture(panel, QString("layout-") + QTest::currentDataTag());
    common::Palette::apply(*qApp, common::Theme::Light);
}

QTEST_MAIN(TestLayoutPanel)
#include "test_layout_panel.moc"
