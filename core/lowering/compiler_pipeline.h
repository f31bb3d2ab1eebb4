// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <string_view>
#include <vector>

/// A family's real compiler: its passes in its own order and words, the stack above them, and what
/// the modes change. The six stages are the teaching order; every pass says which of them it does,
/// so that a stage bar can be drawn in either order and a panel can jump from a pass to the stage.
/// Plain data that lives as long as the program; the texts are whole sentences unless a comment
/// says otherwise.
namespace fivefold::lowering {

/// Where in the path of a model a pass stands: the columns in which the stacks are drawn aligned.
enum class PipelinePhase : std::uint8_t {
    Capture, ///< from the program text to a graph
    Graph, ///< rewrites of the graph, no layouts yet
    Plan, ///< fusion, layout, placement, in whatever order
    Code, ///< to instructions
    Run, ///< loading, launching, moving data
};
inline constexpr std::array kPipelinePhases = {PipelinePhase::Capture, PipelinePhase::Graph,
    PipelinePhase::Plan, PipelinePhase::Code, PipelinePhase::Run};
std::string_view toString(PipelinePhase phase); ///< "capture", "graph", "plan", "code", "run"

/// How much of a pass anybody outside can check.
enum class Disclosure : std::uint8_t {
    Open, ///< its source is public
    Observed, ///< closed, but its results are public or were read off its dumps
    Described, ///< the vendor says in words what it does
    Unpublished, ///< neither; the pass stands here because something must do it
};
std::string_view toString(
    Disclosure disclosure); ///< "open", "observed", "described", "unpublished"

/// What of a lowered program a pass leaves behind, to be counted.
enum class PassMetric : std::uint8_t {
    Nodes, ///< of the pass's last stage
    Removed, ///< captured nodes without a counterpart from that stage on
    Added, ///< nodes that the compiler added at the pass's stages
    Kernels,
    Layouts, ///< values with a layout
    Padding, ///< bytes of padding over all laid-out values
    Buffers,
    OnChip, ///< buffers in caches, scratchpads or registers
    Steps,
    Events,
    Time, ///< of the program
};

/// A file that a user of the stack finds after the pass, and how to get it.
struct PassArtefact {
    std::string_view name; ///< "fx_graph_readable.py", "sdsc_<n>.json"
    std::string_view how; ///< "TORCH_COMPILE_DEBUG=1"; empty: always
};

/// What one mode does to one pass.
struct PassChange {
    std::string_view mode; ///< id of a PipelineMode
    std::string_view effect;
};

struct CompilerPass {
    std::string_view id; ///< unique within the pipeline, stable: "fuse"
    std::string_view name; ///< in the compiler's words, short enough to draw: "fuse_nodes"
    std::string_view layer; ///< of the stack: "Inductor"
    PipelinePhase phase = PipelinePhase::Plan;
    std::vector<Stage> stages; ///< teaching stages that it does or takes part in; empty: none
    DecidedBy decidedBy = DecidedBy::Compiler;
    Disclosure disclosure = Disclosure::Open;
    std::string_view does; ///< what it does
    std::string_view emits; ///< what it leaves, a noun phrase: "post-grad ATen graph"
    std::string_view source; ///< where this is written; never empty
    std::vector<PassMetric> metrics;
    std::vector<PassArtefact> artefacts;
    std::vector<PassChange> changes;

    bool claims(Stage stage) const;
};

/// A way to run the stack, and the settings of a lowering that stand for it.
struct PipelineMode {
    std::string_view id; ///< "reduce-overhead"
    std::string_view how; ///< how a user asks for it: torch.compile(mode="reduce-overhead")
    std::string_view means;
    /// Settings that model it, `key` → `value`; the key "fusion" is Settings::isFusionOn,
    /// "precision" the precision.
    std::vector<std::pair<std::string_view, std::string_view>> settings;
    bool isModelled = true; ///< false: shown, but no setting of ours does it
};

struct CompilerPipeline {
    std::string_view compiler; ///< "torch.compile: Dynamo, AOTAutograd, Inductor, Triton"
    std::string_view version; ///< the release that the facts are of
    std::vector<std::string_view>
        stack; ///< layers from the model to the machine, as drawn: "Dynamo", "Inductor", …
    /// The state after each stage in this compiler's words, at most 18 characters: for the stage
    /// bar.
    std::array<std::string_view, kStageCount> stageWords;
    std::vector<CompilerPass> passes; ///< in the compiler's order
    std::vector<PipelineMode> modes; ///< first: the default
    std::string_view unpublished; ///< what is not public of it; empty: nothing

    const CompilerPass* find(std::string_view id) const;
};

/// The stages in the order in which the compiler first takes them up; all six, captured first.
std::vector<Stage> stageOrder(const CompilerPipeline& pipeline);
/// The passes that claim a stage, in the compiler's order.
std::vector<const CompilerPass*> passesOf(const CompilerPipeline& pipeline, Stage stage);

/// What a pipeline must hold, as sentences; empty = sound: every stage is claimed, ids are unique,
/// every pass has a name, a source and something it does, layers are in the stack, changes name
/// modes, phases do not go backwards.
std::vector<std::string> verify(const CompilerPipeline& pipeline);

} // namespace fivefold::lowering
