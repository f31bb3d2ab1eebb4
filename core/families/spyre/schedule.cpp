// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"
#include "core/families/spyre/family.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/times.h"
#include "core/lowering/aliases.h"
#include "core/lowering/tiling.h"
#include "core/lowering/work.h"
#include "core/roofline/measured_operator.h"

#include <algorithm>
#include <map>
#include <set>

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
        , m_captured(*context.typed.graph)
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

    /// Softmax was measured whole: the steps of one take what its series predicts together.
    void timeSoftmaxes(Program& program) const {
        std::map<std::pair<lowering::KernelId, ir::NodeId>, std::vector<Step*>> groups;
        for (Step& step : program.steps) {
            const Node& node = m_graph.nodes[step.mainNode];
            if (step.estimate.isKnown && isOnDevice(node) && node.sources.size() == 1
                && m_captured.nodes[node.sources.front()].op == ir::Op::Softmax)
                groups[{step.kernel, node.sources.front()}].push_back(&step);
        }
        for (auto& [key, steps] : groups) {
            addBoundaryCopies(program, steps);
            timeSoftmax(steps);
        }
    }

    /// The compiler's ideal of every bundle, to its steps by the bytes that they move; what several
    /// of them read counts once.
    void addCompilerIdeals(const machines::Machine& machine, Program& program) const {
        std::map<lowering::KernelId, std::vector<Step*>> bundles;
        for (Step& step : program.steps)
            if (step.estimate.isKnown && isOnDevice(m_graph.nodes[step.mainNode]))
                bundles[step.kernel].push_back(&step);
        for (auto& [kernel, steps] : bundles)
            addCompilerIdeal(machine, steps);
    }

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
    static bool isOnDevice(const Node& node) {
        const OpKind kind = kindOf(node);
        return kind != OpKind::View && kind != OpKind::Fallback && kind != OpKind::Unsupported;
    }

    void addCompilerIdeal(const machines::Machine& machine, const std::vector<Step*>& steps) const {
        std::set<ValueId> seen;
        std::vector<double> bytes;
        double read = 0, written = 0, flops = 0;
        for (const Step* step : steps) {
            const Node& node = m_graph.nodes[step->mainNode];
            const bool isMatmul = kindOf(node) == OpKind::Matmul;
            OpTraffic t = trafficOf(node, isMatmul);
            for (const ValueId id : node.inputs)
                if (id.isValid() && !m_isInLx[m_stored[id].index()]
                    && !seen.insert(m_stored[id]).second)
                    t.input = std::max(0.0, t.input - bytesOf(id));
            read += t.read();
            written += t.output;
            bytes.push_back(t.read() + t.output);
            flops += isMatmul ? step->estimate.paddedFlops.value : 0;
        }
        const double all = compilerIdealSeconds(machine, flops, read, written);
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i]->estimate.compilerIdeal =
                Seconds(read + written > 0 ? all * bytes[i] / (read + written) : 0);
    }

    /// Adds the copies into LX, which come from no captured node, that these steps alone read.
    void addBoundaryCopies(Program& program, std::vector<Step*>& steps) const {
        std::set<lowering::NodeId> readers;
        for (const Step* step : steps)
            readers.insert(step->nodes.begin(), step->nodes.end());
        for (Step& step : program.steps) {
            const Node& node = m_graph.nodes[step.mainNode];
            if (step.kernel != steps.front()->kernel || kindOf(node) != OpKind::Copy
                || !node.sources.empty() || node.outputs.empty())
                continue;
            const auto& users = m_graph.values[node.outputs.front()].users;
            if (!users.empty() && std::ranges::all_of(users, [&readers](lowering::NodeId user) {
                    return readers.contains(user);
                }))
                steps.push_back(&step);
        }
    }

    /// Rows, columns and cores of a softmax along the sticks whose input and result lie in LPDDR5;
    /// nullopt for any other.
    std::optional<roofline::MeasuredOperator> softmaxRow(const std::vector<Step*>& steps) const {
        roofline::MeasuredOperator row;
        row.group = "spyre_softmax";
        double bytes = 0, whole = 0;
        std::size_t reductions = 0;
        for (const Step* step : steps) {
            const Node& node = m_graph.nodes[step->mainNode];
            for (const lowering::LevelTraffic& level : step->estimate.traffic)
                if (level.level == m_far)
                    bytes += static_cast<double>(level.total().value);
            if (kindOf(node) == OpKind::Reduction && isAlongRows(node)) {
                ++reductions;
                row.shape = {node.work.outElements, node.work.reduced};
            }
            if (node.canonical == ir::Op::Exp) {
                whole = bytesOf(node.outputs.front());
                row.cores = step->unitsUsed;
            }
        }
        if (reductions != 2 || whole <= 0 || bytes < 2 * whole)
            return std::nullopt;
        return row;
    }

    void timeSoftmax(const std::vector<Step*>& steps) const {
        const auto row = softmaxRow(steps);
        if (!row)
            return;
        double now = 0;
        for (const Step* step : steps)
            now += step->estimate.time.value;
        const double all = measuredSeconds(m_constants, *row);
        constexpr double kLeast = 0.7; // below, a level would be faster than its bandwidth
        if (now <= 0 || all < kLeast * now)
            return;
        for (Step* step : steps) {
            if (all < now)
                scale(step->estimate, all / now);
            else if (m_graph.nodes[step->mainNode].canonical == ir::Op::Exp)
                addPart(step->estimate, {"vector passes", Seconds(all - now)});
            setBand(step->estimate, m_constants, "error_softmax");
        }
    }

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
            return timeMatmul(e, m_constants, shapeOf(node), splitOf(node), traffic,
                {isRowOuter(node, 0), isRowOuter(node, 1)});
        case OpKind::Restickify:
            return timeRelayout(e, m_constants, traffic);
        case OpKind::Fallback:
            return timeFallback(e, m_constants, traffic);
        default:
            return timePass(e, m_constants, passOf(node, kind, step.unitsUsed, traffic), traffic);
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
        const Value& b = m_graph.values[node.inputs[node.inputs.size() > 1 ? 1 : 0]];
        constexpr std::size_t kMatrix = 2;
        return {std::max<std::int64_t>(1, node.work.batch), node.work.m, node.work.n, node.work.k,
            layout::spyreElementsPerStick(a.dtype).value_or(64),
            !b.shape || b.shape->size() <= kMatrix};
    }

    /// Its rows (the dimension before the last) lie outside one of its batches in device memory.
    bool isRowOuter(const Node& node, std::size_t input) const {
        if (node.inputs.size() <= input || !node.inputs[input].isValid())
            return false;
        const auto& layout = m_graph.values[node.inputs[input]].layout;
        if (!layout || layout->shape.size() < 3)
            return false;
        const int row = static_cast<int>(layout->shape.size()) - 2;
        bool isRowSeen = false;
        for (const layout::Axis& axis : layout->axes) {
            isRowSeen |= axis.dimension == row && axis.extent > 1;
            if (axis.dimension >= 0 && axis.dimension < row && axis.extent > 1)
                return isRowSeen;
        }
        return false;
    }

    /// The series that measured such an operator, and the sizes that it reads.
    Pass passOf(const Node& node, OpKind kind, std::int64_t cores, const OpTraffic& t) const {
        Pass pass;
        pass.row.cores = cores;
        pass.elements = elementsOf(node);
        pass.isWholeInMemory = t.lxRead + t.lxWritten <= 0;
        pass.series = "spyre_stream";
        pass.band = "error_stream";
        if (kind == OpKind::Copy && node.attributes.has(kPartAttribute))
            return partOf(node, pass);
        if (kind == OpKind::Copy && isTransposed(node))
            return transposeOf(node, pass);
        if (kind == OpKind::Reduction && isAlongRows(node)) {
            pass.series = "spyre_reduce_rows";
            pass.band = "error_reduce_rows";
            pass.row.shape = {node.work.outElements, std::max<std::int64_t>(1, node.work.reduced)};
        } else if (kind == OpKind::Reduction) {
            pass.series = "spyre_reduce_cols";
            pass.row.op = "sumcol";
        } else if (kind == OpKind::Pointwise || kind == OpKind::Copy) {
            const bool isBroadcast = hasSmallOperand(node);
            pass.series = isBroadcast ? "spyre_broadcast" : "spyre_pointwise";
            pass.band = isBroadcast ? "error_broadcast" : "error_pointwise";
            pass.fixedKey = isBroadcast ? "broadcast_fixed_s" : "";
            pass.row.op = kind == OpKind::Copy ? "copy" : "";
        }
        return pass;
    }

    bool isTransposed(const Node& node) const {
        return node.sources.size() == 1 && !node.inputs.empty() && node.inputs.front().isValid()
            && m_graph.values[node.inputs.front()].shape
            && m_captured.nodes[node.sources.front()].op == ir::Op::Transpose;
    }

    /// A matrix, or rows of three dimensions whose first two change places; a relayout else.
    Pass transposeOf(const Node& node, Pass pass) const {
        const ir::Node& captured = m_captured.nodes[node.sources.front()];
        const auto& shape = *m_graph.values[node.inputs.front()].shape;
        const auto order = captured.attributes.integers("perm");
        const bool isOuter = shape.size() == 3 && order == std::vector<std::int64_t>{1, 0, 2};
        pass.row.shape = shape;
        pass.series = shape.size() == 2 ? "spyre_transpose"
            : isOuter                   ? "spyre_transpose_outer"
                                        : "spyre_relayout";
        pass.band = shape.size() == 2 ? "error_transpose"
            : isOuter                 ? "error_transpose_outer"
                                      : "error_relayout";
        pass.fixedKey = isOuter ? "" : "transpose_fixed_s";
        return pass;
    }

    /// One operand of a cat: as the equation has it for two such operands, half of them.
    Pass partOf(const Node& node, Pass pass) const {
        const auto part = static_cast<std::size_t>(node.attributes.integer(kPartAttribute, 0));
        if (node.canonical != ir::Op::Concat || part >= node.inputs.size()
            || !node.inputs[part].isValid())
            return pass;
        const auto& shape = m_graph.values[node.inputs[part]].shape;
        if (!shape || shape->size() < 2)
            return pass;
        const auto rank = static_cast<std::int64_t>(shape->size());
        const std::int64_t axis = node.attributes.integer("axis", 0);
        std::int64_t rows = 1;
        for (std::size_t d = 0; d + 1 < shape->size(); ++d)
            rows = lowering::saturatingMul(rows, (*shape)[d]);
        constexpr double kOperands = 2; // of the series' cats
        pass.row.shape = {rows, shape->back()};
        pass.share = 1 / kOperands;
        const bool isLast = (axis < 0 ? axis + rank : axis) == rank - 1;
        pass.series = isLast ? "spyre_cat1" : "spyre_cat0";
        pass.band = isLast ? "error_cat_last" : "error_cat_first";
        return pass;
    }

    /// Reduces the sticks' own dimension: what it writes has one element a stick.
    bool isAlongRows(const Node& node) const {
        if (node.inputs.empty() || !node.inputs.front().isValid() || node.work.reduced <= 1)
            return false;
        const auto& layout = m_graph.values[node.inputs.front()].layout;
        const auto& in = m_graph.values[node.inputs.front()].shape;
        if (!layout || !in || in->empty() || layout->axes.empty())
            return false;
        const int stick = layout->axes.back().dimension;
        return stick == static_cast<int>(in->size()) - 1 && in->back() == node.work.reduced;
    }

    /// An operand of less elements than the result, which the operator repeats.
    bool hasSmallOperand(const Node& node) const {
        return std::ranges::any_of(node.inputs, [this, &node](ValueId id) {
            if (!id.isValid() || !m_graph.values[id].shape)
                return false;
            std::int64_t elements = 1;
            for (const std::int64_t extent : *m_graph.values[id].shape)
                elements = lowering::saturatingMul(elements, extent);
            return elements > 1 && elements < node.work.outElements;
        });
    }

    static MatmulDivision splitOf(const Node& node) {
        MatmulDivision split;
        const auto splits = node.attributes.integers(kSplitsAttribute);
        if (splits && splits->size() == 4)
            split = {(*splits)[0], (*splits)[1], (*splits)[2], (*splits)[3]};
        return split;
    }

    const StageGraph& m_graph;
    const ir::Graph& m_captured;
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
    estimator.timeSoftmaxes(program);
    estimator.addCompilerIdeals(context.machine, program);
    if (isRefused(program)) // nothing that was measured stands for a program that does not compile
        for (Step& step : program.steps)
            roofline::clearBand(step.estimate);
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
