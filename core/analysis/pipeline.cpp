// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/pipeline.h"

#include "core/analysis/explain.h"
#include "core/analysis/precisions.h"
#include "core/families/cerebras/family.h"
#include "core/families/cpu/family.h"
#include "core/families/gpu/family.h"
#include "core/families/groq/family.h"
#include "core/families/spyre/family.h"
#include "core/families/tpu/family.h"
#include "core/frontends/reader.h"
#include "core/ir/bindings.h"
#include "core/lowering/inlining.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <charconv>

namespace fivefold::analysis {

using base::Error;
using base::ErrorCode;
using base::Progress;
using base::Seconds;

namespace {

constexpr std::size_t kTypedCacheSlots = 4;

/// The error band of a family's predictions where its machine's JSON carries one: the parameters
/// "validated_points", "validated_geomean" and "validated_p90".
std::optional<Totals::Validation> validation(const machines::Machine& machine) {
    const machines::Figure* points = machine.parameter("validated_points");
    const machines::Figure* geomean = machine.parameter("validated_geomean");
    const machines::Figure* p90 = machine.parameter("validated_p90");
    if (!points || !geomean || !p90 || !points->isKnown() || !geomean->isKnown() || !p90->isKnown())
        return std::nullopt;
    return Totals::Validation{
        static_cast<std::int64_t>(*points->value), *geomean->value, *p90->value, geomean->source};
}

base::Result<base::Done> checkPrecision(
    const machines::Machine& machine, machines::Precision precision) {
    const auto possible = precisions(machine);
    if (std::ranges::find(possible, precision) != possible.end())
        return base::Done{};
    std::string names;
    for (machines::Precision p : possible)
        names += (names.empty() ? "" : ", ") + std::string(machines::toString(p));
    return Error{ErrorCode::InvalidArgument,
        machine.name
            + (machine.peak(precision) ? " has no tensor layout for " : " has no rate for ")
            + std::string(machines::toString(precision)) + "; choose one of "
            + (names.empty() ? "none (no rate is published)" : names) + ".",
        machine.id};
}

Provenance buildProvenance(const lowering::Program& program, std::size_t capturedCount) {
    Provenance p;
    for (lowering::Stage stage : lowering::kStages) {
        auto& map = p.toStage[static_cast<std::size_t>(stage)];
        map.resize(capturedCount);
        const lowering::StageGraph& graph = program.stage(stage);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            for (ir::NodeId source : graph.nodes[lowering::NodeId(i)].sources)
                map[source].push_back(lowering::NodeId(i));
    }
    p.toSteps.resize(capturedCount);
    p.fromSteps.resize(program.steps.size());
    const lowering::StageGraph& scheduled = program.stage(lowering::Stage::Scheduled);
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        const lowering::StepId step(s);
        auto& from = p.fromSteps[step];
        for (lowering::NodeId node : program.steps[step].nodes)
            for (ir::NodeId source : scheduled.nodes[node].sources)
                from.push_back(source);
        std::ranges::sort(from);
        from.erase(std::ranges::unique(from).begin(), from.end());
        for (ir::NodeId source : from)
            p.toSteps[source].push_back(step);
    }
    return p;
}

lowering::Support worst(lowering::Support a, lowering::Support b) {
    return std::max(a, b);
}

/// Work that decides how a step's time is shared between the captured nodes it holds.
double weightOf(const lowering::Node& node) {
    const double perSource = std::max<double>(1, static_cast<double>(node.sources.size()));
    return (1.0 + (node.work.isKnown ? node.work.flops : 0.0)) / perSource;
}

/// Charges every step's time to the captured nodes in it, in proportion to their work.
void shareTimes(Result& result) {
    const auto& program = result.program;
    const auto& scheduled = program.stage(lowering::Stage::Scheduled);
    for (const lowering::Step& step : program.steps) {
        if (!step.estimate.isKnown)
            continue;
        double total = 0;
        for (lowering::NodeId id : step.nodes)
            total += weightOf(scheduled.nodes[id])
                * static_cast<double>(scheduled.nodes[id].sources.size());
        if (total <= 0)
            continue;
        const double seconds = step.estimate.time.value
            * static_cast<double>(std::max<std::int64_t>(0, step.executions));
        for (lowering::NodeId id : step.nodes) {
            const lowering::Node& node = scheduled.nodes[id];
            for (ir::NodeId source : node.sources) {
                auto& time = result.nodes[source].time;
                time = Seconds(time.value_or(Seconds(0)).value + seconds * weightOf(node) / total);
            }
        }
    }
}

void describeNodes(Result& result) {
    const auto& program = result.program;
    result.nodes.resize(result.graph().nodes.size());
    for (lowering::Stage stage : {lowering::Stage::Decomposed, lowering::Stage::Scheduled}) {
        for (const lowering::Node& node : program.stage(stage).nodes) {
            for (ir::NodeId source : node.sources) {
                NodeSummary& summary = result.nodes[source];
                summary.support = worst(summary.support, node.support);
                if (stage == lowering::Stage::Decomposed && summary.rule.empty())
                    summary.rule = node.rule;
            }
        }
    }
    for (const lowering::Removed& removed : program.stage(lowering::Stage::Scheduled).removed)
        if (result.nodes[removed.node].rule.empty())
            result.nodes[removed.node].rule = removed.rule;
    const auto& decomposed =
        result.provenance.toStage[static_cast<std::size_t>(lowering::Stage::Decomposed)];
    for (std::size_t i = 0; i < result.nodes.size(); ++i) {
        NodeSummary& summary = result.nodes[ir::NodeId(i)];
        if (summary.support == lowering::Support::Native && decomposed[ir::NodeId(i)].size() > 1)
            summary.support = lowering::Support::Decomposed;
        const auto& steps = result.provenance.toSteps[ir::NodeId(i)];
        if (steps.size() == 1 && result.provenance.fromSteps[steps.front()].size() == 1)
            summary.traffic = program.steps[steps.front()].estimate.traffic;
    }
    shareTimes(result);
}

/// Sums the steps; a band exists only when every known step has one and the compiler takes the
/// graph. The total is taken from the timeline, so that it equals the last event exactly.
Totals sumTotals(const Result& result) {
    Totals totals;
    bool hasBand = true;
    Seconds low, high;
    for (const lowering::Step& step : result.program.steps) {
        const lowering::Estimate& e = step.estimate;
        if (!e.isKnown) {
            ++totals.unknownSteps;
            continue;
        }
        const auto n = static_cast<double>(step.executions);
        totals.compute += n * e.computeShare;
        totals.memory += n * e.memoryShare;
        totals.scheduling += n * e.schedulingShare;
        if (e.time.value <= 0)
            continue;
        hasBand = hasBand && e.low && e.high;
        if (hasBand) {
            low += n * *e.low;
            high += n * *e.high;
        }
    }
    totals.time = totals.compute + totals.memory + totals.scheduling;
    // The record of the machine's products says nothing about a step of another class.
    if (hasBand && high.value > 0) {
        totals.low = low;
        totals.high = high;
        totals.validated = validation(result.machine());
    }
    return totals;
}

} // namespace

