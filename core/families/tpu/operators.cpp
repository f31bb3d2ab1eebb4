// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/operators.h"

#include <array>

namespace fivefold::families::tpu {

namespace {

using ir::Op;

std::array<OpKind, ir::kOpCount> classTable() {
    std::array<OpKind, ir::kOpCount> table{};
    for (int i = 0; i < ir::kOpCount; ++i) {
        OpKind& kind = table[static_cast<std::size_t>(i)];
        switch (ir::opClass(static_cast<Op>(i))) {
        case ir::OpClass::Contraction:
            kind = OpKind::Product;
            break;
        case ir::OpClass::Normalisation:
            kind = OpKind::Reduce;
            break;
        case ir::OpClass::Pointwise:
            kind = OpKind::Loop;
            break;
        case ir::OpClass::Movement:
            kind = OpKind::Loop;
            break;
        case ir::OpClass::Control:
            kind = OpKind::Free;
            break;
        case ir::OpClass::Other:
            kind = OpKind::Host;
            break;
        }
    }
    const auto set = [&table](OpKind kind, std::initializer_list<Op> ops) {
        for (const Op op : ops)
            table[static_cast<std::size_t>(op)] = kind;
    };
    set(OpKind::Relayout,
        {Op::Reshape, Op::Flatten, Op::Squeeze, Op::Unsqueeze, Op::Identity, Op::Transpose,
            Op::DepthToSpace, Op::SpaceToDepth});
    set(OpKind::Free,
        {Op::Shape, Op::Size, Op::Constant, Op::ConcatFromSequence, Op::SequenceAt,
            Op::SequenceConstruct, Op::SequenceEmpty, Op::SequenceErase, Op::SequenceInsert,
            Op::SequenceLength, Op::SplitToSequence, Op::Optional, Op::OptionalGetElement,
            Op::OptionalHasElement, Op::Call});
    set(OpKind::Alone,
        {Op::TopK, Op::MaxRoiPool, Op::RoiAlign, Op::MaxUnpool, Op::Det, Op::Inverse, Op::Gather,
            Op::GatherElements, Op::GatherND, Op::GridSample, Op::CropAndResize, Op::Scatter,
            Op::ScatterElements, Op::ScatterND, Op::TensorScatter, Op::DFT, Op::STFT,
            Op::DeformConv, Op::Multinomial, Op::GatherBlockQuantized, Op::ReverseSequence,
            Op::Im2Col, Op::Col2Im, Op::Index, Op::IndexPut, Op::SliceScatter, Op::SelectScatter});
    set(OpKind::Host,
        {Op::NonZero, Op::Unique, Op::Compress, Op::NonMaxSuppression, Op::ImageDecoder});
    set(OpKind::Unsupported,
        {Op::Unknown, Op::MixtureOfExperts, Op::LinearAttention, Op::Adagrad, Op::Adam,
            Op::Gradient, Op::Momentum});
    return table;
}

} // namespace

OpKind kindOf(const lowering::Node& node) {
    static const std::array<OpKind, ir::kOpCount> table = classTable();
    if (node.support == lowering::Support::Unsupported)
        return OpKind::Unsupported;
    if (node.canonical == Op::Identity && node.addedAt == lowering::Stage::LaidOut
        && !node.addedBy.empty())
        return OpKind::Copy;
    return table[static_cast<std::size_t>(node.canonical)];
}

const lowering::Words& hloWords() {
    static const lowering::Words words{{Op::MatMul, "dot"}, {Op::FusedMatMul, "dot"},
        {Op::Gemm, "dot"}, {Op::Einsum, "dot-general"}, {Op::Conv, "convolution"},
        {Op::ConvTranspose, "convolution"}, {Op::ReduceMax, "reduce-max"},
        {Op::ReduceMin, "reduce-min"}, {Op::ReduceSum, "reduce-add"},
        {Op::ReduceProd, "reduce-multiply"}, {Op::ReduceMean, "reduce-add"},
        {Op::ArgMax, "reduce-argmax"}, {Op::ArgMin, "reduce-argmin"}, {Op::CumSum, "reduce-window"},
        {Op::CumProd, "reduce-window"}, {Op::MaxPool, "reduce-window"},
        {Op::AveragePool, "reduce-window"}, {Op::GlobalMaxPool, "reduce-max"},
        {Op::GlobalAveragePool, "reduce-add"}, {Op::TopK, "sort"}, {Op::Add, "add"},
        {Op::Sub, "subtract"}, {Op::Mul, "multiply"}, {Op::Div, "divide"}, {Op::Exp, "exponential"},
        {Op::Log, "log"}, {Op::Neg, "negate"}, {Op::Sqrt, "sqrt"}, {Op::Rsqrt, "rsqrt"},
        {Op::Pow, "power"}, {Op::Sin, "sine"}, {Op::Cos, "cosine"}, {Op::Tanh, "tanh"},
        {Op::Sigmoid, "logistic"}, {Op::Erf, "erf"}, {Op::Max, "maximum"}, {Op::Min, "minimum"},
        {Op::Clip, "clamp"}, {Op::Relu, "maximum"}, {Op::Where, "select"}, {Op::Cast, "convert"},
        {Op::Equal, "compare"}, {Op::Greater, "compare"}, {Op::Less, "compare"},
        {Op::GreaterOrEqual, "compare"}, {Op::LessOrEqual, "compare"}, {Op::Not, "not"},
        {Op::And, "and"}, {Op::Or, "or"}, {Op::Xor, "xor"}, {Op::Reshape, "reshape"},
        {Op::Flatten, "reshape"}, {Op::Squeeze, "reshape"}, {Op::Unsqueeze, "reshape"},
        {Op::Transpose, "transpose"}, {Op::Slice, "slice"}, {Op::Split, "slice"},
        {Op::Expand, "broadcast"}, {Op::Concat, "concatenate"}, {Op::Pad, "pad"},
        {Op::Gather, "gather"}, {Op::Index, "gather"}, {Op::IndexPut, "scatter"},
        {Op::SliceScatter, "dynamic-update-slice"}, {Op::SelectScatter, "dynamic-update-slice"},
        {Op::NotEqual, "compare"}, {Op::CausalMask, "iota"}, {Op::GatherND, "gather"},
        {Op::GatherElements, "gather"}, {Op::ScatterND, "scatter"},
        {Op::ScatterElements, "scatter"}, {Op::Scatter, "scatter"},
        {Op::TensorScatter, "dynamic-update-slice"}, {Op::Range, "iota"}, {Op::Tile, "broadcast"},
        {Op::ConstantOfShape, "broadcast"}, {Op::DFT, "fft"}, {Op::Identity, "copy"},
        {Op::Reciprocal, "divide"}, {Op::Abs, "abs"}, {Op::Floor, "floor"}, {Op::Ceil, "ceil"}};
    return words;
}

bool isConvolution(Op op) {
    return op == Op::Conv || op == Op::FusedConv || op == Op::ConvTranspose || op == Op::ConvInteger
        || op == Op::QLinearConv;
}

std::string remedyFor(const lowering::Node& node) {
    switch (node.canonical) {
    case Op::NonZero:
    case Op::Unique:
    case Op::Compress:
        return "Replace it by a mask of fixed size, or give the result a static upper bound.";
    case Op::NonMaxSuppression:
        return "Use a fixed number of boxes and a mask, or run the selection after the model.";
    case Op::MixtureOfExperts:
        return "Export the experts as matrix products.";
    default:
        break;
    }
    if (kindOf(node) == OpKind::Host)
        return "Move it before or after the model, so that its input is not on the device yet.";
    return "Write it in HLO operators, or as a Pallas kernel behind a custom call.";
}

} // namespace fivefold::families::tpu
