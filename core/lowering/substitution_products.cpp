// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/patterns.h"
#include "core/lowering/recipes.h"
#include "core/lowering/substitution_rules.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fivefold::lowering::rules {

namespace {

using ir::Op;
using Extents = std::vector<std::int64_t>;

constexpr std::int64_t kLongestTriangle = 8192; ///< rows of a constant triangle

/// A triangle of ones that the compiler makes before the program starts.
ValueId prepared(Rewriter& rewriter, const std::string& name, Extents shape, ir::DType dtype,
    bool isUpper, std::int64_t diagonal) {
    Value value;
    recipes::describe(value, recipes::triangle(shape, isUpper, diagonal, dtype));
    value.name = name;
    value.dtype = dtype;
    value.shape = std::move(shape);
    value.role = ValueRole::Constant;
    return rewriter.addValue(std::move(value));
}

/// x with `axis` and its last axis exchanged; x itself where they are one.
ValueId exchanged(Sequence& sequence, std::string_view suffix, ValueId x, std::size_t axis) {
    const std::size_t rank = sequence.value(x).shape->size();
    if (axis + 1 == rank)
        return x;
    Extents order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[axis], order[rank - 1]);
    return sequence.transpose(suffix, x, order);
}

} // namespace

bool cumSumByProduct(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape || rewriter.value(x).shape->empty()
        || node.outputs.empty() || !ir::isFloat(rewriter.value(x).dtype))
        return false;
    const Extents shape = *rewriter.value(x).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const ValueId operand = rewriter.input(id, 1);
    const auto given = operand.isValid() ? scalarOf(rewriter.graph(), operand) : std::nullopt;
    if (!given && !node.attributes.has("axis"))
        return false;
    std::int64_t axis =
        given ? static_cast<std::int64_t>(*given) : node.attributes.integer("axis", 0);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank || shape[static_cast<std::size_t>(axis)] > kLongestTriangle)
        return false;
    const std::int64_t n = shape[static_cast<std::size_t>(axis)];
    Sequence sequence = rewriter.replace(id, rule);
    // Sums that run up use the lower triangle from the left and the upper one from the right.
    const bool isReverse = node.attributes.integer("reverse", 0) != 0;
    const bool isColumns = axis == rank - 2;
    const bool isUpper = isReverse == isColumns;
    const std::int64_t own = node.attributes.integer("exclusive", 0) != 0 ? 1 : 0;
    const ValueId triangle = prepared(rewriter, node.name + "/triangle", Extents{n, n},
        sequence.value(x).dtype, isUpper, isUpper ? own : -own);
    if (isColumns) { // columns: triangle · x
        sequence.finish(sequence.matmul("matmul", triangle, x));
        return true;
    }
    ValueId rows = exchanged(sequence, "rows", x, static_cast<std::size_t>(axis));
    if (rank == 1)
        rows = sequence.reshape("row", rows, Extents{1, n});
    ValueId sum = sequence.matmul("matmul", rows, triangle);
    if (rank == 1)
        sum = sequence.reshape("vector", sum, shape);
    else
        sum = exchanged(sequence, "back", sum, static_cast<std::size_t>(axis));
    sequence.finish(sum);
    return true;
}

bool triluByMask(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), k = rewriter.input(id, 1);
    if (!x.isValid() || !rewriter.value(x).shape || rewriter.value(x).shape->size() < 2
        || node.outputs.empty() || (k.isValid() && !scalarOf(rewriter.graph(), k)))
        return false;
    const Extents shape = *rewriter.value(x).shape;
    Sequence sequence = rewriter.replace(id, rule);
    const double diagonal = k.isValid() ? scalarOf(rewriter.graph(), k).value_or(0) : 0;
    const ValueId mask = prepared(rewriter, node.name + "/mask",
        Extents(shape.end() - 2, shape.end()), ir::DType::Bool,
        node.attributes.integer("upper", 1) != 0, static_cast<std::int64_t>(diagonal));
    NewNode select{Op::Where, "where", {mask, x, sequence.constant("zero", 0, x)}, {}, {}, {}};
    select.outputs.push_back({sequence.value(x).dtype, shape, ValueRole::Activation});
    sequence.finish(sequence.add(std::move(select)));
    return true;
}

