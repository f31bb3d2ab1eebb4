// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/graph/samples.h"
#include "views/common/view_state.h"
#include "views/graph/geometry.h"
#include "views/graph/search.h"
#include "views/graph/sentence.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::graph;
using lowering::Stage;
using ResultPointer = std::shared_ptr<analysis::Result>;

namespace {

DisplayGraph pictureOf(
    const analysis::Result& result, Stage stage, const PresentOptions& options = {}) {
    return present(
        result, stage, std::make_shared<const ScopeTree>(buildScopeTree(result, stage)), options);
}

const DisplayBox* boxNamed(const DisplayGraph& graph, const QString& title) {
    for (const DisplayBox& box : graph.boxes)
        if (box.title == title)
            return &box;
    return nullptr;
}

int operators(const DisplayGraph& graph) {
    return static_cast<int>(
        std::count_if(graph.boxes.begin(), graph.boxes.end(), [](const DisplayBox& box) {
            return box.kind == BoxKind::Operator || box.kind == BoxKind::Folded;
        }));
}

/// The sample with its second operator gone from a stage on.
ResultPointer withRemoved() {
    using enum ir::Op;
    auto result = testing::sampleResult(
        {{"/a/Relu", Relu, {"x"}, "a", {4, 8}}, {"/b/Identity", Identity, {"a"}, "b", {4, 8}},
            {"/c/Sigmoid", Sigmoid, {"b"}, "c", {4, 8}}});
    auto stage = std::make_shared<lowering::StageGraph>(result->program.stage(Stage::Decomposed));
    lowering::StageGraph smaller;
    smaller.stage = Stage::Decomposed;
    smaller.values = stage->values;
    smaller.inputs = stage->inputs;
    smaller.outputs = stage->outputs;
    smaller.nodes.add(stage->nodes[lowering::NodeId(0)]);
    smaller.nodes.add(stage->nodes[lowering::NodeId(2)]);
    const lowering::ValueId a = smaller.nodes[lowering::NodeId(0)].outputs[0];
    smaller.nodes[lowering::NodeId(1)].inputs = {a};
    smaller.values[a].users = {lowering::NodeId(1)};
    smaller.values[smaller.nodes[lowering::NodeId(1)].outputs[0]].producer = lowering::NodeId(1);
    smaller.values[stage->nodes[lowering::NodeId(1)].outputs[0]].producer = {};
    smaller.values[stage->nodes[lowering::NodeId(1)].outputs[0]].users.clear();
    smaller.removed = {{ir::NodeId(1), Stage::Decomposed, "constant folded: it copies"}};
    result->program.stages[1] = std::make_shared<const lowering::StageGraph>(smaller);
    auto& toStage = result->provenance.toStage[1];
    toStage[ir::NodeId(1)].clear();
    toStage[ir::NodeId(2)] = {lowering::NodeId(1)};
    return result;
}

} // namespace

Q_DECLARE_METATYPE(ResultPointer)

class TestGraphPresenter : public QObject {
    Q_OBJECT

    static void samples() {
        static const std::pair<const char*, ResultPointer> kResults[] = {
            {"attention", testing::attentionSample()}, {"32 layers", testing::layeredSample(32)},
            {"chain of 1,000", testing::chainSample(1000)},
            {"chain of 10,000", testing::chainSample(10000)},
            {"one node", testing::oneNodeSample()}};
        QTest::addColumn<ResultPointer>("result");
        for (const auto& [name, result] : kResults)
            QTest::newRow(name) << result;
    }

private slots:
    void equalNeighboursBecomeOneRun() {
        const auto result = testing::layeredSample(32);
        const DisplayGraph graph = pictureOf(*result, Stage::Fused);
        const DisplayBox* run = boxNamed(graph, QStringLiteral("layers.0–31 ×32"));
        QVERIFY(run);
        QCOMPARE(run->repeats, 32);
        QCOMPARE(run->count, 160);
        QCOMPARE(operators(graph), 3); // embedding, layers, head
        QVERIFY(boxNamed(graph, QStringLiteral("embed · Gather")));
    }

    void aRunOpensIntoItsMembers() {
        const auto result = testing::layeredSample(8);
        PresentOptions options;
        options.folding.isOpen["run:scope:/layers.0"] = true;
        const DisplayGraph graph = pictureOf(*result, Stage::Fused, options);
        QVERIFY(boxNamed(graph, QStringLiteral("layers.3")) || operators(graph) > 10);
        QVERIFY(!boxNamed(graph, QStringLiteral("layers.0–7 ×8")));
    }

