// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/operators.h"

#include <cstdint>
#include <vector>

namespace fivefold::families::tpu {

/// Why nodes stand in one fusion exactly once; the later ones stand for the earlier ones.
enum class Bond : std::uint8_t {
    None, ///< a root with the loop operators that make its operands
    SiblingReductions, ///< reductions of one operand, one pass
    SecondOutput, ///< a reduction that also writes its operand, because others read it
    Slices, ///< parts of one result, one pass with several outputs
    Epilogue, ///< a product with elementwise consumers
    RowReduction, ///< a product whose result is also reduced along its rows
    DotIntoDot, ///< a product computed inside the one that reads it
    OnlineSoftmax, ///< softmax and the product behind it, as XLA's builtin call
};

/// Nodes with a fixed fusion, before loop operators are handed to their readers.
struct Anchors {
    static constexpr std::uint32_t kNone = 0xffffffff;
    std::vector<std::uint32_t> home; ///< by node: index of the node that stands for its fusion
    std::vector<Bond> bond; ///< by standing node

    bool isAnchored(lowering::NodeId node) const { return home[node.index()] != kNone; }
    Bond bondOf(lowering::NodeId node) const {
        return isAnchored(node) ? bond[home[node.index()]] : Bond::None;
    }
};

/// The rules of XLA's TPU compiler, read off its ahead-of-time output (jax 0.10.2, v4 to v7x):
/// - elementwise consumers of a product's result, of the same size, join it as far as one result
///   leaves them, one product a chain; where two products meet, the later one takes the chain;
/// - a maximum, minimum or sum along the rows of that result joins as a second output;
/// - a product whose activated result only feeds the next one is computed inside it where that
///   one's columns are one window: up to 768 columns, any number from v6e on; a convolution takes
///   another in only as 1×1, and never a 1×1;
/// - softmax and the product behind it are the builtin `online-softmax` call for several rows:
///   always on v5e and v5p, from 256 keys on v6e and v7x, never on v4;
/// - reductions of one operand are one pass; slices of one product's result that only change their
///   order afterwards are one pass.
/// O(nodes + edges).
Anchors findAnchors(const lowering::StageGraph& graph, int generation);

/// A broadcast to the same shape, or a reshape that only adds or drops axes of 1, or folds whole
/// tiles of rows: index arithmetic inside a fusion.
bool isIndexOnly(const lowering::StageGraph& graph, const lowering::Node& node);

} // namespace fivefold::families::tpu
