// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/loops.h"

#include "core/families/spyre/loop_order.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/view_maps.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <map>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;
using lowering::ValueRole;

namespace {

Extents contiguousIfEmpty(Extents strides, const Extents& shape) {
    return strides.size() == shape.size() ? strides : contiguousStrides(shape);
}

std::int64_t elementsOf(const Extents& shape) {
    std::int64_t n = 1;
    for (const std::int64_t d : shape)
        n *= d;
    return n;
}

class Reader {
public:
    Reader(const StageGraph& graph, const StridesOf& stridesOf, HostStrides hostStrides)
        : m_graph(graph)
        , m_stridesOf(stridesOf)
        , m_isChoosing(hostStrides == HostStrides::Choose) {
        m_program.bufferOfValue.assign(graph.values.size(), kNoBuffer);
    }

    LoopProgram run() {
        findBorders();
        if (m_isChoosing)
            chooseStrides();
        for (const ValueId input : m_graph.inputs)
            if (input.isValid() && m_graph.values[input].shape)
                m_program.inputs.push_back(bufferFor(input));
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            read(NodeId(i));
        for (std::size_t i = 0; i < m_graph.outputs.size(); ++i)
            if (m_graph.outputs[i].isValid() && m_graph.values[m_graph.outputs[i]].shape)
                output(m_graph.outputs[i]);
        promoteConstants();
        return std::move(m_program);
    }

private:
    void findBorders() {
        m_isGraphOutput.assign(m_graph.values.size(), false);
        for (const ValueId output : m_graph.outputs)
            if (output.isValid())
                m_isGraphOutput[output.index()] = true;
    }

    bool isKnown(ValueId id) const {
        return m_graph.values.contains(id) && m_graph.values[id].shape.has_value();
    }
    const Extents& shape(ValueId id) const { return *m_graph.values[id].shape; }

    DeviceLayout layoutOf(const Value& value) const {
        DeviceLayout layout;
        if (value.layout) {
            layout.deviceSize = value.layout->deviceSize;
            layout.strideMap = value.layout->strideMap;
        }
        return layout;
    }

    /// Buffer of an input, weight or constant.
    BufferIndex bufferFor(ValueId id) {
        BufferIndex& at = m_program.bufferOfValue[id.index()];
        if (at != kNoBuffer)
            return at;
        const Value& value = m_graph.values[id];
        Buffer buffer;
        buffer.name = value.name;
        buffer.value = id;
        buffer.dtype = value.dtype;
        buffer.shape = value.shape.value_or(Extents{});
        buffer.strides = contiguousIfEmpty(m_stridesOf ? m_stridesOf(id) : Extents{}, buffer.shape);
        buffer.role = BufferRole::Input;
        buffer.layout = layoutOf(value);
        at = m_program.buffers.size();
        m_program.buffers.push_back(std::move(buffer));
        return at;
    }

    /// A scalar that the program knows: one element that the host fills. Equal ones are one.
    std::optional<BufferIndex> constantFor(ValueId id) {
        const Value& value = m_graph.values[id];
        if (value.role != ValueRole::Constant || !value.fill || value.producer.isValid()
            || !value.shape || elementsOf(*value.shape) != 1)
            return std::nullopt;
        const auto [found, isNew] =
            m_constants.try_emplace(std::pair(*value.fill, value.dtype), m_program.buffers.size());
        if (isNew) {
            Buffer buffer;
            buffer.name = value.name;
            buffer.value = id;
            buffer.dtype = value.dtype;
            buffer.role = BufferRole::Constant;
            buffer.layout = layoutOf(value);
            if (buffer.layout.deviceSize.size() != 2)
                buffer.layout = {};
            LoopOp op;
            op.op = "spyre.constant.default";
            op.kind = LoopKind::Constant;
            op.aten = {"spyre.constant.default"};
            op.write.buffer = found->second;
            m_constantOps.push_back(std::move(op));
            m_program.buffers.push_back(std::move(buffer));
        }
        m_program.bufferOfValue[id.index()] = found->second;
        return found->second;
    }

