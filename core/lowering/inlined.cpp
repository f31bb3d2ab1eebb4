// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/execution_order.h"
#include "core/lowering/compile_time.h"
#include "core/lowering/from_captured.h"
#include "core/lowering/inlining.h"
#include "core/lowering/rewriter.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

constexpr std::string_view kFolded = "constant folded: its result is known before the program runs";
constexpr std::string_view kOnlyShapes =
    "only fed shape arithmetic that is known before the program runs";
constexpr std::string_view kEmpty = "its results have no elements, so there is nothing to compute";
constexpr std::string_view kOnlyEmpty = "only fed operators whose results have no elements";
constexpr std::string_view kNotTaken = "branch not taken";
constexpr std::string_view kBranch = "replaced by the branch that is taken";
constexpr std::string_view kLoopBody = "replaced by its body, which runs once a trip";
constexpr std::string_view kZeroTrips = "the loop around it runs zero times";
constexpr std::string_view kCallBody = "replaced by the body of the function";

/// Operands with contents known at compile time become attributes, under the names that the older
/// versions of the operators gave them.
struct ContentInput {
    ir::Op op;
    std::size_t index;
    std::string_view attribute;
};
constexpr ContentInput kContentInputs[] = {
    {ir::Op::Reshape, 1, "shape"},
    {ir::Op::Expand, 1, "shape"},
    {ir::Op::Squeeze, 1, "axes"},
    {ir::Op::Unsqueeze, 1, "axes"},
    {ir::Op::Slice, 1, "starts"},
    {ir::Op::Slice, 2, "ends"},
    {ir::Op::Slice, 3, "axes"},
    {ir::Op::Slice, 4, "steps"},
    {ir::Op::Split, 1, "split"},
    {ir::Op::Tile, 1, "repeats"},
    {ir::Op::Pad, 1, "pads"},
    {ir::Op::Pad, 3, "axes"},
    {ir::Op::Resize, 3, "sizes"},
    {ir::Op::TopK, 1, "k"},
    {ir::Op::ReduceL1, 1, "axes"},
    {ir::Op::ReduceL2, 1, "axes"},
    {ir::Op::ReduceLogSum, 1, "axes"},
    {ir::Op::ReduceLogSumExp, 1, "axes"},
    {ir::Op::ReduceMax, 1, "axes"},
    {ir::Op::ReduceMean, 1, "axes"},
    {ir::Op::ReduceMin, 1, "axes"},
    {ir::Op::ReduceProd, 1, "axes"},
    {ir::Op::ReduceSum, 1, "axes"},
    {ir::Op::ReduceSumSquare, 1, "axes"},
};

/// An entry of an optional list; 0 where it lacks.
std::int64_t at(const std::optional<std::vector<std::int64_t>>& list, std::size_t index) {
    return list && index < list->size() ? (*list)[index] : 0;
}

class Inliner {
public:
    explicit Inliner(const Context& context)
        : m_context(context)
        , m_typed(context.typed)
        , m_captured(*context.typed.graph)
        , m_known(context)
        , m_values(m_captured.values.size())
        , m_orders(ir::inference::orderBlocks(m_captured))
        , m_keep(m_captured.values.size(), 0)
        , m_isEmpty(m_captured.nodes.size(), 0)
        , m_storage(machines::storageType(context.settings.precision))
        , m_isAsWritten(keepsProgram(*context.typed.graph))
        , m_keepsTypes(m_isAsWritten && !context.settings.isPrecisionGiven) {
        m_graph.stage = Stage::Decomposed;
    }

    StageGraph build();

private:
    enum class Kind : std::uint8_t { Main, Branch, Loop, Scan, Map, Call };
    struct Frame {
        Kind kind = Kind::Main;
        ir::NodeId owner;
        ir::BlockId block;
        std::vector<ir::NodeId> order;
        std::size_t at = 0;
    };

