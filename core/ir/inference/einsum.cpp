// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/einsum.h"

#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <cctype>

namespace fivefold::ir::inference {

namespace {

struct Term {
    std::vector<std::string> before;
    std::vector<std::string> after;
    bool hasEllipsis = false;
};

std::optional<Term> parseTerm(std::string_view text) {
    Term term;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ')
            continue;
        if (text.substr(i, 3) == "...") {
            if (term.hasEllipsis)
                return std::nullopt;
            term.hasEllipsis = true;
            i += 2;
            continue;
        }
        if (!std::isalpha(static_cast<unsigned char>(text[i])))
            return std::nullopt;
        (term.hasEllipsis ? term.after : term.before).emplace_back(1, text[i]);
    }
    return term;
}

std::optional<std::vector<std::string>> labelsOf(const Term& term, std::size_t rank) {
    const std::size_t named = term.before.size() + term.after.size();
    if (named > rank || (!term.hasEllipsis && named != rank))
        return std::nullopt;
    std::vector<std::string> labels = term.before;
    for (std::size_t i = rank - named; i-- > 0;)
        labels.push_back("~" + std::to_string(i));
    labels.insert(labels.end(), term.after.begin(), term.after.end());
    return labels;
}

/// The output that ONNX and NumPy give an equation without "->": ellipsis, then labels that appear
/// once, in alphabetical order.
std::vector<std::string> implicitOutput(
    const std::vector<std::vector<std::string>>& operands, std::size_t ellipsisRank) {
    std::map<std::string, int> uses;
    for (const auto& labels : operands)
        for (const auto& label : labels)
            ++uses[label];
    std::vector<std::string> output;
    for (std::size_t i = ellipsisRank; i-- > 0;)
        output.push_back("~" + std::to_string(i));
    for (const auto& [label, count] : uses)
        if (count == 1 && label.front() != '~')
            output.push_back(label);
    return output;
}

} // namespace

std::optional<Einsum> parseEinsum(std::string_view equation, const std::vector<Shape>& shapes) {
    const std::size_t arrow = equation.find("->");
    std::string_view left = equation.substr(0, arrow);
    Einsum einsum;
    std::size_t ellipsisRank = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::size_t comma = left.find(',');
        const auto term = parseTerm(left.substr(0, comma));
        const auto labels = term ? labelsOf(*term, shapes[i].size()) : std::nullopt;
        if (!labels || (comma == std::string_view::npos) != (i + 1 == shapes.size()))
            return std::nullopt;
        if (comma != std::string_view::npos)
            left.remove_prefix(comma + 1);
        ellipsisRank =
            std::max(ellipsisRank, labels->size() - term->before.size() - term->after.size());
        for (std::size_t axis = 0; axis < labels->size(); ++axis) {
            const auto [it, isNew] = einsum.sizes.emplace((*labels)[axis], shapes[i][axis]);
            const auto dim = isNew ? it->second : broadcastDim(it->second, shapes[i][axis]);
            if (!dim)
                return std::nullopt;
            it->second = *dim;
        }
        einsum.operands.push_back(*labels);
    }
    if (arrow == std::string_view::npos) {
        einsum.output = implicitOutput(einsum.operands, ellipsisRank);
        return einsum;
    }
    const auto term = parseTerm(equation.substr(arrow + 2));
    if (!term)
        return std::nullopt;
    const std::size_t named = term->before.size() + term->after.size();
    const auto output = labelsOf(*term, named + (term->hasEllipsis ? ellipsisRank : 0));
    if (!output)
        return std::nullopt;
    einsum.output = *output;
    for (const auto& label : einsum.output)
        if (!einsum.sizes.contains(label))
            return std::nullopt;
    return einsum;
}

} // namespace fivefold::ir::inference
