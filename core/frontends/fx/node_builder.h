// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/fx/graph_builder.h"

namespace fivefold::frontends::fx {

/// The node of one call of a known operator.
class NodeBuilder final : public CallContext {
public:
    NodeBuilder(GraphBuilder& graph, GraphBuilder::Scope& scope, const Row& row, const Expr& call,
        const Annotation& result);

    /// Operands and attributes; outputs are up to the caller.
    ir::Node build(ir::Node start);
    std::size_t outputs() const { return m_outputs; } ///< 0: one plain value
    std::size_t gap() const { return m_gap; }
    std::size_t resultAt() const { return m_resultAt; }

    const Expr* argument(std::string_view name) const override;
    ir::Node& node() override { return m_node; }
    ir::ValueId operand(std::string_view name) override;
    std::vector<ir::ValueId> operands(std::string_view name) override;
    ir::ValueId constant(const std::vector<std::int64_t>& values) override;
    ir::ValueId scalar(double value, ir::DType dtype) override;
    ir::TensorId scalarTensor(double value, ir::DType dtype) override;
    const ir::ValueType& type(std::string_view name) const override;
    const ir::ValueType& result() const override { return m_result.type; }
    void setOutputs(std::size_t count) override { m_outputs = count; }
    void setOutputGap(std::size_t gap) override { m_gap = gap; }
    void setResultAt(std::size_t index) override { m_resultAt = index; }

private:
    ir::ValueId valueOf(const Expr& expr);
    ir::DType neighbourType() const;

    GraphBuilder& m_graph;
    GraphBuilder::Scope& m_scope;
    const Row& m_row;
    const Expr& m_call;
    const Annotation& m_result;
    std::vector<std::string_view> m_parameters; ///< without the marks
    std::vector<std::string_view> m_operands;
    ir::Node m_node;
    std::size_t m_outputs = 0;
    std::size_t m_gap = 0;
    std::size_t m_resultAt = 0;
};

} // namespace fivefold::frontends::fx