    ir::DType deviceType(ir::DType dtype) const;
    ValueId define(ir::ValueId id, ValueRole role);
    ValueId read(ir::ValueId id);
    ValueRole knownRole(ir::ValueId id) const;
    void bind(ir::ValueId formal, ValueId actual);
    void enter(Kind kind, ir::NodeId owner, ir::BlockId block);
    void leave(const Frame& frame);
    void visit(ir::NodeId id);
    bool isEmpty(const ir::Node& node) const;
    bool openBody(ir::NodeId id, const ir::Node& node);
    void enterIf(ir::NodeId id, const ir::Node& node);
    void enterLoop(ir::NodeId id, const ir::Node& node);
    void enterScan(ir::NodeId id, const ir::Node& node);
    void enterMap(ir::NodeId id, const ir::Node& node);
    void leaveLoop(const Frame& frame);
    void emit(ir::NodeId id);
    void absorbContents(const ir::Node& from, Node& node);
    void completeAttributes(const ir::Node& from, Node& node) const;
    ValueId element(ir::NodeId owner, ir::ValueId formal, ValueId whole, ir::Op op,
        std::int64_t axis, bool isBackward);
    void collect(ir::NodeId owner, ir::ValueId result, ValueId part, ir::Op op, std::int64_t axis,
        bool isBackward);
    ValueId iteration(ir::NodeId owner);
    bool isReadInside(ir::ValueId value, ir::NodeId owner) const;
    ValueId startOf(ir::NodeId owner, std::uint32_t state, ir::ValueId actual);
    void carry(ir::NodeId owner, std::uint32_t state, ValueId value);
    NodeId append(Node node);
    void removeBlock(ir::BlockId block, std::string_view rule);
    void remove(ir::NodeId id, std::string_view rule) {
        m_graph.removed.push_back({id, Stage::Decomposed, std::string(rule)});
    }
    void finishOutputs();
    StageGraph withoutDeadNodes();

    const Context& m_context;
    const ir::Typed& m_typed;
    const ir::Graph& m_captured;
    CompileTime m_known;
    base::IdVector<ir::ValueId, ValueId> m_values;
    base::IdVector<ir::BlockId, ir::inference::BlockOrder> m_orders; ///< each block is entered once
    base::IdVector<ir::ValueId, std::uint8_t> m_keep; ///< read by control flow at run time
    base::IdVector<ir::NodeId, std::uint8_t> m_isEmpty; ///< removed: nothing to compute
    ir::DType m_storage;
    bool m_isAsWritten; ///< nothing is folded
    bool m_keepsTypes;
    std::vector<Frame> m_frames;
    StageGraph m_graph;
};

ir::DType Inliner::deviceType(ir::DType dtype) const {
    // Formats of 8 bits and fewer are the file's own choice; wider floats follow the precision.
    if (m_keepsTypes)
        return dtype;
    return ir::isFloat(dtype) && ir::bitWidth(dtype) > 8 ? m_storage : dtype;
}

ValueId Inliner::define(ir::ValueId id, ValueRole role) {
    Value value = valueFrom(m_typed, id);
    value.dtype = deviceType(value.dtype);
    value.role = role;
    if (role == ValueRole::Constant || role == ValueRole::Weight)
        value.fill = m_known.fill(id);
    return m_values[id] = m_graph.values.add(std::move(value));
}

/// A parameter, or what follows from parameters, is a weight; the rest of what is known is a
/// constant.
ValueRole Inliner::knownRole(ir::ValueId id) const {
    const ir::ValueType& type = m_typed.types[id];
    const bool isNumeric = ir::isFloat(type.dtype) || ir::isQuantised(type.dtype);
    const bool isOfFile = m_captured.values[id].origin == ir::ValueOrigin::Initializer
        || (id.index() < m_typed.isConstant.size() && m_typed.isConstant[id] != 0);
    const bool isTensor =
        type.shape && !type.shape->empty() && !ir::elementCount(*type.shape).is(1);
    return isNumeric && isOfFile && isTensor ? ValueRole::Weight : ValueRole::Constant;
}

ValueId Inliner::read(ir::ValueId id) {
    if (!id.isValid())
        return {};
    if (m_values[id].isValid())
        return m_values[id];
    if (m_known.isKnown(id))
        return define(id, knownRole(id));
    if (m_captured.values[id].origin == ir::ValueOrigin::NodeOutput)
        return {}; // on a cycle, reported at the captured stage
    return define(id, ValueRole::Input);
}

void Inliner::bind(ir::ValueId formal, ValueId actual) {
    if (!formal.isValid())
        return;
    if (actual.isValid())
        m_values[formal] = actual;
    else
        define(formal, ValueRole::Constant);
}

