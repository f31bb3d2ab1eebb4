// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/groq/work.h"
#include "core/lowering/cycle_view.h"

namespace fivefold::families::groq {

/// One execution of one kernel, cycle by cycle: which functional slice does what. The phases end on
/// the kernel's cycle count of the schedule; exact relative to the machine's figures, and marked
/// where those are carried over or assumed.
///
/// MEM reads the weights of the first round while the planes install them, then the operands; what
/// is read reaches the middle of the chip `transit` cycles later, where MXM, SXM and VXM work while
/// the streams pass; MEM writes what arrives, so that the last write ends the kernel. Within a
/// product, round r streams its rows while the weights of round r + 1 are installed. ICU issues an
/// instruction in the first cycle of each phase (ISCA 2020, "Think Fast").
lowering::CycleView cycleView(const machines::Machine& machine, machines::Precision precision,
    const lowering::StageGraph& graph, lowering::KernelId kernel);

} // namespace fivefold::families::groq