    Access access(ValueId id, std::vector<Index> at) {
        if (const auto constant = constantFor(id))
            return {*constant, Index(), -1};
        sourceOf(id);
        Access found = addressOf(m_graph, m_program, id, at, m_extents);
        if (found.buffer == kNoBuffer) // behind a view that cannot be followed
            found = {bufferFor(id), Index(), -1};
        return found;
    }

    /// Makes sure that the storage behind a value has a buffer.
    void sourceOf(ValueId id) {
        while (true) {
            if (m_program.bufferOfValue[id.index()] != kNoBuffer)
                return;
            const NodeId producer = m_graph.values[id].producer;
            if (!producer.isValid()) {
                bufferFor(id);
                return;
            }
            const Node& node = m_graph.nodes[producer];
            if (kindOf(node) != OpKind::View || node.inputs.empty() || !isKnown(node.inputs[0]))
                return;
            id = node.inputs[0];
        }
    }

    void read(NodeId id) {
        const Node& node = m_graph.nodes[id];
        const OpKind kind = kindOf(node);
        if (kind == OpKind::View)
            return;
        if (node.attributes.has(kIntoAttribute) && writeInto(id, node))
            return;
        LoopOp op = start(id, node);
        if (kind == OpKind::Fallback || kind == OpKind::Unsupported || node.outputs.empty()
            || !node.outputs[0].isValid() || !isKnown(node.outputs[0]) || !isReadable(node, kind))
            return host(std::move(op), node);
        const Extents& outShape = shape(node.outputs[0]);
        const std::vector<Index> at = outerLoops(op, outShape);
        readOperands(op, node, kind, at, outShape);
        finish(std::move(op), node, at);
    }

    bool isReadable(const Node& node, OpKind kind) const {
        const std::size_t needed = kind == OpKind::Matmul || kind == OpKind::Gather ? 2
            : kind == OpKind::Reduction || kind == OpKind::Norm                     ? 1
                                                                                    : 0;
        for (std::size_t i = 0; i < needed; ++i)
            if (i >= node.inputs.size() || !node.inputs[i].isValid())
                return false;
        return std::ranges::all_of(
            node.inputs, [this](ValueId in) { return !in.isValid() || isKnown(in); });
    }

    LoopOp start(NodeId id, const Node& node) const {
        LoopOp op;
        op.op = node.op;
        op.node = id;
        op.aten.push_back(node.attributes.text(kAtenAttribute, std::string(atenWord(node))));
        op.hasDivisionHint = node.attributes.integer(kHintAttribute, 0) != 0;
        if (node.op == kRestickify) {
            op.kind = LoopKind::Restickify;
            if (!node.addedBy.empty())
                op.origin = LoopOrigin::Restickify;
        }
        if (const auto splits = node.attributes.integers(kLoopSplitsAttribute))
            m_splits = *splits;
        else
            m_splits.clear();
        return op;
    }

    /// A host operator reads and writes whole tensors.
    void host(LoopOp op, const Node& node) {
        op.kind = LoopKind::Fallback;
        op.op = op.aten.front();
        m_extents.clear();
        for (const ValueId in : node.inputs)
            if (in.isValid() && isKnown(in) && !constantFor(in)) {
                sourceOf(in);
                Access whole =
                    addressOf(m_graph, m_program, in, std::vector<Index>(shape(in).size()), {});
                whole.index = Index();
                if (whole.buffer != kNoBuffer)
                    op.reads.push_back(std::move(whole));
            }
        bool isFirst = true;
        for (const ValueId out : node.outputs) {
            if (!out.isValid() || !isKnown(out))
                continue;
            const BufferIndex made = newBuffer(out, contiguousStrides(shape(out)));
            if (isFirst)
                op.write.buffer = made;
            else
                op.otherWrites.push_back(made);
            isFirst = false;
        }
        m_program.ops.push_back(std::move(op));
    }