void Inliner::enter(Kind kind, ir::NodeId owner, ir::BlockId block) {
    m_frames.push_back({kind, owner, block, std::move(m_orders[block].nodes), 0});
}

StageGraph Inliner::build() {
    m_graph.nodes.reserve(m_captured.nodes.size());
    m_graph.values.reserve(m_captured.values.size());
    if (m_captured.blocks.empty())
        return std::move(m_graph);
    for (const ir::ValueId input : m_captured.main().inputs)
        if (input.isValid() && !m_values[input].isValid())
            m_graph.inputs.push_back(define(input, boundaryRole(m_typed, input, ValueRole::Input)));
    enter(Kind::Main, {}, ir::Graph::mainBlock());
    while (!m_frames.empty()) {
        Frame& frame = m_frames.back();
        if (frame.at < frame.order.size()) {
            visit(frame.order[frame.at++]);
            continue;
        }
        const Frame done = std::move(m_frames.back());
        m_frames.pop_back();
        leave(done);
    }
    finishOutputs();
    return withoutDeadNodes();
}

void Inliner::visit(ir::NodeId id) {
    const ir::Node& node = m_captured.nodes[id];
    if (!m_isAsWritten && m_known.fold(id)) {
        remove(id, kFolded);
        return;
    }
    if (isEmpty(node)) {
        for (const ir::ValueId output : node.outputs)
            if (output.isValid() && !m_values[output].isValid())
                define(output, ValueRole::Constant);
        m_isEmpty[id] = 1;
        remove(id, kEmpty);
        return;
    }
    if (!node.blocks.empty() && openBody(id, node))
        return;
    emit(id);
}

/// An operator whose every result has no elements; bodies are looked at operator by operator.
bool Inliner::isEmpty(const ir::Node& node) const {
    const auto hasNone = [this](ir::ValueId id) {
        const ir::ValueType& type = m_typed.types[id];
        return type.kind == ir::ValueKind::Tensor && type.shape
            && ir::elementCount(*type.shape).is(0);
    };
    bool hasOutput = false;
    for (const ir::ValueId output : node.outputs) {
        if (output.isValid() && !hasNone(output))
            return false;
        hasOutput = hasOutput || output.isValid();
    }
    return hasOutput && node.blocks.empty();
}

bool Inliner::openBody(ir::NodeId id, const ir::Node& node) {
    switch (node.op) {
    case ir::Op::If:
        enterIf(id, node);
        return true;
    case ir::Op::Loop:
        enterLoop(id, node);
        return true;
    case ir::Op::Scan:
        enterScan(id, node);
        return true;
    case ir::Op::SequenceMap:
        enterMap(id, node);
        return true;
    default: {
        remove(id, kCallBody);
        const auto& formals = m_captured.blocks[node.blocks[0]].inputs;
        for (std::size_t i = 0; i < formals.size(); ++i)
            bind(formals[i], i < node.inputs.size() ? read(node.inputs[i]) : ValueId());
        for (std::size_t i = 1; i < node.blocks.size(); ++i)
            removeBlock(node.blocks[i], kNotTaken);
        enter(Kind::Call, id, node.blocks[0]);
        return true;
    }
    }
}

void Inliner::enterIf(ir::NodeId id, const ir::Node& node) {
    const std::int64_t taken =
        id.index() < m_typed.takenBranch.size() ? m_typed.takenBranch[id] : 0;
    const std::size_t branch = taken >= 0 && static_cast<std::size_t>(taken) < node.blocks.size()
        ? static_cast<std::size_t>(taken)
        : 0;
    const bool isProved =
        id.index() < m_typed.isBranchProved.size() && m_typed.isBranchProved[id] != 0;
    if (!isProved && !node.inputs.empty() && node.inputs[0].isValid())
        m_keep[node.inputs[0]] = 1;
    remove(id, kBranch);
    for (std::size_t i = 0; i < node.blocks.size(); ++i)
        if (i != branch)
            removeBlock(node.blocks[i], kNotTaken);
    enter(Kind::Branch, id, node.blocks[branch]);
}

