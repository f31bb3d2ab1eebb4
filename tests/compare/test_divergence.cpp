// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"
#include "core/compare/side_values.h"
#include "tests/compare/small_graph.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace fivefold;
using compare::Divergence;
using compare::Verdict;
using ir::Op;
using numerics::Tensor;

namespace {

using Named = std::vector<std::pair<std::string, Tensor>>;
using Values = std::vector<double>;

constexpr std::int64_t kRows = 4, kColumns = 96;

double half(double value) {
    return numerics::round(value, numerics::Format::Fp16);
}

Values filled(std::size_t size, double phase) {
    Values values(size);
    for (std::size_t i = 0; i < size; ++i)
        values[i] = std::sin(static_cast<double>(i) * 0.37 + phase) * 1.5;
    return values;
}

/// s = x · w (matrix product), r = relu(s), n = -r, t = n + x, e = exp(t); computed in fp64, or as
/// a device does with every result in fp16.
struct Chain {
    SmallGraph graph;
    bool hasWeights;
    std::vector<float> weights;
    ir::ValueId x, w, s, r, n, t, e;
    numerics::Subject subject;

    explicit Chain(bool hasWeights_ = true)
        : hasWeights(hasWeights_) {
        for (const double value : filled(kColumns * kColumns, 0.3))
            weights.push_back(static_cast<float>(half(value / 8)));
        x = graph.input("x", {kRows, kColumns});
        w = graph.weight("w", {kColumns, kColumns}, hasWeights ? weights : std::vector<float>());
        s = graph.node(Op::MatMul, "s", {x, w});
        r = graph.node(Op::Relu, "r", {s});
        n = graph.node(Op::Neg, "n", {r});
        t = graph.node(Op::Add, "t", {n, x});
        e = graph.node(Op::Exp, "e", {t});
        subject.typed = graph.typed({e});
        subject.weights = std::make_shared<numerics::Weights>(subject.typed->graph);
    }

    using Fault = std::function<void(const std::string&, Values&)>;
    Named run(bool isDevice, const Fault& fault = {}) const {
        const auto done = [&](const std::string& name, Values& values) {
            if (fault)
                fault(name, values);
            if (isDevice)
                std::ranges::transform(values, values.begin(), half);
        };
        std::map<std::string, Values> all;
        all["x"] = filled(kRows * kColumns, 1);
        std::ranges::transform(all["x"], all["x"].begin(), half);
        Values& product = all["s"] = Values(kRows * kColumns, 0.0);
        for (std::size_t row = 0; row < kRows; ++row)
            for (std::size_t column = 0; column < kColumns; ++column)
                for (std::size_t k = 0; k < kColumns; ++k)
                    product[row * kColumns + column] +=
                        all["x"][row * kColumns + k] * weights[k * kColumns + column];
        done("s", product);
        const auto pointwise = [&](const char* name, const char* from, auto function) {
            Values& values = all[name] = all[from];
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = function(values[i], i);
            done(name, values);
        };
        pointwise("r", "s", [](double v, std::size_t) { return std::max(v, 0.0); });
        pointwise("n", "r", [](double v, std::size_t) { return -v; });
        pointwise("t", "n", [&](double v, std::size_t i) { return v + all["x"][i]; });
        pointwise("e", "t", [](double v, std::size_t) { return std::exp(v); });
        Named named;
        for (auto& [name, values] : all)
            named.emplace_back(name,
                Tensor(isDevice ? ir::DType::Float16 : ir::DType::Float32, {kRows, kColumns},
                    std::move(values)));
        return named;
    }

    numerics::Inputs inputs() const {
        numerics::Inputs inputs;
        inputs.emplace("x", numerics::Datum(run(false)[5].second));
        return inputs;
    }
};

compare::Side sideOf(Named tensors) {
    return {{compare::dumpOf(std::move(tensors))}, {}};
}

Named without(Named tensors, const std::vector<std::string>& names) {
    std::erase_if(tensors,
        [&](const auto& pair) { return std::ranges::find(names, pair.first) != names.end(); });
    return tensors;
}

Divergence compared(const Chain& chain, const Named& device, bool hasReference = true) {
    const auto reference = sideOf(chain.run(false));
    auto result = compareRuns(
        chain.subject, hasReference ? &reference : nullptr, sideOf(device), chain.inputs(), {});
    return result ? *std::move(result) : Divergence();
}

std::string originOf(const Divergence& divergence) {
    return divergence.origins.size() == 1 ? divergence.layers[divergence.origins[0]].key
                                          : std::to_string(divergence.origins.size());
}

const compare::Layer& layerOf(const Divergence& divergence, const std::string& key) {
    return *std::ranges::find(divergence.layers, key, &compare::Layer::key);
}

Chain::Fault at(const std::string& where, const std::function<void(Values&)>& change) {
    return [=](const std::string& name, Values& values) {
        if (name == where)
            change(values);
    };
}

} // namespace

