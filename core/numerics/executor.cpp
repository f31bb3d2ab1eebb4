// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/executor.h"

#include <algorithm>

namespace fivefold::numerics {

using base::Done;
using base::Error;
using base::ErrorCode;
using ir::BlockId;
using ir::NodeId;
using ir::ValueId;

Executor::Executor(const ir::Typed& typed, Weights& weights, const RunOptions& options,
    const base::Progress& progress)
    : m_typed(typed)
    , m_graph(*typed.graph)
    , m_weights(weights)
    , m_options(options)
    , m_progress(progress) {
    m_evaluation.carrier = options.arithmetic ? Carrier::Double : options.carrier;
    m_evaluation.arithmetic = options.arithmetic;
    m_evaluation.seed = options.seed;
    m_evaluation.progress = &progress;
    const std::size_t values = m_graph.values.size();
    m_values.resize(values);
    m_isGiven.assign(values, 0);
    m_isKept.assign(values, options.keeps ? 0 : 1);
    if (options.keeps)
        for (std::size_t i = 0; i < values; ++i)
            m_isKept[ValueId(i)] = options.keeps(ValueId(i)) ? 1 : 0;
    m_isSkipped.assign(m_graph.nodes.size(), 0);
    m_orders = ir::inference::orderBlocks(m_graph);
    planReleases();
    planSelection();
}

void Executor::noteUse(ValueId value, NodeId user) {
    if (!m_graph.values.contains(value))
        return;
    const BlockId home = m_graph.values[value].block;
    while (m_graph.nodes.contains(user) && m_graph.nodes[user].block != home) {
        const BlockId inner = m_graph.nodes[user].block;
        user = m_graph.blocks.contains(inner) ? m_graph.blocks[inner].owner : NodeId();
    }
    if (!m_graph.nodes.contains(user))
        return;
    NodeId& last = m_lastUser[value];
    if (!last.isValid() || m_position[last] < m_position[user])
        last = user;
}

void Executor::planReleases() {
    m_position.assign(m_graph.nodes.size(), 0);
    m_lastUser.assign(m_graph.values.size(), NodeId());
    m_releases.resize(m_graph.nodes.size());
    for (const auto& order : m_orders)
        for (std::size_t i = 0; i < order.nodes.size(); ++i)
            m_position[order.nodes[i]] = static_cast<std::uint32_t>(i);
    std::vector<std::uint8_t> isOutput(m_graph.values.size(), 0);
    for (std::size_t b = 0; b < m_graph.blocks.size(); ++b) {
        const ir::Block& block = m_graph.blocks[BlockId(b)];
        for (const NodeId node : m_orders[BlockId(b)].nodes) {
            for (const ValueId output : m_graph.nodes[node].outputs)
                noteUse(output, node);
            for (const ValueId input : m_graph.nodes[node].inputs)
                noteUse(input, node);
        }
        for (const ValueId output : block.outputs) {
            if (!m_graph.values.contains(output))
                continue;
            if (m_graph.values[output].block == BlockId(b))
                isOutput[output.index()] = 1;
            else
                noteUse(output, block.owner);
        }
    }
    for (std::size_t v = 0; v < m_graph.values.size(); ++v)
        if (const NodeId last = m_lastUser[ValueId(v)];
            last.isValid() && !isOutput[v] && !m_isKept[ValueId(v)])
            m_releases[last].push_back(ValueId(v));
}

void Executor::planSelection() {
    if (m_options.only.empty())
        return;
    m_isSelected.assign(m_graph.nodes.size(), 0);
    for (const NodeId node : m_options.only)
        if (m_graph.nodes.contains(node))
            m_isSelected[node] = 1;
}

base::Result<Run> Executor::run(const std::map<ValueId, Datum>& inputs) {
    for (const auto& [value, datum] : m_options.given) {
        if (!m_graph.values.contains(value))
            continue;
        put(value, datum);
        m_isGiven[value] = 1;
    }
    for (const auto& [value, datum] : inputs)
        put(value, datum);
    const Step done = m_options.only.empty() && !m_graph.blocks.empty()
        ? runBlock(ir::Graph::mainBlock(), 0)
        : runSelected();
    if (!done)
        return done.error();
    for (std::size_t v = 0; v < m_values.size(); ++v)
        if (Datum& datum = m_values[ValueId(v)]; m_isKept[ValueId(v)] && isAvailable(datum))
            m_run.values.emplace(ValueId(v), std::move(datum));
    for (std::size_t n = 0; n < m_isSkipped.size(); ++n)
        if (m_isSkipped[NodeId(n)])
            m_run.skipped.push_back(NodeId(n));
    return std::move(m_run);
}

/// Selected nodes alone, wherever they stand; those inside a selected node's bodies run with it.
Executor::Step Executor::runSelected() {
    for (std::size_t b = 0; b < m_graph.blocks.size(); ++b) {
        bool isCovered = false;
        for (NodeId owner = m_graph.blocks[BlockId(b)].owner; m_graph.nodes.contains(owner);
             owner = m_graph.blocks[m_graph.nodes[owner].block].owner)
            isCovered = isCovered || m_isSelected[owner];
        if (isCovered)
            continue;
        for (const NodeId node : m_orders[BlockId(b)].nodes) {
            if (!m_isSelected.empty() && m_isSelected[node])
                if (auto done = runNode(node, 0); !done)
                    return done;
        }
    }
    return Done{};
}

Executor::Step Executor::runBlock(BlockId block, int depth) {
    for (const NodeId node : m_orders[block].nodes)
        if (auto done = runNode(node, depth); !done)
            return done;
    return Done{};
}

void Executor::report() {
    constexpr std::size_t kReports = 200;
    const std::size_t total = std::max<std::size_t>(1, m_graph.main().nodes.size());
    ++m_finished;
    if (total <= kReports || m_finished % (total / kReports) == 0)
        m_progress.report("run", static_cast<double>(m_finished) / static_cast<double>(total));
}

Executor::Step Executor::runNode(NodeId id, int depth) {
    if (m_progress.isCancelled())
        return base::Progress::cancelled();
    const ir::Node& node = m_graph.nodes[id];
    const bool isAllGiven = !node.outputs.empty()
        && std::ranges::all_of(
            node.outputs, [&](ValueId v) { return !v.isValid() || m_isGiven[v]; });
    if (!isAllGiven) {
        Values inputs;
        bool isComplete = true;
        for (const ValueId input : node.inputs) {
            inputs.push_back(input.isValid() ? read(input) : Datum());
            isComplete = isComplete && (!input.isValid() || isAvailable(inputs.back()));
        }
        if (!isComplete)
            skip(id);
        else if (auto done =
                     node.blocks.empty() ? evaluateNode(id, inputs) : runBodies(id, inputs, depth);
                 !done)
            return done;
        if (auto checked = checkMemory(node.name); !checked)
            return checked;
    }
    for (const ValueId value : m_releases[id])
        if (!m_isGiven[value])
            put(value, Datum());
    if (node.block == ir::Graph::mainBlock())
        report();
    return Done{};
}

Executor::Step Executor::evaluateNode(NodeId id, const Values& inputs) {
    const ir::Node& node = m_graph.nodes[id];
    if (node.op == ir::Op::Constant && node.outputs.size() == 1 && node.outputs[0].isValid()
        && m_graph.values[node.outputs[0]].data.isValid()) {
        base::Diagnostics& diagnostics = m_run.diagnostics;
        auto tensor = m_weights.of(node.outputs[0], m_evaluation.carrier, diagnostics);
        if (tensor)
            put(node.outputs[0], *std::move(tensor));
        else
            reportFailure(id, tensor.error());
        return Done{};
    }
    if (!isExecutable(node.op)) {
        reportFailure(
            id, {ErrorCode::Unsupported, node.sourceOp + " is not executable here.", node.name});
        return Done{};
    }
    Operation operation;
    operation.op = node.op;
    operation.name = node.name;
    operation.attributes = &node.attributes;
    operation.tensors = &m_graph.tensors;
    operation.version = node.version;
    operation.outputs = node.outputs.size();
    if (!node.outputs.empty() && node.outputs[0].isValid())
        operation.outputType = m_typed.types[node.outputs[0]].dtype;
    Evaluation evaluation = m_evaluation;
    evaluation.largestTensorBytes = std::clamp<std::int64_t>(
        m_options.memoryLimitBytes - m_heldBytes, 0, evaluation.largestTensorBytes);
    auto results = evaluate(operation, inputs, evaluation);
    if (!results) {
        if (results.error().code == ErrorCode::Cancelled
            || results.error().code == ErrorCode::Limit)
            return results.error();
        reportFailure(id, results.error());
        return Done{};
    }
    outputs(id, *std::move(results));
    return Done{};
}

void Executor::outputs(NodeId id, Values values) {
    const ir::Node& node = m_graph.nodes[id];
    values.resize(node.outputs.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!node.outputs[i].isValid())
            continue;
        if (!isAvailable(values[i]) && !m_isGiven[node.outputs[i]])
            m_isSkipped[id] = 1;
        put(node.outputs[i], std::move(values[i]));
    }
}

