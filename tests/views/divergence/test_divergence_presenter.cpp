// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/divergence/divergence_fixture.h"
#include "views/common/verdict.h"
#include "views/divergence/elements_geometry.h"
#include "views/divergence/ladder_geometry.h"
#include "views/divergence/layers_geometry.h"
#include "views/divergence/waits_geometry.h"
#include "views/divergence/words.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::divergence;
using compare::Verdict;

namespace {

/// A state with a comparison, and the picture of its focus.
struct Shown {
    explicit Shown(std::shared_ptr<compare::Divergence> (*make)(
                       const analysis::Result&) = testing::cloneDivergence)
        : result(testing::cloneResult()) {
        state.setResult(result, true);
        state.setDivergence(make(*result));
    }
    Focus& focus() { return Focus::of(state); }
    std::shared_ptr<analysis::Result> result;
    common::ViewState state;
};

} // namespace

class TestDivergencePresenter : public QObject {
    Q_OBJECT

private slots:
    void numbersReadAsInTheField() {
        QCOMPARE(valueText(64), QStringLiteral("64.0"));
        QCOMPARE(valueText(-0.03125), QStringLiteral("−0.03125"));
        QCOMPARE(valueText(std::nan("")), QStringLiteral("NaN"));
        QCOMPARE(valueText(-std::numeric_limits<double>::infinity()), QStringLiteral("−∞"));
        QCOMPARE(errorText(0), QStringLiteral("0"));
        QCOMPARE(errorText(0.00012345), QStringLiteral("0.000123"));
        QCOMPARE(indexText({65}, 64), QStringLiteral("64"));
        QCOMPARE(indexText({3, 5}, 7), QStringLiteral("[1, 2]"));
    }

    void theBannerSaysWhatHowAndWhy() {
        const auto result = testing::cloneResult();
        const BannerText origin = bannerOf(*testing::cloneDivergence(*result), 0);
        QVERIFY(origin.headline.contains("expected 64.0, got 0.0"));
        QVERIFY(origin.level.contains("Level 4 of 8"));
        QVERIFY(origin.how == compare::HowKnown::Proved);
        const BannerText clean = bannerOf(*testing::cleanDivergence(*result), std::nullopt);
        QVERIFY(clean.mark == Verdict::Clean && !clean.how);
        QVERIFY2(clean.headline.contains("6 values compared"), qPrintable(clean.headline));
        const BannerText partial = bannerOf(*testing::partialDivergence(*result), std::nullopt);
        QVERIFY2(partial.headline.contains("among 4 values"), qPrintable(partial.headline));
        QVERIFY(partial.proof.contains("at most 2 more runs until one suspect"));
        const BannerText hang = bannerOf(*testing::hangDivergence(*result), std::nullopt);
        QVERIFY(hang.isHang && hang.mark == Verdict::Origin);
        QVERIFY(hang.level.contains("Level 6 of 8"));
    }

    void aLaterOriginHasItsOwnHeadline() {
        const auto chain = testing::chainSample(200);
        const auto divergence = testing::longDivergence(*chain, 200);
        const BannerText second = bannerOf(*divergence, 1);
        QVERIFY2(second.headline.startsWith("Origin 2 of 3 is"), qPrintable(second.headline));
        QVERIFY(second.headline.contains("2 of 6,144 elements are wrong"));
        QVERIFY(second.how == compare::HowKnown::Matched);
        QVERIFY(bannerOf(*divergence, 2).proof.contains("would decide: sdsc_0.json"));
    }

    void badIndicesAndEmptyComparisonsAreSentences() {
        const compare::Divergence empty;
        QVERIFY(bannerOf(empty, std::nullopt).headline.contains("Nothing was compared"));
        QVERIFY(!layersSentence(empty).isEmpty());
        QVERIFY(ladderSentence(empty, std::nullopt).contains("Nothing diverges"));
        QVERIFY(ladderPicture(nullptr).isEmpty);
        QCOMPARE(layersPicture(nullptr).rows(), std::size_t(0));
    }

    void barsAreOnOneLockedLogScale() {
        const auto result = testing::cloneResult();
        const LayersPicture picture = layersPicture(testing::cloneDivergence(*result));
        QCOMPARE(picture.share(0), 0.0);
        QCOMPARE(picture.share(64), 1.0);
        QVERIFY(picture.share(32) < 1 && picture.share(32) > 0.8);
        QVERIFY(picture.share(1e-30) > 0);
        QCOMPARE(picture.share(std::numeric_limits<double>::infinity()), 1.0);
    }

    void columnsDoNotOverlap_data() {
        QTest::addColumn<double>("width");
        for (const double width : {240.0, 300.0, 410.0, 548.0, 900.0, 1600.0})
            QTest::addRow("%g", width) << width;
    }
    void columnsDoNotOverlap() {
        QFETCH(double, width);
        const LayerColumns c = layerColumns(width);
        double right = 0;
        for (const QRectF& column : {c.number, c.name, c.verdict, c.bar, c.wrong, c.error}) {
            if (column.isNull())
                continue;
            QVERIFY(column.left() >= right - 0.01);
            right = column.right();
        }
        QVERIFY(right <= width);
    }