class TestDivergence : public QObject {
    Q_OBJECT
private slots:
    void reportsNothingOnACleanPair() {
        const Chain chain;
        const auto result = compared(chain, chain.run(true));
        QCOMPARE(originOf(result), std::string("0"));
        for (const auto& layer : result.layers)
            QVERIFY(layer.verdict == Verdict::Clean || layer.verdict == Verdict::Benign
                || layer.verdict == Verdict::Missing);
        QVERIFY(result.headline.starts_with("No layer diverges"));
    }

    void findsTheOrigin_data() {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<int>("kind");
        for (const char* layer : {"s", "r", "n", "t", "e"})
            for (int kind = 0; kind < 6; ++kind)
                QTest::addRow("%s %d", layer, kind) << layer << kind;
    }
    void findsTheOrigin() {
        QFETCH(QString, layer);
        QFETCH(int, kind);
        const auto change = [kind](Values& v) {
            switch (kind) {
            case 0:
                v[1] += 3;
                break;
            case 1:
                for (double& value : v)
                    value *= 65.0 / 64;
                break;
            case 2:
                v[7] = std::nan("");
                break;
            case 3:
                std::ranges::rotate(v, v.begin() + 1);
                break;
            case 4:
                for (std::size_t i = 63; i < v.size(); i += 64)
                    v[i] = 5.5;
                break;
            default:
                v.back() = -7;
            }
        };
        const std::string where = layer.toStdString();
        for (const bool hasReference : {true, false}) {
            const Chain chain;
            const auto result = compared(chain, chain.run(true, at(where, change)), hasReference);
            QCOMPARE(QString::fromStdString(originOf(result)), layer);
        }
    }

    void locatesTheElement() {
        const Chain chain;
        const auto result =
            compared(chain, chain.run(true, at("s", [](Values& v) { v.back() = 9; })));
        const auto& origin = layerOf(result, "s");
        QVERIFY(origin.local.has_value());
        QCOMPARE(origin.local->wrong.count, 1);
        QCOMPARE(*origin.local->wrong.first(), kRows * kColumns - 1);
        QVERIFY(layerOf(result, "e").verdict == Verdict::Inherited);
    }

    /// Without weights the product cannot be recomputed: the growth of errors decides.
    void findsTheOriginFromDumpsAlone() {
        const Chain chain(false);
        const auto wrong = chain.run(true, at("s", [](Values& v) { v[5] += 2; }));
        QCOMPARE(originOf(compared(chain, wrong)), std::string("s"));
        QCOMPARE(originOf(compared(chain, chain.run(true))), std::string("0"));
    }

    void healsBehindAStepFunction() {
        const Chain chain;
        // A negative product that is wrong, and still negative: the rectifier hides it.
        const auto right = chain.run(true);
        const auto product = right[3].second.numbers();
        const auto at0 =
            static_cast<std::size_t>(std::ranges::min_element(product) - product.begin());
        QVERIFY(product[at0] < 0);
        const auto result =
            compared(chain, chain.run(true, at("s", [&](Values& v) { v[at0] -= 2; })));
        QCOMPARE(originOf(result), std::string("s"));
        QVERIFY(layerOf(result, "r").verdict == Verdict::Healed);
        QVERIFY(layerOf(result, "n").verdict == Verdict::Clean);
    }

    void recomputesWhatADumpLacks() {
        const Chain chain;
        const auto wrong = chain.run(true, at("r", [](Values& v) { v[2] += 3; }));
        const auto result = compared(chain, without(wrong, {"s", "r", "n"}));
        QCOMPARE(originOf(result), std::string("t"));
        QVERIFY(result.capture.has_value());
        QCOMPARE(result.capture->interval.size(), std::size_t(4));
        QVERIFY(!result.capture->next.empty() && result.capture->rounds <= 2);
        QVERIFY(result.capture->script.find("WANTED") != std::string::npos);
        QCOMPARE(
            originOf(compared(chain, without(chain.run(true), {"s", "r", "n"}))), std::string("0"));
    }

    void marksWhatVariesBetweenRepeats() {
        const Chain chain;
        const auto reference = sideOf(chain.run(false));
        compare::Side device = sideOf(chain.run(true));
        device.repeats.push_back(
            compare::dumpOf(chain.run(true, at("n", [](Values& v) { v[9] = 4; }))));
        const auto result = compareRuns(chain.subject, &reference, device, chain.inputs(), {});
        QVERIFY(result);
        QCOMPARE(originOf(*result), std::string("n"));
        QCOMPARE(layerOf(*result, "n").unstable.count, 1);
        QVERIFY(layerOf(*result, "n").reason.find("race") != std::string::npos);
    }

