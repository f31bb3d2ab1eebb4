// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/floor_plan.h"

#include "core/families/cerebras/operators.h"
#include "core/layout/family_layouts.h"
#include "core/lowering/aliases.h"
#include "core/lowering/fusion.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

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
        , m_borders(lowering::boundaries(graph))
        , m_held(graph.kernels.size())
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
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            const KernelId id(k);
            for (ValueId value : m_borders[id].inputs)
                m_bytes[id] += bytesOf(m_graph, value);
            for (ValueId value : m_borders[id].outputs)
                m_bytes[id] += bytesOf(m_graph, value);
            for (NodeId node : m_graph.kernels[id].nodes)
                if (!isAdded(m_graph.nodes[node]))
                    m_work[id] += workOf(m_fabric, m_graph.nodes[node]);
            m_totalBytes += m_bytes[id];
        }
    }

    /// What the PEs of each region keep: the stored values at home there, and copies of what it
    /// reads from elsewhere.
    void holdByRegion() {
        const auto stored = lowering::storedValues(
            m_graph, [](const Node& node) { return kindOf(node) == OpKind::View; });
        for (const ValueId id : memory::storedAtBorders(m_graph, m_borders, stored)) {
            const Value& value = m_graph.values[id];
            const KernelId home = homeOf(m_graph, value);
            if (home.isValid()
                && !(value.producer.isValid() && isAdded(m_graph.nodes[value.producer])))
                m_held[home].push_back(id);
        }
        // Homes once a value: thousands of regions may read one.
        base::IdVector<ValueId, KernelId> homes(m_graph.values.size());
        for (std::size_t i = 0; i < homes.size(); ++i)
            homes[ValueId(i)] = homeOf(m_graph, m_graph.values[ValueId(i)]);
        for (std::size_t k = 0; k < m_held.size(); ++k)
            for (const ValueId id : m_borders[KernelId(k)].inputs) {
                const Value& value = m_graph.values[id];
                if (homes[id] != KernelId(k)
                    && (value.producer.isValid() || isCopied(value)))
                    m_held[KernelId(k)].push_back(id);
            }
    }

    /// A streamed layer needs what it reads and writes.
    void holdByStep() {
        for (std::size_t k = 0; k < m_held.size(); ++k) {
            const lowering::Boundary& border = m_borders[KernelId(k)];
            m_held[KernelId(k)] = border.inputs;
            m_held[KernelId(k)].insert(
                m_held[KernelId(k)].end(), border.outputs.begin(), border.outputs.end());
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

    bool pipeline() {
        holdByRegion();
        auto packed = squares();
        if (!packed) {
            packed = cuts();
            m_plan.reason += " The wafer is too full for a square a layer, so it is cut into "
                             "rectangles, and equal layers may get unequal ones.";
        }
        if (!packed) {
            m_plan.reason = "Weight streaming: the layers cannot be cut out of the fabric.";
            return false;
        }
        m_plan.sites.assign(packed->size(), Site{});
        for (std::size_t k = 0; k < packed->size(); ++k) {
            Site& site = m_plan.sites[KernelId(k)];
            site.rectangle = (*packed)[k];
            chooseBlocks(KernelId(k), site);
            if (site.isOverfull && m_plan.setting != kModePipelined) {
                m_plan.reason = "Weight streaming: " + m_graph.kernels[KernelId(k)].name + " needs "
                    + std::to_string(site.peBytes) + " bytes on each PE of its rectangle of "
                    + std::to_string(site.rectangle.width) + "×"
                    + std::to_string(site.rectangle.height) + ", and a PE has "
                    + std::to_string(usable()) + " of its "
                    + std::to_string(static_cast<std::int64_t>(m_fabric.peBytes)) + " for data.";
                return false;
            }
        }
        return true;
    }

    void stream() {
        holdByStep();
        m_plan.sites.assign(m_graph.kernels.size(), Site{});
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            Site& site = m_plan.sites[KernelId(k)];
            site.rectangle = {0, 0, m_fabric.columns, m_fabric.rows};
            chooseBlocks(KernelId(k), site);
        }
    }

    /// The largest squares in proportion to the work, none smaller than its layouts need.
    std::optional<std::vector<Rectangle>> squares() const {
        const std::int64_t largest = std::min(m_fabric.columns, m_fabric.rows);
        std::vector<std::int64_t> least(m_held.size()), sides(m_held.size());
        for (std::size_t k = 0; k < least.size(); ++k) {
            const auto side = leastSide(KernelId(k), largest);
            if (!side)
                return std::nullopt;
            least[k] = *side;
        }
        const Rectangle floor{0, 0, m_fabric.columns, m_fabric.rows};
        const auto at = [&](double pesPerWork) {
            for (std::size_t k = 0; k < sides.size(); ++k)
                sides[k] = std::clamp(
                    static_cast<std::int64_t>(std::sqrt(pesPerWork * m_work[KernelId(k)])),
                    least[k], largest);
            return packSquares(floor, sides);
        };
        double low = 0;
        double high = static_cast<double>(m_fabric.pes()) / std::max(1e-9, sum(m_work));
        auto best = at(high);
        if (best)
            return best;
        best = at(low);
        constexpr int kHalvings = 12; // the areas to one part in 4096
        for (int i = 0; best && i < kHalvings; ++i) {
            const double middle = (low + high) / 2;
            if (auto packed = at(middle)) {
                best = std::move(packed);
                low = middle;
            } else {
                high = middle;
            }
        }
        return best;
    }

    /// Least area that the bytes need, and a share of the rest by work.
    std::optional<std::vector<Rectangle>> cuts() const {
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
        return packRectangles({0, 0, m_fabric.columns, m_fabric.rows}, demands);
    }

    std::int64_t usable() const { return static_cast<std::int64_t>(m_fabric.usableBytes()); }

    std::int64_t peBytes(KernelId id, std::int64_t rows, std::int64_t columns) const {
        return bytesOnPe(m_graph, m_held[id], rows, columns);
    }

    /// The smallest square that holds the kernel's values, found in steps of a sixteenth; nullopt
    /// where not even the largest does.
    std::optional<std::int64_t> leastSide(KernelId id, std::int64_t largest) const {
        double bytes = 0;
        for (const ValueId value : m_held[id])
            bytes += bytesOf(m_graph, value);
        const double start = std::ceil(std::sqrt(bytes / std::max(1.0, m_fabric.usableBytes())));
        if (start > static_cast<double>(largest))
            return std::nullopt;
        auto side = std::max<std::int64_t>(1, static_cast<std::int64_t>(start));
        while (peBytes(id, side, side) > usable()) {
            if (side == largest)
                return std::nullopt;
            constexpr std::int64_t kSteps = 16;
            side = std::min(largest, side + std::max<std::int64_t>(1, side / kSteps));
        }
        return side;
    }

    /// The square that is fastest among those that hold the values: a larger one computes less a PE
    /// and shifts more often. The whole rectangle where no square holds them.
    void chooseBlocks(KernelId id, Site& site) const {
        const std::int64_t largest = std::min(site.rectangle.width, site.rectangle.height);
        bool isFirst = true;
        for (double side = static_cast<double>(largest); side >= 1; side /= std::sqrt(2.0)) {
            const auto whole = static_cast<std::int64_t>(side);
            const std::int64_t bytes = peBytes(id, whole, whole);
            if (bytes > usable())
                break;
            const Cycles cycles = kernelCycles(id, whole);
            if (isFirst || cycles.total() < site.cycles.total()) {
                site.side = site.rows = site.columns = whole;
                site.peBytes = bytes;
                site.cycles = cycles;
            }
            isFirst = false;
        }
        if (!isFirst)
            return;
        site.side = largest;
        site.rows = site.rectangle.height;
        site.columns = site.rectangle.width;
        site.cycles = kernelCycles(id, largest);
        site.peBytes = peBytes(id, site.rows, site.columns);
        site.isOverfull = site.peBytes > usable();
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
    base::IdVector<KernelId, lowering::Boundary> m_borders;
    base::IdVector<KernelId, std::vector<ValueId>> m_held; ///< by the PEs of each kernel's site
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

KernelId homeOf(const StageGraph& graph, const Value& value) {
    if (value.producer.isValid())
        return graph.nodes[value.producer].kernel;
    const auto first = std::ranges::min_element(value.users);
    return first == value.users.end() ? KernelId() : graph.nodes[*first].kernel;
}

bool isCopied(const Value& value) {
    const auto bytes = value.bytes();
    return !value.producer.isValid() && bytes && bytes->value > kWordBytes;
}

std::int64_t bytesOnPe(const StageGraph& graph, std::span<const ValueId> values, std::int64_t rows,
    std::int64_t columns) {
    std::int64_t sum = 0;
    for (const ValueId id : values) {
        const Value& value = graph.values[id];
        if (value.bytes())
            sum = lowering::saturatingAdd(sum,
                lowering::roundUp(
                    layout::waferBytesPerPe(*value.shape, value.dtype, rows, columns), kWordBytes));
    }
    return sum;
}

FloorPlan planFloor(const Context& context, const StageGraph& graph) {
    return Planner(context, graph).run();
}

} // namespace fivefold::families::cerebras
