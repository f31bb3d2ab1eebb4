// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/cycles.h"

#include "core/families/groq/operators.h"
#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::groq {

namespace {

using namespace lowering;

enum Unit : std::size_t { Icu, MemRead, MemWrite, Sxm, Vxm, Mxm, Link, UnitCount };

class Builder {
public:
    Builder(const Chip& chip, const StageGraph& graph, KernelId kernel, const SliceCycles& cycles)
        : m_chip(chip)
        , m_graph(graph)
        , m_kernel(graph.kernels[kernel])
        , m_cycles(cycles) {
        m_view.kernel = m_kernel.name;
        m_view.clockHz = chip.clockHz;
        m_view.isEstimated = chip.isEstimated;
        m_view.units = {"ICU", "MEM read", "MEM write", "SXM", "VXM", "MXM", "C2C"};
    }

    CycleView run() {
        m_view.cycles = m_cycles.total();
        if (m_cycles.link > 0)
            add(Link, "Send", 0, m_cycles.link);
        else
            addWork();
        std::vector<std::int64_t> starts;
        for (const CyclePhase& phase : m_view.phases)
            starts.push_back(phase.first);
        std::sort(starts.begin(), starts.end());
        starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
        for (const std::int64_t start : starts)
            add(Icu, "Issue", start, start + 1);
        std::stable_sort(m_view.phases.begin(), m_view.phases.end(),
            [](const CyclePhase& a, const CyclePhase& b) {
                return a.unit != b.unit ? a.unit < b.unit : a.first < b.first;
            });
        m_view.note = "One execution of " + m_kernel.name + ": " + std::to_string(m_view.cycles)
            + " cycles, all fixed when the program is compiled; exact relative to the machine's "
              "figures"
            + (m_view.isEstimated ? ", which are carried over from the first chip." : ".");
        return std::move(m_view);
    }

private:
    void add(Unit unit, std::string what, std::int64_t first, std::int64_t last,
        std::int64_t period = 0, std::int64_t repeat = 1) {
        if (last > first)
            m_view.phases.push_back({unit, std::move(what), first, last, period, repeat});
    }

    std::string operators(OpKind wanted) const {
        std::string text;
        std::size_t more = 0;
        for (const NodeId id : m_kernel.nodes) {
            const Node& node = m_graph.nodes[id];
            if (kindOf(m_graph, node) != wanted)
                continue;
            if (text.size() > 60)
                ++more;
            else
                text += (text.empty() ? "" : ", ") + node.op;
        }
        return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
    }

    void addWork() {
        const SliceCycles& c = m_cycles;
        const std::int64_t end = c.total(), arrive = c.install + c.transit;
        if (c.matrix > 0) {
            const std::int64_t planes = m_chip.planeRows * m_chip.planeColumns * m_chip.planes;
            add(MemRead, "Read weights", 0,
                std::min(c.install, ceilDiv(planes, m_chip.streamBytesPerCycle)));
            add(Mxm, "Install weights", 0, c.install);
        }
        add(MemRead, "Read operands", c.install, c.install + std::max<std::int64_t>(c.read, 1));
        const bool isRepeated = c.products == 1 && !c.product.isWeightBound;
        add(Mxm, c.product.isWeightBound ? "Install and multiply" : "Multiply, install next",
            arrive, arrive + c.matrix, isRepeated ? c.product.roundCycles : 0,
            isRepeated ? c.product.rounds : 1);
        std::string shifts = operators(OpKind::Shift);
        const std::string lookups = operators(OpKind::Lookup);
        if (shifts.empty())
            shifts = lookups;
        add(Sxm, shifts, arrive, arrive + c.shift);
        std::string work = operators(OpKind::Vector);
        const std::string reductions = operators(OpKind::Reduction);
        if (!reductions.empty())
            work += (work.empty() ? "" : ", ") + reductions;
        add(Vxm, work, end - c.vector, end);
        add(MemWrite, "Write results", end - c.write, end);
    }

    const Chip& m_chip;
    const StageGraph& m_graph;
    const Kernel& m_kernel;
    const SliceCycles& m_cycles;
    CycleView m_view;
};

} // namespace

CycleView cycleView(const machines::Machine& machine, machines::Precision precision,
    const StageGraph& graph, KernelId kernel) {
    const Chip c = chip(machine, precision);
    CycleView refused;
    refused.kernel = graph.kernels[kernel].name;
    refused.clockHz = c.clockHz;
    for (const NodeId id : graph.kernels[kernel].nodes) {
        const Node& node = graph.nodes[id];
        if (kindOf(graph, node) != OpKind::Unsupported && node.work.isKnown)
            continue;
        refused.note =
            node.name + " cannot be scheduled before the run, so its kernel has no cycles.";
        return refused;
    }
    const auto borders = boundaries(graph);
    return Builder(c, graph, kernel, sliceCycles(c, graph, kernel, borders[kernel])).run();
}

} // namespace fivefold::families::groq
