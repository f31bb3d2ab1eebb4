// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_transfers.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fivefold::numerics {

using lowering::EventKind;
using lowering::NodeId;
using lowering::StepId;
using lowering::ValueId;

namespace {

constexpr const char* kHost = "host";

/// Buffers of each value, far ones first.
using BuffersOf = base::IdVector<ValueId, std::vector<lowering::BufferId>>;

BuffersOf buffersOf(const lowering::Program& program, std::size_t values) {
    BuffersOf result(values);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const ValueId value = program.buffers[lowering::BufferId(b)].value;
        if (result.contains(value))
            result[value].emplace_back(b);
    }
    for (auto& list : result)
        std::stable_sort(list.begin(), list.end(), [&](lowering::BufferId x, lowering::BufferId y) {
            return program.buffers[x].level < program.buffers[y].level;
        });
    return result;
}

struct StepTimes {
    base::Picoseconds start, readFrom, readTo, compute, writeFrom, end;
    bool hasReads = false, hasCompute = false, hasWrites = false;
};

base::IdVector<StepId, StepTimes> timesOf(const lowering::Program& program) {
    base::IdVector<StepId, StepTimes> result(program.steps.size());
    std::vector<bool> isSeen(program.steps.size(), false);
    for (const lowering::Event& event : program.events) {
        if (!result.contains(event.step))
            continue;
        StepTimes& times = result[event.step];
        times.start = isSeen[event.step.index()] ? std::min(times.start, event.start) : event.start;
        isSeen[event.step.index()] = true;
        times.end = std::max(times.end, event.end);
        const bool isRead = event.kind == EventKind::Read;
        if (isRead) {
            times.readFrom = times.hasReads ? std::min(times.readFrom, event.start) : event.start;
            times.readTo = std::max(times.readTo, event.end);
            times.hasReads = true;
        } else if (event.kind == EventKind::Compute) {
            times.compute = times.hasCompute ? std::min(times.compute, event.start) : event.start;
            times.hasCompute = true;
        } else if (event.kind == EventKind::Write) {
            times.writeFrom =
                times.hasWrites ? std::min(times.writeFrom, event.start) : event.start;
            times.hasWrites = true;
        }
    }
    return result;
}

/// Collects the copies of a program.
class TransferList {
public:
    TransferList(const Subject& subject, const lowering::StageGraph& graph, Rung rung,
        const Checksums& sums, const std::vector<PlantedFault>& planted)
        : m_subject(subject)
        , m_program(*subject.program)
        , m_graph(graph)
        , m_sums(sums)
        , m_planted(planted)
        , m_isTimed(rung >= Rung::Timed)
        , m_buffers(buffersOf(m_program, graph.values.size()))
        , m_times(timesOf(m_program))
        , m_stepOf(stepsOfNodes(m_program, graph.nodes.size())) { }

    std::vector<Transfer> all();

private:
    std::string levelName(std::size_t level) const;
    std::string near() const;
    Transfer blank(ValueId value, std::string from, std::string to) const;
    void fromHost(ValueId value);
    void intoStep(StepId step, ValueId value);
    void outOfStep(StepId step, ValueId value);
    void befall(Transfer& transfer, StepId step) const;

    const Subject& m_subject;
    const lowering::Program& m_program;
    const lowering::StageGraph& m_graph;
    const Checksums& m_sums;
    const std::vector<PlantedFault>& m_planted;
    bool m_isTimed;
    BuffersOf m_buffers;
    base::IdVector<StepId, StepTimes> m_times;
    base::IdVector<NodeId, StepId> m_stepOf;
    std::vector<Transfer> m_result;
};

std::string TransferList::levelName(std::size_t level) const {
    return m_subject.machine && level < m_subject.machine->memories.size()
        ? m_subject.machine->memories[level].name
        : "memory";
}

/// Where the arithmetic takes its operands from.
std::string TransferList::near() const {
    const auto& memories = m_subject.machine->memories;
    return memories.empty() ? "unit" : memories.back().name;
}

Transfer TransferList::blank(ValueId value, std::string from, std::string to) const {
    Transfer transfer;
    transfer.value = value;
    transfer.from = std::move(from);
    transfer.to = std::move(to);
    if (const auto bytes = m_graph.values[value].deviceBytes())
        transfer.bytes = transfer.copied = bytes->value;
    transfer.sourceSum = transfer.targetSum = m_sums.right[value];
    return transfer;
}

void TransferList::fromHost(ValueId value) {
    if (m_buffers[value].empty())
        return;
    const lowering::Buffer& buffer = m_program.buffers[m_buffers[value].front()];
    Transfer transfer = blank(value, kHost, levelName(buffer.level));
    transfer.address = buffer.address;
    for (const PlantedFault& planted : m_planted)
        if (planted.number == 31 && planted.place.input == m_graph.values[value].source)
            if (const auto seen = m_sums.seen.find(value); seen != m_sums.seen.end())
                transfer.targetSum = seen->second;
    m_result.push_back(std::move(transfer));
}

