// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/executor.h"
#include "core/numerics/rearrange.h"

#include <algorithm>
#include <limits>

namespace fivefold::numerics {

using base::Done;
using ir::BlockId;
using ir::NodeId;
using ir::Op;
using ir::ValueId;

namespace {

Datum sequenceOf(std::vector<Datum> items) {
    Datum datum;
    datum.kind = Datum::Kind::Sequence;
    datum.items = std::move(items);
    return datum;
}

std::int64_t listed(const std::optional<std::vector<std::int64_t>>& list, std::size_t i,
    std::int64_t fallback = 0) {
    return list && i < list->size() ? (*list)[i] : fallback;
}

bool isTrue(const Datum& datum) {
    return datum.tensor.isDefined() && datum.tensor.size() > 0 && datum.tensor.integer(0) != 0;
}

/// Joins the items of a scan output along an axis; an Error when they do not fit.
base::Result<Datum> stackedItems(const std::vector<Datum>& items, std::size_t axis) {
    std::vector<Tensor> tensors;
    for (const Datum& item : items)
        tensors.push_back(item.tensor);
    auto tensor = stacked(tensors, axis);
    if (!tensor)
        return tensor.error();
    return Datum(*std::move(tensor));
}

} // namespace

Executor::Step Executor::fail(NodeId id, std::string message) {
    const std::string name = m_graph.nodes[id].name;
    reportFailure(id, {base::ErrorCode::InvalidArgument, name + ": " + std::move(message), name});
    return Done{};
}

void Executor::enter(BlockId body, std::size_t input, Datum datum) {
    const auto& inputs = m_graph.blocks[body].inputs;
    if (input < inputs.size())
        put(inputs[input], std::move(datum));
}

Datum Executor::leave(BlockId body, std::size_t output) {
    const auto& outputs = m_graph.blocks[body].outputs;
    return output < outputs.size() ? read(outputs[output]) : Datum();
}

void Executor::releaseBody(BlockId body) {
    const ir::Block& block = m_graph.blocks[body];
    const auto release = [&](ValueId value) {
        if (m_graph.values.contains(value) && m_graph.values[value].block == body
            && !m_isKept[value])
            put(value, Datum());
    };
    std::ranges::for_each(block.outputs, release);
    std::ranges::for_each(block.inputs, release);
}

Executor::Step Executor::runBodies(NodeId id, const Values& inputs, int depth) {
    if (depth >= kMostNested)
        return fail(id,
            "bodies are nested more than " + std::to_string(kMostNested)
                + " deep here; inline some of them.");
    switch (m_graph.nodes[id].op) {
    case Op::If:
        return runIf(id, inputs, depth + 1);
    case Op::Loop:
        return runLoop(id, inputs, depth + 1);
    case Op::Scan:
        return runScan(id, inputs, depth + 1);
    case Op::SequenceMap:
        return runSequenceMap(id, inputs, depth + 1);
    case Op::Call:
        return runCall(id, inputs, depth + 1);
    default:
        reportFailure(id,
            {base::ErrorCode::Unsupported, m_graph.nodes[id].sourceOp + " is not executable here.",
                m_graph.nodes[id].name});
        return Done{};
    }
}

Executor::Step Executor::runIf(NodeId id, const Values& inputs, int depth) {
    const ir::Node& node = m_graph.nodes[id];
    if (node.blocks.size() < 2 || inputs.empty() || inputs[0].tensor.size() != 1)
        return fail(id, "If needs two branches and a condition of one element.");
    const BlockId branch = node.blocks[isTrue(inputs[0]) ? 0 : 1];
    if (auto done = runBlock(branch, depth); !done)
        return done;
    Values results;
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        results.push_back(leave(branch, i));
    outputs(id, std::move(results));
    releaseBody(branch);
    return Done{};
}

Executor::Step Executor::runCall(NodeId id, const Values& inputs, int depth) {
    const ir::Node& node = m_graph.nodes[id];
    const BlockId body = node.blocks.front();
    for (std::size_t i = 0; i < m_graph.blocks[body].inputs.size(); ++i)
        enter(body, i, i < inputs.size() ? inputs[i] : Datum());
    if (auto done = runBlock(body, depth); !done)
        return done;
    Values results;
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        results.push_back(leave(body, i));
    outputs(id, std::move(results));
    releaseBody(body);
    return Done{};
}

/// Result of a scan output that no iteration made: its declared shape behind an extent of 0.
Datum Executor::emptyScan(BlockId body, std::size_t output, std::size_t axis) const {
    const auto& ids = m_graph.blocks[body].outputs;
    if (output >= ids.size() || !m_graph.values.contains(ids[output]))
        return {};
    const ir::ValueType& type = m_typed.types[ids[output]];
    Extents shape;
    if (type.shape)
        for (const ir::Dim& dim : *type.shape)
            shape.push_back(dim.known().value_or(0));
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(axis, shape.size())), 0);
    if (type.dtype == ir::DType::String)
        return Tensor(type.dtype, std::move(shape), std::vector<std::string>());
    if (!ir::isFloat(type.dtype))
        return Tensor(type.dtype, std::move(shape), std::vector<std::int64_t>());
    const Tensor empty(type.dtype, std::move(shape), std::vector<double>());
    return m_evaluation.carrier == Carrier::Float ? empty.carried<float>() : empty;
}

