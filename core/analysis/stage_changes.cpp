// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/stage_changes.h"

#include "core/analysis/pipeline.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace fivefold::analysis {

namespace {

using base::Bytes;
using lowering::Node;
using lowering::NodeId;
using lowering::Stage;
using lowering::StageGraph;
using lowering::ValueId;

class Comparison {
public:
    Comparison(const Result& result, Stage stage)
        : m_result(result)
        , m_graph(result.program.stage(stage)) {
        if (const lowering::Family* family = findFamily(result.machine().family))
            m_rules = family->fusionRules();
        m_out.stage = stage;
        m_out.bytesByKind.fill(Bytes(0));
    }

    StageChanges run() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            addNode(NodeId(i));
        for (const lowering::Removed& removed : m_graph.removed)
            if (removed.stage == m_out.stage)
                m_out.removed.push_back(removed);
        if (m_out.stage != Stage::Captured)
            findReplaced();
        switch (m_out.stage) {
        case Stage::Fused:
            findGroups();
            break;
        case Stage::LaidOut:
            findPadding();
            break;
        case Stage::Placed:
            findSpills();
            break;
        case Stage::Scheduled:
            countTransfers();
            break;
        default:
            break;
        }
        return std::move(m_out);
    }

private:
    static std::size_t index(MovementKind kind) { return static_cast<std::size_t>(kind); }

    const lowering::Value* valueOf(const std::vector<ValueId>& values) const {
        return values.empty() || !m_graph.values.contains(values.front())
            ? nullptr
            : &m_graph.values[values.front()];
    }

    MovementKind kindOf(const Node& node) const {
        if (!node.sources.empty())
            return MovementKind::Recomputation;
        if (node.support == lowering::Support::Fallback)
            return MovementKind::Host;
        if (node.canonical == ir::Op::Pad)
            return MovementKind::Padding;
        if (m_rules.isView ? m_rules.isView(m_graph, node) : ir::isView(node.canonical))
            return MovementKind::View;
        const lowering::Value *from = valueOf(node.inputs), *to = valueOf(node.outputs);
        if (node.opClass() != ir::OpClass::Movement && node.canonical != ir::Op::Identity)
            return MovementKind::Other;
        if (from && to && from->layout && to->layout)
            return from->layout->axes == to->layout->axes ? MovementKind::Copy
                                                          : MovementKind::Relayout;
        return node.canonical == ir::Op::Identity ? MovementKind::Copy : MovementKind::Relayout;
    }

    /// Levels of two values differ: the node moves from one memory to another.
    bool isBetweenMemories(const Node& node) {
        if (m_out.stage < Stage::Placed || node.inputs.empty() || node.outputs.empty())
            return false;
        if (!m_areLevelsKnown) {
            m_areLevelsKnown = true;
            m_levels.assign(m_graph.values.size(), -1);
            for (const lowering::Buffer& buffer : m_result.program.buffers)
                if (m_graph.values.contains(buffer.value))
                    m_levels[buffer.value.index()] = static_cast<int>(buffer.level);
        }
        const ValueId from = node.inputs.front(), to = node.outputs.front();
        return from.isValid() && to.isValid() && m_levels[from.index()] >= 0
            && m_levels[to.index()] >= 0 && m_levels[from.index()] != m_levels[to.index()];
    }

    void addNode(NodeId id) {
        const Node& node = m_graph.nodes[id];
        if (node.addedBy.empty() || node.addedAt != m_out.stage)
            return;
        AddedNode added;
        added.node = id;
        added.kind = kindOf(node);
        if (added.kind == MovementKind::Copy && isBetweenMemories(node))
            added.kind = MovementKind::Dma;
        added.rule = node.addedBy;
        added.decidedBy = node.decidedBy;
        Bytes bytes(0);
        bool isKnown = true;
        for (const ValueId output : node.outputs) {
            if (!output.isValid())
                continue;
            if (added.kind != MovementKind::View) {
                const auto size = m_graph.values[output].deviceBytes();
                isKnown &= size.has_value();
                bytes += size.value_or(Bytes(0));
            }
            for (const NodeId user : m_graph.values[output].users) {
                if (!added.cause.isValid() && !m_graph.nodes[user].sources.empty())
                    added.cause = m_graph.nodes[user].sources.front();
                addEdge(output, id, user, added);
            }
            if (m_graph.values[output].users.empty())
                addEdge(output, id, {}, added);
        }
        for (const ValueId input : node.inputs)
            if (input.isValid() && m_graph.values[input].role != lowering::ValueRole::Constant)
                addEdge(input, m_graph.values[input].producer, id, added);
        auto& sum = m_out.bytesByKind[index(added.kind)];
        if (isKnown) {
            added.bytes = bytes;
            if (sum)
                *sum += bytes;
        } else {
            sum.reset();
        }
        m_out.added.push_back(std::move(added));
    }

