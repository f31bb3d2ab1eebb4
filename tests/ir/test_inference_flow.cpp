// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/bindings.h"
#include "graph_maker.h"

#include <QtTest>

#include <algorithm>

using namespace fivefold;
using namespace fivefold::ir;
using namespace fivefold::ir::test;

namespace {

const Dim kB = Dim::symbol("batch");
const Dim kS = Dim::symbol("seq");

InferenceOptions assuming() {
    InferenceOptions options;
    options.assumeFree = true;
    return options;
}

bool hasDiagnostic(
    const base::Diagnostics& diagnostics, const std::string& code, const std::string& node) {
    const auto& entries = diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(),
        [&](const base::Diagnostic& d) { return d.code == code && d.node == node; });
}

std::string nodeName(const GraphMaker& maker, ValueId output, Graph& graph) {
    Q_UNUSED(maker);
    return graph.nodes[graph.values[output].producer].name;
}

} // namespace

class TestInferenceFlow : public QObject {
    Q_OBJECT

private slots:
    // Contents
    void exportedShapeChainsResolveSymbolically();
    void expandThroughWhereAndEqualResolves();
    void floatScalesFromShapesResolveWhenBound();
    void knownContentsMoveThroughIndexing();
    void constantsAreMarkedThroughTheirUsers();
    // Bindings and assumptions
    void bindingsAreToldApartByTheGraph_data();
    void bindingsAreToldApartByTheGraph();
    void sizesBeyondInt64AreRefusedByName();
    void oneNameGetsOneSize();
    void imagesAreAssumedAt224AndTheRestAt128();
    void assumedLengthsFitTheModelsTables();
    void assumedLengthsAreLongEnoughForWindows();
    void expressionsInNamesFollowTheirSymbols();
    // Control flow
    void aConditionThatFoldsDecidesTheBranch();
    void anOpenConditionTakesTheDearerBranch();
    void loopsOfKnownLengthRunStepByStep();
    void loopsOfUnknownLengthCountOnceAndWidenWhatGrows();
    void scansRunOverTheirAxis();
    void callsInferThroughTheirBody();
    void sequencesKnowTheirItems();
    // Bad models
    void badNodesAreNamedAndTheRestGoesOn_data();
    void badNodesAreNamedAndTheRestGoesOn();
    void declaredTypesFillGapsAndContradictionsAreReported();
    void unsortedNodesAreSortedAndCyclesReported();
    void deepNestingEndsWithADiagnostic();
    void cancellationStopsTheRun();
};

void TestInferenceFlow::exportedShapeChainsResolveSymbolically() {
    // view(b, s, 12, 64) as exporters write it: Shape, Gather, Unsqueeze, Concat, Reshape.
    GraphMaker maker;
    const ValueId x = maker.input("x", {kB, kS, 768});
    const ValueId shape = maker.one(Op::Shape, {x});
    std::vector<ValueId> parts;
    for (const std::int64_t axis : {0, 1}) {
        const ValueId size = maker.one(Op::Gather, {shape, maker.integers({axis}, {})});
        parts.push_back(maker.one(Op::Unsqueeze, {size, maker.integers({0})}, {}, 13));
    }
    parts.push_back(maker.integers({12}));
    parts.push_back(maker.integers({64}));
    const ValueId target = maker.one(Op::Concat, parts, {{"axis", std::int64_t(0)}});
    const ValueId heads = maker.one(Op::Reshape, {x, target});
    const ValueId turned = maker.one(Op::Transpose, {heads}, {{"perm", Integers{0, 2, 1, 3}}});
    const ValueId back = maker.one(Op::Reshape, {turned, maker.integers({-1, 64})});
    const Typed typed = maker.typed({back});
    QCOMPARE(shapeText(typed, heads), std::string("batch×seq×12×64"));
    QCOMPARE(shapeText(typed, back), std::string("12*batch*seq×64"));
}