ValueId Inliner::iteration(ir::NodeId owner) {
    Value value;
    value.name = m_captured.nodes[owner].name + "/iteration";
    value.dtype = ir::DType::Int64;
    value.shape = std::vector<std::int64_t>{};
    value.role = ValueRole::Constant;
    value.loopRoles.push_back({LoopRole::Kind::Counts, owner, 0});
    return m_graph.values.add(std::move(value));
}

bool Inliner::isReadInside(ir::ValueId value, ir::NodeId owner) const {
    return std::any_of(m_captured.values[value].users.begin(),
        m_captured.values[value].users.end(), [&](ir::NodeId user) {
            for (ir::BlockId block = m_captured.nodes[user].block;
                 m_captured.blocks.contains(block);) {
                const ir::NodeId holder = m_captured.blocks[block].owner;
                if (holder == owner)
                    return true;
                if (!holder.isValid())
                    return false;
                block = m_captured.nodes[holder].block;
            }
            return false;
        });
}

/// The value that a state of a loop starts as. A constant that already means something else in the
/// body gets a copy; any other is marked twice, which says that the body cannot tell them apart.
ValueId Inliner::startOf(ir::NodeId owner, std::uint32_t state, ir::ValueId actual) {
    ValueId value = read(actual);
    if (!value.isValid())
        return value;
    const auto isOfOwner = [&](const LoopRole& role) { return role.owner == owner; };
    const auto& roles = m_graph.values[value].loopRoles;
    const bool isTaken
        = std::any_of(roles.begin(), roles.end(), isOfOwner) || isReadInside(actual, owner);
    if (isTaken && m_known.isKnown(actual)) {
        Value copy = m_graph.values[value];
        copy.users.clear();
        std::erase_if(copy.loopRoles, isOfOwner);
        copy.loopRoles.push_back({LoopRole::Kind::Starts, owner, state});
        return m_graph.values.add(std::move(copy));
    }
    const int times = isTaken ? 2 : 1;
    for (int i = 0; i < times; ++i)
        m_graph.values[value].loopRoles.push_back({LoopRole::Kind::Starts, owner, state});
    return value;
}

void Inliner::carry(ir::NodeId owner, std::uint32_t state, ValueId value) {
    if (value.isValid())
        m_graph.values[value].loopRoles.push_back({LoopRole::Kind::Carries, owner, state});
}

void Inliner::enterLoop(ir::NodeId id, const ir::Node& node) {
    const ir::Block& body = m_captured.blocks[node.blocks[0]];
    for (std::size_t i = 0; i < 2 && i < node.inputs.size(); ++i)
        if (node.inputs[i].isValid())
            m_keep[node.inputs[i]] = 1;
    if (!body.outputs.empty() && body.outputs[0].isValid())
        m_keep[body.outputs[0]] = 1;
    if (!body.inputs.empty())
        bind(body.inputs[0], iteration(id));
    for (std::size_t i = 1; i < body.inputs.size(); ++i) {
        const bool isState = i >= 2 && i < node.inputs.size() && node.inputs[i].isValid();
        bind(body.inputs[i],
            isState ? startOf(id, static_cast<std::uint32_t>(i - 2), node.inputs[i])
                    : i < node.inputs.size() ? read(node.inputs[i])
                                             : ValueId());
    }
    if (body.inputs.size() > 1 && (node.inputs.size() < 2 || !node.inputs[1].isValid()))
        m_graph.values[m_values[body.inputs[1]]].fill = 1; // a condition that is not given holds
    const bool isSkipped = !body.nodes.empty() && body.nodes[0].index() < m_typed.executions.size()
        && m_typed.executions[body.nodes[0]] == 0;
    if (!isSkipped) {
        enter(Kind::Loop, id, node.blocks[0]);
        return;
    }
    removeBlock(node.blocks[0], kZeroTrips);
    remove(id, "the loop runs zero times");
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        if (node.outputs[i].isValid())
            bind(node.outputs[i],
                i + 2 < body.inputs.size() && i + 2 < node.inputs.size() ? read(node.inputs[i + 2])
                                                                         : ValueId());
}

NodeId Inliner::append(Node node) {
    const NodeId id = m_graph.nodes.add(std::move(node));
    const Node& added = m_graph.nodes[id];
    for (const ValueId input : added.inputs)
        if (input.isValid())
            m_graph.values[input].users.push_back(id);
    for (const ValueId output : added.outputs)
        if (output.isValid())
            m_graph.values[output].producer = id;
    return id;
}

