// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/bundles.h"
#include "core/families/spyre/layout_search.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/part_writes.h"
#include "core/families/spyre/rewire.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/views.h"
#include "core/lowering/inlining.h"
#include "core/lowering/rewriter.h"
#include "core/lowering/tiling.h"

#include <algorithm>
#include <map>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Context;
using lowering::NewNode;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;
using lowering::ValueRole;

namespace {

using TensorLayout = std::shared_ptr<const layout::TensorLayout>;

/// Equal layouts share one object.
class LayoutPool {
public:
    TensorLayout get(
        const DeviceLayout& device, const Extents& shape, const Extents& strides, ir::DType dtype) {
        TensorLayout& known =
            m_layouts[{device.deviceSize, device.strideMap, shape, strides, dtype}];
        if (!known)
            known = std::make_shared<const layout::TensorLayout>(
                tensorLayout(device, shape, strides, dtype));
        return known;
    }

private:
    std::map<std::tuple<Extents, Extents, Extents, Extents, ir::DType>, TensorLayout> m_layouts;
};

/// Chooses layouts for one graph and puts in what they need.
class LayOut {
public:
    LayOut(Rewriter& rewriter, const Context& context)
        : m_rewriter(rewriter)
        , m_context(context)
        , m_version(options(context.settings, context.machine).version()) { }

    bool run() {
        placeInputs();
        m_program = readLoops(
            m_rewriter.graph(), stridesOf(m_context, m_rewriter.graph()), HostStrides::Choose);
        ChosenLayouts chosen = chooseLayouts(m_program, m_version);
        for (std::size_t b = 0; b < m_program.buffers.size(); ++b)
            if (!chosen.layouts[b].deviceSize.empty())
                m_program.buffers[b].layout = std::move(chosen.layouts[b]);
        moveTables(chosen);
        assign();
        keepStrides();
        for (const auto& [op, why] : chosen.refusals)
            refuse(m_program.ops[op], why);
        nameCopies();
        for (const NeededRestickify& need : chosen.restickifies)
            insertRestickify(need);
        bool isPadded = false;
        for (const LoopOp& op : m_program.ops)
            isPadded = padRight(op) || isPadded;
        return isPadded;
    }

private:
    const Value& value(ValueId id) const { return m_rewriter.value(id); }

    /// Layouts that inputs arrive in: what the user says; else weights as their reader wants them,
    /// for the host writes them once; else the default.
    void placeInputs() {
        const StageGraph& graph = m_rewriter.graph();
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            const ValueId id(i);
            const Value& v = graph.values[id];
            if (v.producer.isValid() || !v.shape)
                continue;
            const auto given = m_context.settings.inputLayouts.find(v.name);
            if (given != m_context.settings.inputLayouts.end())
                m_rewriter.editValue(id).layout =
                    m_pool.get({given->second.deviceSize, given->second.strideMap}, *v.shape,
                        contiguousStrides(*v.shape), v.dtype);
            else if (const auto wanted = hostLayout(graph, v))
                m_rewriter.editValue(id).layout =
                    m_pool.get(*wanted, *v.shape, contiguousStrides(*v.shape), v.dtype);
        }
    }

    /// nn.Linear's weight has its stick along the output features, an embedding table its rows
    /// outermost (torch-spyre docs/source/user_guide/tensors_and_layouts.md).
    std::optional<DeviceLayout> hostLayout(const StageGraph& graph, const Value& v) const {
        if (v.role != ValueRole::Weight || v.shape->size() < 2 || v.users.empty()
            || (lowering::keepsProgram(*m_context.typed.graph)
                && !m_context.settings.inputLayouts.empty()))
            return std::nullopt;
        const Node& user = graph.nodes[v.users.front()];
        const auto rank = static_cast<int>(v.shape->size());
        const auto reads = [&](std::size_t input) {
            return input < user.inputs.size() && &graph.values[user.inputs[input]] == &v;
        };
        if (kindOf(user) == OpKind::Gather && reads(0) && rank == 2
            && user.attributes.integer("axis", 0) == 0)
            return rowsOutermost(v);
        const bool isTransposedRight = user.canonical == Op::FusedMatMul && reads(1)
            && user.attributes.integer("transB", 0) != 0;
        const bool isTransposedView = kindOf(user) == OpKind::View
            && user.canonical == Op::Transpose
            && permutationOf(user, v.shape->size()).back() == rank - 2;
        if (!isTransposedRight && !isTransposedView)
            return std::nullopt;
        std::vector<int> order;
        for (int d = 0; d < rank - 2; ++d)
            order.push_back(d);
        order.push_back(rank - 1);
        order.push_back(rank - 2);
        return makeLayout(*v.shape, contiguousStrides(*v.shape), v.dtype, order, m_version);
    }