void TestInferenceFlow::expandThroughWhereAndEqualResolves() {
    // x.expand(batch, -1, 4): Where(shape == -1, 1, shape) with a symbol in the shape.
    GraphMaker maker;
    const ValueId x = maker.input("x", {1, kS, 4});
    const ValueId other = maker.input("y", {kB});
    const ValueId batch = maker.one(Op::Shape, {other});
    const ValueId wanted = maker.one(Op::Concat, {batch, maker.integers({-1}), maker.integers({4})},
        {{"axis", std::int64_t(0)}});
    const ValueId ones = maker.integers({1, 1, 1});
    const ValueId isOpen =
        maker.one(Op::Equal, {wanted, maker.one(Op::Mul, {ones, maker.integers({-1})})});
    const ValueId target = maker.one(Op::Where, {isOpen, ones, wanted});
    const ValueId y = maker.one(Op::Expand, {x, target});
    QCOMPARE(shapeText(maker.typed({y}), y), std::string("batch×seq×4"));
}

void TestInferenceFlow::floatScalesFromShapesResolveWhenBound() {
    // sizes = floor(float(h) · 1.5), as interpolate(scale_factor=1.5) is exported.
    GraphMaker maker;
    const ValueId x = maker.input("x", {1, 3, Dim::symbol("h"), 8});
    const ValueId height =
        maker.one(Op::Slice, {maker.one(Op::Shape, {x}), maker.integers({2}), maker.integers({3})});
    const ValueId real = maker.one(Op::Cast, {height}, {{"to", std::int64_t(1)}});
    const ValueId grown = maker.one(Op::Floor, {maker.one(Op::Mul, {real, maker.floats({1.5F})})});
    const ValueId whole = maker.one(Op::Cast, {grown}, {{"to", std::int64_t(7)}});
    const ValueId sizes = maker.one(Op::Concat,
        {maker.integers({1, 3}), whole, maker.integers({16})}, {{"axis", std::int64_t(0)}});
    const ValueId y = maker.one(Op::Resize, {x, ValueId(), ValueId(), sizes}, {}, 13);
    InferenceOptions options;
    options.bindings.dims["h"] = 7;
    QCOMPARE(shapeText(maker.typed({y}, options), y), std::string("1×3×10×16"));
}

void TestInferenceFlow::knownContentsMoveThroughIndexing() {
    GraphMaker maker;
    const ValueId table = maker.integers({1, 2, 3, 4, 5, 6}, {2, 3});
    const ValueId turned = maker.one(Op::Transpose, {table});
    const ValueId row = maker.one(Op::Gather, {turned, maker.integers({-1}, {})});
    const ValueId tiled = maker.one(Op::Tile, {row, maker.integers({2})});
    const ValueId spread =
        maker.one(Op::ScatterElements, {tiled, maker.integers({0}), maker.integers({9})});
    const ValueId total = maker.one(Op::ReduceProd, {spread}, {{"keepdims", std::int64_t(0)}});
    const Typed typed = maker.typed({total});
    QCOMPARE(toText(*typed.contents[turned]), std::string("1×4×2×5×3×6"));
    QCOMPARE(toText(*typed.contents[row]), std::string("3×6"));
    QCOMPARE(toText(*typed.contents[spread]), std::string("9×6×3×6"));
    QCOMPARE(toText(*typed.contents[total]), std::string("972"));
}

void TestInferenceFlow::constantsAreMarkedThroughTheirUsers() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId w = maker.weight({2});
    const ValueId folded = maker.one(Op::Neg, {w});
    const ValueId mixed = maker.one(Op::Add, {x, folded});
    const ValueId random = maker.one(Op::RandomNormal, {}, {{"shape", Integers{2}}});
    const Typed typed = maker.typed({mixed, random});
    QVERIFY(typed.isConstant[w] && typed.isConstant[folded]);
    QVERIFY(!typed.isConstant[x] && !typed.isConstant[mixed] && !typed.isConstant[random]);
}

void TestInferenceFlow::bindingsAreToldApartByTheGraph_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isOk");
    QTest::addColumn<QString>("shape");
    QTest::newRow("named dimension") << "seq=7" << true << "?×7";
    QTest::newRow("unnamed axis") << "x.0=3" << true << "3×seq";
    QTest::newRow("scalar input") << "sr=16000" << true << "";
    QTest::newRow("unknown name") << "nothing=1" << false << "";
    QTest::newRow("no number") << "seq=many" << false << "";
    QTest::newRow("no equals sign") << "seq" << false << "";
    QTest::newRow("axis that is not there") << "x.5=3" << false << "";
    QTest::newRow("negative size") << "seq=-1" << false << "";
    QTest::newRow("tensor as scalar") << "w=3" << false << "";
}