void Executor::reportFailure(NodeId id, const Error& error) {
    const ir::Node& node = m_graph.nodes[id];
    const bool isUnknown = error.code == ErrorCode::Unsupported;
    m_run.diagnostics.warn(isUnknown ? "numerics.not_executable" : "numerics.not_executed",
        node.name, error.message,
        isUnknown ? "What needs its results is skipped; give its results as values to go on."
                  : "Check the node's inputs; what needs its results is skipped.");
    skip(id);
}

void Executor::skip(NodeId id) {
    m_isSkipped[id] = 1;
    for (const ValueId output : m_graph.nodes[id].outputs)
        put(output, Datum());
}

Datum Executor::read(ValueId id) {
    if (!m_graph.values.contains(id))
        return {};
    if (const Datum& datum = m_values[id]; isAvailable(datum))
        return datum;
    const ir::Value& value = m_graph.values[id];
    if (value.origin != ir::ValueOrigin::Initializer && !value.data.isValid())
        return {};
    auto tensor = m_weights.of(id, m_evaluation.carrier, m_run.diagnostics);
    if (tensor)
        return *std::move(tensor);
    m_run.diagnostics.warn("numerics.no_weight", value.name, tensor.error().message,
        "Put the model's weights beside it; what needs them is skipped.");
    return {};
}

