// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"
#include "core/numerics/evaluate.h"
#include "core/numerics/rungs.h"

#include <QTest>

#include <cmath>
#include <limits>

// Public bug reports of facts/debugging.md, section 5, by their numbers there: the right value, the
// wrong one, and the level that is found.

using namespace fivefold;
using ir::DType;
using ir::Op;
using numerics::Datum;
using numerics::FaultId;
using numerics::Format;
using numerics::Tensor;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

numerics::Subject lowered(std::string_view sample, std::string_view machine) {
    auto model = analysis::openModel(
        std::string(FIVEFOLD_SOURCE_DIR) + "/samples/faults/" + std::string(sample) + ".onnx");
    auto found = machines::machineByIdOrFile(std::string(machine));
    if (!model || !found)
        return {};
    analysis::Request request{*model, *found, {}, {}};
    request.settings.precision = (*found)->defaultPrecision();
    auto result = analysis::analyze(request);
    return result ? analysis::subjectOf(*result) : numerics::Subject();
}

/// A device run with a fault of the catalogue, and what a comparison of its dump finds.
struct Bug {
    numerics::Subject subject;
    compare::Planted planted;
    std::shared_ptr<const compare::Divergence> divergence;

    Tensor device(const std::string& name) const {
        for (const auto& [own, tensor] : planted.device)
            if (own == name)
                return tensor;
        return {};
    }
    int climbed() const {
        const auto& level = planted.ladder.verdict.level;
        return level ? static_cast<int>(*level) : 0;
    }
    int compared() const {
        const auto& levels = divergence->levels;
        return levels.empty() || !levels[0].level ? 0 : static_cast<int>(*levels[0].level);
    }
};

std::optional<Bug> bugOf(int fault, std::string_view sample, std::string_view machine,
    std::string_view node, numerics::Inputs inputs = {},
    std::map<std::string, double> parameters = {}) {
    Bug bug;
    bug.subject = lowered(sample, machine);
    if (!bug.subject.program)
        return std::nullopt;
    numerics::Fault planted;
    planted.id = static_cast<FaultId>(fault);
    planted.parameters = std::move(parameters);
    for (std::size_t i = 0; i < bug.subject.graph().nodes.size(); ++i)
        if (bug.subject.graph().nodes[ir::NodeId(i)].name == node)
            planted.node = ir::NodeId(i);
    auto run = compare::plant(bug.subject, inputs, {planted});
    if (!run)
        return std::nullopt;
    bug.planted = *std::move(run);
    compare::Side side;
    side.repeats = {compare::dumpOf(bug.planted.device, "device")};
    auto divergence =
        analysis::debug({bug.subject, std::nullopt, side, bug.planted.inputs, {}, {}});
    if (!divergence)
        return std::nullopt;
    bug.divergence = *divergence;
    return bug;
}

Tensor floats(std::vector<std::int64_t> shape, std::vector<double> values) {
    return {DType::Float32, std::move(shape), std::move(values)};
}

std::vector<double> evaluated(Op op, std::vector<Datum> inputs, const ir::Attributes& attributes,
    const numerics::Arithmetic* arithmetic = nullptr) {
    numerics::Operation operation;
    operation.op = op;
    operation.name = "operation";
    operation.attributes = &attributes;
    numerics::Evaluation evaluation;
    evaluation.arithmetic = arithmetic;
    auto results = numerics::evaluate(operation, inputs, evaluation);
    return results ? (*results)[0].tensor.numbers() : std::vector<double>();
}

numerics::Arithmetic half(Format accumulate) {
    numerics::Arithmetic arithmetic;
    arithmetic.storage = arithmetic.multiply = Format::Fp16;
    arithmetic.accumulate = accumulate;
    return arithmetic;
}

numerics::Inputs only(const std::string& name, Tensor tensor) {
    numerics::Inputs inputs;
    inputs[name] = std::move(tensor);
    return inputs;
}

} // namespace