const std::vector<const lowering::Family*>& families() {
    static const std::vector<const lowering::Family*> kAll = {&families::gpu::family(),
        &families::tpu::family(), &families::cerebras::family(), &families::groq::family(),
        &families::spyre::family(), &families::cpu::family()};
    return kAll;
}

std::vector<machines::Precision> precisions(const machines::Machine& machine) {
    std::vector<machines::Precision> possible = machine.ratedPrecisions();
    if (machine.family == families::spyre::family().id())
        std::erase_if(
            possible, [](machines::Precision p) { return !families::spyre::hasLayout(p); });
    return possible;
}

const lowering::Family* findFamily(std::string_view id) {
    const auto found = std::ranges::find(families(), id, &lowering::Family::id);
    return found == families().end() ? nullptr : *found;
}

base::Result<base::Done> checkSetting(
    const machines::Machine& machine, const std::string& key, const std::string& value) {
    const lowering::Family* family = findFamily(machine.family);
    if (!family)
        return Error{ErrorCode::Unsupported,
            "No rules are known for the family \"" + machine.family + "\".", machine.id};
    const auto settings = family->settings(machine);
    const auto found = std::ranges::find(settings, key, &lowering::SettingInfo::key);
    const auto listed = [](const auto& items, auto text) {
        std::string list;
        for (const auto& item : items)
            list += (list.empty() ? "" : ", ") + text(item);
        return list.empty() ? std::string("none") : list;
    };
    if (found == settings.end())
        return Error{ErrorCode::InvalidArgument,
            "\"" + key + "\" is no setting of " + machine.name + "; it has "
                + listed(settings, [](const lowering::SettingInfo& s) { return s.key; }) + ".",
            "--set"};
    if (!found->choices.empty()) {
        if (std::ranges::find(found->choices, value) != found->choices.end())
            return base::Done{};
        return Error{ErrorCode::InvalidArgument,
            "\"" + value + "\" is no value of " + key + "; choose "
                + listed(found->choices, [](const std::string& s) { return s; }) + ".",
            "--set"};
    }
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failed == std::errc() && end == value.data() + value.size() && number >= found->minimum
        && number <= found->maximum)
        return base::Done{};
    return Error{ErrorCode::InvalidArgument,
        key + " takes an integer from " + std::to_string(found->minimum) + " to "
            + std::to_string(found->maximum) + ", not \"" + value + "\".",
        "--set"};
}

