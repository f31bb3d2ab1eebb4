// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/fx/syntax.h"
#include "core/ir/graph.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::frontends::fx {

/// What a row's function sees of one call, and where it puts the canonical node. Arguments are
/// looked up by the names of the row's parameter list, wherever the text has them. Indices and dims
/// are returned as written; nothing here fails: what a call lacks stays unset.
class CallContext {
public:
    virtual ~CallContext() = default;

    virtual const Expr* argument(std::string_view name) const = 0; ///< null: not given or None
    bool has(std::string_view name) const { return argument(name) != nullptr; }
    std::optional<std::int64_t> integer(std::string_view name) const;
    std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    std::optional<double> number(std::string_view name) const;
    std::optional<std::string> text(
        std::string_view name) const; ///< a string, or a name as written
    std::optional<ir::DType> dtype(std::string_view name) const;
    bool flag(std::string_view name, bool fallback = false) const;
    /// A list of integers, or one integer as a list of one; nullopt when one of them is no literal.
    std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;

    virtual ir::Node& node() = 0;
    /// The value an argument names; a literal becomes an unnamed initialiser; invalid for None.
    virtual ir::ValueId operand(std::string_view name) = 0;
    virtual std::vector<ir::ValueId> operands(std::string_view name) = 0; ///< of a list of tensors
    virtual ir::ValueId constant(const std::vector<std::int64_t>& values) = 0; ///< int64, rank 1
    virtual ir::ValueId scalar(double value, ir::DType dtype) = 0;
    virtual ir::TensorId scalarTensor(double value, ir::DType dtype) = 0; ///< for attributes
    virtual const ir::ValueType& type(
        std::string_view name) const = 0; ///< declared, of an argument
    virtual const ir::ValueType& result() const = 0; ///< declared, of the line itself
    virtual void setOutputs(std::size_t count) = 0;
    /// Where the results after the first stand among the canonical outputs: result i ≥ 1 at i +
    /// gap.
    virtual void setOutputGap(std::size_t gap) = 0;
    /// The only result is this canonical output (the indices of a TopK).
    virtual void setResultAt(std::size_t index) = 0;

    int rank(std::string_view name) const; ///< −1: unknown
    /// ATen counts a scalar as a vector of one element: axis 0 or −1 of a tensor of rank 0, which
    /// does not exist here and stands for the whole tensor.
    bool isScalarAxis(std::string_view name, std::int64_t axis) const {
        return (axis == 0 || axis == -1) && rank(name) == 0;
    }
    void add(ir::ValueId input) { node().inputs.push_back(input); }
    void add(std::string_view name) { add(operand(name)); }
    void set(std::string attribute, ir::AttributeValue value) {
        node().attributes.set(std::move(attribute), std::move(value));
    }
};

using Finish = void (*)(CallContext&);

/// One line an operator. `parameters` are the names of the ATen schema in order, separated by
/// blanks; those marked with '@' are the canonical operands in that order ("@self @other alpha");
/// the finish function sets the rest. A target without a row of its own takes the row of its name
/// without the overload, then that of its out-of-place form ("add_.Tensor" → "add").
struct Row {
    std::string_view target; ///< "aten.add" or "aten.sum.dim_IntList"
    ir::Op op;
    std::string_view parameters;
    Finish finish = nullptr;
};

/// The row of a target "aten.relu_.default"; null for an unknown operator.
const Row* findRow(std::string_view target);

std::span<const Row> pointwiseRows();
std::span<const Row> reductionRows();
std::span<const Row> contractionRows();
std::span<const Row> movementRows();
std::span<const Row> indexingRows();
std::span<const Row> generatorRows();
std::span<const Row> spyreRows();

} // namespace fivefold::frontends::fx
