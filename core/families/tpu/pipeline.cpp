// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/stages.h"
#include "core/lowering/compiler_pipeline.h"

namespace fivefold::families::tpu {

using lowering::CompilerPass;
using lowering::DecidedBy;
using lowering::Disclosure;
using lowering::PassMetric;
using lowering::PipelinePhase;
using lowering::Stage;

namespace {

constexpr std::string_view kDump = "XLA_FLAGS=--xla_dump_to=DIR --xla_dump_hlo_as_text";
/// Layouts, fusions and memory spaces of the closed TPU compiler stand in the text it returns.
constexpr std::string_view kObserved = "read off the optimised HLO of jax 0.10.2's ahead-of-time "
                                       "TPU compiler, 48 programs on five generations";

std::vector<CompilerPass> graphPasses() {
    return {
        {.id = "trace",
            .name = "trace",
            .layer = "torch_xla, JAX",
            .phase = PipelinePhase::Capture,
            .stages = {Stage::Captured},
            .does = "Records operations on lazy tensors until a barrier (torch_xla.sync), or "
                    "traces a Python function (jax.jit).",
            .emits = "StableHLO module",
            .source =
                "docs.pytorch.org/xla, PyTorch/XLA overview; docs.jax.dev, Ahead-of-time lowering",
            .metrics = {PassMetric::Nodes},
            .artefacts = {{"StableHLO text", "jax.jit(f).lower(x).as_text()"},
                {"IR and HLO of a graph", "XLA_SAVE_TENSORS_FILE=FILE, XLA_SAVE_TENSORS_FMT=hlo"}},
            .changes = {{"eager", "every operation is a graph of its own"}}},
        {.id = "convert",
            .name = "StableHLO to HLO",
            .layer = "XLA",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Expands the frontend's operators to HLO; a softmax is max, subtract, exp, "
                    "sum, divide.",
            .emits = "HLO before optimisations",
            .source = "openxla.org/xla, XLA architecture; openxla/stablehlo, the specification",
            .metrics = {PassMetric::Nodes},
            .artefacts = {{"module_*.before_optimizations.txt", kDump}}},
        {.id = "simplify",
            .name = "simplification, CSE",
            .layer = "XLA",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Simplifies algebra (division by 8 becomes times 0.125), folds constants, "
                    "merges equal expressions; bf16 arithmetic is widened to f32 before v7x.",
            .emits = "simplified HLO",
            .source = "openxla/xla, xla/hlo/transforms/simplifiers (algebraic_simplifier); the "
                      "bf16 rule was read off the optimised HLO of jax 0.10.2",
            .metrics = {PassMetric::Nodes, PassMetric::Removed},
            .artefacts = {{"one file a pass", "--xla_dump_hlo_pass_re=.*"}}},
    };
}

std::vector<CompilerPass> planPasses() {
    return {
        {.id = "layout_assignment",
            .name = "layout-assignment",
            .layer = "XLA",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .disclosure = Disclosure::Observed,
            .does = "Gives every array an order and tiles, T(8,128) and its relatives, before "
                    "anything is fused; entry layouts come first, then copies and bitcasts where a "
                    "kernel wants another order.",
            .emits = "HLO with layouts; copy, bitcast",
            .source = kObserved,
            .metrics = {PassMetric::Layouts, PassMetric::Added, PassMetric::Padding}},
        {.id = "fusion",
            .name = "fusion",
            .layer = "XLA",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Fused},
            .disclosure = Disclosure::Observed,
            .does = "Forms kLoop chains, and kOutput groups around one dot or convolution with "
                    "prologue and epilogue; producers are duplicated into their readers.",
            .emits = "fusion computations",
            .source = kObserved,
            .metrics = {PassMetric::Kernels},
            .changes = {{"eager", "nothing to fuse: one operation a graph"}}},
        {.id = "memory_space",
            .name = "memory-space-assignment",
            .layer = "XLA",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .disclosure = Disclosure::Observed,
            .does = "Keeps results in VMEM, S(1), where they fit, and prefetches at most one "
                    "parameter across programs.",
            .emits = "memory spaces; copy-start, copy-done",
            .source = "openxla/xla, xla/service/memory_space_assignment; what fits was read off "
                      "the optimised HLO of jax 0.10.2",
            .metrics = {PassMetric::Buffers, PassMetric::OnChip},
            .changes = {{"vmem-limit",
                "moves bytes between kernels' windows and resident results"}}},
        {.id = "hlo_scheduler",
            .name = "HLO scheduling",
            .layer = "XLA",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Observed,
            .does = "Puts the kernels in one sequence and starts asynchronous copies early enough "
                    "to hide them.",
            .emits = "scheduled HLO (is_scheduled=true), estimated_cycles an operation",
            .source = kObserved,
            .metrics = {PassMetric::Steps},
            .artefacts = {{"module_*.after_optimizations.txt", kDump},
                {"compiled text", "jax.jit(f).lower(x).compile().as_text()"}}},
    };
}

std::vector<CompilerPass> codePasses() {
    return {
        {.id = "buffer_assignment",
            .name = "buffer-assignment",
            .layer = "XLA",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Placed},
            .does = "Gives every logical buffer an offset in an allocation; buffers whose lives do "
                    "not overlap share it.",
            .emits = "buffer offsets, peak memory",
            .source = "openxla/xla, xla/service/buffer_assignment.h",
            .metrics = {PassMetric::Buffers},
            .artefacts = {{"module_*-buffer-assignment.txt", kDump},
                {"module_*-memory-usage-report.txt", kDump}}},
        {.id = "windows",
            .name = "tiling, windows",
            .layer = "TPU backend",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Placed},
            .disclosure = Disclosure::Observed,
            .does = "Chooses the windows a kernel walks (iterations over N, M, K in units of "
                    "8×128) and its passes through the MXU.",
            .emits = "window configuration in each fusion's backend_config",
            .source = "read off the backend_config of jax 0.10.2; no closed rule for the choice "
                      "was found"},
        {.id = "llo",
            .name = "LLO",
            .layer = "TPU backend",
            .phase = PipelinePhase::Code,
            .disclosure = Disclosure::Unpublished,
            .does = "Lowers a kernel to the low-level IR, allocates vector registers and packs "
                    "VLIW bundles; the source is closed and nothing of it is dumped by default.",
            .emits = "VLIW bundles (322 bits on v2 and v3)",
            .source = "no public document describes the pass; bundle format: Norrie et al., Hot "
                      "Chips 2020, as summarised in tinygrad, TPUNOTES",
            .changes = {{"vmem-limit", "kernels may use larger windows"}}},
    };
}

