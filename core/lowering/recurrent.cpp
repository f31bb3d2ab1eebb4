// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

struct CellShape {
    std::int64_t steps = 1, directions = 1, batch = 1, input = 1, hidden = 1, gates = 1;
    bool isBatchFirst = false;
};

std::optional<CellShape> cellShape(const Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    CellShape c;
    switch (node.canonical) {
    case ir::Op::LSTM:
        c.gates = 4;
        break;
    case ir::Op::GRU:
        c.gates = 3;
        break;
    case ir::Op::RNN:
        break;
    default:
        return std::nullopt;
    }
    const auto shape = [&](std::size_t index) -> KnownShape {
        const ValueId value = rewriter.input(id, index);
        return value.isValid() ? rewriter.value(value).shape : std::nullopt;
    };
    const KnownShape x = shape(0), w = shape(1), r = shape(2);
    // Other activations than the operators' own, clipped sums, coupled gates and peepholes are
    // left whole.
    if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3
        || node.attributes.has("activations") || node.attributes.has("clip")
        || node.attributes.integer("input_forget", 0) != 0 || rewriter.input(id, 7).isValid())
        return std::nullopt;
    c.isBatchFirst = node.attributes.integer("layout", 0) == 1;
    c.steps = (*x)[c.isBatchFirst ? 1 : 0];
    c.batch = (*x)[c.isBatchFirst ? 0 : 1];
    c.input = (*x)[2];
    c.directions = (*w)[0];
    c.hidden = (*r)[2];
    const bool isSound = (*w)[1] == c.gates * c.hidden && (*r)[1] == (*w)[1]
        && (*r)[0] == c.directions && (*w)[2] == c.input;
    if (!isSound || c.steps <= 0 || c.directions <= 0
        || !elements(Extents{c.steps, c.batch, c.gates * c.hidden}))
        return std::nullopt;
    return c;
}

class Cell {
public:
    Cell(Rewriter& rewriter, NodeId id, const Node& node, const CellShape& shape, bool hoistsInput,
        Sequence& sequence)
        : m_rewriter(rewriter)
        , m_id(id)
        , m_node(node)
        , m_c(shape)
        , m_hoistsInput(hoistsInput)
        , m_s(sequence) { }

    std::vector<NodeId> run();

private:
    struct State {
        ValueId hidden, cell;
    };

    ValueId input(std::size_t index) const { return m_rewriter.input(m_id, index); }
    ValueId ofDirection(std::string_view name, std::size_t index, std::int64_t direction);
    ValueId initial(std::string_view name, std::size_t index, std::int64_t direction);
    State direction(std::int64_t d);
    bool isBackward(std::int64_t d) const {
        return d == 1 || m_node.attributes.text("direction") == "reverse";
    }
    bool resetsProduct() const {
        return m_node.canonical == ir::Op::GRU
            && m_node.attributes.integer("linear_before_reset", 0) != 0;
    }
    void mark(ValueId value, LoopRole::Kind kind, std::int64_t state);
    ValueId inputProduct(std::int64_t d);
    std::vector<ValueId> gates(std::string_view suffix, ValueId x, std::int64_t count);
    State lstm(ValueId x, ValueId h, ValueId c);
    ValueId gru(ValueId x, ValueId h, std::int64_t d);
    ValueId sum(std::string_view suffix, ValueId a, ValueId b) {
        return m_s.binary(ir::Op::Add, name(suffix), a, b);
    }
    ValueId times(std::string_view suffix, ValueId a, ValueId b) {
        return m_s.binary(ir::Op::Mul, name(suffix), a, b);
    }
    ValueId apply(ir::Op op, std::string_view suffix, ValueId x) {
        return m_s.unary(op, name(suffix), x);
    }
    std::string name(std::string_view suffix) const { return m_prefix + std::string(suffix); }
    ValueId collected(
        std::string_view suffix, const std::vector<ValueId>& parts, std::size_t output);

    Rewriter& m_rewriter;
    NodeId m_id;
    const Node& m_node;
    const CellShape m_c;
    bool m_hoistsInput;
    Sequence& m_s;
    std::string m_prefix;
};

ValueId Cell::ofDirection(std::string_view suffix, std::size_t index, std::int64_t d) {
    return m_s.part(name(suffix), input(index), d);
}