Executor::Step Executor::runLoop(NodeId id, const Values& inputs, int depth) {
    const ir::Node& node = m_graph.nodes[id];
    const BlockId body = node.blocks.front();
    const std::int64_t most = !inputs.empty() && inputs[0].tensor.size() > 0
        ? inputs[0].tensor.integer(0)
        : std::numeric_limits<std::int64_t>::max();
    bool isGoing = inputs.size() < 2 || !inputs[1].tensor.isDefined() || isTrue(inputs[1]);
    Values carried(inputs.begin() + std::min<std::ptrdiff_t>(2, std::ssize(inputs)), inputs.end());
    const std::size_t scans =
        node.outputs.size() > carried.size() ? node.outputs.size() - carried.size() : 0;
    std::vector<Values> scanned(scans);
    std::int64_t scannedBytes = 0;
    for (std::int64_t trip = 0; trip < most && isGoing; ++trip) {
        if (trip >= kMostTrips)
            return fail(id,
                "the loop did not end within " + std::to_string(kMostTrips)
                    + " trips and was cut; check its condition.");
        enter(body, 0, Tensor(ir::DType::Int64, {}, std::vector<std::int64_t>{trip}));
        enter(body, 1, Tensor(ir::DType::Bool, {}, std::vector<std::int64_t>{1}));
        for (std::size_t i = 0; i < carried.size(); ++i)
            enter(body, i + 2, carried[i]);
        if (m_progress.isCancelled())
            return base::Progress::cancelled();
        if (auto done = runBlock(body, depth); !done)
            return done;
        const Datum condition = leave(body, 0);
        bool isComplete = isAvailable(condition);
        isGoing = isTrue(condition);
        for (std::size_t i = 0; i < carried.size(); ++i) {
            carried[i] = leave(body, i + 1);
            isComplete = isComplete && isAvailable(carried[i]);
        }
        for (std::size_t i = 0; i < scans; ++i) {
            scanned[i].push_back(leave(body, 1 + carried.size() + i));
            isComplete = isComplete && scanned[i].back().tensor.isDefined();
            scannedBytes += scanned[i].back().tensor.bytesInMemory();
        }
        releaseBody(body);
        if (!isComplete) {
            skip(id); // a node of the body said why
            return Done{};
        }
        if (scannedBytes > m_options.memoryLimitBytes)
            return base::Error{base::ErrorCode::Limit,
                "The loop's scan outputs need more than the run's limit of "
                    + std::to_string(m_options.memoryLimitBytes)
                    + " bytes; bind smaller dimensions.",
                node.name};
    }
    Values results = carried;
    for (std::size_t i = 0; i < scans; ++i) {
        if (scanned[i].empty()) {
            results.push_back(emptyScan(body, 1 + carried.size() + i, 0));
            continue;
        }
        auto tensor = stackedItems(scanned[i], 0);
        if (!tensor)
            return fail(id, tensor.error().message);
        results.push_back(*std::move(tensor));
    }
    outputs(id, std::move(results));
    return Done{};
}