/// The element of a scanned tensor or a sequence that one iteration of a body works on.
ValueId Inliner::element(ir::NodeId owner, ir::ValueId formal, ValueId whole, ir::Op op,
    std::int64_t axis, bool isBackward) {
    if (!formal.isValid())
        return {};
    const ValueId part = define(formal, ValueRole::Activation);
    Node node = nodeFrom(m_typed, owner);
    node.canonical = op;
    node.name += "/" + m_captured.values[formal].name;
    node.inputs = {whole, iteration(owner)};
    node.outputs = {part};
    node.attributes = {};
    node.attributes.set("loop_step", std::int64_t(isBackward ? 1 : 0));
    if (op == ir::Op::Gather)
        node.attributes.set("axis", axis);
    const ir::Block& body = m_captured.blocks[m_captured.nodes[owner].blocks[0]];
    if (!body.nodes.empty() && body.nodes[0].index() < m_typed.executions.size())
        node.executions = m_typed.executions[body.nodes[0]];
    node.rule = "each iteration reads its own part";
    node.work = workOf(m_graph.values, node);
    append(std::move(node));
    return part;
}

/// The parts that the iterations leave, put together.
void Inliner::collect(ir::NodeId owner, ir::ValueId result, ValueId part, ir::Op op,
    std::int64_t axis, bool isBackward) {
    if (!result.isValid())
        return;
    const ValueId whole = define(result, ValueRole::Activation);
    Node node = nodeFrom(m_typed, owner);
    node.canonical = op;
    node.name += "/" + m_captured.values[result].name;
    if (part.isValid())
        node.inputs = {part};
    node.outputs = {whole};
    node.attributes = {};
    node.attributes.set("loop_stack", std::vector<std::int64_t>{isBackward ? 1 : 0});
    if (op == ir::Op::Concat) {
        node.attributes.set("axis", axis);
        node.attributes.set("new_axis", std::int64_t(1));
    }
    node.rule = "the results of the iterations are put together";
    node.work = workOf(m_graph.values, node);
    append(std::move(node));
}

void Inliner::enterScan(ir::NodeId id, const ir::Node& node) {
    const ir::Block& body = m_captured.blocks[node.blocks[0]];
    const std::int64_t scanned = node.attributes.integer("num_scan_inputs", 0);
    const std::size_t count = body.inputs.size();
    const std::size_t first = scanned < 0 || static_cast<std::size_t>(scanned) > count
        ? count
        : count - static_cast<std::size_t>(scanned);
    const auto axes = node.attributes.integers("scan_input_axes");
    const auto directions = node.attributes.integers("scan_input_directions");
    // Version 8 had a leading operand with the lengths.
    const std::size_t offset = node.inputs.size() > count ? node.inputs.size() - count : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const ValueId actual =
            i + offset < node.inputs.size() ? read(node.inputs[i + offset]) : ValueId();
        if (i < first && actual.isValid())
            bind(body.inputs[i],
                startOf(id, static_cast<std::uint32_t>(i), node.inputs[i + offset]));
        else if (!actual.isValid())
            bind(body.inputs[i], actual);
        else
            element(id, body.inputs[i], actual, ir::Op::Gather, at(axes, i - first),
                at(directions, i - first) != 0);
    }
    enter(Kind::Scan, id, node.blocks[0]);
}

void Inliner::enterMap(ir::NodeId id, const ir::Node& node) {
    const ir::Block& body = m_captured.blocks[node.blocks[0]];
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
        const ValueId actual = i < node.inputs.size() ? read(node.inputs[i]) : ValueId();
        const bool isSequence = i < node.inputs.size() && node.inputs[i].isValid()
            && m_typed.types[node.inputs[i]].kind == ir::ValueKind::Sequence;
        if (isSequence && actual.isValid())
            element(id, body.inputs[i], actual, ir::Op::SequenceAt, 0, false);
        else
            bind(body.inputs[i], actual);
    }
    enter(Kind::Map, id, node.blocks[0]);
}

