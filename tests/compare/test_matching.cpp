// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/matching.h"
#include "core/compare/names.h"
#include "tests/compare/small_graph.h"

#include <QtTest>

using namespace fivefold;
using compare::MatchRule;
using numerics::Tensor;

namespace {

Tensor zeros(std::vector<std::int64_t> shape) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape)
        size *= extent;
    return {ir::DType::Float32, std::move(shape),
        std::vector<double>(static_cast<std::size_t>(size), 0.0)};
}

/// x [2,3] → a = relu(x) → b = x + a, c = transpose(b) [3,2].
struct Model {
    SmallGraph graph;
    ir::ValueId x = graph.input("x", {2, 3});
    ir::ValueId a = graph.node(ir::Op::Relu, "/block/Relu_output_0", {x});
    ir::ValueId b = graph.node(ir::Op::Add, "/block/Add_output_0", {x, a});
    ir::ValueId c = graph.node(ir::Op::Transpose, "y", {b});
    std::shared_ptr<const ir::Typed> typed = graph.typed({c});
};

} // namespace

class TestMatching : public QObject {
    Q_OBJECT
private slots:
    void takesExactNamesFirst() {
        const Model model;
        const auto dump = compare::dumpOf(
            {{"y", zeros({3, 2})}, {"/block/Relu_output_0", zeros({2, 3})}, {"odd", zeros({9})}});
        const auto matching = match(*dump, *model.typed);
        QCOMPARE(matching.matches.size(), std::size_t(2));
        QVERIFY(matching.matches[0].value == model.a); // topological order
        QVERIFY(matching.of(model.c)->rule == MatchRule::ExactName);
        QCOMPARE(matching.unmatchedKeys, std::vector<std::string>{"odd"});
        QVERIFY(matching.missing == std::vector<ir::ValueId>{model.b});
    }

    void normalisesNames() {
        const Model model;
        const auto dump =
            compare::dumpOf({{"block.Relu", zeros({2, 3})}, {"block_add:0", zeros({2, 3})}});
        const auto matching = match(*dump, *model.typed);
        QVERIFY(matching.of(model.a) && matching.of(model.b));
        QVERIFY(matching.of(model.a)->rule == MatchRule::NormalisedName);
        QCOMPARE(compare::normalised("/attn/Softmax_output_0"), std::string("attnsoftmax"));
        QCOMPARE(compare::normalised("x_DequantizeLinear_Output"), std::string("x"));
    }

    void followsCallPaths() {
        const Model model;
        const auto dump = compare::dumpOf({{"Functional.relu.0.forward.output.0", zeros({2, 3})},
            {"Tensor.__add__.0.forward.output.0", zeros({2, 3})},
            {"Tensor.__add__.0.forward.input.0", zeros({2, 3})}});
        const auto matching = match(*dump, *model.typed);
        QVERIFY(matching.of(model.a) && matching.of(model.a)->rule == MatchRule::CallPath);
        QVERIFY(matching.of(model.b) && matching.of(model.b)->rule == MatchRule::CallPath);
    }

    void readsKeysOfModules() {
        const auto call = compare::parseCall("Module.attn.c_attn.Linear.forward.1.output.0");
        QVERIFY(call && call->isModule && call->isOutput);
        QCOMPARE(call->kind, std::string("attn.c_attn"));
        QCOMPARE(call->number, 1);
        QCOMPARE(compare::modulePath("layers.0.self_attn"), std::string("/layers.0/self_attn"));
        QVERIFY(!compare::parseCall("forward.x"));
        QVERIFY(!compare::parseCall(""));
    }

    void letsTheUserCorrect() {
        const Model model;
        const auto dump =
            compare::dumpOf({{"y", zeros({3, 2})}, {"/block/Relu_output_0", zeros({2, 3})}});
        const auto matching = match(
            *dump, *model.typed, {{"/block/Relu_output_0", "/block/Add_output_0"}, {"y", ""}});
        QVERIFY(!matching.of(model.a) && !matching.of(model.c));
        QVERIFY(matching.of(model.b)->rule == MatchRule::UserMap);
        QCOMPARE(matching.unmatchedKeys, std::vector<std::string>{"y"});
    }

    void saysWhenAMapMeansNothing() {
        const Model model;
        const auto dump = compare::dumpOf({{"k", zeros({3, 2})}});
        QCOMPARE(match(*dump, *model.typed, {{"k", "nowhere"}}).notes.size(), std::size_t(1));
    }

    void findsAnotherOrderOfAxes() {
        const Model model;
        const auto dump = compare::dumpOf({{"y", zeros({2, 3})}});
        const auto matching = match(*dump, *model.typed);
        QVERIFY((matching.of(model.c)->permutation == std::vector<std::int64_t>{1, 0}));
    }

    void takesTheOnlyOneOfItsShape() {
        const Model model;
        const auto dump = compare::dumpOf({{"unknown", zeros({3, 2})}});
        const auto matching = match(*dump, *model.typed);
        QVERIFY(matching.of(model.c) && matching.of(model.c)->rule == MatchRule::Structure);
    }

    void warnsWhenItGoesByPosition() {
        const Model model;
        const auto dump = compare::dumpOf({{"p", zeros({2, 3})}, {"q", zeros({2, 3})}});
        const auto matching = match(*dump, *model.typed);
        QVERIFY(matching.of(model.a)->rule == MatchRule::Position);
        QCOMPARE(matching.of(model.b)->key, std::string("q"));
        QCOMPARE(matching.notes.size(), std::size_t(1));
    }

    void pairsDumpsWithoutAModel() {
        const auto a = compare::dumpOf({{"x", zeros({2})}, {"/y_output_0", zeros({2})}});
        const auto b = compare::dumpOf({{"y", zeros({2})}, {"x", zeros({2})}, {"z", zeros({2})}});
        const auto pairs = compare::matchDumps(*a, *b);
        QCOMPARE(pairs.size(), std::size_t(2));
        QCOMPARE(pairs[1].first, std::string("/y_output_0"));
        QCOMPARE(pairs[1].second, std::string("y"));
    }
};

QTEST_APPLESS_MAIN(TestMatching)
#include "test_matching.moc"
