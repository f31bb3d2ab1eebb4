// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/evaluate.h"
#include "core/numerics/random.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace fivefold;
using numerics::Datum;
using numerics::Format;
using numerics::Tensor;

namespace {

using Shape = std::vector<std::int64_t>;

Tensor floats(Shape shape, std::vector<double> values) {
    return {ir::DType::Float32, std::move(shape), std::move(values)};
}
Tensor integers(ir::DType dtype, Shape shape, std::vector<std::int64_t> values) {
    return {dtype, std::move(shape), std::move(values)};
}

/// One operator under one evaluation; an Error fails the test where its result is looked at.
struct Try {
    ir::Attributes attributes;
    numerics::Operation operation;
    numerics::Evaluation evaluation;

    explicit Try(ir::Op op) { operation.op = op; }
    Try& set(std::string name, ir::AttributeValue value) {
        attributes.set(std::move(name), std::move(value));
        return *this;
    }
    base::Result<std::vector<Datum>> run(std::vector<Datum> inputs) {
        operation.attributes = &attributes;
        return numerics::evaluate(operation, inputs, evaluation);
    }
    Tensor first(std::vector<Datum> inputs) {
        auto results = run(std::move(inputs));
        if (results)
            return (*results)[0].tensor;
        qWarning("%s", results.error().text().c_str());
        return {};
    }
};

void compare(const Tensor& found, const Shape& shape, const std::vector<double>& wanted) {
    QVERIFY(found.isDefined());
    QVERIFY(found.shape() == shape);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double value = found.number(static_cast<std::int64_t>(i));
        QVERIFY2(std::abs(value - wanted[i]) <= 1e-9 + 1e-6 * std::abs(wanted[i])
                || (std::isnan(value) && std::isnan(wanted[i])),
            qPrintable(QString("element %1 is %2, not %3").arg(i).arg(value).arg(wanted[i])));
    }
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

} // namespace

/// Arithmetic operators on data whose results are known by hand.
class TestArithmeticKernels : public QObject {
    Q_OBJECT

private slots:
    void broadcastsAndWraps();
    void dividesLikeOnnx();
    void castsSmallFloats();
    void reducesNothing();
    void multipliesInMachineFormats();
    void accumulatesStepwise();
    void attendsWithoutAnyKey();
    void convolvesByHand();
    void transposesConvolutions();
    void poolsWithCeilMode();
    void contractsWithEllipsis();
    void refusesHostileShapes();
    void saysWhatIsNotExecutable();
    void survivesNonsense();
};

void TestArithmeticKernels::broadcastsAndWraps() {
    compare(Try(ir::Op::Add).first({floats({2, 1}, {1, 10}), floats({3}, {1, 2, 3})}), {2, 3},
        {2, 3, 4, 11, 12, 13});
    compare(Try(ir::Op::Add)
                .first({integers(ir::DType::UInt8, {2}, {250, 3}),
                    integers(ir::DType::UInt8, {}, {10})}),
        {2}, {4, 13});
    compare(Try(ir::Op::Max).first({floats({2}, {kNan, 1}), floats({2}, {1, 2})}), {2}, {kNan, 2});
}

void TestArithmeticKernels::dividesLikeOnnx() {
    const Tensor a = integers(ir::DType::Int32, {4}, {-7, 7, 7, -7}),
                 b = integers(ir::DType::Int32, {4}, {2, -2, 0, -1});
    compare(Try(ir::Op::Div).first({a, b}), {4}, {-3, -3, 0, 7});
    compare(Try(ir::Op::Mod).first({a, b}), {4}, {1, -1, 0, 0});
    compare(Try(ir::Op::Mod).set("fmod", std::int64_t(1)).first({a, b}), {4}, {-1, 1, 0, 0});
    compare(Try(ir::Op::Round).first({floats({4}, {0.5, 1.5, 2.5, -0.5})}), {4}, {0, 2, 2, 0});
}

