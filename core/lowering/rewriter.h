// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"
#include "core/lowering/work.h"

#include <initializer_list>
#include <span>
#include <unordered_map>

namespace fivefold::lowering {

/// A machine's words for canonical operators; an operator without one is called by its canonical
/// name in lower case.
class Words {
public:
    Words() = default;
    Words(std::initializer_list<std::pair<ir::Op, std::string_view>> words);
    std::string operator()(ir::Op op) const;

private:
    std::unordered_map<ir::Op, std::string> m_words;
};

/// A result of a new node.
struct NewValue {
    ir::DType dtype = ir::DType::Undefined; ///< Undefined: that of the first input
    KnownShape shape;
    ValueRole role = ValueRole::Activation;
};

/// A node to be made. Its work follows from operator, attributes and shapes.
struct NewNode {
    ir::Op canonical = ir::Op::Unknown;
    std::string suffix; ///< its name is "<name of what it replaces or serves>/<suffix>"
    std::vector<ValueId> inputs;
    std::vector<NewValue> outputs;
    ir::Attributes attributes;
    std::string op; ///< empty: the rewriter's word for `canonical`
};

class Rewriter;

/// Nodes that take the place of one node or of a group. They inherit sources, block, executions and
/// kernel of what they replace, and get support Decomposed when there are several, Native when
/// there is one. They run in the order of the calls. Values that are given may be results of this
/// sequence or any value of the graph.
class Sequence {
public:
    ValueId add(NewNode node); ///< one result
    std::vector<ValueId> addMany(NewNode node);

    ValueId unary(ir::Op op, std::string_view suffix, ValueId x, ir::Attributes attributes = {});
    ValueId binary(ir::Op op, std::string_view suffix, ValueId a, ValueId b); ///< broadcasts
    /// ReduceMax, ReduceSum, …: attributes `axes` and `keepdims` = 1.
    ValueId reduce(ir::Op op, std::string_view suffix, ValueId x, std::vector<std::int64_t> axes);
    /// a · b; with isTransposed the last two axes of b are swapped (FusedMatMul, transB = 1).
    ValueId matmul(std::string_view suffix, ValueId a, ValueId b, bool isTransposed = false);
    ValueId reshape(std::string_view suffix, ValueId x, KnownShape shape);
    ValueId transpose(std::string_view suffix, ValueId x, std::vector<std::int64_t> permutation);
    /// A scalar constant of the type of `like`: no node.
    ValueId constant(std::string_view suffix, double fill, ValueId like);

    /// The value with another shape of as many elements: a weight or constant is just declared so
    /// (the compiler rearranges it before the program starts), anything else takes a Reshape node.
    ValueId reshaped(std::string_view suffix, ValueId x, std::vector<std::int64_t> shape);
    /// Part `index` of a weight or constant along its first axis, without that axis; a Slice and a
    /// Reshape of anything else.
    ValueId part(std::string_view suffix, ValueId x, std::int64_t index);
    /// One Slice along an axis: [start, end) in steps.
    ValueId slice(std::string_view suffix, ValueId x, std::int64_t axis, std::int64_t start,
        std::int64_t end, std::int64_t step = 1);
    /// Nodes added from now on execute `factor` times per execution of what they replace: bodies of
    /// loops.
    void setRepeat(std::int64_t factor) { m_repeat = factor; }

    /// The results of the replaced node (in its output order) are these from now on; an invalid id
    /// is a result that nobody may use. The captured value's name and identity stay on the result.
    /// Returns the nodes.
    std::vector<NodeId> finish(std::span<const ValueId> results);
    std::vector<NodeId> finish(ValueId result) { return finish(std::span(&result, 1)); }

    const Value& value(ValueId id) const;
    std::optional<std::size_t> rank(ValueId id) const;

private:
    friend class Rewriter;
    Sequence(Rewriter& rewriter, std::vector<NodeId> replaced, std::string rule);

    Rewriter& m_rewriter;
    std::vector<NodeId> m_replaced;
    std::vector<ValueId> m_oldOutputs;
    std::vector<NodeId> m_made;
    std::int64_t m_repeat = 1;
    std::string m_rule;
};

/// Edits the graph of one stage into the graph of the next: replaces nodes by sequences, inserts
/// nodes on edges, removes and aliases nodes. Ids of nodes and values stay valid until finish(),
/// which compacts into execution order. All edits are O(size of the edit), finish() is O(nodes +
/// edges).
class Rewriter {
public:
    /// `words` name new nodes and, on applyWords(), all others.
    Rewriter(StageGraph graph, Stage stage, Words words = {});