void TestInferenceFlow::bindingsAreToldApartByTheGraph() {
    QFETCH(QString, text);
    QFETCH(bool, isOk);
    QFETCH(QString, shape);
    GraphMaker maker;
    const ValueId x = maker.input("x", {Dim(), kS});
    maker.input("sr", {}, DType::Int64);
    maker.input("w", {4});
    const ValueId y = maker.one(Op::Relu, {x});
    const auto graph = maker.finish({y});
    InferenceOptions options;
    const auto added = addBinding(options.bindings, *graph, text.toStdString());
    QCOMPARE(added.isOk(), isOk);
    if (!isOk)
        QVERIFY(added.error().message.size() > 20);
    if (!shape.isEmpty()) {
        const QString have = QString::fromStdString(shapeText(maker.typed({y}, options), y));
        QCOMPARE(have, shape.replace("?", "x.0"));
    }
}

void TestInferenceFlow::sizesBeyondInt64AreRefusedByName() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {kB, 64});
    const ValueId y = maker.one(Op::Relu, {x});
    const auto check = [&](std::int64_t batch) {
        InferenceOptions options;
        options.bindings.dims[kB.text()] = batch;
        Typed typed = maker.typed({y}, options);
        base::Diagnostics diagnostics;
        const auto checked = checkSizes(typed, diagnostics);
        return checked ? std::string() : checked.error().message;
    };
    // Float32: 2^55 rows of 64 have 2^63 bytes, 2^54 have 2^62, which two tensors exceed together.
    QCOMPARE(check(std::int64_t(1) << 53), std::string());
    QVERIFY(check(std::int64_t(1) << 55).starts_with("The tensor \"x\""));
    QVERIFY(check(std::int64_t(1) << 54).starts_with("With "));
    QCOMPARE(check(0), std::string());

    // Without a binding the file itself is wrong: a warning, and the shape is unknown.
    GraphMaker fixed;
    const ValueId wide = fixed.input("wide", {std::int64_t(1) << 40, std::int64_t(1) << 40});
    Typed typed = fixed.typed({fixed.one(Op::Relu, {wide})}, {});
    base::Diagnostics diagnostics;
    QVERIFY(checkSizes(typed, diagnostics));
    QVERIFY(diagnostics.count("infer.too_large") >= 1);
    QVERIFY(!typed.type(wide).shape);
}

void TestInferenceFlow::oneNameGetsOneSize() {
    GraphMaker maker;
    const ValueId a = maker.input("a", {kB, kS});
    const ValueId b = maker.input("b", {kS, 4});
    const ValueId y = maker.one(Op::MatMul, {a, b});
    const auto symbols = freeSymbols(*maker.finish({y}));
    QCOMPARE(symbols.size(), std::size_t(2));
    QCOMPARE(symbols[1].name, std::string("seq"));
    QCOMPARE(symbols[1].places.size(), std::size_t(2));
    const Typed typed = maker.typed({y}, assuming());
    QCOMPARE(typed.assumed.at("seq"), std::int64_t(128));
    QCOMPARE(shapeText(typed, y), std::string("1×4"));
}

void TestInferenceFlow::imagesAreAssumedAt224AndTheRestAt128() {
    GraphMaker maker;
    const ValueId image = maker.input("image", {Dim(), 3, Dim(), Dim()});
    const ValueId y = maker.one(Op::Conv, {image, maker.weight({8, 3, 3, 3})});
    const ValueId last = maker.input("last", {Dim(), Dim(), Dim(), 3});
    const ValueId turned = maker.one(Op::Transpose, {last}, {{"perm", Integers{0, 3, 1, 2}}});
    const ValueId z = maker.one(Op::Conv, {turned, maker.weight({8, 3, 3, 3})});
    const ValueId cache = maker.input("cache", {Dim(), 12, Dim(), 64});
    const ValueId c = maker.one(Op::Relu, {cache});
    const Typed typed = maker.typed({y, z, c}, assuming());
    QCOMPARE(shapeText(typed, image), std::string("1×3×224×224"));
    QCOMPARE(shapeText(typed, last), std::string("1×224×224×3"));
    QCOMPARE(shapeText(typed, cache), std::string("1×12×128×64"));
    QCOMPARE(typed.assumed.at("image.2"), std::int64_t(224));
}

