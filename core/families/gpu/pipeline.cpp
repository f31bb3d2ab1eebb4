// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/stages.h"
#include "core/lowering/compiler_pipeline.h"

namespace fivefold::families::gpu {

using lowering::CompilerPass;
using lowering::DecidedBy;
using lowering::Disclosure;
using lowering::PassMetric;
using lowering::PipelinePhase;
using lowering::Stage;

namespace {

constexpr std::string_view kDebug = "TORCH_COMPILE_DEBUG=1";

std::vector<CompilerPass> graphPasses() {
    return {
        {.id = "dynamo",
            .name = "Dynamo",
            .layer = "Dynamo",
            .phase = PipelinePhase::Capture,
            .stages = {Stage::Captured},
            .does = "Traces Python bytecode into FX graphs under guards; what it cannot trace "
                    "breaks the graph.",
            .emits = "FX graph of torch calls, with guards",
            .source =
                "PyTorch 2.14, torch/_dynamo; docs.pytorch.org, torch.compile programming model",
            .metrics = {PassMetric::Nodes},
            .artefacts = {{"graph breaks, guards", "TORCH_LOGS=\"graph_breaks,guards\""}},
            .changes = {{"eager", "does not run: every call goes to the dispatcher at once"}}},
        {.id = "aot_autograd",
            .name = "AOTAutograd",
            .layer = "AOTAutograd",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Traces through autograd and the dispatcher, makes the graph functional and "
                    "decomposes to ATen and prims.",
            .emits = "functional ATen graph",
            .source = "PyTorch 2.14, torch/_functorch/aot_autograd.py, "
                      "torch/_inductor/decomposition.py (select_decomp_table)",
            .metrics = {PassMetric::Nodes, PassMetric::Removed},
            .artefacts = {{"AOT graphs", "TORCH_LOGS=\"aot_graphs\""}},
            .changes = {{"eager", "does not run"}}},
        {.id = "joint_graph",
            .name = "joint_graph_passes",
            .layer = "Inductor",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Removes no-ops, replaces about 30 attention patterns by one fused call, pads "
                    "matrix products where that is faster.",
            .emits = "the graph that Inductor is called with",
            .source = "PyTorch 2.14, torch/_inductor/fx_passes/joint_graph.py, fuse_attention.py, "
                      "pad_mm.py",
            .artefacts = {{"fx_graph_readable.py", kDebug}, {"fx_graph_runnable.py", kDebug}},
            .changes = {{"eager",
                "does not run; attention is fused only where the program calls it so"}}},
        {.id = "post_grad",
            .name = "post_grad_passes",
            .layer = "Inductor",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Folds addmm, removes no-op views, undoes functionalisation where a buffer may "
                    "be reused in place.",
            .emits = "post-grad ATen graph",
            .source = "PyTorch 2.14, torch/_inductor/fx_passes/post_grad.py",
            .metrics = {PassMetric::Nodes},
            .artefacts = {{"fx_graph_transformed.py", kDebug}},
            .changes = {{"eager", "does not run"}}},
    };
}

std::vector<CompilerPass> planPasses() {
    return {
        {.id = "layout_opt",
            .name = "decide_layout_opt",
            .layer = "Inductor",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .does = "Weighs the FLOPs of all convolutions and runs the whole graph channels-last "
                    "where the sum says so; strides stay free elsewhere until a reader fixes them.",
            .emits = "strides; copy kernels for weights and inputs of convolutions",
            .source = "PyTorch 2.14, torch/_inductor/graph.py (GraphLowering.decide_layout_opt)",
            .metrics = {PassMetric::Layouts, PassMetric::Added},
            .changes = {{"eager",
                "does not run: tensors keep the memory format that the program gave them"}}},
        {.id = "lowering",
            .name = "GraphLowering",
            .layer = "Inductor",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Fused},
            .does =
                "Lowers node by node to loops; a pointwise value stays an expression in its "
                "readers until outputs, reductions or too many reads (over 4) make it a buffer.",
            .emits = "define-by-run loop IR, one scheduler node a buffer",
            .source = "PyTorch 2.14, torch/_inductor/graph.py, ir.py (realize_hint, "
                      "should_realize_on_reuse)",
            .artefacts = {{"ir_pre_fusion.txt", kDebug}},
            .changes = {{"eager", "does not run: one operator, one kernel"},
                {"max-autotune",
                    "matrix products become Triton templates that may take an epilogue"}}},
        {.id = "fuse_nodes",
            .name = "Scheduler.fuse_nodes",
            .layer = "Inductor",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Fused},
            .does =
                "Merges pairs of scheduler nodes by shared bytes, up to ten rounds, where "
                "iteration spaces and index expressions agree; library calls fuse with nothing.",
            .emits = "fused scheduler nodes, one Triton kernel each",
            .source =
                "PyTorch 2.14, torch/_inductor/scheduler.py (can_fuse, score_fusion), choices.py",
            .metrics = {PassMetric::Kernels},
            .artefacts = {{"ir_post_fusion.txt", kDebug}},
            .changes = {{"eager", "does not run: one operator, one kernel"},
                {"max-autotune", "pointwise consumers join a matrix product's template"}}},
        {.id = "memory",
            .name = "buffer reuse",
            .layer = "Inductor",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .does = "Orders kernels for peak memory and gives a dead buffer's memory to the next "
                    "of its size; addresses come from the caching allocator at run time, L2 from "
                    "hardware.",
            .emits = "allocations, reuses and deletions in the wrapper",
            .source =
                "PyTorch 2.14, torch/_inductor/memory.py, codegen/wrapper.py (MemoryPlanningLine)",
            .metrics = {PassMetric::Buffers, PassMetric::OnChip},
            .changes = {{"eager", "the caching allocator alone, call by call"},
                {"reduce-overhead", "buffers live in a private pool whose addresses stay fixed"}}},
    };
}