std::vector<CompilerPass> runPasses() {
    return {
        {.id = "dispatch",
            .name = "PJRT execute",
            .layer = "PJRT",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .decidedBy = DecidedBy::Runtime,
            .does = "Loads the executable once and enqueues one program a call; 0.11 to 0.13 ms a "
                    "call where each is waited for.",
            .emits = "one program a call",
            .source = "openxla/xla, xla/pjrt; dispatch: jax, docs/pallas/tpu/matmul.ipynb, and "
                      "AI-Hypercomputer/tpu-recipes",
            .metrics = {PassMetric::Time},
            .changes = {{"blocking", "the dispatch shows in the time of every call"},
                {"eager", "one dispatch an operation"}}},
        {.id = "sequencer",
            .name = "TensorCore",
            .layer = "TPU",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .does = "Runs one instruction stream in order; DMA engines copy in the background, as "
                    "the program told them.",
            .emits = "one sequential program, DMA beside it",
            .source =
                "JAX scaling book, How to think about TPUs; jax, docs/pallas/tpu/pipelining.md",
            .metrics = {PassMetric::Events}},
    };
}

lowering::CompilerPipeline build() {
    lowering::CompilerPipeline pipeline;
    pipeline.compiler = "torch_xla or JAX, StableHLO, XLA for TPU";
    pipeline.version = "jax 0.10.2";
    pipeline.stack = {"torch_xla, JAX", "XLA", "TPU backend", "PJRT", "TPU"};
    pipeline.stageWords = {
        "StableHLO", "HLO", "fusions", "layouts", "memory spaces", "scheduled HLO"};
    for (auto part : {graphPasses(), planPasses(), codePasses(), runPasses()})
        pipeline.passes.insert(pipeline.passes.end(), part.begin(), part.end());
    pipeline.modes = {
        {"jit", "jax.jit(f)(x), torch_xla.compile", "One program, calls enqueued without waiting.",
            {{"fusion", "on"}, {"dispatch", "off"}}},
        {"blocking", "jax.jit(f)(x).block_until_ready()", "One program, each call waited for.",
            {{"fusion", "on"}, {"dispatch", "on"}}},
        {"eager", "torch_xla.experimental.eager_mode(True)",
            "Each operation is compiled and sent alone.", {{"fusion", "off"}, {"dispatch", "on"}}},
        {"vmem-limit", "LIBTPU_INIT_ARGS=--xla_tpu_scoped_vmem_limit_kib=65536",
            "Kernels may use more of VMEM for their windows.", {}, false},
    };
    pipeline.unpublished = "The TPU backend from HLO to VLIW bundles is closed; its results were "
                           "read off compiled programs.";
    return pipeline;
}

} // namespace

const lowering::CompilerPipeline& compilerPipeline() {
    static const lowering::CompilerPipeline kPipeline = build();
    return kPipeline;
}

} // namespace fivefold::families::tpu
