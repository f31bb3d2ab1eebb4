// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/floor_plan.h"
#include "core/families/cerebras/operators.h"
#include "core/families/cerebras/stages.h"
#include "core/lowering/aliases.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>

namespace fivefold::families::cerebras {

namespace {

using namespace lowering;
using base::Bytes;

constexpr std::int64_t kMostReports = 20; ///< layers or tensors that are named one by one

class Placer {
public:
    Placer(const Context& context, const StageGraph& graph, Program& program)
        : m_context(context)
        , m_graph(graph)
        , m_program(program)
        , m_fabric(fabric(context.machine, context.settings.precision))
        , m_plan(planFloor(context, graph))
        , m_near(memory::levelOf(context.machine, machines::MemoryKind::Scratchpad).value_or(0))
        , m_far(memory::levelOf(context.machine, machines::MemoryKind::Device).value_or(0))
        , m_stored(
              storedValues(graph, [](const Node& node) { return kindOf(node) == OpKind::View; })) {
    }

    void run() {
        m_program.steps = stepsFromKernels(m_graph);
        m_program.mode = m_plan.reason;
        for (Step& step : m_program.steps)
            describe(step);
        if (!m_plan.isStreaming)
            for (std::size_t k = 0; k < m_plan.sites.size(); ++k) {
                const Rectangle& r = m_plan.sites[KernelId(k)].rectangle;
                m_program.regions.push_back({KernelId(k), r.x, r.y, r.width, r.height});
            }
        placeValues();
        reportOverfull();
        reportSpills();
    }

private:
    /// Which layer does not fit, and by how much.
    void reportOverfull() const {
        std::int64_t more = 0;
        for (const Step& step : m_program.steps) {
            const Site& site = m_plan.sites[step.kernel];
            if (!site.isOverfull)
                continue;
            if (++more > kMostReports)
                continue;
            m_context.diagnostics.warn("cerebras.pe_memory", m_graph.nodes[step.mainNode].name,
                m_graph.kernels[step.kernel].name + " needs " + std::to_string(site.peBytes)
                    + " bytes on each of its " + std::to_string(site.pes()) + " PEs, and a PE has "
                    + std::to_string(usable()) + " of its "
                    + std::to_string(static_cast<std::int64_t>(m_fabric.peBytes)) + " for data.",
                m_plan.isStreaming ? "Use a smaller batch or sequence, or cut the layer."
                                   : "Stream the weights (mode weight_streaming), use a smaller "
                                     "batch, or spread the layers over several systems.");
        }
        if (more > kMostReports)
            m_context.diagnostics.warn("cerebras.pe_memory", "",
                std::to_string(more - kMostReports) + " more layers do not fit their PEs.",
                "Stream the weights, or use a smaller batch.");
    }

    /// Which tensor left the wafer, and why.
    void reportSpills() const {
        for (std::size_t i = 0; i < m_spills.size(); ++i) {
            if (i == kMostReports) {
                m_context.diagnostics.warn("cerebras.spill", "",
                    std::to_string(m_spills.size() - i)
                        + " more tensors do not fit the memories of their PEs.",
                    "Use a smaller batch or sequence.");
                return;
            }
            const Buffer& buffer = m_program.buffers[m_spills[i]];
            const Value& value = m_graph.values[buffer.value];
            const KernelId home = homeOf(m_graph, value);
            m_context.diagnostics.warn("cerebras.spill",
                home.isValid() ? m_graph.nodes[m_program.steps[stepOf(home)].mainNode].name
                               : std::string(),
                value.name + " is kept off the wafer: " + buffer.reason,
                m_plan.isStreaming ? "Use a smaller batch or sequence, or cut the layer."
                                   : "Stream the weights (mode weight_streaming), use a smaller "
                                     "batch, or spread the layers over several systems.");
        }
    }

    std::int64_t usable() const { return static_cast<std::int64_t>(m_fabric.usableBytes()); }

    void describe(Step& step) const {
        const Site& site = m_plan.sites[step.kernel];
        step.unitsUsed = site.pes();
        step.workDivision = std::to_string(site.columns) + "×" + std::to_string(site.rows) + " of "
            + std::to_string(site.rectangle.width) + "×" + std::to_string(site.rectangle.height)
            + " PEs";
    }

    /// The value that a region's own copy was made of; invalid for other values.
    ValueId copiedFrom(const Value& value) const {
        if (!value.producer.isValid() || m_graph.nodes[value.producer].op != kFabricMove)
            return {};
        const auto& inputs = m_graph.nodes[value.producer].inputs;
        const ValueId from = inputs.empty() ? ValueId() : inputs.front();
        return from.isValid() && !m_graph.values[from].producer.isValid() ? from : ValueId();
    }

    /// Stored values that regions hand over, and the copies that their readers keep of them.
    std::vector<ValueId> kept() const {
        std::vector<ValueId> values =
            memory::storedAtBorders(m_graph, boundaries(m_graph), m_stored);
        for (const Node& node : m_graph.nodes)
            if (node.op == kFabricMove && !node.outputs.empty() && node.outputs.front().isValid()
                && m_stored[node.outputs.front()] == node.outputs.front())
                values.push_back(node.outputs.front());
        std::ranges::sort(values);
        values.erase(std::unique(values.begin(), values.end()), values.end());
        return values;
    }

