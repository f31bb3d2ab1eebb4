// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/base/result.h"
#include "core/lowering/cycle_view.h"

#include <string_view>

namespace fivefold::analysis {

class JsonStream;

/// What every unit does in every cycle of one kernel, computed on demand. Only a machine whose
/// compiler fixes every cycle has it (Groq); a kernel is named as in `kernels[]` of the report.
base::Result<lowering::CycleView> kernelCycles(const Result& result, std::string_view kernel);

/// Rows that the report prints of one kernel at most; its phases are complete.
constexpr std::int64_t kMostCycleRows = 512;

/// `cycle_view{kernel, cycles, clock_hz, estimated, note, units[], phases[]{unit, instruction,
/// first, last, period, repeat}}` and `cycles[]{cycle, <unit>: instruction}`.
void writeCycles(JsonStream& json, const lowering::CycleView& view);

} // namespace fivefold::analysis
