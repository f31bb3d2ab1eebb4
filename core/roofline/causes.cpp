// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/causes.h"

#include "core/lowering/tiling.h"
#include "core/roofline/cause_names.h"
#include "core/roofline/duration.h"

#include <algorithm>

namespace fivefold::roofline {

using base::Bytes;
using base::Seconds;
using lowering::Node;
using lowering::Stage;
using lowering::Step;
using lowering::StepId;
using memory::BorderValue;
using memory::StepKind;

namespace {

/// First step after `from` that reads what it leaves; invalid where nobody does.
StepId readerOf(
    const lowering::StageGraph& graph, const memory::StepBorders& borders, StepId from) {
    StepId reader;
    for (const BorderValue& value : borders.of(from)) {
        if (!value.isWritten)
            continue;
        for (const lowering::NodeId user : graph.values[value.value].users) {
            const StepId step = borders.stepOf(user);
            if (step.isValid() && step > from && (!reader.isValid() || step < reader))
                reader = step;
        }
    }
    return reader;
}

class Finder {
public:
    Finder(const lowering::Program& program, const GapAnalysis& analysis)
        : m_program(program)
        , m_analysis(analysis)
        , m_borders(analysis.borders())
        , m_graph(*m_borders.graph()) { }

    std::vector<Cause> run() {
        for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
            m_id = StepId(s);
            m_step = &m_program.steps[m_id];
            if (!m_step->estimate.isKnown || !m_graph.nodes.contains(m_step->mainNode))
                continue;
            m_main = &m_graph.nodes[m_step->mainNode];
            m_times = static_cast<double>(m_step->executions);
            if (m_borders.kind(m_id) != StepKind::Work)
                relayout();
            else if (isOnHost())
                host();
            else
                work();
        }
        std::stable_sort(m_causes.begin(), m_causes.end(), [](const Cause& a, const Cause& b) {
            return std::pair(a.time, a.bytes) > std::pair(b.time, b.bytes);
        });
        return std::move(m_causes);
    }

private:
    Cause& add(CauseKind kind, std::string name, double seconds, Bytes bytes = {}) {
        Cause& cause = m_causes.emplace_back();
        cause.kind = kind;
        cause.name = std::move(name);
        cause.step = m_id;
        cause.chargedTo = m_analysis.charged()[m_id];
        cause.time = Seconds(seconds * m_times);
        cause.bytes = Bytes(lowering::saturatingMul(bytes.value, m_step->executions));
        return cause;
    }

    bool isOnHost() const {
        return std::any_of(m_step->nodes.begin(), m_step->nodes.end(), [&](lowering::NodeId id) {
            return m_graph.nodes[id].support == lowering::Support::Fallback;
        });
    }

    static ir::NodeId sourceOf(const Node& node) {
        return node.sources.empty() ? ir::NodeId() : node.sources.front();
    }

    /// The name of the kernel's or the node's own decision.
    void linkNode(Cause& cause, std::string text, Stage stage, const Node& node,
        lowering::DecidedBy decidedBy) const {
        CauseLink link{std::move(text), stage, sourceOf(node), {}, {}, decidedBy};
        if (!link.node.isValid() && !node.addedBy.empty())
            link.added = node.name;
        cause.chain.push_back(std::move(link));
    }

    /// How a value lies, then who made it.
    void linkValue(Cause& cause, lowering::ValueId id) const {
        const lowering::Value& value = m_graph.values[id];
        CauseLink link{layoutClause(m_graph, id), Stage::LaidOut, {}, value.source, {},
            lowering::DecidedBy::Compiler};
        if (!link.value.isValid() && m_graph.nodes.contains(value.producer)) {
            const Node& producer = m_graph.nodes[value.producer];
            link.node = sourceOf(producer);
            if (!link.node.isValid())
                link.added = producer.name;
        }
        cause.chain.push_back(std::move(link));
        linkProducer(cause, value);
    }

    void linkProducer(Cause& cause, const lowering::Value& value) const {
        if (m_graph.nodes.contains(value.producer)) {
            const Node& producer = m_graph.nodes[value.producer];
            linkNode(cause, producer.name + " writes it", Stage::Decomposed, producer,
                producer.decidedBy);
            return;
        }
        const bool isInput = value.role == lowering::ValueRole::Input;
        cause.chain.push_back({isInput ? "the model reads it in" : "the model keeps it",
            Stage::Captured, {}, value.source, {}, lowering::DecidedBy::Programmer});
    }