class TestPublicBugs : public QObject {
    Q_OBJECT

private slots:
    void o01CloneOf65();
    void o02MeanOfZeros();
    void o03SuffixOfSticks();
    void o05NaNInTheTail();
    void levels_data();
    void levels();
    void o09LargestHalfInDlFloat();
    void o12SoftmaxInATile();
    void o13ConstantReference();
    void o14PadFill();
    void o19Alias();
    void o23Subnormals();
    void o24HalfSum();
    void o25Softplus();
    void o27InversePair();
    void o28Transposition();
    void o29Contraction();
    void o34AmplifiedStep();
    void o36SumBeyondHalf();
    void o40TimeOut();
};

void TestPublicBugs::o01CloneOf65() {
    std::vector<double> values(65);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i);
    const auto bug = bugOf(12, "clone_65", "spyre", "clone", only("x", floats({65}, values)));
    QVERIFY(bug);
    const Tensor clone = bug->device("clone");
    QCOMPARE(clone.number(64), 0.0); // right: 64
    QCOMPARE(clone.number(63), 63.0);
    QCOMPARE(bug->planted.wrong.count, 1);
    QCOMPARE(bug->climbed(), 4);
    QCOMPARE(bug->compared(), 4);
    for (const auto& transfer : bug->planted.ladder.verdict.transfers)
        QVERIFY(transfer.isClean());
}

/// 55 lanes of padding hold 1/9, taken times 1/9.
void TestPublicBugs::o02MeanOfZeros() {
    // The sample adds one before the mean: zeros go in there.
    const auto bug = bugOf(15, "mean_cube", "spyre", "mean",
        only("x", floats({3, 7, 9}, std::vector<double>(189, -1))));
    QVERIFY(bug);
    const Tensor mean = bug->device("mean");
    for (std::int64_t i = 0; i < mean.size(); ++i)
        QVERIFY(std::abs(mean.number(i) - 0.6787) < 0.002); // right: 0; 0.6797 was seen
    QCOMPARE(bug->planted.wrong.count, 21);
    QCOMPARE(bug->climbed(), 4);
    QCOMPARE(bug->compared(), 4);
}

void TestPublicBugs::o03SuffixOfSticks() {
    std::vector<double> right(1088), wrong(1088);
    compare::ElementSet set;
    set.total = 1088;
    for (std::size_t i = 0; i < right.size(); ++i) {
        right[i] = wrong[i] = std::sin(static_cast<double>(i)) + 30;
        if (i < 64)
            continue;
        wrong[i] = right[i] + 40 * std::cos(static_cast<double>(i * i));
        set.add(static_cast<std::int64_t>(i));
    }
    const auto pattern =
        compare::classify(floats({1088}, wrong), floats({1088}, right), set, nullptr, {});
    QVERIFY(pattern.kind == compare::Pattern::Kind::Suffix);
    QCOMPARE(pattern.at, 64);
}

void TestPublicBugs::o05NaNInTheTail() {
    const auto bug = bugOf(16, "exp_product", "spyre", "product");
    QVERIFY(bug);
    const Tensor product = bug->device("product");
    QVERIFY(std::isnan(product.number(*bug->planted.wrong.first()))); // right: finite
    const auto& layer = bug->divergence->layers[bug->divergence->origins.front()];
    const Tensor& right = bug->divergence->contents.at(bug->divergence->origins.front()).reference;
    for (std::int64_t i = 0; i < right.size(); ++i)
        QVERIFY(std::isfinite(right.number(i)));
    QCOMPARE(layer.nodeName, std::string("product"));
    QCOMPARE(bug->climbed(), 4);
    QCOMPARE(bug->compared(), 4);
}

