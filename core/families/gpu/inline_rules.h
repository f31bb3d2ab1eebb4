// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/graph.h"
#include "core/lowering/stage_graph.h"

#include <string_view>

namespace fivefold::families::gpu {

/// What Inductor makes of one ATen operator when it lowers it (torch/_inductor/lowering.py, ir.py;
/// PyTorch 2.13 and 2.14).
enum class Lowering : std::uint8_t {
    View, ///< another index; computes nothing
    Constant, ///< an expression of the index alone: no reads, always inlined
    Pointwise, ///< an expression of elements at mapped indices; inlined until realised
    Window, ///< pooling: several reads a result; hints that its input be realised
    Reduction, ///< along axes; at least kUnrolled elements, else an expression
    Scan, ///< cumulative: a reduction with a result of full size
    Sort, ///< of rows that fit one block
    Concat, ///< an expression, or slices of one buffer written by the inputs
    Scatter, ///< a copy of the destination, and a kernel that writes through an index
    Library, ///< a call: inputs and results are buffers
    Riding, ///< a product whose bias makes it one call with the addition behind it (addmm)
    Nothing, ///< of the host program
};

struct OperatorRule {
    Lowering kind = Lowering::Nothing;
    int operations = 1; ///< of the expression, as OpCounterCSE counts them
    bool isInPlace = false; ///< writes its first input (relu_, add_, copy_)
    bool needsRealised = false; ///< Inductor's list needs_realized_inputs
    bool isMatrixProduct = false; ///< aten.mm: its shared inputs get their eager layout
};

/// Reductions of fewer elements become expressions (config.unroll_reductions_threshold).
constexpr std::int64_t kUnrolled = 8;
/// Sorts of longer rows are library calls (ir.py, Sort.create: max_rblock 512 on GPUs).
constexpr std::int64_t kLongestSort = 512;
/// Larger windows are reductions or library calls (lowering.py, pooling).
constexpr std::int64_t kLargestWindow = 25;

/// `captured` gives the ATen target of nodes of fx graphs; other nodes are judged by their
/// canonical operator.
OperatorRule ruleOf(
    const lowering::StageGraph& graph, const lowering::Node& node, const ir::Graph& captured);

/// "aten.relu_.default" of a node that stands for one captured fx node; empty otherwise.
std::string_view targetOf(const lowering::Node& node, const ir::Graph& captured);

/// Axes that a Reduction, Scan or Sort runs along, sorted, in [0, rank).
std::vector<std::int64_t> axesOf(const lowering::Node& node, std::size_t rank);

/// Elements along `axes` of a shape.
std::int64_t extentAlong(
    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& axes);

} // namespace fivefold::families::gpu
