// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/memory/step_borders.h"

#include <optional>
#include <string>
#include <vector>

/// What findings cost the whole model. All prices are what the total falls by if the cause's time
/// vanished: what other parts of the step then hide behind is taken off.
namespace fivefold::analysis {

/// A dimension that a layout pads.
struct PaddedDimension {
    lowering::ValueId value; ///< of the scheduled stage
    std::size_t dimension = 0;
    std::int64_t extent = 0;
    std::int64_t padded = 0;
    std::int64_t quantum = 1; ///< multiples of it cost no padding
};

/// Causes that one decision makes in several steps: layers that repeat, a dimension that many
/// operators read.
struct CostGroup {
    roofline::CauseKind kind = roofline::CauseKind::Stall;
    std::string name; ///< of the dearest cause
    const roofline::Cause* dearest = nullptr;
    base::Seconds saving; ///< of all
    base::Bytes bytes; ///< moved or kept in excess
    std::int64_t steps = 0;
    std::vector<lowering::StepId> some; ///< by falling price, at most kStepsKept
    static constexpr std::size_t kStepsKept = 8;
    std::optional<PaddedDimension> dimension; ///< of Padding
};

/// A buffer in a near memory that leaves no room for others.
struct Occupant {
    lowering::BufferId buffer;
    base::Seconds
        saving; ///< of those that would fit, less what its own way to the far memory takes
    std::vector<lowering::ValueId> displaced; ///< values that would fit
    std::size_t farLevel = 0; ///< where they lie
};

/// An operator that the device does not run: what its neighbours pay for it.
struct Break {
    lowering::StepId step;
    base::Seconds own; ///< hand-off and copies; 0 for one without a time
    base::Seconds neighbours; ///< bytes that would stay near the arithmetic without it
    bool isOwnKnown = false;
    std::vector<lowering::ValueId> values; ///< that have to leave near memory for it
};

/// Prices of one result, computed once. O(n log n) in steps, values and causes.
class ProblemCosts {
public:
    explicit ProblemCosts(const Result& result);

    /// By falling price; padding, relayout, spill without an occupant, stall, launch.
    const std::vector<CostGroup>& groups() const { return m_groups; }
    /// By falling price; only those that pay.
    const std::vector<Occupant>& occupants() const { return m_occupants; }
    const std::vector<Break>& breaks() const { return m_breaks; }
    const memory::StepBorders& borders() const { return m_borders; }

private:
    struct Spilled {
        lowering::BufferId buffer;
        std::int64_t need = 0; ///< bytes of one instance of the near memory
        double saving = 0; ///< seconds
    };

    void indexUses();
    void findBreaks();
    void findOccupants();
    Occupant occupantAt(lowering::BufferId near, const std::vector<Spilled>& spilled) const;
    void groupCauses();
    void pushWrites();
    void addToGroup(const roofline::Cause& cause);
    double savingOf(const roofline::Cause& cause) const;
    double savedBytes(lowering::StepId step, std::size_t level, double bytes) const;
    double addedBytes(lowering::StepId step, std::size_t level, double bytes) const;
    double savedWithout(std::size_t level, std::span<const lowering::ValueId> values,
        lowering::StepId except) const;
    std::optional<PaddedDimension> mostPadded(lowering::StepId step) const;
    std::optional<PaddedDimension> avoidedPadding(const roofline::Cause& cause) const;
    bool isOffPeak(lowering::StepId step) const;
    std::string keyOf(const roofline::Cause& cause) const;

    const Result& m_result;
    const lowering::Program& m_program;
    memory::StepBorders m_borders;
    /// value → (step, bytes across its border), in program order.
    base::IdVector<lowering::ValueId, std::vector<std::pair<lowering::StepId, double>>> m_uses;
    /// Seconds that a step's far traffic takes longer where a relayout behind it goes away.
    std::map<lowering::StepId, double> m_pushed;
    std::map<std::string, std::size_t> m_groupOf;
    std::vector<CostGroup> m_groups;
    std::vector<Occupant> m_occupants;
    std::vector<Break> m_breaks;
    std::vector<std::uint8_t> m_isPriced; ///< by value: its spill belongs to an occupant
};

/// The dimension of a value that its layout pads most; nullopt where it pads none.
std::optional<PaddedDimension> paddedDimension(
    const lowering::StageGraph& graph, lowering::ValueId value);
/// A name with every run of digits as "#": equal for the layers of a stack.
std::string namePattern(std::string_view name);

} // namespace fivefold::analysis
