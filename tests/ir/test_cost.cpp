// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/cost.h"
#include "graph_maker.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::ir;
using namespace fivefold::ir::test;

class TestCost : public QObject {
    Q_OBJECT

private slots:
    void contractionsCountTheirProducts_data();
    void contractionsCountTheirProducts();
    void arithmeticCountsOneAnElementAndMovementNothing();
    void bytesTellWeightsFromActivations();
    void unknownIsNotZero();
    void loopsMultiplyAndCallsAreNotCountedTwice();
    void branchesCountWhereTheyAreTaken();
};

namespace {

struct Row {
    const char* name;
    Op op;
    std::vector<Shape> inputs;
    std::vector<Attribute> attributes;
    std::int64_t macs;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> kRows{
        // 64·112·112 outputs of 3·7·7
        {"convolution", Op::Conv, {{1, 3, 224, 224}, {64, 3, 7, 7}},
            {{"strides", Integers{2, 2}}, {"pads", Integers{3, 3, 3, 3}}}, 64LL * 112 * 112 * 147},
        {"depthwise convolution", Op::Conv, {{1, 32, 8, 8}, {32, 1, 3, 3}},
            {{"group", std::int64_t(32)}, {"pads", Integers{1, 1, 1, 1}}}, 32 * 64 * 9},
        {"transposed convolution spreads its input", Op::ConvTranspose,
            {{1, 16, 7, 7}, {16, 8, 3, 3}}, {{"strides", Integers{2, 2}}}, 16 * 49 * 8 * 9},
        {"batched product", Op::MatMul, {{2, 12, 128, 64}, {2, 12, 64, 128}}, {},
            2LL * 12 * 128 * 128 * 64},
        {"broadcast product", Op::MatMul, {{8, 128, 64}, {64, 32}}, {}, 8 * 128 * 32 * 64},
        {"row times matrix", Op::MatMul, {{4}, {4, 3}}, {}, 12},
        {"gemm without bias", Op::Gemm, {{3, 2}, {5, 3}, {5}},
            {{"transA", std::int64_t(1)}, {"transB", std::int64_t(1)}}, 2 * 5 * 3},
        {"einsum", Op::Einsum, {{2, 8, 16, 64}, {2, 8, 32, 64}},
            {{"equation", std::string("bhid,bhjd->bhij")}}, 2 * 8 * 16 * 32 * 64},
        {"einsum of one operand", Op::Einsum, {{3, 4}}, {{"equation", std::string("ij->ji")}}, 0},
        // 2·8·5·5·(64 + 64)
        {"attention", Op::Attention, {{2, 8, 5, 64}, {2, 4, 5, 64}, {2, 4, 5, 64}}, {},
            2 * 8 * 25 * 128},
        {"lstm", Op::LSTM, {{7, 2, 10}, {1, 80, 10}, {1, 80, 20}},
            {{"hidden_size", std::int64_t(20)}}, 7 * 2 * 4 * 20 * 30},
        {"bidirectional gru", Op::GRU, {{7, 2, 10}, {2, 60, 10}, {2, 60, 20}},
            {{"hidden_size", std::int64_t(20)}, {"direction", std::string("bidirectional")}},
            2 * 7 * 2 * 3 * 20 * 30},
        {"packed 4-bit product", Op::MatMulNBits, {{1, 5, 64}, {32, 2, 16}, {64}},
            {{"K", std::int64_t(64)}, {"N", std::int64_t(32)}}, 5 * 32 * 64},
        // every query head reads the state, every key head writes it: 2·6·(8·4)·(4 + 2)
        {"linear attention", Op::LinearAttention, {{2, 6, 32}, {2, 6, 16}, {2, 6, 8}},
            {{"q_num_heads", std::int64_t(4)}, {"kv_num_heads", std::int64_t(2)},
                {"update_rule", std::string("linear")}},
            2 * 6 * 32 * 6},
    };
    return kRows;
}

} // namespace

void TestCost::contractionsCountTheirProducts_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rows().size(); ++i)
        QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TestCost::contractionsCountTheirProducts() {
    QFETCH(int, row);
    const Row& wanted = rows()[static_cast<std::size_t>(row)];
    GraphMaker maker;
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < wanted.inputs.size(); ++i)
        inputs.push_back(maker.input("x" + std::to_string(i), wanted.inputs[i]));
    const ValueId y = maker.one(wanted.op, inputs, wanted.attributes);
    const Typed typed = maker.typed({y});
    const NodeCost work = cost(typed, NodeId(0));
    QVERIFY(work.isKnown());
    QCOMPARE(*work.macs, wanted.macs);
    QCOMPARE(*work.flops, 2.0 * static_cast<double>(wanted.macs));
    QCOMPARE(modelCost(typed).macs, std::optional(wanted.macs));
}

