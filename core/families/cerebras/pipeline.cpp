// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/stages.h"
#include "core/lowering/compiler_pipeline.h"

namespace fivefold::families::cerebras {

using lowering::CompilerPass;
using lowering::DecidedBy;
using lowering::Disclosure;
using lowering::PassMetric;
using lowering::PipelinePhase;
using lowering::Stage;

namespace {

constexpr std::string_view kGraphCompiler = "cerebras.net, glossary, Cerebras Graph Compiler";
constexpr std::string_view kCsl =
    "sdk.cerebras.ai, CSL compiler; Cerebras SDK, kernel development flow";

std::vector<CompilerPass> graphPasses() {
    return {
        {.id = "trace",
            .name = "trace",
            .layer = "cerebras.pytorch",
            .phase = PipelinePhase::Capture,
            .stages = {Stage::Captured},
            .disclosure = Disclosure::Described,
            .does = "Runs one step on lazy tensors and extracts a static graph of the model.",
            .emits = "static graph",
            .source = "Cerebras/modelzoo, src/cerebras/modelzoo/common (uses the closed package "
                      "cerebras.pytorch); cerebras.net, glossary, Cerebras Graph Compiler",
            .metrics = {PassMetric::Nodes}},
        {.id = "clair",
            .name = "to CLAIR",
            .layer = "Graph Compiler",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .disclosure = Disclosure::Described,
            .does =
                "Converts the graph to the Cerebras linear-algebra intermediate representation.",
            .emits = "CLAIR graph",
            .source = kGraphCompiler,
            .metrics = {PassMetric::Nodes, PassMetric::Removed}},
    };
}

std::vector<CompilerPass> planPasses() {
    return {
        {.id = "match",
            .name = "match and cover",
            .layer = "Graph Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Fused},
            .disclosure = Disclosure::Described,
            .does = "Covers the graph with subgraphs that the kernel library has; the result is a "
                    "graph of kernels.",
            .emits = "kernel graph",
            .source = kGraphCompiler,
            .metrics = {PassMetric::Kernels}},
        {.id = "mode",
            .name = "execution mode",
            .layer = "Graph Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .decidedBy = DecidedBy::Programmer,
            .disclosure = Disclosure::Described,
            .does = "Layer-pipelined: the whole model stays on the wafer; weight streaming: one "
                    "layer at a time comes from MemoryX.",
            .emits = "execution mode",
            .source =
                "pscedu/psc-wpdocs, Neocortex execution modes; argonne-lcf/user-guides, Cerebras",
            .changes = {{"layer_pipelined",
                            "every layer gets a region of its own and keeps its weights"},
                {"weight_streaming",
                    "each layer in turn gets the whole wafer; weights stream in at 150 GB/s"}}},
        {.id = "allocate",
            .name = "allocate",
            .layer = "Graph Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .disclosure = Disclosure::Described,
            .does = "Gives each kernel compute and memory in proportion to its work; the "
                    "rectangle's sides cut its tensors into blocks, one a PE.",
            .emits = "rectangle and block sizes",
            .source = kGraphCompiler,
            .metrics = {PassMetric::Layouts, PassMetric::Padding},
            .changes = {{"weight_streaming",
                "sizes blocks for the whole wafer, a layer at a time"}}},
        {.id = "place",
            .name = "placement",
            .layer = "Graph Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .disclosure = Disclosure::Described,
            .does = "Maps kernels onto regions of the wafer under memory, compute and "
                    "communication constraints, close together and without hot spots.",
            .emits = "floor plan; compile_report.txt with active PEs and utilisation",
            .source = "cerebras.net, glossary, Cerebras Graph Compiler; "
                      "argonne-lcf/ai-testbed-userdocs, docs/cerebras/Performance-Tools.md",
            .metrics = {PassMetric::Buffers},
            .artefacts = {{"compile_report.txt", "in model_dir/cs_<hash>"}},
            .changes = {{"weight_streaming", "one region, the wafer"}}},
        {.id = "route",
            .name = "routing, colours",
            .layer = "Graph Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .disclosure = Disclosure::Described,
            .does = "Fixes a route through the routers for every stream between regions; a route "
                    "is one of 24 colours of a router.",
            .emits = "colour and route of every stream",
            .source = "cerebras.net, glossary, Cerebras Graph Compiler; sdk.cerebras.ai, CSL "
                      "compiler (--out-routes)",
            .artefacts = {{"routes a PE", "cslc --out-routes"}}},
    };
}

std::vector<CompilerPass> codePasses() {
    return {
        {.id = "csl",
            .name = "CSL, cslc",
            .layer = "CSL",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Described,
            .does = "Compiles layout and PE programs: tasks bound to colours, and data-structure "
                    "descriptors for the vector unit.",
            .emits = "one ELF a PE program, out.json",
            .source = kCsl,
            .metrics = {PassMetric::Steps},
            .artefacts = {{"out/bin/*.elf", "cslc layout.csl -o out"},
                {"out.json", "cslc --output-json"}}},
    };
}

std::vector<CompilerPass> runPasses() {
    return {
        {.id = "load",
            .name = "load wafer",
            .layer = "Runtime",
            .phase = PipelinePhase::Run,
            .decidedBy = DecidedBy::Runtime,
            .disclosure = Disclosure::Described,
            .does = "Loads every PE's program once and feeds input over twelve 100-Gb links; there "
                    "is no launch an operator.",
            .emits = "running wafer",
            .source = "Cerebras SDK, A conceptual view; ServeTheHome, Hot Chips 34",
            .changes = {{"weight_streaming",
                "sends the next layer's weights from MemoryX through SwarmX"}}},
        {.id = "fire",
            .name = "tasks fire",
            .layer = "WSE",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .decidedBy = DecidedBy::Hardware,
            .disclosure = Disclosure::Described,
            .does = "A wavelet that arrives on a colour starts the task bound to it; nothing else "
                    "orders the work.",
            .emits = "wavelets, tasks",
            .source = "ServeTheHome, Hot Chips 33 and 34; Cerebras SDK, A conceptual view",
            .metrics = {PassMetric::Events, PassMetric::Time}},
    };
}

lowering::CompilerPipeline build() {
    lowering::CompilerPipeline pipeline;
    pipeline.compiler = "cerebras.pytorch and the Cerebras Graph Compiler; CSL for kernels";
    pipeline.version = "as described until 2026";
    pipeline.stack = {"cerebras.pytorch", "Graph Compiler", "CSL", "Runtime", "WSE"};
    pipeline.stageWords = {
        "static graph", "CLAIR", "kernel graph", "allocation", "floor plan", "tasks"};
    for (auto part : {graphPasses(), planPasses(), codePasses(), runPasses()})
        pipeline.passes.insert(pipeline.passes.end(), part.begin(), part.end());
    pipeline.modes = {
        {"auto", "–", "Layer-pipelined where the model fits the wafer, else weight streaming.",
            {{"mode", "auto"}}},
        {"layer_pipelined", "pipelined execution", "A region a layer, weights stay.",
            {{"mode", "layer_pipelined"}}},
        {"weight_streaming", "weight-streaming execution", "A layer at a time on the whole wafer.",
            {{"mode", "weight_streaming"}}},
    };
    pipeline.unpublished = "The Graph Compiler is closed: its passes are known by the vendor's "
                           "description, not by their output. CSL is public.";
    return pipeline;
}

} // namespace

const lowering::CompilerPipeline& compilerPipeline() {
    static const lowering::CompilerPipeline kPipeline = build();
    return kPipeline;
}

} // namespace fivefold::families::cerebras