    const StageGraph& graph() const { return m_graph; } ///< with the edits so far, not compacted
    Stage stage() const { return m_stage; }
    bool isAlive(NodeId node) const { return m_alive[node.index()] != 0; }
    const Node& node(NodeId id) const { return m_graph.nodes[id]; }
    const Value& value(ValueId id) const { return m_graph.values[resolve(id)]; }
    ValueId input(
        NodeId node, std::size_t index) const; ///< resolved; invalid when omitted or not there
    /// For op, canonical, attributes, support, rule, decidedBy, kernel; inputs and outputs change
    /// through the functions below.
    Node& edit(NodeId id) { return m_graph.nodes[id]; }
    Value& editValue(ValueId id) { return m_graph.values[resolve(id)]; }
    /// The value that stands for `id` after aliases.
    ValueId resolve(ValueId id) const;
    /// Live users, in execution order as far as it is known, each once.
    std::vector<NodeId> users(ValueId id) const;
    /// Live nodes in execution order: those at the time of the call; safe to edit while walking
    /// over them.
    std::vector<NodeId> order() const;

    /// Starts to replace a node. The rule is a sentence, kept on each new node.
    Sequence replace(NodeId node, std::string rule);
    /// Starts to replace a matched group, at the place of its last node. The results of the last
    /// node are the ones that finish() sets; the others must not be used outside the group.
    Sequence replace(std::vector<NodeId> group, std::string rule);

    /// Puts a node that the compiler adds between `value` and the one use of it: input `index` of
    /// `user`. `newNode.inputs` may be empty (= the value); a missing output copies the value's
    /// type. `addedBy` says why.
    ValueId insertBefore(NodeId user, std::size_t index, NewNode newNode, std::string addedBy);
    /// As above, for all present users of the value (or the given ones) at once, right behind its
    /// producer (at the start of the program for inputs and weights). Graph outputs keep reading
    /// the value itself.
    ValueId insertAfter(ValueId value, NewNode newNode, std::string addedBy);
    ValueId insertAfter(
        ValueId value, std::span<const NodeId> users, NewNode newNode, std::string addedBy);
    /// Puts a node that reads `from` right in front of `place`; nobody reads its result yet.
    ValueId insertAhead(NodeId place, ValueId from, NewNode newNode, std::string addedBy);
    /// Puts a node that computes an output of the model right before it leaves: the output is the
    /// new value.
    ValueId insertBeforeOutput(std::size_t output, NewNode newNode, std::string addedBy);

    void setInput(NodeId node, std::size_t index, ValueId value);
    /// All uses of `old` read `by` instead. A graph output keeps its name and its source on `by`.
    void replaceValue(ValueId old, ValueId by);
    /// Removes a node whose output is its first input again (Identity, Dropout). Does nothing where the
    /// two shapes differ: users of a reshaped value rely on its shape.
    void alias(NodeId node, std::string rule);
    /// Removes a node whose results nobody uses any more.
    void remove(NodeId node, std::string rule);

    ValueId addValue(Value value);
    ValueId addConstant(std::string name, double fill, ir::DType dtype);

    /// Gives every live node that still bears the file's operator name the machine's word.
    void applyWords();
    /// Live nodes in execution order (sorted again, stably, if an edit broke it), unreferenced
    /// values dropped, users, kernels and unique names rebuilt, removed captured nodes recorded.
    StageGraph finish() &&;

private:
    friend class Sequence;
    static constexpr std::uint32_t kNone = 0xffffffff;

    NodeId insertNode(Node node, std::uint32_t before);
    NodeId makeNode(NewNode&& spec, const std::string& base, std::uint32_t before);
    void unlink(NodeId node);
    void adopt(ValueId old, ValueId result, std::span<const NodeId> made);
    NodeId makeAdded(ValueId from, NewNode&& spec, const std::string& base, std::string addedBy,
        std::uint32_t before, const Node* context);
    std::vector<NodeId> sortedOrder() const;
    void compactNodes(StageGraph& out, const std::vector<NodeId>& order);
    void compactValues(StageGraph& out);
    void rebuildKernels(StageGraph& out);
    void recordRemoved(StageGraph& out) const;

    StageGraph m_graph;
    Stage m_stage;
    Words m_words;
    std::vector<std::uint8_t> m_alive;
    std::vector<std::uint8_t> m_isNamed; ///< op is the machine's word already
    std::vector<std::uint32_t> m_next,
        m_previous; ///< execution order as a list; index size() is the end
    std::uint32_t m_first = kNone, m_last = kNone;
    mutable std::vector<ValueId> m_forward;
    std::vector<std::pair<ir::NodeId, std::string>> m_removedSources;
};

} // namespace fivefold::lowering
