// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <memory>
#include <string>
#include <vector>

namespace fivefold::views::testing {

/// One operator of a sample: one captured node, one lowered node at each stage, one step.
struct SampleNode {
    std::string name; ///< "/attn/MatMul"
    ir::Op op = ir::Op::Add;
    std::vector<std::string>
        inputs; ///< names of earlier values; an unknown name becomes a model input
    std::string output; ///< name of its value
    std::vector<std::int64_t> shape; ///< of the output
    std::int64_t macs = 0;
    double computeSeconds = 0;
    double schedulingSeconds = 0;
    std::int64_t farBytes = 0; ///< traffic of the far memory
    std::int64_t nearBytes = 0; ///< traffic of the scratchpad
    std::string weight; ///< name of a weight it also reads; empty: none
    std::vector<std::int64_t> weightShape;
    std::string addedBy; ///< set: no captured node, inserted at LaidOut
    lowering::Support support = lowering::Support::Native;
    std::string workDivision = "32 cores";
    std::int64_t kernel = 0; ///< number of the kernel it belongs to
    bool isKnown = true; ///< false: no time
};

/// A two-level machine with the public figures of IBM Spyre where it has them.
std::shared_ptr<const machines::Machine> sampleMachine();

/// Builds a Result by hand: graph, six stages, steps, buffers, events, points, provenance and
/// totals that fit together, without any lowering. Times: max(compute, far bytes ÷ rate) +
/// scheduling, one step after another.
std::shared_ptr<analysis::Result> sampleResult(const std::vector<SampleNode>& nodes,
    std::shared_ptr<const machines::Machine> machine = nullptr);

/// An attention block of 16 operators in two kernels, one of them added by the compiler.
std::shared_ptr<analysis::Result> attentionSample();
/// A model without nodes.
std::shared_ptr<analysis::Result> emptySample();
std::shared_ptr<analysis::Result> oneNodeSample();
/// A chain of `count` operators of changing class, size and bound.
std::shared_ptr<analysis::Result> chainSample(std::size_t count);

/// Ids by name; invalid when there is none.
ir::NodeId nodeNamed(const analysis::Result& result, std::string_view name);
lowering::StepId stepNamed(const analysis::Result& result, std::string_view name);
ir::ValueId valueNamed(const analysis::Result& result, std::string_view name);

} // namespace fivefold::views::testing
