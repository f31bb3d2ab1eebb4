// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/resymbolise_pass.h"

#include "core/ir/resymbolise_operands.h"

#include <algorithm>
#include <deque>

namespace fivefold::ir::freeing {

namespace {

constexpr int kMostRounds = 6;

base::Error refused(const std::string& sentence) {
    return {base::ErrorCode::Unsupported, sentence, {}};
}

/// Values computed from the inputs, wherever they stand.
std::vector<bool> reachedFrom(const Graph& graph, const std::vector<ValueId>& inputs) {
    std::vector<bool> isReached(graph.values.size(), false);
    std::deque<ValueId> open(inputs.begin(), inputs.end());
    for (const ValueId id : inputs)
        isReached[id.index()] = true;
    const auto reach = [&](ValueId id) {
        if (graph.values.contains(id) && !isReached[id.index()]) {
            isReached[id.index()] = true;
            open.push_back(id);
        }
    };
    while (!open.empty()) {
        const Value& value = graph.values[open.front()];
        open.pop_front();
        for (const NodeId user : value.users) {
            const Node& node = graph.nodes[user];
            for (const ValueId output : node.outputs)
                reach(output);
            for (const BlockId body : node.blocks)
                for (const ValueId input : graph.blocks[body].inputs)
                    reach(input);
            // A body that reads an outer value: its owner depends on it.
            for (BlockId block = node.block; graph.blocks[block].owner.isValid();
                 block = graph.nodes[graph.blocks[block].owner].block)
                for (const ValueId output : graph.nodes[graph.blocks[block].owner].outputs)
                    reach(output);
        }
    }
    return isReached;
}

bool isModelInput(const Graph& graph, ValueId id) {
    return graph.values.contains(id) && !graph.values[id].data.isValid()
        && graph.values[id].declared.kind == ValueKind::Tensor
        && graph.values[id].declared.shape.has_value();
}

class Planner {
public:
    Planner(const std::shared_ptr<const Graph>& graph, const Place& place,
        const std::string& symbol, const base::Progress& progress)
        : m_graph(graph)
        , m_place(place)
        , m_symbol(symbol)
        , m_progress(progress)
        , m_size((*graph->values[place.first].declared.shape)[place.second].value())
        , m_unknowns(symbol, m_size) { }

    base::Result<Plan> plan() {
        if (auto prepared = prepare(); !prepared)
            return prepared.error();
        for (int round = 0; round < kMostRounds; ++round) {
            runRound();
            if (m_progress.isCancelled())
                return base::Progress::cancelled();
            const bool isSolved = solve();
            if (!m_refusal.empty())
                return refused(m_refusal);
            if (isSolved || settle())
                continue;
            if (const std::string reason = contradiction(); !reason.empty()) {
                if (m_isUnfixed || !unfix())
                    return refused(reason);
                m_isUnfixed = true;
                continue;
            }
            return finish();
        }
        return refused("The sizes that would follow " + m_symbol
            + " depend on each other in too many ways to be told apart.");
    }

private:
    struct Noted {
        inference::SizeDemand demand;
        NodeId node;
    };

    base::Result<base::Done> prepare() {
        base::Diagnostics plain;
        InferenceOptions options;
        m_file = inference::inferHooked(m_graph, options, plain, m_progress, {});
        for (const base::Diagnostic& each : plain.entries())
            m_known.insert(each.code + '\n' + each.node);
        options.ignoreDeclared = true;
        base::Diagnostics scratch;
        const Typed undeclared = inference::inferHooked(m_graph, options, scratch, m_progress, {});
        if (m_progress.isCancelled())
            return base::Progress::cancelled();
        findPlaces();
        return makeWorking(undeclared);
    }

    /// Every input axis of the same size may have to follow.
    void findPlaces() {
        for (const ValueId id : m_graph->main().inputs) {
            if (!isModelInput(*m_graph, id))
                continue;
            const Shape& shape = *m_graph->values[id].declared.shape;
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                const Place place{id, axis};
                // Sizes of 1 are everywhere: those of the same axis, and the batch of a recurrent
                // state (directions × batch × width), where an operator demands it.
                const bool isState = shape.size() == 3 && axis == 1;
                const bool isLikely = m_size > 1 || axis == m_place.second || axis == 0;
                if (place == m_place || !shape[axis].is(m_size) || (!isLikely && !isState))
                    continue;
                m_others.emplace_back(place, m_unknowns.add(isLikely));
            }
        }
    }