void TestInferenceFlow::assumedLengthsFitTheModelsTables() {
    // 64 positions: arange(seq) looks them up, and a buffer of 32 is sliced to another length.
    GraphMaker maker;
    const ValueId ids = maker.input("ids", {kB, kS}, DType::Int64);
    const ValueId length =
        maker.one(Op::Gather, {maker.one(Op::Shape, {ids}), maker.integers({1}, {})});
    const ValueId positions =
        maker.one(Op::Range, {maker.integers({0}, {}), length, maker.integers({1}, {})});
    const ValueId y = maker.one(Op::Gather, {maker.weight({64, 8}), positions});
    const ValueId other = maker.input("other", {1, Dim::symbol("t")});
    const ValueId end = maker.one(
        Op::Slice, {maker.one(Op::Shape, {other}), maker.integers({1}), maker.integers({2})});
    const ValueId z = maker.one(
        Op::Slice, {maker.weight({1, 32}), maker.integers({0}), end, maker.integers({1})});
    const Typed typed = maker.typed({y, z}, assuming());
    QCOMPARE(typed.assumed.at("seq"), std::int64_t(64));
    QCOMPARE(typed.assumed.at("t"), std::int64_t(32));
    QCOMPARE(shapeText(typed, y), std::string("64×8"));
}

void TestInferenceFlow::assumedLengthsAreLongEnoughForWindows() {
    GraphMaker maker;
    const ValueId audio = maker.input("audio", {1, 1, Dim::symbol("samples")});
    const ValueId y =
        maker.one(Op::Conv, {audio, maker.weight({4, 1, 400})}, {{"strides", Integers{160}}});
    const Typed typed = maker.typed({y}, assuming());
    QCOMPARE(typed.assumed.at("samples"), std::int64_t(512));
    QCOMPARE(shapeText(typed, y), std::string("1×4×1"));
}

void TestInferenceFlow::expressionsInNamesFollowTheirSymbols() {
    GraphMaker maker;
    const ValueId a = maker.input("a", {Dim::symbol("past"), 2});
    const ValueId b = maker.input("b", {2, Dim::symbol("past + 2*seq")});
    const ValueId y = maker.one(Op::Transpose, {b});
    InferenceOptions options;
    options.bindings.dims = {{"past", 5}, {"seq", 3}};
    const Typed typed = maker.typed({a, y}, options);
    QCOMPARE(shapeText(typed, a), std::string("5×2"));
    QCOMPARE(shapeText(typed, y), std::string("11×2"));
}

namespace {

/// If(rate == 16000) x·w₁₆ else x·w₈; the second weight has more columns.
struct Branches {
    GraphMaker maker;
    ValueId y;
    Branches() {
        const ValueId x = maker.input("x", {2, 8});
        const ValueId rate = maker.input("sr", {}, DType::Int64);
        const ValueId is16 = maker.one(Op::Equal, {rate, maker.integers({16000}, {})});
        y = maker.one(Op::If, {is16});
        for (const std::int64_t columns : {4, 32}) {
            maker.beginBody(y, columns == 4 ? "then_branch" : "else_branch");
            const ValueId inner = maker.one(Op::MatMul, {x, maker.weight({8, columns})});
            maker.endBody({inner});
        }
    }
    NodeId node() { return maker.graph().values[y].producer; }
};

} // namespace

void TestInferenceFlow::aConditionThatFoldsDecidesTheBranch() {
    for (const std::int64_t rate : {16000, 8000}) {
        Branches model;
        InferenceOptions options;
        options.bindings.scalars["sr"] = rate;
        const Typed typed = model.maker.typed({model.y}, options);
        const bool isThen = rate == 16000;
        QCOMPARE(int(typed.takenBranch[model.node()]), isThen ? 0 : 1);
        QVERIFY(typed.isBranchProved[model.node()]);
        QCOMPARE(shapeText(typed, model.y), std::string(isThen ? "2×4" : "2×32"));
        const auto& blocks = model.maker.graph().nodes[model.node()].blocks;
        for (int b = 0; b < 2; ++b)
            QCOMPARE(typed.executions[model.maker.graph().blocks[blocks[std::size_t(b)]].nodes[0]],
                std::int64_t((b == 0) == isThen));
    }
}

