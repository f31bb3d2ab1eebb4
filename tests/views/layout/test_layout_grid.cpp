// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/family_layouts.h"
#include "core/layout/spyre_layout.h"
#include "tests/views/common/sample_result.h"
#include "views/layout/address_bar.h"
#include "views/layout/layout_geometry.h"

#include <QtTest>

#include <set>

using namespace fivefold;
using namespace fivefold::views::layout;

namespace {

layout::TensorLayout stick(std::vector<std::int64_t> shape) {
    layout::SpyreLayoutRequest request;
    request.shape = std::move(shape);
    return *layout::spyreLayout(request);
}

Picture pictureOf(
    layout::TensorLayout layout, std::vector<Deal> deals = {}, const char* family = "spyre") {
    Picture picture;
    picture.name = "x";
    picture.words = wordsOf(family);
    picture.unitCaption = picture.words.unit + "s";
    picture.shapeText = "x fp16";
    picture.grid = std::make_shared<Grid>(std::move(layout), std::move(deals));
    return picture;
}

/// Every element has one place, and all places are inside the grid.
void checkRoundTrip(const Grid& grid) {
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>>
        places;
    const auto& shape = grid.layout().shape;
    for (std::int64_t flat = 0; flat < layout::logicalElements(grid.layout()); ++flat) {
        const auto index = layout::unflatten(shape, flat);
        const auto place = grid.placeAt(index);
        QVERIFY(place.has_value());
        QVERIFY(grid.contains(*place));
        QVERIFY(
            places.emplace(place->unit, place->block, place->row, place->lane, place->pack).second);
        QVERIFY(grid.indexAt(*place) == index);
        QVERIFY(grid.placeAtAddress(place->unit, grid.bitAddress(*place) / 8) == place);
    }
}

} // namespace

class TestLayoutGrid : public QObject {
    Q_OBJECT
private slots:
    void dealsTheCoresOfAMatrixProduct();
    void placesRoundTripInEveryFamily();
    void realLanesAreCountedWithoutVisitingThem();
    void cellsDoNotOverlapAndStayInside_data();
    void cellsDoNotOverlapAndStayInside();
    void aPointAndItsCellAgree();
    void hugeTensorsGiveFewCells();
    void fieldsParseWhatTheyShow_data();
    void fieldsParseWhatTheyShow();
    void sentencesCountSticksAndPadding();
};

void TestLayoutGrid::dealsTheCoresOfAMatrixProduct() {
    // 12×128×128 over m16 × n2: 3,072 sticks, 96 a core; core 5 holds rows 40 to 47.
    const Grid grid(stick({12, 128, 128}), {{1, 16}, {2, 2}});
    QCOMPARE(grid.units(), std::int64_t{32});
    QCOMPARE(grid.allLines(), std::int64_t{3072});
    QCOMPARE(grid.lines(5), std::int64_t{96});
    const auto place = grid.placeAt({3, 42, 0});
    QVERIFY(place.has_value());
    QCOMPARE(place->unit, std::int64_t{5});
    QCOMPARE(grid.placeAt({3, 42, 64})->unit, std::int64_t{21});
    checkRoundTrip(Grid(stick({3, 32, 70}), {{1, 16}, {2, 2}}));
}

void TestLayoutGrid::placesRoundTripInEveryFamily() {
    checkRoundTrip(Grid(stick({2, 65}), {}));
    checkRoundTrip(Grid(layout::tpuTiled({10, 130}, ir::DType::BFloat16, 5), {}));
    checkRoundTrip(Grid(layout::gpuRowMajor({4, 128}, ir::DType::Float16), {}));
    checkRoundTrip(Grid(layout::gpuTiled({40, 70}, ir::DType::Float16, 16, 32, 4), {}));
    checkRoundTrip(Grid(layout::waferBlocked({7, 9}, ir::DType::Float16, 3, 4), {}));
    checkRoundTrip(Grid(layout::groqVectors({3, 400}, ir::DType::Float16, 320, 8), {}));
    checkRoundTrip(
        Grid(stick({7, 64}), {{0, 4}})); // seven rows over four cores: two, two, two, one
}