    void firstPicturesCanBeRead_data() { samples(); }
    void firstPicturesCanBeRead() {
        QFETCH(ResultPointer, result);
        for (const Stage stage : lowering::kStages) {
            const DisplayGraph graph = pictureOf(*result, stage);
            QVERIFY(operators(graph) >= 1);
            QVERIFY2(
                operators(graph) <= kFirstBoxes, qPrintable(QString::number(operators(graph))));
        }
    }

    void noPictureHasMoreThan500Boxes_data() { samples(); }
    void noPictureHasMoreThan500Boxes() {
        QFETCH(ResultPointer, result);
        PresentOptions options;
        options.folding.mode = FoldMode::Expanded;
        const DisplayGraph graph = pictureOf(*result, Stage::LaidOut, options);
        QVERIFY(operators(graph) <= kMaxBoxes);
        const auto all = static_cast<int>(result->program.stage(Stage::LaidOut).nodes.size());
        QCOMPARE(graph.expansion.isLimited, all > kMaxBoxes);
        if (all <= kMaxBoxes)
            QCOMPARE(operators(graph), all);
    }

    void everyOperatorIsInExactlyOneBox_data() { samples(); }
    void everyOperatorIsInExactlyOneBox() {
        QFETCH(ResultPointer, result);
        for (const FoldMode mode : {FoldMode::Automatic, FoldMode::Folded, FoldMode::Expanded}) {
            PresentOptions options;
            options.folding.mode = mode;
            const DisplayGraph graph = pictureOf(*result, Stage::LaidOut, options);
            std::set<lowering::NodeId> seen;
            for (const DisplayBox& box : graph.boxes)
                for (const lowering::NodeId node : box.lowered)
                    QVERIFY(seen.insert(node).second);
            QCOMPARE(seen.size(), result->program.stage(Stage::LaidOut).nodes.size());
        }
    }

    void everyCapturedNodeLeadsToABox_data() { samples(); }
    void everyCapturedNodeLeadsToABox() {
        QFETCH(ResultPointer, result);
        for (const Stage stage : lowering::kStages) {
            const DisplayGraph graph = pictureOf(*result, stage);
            for (std::size_t n = 0; n < result->graph().nodes.size(); ++n) {
                const auto boxes = graph.boxesOfCaptured(ir::NodeId(n));
                QVERIFY(!boxes.empty());
                for (const int box : boxes) {
                    const auto& captured = graph.boxes[static_cast<std::size_t>(box)].captured;
                    QVERIFY(std::find(captured.begin(), captured.end(), ir::NodeId(n))
                        != captured.end());
                }
            }
        }
    }

    void timesAddUpToTheTotal() {
        const auto result = testing::attentionSample();
        for (const Stage stage : {Stage::LaidOut, Stage::Scheduled}) {
            double sum = 0, shares = 0;
            for (const DisplayBox& box : pictureOf(*result, stage).boxes) {
                sum += box.time.value_or(base::Seconds(0)).value;
                shares += box.share;
            }
            QVERIFY(std::abs(sum - result->totals.time.value) < 1e-12);
            QVERIFY(std::abs(shares - 1) < 1e-9);
        }
    }

    void addedOperatorsAreMarked() {
        const auto result = testing::attentionSample();
        const DisplayGraph graph = pictureOf(*result, Stage::LaidOut);
        const DisplayBox* added = boxNamed(graph, QStringLiteral("restickify Kᵀ"));
        QVERIFY(added);
        QVERIFY(added->isAdded);
        QCOMPARE(tagText(*added), QStringLiteral("+ added by stage 4"));
        QCOMPARE(
            graph.boxOfAdded.at("restickify Kᵀ"), static_cast<int>(added - graph.boxes.data()));
        QVERIFY(std::any_of(graph.edges.begin(), graph.edges.end(),
            [](const DisplayEdge& edge) { return edge.isAdded; }));
        QVERIFY(!boxNamed(pictureOf(*result, Stage::Fused), QStringLiteral("restickify Kᵀ")));
    }