    void findsAWrongInput() {
        const Chain chain;
        Named device = chain.run(true);
        for (auto& [name, tensor] : device) {
            if (name != "x")
                continue;
            Values values = tensor.numbers();
            values[3] = 100;
            tensor = Tensor(tensor.dtype(), tensor.shape(), std::move(values));
        }
        const auto result = compared(chain, device);
        QVERIFY(!result.origins.empty());
        QCOMPARE(result.layers[result.origins[0]].key, std::string("x"));
        QVERIFY(result.before[0].holds == false);
    }

    /// bf16 has fewer digits than fp16 and lies within it: both hold such a dump.
    void knowsTheFormatOfWidenedDumps_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("fp16") << int(numerics::Format::Fp16);
        QTest::newRow("bf16") << int(numerics::Format::Bf16);
        QTest::newRow("e4m3") << int(numerics::Format::Fp8E4M3);
        QTest::newRow("fp32") << int(numerics::Format::Fp32);
    }
    void knowsTheFormatOfWidenedDumps() {
        QFETCH(int, format);
        const auto wanted = static_cast<numerics::Format>(format);
        Values values = filled(kRows * kColumns, 1), other = filled(kRows * kColumns, 2);
        for (double& value : values)
            value = numerics::round(value, wanted);
        const std::vector<std::int64_t> shape{kRows, kColumns};
        const auto dump = compare::dumpOf({{"a", Tensor(ir::DType::Float32, shape, values)},
            {"w", Tensor(ir::DType::Float32, shape, other)}});
        QVERIFY(compare::formatOfContents(*dump, {"w"}) == wanted);
    }

    /// Cutting off shows where some results are exact, and where parameters are kept wide.
    void findsTruncation() {
        const Chain chain;
        const auto cut = [](Values& values) {
            for (double& value : values)
                value =
                    numerics::round(value, numerics::Format::Fp16, numerics::Rounding::TowardZero);
        };
        QCOMPARE(originOf(compared(chain, chain.run(true, at("s", cut)))), std::string("s"));
    }

    /// A sum of terms may cancel, so its small elements have a wide tolerance; where all others are
    /// rounded once, one that is not stands out.
    void findsASmallElementThatIsOff() {
        const Chain chain;
        std::size_t smallest = 0;
        const auto move = [&](Values& values) {
            for (std::size_t i = 0; i < values.size(); ++i)
                if (std::abs(values[i]) < std::abs(values[smallest]))
                    smallest = i;
            values[smallest] += 0.0005;
        };
        const auto result = compared(chain, chain.run(true, at("s", move)));
        QCOMPARE(originOf(result), std::string("s"));
        const auto& wrong = layerOf(result, "s").local->wrong;
        QCOMPARE(wrong.count, std::int64_t(1));
        QCOMPARE(*wrong.first(), static_cast<std::int64_t>(smallest));
    }

    void saysWhichCorrectionsNameNothing() {
        const Chain chain;
        compare::Side device = sideOf(chain.run(true));
        device.edits = {{"nothing", "s"}, {"s", "neither"}};
        const auto reference = sideOf(chain.run(false));
        const auto result = compareRuns(chain.subject, &reference, device, chain.inputs(), {});
        QVERIFY(result);
        const auto count = std::ranges::count_if(result->notes, [](const std::string& note) {
            return note.find("has no effect") != std::string::npos;
        });
        QCOMPARE(count, 2);
    }

    /// NumPy's default type says nothing of how the device computed.
    void takesDoublesForWhatTheyHold() {
        const Chain chain;
        Named device = chain.run(true);
        for (auto& [name, tensor] : device)
            tensor = tensor.retyped(ir::DType::Float64);
        QCOMPARE(originOf(compared(chain, device)), std::string("0"));
    }

    void comparesDumpsWithoutAModel() {
        const Chain chain;
        const auto wrong = chain.run(true, at("r", [](Values& v) { v[2] += 3; }));
        const auto result = compareDumps(sideOf(chain.run(false)), sideOf(wrong), {});
        QVERIFY(result);
        QVERIFY(!result->origins.empty());
        const auto clean = compareDumps(sideOf(chain.run(false)), sideOf(chain.run(true)), {});
        QVERIFY(clean && clean->origins.empty());
    }

    void refusesNothing() {
        const Chain chain;
        QVERIFY(!compare::compareRuns(chain.subject, nullptr, {}, {}, {}));
        QVERIFY(!compare::compareDumps({}, {}, {}));
    }
};

QTEST_APPLESS_MAIN(TestDivergence)
#include "test_divergence.moc"
