// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"
#include "core/lowering/loop_nest.h"

#include <functional>
#include <optional>

/// Softmax and attention in the forms that every machine can be asked for; matrix products are each
/// family's own.
namespace fivefold::roofline {

/// What the forms read of a machine. Seconds, bytes, bytes per second.
struct FormRates {
    std::size_t farLevel = 0; ///< indices into Machine::memories
    std::optional<std::size_t> nearLevel;
    double farBytesPerSecond = 1; ///< as kernels reach it
    std::optional<double> nearBytes; ///< that a program may use on one unit; nullopt: unknown
    double vectorPerSecond = 1; ///< elementary operations, all units
    double kernelSeconds = 0; ///< fixed cost of a kernel
    std::int64_t units = 1;
    /// Arithmetic of a product alone, padding included.
    std::function<double(const lowering::ProductSizes&)> productSeconds;
    /// Attention as the family's own tiled kernel runs it, where it has one with a known time.
    std::function<std::optional<double>(const lowering::AttentionSizes&)> tiledSeconds;
};

/// Keys "attention" (tiled, unfused) and "query_block" for an attention, "softmax" (kept, online,
/// three_passes) for both; empty for any other node. `isTiled`: what the compiler takes.
std::vector<lowering::ImplementationChoice> formChoices(
    const lowering::StageGraph& graph, lowering::NodeId node, const FormRates& rates, bool isTiled);

/// The node in a form. Separate kernels follow one another, each max(arithmetic, bytes ÷
/// bandwidth) + kernel; a tiled kernel overlaps both products, the softmax and the traffic. The
/// online softmax corrects the running result once a block of keys: work that is not useful.
base::Result<lowering::ImplementationRow> formRow(const machines::Machine& machine,
    const lowering::StageGraph& graph, lowering::NodeId node, const FormRates& rates, bool isTiled,
    const lowering::ImplementationValues& values);

} // namespace fivefold::roofline
