// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/times.h"
#include "core/lowering/aliases.h"
#include "core/lowering/work.h"

#include <algorithm>

namespace fivefold::families::spyre {

using base::Bytes;
using base::Seconds;
using lowering::Context;
using lowering::Estimate;
using lowering::Node;
using lowering::Program;
using lowering::StageGraph;
using lowering::Step;
using lowering::Value;
using lowering::ValueId;

namespace {

class Estimator {
public:
    Estimator(const Context& context, const StageGraph& graph, const Program& program)
        : m_graph(graph)
        , m_constants(constants(context.machine, context.settings.precision))
        , m_stored(lowering::storedValues(
              graph, [](const Node& node) { return kindOf(node) == OpKind::View; }))
        , m_isInLx(graph.values.size()) {
        for (std::size_t i = 0; i < context.machine.memories.size(); ++i) {
            const auto kind = context.machine.memories[i].kind;
            if (kind == machines::MemoryKind::Device)
                m_far = i;
            else if (kind == machines::MemoryKind::Scratchpad)
                m_near = i;
        }
        for (const lowering::Buffer& buffer : program.buffers)
            if (buffer.level == m_near && m_near != m_far)
                m_isInLx[buffer.value.index()] = true;
    }

    std::size_t farLevel() const { return m_far; }

    void estimate(Step& step) const {
        timeOf(step);
        Estimate& e = step.estimate;
        if (!e.isKnown || !m_graph.nodes[step.mainNode].attributes.has(kRefusalAttribute))
            return;
        e.low = e.high = std::nullopt;
        e.because +=
            " The public compiler refuses the graph here: the time is that of an operator of "
            "the same size in its place.";
    }

private:
    void timeOf(Step& step) const {
        Estimate& e = step.estimate;
        e = {};
        e.boundLevel = m_far;
        const Node& node = m_graph.nodes[step.mainNode];
        const OpKind kind = kindOf(node);
        if (kind == OpKind::View) {
            e.because = "A view moves nothing.";
            e.bound = lowering::Bound::Scheduling;
            return;
        }
        if (kind == OpKind::Unsupported || !node.work.isKnown || !hasKnownShapes(node)) {
            e.isKnown = false;
            e.because = kind == OpKind::Unsupported
                ? "The public compiler refuses this operator, so it has no time."
                : "A shape that it depends on is unknown, so it has no time.";
            return;
        }
        e.flops = base::Flops(node.work.flops);
        const OpTraffic traffic = trafficOf(node, kind == OpKind::Matmul);
        addTraffic(e, traffic, step.workDivision.empty() ? 1 : step.unitsUsed);
        switch (kind) {
        case OpKind::Matmul:
            return timeMatmul(e, m_constants, shapeOf(node), splitOf(node), traffic);
        case OpKind::Restickify:
            return timeRelayout(e, m_constants, traffic);
        case OpKind::Fallback:
            return timeFallback(e, m_constants, traffic);
        default:
            return timeStream(e, m_constants, elementsOf(node), step.unitsUsed, traffic);
        }
    }

    bool hasKnownShapes(const Node& node) const {
        const auto isKnown = [this](ValueId id) {
            return !id.isValid() || m_graph.values[id].shape.has_value();
        };
        return std::ranges::all_of(node.inputs, isKnown)
            && std::ranges::all_of(node.outputs, isKnown);
    }

    double bytesOf(ValueId id) const {
        const auto bytes = m_graph.values[id].deviceBytes();
        const auto stored = m_graph.values[m_stored[id]].deviceBytes();
        if (!bytes)
            return 0;
        return static_cast<double>(stored ? std::min(bytes->value, stored->value) : bytes->value);
    }

    OpTraffic trafficOf(const Node& node, bool isMatmul) const {
        OpTraffic t;
        std::vector<ValueId> seen;
        const auto logical = [this](ValueId id) {
            const auto bytes = m_graph.values[id].bytes();
            return bytes ? static_cast<double>(bytes->value) : 0;
        };
        if (node.attributes.has(kPartAttribute))
            return partTraffic(node, logical);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const ValueId id = node.inputs[i];
            if (!id.isValid() || std::ranges::find(seen, id) != seen.end())
                continue;
            seen.push_back(id);
            if (m_isInLx[m_stored[id].index()]) {
                t.lxRead += bytesOf(id);
                continue;
            }
            (isMatmul && i == 1 ? t.weight : t.input) += gathered(node, i, bytesOf(id));
            t.logical += std::min(gathered(node, i, logical(id)), bytesOf(id));
        }
        for (ValueId id : node.outputs) {
            if (!id.isValid())
                continue;
            if (m_isInLx[id.index()]) {
                t.lxWritten += bytesOf(id);
            } else {
                t.output += bytesOf(id);
                t.logical += logical(id);
            }
        }
        return t;
    }