void TestArithmeticKernels::castsSmallFloats() {
    constexpr std::int64_t kE4M3 = 17; // TensorProto.DataType
    const Tensor x = floats({4}, {500, 449, 0.3, -1000});
    compare(Try(ir::Op::Cast).set("to", kE4M3).first({x}), {4}, {448, 448, 0.3125, -448});
    compare(Try(ir::Op::Cast).set("to", kE4M3).set("saturate", std::int64_t(0)).first({x}), {4},
        {kNan, 448, 0.3125, kNan});
    compare(Try(ir::Op::Cast).set("to", std::int64_t(3)).first({floats({2}, {-1.7, 127.9})}), {2},
        {-1, 127});
}

void TestArithmeticKernels::reducesNothing() {
    const Tensor empty = floats({2, 0}, {});
    compare(Try(ir::Op::ReduceSum).set("axes", Shape{1}).first({empty}), {2, 1}, {0, 0});
    compare(Try(ir::Op::ReduceProd)
                .set("axes", Shape{1})
                .set("keepdims", std::int64_t(0))
                .first({empty}),
        {2}, {1, 1});
    QVERIFY(std::isinf(Try(ir::Op::ReduceMax).set("axes", Shape{1}).first({empty}).number(0)));
}

/// 1 + 2^-9 is no value of bf16: the factor becomes 1 (C2 of the controls: benign, and predicted).
void TestArithmeticKernels::multipliesInMachineFormats() {
    numerics::Arithmetic arithmetic;
    arithmetic.multiply = Format::Bf16;
    arithmetic.accumulate = arithmetic.storage = Format::Fp32;
    Try product(ir::Op::MatMul);
    product.evaluation.arithmetic = &arithmetic;
    const Tensor a = floats({1, 2}, {1 + 0x1p-9, 3}), b = floats({2, 1}, {1, 1});
    compare(product.first({a, b}), {1, 1}, {4});
    compare(Try(ir::Op::MatMul).first({a, b}), {1, 1}, {4 + 0x1p-9});
}

/// Ones summed in fp16 stop at 2048, in fp32 they do not.
void TestArithmeticKernels::accumulatesStepwise() {
    numerics::Arithmetic arithmetic;
    arithmetic.multiply = arithmetic.storage = arithmetic.accumulate = Format::Fp16;
    const Tensor ones = floats({1, 4000}, std::vector<double>(4000, 1));
    for (const ir::Op op : {ir::Op::ReduceSum, ir::Op::FusedMatMul}) {
        Try sum(op);
        sum.evaluation.arithmetic = &arithmetic;
        sum.set("transB", std::int64_t(1));
        const bool isReduction = op == ir::Op::ReduceSum;
        const auto inputs = isReduction ? std::vector<Datum>{ones} : std::vector<Datum>{ones, ones};
        arithmetic.accumulate = Format::Fp16;
        compare(sum.first(inputs), {1, 1}, {2048});
        arithmetic.accumulate = Format::Fp32;
        compare(sum.first(inputs), {1, 1}, {4000});
    }
}

/// A row whose keys are all masked gives zero (iree issue 24175).
void TestArithmeticKernels::attendsWithoutAnyKey() {
    const Tensor q = floats({1, 1, 2, 1}, {1, 1}), k = floats({1, 1, 2, 1}, {0, 0}),
                 v = floats({1, 1, 2, 1}, {2, 4});
    const Tensor mask = integers(ir::DType::Bool, {2, 2}, {0, 0, 1, 1});
    compare(Try(ir::Op::Attention).first({q, k, v, mask}), {1, 1, 2, 1}, {0, 3});
    compare(Try(ir::Op::Attention).set("is_causal", std::int64_t(1)).first({q, k, v}), {1, 1, 2, 1},
        {2, 3});
}

void TestArithmeticKernels::convolvesByHand() {
    const Tensor x = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
    compare(Try(ir::Op::Conv).set("pads", Shape{1, 1}).first({x, floats({1, 2, 2}, {1, 1, 1, 1})}),
        {1, 1, 4}, {5, 12, 16, 9});
    compare(Try(ir::Op::Conv)
                .set("group", std::int64_t(2))
                .set("strides", Shape{2})
                .first({x, floats({2, 1, 1}, {10, 100}), floats({2}, {1, 2})}),
        {1, 2, 2}, {11, 31, 402, 602});
}

