// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/lowering/rewriter.h"

/// Operators that XLA's TPU compiler has in another form than the model. Read off the
/// ahead-of-time output of XLA for v4 to v7x (jax 0.10.2).
namespace fivefold::families::tpu {

/// Identities, dropout in inference and broadcasts to the same shape are no instructions.
void dropIdentities(lowering::Rewriter& rewriter);

/// A dot with one row or one column is a multiply and a reduce on the vector unit, up to v6e; v7x
/// keeps the dot.
void rewriteThinDots(lowering::Rewriter& rewriter, const Device& device);

/// top-k is an iota, a full sort of (value, index) pairs and two slices.
void rewriteTopK(lowering::Rewriter& rewriter);

/// A gather by computed indices: negative ones are wrapped (compare, add, select), then all are
/// clamped into the table.
void rewriteGathers(lowering::Rewriter& rewriter);

/// Division by a power of two is a multiplication by its reciprocal, which is exact.
void rewriteDivisions(lowering::Rewriter& rewriter);

/// Clamp of the indices of a gather: a kernel of its own in front of it, with the indices padded to
/// whole vectors.
bool isIndexClamp(const lowering::StageGraph& graph, const lowering::Node& node);

} // namespace fivefold::families::tpu