    static DeviceLayout rowsOutermost(const Value& v) {
        const std::int64_t lanes = lanesOf(v.dtype), columns = v.shape->back();
        return {{v.shape->front(), (columns + lanes - 1) / lanes, lanes}, {columns, lanes, 1}};
    }

    /// A gather finds its row by one address a row: the gathered axis must be the outermost of the
    /// device (torch-spyre passes.py, indirect access). A result of the program is written so, a
    /// model's input is copied.
    void moveTables(ChosenLayouts& chosen) {
        for (std::size_t i = 0; i < m_program.ops.size(); ++i) {
            const LoopOp& op = m_program.ops[i];
            for (const Access& read : op.reads) {
                if (read.indirectVariable < 0)
                    continue;
                Buffer& table = m_program.buffers[read.buffer];
                const auto at = deviceCoordinates(table.layout, op.extents(), read.index);
                if (!at)
                    continue;
                const auto found = std::ranges::find_if(
                    *at, [&](const Coordinate& c) { return c.uses(read.indirectVariable); });
                const auto axis = found - at->begin();
                if (found == at->end() || axis == 0 || found + 1 == at->end())
                    continue;
                DeviceLayout moved = table.layout;
                std::rotate(moved.deviceSize.begin(), moved.deviceSize.begin() + axis,
                    moved.deviceSize.begin() + axis + 1);
                std::rotate(moved.strideMap.begin(), moved.strideMap.begin() + axis,
                    moved.strideMap.begin() + axis + 1);
                if (table.role == BufferRole::Intermediate && !table.isOutput)
                    table.layout = std::move(moved);
                else
                    chosen.restickifies.push_back({i, read.buffer, std::move(moved),
                        "A gather addresses whole rows, so its axis must be the outermost of "
                            + table.name + ": it is laid out again."});
            }
        }
    }

    void assign() {
        const std::size_t count = m_rewriter.graph().values.size();
        for (std::size_t i = 0; i < count; ++i) {
            const ValueId id(i);
            const Value& v = m_rewriter.graph().values[id];
            if (!v.shape)
                continue;
            const Extents shape = *v.shape;
            const BufferIndex known = m_program.bufferOfValue[i];
            const ir::DType dtype = v.dtype;
            if (!layout::spyreElementsPerStick(dtype))
                m_context.diagnostics.warn("spyre.no_layout",
                    m_firstOfType.try_emplace(dtype, v.name).first->second,
                    "The device has no stick layout for " + std::string(ir::name(dtype)) + ".",
                    "Convert the tensor to fp16, fp32 or int32.");
            if (known != kNoBuffer && m_program.buffers[known].shape == shape)
                m_rewriter.editValue(id).layout = m_pool.get(m_program.buffers[known].layout, shape,
                    m_program.buffers[known].strides, dtype);
            else
                m_rewriter.editValue(id).layout = viewLayout(id, shape, dtype);
        }
    }

    /// A view has no layout of its own; it is shown as a tensor with its stick on the dimension
    /// that runs over the lanes.
    TensorLayout viewLayout(ValueId id, const Extents& shape, ir::DType dtype) {
        std::vector<Index> at(shape.size());
        std::vector<std::int64_t> extents;
        std::vector<int> dimensions;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (shape[d] != 1) {
                at[d] = Index::of(static_cast<int>(extents.size()));
                extents.push_back(shape[d]);
                dimensions.push_back(static_cast<int>(d));
            }
        const Access there = addressOf(m_rewriter.graph(), m_program, id, at, extents);
        std::vector<int> order;
        if (there.buffer != kNoBuffer && !shape.empty()) {
            const auto c =
                deviceCoordinates(m_program.buffers[there.buffer].layout, extents, there.index);
            const int loop = c ? c->back().onlyVariable() : -1;
            if (loop >= 0) {
                const int stick = dimensions[static_cast<std::size_t>(loop)];
                for (int d = 0; d < static_cast<int>(shape.size()); ++d)
                    if (d != stick)
                        order.push_back(d);
                order.push_back(stick);
            }
        }
        return m_pool.get(makeLayout(shape, contiguousStrides(shape), dtype, order, m_version),
            shape, contiguousStrides(shape), dtype);
    }

    void keepStrides() {
        for (const LoopOp& op : m_program.ops) {
            if (!op.node.isValid() || op.write.buffer == kNoBuffer || op.isMutation)
                continue;
            const Buffer& buffer = m_program.buffers[op.write.buffer];
            if (buffer.strides != contiguousStrides(buffer.shape))
                m_rewriter.edit(op.node).attributes.set(kStridesAttribute, buffer.strides);
        }
    }

