// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/materialise.h"

#include "core/families/spyre/operators.h"
#include "core/families/spyre/views.h"

#include <unordered_map>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::ValueId;

namespace {

/// Finds the views that need a copy after all.
class Materialiser {
public:
    explicit Materialiser(Rewriter& rewriter)
        : m_rewriter(rewriter) { }

    void run() {
        for (NodeId id : m_rewriter.order())
            if (kindOf(m_rewriter.node(id).canonical) == OpKind::View)
                visit(id);
        for (ValueId output : m_rewriter.graph().outputs)
            copyOut(m_rewriter.resolve(output));
    }

private:
    void visit(NodeId id) {
        const Node& node = m_rewriter.node(id);
        const ValueId in = m_rewriter.input(id, 0);
        if (!in.isValid() || node.outputs.empty() || !m_rewriter.value(in).shape)
            return;
        const Extents& shape = *m_rewriter.value(in).shape;
        const Extents strides = stridesOf(in, shape);
        switch (node.canonical) {
        case Op::Transpose: {
            const auto permutation = permutationOf(node, shape.size());
            Extents moved;
            for (std::int64_t d : permutation)
                moved.push_back(strides[static_cast<std::size_t>(d)]);
            m_strides[m_rewriter.resolve(node.outputs.front())] = std::move(moved);
            break;
        }
        case Op::Split:
        case Op::Slice:
            for (ValueId out : node.outputs)
                if (out.isValid())
                    m_strides[m_rewriter.resolve(out)] = strides;
            break;
        case Op::Reshape:
        case Op::Flatten:
        case Op::Squeeze:
        case Op::Unsqueeze:
            reshape(id, in, shape, strides);
            break;
        default:
            break;
        }
    }

    void reshape(NodeId id, ValueId in, const Extents& shape, const Extents& strides) {
        const ValueId out = m_rewriter.resolve(m_rewriter.node(id).outputs.front());
        const auto& wanted = m_rewriter.value(out).shape;
        if (!wanted)
            return;
        const auto view = viewStrides(shape, strides, *wanted);
        if (!view) {
            const NodeId producer = m_rewriter.value(in).producer;
            const bool isPermute = producer.isValid() && m_rewriter.isAlive(producer)
                && m_rewriter.node(producer).canonical == Op::Transpose;
            clone(isPermute ? producer : id);
        } else if (*view != contiguousStrides(*wanted)) {
            m_strides[out] = *view;
        }
    }

    void copyOut(ValueId output) {
        const auto found = m_strides.find(output);
        const NodeId producer = m_rewriter.value(output).producer;
        if (found == m_strides.end() || !producer.isValid() || !m_rewriter.isAlive(producer)
            || !m_rewriter.value(output).shape
            || found->second == contiguousStrides(*m_rewriter.value(output).shape))
            return;
        if (m_rewriter.node(producer).outputs.size() == 1)
            clone(producer);
    }

    void clone(NodeId id) {
        Node& node = m_rewriter.edit(id);
        node.op = std::string(kClone);
        node.rule = "What reads it needs one contiguous tensor, so the view becomes a clone.";
        for (ValueId out : node.outputs)
            if (out.isValid())
                m_strides.erase(m_rewriter.resolve(out));
    }

    Extents stridesOf(ValueId value, const Extents& shape) const {
        const auto found = m_strides.find(value);
        return found != m_strides.end() && found->second.size() == shape.size()
            ? found->second
            : contiguousStrides(shape);
    }

    Rewriter& m_rewriter;
    std::unordered_map<ValueId, Extents> m_strides; ///< of views that are not contiguous
};

} // namespace

void materialiseViews(Rewriter& rewriter) {
    Materialiser(rewriter).run();
}

} // namespace fivefold::families::spyre
