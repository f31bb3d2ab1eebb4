// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/resymbolise.h"
#include "tests/ir/graph_maker.h"

#include <QTest>

#include <limits>

using namespace fivefold;
using namespace fivefold::ir;
using test::GraphMaker;

namespace {

std::string shapeAt(const std::shared_ptr<const Graph>& graph, ValueId value,
    const std::map<std::string, std::int64_t>& sizes) {
    InferenceOptions options;
    options.bindings.dims = sizes;
    base::Diagnostics diagnostics;
    const auto typed = infer(graph, options, diagnostics);
    if (!diagnostics.empty())
        return diagnostics.entries().front().message;
    const auto& shape = typed->type(value).shape;
    return shape ? toText(*shape) : "?";
}

/// Self-attention as an exporter with fixed sizes writes it; `heads` of `width` each.
struct Attention {
    GraphMaker maker;
    ValueId x, split, scores, y;

    Attention(std::int64_t batch, std::int64_t length, std::int64_t heads, std::int64_t width,
        bool isMasked = false) {
        const std::int64_t model = heads * width;
        x = maker.input("x", {batch, length, model});
        const ValueId w = maker.weight({model, model});
        const ValueId q = maker.one(Op::MatMul, {x, w});
        split = maker.one(Op::Reshape, {q, maker.integers({batch, length, heads, width})});
        const ValueId left =
            maker.one(Op::Transpose, {split}, {{"perm", test::Integers{0, 2, 1, 3}}});
        const ValueId right =
            maker.one(Op::Transpose, {split}, {{"perm", test::Integers{0, 2, 3, 1}}});
        scores = maker.one(Op::MatMul, {left, right});
        if (isMasked) {
            const ValueId ones =
                maker.one(Op::ConstantOfShape, {maker.integers({1, 1, length, length})});
            const ValueId mask = maker.one(Op::Trilu, {ones});
            scores = maker.one(Op::Add, {scores, mask});
        }
        const ValueId sum = maker.one(Op::MatMul, {scores, left});
        const ValueId back =
            maker.one(Op::Transpose, {sum}, {{"perm", test::Integers{0, 2, 1, 3}}});
        y = maker.one(Op::Reshape, {back, maker.integers({batch, length, model})});
    }
};

FreeAxis named(const std::vector<FreeAxis>& axes, const std::string& symbol) {
    for (const FreeAxis& axis : axes)
        if (axis.symbol == symbol)
            return axis;
    return {};
}

} // namespace