    /// Between two added nodes the edge is listed once, by the later one's input.
    void addEdge(ValueId value, NodeId from, NodeId to, const AddedNode& cause) {
        const auto isAdded = [&](NodeId id) {
            return id.isValid() && !m_graph.nodes[id].addedBy.empty()
                && m_graph.nodes[id].addedAt == m_out.stage;
        };
        if (from == cause.node && isAdded(to))
            return;
        m_out.edges.push_back({value, from, to, cause.kind, cause.rule});
        ++m_out.edgesByKind[index(cause.kind)];
    }

    void findReplaced() {
        const StageGraph& before =
            m_result.program.stage(lowering::kStages[static_cast<std::size_t>(m_out.stage) - 1]);
        std::unordered_set<std::string_view> known;
        known.reserve(before.nodes.size() * 2);
        for (const Node& node : before.nodes)
            known.insert(node.name);
        std::map<ir::NodeId, ReplacedNode> replaced;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node& node = m_graph.nodes[NodeId(i)];
            if (known.contains(node.name) || !node.addedBy.empty())
                continue;
            for (const ir::NodeId source : node.sources) {
                ReplacedNode& entry = replaced[source];
                entry.captured = source;
                entry.by.push_back(NodeId(i));
                if (entry.rule.empty())
                    entry.rule = node.rule;
            }
        }
        for (auto& [source, entry] : replaced)
            m_out.replaced.push_back(std::move(entry));
    }

    void findGroups() {
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            const lowering::Kernel& kernel = m_graph.kernels[lowering::KernelId(k)];
            if (kernel.nodes.size() > 1)
                m_out.groups.push_back(
                    {lowering::KernelId(k), kernel.nodes.size(), kernel.reason, kernel.decidedBy});
        }
    }

    void findPadding() {
        for (std::size_t v = 0; v < m_graph.values.size(); ++v) {
            const lowering::Value& value = m_graph.values[ValueId(v)];
            const auto device = value.deviceBytes(), logical = value.bytes();
            if (value.layout && device && logical && *device > *logical)
                m_out.padded.push_back({ValueId(v), *device - *logical});
        }
    }

    void findSpills() {
        for (std::size_t b = 0; b < m_result.program.buffers.size(); ++b)
            if (m_result.program.buffers[lowering::BufferId(b)].isSpill)
                m_out.spills.push_back(lowering::BufferId(b));
    }

    void countTransfers() {
        std::map<std::pair<lowering::EventKind, lowering::ResourceId>, std::int64_t> counts;
        for (const lowering::Event& event : m_result.program.events)
            if (event.kind != lowering::EventKind::Compute)
                counts[{event.kind, event.resource}] += event.repeat;
        for (const auto& [key, count] : counts)
            m_out.transfers.push_back({key.first, key.second, count});
    }

    const Result& m_result;
    const StageGraph& m_graph;
    lowering::FusionRules m_rules;
    StageChanges m_out;
    bool m_areLevelsKnown = false;
    std::vector<int> m_levels;
};

std::string counted(std::int64_t count, MovementKind kind) {
    static constexpr std::pair<const char*, const char*> kWords[kMovementKinds] = {
        {"relayout", "relayouts"}, {"copy", "copies"}, {"DMA transfer", "DMA transfers"},
        {"padding", "paddings"}, {"transfer to the host", "transfers to the host"},
        {"recomputation", "recomputations"}, {"view", "views"},
        {"other operator", "other operators"}};
    const auto& [one, many] = kWords[static_cast<std::size_t>(kind)];
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

} // namespace

std::string_view toString(MovementKind kind) {
    switch (kind) {
    case MovementKind::Relayout:
        return "relayout";
    case MovementKind::Copy:
        return "copy";
    case MovementKind::Dma:
        return "dma";
    case MovementKind::Padding:
        return "padding";
    case MovementKind::Host:
        return "host";
    case MovementKind::Recomputation:
        return "recomputation";
    case MovementKind::View:
        return "view";
    case MovementKind::Other:
        break;
    }
    return "other";
}

bool StageChanges::isEmpty() const {
    return added.empty() && removed.empty() && replaced.empty() && groups.empty() && padded.empty()
        && transfers.empty() && spills.empty();
}

base::Bytes StageChanges::paddingBytes() const {
    base::Bytes sum(0);
    for (const PaddedValue& value : padded)
        sum += value.bytes;
    return sum;
}

StageChanges stageChanges(const Result& result, lowering::Stage stage) {
    StageChanges none;
    none.stage = stage;
    for (const auto& graph : result.program.stages)
        if (!graph)
            return none;
    return Comparison(result, stage).run();
}

std::string movementSentence(const StageChanges& changes) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < kMovementKinds; ++k) {
        const auto kind = static_cast<MovementKind>(k);
        const auto count = std::count_if(changes.added.begin(), changes.added.end(),
            [kind](const AddedNode& added) { return added.kind == kind; });
        if (count > 0)
            parts.push_back(counted(count, kind));
    }
    if (parts.empty())
        return {};
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
    const auto edges = static_cast<std::int64_t>(changes.edges.size());
    return text + (changes.added.size() == 1 ? " was" : " were") + " added, with "
        + std::to_string(edges) + (edges == 1 ? " edge." : " edges.");
}

} // namespace fivefold::analysis
