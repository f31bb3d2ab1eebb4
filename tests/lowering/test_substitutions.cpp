// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/substitutions.h"

#include "core/lowering/inlining.h"
#include "tests/lowering/model.h"

#include <QtTest>

#include <cmath>
#include <numbers>
#include <set>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::StageGraph;
using Op = ir::Op;
using Build = std::function<ir::ValueId(Model&)>;
Q_DECLARE_METATYPE(Build)

class TestSubstitutions : public QObject {
    Q_OBJECT

private:
    static ir::Attributes with(
        std::initializer_list<std::pair<const char*, ir::AttributeValue>> list) {
        ir::Attributes attributes;
        for (const auto& [name, value] : list)
            attributes.set(name, value);
        return attributes;
    }

    static StageGraph substituted(Model& m, ir::ValueId result, const std::string& rule) {
        m.output(result);
        m.infer();
        m.settings.substitutes[m.graph->nodes[m.producer(result)].name] = rule;
        const lowering::Context context = m.context();
        return lowering::withSubstitutes(context, lowering::inlined(context));
    }

private slots:
    void everyRuleReplacesItsOperator_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<Build>("build");
        QTest::addColumn<qint64>("macs");
        const auto add = [](const char* rule, Build build, qint64 macs = 0) {
            QTest::newRow(rule) << QString(rule) << build << macs;
        };
        const Extents window{3, 3}, one{1, 1}, pads{1, 1, 1, 1}, two{2, 2};
        add(
            "conv-taps",
            [=](Model& m) {
                return m.node(Op::Conv,
                    {m.input("x", {1, 8, 10, 12}), m.weight("w", {16, 8, 3, 3}),
                        m.weight("b", {16})},
                    with({{"kernel_shape", window}, {"strides", two}, {"pads", pads}}));
            },
            16 * 8 * 9 * 5 * 6);
        add(
            "conv-transpose-product",
            [=](Model& m) {
                return m.node(Op::ConvTranspose,
                    {m.input("x", {1, 8, 5, 6}), m.weight("w", {8, 4, 2, 2})},
                    with({{"kernel_shape", two}, {"strides", two}}));
            },
            8 * 4 * 4 * 5 * 6);
        add("maxpool-slices", [=](Model& m) {
            return m.node(Op::MaxPool, {m.input("x", {1, 8, 10, 12})},
                with({{"kernel_shape", window}, {"strides", two}, {"pads", pads}}));
        });
        add("global-maxpool-reduce", [](Model& m) {
            return m.node(Op::GlobalMaxPool, {m.input("x", {1, 8, 10, 12})});
        });
        add(
            "cumsum-product",
            [](Model& m) {
                return m.node(Op::CumSum, {m.input("x", {2, 16, 8}), m.scalar("axis", 1)});
            },
            2 * 16 * 16 * 8);
        add("trilu-mask", [](Model& m) { return m.node(Op::Trilu, {m.input("x", {4, 16, 16})}); });
        add(
            "einsum-product",
            [](Model& m) {
                return m.node(Op::Einsum, {m.input("x", {2, 6, 4, 8}), m.input("y", {2, 4, 5, 8})},
                    with({{"equation", std::string("bihd, bhjd -> bhij")}}));
            },
            2 * 4 * 6 * 5 * 8);
        add("erf-exp", [](Model& m) { return m.node(Op::Erf, {m.input("x", {4, 16})}); });
        add("gelu-tanh", [](Model& m) { return m.node(Op::Gelu, {m.input("x", {4, 16})}); });
        add("fast-gelu-erf", [](Model& m) {
            return m.node(Op::FastGelu, {m.input("x", {4, 16})});
        });
        add("hardswish-clip", [](Model& m) {
            return m.node(Op::HardSwish, {m.input("x", {4, 16})});
        });
        add("sin-parabola", [](Model& m) { return m.node(Op::Sin, {m.input("x", {4, 16})}); });
        add("cos-parabola", [](Model& m) { return m.node(Op::Cos, {m.input("x", {4, 16})}); });
        add("mod-floor", [](Model& m) {
            return m.node(Op::Mod, {m.input("x", {4, 16}), m.input("y", {4, 16})});
        });
        add("isnan-compare", [](Model& m) { return m.node(Op::IsNaN, {m.input("x", {4, 16})}); });
        add("argmax-topk", [](Model& m) {
            return m.node(Op::ArgMax, {m.input("x", {4, 16})},
                with({{"axis", std::int64_t{-1}}, {"keepdims", std::int64_t{0}}}));
        });
    }

    void everyRuleReplacesItsOperator() {
        QFETCH(QString, rule);
        QFETCH(Build, build);
        QFETCH(qint64, macs);
        Model m;
        const ir::ValueId result = build(m);
        const Op op = m.graph->nodes[m.producer(result)].op;
        const StageGraph g = substituted(m, result, rule.toStdString());
        QCOMPARE(count(g, op), 0);
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(m.diagnostics.count("lowering.substitute"), 0);
        QCOMPARE(qint64(totalMacs(g)), macs);
        const auto made = find(g, result);
        QVERIFY(made.isValid());
        QVERIFY(g.values[made].shape == ir::knownShape(*m.typed.type(result).shape));
        for (const lowering::Node& node : g.nodes)
            QVERIFY(node.sources.size() == 1); // provenance of each part
        const auto* found = lowering::findSubstitution(rule.toStdString());
        QVERIFY(found && !found->exactness.empty());
        QCOMPARE(found->isExact, !found->exactness.starts_with("Not exact"));
    }

    void whatDoesNotFitIsSaid() {
        Model m;
        const StageGraph g = substituted(m, m.node(Op::Relu, {m.input("x", {4, 16})}), "erf-exp");
        QCOMPARE(count(g, Op::Relu), 1);
        QCOMPARE(m.diagnostics.count("lowering.substitute"), 1);
        Model other;
        other.output(other.node(Op::Relu, {other.input("x", {4})}));
        other.infer();
        other.settings.substitutes["nobody"] = "erf-exp";
        const lowering::Context context = other.context();
        (void)lowering::withSubstitutes(context, lowering::inlined(context));
        QCOMPARE(other.diagnostics.count("lowering.substitute"), 1);
        Model overlapping; // blocks of a transposed convolution that overlap
        const Extents three{3, 3}, two{2, 2};
        const StageGraph kept = substituted(overlapping,
            overlapping.node(Op::ConvTranspose,
                {overlapping.input("x", {1, 8, 5, 6}), overlapping.weight("w", {8, 4, 3, 3})},
                with({{"kernel_shape", three}, {"strides", two}})),
            "conv-transpose-product");
        QCOMPARE(count(kept, Op::ConvTranspose), 1);
        QCOMPARE(overlapping.diagnostics.count("lowering.substitute"), 1);
    }

    void rulesHaveNamesOfTheirOwn() {
        std::set<std::string_view> names;
        for (const auto& substitution : lowering::substitutions())
            QVERIFY(names.insert(substitution.rule).second);
        ir::Node gelu;
        gelu.op = Op::Gelu;
        QCOMPARE(lowering::substitutionsOf(gelu).size(), std::size_t(1));
        QVERIFY(lowering::substitutionsOf(gelu).front()->rule == "gelu-tanh");
        gelu.attributes.set("approximate", std::string("tanh"));
        QVERIFY(lowering::substitutionsOf(gelu).front()->rule == "gelu-erf");
    }

    /// The figures in the sentences hold for the formulas.
    void statedErrorsHold() {
        double erf = 0, sine = 0;
        for (double x = -6; x <= 6; x += 1e-3) {
            const double scale = 4 / std::sqrt(std::numbers::pi);
            const double doubled = x * (2 * 0.044715 * scale * x * x + scale);
            erf = std::max(erf, std::abs(1 - 2 / (std::exp(doubled) + 1) - std::erf(x)));
            using std::numbers::pi;
            const double r = x - 2 * pi * std::floor(x / (2 * pi) + 0.5);
            const double q = r * (4 / pi - 4 / (pi * pi) * std::abs(r));
            sine = std::max(sine, std::abs(q * (0.775 + 0.225 * std::abs(q)) - std::sin(x)));
        }
        qInfo() << "erf" << erf << "sine" << sine;
        QVERIFY(erf > 0.0001 && erf <= 0.0004);
        QVERIFY(sine > 0.0005 && sine <= 0.0011);
    }
};

QTEST_APPLESS_MAIN(TestSubstitutions)
#include "test_substitutions.moc"
