// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/stages.h"
#include "core/lowering/compiler_pipeline.h"

namespace fivefold::families::cpu {

using lowering::DecidedBy;
using lowering::PassMetric;
using lowering::PipelinePhase;
using lowering::Stage;

namespace {

/// The baseline has no compiler: the stages are those of this program's own reference.
constexpr std::string_view kReference =
    "this program's reference processor, core/families/cpu/family.h";

lowering::CompilerPipeline build() {
    lowering::CompilerPipeline pipeline;
    pipeline.compiler = "none: operator by operator";
    pipeline.version = "reference";
    pipeline.stack = {"file", "library", "processor"};
    pipeline.stageWords = {
        "file", "operators", "one a kernel", "row-major", "main memory", "in order"};
    pipeline.passes = {
        {.id = "read",
            .name = "read",
            .layer = "file",
            .phase = PipelinePhase::Capture,
            .stages = {Stage::Captured},
            .does = "Reads the model.",
            .emits = "graph",
            .source = kReference,
            .metrics = {PassMetric::Nodes}},
        {.id = "operators",
            .name = "library operators",
            .layer = "library",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed, Stage::Fused},
            .decidedBy = DecidedBy::Programmer,
            .does = "Keeps every operator as it is, one kernel each.",
            .emits = "kernels",
            .source = kReference,
            .metrics = {PassMetric::Kernels}},
        {.id = "allocate",
            .name = "allocate",
            .layer = "library",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut, Stage::Placed},
            .decidedBy = DecidedBy::Runtime,
            .does = "Puts every tensor row-major in main memory.",
            .emits = "buffers",
            .source = kReference,
            .metrics = {PassMetric::Buffers}},
        {.id = "run",
            .name = "run in order",
            .layer = "processor",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .decidedBy = DecidedBy::Runtime,
            .does = "Runs one operator after another.",
            .emits = "results",
            .source = kReference,
            .metrics = {PassMetric::Steps, PassMetric::Time}},
    };
    pipeline.modes = {{"reference", "–", "The only one.", {}}};
    return pipeline;
}

} // namespace

const lowering::CompilerPipeline& compilerPipeline() {
    static const lowering::CompilerPipeline kPipeline = build();
    return kPipeline;
}

} // namespace fivefold::families::cpu
