// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/floor_plan.h"

#include "core/families/cerebras/operators.h"
#include "core/lowering/fusion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fivefold::families::cerebras {

using lowering::Context;
using lowering::KernelId;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;

namespace {

double bytesOf(const StageGraph& graph, ValueId id) {
    const auto bytes = graph.values[id].bytes();
    return bytes ? static_cast<double>(bytes->value) : 0;
}

bool isAdded(const Node& node) {
    return node.op == kFabricMove;
}

Cycles cyclesOf(const Fabric& f, const StageGraph& graph, const Node& node, std::int64_t side) {
    const lowering::Work& w = node.work;
    if (!w.isKnown)
        return {};
    const auto elements = static_cast<double>(w.outElements);
    switch (kindOf(node)) {
    case OpKind::Contraction:
        if (w.m > 0 && w.n > 0 && w.k > 0)
            return batchCycles(f, w.batch, w.m, w.n, w.k, side);
        return elementwiseCycles(f, std::max(elements, w.flops / 2), side);
    case OpKind::Reduction:
        return reductionCycles(
            f, std::max(elements, elements * static_cast<double>(w.reduced)), side);
    case OpKind::Elementwise:
        return elementwiseCycles(f, elements, side);
    case OpKind::Move:
        if (isAdded(node) || node.outputs.empty() || !node.outputs.front().isValid())
            return {};
        return moveCycles(f, bytesOf(graph, node.outputs.front()), side);
    default:
        return {};
    }
}

/// Work in PE cycles that decides a region's share of the wafer.
double workOf(const Fabric& f, const Node& node) {
    if (!node.work.isKnown)
        return 0;
    return (static_cast<double>(node.work.macs) + static_cast<double>(node.work.outElements))
        / f.simd;
}

class Planner {
public:
    Planner(const Context& context, const StageGraph& graph)
        : m_graph(graph)
        , m_fabric(fabric(context.machine, context.settings.precision))
        , m_bytes(graph.kernels.size(), 0.0)
        , m_work(graph.kernels.size(), 0.0) {
        const auto& values = context.settings.values;
        const auto found = values.find(kModeSetting);
        m_plan.setting = found == values.end() ? kModeAuto : found->second;
    }

    FloorPlan run() {
        measure();
        chooseMode();
        if (!m_plan.isStreaming && !pipeline())
            m_plan.isStreaming = true;
        if (m_plan.isStreaming)
            stream();
        return std::move(m_plan);
    }

private:
    void measure() {
        const auto borders = lowering::boundaries(m_graph);
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            const KernelId id(k);
            for (ValueId value : borders[id].inputs)
                m_bytes[id] += bytesOf(m_graph, value);
            for (ValueId value : borders[id].outputs)
                m_bytes[id] += bytesOf(m_graph, value);
            for (NodeId node : m_graph.kernels[id].nodes)
                if (!isAdded(m_graph.nodes[node]))
                    m_work[id] += workOf(m_fabric, m_graph.nodes[node]);
            m_totalBytes += m_bytes[id];
        }
    }

    static std::string gigabytes(double bytes) {
        char text[32];
        std::snprintf(text, sizeof text, bytes < 1e9 ? "%.1f MB" : "%.1f GB",
            bytes < 1e9 ? bytes / 1e6 : bytes / 1e9);
        return text;
    }

    void chooseMode() {
        const double capacity = static_cast<double>(m_fabric.pes()) * m_fabric.usableBytes();
        const std::string need = gigabytes(m_totalBytes), have = gigabytes(capacity);
        if (m_plan.setting == kModeStreaming) {
            m_plan.isStreaming = true;
            m_plan.reason = "Weight streaming, as set: one layer at a time uses the whole wafer.";
        } else if (m_plan.setting == kModePipelined) {
            m_plan.reason = "Layer-pipelined, as set: every layer keeps its own rectangle; weights "
                            "and activations take "
                + need + " of " + have + " usable"
                + (m_totalBytes > capacity ? ", so some layers do not fit." : ".");
        } else if (m_totalBytes > capacity) {
            m_plan.isStreaming = true;
            m_plan.reason = "Weight streaming: weights and activations (" + need
                + ") exceed what the PEs can hold (" + have
                + "), so weights come from MemoryX one layer at a time.";
        } else if (static_cast<std::int64_t>(m_graph.kernels.size()) > m_fabric.pes()) {
            m_plan.isStreaming = true;
            m_plan.reason = "Weight streaming: there are more layers than PEs.";
        } else {
            m_plan.reason = "Layer-pipelined: weights and activations (" + need
                + ") fit the PEs' memories (" + have
                + " usable), so every layer keeps its own rectangle.";
        }
    }