    void linkKernel(Cause& cause) const {
        if (!m_graph.kernels.contains(m_step->kernel))
            return;
        const lowering::Kernel& kernel = m_graph.kernels[m_step->kernel];
        if (!kernel.reason.empty())
            linkNode(cause, clause(kernel.reason), Stage::Fused, *m_main, kernel.decidedBy);
    }

    /// What the operator was made of, where lowering took one apart; else its name, if nothing else
    /// stands there.
    void linkModel(Cause& cause) const {
        const bool isMade = m_main->support == lowering::Support::Decomposed
            || m_main->support == lowering::Support::Fallback;
        if (isMade && !m_main->rule.empty())
            linkNode(cause, clause(m_main->rule), Stage::Decomposed, *m_main, m_main->decidedBy);
        else if (cause.chain.empty())
            linkNode(
                cause, m_main->name, Stage::Captured, *m_main, lowering::DecidedBy::Programmer);
    }

    void relayout() {
        const lowering::Estimate& e = m_step->estimate;
        const BorderValue* from = nullptr;
        bool isSpill = false;
        Bytes moved;
        for (const BorderValue& value : m_borders.of(m_id)) {
            moved = Bytes(lowering::saturatingAdd(moved.value, value.device.value));
            isSpill = isSpill || (value.isSpill && m_borders.kind(m_id) == StepKind::Transfer);
            if (!value.isWritten && !from)
                from = &value;
        }
        // What costs no time and moves nothing, or brings it beside other steps, is no cost beyond
        // the ideal.
        const bool moves = std::any_of(e.traffic.begin(), e.traffic.end(),
            [](const lowering::LevelTraffic& traffic) { return traffic.total().value > 0; });
        const bool isHidden = m_borders.kind(m_id) == StepKind::Transfer && !isSpill;
        if (e.time.value <= 0 && (isHidden || !moves))
            return;
        Cause& cause =
            add(isSpill ? CauseKind::Spill : CauseKind::Relayout, m_main->op, e.time.value, moved);
        const StepId reader = readerOf(m_graph, m_borders, m_id);
        const Node& asking =
            reader.isValid() ? m_graph.nodes[m_program.steps[reader].mainNode] : *m_main;
        linkNode(cause, clause(m_main->addedBy), m_main->addedAt, asking, m_main->decidedBy);
        if (from)
            linkValue(cause, from->value);
    }

    void host() {
        const lowering::Estimate& e = m_step->estimate;
        Bytes moved;
        for (const BorderValue& value : m_borders.of(m_id))
            moved = Bytes(lowering::saturatingAdd(moved.value, value.logical.value));
        if (e.time.value <= 0)
            return;
        Cause& cause = add(CauseKind::Host, "host hand-off", e.time.value, moved);
        linkNode(cause, m_main->op + " has no counterpart on the device and runs on the host",
            Stage::Placed, *m_main, lowering::DecidedBy::Compiler);
        linkModel(cause);
    }

    void work() {
        const StepParts parts = m_analysis.partsOf(m_id);
        padding(parts);
        tile(parts);
        spills(parts);
        double rest = parts.scheduling;
        for (const lowering::TimePart& part : m_step->estimate.scheduling) {
            const double time = std::min(part.time.value, rest);
            rest -= time;
            if (time > 0)
                scheduling(part, time);
        }
    }

    void padding(const StepParts& parts) {
        const BorderValue* most = nullptr;
        Bytes excess;
        for (const BorderValue& value : m_borders.of(m_id)) {
            const Bytes more = value.device - value.logical;
            excess = Bytes(lowering::saturatingAdd(excess.value, more.value));
            if (more.value > 0 && (!most || more > most->device - most->logical))
                most = &value;
        }
        const double time = parts.computePadding + parts.memoryPadding;
        if (time <= 0 && !most)
            return;
        Cause& cause = add(CauseKind::Padding,
            most ? paddingName(m_graph, most->value, m_main->work) : "padding to whole tiles", time,
            excess);
        if (parts.computePadding > 0 && !m_step->workDivision.empty())
            linkNode(
                cause, m_step->workDivision, Stage::Placed, *m_main, lowering::DecidedBy::Compiler);
        if (most)
            linkValue(cause, most->value);
        else
            linkModel(cause);
    }

