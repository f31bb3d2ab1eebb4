// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/boundary_copies.h"

#include "core/families/spyre/operators.h"
#include "core/families/spyre/rewire.h"
#include "core/families/spyre/views.h"

#include <algorithm>
#include <map>

namespace fivefold::families::spyre {

using lowering::NewNode;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;
using lowering::ValueRole;

namespace {

class Copies {
public:
    Copies(StageGraph graph, const LoopProgram& program)
        : m_rewriter(std::move(graph), lowering::Stage::Placed, words())
        , m_program(program)
        , m_valueOf(program.buffers.size()) {
        for (std::size_t b = 0; b < program.buffers.size(); ++b)
            m_valueOf[b] = program.buffers[b].value;
    }

    StageGraph run() {
        for (std::size_t i = 0; i < m_program.ops.size(); ++i) {
            const LoopOp& op = m_program.ops[i];
            const bool isCopy = !op.node.isValid() && op.reads.size() == 1
                && (op.origin == LoopOrigin::BoundaryCopy || op.origin == LoopOrigin::LxRelayout);
            if (!isCopy || !m_valueOf[op.reads[0].buffer].isValid())
                continue;
            if (m_program.buffers[op.write.buffer].isOutput)
                copyOut(op);
            else
                copyIn(i, op);
        }
        StageGraph graph = std::move(m_rewriter).finish();
        for (const auto& [source, copy] : m_outputs)
            moveOutput(graph, source, copy);
        return graph;
    }

private:
    static std::string why(const LoopOp& op, const Buffer& source) {
        return op.origin == LoopOrigin::LxRelayout
            ? "Its readers cut " + source.name
                + " in another way than its writer, so the cores exchange their parts inside LX."
            : source.name + " is copied between LPDDR5 and LX once for all that read it.";
    }

    static NewNode identity(const Buffer& source) {
        NewNode node;
        node.canonical = ir::Op::Identity;
        node.suffix = "lx_copy";
        node.op = std::string(kClone);
        if (source.strides != contiguousStrides(source.shape))
            node.attributes.set(kStridesAttribute, source.strides);
        return node;
    }

    void copyIn(std::size_t at, const LoopOp& op) {
        const BufferIndex source = op.reads[0].buffer, made = op.write.buffer;
        const ValueId from = m_rewriter.resolve(m_valueOf[source]);
        const std::string text = why(op, m_program.buffers[source]);
        for (std::size_t i = at + 1; i < m_program.ops.size(); ++i) {
            const LoopOp& reader = m_program.ops[i];
            const bool reads = std::ranges::any_of(
                reader.reads, [made](const Access& a) { return a.buffer == made; });
            if (!reads || !reader.node.isValid())
                continue;
            if (!m_valueOf[made].isValid())
                m_valueOf[made] = insertLaidOut(m_rewriter, reader.node, from,
                    identity(m_program.buffers[source]), text, m_rewriter.value(from).layout);
            reroute(reader.node, from, m_valueOf[made], text);
        }
    }

    void reroute(NodeId reader, ValueId from, ValueId to, const std::string& text) {
        const std::int64_t into = m_rewriter.node(reader).attributes.integer(kIntoAttribute, -1);
        const std::size_t inputs = m_rewriter.node(reader).inputs.size();
        for (std::size_t i = 0; i < inputs; ++i) {
            const ValueId last = m_rewriter.input(reader, i);
            ValueId base = last;
            if (!last.isValid() || static_cast<std::int64_t>(i) == into)
                continue;
            const auto views =
                viewsBehind(m_rewriter, base, [from](ValueId v) { return v == from; });
            if (base == from)
                m_rewriter.setInput(
                    reader, i, repeatViews(m_rewriter, reader, to, views, last, text));
        }
    }

    void copyOut(const LoopOp& op) {
        const BufferIndex source = op.reads[0].buffer;
        const ValueId from = m_rewriter.resolve(m_valueOf[source]);
        const NodeId producer = m_rewriter.value(from).producer;
        const auto layout = m_rewriter.value(from).layout;
        const ValueId copy = m_rewriter.insertAfter(
            from, {}, identity(m_program.buffers[source]), why(op, m_program.buffers[source]));
        if (producer.isValid())
            m_rewriter.edit(m_rewriter.value(copy).producer).kernel =
                m_rewriter.node(producer).kernel;
        m_rewriter.editValue(copy).layout = layout;
        m_valueOf[op.write.buffer] = copy;
        m_outputs.emplace_back(
            m_rewriter.value(from).name, m_rewriter.node(m_rewriter.value(copy).producer).name);
    }

    /// What left the graph as `source` leaves it as the result of node `copy`.
    static void moveOutput(StageGraph& graph, const std::string& source, const std::string& copy) {
        ValueId from, to;
        for (const Node& node : graph.nodes)
            if (node.name == copy && !node.inputs.empty() && !node.outputs.empty()) {
                from = node.inputs[0];
                to = node.outputs[0];
            }
        if (!from.isValid() || !to.isValid())
            return;
        bool isMoved = false;
        for (ValueId& output : graph.outputs)
            if (output == from) {
                output = to;
                isMoved = true;
            }
        if (!isMoved)
            return;
        Value &old = graph.values[from], &now = graph.values[to];
        std::swap(old.name, now.name);
        now.source = old.source;
        now.role = old.role;
        if (old.role == ValueRole::Output)
            old.role = ValueRole::Activation;
        old.source = ir::ValueId();
        (void)source;
    }

    Rewriter m_rewriter;
    const LoopProgram& m_program;
    std::vector<ValueId> m_valueOf; ///< by buffer
    std::vector<std::pair<std::string, std::string>> m_outputs;
};

} // namespace

StageGraph withCopies(StageGraph graph, const LoopProgram& program) {
    const bool hasCopies = std::ranges::any_of(program.ops, [](const LoopOp& op) {
        return op.origin == LoopOrigin::BoundaryCopy || op.origin == LoopOrigin::LxRelayout;
    });
    if (!hasCopies)
        return graph;
    return Copies(std::move(graph), program).run();
}

} // namespace fivefold::families::spyre