    void theLadderShowsTheRungsAndBlamesTheGap() {
        const auto verdict = testing::layoutVerdict();
        const LadderPicture picture = ladderPicture(&verdict);
        QVERIFY(picture.blamed == numerics::Level::Layout);
        QVERIFY(picture.lamps[0].kind == compare::RungState::Kind::NotGiven);
        QVERIFY(picture.lamps[4].kind == compare::RungState::Kind::Differs);
        for (const double width : {280.0, 500.0, 712.0, 1600.0}) {
            const LadderGeometry geometry = ladderGeometry(width, 448);
            for (std::size_t i = 0; i + 1 < geometry.tags.size(); ++i) {
                QVERIFY(geometry.tags[i].right() <= geometry.tags[i + 1].left() + 1);
                QVERIFY(geometry.lamps[i].right() < geometry.lamps[i + 1].left());
            }
            QVERIFY(geometry.lamps[8].right() <= width);
            QCOMPARE(geometry.tagAt(geometry.tags[3].center()), 3);
            QCOMPARE(geometry.tagAt(geometry.rows[7].center()), 7);
            QCOMPARE(geometry.lampAt(geometry.lamps[4].center()), 4);
        }
    }

    void theGridFollowsTheLayout() {
        auto lanes = testing::cloneLanes();
        const auto grid =
            ElementGrid::device(std::make_shared<const layout::TensorLayout>(lanes.layout));
        QCOMPARE(grid.rows(), std::int64_t(2));
        QCOMPARE(grid.columns(), std::int64_t(64));
        QCOMPARE(grid.at(0, 63), std::int64_t(63));
        QCOMPARE(grid.at(1, 0), std::int64_t(64));
        QCOMPARE(grid.at(1, 1), kPadding);
        QVERIFY(grid.placeOf(64) == std::pair(std::int64_t(1), std::int64_t(0)));
        QCOMPARE(grid.location(1, 0).address(), std::int64_t(128));
        QVERIFY(!grid.placeOf(65));
    }

    void theGridStepsThroughUnitsOneAfterAnother() {
        layout::TensorLayout layout;
        layout.shape = {4, 6};
        layout.axes = {{2, 1, 4, layout::AxisRole::Block}, {2, 0, 2, layout::AxisRole::Unit},
            {2, 0, 1, layout::AxisRole::Row}, {4, 1, 1, layout::AxisRole::Lane}};
        const auto shared = std::make_shared<const layout::TensorLayout>(layout);
        const auto grid = ElementGrid::device(shared);
        QCOMPARE(grid.rows() * grid.columns(), layout::deviceElements(layout));
        std::vector<std::int64_t> cells;
        for (std::int64_t row = 0; row < grid.rows(); ++row) {
            grid.row(row, 0, grid.columns(), cells);
            for (std::size_t c = 0; c < cells.size(); ++c) {
                const auto at = layout::coordinatesOf(
                    layout, row * grid.columns() + static_cast<std::int64_t>(c));
                const auto index = layout::indexAt(layout, at);
                QCOMPARE(cells[c], index ? layout::flatten(layout.shape, *index) : kPadding);
                if (index) {
                    QVERIFY(grid.placeOf(cells[c]) == std::pair(row, static_cast<std::int64_t>(c)));
                }
            }
        }
    }

    void oddShapesHaveAGridOrNone() {
        QVERIFY(ElementGrid::logical({0, 7}).isEmpty());
        QVERIFY(ElementGrid::device(nullptr).isEmpty());
        QCOMPARE(ElementGrid::logical({}).rows(), std::int64_t(1));
        const auto wrapped = ElementGrid::logical({1'000'000});
        QVERIFY(wrapped.rows() > 1 && wrapped.columns() % 64 == 0);
        QCOMPARE(wrapped.at(wrapped.rows() - 1, wrapped.columns() - 1) < 0,
            wrapped.rows() * wrapped.columns() > 1'000'000);
    }

    void theFocusedLayerIsTheFirstOrigin() {
        Shown shown;
        QVERIFY(shown.focus().layer() == std::size_t(1));
        QVERIFY(shown.focus().element() == std::int64_t(64));
        const ElementsPicture picture = elementsPicture(shown.focus(), ElementColour::Delta);
        QVERIFY(!picture.isEmpty());
        QVERIFY(picture.lanes);
        QVERIFY(picture.isWrong(64) && !picture.isWrong(63));
        QCOMPARE(loopExtents(*picture.lanes), QStringLiteral("[1, 64]"));
        QCOMPARE(layoutExtents(picture.lanes->layout), QStringLiteral("[2, 64]"));
        QVERIFY(coverOf(picture, 0) == std::pair(std::int64_t(0), std::int64_t(64)));
        QVERIFY(coverOf(picture, 1) == std::pair(std::int64_t(0), std::int64_t(0)));
    }