void Inliner::leaveLoop(const Frame& frame) {
    const ir::Node& owner = m_captured.nodes[frame.owner];
    const ir::Block& body = m_captured.blocks[frame.block];
    const bool isScan = frame.kind == Kind::Scan;
    const std::size_t skip = isScan ? 0 : 1; // a Loop's body also yields its condition
    std::size_t states = 0;
    if (isScan) {
        const std::int64_t scanned =
            std::clamp<std::int64_t>(owner.attributes.integer("num_scan_inputs", 0), 0,
                static_cast<std::int64_t>(body.inputs.size()));
        states = body.inputs.size() - static_cast<std::size_t>(scanned);
    } else {
        states = body.inputs.size() > 2 ? body.inputs.size() - 2 : 0;
    }
    const auto axes = owner.attributes.integers("scan_output_axes");
    const auto directions = owner.attributes.integers("scan_output_directions");
    bool hasNode = false;
    for (std::size_t i = 0; i < owner.outputs.size(); ++i) {
        const ValueId part =
            i + skip < body.outputs.size() ? read(body.outputs[i + skip]) : ValueId();
        if (i < states) {
            carry(frame.owner, static_cast<std::uint32_t>(i), part);
            bind(owner.outputs[i], part);
            continue;
        }
        hasNode = hasNode || owner.outputs[i].isValid();
        collect(frame.owner, owner.outputs[i], part, ir::Op::Concat, at(axes, i - states),
            at(directions, i - states) != 0);
    }
    if (!hasNode)
        remove(frame.owner, kLoopBody);
}

void Inliner::leave(const Frame& frame) {
    if (frame.kind == Kind::Main)
        return;
    const ir::Node& owner = m_captured.nodes[frame.owner];
    const ir::Block& body = m_captured.blocks[frame.block];
    if (frame.kind == Kind::Loop || frame.kind == Kind::Scan) {
        leaveLoop(frame);
        return;
    }
    for (std::size_t i = 0; i < owner.outputs.size(); ++i) {
        const ValueId part = i < body.outputs.size() ? read(body.outputs[i]) : ValueId();
        if (frame.kind == Kind::Map)
            collect(frame.owner, owner.outputs[i], part, ir::Op::SequenceConstruct, 0, false);
        else
            bind(owner.outputs[i], part);
    }
    if (frame.kind == Kind::Map && owner.outputs.empty())
        remove(frame.owner, kLoopBody);
}

void Inliner::absorbContents(const ir::Node& from, Node& node) {
    for (const ContentInput& entry : kContentInputs) {
        if (entry.op != node.canonical || entry.index >= from.inputs.size()
            || entry.index >= node.inputs.size() || !from.inputs[entry.index].isValid())
            continue;
        const auto contents = m_known.integers(from.inputs[entry.index]);
        if (!contents)
            continue;
        if (entry.op == ir::Op::TopK && contents->size() == 1)
            node.attributes.set(std::string(entry.attribute), (*contents)[0]);
        else
            node.attributes.set(std::string(entry.attribute), *contents);
        node.inputs[entry.index] = ValueId();
    }
    while (!node.inputs.empty() && !node.inputs.back().isValid())
        node.inputs.pop_back();
}

/// Defaults that depend on the version of the operator set, which a lowered node no longer knows.
void Inliner::completeAttributes(const ir::Node& from, Node& node) const {
    if (from.op != ir::Op::Softmax && from.op != ir::Op::LogSoftmax && from.op != ir::Op::Hardmax)
        return;
    const bool flattens = from.domain.empty() && from.version > 0 && from.version < 13;
    const std::int64_t axis = from.attributes.integer("axis", flattens ? 1 : -1);
    node.attributes.set("axis", axis);
    const Value* x = !node.inputs.empty() && node.inputs[0].isValid()
        ? &m_graph.values[node.inputs[0]]
        : nullptr;
    if (!flattens || !x || !x->shape)
        return;
    std::vector<std::int64_t> axes;
    const auto rank = static_cast<std::int64_t>(x->shape->size());
    for (std::int64_t i = axis < 0 ? axis + rank : axis; i < rank; ++i)
        axes.push_back(i);
    node.attributes.set("axes", std::move(axes));
}

void Inliner::emit(ir::NodeId id) {
    const ir::Node& from = m_captured.nodes[id];
    Node node = nodeFrom(m_typed, id);
    for (const ir::ValueId input : from.inputs)
        node.inputs.push_back(read(input));
    for (const ir::ValueId output : from.outputs)
        node.outputs.push_back(output.isValid() && !m_values[output].isValid()
                ? define(output, ValueRole::Activation)
                : ValueId());
    absorbContents(from, node);
    completeAttributes(from, node);
    node.work = workFrom(m_context, m_graph.values, node, id);
    append(std::move(node));
}