    /// A copy of the graph in which no stored shape speaks of what depends on the inputs.
    base::Result<base::Done> makeWorking(const Typed& undeclared) {
        auto working = std::make_shared<Graph>(*m_graph);
        std::vector<ValueId> inputs{m_place.first};
        for (const auto& [place, unknown] : m_others)
            inputs.push_back(place.first);
        m_isReached = reachedFrom(*m_graph, {m_place.first});
        for (std::size_t i = 0; i < working->values.size(); ++i) {
            const ValueId id(i);
            Value& value = working->values[id];
            if (!m_isReached[i] || value.origin == ValueOrigin::Initializer || id == m_place.first
                || !value.declared.shape)
                continue;
            const bool isInput = std::any_of(
                inputs.begin(), inputs.end(), [&](ValueId input) { return input == id; });
            if (isInput)
                continue;
            if (m_file.types[id].shape && undeclared.types[id].shape != m_file.types[id].shape) {
                if (!m_graph->nodes.contains(value.producer))
                    continue;
                const Node& node = m_graph->nodes[value.producer];
                return refused("\"" + node.name + "\" (" + node.sourceOp
                    + ") has its shape from the file alone, so what it would be at another size "
                      "is not known.");
            }
            value.declared.shape.reset();
        }
        m_working = working;
        return base::Done();
    }

    void setInputs(Graph& graph) const {
        const auto set = [&](const Place& place, const Dim& dim) {
            (*graph.values[place.first].declared.shape)[place.second] = dim;
        };
        set(m_place, Dim::symbol(m_symbol));
        for (const auto& [place, unknown] : m_others)
            set(place, m_unknowns.value(unknown));
    }

    void runRound() {
        auto graph = std::make_shared<Graph>(*m_working);
        setInputs(*graph);
        m_demands.clear();
        m_diagnostics = {};
        m_unknowns.refresh(*graph);
        OperandDeriver deriver(*graph, m_file, m_unknowns);
        std::size_t seen = 0;
        inference::Hooks hooks;
        hooks.beforeNode = [&](inference::State& state, NodeId node) {
            seen = state.demands.size();
            deriver.derive(state, node);
        };
        hooks.afterNode = [&](inference::State& state, NodeId node) {
            for (; seen < state.demands.size(); ++seen)
                m_demands.push_back({state.demands[seen], node});
        };
        m_typed = inference::inferHooked(graph, {}, m_diagnostics, m_progress, hooks);
        m_operands = deriver.operands();
        m_refusal = deriver.refusal();
        m_smallest = deriver.smallest();
    }

    /// Takes demands as equations for the unknowns; true when one was solved.
    bool solve() {
        bool isAny = false;
        for (const Noted& noted : m_demands) {
            const auto& [kind, left, right] = noted.demand;
            const bool isEqual = kind == inference::SizeDemand::Kind::Equal;
            if (!isEqual && kind != inference::SizeDemand::Kind::Broadcast)
                continue;
            isAny |=
                m_unknowns.equate(left, right, isEqual) || m_unknowns.equate(right, left, isEqual);
        }
        return isAny;
    }

    /// Gives what no operator relates to anything its size in the file; true when there was some.
    bool settle() {
        const auto open = m_unknowns.unsolved();
        for (const std::size_t unknown : open) {
            const NodeId node = m_unknowns.node(unknown);
            if (node.isValid() && m_size > 1 && isUsed(node))
                m_refusal = "\"" + m_graph->nodes[node].name + "\" fixes " + std::to_string(m_size)
                    + " in its shape, and no operator tells whether that is the same size.";
            m_unknowns.solve(unknown, Dim(m_size));
        }
        return !open.empty();
    }

    bool isUsed(NodeId node) const {
        for (const ValueId output : m_graph->nodes[node].outputs)
            if (m_graph->values.contains(output) && !m_graph->values[output].users.empty())
                return true;
        return false;
    }

    /// The first operator that does not take the symbol, as a sentence; empty: none.
    std::string contradiction() {
        m_against = NodeId();
        for (const Noted& noted : m_demands) {
            const auto& [kind, left, right] = noted.demand;
            if (!isContradiction(kind, left, right))
                continue;
            m_against = noted.node;
            return againstSentence(left, right);
        }
        for (const base::Diagnostic& each : m_diagnostics.entries()) {
            if (m_known.contains(each.code + '\n' + each.node))
                continue;
            for (std::size_t i = 0; i < m_graph->nodes.size(); ++i)
                if (m_graph->nodes[NodeId(i)].name == each.node)
                    m_against = NodeId(i);
            return "\"" + each.node + "\" does not take another size: " + each.message;
        }
        return {};
    }