    void refuse(const LoopOp& op, const std::string& why) {
        if (!op.node.isValid())
            return;
        Node& node = m_rewriter.edit(op.node);
        node.support = lowering::Support::Unsupported;
        node.attributes.set(kRefusalAttribute, why);
        node.rule = "The public compiler refuses the graph here: " + why;
        m_context.diagnostics.warn("spyre.refused", node.name,
            "The public Spyre compiler refuses this graph: " + why,
            "Keep the reduced dimension (keepdim), move the tensor's stick by a copy "
            "(.contiguous()), or choose extents that are whole sticks.");
    }

    /// A clone that moves the stick is a restickify.
    void nameCopies() {
        for (const LoopOp& op : m_program.ops) {
            if (op.op != kClone || op.isMutation || op.reads.size() != 1 || op.isGather()
                || !op.node.isValid() || op.kind != LoopKind::Pointwise)
                continue;
            const auto extents = op.extents();
            const auto in = deviceCoordinates(
                m_program.buffers[op.reads[0].buffer].layout, extents, op.reads[0].index);
            const auto out = deviceCoordinates(
                m_program.buffers[op.write.buffer].layout, extents, op.write.index);
            const int from = in ? in->back().onlyVariable() : -1;
            const int to = out ? out->back().onlyVariable() : -1;
            if (from < 0 || to < 0 || from == to)
                continue;
            Node& node = m_rewriter.edit(op.node);
            node.op = std::string(kRestickify);
            node.rule = "The clone writes the default layout and its input carries another stick: "
                        "a restickify.";
        }
    }

    std::vector<NodeId> viewsOf(ValueId& id) const {
        return viewsBehind(m_rewriter, id, [this](ValueId v) { return bufferOf(v) != kNoBuffer; });
    }

    BufferIndex bufferOf(ValueId id) const {
        return id.isValid() && id.index() < m_program.bufferOfValue.size()
            ? m_program.bufferOfValue[id.index()]
            : kNoBuffer;
    }

    ValueId add(
        NodeId user, ValueId from, NewNode node, const std::string& why, TensorLayout layout) {
        return insertLaidOut(m_rewriter, user, from, std::move(node), why, std::move(layout));
    }
    ValueId review(NodeId user, ValueId base, const std::vector<NodeId>& views, ValueId last,
        const std::string& why) {
        return repeatViews(m_rewriter, user, base, views, last, why);
    }

    void insertRestickify(const NeededRestickify& need) {
        const NodeId user = m_program.ops[need.op].node;
        if (!user.isValid())
            return;
        const Buffer& buffer = m_program.buffers[need.buffer];
        const std::int64_t into = m_rewriter.node(user).attributes.integer(kIntoAttribute, -1);
        ValueId made;
        const std::size_t inputs = m_rewriter.node(user).inputs.size();
        for (std::size_t i = 0; i < inputs; ++i) {
            const ValueId last = m_rewriter.input(user, i);
            if (!last.isValid() || static_cast<std::int64_t>(i) == into)
                continue;
            ValueId base = last;
            const std::vector<NodeId> views = viewsOf(base);
            if (bufferOf(base) != need.buffer || !value(base).shape
                || *value(base).shape != buffer.shape)
                continue;
            if (!made.isValid()) {
                NewNode node;
                node.canonical = Op::Identity;
                node.suffix = "restickify";
                node.op = std::string(kRestickify);
                if (buffer.strides != contiguousStrides(buffer.shape))
                    node.attributes.set(kStridesAttribute, buffer.strides);
                made = add(user, base, std::move(node), need.reason,
                    m_pool.get(need.target, buffer.shape, buffer.strides, buffer.dtype));
            }
            m_rewriter.setInput(user, i, review(user, made, views, last, need.reason));
        }
    }

    /// Zeros behind k where its last stick is not full (torch-spyre padding.py).
    bool padRight(const LoopOp& op) {
        if (!op.isMatmul() || !op.node.isValid() || op.reads.size() < 2
            || !padsRightOperand(m_rewriter.graph(), m_rewriter.node(op.node)))
            return false;
        const Access& read = op.reads[1];
        const Buffer& buffer = m_program.buffers[read.buffer];
        const auto at = coordinatesOf(buffer.shape, buffer.strides, op.extents(), read.index);
        if (!at)
            return false;
        std::size_t along = at->size();
        for (std::size_t d = 0; d < at->size(); ++d)
            if ((*at)[d].isVariable()
                && op.loops[static_cast<std::size_t>((*at)[d].onlyVariable())].isReduced)
                along = d;
        if (along == at->size())
            return false;
        const ValueId last = m_rewriter.input(op.node, 1);
        ValueId base = last;
        const std::vector<NodeId> views = viewsOf(base);
        if (!value(base).shape || *value(base).shape != buffer.shape || !value(base).layout)
            return false;
        const std::string why = m_rewriter.node(op.node).name + " sums over "
            + std::to_string(buffer.shape[along])
            + " elements, which leave the last stick part empty: its second operand is copied with "
              "zeros behind them.";
        const ValueId padded = pad(op.node, base, along, why);
        m_rewriter.setInput(op.node, 1, review(op.node, padded, views, last, why));
        return true;
    }