void TestPublicBugs::levels_data() {
    QTest::addColumn<int>("fault");
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("node");
    QTest::addColumn<int>("level");
    QTest::addColumn<bool>("hasValues");
    const auto add = [](const char* bug, int fault, const char* sample, const char* machine,
                         const char* node, int level, bool hasValues = true) {
        QTest::newRow(bug) << fault << sample << machine << node << level << hasValues;
    };
    add("O06 a scalar on one core", 21, "shared_product", "spyre", "product", 5);
    add("O07 overlapping buffers", 20, "where_flag", "spyre", "doubled", 5);
    add("O16 one token, two consumers", 26, "two_readers", "cerebras_wse3", "shared", 6, false);
    add("O22 the branch of the first call", 2, "where_flag", "gpu_h100_sxm", "where", 1);
    add("O30 alpha on the product alone", 9, "scaled_bias", "gpu_h100_sxm", "scale", 3);
    add("O32 one buffer short", 22, "shared_product", "gpu_h100_sxm", "product", 5);
    add("O37 gelu by tanh", 4, "gelu_rows", "cpu_reference", "gelu", 2);
    add("O39 read before it arrived", 28, "two_products", "spyre", "second", 7);
}

void TestPublicBugs::levels() {
    QFETCH(int, fault);
    QFETCH(QString, sample);
    QFETCH(QString, machine);
    QFETCH(QString, node);
    QFETCH(int, level);
    QFETCH(bool, hasValues);
    const auto bug = bugOf(fault, sample.toStdString(), machine.toStdString(), node.toStdString());
    QVERIFY(bug);
    QCOMPARE(bug->climbed(), level);
    QCOMPARE(bug->planted.nodeName, node.toStdString());
    QCOMPARE(bug->compared(), hasValues ? level : 0);
}

/// 65504 lies midway between 65472 and 65536: the rule for ties decides, and back in fp16 65536 is
/// infinity.
void TestPublicBugs::o09LargestHalfInDlFloat() {
    const double kept = numerics::round(-65504, Format::DlFloat16);
    QCOMPARE(kept, -65472.0);
    QCOMPARE(numerics::round(kept, Format::Fp16), -65472.0);
    QCOMPARE(kept - numerics::ulp(kept, Format::DlFloat16), -65536.0);
    QCOMPARE(numerics::round(-65536, Format::Fp16), -kInfinity);
}

void TestPublicBugs::o12SoftmaxInATile() {
    ir::Attributes last;
    last.set("axis", std::int64_t(-1));
    const auto right = evaluated(Op::Softmax, {floats({2}, {3, 1})}, last);
    QVERIFY(std::abs(right[0] - 0.881) < 5e-4 && std::abs(right[1] - 0.119) < 5e-4);
    std::vector<double> tile(32, 0);
    const auto zeros = evaluated(Op::Softmax, {floats({32}, tile)}, last);
    QCOMPARE(zeros[0], 1.0 / 32);
    tile[0] = 3, tile[1] = 1;
    const auto wrong = evaluated(Op::Softmax, {floats({32}, tile)}, last);
    QVERIFY(std::abs(wrong[0] - 0.380) < 5e-4 && std::abs(wrong[1] - 0.051) < 5e-4);
    const auto bug = bugOf(14, "softmax_narrow", "spyre", "softmax");
    QVERIFY(bug);
    const Tensor softmax = bug->device("softmax");
    for (std::int64_t row = 0; row < 5; ++row)
        QVERIFY(softmax.number(3 * row) + softmax.number(3 * row + 1) + softmax.number(3 * row + 2)
            < 0.99); // right: 1
    QCOMPARE(bug->climbed(), 4);
    QCOMPARE(bug->compared(), 4);
}

/// A soft-max of equal logits is 1/7 everywhere: no correlation is defined for it.
void TestPublicBugs::o13ConstantReference() {
    ir::Attributes last;
    last.set("axis", std::int64_t(-1));
    const auto right =
        evaluated(Op::Softmax, {floats({7}, std::vector<double>(7, -3.39e38))}, last);
    for (const double each : right)
        QVERIFY(std::abs(each - 1.0 / 7) < 1e-15);
    std::vector<double> device = right;
    device[6] = 0;
    const auto figures = compare::differ(floats({7}, device), floats({7}, right), {}, Format::Bf16);
    QVERIFY(!figures.cosine.has_value());
    QCOMPARE(figures.wrong.count, 1);
}

