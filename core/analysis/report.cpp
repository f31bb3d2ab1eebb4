// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/report.h"

#include "core/analysis/compiler_report.h"
#include "core/analysis/kernel_cycles.h"
#include "core/analysis/level_use.h"
#include "core/analysis/opspecs.h"
#include "core/analysis/report_costs.h"
#include "core/analysis/report_firing.h"
#include "core/analysis/report_parts.h"
#include "core/analysis/report_places.h"
#include "core/base/version.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fivefold::analysis {

using lowering::Stage;

namespace {

class Report {
public:
    Report(std::ostream& out, const Result& result, const std::string& sha256,
        const lowering::CycleView* cycles)
        : m_json(out)
        , m_result(result)
        , m_sha256(sha256)
        , m_cycles(cycles)
        , m_gaps(result.program, result.machine()) { }

    void write(const Play* play) {
        m_json.beginObject();
        writeHead();
        writeCompiler(m_json, m_result);
        writeStages();
        writeNodes();
        writeKernels();
        writeOpSpecs(m_json, m_result);
        writeSteps();
        writeLayouts();
        writeBuffers();
        writeRegions();
        writeEvents();
        writeMemory();
        writeRoofline();
        writeTotals();
        writeCosts(m_json, m_result, m_gaps);
        writeDiagnostics();
        if (m_cycles)
            writeCycles(m_json, *m_cycles);
        if (play)
            writeFiring(m_json, m_result, *play);
        m_json.endObject();
    }

private:
    const ir::Graph& graph() const { return m_result.graph(); }
    const lowering::Program& program() const { return m_result.program; }
    const lowering::StageGraph& scheduled() const { return program().stage(Stage::Scheduled); }
    const std::string& levelName(std::size_t level) const {
        return m_result.machine().memories[level].name;
    }
    std::string nodeName(lowering::StepId step) const {
        const lowering::NodeId main = program().steps[step].mainNode;
        return main.isValid() ? scheduled().nodes[main].name : program().steps[step].name;
    }

    void writeHead() {
        const ir::ModelInfo& info = graph().info;
        m_json.member("version", std::string(base::kVersion));
        m_json.member("model",
            Json{{"name", info.path.substr(info.path.find_last_of('/') + 1)},
                {"sha256", textOrNull(m_sha256)}, {"format", info.format}});
        m_json.member("machine",
            Json{{"id", m_result.machine().id}, {"family", m_result.machine().family},
                {"name", m_result.machine().name}});
        writeSettings();
        m_json.member("mode", textOrNull(program().mode));
        m_json.member("chips", program().chips);
    }

    void writeSettings() {
        const lowering::Settings& settings = m_result.request.settings;
        Json bind = Json::object();
        const ir::Bindings& bindings = m_result.request.bindings;
        for (const auto& [name, size] : bindings.dims)
            bind[name] = size;
        for (const auto& [place, size] : bindings.axes)
            bind[place.first + "." + std::to_string(place.second)] = size;
        for (const auto& [name, value] : bindings.scalars)
            bind[name] = value;
        Json assumed = Json::object();
        for (const auto& [name, size] : m_result.typed->assumed)
            assumed[name] = size;
        Json json{{"precision", machines::toString(settings.precision)},
            {"fusion", settings.isFusionOn ? "on" : "off"}, {"bind", bind}, {"assumed", assumed}};
        for (const auto& [key, value] : settings.values)
            json[key] = value;
        if (!settings.fusionEdits.empty())
            json["fusion_edits"] = editsJson(settings.fusionEdits);
        if (!settings.substitutes.empty())
            json["substitutes"] = settings.substitutes;
        if (!settings.placements.empty())
            json["placements"] = settings.placements;
        if (!settings.implementations.empty())
            json["implementations"] = settings.implementations;
        m_json.member("settings", json);
    }

    void writeStages() {
        m_json.key("stages");
        m_json.beginArray();
        for (Stage stage : lowering::kStages) {
            const lowering::StageGraph& graphOfStage = program().stage(stage);
            m_json.beginObject();
            m_json.member("name", lowering::toString(stage));
            m_json.array("nodes", graphOfStage.nodes.size(),
                [&](std::size_t i) { return stageNode(graphOfStage, lowering::NodeId(i)); });
            m_json.member("changes", changesJson(m_result, stage));
            m_json.endObject();
        }
        m_json.endArray();
    }

