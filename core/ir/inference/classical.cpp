// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
// Operators of ai.onnx.ml.
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

/// Rows of the input: (N, features); a vector is one row.
Dim rows(NodeContext& context) {
    return context.rank(0) == 1 ? Dim(1) : context.dim(0, 0);
}

std::size_t listSize(NodeContext& context, std::string_view name) {
    const AttributeValue* value = context.attributes().find(name);
    if (!value)
        return 0;
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(value))
        return integers->size();
    if (const auto* numbers = std::get_if<std::vector<double>>(value))
        return numbers->size();
    if (const auto* texts = std::get_if<std::vector<std::string>>(value))
        return texts->size();
    return 0;
}

void toFloat(NodeContext& context) {
    context.output(0, DType::Float32, context.shape(0));
}

/// Labels are strings where the model lists strings, else integers.
DType labelType(NodeContext& context, std::string_view strings) {
    return listSize(context, strings) > 0 ? DType::String : DType::Int64;
}

void classifier(NodeContext& context) {
    const bool isTree = context.op() == Op::TreeEnsembleClassifier;
    const std::string_view strings = "classlabels_strings";
    const std::string_view integers = isTree ? "classlabels_int64s" : "classlabels_ints";
    std::size_t classes = std::max(listSize(context, strings), listSize(context, integers));
    if (classes == 0)
        classes = listSize(context, "intercepts");
    const Dim columns = classes ? Dim(static_cast<std::int64_t>(classes)) : Dim();
    context.output(0, labelType(context, strings), Shape{rows(context)});
    context.output(1, DType::Float32, Shape{rows(context), columns});
}

void regressor(NodeContext& context) {
    const std::string_view name = context.op() == Op::LinearRegressor ? "targets" : "n_targets";
    const std::int64_t targets = context.integer(name, 1);
    const DType dtype = context.op() == Op::TreeEnsemble ? context.dtype(0) : DType::Float32;
    context.output(0, dtype, Shape{rows(context), Dim(targets)});
}

/// LabelEncoder: the element type of the values it maps to.
void labelEncoder(NodeContext& context) {
    DType to = DType::Undefined;
    if (listSize(context, "values_strings"))
        to = DType::String;
    else if (listSize(context, "values_floats"))
        to = DType::Float32;
    else if (listSize(context, "values_int64s"))
        to = DType::Int64;
    else if (listSize(context, "classes_strings"))
        to = context.dtype(0) == DType::String ? DType::Int64 : DType::String;
    else if (const auto tensor = context.attributes().tensor("values_tensor"))
        to = context.state().graph.tensors[*tensor].dtype;
    context.output(0, to, context.shape(0));
}

void categoryMapper(NodeContext& context) {
    context.output(
        0, context.dtype(0) == DType::String ? DType::Int64 : DType::String, context.shape(0));
}

/// ArrayFeatureExtractor: the columns that Y names.
void featureExtractor(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out && out->empty()) {
        context.reject("ArrayFeatureExtractor needs an input of rank 1 or more.");
        return;
    }
    const Dim picked = context.shape(1) ? elementCount(*context.shape(1)) : Dim();
    if (out && out->size() == 1)
        out = Shape{Dim(1), picked};
    else if (out)
        out->back() = picked;
    context.output(0, context.dtype(0), std::move(out));
}

void oneHotEncoder(NodeContext& context) {
    MaybeShape out = context.shape(0);
    const std::size_t categories =
        std::max(listSize(context, "cats_int64s"), listSize(context, "cats_strings"));
    if (out)
        out->emplace_back(static_cast<std::int64_t>(categories));
    context.output(0, DType::Float32, std::move(out));
}

void featureVectorizer(NodeContext& context) {
    Dim columns(0);
    if (const auto sizes = context.attributes().integers("inputdimensions"))
        for (const std::int64_t size : *sizes)
            columns = columns + Dim(size);
    else
        for (std::size_t i = 0; i < context.inputCount(); ++i)
            columns = columns + context.dim(i, -1);
    context.output(0, DType::Float32, Shape{context.dim(0, 0), columns});
}

void dictVectorizer(NodeContext& context) {
    const std::size_t columns =
        std::max(listSize(context, "string_vocabulary"), listSize(context, "int64_vocabulary"));
    context.output(0, context.dtype(0), Shape{Dim(1), Dim(static_cast<std::int64_t>(columns))});
}

void castMap(NodeContext& context) {
    const std::string to = context.attributes().text("cast_to", "TO_FLOAT");
    const DType dtype = to == "TO_STRING" ? DType::String
        : to == "TO_INT64"                ? DType::Int64
                                          : DType::Float32;
    const bool isSparse = context.attributes().text("map_form", "DENSE") == "SPARSE";
    const Dim columns = isSparse ? Dim(context.integer("max_map", 1)) : Dim();
    context.output(0, dtype, Shape{Dim(1), columns});
}

void zipMap(NodeContext& context) {
    context.output(0, ValueType{ValueKind::Sequence, DType::Float32, std::nullopt});
}

} // namespace

void addClassicalRules(RuleTable& table) {
    table.set({Op::Binarizer, Op::Imputer}, sameAsInput);
    table.set({Op::Normalizer, Op::Scaler}, toFloat);
    table.set({Op::LinearClassifier, Op::SVMClassifier, Op::TreeEnsembleClassifier}, classifier);
    table.set({Op::LinearRegressor, Op::SVMRegressor, Op::TreeEnsembleRegressor, Op::TreeEnsemble},
        regressor);
    table.set(Op::LabelEncoder, labelEncoder);
    table.set(Op::CategoryMapper, categoryMapper);
    table.set(Op::ArrayFeatureExtractor, featureExtractor);
    table.set(Op::OneHotEncoder, oneHotEncoder);
    table.set(Op::FeatureVectorizer, featureVectorizer);
    table.set(Op::DictVectorizer, dictVectorizer);
    table.set(Op::CastMap, castMap);
    table.set(Op::ZipMap, zipMap);
}

} // namespace fivefold::ir::inference