void Inliner::removeBlock(ir::BlockId block, std::string_view rule) {
    std::vector<ir::BlockId> waiting = {block};
    while (!waiting.empty()) {
        const ir::BlockId at = waiting.back();
        waiting.pop_back();
        for (const ir::NodeId id : m_captured.blocks[at].nodes) {
            remove(id, rule);
            const auto& inner = m_captured.nodes[id].blocks;
            waiting.insert(waiting.end(), inner.begin(), inner.end());
        }
    }
}

void Inliner::finishOutputs() {
    for (const ir::ValueId output : m_captured.main().outputs) {
        const ValueId id = read(output);
        if (!id.isValid())
            continue;
        m_graph.outputs.push_back(id);
        Value& value = m_graph.values[id];
        if (value.role != ValueRole::Activation)
            continue;
        value.role = boundaryRole(m_typed, output, ValueRole::Output);
        value.name = m_captured.values[output].name;
        value.source = output;
    }
}

/// Takes out nodes whose every user was folded away or taken out in turn.
StageGraph Inliner::withoutDeadNodes() {
    std::vector<std::uint8_t> isNeeded(m_graph.values.size(), 0);
    for (const ValueId output : m_graph.outputs)
        isNeeded[output.index()] = 1;
    for (std::size_t i = 0; i < m_values.size(); ++i)
        if (const ir::ValueId id(i); m_keep[id] != 0 && m_values[id].isValid())
            isNeeded[m_values[id].index()] = 1;
    std::vector<std::pair<NodeId, std::string_view>> dead;
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
        const Node& node = m_graph.nodes[NodeId(i)];
        bool hadUsers = false;
        bool isUsed = false;
        bool fedEmpty = false;
        for (const ValueId output : node.outputs) {
            if (!output.isValid())
                continue;
            const ir::ValueId source = m_graph.values[output].source;
            if (source.isValid())
                for (const ir::NodeId user : m_captured.values[source].users) {
                    hadUsers = true;
                    fedEmpty = fedEmpty || m_isEmpty[user] != 0;
                }
            isUsed = isUsed || isNeeded[output.index()] != 0;
        }
        if (hadUsers && !isUsed) {
            dead.emplace_back(NodeId(i), fedEmpty ? kOnlyEmpty : kOnlyShapes);
            for (const ir::NodeId from : node.sources)
                m_isEmpty[from] = fedEmpty ? 1 : m_isEmpty[from];
            continue;
        }
        for (const ValueId input : node.inputs)
            if (input.isValid())
                isNeeded[input.index()] = 1;
    }
    Rewriter rewriter(std::move(m_graph), Stage::Decomposed);
    for (const auto& [id, rule] : dead)
        rewriter.remove(id, std::string(rule));
    return std::move(rewriter).finish();
}

} // namespace

bool keepsProgram(const ir::Graph& graph) { return graph.info.format == "fx"; }

machines::Precision precisionOf(const ir::Typed& typed, const Settings& settings) {
    using machines::Precision;
    if (settings.isPrecisionGiven || !keepsProgram(*typed.graph))
        return settings.precision;
    // Widest first, so that an equal count takes the wider.
    constexpr std::pair<ir::DType, Precision> kCandidates[] = {
        {ir::DType::Float32, Precision::Fp32}, {ir::DType::BFloat16, Precision::Bf16},
        {ir::DType::Float16, Precision::Fp16}, {ir::DType::Float8E4M3FN, Precision::Fp8}};
    std::size_t most = 0;
    Precision result = settings.precision;
    for (const auto& [dtype, precision] : kCandidates) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < typed.types.size(); ++i) {
            const ir::ValueId id(i);
            count += typed.graph->values[id].origin == ir::ValueOrigin::NodeOutput
                && typed.types[id].dtype == dtype;
        }
        if (count > most) {
            most = count;
            result = precision;
        }
    }
    return result;
}

StageGraph inlined(const Context& context) {
    return Inliner(context).build();
}

} // namespace fivefold::lowering