/// What a fault of transfers does to the one that it befalls.
void TransferList::befall(Transfer& transfer, StepId step) const {
    for (const PlantedFault& planted : m_planted) {
        const bool isHere = planted.place.operand == transfer.value
            && std::any_of(m_program.steps[step].nodes.begin(), m_program.steps[step].nodes.end(),
                [&](NodeId node) { return planted.place.reads(node); });
        if (!isHere || (planted.number != 28 && planted.number != 29))
            continue;
        if (const auto seen = m_sums.seen.find(transfer.value); seen != m_sums.seen.end())
            transfer.targetSum = seen->second;
        if (planted.number == 29)
            transfer.copied = std::max<std::int64_t>(0, transfer.bytes - planted.missingBytes());
        else if (m_isTimed && transfer.completed > transfer.issued)
            transfer.firstRead = base::Picoseconds(transfer.issued.value
                + std::llround(static_cast<double>(transfer.completed.value - transfer.issued.value)
                    * planted.arrivedShare()));
        else if (m_isTimed) // too short for the model: read in the moment that it is issued
            transfer.completed = base::Picoseconds(transfer.firstRead.value + 1);
    }
}

void TransferList::intoStep(StepId step, ValueId value) {
    if (m_buffers[value].empty())
        return;
    const lowering::Buffer& buffer = m_program.buffers[m_buffers[value].front()];
    Transfer transfer = blank(value, levelName(buffer.level), near());
    transfer.address = m_program.buffers[m_buffers[value].back()].address;
    const StepTimes& times = m_times[step];
    if (m_isTimed) {
        transfer.issued = times.hasReads ? times.readFrom : times.start;
        transfer.completed = times.hasReads ? times.readTo : times.start;
        transfer.firstRead =
            times.hasCompute ? std::max(times.compute, transfer.completed) : transfer.completed;
    }
    befall(transfer, step);
    m_result.push_back(std::move(transfer));
}

void TransferList::outOfStep(StepId step, ValueId value) {
    if (m_buffers[value].empty())
        return;
    const lowering::Buffer& buffer = m_program.buffers[m_buffers[value].front()];
    Transfer transfer = blank(value, near(), levelName(buffer.level));
    transfer.address = buffer.address;
    const StepTimes& times = m_times[step];
    if (m_isTimed) {
        transfer.issued = times.hasWrites ? times.writeFrom : times.end;
        transfer.completed = transfer.firstRead = times.end;
    }
    m_result.push_back(std::move(transfer));
}

std::vector<Transfer> TransferList::all() {
    for (const ValueId input : m_graph.inputs)
        if (m_graph.values.contains(input))
            fromHost(input);
    for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
        const StepId step(s);
        std::vector<ValueId> reads, writes;
        for (const NodeId id : m_program.steps[step].nodes) {
            if (!m_graph.nodes.contains(id))
                continue;
            for (const ValueId input : m_graph.nodes[id].inputs) {
                if (!m_graph.values.contains(input))
                    continue;
                const NodeId producer = m_graph.values[input].producer;
                if (!producer.isValid() || m_stepOf[producer] != step)
                    reads.push_back(input);
            }
            for (const ValueId output : m_graph.nodes[id].outputs)
                if (m_graph.values.contains(output))
                    writes.push_back(output);
        }
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        for (const ValueId value : reads)
            if (m_sums.right[value] != 0)
                intoStep(step, value);
        for (const ValueId value : writes)
            if (m_sums.right[value] != 0)
                outOfStep(step, value);
    }
    for (const ValueId output : m_graph.outputs)
        if (m_graph.values.contains(output) && m_sums.right[output] != 0
            && !m_buffers[output].empty())
            m_result.push_back(blank(
                output, levelName(m_program.buffers[m_buffers[output].front()].level), kHost));
    return std::move(m_result);
}

template <typename T> std::uint64_t sumOf(const std::vector<T>& values) {
    // FNV-1a over 64-bit words (Fowler, Noll, Vo), in four lanes.
    constexpr std::uint64_t kBasis = 0xCBF29CE484222325ULL, kPrime = 0x100000001B3ULL;
    std::uint64_t lanes[4] = {kBasis, kBasis + 1, kBasis + 2, kBasis + 3};
    for (std::size_t i = 0; i < values.size(); ++i)
        lanes[i & 3] = (lanes[i & 3] ^ std::bit_cast<std::uint64_t>(values[i])) * kPrime;
    std::uint64_t sum = values.size() + 1;
    for (const std::uint64_t lane : lanes)
        sum = (sum ^ (lane ^ (lane >> 29))) * kPrime;
    return sum == 0 ? 1 : sum;
}

} // namespace

std::uint64_t checksum(const Tensor& tensor) {
    if (const auto* list = tensor.as<std::int64_t>())
        return sumOf(*list);
    if (const auto* list = tensor.as<double>())
        return sumOf(*list);
    return tensor.isDefined() ? sumOf(tensor.numbers()) : 0;
}

std::vector<Transfer> transfersOf(const Subject& subject, const lowering::StageGraph& graph,
    Rung rung, const Checksums& sums, const std::vector<PlantedFault>& planted) {
    return TransferList(subject, graph, rung, sums, planted).all();
}

} // namespace fivefold::numerics