    BufferIndex newBuffer(ValueId id, Extents strides) {
        const Value& value = m_graph.values[id];
        Buffer buffer;
        buffer.name = value.name;
        buffer.value = id;
        buffer.dtype = value.dtype;
        // The device counts in the type of the values (torch-spyre, topkindex).
        if (value.producer.isValid() && m_graph.nodes[value.producer].op == kTopKIndex)
            buffer.dtype = ir::DType::Float16;
        buffer.shape = *value.shape;
        buffer.strides = std::move(strides);
        buffer.layout = layoutOf(value);
        m_program.bufferOfValue[id.index()] = m_program.buffers.size();
        m_program.buffers.push_back(std::move(buffer));
        return m_program.buffers.size() - 1;
    }

    /// One loop a dimension of more than one element.
    std::vector<Index> outerLoops(LoopOp& op, const Extents& extents) {
        m_extents.clear();
        return addLoops(op, extents, false);
    }

    std::vector<Index> addLoops(LoopOp& op, const Extents& extents, bool isReduced) {
        std::vector<Index> at(extents.size());
        for (std::size_t d = 0; d < extents.size(); ++d) {
            if (extents[d] == 1)
                continue;
            at[d] = Index::of(static_cast<int>(op.loops.size()));
            op.loops.push_back({extents[d], isReduced, false, 1});
            m_extents.push_back(extents[d]);
        }
        return at;
    }

    void readOperands(LoopOp& op, const Node& node, OpKind kind, const std::vector<Index>& at,
        const Extents& outShape) {
        switch (kind) {
        case OpKind::Matmul:
            return matmul(op, node, at);
        case OpKind::Reduction:
            return reduction(op, node, at, outShape);
        case OpKind::Norm:
            return norm(op, node, at);
        case OpKind::Gather:
            return gather(op, node, at);
        case OpKind::Copy:
        case OpKind::Restickify:
            return copy(op, node, at, outShape);
        default:
            break;
        }
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const ValueId in = node.inputs[i];
            if (!in.isValid() || isCompileTimeOperand(node, i))
                continue;
            op.reads.push_back(access(in, broadcastTo(at, shape(in))));
        }
        if (node.attributes.integer(kSquareAttribute, 0) != 0 && op.reads.size() == 2)
            op.reads[1] = op.reads[0];
    }

    void matmul(LoopOp& op, const Node& node, const std::vector<Index>& at) {
        op.kind = LoopKind::Reduction;
        const Extents &a = shape(node.inputs[0]), &b = shape(node.inputs[1]);
        const bool isFused = node.canonical == Op::FusedMatMul;
        const bool transA = isFused && node.attributes.integer("transA", 0) != 0;
        const bool transB = isFused && node.attributes.integer("transB", 0) != 0;
        const std::int64_t k = a.empty() ? 1 : a[a.size() - (transA && a.size() > 1 ? 2 : 1)];
        const Index along = addLoops(op, {k}, true)[0];
        const std::size_t matrix = std::min<std::size_t>(2, at.size());
        const std::vector<Index> batch(at.begin(), at.end() - static_cast<std::ptrdiff_t>(matrix));
        const auto operand = [&](const Extents& s, Index rows, Index columns, bool isSwapped) {
            std::vector<Index> own;
            if (s.size() > 2)
                own = broadcastTo(batch, Extents(s.begin(), s.end() - 2));
            if (isSwapped)
                std::swap(rows, columns);
            if (s.size() > 1)
                own.push_back(rows);
            if (!s.empty())
                own.push_back(columns);
            return own;
        };
        // A vector operand has no row (left) or no column (right) in the result.
        const bool isVectorA = a.size() == 1, isVectorB = b.size() == 1;
        const Index m = isVectorA || at.empty() ? Index()
            : isVectorB                         ? at.back()
            : at.size() > 1                     ? at[at.size() - 2]
                                                : Index();
        const Index n = isVectorB || at.empty() ? Index() : at.back();
        op.reads.push_back(access(node.inputs[0], operand(a, m, along, transA)));
        op.reads.push_back(access(
            node.inputs[1], isVectorB ? std::vector<Index>{along} : operand(b, along, n, transB)));
        if (k == 1)
            op.op = "mul"; // a product over one element is a multiplication
    }

