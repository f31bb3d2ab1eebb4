// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/id.h"
#include "core/base/units.h"
#include "core/ir/cost.h"
#include "core/ir/graph.h"
#include "core/layout/tensor_layout.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::lowering {

/// The six stages, our teaching order.
enum class Stage : std::uint8_t { Captured, Decomposed, Fused, LaidOut, Placed, Scheduled };
constexpr std::array kStages
    = {Stage::Captured, Stage::Decomposed, Stage::Fused, Stage::LaidOut, Stage::Placed, Stage::Scheduled};
constexpr std::size_t kStageCount = kStages.size();
std::string_view toString(Stage stage); ///< "captured", "laid_out": names of the command line
std::optional<Stage> parseStage(std::string_view text);

/// How a machine takes a captured operator.
enum class Support : std::uint8_t {
    Native, ///< one operator of the machine does it
    Decomposed, ///< several operators of the machine do it
    Fallback, ///< runs on the host: data leaves the device and comes back
    Unsupported, ///< the machine's public stack refuses it; its time is unknown
};
std::string_view toString(Support support);

enum class DecidedBy : std::uint8_t { Programmer, Compiler, Runtime, Hardware };
std::string_view toString(DecidedBy decider);

using NodeId = base::Id<struct LoweredNodeTag>;
using ValueId = base::Id<struct LoweredValueTag>;
using KernelId = base::Id<struct KernelTag>;

/// Size of one execution of a lowered node. Contractions are batch × m × n × k products; everything else
/// is `outElements` results of `reduced` inputs each.
struct Work {
    bool isKnown = true; ///< false: nothing below is meaningful
    std::int64_t macs = 0;
    double flops = 0;
    std::int64_t batch = 0, m = 0, n = 0, k = 0; ///< 0 unless a contraction
    std::int64_t outElements = 0;
    std::int64_t reduced = 1;
    bool operator==(const Work&) const = default;
};

/// One operator of a stage. Every node names the captured nodes it came from, or who added it.
struct Node {
    std::string op; ///< the machine's word ("batchmatmul", "realdiv"); at captured the file's operator
    ir::Op canonical = ir::Op::Unknown; ///< whose arithmetic it does
    std::string name; ///< unique within the stage
    std::vector<ir::NodeId> sources; ///< captured nodes, in graph order; empty only when addedBy is set
    std::vector<ValueId> inputs; ///< invalid = omitted
    std::vector<ValueId> outputs;
    ir::Attributes attributes; ///< complete for `canonical`: enough to execute the node
    KernelId kernel; ///< valid from Fused on
    Support support = Support::Native;
    Work work;
    std::int64_t executions = 1; ///< per run of the model (trip counts of loops around it)
    ir::BlockId block; ///< captured block it comes from
    std::string rule; ///< the rule that made or changed it at this or an earlier stage; a sentence
    std::string addedBy; ///< why the compiler added it ("MatMul wants its stick on k"); empty = from the model
    Stage addedAt = Stage::Captured;
    DecidedBy decidedBy = DecidedBy::Compiler;

    ir::OpClass opClass() const { return ir::opClass(canonical); }
};

/// How the contents of a weight or constant that lowering prepares before the program starts follow
/// from captured ones: an operator of captured values and of other recipes. The value's own shape is
/// the result's, reshaped where it differs.
struct Recipe {
    struct Operand {
        ir::ValueId value; ///< captured; invalid: `recipe`, or an omitted input when that is null too
        std::shared_ptr<const Recipe> recipe;
    };
    ir::Op op = ir::Op::Identity;
    ir::Attributes attributes;
    std::vector<Operand> operands;
};