void TestInferenceFlow::anOpenConditionTakesTheDearerBranch() {
    Branches model;
    const Typed open = model.maker.typed({model.y});
    QCOMPARE(int(open.takenBranch[model.node()]), 1);
    QVERIFY(!open.isBranchProved[model.node()]);
    QCOMPARE(shapeText(open, model.y), std::string("2×?")); // what both branches have in common
    const Typed assumed = model.maker.typed({model.y}, assuming());
    QCOMPARE(shapeText(assumed, model.y), std::string("2×32"));
}

void TestInferenceFlow::loopsOfKnownLengthRunStepByStep() {
    // Five times x = concat(x, row): 1 + 5 rows; every step also hands out a vector.
    GraphMaker maker;
    const ValueId x = maker.input("x", {1, 4});
    const auto outputs = maker.node(Op::Loop, {maker.integers({5}, {}), ValueId(), x}, {}, 2);
    maker.beginBody(outputs[0], "body");
    maker.input("i", {}, DType::Int64);
    const ValueId go = maker.input("go", {}, DType::Bool);
    const ValueId rows = maker.input("rows", ValueType{ValueKind::Tensor, DType::Float32, {}});
    const ValueId more =
        maker.one(Op::Concat, {rows, maker.weight({1, 4})}, {{"axis", std::int64_t(0)}});
    const ValueId goOn = maker.one(Op::Identity, {maker.integers({1}, {}, DType::Bool)});
    const ValueId row = maker.weight({4});
    maker.endBody({goOn, more, row});
    Q_UNUSED(go);
    const Typed typed = maker.typed(outputs);
    QCOMPARE(shapeText(typed, outputs[0]), std::string("6×4"));
    QCOMPARE(shapeText(typed, outputs[1]), std::string("5×4"));
    const NodeId loop = maker.graph().values[outputs[0]].producer;
    QCOMPARE(typed.trips[loop], std::int64_t(5));
    QCOMPARE(typed.executions[maker.graph().values[more].producer], std::int64_t(5));
    QCOMPARE(shapeText(typed, rows), std::string("?×4")); // what holds in every step
}

void TestInferenceFlow::loopsOfUnknownLengthCountOnceAndWidenWhatGrows() {
    GraphMaker maker;
    const ValueId most = maker.input("most", {}, DType::Int64);
    const ValueId x = maker.input("x", {1, 4});
    const auto outputs = maker.node(Op::Loop, {most, ValueId(), x}, {}, 2);
    maker.beginBody(outputs[0], "body");
    maker.input("i", {}, DType::Int64);
    const ValueId go = maker.input("go", {}, DType::Bool);
    const ValueId rows = maker.input("rows", ValueType{ValueKind::Tensor, DType::Float32, {}});
    const ValueId more =
        maker.one(Op::Concat, {rows, maker.weight({1, 4})}, {{"axis", std::int64_t(0)}});
    maker.endBody({go, more, rows});
    const Typed typed = maker.typed(outputs);
    QCOMPARE(shapeText(typed, outputs[0]), std::string("?×4"));
    QCOMPARE(typed.trips[maker.graph().values[outputs[0]].producer], std::int64_t(1));
    QCOMPARE(maker.diagnostics.count("infer.unknown_trip_count"), std::int64_t(1));
}

void TestInferenceFlow::scansRunOverTheirAxis() {
    GraphMaker maker;
    const ValueId state = maker.input("state", {8});
    const ValueId xs = maker.input("xs", {8, 6});
    const auto outputs = maker.node(Op::Scan, {state, xs},
        {{"num_scan_inputs", std::int64_t(1)}, {"scan_input_axes", Integers{1}}}, 2);
    maker.beginBody(outputs[0], "body");
    const ValueId sum = maker.input("sum", ValueType{});
    const ValueId x = maker.input("x", ValueType{});
    const ValueId next = maker.one(Op::Add, {sum, x});
    maker.endBody({next, next});
    const Typed typed = maker.typed(outputs);
    QCOMPARE(shapeText(typed, outputs[0]), std::string("8"));
    QCOMPARE(shapeText(typed, outputs[1]), std::string("6×8"));
    QCOMPARE(typed.executions[maker.graph().values[next].producer], std::int64_t(6));
}

