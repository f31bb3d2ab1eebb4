// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/interpreter.h"
#include "tests/ir/graph_maker.h"

#include <QTest>

#include <cmath>
#include <stop_token>
#include <thread>

using namespace fivefold;
using namespace fivefold::numerics;
using ir::DType;
using ir::Op;
using ir::Shape;
using ir::ValueId;
using ir::test::GraphMaker;
using ir::test::Integers;

namespace {

Tensor floats(std::vector<std::int64_t> shape, std::vector<double> values) {
    return {DType::Float32, std::move(shape), std::move(values)};
}

base::Result<Run> runOf(GraphMaker& maker, const std::vector<ValueId>& outputs,
    const Inputs& inputs, const RunOptions& options = {}, const base::Progress& progress = {}) {
    const ir::Typed typed = maker.typed(outputs);
    Weights weights(typed.graph);
    return run(typed, inputs, weights, options, progress);
}

std::vector<double> numbersOf(const base::Result<Run>& result, ValueId id) {
    if (!result)
        return {};
    const auto found = result->values.find(id);
    return found == result->values.end() ? std::vector<double>{} : found->second.tensor.numbers();
}

using Numbers = std::vector<double>;

} // namespace

class TestInterpreter : public QObject {
    Q_OBJECT

private slots:
    void inputsFlowThroughOperators();
    void unknownOperatorsAndWhatNeedsThemAreSkipped();
    void aWrongShapeIsAnErrorThatListsTheInputs();
    void aMissingInputIsAnError();
    void onlyWhatIsKeptIsLeft();
    void givenValuesAreNotComputed();
    void selectedNodesRunAlone();
    void moreMemoryThanAllowedIsAnError();
    void branchesReadValuesAroundThem();
    void loopsCarryAndCollect();
    void aLoopWithoutTripsGivesEmptyCollections();
    void anEndlessLoopIsCut();
    void anEndlessLoopCanBeCancelled();
    void scansRunOverAnAxisInBothDirections();
    void sequencesAreMapped();
    void missingWeightsAreSeededByName();
    void normsGetOnesAndZeros();
    void randomIndicesStayInsideTheirTable();
    void bothCarriersGiveTheSame();
};

void TestInterpreter::inputsFlowThroughOperators() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId y = maker.one(Op::Add, {x, maker.floats({1, 2})});
    const ValueId z = maker.one(Op::Mul, {y, y});
    const auto byName = runOf(maker, {z}, {{"x", floats({2}, {3, 4})}});
    QVERIFY2(byName.isOk(), byName ? "" : byName.error().text().c_str());
    QVERIFY(numbersOf(byName, z) == (Numbers{16, 36}));
    const auto byPlace = runOf(maker, {z}, {{"0", floats({2}, {0, 0})}});
    QVERIFY(numbersOf(byPlace, z) == (Numbers{1, 4}));
    QVERIFY(byName->skipped.empty());
}

void TestInterpreter::unknownOperatorsAndWhatNeedsThemAreSkipped() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId unknown = maker.one(Op::TreeEnsemble, {x});
    const ValueId after = maker.one(Op::Neg, {unknown});
    const ValueId aside = maker.one(Op::Neg, {x});
    const auto result = runOf(maker, {after, aside}, {{"x", floats({2}, {1, 2})}});
    QVERIFY(result.isOk());
    QCOMPARE(result->skipped.size(), std::size_t(2));
    QVERIFY(numbersOf(result, aside) == (Numbers{-1, -2}));
    QVERIFY(!result->values.contains(after));
    QCOMPARE(result->diagnostics.count("numerics.not_executable"), 1);
    QVERIFY(result->diagnostics.entries()[0].message.find("TreeEnsemble is not executable here")
        != std::string::npos);
}

void TestInterpreter::aWrongShapeIsAnErrorThatListsTheInputs() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2, 3});
    const ValueId n = maker.input("n", {}, DType::Int64);
    const ValueId y = maker.one(Op::Neg, {x});
    const auto result = runOf(
        maker, {y, n}, {{"x", floats({3}, {1, 2, 3})}, {"n", Tensor::scalar(DType::Int64, 1)}});
    QVERIFY(!result);
    QVERIFY2(result.error().message.find("x (float32 2×3)") != std::string::npos,
        result.error().message.c_str());
    QVERIFY(result.error().message.find("n (int64 scalar)") != std::string::npos);
}