    void removedOperatorsShowOnRequest() {
        const auto result = withRemoved();
        QVERIFY(!boxNamed(pictureOf(*result, Stage::Decomposed), QStringLiteral("Identity")));
        PresentOptions options;
        options.showsRemoved = true;
        const DisplayGraph graph = pictureOf(*result, Stage::Decomposed, options);
        const DisplayBox* box = boxNamed(graph, QStringLiteral("Identity"));
        QVERIFY(box);
        QCOMPARE(box->kind, BoxKind::Removed);
        const int number = static_cast<int>(box - graph.boxes.data());
        const auto touches = std::count_if(graph.edges.begin(), graph.edges.end(),
            [&](const DisplayEdge& edge) { return edge.from == number || edge.to == number; });
        QCOMPARE(touches, 2);
    }

    void constantsStayOutUntilAsked() {
        using enum ir::Op;
        const auto result = testing::sampleResult({{"/Constant", Constant, {}, "c", {1}},
            {"/Mul", Mul, {"x", "c"}, "y", {1, 8}, 0, 0, 0, 0, 0, "w", {8}}});
        const DisplayGraph graph = pictureOf(*result, Stage::Captured);
        QVERIFY(!boxNamed(graph, QStringLiteral("Constant")));
        QCOMPARE(graph.hiddenConstants, 1);
        const auto boxes = graph.boxesOfCaptured(ir::NodeId(0));
        QCOMPARE(boxes.size(), std::size_t(1));
        QCOMPARE(graph.boxes[static_cast<std::size_t>(boxes[0])].title, QStringLiteral("Mul"));
        QVERIFY(graph.boxes[static_cast<std::size_t>(boxes[0])].weights.contains("w"));
        PresentOptions options;
        options.showsConstants = true;
        const DisplayGraph full = pictureOf(*result, Stage::Captured, options);
        QVERIFY(boxNamed(full, QStringLiteral("Constant")));
        const DisplayBox* weight = boxNamed(full, QStringLiteral("w"));
        QVERIFY(weight);
        QCOMPARE(weight->kind, BoxKind::Constant);
    }

    void farValuesBecomeNamedStubs() {
        const auto result = testing::attentionSample();
        const DisplayGraph graph = pictureOf(*result, Stage::LaidOut);
        std::vector<const DisplayEdge*> stubs;
        for (const DisplayEdge& edge : graph.edges)
            if (edge.isStub)
                stubs.push_back(&edge);
        QCOMPARE(stubs.size(), std::size_t(1)); // x to the residual addition
        QCOMPARE(stubs[0]->stubName, QStringLiteral("x"));
        QCOMPARE(graph.boxes[static_cast<std::size_t>(stubs[0]->to)].title, QStringLiteral("Add"));
    }

    void framesNestAndHoldWholeKernels() {
        const auto result = testing::attentionSample();
        const DisplayGraph graph = pictureOf(*result, Stage::LaidOut);
        int kernels = 0;
        for (std::size_t g = 0; g < graph.groups.size(); ++g) {
            QVERIFY(graph.groups[g].parent < static_cast<int>(g));
            kernels += graph.groups[g].isKernel;
        }
        QCOMPARE(kernels, 2);
        QCOMPARE(graph.groups[0].name, QStringLiteral("bundle 0"));
        QVERIFY(graph.groups[0].details.startsWith("12 OpSpecs · "));
        for (const DisplayBox& box : graph.boxes) {
            if (box.lowered.empty())
                continue;
            int group = box.group;
            while (group >= 0 && !graph.groups[static_cast<std::size_t>(group)].isKernel)
                group = graph.groups[static_cast<std::size_t>(group)].parent;
            QVERIFY(group >= 0);
            QCOMPARE(graph.groups[static_cast<std::size_t>(group)].kernel,
                result->program.stage(Stage::LaidOut).nodes[box.lowered[0]].kernel);
        }
    }

    void labelsNameShapesAndLayouts() {
        const auto result = testing::attentionSample();
        const auto labels = [&](const PresentOptions& options) {
            QStringList all;
            for (const DisplayEdge& edge : pictureOf(*result, Stage::LaidOut, options).edges)
                all << edge.label;
            return all;
        };
        QVERIFY(labels({}).contains(QStringLiteral("12×128×128 · stick d2")));
        PresentOptions options;
        options.showsLayouts = false;
        QVERIFY(labels(options).contains(QStringLiteral("12×128×128")));
        options.showsShapes = false;
        QCOMPARE(labels(options).join(QString()), QString());
    }