    /// A write into a part of a tensor moves that part only.
    template <typename Logical>
    OpTraffic partTraffic(const Node& node, const Logical& logical) const {
        OpTraffic t;
        const auto part = static_cast<std::size_t>(node.attributes.integer(kPartAttribute, 0));
        const bool isFill = node.canonical == ir::Op::Expand;
        const ValueId id = isFill       ? node.outputs.front()
            : part < node.inputs.size() ? node.inputs[part]
                                        : ValueId();
        if (!id.isValid())
            return t;
        const double bytes = bytesOf(id);
        if (!isFill)
            (m_isInLx[m_stored[id].index()] ? t.lxRead : t.input) += bytes;
        t.output += bytes;
        t.logical += logical(id);
        return t;
    }

    /// A gather reads the rows it takes, not the whole table.
    double gathered(const Node& node, std::size_t input, double bytes) const {
        if (kindOf(node) != OpKind::Gather || input != 0 || node.outputs.empty()
            || !node.outputs.front().isValid())
            return bytes;
        return std::min(bytes, bytesOf(node.outputs.front()));
    }

    void addTraffic(Estimate& e, const OpTraffic& t, std::int64_t) const {
        e.traffic.push_back({m_far, Bytes(static_cast<std::int64_t>(t.read())),
            Bytes(static_cast<std::int64_t>(t.output)), Seconds(0)});
        if (m_near != m_far && t.lxRead + t.lxWritten > 0)
            e.traffic.push_back({m_near, Bytes(static_cast<std::int64_t>(t.lxRead)),
                Bytes(static_cast<std::int64_t>(t.lxWritten)), Seconds(0)});
    }

    /// Elements that the vector unit walks over: what it reads of a reduction, what it writes
    /// otherwise.
    static double elementsOf(const Node& node) {
        const double out = static_cast<double>(node.work.outElements);
        if (node.canonical == ir::Op::NormApply || node.canonical == ir::Op::NormScale)
            return out;
        return std::max(out, out * static_cast<double>(node.work.reduced));
    }

    MatmulShape shapeOf(const Node& node) const {
        const Value& a = m_graph.values[node.inputs[0]];
        return {std::max<std::int64_t>(1, node.work.batch), node.work.m, node.work.n, node.work.k,
            layout::spyreElementsPerStick(a.dtype).value_or(64), true};
    }

    static MatmulDivision splitOf(const Node& node) {
        MatmulDivision split;
        const auto splits = node.attributes.integers(kSplitsAttribute);
        if (splits && splits->size() == 4)
            split = {(*splits)[0], (*splits)[1], (*splits)[2], (*splits)[3]};
        return split;
    }

    const StageGraph& m_graph;
    Constants m_constants;
    base::IdVector<ValueId, ValueId> m_stored;
    std::vector<bool> m_isInLx;
    std::size_t m_far = 0, m_near = 0;
};

} // namespace

base::Result<StageGraph> schedule(const Context& context, StageGraph placed, Program& program) {
    placed.stage = lowering::Stage::Scheduled;
    const Estimator estimator(context, placed, program);
    bool usesHost = false;
    for (Step& step : program.steps) {
        estimator.estimate(step);
        usesHost = usesHost || kindOf(placed.nodes[step.mainNode]) == OpKind::Fallback;
    }
    const std::string memory = context.machine.memories.empty()
        ? "memory"
        : context.machine.memories[estimator.farLevel()].name;
    fivefold::schedule::ResourceMap resources;
    resources.read = program.resources.add({memory + " in", "memory"});
    resources.compute = program.resources.add({"array (PT)", "compute"});
    resources.vector = program.resources.add({"vector (SFP)", "compute"});
    resources.write = program.resources.add({memory + " out", "memory"});
    if (usesHost)
        resources.host = program.resources.add({"host", "queue"});
    resources.farLevel = estimator.farLevel();
    fivefold::schedule::sequence(program, resources);
    return placed;
}

} // namespace fivefold::families::spyre