    Json stageNode(const lowering::StageGraph& stageGraph, lowering::NodeId id) const {
        const lowering::Node& node = stageGraph.nodes[id];
        return Json{{"id", id.value}, {"op", node.op}, {"name", node.name},
            {"sources", names(graph(), node.sources)},
            {"inputs", valueNames(stageGraph, node.inputs)},
            {"outputs", valueNames(stageGraph, node.outputs)},
            {"kernel", node.kernel.isValid() ? Json(node.kernel.value) : Json(nullptr)},
            {"rule", textOrNull(node.rule)}, {"added_by", textOrNull(node.addedBy)},
            {"executions", node.executions}, {"decided_by", lowering::toString(node.decidedBy)}};
    }

    /// Shares of a captured node's time over the steps that hold it.
    Json split(ir::NodeId id) const {
        Json json = Json::object();
        for (lowering::StepId step : m_result.provenance.toSteps[id])
            json[program().steps[step].name] = seconds(program().steps[step].estimate.isKnown
                    ? std::optional(program().steps[step].estimate.time)
                    : std::nullopt);
        return json;
    }

    void writeNodes() {
        m_json.array("nodes", graph().nodes.size(), [&](std::size_t i) {
            const ir::NodeId id(i);
            const ir::Node& node = graph().nodes[id];
            const ir::NodeCost& cost = m_result.cost->nodes[id];
            const NodeSummary& summary = m_result.nodes[id];
            return Json{{"id", i}, {"op", node.sourceOp}, {"name", node.name},
                {"scope", graph().scopes[node.scope].path}, {"macs", orNull(cost.macs)},
                {"flops", countJson(cost.flops)}, {"bytes_in", bytes(cost.bytesIn)},
                {"bytes_out", bytes(cost.bytesOut)}, {"bytes_weight", bytes(cost.bytesWeight)},
                {"support", lowering::toString(summary.support)}, {"time_s", seconds(summary.time)},
                {"rule", textOrNull(summary.rule)}, {"split", split(id)}};
        });
    }

    void writeKernels() {
        const auto& kernels = scheduled().kernels;
        const auto cards = groupCards(m_result);
        m_json.array("kernels", kernels.size(), [&](std::size_t i) {
            const lowering::Kernel& kernel = kernels[lowering::KernelId(i)];
            std::vector<ir::NodeId> sources = kernel.origins;
            for (lowering::NodeId node :
                kernel.origins.empty() ? kernel.nodes : std::vector<lowering::NodeId>{})
                for (ir::NodeId source : scheduled().nodes[node].sources)
                    if (sources.empty() || sources.back() != source)
                        sources.push_back(source);
            std::ranges::sort(sources);
            sources.erase(std::ranges::unique(sources).begin(), sources.end());
            return Json{{"id", i}, {"name", kernel.name}, {"kind", kernel.kind},
                {"nodes", names(graph(), sources)}, {"reason", textOrNull(kernel.reason)},
                {"decided_by", lowering::toString(kernel.decidedBy)},
                {"fusion",
                    i < cards.size() && cards[lowering::KernelId(i)]
                        ? cardJson(m_result, *cards[lowering::KernelId(i)])
                        : Json(nullptr)}};
        });
    }

    void writeSteps() {
        m_json.array("steps", program().steps.size(), [&](std::size_t i) {
            const lowering::Step& step = program().steps[lowering::StepId(i)];
            const lowering::Estimate& e = step.estimate;
            return Json{{"id", i}, {"name", step.name},
                {"kernel", step.kernel.isValid() ? Json(step.kernel.value) : Json(nullptr)},
                {"executions", step.executions}, {"work_division", textOrNull(step.workDivision)},
                {"units", step.unitsUsed}, {"waves", wavesJson(program(), step)},
                {"time_s", seconds(e.isKnown ? std::optional(e.time) : std::nullopt)},
                {"hidden_s", e.hidden.value}, {"because", textOrNull(e.because)}};
        });
    }

    void writeLayouts() {
        const lowering::StageGraph& laidOut = program().stage(Stage::LaidOut);
        m_json.key("layouts");
        m_json.beginArray();
        for (std::size_t i = 0; i < laidOut.values.size(); ++i) {
            const lowering::Value& value = laidOut.values[lowering::ValueId(i)];
            if (!value.layout)
                continue;
            Json axes = Json::array();
            for (const layout::Axis& axis : value.layout->axes)
                axes.push_back({{"extent", axis.extent}, {"dimension", axis.dimension},
                    {"step", axis.step}, {"role", layout::toString(axis.role)}});
            m_json.value({{"value", valueName(laidOut, lowering::ValueId(i))},
                {"stage", "laid_out"}, {"notation", textOrNull(value.layout->notation)},
                {"axes", axes}, {"bytes", layout::logicalBytes(*value.layout)},
                {"padded_bytes", layout::deviceBytes(*value.layout)}});
        }
        m_json.endArray();
    }