void TestLayoutGrid::realLanesAreCountedWithoutVisitingThem() {
    const Grid grid(stick({2, 65}), {});
    QCOMPARE(grid.realLanes({0, 0, 0, 0, 0}), std::int64_t{64});
    QCOMPARE(grid.realLanes({0, 1, 0, 0, 0}), std::int64_t{1});
    layout::SpyreLayoutRequest sparse;
    sparse.shape = {4};
    sparse.order = {0, -1};
    QCOMPARE(Grid(*layout::spyreLayout(sparse), {}).realLanes({}), std::int64_t{1});
}

void TestLayoutGrid::cellsDoNotOverlapAndStayInside_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isLogical");
    for (const QSize size :
        {QSize(280, 160), QSize(416, 250), QSize(588, 240), QSize(900, 600), QSize(1900, 1000)})
        for (const bool isLogical : {false, true})
            QTest::addRow(
                "%d x %d %s", size.width(), size.height(), isLogical ? "logical" : "device")
                << size << isLogical;
}

void TestLayoutGrid::cellsDoNotOverlapAndStayInside() {
    QFETCH(QSize, size);
    QFETCH(bool, isLogical);
    for (const Picture& picture :
        {pictureOf(stick({12, 128, 128}), {{1, 16}, {2, 2}}), pictureOf(stick({2, 65})),
            pictureOf(layout::tpuTiled({300, 300}, ir::DType::BFloat16, 5), {}, "tpu"),
            pictureOf(
                layout::waferBlocked({4096, 4096}, ir::DType::Float16, 994, 750), {}, "cerebras"),
            pictureOf(layout::groqVectors({128, 768}, ir::DType::Float16, 320, 88), {}, "groq"),
            pictureOf(layout::rowMajor({}, ir::DType::Float32), {}, "cpu"),
            pictureOf(stick({3, 0}))}) {
        View view;
        view.isLogical = isLogical;
        const Geometry geometry = arrange(picture, view, size);
        std::vector<QRectF> cells;
        for (const auto& cell : geometry.units)
            cells.push_back(cell.rect);
        for (const auto& cell : geometry.lines)
            cells.push_back(cell.rect);
        for (const auto& cell : geometry.lanes)
            cells.push_back(cell.rect);
        for (const auto& cell : geometry.elements)
            cells.push_back(cell.rect);
        const QRectF bounds = QRectF(QPointF(0, 0), QSizeF(size)).adjusted(-0.5, -0.5, 0.5, 0.5);
        for (const QRectF& cell : cells)
            QVERIFY2(bounds.contains(cell), qPrintable(picture.shapeText));
        for (const Label& label : geometry.labels)
            QVERIFY2(label.rect.left() >= -1 && label.rect.top() >= -1, qPrintable(label.text));
        for (std::size_t i = 0; i < cells.size() && cells.size() < 1500; ++i)
            for (std::size_t j = i + 1; j < cells.size(); ++j)
                QVERIFY(!cells[i]
                             .adjusted(0.1, 0.1, -0.1, -0.1)
                             .intersects(cells[j].adjusted(0.1, 0.1, -0.1, -0.1)));
    }
}

void TestLayoutGrid::aPointAndItsCellAgree() {
    const Picture picture = pictureOf(stick({12, 128, 128}), {{1, 16}, {2, 2}});
    View view;
    view.place = *picture.grid->placeAt({3, 42, 0});
    const Geometry geometry = arrange(picture, view, QSizeF(588, 240));
    QCOMPARE(geometry.units.size(), std::size_t{32});
    QVERIFY(geometry.lineCell(view.place) != nullptr);
    QVERIFY(geometry.laneCell(view.place) != nullptr);
    for (const auto& cell : geometry.lanes) {
        const auto place = placeAt(picture, geometry, view, cell.rect.center());
        QVERIFY(place.has_value());
        QCOMPARE(place->lane, cell.place.lane);
    }
    for (const auto& cell : geometry.units)
        QCOMPARE(placeAt(picture, geometry, view, cell.rect.center())->unit, cell.unit);
    for (const auto& cell : geometry.lines)
        QCOMPARE(placeAt(picture, geometry, view, cell.rect.center())->block, cell.place.block);
    QVERIFY(!placeAt(picture, geometry, view, QPointF(1, 239)));
}