    void reduction(
        LoopOp& op, const Node& node, const std::vector<Index>& at, const Extents& outShape) {
        op.kind = LoopKind::Reduction;
        const ValueId in = node.inputs[0];
        const Extents& inShape = shape(in);
        if (node.canonical == Op::TopK)
            return topK(op, node, at, inShape);
        auto axes = lowering::reducedAxes(node, inShape.size());
        if (node.canonical == Op::GlobalAveragePool) {
            axes.clear();
            for (std::size_t d = 2; d < inShape.size(); ++d)
                axes.push_back(static_cast<std::int64_t>(d));
        } else if (node.canonical == Op::AveragePool) {
            return pool(op, node, at, inShape);
        }
        const bool keeps = outShape.size() == inShape.size();
        Extents reduced;
        for (const std::int64_t axis : axes)
            reduced.push_back(inShape[static_cast<std::size_t>(axis)]);
        const std::vector<Index> inner = addLoops(op, reduced, true);
        std::vector<Index> own(inShape.size());
        for (std::size_t d = 0, o = 0; d < inShape.size(); ++d) {
            const auto found = std::ranges::find(axes, static_cast<std::int64_t>(d));
            if (found != axes.end())
                own[d] = inner[static_cast<std::size_t>(found - axes.begin())];
            else if (o < at.size())
                own[d] = at[o];
            if (found == axes.end() || keeps)
                ++o;
        }
        op.reads.push_back(access(in, std::move(own)));
    }

    void topK(LoopOp& op, const Node& node, const std::vector<Index>& at, const Extents& inShape) {
        const auto rank = static_cast<std::int64_t>(inShape.size());
        std::int64_t axis = node.attributes.integer("axis", -1);
        axis = axis < 0 ? axis + rank : axis;
        std::vector<Index> own = at;
        own.resize(inShape.size());
        if (axis >= 0 && axis < rank) {
            const auto d = static_cast<std::size_t>(axis);
            own[d] = addLoops(op, {inShape[d]}, true)[0];
        }
        op.reads.push_back(access(node.inputs[0], std::move(own)));
    }

    void pool(LoopOp& op, const Node& node, const std::vector<Index>& at, const Extents& inShape) {
        const auto kernel = node.attributes.integers("kernel_shape").value_or(Extents{});
        const auto steps = node.attributes.integers("strides").value_or(Extents{});
        const std::vector<Index> taps = addLoops(op, kernel, true);
        std::vector<Index> own = at;
        own.resize(inShape.size());
        for (std::size_t i = 0; i < kernel.size() && i + 2 < own.size(); ++i)
            own[i + 2] = own[i + 2] * (i < steps.size() ? steps[i] : 1) + taps[i];
        op.reads.push_back(access(node.inputs[0], std::move(own)));
    }

    void norm(LoopOp& op, const Node& node, const std::vector<Index>& at) {
        if (node.canonical == Op::NormMoments) {
            op.kind = LoopKind::Reduction;
            const Extents& inShape = shape(node.inputs[0]);
            std::vector<Index> own = at;
            own.resize(inShape.size());
            if (!inShape.empty())
                own.back() = addLoops(op, {inShape.back()}, true)[0];
            op.reads.push_back(access(node.inputs[0], std::move(own)));
            return;
        }
        for (const ValueId in : node.inputs)
            if (in.isValid())
                op.reads.push_back(access(in, broadcastTo(at, shape(in))));
    }