void TestInterpreter::aMissingInputIsAnError() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const auto result = runOf(maker, {maker.one(Op::Neg, {x})}, {});
    QVERIFY(!result);
    QVERIFY(result.error().message.find("Input x is not given") != std::string::npos);
}

void TestInterpreter::onlyWhatIsKeptIsLeft() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId a = maker.one(Op::Neg, {x});
    const ValueId b = maker.one(Op::Neg, {a});
    RunOptions options;
    options.keeps = [b](ValueId id) { return id == b; };
    const auto result = runOf(maker, {b}, {{"x", floats({2}, {1, 2})}}, options);
    QVERIFY(result.isOk());
    QCOMPARE(result->values.size(), std::size_t(1));
    QVERIFY(numbersOf(result, b) == (Numbers{1, 2}));
}

void TestInterpreter::givenValuesAreNotComputed() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId a = maker.one(Op::TreeEnsemble, {x});
    const ValueId b = maker.one(Op::Neg, {a});
    RunOptions options;
    options.given[a] = floats({2}, {5, 6});
    const auto result = runOf(maker, {b}, {{"x", floats({2}, {1, 2})}}, options);
    QVERIFY(result.isOk());
    QVERIFY(numbersOf(result, b) == (Numbers{-5, -6}));
    QVERIFY(result->skipped.empty());
}

void TestInterpreter::selectedNodesRunAlone() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId a = maker.one(Op::Neg, {x});
    const ValueId b = maker.one(Op::Add, {a, maker.floats({1, 1})});
    const ValueId c = maker.one(Op::Neg, {b});
    const ir::NodeId node = maker.graph().values[b].producer;
    RunOptions options;
    options.given[a] = floats({2}, {7, 8});
    options.only = {node};
    const auto result = runOf(maker, {c}, {}, options);
    QVERIFY(result.isOk());
    QVERIFY(numbersOf(result, b) == (Numbers{8, 9}));
    QVERIFY(!result->values.contains(c));
}

void TestInterpreter::moreMemoryThanAllowedIsAnError() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {1024});
    ValueId y = x;
    for (int i = 0; i < 4; ++i)
        y = maker.one(Op::Neg, {y});
    RunOptions options;
    options.memoryLimitBytes = 3 * 1024 * 8;
    const Inputs inputs{{"x", floats({1024}, Numbers(1024, 1.0))}};
    const auto all = runOf(maker, {y}, inputs, options);
    QVERIFY(!all);
    QVERIFY(all.error().code == base::ErrorCode::Limit);
    options.keeps = [y](ValueId id) { return id == y; };
    const auto few = runOf(maker, {y}, inputs, options);
    QVERIFY2(few.isOk(), few ? "" : few.error().text().c_str());
}

void TestInterpreter::branchesReadValuesAroundThem() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2});
    const ValueId condition = maker.input("condition", {}, DType::Bool);
    const ValueId outer = maker.one(Op::Neg, {x});
    const ValueId chosen = maker.one(Op::If, {condition});
    maker.beginBody(chosen, "then_branch");
    maker.endBody({maker.one(Op::Add, {outer, outer})});
    maker.beginBody(chosen, "else_branch");
    maker.endBody({outer});
    RunOptions options;
    options.keeps = [chosen](ValueId id) { return id == chosen; };
    for (const bool isTrue : {true, false}) {
        const auto result = runOf(maker, {chosen},
            {{"x", floats({2}, {1, 2})}, {"condition", Tensor::scalar(DType::Bool, isTrue)}},
            options);
        QVERIFY(result.isOk());
        QVERIFY(numbersOf(result, chosen) == (isTrue ? Numbers{-2, -4} : Numbers{-1, -2}));
    }
}

namespace {

/// sum += x each trip; collects sum. The condition is passed on.
std::vector<ValueId> sumLoop(GraphMaker& maker, ValueId trips, ValueId condition) {
    const ValueId start = maker.floats({0, 0});
    const ValueId x = maker.input("x", {2});
    const auto outputs = maker.node(Op::Loop, {trips, condition, start}, {}, 2);
    maker.beginBody(outputs[0], "body");
    maker.input("trip", {}, DType::Int64);
    const ValueId going = maker.input("going", {}, DType::Bool);
    const ValueId sum = maker.input("sum", {2});
    const ValueId next = maker.one(Op::Add, {sum, x});
    maker.endBody({going, next, next});
    return outputs;
}

} // namespace