    void theCardNamesValuesPlaceTransfersAndSource() {
        Shown shown;
        const ElementsPicture picture = elementsPicture(shown.focus(), ElementColour::Delta);
        QStringList all;
        for (const CardLine& line : elementCard(picture, shown.focus()))
            all << line.name + '=' + line.value;
        const QString text = all.join('\n');
        for (const char* part : {"reference=64.0", "device=0.0", "Δ=−64.0, 1 of 65 wrong",
                 "base + 0x80", "stick, lane=1, 0", "in #0: 256", "[1, 64] of [2, 64]", "clone"})
            QVERIFY2(text.contains(part), qPrintable(QString(part) + " not in\n" + text));
    }

    void oneWrongElementInAMillionStaysInView() {
        Shown shown(testing::millionDivergence);
        const ElementsPicture picture = elementsPicture(shown.focus(), ElementColour::Delta);
        QVERIFY(!picture.isEmpty());
        const auto geometry = elementsGeometry(
            picture, Coordinates::Logical, {900, 300}, {}, {}, shown.focus().element());
        const Pane& pane = geometry.panes.front();
        QVERIFY(pane.isBinned());
        int wrong = 0;
        for (const Bin& bin : pane.bins) {
            wrong += bin.state == Bin::State::Wrong;
            if (bin.state == Bin::State::Wrong)
                QCOMPARE(bin.element, std::int64_t(123'456));
        }
        QCOMPARE(wrong, 1);
        const auto place = picture.logical.placeOf(123'456);
        const auto bin = pane.binOf(place->first, place->second);
        QVERIFY(bin && pane.bin(bin->first, bin->second).wrong == 1);
    }

    void everyCellIsInTheBinThatClaimsIt() {
        Shown shown(testing::millionDivergence);
        const ElementsPicture picture = elementsPicture(shown.focus(), ElementColour::Delta);
        const Window odd{3, 101, 7, 1013};
        const auto geometry =
            elementsGeometry(picture, Coordinates::Logical, {700, 200}, odd, {}, std::nullopt);
        const Pane& pane = geometry.panes.front();
        for (int r = 0; r < pane.binRows; ++r)
            for (int c = 0; c < pane.binColumns; ++c) {
                const auto bin = pane.binOf(pane.firstRow(r), pane.firstColumn(c));
                QVERIFY(bin && bin->first == r);
                QVERIFY(std::abs(bin->second - c) <= 1);
            }
    }

    void zoomKeepsThePointAndStaysInside() {
        const auto grid = ElementGrid::logical({100, 400});
        Window window = wholeOf(grid);
        for (int i = 0; i < 30; ++i)
            window = zoomed(window, grid, 50.5, 200.5, 1.2);
        QVERIFY(window.rows <= 3 && window.columns == 8);
        QVERIFY(window.row <= 50 && window.row + window.rows > 50);
        QVERIFY(window.column <= 200 && window.column + window.columns > 200);
        for (int i = 0; i < 60; ++i)
            window = zoomed(window, grid, 50.5, 200.5, 1 / 1.2);
        QVERIFY(window == wholeOf(grid));
        QVERIFY(panned(Window{0, 10, 0, 10}, grid, -5, 1000) == (Window{0, 10, 390, 10}));
    }

    void theWaitGraphHasTheCycleAndTheFullQueue() {
        const auto result = testing::cloneResult();
        const auto divergence = testing::hangDivergence(*result);
        const WaitsPicture picture = waitsPicture(divergence->levels.front(), result.get());
        QCOMPARE(picture.nodes.size(), 3);
        QVERIFY(picture.nodes[0].isInCycle && picture.nodes[1].isInCycle
            && !picture.nodes[2].isInCycle);
        int inCycle = 0;
        for (const auto& edge : picture.edges)
            inCycle += edge.isInCycle;
        QCOMPARE(inCycle, 2);
        QCOMPARE(picture.queues.size(), 1);
        QCOMPARE(picture.bars.size(), 4);
        QVERIFY(picture.bars[2].isLate && !picture.bars[2].isClean && picture.bars[1].isClean);
        const WaitsGeometry geometry = waitsGeometry(picture, 700, 400);
        QVERIFY(geometry.x(picture, *picture.bars[2].deadline)
            < geometry.x(picture, picture.bars[2].completed));
        // Without a program the operations have numbers.
        QVERIFY(
            waitsPicture(divergence->levels.front(), nullptr).nodes[0].name.contains("operation"));
    }

    void theGravestVerdictSpeaksForANode() {
        const auto result = testing::cloneResult();
        const auto divergence = testing::cloneDivergence(*result);
        const common::VerdictMap map(divergence);
        const ir::NodeId clone = testing::nodeNamed(*result, "/clone"),
                         add = testing::nodeNamed(*result, "/add");
        QVERIFY(map.of(add)->verdict == Verdict::Inherited);
        const std::vector<ir::NodeId> both{add, clone};
        QVERIFY(map.of(both)->verdict == Verdict::Origin);
        QCOMPARE(map.of(both)->wrong, std::int64_t(1));
        QVERIFY(map.of(testing::valueNamed(*result, "x"))->verdict == Verdict::Clean);
        QVERIFY(!map.of(ir::NodeId(999)));
    }
};

QTEST_MAIN(TestDivergencePresenter)
#include "test_divergence_presenter.moc"