    void placeValues() {
        if (m_program.steps.empty())
            return;
        const auto lives = memory::lifetimes(m_graph, m_program.steps, m_stored);
        std::vector<std::vector<ValueId>> byKernel(m_graph.kernels.size());
        // What stays inside a region is worked on in place, block by block.
        for (const ValueId id : kept()) {
            const KernelId home = homeOf(m_graph, m_graph.values[id]);
            if (m_graph.values[id].deviceBytes() && home.isValid())
                byKernel[m_plan.isStreaming ? 0 : home.index()].push_back(id);
        }
        for (const auto& values : byKernel)
            placeTogether(values, lives);
        if (m_plan.isStreaming)
            placeOffWafer();
    }

    void placeTogether(
        std::vector<ValueId> values, const base::IdVector<ValueId, memory::Lifetime>& lives) {
        std::ranges::stable_sort(values, {}, [&](ValueId id) {
            const Value& value = m_graph.values[id];
            return m_plan.isStreaming && memory::isResident(value.role) ? usedSteps(value).first
                                                                        : lives[id].first;
        });
        std::vector<memory::Request> requests;
        for (ValueId id : values) {
            const Value& value = m_graph.values[id];
            const std::int64_t each =
                value.layout ? layout::bytesPerUnit(*value.layout) : value.deviceBytes()->value;
            memory::Lifetime life = lives[id];
            if (m_plan.isStreaming && memory::isResident(value.role))
                life = usedSteps(value);
            if (const ValueId from = copiedFrom(value); from.isValid())
                life = {
                    std::min(life.first, lives[from].first), std::max(life.last, lives[from].last)};
            requests.push_back({Bytes(std::max<std::int64_t>(1, each)), life});
        }
        const auto addresses = memory::allocateFirstFit(requests, Bytes(usable()), kWordBytes);
        for (std::size_t i = 0; i < values.size(); ++i)
            add(values[i], requests[i], addresses[i]);
    }

    void add(ValueId id, const memory::Request& request, std::optional<std::int64_t> address) {
        const Value& value = m_graph.values[id];
        Buffer buffer = memory::bufferOf(m_graph, id, address ? m_near : m_far,
            {address ? request.bytes : *value.deviceBytes(), request.lifetime});
        if (const ValueId from = copiedFrom(value); from.isValid())
            buffer.category = m_graph.values[from].role;
        if (address) {
            const Site& site = m_plan.sites[homeOf(m_graph, value)];
            buffer.unit =
                m_plan.isStreaming ? -1 : site.rectangle.y * m_fabric.columns + site.rectangle.x;
            buffer.address = *address;
            buffer.reason = m_plan.isStreaming
                ? "A block on every PE of the square that its layer uses."
                : "A block on every PE of its region.";
            m_program.buffers.add(std::move(buffer));
            return;
        }
        buffer.isSpill = true;
        buffer.address = m_farTop;
        m_farTop = saturatingAdd(m_farTop, roundUp(buffer.bytes.value, kWordBytes));
        buffer.reason = "Its " + std::to_string(request.bytes.value) + " bytes a PE do not fit the "
            + std::to_string(usable()) + " that a PE has for data beside what lives there.";
        m_spills.push_back(m_program.buffers.add(std::move(buffer)));
    }

    memory::Lifetime usedSteps(const Value& value) const {
        memory::Lifetime life{StepId(m_program.steps.size() - 1), StepId(0)};
        for (NodeId user : value.users) {
            const StepId step = stepOf(m_graph.nodes[user].kernel);
            life.first = std::min(life.first, step);
            life.last = std::max(life.last, step);
        }
        if (life.last < life.first)
            life = {StepId(0), StepId(0)};
        return life;
    }

    StepId stepOf(KernelId kernel) const {
        if (m_stepOf.empty()) {
            m_stepOf.resize(m_graph.kernels.size());
            for (std::size_t s = 0; s < m_program.steps.size(); ++s)
                m_stepOf[m_program.steps[StepId(s)].kernel] = StepId(s);
        }
        return m_stepOf[kernel];
    }

    void placeOffWafer() {
        std::vector<std::uint8_t> isSpilled(m_graph.values.size(), 0); // off the wafer already
        for (const BufferId id : m_spills)
            isSpilled[m_program.buffers[id].value.index()] = 1;
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[ValueId(i)];
            if (value.role != ValueRole::Weight || !value.deviceBytes() || m_near == m_far
                || isSpilled[i] != 0)
                continue;
            Buffer buffer = memory::bufferOf(m_graph, ValueId(i), m_far,
                {*value.deviceBytes(), {StepId(0), StepId(m_program.steps.size() - 1)}});
            buffer.address = m_farTop;
            buffer.reason = "Weights stay in MemoryX and stream in when their layer runs.";
            m_farTop = saturatingAdd(m_farTop, roundUp(buffer.bytes.value, kWordBytes));
            buffer.decidedBy = DecidedBy::Runtime;
            m_program.buffers.add(std::move(buffer));
        }
    }

    const Context& m_context;
    const StageGraph& m_graph;
    Program& m_program;
    Fabric m_fabric;
    FloorPlan m_plan;
    std::size_t m_near, m_far;
    std::vector<BufferId> m_spills;
    std::int64_t m_farTop = 0; ///< first free address off the wafer
    base::IdVector<ValueId, ValueId> m_stored;
    mutable base::IdVector<KernelId, StepId> m_stepOf;
};

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    laidOut.stage = Stage::Placed;
    Placer(context, laidOut, program).run();
    return laidOut;
}

} // namespace fivefold::families::cerebras
