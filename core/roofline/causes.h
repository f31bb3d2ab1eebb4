// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"
#include "core/roofline/gap.h"

#include <string>
#include <vector>

namespace fivefold::roofline {

/// What a cost beyond the ideal consists of.
enum class CauseKind : std::uint8_t {
    Padding, ///< elements computed or moved that no tensor has
    Relayout, ///< a step that only changes a layout
    Spill, ///< a value that wanted a nearer memory and did not fit
    Stall, ///< fill, drain, hops, synchronisation, waves that are not full
    Launch, ///< getting a kernel to run
    Host, ///< an operator that leaves the device and comes back
};
std::string_view toString(CauseKind kind);

/// One link of the way back from a cost to the decision behind it. At most one of `node`, `value`
/// and `added` is set: where a click leads.
struct CauseLink {
    std::string text; ///< "matmul_3 wants its stick on k"
    lowering::Stage stage = lowering::Stage::Captured; ///< where that was decided
    ir::NodeId node; ///< captured
    ir::ValueId value; ///< captured
    std::string added; ///< name of a node that lowering added
    lowering::DecidedBy decidedBy = lowering::DecidedBy::Compiler;
};

/// A cost with the decision upstream that made it.
struct Cause {
    CauseKind kind = CauseKind::Stall;
    std::string name; ///< "restickify", "launch", "padding of k to 64"
    lowering::StepId step; ///< that pays
    lowering::StepId
        chargedTo; ///< that asked for it; = step unless the step is a relayout or a spill's copy
    base::Seconds time; ///< of all executions of `step`
    base::Bytes bytes; ///< moved or kept in excess, of all executions
    std::vector<CauseLink> chain; ///< nearest first; never empty

    /// "restickify 41 µs ← matmul_3 wants its stick on k ← weight layout".
    std::string sentence() const;
};

/// All causes of a scheduled program, by falling time. Steps without a known time have none.
/// O(steps + values).
std::vector<Cause> causes(const lowering::Program& program, const machines::Machine& machine);
/// The same where the program has been taken apart already.
std::vector<Cause> causes(const lowering::Program& program, const GapAnalysis& analysis);

/// For each step the step that its time is charged to: itself, or for a relayout or a spill's copy
/// the operator that asked for it.
base::IdVector<lowering::StepId, lowering::StepId> chargedSteps(const lowering::Program& program);
base::IdVector<lowering::StepId, lowering::StepId> chargedSteps(
    const lowering::Program& program, const memory::StepBorders& borders);

} // namespace fivefold::roofline
