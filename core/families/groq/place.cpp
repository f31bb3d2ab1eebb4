// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/families/groq/partition.h"
#include "core/families/groq/stages.h"
#include "core/families/groq/work.h"
#include "core/lowering/aliases.h"
#include "core/lowering/rewriter.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>
#include <map>

namespace fivefold::families::groq {

namespace {

using namespace lowering;

class Placer {
public:
    Placer(const Context& context, const StageGraph& graph, Program& program)
        : m_context(context)
        , m_graph(graph)
        , m_program(program)
        , m_chip(chip(context.machine, context.settings.precision))
        , m_stored(storedValues(
              graph, [&graph](const Node& node) { return kindOf(graph, node) == OpKind::View; })) {
        m_level = memory::levelOf(context.machine, machines::MemoryKind::Scratchpad).value_or(0);
    }

    /// The chip of each kernel, and the room that its activations take.
    Partition trial() {
        m_program.steps = stepsFromKernels(m_graph);
        if (m_program.steps.empty())
            return {};
        collectActivations();
        return partition(m_graph, m_chip, m_activationBytes);
    }
    std::int64_t activationBytes() const { return m_activationBytes; }

    /// `reserved`: the room for activations that the trial found, so that weights lie as they did.
    void run(std::int64_t reserved) {
        m_program.steps = stepsFromKernels(m_graph);
        if (m_program.steps.empty())
            return;
        collectActivations();
        Partition parts = partition(m_graph, m_chip, reserved);
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k)
            if (m_graph.kernels[KernelId(k)].kind == kTransfer)
                parts.chipOf[KernelId(k)] = readerChip(KernelId(k), parts);
        for (Step& step : m_program.steps)
            describe(step, parts);
        placeWeights(parts);
        placeActivations(parts);
        const std::int64_t needed =
            ceilDiv(saturatingAdd(parts.weightBytes, m_activationBytes), m_chip.sramBytes);
        m_program.chips = std::max(parts.chips, needed);
        m_program.mode = m_program.chips == 1 ? "One chip: weights and activations fit its SRAM."
                                              : std::to_string(m_program.chips)
                + " chips: weights of " + std::to_string(parts.weightBytes)
                + " bytes and activations of " + std::to_string(m_activationBytes)
                + " bytes exceed one chip's SRAM of " + std::to_string(m_chip.sramBytes)
                + ", so the layers are laid over chips in a row.";
    }

private:
    /// A transfer lands on the chip of what reads it.
    std::int64_t readerChip(KernelId kernel, const Partition& parts) const {
        for (const NodeId id : m_graph.kernels[kernel].nodes)
            for (const ValueId output : m_graph.nodes[id].outputs)
                for (const NodeId user : m_graph.values[output].users)
                    return parts.chipOf[m_graph.nodes[user].kernel];
        return parts.chipOf[kernel];
    }

    /// Addresses of everything that is not a weight, and how high they reach.
    void collectActivations() {
        const auto lives = memory::lifetimes(m_graph, m_program.steps, m_stored);
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[ValueId(i)];
            if (memory::isResident(value.role) || m_stored[ValueId(i)] != ValueId(i)
                || !value.deviceBytes())
                continue;
            m_activations.push_back(ValueId(i));
        }
        std::ranges::stable_sort(
            m_activations, {}, [&lives](ValueId id) { return lives[id].first; });
        for (ValueId id : m_activations)
            m_requests.push_back({*m_graph.values[id].deviceBytes(), lives[id]});
        m_addresses = memory::allocateFirstFit(m_requests, std::nullopt, m_chip.lanes);
        for (std::size_t i = 0; i < m_requests.size(); ++i)
            m_activationBytes =
                std::max(m_activationBytes, m_addresses[i].value_or(0) + m_requests[i].bytes.value);
    }

    void describe(Step& step, const Partition& parts) const {
        const Work& w = m_graph.nodes[step.mainNode].work;
        step.unitsUsed = 1;
        if (kindOf(m_graph, m_graph.nodes[step.mainNode]) == OpKind::Matrix && w.isKnown && w.k > 0)
            step.workDivision =
                std::to_string(tileCount(w.k, w.n, m_chip.planeRows, m_chip.planeColumns))
                + " MXM tiles of " + std::to_string(m_chip.planeRows) + "×"
                + std::to_string(m_chip.planeColumns);
        else
            step.workDivision = "vectors of " + std::to_string(m_chip.lanes) + " lanes";
        if (parts.chips > 1)
            step.workDivision += (step.workDivision.empty() ? "chip " : " · chip ")
                + std::to_string(parts.chipOf[step.kernel]);
    }

