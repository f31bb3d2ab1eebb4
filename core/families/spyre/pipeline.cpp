// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/stages.h"
#include "core/lowering/compiler_pipeline.h"

namespace fivefold::families::spyre {

using lowering::CompilerPass;
using lowering::DecidedBy;
using lowering::Disclosure;
using lowering::PassMetric;
using lowering::PipelinePhase;
using lowering::Stage;

namespace {

constexpr std::string_view kDebug = "TORCH_COMPILE_DEBUG=1";
constexpr std::string_view kFrontEnd =
    "torch-spyre/torch-spyre, docs/source/compiler/inductor_frontend.md, "
    "torch_spyre/_inductor/passes.py";

std::vector<CompilerPass> graphPasses() {
    return {
        {.id = "dynamo",
            .name = "Dynamo",
            .layer = "Dynamo",
            .phase = PipelinePhase::Capture,
            .stages = {Stage::Captured},
            .does = "Traces Python bytecode into FX graphs; unchanged PyTorch.",
            .emits = "FX graph of torch calls",
            .source = "PyTorch 2.13, torch/_dynamo",
            .metrics = {PassMetric::Nodes},
            .artefacts = {{"graph breaks, guards", "TORCH_LOGS=\"graph_breaks,guards\""}},
            .changes = {{"eager", "does not run: operators are compiled or fall back one by one"}}},
        {.id = "aot_autograd",
            .name = "AOTAutograd",
            .layer = "AOTAutograd",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Makes the graph functional and applies Spyre's decompositions: softmax, "
                    "norms, addmm and linear fall apart.",
            .emits = "ATen graph with spyre operators",
            .source = "torch-spyre/torch-spyre, torch_spyre/_inductor/decompositions.py",
            .metrics = {PassMetric::Nodes, PassMetric::Removed},
            .artefacts = {{"fx_graph_readable.py", kDebug}}},
        {.id = "post_passes",
            .name = "CustomPostPasses",
            .layer = "Inductor",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Splits addmm, rewrites mm to bmm and unflattens bmm on the post-grad graph.",
            .emits = "post-grad graph",
            .source = kFrontEnd,
            .artefacts = {{"fx_graph_transformed.py", kDebug}}},
        {.id = "split_multi_ops",
            .name = "split_multi_ops",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Graph,
            .stages = {Stage::Decomposed},
            .does = "Pads K of products to a stick, splits loop bodies into one operator each; an "
                    "operator without a Spyre form falls back to the CPU.",
            .emits = "loop-level IR, one operator a buffer",
            .source = kFrontEnd,
            .artefacts = {{"ir_pre_fusion.txt", kDebug}}},
    };
}

std::vector<CompilerPass> layoutPasses() {
    return {
        {.id = "propagate_layouts",
            .name = "propagate_spyre_tensor_layouts",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .does = "Proposes stick layouts for every buffer from those of its inputs; a product "
                    "wants A on k, B and C on n.",
            .emits = "candidate stick layouts",
            .source = "torch-spyre/torch-spyre, torch_spyre/_inductor/propagate_layouts.py",
            .metrics = {PassMetric::Layouts},
            .changes = {{"2025-11", "dense contiguous tensors only, sticks outermost"},
                {"2026-06", "strides of tiles are not clamped"}}},
        {.id = "optimize_restickify",
            .name = "optimize_restickify_locations",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .does = "Searches the whole graph for the layouts that cost least in restickifies; a "
                    "graph without any consistent choice is refused.",
            .emits = "one layout a buffer",
            .source = "torch-spyre/torch-spyre, torch_spyre/_inductor/optimize_restickify.py",
            .changes = {{"stick-optimizer-off", "GLOBAL_STICK_OPTIMIZER=0: operator by operator"}}},
        {.id = "insert_restickify",
            .name = "insert_restickify",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::LaidOut},
            .does = "Puts a restickify before each reader whose stick differs, padded where the "
                    "new stick dimension is not whole.",
            .emits = "restickify operators",
            .source =
                "torch-spyre/torch-spyre, torch_spyre/_inductor/insert_restickify.py, padding.py",
            .metrics = {PassMetric::Added, PassMetric::Padding}},
    };
}

std::vector<CompilerPass> placePasses() {
    return {
        {.id = "work_division",
            .name = "work_distribution",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .does = "Splits every operator over up to 32 cores: the span limit first, a cost model "
                    "for products, largest dimensions for the rest.",
            .emits = "splits a dimension and core",
            .source = "torch-spyre/torch-spyre, torch_spyre/_inductor/work_division.py; "
                      "docs/source/compiler/work_division_planning.md",
            .changes = {{"cores", "SENCORES=N limits the split"}}},
        {.id = "scratchpad",
            .name = "scratchpad_planning",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .does = "Keeps results in LX where operator and readers allow it and addresses fit; "
                    "nothing is evicted.",
            .emits = "LX addresses, boundary copies, LX relayouts",
            .source = "torch-spyre/torch-spyre, docs/source/compiler/scratchpad_planning.md",
            .metrics = {PassMetric::OnChip},
            .changes = {{"lx-off", "LX_PLANNING=0: every result goes to device memory"}}},
        {.id = "fuse_nodes",
            .name = "spyre_fuse_nodes",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Fused},
            .does = "Bundles consecutive device operators into one kernel; a fallback breaks the "
                    "bundle. Inductor's own fusion is off.",
            .emits = "bundles of OpSpecs",
            .source = kFrontEnd,
            .metrics = {PassMetric::Kernels},
            .artefacts = {{"ir_post_fusion.txt", kDebug}},
            .changes = {{"2026-06", "at most 6 tensors that are not intermediate a bundle"},
                {"eager", "one operator a bundle"}}},
        {.id = "hbm_pool",
            .name = "hbm_pool_planning",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Plan,
            .stages = {Stage::Placed},
            .does = "Gives intermediates that stay in LPDDR5 an offset in one pool a bundle, first "
                    "fit over their lives.",
            .emits = "pool offsets",
            .source = "torch-spyre/torch-spyre, docs/source/compiler/hbm_pool_planning.md",
            .metrics = {PassMetric::Buffers}},
    };
}