    void gather(LoopOp& op, const Node& node, const std::vector<Index>& at) {
        const Extents &table = shape(node.inputs[0]), &indices = shape(node.inputs[1]);
        const auto rank = static_cast<std::int64_t>(table.size());
        std::int64_t axis = node.attributes.integer("axis", 0);
        axis = std::clamp<std::int64_t>(
            axis < 0 ? axis + rank : axis, 0, std::max<std::int64_t>(0, rank - 1));
        const auto first = static_cast<std::ptrdiff_t>(axis);
        const auto count = static_cast<std::ptrdiff_t>(indices.size());
        if (static_cast<std::size_t>(first + count) > at.size())
            return copy(op, node, at, shape(node.outputs[0]));
        op.reads.push_back(access(
            node.inputs[1], std::vector<Index>(at.begin() + first, at.begin() + first + count)));
        const int row = static_cast<int>(op.loops.size());
        op.loops.push_back(
            {table.empty() ? 1 : table[static_cast<std::size_t>(axis)], false, true, 1});
        m_extents.push_back(op.loops.back().extent);
        std::vector<Index> own(at.begin(), at.begin() + first);
        own.push_back(Index::of(row));
        own.insert(own.end(), at.begin() + first + count, at.end());
        own.resize(table.size());
        op.reads.push_back(access(node.inputs[0], std::move(own)));
        op.reads.back().indirectVariable = row;
    }

    void copy(LoopOp& op, const Node& node, const std::vector<Index>& at, const Extents& outShape) {
        if (node.canonical == Op::ConstantOfShape || node.inputs.empty()
            || !node.inputs[0].isValid()) {
            constantFill(op, node);
            return;
        }
        const ValueId in = node.inputs[0];
        const Extents& inShape = shape(in);
        const bool isPlain = inShape == outShape && node.canonical != Op::Transpose
            && node.canonical != Op::Slice && node.canonical != Op::Split;
        op.reads.push_back(access(in,
            isPlain
                ? at
                : throughView(m_graph, node, node.outputs[0], at, outShape, inShape, m_extents)));
    }

    /// full: one element, read everywhere.
    void constantFill(LoopOp& op, const Node& node) {
        const double fill = node.attributes.number("fill",
            node.outputs[0].isValid() ? m_graph.values[node.outputs[0]].fill.value_or(0) : 0);
        const ir::DType dtype = m_graph.values[node.outputs[0]].dtype;
        const auto [found, isNew] =
            m_constants.try_emplace(std::pair(fill, dtype), m_program.buffers.size());
        if (isNew) {
            Buffer buffer;
            buffer.name = node.name + "/value";
            buffer.dtype = dtype;
            buffer.role = BufferRole::Constant;
            LoopOp constant;
            constant.op = "spyre.constant.default";
            constant.kind = LoopKind::Constant;
            constant.aten = {op.aten.front()};
            constant.write.buffer = found->second;
            m_constantOps.push_back(std::move(constant));
            m_program.buffers.push_back(std::move(buffer));
        }
        op.reads.push_back({found->second, Index(), -1});
    }