    void writeBuffers() {
        const lowering::StageGraph& placed = program().stage(Stage::Placed);
        const auto parents = memory::inPlaceParents(program());
        m_json.array("buffers", program().buffers.size(), [&](std::size_t i) {
            const lowering::Buffer& buffer = program().buffers[lowering::BufferId(i)];
            return Json{{"id", i}, {"value", valueName(placed, buffer.value)},
                {"level", levelName(buffer.level)},
                {"unit", buffer.unit < 0 ? Json(nullptr) : Json(buffer.unit)},
                {"address", buffer.address}, {"bytes", buffer.bytes.value},
                {"first_ps", buffer.first.value}, {"last_ps", buffer.last.value},
                {"category", lowering::toString(buffer.category)}, {"spill", buffer.isSpill},
                {"in_place_of",
                    parents[lowering::BufferId(i)].isValid()
                        ? Json(parents[lowering::BufferId(i)].value)
                        : Json(nullptr)},
                {"reason", textOrNull(buffer.reason)},
                {"decided_by", lowering::toString(buffer.decidedBy)}};
        });
    }

    void writeRegions() {
        if (program().regions.empty())
            return;
        m_json.member("regions", regionsJson(program()));
        m_json.member("hand_offs", handOffsJson(program()));
    }

    void writeEvents() {
        m_json.array("events", program().events.size(), [&](std::size_t i) {
            const lowering::Event& event = program().events[lowering::EventId(i)];
            Json depends = Json::array();
            for (lowering::EventId id : event.depends)
                depends.push_back(id.value);
            const schedule::Timing timing = m_result.timing.contains(lowering::EventId(i))
                ? m_result.timing[lowering::EventId(i)]
                : schedule::Timing{};
            return Json{{"id", i}, {"node", nodeName(event.step)}, {"step", event.step.value},
                {"kind", lowering::toString(event.kind)},
                {"resource", program().resources[event.resource].name},
                {"start_ps", event.start.value}, {"end_ps", event.end.value},
                {"repeat", event.repeat}, {"depends", depends},
                {"held_by",
                    timing.heldBy.isValid() ? Json(timing.heldBy.value) : Json(nullptr)},
                {"hold", schedule::toString(timing.hold)}, {"slack_ps", timing.slack.value},
                {"decided_by", lowering::toString(event.decidedBy)}};
        });
        Json critical = Json::array();
        for (lowering::EventId id : m_result.criticalPath)
            critical.push_back(id.value);
        m_json.member("critical_path", critical);
    }

    /// What the bytes in use at the peak are for; null where nothing is placed.
    static Json peakByKind(const memory::LevelUse& use) {
        const auto sample = std::ranges::find(use.samples, use.peak, &memory::LevelUse::Sample::bytes);
        if (sample == use.samples.end() || use.peak.value <= 0)
            return nullptr;
        Json kinds = Json::object();
        for (std::size_t k = 0; k < memory::kUseKinds; ++k)
            kinds[std::string(memory::toString(static_cast<memory::UseKind>(k)))]
                = sample->byKind[k].value;
        return kinds;
    }

    static Json cacheJson(const memory::LevelUse& use) {
        if (!use.cache)
            return nullptr;
        return Json{{"hit_share", use.cache->hitShare ? Json(*use.cache->hitShare) : Json(nullptr)},
            {"resident_bytes", use.cache->resident.value}};
    }

    void writeMemory() {
        Json levels = Json::array();
        for (const memory::LevelUse& use : m_result.memory) {
            const KnownUse known = knownUse(use, m_result.machine());
            levels.push_back({{"name", levelName(use.level)},
                {"capacity_bytes", bytes(use.capacity)}, {"peak_bytes", bytes(known.peak)},
                {"read_bytes", bytes(known.read)}, {"written_bytes", bytes(known.written)},
                {"peak_by_kind", peakByKind(use)}, {"cache", cacheJson(use)}});
        }
        m_json.member("memory", Json{{"levels", levels}});
    }

