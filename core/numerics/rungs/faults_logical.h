// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/rung.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace fivefold::numerics {

/// Contents of a captured value as the run has it; undefined where it is not known.
using ReadCaptured = std::function<Datum(ir::ValueId)>;

/// One captured operator under a faulty rule.
struct FaultyCall {
    const Fault& fault;
    const Subject& subject;
    const Evaluation& evaluation; ///< the rung's own
    const ReadCaptured& read;

    const ir::Node& node() const { return subject.graph().nodes[fault.node]; }
};

/// Captured values that the rule of F01–F11 reads.
std::vector<ir::ValueId> faultReads(FaultId id, const Subject& subject, ir::NodeId node);
/// Results of the node under F01–F11 from what `read` gives; `right` are those that it has without
/// the fault. Nullopt where the rule cannot act (an operand is not known): the result stays right.
std::optional<std::vector<Datum>> faultyResults(
    const FaultyCall& call, const std::vector<Datum>& right);

/// The arithmetic of a node under F32, F33 and F35.
void changeArithmetic(const Fault& fault, Arithmetic& arithmetic);
/// F34: what masks −∞ in becomes −10,000.
void changeMask(const lowering::Node& node, std::vector<Datum>& inputs);

/// Small patterns of the captured graph that rules and appliesTo() share.
namespace pattern {

/// A product plus a bias: Add(MatMul, b), or Gemm and Conv with their own.
struct Biased {
    ir::ValueId sum; ///< product + bias
    ir::ValueId bias;
    ir::NodeId product;
    double factor = 1; ///< of the bias (Gemm's beta)
    bool isPerChannel = false; ///< along axis 1 (Conv), else broadcast to the last axes
};
std::optional<Biased> biased(const ir::Graph& graph, ir::ValueId value);

/// The node that makes a value; invalid for inputs and weights.
ir::NodeId producer(const ir::Graph& graph, ir::ValueId value);
const ir::Node* producerIs(const ir::Graph& graph, ir::ValueId value, ir::Op op);
/// Input of a masking node (Add, Where in front of a soft-max) that holds the scores; nullopt where
/// the node is none.
std::optional<std::size_t> scoresInput(const Subject& subject, ir::NodeId node);
/// Input of an attention operator that holds its mask; nullopt without one.
std::optional<std::size_t> maskInput(const ir::Node& node);
bool isCausal(const ir::Node& node);
/// x of mean((x − mean(x))²) that the node (its last mean) computes; invalid where it is another.
ir::ValueId variancePattern(const ir::Graph& graph, ir::NodeId node);
/// x of f⁻¹(f(x)) that the node closes; invalid where it does not.
ir::ValueId inversePattern(const ir::Graph& graph, ir::NodeId node);

} // namespace pattern

} // namespace fivefold::numerics