    /// A part of a tensor that several nodes write. False where it is no such node after all.
    bool writeInto(NodeId id, const Node& node) {
        const std::int64_t into = node.attributes.integer(kIntoAttribute, -1);
        const auto part = static_cast<std::size_t>(node.attributes.integer(kPartAttribute, 0));
        const auto offsets = node.attributes.integers(kOffsetsAttribute);
        const auto whole = node.attributes.integers(kWholeAttribute);
        if (node.outputs.empty() || !node.outputs[0].isValid() || !isKnown(node.outputs[0])
            || part >= node.inputs.size() || !node.inputs[part].isValid()
            || !isReadable(node, OpKind::Copy))
            return false;
        LoopOp op = start(id, node);
        op.isMutation = true;
        const ValueId out = node.outputs[0];
        // A fill reads one element everywhere.
        const bool isFill = node.canonical == Op::Expand;
        const Extents source = shape(isFill ? out : node.inputs[part]);
        const std::vector<Index> at = outerLoops(op, source);
        op.reads.push_back(access(node.inputs[part], at));
        if (offsets && whole) {
            BufferIndex target = into >= 0 && static_cast<std::size_t>(into) < node.inputs.size()
                ? m_program.bufferOfValue[node.inputs[static_cast<std::size_t>(into)].index()]
                : allocate(op, out, *whole);
            if (target == kNoBuffer)
                return false;
            std::vector<Index> there = at;
            for (std::size_t d = 0; d < there.size() && d < offsets->size(); ++d)
                there[d] += Index((*offsets)[d]);
            op.write = {target, flattened(there, m_program.buffers[target].strides), -1};
            m_program.bufferOfValue[out.index()] = target;
            Buffer& buffer = m_program.buffers[target];
            if (shape(out) == *whole) {
                buffer.value = out;
                buffer.name = m_graph.values[out].name;
                if (m_graph.values[out].layout)
                    buffer.layout = layoutOf(m_graph.values[out]);
            }
        } else if (into >= 0 && static_cast<std::size_t>(into) < node.inputs.size()) {
            const ValueId view = node.inputs[static_cast<std::size_t>(into)];
            op.write = access(view, broadcastTo(at, shape(view)));
        } else {
            return false;
        }
        close(std::move(op), node);
        return true;
    }

    BufferIndex allocate(const LoopOp& writer, ValueId out, const Extents& whole) {
        Buffer buffer;
        buffer.name = m_graph.values[out].name;
        buffer.value = out;
        buffer.dtype = m_graph.values[out].dtype;
        buffer.shape = whole;
        buffer.strides = contiguousStrides(whole);
        const BufferIndex made = m_program.buffers.size();
        m_program.buffers.push_back(std::move(buffer));
        LoopOp alloc;
        alloc.op = "ComputedBuffer";
        alloc.kind = LoopKind::Alloc;
        alloc.aten = {writer.aten.front()};
        alloc.write.buffer = made;
        m_program.ops.push_back(std::move(alloc));
        return made;
    }

    void finish(LoopOp op, const Node& node, const std::vector<Index>& at) {
        const ValueId out = node.outputs[0];
        const Extents& outShape = shape(out);
        const BufferIndex made = newBuffer(out, stridesFor(node, out));
        op.write = {made, flattened(at, m_program.buffers[made].strides), -1};
        for (std::size_t i = 1; i < node.outputs.size(); ++i)
            if (node.outputs[i].isValid() && isKnown(node.outputs[i]))
                op.otherWrites.push_back(
                    newBuffer(node.outputs[i], contiguousStrides(shape(node.outputs[i]))));
        close(std::move(op), node);
    }

    void close(LoopOp op, const Node& node) {
        op.emitted = emissionOrder(op);
        for (std::size_t i = 0; i < m_splits.size() && i < op.loops.size(); ++i) {
            op.loops[i].split = m_splits[i];
            op.cores *= m_splits[i];
        }
        for (const ValueId in : node.inputs)
            collectViews(in, op.aten);
        op.residencyName = node.attributes.text(kHandedOnAttribute);
        if (!node.outputs.empty() && node.outputs[0].isValid() && isKnown(node.outputs[0]))
            renameByExpands(node.outputs[0], op.residencyName);
        m_program.ops.push_back(std::move(op));
    }

    /// An expand to the same shape hands on the buffer under its own name; the last one counts.
    void renameByExpands(ValueId value, std::string& name) const {
        for (const NodeId user : m_graph.values[value].users) {
            const Node& node = m_graph.nodes[user];
            if (node.canonical != Op::Expand || kindOf(node) != OpKind::View || node.outputs.empty()
                || !isKnown(node.outputs[0]) || shape(node.outputs[0]) != shape(value))
                continue;
            name = "expand";
            renameByExpands(node.outputs[0], name);
        }
    }