std::vector<CompilerPass> codePasses() {
    return {
        {.id = "triton_code",
            .name = "TritonScheduling",
            .layer = "Inductor",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Placed},
            .does = "Writes a Triton program a fused node and picks its blocks and warps by "
                    "heuristic; ATen calls keep the library's own tiles.",
            .emits = "Triton source and the wrapper that calls it",
            .source =
                "PyTorch 2.14, torch/_inductor/codegen/triton.py, runtime/triton_heuristics.py",
            .artefacts = {{"output_code.py", kDebug},
                {"inductor_provenance_tracking_node_mappings.json", "INDUCTOR_PROVENANCE=1"}},
            .changes = {{"eager", "does not run: cuBLAS, cuDNN and ATen kernels as shipped"},
                {"max-autotune",
                    "measures several templates, tiles and pipelines a matrix product and keeps "
                    "the fastest"}}},
        {.id = "triton",
            .name = "Triton compiler",
            .layer = "Triton",
            .phase = PipelinePhase::Code,
            .does = "Lowers tiles to thread layouts (TTIR, TTGIR), pipelines loads into shared "
                    "memory, allocates it, emits LLVM IR.",
            .emits = "TTIR, TTGIR, LLVM IR, PTX",
            .source = "triton-lang/triton, python/triton/compiler, "
                      "third_party/nvidia/backend/compiler.py",
            .artefacts = {{"*.ttir, *.ttgir, *.llir, *.ptx", "in TRITON_CACHE_DIR"}},
            .changes = {{"eager", "does not run"}}},
        {.id = "ptxas",
            .name = "ptxas",
            .layer = "PTX, SASS",
            .phase = PipelinePhase::Code,
            .disclosure = Disclosure::Described,
            .does = "Allocates registers and schedules instructions for one architecture.",
            .emits = "SASS in a cubin",
            .source = "NVIDIA, Parallel Thread Execution ISA; CUDA Binary Utilities (cuobjdump, "
                      "nvdisasm)",
            .artefacts = {{"*.cubin", "in TRITON_CACHE_DIR"}}},
    };
}

std::vector<CompilerPass> runPasses() {
    return {
        {.id = "launch",
            .name = "launches",
            .layer = "CUDA runtime",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .decidedBy = DecidedBy::Runtime,
            .does = "The wrapper launches one kernel after another on a stream; the host needs 4 "
                    "to 6 µs a launch.",
            .emits = "kernel launches in stream order",
            .source = "PyTorch 2.14, torch/_inductor/cudagraph_trees.py; launch cost: "
                      "susun-blog.com, From Launch Overhead to CUDA Graph",
            .metrics = {PassMetric::Steps, PassMetric::Time},
            .changes = {{"eager", "Python and the dispatcher stand before every launch"},
                {"reduce-overhead",
                    "all launches are recorded once in a CUDA graph and replayed, about 0.9 µs "
                    "each"},
                {"max-autotune", "CUDA graphs too, unless asked for without"}}},
        {.id = "blocks",
            .name = "block scheduler",
            .layer = "GPU",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .decidedBy = DecidedBy::Hardware,
            .disclosure = Disclosure::Described,
            .does = "Hands blocks to free SMs in waves; warp schedulers pick a ready warp each "
                    "cycle; caches fill by themselves.",
            .emits = "waves of blocks, warps in flight",
            .source = "NVIDIA, CUDA C++ Programming Guide; NVIDIA, Matrix Multiplication "
                      "Background (tile and wave quantisation)",
            .metrics = {PassMetric::Events}},
    };
}

lowering::CompilerPipeline build() {
    lowering::CompilerPipeline pipeline;
    pipeline.compiler = "torch.compile with Inductor and Triton";
    pipeline.version = "PyTorch 2.14";
    pipeline.stack = {
        "Dynamo", "AOTAutograd", "Inductor", "Triton", "PTX, SASS", "CUDA runtime", "GPU"};
    pipeline.stageWords = {
        "FX graph", "post-grad graph", "fused nodes", "strides", "buffers", "launches"};
    for (auto part : {graphPasses(), planPasses(), codePasses(), runPasses()})
        pipeline.passes.insert(pipeline.passes.end(), part.begin(), part.end());
    pipeline.modes = {
        {"default", "torch.compile(model)", "Fused kernels, launched one by one.",
            {{"fusion", "on"}, {"cuda_graph", "off"}}},
        {"eager", "model(x)", "No compiler: one library kernel an operator.",
            {{"fusion", "off"}, {"cuda_graph", "off"}}},
        {"reduce-overhead", "torch.compile(model, mode=\"reduce-overhead\")",
            "Fused kernels, replayed from a CUDA graph.", {{"fusion", "on"}, {"cuda_graph", "on"}}},
        {"max-autotune", "torch.compile(model, mode=\"max-autotune\")",
            "Matrix products as Triton templates with their epilogues; which tile wins is measured on "
            "the device and not modelled.",
            {{"fusion", "on"}, {"cuda_graph", "on"}, {"templates", "on"}}, false},
    };
    pipeline.unpublished =
        "What ptxas and the block scheduler decide in detail, and the tile choice of cuBLAS.";
    return pipeline;
}

} // namespace

const lowering::CompilerPipeline& compilerPipeline() {
    static const lowering::CompilerPipeline kPipeline = build();
    return kPipeline;
}

} // namespace fivefold::families::gpu