std::vector<CompilerPass> codePasses() {
    return {
        {.id = "opspec",
            .name = "SpyreKernel, OpSpec",
            .layer = "torch-spyre",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Scheduled},
            .does = "Writes each operator with its iteration space and device coordinates, and the "
                    "wrapper that calls the bundles in order.",
            .emits = "OpSpecs in the generated wrapper",
            .source = "torch-spyre/torch-spyre, torch_spyre/_inductor/op_spec.py, "
                      "docs/source/compiler/backend.md",
            .metrics = {PassMetric::Steps},
            .artefacts = {{"output_code.py", kDebug}}},
        {.id = "superdsc",
            .name = "SuperDSC",
            .layer = "SuperDSC",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Scheduled},
            .does = "Emits one JSON an OpSpec: folds over cores, allocations, masks of padded "
                    "lanes, execution unit; the bundle lists their order.",
            .emits = "sdsc_<n>.json, bundle.mlir",
            .source = "torch-spyre/torch-spyre, torch_spyre/_inductor/codegen/compute_ops.py, "
                      "codegen/bundle.py",
            .artefacts = {{"sdsc_<n>.json", "in <cache>/inductor-spyre/<kernel>"},
                {"bundle.mlir", "in <cache>/inductor-spyre/<kernel>"}}},
        {.id = "deeptools",
            .name = "DeepTools",
            .layer = "DeepTools",
            .phase = PipelinePhase::Code,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Described,
            .does = "Maps operations to dataflows of the PE arrays, orders loads and computation "
                    "inside a core, writes the binary; closed source.",
            .emits = "device binary; ideal cycles an operator",
            .source = "torch-spyre/torch-spyre, docs/source/compiler/backend.md (dbo-opt); "
                      "IBM/aiu-trace-analyzer",
            .artefacts = {{"perf/ideal_cycles.json", "in the kernel's folder"}}},
    };
}