void TestCost::arithmeticCountsOneAnElementAndMovementNothing() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {4, 8});
    const ValueId softmax = maker.one(Op::Softmax, {x});
    const ValueId mean = maker.one(Op::ReduceMean, {softmax}, {{"axes", Integers{1}}});
    const ValueId moved = maker.one(Op::Transpose, {softmax});
    const ValueId view = maker.one(Op::Reshape, {moved, maker.integers({32})});
    const Typed typed = maker.typed({mean, view});
    QCOMPARE(*cost(typed, NodeId(0)).flops, 32.0);
    QCOMPARE(*cost(typed, NodeId(1)).flops, 4.0);
    QCOMPARE(*cost(typed, NodeId(2)).flops, 0.0);
    QCOMPARE(*cost(typed, NodeId(3)).flops, 0.0);
    QCOMPARE(*modelCost(typed).flops, 36.0);
}

void TestCost::bytesTellWeightsFromActivations() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {4, 8}, DType::Float16);
    const ValueId y = maker.one(
        Op::Gemm, {x, maker.weight({8, 2}, DType::Float16), maker.weight({2}, DType::Float16)});
    const ValueId z = maker.one(Op::Mul, {y, y});
    const Typed typed = maker.typed({z});
    const NodeCost gemm = cost(typed, NodeId(0));
    QCOMPARE(gemm.bytesIn->value, std::int64_t(64));
    QCOMPARE(gemm.bytesWeight->value, std::int64_t(36));
    QCOMPARE(gemm.bytesOut->value, std::int64_t(16));
    QCOMPARE(cost(typed, NodeId(1)).bytesIn->value, std::int64_t(16)); // one value, read once
}

void TestCost::unknownIsNotZero() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {Dim::symbol("n"), 8});
    const ValueId y = maker.one(Op::MatMul, {x, maker.weight({8, 4})});
    const ValueId custom = maker.one(Op::Unknown, {y});
    const Typed typed = maker.typed({custom});
    QVERIFY(!cost(typed, NodeId(0)).macs);
    QVERIFY(!cost(typed, NodeId(1)).isKnown());
    const ModelCost model = modelCost(typed);
    QVERIFY(!model.macs);
    QVERIFY(!model.flops);
    QCOMPARE(model.unknownNodes, std::int64_t(2));
    InferenceOptions options;
    options.bindings.dims["n"] = 3;
    const ModelCost bound = modelCost(maker.typed({custom}, options));
    QCOMPARE(bound.macs, std::optional<std::int64_t>(96));
    QCOMPARE(bound.unknownNodes, std::int64_t(1));
}

void TestCost::loopsMultiplyAndCallsAreNotCountedTwice() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2, 4});
    const ValueId y = maker.one(Op::Loop, {maker.integers({100}, {}), ValueId(), x});
    maker.beginBody(y, "body");
    maker.input("i", {}, DType::Int64);
    const ValueId go = maker.input("go", {}, DType::Bool);
    const ValueId state = maker.input("state", ValueType{});
    const ValueId inner = maker.one(Op::Call, {state});
    maker.beginBody(inner, "function");
    const ValueId formal = maker.input("formal", ValueType{});
    maker.endBody({maker.one(Op::MatMul, {formal, maker.weight({4, 4})})});
    maker.endBody({go, inner});
    const Typed typed = maker.typed({y});
    QCOMPARE(
        cost(typed, maker.graph().values[inner].producer).macs, std::optional<std::int64_t>(32));
    QCOMPARE(cost(typed, maker.graph().values[y].producer).macs, std::optional<std::int64_t>(3200));
    QCOMPARE(modelCost(typed).macs, std::optional<std::int64_t>(3200));
}

void TestCost::branchesCountWhereTheyAreTaken() {
    GraphMaker maker;
    const ValueId x = maker.input("x", {2, 8});
    const ValueId condition = maker.input("c", {}, DType::Bool);
    const ValueId y = maker.one(Op::If, {condition});
    for (const std::int64_t columns : {4, 32}) {
        maker.beginBody(y, columns == 4 ? "then_branch" : "else_branch");
        maker.endBody({maker.one(Op::MatMul, {x, maker.weight({8, columns})})});
    }
    QCOMPARE(modelCost(maker.typed({y})).macs, std::optional<std::int64_t>(2 * 8 * 32));
    InferenceOptions options;
    options.bindings.scalars["c"] = 1;
    QCOMPARE(modelCost(maker.typed({y}, options)).macs, std::optional<std::int64_t>(2 * 8 * 4));
}

QTEST_APPLESS_MAIN(TestCost)
#include "test_cost.moc"