void TestArithmeticKernels::transposesConvolutions() {
    compare(Try(ir::Op::ConvTranspose)
                .set("strides", Shape{2})
                .first({floats({1, 1, 2}, {1, 2}), floats({1, 1, 3}, {1, 1, 1})}),
        {1, 1, 5}, {1, 1, 3, 2, 2});
}

void TestArithmeticKernels::poolsWithCeilMode() {
    const Tensor x = floats({1, 1, 5}, {1, 2, 3, 4, 5});
    Try pool(ir::Op::MaxPool);
    pool.set("kernel_shape", Shape{2}).set("strides", Shape{2}).set("ceil_mode", std::int64_t(1));
    compare(pool.first({x}), {1, 1, 3}, {2, 4, 5});
    Try average(ir::Op::AveragePool);
    average.set("kernel_shape", Shape{2}).set("pads", Shape{1, 0});
    compare(average.first({x}), {1, 1, 5}, {1, 1.5, 2.5, 3.5, 4.5});
    average.set("count_include_pad", std::int64_t(1));
    compare(average.first({x}), {1, 1, 5}, {0.5, 1.5, 2.5, 3.5, 4.5});
}

void TestArithmeticKernels::contractsWithEllipsis() {
    compare(Try(ir::Op::Einsum)
                .set("equation", std::string("...ij,...jk->...ik"))
                .first({floats({2, 1, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 0, 0, 1})}),
        {2, 1, 2}, {1, 2, 3, 4});
    compare(Try(ir::Op::Einsum)
                .set("equation", std::string("ii->i"))
                .first({floats({2, 2}, {1, 2, 3, 4})}),
        {2}, {1, 4});
}

/// Sizes come from files: a sentence, no overflow, no allocation.
void TestArithmeticKernels::refusesHostileShapes() {
    const Tensor x = floats({1, 1, 1}, {1}), w = floats({1, 1, 1}, {1});
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, value] : std::vector<std::pair<std::string, Shape>>{
             {"pads", {huge, huge}}, {"strides", {0}}, {"dilations", {huge}}})
        QVERIFY(!Try(ir::Op::Conv).set(name, value).run({x, w}));
    QVERIFY(!Try(ir::Op::Conv).set("pads", Shape{1 << 30, 1 << 30}).run({x, w}));
    QVERIFY(
        !Try(ir::Op::MatMul).run({floats({2, 3}, std::vector<double>(6)), floats({2}, {1, 2})}));
    QVERIFY(!Try(ir::Op::Add).run({x}));
    QVERIFY(!Try(ir::Op::Softmax).set("axis", std::int64_t(7)).run({x}));
    Try wide(ir::Op::Add);
    wide.evaluation.largestTensorBytes = 64;
    const auto result =
        wide.run({floats({8, 1}, std::vector<double>(8)), floats({1, 8}, std::vector<double>(8))});
    QVERIFY(!result && result.error().code == base::ErrorCode::Limit);
}

void TestArithmeticKernels::saysWhatIsNotExecutable() {
    QVERIFY(numerics::isExecutable(ir::Op::Conv));
    QVERIFY(!numerics::isExecutable(ir::Op::If));
    const auto result = Try(ir::Op::TreeEnsemble).run({});
    QVERIFY(!result && result.error().code == base::ErrorCode::Unsupported);
}

namespace {

/// Tensors and attributes that no exporter writes: all ranks, empty axes, extreme numbers.
class Nonsense {
public:
    explicit Nonsense(std::uint64_t seed)
        : m_random(seed) { }

