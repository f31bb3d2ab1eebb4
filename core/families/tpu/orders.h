// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <vector>

namespace fivefold::families::tpu {

/// Dimensions from minor to major: the first lies in the lanes, the second in the sublanes.
using Order = std::vector<int>;

Order rowMajorOrder(std::size_t rank);

/// Channels in the lanes, batch in the sublanes, then the spatial axes: what a convolution of [N,
/// C, …] reads and writes ({3,0,2,1} of an NHWC array).
Order convolutionOrder(std::size_t rank);

/// The order of every value of known shape (empty for others):
/// - inputs and parameters: least padding;
/// - products: least padding where batch axes stay outside the tile, else row-major, as the builtin
/// softmax call writes; convolutions: convolutionOrder;
/// - loops, sorts and reductions: that of the first operand of their own rank (and size, for
/// arithmetic), else row-major;
/// - transposes: the permuted order, a bitcast, where every reader can take it (a dot wants its
/// matrix axes
///   minor), else row-major;
/// - other relayouts: row-major;
/// - copies that the layout stage added: the order of the convolution that reads them, else least
/// padding. O(nodes + edges).
base::IdVector<lowering::ValueId, Order> ordersOf(const lowering::StageGraph& graph);

/// A node of XLA's builtin softmax call, which reads and writes row-major.
bool isInCall(const lowering::StageGraph& graph, const lowering::Node& node);

/// A relayout whose result has the same bytes in the same order as its operand: nothing moves.
bool isBitcast(const lowering::StageGraph& graph, const lowering::Node& node,
    const base::IdVector<lowering::ValueId, Order>& orders);

} // namespace fivefold::families::tpu