/// The state before the first step: given, or zero.
ValueId Cell::initial(std::string_view suffix, std::size_t index, std::int64_t d) {
    const Extents shape = {m_c.batch, m_c.hidden};
    if (!input(index).isValid()) {
        Value zero;
        zero.name = m_node.name + "/" + name(suffix);
        zero.dtype = m_s.value(input(0)).dtype;
        zero.shape = shape;
        zero.role = ValueRole::Constant;
        zero.fill = 0;
        return m_rewriter.addValue(std::move(zero));
    }
    if (m_c.isBatchFirst)
        return m_s.reshape(
            name(suffix), m_s.slice(name(suffix) + "/part", input(index), 1, d, d + 1), shape);
    return ofDirection(suffix, index, d);
}

/// Input product of all steps before the loop, or of one step inside it, plus the biases.
ValueId Cell::inputProduct(std::int64_t d) {
    const std::int64_t width = m_c.gates * m_c.hidden;
    const ValueId w = ofDirection("w", 1, d);
    ValueId x = input(0);
    if (m_hoistsInput) {
        x = m_s.reshape(name("rows"), x, Extents{m_c.steps * m_c.batch, m_c.input});
        x = m_s.matmul(name("input_matmul"), x, w, true);
    }
    m_s.setRepeat(m_c.steps);
    NewNode step{ir::Op::Gather, name("step"), {x}, {}, {}, {}};
    step.attributes.set("axis", std::int64_t(m_hoistsInput || !m_c.isBatchFirst ? 0 : 1));
    step.attributes.set("loop_step", std::int64_t((isBackward(d) ? 1 : 0) + (m_c.isBatchFirst ? 2 : 0)));
    step.outputs.push_back({m_s.value(x).dtype,
        Extents{m_c.batch, m_hoistsInput ? width : m_c.input}, ValueRole::Activation});
    x = m_s.add(std::move(step));
    if (!m_hoistsInput)
        x = m_s.matmul(name("input_matmul"), x, w, true);
    if (input(3).isValid()) { // the biases of the two products, added once
        const ValueId b = ofDirection("b", 3, d);
        x = sum("input_bias", x, m_s.slice(name("b_input"), b, 0, 0, width));
        // A reset gate after the product scales the recurrent bias too; see gru().
        if (!resetsProduct())
            x = sum("recurrent_bias", x, m_s.slice(name("b_recurrent"), b, 0, width, 2 * width));
    }
    return x;
}

std::vector<ValueId> Cell::gates(std::string_view suffix, ValueId x, std::int64_t count) {
    NewNode split{ir::Op::Split, name(suffix), {x}, {}, {}, {}};
    split.attributes.set("axis", std::int64_t(1));
    split.attributes.set("split", Extents(static_cast<std::size_t>(count), m_c.hidden));
    for (std::int64_t i = 0; i < count; ++i)
        split.outputs.push_back(
            {m_s.value(x).dtype, Extents{m_c.batch, m_c.hidden}, ValueRole::Activation});
    return m_s.addMany(std::move(split));
}

/// Gates in the operator's order: input, output, forget, cell.
Cell::State Cell::lstm(ValueId x, ValueId h, ValueId c) {
    const auto g = gates("gates", sum("sum", x, h), 4);
    const ValueId kept = times("forget", apply(ir::Op::Sigmoid, "f", g[2]), c);
    const ValueId added =
        times("add_cell", apply(ir::Op::Sigmoid, "i", g[0]), apply(ir::Op::Tanh, "c", g[3]));
    State next;
    next.cell = sum("cell", kept, added);
    next.hidden = times(
        "hidden", apply(ir::Op::Sigmoid, "o", g[1]), apply(ir::Op::Tanh, "cell_tanh", next.cell));
    return next;
}

/// Gates in the operator's order: update, reset, hidden. H' = (1 − z)·h̃ + z·H = h̃ + z·(H − h̃).
ValueId Cell::gru(ValueId x, ValueId h, std::int64_t d) {
    const ValueId r = ofDirection("r", 2, d);
    const auto g = gates("gates", x, 3);
    const auto part = [&](std::string_view suffix, std::int64_t first, std::int64_t count) {
        return m_s.slice(name(suffix), r, 0, first * m_c.hidden, (first + count) * m_c.hidden);
    };
    const bool isLinear = resetsProduct();
    ValueId whole =
        m_s.matmul(name("recurrent_matmul"), h, isLinear ? r : part("r_zr", 0, 2), true);
    if (isLinear && input(3).isValid()) {
        const std::int64_t width = m_c.gates * m_c.hidden;
        const ValueId b = ofDirection("b", 3, d);
        whole = sum("recurrent_bias", whole, m_s.slice(name("b_recurrent"), b, 0, width, 2 * width));
    }
    const auto q = gates("recurrent_gates", whole, isLinear ? 3 : 2);
    const ValueId update = apply(ir::Op::Sigmoid, "z", sum("z_sum", g[0], q[0]));
    const ValueId reset = apply(ir::Op::Sigmoid, "r_gate", sum("r_sum", g[1], q[1]));
    const ValueId inner = isLinear
        ? times("reset", reset, q[2])
        : m_s.matmul(name("hidden_matmul"), times("reset", reset, h), part("r_h", 2, 1), true);
    const ValueId candidate = apply(ir::Op::Tanh, "candidate", sum("candidate_sum", g[2], inner));
    const ValueId difference = m_s.binary(ir::Op::Sub, name("difference"), h, candidate);
    return sum("hidden", candidate, times("update", update, difference));
}

