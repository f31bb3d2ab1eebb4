// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/operators.h"

#include <array>
#include <unordered_map>

namespace fivefold::ir {

namespace {

struct Entry {
    Op op;
    OpClass opClass;
    std::string_view name;
};

constexpr std::array kEntries = {
    Entry {Op::Unknown, OpClass::Other, "Unknown"},
    Entry {Op::Call, OpClass::Other, "Call"},
    Entry {Op::Conv, OpClass::Contraction, "Conv"},
    Entry {Op::ConvInteger, OpClass::Contraction, "ConvInteger"},
    Entry {Op::ConvTranspose, OpClass::Contraction, "ConvTranspose"},
    Entry {Op::DeformConv, OpClass::Contraction, "DeformConv"},
    Entry {Op::Einsum, OpClass::Contraction, "Einsum"},
    Entry {Op::Gemm, OpClass::Contraction, "Gemm"},
    Entry {Op::MatMul, OpClass::Contraction, "MatMul"},
    Entry {Op::MatMulInteger, OpClass::Contraction, "MatMulInteger"},
    Entry {Op::QLinearConv, OpClass::Contraction, "QLinearConv"},
    Entry {Op::QLinearMatMul, OpClass::Contraction, "QLinearMatMul"},
    Entry {Op::Attention, OpClass::Contraction, "Attention"},
    Entry {Op::GRU, OpClass::Contraction, "GRU"},
    Entry {Op::LSTM, OpClass::Contraction, "LSTM"},
    Entry {Op::RNN, OpClass::Contraction, "RNN"},
    Entry {Op::FusedMatMul, OpClass::Contraction, "FusedMatMul"},
    Entry {Op::FusedConv, OpClass::Contraction, "FusedConv"},
    Entry {Op::FusedGemm, OpClass::Contraction, "FusedGemm"},
    Entry {Op::MatMulNBits, OpClass::Contraction, "MatMulNBits"},
    Entry {Op::DynamicQuantizeMatMul, OpClass::Contraction, "DynamicQuantizeMatMul"},
    Entry {Op::MatMulIntegerToFloat, OpClass::Contraction, "MatMulIntegerToFloat"},
    Entry {Op::QAttention, OpClass::Contraction, "QAttention"},
    Entry {Op::PackedAttention, OpClass::Contraction, "PackedAttention"},
    Entry {Op::MultiHeadAttention, OpClass::Contraction, "MultiHeadAttention"},
    Entry {Op::GroupQueryAttention, OpClass::Contraction, "GroupQueryAttention"},
    Entry {Op::MixtureOfExperts, OpClass::Contraction, "MixtureOfExperts"},
    Entry {Op::LinearAttention, OpClass::Contraction, "LinearAttention"},
    Entry {Op::CausalConvWithState, OpClass::Contraction, "CausalConvWithState"},
    Entry {Op::DFT, OpClass::Contraction, "DFT"},
    Entry {Op::STFT, OpClass::Contraction, "STFT"},
    Entry {Op::Softmax, OpClass::Normalisation, "Softmax"},
    Entry {Op::LogSoftmax, OpClass::Normalisation, "LogSoftmax"},
    Entry {Op::Hardmax, OpClass::Normalisation, "Hardmax"},
    Entry {Op::LayerNormalization, OpClass::Normalisation, "LayerNormalization"},
    Entry {Op::GroupNormalization, OpClass::Normalisation, "GroupNormalization"},
    Entry {Op::InstanceNormalization, OpClass::Normalisation, "InstanceNormalization"},
    Entry {Op::BatchNormalization, OpClass::Normalisation, "BatchNormalization"},
    Entry {Op::RMSNormalization, OpClass::Normalisation, "RMSNormalization"},
    Entry {Op::LpNormalization, OpClass::Normalisation, "LpNormalization"},
    Entry {Op::LocalResponseNormalization, OpClass::Normalisation, "LocalResponseNormalization"},
    Entry {Op::MeanVarianceNormalization, OpClass::Normalisation, "MeanVarianceNormalization"},
    Entry {Op::SkipLayerNormalization, OpClass::Normalisation, "SkipLayerNormalization"},
    Entry {Op::SkipRMSNormalization, OpClass::Normalisation, "SkipRMSNormalization"},
    Entry {Op::EmbedLayerNormalization, OpClass::Normalisation, "EmbedLayerNormalization"},
    Entry {Op::ReduceL1, OpClass::Normalisation, "ReduceL1"},
    Entry {Op::ReduceL2, OpClass::Normalisation, "ReduceL2"},
    Entry {Op::ReduceLogSum, OpClass::Normalisation, "ReduceLogSum"},
    Entry {Op::ReduceLogSumExp, OpClass::Normalisation, "ReduceLogSumExp"},
    Entry {Op::ReduceMax, OpClass::Normalisation, "ReduceMax"},
    Entry {Op::ReduceMean, OpClass::Normalisation, "ReduceMean"},
    Entry {Op::ReduceMin, OpClass::Normalisation, "ReduceMin"},
    Entry {Op::ReduceProd, OpClass::Normalisation, "ReduceProd"},
    Entry {Op::ReduceSum, OpClass::Normalisation, "ReduceSum"},
    Entry {Op::ReduceSumSquare, OpClass::Normalisation, "ReduceSumSquare"},
    Entry {Op::ArgMax, OpClass::Normalisation, "ArgMax"},
    Entry {Op::ArgMin, OpClass::Normalisation, "ArgMin"},
    Entry {Op::CumSum, OpClass::Normalisation, "CumSum"},
    Entry {Op::CumProd, OpClass::Normalisation, "CumProd"},
    Entry {Op::AveragePool, OpClass::Normalisation, "AveragePool"},
    Entry {Op::MaxPool, OpClass::Normalisation, "MaxPool"},
    Entry {Op::LpPool, OpClass::Normalisation, "LpPool"},
    Entry {Op::GlobalAveragePool, OpClass::Normalisation, "GlobalAveragePool"},
    Entry {Op::GlobalMaxPool, OpClass::Normalisation, "GlobalMaxPool"},
    Entry {Op::GlobalLpPool, OpClass::Normalisation, "GlobalLpPool"},
    Entry {Op::MaxRoiPool, OpClass::Normalisation, "MaxRoiPool"},
    Entry {Op::RoiAlign, OpClass::Normalisation, "RoiAlign"},
    Entry {Op::MaxUnpool, OpClass::Normalisation, "MaxUnpool"},
    Entry {Op::QLinearAveragePool, OpClass::Normalisation, "QLinearAveragePool"},
    Entry {Op::QLinearGlobalAveragePool, OpClass::Normalisation, "QLinearGlobalAveragePool"},
    Entry {Op::NegativeLogLikelihoodLoss, OpClass::Normalisation, "NegativeLogLikelihoodLoss"},
    Entry {Op::SoftmaxCrossEntropyLoss, OpClass::Normalisation, "SoftmaxCrossEntropyLoss"},
    Entry {Op::TopK, OpClass::Normalisation, "TopK"},
    Entry {Op::Det, OpClass::Normalisation, "Det"},
    Entry {Op::Abs, OpClass::Pointwise, "Abs"},
    Entry {Op::Acos, OpClass::Pointwise, "Acos"},
    Entry {Op::Acosh, OpClass::Pointwise, "Acosh"},
    Entry {Op::Add, OpClass::Pointwise, "Add"},
    Entry {Op::And, OpClass::Pointwise, "And"},
    Entry {Op::Asin, OpClass::Pointwise, "Asin"},
    Entry {Op::Asinh, OpClass::Pointwise, "Asinh"},
    Entry {Op::Atan, OpClass::Pointwise, "Atan"},
    Entry {Op::Atanh, OpClass::Pointwise, "Atanh"},
    Entry {Op::BitShift, OpClass::Pointwise, "BitShift"},
    Entry {Op::BitwiseAnd, OpClass::Pointwise, "BitwiseAnd"},
    Entry {Op::BitwiseNot, OpClass::Pointwise, "BitwiseNot"},
    Entry {Op::BitwiseOr, OpClass::Pointwise, "BitwiseOr"},
    Entry {Op::BitwiseXor, OpClass::Pointwise, "BitwiseXor"},
    Entry {Op::Cast, OpClass::Pointwise, "Cast"},
    Entry {Op::CastLike, OpClass::Pointwise, "CastLike"},
    Entry {Op::BitCast, OpClass::Pointwise, "BitCast"},
    Entry {Op::Ceil, OpClass::Pointwise, "Ceil"},
    Entry {Op::Celu, OpClass::Pointwise, "Celu"},
    Entry {Op::Clip, OpClass::Pointwise, "Clip"},
    Entry {Op::Cos, OpClass::Pointwise, "Cos"},
    Entry {Op::Cosh, OpClass::Pointwise, "Cosh"},
    Entry {Op::Dropout, OpClass::Pointwise, "Dropout"},
    Entry {Op::Div, OpClass::Pointwise, "Div"},
    Entry {Op::Elu, OpClass::Pointwise, "Elu"},
    Entry {Op::Equal, OpClass::Pointwise, "Equal"},
    Entry {Op::Erf, OpClass::Pointwise, "Erf"},
    Entry {Op::Exp, OpClass::Pointwise, "Exp"},
    Entry {Op::Floor, OpClass::Pointwise, "Floor"},
    Entry {Op::Gelu, OpClass::Pointwise, "Gelu"},
    Entry {Op::Greater, OpClass::Pointwise, "Greater"},
    Entry {Op::GreaterOrEqual, OpClass::Pointwise, "GreaterOrEqual"},
    Entry {Op::HardSigmoid, OpClass::Pointwise, "HardSigmoid"},
    Entry {Op::HardSwish, OpClass::Pointwise, "HardSwish"},
    Entry {Op::Identity, OpClass::Movement, "Identity"},
    Entry {Op::IsInf, OpClass::Pointwise, "IsInf"},
    Entry {Op::IsNaN, OpClass::Pointwise, "IsNaN"},
    Entry {Op::LeakyRelu, OpClass::Pointwise, "LeakyRelu"},
    Entry {Op::Less, OpClass::Pointwise, "Less"},
    Entry {Op::LessOrEqual, OpClass::Pointwise, "LessOrEqual"},
    Entry {Op::Log, OpClass::Pointwise, "Log"},
    Entry {Op::Max, OpClass::Pointwise, "Max"},
    Entry {Op::Mean, OpClass::Pointwise, "Mean"},
    Entry {Op::Min, OpClass::Pointwise, "Min"},
    Entry {Op::Mish, OpClass::Pointwise, "Mish"},
    Entry {Op::Mod, OpClass::Pointwise, "Mod"},
    Entry {Op::Mul, OpClass::Pointwise, "Mul"},
    Entry {Op::Neg, OpClass::Pointwise, "Neg"},
    Entry {Op::Not, OpClass::Pointwise, "Not"},
    Entry {Op::Or, OpClass::Pointwise, "Or"},
    Entry {Op::PRelu, OpClass::Pointwise, "PRelu"},
    Entry {Op::Pow, OpClass::Pointwise, "Pow"},
    Entry {Op::Reciprocal, OpClass::Pointwise, "Reciprocal"},
    Entry {Op::Relu, OpClass::Pointwise, "Relu"},
    Entry {Op::Round, OpClass::Pointwise, "Round"},
    Entry {Op::Selu, OpClass::Pointwise, "Selu"},
    Entry {Op::Shrink, OpClass::Pointwise, "Shrink"},
    Entry {Op::Sigmoid, OpClass::Pointwise, "Sigmoid"},
    Entry {Op::Sign, OpClass::Pointwise, "Sign"},
    Entry {Op::Sin, OpClass::Pointwise, "Sin"},
    Entry {Op::Sinh, OpClass::Pointwise, "Sinh"},
    Entry {Op::Softplus, OpClass::Pointwise, "Softplus"},
    Entry {Op::Softsign, OpClass::Pointwise, "Softsign"},
    Entry {Op::Sqrt, OpClass::Pointwise, "Sqrt"},
    Entry {Op::Sub, OpClass::Pointwise, "Sub"},
    Entry {Op::Sum, OpClass::Pointwise, "Sum"},
    Entry {Op::Swish, OpClass::Pointwise, "Swish"},
    Entry {Op::Tan, OpClass::Pointwise, "Tan"},
    Entry {Op::Tanh, OpClass::Pointwise, "Tanh"},
    Entry {Op::ThresholdedRelu, OpClass::Pointwise, "ThresholdedRelu"},
    Entry {Op::Where, OpClass::Pointwise, "Where"},
    Entry {Op::Xor, OpClass::Pointwise, "Xor"},
    Entry {Op::DequantizeLinear, OpClass::Pointwise, "DequantizeLinear"},
    Entry {Op::DynamicQuantizeLinear, OpClass::Pointwise, "DynamicQuantizeLinear"},
    Entry {Op::QuantizeLinear, OpClass::Pointwise, "QuantizeLinear"},
    Entry {Op::BiasGelu, OpClass::Pointwise, "BiasGelu"},
    Entry {Op::FastGelu, OpClass::Pointwise, "FastGelu"},
    Entry {Op::QuickGelu, OpClass::Pointwise, "QuickGelu"},
    Entry {Op::BiasAdd, OpClass::Pointwise, "BiasAdd"},
    Entry {Op::BiasSplitGelu, OpClass::Pointwise, "BiasSplitGelu"},
    Entry {Op::RotaryEmbedding, OpClass::Pointwise, "RotaryEmbedding"},
    Entry {Op::QLinearAdd, OpClass::Pointwise, "QLinearAdd"},
    Entry {Op::QLinearMul, OpClass::Pointwise, "QLinearMul"},
    Entry {Op::QLinearSigmoid, OpClass::Pointwise, "QLinearSigmoid"},
    Entry {Op::QLinearLeakyRelu, OpClass::Pointwise, "QLinearLeakyRelu"},
    Entry {Op::QLinearSoftmax, OpClass::Pointwise, "QLinearSoftmax"},
    Entry {Op::QLinearConcat, OpClass::Pointwise, "QLinearConcat"},
    Entry {Op::SwiGlu, OpClass::Pointwise, "SwiGlu"},
    Entry {Op::Rsqrt, OpClass::Pointwise, "Rsqrt"},
    Entry {Op::AffineGrid, OpClass::Movement, "AffineGrid"},
    Entry {Op::BlackmanWindow, OpClass::Movement, "BlackmanWindow"},
    Entry {Op::CenterCropPad, OpClass::Movement, "CenterCropPad"},
    Entry {Op::Col2Im, OpClass::Movement, "Col2Im"},
    Entry {Op::Compress, OpClass::Movement, "Compress"},
    Entry {Op::Concat, OpClass::Movement, "Concat"},
    Entry {Op::Constant, OpClass::Movement, "Constant"},
    Entry {Op::ConstantOfShape, OpClass::Movement, "ConstantOfShape"},
    Entry {Op::DepthToSpace, OpClass::Movement, "DepthToSpace"},
    Entry {Op::Expand, OpClass::Movement, "Expand"},
    Entry {Op::EyeLike, OpClass::Movement, "EyeLike"},
    Entry {Op::Flatten, OpClass::Movement, "Flatten"},
    Entry {Op::Gather, OpClass::Movement, "Gather"},
    Entry {Op::GatherElements, OpClass::Movement, "GatherElements"},
    Entry {Op::GatherND, OpClass::Movement, "GatherND"},
    Entry {Op::GridSample, OpClass::Movement, "GridSample"},
    Entry {Op::HammingWindow, OpClass::Movement, "HammingWindow"},
    Entry {Op::HannWindow, OpClass::Movement, "HannWindow"},
    Entry {Op::ImageDecoder, OpClass::Movement, "ImageDecoder"},
    Entry {Op::MelWeightMatrix, OpClass::Movement, "MelWeightMatrix"},
    Entry {Op::Multinomial, OpClass::Movement, "Multinomial"},
    Entry {Op::Bernoulli, OpClass::Movement, "Bernoulli"},
    Entry {Op::NonMaxSuppression, OpClass::Movement, "NonMaxSuppression"},
    Entry {Op::NonZero, OpClass::Movement, "NonZero"},
    Entry {Op::OneHot, OpClass::Movement, "OneHot"},
    Entry {Op::Pad, OpClass::Movement, "Pad"},
    Entry {Op::RandomNormal, OpClass::Movement, "RandomNormal"},
    Entry {Op::RandomNormalLike, OpClass::Movement, "RandomNormalLike"},
    Entry {Op::RandomUniform, OpClass::Movement, "RandomUniform"},
    Entry {Op::RandomUniformLike, OpClass::Movement, "RandomUniformLike"},
    Entry {Op::Range, OpClass::Movement, "Range"},
    Entry {Op::Reshape, OpClass::Movement, "Reshape"},
    Entry {Op::Resize, OpClass::Movement, "Resize"},
    Entry {Op::ReverseSequence, OpClass::Movement, "ReverseSequence"},
    Entry {Op::Scatter, OpClass::Movement, "Scatter"},
    Entry {Op::ScatterElements, OpClass::Movement, "ScatterElements"},
    Entry {Op::ScatterND, OpClass::Movement, "ScatterND"},
    Entry {Op::Shape, OpClass::Movement, "Shape"},
    Entry {Op::Size, OpClass::Movement, "Size"},
    Entry {Op::Slice, OpClass::Movement, "Slice"},
    Entry {Op::SpaceToDepth, OpClass::Movement, "SpaceToDepth"},
    Entry {Op::Split, OpClass::Movement, "Split"},
    Entry {Op::Squeeze, OpClass::Movement, "Squeeze"},
    Entry {Op::TensorScatter, OpClass::Movement, "TensorScatter"},
    Entry {Op::Tile, OpClass::Movement, "Tile"},
    Entry {Op::Transpose, OpClass::Movement, "Transpose"},
    Entry {Op::Trilu, OpClass::Movement, "Trilu"},
    Entry {Op::Unique, OpClass::Movement, "Unique"},
    Entry {Op::Unsqueeze, OpClass::Movement, "Unsqueeze"},
    Entry {Op::Upsample, OpClass::Movement, "Upsample"},
    Entry {Op::Crop, OpClass::Movement, "Crop"},
    Entry {Op::GatherBlockQuantized, OpClass::Movement, "GatherBlockQuantized"},
    Entry {Op::Im2Col, OpClass::Movement, "Im2Col"},
    Entry {Op::CropAndResize, OpClass::Movement, "CropAndResize"},
    Entry {Op::Inverse, OpClass::Movement, "Inverse"},
    Entry {Op::If, OpClass::Control, "If"},
    Entry {Op::Loop, OpClass::Control, "Loop"},
    Entry {Op::Scan, OpClass::Control, "Scan"},
    Entry {Op::SequenceMap, OpClass::Control, "SequenceMap"},
    Entry {Op::ConcatFromSequence, OpClass::Other, "ConcatFromSequence"},
    Entry {Op::SequenceAt, OpClass::Other, "SequenceAt"},
    Entry {Op::SequenceConstruct, OpClass::Other, "SequenceConstruct"},
    Entry {Op::SequenceEmpty, OpClass::Other, "SequenceEmpty"},
    Entry {Op::SequenceErase, OpClass::Other, "SequenceErase"},
    Entry {Op::SequenceInsert, OpClass::Other, "SequenceInsert"},
    Entry {Op::SequenceLength, OpClass::Other, "SequenceLength"},
    Entry {Op::SplitToSequence, OpClass::Other, "SplitToSequence"},
    Entry {Op::Optional, OpClass::Other, "Optional"},
    Entry {Op::OptionalGetElement, OpClass::Other, "OptionalGetElement"},
    Entry {Op::OptionalHasElement, OpClass::Other, "OptionalHasElement"},
    Entry {Op::StringConcat, OpClass::Other, "StringConcat"},
    Entry {Op::StringNormalizer, OpClass::Other, "StringNormalizer"},
    Entry {Op::StringSplit, OpClass::Other, "StringSplit"},
    Entry {Op::RegexFullMatch, OpClass::Other, "RegexFullMatch"},
    Entry {Op::TfIdfVectorizer, OpClass::Other, "TfIdfVectorizer"},
    Entry {Op::ArrayFeatureExtractor, OpClass::Other, "ArrayFeatureExtractor"},
    Entry {Op::Binarizer, OpClass::Other, "Binarizer"},
    Entry {Op::CastMap, OpClass::Other, "CastMap"},
    Entry {Op::CategoryMapper, OpClass::Other, "CategoryMapper"},
    Entry {Op::DictVectorizer, OpClass::Other, "DictVectorizer"},
    Entry {Op::FeatureVectorizer, OpClass::Other, "FeatureVectorizer"},
    Entry {Op::Imputer, OpClass::Other, "Imputer"},
    Entry {Op::LabelEncoder, OpClass::Other, "LabelEncoder"},
    Entry {Op::LinearClassifier, OpClass::Other, "LinearClassifier"},
    Entry {Op::LinearRegressor, OpClass::Other, "LinearRegressor"},
    Entry {Op::Normalizer, OpClass::Other, "Normalizer"},
    Entry {Op::OneHotEncoder, OpClass::Other, "OneHotEncoder"},
    Entry {Op::SVMClassifier, OpClass::Other, "SVMClassifier"},
    Entry {Op::SVMRegressor, OpClass::Other, "SVMRegressor"},
    Entry {Op::Scaler, OpClass::Other, "Scaler"},
    Entry {Op::TreeEnsemble, OpClass::Other, "TreeEnsemble"},
    Entry {Op::TreeEnsembleClassifier, OpClass::Other, "TreeEnsembleClassifier"},
    Entry {Op::TreeEnsembleRegressor, OpClass::Other, "TreeEnsembleRegressor"},
    Entry {Op::ZipMap, OpClass::Other, "ZipMap"},
    Entry {Op::Adagrad, OpClass::Other, "Adagrad"},
    Entry {Op::Adam, OpClass::Other, "Adam"},
    Entry {Op::Gradient, OpClass::Other, "Gradient"},
    Entry {Op::Momentum, OpClass::Other, "Momentum"},
    Entry {Op::NotEqual, OpClass::Pointwise, "NotEqual"},
    Entry {Op::Atan2, OpClass::Pointwise, "Atan2"},
    Entry {Op::AddProduct, OpClass::Pointwise, "AddProduct"},
    Entry {Op::AddQuotient, OpClass::Pointwise, "AddQuotient"},
    Entry {Op::Lerp, OpClass::Pointwise, "Lerp"},
    Entry {Op::Trunc, OpClass::Pointwise, "Trunc"},
    Entry {Op::Frac, OpClass::Pointwise, "Frac"},
    Entry {Op::Exp2, OpClass::Pointwise, "Exp2"},
    Entry {Op::Expm1, OpClass::Pointwise, "Expm1"},
    Entry {Op::Log2, OpClass::Pointwise, "Log2"},
    Entry {Op::Log10, OpClass::Pointwise, "Log10"},
    Entry {Op::Log1p, OpClass::Pointwise, "Log1p"},
    Entry {Op::Erfc, OpClass::Pointwise, "Erfc"},
    Entry {Op::ErfInv, OpClass::Pointwise, "ErfInv"},
    Entry {Op::CopyInto, OpClass::Pointwise, "CopyInto"},
    Entry {Op::Variance, OpClass::Normalisation, "Variance"},
    Entry {Op::StandardDeviation, OpClass::Normalisation, "StandardDeviation"},
    Entry {Op::VarianceMean, OpClass::Normalisation, "VarianceMean"},
    Entry {Op::SoftmaxStatistics, OpClass::Normalisation, "SoftmaxStatistics"},
    Entry {Op::MaxWithIndex, OpClass::Normalisation, "MaxWithIndex"},
    Entry {Op::MinWithIndex, OpClass::Normalisation, "MinWithIndex"},
    Entry {Op::ReduceAny, OpClass::Normalisation, "ReduceAny"},
    Entry {Op::ReduceAll, OpClass::Normalisation, "ReduceAll"},
    Entry {Op::AdaptiveAveragePool, OpClass::Normalisation, "AdaptiveAveragePool"},
    Entry {Op::NormMoments, OpClass::Normalisation, "NormMoments"},
    Entry {Op::NormScale, OpClass::Normalisation, "NormScale"},
    Entry {Op::NormApply, OpClass::Normalisation, "NormApply"},
    Entry {Op::Linear, OpClass::Contraction, "Linear"},
    Entry {Op::BatchGemm, OpClass::Contraction, "BatchGemm"},
    Entry {Op::Unbind, OpClass::Movement, "Unbind"},
    Entry {Op::AsStrided, OpClass::Movement, "AsStrided"},
    Entry {Op::Diagonal, OpClass::Movement, "Diagonal"},
    Entry {Op::Roll, OpClass::Movement, "Roll"},
    Entry {Op::Index, OpClass::Movement, "Index"},
    Entry {Op::IndexPut, OpClass::Movement, "IndexPut"},
    Entry {Op::SliceScatter, OpClass::Movement, "SliceScatter"},
    Entry {Op::SelectScatter, OpClass::Movement, "SelectScatter"},
    Entry {Op::DimSize, OpClass::Movement, "DimSize"},
    Entry {Op::RandomSeeds, OpClass::Movement, "RandomSeeds"},
    Entry {Op::CausalMask, OpClass::Movement, "CausalMask"},
};
static_assert(kEntries.size() == kOpCount);

constexpr bool isInEnumOrder() {
    for (std::size_t i = 0; i < kEntries.size(); ++i)
        if (static_cast<std::size_t>(kEntries[i].op) != i)
            return false;
    return true;
}
static_assert(isInEnumOrder());

const Entry& entry(Op op) { return kEntries[static_cast<std::size_t>(op)]; }

} // namespace

std::string_view toString(OpClass opClass) {
    switch (opClass) {
    case OpClass::Contraction:
        return "contraction";
    case OpClass::Normalisation:
        return "normalisation";
    case OpClass::Pointwise:
        return "pointwise";
    case OpClass::Movement:
        return "movement";
    case OpClass::Control:
        return "control";
    case OpClass::Other:
        return "other";
    }
    return "other";
}

std::string_view name(Op op) { return entry(op).name; }
OpClass opClass(Op op) { return entry(op).opClass; }

std::optional<Op> findOp(std::string_view name) {
    static const auto kByName = [] {
        std::unordered_map<std::string_view, Op> map;
        for (const Entry& e : kEntries)
            if (e.op != Op::Unknown && e.op != Op::Call)
                map.emplace(e.name, e.op);
        return map;
    }();
    const auto found = kByName.find(name);
    return found == kByName.end() ? std::nullopt : std::optional(found->second);
}

bool isView(Op op) {
    return op == Op::Reshape || op == Op::Squeeze || op == Op::Unsqueeze || op == Op::Flatten
        || op == Op::Identity || op == Op::Dropout;
}

bool isPointwise(Op op) { return opClass(op) == OpClass::Pointwise; }

bool isShapeOnly(Op op) { return op == Op::Shape || op == Op::Size || op == Op::DimSize || op == Op::Constant; }

} // namespace fivefold::ir