/// What memory held before does not reach any result of a machine without a fault.
void TestPublicBugs::o14PadFill() {
    const auto subject = lowered("mean_cube", "spyre");
    QVERIFY(subject.program);
    const auto inputs = compare::lessonInputs(subject, {}, 1);
    std::vector<double> first;
    for (const double fill : {0.0, 0.5, 2.0, 7.0, kNaN}) {
        numerics::RungOptions options;
        options.poison = fill;
        const auto run = numerics::runRung(subject, numerics::Rung::LaidOut, inputs, options);
        QVERIFY(run.isOk());
        std::vector<double> values;
        for (const ir::ValueId output : subject.graph().main().outputs)
            values = run->values.at(output).tensor.numbers();
        if (first.empty())
            first = values;
        QVERIFY(!values.empty() && values == first);
    }
}

/// Who reads through the alias gets what was there before the update.
void TestPublicBugs::o19Alias() {
    const auto bug = bugOf(3, "alias_squeeze", "gpu_h100_sxm", "squeeze");
    QVERIFY(bug);
    const Tensor update = bug->device("update"), start = bug->device("start"),
                 alias = bug->device("squeeze");
    for (std::int64_t i = 0; i < alias.size(); ++i)
        QCOMPARE(alias.number(i), start.number(i)); // right: update, 1 / start
    QVERIFY(update.number(0) != start.number(0));
    QCOMPARE(bug->climbed(), 1);
    QCOMPARE(bug->compared(), 1);
}

void TestPublicBugs::o23Subnormals() {
    const double right = 0.1875 * 0x1p-124;
    QVERIFY(std::abs(right - 8.8162e-39) < 1e-43);
    numerics::Arithmetic single = numerics::singleArithmetic();
    const std::vector<Datum> operands{floats({}, {0.1875}), floats({}, {0x1p-124})};
    QCOMPARE(evaluated(Op::Mul, operands, {}, &single), std::vector<double>{right});
    single.flushesSubnormals = true;
    QCOMPARE(evaluated(Op::Mul, operands, {}, &single), std::vector<double>{0});
    const auto bug = bugOf(33, "subnormal_rows", "gpu_h100_sxm", "small");
    QVERIFY(bug);
    QCOMPARE(bug->climbed(), 8);
    QCOMPARE(bug->compared(), 8);
}

void TestPublicBugs::o24HalfSum() {
    const Datum x = floats({8}, {32000, 32000, 32000, 32000, -32000, -32000, -32000, -32000});
    ir::Attributes all;
    all.set("keepdims", std::int64_t(0));
    const auto wide = half(Format::Fp32), narrow = half(Format::Fp16);
    QCOMPARE(evaluated(Op::ReduceSum, {x}, all, &wide), std::vector<double>{0});
    const auto wrong = evaluated(Op::ReduceSum, {x}, all, &narrow);
    QCOMPARE(wrong.size(), std::size_t(1));
    QVERIFY(!std::isfinite(wrong[0]));
}

