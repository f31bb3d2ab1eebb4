// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/side_values.h"

namespace fivefold::compare {

/// What the machine's own lowered program makes of a node in its declared numerics, from the values
/// that the device had: the emulated reference of the facts, section 1.6, step 7. Operators that
/// the machine fuses or takes apart round elsewhere than the captured ones.
class OwnNumerics {
public:
    /// All references outlive the object.
    OwnNumerics(const numerics::Subject& subject, SideValues& device,
        const numerics::Inputs& inputs, const base::Progress& progress);

    /// Elements of `wrong` that the program does not give bit for bit in the dump's format, from
    /// the nearest values that were dumped or from those that enter the node's kernel. All of them
    /// without a program, and once kMostRuns runs were made.
    ElementSet unexplained(
        ir::NodeId node, ir::ValueId value, const numerics::Tensor& device, ElementSet wrong);

    static constexpr int kMostRuns =
        16; ///< clean layers seldom need any; each runs a few operators

private:
    using Nodes = std::vector<ir::NodeId>;
    std::optional<numerics::Tensor> run(ir::NodeId node, ir::ValueId value, const Nodes& inside);
    Nodes kernelOf(ir::NodeId node) const;

    const numerics::Subject& m_subject;
    SideValues& m_device;
    const numerics::Inputs& m_inputs;
    const base::Progress& m_progress;
    int m_runs = 0;
};

} // namespace fivefold::compare