/// A value's part in a loop whose body a stage holds once (a Loop or Scan of the model, the steps of a
/// recurrent operator). Nodes say theirs by attributes: "loop_step" reads the part of its first input
/// that belongs to the iteration (bit 0: from the end; bit 1: of rows ordered by batch, then step),
/// "loop_stack" puts what its inputs were in every iteration together (an entry an input, 1: from the
/// last iteration on; where the attribute lacks, the last iteration's contents).
struct LoopRole {
    enum class Kind : std::uint8_t {
        Starts, ///< the state's contents in the first iteration; later ones read what Carries left
        Carries, ///< the state's contents for the next iteration
        Counts, ///< the number of the iteration, from 0
    };
    Kind kind = Kind::Starts;
    ir::NodeId owner; ///< captured loop or recurrent operator
    std::uint32_t state = 0; ///< which of its states
    bool operator==(const LoopRole&) const = default;
};

enum class ValueRole : std::uint8_t { Input, Weight, Constant, Activation, Output, Scratch, KvCache };
std::string_view toString(ValueRole role);

/// An edge source of a stage. Shapes are concrete: bound or assumed.
struct Value {
    std::string name; ///< the model's name where it has one
    ir::ValueId source; ///< captured value it equals, or invalid for one that lowering made
    ir::DType dtype = ir::DType::Undefined; ///< on the device at the chosen precision
    std::optional<std::vector<std::int64_t>> shape; ///< nullopt: unknown even under assumptions
    ValueRole role = ValueRole::Activation;
    /// Every element has this value: constants of one element, and those that lowering makes (epsilon, a scale).
    std::optional<double> fill;
    /// Set where the contents are neither `source`'s nor a fill; null: unknown contents.
    std::shared_ptr<const Recipe> recipe;
    std::vector<LoopRole> loopRoles; ///< mostly none
    /// Memory strides in elements, where the compiler has decided them before the layout stage.
    std::optional<std::vector<std::int64_t>> strides;
    NodeId producer; ///< invalid for inputs, weights and constants
    std::vector<NodeId> users;
    std::shared_ptr<const layout::TensorLayout> layout; ///< set from LaidOut on; shared between values

    /// Logical bytes without padding; nullopt when the shape is unknown.
    std::optional<base::Bytes> bytes() const;
    /// Bytes of the layout (padding included) where there is one, else bytes().
    std::optional<base::Bytes> deviceBytes() const;
};

/// What the machine launches as one: a GPU kernel, an XLA fusion, a Spyre bundle, a wafer region, a Groq
/// stream chain.
struct Kernel {
    std::string name;
    std::string kind; ///< "library", "reduction", "pointwise", "copy", "bundle", "fusion", "region", "chain", "fallback"
    std::vector<NodeId> nodes; ///< execution order
    std::string reason; ///< why these nodes are together (or why it ends here); a sentence
    DecidedBy decidedBy = DecidedBy::Compiler; ///< Programmer: the user cut or joined it
    /// Captured nodes that the machine's own compiler lists for the kernel; empty: the nodes' sources.
    std::vector<ir::NodeId> origins;
};

/// A captured node that has no counterpart from this stage on.
struct Removed {
    ir::NodeId node;
    Stage stage = Stage::Decomposed;
    std::string rule; ///< "constant folded", "branch not taken", …
};

/// The graph as one stage leaves it. Nodes are in execution order. Immutable once built.
struct StageGraph {
    Stage stage = Stage::Captured;
    base::IdVector<NodeId, Node> nodes;
    base::IdVector<ValueId, Value> values;
    base::IdVector<KernelId, Kernel> kernels; ///< from Fused on
    std::vector<ValueId> inputs; ///< of the whole model
    std::vector<ValueId> outputs;
    std::vector<Removed> removed; ///< accumulates over the stages

    /// Equal for graphs of equal structure (operators and edges), whatever the sizes: a drawing can be reused.
    std::size_t structuralHash() const;
};

/// Checks what every stage must hold: ids in range, one producer a value, users consistent, producers before users,
/// provenance total (sources or addedBy), each captured node mapped or removed, kernels partition the nodes (from
/// Fused on), layouts match shapes (from LaidOut on). Returns sentences; empty = sound.
std::vector<std::string> verify(const StageGraph& graph, const ir::Graph& captured);

} // namespace fivefold::lowering
