// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"
#include "core/memory/step_borders.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace fivefold::roofline {

/// In the order of the bar.
enum class GapKind : std::uint8_t { Ideal, Padding, Tile, Memory, Relayout, Launch, Stall };
std::string_view toString(GapKind kind);

/// One stretch of the way from the work at peak to the estimate.
struct GapPart {
    GapKind kind = GapKind::Ideal;
    std::string name; ///< "ideal", "padding", "tile and fill", "LPDDR5", "restickify", "launch"
    std::size_t level = 0; ///< of Memory: index into Machine::memories
    base::Seconds time; ///< of all executions; > 0
};

/// Who pays for a relayout: the operator that asked for it, or the relayout itself.
enum class Charge : std::uint8_t { ToCause, ToItself };

/// Where the time of some steps goes. The parts add up to `estimate`.
struct Gap {
    std::vector<GapPart>
        parts; ///< by kind, memory levels far to near; parts of no time are left out
    base::Seconds estimate;
    base::Flops flops;
    bool isAtLeast = false; ///< a step's time is unknown and counts as none
};

/// One execution of a step taken apart; seconds that add up to its time. What the bound that holds
/// hides is in no part, as in the shares of the estimate.
struct StepParts {
    static constexpr std::size_t kLevels = 8; ///< memories of a machine that are told apart
    double ideal = 0;
    double computePadding = 0; ///< arithmetic on elements that no tensor has
    double memoryPadding = 0; ///< moving them
    double tile = 0; ///< the rest of the arithmetic's time: tiles, waves, rates below the peak
    /// By level: what its bytes take beyond the ideal and beyond the levels farther out.
    std::array<double, kLevels> memory{};
    double scheduling = 0;
};

/// Takes steps of one program apart. Construction O(nodes + edges + buffers).
class GapAnalysis {
public:
    GapAnalysis(const lowering::Program& program, const machines::Machine& machine);

    /// The gap of the steps, each given once. O(steps given + relayouts that they asked for).
    Gap of(std::span<const lowering::StepId> steps, Charge charge) const;
    Gap ofProgram() const;

    /// Without times where the step's is unknown. A relayout has no ideal: it need not be there.
    StepParts partsOf(lowering::StepId step) const;
    const memory::StepBorders& borders() const { return m_borders; }
    /// As roofline::chargedSteps().
    const base::IdVector<lowering::StepId, lowering::StepId>& charged() const { return m_charged; }

private:
    void add(Gap& gap, lowering::StepId step, Charge charge) const;

    const lowering::Program& m_program;
    const machines::Machine& m_machine;
    memory::StepBorders m_borders;
    base::IdVector<lowering::StepId, lowering::StepId> m_charged;
    base::IdVector<lowering::StepId, std::vector<lowering::StepId>> m_asked; ///< by who pays
};

/// The gap of the steps. Under Charge::ToCause relayouts that a step asked for count in it as
/// Relayout, and a relayout given alone has no gap of its own unless nobody asked for it. Under
/// ToItself a relayout's time is Relayout too, told apart by what it consists of. Builds a
/// GapAnalysis: take that for more than one.
Gap gapOf(const lowering::Program& program, const machines::Machine& machine,
    std::span<const lowering::StepId> steps, Charge charge);
/// Of the whole program; the same under either charge but for the names.
Gap gapOf(const lowering::Program& program, const machines::Machine& machine);

} // namespace fivefold::roofline
