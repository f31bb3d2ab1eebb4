// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "graph_maker.h"

#include <QtTest>

using namespace fivefold::ir;
using namespace fivefold::ir::test;

namespace {

/// An operand: a graph input of a shape, or a stored tensor with contents.
struct Operand {
    Shape shape;
    DType dtype = DType::Float32;
    std::optional<Integers> integers;
    std::optional<std::vector<float>> floats;
    bool isOmitted = false;
};

Operand tensor(Shape shape, DType dtype = DType::Float32) {
    return {std::move(shape), dtype, {}, {}};
}
Operand list(Integers values) {
    return {{}, DType::Int64, std::move(values), {}};
}
Operand scales(std::vector<float> values) {
    return {{}, DType::Float32, {}, std::move(values)};
}
Operand omitted() {
    return {{}, DType::Undefined, {}, {}, true};
}

struct Row {
    const char* name;
    Op op;
    std::vector<Operand> inputs;
    std::vector<Attribute> attributes;
    std::vector<std::string> shapes; ///< of the outputs, worked out by hand
    std::vector<DType> dtypes;
    int version = 0;
};

const DType kF32 = DType::Float32;
const DType kI64 = DType::Int64;
const Dim kN = Dim::symbol("n");
const Dim kS = Dim::symbol("s");

// One or more rows for every family of operators.
const std::vector<Row>& rows() {
    static const std::vector<Row> kRows{
        {"add broadcasts from the last axis", Op::Add, {tensor({8, 1, 6, 1}), tensor({7, 1, 5})},
            {}, {"8×7×6×5"}, {kF32}},
        {"add of symbols", Op::Add, {tensor({kN, kS, 64}), tensor({64})}, {}, {"n×s×64"}, {kF32}},
        {"mul of a scalar", Op::Mul, {tensor({}), tensor({kS})}, {}, {"s"}, {kF32}},
        {"legacy broadcast keeps the first shape", Op::Add, {tensor({2, 3, 4, 5}), tensor({3, 4})},
            {{"broadcast", std::int64_t(1)}, {"axis", std::int64_t(1)}}, {"2×3×4×5"}, {kF32}, 6},
        {"greater gives bools", Op::Greater, {tensor({3, 1}), tensor({4})}, {}, {"3×4"},
            {DType::Bool}},
        {"where takes the type of its branches", Op::Where,
            {tensor({3, 1}, DType::Bool), tensor({1, 4}, DType::Int32), tensor({}, DType::Int32)},
            {}, {"3×4"}, {DType::Int32}},
        {"cast to float16", Op::Cast, {tensor({2, kS})}, {{"to", std::int64_t(10)}}, {"2×s"},
            {DType::Float16}},
        {"cast by name in opset 1", Op::Cast, {tensor({2})}, {{"to", std::string("INT64")}}, {"2"},
            {kI64}, 1},
        {"softmax keeps its shape", Op::Softmax, {tensor({kN, 10})}, {}, {"n×10"}, {kF32}},
        {"dropout has a mask", Op::Dropout, {tensor({4, 5})}, {}, {"4×5", "4×5"},
            {kF32, DType::Bool}, 13},
        {"reduce over an attribute's axes", Op::ReduceMean, {tensor({2, 3, 4})},
            {{"axes", Integers{1, -1}}, {"keepdims", std::int64_t(0)}}, {"2"}, {kF32}, 13},
        {"reduce over an input's axes", Op::ReduceSum, {tensor({2, kS, 4}), list({1})}, {},
            {"2×1×4"}, {kF32}, 13},
        {"reduce over all axes", Op::ReduceMax, {tensor({2, 3})}, {{"keepdims", std::int64_t(0)}},
            {"scalar"}, {kF32}},
        {"reduce over nothing", Op::ReduceSum, {tensor({2, 3}), list({})},
            {{"noop_with_empty_axes", std::int64_t(1)}}, {"2×3"}, {kF32}, 13},
        {"argmax gives int64", Op::ArgMax, {tensor({2, 3, 4})},
            {{"axis", std::int64_t(-1)}, {"keepdims", std::int64_t(0)}}, {"2×3"}, {kI64}},
        {"top 5 of 100", Op::TopK, {tensor({kN, 100}), list({5})}, {}, {"n×5", "n×5"},
            {kF32, kI64}},
        // floor((224 + 6 − 7)/2) + 1 = 112
        {"resnet's first convolution", Op::Conv, {tensor({kN, 3, 224, 224}), tensor({64, 3, 7, 7})},
            {{"strides", Integers{2, 2}}, {"pads", Integers{3, 3, 3, 3}}}, {"n×64×112×112"},
            {kF32}},
        // effective kernel 2·(3−1)+1 = 5: 10 − 5 + 1 = 6
        {"dilated convolution", Op::Conv, {tensor({1, 4, 10}), tensor({8, 4, 3})},
            {{"dilations", Integers{2}}}, {"1×8×6"}, {kF32}},
        {"same padding rounds up", Op::Conv, {tensor({1, 1, 5, 6}), tensor({1, 1, 3, 3})},
            {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Integers{2, 2}}}, {"1×1×3×3"},
            {kF32}},
        {"depthwise convolution", Op::Conv, {tensor({1, 32, 8, 8}), tensor({32, 1, 3, 3})},
            {{"group", std::int64_t(32)}, {"pads", Integers{1, 1, 1, 1}}}, {"1×32×8×8"}, {kF32}},
        // 2·(7 − 1) + 3 + 1 − 2 = 14
        {"transposed convolution", Op::ConvTranspose,
            {tensor({1, 16, 7, 7}), tensor({16, 8, 3, 3})},
            {{"strides", Integers{2, 2}}, {"pads", Integers{1, 1, 1, 1}},
                {"output_padding", Integers{1, 1}}},
            {"1×8×14×14"}, {kF32}},
        {"quantised convolution", Op::QLinearConv,
            {tensor({1, 3, 8, 8}, DType::UInt8), tensor({}), tensor({}, DType::UInt8),
                tensor({4, 3, 3, 3}, DType::Int8), tensor({}), tensor({}, DType::Int8), tensor({}),
                tensor({}, DType::UInt8)},
            {}, {"1×4×6×6"}, {DType::UInt8}},
        {"integer convolution", Op::ConvInteger,
            {tensor({1, 3, 8, 8}, DType::UInt8), tensor({4, 3, 3, 3}, DType::UInt8)}, {},
            {"1×4×6×6"}, {DType::Int32}},
        {"max pool with indices", Op::MaxPool, {tensor({1, 64, 112, 112})},
            {{"kernel_shape", Integers{3, 3}}, {"strides", Integers{2, 2}},
                {"pads", Integers{1, 1, 1, 1}}},
            {"1×64×56×56", "1×64×56×56"}, {kF32, kI64}},
        // ceil((2 − 1)/2) + 1 = 2, whose window starts at 2, behind the input: 1
        {"ceil mode drops a window in the padding", Op::MaxPool, {tensor({1, 1, 2, 2})},
            {{"kernel_shape", Integers{1, 1}}, {"strides", Integers{2, 2}},
                {"ceil_mode", std::int64_t(1)}},
            {"1×1×1×1"}, {kF32}},
        {"global pool", Op::GlobalAveragePool, {tensor({kN, 2048, 7, 7})}, {}, {"n×2048×1×1"},
            {kF32}},
        {"regions", Op::RoiAlign, {tensor({1, 16, 32, 32}), tensor({kN, 4}), tensor({kN}, kI64)},
            {{"output_height", std::int64_t(7)}, {"output_width", std::int64_t(5)}}, {"n×16×7×5"},
            {kF32}},
        {"unpool", Op::MaxUnpool, {tensor({1, 1, 2, 2}), tensor({1, 1, 2, 2}, kI64)},
            {{"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}}, {"1×1×4×4"}, {kF32}},
        {"batched product", Op::MatMul, {tensor({kN, 12, kS, 64}), tensor({kN, 12, 64, kS})}, {},
            {"n×12×s×s"}, {kF32}},
        {"row times matrix", Op::MatMul, {tensor({4}), tensor({2, 4, 3})}, {}, {"2×3"}, {kF32}},
        {"dot product", Op::MatMul, {tensor({4}), tensor({4})}, {}, {"scalar"}, {kF32}},
        {"integer product", Op::MatMulInteger,
            {tensor({2, 3}, DType::UInt8), tensor({3, 4}, DType::UInt8)}, {}, {"2×4"},
            {DType::Int32}},
        {"transposed gemm", Op::Gemm, {tensor({3, 2}), tensor({5, 3})},
            {{"transA", std::int64_t(1)}, {"transB", std::int64_t(1)}}, {"2×5"}, {kF32}},
        {"fused product", Op::FusedMatMul, {tensor({2, 3, 4}), tensor({2, 5, 4})},
            {{"transB", std::int64_t(1)}}, {"2×3×5"}, {kF32}},
        {"einsum of attention scores", Op::Einsum, {tensor({2, 8, 16, 64}), tensor({2, 8, 32, 64})},
            {{"equation", std::string("bhid,bhjd->bhij")}}, {"2×8×16×32"}, {kF32}},
        {"einsum with ellipsis", Op::Einsum, {tensor({2, 3, 4}), tensor({4, 5})},
            {{"equation", std::string("...i, ij -> ...j")}}, {"2×3×5"}, {kF32}},
        {"einsum without arrow", Op::Einsum, {tensor({2, 3}), tensor({3, 4})},
            {{"equation", std::string("ij,jk")}}, {"2×4"}, {kF32}},
        {"attention of rank 4 with a cache", Op::Attention,
            {tensor({2, 8, 5, 64}), tensor({2, 4, 5, 64}), tensor({2, 4, 5, 32}), omitted(),
                tensor({2, 4, 7, 64}), tensor({2, 4, 7, 32})},
            {}, {"2×8×5×32", "2×4×12×64", "2×4×12×32", "2×8×5×12"}, {kF32, kF32, kF32, kF32}, 23},
        {"attention of rank 3", Op::Attention,
            {tensor({2, 5, 512}), tensor({2, 6, 256}), tensor({2, 6, 128})},
            {{"q_num_heads", std::int64_t(8)}, {"kv_num_heads", std::int64_t(4)}}, {"2×5×256"},
            {kF32}, 23},
        {"grouped queries packed", Op::GroupQueryAttention,
            {tensor({1, 3, 512}), omitted(), omitted(), tensor({1, 2, 9, 64}),
                tensor({1, 2, 9, 64})},
            {{"num_heads", std::int64_t(4)}, {"kv_num_heads", std::int64_t(2)}},
            {"1×3×256", "1×2×12×64", "1×2×12×64"}, {kF32, kF32, kF32}},
        {"linear attention", Op::LinearAttention,
            {tensor({2, 6, 32}), tensor({2, 6, 16}), tensor({2, 6, 8})},
            {{"q_num_heads", std::int64_t(4)}, {"kv_num_heads", std::int64_t(2)}},
            {"2×6×16", "2×2×8×4"}, {kF32, kF32}},
        {"reshape copies and infers", Op::Reshape, {tensor({2, 3, 4}), list({0, -1})}, {}, {"2×12"},
            {kF32}},
        {"reshape splits heads of symbols", Op::Reshape,
            {tensor({kN, kS, 768}), list({0, 0, 12, 64})}, {}, {"n×s×12×64"}, {kF32}},
        {"reshape divides symbols exactly", Op::Reshape, {tensor({kN, kS, 768}), list({-1, 768})},
            {}, {"n*s×768"}, {kF32}},
        {"reshape by attribute", Op::Reshape, {tensor({4, 6})}, {{"shape", Integers{3, -1}}},
            {"3×8"}, {kF32}, 1},
        {"reshape to a zero size", Op::Reshape, {tensor({0, 3}), list({3, 0})},
            {{"allowzero", std::int64_t(1)}}, {"3×0"}, {kF32}, 14},
        {"flatten", Op::Flatten, {tensor({kN, 3, 4})}, {}, {"n×12"}, {kF32}},
        {"squeeze of given axes", Op::Squeeze, {tensor({1, kS, 1}), list({0, -1})}, {}, {"s"},
            {kF32}, 13},
        {"squeeze of all ones", Op::Squeeze, {tensor({1, 3, 1})}, {}, {"3"}, {kF32}},
        {"unsqueeze", Op::Unsqueeze, {tensor({3, 4}), list({0, -1})}, {}, {"1×3×4×1"}, {kF32}, 13},
        {"transpose reverses", Op::Transpose, {tensor({2, 3, kS})}, {}, {"s×3×2"}, {kF32}},
        {"expand", Op::Expand, {tensor({3, 1}), list({2, 1, 6})}, {}, {"2×3×6"}, {kF32}},
        {"expand to unknown sizes", Op::Expand, {tensor({3, 1, 4}), tensor({4}, kI64)}, {},
            {"?×3×?×4"}, {kF32}},
        {"tile", Op::Tile, {tensor({2, kS}), list({3, 2})}, {}, {"6×2*s"}, {kF32}},
        {"concat adds", Op::Concat, {tensor({2, kS}), tensor({2, 5})}, {{"axis", std::int64_t(1)}},
            {"2×s + 5"}, {kF32}},
        {"depth to space", Op::DepthToSpace, {tensor({1, 12, 4, 5})},
            {{"blocksize", std::int64_t(2)}}, {"1×3×8×10"}, {kF32}},
        {"space to depth", Op::SpaceToDepth, {tensor({1, 3, 4, 6})},
            {{"blocksize", std::int64_t(2)}}, {"1×12×2×3"}, {kF32}},
        {"gather of a vector", Op::Gather, {tensor({50257, 768}), tensor({kN, kS}, kI64)}, {},
            {"n×s×768"}, {kF32}},
        {"gather elements", Op::GatherElements, {tensor({3, 3}), tensor({2, 3}, kI64)}, {}, {"2×3"},
            {kF32}},
        {"gather by tuples", Op::GatherND, {tensor({2, 3, 4}), tensor({5, 2}, kI64)}, {}, {"5×4"},
            {kF32}},
        {"slice with steps", Op::Slice,
            {tensor({10, 20}), list({1, 0}), list({9, 1000}), list({0, 1}), list({3, 2})}, {},
            {"3×10"}, {kF32}},
        {"slice backwards", Op::Slice,
            {tensor({10}), list({-1}), list({-11}), list({0}), list({-2})}, {}, {"5"}, {kF32}},
        {"slice of a symbol to the end", Op::Slice, {tensor({kS}), list({1}), list({INT64_MAX})},
            {}, {"s - 1"}, {kF32}},
        {"slice by attributes", Op::Slice, {tensor({10, 4})},
            {{"starts", Integers{2}}, {"ends", Integers{-1}}, {"axes", Integers{0}}}, {"7×4"},
            {kF32}, 1},
        {"split evenly with a rest", Op::Split, {tensor({7, 2})},
            {{"num_outputs", std::int64_t(3)}}, {"3×2", "3×2", "1×2"}, {kF32, kF32, kF32}, 18},
        {"split by sizes", Op::Split, {tensor({kN, 6}), list({2, 4})}, {{"axis", std::int64_t(1)}},
            {"n×2", "n×4"}, {kF32, kF32}, 13},
        {"scatter keeps", Op::ScatterND, {tensor({8, 4}), tensor({2, 1}, kI64), tensor({2, 4})}, {},
            {"8×4"}, {kF32}},
        {"compress by known bools", Op::Compress, {tensor({3, 2}), list({0, 1, 1})},
            {{"axis", std::int64_t(0)}}, {"2×2"}, {kF32}},
        {"non zeros of known contents", Op::NonZero, {list({0, 5, 0, 7})}, {}, {"1×2"}, {kI64}},
        {"one hot", Op::OneHot, {tensor({2, 3}, kI64), list({10}), tensor({2})},
            {{"axis", std::int64_t(1)}}, {"2×10×3"}, {kF32}},
        {"pad", Op::Pad, {tensor({1, 3, 5}), list({0, 0, 2, 0, 0, 1})}, {}, {"1×3×8"}, {kF32}, 11},
        {"pad of named axes", Op::Pad, {tensor({1, 3, 5}), list({2, 1}), omitted(), list({-1})}, {},
            {"1×3×8"}, {kF32}, 18},
        {"centre crop", Op::CenterCropPad, {tensor({20, 10, 3}), list({10, 7})},
            {{"axes", Integers{0, 1}}}, {"10×7×3"}, {kF32}},
        {"shape of a part", Op::Shape, {tensor({2, 3, 4, 5})},
            {{"start", std::int64_t(1)}, {"end", std::int64_t(-1)}}, {"2"}, {kI64}},
        {"range", Op::Range, {list({3}), list({10}), list({2})}, {}, {"4"}, {kI64}},
        {"constant of shape", Op::ConstantOfShape, {list({2, 3})}, {}, {"2×3"}, {kF32}},
        {"resize by scales", Op::Resize,
            {tensor({1, 3, 10, 11}), omitted(), scales({1, 1, 1.5F, 0.5F})}, {}, {"1×3×15×5"},
            {kF32}, 13},
        {"resize of a symbol", Op::Resize,
            {tensor({1, 3, kS, kS}), omitted(), scales({1, 1, 2, 2})}, {}, {"1×3×2*s×2*s"}, {kF32},
            13},
        {"resize by sizes", Op::Resize,
            {tensor({1, 3, 10, 11}), omitted(), omitted(), list({1, 3, 20, 7})}, {}, {"1×3×20×7"},
            {kF32}, 13},
        {"upsample", Op::Upsample, {tensor({1, 1, 3, 3}), scales({1, 1, 2, 3})}, {}, {"1×1×6×9"},
            {kF32}, 9},
        {"grid sample", Op::GridSample, {tensor({2, 3, 8, 8}), tensor({2, 5, 6, 2})}, {},
            {"2×3×5×6"}, {kF32}},
        {"affine grid", Op::AffineGrid, {tensor({2, 2, 3}), list({2, 3, 5, 6})}, {}, {"2×5×6×2"},
            {kF32}},
        {"columns to image", Op::Col2Im, {tensor({1, 20, 12}), list({5, 6}), list({2, 2})}, {},
            {"1×5×5×6"}, {kF32}},
        {"lstm", Op::LSTM, {tensor({7, 2, 10}), tensor({2, 80, 10}), tensor({2, 80, 20})},
            {{"hidden_size", std::int64_t(20)}, {"direction", std::string("bidirectional")}},
            {"7×2×2×20", "2×2×20", "2×2×20"}, {kF32, kF32, kF32}},
        {"gru with batch first", Op::GRU,
            {tensor({2, 7, 10}), tensor({1, 60, 10}), tensor({1, 60, 20})},
            {{"hidden_size", std::int64_t(20)}, {"layout", std::int64_t(1)}},
            {"2×7×1×20", "2×1×20"}, {kF32, kF32}},
        {"quantise", Op::QuantizeLinear, {tensor({2, 3}), tensor({}), tensor({}, DType::Int8)}, {},
            {"2×3"}, {DType::Int8}},
        {"dequantise", Op::DequantizeLinear,
            {tensor({2, 3}, DType::UInt8), tensor({}, DType::Float16)}, {}, {"2×3"},
            {DType::Float16}},
        {"dynamic quantisation", Op::DynamicQuantizeLinear, {tensor({2, 3})}, {},
            {"2×3", "scalar", "scalar"}, {DType::UInt8, kF32, DType::UInt8}},
        {"layer normalisation's statistics", Op::LayerNormalization,
            {tensor({2, kS, 64}), tensor({64})}, {}, {"2×s×64", "2×s×1", "2×s×1"},
            {kF32, kF32, kF32}},
        {"batch normalisation in training", Op::BatchNormalization,
            {tensor({2, 5, 4}), tensor({5}), tensor({5}), tensor({5}), tensor({5})},
            {{"training_mode", std::int64_t(1)}}, {"2×5×4", "5", "5"}, {kF32, kF32, kF32}, 15},
        {"dft one-sided", Op::DFT, {tensor({1, 10, 10, 1})},
            {{"axis", std::int64_t(1)}, {"onesided", std::int64_t(1)}}, {"1×6×10×2"}, {kF32}, 17},
        // (128 − 16)/8 + 1 = 15 frames of 16/2 + 1 = 9 bins
        {"stft", Op::STFT, {tensor({1, 128, 1}), list({8}), tensor({16})}, {}, {"1×15×9×2"},
            {kF32}},
        {"hann window", Op::HannWindow, {list({10})}, {}, {"10"}, {kF32}},
        {"mel weights", Op::MelWeightMatrix,
            {list({8}), list({16}), list({8192}), tensor({}), tensor({})}, {}, {"9×8"}, {kF32}},
        {"random normal", Op::RandomNormal, {}, {{"shape", Integers{2, 3}}}, {"2×3"}, {kF32}},
        {"multinomial", Op::Multinomial, {tensor({kN, 10})}, {{"sample_size", std::int64_t(4)}},
            {"n×4"}, {DType::Int32}},
        {"loss without reduction", Op::SoftmaxCrossEntropyLoss,
            {tensor({3, 5, 2}), tensor({3, 2}, kI64)}, {{"reduction", std::string("none")}},
            {"3×2", "3×5×2"}, {kF32, kF32}},
        {"loss with reduction", Op::NegativeLogLikelihoodLoss, {tensor({3, 5}), tensor({3}, kI64)},
            {}, {"scalar"}, {kF32}},
        {"adam", Op::Adam,
            {tensor({}), tensor({}, kI64), tensor({2, 3}), tensor({2, 3}), tensor({2, 3}),
                tensor({2, 3})},
            {}, {"2×3", "2×3", "2×3"}, {kF32, kF32, kF32}},
        {"linear classifier", Op::LinearClassifier, {tensor({kN, 4})},
            {{"classlabels_ints", Integers{0, 1, 2}}}, {"n", "n×3"}, {kI64, kF32}},
        {"tree regressor", Op::TreeEnsembleRegressor, {tensor({kN, 4})},
            {{"n_targets", std::int64_t(2)}}, {"n×2"}, {kF32}},
        {"feature extractor", Op::ArrayFeatureExtractor, {tensor({3, 4}), tensor({2}, kI64)}, {},
            {"3×2"}, {kF32}},
        {"string split", Op::StringSplit, {tensor({3}, DType::String)}, {}, {"3×?", "3"},
            {DType::String, kI64}},
        {"regular expression", Op::RegexFullMatch, {tensor({3, 2}, DType::String)}, {}, {"3×2"},
            {DType::Bool}},
        {"skip layer normalisation", Op::SkipLayerNormalization,
            {tensor({1, 5, 8}), tensor({1, 5, 8}), tensor({8})}, {},
            {"1×5×8", "1×5×1", "1×5×1", "1×5×8"}, {kF32, kF32, kF32, kF32}},
        {"packed 4-bit product", Op::MatMulNBits,
            {tensor({1, kS, 64}), tensor({32, 2, 16}, DType::UInt8), tensor({64})},
            {{"K", std::int64_t(64)}, {"N", std::int64_t(32)}}, {"1×s×32"}, {kF32}},
    };
    return kRows;
}

ValueId addOperand(GraphMaker& maker, const Operand& operand, std::size_t index) {
    if (operand.isOmitted)
        return ValueId();
    if (operand.integers)
        return maker.integers(*operand.integers);
    if (operand.floats)
        return maker.floats(*operand.floats);
    return maker.input("x" + std::to_string(index), operand.shape, operand.dtype);
}

} // namespace

class TestInferenceOperators : public QObject {
    Q_OBJECT

private slots:
    void outputTypesAreThoseWorkedOutByHand_data();
    void outputTypesAreThoseWorkedOutByHand();
    void broadcastCommutes();
    void convolutionFormulaHoldsForManySizes();
    void everyOperatorHasARuleOrSaysNothing();
};

void TestInferenceOperators::outputTypesAreThoseWorkedOutByHand_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rows().size(); ++i)
        QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TestInferenceOperators::outputTypesAreThoseWorkedOutByHand() {
    QFETCH(int, row);
    const Row& wanted = rows()[static_cast<std::size_t>(row)];
    GraphMaker maker;
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < wanted.inputs.size(); ++i)
        inputs.push_back(addOperand(maker, wanted.inputs[i], i));
    const auto outputs =
        maker.node(wanted.op, inputs, wanted.attributes, wanted.shapes.size(), wanted.version);
    const Typed typed = maker.typed(outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        QCOMPARE(QString::fromStdString(shapeText(typed, outputs[i])),
            QString::fromStdString(wanted.shapes[i]));
        QCOMPARE(QByteArray(name(typed.type(outputs[i]).dtype).data()),
            QByteArray(name(wanted.dtypes[i]).data()));
    }
    if (wanted.op != Op::Range) // a list of one instead of a scalar is worth a word
        QCOMPARE(maker.diagnostics.entries().size(), std::size_t(0));
}

