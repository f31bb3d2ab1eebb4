// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/substitutions.h"

#include "core/lowering/substitution_rules.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::lowering {

namespace {

using ir::Op;

struct Entry {
    Substitution shown;
    rules::Substitute* make = nullptr;
};

constexpr std::string_view kReordered =
    "Exact but for the order in which the products are added up.";
constexpr std::string_view kTanhGelu =
    "Not exact: differs by up to 0.0005 (Hendrycks, Gimpel, arXiv:1606.08415).";
constexpr std::string_view kParabola =
    "Not exact: differs by up to 0.0011, and by the rounding of x ÷ 2π at large x.";
constexpr std::string_view kExact = "Exact.";

constexpr std::array kEntries = {
    Entry{{"conv-taps", Op::Conv, "one matrix product a tap of the window, added up", true,
              kReordered},
        rules::convByTaps},
    Entry{{"fused-conv-taps", Op::FusedConv, "one matrix product a tap of the window, added up",
              true, kReordered},
        rules::convByTaps},
    Entry{{"conv-transpose-product", Op::ConvTranspose,
              "one matrix product and a rearrangement of its blocks", true, kReordered},
        rules::convTransposeByProduct},
    Entry{{"maxpool-slices", Op::MaxPool, "the maximum of shifted slices, one axis at a time", true,
              kExact},
        rules::maxPoolBySlices},
    Entry{{"global-maxpool-reduce", Op::GlobalMaxPool, "a maximum over the spatial axes", true,
              kExact},
        rules::globalMaxByReduction},
    Entry{{"resize-repeat", Op::Resize, "each element repeated", true, kExact},
        rules::resizeByExpand},
    Entry{{"upsample-repeat", Op::Upsample, "each element repeated", true, kExact},
        rules::resizeByExpand},
    Entry{{"cumsum-product", Op::CumSum, "a product with a triangle of ones", true, kReordered},
        rules::cumSumByProduct},
    Entry{
        {"trilu-mask", Op::Trilu, "a selection by a fixed mask", true, kExact}, rules::triluByMask},
    Entry{{"einsum-product", Op::Einsum, "transposes around a batched matrix product", true,
              kReordered},
        rules::einsumByProduct},
    Entry{{"erf-exp", Op::Erf, "1 − 2 ÷ (e^2u + 1) with u = 2/√π · (x + 0.0894·x³)", false,
              "Not exact: differs by up to 0.0004 (the tanh form of GELU, solved for erf)."},
        rules::erfByExp},
    Entry{{"gelu-tanh", Op::Gelu, "½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))", false, kTanhGelu},
        rules::geluByTanh},
    Entry{{"gelu-erf", Op::Gelu, "the GELU by erf instead of its tanh form", false, kTanhGelu},
        rules::geluByErf},
    Entry{{"bias-gelu-tanh", Op::BiasGelu,
              "½·y·(1 + tanh(√(2/π)·(y + 0.044715·y³))) with y = x + bias", false, kTanhGelu},
        rules::geluByTanh},
    Entry{{"fast-gelu-erf", Op::FastGelu, "the GELU by erf instead of its tanh form", false,
              kTanhGelu},
        rules::geluByErf},
    Entry{{"hardswish-clip", Op::HardSwish, "x·clip(x÷6 + ½, 0, 1)", true, kExact},
        rules::hardSwishByClip},
    Entry{{"sin-parabola", Op::Sin, "two parabolas after x − 2π·⌊x÷2π + ½⌋", false, kParabola},
        rules::sineByParabola},
    Entry{
        {"cos-parabola", Op::Cos, "two parabolas after x + π/2 − 2π·⌊x÷2π + ¾⌋", false, kParabola},
        rules::sineByParabola},
    Entry{
        {"mod-floor", Op::Mod, "x − y·⌊x÷y⌋", true, "Exact but for the rounding of the quotient."},
        rules::modByFloor},
    Entry{{"isnan-compare", Op::IsNaN, "x ≠ x", true, kExact}, rules::isNanByCompare},
    Entry{{"xor-compare", Op::Xor, "a ≠ b", true, kExact}, rules::xorByCompare},
    Entry{{"argmax-topk", Op::ArgMax, "the index of a top-k of one", true,
              "Exact; of equal elements the first counts, as before."},
        rules::argMaxByTopK},
    Entry{{"argmin-topk", Op::ArgMin, "the index of a top-k of one", true,
              "Exact; of equal elements the first counts, as before."},
        rules::argMaxByTopK},
};

constexpr auto buildShown() {
    std::array<Substitution, kEntries.size()> shown{};
    for (std::size_t i = 0; i < kEntries.size(); ++i)
        shown[i] = kEntries[i].shown;
    return shown;
}
constexpr auto kShown = buildShown();

const Entry* findEntry(std::string_view rule) {
    const auto found = std::ranges::find_if(
        kEntries, [rule](const Entry& entry) { return entry.shown.rule == rule; });
    return found == kEntries.end() ? nullptr : &*found;
}

std::string ruleSentence(const Substitution& s) {
    return std::string(ir::name(s.op)) + " is written as " + std::string(s.text)
        + ", as the user asks. " + std::string(s.exactness);
}

std::string ruleList(const ir::Node& node) {
    std::string list;
    for (const Substitution* s : substitutionsOf(node))
        list += (list.empty() ? "" : ", ") + std::string(s->rule);
    return list;
}

/// Says why a wish was not fulfilled.
void report(const Context& context, const std::string& node, std::string why, std::string remedy) {
    context.diagnostics.warn("lowering.substitute", node, std::move(why), std::move(remedy));
}

} // namespace