void TestLayoutGrid::hugeTensorsGiveFewCells() {
    const Picture wafer = pictureOf(
        layout::waferBlocked({100000, 100000}, ir::DType::Float16, 994, 750), {}, "cerebras");
    const Picture dense =
        pictureOf(layout::rowMajor({1000, 1000, 1000000}, ir::DType::Float32), {}, "cpu");
    for (const Picture& picture : {wafer, dense}) {
        View view;
        view.place = *picture.grid->placeAt(layout::unflatten(
            picture.grid->layout().shape, layout::logicalElements(picture.grid->layout()) - 1));
        const Geometry geometry = arrange(picture, view, QSizeF(1600, 900));
        QVERIFY(geometry.units.size() + geometry.lines.size() + geometry.lanes.size()
                + geometry.elements.size()
            < 40000);
        QVERIFY(geometry.laneCell(view.place) != nullptr);
        QVERIFY(geometry.lineCell(view.place) != nullptr);
    }
}

void TestLayoutGrid::fieldsParseWhatTheyShow_data() {
    QTest::addColumn<int>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("index"); // of the place; empty: refused
    using Field = AddressBar::Field;
    QTest::newRow("element") << int(Field::Element) << "64"
                             << "[0, 64]";
    QTest::newRow("last element") << int(Field::Element) << "129"
                                  << "[1, 64]";
    QTest::newRow("one too many") << int(Field::Element) << "130"
                                  << "";
    QTest::newRow("not a number") << int(Field::Element) << "six"
                                  << "";
    QTest::newRow("index") << int(Field::Index) << "[1, 3]"
                           << "[1, 3]";
    QTest::newRow("bare index") << int(Field::Index) << "1,3"
                                << "[1, 3]";
    QTest::newRow("index outside") << int(Field::Index) << "2,0"
                                   << "";
    QTest::newRow("index of another rank") << int(Field::Index) << "1"
                                           << "";
    QTest::newRow("address") << int(Field::Address) << "0x100"
                             << "[0, 64]";
    QTest::newRow("padding address") << int(Field::Address) << "258"
                                     << "padding";
    QTest::newRow("address outside") << int(Field::Address) << "512"
                                     << "";
    QTest::newRow("line") << int(Field::Line) << "1"
                          << "[1, 0]";
    QTest::newRow("block") << int(Field::Block) << "1"
                           << "[0, 64]";
    QTest::newRow("row") << int(Field::Row) << "1"
                         << "[1, 0]";
    QTest::newRow("row outside") << int(Field::Row) << "2"
                                 << "";
    QTest::newRow("lane") << int(Field::Lane) << "63"
                          << "[0, 63]";
    QTest::newRow("negative") << int(Field::Lane) << "-1"
                              << "";
    QTest::newRow("unit outside") << int(Field::Unit) << "1"
                                  << "";
    QTest::newRow("huge") << int(Field::Line) << "9223372036854775807"
                          << "";
}

void TestLayoutGrid::fieldsParseWhatTheyShow() {
    QFETCH(int, field);
    QFETCH(QString, text);
    QFETCH(QString, index);
    const Picture picture = pictureOf(stick({2, 65}));
    const auto place = AddressBar::parse(picture, {}, static_cast<AddressBar::Field>(field), text);
    QCOMPARE(place ? indexText(picture, *place) : QString(), index);
}

void TestLayoutGrid::sentencesCountSticksAndPadding() {
    Picture picture = pictureOf(stick({12, 128, 128}), {{1, 16}, {2, 2}});
    picture.name = "Q·Kᵀ";
    picture.shapeText = "12 × 128 × 128 fp16";
    QCOMPARE(sentence(picture, std::nullopt),
        QString(
            "Q·Kᵀ, 12 × 128 × 128 fp16: 3,072 sticks of 64, 96 on each of 32 cores, no padding."));
    const Picture ragged = pictureOf(stick({2, 65}));
    const auto place = ragged.grid->placeAt({0, 64});
    const QString text = sentence(ragged, place);
    QVERIFY2(text.contains("4 sticks of 64"), qPrintable(text));
    QVERIFY2(text.contains("49"), qPrintable(text));
    QVERIFY2(text.contains("Element 64 is stick 2, lane 0"), qPrintable(text));
}

QTEST_MAIN(TestLayoutGrid)
#include "test_layout_grid.moc"