    bool isContradiction(
        inference::SizeDemand::Kind kind, const Dim& left, const Dim& right) const {
        using Kind = inference::SizeDemand::Kind;
        if (kind != Kind::Equal && kind != Kind::Broadcast)
            return false;
        const Sizes& sizes = m_unknowns.sizes();
        if (!sizes.isFreed(left) && !sizes.isFreed(right))
            return false;
        const auto at = [&](const Dim& dim, std::int64_t size) {
            auto all = sizes.all;
            all[m_symbol] = size;
            return inference::resolveDim(all, dim).known();
        };
        for (const std::int64_t size : {m_size + 1, m_size + 6}) {
            const auto a = at(left, size);
            const auto b = at(right, size);
            if (a && b && *a != *b && (kind == Kind::Equal || (*a != 1 && *b != 1)))
                return true;
        }
        return false;
    }

    std::string againstSentence(const Dim& left, const Dim& right) const {
        const Node& node = m_graph->nodes[m_against];
        const bool isLeft = m_unknowns.sizes().isFreed(left);
        const std::string size = (isLeft ? right : left).text();
        for (const ValueId id : node.inputs) {
            if (!m_graph->values.contains(id) || !m_typed.types[id].shape)
                continue;
            const Shape& shape = *m_typed.types[id].shape;
            const bool isFree = std::any_of(shape.begin(), shape.end(),
                [&](const Dim& dim) { return m_unknowns.sizes().isFreed(dim); });
            const bool holds = std::any_of(
                shape.begin(), shape.end(), [&](const Dim& dim) { return dim.text() == size; });
            if (isFree || !holds)
                continue;
            const bool isStored = m_typed.isConstant[id] != 0;
            return "\"" + node.name + "\" takes " + size
                + " there: " + (isStored ? "the constant \"" : "its operand \"")
                + m_graph->values[id].name + "\" has the fixed shape " + toText(shape) + ".";
        }
        return "\"" + node.name + "\" needs " + (isLeft ? left : right).text() + " to be " + size
            + ".";
    }

    /// Lets sizes of 1 follow in the shapes that lead to the operator that does not take the
    /// symbol; false when there are none.
    bool unfix() {
        if (!m_graph->nodes.contains(m_against) || m_size != 1)
            return false;
        std::deque<NodeId> open{m_against};
        std::set<NodeId> seen;
        bool isAny = false;
        constexpr std::size_t kMostNodes = 64;
        while (!open.empty() && seen.size() < kMostNodes) {
            const NodeId at = open.front();
            open.pop_front();
            if (!seen.insert(at).second)
                continue;
            const Node& node = m_graph->nodes[at];
            if (node.op == Op::Expand || node.op == Op::ConstantOfShape || node.op == Op::Tile) {
                m_unknowns.unfix(at);
                isAny = true;
                continue;
            }
            for (const ValueId id : node.inputs)
                if (m_graph->values.contains(id) && !m_isReached[id.index()]
                    && m_graph->nodes.contains(m_graph->values[id].producer))
                    open.push_back(m_graph->values[id].producer);
        }
        return isAny;
    }

    base::Result<Plan> finish() {
        Plan plan;
        plan.places.push_back(m_place);
        for (const auto& [place, unknown] : m_others)
            if (isSame(m_unknowns.value(unknown), Dim::symbol(m_symbol)))
                plan.places.push_back(place);
        plan.operands = m_operands;
        plan.types = m_typed.types;
        plan.isReached = m_isReached;
        for (const auto& [place, unknown] : m_others)
            if (isSame(m_unknowns.value(unknown), Dim::symbol(m_symbol)))
                plan.isReached = united(plan.isReached, reachedFrom(*m_graph, {place.first}));
        plan.smallest = std::max<std::int64_t>(1, m_smallest);
        std::vector<inference::SizeDemand> demands;
        for (const Noted& noted : m_demands)
            demands.push_back(noted.demand);
        plan.largest = largestSize(demands, m_symbol, m_size, m_unknowns.sizes().all);
        return plan;
    }

    static std::vector<bool> united(std::vector<bool> a, const std::vector<bool>& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] = a[i] || b[i];
        return a;
    }

    std::shared_ptr<const Graph> m_graph;
    std::shared_ptr<const Graph> m_working;
    Place m_place;
    std::string m_symbol;
    const base::Progress& m_progress;
    std::int64_t m_size;
    Unknowns m_unknowns;
    Typed m_file; ///< as the file is
    Typed m_typed; ///< of the latest round
    base::Diagnostics m_diagnostics;
    std::set<std::string> m_known; ///< findings about the file as it is
    std::vector<std::pair<Place, std::size_t>> m_others;
    std::vector<bool> m_isReached;
    std::vector<Noted> m_demands;
    std::map<std::pair<NodeId, std::size_t>, Contents> m_operands;
    std::string m_refusal;
    std::int64_t m_smallest = 1;
    NodeId m_against;
    bool m_isUnfixed = false;
};

