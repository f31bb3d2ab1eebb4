// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/node_builder.h"

#include "core/frontends/fx/literals.h"

namespace fivefold::frontends::fx {

namespace {

const ir::ValueType kNoType;

} // namespace

NodeBuilder::NodeBuilder(GraphBuilder& graph, GraphBuilder::Scope& scope, const Row& row,
    const Expr& call, const Annotation& result)
    : m_graph(graph)
    , m_scope(scope)
    , m_row(row)
    , m_call(call)
    , m_result(result) {
    std::string_view rest = row.parameters;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        std::string_view name = rest.substr(0, end);
        if (!name.empty() && name.front() == '@') {
            name.remove_prefix(1);
            m_operands.push_back(name);
        }
        if (!name.empty())
            m_parameters.push_back(name);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

ir::Node NodeBuilder::build(ir::Node start) {
    m_node = std::move(start);
    m_node.op = m_row.op;
    for (const std::string_view name : m_operands)
        m_node.inputs.push_back(operand(name));
    if (m_row.finish)
        m_row.finish(*this);
    while (!m_node.inputs.empty() && !m_node.inputs.back().isValid())
        m_node.inputs.pop_back();
    return std::move(m_node);
}

const Expr* NodeBuilder::argument(std::string_view name) const {
    const Expr* found = m_call.keyword(name);
    for (std::size_t i = 0; !found && i < m_parameters.size() && i < m_call.items.size(); ++i)
        if (m_parameters[i] == name)
            found = &m_call.items[i];
    return found && !found->is(Expr::Kind::None) ? found : nullptr;
}

/// The element type of the first tensor among the arguments, else the result's.
ir::DType NodeBuilder::neighbourType() const {
    for (const Expr& item : m_call.items)
        if (item.is(Expr::Kind::Name))
            if (const auto* named = m_graph.find(m_scope, item.text);
                named && named->value.isValid())
                if (const auto dtype = m_graph.m_graph.values[named->value].declared.dtype;
                    dtype != ir::DType::Undefined)
                    return dtype;
    return m_result.type.dtype;
}

ir::ValueId NodeBuilder::valueOf(const Expr& expr) {
    switch (expr.kind) {
    case Expr::Kind::Integer:
    case Expr::Kind::Bool:
        return m_graph.addInitializer(
            scalarData(expr.integer, literalType(false, neighbourType())), m_scope.block);
    case Expr::Kind::Number:
        return scalar(expr.number, literalType(true, neighbourType()));
    case Expr::Kind::Name:
        if (const auto* named = m_graph.find(m_scope, expr.text))
            return named->producer.isValid() && !named->value.isValid()
                ? m_graph.outputAt(*named, 0)
                : named->value;
        m_graph.m_diagnostics.warn("fx.unknown_name", m_node.name,
            "The call reads \"" + expr.text.substr(0, 100)
                + "\", which no line above it defines; the operand is left out.",
            "Print the whole graph again.");
        return {};
    default:
        return {};
    }
}

ir::ValueId NodeBuilder::operand(std::string_view name) {
    const Expr* expr = argument(name);
    return expr ? valueOf(*expr) : ir::ValueId();
}

std::vector<ir::ValueId> NodeBuilder::operands(std::string_view name) {
    std::vector<ir::ValueId> values;
    const Expr* expr = argument(name);
    if (expr && (expr->is(Expr::Kind::List) || expr->is(Expr::Kind::Tuple)))
        for (const Expr& item : expr->items)
            values.push_back(valueOf(item));
    else if (expr)
        values.push_back(valueOf(*expr));
    return values;
}

ir::ValueId NodeBuilder::constant(const std::vector<std::int64_t>& values) {
    return m_graph.addInitializer(vectorData(values), m_scope.block);
}

ir::ValueId NodeBuilder::scalar(double value, ir::DType dtype) {
    return m_graph.addInitializer(scalarData(value, dtype), m_scope.block);
}

ir::TensorId NodeBuilder::scalarTensor(double value, ir::DType dtype) {
    return m_graph.m_graph.tensors.add(scalarData(value, dtype));
}

/// The declared type of an argument, or of the value of that name.
const ir::ValueType& NodeBuilder::type(std::string_view name) const {
    const Expr* expr = argument(name);
    const auto* named =
        m_graph.find(m_scope, expr && expr->is(Expr::Kind::Name) ? expr->text : std::string(name));
    return named && named->value.isValid() ? m_graph.m_graph.values[named->value].declared
                                           : kNoType;
}

} // namespace fivefold::frontends::fx
