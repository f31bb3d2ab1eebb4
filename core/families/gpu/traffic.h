// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion.h"
#include "core/lowering/program.h"

namespace fivefold::families::gpu {

/// The stored value behind each view.
base::IdVector<lowering::ValueId, lowering::ValueId> storedValues(
    const lowering::StageGraph& graph);

/// Bytes that a kernel moves to and from device memory.
struct KernelBytes {
    bool isKnown = true; ///< false: a shape is unknown
    base::Bytes read, written;
    base::Bytes total() const { return read + written; }
};

/// Each stored tensor counts once: reads through a slice or an index table count what they touch,
/// reads through an expansion count the tensor behind it.
KernelBytes kernelBytes(const lowering::StageGraph& graph, const lowering::Boundary& boundary,
    lowering::KernelId kernel, const base::IdVector<lowering::ValueId, lowering::ValueId>& stored);

} // namespace fivefold::families::gpu