    /// The views that an operand reads through, for the name of the operation.
    void collectViews(ValueId in, std::vector<std::string>& names) const {
        while (in.isValid() && m_graph.values[in].producer.isValid()) {
            const Node& view = m_graph.nodes[m_graph.values[in].producer];
            if (kindOf(view) != OpKind::View || view.inputs.empty())
                return;
            const std::string name =
                view.attributes.text(kAtenAttribute, std::string(atenWord(view)));
            if (std::find(names.begin() + 1, names.end(), name) == names.end())
                names.push_back(name);
            in = view.inputs[0];
        }
    }

    Extents stridesFor(const Node& node, ValueId out) const {
        if (m_isChoosing)
            return m_strides[out.index()].empty() ? contiguousStrides(shape(out))
                                                  : m_strides[out.index()];
        auto stated = node.attributes.integers(kStridesAttribute).value_or(Extents{});
        return contiguousIfEmpty(std::move(stated), shape(out));
    }

    // The choice of host strides: the graph is walked once, with every result contiguous until
    // something decides it.

    void chooseStrides() {
        m_strides.resize(m_graph.values.size());
        m_isOpen.assign(m_graph.values.size(), false);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (const NodeId id(i); kindOf(m_graph.nodes[id]) == OpKind::View)
                makeView(m_graph.nodes[id]);
            else
                make(id);
        for (std::size_t i = 0; i < m_isOpen.size(); ++i)
            decide(ValueId(i));
        m_program = {};
        m_program.bufferOfValue.assign(m_graph.values.size(), kNoBuffer);
        m_constants.clear();
        m_constantOps.clear();
    }

    /// Decides the order of a result now. Its reads are those of this moment.
    void decide(ValueId id) {
        if (!id.isValid() || !m_isOpen[id.index()])
            return;
        m_isOpen[id.index()] = false;
        const Node& node = m_graph.nodes[m_graph.values[id].producer];
        const BufferIndex made = m_program.bufferOfValue[id.index()];
        LoopOp op; // for its reads alone
        op.aten.emplace_back();
        const Extents& outShape = shape(id);
        const std::vector<Index> at = outerLoops(op, outShape);
        readOperands(op, node, kindOf(node), at, outShape);
        const Extents strides = fillOrderStrides(op, at, outShape);
        m_program.buffers[made].strides = strides;
        if (strides != contiguousStrides(outShape))
            m_strides[id.index()] = strides;
    }

    /// The stored value behind an operand.
    ValueId storedBehind(ValueId id) const {
        while (id.isValid() && m_program.bufferOfValue[id.index()] == kNoBuffer) {
            const NodeId producer = m_graph.values[id].producer;
            if (!producer.isValid() || kindOf(m_graph.nodes[producer]) != OpKind::View
                || m_graph.nodes[producer].inputs.empty())
                return {};
            id = m_graph.nodes[producer].inputs[0];
        }
        return id;
    }

    void makeView(const Node& node) {
        const ValueId in = node.inputs.empty() ? ValueId() : node.inputs[0];
        if (!in.isValid() || !m_isOpen[in.index()] || node.outputs.empty()
            || !node.outputs[0].isValid() || !isKnown(node.outputs[0]))
            return;
        switch (node.canonical) {
        case Op::Reshape:
        case Op::Flatten:
        case Op::Squeeze:
        case Op::Unsqueeze:
            m_isOpen[in.index()] = false; // frozen as it is: contiguous
            return;
        case Op::Expand:
        case Op::Slice:
            if (shape(in) == shape(node.outputs[0]))
                return; // hands on the tensor
            [[fallthrough]];
        default:
            decide(in);
        }
    }

