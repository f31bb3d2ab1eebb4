// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/state.h"

#include <optional>
#include <string>
#include <vector>

namespace fivefold::ir::inference {

using MaybeShape = std::optional<Shape>;

/// An operand that is an attribute in older operator sets and an input in newer ones.
struct Operand {
    bool isGiven = false;
    std::optional<Contents> values; ///< set when given and known

    /// All values as integers, or nullopt.
    std::optional<std::vector<std::int64_t>> integers() const;
};

/// What a rule sees of one node: its operands with everything known about them, and where results
/// go. Outputs are unknown until a rule sets them. Indices beyond the node's operands are legal and
/// mean "omitted".
class NodeContext {
public:
    NodeContext(State& state, NodeId id);

    State& state() { return m_state; }
    NodeId id() const { return m_id; }
    const Node& node() const { return m_node; }
    Op op() const { return m_node.op; }
    const Attributes& attributes() const { return m_node.attributes; }
    std::int64_t integer(std::string_view attribute, std::int64_t fallback) const {
        return m_node.attributes.integer(attribute, fallback);
    }

    std::size_t inputCount() const { return m_node.inputs.size(); }
    bool has(std::size_t input) const;
    ValueId input(std::size_t input) const;
    const ValueType& type(std::size_t input) const;
    DType dtype(std::size_t input) const { return type(input).dtype; }
    const MaybeShape& shape(std::size_t input) const { return type(input).shape; }
    /// Rank, or −1 when unknown.
    int rank(std::size_t input) const;
    /// The dim, unknown when the rank is unknown or too small; negative axes count from the end.
    Dim dim(std::size_t input, int axis) const;
    const Contents* contents(std::size_t input);
    const Numbers* numbers(std::size_t input);
    /// The single element of a scalar or one-element operand.
    std::optional<std::int64_t> scalar(std::size_t input);
    std::optional<double> scalarNumber(std::size_t input);
    Operand operand(std::string_view attribute, std::size_t input);

    std::size_t outputCount() const { return m_node.outputs.size(); }
    bool wants(std::size_t output) const;
    void output(std::size_t output, DType dtype, MaybeShape shape);
    void output(std::size_t output, ValueType type);
    void outputContents(std::size_t output, Contents contents);
    void outputNumbers(std::size_t output, Numbers numbers);
    void outputBound(std::size_t output, Dim bound);
    const ValueType& outputType(std::size_t output) const;

    /// Reports that the operands contradict the operator; all outputs become unknown (dtypes stay).
    void reject(std::string message, std::string remedy = {});
    bool isRejected() const { return m_isRejected; }
    /// "MatMul", the operator as the file calls it.
    std::string opName() const;

private:
    const Contents* replacedContents(std::size_t input) const;

    State& m_state;
    NodeId m_id;
    const Node& m_node;
    bool m_isRejected = false;
};

} // namespace fivefold::ir::inference