    Tensor tensor(numerics::Carrier carrier) {
        constexpr ir::DType kTypes[] = {ir::DType::Float32, ir::DType::Float32, ir::DType::Float16,
            ir::DType::Int64, ir::DType::Int32, ir::DType::UInt8, ir::DType::UInt64,
            ir::DType::Bool, ir::DType::Int4, ir::DType::String};
        Shape shape(static_cast<std::size_t>(m_random.below(6)));
        std::int64_t count = 1;
        for (std::int64_t& extent : shape)
            count *= extent = m_random.below(8) == 0 ? 0 : 1 + m_random.below(4);
        const auto size = static_cast<std::size_t>(count);
        const ir::DType dtype = kTypes[m_random.below(std::size(kTypes))];
        if (dtype == ir::DType::String)
            return {dtype, std::move(shape), std::vector<std::string>(size, "x")};
        if (!ir::isFloat(dtype)) {
            std::vector<std::int64_t> values(size);
            for (std::int64_t& value : values)
                value = dtype == ir::DType::Bool ? m_random.below(2) : integer();
            return {dtype, std::move(shape), std::move(values)};
        }
        std::vector<double> values(size);
        for (double& value : values)
            value = m_random.below(6) == 0 ? static_cast<double>(integer()) : m_random.normal();
        Tensor result(dtype, std::move(shape), std::move(values));
        return carrier == numerics::Carrier::Float ? result.carried<float>() : result;
    }
    std::int64_t integer() {
        constexpr std::int64_t kOdd[] = {std::numeric_limits<std::int64_t>::min(),
            std::numeric_limits<std::int64_t>::max(), -1, 0, 1 << 30, 1LL << 40};
        return m_random.below(4) == 0 ? kOdd[m_random.below(std::size(kOdd))]
                                      : m_random.below(6) - 1;
    }
    Shape integers() {
        Shape list(static_cast<std::size_t>(m_random.below(5)));
        for (std::int64_t& value : list)
            value = integer();
        return list;
    }
    void addAttributes(Try& trial) {
        for (const char* name : {"axis", "keepdims", "group", "num_heads", "kv_num_heads",
                 "q_num_heads", "block_size", "is_causal", "ceil_mode", "num_groups", "N", "K",
                 "layout", "size", "p", "to", "transA", "transB", "hidden_size", "detect_positive"})
            if (m_random.below(4) == 0)
                trial.set(name, integer());
        for (const char* name : {"axes", "kernel_shape", "strides", "pads", "dilations",
                 "output_shape", "output_padding", "output_size", "pooled_shape"})
            if (m_random.below(3) == 0)
                trial.set(name, integers());
        constexpr const char* kEquations[] = {"ij,jk->ik", "...i,i->...", "ii", "a,b", ",", "->"};
        trial.set("equation", std::string(kEquations[m_random.below(std::size(kEquations))]));
        trial.set("alpha", m_random.normal());
    }
    numerics::Random& random() { return m_random; }

private:
    numerics::Random m_random;
};

} // namespace

/// Every operator, on operands that mean nothing: a result or a sentence, never a crash. Under the
/// sanitizers this looks for overflow and reads past the end.
void TestArithmeticKernels::survivesNonsense() {
    numerics::Arithmetic arithmetic;
    arithmetic.multiply = arithmetic.storage = Format::Fp16;
    arithmetic.accumulate = Format::Bf16;
    Nonsense nonsense(1);
    for (int i = 0; i < 40 * ir::kOpCount; ++i) {
        const auto op = static_cast<ir::Op>(i % ir::kOpCount);
        if (!numerics::isExecutable(op))
            continue;
        Try trial(op);
        const std::int64_t kind = nonsense.random().below(3);
        if (kind == 0)
            trial.evaluation.carrier = numerics::Carrier::Float;
        else if (kind == 1)
            trial.evaluation.arithmetic = &arithmetic;
        trial.evaluation.largestTensorBytes = 1 << 20;
        trial.operation.version = static_cast<int>(nonsense.random().below(25));
        trial.operation.outputs = static_cast<std::size_t>(1 + nonsense.random().below(4));
        nonsense.addAttributes(trial);
        std::vector<Datum> inputs(static_cast<std::size_t>(nonsense.random().below(7)));
        for (Datum& input : inputs)
            if (nonsense.random().below(8) != 0)
                input.tensor = nonsense.tensor(trial.evaluation.carrier);
        const auto results = trial.run(std::move(inputs));
        if (!results)
            QVERIFY2(!results.error().message.empty(), std::string(ir::name(op)).c_str());
    }
}

QTEST_MAIN(TestArithmeticKernels)
#include "test_arithmetic_kernels.moc"