    void make(NodeId id) {
        const Node& node = m_graph.nodes[id];
        const OpKind kind = kindOf(node);
        if (node.outputs.empty() || !node.outputs[0].isValid() || !isKnown(node.outputs[0]))
            return;
        const ValueId out = node.outputs[0];
        const bool isOnHost =
            kind == OpKind::Fallback || kind == OpKind::Unsupported || !isReadable(node, kind);
        for (const ValueId in : node.inputs)
            if (in.isValid() && isKnown(in)
                && (isOnHost || (kind == OpKind::Pointwise && isBroadcast(in, shape(out)))))
                decide(isOnHost ? storedBehind(in) : in);
        if (kind == OpKind::Reduction && !isOnHost && !node.inputs.empty()
            && node.canonical != Op::TopK && decidesOperand(node))
            decide(storedBehind(node.inputs[0]));
        for (const ValueId value : node.outputs)
            if (value.isValid() && isKnown(value))
                newBuffer(value, contiguousStrides(shape(value)));
        Extents stated = m_isGraphOutput[out.index()] && m_stridesOf ? m_stridesOf(out) : Extents{};
        if (stated.size() == shape(out).size()) {
            m_program.buffers[m_program.bufferOfValue[out.index()]].strides = stated;
            m_strides[out.index()] = std::move(stated);
            return;
        }
        const bool isFixed = isOnHost || node.attributes.has(kIntoAttribute)
            || node.canonical == Op::NormMoments || kind == OpKind::Restickify
            || node.attributes.text("memory_format").find("contiguous") != std::string::npos;
        m_isOpen[out.index()] = !isFixed;
    }

    /// Broadcasting makes a view of an operand whose extents of 1, or whose rank, differ.
    bool isBroadcast(ValueId in, const Extents& to) const {
        const Extents& from = shape(in);
        if (from.size() != to.size())
            return true;
        for (std::size_t d = 0; d < to.size(); ++d)
            if ((from[d] == 1) != (to[d] == 1))
                return true;
        return false;
    }

    /// Reduction.num_splits looks at how the operand of a small reduction lies, which decides it.
    bool decidesOperand(const Node& node) const {
        constexpr std::int64_t kMostResults = 32 * 2 * 32; // cores · 2 · threads a warp
        constexpr std::int64_t kLeastReduced = 32;
        const std::int64_t results = elementsOf(shape(node.outputs[0]));
        const std::int64_t reduced =
            elementsOf(shape(node.inputs[0])) / std::max<std::int64_t>(1, results);
        return results > 1 && results < kMostResults && reduced > kLeastReduced;
    }

    void output(ValueId id) {
        sourceOf(id);
        const Access there =
            addressOf(m_graph, m_program, id, std::vector<Index>(shape(id).size()), {});
        if (there.buffer == kNoBuffer)
            return;
        Buffer& buffer = m_program.buffers[there.buffer];
        buffer.isOutput = true;
        const NodeId producer = m_graph.values[id].producer;
        if (producer.isValid() && kindOf(m_graph.nodes[producer]) == OpKind::View)
            buffer.isOutputThroughView = true;
        m_program.outputs.push_back(there.buffer);
    }

    /// Constants run before everything else.
    void promoteConstants() {
        m_program.ops.insert(m_program.ops.begin(), std::make_move_iterator(m_constantOps.begin()),
            std::make_move_iterator(m_constantOps.end()));
    }

    const StageGraph& m_graph;
    const StridesOf& m_stridesOf;
    LoopProgram m_program;
    std::map<std::pair<double, ir::DType>, BufferIndex> m_constants;
    std::vector<LoopOp> m_constantOps;
    std::vector<bool> m_isGraphOutput;
    std::vector<std::int64_t> m_extents; ///< of the loops of the operation at hand
    mutable std::vector<std::int64_t> m_splits;
    bool m_isChoosing;
    std::vector<Extents> m_strides; ///< chosen, by value; empty: contiguous
    std::vector<bool> m_isOpen; ///< values whose strides are not decided yet
};

} // namespace

LoopProgram readLoops(
    const StageGraph& graph, const StridesOf& stridesOf, HostStrides hostStrides) {
    return Reader(graph, stridesOf, hostStrides).run();
}

} // namespace fivefold::families::spyre
