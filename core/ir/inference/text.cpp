// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

void stringConcat(NodeContext& context) {
    context.output(0, DType::String, broadcastInputs(context, 0, 2));
}

/// StringNormalizer drops stop words from the last axis; without any it keeps the shape.
void stringNormalizer(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out && !out->empty() && context.attributes().has("stopwords"))
        out->back() = Dim();
    context.output(0, DType::String, std::move(out));
}

/// StringSplit: the parts in a new last axis as long as the longest split, and their counts.
void stringSplit(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out)
        out->emplace_back();
    context.output(0, DType::String, std::move(out));
    context.output(1, DType::Int64, context.shape(0));
}

void regexFullMatch(NodeContext& context) {
    context.output(0, DType::Bool, context.shape(0));
}

/// TfIdfVectorizer: one column for the highest of its n-gram indices.
void tfIdfVectorizer(NodeContext& context) {
    MaybeShape out = context.shape(0);
    const auto indices = context.attributes().integers("ngram_indexes");
    if (out) {
        const Dim columns = indices && !indices->empty()
            ? Dim(*std::max_element(indices->begin(), indices->end())) + Dim(1)
            : Dim();
        if (out->empty())
            out->push_back(columns);
        else
            out->back() = columns;
    }
    context.output(0, DType::Float32, std::move(out));
}

} // namespace

void addTextRules(RuleTable& table) {
    table.set(Op::StringConcat, stringConcat);
    table.set(Op::StringNormalizer, stringNormalizer);
    table.set(Op::StringSplit, stringSplit);
    table.set(Op::RegexFullMatch, regexFullMatch);
    table.set(Op::TfIdfVectorizer, tfIdfVectorizer);
}

} // namespace fivefold::ir::inference
