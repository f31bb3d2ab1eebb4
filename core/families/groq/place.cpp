// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/families/groq/partition.h"
#include "core/families/groq/stages.h"
#include "core/lowering/aliases.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>

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

    void run() {
        m_program.steps = stepsFromKernels(m_graph);
        if (m_program.steps.empty())
            return;
        collectActivations();
        const Partition parts = partition(m_graph, m_chip, m_activationBytes);
        m_program.chips = parts.chips;
        for (Step& step : m_program.steps)
            describe(step, parts);
        placeWeights(parts);
        placeActivations(parts);
        m_program.mode = parts.chips == 1 ? "One chip: weights and activations fit its SRAM."
                                          : std::to_string(parts.chips) + " chips: the weights of "
                + std::to_string(parts.weightBytes) + " bytes exceed one chip's SRAM of "
                + std::to_string(m_chip.sramBytes)
                + ", so the layers are laid over chips in a row.";
    }

private:
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
                ? "It does not fit beside what lives there, and the chip has no other memory."
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

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    laidOut.stage = Stage::Placed;
    Placer(context, laidOut, program).run();
    return laidOut;
}

} // namespace fivefold::families::groq
