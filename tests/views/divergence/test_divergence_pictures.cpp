// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/divergence/divergence_fixture.h"
#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/divergence/divergence_panel.h"
#include "views/divergence/matching_view.h"

#include <QPainter>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::divergence;
using common::Palette;
using common::Theme;

namespace {

struct Case {
    const char* name;
    std::shared_ptr<compare::Divergence> (*make)(const analysis::Result&);
};

std::shared_ptr<compare::Divergence> none(const analysis::Result&) {
    return nullptr;
}

constexpr Case kCases[] = {{"clone", testing::cloneDivergence}, {"clean", testing::cleanDivergence},
    {"partial", testing::partialDivergence}, {"hang", testing::hangDivergence},
    {"million", testing::millionDivergence}, {"none", none}};

/// Pixels that are not the ground's.
int inkOf(const QImage& image) {
    int ink = 0;
    const QRgb ground = Palette::current().role("canvas").rgb();
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2)
            ink += image.pixel(x, y) != ground;
    return ink;
}

} // namespace

/// Every part in every state, at its docked sizes and large, in both themes: something is drawn,
/// and the pictures are there for the eye where FIVEFOLD_RENDER_DIR names a folder.
class TestDivergencePictures : public QObject {
    Q_OBJECT

private slots:
    void everyPartDrawsEveryState_data() {
        QTest::addColumn<int>("theme");
        QTest::addColumn<int>("which");
        for (int theme = 0; theme < 2; ++theme)
            for (int c = 0; c < static_cast<int>(std::size(kCases)); ++c)
                QTest::addRow("%s %s", kCases[c].name, theme ? "dark" : "light") << theme << c;
    }

    void everyPartDrawsEveryState() {
        QFETCH(int, theme);
        QFETCH(int, which);
        Palette::apply(*qApp, theme ? Theme::Dark : Theme::Light);
        const auto result = testing::cloneResult();
        common::ViewState state;
        state.setResult(result, true);
        state.setDivergence(kCases[which].make(*result));
        const QString suffix =
            QStringLiteral("-%1-%2").arg(kCases[which].name, theme ? "dark" : "light");
        DivergencePanel whole(state);
        for (const QSize& size : {QSize(1600, 948), QSize(1036, 212), QSize(560, 400)}) {
            whole.resize(size);
            whole.show();
            testing::keepPicture(
                whole, QStringLiteral("whole-%1x%2").arg(size.width()).arg(size.height()) + suffix);
            QVERIFY(inkOf(whole.grab().toImage()) > 100);
        }
        const QSize kSizes[] = {{1600, 108}, {548, 448}, {712, 448}, {1140, 304}, {456, 304}};
        const QSize kSmall[] = {{640, 108}, {340, 240}, {400, 240}, {440, 210}, {280, 200}};
        const auto parts = createParts(state, nullptr);
        for (std::size_t p = 0; p < parts.size(); ++p) {
            for (const QSize& size : {kSizes[p], kSmall[p]}) {
                parts[p]->resize(size);
                parts[p]->show();
                testing::keepPicture(
                    *parts[p], parts[p]->id() + QStringLiteral("-%1").arg(size.width()) + suffix);
                QVERIFY(!parts[p]->sentence().isEmpty());
                QVERIFY(inkOf(parts[p]->grab().toImage()) > 20);
            }
            delete parts[p];
        }
    }

    void thePrintedPageHoldsAllParts() {
        Palette::apply(*qApp, Theme::Light);
        const auto result = testing::cloneResult();
        common::ViewState state;
        state.setResult(result, true);
        state.setDivergence(testing::cloneDivergence(*result));
        DivergencePanel whole(state);
        QImage image(1400, 860, QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        whole.paintContent(painter, image.size());
        painter.end();
        QVERIFY(inkOf(image) > 5000);
        const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
        if (!folder.isEmpty())
            image.save(folder + "/printed.png");
    }

    void otherViews() {
        Palette::apply(*qApp, Theme::Light);
        const auto chain = testing::chainSample(200);
        common::ViewState state;
        state.setResult(chain, true);
        state.setDivergence(testing::longDivergence(*chain, 200));
        DivergencePanel whole(state);
        whole.resize(1600, 948);
        whole.show();
        testing::keepPicture(whole, "chain-1600");
        whole.resize(1280, 640);
        testing::keepPicture(whole, "chain-1280");
        const auto result = testing::cloneResult();
        state.setResult(result, true);
        const auto divergence = testing::cloneDivergence(*result);
        state.setDivergence(divergence);
        whole.resize(1600, 948);
        whole.ladder().showLevel(numerics::Level::Layout);
        whole.elements().setCoordinates(Coordinates::Both);
        testing::keepPicture(whole, "level-both");
        whole.ladder().showPage(LadderPanel::Page::Waits);
        whole.elements().setCoordinates(Coordinates::Logical);
        testing::keepPicture(whole, "waits-logical");
        MatchingView matching;
        matching.setDivergence(
            divergence, std::shared_ptr<const ir::Graph>(result, &result->graph()));
        matching.resize(700, 400);
        matching.show();
        testing::keepPicture(matching, "matching");
        QVERIFY(matching.table().visibleRows() == 6);
    }
};

QTEST_MAIN(TestDivergencePictures)
#include "test_divergence_pictures.moc"
