// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"
#include "core/machines/machine.h"

#include <span>

namespace fivefold::lowering {

struct Context;
struct Settings;

/// A change that a user made to the kernels which a family formed. Operators are named as at the
/// fused stage, so that an edit outlives a change of sizes or precision.
struct FusionEdit {
    enum class Kind : std::uint8_t {
        Split, ///< the kernel of `node` ends before it; `node` starts another one
        Join, ///< the kernels of `node` and `other` become one
    };
    Kind kind = Kind::Split;
    std::string node;
    /// Join: an operator of the second kernel; empty: the kernel that reads a result of the first.
    std::string other;
    bool operator==(const FusionEdit&) const = default;
};

/// Working memory of one tile of a kernel: what one unit holds while it computes.
struct TileFootprint {
    std::string memory; ///< "registers of a CTA", "VMEM"
    std::int64_t bytes = 0;
    std::optional<std::int64_t> capacity; ///< of the same memory; nullopt: not published
    std::int64_t spilled = 0; ///< bytes that one execution of the kernel spills over all its tiles
    std::string how; ///< the arithmetic behind `bytes`, a clause
};

/// What a family says about kernels beyond forming them. Null members: nothing.
struct FusionRules {
    /// The family's rule that keeps two kernels apart, as a sentence; empty: they may be one.
    using JoinRefusal = std::string(
        const Context& context, const StageGraph& fused, KernelId first, KernelId second);
    JoinRefusal* joinRefusal = nullptr;
    /// The family's rule that keeps a kernel whole before `node`; empty: it may be cut there.
    using SplitRefusal = std::string(
        const Context& context, const StageGraph& fused, KernelId kernel, NodeId node);
    SplitRefusal* splitRefusal = nullptr;
    /// Kernel::kind of these nodes as one kernel; without it a part keeps the kind of the whole.
    using KindOf = std::string(const StageGraph& fused, std::span<const NodeId> nodes);
    KindOf* kindOf = nullptr;
    /// Index into Machine::memories of the level where a result of so many bytes lies between the
    /// kernel that writes it and the kernels that read it; nullopt: the level is not known.
    using HandOver = std::optional<std::size_t>(
        const machines::Machine& machine, const Settings& settings, base::Bytes bytes);
    HandOver* handOver = nullptr;
    /// Working memory of one tile; nullopt: shapes are unknown or the kernel has no tiles.
    using Footprint = std::optional<TileFootprint>(const machines::Machine& machine,
        const Settings& settings, const StageGraph& graph, std::span<const NodeId> nodes);
    Footprint* footprint = nullptr;
    /// True for a node that makes no copy: its readers address what it looks at. Without it the
    /// views of every row-major machine (ir::isView).
    using IsView = bool(const StageGraph& graph, const Node& node);
    IsView* isView = nullptr;
};

/// The kernel that reads a result of this one, the first in execution order; invalid: none does.
KernelId nextKernel(const StageGraph& fused, KernelId kernel);

/// Why an edit is not possible on this graph, as a sentence that names the rule; empty: it is.
/// General rules: both operators exist at the fused stage; something besides views stands on both
/// sides of a cut; the nodes of a kernel run equally often; nothing between two kernels depends on
/// one and feeds the other; what runs on the host or not at all shares no kernel. Then the
/// family's. O(nodes + edges).
std::string refusalOf(const Context& context, const FusionRules& rules, const StageGraph& fused,
    const FusionEdit& edit);

/// The graph with the edits of the settings, in their order. One that is refused changes nothing
/// and becomes a warning "lowering.fusion_edit" with the rule. Kernels of edits are decided by the
/// programmer. O(edits · (nodes + edges)).
StageGraph withFusionEdits(const Context& context, const FusionRules& rules, StageGraph fused);

} // namespace fivefold::lowering
