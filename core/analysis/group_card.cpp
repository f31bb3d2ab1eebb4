// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/group_card.h"

#include "core/analysis/pipeline.h"
#include "core/lowering/aliases.h"
#include "core/lowering/fusion.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fivefold::analysis {

namespace {

using base::Bytes;
using lowering::KernelId;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;
using lowering::ValueId;

/// A sum that becomes unknown with its first unknown part.
class Sum {
public:
    void add(std::optional<Bytes> bytes, std::int64_t times) {
        std::int64_t product = 0;
        if (times == 0)
            return;
        if (!bytes || __builtin_mul_overflow(bytes->value, times, &product)
            || __builtin_add_overflow(m_sum, product, &m_sum))
            m_isKnown = false;
    }
    std::optional<Bytes> value() const {
        return m_isKnown ? std::optional(Bytes(m_sum)) : std::nullopt;
    }

private:
    bool m_isKnown = true;
    std::int64_t m_sum = 0;
};

/// "1,572,864 bytes" is for tables; a sentence reads "1.5 MiB".
std::string inWords(std::int64_t bytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit)
        value /= 1024;
    char text[32];
    std::snprintf(
        text, sizeof text, unit == 0 || value >= 100 ? "%.0f %s" : "%.3g %s", value, kUnits[unit]);
    return text;
}

void mix(std::size_t& seed, std::size_t value) {
    seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2); // boost::hash_combine
}

/// Shared by the cards of one result.
class Cards {
public:
    explicit Cards(const Result& result)
        : m_result(result)
        , m_graph(result.program.stage(lowering::Stage::Placed))
        , m_rules(rulesOf(result))
        , m_stored(
              lowering::storedValues(m_graph, [this](const Node& node) { return isView(node); }))
        , m_level(m_graph.values.size()) {
        for (const lowering::Buffer& buffer : result.program.buffers)
            if (m_graph.values.contains(buffer.value))
                m_level[buffer.value.index()] = buffer.level;
        findRecomputed();
        findSteps();
    }

    base::IdVector<KernelId, std::optional<GroupCard>> run() {
        base::IdVector<KernelId, std::optional<GroupCard>> cards;
        cards.resize(m_graph.kernels.size());
        const auto borders = lowering::boundaries(m_graph);
        for (std::size_t k = 0; k < cards.size(); ++k)
            cards[KernelId(k)] = cardOf(KernelId(k), borders[KernelId(k)]);
        return cards;
    }

private:
    static lowering::FusionRules rulesOf(const Result& result) {
        const lowering::Family* family = findFamily(result.machine().family);
        return family ? family->fusionRules() : lowering::FusionRules{};
    }
    bool isView(const Node& node) const {
        return m_rules.isView ? m_rules.isView(m_graph, node) : ir::isView(node.canonical);
    }
    bool isOffChip(std::size_t level) const {
        const machines::MemoryKind kind = m_result.machine().memories[level].kind;
        return kind == machines::MemoryKind::Device || kind == machines::MemoryKind::Host;
    }
    std::optional<Bytes> bytesOf(ValueId stored) const {
        return m_graph.values[stored].deviceBytes();
    }