    void labelsNeverLieOnBoxes_data() { samples(); }
    void labelsNeverLieOnBoxes() {
        QFETCH(ResultPointer, result);
        const DisplayGraph graph = pictureOf(*result, Stage::LaidOut);
        for (const bool isLeftToRight : {false, true}) {
            const Metrics metrics = Metrics::current();
            const DrawingRequest request = toRequest(graph, metrics, isLeftToRight);
            const auto output = drawing::layeredEngine().place(request.input, {});
            QVERIFY(output.isOk());
            const Geometry geometry = toGeometry(graph, request, *output, metrics);
            int labelled = 0;
            for (const EdgeShape& edge : geometry.edges) {
                labelled += !edge.label.isNull();
                for (const QRectF& box : geometry.boxes)
                    QVERIFY(!edge.label.intersects(box));
                QVERIFY(edge.label.isNull() || geometry.bounds.contains(edge.label));
            }
            QVERIFY(labelled > 0 || graph.edges.empty());
            for (std::size_t b = 0; b < geometry.boxes.size(); ++b) {
                QCOMPARE(hitTest(geometry, geometry.boxes[b].center(), 4).box, static_cast<int>(b));
                QVERIFY(geometry.boxes[b].width() <= metrics.boxWidth() + 0.01);
            }
        }
    }

    void searchFinds_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("part of a name")
            << "c_proj" << QStringList{"/attn/c_proj/MatMul", "/attn/c_proj/Add"};
        QTest::newRow("any case") << "SOFTMAX" << QStringList{"/attn/Softmax"};
        QTest::newRow("nothing") << "conv3d" << QStringList();
        QTest::newRow("empty") << "  " << QStringList();
        QTest::newRow("shape") << "128x2304"
                               << QStringList{"/attn/c_attn/MatMul", "/attn/c_attn/Add",
                                      "/attn/q/Slice", "/attn/k/Slice", "/attn/v/Slice"};
        QTest::newRow("shape with a sign")
            << QStringLiteral("12×64×?") << QStringList{"/attn/Transpose"};
        QTest::newRow("path") << QStringLiteral("MatMul → * → Softmax")
                              << QStringList{"/attn/MatMul", "/attn/Mul", "/attn/Softmax"};
        QTest::newRow("path in ASCII")
            << "mul->softmax" << QStringList{"/attn/Mul", "/attn/Softmax"};
        QTest::newRow("path that is not there") << "Softmax -> Softmax" << QStringList();
    }
    void searchFinds() {
        QFETCH(QString, query);
        QFETCH(QStringList, names);
        const auto result = testing::attentionSample();
        QStringList found;
        for (const ir::NodeId node : findNodes(*result, query))
            found << QString::fromStdString(result->graph().nodes[node].name);
        QCOMPARE(found, names);
    }

    void theSentenceSaysWhatTheStageDid() {
        const auto result = testing::attentionSample();
        QCOMPARE(stageSentence(*result, Stage::LaidOut),
            QStringLiteral(
                "Laid out for IBM Spyre: 16 OpSpecs in 2 bundles; stage 4 added 1 restickify, "
                "because Q·Kᵀ wants Kᵀ with its stick on the sequence."));
        QCOMPARE(stageSentence(*result, Stage::Captured),
            QStringLiteral("Captured: 15 operators, as the file gives them."));
        QCOMPARE(stageSentence(*testing::emptySample(), Stage::Fused),
            QStringLiteral("This model has no operators, so there is nothing to draw."));
    }

    void theSentenceSaysWhereAHiddenSelectionIs() {
        const auto result = withRemoved();
        common::ViewState state;
        state.setResult(result, true);
        state.setStage(Stage::Decomposed);
        const DisplayGraph graph = pictureOf(*result, Stage::Decomposed);
        state.selectNode(ir::NodeId(1));
        QCOMPARE(sentenceOf(state, &graph),
            QStringLiteral(
                "b/Identity was removed on IBM Spyre at stage 2: constant folded: it copies."));
    }

    void presentingIsPure() {
        const auto result = testing::layeredSample(12);
        const DisplayGraph a = pictureOf(*result, Stage::Placed),
                           b = pictureOf(*result, Stage::Placed);
        QCOMPARE(a.boxes.size(), b.boxes.size());
        for (std::size_t i = 0; i < a.boxes.size(); ++i)
            QCOMPARE(a.boxes[i].key, b.boxes[i].key);
        QCOMPARE(a.edges.size(), b.edges.size());
    }
};

QTEST_MAIN(TestGraphPresenter)
#include "test_graph_presenter.moc"