std::span<const Substitution> substitutions() {
    return kShown;
}

const Substitution* findSubstitution(std::string_view rule) {
    const auto found = std::ranges::find(kShown, rule, &Substitution::rule);
    return found == kShown.end() ? nullptr : &*found;
}

std::vector<const Substitution*> substitutionsOf(const ir::Node& node) {
    const bool isTanh = node.attributes.text("approximate") == "tanh";
    std::vector<const Substitution*> found;
    for (const Substitution& s : kShown) {
        const bool fits = s.op != Op::Gelu || (s.rule == "gelu-erf") == isTanh;
        if (s.op == node.op && fits)
            found.push_back(&s);
    }
    return found;
}

StageGraph withSubstitutes(const Context& context, StageGraph inlined) {
    const auto& wanted = context.settings.substitutes;
    if (wanted.empty())
        return inlined;
    const ir::Graph& captured = *context.typed.graph;
    Rewriter rewriter(std::move(inlined), Stage::Decomposed);
    std::unordered_set<std::string> seen;
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        if (node.sources.size() != 1)
            continue;
        const ir::NodeId source = node.sources.front();
        const std::string name = captured.nodes[source].name;
        const auto at = wanted.find(name);
        if (at == wanted.end())
            continue;
        const bool isFirst = seen.insert(name).second;
        const Entry* entry = findEntry(at->second);
        const ir::Op op = node.canonical;
        if (entry && entry->shown.op == op && entry->make(rewriter, id, ruleSentence(entry->shown)))
            continue;
        if (!isFirst)
            continue;
        const std::string rules = ruleList(captured.nodes[source]);
        if (!entry || entry->shown.op != op)
            report(context, name,
                "\"" + at->second + "\" is no substitution of " + std::string(ir::name(op))
                    + ", so the operator stays as it is.",
                rules.empty() ? "There is none for it." : "Choose " + rules + ".");
        else
            report(context, name,
                "The substitution " + at->second
                    + " does not cover this operator's shapes or attributes, so it stays as it is.",
                "Bind the free dimensions if shapes are unknown.");
    }
    for (const auto& [name, rule] : wanted)
        if (!seen.contains(name))
            report(context, name, "No operator of this name runs, so nothing was substituted.",
                "Name an operator of the captured graph that is not folded away.");
    return std::move(rewriter).finish();
}

} // namespace fivefold::lowering