void TestInferenceFlow::callsInferThroughTheirBody() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {kB, 12});
    const ValueId y = maker.one(Op::Call, {x, maker.integers({3, -1})});
    maker.beginBody(y, "function");
    const ValueId formal = maker.input("formal", ValueType{});
    const ValueId shape = maker.input("shape", ValueType{});
    maker.endBody({maker.one(Op::Reshape, {maker.one(Op::Relu, {formal}), shape})});
    QCOMPARE(shapeText(maker.typed({y}), y), std::string("3×4*batch"));
}

void TestInferenceFlow::sequencesKnowTheirItems() {
    GraphMaker maker;
    const ValueId a = maker.input("a", {2, 3});
    const ValueId b = maker.input("b", {2, 5});
    const ValueId sequence = maker.one(Op::SequenceConstruct, {a, b});
    const ValueId longer = maker.one(Op::SequenceInsert, {sequence, a});
    const ValueId last = maker.one(Op::SequenceAt, {sequence, maker.integers({-1}, {})});
    const ValueId joined = maker.one(Op::ConcatFromSequence, {longer}, {{"axis", std::int64_t(1)}});
    const ValueId length = maker.one(Op::SequenceLength, {longer});
    const Typed typed = maker.typed({last, joined, length});
    QCOMPARE(shapeText(typed, last), std::string("2×5"));
    QCOMPARE(shapeText(typed, joined), std::string("2×11"));
    QCOMPARE(toText(*typed.contents[length]), std::string("3"));
    QCOMPARE(shapeText(typed, sequence), std::string("2×?"));
    QVERIFY(typed.type(sequence).kind == ValueKind::Sequence);
}

void TestInferenceFlow::badNodesAreNamedAndTheRestGoesOn_data() {
    QTest::addColumn<int>("op");
    QTest::addColumn<QList<int>>("left");
    QTest::addColumn<QList<int>>("right");
    const auto row = [](const char* name, Op op, QList<int> left, QList<int> right) {
        QTest::newRow(name) << static_cast<int>(op) << left << right;
    };
    row("gemm of a vector", Op::Gemm, {4}, {4, 2});
    row("gemm of a scalar", Op::Gemm, {}, {4, 2});
    row("convolution of a matrix", Op::Conv, {3, 8}, {4, 3, 3, 3});
    row("convolution with wrong channels", Op::Conv, {1, 3, 8, 8}, {4, 5, 3, 3});
    row("kernel larger than the image", Op::Conv, {1, 3, 2, 2}, {4, 3, 9, 9});
    row("product of unlike sizes", Op::MatMul, {2, 3}, {4, 5});
    row("product of a scalar", Op::MatMul, {}, {4, 5});
    row("sum of unlike shapes", Op::Add, {2, 3}, {4});
    row("concat of unlike ranks", Op::Concat, {2, 3}, {2});
    row("lstm of a matrix", Op::LSTM, {2, 3}, {1, 8, 3});
    row("range of vectors", Op::Range, {3}, {3});
}

void TestInferenceFlow::badNodesAreNamedAndTheRestGoesOn() {
    QFETCH(int, op);
    QFETCH(QList<int>, left);
    QFETCH(QList<int>, right);
    GraphMaker maker;
    const auto shapeOf = [](const QList<int>& sizes) {
        Shape shape;
        for (const int size : sizes)
            shape.emplace_back(size);
        return shape;
    };
    const ValueId bad = maker.one(static_cast<Op>(op),
        {maker.input("a", shapeOf(left)), maker.input("b", shapeOf(right))},
        {{"axis", std::int64_t(0)}});
    const ValueId after = maker.one(Op::Relu, {bad});
    const ValueId good = maker.one(Op::Relu, {maker.input("c", {5})});
    const Typed typed = maker.typed({after, good});
    QVERIFY(!typed.type(bad).shape);
    QVERIFY(!typed.type(after).shape);
    QCOMPARE(shapeText(typed, good), std::string("5"));
    QCOMPARE(maker.diagnostics.count("infer.bad_node"), std::int64_t(1));
    QVERIFY(
        hasDiagnostic(maker.diagnostics, "infer.bad_node", nodeName(maker, bad, maker.graph())));
}

