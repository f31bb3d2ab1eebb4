// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

#include <string>
#include <string_view>

namespace fivefold::families::spyre {

/// How torch-spyre takes an operator that is left after decomposition.
enum class OpKind : std::uint8_t {
    View, ///< no OpSpec: the operator that reads it addresses it (permute, view, slice, expand)
    Pointwise, ///< one result from the elements at its own index, on the vector unit
    Reduction, ///< along one or more axes, on the vector unit
    Matmul, ///< on the PT array
    Copy, ///< an identity OpSpec: clone, cat, pad, repeat
    Gather, ///< indirect access; runs on one core
    Norm, ///< exx2, layernormscale, layernormnorm
    Restickify, ///< ReStickifyOpHBM: changes the stick dimension through LPDDR5
    Fallback, ///< on the host CPU, with a warning; breaks the bundle
    Unsupported, ///< refused at compile time
};

/// Words of the backend: batchmatmul, realdiv, relufwd, identity, …
const lowering::Words& words();

/// Kind of a node of a lowered stage, from its canonical operator, its word and its support.
OpKind kindOf(const lowering::Node& node);
/// True where the node becomes an OpSpec or a host call: everything but views.
bool isOpSpec(const lowering::Node& node);

/// Kind of an operator of the graph before it has a word of ours. O(1).
OpKind kindOf(ir::Op op);

constexpr std::string_view kExx2 = "exx2";
constexpr std::string_view kLayerNormScale = "layernormscale";
constexpr std::string_view kLayerNormNorm = "layernormnorm";
constexpr std::string_view kRestickify = "ReStickifyOpHBM";
constexpr std::string_view kClone = "identity";
constexpr std::string_view kTopKIndex = "topkindex";
constexpr std::string_view kTopKIndexAten = "spyre.topkindex.default";

/// ATen or Spyre operator that torch.compile has for an operator: "aten.add.Tensor". Operators of
/// fx graphs say their own (kAtenAttribute).
std::string_view atenWord(const lowering::Node& node);

/// Whether an operand is a number that the operator has in its OpSpec's constants (bounds of a
/// clamp, the exponent of a power) instead of a tensor.
bool isCompileTimeOperand(const lowering::Node& node, std::size_t operand);

/// Of a Transpose: a permutation of [0, rank), reversed axes where the node has none.
std::vector<std::int64_t> permutationOf(const lowering::Node& node, std::size_t rank);

} // namespace fivefold::families::spyre
