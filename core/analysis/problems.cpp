// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/problems.h"

#include "core/analysis/remedies.h"
#include "core/lowering/substitutions.h"
#include "core/roofline/duration.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fivefold::analysis {

using base::Seconds;
using base::Severity;
using lowering::Support;
using roofline::bytesText;
using roofline::CauseKind;
using roofline::durationText;

namespace {

constexpr std::size_t kMostCauses = 200; ///< that are listed
constexpr double kLeastShare = 0.01; ///< of the total: cheaper causes are no problem
/// Of an operator's own time: what its neighbours pay beyond is told apart.
constexpr double kLeastNeighbours = 0.05;
constexpr double kWarningShare = 0.1; ///< of the total: dearer ones are warnings

/// Names to ids; the first of equal names wins, as in the file.
struct Names {
    std::unordered_map<std::string_view, ir::NodeId> nodes;
    std::unordered_map<std::string_view, ir::ValueId> values;

    explicit Names(const ir::Graph& graph) {
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            nodes.emplace(graph.nodes[ir::NodeId(n)].name, ir::NodeId(n));
        for (std::size_t v = 0; v < graph.values.size(); ++v)
            values.emplace(graph.values[ir::ValueId(v)].name, ir::ValueId(v));
    }
};

/// Whether diagnostics of the code say that an operator does not run on the device: the last part
/// of the code does, whatever the family.
bool saysSupport(std::string_view code) {
    constexpr std::string_view kWords[] = {
        "unsupported", "fallback", "host_operator", "unknown_operator", "dynamic_shape"};
    const std::string_view last = code.substr(code.find_last_of('.') + 1);
    return std::ranges::any_of(kWords, [last](std::string_view w) { return last.starts_with(w); });
}

std::string counted(std::int64_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

class Lister {
public:
    explicit Lister(const Result& result)
        : m_result(result)
        , m_graph(result.graph())
        , m_names(m_graph)
        , m_costs(result)
        , m_total(result.totals.time) {
        if (result.program.stages.back())
            m_scheduled = &result.program.stage(lowering::Stage::Scheduled);
    }

    std::vector<Problem> run() {
        indexBreaks();
        addDiagnostics();
        addRefusals();
        offerToAll();
        addOccupants();
        addGroups();
        std::ranges::stable_sort(m_problems, [](const Problem& a, const Problem& b) {
            const double left = a.cost ? a.cost->value : -1, right = b.cost ? b.cost->value : -1;
            if (left != right)
                return left > right;
            return a.severity > b.severity;
        });
        return std::move(m_problems);
    }

private:
    void setCost(Problem& problem, Seconds cost) const {
        problem.cost = std::min(cost, m_total);
        problem.without = Seconds(std::max(0.0, m_total.value - problem.cost->value));
    }

    Severity severityOf(Seconds cost) const {
        return cost.value >= kWarningShare * m_total.value ? Severity::Warning : Severity::Info;
    }

    void setPlace(Problem& problem, ir::NodeId node) const {
        problem.node = node;
        if (node.isValid())
            problem.place = m_graph.nodes[node].name;
    }

    ir::NodeId capturedOf(lowering::StepId step) const {
        const lowering::NodeId main = m_result.program.steps[step].mainNode;
        if (m_scheduled && m_scheduled->nodes.contains(main)
            && !m_scheduled->nodes[main].sources.empty())
            return m_scheduled->nodes[main].sources.front();
        const auto& from = m_result.provenance.fromSteps;
        return from.contains(step) && !from[step].empty() ? from[step].front() : ir::NodeId();
    }

    /// A captured operator may come apart into several that the device does not run.
    void indexBreaks() {
        for (const Break& each : m_costs.breaks())
            if (const ir::NodeId node = capturedOf(each.step); node.isValid())
                m_breaks[node].push_back(&each);
    }

    /// What the operator costs, and what of that its neighbours pay.
    void price(Problem& problem) {
        const auto found = m_breaks.find(problem.node);
        if (found == m_breaks.end())
            return;
        Seconds own, neighbours;
        std::size_t values = 0;
        bool isKnown = true;
        for (const Break* each : found->second) {
            own += each->own;
            neighbours += each->neighbours;
            values += each->values.size();
            isKnown = isKnown && each->isOwnKnown;
        }
        if (neighbours.value > kLeastNeighbours * own.value)
            problem.message += " "
                + counted(static_cast<std::int64_t>(values), "tensor around it has",
                    "tensors around it have")
                + " to leave the near memory for it, which costs its neighbours "
                + durationText(neighbours) + ".";
        if (!isKnown && neighbours.value <= 0) {
            problem.message +=
                " What it costs the model is unknown: no rule gives it a time, and nothing around "
                "it has to wait.";
            return;
        }
        if (!isKnown)
            problem.message += " Its own time is unknown and not in that.";
        setCost(problem, own + neighbours);
    }

    void addSubstitutes(Problem& problem) const {
        problem.remedies = substituteRemedies(m_result, problem.node);
        std::string exactness;
        for (const Remedy& remedy : problem.remedies)
            for (const auto& [node, rule] : remedy.substitutes)
                if (const auto* found = lowering::findSubstitution(rule))
                    exactness += (problem.advice.empty() && exactness.empty() ? "" : " ")
                        + remedy.text + ". " + std::string(found->exactness);
        problem.advice += exactness;
    }

    void addDiagnostics() {
        for (const base::Diagnostic& diagnostic : m_result.diagnostics.entries()) {
            Problem& problem = m_problems.emplace_back();
            problem.severity = diagnostic.severity;
            problem.code = diagnostic.code;
            problem.place = diagnostic.node;
            problem.message = diagnostic.message;
            problem.advice = diagnostic.remedy;
            problem.count = diagnostic.count;
            findPlace(problem);
            if (!saysSupport(diagnostic.code) || !problem.node.isValid())
                continue;
            m_named.push_back(problem.node);
            price(problem);
            addSubstitutes(problem);
        }
        std::ranges::sort(m_named);
    }

    /// Families name nodes that they made by the captured name and a suffix.
    void findPlace(Problem& problem) const {
        std::string_view name = problem.place;
        while (!name.empty()) {
            if (const auto node = m_names.nodes.find(name); node != m_names.nodes.end()) {
                problem.node = node->second;
                return;
            }
            if (const auto value = m_names.values.find(name);
                name == problem.place && value != m_names.values.end()) {
                problem.value = value->second;
                return;
            }
            const auto slash = name.find_last_of('/');
            name = slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
        }
    }

    void addRefusals() {
        for (std::size_t n = 0; n < m_result.nodes.size(); ++n) {
            const ir::NodeId id(n);
            const Support support = m_result.nodes[id].support;
            const bool isRefused = support == Support::Unsupported || support == Support::Fallback;
            if (!isRefused || std::ranges::binary_search(m_named, id) || isRefusedElsewhere(id))
                continue;
            Problem problem;
            const bool isFallback = support == Support::Fallback;
            problem.severity = isFallback ? Severity::Warning : Severity::Error;
            problem.code = isFallback ? "support.fallback" : "support.unsupported";
            setPlace(problem, id);
            const std::string& op = m_graph.nodes[id].sourceOp;
            const std::string& machine = m_result.machine().name;
            problem.message = isFallback
                ? op + " runs on the host: its data leaves " + machine + " and comes back."
                : machine + " has no " + op + " operator, so its time is unknown.";
            problem.advice = m_result.nodes[id].rule;
            if (!problem.advice.empty() && problem.advice.back() != '.')
                problem.advice += '.';
            price(problem);
            addSubstitutes(problem);
            m_problems.push_back(std::move(problem));
        }
    }

    /// Where one rule would mend several operators, each offers it for all of them, too.
    void offerToAll() {
        std::map<std::string, std::pair<Remedy, std::int64_t>> byRule;
        for (const Problem& problem : m_problems)
            for (const Remedy& remedy : problem.remedies)
                for (const auto& [node, rule] : remedy.substitutes) {
                    auto& [all, count] = byRule[rule];
                    all.substitutes[node] = rule;
                    all.text = remedy.text;
                    ++count;
                }
        for (Problem& problem : m_problems) {
            const std::vector<Remedy> own = problem.remedies;
            for (const Remedy& remedy : own) {
                const auto found = byRule.find(
                    remedy.substitutes.empty() ? "" : remedy.substitutes.begin()->second);
                if (found == byRule.end() || found->second.second < 2)
                    continue;
                problem.remedies.push_back(found->second.first);
                problem.remedies.back().text +=
                    ", all " + std::to_string(found->second.second) + " of them";
            }
        }
    }

    /// A diagnostic of another kind tells of it ("spyre.refused" names the operator, too).
    bool isRefusedElsewhere(ir::NodeId id) {
        if (m_refused.empty() && !m_isIndexed) {
            m_isIndexed = true;
            for (const Problem& problem : m_problems)
                if (problem.code.ends_with(".refused") && problem.node.isValid())
                    m_refused.push_back(problem.node);
            std::ranges::sort(m_refused);
        }
        return std::ranges::binary_search(m_refused, id);
    }

    void addOccupants() {
        for (const Occupant& occupant : m_costs.occupants()) {
            if (occupant.saving.value < kLeastShare * m_total.value)
                continue;
            const lowering::Buffer& buffer = m_result.program.buffers[occupant.buffer];
            const lowering::Value& value = m_scheduled->values[buffer.value];
            const auto& memories = m_result.machine().memories;
            Problem problem;
            problem.severity = severityOf(occupant.saving);
            problem.code = "cost.placement";
            problem.value = value.source;
            problem.place = value.name;
            if (m_scheduled->nodes.contains(value.producer)
                && !m_scheduled->nodes[value.producer].sources.empty())
                problem.node = m_scheduled->nodes[value.producer].sources.front();
            problem.message = value.name + " holds " + bytesText(buffer.bytes)
                + (memories[buffer.level].instances > 1 ? " of every " : " of ")
                + memories[buffer.level].name + " through "
                + counted(static_cast<std::int64_t>(
                              buffer.lastStep.index() - buffer.firstStep.index() + 1),
                    "step", "steps")
                + ". "
                + counted(static_cast<std::int64_t>(occupant.displaced.size()),
                    "value that would fit in its place goes",
                    "values that would fit in its place go")
                + " through " + memories[occupant.farLevel].name + " instead.";
            problem.advice = "The saving counts what " + value.name + " itself then takes through "
                + memories[occupant.farLevel].name + ".";
            problem.count = static_cast<std::int64_t>(occupant.displaced.size());
            setCost(problem, occupant.saving);
            problem.remedies = occupantRemedies(m_result, occupant);
            m_problems.push_back(std::move(problem));
        }
    }

    void addGroups() {
        std::size_t listed = 0;
        for (const CostGroup& group : m_costs.groups()) {
            if (group.saving.value < kLeastShare * m_total.value || listed >= kMostCauses)
                break;
            ++listed;
            Problem problem;
            problem.severity = severityOf(group.saving);
            problem.code = "cost." + std::string(roofline::toString(group.kind));
            problem.count = group.steps;
            if (group.kind != CauseKind::Launch)
                setPlace(problem, placeOf(*group.dearest));
            describe(problem, group);
            setCost(problem, group.saving);
            m_problems.push_back(std::move(problem));
        }
    }

    std::string stepsOf(const CostGroup& group) const {
        const std::string& first = m_result.program.steps[group.dearest->step].name;
        return group.steps == 1
            ? first
            : first + " and " + counted(group.steps - 1, "more step", "more steps");
    }

    void describe(Problem& problem, const CostGroup& group) {
        const std::string cost = durationText(group.saving);
        switch (group.kind) {
        case CauseKind::Padding:
            describePadding(problem, group);
            return;
        case CauseKind::Relayout:
            describeRelayout(problem, group);
            problem.remedies = relayoutRemedies(m_result, group);
            problem.advice = problem.remedies.empty()
                ? "Let its producer or its reader take the other layout."
                : "An input can arrive in the layout that its reader wants: the host writes it "
                  "once.";
            return;
        case CauseKind::Spill:
            problem.message = group.dearest->sentence() + ".";
            problem.advice = "It is too large for the near memory beside what lives with it: split "
                             "the model or take smaller sizes.";
            return;
        case CauseKind::Launch:
            problem.message = counted(group.steps, "step takes ", "steps take ") + cost
                + " to get to run (" + group.name + ").";
            problem.remedies = launchRemedies(m_result);
            problem.advice = problem.remedies.empty()
                ? "Fewer, larger kernels: a larger batch spreads it over more work."
                : "Fused kernels are fewer.";
            return;
        case CauseKind::Stall:
        case CauseKind::Host:
            break;
        }
        const std::string& division = m_result.program.steps[group.dearest->step].workDivision;
        problem.message = "Units wait for " + cost + " in " + stepsOf(group) + " (" + group.name
            + (group.steps > 1 || division.empty() ? "" : "; " + division) + ").";
        problem.advice = "Larger sizes, or another tile or split, keep them busy.";
    }

    /// What it takes, then the way back to the decision behind it.
    void describeRelayout(Problem& problem, const CostGroup& group) const {
        problem.message = "Rearranging data takes " + durationText(group.saving) + " (" + group.name
            + " in " + stepsOf(group) + "): ";
        for (std::size_t i = 0; i < group.dearest->chain.size(); ++i)
            problem.message += (i ? " ← " : "") + group.dearest->chain[i].text;
        problem.message += '.';
        for (const roofline::CauseLink& link : group.dearest->chain)
            if (!problem.value.isValid())
                problem.value = link.value;
    }

    /// The captured operator of the step, else the first one on the way back.
    ir::NodeId placeOf(const roofline::Cause& cause) const {
        if (const ir::NodeId own = capturedOf(cause.step); own.isValid())
            return own;
        for (const roofline::CauseLink& link : cause.chain)
            if (link.node.isValid())
                return link.node;
        return capturedOf(cause.chargedTo);
    }

    void describePadding(Problem& problem, const CostGroup& group) {
        problem.message = durationText(group.saving) + " go into elements that no tensor has: "
            + (group.dimension ? std::to_string(group.dimension->extent) + " padded to "
                        + std::to_string(group.dimension->padded)
                               : group.name)
            + " in " + stepsOf(group) + ".";
        if (!group.dimension)
            return;
        const PaddedDimension& d = *group.dimension;
        const std::int64_t below = d.extent / d.quantum * d.quantum;
        problem.advice =
            "Sizes without padding: " + (below > 0 ? std::to_string(below) + " or " : std::string())
            + std::to_string(d.padded) + " instead of " + std::to_string(d.extent) + ".";
        problem.remedies = paddingRemedies(m_result, d);
        if (problem.remedies.empty())
            problem.advice += " The model fixes it.";
        setDimensionPlace(problem, d);
    }

    /// Where the dimension comes from: the first operator that runs and whose result has it.
    void setDimensionPlace(Problem& problem, const PaddedDimension& d) {
        if (m_firstWith.empty())
            indexDimensions();
        if (const auto found = m_firstWith.find(d.extent); found != m_firstWith.end())
            setPlace(problem, found->second);
    }

    void indexDimensions() {
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            const ir::NodeId id(n);
            if (!m_result.provenance.toSteps.contains(id)
                || m_result.provenance.toSteps[id].empty())
                continue;
            for (const ir::ValueId output : m_graph.nodes[id].outputs)
                if (output.isValid() && m_result.typed->type(output).shape)
                    for (const ir::Dim& dim : *m_result.typed->type(output).shape)
                        if (dim.isKnown())
                            m_firstWith.try_emplace(dim.value(), id);
        }
    }

    const Result& m_result;
    const ir::Graph& m_graph;
    Names m_names;
    ProblemCosts m_costs;
    Seconds m_total;
    const lowering::StageGraph* m_scheduled = nullptr;
    std::unordered_map<ir::NodeId, std::vector<const Break*>> m_breaks;
    std::vector<ir::NodeId> m_named, m_refused; ///< sorted
    bool m_isIndexed = false;
    std::unordered_map<std::int64_t, ir::NodeId> m_firstWith; ///< extent → operator
    std::vector<Problem> m_problems;
};

} // namespace

std::vector<Problem> problems(const Result& result) {
    return Lister(result).run();
}

} // namespace fivefold::analysis