    /// Least area that the bytes need, and a share of the rest by work.
    bool pipeline() {
        std::vector<double> demands(m_graph.kernels.size());
        const double work = std::max(1e-9, sum(m_work));
        double least = 0;
        for (std::size_t k = 0; k < demands.size(); ++k) {
            demands[k] = std::ceil(std::max(1.0, m_bytes[KernelId(k)] / m_fabric.usableBytes()));
            least += demands[k];
        }
        const double rest = std::max(0.0, static_cast<double>(m_fabric.pes()) - least);
        for (std::size_t k = 0; k < demands.size(); ++k)
            demands[k] += rest * m_work[KernelId(k)] / work;
        const auto packed = packRectangles({0, 0, m_fabric.columns, m_fabric.rows}, demands);
        if (!packed) {
            m_plan.reason = "Weight streaming: the layers cannot be cut out of the fabric.";
            return false;
        }
        m_plan.sites.resize(demands.size());
        for (std::size_t k = 0; k < demands.size(); ++k) {
            Site& site = m_plan.sites[KernelId(k)];
            site.rectangle = (*packed)[k];
            site.bytes = m_bytes[KernelId(k)];
            site.isOverfull = isOver(site);
            if (site.isOverfull && m_plan.setting != kModePipelined) {
                m_plan.reason = "Weight streaming: " + m_graph.kernels[KernelId(k)].name + " needs "
                    + whole(site.bytesPerPe()) + " bytes on each PE of its rectangle of "
                    + std::to_string(site.rectangle.width) + "×"
                    + std::to_string(site.rectangle.height) + ", and a PE has "
                    + whole(m_fabric.usableBytes()) + " of its " + whole(m_fabric.peBytes)
                    + " for data.";
                return false;
            }
            chooseSide(KernelId(k), site);
        }
        return true;
    }

    void stream() {
        m_plan.sites.assign(m_graph.kernels.size(), Site{});
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            Site& site = m_plan.sites[KernelId(k)];
            site.rectangle = {0, 0, m_fabric.columns, m_fabric.rows};
            site.bytes = m_bytes[KernelId(k)];
            site.isOverfull = isOver(site);
            chooseSide(KernelId(k), site);
        }
    }

    bool isOver(const Site& site) const {
        return site.bytes > static_cast<double>(site.rectangle.area()) * m_fabric.usableBytes();
    }
    static std::string whole(double bytes) {
        return std::to_string(static_cast<std::int64_t>(std::ceil(std::min(bytes, 9e18))));
    }

    /// The square that is fastest among those that hold the bytes: a larger one computes less a PE
    /// and shifts more often.
    void chooseSide(KernelId id, Site& site) const {
        const std::int64_t largest = std::min(site.rectangle.width, site.rectangle.height);
        const double least = std::ceil(std::sqrt(site.bytes / m_fabric.usableBytes()));
        bool isFirst = true;
        for (double side = static_cast<double>(largest); side >= 1; side /= std::sqrt(2.0)) {
            const auto whole = static_cast<std::int64_t>(side);
            if (!isFirst && static_cast<double>(whole) < least)
                break;
            const Cycles cycles = kernelCycles(id, whole);
            if (isFirst || cycles.total() < site.cycles.total()) {
                site.side = whole;
                site.cycles = cycles;
            }
            isFirst = false;
        }
    }

    Cycles kernelCycles(KernelId id, std::int64_t side) const {
        Cycles cycles;
        for (NodeId node : m_graph.kernels[id].nodes)
            cycles += cyclesOf(m_fabric, m_graph, m_graph.nodes[node], side);
        return cycles;
    }

    static double sum(const base::IdVector<KernelId, double>& values) {
        double total = 0;
        for (double value : values)
            total += value;
        return total;
    }

    const StageGraph& m_graph;
    Fabric m_fabric;
    base::IdVector<KernelId, double> m_bytes, m_work;
    double m_totalBytes = 0;
    FloorPlan m_plan;
};

} // namespace

double hopsBetween(const Rectangle& from, const Rectangle& to) {
    const auto apart = [](std::int64_t a, std::int64_t aSize, std::int64_t b, std::int64_t bSize) {
        return std::abs(static_cast<double>(2 * a + aSize - 2 * b - bSize)) / 2;
    };
    return apart(from.x, from.width, to.x, to.width) + apart(from.y, from.height, to.y, to.height);
}

FloorPlan planFloor(const Context& context, const StageGraph& graph) {
    return Planner(context, graph).run();
}

} // namespace fivefold::families::cerebras