/// How one Scan reads and writes: one entry a scanned input or output.
struct Executor::ScanPlan {
    BlockId body;
    std::size_t states = 0;
    std::size_t scans = 0; ///< scan outputs
    std::optional<std::vector<std::int64_t>> inAxes, inDirections, outAxes, outDirections;
    std::int64_t length = 0;
};

base::Result<Executor::Values> Executor::scanOnce(
    NodeId id, const ScanPlan& plan, Values states, const std::vector<Tensor>& scanned, int depth) {
    const auto wrong = [&](std::string message) {
        return base::Error{base::ErrorCode::InvalidArgument, std::move(message), {}};
    };
    std::vector<Values> items(plan.scans);
    for (std::int64_t step = 0; step < plan.length; ++step) {
        if (m_progress.isCancelled())
            return base::Progress::cancelled();
        for (std::size_t i = 0; i < states.size(); ++i)
            enter(plan.body, i, states[i]);
        for (std::size_t i = 0; i < scanned.size(); ++i) {
            const auto axis = axisIn(listed(plan.inAxes, i), scanned[i].rank());
            if (!axis || scanned[i].shape()[*axis] < plan.length)
                return wrong("a scanned input does not have the axis or the length of the others.");
            const std::int64_t extent = scanned[i].shape()[*axis];
            const bool isBackward = listed(plan.inDirections, i) != 0;
            enter(plan.body, states.size() + i,
                sliceAt(scanned[i], *axis, isBackward ? extent - 1 - step : step));
        }
        if (auto done = runBlock(plan.body, depth); !done)
            return done.error();
        for (std::size_t i = 0; i < states.size(); ++i)
            states[i] = leave(plan.body, i);
        for (std::size_t i = 0; i < plan.scans; ++i)
            items[i].push_back(leave(plan.body, states.size() + i));
        releaseBody(plan.body);
        if (!std::ranges::all_of(states, isAvailable))
            return Values(m_graph.nodes[id].outputs.size()); // a node of the body said why
    }
    Values results = std::move(states);
    const std::size_t firstScan = results.size();
    for (std::size_t i = 0; i < plan.scans; ++i) {
        if (items[i].empty()) {
            results.push_back(emptyScan(plan.body, firstScan + i, 0));
            continue;
        }
        if (!std::ranges::all_of(items[i], [](const Datum& d) { return d.tensor.isDefined(); })) {
            results.emplace_back();
            continue;
        }
        const auto axis = axisIn(listed(plan.outAxes, i), items[i][0].tensor.rank() + 1);
        if (!axis)
            return wrong("a scan output has no such axis.");
        if (listed(plan.outDirections, i) != 0)
            std::ranges::reverse(items[i]);
        auto tensor = stackedItems(items[i], *axis);
        if (!tensor)
            return tensor.error();
        results.push_back(*std::move(tensor));
    }
    return results;
}

/// Operator set 8: lengths first, and a batch axis in front of everything; what lies behind a
/// row's length is zero.
Executor::Step Executor::batchedScan(NodeId id, ScanPlan plan, const Values& inputs, int depth) {
    const std::size_t scannedAt = 1 + plan.states;
    const Tensor& first = inputs[scannedAt].tensor;
    if (first.rank() < 2)
        return fail(id, "scanned inputs need a batch axis and a sequence axis.");
    const std::int64_t batch = first.shape()[0];
    const std::int64_t longest = first.shape()[1];
    plan.inDirections = m_graph.nodes[id].attributes.integers("directions");
    plan.inAxes.reset();
    std::vector<std::vector<Tensor>> rows(plan.states + plan.scans);
    for (std::int64_t row = 0; row < batch; ++row) {
        Values states;
        std::vector<Tensor> scanned;
        for (std::size_t i = 1; i < inputs.size(); ++i) {
            const Tensor& tensor = inputs[i].tensor;
            if (tensor.rank() == 0 || tensor.shape()[0] != batch)
                return fail(id, "all inputs need the same batch axis.");
            if (i < scannedAt)
                states.emplace_back(sliceAt(tensor, 0, row));
            else
                scanned.push_back(sliceAt(tensor, 0, row));
        }
        plan.length = inputs[0].tensor.size() == batch ? inputs[0].tensor.integer(row) : longest;
        auto results = scanOnce(id, plan, std::move(states), scanned, depth);
        if (!results)
            return results.error().code == base::ErrorCode::InvalidArgument
                ? fail(id, results.error().message)
                : Step(results.error());
        for (std::size_t i = 0; i < rows.size() && i < results->size(); ++i) {
            Tensor tensor = (*results)[i].tensor;
            if (i >= plan.states && tensor.rank() > 0 && tensor.shape()[0] < longest) {
                Extents rest = tensor.shape();
                rest[0] = longest - rest[0];
                const Tensor parts[] = {tensor, zerosLike(tensor, rest)};
                if (auto padded = joined(parts, 0))
                    tensor = *std::move(padded);
            }
            rows[i].push_back(std::move(tensor));
        }
    }
    Values results;
    for (const std::vector<Tensor>& parts : rows) {
        auto tensor = stacked(parts, 0);
        results.push_back(tensor ? Datum(*std::move(tensor)) : Datum());
    }
    outputs(id, std::move(results));
    return Done{};
}