namespace {

/// Labels of a two-operand equation, by what becomes of them in a batched product.
struct Equation {
    std::string a, b, out; ///< one letter an axis
    std::string batch, rows, columns, summed;
};

std::optional<Equation> parse(std::string text) {
    std::erase_if(text, [](char c) { return c == ' '; });
    const auto comma = text.find(','), arrow = text.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || arrow < comma
        || text.find(',', comma + 1) != std::string::npos || text.find('.') != std::string::npos)
        return std::nullopt;
    Equation e{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1),
        text.substr(arrow + 2), {}, {}, {}, {}};
    for (std::string labels : {e.a, e.b, e.out}) {
        std::ranges::sort(labels);
        if (std::ranges::adjacent_find(labels) != labels.end())
            return std::nullopt; // a diagonal
    }
    for (const char label : e.out) {
        const bool inA = e.a.find(label) != std::string::npos,
                   inB = e.b.find(label) != std::string::npos;
        if (!inA && !inB)
            return std::nullopt;
        (inA && inB ? e.batch : inA ? e.rows : e.columns) += label;
    }
    for (const char label : e.a)
        if (e.out.find(label) == std::string::npos)
            e.summed += label;
    for (const char label : e.summed)
        if (e.b.find(label) == std::string::npos)
            return std::nullopt; // summed in one operand alone
    const bool isComplete = std::ranges::all_of(e.b, [&](char label) {
        return e.out.find(label) != std::string::npos || e.summed.find(label) != std::string::npos;
    });
    return isComplete && !e.summed.empty() ? std::optional(e) : std::nullopt;
}

class EinsumWriter {
public:
    EinsumWriter(Sequence& sequence, const Equation& equation)
        : m_sequence(sequence)
        , m_equation(equation) { }

    /// The operand as [batch, first, second].
    ValueId operand(std::string_view suffix, ValueId x, const std::string& labels,
        const std::string& first, const std::string& second) {
        const std::string wanted = m_equation.batch + first + second;
        const ValueId moved = permuted(suffix, x, labels, wanted);
        Extents shape = extentsOf(m_equation.batch);
        shape.push_back(product(first));
        shape.push_back(product(second));
        return m_sequence.reshaped(suffix, moved, std::move(shape));
    }

    ValueId permuted(
        std::string_view suffix, ValueId x, const std::string& from, const std::string& to) {
        if (from == to)
            return x;
        Extents order;
        for (const char label : to)
            order.push_back(static_cast<std::int64_t>(from.find(label)));
        return m_sequence.transpose(suffix, x, std::move(order));
    }

    bool learn(const std::string& labels, const Extents& shape) {
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const auto [at, isNew] = m_extents.try_emplace(labels[i], shape[i]);
            if (!isNew && at->second != shape[i])
                return false; // broadcast
        }
        return true;
    }

    Extents extentsOf(const std::string& labels) const {
        Extents extents;
        for (const char label : labels)
            extents.push_back(m_extents.at(label));
        return extents;
    }

private:
    std::int64_t product(const std::string& labels) const {
        return elements(extentsOf(labels)).value_or(1);
    }

    Sequence& m_sequence;
    const Equation& m_equation;
    std::map<char, std::int64_t> m_extents;
};

} // namespace

bool einsumByProduct(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId a = rewriter.input(id, 0), b = rewriter.input(id, 1);
    const auto equation = parse(node.attributes.text("equation"));
    if (!equation || node.inputs.size() != 2 || !a.isValid() || !b.isValid() || node.outputs.empty()
        || !rewriter.value(a).shape || !rewriter.value(b).shape
        || rewriter.value(a).shape->size() != equation->a.size()
        || rewriter.value(b).shape->size() != equation->b.size())
        return false;
    const Extents as = *rewriter.value(a).shape, bs = *rewriter.value(b).shape;
    Sequence sequence = rewriter.replace(id, rule);
    EinsumWriter writer(sequence, *equation);
    if (!writer.learn(equation->a, as) || !writer.learn(equation->b, bs))
        return false;
    const ValueId left = writer.operand("left", a, equation->a, equation->rows, equation->summed);
    const ValueId right =
        writer.operand("right", b, equation->b, equation->summed, equation->columns);
    const std::string made = equation->batch + equation->rows + equation->columns;
    const ValueId product =
        sequence.reshaped("apart", sequence.matmul("matmul", left, right), writer.extentsOf(made));
    sequence.finish(writer.permuted("order", product, made, equation->out));
    return true;
}

} // namespace fivefold::lowering::rules
