// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/recurrent.h"

#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

RecurrentSizes recurrentSizes(const Typed& typed, NodeId id) {
    const Node& node = typed.graph->nodes[id];
    const auto dim = [&](std::size_t input, std::size_t axis) {
        if (input >= node.inputs.size() || !typed.types.contains(node.inputs[input]))
            return Dim();
        const auto& shape = typed.types[node.inputs[input]].shape;
        return shape && axis < shape->size() ? (*shape)[axis] : Dim();
    };
    RecurrentSizes s;
    s.gates = node.op == Op::LSTM ? 4 : node.op == Op::GRU ? 3 : 1;
    s.directions = node.attributes.text("direction", "forward") == "bidirectional" ? 2 : 1;
    s.isBatchFirst = node.attributes.integer("layout", 0) != 0;
    s.sequence = dim(0, s.isBatchFirst ? 1 : 0);
    s.batch = dim(0, s.isBatchFirst ? 0 : 1);
    s.input = agree(dim(0, 2), dim(1, 2));
    const std::int64_t hidden = node.attributes.integer("hidden_size", 0);
    s.hidden = hidden > 0 ? Dim(hidden) : dim(2, 2);
    return s;
}

namespace {

void recurrent(NodeContext& context) {
    if (context.rank(0) >= 0 && context.rank(0) != 3) {
        context.reject(context.opName() + " takes (sequence, batch, input), but its input has rank "
            + std::to_string(context.rank(0)) + ".");
        return;
    }
    const RecurrentSizes s = recurrentSizes(context.state().typed, context.id());
    const Dim directions(s.directions);
    constexpr std::size_t kFirstState = 5;
    demand(context.state(), SizeDemand::Kind::Equal,
        context.dim(kFirstState, s.isBatchFirst ? 0 : 1), s.batch);
    const DType dtype = context.dtype(0);
    if (s.isBatchFirst) {
        context.output(0, dtype, Shape{s.batch, s.sequence, directions, s.hidden});
        context.output(1, dtype, Shape{s.batch, directions, s.hidden});
        context.output(2, dtype, Shape{s.batch, directions, s.hidden});
    } else {
        context.output(0, dtype, Shape{s.sequence, directions, s.batch, s.hidden});
        context.output(1, dtype, Shape{directions, s.batch, s.hidden});
        context.output(2, dtype, Shape{directions, s.batch, s.hidden});
    }
}

} // namespace

void addRecurrentRules(RuleTable& table) {
    table.set({Op::LSTM, Op::GRU, Op::RNN}, recurrent);
}

} // namespace fivefold::ir::inference