class TestResymbolise : public QObject {
    Q_OBJECT

private slots:
    void reshapeFollowsBothAxes() {
        Attention model(1, 128, 12, 64);
        const auto graph = model.maker.finish({model.y});
        const auto axes = freeAxes(graph);
        QCOMPARE(axes.size(), std::size_t(2));
        for (const FreeAxis& axis : axes)
            QVERIFY2(axis.isProved, axis.reason.c_str());
        const auto bound = bindSizes(graph, {"batch=8", "sequence=48"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        QCOMPARE(bound->bindings.dims.size(), std::size_t(2));
        QCOMPARE(
            shapeAt(bound->graph, model.split, bound->bindings.dims), std::string("8×48×12×64"));
        QCOMPARE(
            shapeAt(bound->graph, model.scores, bound->bindings.dims), std::string("8×12×48×48"));
        QCOMPARE(shapeAt(bound->graph, model.y, bound->bindings.dims), std::string("8×48×768"));
    }

    /// The size of a head is that of the sequence by chance: the weights and the heads stay.
    void sizesThatAreEqualByChanceStay() {
        Attention model(1, 128, 4, 128);
        const auto graph = model.maker.finish({model.y});
        const auto bound = bindSizes(graph, {"sequence=32"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        QCOMPARE(
            shapeAt(bound->graph, model.split, bound->bindings.dims), std::string("1×32×4×128"));
        QCOMPARE(shapeAt(bound->graph, model.y, bound->bindings.dims), std::string("1×32×512"));
    }

    void boundToTheOldSizeItIsTheFile() {
        Attention model(2, 16, 4, 8, true);
        const auto graph = model.maker.finish({model.y});
        for (const FreeAxis& axis : freeAxes(graph)) {
            const auto freed = resymbolise(graph, axis);
            QVERIFY2(freed, freed ? "" : freed.error().message.c_str());
            QCOMPARE((*freed)->nodes.size(), graph->nodes.size());
            for (std::size_t i = 0; i < graph->values.size(); ++i)
                QCOMPARE(shapeAt(*freed, ValueId(i), {{axis.symbol, axis.size}}),
                    shapeAt(graph, ValueId(i), {}));
        }
    }

    void maskMadeOfAShapeFollows() {
        Attention model(1, 128, 12, 64, true);
        const auto bound = bindSizes(model.maker.finish({model.y}), {"sequence=40"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        QCOMPARE(
            shapeAt(bound->graph, model.scores, bound->bindings.dims), std::string("1×12×40×40"));
    }

    void storedMaskFixesTheSequence() {
        GraphMaker maker;
        const ValueId x = maker.input("x", {1, 12, 128, 128});
        const ValueId mask = maker.weight({1, 1, 128, 128});
        const ValueId y = maker.one(Op::Add, {x, mask});
        const auto bound = bindSizes(maker.finish({y}), {"x.2=64"});
        QVERIFY(!bound);
        QVERIFY2(bound.error().message.find("Add_0") != std::string::npos
                && bound.error().message.find("1×1×128×128") != std::string::npos,
            bound.error().message.c_str());
    }

    /// A larger table is cut by a slice whose end is the size: it follows, up to the table's rows.
    void slicedTableFollowsUpToItsRows() {
        GraphMaker maker;
        const ValueId ids = maker.input("ids", {1, 128}, DType::Int64);
        const ValueId words = maker.one(Op::Gather, {maker.weight({1000, 32}), ids});
        const ValueId rows = maker.one(Op::Slice,
            {maker.weight({512, 32}), maker.integers({0}), maker.integers({128}),
                maker.integers({0})});
        const ValueId y = maker.one(Op::Add, {words, rows});
        const auto graph = maker.finish({y});
        const FreeAxis sequence = named(freeAxes(graph), "sequence");
        QVERIFY2(sequence.isProved, sequence.reason.c_str());
        QCOMPARE(sequence.largest, std::int64_t(512));
        QVERIFY(bindSizes(graph, {"sequence=512"}));
        const auto tooLong = bindSizes(graph, {"sequence=513"});
        QVERIFY(!tooLong);
        QVERIFY(tooLong.error().message.find("512") != std::string::npos);
    }

    void positionsFromARangeFollow() {
        GraphMaker maker;
        const ValueId ids = maker.input("ids", {1, 128}, DType::Int64);
        const ValueId type = maker.input("types", {1, 128}, DType::Int64);
        const ValueId words = maker.one(Op::Gather, {maker.weight({1000, 32}), ids});
        const ValueId types = maker.one(Op::Gather, {maker.weight({2, 32}), type});
        const ValueId range = maker.one(Op::Range,
            {maker.integers({0}, {}), maker.integers({128}, {}), maker.integers({1}, {})});
        const ValueId positions = maker.one(Op::Gather, {maker.weight({512, 32}), range});
        const ValueId sum = maker.one(Op::Add, {words, types});
        const ValueId y = maker.one(Op::Add, {sum, positions});
        const auto graph = maker.finish({y});
        for (const char* name : {"batch", "sequence"}) {
            const FreeAxis axis = named(freeAxes(graph), name);
            QVERIFY2(axis.isProved, axis.reason.c_str());
            QCOMPARE(axis.inputs.size(), std::size_t(2)); // the type ids follow
        }
        const auto bound = bindSizes(graph, {"types.1=20", "batch=3"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
    }

    void storedPositionsFixTheSequence() {
        GraphMaker maker;
        const ValueId ids = maker.input("ids", {1, 4}, DType::Int64);
        const ValueId words = maker.one(Op::Gather, {maker.weight({1000, 32}), ids});
        const ValueId positions =
            maker.one(Op::Gather, {maker.weight({512, 32}), maker.integers({0, 1, 2, 3}, {1, 4})});
        const ValueId y = maker.one(Op::Add, {words, positions});
        const FreeAxis axis = named(freeAxes(maker.finish({y})), "sequence");
        QVERIFY(!axis.isProved);
        QVERIFY2(axis.reason.find("Add") != std::string::npos, axis.reason.c_str());
    }

    void ambiguousShapesAreRefused() {
        // Whether the batch of 1 joins the rows or the heads cannot be told.
        GraphMaker maker;
        const ValueId x = maker.input("x", {128, 1, 768});
        const ValueId y = maker.one(Op::Reshape, {x, maker.integers({128, 12, 64})});
        const auto bound = bindSizes(maker.finish({y}), {"x.1=2"});
        QVERIFY(!bound);
        QVERIFY2(bound.error().message.find("Reshape_0") != std::string::npos,
            bound.error().message.c_str());
        // 128 columns are both what is left of the sequence and of the features.
        GraphMaker other;
        const ValueId a = other.input("a", {1, 128, 2048});
        const ValueId b = other.one(Op::Reshape, {a, other.integers({1, 16, 128, 128})});
        const auto mixed = bindSizes(other.finish({b}), {"sequence=64"});
        QVERIFY(!mixed);
        QVERIFY2(mixed.error().message.find("Reshape_0") != std::string::npos
                && mixed.error().message.find("128") != std::string::npos,
            mixed.error().message.c_str());
    }

    void featuresAreNoSequence() {
        GraphMaker maker;
        const ValueId x = maker.input("x", {1, 16, 64});
        const ValueId y = maker.one(Op::MatMul, {x, maker.weight({64, 64})});
        const auto bound = bindSizes(maker.finish({y}), {"x.2=32"});
        QVERIFY(!bound);
        QVERIFY2(bound.error().message.find("MatMul_0") != std::string::npos,
            bound.error().message.c_str());
    }

    void whatIsAddedOrScaledFollows() {
        GraphMaker maker;
        const ValueId x = maker.input("x", {7, 64}), w = maker.input("w", {64, 1024}),
                      c = maker.input("c", {1024});
        const ValueId y = maker.one(Op::Gemm, {x, w, c});
        const ValueId scale = maker.input("scale", {1024});
        const ValueId z = maker.one(Op::LayerNormalization, {y, scale});
        const auto bound = bindSizes(maker.finish({z}), {"w.1=16"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        for (const ValueId id : {c, scale})
            QCOMPARE(shapeAt(bound->graph, id, bound->bindings.dims), std::string("16"));
        QCOMPARE(shapeAt(bound->graph, z, bound->bindings.dims), std::string("7×16"));

        GraphMaker fixed; // the model keeps what is added
        const ValueId a = fixed.input("a", {7, 64}), b = fixed.input("b", {64, 1024});
        const auto refused = bindSizes(
            fixed.finish({fixed.one(Op::Gemm, {a, b, fixed.weight({1024})})}), {"b.1=16"});
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("Gemm_0") != std::string::npos,
            refused.error().message.c_str());
    }

    /// An image classifier: the batch is free, and so are the sizes of the image where the
    /// features are pooled.
    void batchOfAnImageClassifier() {
        GraphMaker maker;
        const ValueId x = maker.input("x", {1, 3, 32, 32});
        const ValueId c = maker.one(Op::Conv, {x, maker.weight({8, 3, 3, 3})});
        const ValueId p = maker.one(Op::GlobalAveragePool, {c});
        const ValueId f = maker.one(Op::Reshape, {p, maker.integers({1, 8})});
        const ValueId y = maker.one(Op::MatMul, {f, maker.weight({8, 10})});
        const auto bound = bindSizes(maker.finish({y}), {"batch=16", "x.2=64"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        QCOMPARE(shapeAt(bound->graph, y, bound->bindings.dims), std::string("16×10"));
        QCOMPARE(shapeAt(bound->graph, c, bound->bindings.dims), std::string("16×8×62×30"));
    }

    /// A class token that is expanded to the batch before it is joined.
    void expandedTokenFollowsTheBatch() {
        GraphMaker maker;
        const ValueId x = maker.input("x", {1, 196, 64});
        const ValueId token =
            maker.one(Op::Expand, {maker.weight({1, 1, 64}), maker.integers({1, 1, 64})});
        const ValueId y = maker.one(Op::Concat, {token, x}, {{"axis", std::int64_t(1)}});
        const auto graph = maker.finish({y});
        const auto bound = bindSizes(graph, {"batch=4", "sequence=100"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        QCOMPARE(shapeAt(bound->graph, y, bound->bindings.dims), std::string("4×101×64"));
    }

    void lastElementStaysTheLast() {
        GraphMaker maker;
        const ValueId x = maker.input("x", {1, 128, 64});
        const ValueId last =
            maker.one(Op::Gather, {x, maker.integers({127}, {})}, {{"axis", std::int64_t(1)}});
        const auto graph = maker.finish({last});
        const FreeAxis sequence = named(freeAxes(graph), "sequence");
        QVERIFY2(sequence.isProved, sequence.reason.c_str());
        QCOMPARE(sequence.smallest, std::int64_t(1));
        const auto freed = resymbolise(graph, sequence);
        QVERIFY(freed);
        const Node& node = (*freed)->nodes[NodeId(0)];
        const Value& index = (*freed)->values[node.inputs[1]];
        QCOMPARE((*freed)->tensors[index.data].strings.front(), std::string("sequence - 1"));
    }

    void ownSymbolsHaveTheRangeOfTheirTables() {
        GraphMaker maker;
        const ValueId ids =
            maker.input("ids", {Dim::symbol("batch"), Dim::symbol("seq")}, DType::Int64);
        const ValueId words = maker.one(Op::Gather, {maker.weight({1000, 32}), ids});
        const ValueId shape = maker.one(Op::Shape, {ids});
        const ValueId length = maker.one(Op::Gather, {shape, maker.integers({1}, {})});
        const ValueId range =
            maker.one(Op::Range, {maker.integers({0}, {}), length, maker.integers({1}, {})});
        const ValueId rows = maker.one(Op::Gather, {maker.weight({512, 32}), range});
        const auto axes = ownAxes(maker.finish({maker.one(Op::Add, {words, rows})}));
        QCOMPARE(axes.size(), std::size_t(2));
        QCOMPARE(axes[0].largest, std::int64_t(0));
        QCOMPARE(axes[1].symbol, std::string("seq"));
        QCOMPARE(axes[1].largest, std::int64_t(512));
    }

    /// Graphs of fx text have their parameters as inputs, often before the data.
    void parametersAreNoData() {
        GraphMaker maker;
        const ValueId w = maker.input("w", {64, 32});
        const ValueId x = maker.input("x", {1, 16, 32});
        const ValueId turned = maker.one(Op::Transpose, {w}, {{"perm", test::Integers{1, 0}}});
        const ValueId flat = maker.one(Op::Reshape, {x, maker.integers({16, 32})});
        const ValueId product = maker.one(Op::MatMul, {flat, turned});
        const ValueId y = maker.one(Op::Reshape, {product, maker.integers({1, 16, 64})});
        const auto bound = bindSizes(maker.finish({y}), {"batch=2", "sequence=24"});
        QVERIFY2(bound, bound ? "" : bound.error().message.c_str());
        QCOMPARE(shapeAt(bound->graph, y, bound->bindings.dims), std::string("2×24×64"));
    }

    void oldSizeChangesNothing() {
        Attention model(1, 128, 12, 64);
        const auto graph = model.maker.finish({model.y});
        const auto bound = bindSizes(graph, {"batch=1", "x.1=128"});
        QVERIFY(bound);
        QVERIFY(bound->graph == graph);
        QVERIFY(bound->bindings == Bindings());
    }

    void cancelledLeavesTheRestOut() {
        Attention model(1, 128, 12, 64);
        std::stop_source source;
        source.request_stop();
        QVERIFY(
            freeAxes(model.maker.finish({model.y}), base::Progress(source.get_token())).empty());
    }
};

QTEST_APPLESS_MAIN(TestResymbolise)
#include "test_resymbolise.moc"
