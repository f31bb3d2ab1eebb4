// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/physical_lanes.h"
#include "core/numerics/rungs/rung.h"

#include <functional>
#include <limits>
#include <optional>

namespace fivefold::numerics {

/// What the lanes beyond an operand's extents hold before an operator runs over them.
struct PadRule {
    enum class Kind : std::uint8_t {
        Constant, ///< `value`, the declared pad value: the identity of the consumer
        Leave, ///< whatever is there
    } kind = Kind::Constant;
    double value = 0;
};

/// An operand whose padding takes part in an operator.
struct PaddedOperand {
    std::size_t operand = 0; ///< position
    std::vector<std::size_t> axes; ///< that are consumed, and padded by this or another operand
    double identity = 0; ///< that changes nothing: 0 of sums, 1 of products, ∓∞ of max and min
};

/// Which operands an operator consumes along padded axes: reductions, soft-max and contractions.
/// Empty: none, or their extents do not let padding in. `indices`: of the operands' layouts, null
/// for those without one.
std::vector<PaddedOperand> paddedOperands(
    const lowering::Node& node, std::span<const LaneIndex* const> indices);

/// Operators whose every lane is a function of the operands' lanes at its own (broadcast) index:
/// they run over padding too.
bool isLaneWise(ir::Op op);

/// One node on device values.
struct NodeOnDevice {
    const lowering::StageGraph& graph;
    const lowering::Node& node;
    std::vector<DeviceValue*> operands; ///< positional; null: omitted
    bool runsOverPadding = true; ///< false: logical extents alone, where no padding can matter
    /// False: padding holds identities, and more of it than kMostPadding times the elements is set
    /// but not computed with, since it changes nothing.
    bool hasPadFault = false;
    static constexpr double kMostPadding = 4;
    bool isPaddingSeen = true; ///< false: lane-wise operators need not compute in padding
    /// Of a consumed operand: its identity by default.
    std::function<PadRule(const PaddedOperand&)> padRule;
    /// The operator on logical contents.
    std::function<base::Result<std::vector<Datum>>(std::span<const Datum>)> evaluate;
    /// The operator on contents of other extents; an Error where it does not take them.
    std::function<base::Result<std::vector<Datum>>(
        std::span<const Datum>, const lowering::Node& node)>
        evaluatePadded;
};

/// Results as boxes that start at index 0 and may reach into padding; operands' pads are set.
base::Result<std::vector<Datum>> runOnDevice(
    const NodeOnDevice& call, std::span<const std::shared_ptr<const LaneIndex>> resultIndices);

} // namespace fivefold::numerics
