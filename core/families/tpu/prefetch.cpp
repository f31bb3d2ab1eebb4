// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/prefetch.h"

#include "core/families/tpu/anchors.h"
#include "core/families/tpu/operators.h"

#include <algorithm>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using base::Seconds;
using ir::Op;

constexpr std::int64_t kSmallBytes = 65536; ///< biases and scales: copied in any case
constexpr std::size_t kMostStepsAhead = 64; ///< how far a copy looks back for bandwidth

/// Constants of one element are part of the program.
bool isParameter(const Value& value) {
    return !value.producer.isValid() && !value.fill
        && (value.role == ValueRole::Weight || value.role == ValueRole::Constant
            || value.role == ValueRole::Input || value.role == ValueRole::KvCache);
}

bool isLookup(const Node& node, ValueId value) {
    switch (node.canonical) {
    case Op::Gather:
    case Op::GatherND:
    case Op::GatherElements:
    case Op::Slice:
    case Op::Split:
    case Op::TensorScatter:
        return !node.inputs.empty() && node.inputs.front() == value;
    default:
        return false;
    }
}

class Chooser {
public:
    Chooser(const Device& device, const StageGraph& graph,
        const base::IdVector<StepId, Step>& steps, const std::vector<StepLoad>& loads)
        : m_device(device)
        , m_graph(graph)
        , m_steps(steps)
        , m_stepOf(graph.kernels.size(), 0) {
        for (std::size_t s = 0; s < steps.size(); ++s) {
            m_stepOf[steps[StepId(s)].kernel.index()] = s;
            m_slack.push_back(std::max(0.0, (loads[s].time - loads[s].memory).value));
        }
    }

    std::vector<Prefetch> run(const base::IdVector<KernelId, Boundary>& borders) {
        std::vector<Prefetch> chosen;
        const ValueId cross = crossProgram();
        if (cross.isValid())
            chosen.push_back(fromTheStart(cross));
        std::vector<std::uint8_t> isSeen(m_graph.values.size(), 0);
        for (const Step& step : m_steps)
            for (const ValueId id : borders[step.kernel].inputs) {
                if (id == cross || isSeen[id.index()] != 0 || !isParameter(m_graph.values[id]))
                    continue;
                isSeen[id.index()] = 1;
                if (auto copy = later(id))
                    chosen.push_back(*copy);
            }
        return chosen;
    }

private:
    std::optional<std::int64_t> bytesOf(ValueId id) const {
        const auto bytes = m_graph.values[id].deviceBytes();
        return bytes && bytes->value > 0 && bytes->value <= m_device.residentBytes
            ? std::optional(bytes->value)
            : std::nullopt;
    }

    Seconds copyTime(std::int64_t bytes) const {
        return Seconds(
            static_cast<double>(bytes) / (m_device.hbmBandwidth * m_device.hbmEfficiency));
    }

    /// Steps that read the value whole, ascending; empty when one is inside a loop or looks up.
    std::vector<std::size_t> readers(ValueId id) const {
        std::vector<std::size_t> steps;
        for (const NodeId user : m_graph.values[id].users) {
            const Node& node = m_graph.nodes[user];
            const bool isMoved = kindOf(node) == OpKind::Relayout && !isIndexOnly(m_graph, node);
            if (isLookup(node, id) || isMoved || node.executions != 1
                || kindOf(node) == OpKind::Host || kindOf(node) == OpKind::Unsupported)
                return {};
            const std::size_t step = m_stepOf[node.kernel.index()];
            if (m_graph.kernels[node.kernel].kind == "bitcast")
                return {};
            if (steps.empty() || steps.back() != step)
                steps.push_back(step);
        }
        std::sort(steps.begin(), steps.end());
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
        return steps;
    }

    ValueId crossProgram() const {
        ValueId best;
        std::int64_t most = 0;
        const auto consider = [&](ValueId id) {
            if (!m_graph.values.contains(id) || !isParameter(m_graph.values[id]))
                return;
            const auto bytes = bytesOf(id);
            if (bytes && *bytes > most && !readers(id).empty()) {
                most = *bytes;
                best = id;
            }
        };
        for (const Node& node : m_graph.nodes) {
            if (kindOf(node) != OpKind::Product || node.inputs.size() < 2)
                continue;
            if (!isConvolution(node.canonical))
                consider(node.inputs[0]);
            consider(node.inputs[1]);
        }
        if (const Node* reduction = loneReduction())
            consider(reduction->inputs.front());
        return best;
    }

    /// The reduction that is the whole program but for changes of order.
    const Node* loneReduction() const {
        const Node* found = nullptr;
        for (const Step& step : m_steps) {
            const std::string& kind = m_graph.kernels[step.kernel].kind;
            if (kind == "bitcast" || kind == "copy" || kind == "tuple")
                continue;
            const Node& node = m_graph.nodes[step.mainNode];
            if (found || kind != "reduce" || node.inputs.empty())
                return nullptr;
            found = &node;
        }
        return found;
    }

    Prefetch fromTheStart(ValueId id) {
        const std::vector<std::size_t> steps = readers(id);
        const Seconds whole = copyTime(*bytesOf(id));
        double left = whole.value;
        for (std::size_t s = 0; s < steps.front() && left > 0; ++s) {
            const double taken = std::min(left, m_slack[s]);
            m_slack[s] -= taken;
            left -= taken;
        }
        return {id, 0, steps.front(), steps.back(), Seconds(whole.value - left), true};
    }

    std::optional<Prefetch> later(ValueId id) {
        const auto bytes = bytesOf(id);
        if (!bytes)
            return std::nullopt;
        std::vector<std::size_t> steps = readers(id);
        if (!steps.empty() && steps.front() == 0)
            steps.erase(steps.begin()); // nothing runs before: it reads HBM, the others the copy
        if (steps.empty())
            return std::nullopt;
        const Seconds whole = copyTime(*bytes);
        const std::size_t use = steps.front();
        const std::size_t end = use > kMostStepsAhead ? use - kMostStepsAhead : 0;
        std::size_t at = use;
        double left = whole.value;
        while (at > end && left > 0) {
            const double taken = std::min(left, m_slack[--at]);
            m_slack[at] -= taken;
            left -= taken;
        }
        if (left >= whole.value && steps.size() == 1 && *bytes > kSmallBytes)
            return std::nullopt; // nothing hides it, and nobody reads it again
        return Prefetch{
            id, std::min(at, use - 1), use, steps.back(), Seconds(whole.value - left), false};
    }

    const Device& m_device;
    const StageGraph& m_graph;
    const base::IdVector<StepId, Step>& m_steps;
    std::vector<std::size_t> m_stepOf; ///< by kernel
    std::vector<double> m_slack; ///< seconds of HBM time that a step leaves free
};

} // namespace

std::vector<Prefetch> choosePrefetches(const Device& device, const StageGraph& graph,
    const base::IdVector<StepId, Step>& steps, const base::IdVector<KernelId, Boundary>& borders,
    const std::vector<StepLoad>& loads) {
    return Chooser(device, graph, steps, loads).run(borders);
}

} // namespace fivefold::families::tpu