void TestInterpreter::loopsCarryAndCollect() {
    GraphMaker maker;
    const ValueId trips = maker.input("trips", {}, DType::Int64);
    const auto outputs = sumLoop(maker, trips, ValueId());
    RunOptions options;
    options.keeps = [&](ValueId id) { return id == outputs[0] || id == outputs[1]; };
    const auto result = runOf(maker, outputs,
        {{"trips", Tensor::scalar(DType::Int64, 3)}, {"x", floats({2}, {1, 10})}}, options);
    QVERIFY2(result.isOk(), result ? "" : result.error().text().c_str());
    QVERIFY(numbersOf(result, outputs[0]) == (Numbers{3, 30}));
    QVERIFY(numbersOf(result, outputs[1]) == (Numbers{1, 10, 2, 20, 3, 30}));
    QVERIFY(result->values.at(outputs[1]).tensor.shape() == (Integers{3, 2}));
}

void TestInterpreter::aLoopWithoutTripsGivesEmptyCollections() {
    GraphMaker maker;
    const ValueId trips = maker.input("trips", {}, DType::Int64);
    const auto outputs = sumLoop(maker, trips, ValueId());
    const auto result = runOf(
        maker, outputs, {{"trips", Tensor::scalar(DType::Int64, 0)}, {"x", floats({2}, {1, 10})}});
    QVERIFY(result.isOk());
    QVERIFY(numbersOf(result, outputs[0]) == (Numbers{0, 0}));
    QVERIFY(result->values.at(outputs[1]).tensor.shape() == (Integers{0, 2}));
}

void TestInterpreter::anEndlessLoopIsCut() {
    GraphMaker maker;
    const ValueId start = maker.input("start", {1});
    const ValueId last = maker.one(Op::Loop, {ValueId(), ValueId(), start});
    maker.beginBody(last, "body");
    maker.input("trip", {}, DType::Int64);
    const ValueId going = maker.input("going", {}, DType::Bool);
    const ValueId carried = maker.input("carried", {1});
    maker.endBody({going, carried});
    const auto result = runOf(maker, {last}, {{"start", floats({1}, {1})}});
    QVERIFY(result.isOk());
    QCOMPARE(result->skipped.size(), std::size_t(1));
    QVERIFY(result->diagnostics.entries()[0].message.find("did not end within 1000000 trips")
        != std::string::npos);
}

void TestInterpreter::anEndlessLoopCanBeCancelled() {
    GraphMaker maker;
    const auto outputs = sumLoop(maker, ValueId(), ValueId());
    std::stop_source source;
    std::jthread stopper([&source] { source.request_stop(); });
    RunOptions options;
    options.keeps = [](ValueId) { return false; };
    const auto result = runOf(
        maker, outputs, {{"x", floats({2}, {1, 10})}}, options, base::Progress(source.get_token()));
    QVERIFY(!result);
    QVERIFY(result.error().code == base::ErrorCode::Cancelled);
}

void TestInterpreter::scansRunOverAnAxisInBothDirections() {
    GraphMaker maker;
    const ValueId start = maker.floats({0});
    const ValueId x = maker.input("x", {1, 3});
    const auto outputs = maker.node(Op::Scan, {start, x},
        {{"num_scan_inputs", std::int64_t(1)}, {"scan_input_axes", Integers{1}},
            {"scan_input_directions", Integers{1}}, {"scan_output_axes", Integers{1}},
            {"scan_output_directions", Integers{1}}},
        2, 16);
    maker.beginBody(outputs[0], "body");
    const ValueId sum = maker.input("sum", {1});
    const ValueId item = maker.input("item", {1});
    const ValueId next = maker.one(Op::Add, {sum, item});
    maker.endBody({next, next});
    const auto result = runOf(maker, outputs, {{"x", floats({1, 3}, {1, 10, 100})}});
    QVERIFY2(result.isOk(), result ? "" : result.error().text().c_str());
    QVERIFY(numbersOf(result, outputs[0]) == (Numbers{111}));
    QVERIFY(numbersOf(result, outputs[1]) == (Numbers{111, 110, 100}));
}