void Executor::hold(const Datum& datum, int change) {
    if (datum.tensor.isDefined()) {
        Holding& holding = m_holdings[&datum.tensor.elements()];
        if (holding.references == 0) {
            holding.bytes = datum.tensor.bytesInMemory();
            m_heldBytes += holding.bytes;
        }
        holding.references += change;
        if (holding.references == 0) {
            m_heldBytes -= holding.bytes;
            m_holdings.erase(&datum.tensor.elements());
        }
    }
    for (const Datum& item : datum.items)
        hold(item, change); // sequences of optionals of tensors: three deep at most
}

void Executor::put(ValueId id, Datum datum) {
    if (!m_graph.values.contains(id) || m_isGiven[id])
        return;
    hold(datum, 1);
    hold(m_values[id], -1);
    m_values[id] = std::move(datum);
}

Executor::Step Executor::checkMemory(const std::string& node) const {
    if (m_heldBytes <= m_options.memoryLimitBytes)
        return Done{};
    return Error{ErrorCode::Limit,
        "The run holds " + std::to_string(m_heldBytes) + " bytes of values, more than its limit of "
            + std::to_string(m_options.memoryLimitBytes)
            + "; keep fewer values, or bind smaller dimensions.",
        node};
}

} // namespace fivefold::numerics