std::vector<CompilerPass> runPasses() {
    return {
        {.id = "dci",
            .name = "host DMA (DCI)",
            .layer = "Runtime",
            .phase = PipelinePhase::Run,
            .decidedBy = DecidedBy::Runtime,
            .disclosure = Disclosure::Observed,
            .does = "Copies tensors between host order and sticks, loop by loop; padded lanes are "
                    "not written.",
            .emits = "transfers",
            .source = "torch-spyre/torch-spyre, docs/source/user_guide/tensors_and_layouts.md; "
                      "torch_spyre/csrc/spyre_mem.cpp",
            .artefacts = {{"transfer log", "TORCH_SPYRE_DEBUG=1"}}},
        {.id = "launch",
            .name = "bundle launch",
            .layer = "Runtime",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .decidedBy = DecidedBy::Runtime,
            .disclosure = Disclosure::Observed,
            .does = "Starts one bundle after another; inside a bundle the program runs without the "
                    "host.",
            .emits = "one launch a bundle",
            .source = "IBM/aiu-trace-analyzer (trace of kernel launches); the fixed cost is not "
                      "published",
            .metrics = {PassMetric::Time},
            .artefacts = {{"Chrome trace", "torch.profiler with kineto-spyre"}},
            .changes = {{"eager", "one launch an operator"}}},
        {.id = "cores",
            .name = "32 cores",
            .layer = "Spyre",
            .phase = PipelinePhase::Run,
            .stages = {Stage::Scheduled},
            .disclosure = Disclosure::Described,
            .does = "Every core runs its slice of the operator by the plan; LX is filled by loads "
                    "of the program, there is no cache.",
            .emits = "the plan, core by core",
            .source = "torch-spyre/torch-spyre, docs/source/architecture/spyre_accelerator.md",
            .metrics = {PassMetric::Events}},
    };
}

lowering::CompilerPipeline build() {
    lowering::CompilerPipeline pipeline;
    pipeline.compiler = "torch.compile with torch-spyre's Inductor backend and DeepTools";
    pipeline.version = "torch-spyre of August 2026 (9e0a3d8f), PyTorch 2.13";
    pipeline.stack = {"Dynamo", "AOTAutograd", "Inductor", "torch-spyre", "SuperDSC", "DeepTools",
        "Runtime", "Spyre"};
    pipeline.stageWords = {
        "FX graph", "post-grad graph", "bundles", "stick layouts", "cores, LX, pool", "SuperDSC"};
    for (auto part : {graphPasses(), layoutPasses(), placePasses(), codePasses(), runPasses()})
        pipeline.passes.insert(pipeline.passes.end(), part.begin(), part.end());
    pipeline.modes = {
        {"2026-09", "torch-spyre of September 2026", "The newest public layouts and rules.",
            {{"fusion", "on"}, {"layout", "2026-09"}}},
        {"2026-06", "torch-spyre of June 2026", "Tile strides not clamped, small bundles.",
            {{"fusion", "on"}, {"layout", "2026-06"}}},
        {"2025-11", "torch-spyre of November 2025", "Dense contiguous layouts only.",
            {{"fusion", "on"}, {"layout", "2025-11"}}},
        {"eager", "model(x) on device spyre", "Every operator a bundle of its own.",
            {{"fusion", "off"}}},
        {"cores", "SENCORES=N", "Fewer cores.", {}, false},
        {"lx-off", "LX_PLANNING=0", "No result stays in LX.", {}, false},
        {"stick-optimizer-off", "GLOBAL_STICK_OPTIMIZER=0", "Layouts chosen operator by operator.",
            {}, false},
    };
    pipeline.unpublished = "DeepTools, from SuperDSC to the binary, and the time of a launch.";
    return pipeline;
}

} // namespace

const lowering::CompilerPipeline& compilerPipeline() {
    static const lowering::CompilerPipeline kPipeline = build();
    return kPipeline;
}

} // namespace fivefold::families::spyre