void TestInterpreter::sequencesAreMapped() {
    GraphMaker maker;
    ir::ValueType type{ir::ValueKind::Sequence, DType::Float32, std::nullopt};
    const ValueId items = maker.input("items", type);
    const ValueId mapped = maker.one(Op::SequenceMap, {items});
    maker.beginBody(mapped, "body");
    const ValueId item =
        maker.input("item", ir::ValueType{ir::ValueKind::Tensor, DType::Float32, std::nullopt});
    maker.endBody({maker.one(Op::Neg, {item})});
    const ValueId second = maker.one(Op::SequenceAt, {mapped, maker.integers({1}, {})});
    Datum sequence;
    sequence.kind = Datum::Kind::Sequence;
    sequence.items = {floats({1}, {1}), floats({2}, {2, 3})};
    const auto result = runOf(maker, {second}, {{"items", sequence}});
    QVERIFY2(result.isOk(), result ? "" : result.error().text().c_str());
    QVERIFY(numbersOf(result, second) == (Numbers{-2, -3}));
}

void TestInterpreter::missingWeightsAreSeededByName() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {1, 64});
    const ValueId w = maker.weight({64, 32});
    const ValueId y = maker.one(Op::MatMul, {x, w});
    const ir::Typed typed = maker.typed({y});
    base::Diagnostics diagnostics;
    Weights first(typed.graph), second(typed.graph), other(typed.graph, 2);
    const auto a = first.of(w, Carrier::Double, diagnostics);
    const auto b = second.of(w, Carrier::Double, diagnostics);
    const auto c = other.of(w, Carrier::Double, diagnostics);
    QVERIFY(a.isOk() && b.isOk() && c.isOk());
    QVERIFY(a->numbers() == b->numbers());
    QVERIFY(a->numbers() != c->numbers());
    QVERIFY(first.isRandom(w));
    QCOMPARE(diagnostics.count("numerics.random_weights"), 3);
    double squares = 0;
    for (const double value : a->numbers())
        squares += value * value;
    const double deviation = std::sqrt(squares / static_cast<double>(a->size()));
    QVERIFY(std::abs(deviation * 8 - 1) < 0.1); // 1/√64
}

void TestInterpreter::normsGetOnesAndZeros() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2, 4});
    const ValueId scale = maker.weight({4});
    const ValueId shift = maker.weight({4});
    const ValueId y = maker.one(Op::LayerNormalization, {x, scale, shift});
    const ir::Typed typed = maker.typed({y});
    base::Diagnostics diagnostics;
    Weights weights(typed.graph);
    QVERIFY(weights.of(scale, Carrier::Float, diagnostics)->numbers() == Numbers(4, 1.0));
    QVERIFY(weights.of(shift, Carrier::Float, diagnostics)->numbers() == Numbers(4, 0.0));
}

void TestInterpreter::randomIndicesStayInsideTheirTable() {
    GraphMaker maker;
    const ValueId table = maker.weight({3, 8});
    const ValueId ids = maker.input("ids", {4, 50}, DType::Int64);
    const ValueId mask = maker.input("attention_mask", {4, 50}, DType::Int64);
    const ValueId flat = maker.one(Op::Reshape, {ids, maker.integers({-1})});
    const ValueId rows = maker.one(Op::Gather, {table, flat});
    const ir::Typed typed = maker.typed({rows, mask});
    const Inputs inputs = randomInputs(typed, 1);
    QVERIFY(inputs.at("attention_mask").tensor.numbers() == Numbers(200, 1.0));
    const auto* values = inputs.at("ids").tensor.as<std::int64_t>();
    QVERIFY(values);
    QVERIFY(*std::ranges::max_element(*values) == 2 && *std::ranges::min_element(*values) == 0);
    Weights weights(typed.graph);
    const auto result = run(typed, inputs, weights, {});
    QVERIFY(result.isOk());
    QVERIFY(result->skipped.empty());
}

void TestInterpreter::bothCarriersGiveTheSame() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {8, 16});
    const ValueId y = maker.one(Op::MatMul, {x, maker.weight({16, 4})});
    const ir::Typed typed = maker.typed({y});
    const Inputs inputs = randomInputs(typed, 3);
    Weights weights(typed.graph);
    RunOptions single;
    single.carrier = Carrier::Float;
    const auto wide = run(typed, inputs, weights, {});
    const auto narrow = run(typed, inputs, weights, single);
    QVERIFY(wide.isOk() && narrow.isOk());
    QVERIFY(narrow->values.at(y).tensor.as<float>());
    for (std::int64_t i = 0; i < 32; ++i)
        QVERIFY(
            std::abs(wide->values.at(y).tensor.number(i) - narrow->values.at(y).tensor.number(i))
            < 1e-5);
}

QTEST_APPLESS_MAIN(TestInterpreter)
#include "test_interpreter.moc"