    void placeWeights(const Partition& parts) {
        for (const Partition::Piece& piece : parts.pieces) {
            Buffer buffer = memory::bufferOf(m_graph, piece.value, m_level,
                {base::Bytes(piece.bytes), {StepId(0), StepId(m_program.steps.size() - 1)}});
            buffer.unit = piece.chip;
            buffer.address = piece.address;
            buffer.reason = "Weights stay in SRAM for as long as the program is loaded.";
            m_program.buffers.add(std::move(buffer));
        }
    }

    void placeActivations(const Partition& parts) {
        std::int64_t tooLarge = 0;
        for (std::size_t i = 0; i < m_activations.size(); ++i) {
            const Value& value = m_graph.values[m_activations[i]];
            const NodeId at = value.producer.isValid() ? value.producer
                : value.users.empty()                  ? NodeId()
                                                       : value.users.front();
            Buffer buffer = memory::bufferOf(m_graph, m_activations[i], m_level, m_requests[i]);
            buffer.unit = at.isValid() ? parts.chipOf[m_graph.nodes[at].kernel] : 0;
            buffer.address = parts.activationBase + m_addresses[i].value_or(0);
            buffer.isSpill = buffer.address + buffer.bytes.value > m_chip.sramBytes;
            tooLarge += buffer.isSpill ? 1 : 0;
            buffer.reason = buffer.isSpill
                ? "Its " + std::to_string(buffer.bytes.value)
                    + " bytes do not fit beside what lives there, and the chip has no other memory."
                : "Above the weights, at an address that the compiler fixed.";
            m_program.buffers.add(std::move(buffer));
        }
        if (tooLarge > 0)
            m_context.diagnostics.warn("groq.activations", "",
                std::to_string(tooLarge)
                    + " tensors do not fit one chip's SRAM beside what lives there; the chip has "
                      "no other memory.",
                "Use a smaller batch or sequence, or spread the rows over more chips.");
    }

    const Context& m_context;
    const StageGraph& m_graph;
    Program& m_program;
    Chip m_chip;
    base::IdVector<ValueId, ValueId> m_stored;
    std::size_t m_level = 0;
    std::vector<ValueId> m_activations;
    std::vector<memory::Request> m_requests;
    std::vector<std::optional<std::int64_t>> m_addresses;
    std::int64_t m_activationBytes = 0;
};

/// A copy of every value that a kernel on another chip reads, once a chip: it crosses the links at
/// a cycle that the compiler fixed.
StageGraph withTransfers(StageGraph graph, const Partition& parts) {
    Rewriter rewriter(std::move(graph), Stage::Placed, words());
    std::map<std::pair<std::uint32_t, std::int64_t>, ValueId> sent;
    bool isChanged = false;
    for (const NodeId id : rewriter.order()) {
        const std::int64_t to = parts.chipOf[rewriter.node(id).kernel];
        for (std::size_t i = 0; i < rewriter.node(id).inputs.size(); ++i) {
            const ValueId value = rewriter.input(id, i);
            const NodeId producer = value.isValid() ? rewriter.value(value).producer : NodeId();
            if (!producer.isValid() || !rewriter.value(value).shape)
                continue;
            const std::int64_t from = parts.chipOf[rewriter.node(producer).kernel];
            if (from == to)
                continue;
            const auto known = sent.find({value.value, to});
            if (known != sent.end()) {
                rewriter.setInput(id, i, known->second);
                continue;
            }
            NewNode node;
            node.canonical = ir::Op::Identity;
            node.suffix = "to_chip_" + std::to_string(to);
            node.op = kTransferOp;
            const ValueId made = rewriter.insertBefore(id, i, std::move(node),
                rewriter.node(id).name + " runs on chip " + std::to_string(to)
                    + ", where its weights lie, and reads a result of chip " + std::to_string(from)
                    + ": it crosses the links in cycles that the compiler fixed.");
            rewriter.editValue(made).layout = rewriter.value(value).layout;
            sent.emplace(std::pair{value.value, to}, made);
            isChanged = true;
        }
    }
    StageGraph placed = std::move(rewriter).finish();
    if (isChanged)
        for (Kernel& kernel : placed.kernels)
            if (kernel.nodes.size() == 1 && placed.nodes[kernel.nodes.front()].op == kTransferOp)
                kernel.kind = kTransfer;
    return placed;
}

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    laidOut.stage = Stage::Placed;
    Placer first(context, laidOut, program);
    const Partition parts = first.trial();
    if (parts.chips > 1)
        laidOut = withTransfers(std::move(laidOut), parts);
    Placer(context, laidOut, program).run(first.activationBytes());
    return laidOut;
}

} // namespace fivefold::families::groq
