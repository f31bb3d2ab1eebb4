// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"
#include "core/drawing/drawing.h"
#include "tests/views/common/panel_fixture.h"
#include "tests/views/graph/samples.h"
#include "views/common/palette.h"
#include "views/graph/painter.h"

#include <QPainter>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::graph;
using compare::Verdict;

namespace {

compare::Layer layerOf(
    const analysis::Result& result, std::string_view node, Verdict verdict, std::int64_t wrong) {
    compare::Layer layer;
    layer.node = testing::nodeNamed(result, node);
    layer.value = result.graph().nodes[layer.node].outputs.front();
    layer.verdict = verdict;
    layer.global.total = 8192;
    layer.global.wrong = {8192, wrong, {}};
    return layer;
}

/// One layer of the sample, its product an origin.
std::shared_ptr<const compare::Divergence> divergenceOf(const analysis::Result& result) {
    auto divergence = std::make_shared<compare::Divergence>();
    divergence->layers = {layerOf(result, "/embed/Gather", Verdict::Clean, 0),
        layerOf(result, "/layers.0/mlp/up/MatMul", Verdict::Origin, 64),
        layerOf(result, "/layers.0/mlp/act/Relu", Verdict::Inherited, 32),
        layerOf(result, "/layers.0/mlp/down/MatMul", Verdict::Missing, 0),
        layerOf(result, "/layers.0/Add", Verdict::Healed, 0)};
    return divergence;
}

DisplayGraph graphOf(const analysis::Result& result) {
    PresentOptions options;
    options.folding.mode = FoldMode::Expanded;
    return present(result, lowering::Stage::Captured,
        std::make_shared<const ScopeTree>(buildScopeTree(result, lowering::Stage::Captured)),
        options);
}

} // namespace

class TestVerdictLens : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }

    void boxesCarryTheirVerdictAndWhatIsWrong() {
        const auto result = testing::layeredSample(1);
        const DisplayGraph graph = graphOf(*result);
        const Bands bands = bandsOf(
            graph, common::LensColours(result, common::Lens::Verdict, divergenceOf(*result)));
        QCOMPARE(bands.verdicts.size(), graph.boxes.size());
        const auto at = [&](std::string_view node) {
            const auto boxes = graph.boxesOfCaptured(testing::nodeNamed(*result, node));
            return bands.verdicts[static_cast<std::size_t>(boxes.front())];
        };
        QVERIFY(at("/layers.0/mlp/up/MatMul")->verdict == Verdict::Origin);
        QCOMPARE(wrongText(*at("/layers.0/mlp/up/MatMul")), QStringLiteral("64 of 8,192"));
        QVERIFY(at("/layers.0/mlp/act/Relu")->verdict == Verdict::Inherited);
        QVERIFY(wrongText(*at("/embed/Gather")).isEmpty());
        QVERIFY(!at("/head/MatMul")); // not compared
        // Under another lens the comparison is silent.
        QVERIFY(
            bandsOf(graph, common::LensColours(result, common::Lens::Bytes, divergenceOf(*result)))
                .verdicts.empty());
        QVERIFY(
            bandsOf(graph, common::LensColours(result, common::Lens::Verdict)).verdicts.empty());
    }

    void anOriginHasTheWidestBorder() {
        const auto result = testing::layeredSample(1);
        const DisplayGraph graph = graphOf(*result);
        const Bands bands = bandsOf(
            graph, common::LensColours(result, common::Lens::Verdict, divergenceOf(*result)));
        const auto request = toRequest(graph, Metrics::current(), false);
        const auto output = drawing::layeredEngine().place(request.input, {});
        QVERIFY(output);
        const Geometry geometry = toGeometry(graph, request, *output, Metrics::current());
        const Marks marks;
        const Scene scene{&graph, &geometry, &bands, &marks, common::Lens::Verdict, 1, nullptr};
        common::PlaneView view;
        view.setContent(geometry.bounds);
        view.setViewport(geometry.bounds.size());
        view.setView(1, geometry.bounds.topLeft());
        QImage image(geometry.bounds.size().toSize(), QImage::Format_RGB32);
        image.fill(common::Palette::current().role("canvas"));
        QPainter painter(&image);
        paintScene(painter, scene, view, image.rect());
        painter.end();
        const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
        if (!folder.isEmpty())
            image.save(folder + "/verdict-lens.png");
        const auto boxes =
            graph.boxesOfCaptured(testing::nodeNamed(*result, "/layers.0/mlp/up/MatMul"));
        const QRectF box = view.toPixel(geometry.boxes[static_cast<std::size_t>(boxes.front())]);
        // 3 px in the origin's colour, one of them inside the box.
        const QColor origin = common::verdictColour(Verdict::Origin);
        int rows = 0;
        for (int dy = -3; dy <= 3; ++dy)
            rows += image.pixelColor(qRound(box.center().x()), qRound(box.top()) + dy) == origin;
        QVERIFY2(rows >= 2 && rows <= 4, qPrintable(QString::number(rows)));
    }
};

QTEST_MAIN(TestVerdictLens)
#include "test_verdict_lens.moc"