    void tile(const StepParts& parts) {
        if (parts.tile > 0)
            linkDivision(add(CauseKind::Stall, "tile and fill", parts.tile));
    }

    void linkDivision(Cause& cause) const {
        if (!m_step->workDivision.empty())
            linkNode(
                cause, m_step->workDivision, Stage::Placed, *m_main, lowering::DecidedBy::Compiler);
        linkKernel(cause);
        linkModel(cause);
    }

    /// Values that a nearer memory had no room for: their share of the time of the level where they
    /// lie instead.
    void spills(const StepParts& parts) {
        for (const BorderValue& value : m_borders.of(m_id)) {
            if (!value.isSpill || value.level >= StepParts::kLevels)
                continue;
            double bytes = 0;
            for (const lowering::LevelTraffic& traffic : m_step->estimate.traffic)
                if (traffic.level == value.level)
                    bytes += static_cast<double>(traffic.total().value);
            const double share =
                bytes > 0 ? std::min(1.0, static_cast<double>(value.device.value) / bytes) : 0;
            const lowering::Buffer& buffer = m_program.buffers[value.buffer];
            Cause& cause = add(CauseKind::Spill, "spill of " + m_graph.values[value.value].name,
                share * parts.memory[value.level], value.device);
            cause.chain.push_back({clause(buffer.reason), Stage::Placed, {},
                m_graph.values[value.value].source, {}, buffer.decidedBy});
            linkProducer(cause, m_graph.values[value.value]);
        }
    }

    void scheduling(const lowering::TimePart& part, double time) {
        switch (part.kind) {
        case lowering::PartKind::Launch:
            linkLaunch(add(CauseKind::Launch, part.name, time));
            return;
        case lowering::PartKind::Relayout:
            inStepRelayout(add(CauseKind::Relayout, part.name, time));
            return;
        case lowering::PartKind::Stall:
            linkDivision(add(CauseKind::Stall, part.name, time));
            return;
        }
    }

    void linkLaunch(Cause& cause) const {
        linkKernel(cause);
        linkModel(cause);
    }

    /// Nodes that lowering added inside the step move the data.
    void inStepRelayout(Cause& cause) const {
        for (const lowering::NodeId id : m_step->nodes) {
            const Node& node = m_graph.nodes[id];
            if (node.addedBy.empty() || node.inputs.empty())
                continue;
            linkNode(cause, clause(node.addedBy), node.addedAt, *m_main, node.decidedBy);
            if (m_graph.values.contains(node.inputs.front()))
                linkValue(cause, node.inputs.front());
            return;
        }
        linkDivision(cause);
    }

    const lowering::Program& m_program;
    const GapAnalysis& m_analysis;
    const memory::StepBorders& m_borders;
    const lowering::StageGraph& m_graph;
    std::vector<Cause> m_causes;
    StepId m_id; ///< the step at hand
    const Step* m_step = nullptr;
    const Node* m_main = nullptr;
    double m_times = 1;
};

} // namespace

std::string_view toString(CauseKind kind) {
    constexpr std::string_view kNames[] = {
        "padding", "relayout", "spill", "stall", "launch", "host"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string Cause::sentence() const {
    std::string text =
        name + " " + (time.value > 0 || bytes.value <= 0 ? durationText(time) : bytesText(bytes));
    for (const CauseLink& link : chain)
        text += " ← " + link.text;
    return text;
}

std::vector<Cause> causes(const lowering::Program& program, const machines::Machine& machine) {
    return causes(program, GapAnalysis(program, machine));
}

std::vector<Cause> causes(const lowering::Program& program, const GapAnalysis& analysis) {
    if (!analysis.borders().graph())
        return {};
    return Finder(program, analysis).run();
}

base::IdVector<StepId, StepId> chargedSteps(const lowering::Program& program) {
    return chargedSteps(program, memory::StepBorders(program));
}

base::IdVector<StepId, StepId> chargedSteps(
    const lowering::Program& program, const memory::StepBorders& borders) {
    base::IdVector<StepId, StepId> charged;
    charged.resize(program.steps.size());
    for (std::size_t s = program.steps.size(); s-- > 0;) {
        const StepId id(s);
        charged[id] = id;
        if (borders.kind(id) == StepKind::Work)
            continue;
        if (const StepId reader = readerOf(*borders.graph(), borders, id); reader.isValid())
            charged[id] = charged[reader];
    }
    return charged;
}

} // namespace fivefold::roofline
