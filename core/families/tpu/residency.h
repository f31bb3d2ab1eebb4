// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/lowering/fusion.h"
#include "core/lowering/program.h"

#include <map>
#include <string_view>

namespace fivefold::families::tpu {

/// The stored value behind each bitcast.
base::IdVector<lowering::ValueId, lowering::ValueId> storedValues(
    const lowering::StageGraph& graph);

/// Which stored values lie in the near memory (VMEM; CMEM on v4), read off the program's buffers.
base::IdVector<lowering::ValueId, std::uint8_t> nearValues(
    const lowering::StageGraph& graph, const lowering::Program& program, const Device& device);

/// Kernels of the two halves of an asynchronous copy.
constexpr std::string_view kCopyStart = "copy-start", kCopyDone = "copy-done";
bool isAsyncCopy(const lowering::StageGraph& graph, lowering::KernelId kernel);

/// Bytes of values that an asynchronous copy brings on chip but that are still on their way when
/// their first reader starts: the reader waits for them as if it read them from HBM.
using LateBytes = std::map<lowering::ValueId, std::int64_t>;
LateBytes lateBytes(const lowering::StageGraph& graph, const lowering::Program& program,
    const Device& device, const base::IdVector<lowering::ValueId, std::uint8_t>& isNear);

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
    const base::IdVector<lowering::ValueId, std::uint8_t>& isNear, const LateBytes& late = {});

} // namespace fivefold::families::tpu
