// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_run.h"

#include <algorithm>
#include <numeric>

namespace fivefold::numerics {

using lowering::Node;
using lowering::NodeId;
using lowering::ValueId;

namespace {

bool isDefined(const Datum& datum) {
    return datum.kind != Datum::Kind::Tensor || datum.tensor.isDefined();
}

std::int64_t bytesOf(const DeviceValue& value) {
    if (value.hasLanes())
        return value.index().lanes() * static_cast<std::int64_t>(sizeof(double));
    return value.whole().tensor.bytesInMemory();
}

bool isPlanted(const std::vector<PlantedFault>& planted, int first, int last) {
    return std::any_of(planted.begin(), planted.end(),
        [&](const PlantedFault& p) { return p.number >= first && p.number <= last; });
}

/// A value that an order reads before it is made; invalid: there is none.
ValueId readTooEarly(const lowering::StageGraph& graph, const std::vector<Turn>& order) {
    std::vector<std::uint8_t> isDone(graph.nodes.size(), 0);
    for (const Turn& turn : order) {
        for (const ValueId input : graph.nodes[turn.node].inputs)
            if (graph.values.contains(input) && graph.values[input].producer.isValid()
                && !isDone[graph.values[input].producer.index()])
                return input;
        isDone[turn.node.index()] = 1;
    }
    return {};
}

} // namespace

PhysicalRun::PhysicalRun(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress)
    : m_subject(subject)
    , m_graph(subject.program->stage(stageOf(rung)))
    , m_rung(rung)
    , m_options(options)
    , m_progress(progress)
    , m_values(subject, m_graph, inputs, options)
    , m_evaluator(subject, m_graph, rung, options, m_values, progress)
    , m_planted(plantedFaults(subject, m_graph, rung, options))
    , m_contents(m_graph.values.size())
    , m_isHeld(m_graph.values.size(), 0)
    , m_isFailed(m_graph.nodes.size(), 0) {
    m_run.rung = rung;
    m_seen.resize(m_planted.size());
    // With rounding, padding of zeros adds nothing and costs time: it runs along only where a fault
    // puts something else there.
    // A rule of F01 to F11 reads logical shapes, also of what comes before its node.
    const auto active = activeFaults(m_options, m_rung);
    const bool isLogical = std::any_of(active.begin(), active.end(),
        [](const Fault* fault) { return isLogicalFault(fault->id) && number(fault->id) <= 11; });
    m_isPadKept =
        (m_evaluator.arithmetic() == nullptr && !isLogical) || isPlanted(m_planted, 13, 16);
    m_sums.right.assign(m_graph.values.size(), 0);
    for (std::size_t i = 0; i < m_planted.size(); ++i) {
        if (auto still = standstill(m_planted[i]))
            m_standstills.push_back(*std::move(still));
        if (m_planted[i].number != 20)
            continue;
        const auto found = intrudersOf(*subject.program, m_graph, m_planted[i].place);
        if (!found.empty())
            m_intruders[i] = found[(m_planted[i].fault->seed - 1) % found.size()];
    }
    planOrder();
    planReleases();
    planMemory();
    m_isPadSeen = options.keepsLanes || !m_planted.empty() || !m_clashes.empty();
}

/// Program order of the steps from Scheduled on, unless loops are unrolled; the stage's before.
void PhysicalRun::planOrder() {
    m_order = m_evaluator.turns();
    const bool hasLoops = std::any_of(
        m_order.begin(), m_order.end(), [](const Turn& turn) { return turn.frame != 0; });
    if (m_rung >= Rung::Scheduled && !hasLoops) {
        const auto steps = stepsOfNodes(*m_subject.program, m_graph.nodes.size());
        std::vector<std::uint32_t> keys(m_graph.nodes.size(), 0);
        std::uint32_t last = 0;
        for (const Turn& turn : m_order) {
            if (steps[turn.node].isValid())
                last = steps[turn.node].value;
            keys[turn.node.index()] = last;
        }
        std::vector<Turn> order = m_order;
        std::stable_sort(order.begin(), order.end(), [&](const Turn& a, const Turn& b) {
            return keys[a.node.index()] < keys[b.node.index()];
        });
        if (const ValueId early = readTooEarly(m_graph, order); !early.isValid())
            m_order = std::move(order);
        else
            m_run.diagnostics.info("numerics.step_order", m_graph.values[early].name,
                "The program lists the step that reads it before the one that makes it; the "
                "operators run in the order of their operands.");
    }
    m_position.assign(m_graph.nodes.size(), m_order.size());
    for (std::size_t i = m_order.size(); i-- > 0;)
        m_position[m_order[i].node.index()] = i;
}

void PhysicalRun::planReleases() {
    std::vector<std::size_t> last(m_graph.values.size(), m_order.size());
    for (std::size_t t = 0; t < m_order.size(); ++t) {
        const Node& node = m_graph.nodes[m_order[t].node];
        for (const auto* list : {&node.inputs, &node.outputs})
            for (const ValueId id : *list)
                if (id.isValid())
                    last[id.index()] = t;
    }
    m_releases.resize(m_order.size());
    for (std::size_t i = 0; i < last.size(); ++i)
        if (last[i] < m_order.size())
            m_releases[last[i]].emplace_back(i);
}

/// Buffers name values of the placed stage: those of this one where it kept their numbers.
void PhysicalRun::planMemory() {
    if (m_rung < Rung::Placed)
        return;
    const auto& placed = m_subject.program->stage(lowering::Stage::Placed).values;
    const auto isSame = [&](ValueId id) {
        return placed.contains(id) && m_graph.values.contains(id)
            && placed[id].name == m_graph.values[id].name;
    };
    for (const Clash& clash : clashes(*m_subject.program)) {
        const ValueId writer = m_subject.program->buffers[clash.writer].value;
        const ValueId victim = m_subject.program->buffers[clash.victim].value;
        if (isSame(writer) && isSame(victim))
            m_clashes[writer].push_back(clash);
    }
}

std::shared_ptr<const LaneIndex> PhysicalRun::indexOf(const lowering::Value& value) {
    if (!value.layout)
        return nullptr;
    const auto [entry, isNew] = m_indices.try_emplace(value.layout.get());
    if (!isNew)
        return entry->second;
    auto index = std::make_shared<const LaneIndex>(*value.layout);
    if (index->reachesAll())
        entry->second = std::move(index);
    else
        m_run.diagnostics.warn("numerics.layout_reach", value.name,
            "Its layout has no lane for some of its elements; it is kept outside of lanes.");
    return entry->second;
}

/// Floats as the machine holds them.
Datum PhysicalRun::stored(Datum datum) const {
    const Arithmetic* arithmetic = m_evaluator.arithmetic();
    if (!arithmetic || datum.kind != Datum::Kind::Tensor || !ir::isFloat(datum.tensor.dtype())
        || ir::bitWidth(datum.tensor.dtype()) <= 8)
        return datum;
    std::vector<double> values = datum.tensor.numbers();
    for (double& value : values)
        value =
            round(value, arithmetic->storage, arithmetic->rounding, arithmetic->flushesSubnormals);
    datum.tensor = Tensor(datum.tensor.dtype(), datum.tensor.shape(), std::move(values));
    return datum;
}

/// Contents in the lanes of a value's layout, where it has one that fits them.
DeviceValue PhysicalRun::onDevice(ValueId id, const Datum& contents) {
    const lowering::Value& value = m_graph.values[id];
    const bool isNumeric = contents.kind == Datum::Kind::Tensor && contents.tensor.isDefined()
        && !contents.tensor.as<std::string>();
    const auto index = isNumeric ? indexOf(value) : nullptr;
    if (!index || index->shape() != contents.tensor.shape())
        return DeviceValue(contents);
    return DeviceValue(value.layout, index, contents.tensor.carried<double>(), m_options.poison);
}

void PhysicalRun::hold(ValueId id, DeviceValue value) {
    if (m_isHeld[id.index()])
        m_heldBytes -= bytesOf(m_contents[id.index()]);
    m_heldBytes += bytesOf(value);
    for (auto& seen : m_seen) // what was seen of it before, in an earlier iteration
        seen.erase(id);
    m_isHeld[id.index()] = 1;
    m_contents[id.index()] = std::move(value);
}

/// Checksum of what a transfer of the value would carry.
void PhysicalRun::note(ValueId id) {
    if (m_rung < Rung::Scheduled || !m_contents[id.index()].hasLanes())
        return;
    const DeviceValue& value = m_contents[id.index()];
    m_sums.right[id] = checksum(value.tensor());
}

base::Result<DeviceValue*> PhysicalRun::upload(ValueId id) {
    auto datum = m_values.of(id);
    if (!datum)
        return datum.error();
    hold(id, onDevice(id, stored(*std::move(datum))));
    note(id);
    for (const PlantedFault& planted : m_planted) {
        const lowering::Value& value = m_graph.values[id];
        if (planted.number != 31 || value.source != planted.place.input || value.producer.isValid())
            continue;
        spoilInput(planted, m_contents[id.index()]);
        m_sums.seen[id] = checksum(m_contents[id.index()].tensor());
    }
    return &m_contents[id.index()];
}

/// Memory that a reader finds before anybody has written it.
DeviceValue* PhysicalRun::unwritten(ValueId id) {
    const lowering::Value& value = m_graph.values[id];
    const auto index = indexOf(value);
    if (!index)
        return nullptr;
    m_run.diagnostics.warn("numerics.read_before_write", value.name,
        "The program reads it before the step that makes it.");
    hold(id,
        DeviceValue(value.layout, index, value.dtype, !ir::isFloat(value.dtype), m_options.poison));
    return &m_contents[id.index()];
}

base::Result<DeviceValue*> PhysicalRun::read(ValueId id, NodeId reader) {
    if (m_isHeld[id.index()])
        return seenBy(reader, id, m_contents[id.index()]);
    const lowering::Value& value = m_graph.values[id];
    if (!value.producer.isValid()) {
        auto uploaded = upload(id);
        return uploaded ? seenBy(reader, id, **uploaded) : uploaded;
    }
    if (const auto given = m_options.given.find(value.source);
        value.source.isValid() && given != m_options.given.end()) {
        hold(id, onDevice(id, given->second));
        return seenBy(reader, id, m_contents[id.index()]);
    }
    const bool isLater = m_position[value.producer.index()] > m_at
        && m_position[value.producer.index()] < m_order.size()
        && !m_isFailed[value.producer.index()] && m_evaluator.isWanted(value.producer);
    DeviceValue* old = isLater ? unwritten(id) : nullptr;
    if (old)
        return old;
    return base::Error{base::ErrorCode::NotFound, "An operand was not computed.", value.name};
}

/// What a node of a fault's place sees in the place of its operand; the operand itself elsewhere.
DeviceValue* PhysicalRun::seenBy(NodeId reader, ValueId id, DeviceValue& right) {
    DeviceValue* seen = &right;
    for (std::size_t i = 0; i < m_planted.size(); ++i) {
        const PlantedFault& planted = m_planted[i];
        if (!spoilsOperand(planted.number) || planted.place.operand != id
            || !planted.place.reads(reader) || !right.hasLanes())
            continue;
        const auto [entry, isNew] = m_seen[i].try_emplace(id, *seen);
        if (isNew) {
            m_run.lostTokens += spoilOperand(planted, entry->second);
            m_sums.seen[id] = checksum(entry->second.tensor());
        }
        seen = &entry->second;
    }
    return seen;
}

/// Results that the caller gives; true when all of the node's are.
bool PhysicalRun::takeGiven(const Node& node) {
    bool areAll = !m_options.given.empty();
    for (const ValueId output : node.outputs) {
        if (!output.isValid())
            continue;
        const ir::ValueId source = m_graph.values[output].source;
        const auto found = source.isValid() ? m_options.given.find(source) : m_options.given.end();
        if (found != m_options.given.end())
            hold(output, onDevice(output, found->second));
        else
            areAll = false;
    }
    return areAll;
}

bool PhysicalRun::gather(
    const Node& node, NodeId id, std::vector<DeviceValue*>& operands, Step& outcome) {
    for (const ValueId input : node.inputs) {
        if (!input.isValid()) {
            operands.push_back(nullptr);
            continue;
        }
        auto operand = read(input, id);
        if (operand) {
            operands.push_back(*operand);
            continue;
        }
        m_isFailed[id.index()] = 1;
        const bool isOwn = !m_graph.values[input].producer.isValid();
        if (operand.error().code == base::ErrorCode::Cancelled)
            outcome = operand.error();
        else if (isOwn && m_options.only.empty()) // one sentence where it begins
            m_run.diagnostics.warn("numerics.unknown_value", m_graph.values[input].name,
                operand.error().message, "What depends on it has no values at this rung.");
        return false;
    }
    return true;
}

/// The operator on boxes that reach into padding. A stand-in for the node (the sum of a mean) goes
/// to the kernels directly.
base::Result<std::vector<Datum>> PhysicalRun::evaluatePadded(
    const Turn& turn, std::span<const Datum> inputs, const Node& node) {
    const Node& own = m_graph.nodes[turn.node];
    if (node.canonical == own.canonical)
        return m_evaluator.evaluate(turn, inputs);
    Operation operation;
    operation.op = node.canonical;
    operation.name = node.name;
    operation.attributes = &node.attributes;
    operation.tensors = &m_subject.graph().tensors;
    Evaluation evaluation;
    evaluation.arithmetic = m_evaluator.arithmetic();
    evaluation.seed = m_options.seed;
    evaluation.progress = &m_progress;
    return numerics::evaluate(operation, inputs, evaluation);
}

NodeOnDevice PhysicalRun::callOf(const Turn& turn, std::vector<DeviceValue*> operands) {
    const Node& node = m_graph.nodes[turn.node];
    NodeOnDevice call{m_graph, node, std::move(operands)};
    call.runsOverPadding = m_isPadKept && turn.frame == 0;
    call.hasPadFault = isPlanted(m_planted, 13, 16);
    call.isPaddingSeen = m_isPadSeen;
    // A fault of the operator itself compares what it makes with logical shapes.
    for (const Fault* fault : activeFaults(m_options, m_rung))
        if (isLogicalFault(fault->id)
            && std::find(node.sources.begin(), node.sources.end(), fault->node)
                != node.sources.end())
            call.runsOverPadding = false;
    call.padRule = [this, &node, id = turn.node, operandsOf = call.operands](
                       const PaddedOperand& padded) {
        for (const PlantedFault& planted : m_planted)
            if (planted.place.holds(id))
                if (const auto rule = faultyPad(planted, node, padded, *operandsOf[padded.operand]))
                    return *rule;
        return PadRule{PadRule::Kind::Constant, padded.identity};
    };
    call.evaluate = [this, turn](std::span<const Datum> inputs) {
        return m_evaluator.evaluate(turn, inputs);
    };
    call.evaluatePadded = [this, turn](std::span<const Datum> inputs, const Node& standIn) {
        return evaluatePadded(turn, inputs, standIn);
    };
    return call;
}

/// Copies and conversions take the padding of their operand along, and its elements with it.
bool PhysicalRun::carryPadding(
    const Node& node, const std::vector<DeviceValue*>& operands, DeviceValue& result) {
    const bool isCopy = node.canonical == ir::Op::Identity || node.canonical == ir::Op::Cast;
    if (!isCopy || !m_isPadKept || !m_isPadSeen || operands.empty() || !operands[0]
        || !operands[0]->hasLanes() || operands[0]->isInteger() != result.isInteger()
        || operands[0]->index().shape() != result.index().shape())
        return false;
    const Extents& reach = result.index().reach();
    if (reach == result.index().shape())
        return false;
    result.write(operands[0]->box(reach), m_options.keepsLanes);
    return true;
}

void PhysicalRun::put(
    const Turn& turn, ValueId id, Datum result, const std::vector<DeviceValue*>& operands) {
    const lowering::Value& value = m_graph.values[id];
    const Node& node = m_graph.nodes[turn.node];
    const bool isNumeric = result.kind == Datum::Kind::Tensor && result.tensor.isDefined()
        && !result.tensor.as<std::string>();
    const auto index = isNumeric ? indexOf(value) : nullptr;
    const bool fits = index && index->shape().size() == result.tensor.rank()
        && std::equal(index->shape().begin(), index->shape().end(), result.tensor.shape().begin(),
            std::less_equal<>());
    if (!fits) {
        hold(id, DeviceValue(std::move(result)));
        return;
    }
    const bool isExact = result.tensor.shape() == index->shape();
    DeviceValue place = isExact ? DeviceValue(value.layout, index, result.tensor.carried<double>(),
                            m_options.poison, m_options.keepsLanes)
                                : DeviceValue(value.layout, index, result.tensor.dtype(),
                                    result.tensor.as<std::int64_t>() != nullptr, m_options.poison);
    if (carryPadding(node, operands, place) || !isExact)
        place.write(result.tensor, m_options.keepsLanes);
    for (const PlantedFault& planted : m_planted)
        if (spoilsResult(planted.number)
            && std::find(planted.place.exits.begin(), planted.place.exits.end(), turn.node)
                != planted.place.exits.end())
            spoilResult(
                planted, place, operands.empty() ? nullptr : operands[0], m_options.keepsLanes);
    hold(id, std::move(place));
    note(id);
    if (m_rung >= Rung::Placed)
        afterWrite(id);
}

/// F20: the other tensor comes to lie on the place's result.
void PhysicalRun::intrude(const PlantedFault& planted, const Intruder& intruder) {
    const ValueId victim = planted.place.result;
    if (!m_isHeld[victim.index()])
        return;
    if (!m_isHeld[intruder.value.index()]) {
        const auto given = m_options.given.find(m_graph.values[intruder.value].source);
        if (given == m_options.given.end())
            return;
        hold(intruder.value, onDevice(intruder.value, given->second));
    }
    const auto& buffers = m_subject.program->buffers;
    const lowering::Buffer& victimAt = buffers[intruder.victim];
    lowering::Buffer writerAt = buffers[intruder.buffer];
    // By default on the second half, so that both owners can be told apart.
    constexpr std::int64_t kLine = 128; // bytes
    const std::int64_t half = victimAt.bytes.value / 2 / kLine * kLine;
    writerAt.address = victimAt.address
        + static_cast<std::int64_t>(planted.parameter("offset", static_cast<double>(half)));
    DeviceValue changed = m_contents[victim.index()];
    overwrite(changed, victimAt, m_contents[intruder.value.index()], writerAt);
    hold(victim, std::move(changed));
}

void PhysicalRun::afterWrite(ValueId id) {
    for (const auto& [i, intruder] : m_intruders) {
        const PlantedFault& planted = m_planted[i];
        const bool isAlone = !m_options.only.empty() && planted.place.result == id;
        if (intruder.value == id || isAlone)
            intrude(planted, intruder);
    }
    const auto found = m_clashes.find(id);
    if (found == m_clashes.end())
        return;
    for (const Clash& clash : found->second) {
        const auto& buffers = m_subject.program->buffers;
        const ValueId victim = buffers[clash.victim].value;
        if (!m_isHeld[victim.index()])
            continue;
        DeviceValue changed = m_contents[victim.index()];
        overwrite(changed, buffers[clash.victim], m_contents[id.index()], buffers[clash.writer]);
        hold(victim, std::move(changed));
        m_run.diagnostics.warn("numerics.overlap", m_graph.values[victim].name,
            "Its memory is overwritten by " + m_graph.values[id].name + " while it is held.");
    }
}

bool PhysicalRun::standsStill(NodeId node) {
    for (const Standstill& still : m_standstills) {
        if (still.before != node)
            continue;
        m_run.deadlock = still.deadlock;
        m_run.deadlockSentence = still.sentence;
        m_run.lostTokens += still.lostTokens;
        if (still.outstanding)
            m_run.transfers.push_back(*still.outstanding);
        m_run.diagnostics.error(still.deadlock ? "numerics.deadlock" : "numerics.dma_timeout",
            m_graph.nodes[node].name, still.sentence);
        return true;
    }
    return false;
}

PhysicalRun::Step PhysicalRun::execute(const Turn& turn) {
    const Node& node = m_graph.nodes[turn.node];
    if (takeGiven(node) || !m_evaluator.isWanted(turn.node) || m_isFailed[turn.node.index()])
        return base::Done{};
    if (m_progress.isCancelled())
        return base::Progress::cancelled();
    std::vector<DeviceValue*> operands;
    Step outcome = base::Done{};
    if (!gather(node, turn.node, operands, outcome))
        return outcome;
    std::vector<std::shared_ptr<const LaneIndex>> indices;
    for (const ValueId output : node.outputs)
        indices.push_back(output.isValid() ? indexOf(m_graph.values[output]) : nullptr);
    auto results = runOnDevice(callOf(turn, operands), indices);
    if (!results && results.error().code == base::ErrorCode::Cancelled)
        return results.error();
    if (!results) {
        m_isFailed[turn.node.index()] = 1;
        m_run.diagnostics.warn("numerics.not_executable", node.name, results.error().message,
            "What depends on it has no values at this rung.");
        return base::Done{};
    }
    for (std::size_t i = 0; i < node.outputs.size() && i < results->size(); ++i) {
        const ValueId output = node.outputs[i];
        const bool isGiven = output.isValid() && m_graph.values[output].source.isValid()
            && m_options.given.contains(m_graph.values[output].source);
        if (output.isValid() && !isGiven && isDefined((*results)[i]))
            put(turn, output, std::move((*results)[i]), operands);
    }
    if (m_heldBytes > m_options.memoryLimitBytes)
        return base::Error{base::ErrorCode::Limit,
            "The run holds " + std::to_string(m_heldBytes >> 20)
                + " MiB of values, beyond its limit; keep fewer values or bind smaller sizes.",
            node.name};
    return base::Done{};
}

void PhysicalRun::release(std::size_t position) {
    if (!m_options.keeps)
        return;
    for (const ValueId id : m_releases[position]) {
        const ir::ValueId source = m_graph.values[id].source;
        if (!m_isHeld[id.index()] || (source.isValid() && m_options.keeps(source)))
            continue;
        m_heldBytes -= bytesOf(m_contents[id.index()]);
        m_contents[id.index()] = {};
        m_isHeld[id.index()] = 0;
    }
}

/// Lanes after their last use: the elements are enough where nobody looks at the padding.
void PhysicalRun::settle(std::size_t position) {
    if (m_isPadSeen)
        return;
    for (const ValueId id : m_releases[position]) {
        DeviceValue& value = m_contents[id.index()];
        if (!m_isHeld[id.index()] || !value.hasLanes())
            continue;
        m_heldBytes -= bytesOf(value);
        value = DeviceValue(value.whole());
        m_heldBytes += bytesOf(value);
    }
}

void PhysicalRun::finish() {
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        const ValueId id(i);
        if (!m_isHeld[i])
            continue;
        record(m_run, m_graph, m_options, id, m_contents[i].whole());
        const ir::ValueId source = m_graph.values[id].source;
        if (m_options.keepsLanes && source.isValid() && m_contents[i].hasLanes()
            && (!m_options.keeps || m_options.keeps(source)))
            m_run.lanes.try_emplace(source, m_contents[i].lanes());
    }
    for (const ValueId output : m_graph.outputs) // one that is an input or a constant
        if (output.isValid() && !m_isHeld[output.index()]
            && !m_graph.values[output].producer.isValid())
            if (auto value = upload(output))
                record(m_run, m_graph, m_options, output, (*value)->whole());
    if (m_rung >= Rung::Scheduled) {
        auto transfers = transfersOf(m_subject, m_graph, m_rung, m_sums, m_planted);
        m_run.transfers.insert(m_run.transfers.begin(), std::make_move_iterator(transfers.begin()),
            std::make_move_iterator(transfers.end()));
    }
    m_run.diagnostics.append(m_values.diagnostics);
}

base::Result<RungRun> PhysicalRun::run() {
    for (m_at = 0; m_at < m_order.size(); ++m_at) {
        if (standsStill(m_order[m_at].node))
            break;
        if (auto done = execute(m_order[m_at]); !done)
            return done.error();
        release(m_at);
        settle(m_at);
        if (m_at % 64 == 0)
            m_progress.report(
                toString(m_rung), static_cast<double>(m_at) / static_cast<double>(m_order.size()));
    }
    finish();
    return std::move(m_run);
}

base::Result<RungRun> runPhysical(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress) {
    return PhysicalRun(subject, rung, inputs, options, progress).run();
}

} // namespace fivefold::numerics