    /// Nodes that compute what a node of an earlier kernel computes: equal operator, sources, shape
    /// and operands (value numbering, Cocke and Schwartz 1970).
    void findRecomputed() {
        m_isRecomputed.assign(m_graph.nodes.size(), 0);
        std::vector<std::size_t> number(m_graph.values.size());
        for (std::size_t v = 0; v < number.size(); ++v)
            number[v] = v + 1;
        std::unordered_map<std::size_t, NodeId> first;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node& node = m_graph.nodes[NodeId(i)];
            if (node.sources.empty() || node.outputs.size() != 1 || !node.outputs.front().isValid())
                continue;
            std::size_t hash = static_cast<std::size_t>(node.canonical);
            mix(hash, std::hash<std::string>()(node.op));
            for (const ValueId input : node.inputs)
                mix(hash, input.isValid() ? number[input.index()] : 0);
            for (const ir::NodeId source : node.sources)
                mix(hash, source.index());
            const auto [known, isNew] = first.emplace(hash, NodeId(i));
            const Node& other = m_graph.nodes[known->second];
            if (isNew || other.sources != node.sources || other.kernel == node.kernel
                || m_graph.values[other.outputs.front()].shape
                    != m_graph.values[node.outputs.front()].shape)
                continue;
            number[node.outputs.front().index()] = number[other.outputs.front().index()];
            m_isRecomputed[i] = isView(node) ? 0 : 1;
        }
    }

    void findSteps() {
        m_stepsOf.resize(m_graph.kernels.size());
        for (std::size_t s = 0; s < m_result.program.steps.size(); ++s) {
            const KernelId kernel = m_result.program.steps[lowering::StepId(s)].kernel;
            if (m_stepsOf.contains(kernel))
                m_stepsOf[kernel].push_back(lowering::StepId(s));
        }
        m_buffersOf.resize(m_graph.values.size());
        for (std::size_t b = 0; b < m_result.program.buffers.size(); ++b) {
            const ValueId value = m_result.program.buffers[lowering::BufferId(b)].value;
            if (m_graph.values.contains(value))
                m_buffersOf[value].push_back(lowering::BufferId(b));
        }
    }

    /// What the operators of a kernel read and make, by stored value.
    struct Use {
        std::int64_t reads = 0; ///< by operators that are not recomputed
        std::int64_t readsByCopies = 0;
        bool isMade = false, isMadeAgain = false;
    };

    std::optional<GroupCard> cardOf(KernelId id, const lowering::Boundary& border) {
        GroupCard card;
        card.kernel = id;
        std::map<ValueId, Use> uses;
        for (const NodeId node : m_graph.kernels[id].nodes)
            card.operators += addUses(node, uses);
        if (card.operators < 2)
            return std::nullopt;
        std::map<ValueId, bool> leaves;
        for (const ValueId value : border.outputs)
            leaves[m_stored[value]] = true;
        Sum saved, spilled, recomputed, all;
        for (const auto& [value, use] : uses) {
            if (!use.isMade) {
                addOutside(value, use, saved, recomputed);
                continue;
            }
            const Intermediate made = intermediate(value, use);
            const bool isOff = made.levelAlone && isOffChip(*made.levelAlone);
            const bool isWritten = !leaves.contains(value) && !use.isMadeAgain;
            if (isOff)
                saved.add(made.bytes, use.reads + (isWritten ? 1 : 0));
            if (leaves.contains(value))
                continue;
            all.add(made.bytes, 1);
            if (isOff && made.level && isOffChip(*made.level))
                spilled.add(made.bytes, use.reads + (isWritten ? 1 : 0));
            card.intermediates.push_back(made);
        }
        card.tile = tileOf(id, uses);
        if (card.tile && card.tile->spilled > 0)
            spilled.add(Bytes(card.tile->spilled), 1);
        card.intermediateBytes = all.value();
        card.saved = saved.value();
        card.spilled = spilled.value();
        card.recomputed = recomputed.value();
        if (card.saved && card.spilled && card.recomputed)
            card.net = *card.saved - *card.spilled - *card.recomputed;
        answer(card);
        card.verdict = verdictOf(card);
        return card;
    }

    std::size_t addUses(NodeId id, std::map<ValueId, Use>& uses) const {
        const Node& node = m_graph.nodes[id];
        if (isView(node))
            return 0;
        std::vector<ValueId> seen;
        for (const ValueId input : node.inputs) {
            if (!input.isValid() || m_graph.values[input].fill)
                continue;
            const ValueId stored = m_stored[input];
            if (std::find(seen.begin(), seen.end(), stored) != seen.end())
                continue;
            seen.push_back(stored);
            Use& use = uses[stored];
            ++(m_isRecomputed[id.index()] ? use.readsByCopies : use.reads);
        }
        for (const ValueId output : node.outputs)
            if (output.isValid()) {
                uses[output].isMade = true;
                uses[output].isMadeAgain = m_isRecomputed[id.index()] != 0;
            }
        return 1;
    }

    /// A tensor from outside: read once instead of once an operator; read at all only for what is
    /// computed again.
    void addOutside(ValueId value, const Use& use, Sum& saved, Sum& recomputed) const {
        const auto level = m_level[value.index()];
        if (level && !isOffChip(*level))
            return;
        if (use.reads == 0)
            recomputed.add(bytesOf(value), use.readsByCopies > 0 ? 1 : 0);
        else
            saved.add(bytesOf(value), use.reads - 1);
    }

    Intermediate intermediate(ValueId value, const Use& use) const {
        Intermediate made;
        made.value = value;
        made.bytes = bytesOf(value);
        made.reads = use.reads + use.readsByCopies;
        made.level = m_level[value.index()];
        made.isRecomputed = use.isMadeAgain;
        if (m_rules.handOver && made.bytes)
            made.levelAlone =
                m_rules.handOver(m_result.machine(), m_result.request.settings, *made.bytes);
        if (made.levelAlone && *made.levelAlone >= m_result.machine().memories.size())
            made.levelAlone.reset();
        return made;
    }

    void answer(GroupCard& card) const {
        std::map<std::size_t, std::size_t> levels;
        bool isKnown = !card.intermediates.empty(), isOnChip = true;
        for (const Intermediate& each : card.intermediates) {
            isKnown &= each.levelAlone.has_value();
            if (!each.levelAlone)
                continue;
            ++levels[*each.levelAlone];
            isOnChip &= !isOffChip(*each.levelAlone);
        }
        if (!levels.empty()) {
            const auto most = std::max_element(levels.begin(), levels.end(),
                [](const auto& a, const auto& b) { return a.second < b.second; });
            const machines::Memory& memory = m_result.machine().memories[most->first];
            card.levelAlone = memory.name;
            card.isHardwareManaged = memory.kind == machines::MemoryKind::Cache;
        }
        if (isKnown)
            card.isOnChipAlready = isOnChip;
    }

    std::optional<lowering::TileFootprint> tileOf(
        KernelId id, const std::map<ValueId, Use>& uses) const {
        if (m_rules.footprint)
            return m_rules.footprint(
                m_result.machine(), m_result.request.settings, m_graph, m_graph.kernels[id].nodes);
        // The kernel's own buffers in the nearest scratchpad, when most of them live.
        const auto& memories = m_result.machine().memories;
        for (std::size_t level = memories.size(); level-- > 0;) {
            if (memories[level].kind != machines::MemoryKind::Scratchpad)
                continue;
            const std::int64_t peak = peakOf(id, uses, level);
            if (peak == 0)
                continue;
            lowering::TileFootprint tile;
            tile.memory = memories[level].name
                + (memories[level].instances > 1
                        ? ", the fullest of " + std::to_string(memories[level].instances)
                        : std::string());
            tile.bytes = peak;
            if (const auto usable = memories[level].usableBytes())
                tile.capacity = static_cast<std::int64_t>(*usable);
            tile.how = "buffers of the kernel that live at the same time";
            return tile;
        }
        return std::nullopt;
    }

    std::int64_t peakOf(KernelId id, const std::map<ValueId, Use>& uses, std::size_t level) const {
        // Changes of the bytes in use at the kernel's steps; those before it count from its first.
        const auto& steps = m_stepsOf[id];
        if (steps.empty())
            return 0;
        std::map<lowering::StepId, std::int64_t> change;
        for (const auto& [value, use] : uses)
            for (const lowering::BufferId b : m_buffersOf[value]) {
                const lowering::Buffer& buffer = m_result.program.buffers[b];
                if (buffer.level != level || buffer.firstStep > steps.back()
                    || buffer.lastStep < steps.front())
                    continue;
                change[std::max(buffer.firstStep, steps.front())] += buffer.bytes.value;
                if (buffer.lastStep < steps.back())
                    change[lowering::StepId(buffer.lastStep.index() + 1)] -= buffer.bytes.value;
            }
        std::int64_t now = 0, peak = 0;
        for (const auto& [step, bytes] : change)
            peak = std::max(peak, now += bytes);
        return peak;
    }

    static std::string verdictOf(const GroupCard& card) {
        if (!card.net)
            return "A shape is unknown, so what the fusion saves is unknown.";
        const std::int64_t net = card.net->value;
        const std::string many = card.intermediates.size() == 1
            ? "its intermediate"
            : "its " + std::to_string(card.intermediates.size()) + " intermediates";
        if (net < 0) {
            std::string why = card.recomputed->value > 0
                ? "computing again what another kernel has reads " + inWords(card.recomputed->value)
                : std::string();
            if (card.spilled->value > 0)
                why += (why.empty() ? "" : " and ")
                    + ("spilling moves " + inWords(card.spilled->value));
            return "The fusion loses " + inWords(-net) + " a run: " + why + ", and it saves "
                + (card.saved->value > 0 ? "only " + inWords(card.saved->value) : "nothing") + ".";
        }
        if (net > 0) {
            const std::string saves = "The fusion saves " + inWords(net) + " a run off the chip: ";
            if (card.intermediates.empty() || card.isOnChipAlready.value_or(false))
                return saves + "tensors that several operators read are read once"
                    + (card.intermediates.empty()
                            ? "."
                            : "; " + many + " would stay in " + card.levelAlone
                                + (card.isHardwareManaged ? ", if hardware keeps them there."
                                                          : " anyway."));
            return saves + many + (card.intermediates.size() == 1 ? " makes" : " make")
                + " no round trip to " + card.levelAlone + ".";
        }
        if (card.intermediates.empty())
            return "The fusion saves nothing: no tensor is made and used up inside it.";
        if (card.isOnChipAlready.value_or(false))
            return "The fusion saves nothing off the chip: " + many + " would stay in "
                + card.levelAlone + (card.isHardwareManaged ? " as hardware decides." : " anyway.");
        return "The fusion saves nothing: " + many
            + (card.intermediates.size() == 1 ? " goes" : " go")
            + " to memory and back all the same.";
    }

    const Result& m_result;
    const StageGraph& m_graph;
    lowering::FusionRules m_rules;
    base::IdVector<ValueId, ValueId> m_stored;
    std::vector<std::optional<std::size_t>> m_level; ///< of a stored value's buffer
    std::vector<std::uint8_t> m_isRecomputed; ///< by node
    base::IdVector<KernelId, std::vector<lowering::StepId>> m_stepsOf;
    base::IdVector<ValueId, std::vector<lowering::BufferId>> m_buffersOf;
};

} // namespace

std::optional<bool> GroupCard::fits() const {
    if (!tile || !tile->capacity)
        return std::nullopt;
    return tile->bytes <= *tile->capacity;
}

base::IdVector<KernelId, std::optional<GroupCard>> groupCards(const Result& result) {
    if (!result.program.stages[static_cast<std::size_t>(lowering::Stage::Placed)])
        return {};
    return Cards(result).run();
}

std::string fusionRefusal(const Result& result, const lowering::FusionEdit& edit) {
    const lowering::Family* family = findFamily(result.machine().family);
    const auto& fused = result.program.stages[static_cast<std::size_t>(lowering::Stage::Fused)];
    if (!family || !fused || !result.typed || !result.cost)
        return "There is no fused stage to change.";
    base::Diagnostics diagnostics;
    const base::Progress progress;
    const lowering::Context context{*result.typed, *result.cost, result.machine(),
        result.request.settings, diagnostics, progress};
    return lowering::refusalOf(context, family->fusionRules(), *fused, edit);
}

} // namespace fivefold::analysis