    Json point(const roofline::Point& p) const {
        const lowering::Step& step = program().steps[p.step];
        Json levels = Json::object();
        for (std::size_t level = 0; level < p.bytesByLevel.size(); ++level)
            levels[levelName(level)] = p.bytesByLevel[level].value;
        Json parts{{"compute_s", step.estimate.computeShare.value},
            {"memory_s", step.estimate.memoryShare.value},
            {"scheduling_s", step.estimate.schedulingShare.value}};
        for (const lowering::TimePart& part : step.estimate.scheduling)
            parts[part.name + "_s"] = part.time.value;
        Json json{{"node", nodeName(p.step)}, {"step", p.step.value},
            {"flops", countJson(p.flops.value)}, {"bytes_by_level", levels},
            {"time_s", p.time.value}, {"ideal_s", p.ideal.value},
            {"bound", lowering::toString(p.bound)}, {"parts", parts}};
        addPointCosts(json, m_result, m_gaps, p.step);
        return json;
    }

    void writeRoofline() {
        Json ceilings = Json::array();
        for (const roofline::Ceiling& c : m_result.ceilings)
            ceilings.push_back({{"name", c.name}, {"kind", roofline::toString(c.kind)},
                {"value", orNull(c.value.value)}, {"unit", c.value.unit},
                {"source", textOrNull(c.value.source)},
                {"status", machines::toString(c.value.status)}});
        m_json.key("roofline");
        m_json.beginObject();
        m_json.member("ceilings", ceilings);
        m_json.array("points", m_result.points.size(),
            [&](std::size_t i) { return point(m_result.points[i]); });
        m_json.endObject();
    }

    void writeTotals() {
        const Totals& t = m_result.totals;
        // 0 is what a program without work takes; where steps are unknown and no other takes time,
        // nothing is known.
        const bool isUnknown = t.unknownSteps > 0 && t.time.value <= 0;
        const auto total = [isUnknown](base::Seconds time) {
            return isUnknown ? Json(nullptr) : number(time.value);
        };
        Json validated = nullptr;
        if (t.validated)
            validated = {{"points", t.validated->points},
                {"geomean_error", t.validated->geomeanError}, {"p90_error", t.validated->p90Error},
                {"source", t.validated->source}};
        std::optional<base::Seconds> ideal; // the machine's own compiler's
        for (const lowering::Step& step : program().steps)
            if (step.estimate.compilerIdeal)
                ideal = ideal.value_or(base::Seconds())
                    + static_cast<double>(step.executions) * *step.estimate.compilerIdeal;
        m_json.member("totals",
            Json{{"time_s", total(t.time)}, {"compute_s", total(t.compute)},
                {"memory_s", total(t.memory)}, {"scheduling_s", total(t.scheduling)},
                {"low_s", seconds(t.low)}, {"high_s", seconds(t.high)},
                {"compiler_ideal_s", seconds(ideal)},
                {"unknown_steps", t.unknownSteps}, {"validated", validated}});
    }

    void writeDiagnostics() {
        const auto& entries = m_result.diagnostics.entries();
        m_json.array("diagnostics", entries.size(), [&](std::size_t i) {
            const base::Diagnostic& d = entries[i];
            return Json{{"severity", base::toString(d.severity)}, {"code", d.code},
                {"node", textOrNull(d.node)}, {"message", d.message},
                {"remedy", textOrNull(d.remedy)}, {"count", d.count}};
        });
    }

    JsonStream m_json;
    const Result& m_result;
    const std::string& m_sha256;
    const lowering::CycleView* m_cycles;
    const roofline::GapAnalysis m_gaps;
};

} // namespace

void writeReport(std::ostream& out, const Result& result, const std::string& sha256,
        const lowering::CycleView* cycles, const Play* play) {
    Report(out, result, sha256, cycles).write(play);
    out << '\n';
}

std::string validationText(const Totals& totals) {
    if (!totals.validated)
        return "not validated";
    char text[96];
    std::snprintf(text, sizeof text, "±%.1f %% on %lld points",
        totals.validated->geomeanError * 100, static_cast<long long>(totals.validated->points));
    return text;
}

std::string footLine(const Result& result) {
    const ir::ModelInfo& info = result.graph().info;
    std::string line = info.path.substr(info.path.find_last_of('/') + 1) + " · "
        + result.machine().name + " · "
        + std::string(machines::toString(result.request.settings.precision)) + " · fusion "
        + (result.request.settings.isFusionOn ? "on" : "off");
    for (const auto& [key, value] : result.request.settings.values)
        line += " · " + key + " " + value;
    for (const auto& [name, size] : result.typed->assumed)
        line += " · " + name + " = " + std::to_string(size) + " (assumed)";
    return line + " · Fivefold " + std::string(base::kVersion) + " · "
        + validationText(result.totals);
}

} // namespace fivefold::analysis