std::shared_ptr<const Model> modelOf(std::shared_ptr<const ir::Graph> graph,
    base::Diagnostics diagnostics, const Progress& progress) {
    auto model = std::make_shared<Model>();
    model->graph = std::move(graph);
    model->diagnostics = std::move(diagnostics);
    if (!ir::freeSymbols(*model->graph).empty()) {
        base::Diagnostics ignored; // every analysis says it again
        if (auto typed = ir::infer(model->graph, {}, ignored, progress))
            model->symbolic = std::make_shared<const ir::Typed>(*std::move(typed));
    }
    return model;
}

base::Result<std::shared_ptr<const Model>> openModel(
    const std::filesystem::path& path, const Progress& progress) {
    base::Diagnostics diagnostics;
    auto graph = frontends::open(path, diagnostics, progress);
    if (!graph)
        return graph.error();
    return modelOf(*std::move(graph), std::move(diagnostics), progress);
}

base::Result<std::shared_ptr<const TypedCache::Entry>> TypedCache::get(
    const std::shared_ptr<const Model>& model, const ir::Bindings& bindings,
    const Progress& progress) {
    {
        const std::lock_guard lock(m_mutex);
        const auto found = std::ranges::find_if(m_slots, [&](const Slot& slot) {
            return slot.model.lock() == model && slot.bindings == bindings;
        });
        if (found != m_slots.end()) {
            std::rotate(found, found + 1, m_slots.end());
            return m_slots.back().entry;
        }
    }
    auto entry = std::make_shared<Entry>();
    ir::InferenceOptions options;
    options.bindings = bindings;
    options.assumeFree = true;
    auto typed = ir::infer(model->graph, options, entry->diagnostics, progress);
    if (!typed)
        return typed.error();
    if (auto checked = ir::checkSizes(*typed, entry->diagnostics); !checked)
        return checked.error();
    progress.report("costs");
    entry->typed = std::make_shared<const ir::Typed>(*std::move(typed));
    entry->cost = std::make_shared<const ir::ModelCost>(ir::modelCost(*entry->typed));
    const std::lock_guard lock(m_mutex);
    if (m_slots.size() >= kTypedCacheSlots)
        m_slots.erase(m_slots.begin());
    m_slots.push_back({model, bindings, entry});
    return std::shared_ptr<const Entry>(std::move(entry));
}

base::Result<std::shared_ptr<const Result>> analyze(
    const Request& request, const Progress& progress, TypedCache* cache) {
    const lowering::Family* family = findFamily(request.machine->family);
    if (!family)
        return Error{ErrorCode::Unsupported,
            "No rules are known for the family \"" + request.machine->family + "\".",
            request.machine->id};
    if (auto checked = checkPrecision(*request.machine, request.settings.precision); !checked)
        return checked.error();

    TypedCache own;
    auto typed = (cache ? cache : &own)->get(request.model, request.bindings, progress);
    if (!typed)
        return typed.error();

    auto result = std::make_shared<Result>();
    result->request = request;
    result->typed = (*typed)->typed;
    result->cost = (*typed)->cost;
    result->diagnostics.append(request.model->diagnostics);
    result->diagnostics.append((*typed)->diagnostics);

    // A graph that keeps its own types is computed and titled at the precision of most of its
    // values.
    lowering::Settings& settings = result->request.settings;
    if (const auto found = lowering::precisionOf(*result->typed, settings);
        request.machine->peak(found))
        settings.precision = found;
    const lowering::Context context{
        *result->typed, *result->cost, *request.machine, settings, result->diagnostics, progress};
    auto program = lowering::lower(*family, context);
    if (!program)
        return program.error();
    result->program = *std::move(program);

    progress.report("panels");
    result->provenance = buildProvenance(result->program, result->graph().nodes.size());
    describeNodes(*result);
    result->memory = memory::use(result->program, *request.machine);
    result->ceilings = roofline::ceilings(*request.machine, settings.precision);
    result->points = roofline::points(result->program, *request.machine);
    result->timing = schedule::timing(result->program);
    result->criticalPath = schedule::criticalPath(result->program, result->timing);
    result->totals = sumTotals(*result);
    explain(*result);
    return std::shared_ptr<const Result>(std::move(result));
}

} // namespace fivefold::analysis