void TestInferenceFlow::declaredTypesFillGapsAndContradictionsAreReported() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2, 3});
    const ValueId custom = maker.one(Op::Unknown, {x});
    maker.graph().values[custom].declared = {ValueKind::Tensor, DType::Float32, Shape{4, 5}};
    const ValueId wrong = maker.one(Op::Relu, {x});
    maker.graph().values[wrong].declared = {ValueKind::Tensor, DType::Float32, Shape{2, 7}};
    const Typed typed = maker.typed({custom, wrong});
    QCOMPARE(shapeText(typed, custom), std::string("4×5"));
    QCOMPARE(shapeText(typed, wrong), std::string("2×3"));
    QCOMPARE(maker.diagnostics.count("infer.declared_differs"), std::int64_t(1));
    InferenceOptions options;
    options.ignoreDeclared = true;
    QCOMPARE(shapeText(maker.typed({custom, wrong}, options), custom), std::string("rank unknown"));
    QCOMPARE(maker.diagnostics.entries().size(), std::size_t(0));
}

void TestInferenceFlow::unsortedNodesAreSortedAndCyclesReported() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2, 3});
    const ValueId a = maker.one(Op::Relu, {x});
    const ValueId b = maker.one(Op::Transpose, {a});
    const ValueId c = maker.one(Op::Add, {x, x});
    const ValueId d = maker.one(Op::Add, {c, x});
    Graph& graph = maker.graph();
    auto& nodes = graph.blocks[Graph::mainBlock()].nodes;
    std::swap(nodes[0], nodes[1]);
    graph.nodes[graph.values[c].producer].inputs[1] = d; // c ⇄ d
    const auto order = executionOrder(graph, Graph::mainBlock());
    QCOMPARE(order[0], graph.values[a].producer);
    QCOMPARE(order[1], graph.values[b].producer);
    QCOMPARE(order.size(), std::size_t(4));
    const Typed typed = maker.typed({b, d});
    QCOMPARE(shapeText(typed, b), std::string("3×2"));
    QVERIFY(!typed.type(d).shape);
    QCOMPARE(maker.diagnostics.count("infer.cycle"), std::int64_t(2));
}

void TestInferenceFlow::deepNestingEndsWithADiagnostic() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId condition = maker.input("c", {}, DType::Bool);
    const ValueId top = maker.one(Op::If, {condition});
    std::vector<ValueId> chain{top};
    constexpr int kDepth = 3000;
    for (int i = 0; i < kDepth; ++i) {
        maker.beginBody(chain.back(), "then_branch");
        chain.push_back(maker.one(Op::If, {condition}));
    }
    maker.beginBody(chain.back(), "then_branch");
    maker.endBody({x});
    for (int i = kDepth; i > 0; --i)
        maker.endBody({chain[static_cast<std::size_t>(i)]});
    for (const ValueId id : chain) {
        maker.beginBody(id, "else_branch");
        maker.endBody({x});
    }
    const Typed typed = maker.typed({top});
    QVERIFY(maker.diagnostics.count("infer.nested_too_deeply") > 0);
    QCOMPARE(typed.executions.size(), std::size_t(kDepth + 1));
}

void TestInferenceFlow::cancellationStopsTheRun() {
    GraphMaker maker;
    ValueId x = maker.input("x", {2});
    for (int i = 0; i < 2000; ++i)
        x = maker.one(Op::Relu, {x});
    std::stop_source source;
    source.request_stop();
    const auto result =
        infer(maker.finish({x}), {}, maker.diagnostics, base::Progress(source.get_token()));
    QVERIFY(!result);
    QVERIFY(result.error().code == base::ErrorCode::Cancelled);
}

QTEST_APPLESS_MAIN(TestInferenceFlow)
#include "test_inference_flow.moc"