Executor::Step Executor::runScan(NodeId id, const Values& inputs, int depth) {
    const ir::Node& node = m_graph.nodes[id];
    const bool isBatched = node.version > 0 && node.version < 9;
    const std::size_t lead = isBatched ? 1 : 0;
    const auto scanned = static_cast<std::size_t>(
        std::max<std::int64_t>(0, node.attributes.integer("num_scan_inputs", 0)));
    if (scanned == 0 || inputs.size() < lead + scanned)
        return fail(id, "Scan has fewer inputs than its num_scan_inputs says.");
    ScanPlan plan;
    plan.body = node.blocks.front();
    plan.states = inputs.size() - lead - scanned;
    plan.scans = node.outputs.size() > plan.states ? node.outputs.size() - plan.states : 0;
    plan.inAxes = node.attributes.integers("scan_input_axes");
    plan.inDirections = node.attributes.integers("scan_input_directions");
    plan.outAxes = node.attributes.integers("scan_output_axes");
    plan.outDirections = node.attributes.integers("scan_output_directions");
    if (isBatched)
        return batchedScan(id, std::move(plan), inputs, depth);
    Values states(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(plan.states));
    std::vector<Tensor> tensors;
    for (std::size_t i = plan.states; i < inputs.size(); ++i)
        tensors.push_back(inputs[i].tensor);
    const auto axis = axisIn(listed(plan.inAxes, 0), tensors[0].rank());
    if (!axis)
        return fail(id, "a scanned input has no such axis.");
    plan.length = tensors[0].shape()[*axis];
    auto results = scanOnce(id, plan, std::move(states), tensors, depth);
    if (!results)
        return results.error().code == base::ErrorCode::InvalidArgument
            ? fail(id, results.error().message)
            : Step(results.error());
    outputs(id, *std::move(results));
    return Done{};
}

Executor::Step Executor::runSequenceMap(NodeId id, const Values& inputs, int depth) {
    const ir::Node& node = m_graph.nodes[id];
    const BlockId body = node.blocks.front();
    if (inputs.empty() || inputs[0].kind != Datum::Kind::Sequence)
        return fail(id, "SequenceMap needs a sequence as its first input.");
    std::vector<Values> results(node.outputs.size());
    for (std::size_t step = 0; step < inputs[0].items.size(); ++step) {
        if (m_progress.isCancelled())
            return base::Progress::cancelled();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool isMapped = inputs[i].kind == Datum::Kind::Sequence;
            if (isMapped && inputs[i].items.size() != inputs[0].items.size())
                return fail(id, "the sequences have different lengths.");
            enter(body, i, isMapped ? inputs[i].items[step] : inputs[i]);
        }
        if (auto done = runBlock(body, depth); !done)
            return done;
        for (std::size_t o = 0; o < results.size(); ++o) {
            results[o].push_back(leave(body, o));
            if (!isAvailable(results[o].back())) {
                skip(id);
                return Done{};
            }
        }
        releaseBody(body);
    }
    Values sequences;
    for (Values& items : results)
        sequences.push_back(sequenceOf(std::move(items)));
    outputs(id, std::move(sequences));
    return Done{};
}

} // namespace fivefold::numerics
