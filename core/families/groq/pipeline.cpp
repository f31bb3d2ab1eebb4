// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/stages.h"
#include "core/lowering/compiler_pipeline.h"

namespace fivefold::families::groq {

using lowering::CompilerPass;
using lowering::DecidedBy;
using lowering::Disclosure;
using lowering::PassMetric;
using lowering::PipelinePhase;
using lowering::Stage;

namespace {

constexpr std::string_view kFlow = "groq/groqflow, groqflow/justgroqit/export.py";
constexpr std::string_view kPapers = "Abts et al., Think Fast, ISCA 2020; Abts et al., A "
                                     "software-defined tensor streaming multiprocessor, ISCA 2022";

std::vector<CompilerPass> graphPasses() {
    return {
        {.id = "export",
            .name = "export to ONNX",
            .layer = "GroqFlow",
            .phase = PipelinePhase::Capture,
            .stages = {Stage::Captured},
            .does = "Exports a PyTorch or Keras model to ONNX, or takes an ONNX file.",
            .emits = "ONNX model",
            .source = kFlow,
            .metrics = {PassMetric::Nodes},
            .artefacts = {{"onnx/*.onnx", "in ~/.cache/groqflow/<build>"}}},
        {.id = "optimize",
            .name = "optimize ONNX",
            .layer = "GroqFlow",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Folds constants and simplifies the ONNX graph.",
            .emits = "optimised ONNX model",
            .source = kFlow,
            .metrics = {PassMetric::Removed},
            .artefacts = {{"onnx/*-opt.onnx", "in ~/.cache/groqflow/<build>"}}},
        {.id = "check",
            .name = "check op support",
            .layer = "GroqFlow",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Asks the compiler which operators it has; one that is missing ends the build.",
            .emits = "list of unsupported operators",
            .source = kFlow},
        {.id = "fp16",
            .name = "convert to FP16",
            .layer = "GroqFlow",
            .phase = PipelinePhase::Graph,
            .decidedBy = DecidedBy::Programmer,
            .does = "Converts trained parameters to float16.",
            .emits = "fp16 ONNX model",
            .source = "groq/groqflow, docs/user_guide.md, Perform post-training quantization",
            .artefacts = {{"onnx/*-f16.onnx", "in ~/.cache/groqflow/<build>"}},
            .changes = {{"int8", "quantises to int8 by samples instead"}}},
    };
}

std::vector<CompilerPass> planPasses() {
    return {
        {.id = "mlir",
            .name = "MLIR front end",
            .layer = "Groq Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Decomposed},
            .disclosure = Disclosure::Described,
            .does = "Lowers ONNX through MLIR to operations of the functional slices.",
            .emits = "operations of MXM, VXM, SXM and MEM",
            .source =
                "argonne-lcf/AIaccelerators-SC24-tutorial, Groq; the passes are not published",
            .metrics = {PassMetric::Nodes}},
        {.id = "partition",
            .name = "partition",
            .layer = "Groq Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .disclosure = Disclosure::Described,
            .does = "Cuts the model over as many chips as hold its weights in SRAM.",
            .emits = "one program a chip",
            .source = "groq/groqflow, groqflow/justgroqit/compile.py (--multichip)",
            .changes = {{"num_chips", "takes the number of chips from the user"}}},
        {.id = "layout",
            .name = "tensor layout",
            .layer = "Groq Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .disclosure = Disclosure::Described,
            .does = "Cuts tensors into vectors of 320 lanes and spreads them over memory slices so "
                    "that streams can read them in time.",
            .emits = "vectors in MEM slices",
            .source = kPapers,
            .metrics = {PassMetric::Layouts, PassMetric::Padding}},
        {.id = "chain",
            .name = "chaining",
            .layer = "Groq Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Fused},
            .disclosure = Disclosure::Described,
            .does = "Lets a result stream on to the next slice without a stop in memory.",
            .emits = "chains of slices on streams",
            .source = kPapers,
            .metrics = {PassMetric::Kernels}},
        {.id = "schedule",
            .name = "2-D scheduling",
            .layer = "Groq Compiler",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed, Stage::Scheduled},
            .disclosure = Disclosure::Described,
            .does = "Decides slice, stream and cycle of every instruction, since no hardware "
                    "arbitrates; place and time are one decision.",
            .emits = "an instruction for every queue and cycle",
            .source = kPapers,
            .metrics = {PassMetric::Buffers, PassMetric::Steps, PassMetric::Events},
            .artefacts = {{"compile/stats.json", "groq-compiler --save-stats"},
                {"GroqView files", "groqit(groqview=True)"}}},
    };
}

std::vector<CompilerPass> codePasses() {
    return {
        {.id = "emit",
            .name = "Alan assembly",
            .layer = "Groq Compiler",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Observed,
            .does = "Writes the schedule as assembly, one file a chip.",
            .emits = "Alan assembly",
            .source = "groq/groqflow, groqflow/justgroqit/compile.py (CompileOnnx)",
            .artefacts = {{"compile/output.aa", "in ~/.cache/groqflow/<build>"}}},
        {.id = "assemble",
            .name = "assembler",
            .layer = "Groq Assembler",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Observed,
            .does =
                "Turns assembly into input/output programs; instruction fetches are scheduled too.",
            .emits = "IOP files, one a chip",
            .source = "groq/groqflow, groqflow/justgroqit/compile.py (Assemble)",
            .artefacts = {{"compile/output.iop", "in ~/.cache/groqflow/<build>"}}},
    };
}

std::vector<CompilerPass> runPasses() {
    return {
        {.id = "load",
            .name = "load IOP",
            .layer = "Runtime",
            .phase = PipelinePhase::Run,
            .decidedBy = DecidedBy::Runtime,
            .disclosure = Disclosure::Observed,
            .does = "Loads program and weights into SRAM, sends inputs, waits for outputs: the "
                    "only part of a run whose time varies.",
            .emits = "host transfers",
            .source = "groq/groqflow, groqflow/groqmodel/execute.py; docs/user_guide.md"},
        {.id = "run",
            .name = "lockstep",
            .layer = "LPU",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Described,
            .does = "Every slice executes what the program says for this cycle; there are no "
                    "caches, arbiters or launches.",
            .emits = "the schedule, to the cycle",
            .source = kPapers,
            .metrics = {PassMetric::Time}},
    };
}

lowering::CompilerPipeline build() {
    lowering::CompilerPipeline pipeline;
    pipeline.compiler = "GroqFlow, Groq Compiler, Groq Assembler";
    pipeline.version = "GroqFlow 4";
    pipeline.stack = {"GroqFlow", "Groq Compiler", "Groq Assembler", "Runtime", "LPU"};
    pipeline.stageWords = {
        "ONNX", "slice operations", "chains", "320-lane vectors", "slices, chips", "cycles"};
    for (auto part : {graphPasses(), planPasses(), codePasses(), runPasses()})
        pipeline.passes.insert(pipeline.passes.end(), part.begin(), part.end());
    pipeline.modes = {
        {"fp16", "groqit(model, inputs)", "Parameters in float16, chips as needed.",
            {{"precision", "fp16"}}},
        {"int8", "groqit(model, inputs, quantization_samples=…)",
            "Convolutions, products and relu in int8.", {{"precision", "int8"}}},
        {"num_chips", "groqit(model, inputs, num_chips=N)", "The user fixes the number of chips.",
            {}, false},
    };
    pipeline.unpublished = "The order of the Groq Compiler's own passes: the papers describe the "
                           "decisions, not the program.";
    return pipeline;
}

} // namespace

const lowering::CompilerPipeline& compilerPipeline() {
    static const lowering::CompilerPipeline kPipeline = build();
    return kPipeline;
}

} // namespace fivefold::families::groq