void TestInferenceOperators::broadcastCommutes() {
    const std::vector<Shape> shapes{{}, {1}, {5}, {kS}, {3, 1}, {1, kS}, {2, 3, 5}, {kN, 1, 5}};
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            GraphMaker maker;
            const ValueId x = maker.input("x", a);
            const ValueId y = maker.input("y", b);
            const ValueId left = maker.one(Op::Add, {x, y});
            const ValueId right = maker.one(Op::Add, {y, x});
            const Typed typed = maker.typed({left, right});
            QCOMPARE(shapeText(typed, left), shapeText(typed, right));
        }
    }
}

void TestInferenceOperators::convolutionFormulaHoldsForManySizes() {
    for (std::int64_t in = 7; in < 40; in += 3) {
        for (std::int64_t kernel = 1; kernel <= 5; ++kernel) {
            for (std::int64_t stride = 1; stride <= 3; ++stride) {
                GraphMaker maker;
                const ValueId x = maker.input("x", {1, 2, in});
                const ValueId y = maker.one(Op::Conv, {x, maker.weight({4, 2, kernel})},
                    {{"strides", Integers{stride}}, {"pads", Integers{1, 0}}});
                // Count the window positions one by one.
                std::int64_t positions = 0;
                for (std::int64_t at = 0; at + kernel <= in + 1; at += stride)
                    ++positions;
                const Typed typed = maker.typed({y});
                QVERIFY((*typed.type(y).shape)[2].is(positions));
            }
        }
    }
}

void TestInferenceOperators::everyOperatorHasARuleOrSaysNothing() {
    // No operand, no attribute: hostile, but nothing may crash and nothing may invent a negative
    // size.
    for (int i = 0; i < kOpCount; ++i) {
        GraphMaker maker;
        const auto outputs = maker.node(static_cast<Op>(i), {}, {}, 3);
        const Typed typed = maker.typed(outputs);
        for (const ValueId id : outputs)
            if (typed.type(id).shape)
                for (const Dim& dim : *typed.type(id).shape)
                    QVERIFY(!dim.isKnown() || dim.value() >= 0);
    }
}

QTEST_APPLESS_MAIN(TestInferenceOperators)
#include "test_inference_operators.moc"