void TestPublicBugs::o25Softplus() {
    // linspace(−1, 1, 6) as [2, 3] with its axes exchanged.
    const auto right = evaluated(Op::Softplus, {floats({3, 2}, {-1, 0.2, -0.6, 0.6, -0.2, 1})}, {});
    const std::vector<double> wanted{0.3133, 0.7981, 0.4375, 1.0375, 0.5981, 1.3133};
    QCOMPARE(right.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QVERIFY(std::abs(right[i] - wanted[i]) < 5e-5);
}

void TestPublicBugs::o27InversePair() {
    numerics::Arithmetic single = numerics::singleArithmetic();
    const auto exponential = evaluated(Op::Exp, {floats({1}, {89})}, {}, &single);
    QCOMPARE(evaluated(Op::Log, {floats({1}, exponential)}, {}, &single),
        std::vector<double>{kInfinity}); // wrong: 89
    const auto bug = bugOf(11, "log_exp", "tpu_v5e", "log");
    QVERIFY(bug);
    const std::int64_t at = *bug->planted.wrong.first();
    QVERIFY(std::isfinite(bug->device("log").number(at)));
    QCOMPARE(bug->climbed(), 3);
    QCOMPARE(bug->compared(), 3);
}

void TestPublicBugs::o28Transposition() {
    const auto bug = bugOf(17, "transpose_six", "tpu_v5e", "transpose",
        only("x", floats({3, 1, 2}, {0, 1, 2, 3, 4, 5})));
    QVERIFY(bug);
    QCOMPARE(bug->device("transpose").numbers(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
    const std::size_t origin = bug->divergence->origins.front();
    QCOMPARE(bug->divergence->contents.at(origin).reference.numbers(),
        (std::vector<double>{0, 2, 4, 1, 3, 5}));
    QCOMPARE(bug->climbed(), 4);
    QCOMPARE(bug->compared(), 4);
}

/// One product of a difference stays unrounded: what is left is its rounding error.
void TestPublicBugs::o29Contraction() {
    const double a = numerics::round(1e20, Format::Fp32), b = numerics::round(1e10, Format::Fp32);
    const double product = numerics::round(a * b, Format::Fp32);
    QCOMPARE(product - product, 0.0); // each product rounded: right
    const double contracted = std::fma(a, b, -product);
    QCOMPARE(std::abs(numerics::round(contracted, Format::Fp32)), 4.993411122843311e21);
}

/// A sum one step below 1 becomes 0 at the floor: amplified there, no bug.
void TestPublicBugs::o34AmplifiedStep() {
    const auto subject = lowered("floor_rows", "gpu_h100_sxm");
    QVERIFY(subject.program);
    int amplified = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto inputs = compare::lessonInputs(subject, {}, seed);
        auto device = compare::control(subject, inputs, 6, seed);
        QVERIFY(device.isOk());
        compare::Side side;
        side.repeats = {compare::dumpOf(*std::move(device), "control")};
        const auto found = analysis::debug({subject, std::nullopt, side, inputs, {}, {}});
        QVERIFY(found.isOk());
        QVERIFY2((*found)->origins.empty(), (*found)->headline.c_str());
        for (const auto& layer : (*found)->layers)
            amplified += layer.isAmplified ? 1 : 0;
    }
    QVERIFY(amplified > 0);
}

void TestPublicBugs::o36SumBeyondHalf() {
    std::vector<double> values(64, 2048); // their sum is 131,072, their mean 2,048
    ir::Attributes all;
    all.set("keepdims", std::int64_t(0));
    const auto wide = half(Format::Fp32), narrow = half(Format::Fp16);
    QCOMPARE(
        evaluated(Op::ReduceMean, {floats({64}, values)}, all, &wide), std::vector<double>{2048});
    const auto wrong = evaluated(Op::ReduceMean, {floats({64}, values)}, all, &narrow);
    QVERIFY(!wrong.empty() && !std::isfinite(wrong[0]));
    const auto bug = bugOf(32, "sum_long", "gpu_h100_sxm", "sum");
    QVERIFY(bug);
    QCOMPARE(bug->climbed(), 8);
    QCOMPARE(bug->compared(), 8);
}

/// Nothing waits in a cycle: a transfer is outstanding past its deadline.
void TestPublicBugs::o40TimeOut() {
    const auto bug = bugOf(30, "two_products", "spyre", "second");
    QVERIFY(bug);
    QCOMPARE(bug->climbed(), 7);
    QVERIFY(!bug->planted.ladder.verdict.deadlock);
    bool isLate = false;
    for (const auto& transfer : bug->planted.ladder.verdict.transfers)
        isLate = isLate || (transfer.deadline && transfer.completed > *transfer.deadline);
    QVERIFY(isLate);
    QVERIFY(bug->divergence->headline.find("the run stopped there") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestPublicBugs)
#include "test_public_bugs.moc"
