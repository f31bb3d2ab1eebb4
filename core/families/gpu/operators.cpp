// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/operators.h"

#include <array>

namespace fivefold::families::gpu {

namespace {

using ir::Op;

constexpr std::int64_t kUnrolled = 8;
constexpr std::int64_t kLargestPointwiseWindow = 25; ///< Inductor leaves larger windows to ATen

std::array<OpKind, ir::kOpCount> classTable() {
    std::array<OpKind, ir::kOpCount> table{};
    for (int i = 0; i < ir::kOpCount; ++i) {
        switch (ir::opClass(static_cast<Op>(i))) {
        case ir::OpClass::Contraction:
            table[i] = OpKind::Library;
            break;
        case ir::OpClass::Normalisation:
            table[i] = OpKind::Reduction;
            break;
        case ir::OpClass::Pointwise:
            table[i] = OpKind::Pointwise;
            break;
        case ir::OpClass::Movement:
            table[i] = OpKind::Indirect;
            break;
        case ir::OpClass::Control:
            table[i] = OpKind::Free;
            break;
        case ir::OpClass::Other:
            table[i] = OpKind::Host;
            break;
        }
    }
    const auto set = [&table](OpKind kind, std::initializer_list<Op> ops) {
        for (const Op op : ops)
            table[static_cast<std::size_t>(op)] = kind;
    };
    set(OpKind::View,
        {Op::Reshape, Op::Flatten, Op::Squeeze, Op::Unsqueeze, Op::Identity, Op::Transpose,
            Op::Slice, Op::Split, Op::Expand, Op::Crop, Op::Unbind, Op::AsStrided, Op::Diagonal});
    set(OpKind::Free,
        {Op::Shape, Op::Size, Op::Constant, Op::ConcatFromSequence, Op::SequenceAt,
            Op::SequenceConstruct, Op::SequenceEmpty, Op::SequenceErase, Op::SequenceInsert,
            Op::SequenceLength, Op::SplitToSequence, Op::Optional, Op::OptionalGetElement,
            Op::OptionalHasElement, Op::Call, Op::DimSize});
    set(OpKind::Window,
        {Op::AveragePool, Op::MaxPool, Op::LpPool, Op::Resize, Op::Upsample, Op::GridSample,
            Op::LocalResponseNormalization, Op::Im2Col, Op::Col2Im});
    set(OpKind::Library,
        {Op::TopK, Op::MaxRoiPool, Op::RoiAlign, Op::MaxUnpool, Op::Det, Op::NonZero, Op::Unique,
            Op::Compress, Op::NonMaxSuppression, Op::Multinomial, Op::Inverse, Op::CropAndResize});
    set(OpKind::Host, {Op::ImageDecoder});
    set(OpKind::Unsupported,
        {Op::Unknown, Op::MixtureOfExperts, Op::LinearAttention, Op::Adagrad, Op::Adam,
            Op::Gradient, Op::Momentum});
    return table;
}

std::int64_t windowSize(const lowering::Node& node) {
    std::int64_t size = 1;
    if (const auto kernel = node.attributes.integers("kernel_shape"))
        for (const std::int64_t extent : *kernel)
            size = extent > 0 && size < (std::int64_t{1} << 32) ? size * extent : size;
    return size;
}

} // namespace

OpKind kindOf(const lowering::Node& node) {
    static const std::array<OpKind, ir::kOpCount> table = classTable();
    if (node.canonical == Op::Identity && (!node.addedBy.empty() || node.op == "aten.clone"))
        return OpKind::Indirect; // a copy, not a view
    const OpKind kind = table[static_cast<std::size_t>(node.canonical)];
    if (kind == OpKind::Window && windowSize(node) > kLargestPointwiseWindow)
        return OpKind::Library;
    return kind;
}

bool isLoopedReduction(const lowering::Node& node) {
    return kindOf(node) == OpKind::Reduction && node.work.reduced >= kUnrolled;
}

const lowering::Words& atenWords() {
    static const lowering::Words words{{Op::MatMul, "aten.matmul"}, {Op::Gemm, "aten.addmm"},
        {Op::FusedMatMul, "aten.bmm"}, {Op::Conv, "aten.convolution"},
        {Op::ConvTranspose, "aten.convolution"}, {Op::Einsum, "aten.einsum"},
        {Op::Attention, "aten.scaled_dot_product_attention"},
        {Op::MultiHeadAttention, "aten.scaled_dot_product_attention"},
        {Op::GroupQueryAttention, "aten.scaled_dot_product_attention"}, {Op::LSTM, "aten.lstm"},
        {Op::GRU, "aten.gru"}, {Op::RNN, "aten.rnn_tanh"}, {Op::ReduceMax, "aten.amax"},
        {Op::ReduceMin, "aten.amin"}, {Op::ReduceSum, "aten.sum"}, {Op::ReduceMean, "aten.mean"},
        {Op::ReduceProd, "aten.prod"}, {Op::ArgMax, "aten.argmax"}, {Op::ArgMin, "aten.argmin"},
        {Op::CumSum, "aten.cumsum"}, {Op::CumProd, "aten.cumprod"}, {Op::TopK, "aten.topk"},
        {Op::MaxPool, "aten.max_pool2d"}, {Op::AveragePool, "aten.avg_pool2d"},
        {Op::GlobalAveragePool, "aten.mean"}, {Op::GlobalMaxPool, "aten.amax"},
        {Op::Resize, "aten.upsample"}, {Op::Upsample, "aten.upsample"},
        {Op::GridSample, "aten.grid_sampler_2d"}, {Op::Cast, "prims.convert_element_type"},
        {Op::Reshape, "aten.view"}, {Op::Flatten, "aten.view"}, {Op::Squeeze, "aten.squeeze"},
        {Op::Unsqueeze, "aten.unsqueeze"}, {Op::Transpose, "aten.permute"},
        {Op::Slice, "aten.slice"}, {Op::Split, "aten.split"}, {Op::Expand, "aten.expand"},
        {Op::Identity, "aten.alias"}, {Op::Concat, "aten.cat"}, {Op::Gather, "aten.embedding"},
        {Op::GatherElements, "aten.gather"}, {Op::GatherND, "aten.index"},
        {Op::ScatterElements, "aten.scatter"}, {Op::ScatterND, "aten.index_put"},
        {Op::Scatter, "aten.scatter"}, {Op::Pad, "aten.constant_pad_nd"}, {Op::Tile, "aten.repeat"},
        {Op::Trilu, "aten.tril"}, {Op::ConstantOfShape, "aten.full"}, {Op::Range, "prims.iota"},
        {Op::EyeLike, "aten.eye"}, {Op::NonZero, "aten.nonzero"}, {Op::Unique, "aten._unique2"},
        {Op::NonMaxSuppression, "torchvision.nms"}, {Op::RoiAlign, "torchvision.roi_align"},
        {Op::Equal, "aten.eq"}, {Op::Greater, "aten.gt"}, {Op::GreaterOrEqual, "aten.ge"},
        {Op::Less, "aten.lt"}, {Op::LessOrEqual, "aten.le"}, {Op::Not, "aten.logical_not"},
        {Op::And, "aten.logical_and"}, {Op::Or, "aten.logical_or"}, {Op::Xor, "aten.logical_xor"},
        {Op::Max, "aten.maximum"}, {Op::Min, "aten.minimum"}, {Op::Clip, "aten.clamp"},
        {Op::Add, "aten.add"}, {Op::Sub, "aten.sub"}, {Op::Mul, "aten.mul"}, {Op::Div, "aten.div"},
        {Op::Exp, "aten.exp"}, {Op::Log, "aten.log"}, {Op::Erf, "aten.erf"},
        {Op::Tanh, "aten.tanh"}, {Op::Sigmoid, "aten.sigmoid"}, {Op::Relu, "aten.relu"},
        {Op::Sqrt, "aten.sqrt"}, {Op::Rsqrt, "aten.rsqrt"}, {Op::Pow, "aten.pow"},
        {Op::Neg, "aten.neg"}, {Op::Abs, "aten.abs"}, {Op::Sin, "aten.sin"}, {Op::Cos, "aten.cos"},
        {Op::Reciprocal, "aten.reciprocal"}, {Op::Where, "aten.where"},
        {Op::Det, "aten.linalg_det"}, {Op::Inverse, "aten.linalg_inv"}, {Op::DFT, "aten._fft_c2c"},
        {Op::STFT, "aten.stft"}, {Op::SoftmaxStatistics, "prims.prepare_softmax_online"},
        {Op::VarianceMean, "aten.var_mean"}, {Op::Variance, "aten.var"},
        {Op::StandardDeviation, "aten.std"}, {Op::MaxWithIndex, "aten.max"},
        {Op::MinWithIndex, "aten.min"}, {Op::ReduceAny, "aten.any"}, {Op::ReduceAll, "aten.all"},
        {Op::NotEqual, "aten.ne"}, {Op::Index, "aten.index"}, {Op::IndexPut, "aten.index_put"},
        {Op::SliceScatter, "aten.slice_scatter"}, {Op::SelectScatter, "aten.select_scatter"},
        {Op::Unbind, "aten.unbind"}, {Op::AsStrided, "aten.as_strided"},
        {Op::Diagonal, "aten.diagonal"}, {Op::Roll, "aten.roll"},
        {Op::AdaptiveAveragePool, "aten._adaptive_avg_pool2d"}, {Op::CopyInto, "aten.copy_"},
        {Op::Mod, "aten.remainder"}, {Op::Lerp, "aten.lerp"}, {Op::Trunc, "aten.trunc"}};
    return words;
}

bool needsHostSync(Op op) {
    return op == Op::NonZero || op == Op::Unique || op == Op::Compress
        || op == Op::NonMaxSuppression;
}

bool isMatrixProduct(Op op) {
    switch (op) {
    case Op::MatMul:
    case Op::Gemm:
    case Op::FusedMatMul:
    case Op::FusedGemm:
    case Op::Einsum:
    case Op::MatMulInteger:
    case Op::QLinearMatMul:
    case Op::MatMulNBits:
    case Op::DynamicQuantizeMatMul:
    case Op::MatMulIntegerToFloat:
        return true;
    default:
        return false;
    }
}

bool isConvolution(Op op) {
    return op == Op::Conv || op == Op::FusedConv || op == Op::ConvTranspose || op == Op::ConvInteger
        || op == Op::QLinearConv || op == Op::DeformConv;
}

bool isAttention(Op op) {
    return op == Op::Attention || op == Op::MultiHeadAttention || op == Op::GroupQueryAttention
        || op == Op::PackedAttention || op == Op::QAttention;
}

bool isRecurrent(Op op) {
    return op == Op::LSTM || op == Op::GRU || op == Op::RNN;
}

std::string remedyFor(const lowering::Node& node, OpKind kind) {
    if (kind == OpKind::Host)
        return "Move it before or after the model, so that its input is not on the device yet.";
    if (node.canonical == Op::MixtureOfExperts)
        return "Export the experts as matrix products, or register a custom CUDA operator for "
               "them.";
    return "Write it in ATen operators, or register a custom CUDA operator with a Triton kernel.";
}

} // namespace fivefold::families::gpu