    ValueId pad(NodeId user, ValueId base, std::size_t along, const std::string& why) {
        const Extents shape = *value(base).shape;
        const ir::DType dtype = value(base).dtype;
        const std::int64_t lanes = lanesOf(dtype), k = shape[along];
        Extents whole = shape;
        whole[along] = lowering::ceilDiv(k, lanes) * lanes;
        std::vector<int> order;
        const int stick = value(base).layout->axes.back().dimension;
        for (int d = 0; d < static_cast<int>(whole.size()); ++d)
            if (d != stick)
                order.push_back(d);
        if (stick >= 0)
            order.push_back(stick);
        const TensorLayout layout =
            m_pool.get(makeLayout(whole, contiguousStrides(whole), dtype, order, m_version), whole,
                contiguousStrides(whole), dtype);
        Extents side = whole;
        side[along] = whole[along] - k / lanes * lanes;
        Extents offsets(whole.size(), 0), pads(2 * whole.size(), 0);
        offsets[along] = k / lanes * lanes;
        pads[whole.size() + along] = whole[along] - k;
        const ValueId zero = m_rewriter.addConstant(value(base).name + "/zero", 0, dtype);
        m_rewriter.editValue(zero).layout =
            m_pool.get({{1, lanes}, {-1, -1}}, Extents{}, Extents{}, dtype);
        const auto part = [&](Op canonical, std::string suffix, std::vector<ValueId> inputs,
                              const Extents& result, std::int64_t into, const Extents& where) {
            NewNode node;
            node.canonical = canonical;
            node.suffix = std::move(suffix);
            node.inputs = std::move(inputs);
            node.outputs = {{dtype, result}};
            node.op = std::string(kClone);
            node.attributes.set(kAtenAttribute, std::string("aten.constant_pad_nd.default"));
            node.attributes.set(kIntoAttribute, into);
            node.attributes.set(kPartAttribute, std::int64_t{0});
            node.attributes.set(kOffsetsAttribute, where);
            node.attributes.set(kWholeAttribute, whole);
            if (canonical == Op::Pad)
                node.attributes.set("pads", pads);
            else
                node.attributes.set("shape", result);
            return node;
        };
        const TensorLayout sideLayout =
            m_pool.get(makeLayout(side, contiguousStrides(side), dtype, order, m_version), side,
                contiguousStrides(side), dtype);
        const ValueId filled = add(
            user, base, part(Op::Expand, "k_zeros", {zero}, side, -1, offsets), why, sideLayout);
        const ValueId copied = add(user, base,
            part(Op::Pad, "k_padded", {base, ValueId(), zero, ValueId(), filled}, whole, 4,
                Extents(whole.size(), 0)),
            why, layout);
        NewNode cut;
        cut.canonical = Op::Slice;
        cut.suffix = "k";
        cut.outputs = {{dtype, shape}};
        cut.attributes.set("axes", Extents{static_cast<std::int64_t>(along)});
        cut.attributes.set("starts", Extents{0});
        cut.attributes.set("ends", Extents{k});
        return add(user, copied, std::move(cut), why, value(base).layout);
    }

    Rewriter& m_rewriter;
    const Context& m_context;
    layout::SpyreLayoutVersion m_version;
    LayoutPool m_pool;
    LoopProgram m_program;
    /// First value of each type that the device does not have: one finding a type, counted.
    std::map<ir::DType, std::string> m_firstOfType;
};

} // namespace

StridesOf stridesOf(const Context& context, const StageGraph& graph) {
    return [&context, &graph](ValueId id) -> Extents {
        const ir::ValueId source = graph.values[id].source;
        if (!source.isValid() || !graph.values[id].shape
            || !context.typed.graph->values.contains(source))
            return {};
        const auto& strides = context.typed.graph->values[source].strides;
        return strides && strides->size() == graph.values[id].shape->size() ? *strides : Extents{};
    };
}

base::Result<StageGraph> layOut(const Context& context, StageGraph fused) {
    Rewriter rewriter(std::move(fused), lowering::Stage::LaidOut, words());
    const bool isPadded = LayOut(rewriter, context).run();
    StageGraph graph = std::move(rewriter).finish();
    // The tensor that a pad allocates ends the bundle, which is known only now.
    if (isPadded && context.settings.isFusionOn && context.settings.fusionEdits.empty())
        formBundles(graph, options(context.settings, context.machine).bundleTensorLimit());
    return graph;
}

} // namespace fivefold::families::spyre
