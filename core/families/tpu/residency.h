// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/lowering/fusion.h"
#include "core/lowering/program.h"

namespace fivefold::families::tpu {

/// The stored value behind each bitcast.
base::IdVector<lowering::ValueId, lowering::ValueId> storedValues(
    const lowering::StageGraph& graph);

/// Which stored values lie in the near memory (VMEM; CMEM on v4), read off the program's buffers.
base::IdVector<lowering::ValueId, std::uint8_t> nearValues(
    const lowering::StageGraph& graph, const lowering::Program& program, const Device& device);

/// Device bytes, padding included, that a kernel moves by memory.
struct KernelBytes {
    bool isKnown = true;
    base::Bytes hbmRead, hbmWritten;
    base::Bytes nearRead, nearWritten; ///< of values that stay on chip
    base::Bytes read() const { return hbmRead + nearRead; }
    base::Bytes written() const { return hbmWritten + nearWritten; }
};

/// Each stored tensor once; slices and table look-ups count what they touch.
KernelBytes kernelBytes(const lowering::StageGraph& graph, const lowering::Boundary& boundary,
    lowering::KernelId kernel, const base::IdVector<lowering::ValueId, lowering::ValueId>& stored,
    const base::IdVector<lowering::ValueId, std::uint8_t>& isNear);

} // namespace fivefold::families::tpu