std::string attributeOf(Op op, std::size_t operand) {
    if (op == Op::Reshape)
        return "shape";
    if (op == Op::Slice)
        return operand == 1 ? "starts" : "ends";
    return op == Op::Squeeze ? "axes" : std::string();
}

std::vector<std::string> textsOf(const Contents& contents) {
    std::vector<std::string> texts;
    for (const Dim& dim : contents)
        texts.push_back(dim.text());
    return texts;
}

/// A new constant of expressions in place of an operand.
void setOperand(Graph& graph, NodeId id, std::size_t operand, const Contents& contents,
    const std::string& symbol) {
    Node& node = graph.nodes[id];
    if (const std::string attribute = attributeOf(node.op, operand);
        node.attributes.has(attribute)) {
        node.attributes.set(attribute, textsOf(contents));
        return;
    }
    const bool had = operand < node.inputs.size() && graph.values.contains(node.inputs[operand]);
    Value value;
    TensorData data;
    data.dtype = DType::Int64;
    data.storage = TensorStorage::Strings;
    data.strings = textsOf(contents);
    if (had) {
        Value& old = graph.values[node.inputs[operand]];
        value.name = old.name;
        if (const auto used = std::find(old.users.begin(), old.users.end(), id);
            used != old.users.end())
            old.users.erase(used);
    }
    value.name += (value.name.empty() ? node.name : std::string()) + "[" + symbol + "]";
    const bool isScalar = (node.op == Op::Range || node.op == Op::Gather) && contents.size() == 1;
    if (!isScalar)
        data.shape = {static_cast<std::int64_t>(contents.size())};
    value.declared.dtype = DType::Int64;
    value.declared.shape = Shape(data.shape.begin(), data.shape.end());
    value.origin = ValueOrigin::Initializer;
    value.block = node.block;
    data.name = value.name;
    value.data = graph.tensors.add(std::move(data));
    value.users = {id};
    const ValueId added = graph.values.add(std::move(value));
    graph.blocks[node.block].initializers.push_back(added);
    if (node.inputs.size() <= operand)
        node.inputs.resize(operand + 1);
    node.inputs[operand] = added;
}

} // namespace

base::Result<Plan> planFreeing(const std::shared_ptr<const Graph>& graph, const Place& place,
    const std::string& symbol, const base::Progress& progress) {
    return Planner(graph, place, symbol, progress).plan();
}

std::int64_t largestSize(const std::vector<inference::SizeDemand>& demands,
    const std::string& symbol, std::int64_t least, std::map<std::string, std::int64_t> sizes) {
    std::int64_t largest = 0;
    for (const inference::SizeDemand& demand : demands) {
        if (demand.kind != inference::SizeDemand::Kind::AtMost || !demand.right.isKnown())
            continue;
        const auto fits = [&](std::int64_t size) {
            sizes[symbol] = size;
            const auto left = inference::resolveDim(sizes, demand.left).known();
            return left && *left <= demand.right.value();
        };
        constexpr std::int64_t kLargestTried = 1 << 24;
        std::int64_t good = least;
        std::int64_t bad = kLargestTried;
        if (!fits(good) || fits(bad))
            continue;
        while (bad - good > 1) {
            const std::int64_t middle = good + (bad - good) / 2;
            (fits(middle) ? good : bad) = middle;
        }
        largest = largest == 0 ? good : std::min(largest, good);
    }
    return largest;
}

std::shared_ptr<const Graph> carryOut(
    const Graph& graph, const Plan& plan, const std::string& symbol) {
    auto result = std::make_shared<Graph>(graph);
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        Value& value = result->values[ValueId(i)];
        if (!plan.isReached[i] || value.origin != ValueOrigin::NodeOutput)
            continue;
        value.strides.reset();
        if (!value.declared.shape)
            continue;
        const auto& shape = plan.types[ValueId(i)].shape;
        const bool isKnown = shape && std::none_of(shape->begin(), shape->end(), [](const Dim& d) {
            return d.isUnknown();
        });
        if (isKnown)
            value.declared.shape = shape;
        else
            value.declared.shape.reset();
    }
    for (const auto& [id, axis] : plan.places) {
        (*result->values[id].declared.shape)[axis] = Dim::symbol(symbol);
        result->values[id].strides.reset();
    }
    for (const auto& [where, contents] : plan.operands)
        setOperand(*result, where.first, where.second, contents, symbol);
    return result;
}

} // namespace fivefold::ir::freeing