/// The state's part in the loop over the steps; two states a direction.
void Cell::mark(ValueId value, LoopRole::Kind kind, std::int64_t state) {
    if (value.isValid() && m_node.sources.size() == 1)
        m_rewriter.editValue(value).loopRoles.push_back(
            {kind, m_node.sources[0], static_cast<std::uint32_t>(state)});
}

Cell::State Cell::direction(std::int64_t d) {
    m_prefix = m_c.directions > 1 ? (d == 0 ? "forward_" : "backward_") : "";
    m_s.setRepeat(1);
    const ValueId h = initial("h0", 5, d);
    const ValueId c = m_node.canonical == ir::Op::LSTM ? initial("c0", 6, d) : ValueId();
    mark(h, LoopRole::Kind::Starts, 2 * d);
    mark(c, LoopRole::Kind::Starts, 2 * d + 1);
    const ValueId x = inputProduct(d);
    State next;
    if (m_node.canonical == ir::Op::GRU) {
        next.hidden = gru(x, h, d);
    } else {
        const ValueId product =
            m_s.matmul(name("recurrent_matmul"), h, ofDirection("r", 2, d), true);
        if (m_node.canonical == ir::Op::LSTM)
            next = lstm(x, product, c);
        else
            next.hidden = apply(ir::Op::Tanh, "hidden", sum("sum", x, product));
    }
    mark(next.hidden, LoopRole::Kind::Carries, 2 * d);
    mark(next.cell, LoopRole::Kind::Carries, 2 * d + 1);
    return next;
}

ValueId Cell::collected(
    std::string_view suffix, const std::vector<ValueId>& parts, std::size_t output) {
    if (output >= m_node.outputs.size() || !m_node.outputs[output].isValid())
        return {};
    NewNode join{ir::Op::Concat, std::string(suffix), parts, {}, {}, {}};
    const bool isOfAllSteps = output == 0;
    join.attributes.set("axis", std::int64_t(!isOfAllSteps && m_c.isBatchFirst ? 1 : 0));
    join.attributes.set("new_axis", std::int64_t(1));
    if (isOfAllSteps) {
        Extents orders;
        for (std::size_t d = 0; d < parts.size(); ++d)
            orders.push_back((isBackward(static_cast<std::int64_t>(d)) ? 1 : 0)
                + (m_c.isBatchFirst ? 2 : 0));
        join.attributes.set("loop_stack", std::move(orders));
    }
    join.outputs.push_back({m_s.value(parts[0]).dtype,
        m_rewriter.value(m_node.outputs[output]).shape, ValueRole::Activation});
    return m_s.add(std::move(join));
}

std::vector<NodeId> Cell::run() {
    std::vector<ValueId> hidden, cells;
    for (std::int64_t d = 0; d < m_c.directions; ++d) {
        const State state = direction(d);
        hidden.push_back(state.hidden);
        cells.push_back(state.cell);
    }
    m_s.setRepeat(1);
    const ValueId results[] = {collected("all_steps", hidden, 0), collected("last_step", hidden, 1),
        m_node.canonical == ir::Op::LSTM ? collected("last_cell", cells, 2) : ValueId()};
    return m_s.finish(results);
}

} // namespace

std::vector<NodeId> decomposeRecurrent(Rewriter& rewriter, NodeId id, const RecurrentStyle& style) {
    const auto shape = cellShape(rewriter, id);
    if (!shape || shape->directions > 2)
        return {};
    const Node node = rewriter.node(id);
    Sequence sequence = rewriter.replace(id, style.rule);
    return Cell(rewriter, id, node, *shape, style.hoistsInput, sequence).run();
}

} // namespace fivefold::lowering
