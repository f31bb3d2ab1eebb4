// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/compiler_report.h"

#include "core/analysis/pipeline.h"

#include <algorithm>

namespace fivefold::analysis {

using lowering::CompilerPass;
using lowering::CompilerPipeline;
using lowering::PassMetric;
using lowering::PipelineMode;
using lowering::Program;
using lowering::Stage;
using lowering::StageGraph;

namespace {

/// Counts at the last stage that the pass does; passes without one count at the scheduled stage.
class PassCounter {
public:
    PassCounter(const Result& result, const CompilerPass& pass)
        : m_result(result)
        , m_program(result.program)
        , m_pass(pass)
        , m_graph(m_program.stage(
              pass.stages.empty() ? Stage::Scheduled : std::ranges::max(pass.stages))) { }

    PassCount count(PassMetric metric) const {
        const auto plain = [metric](const char* key, const char* word, double value) {
            return PassCount{metric, key, word, "1", value};
        };
        const auto size = [](const auto& list) { return static_cast<double>(list.size()); };
        switch (metric) {
        case PassMetric::Nodes:
            return plain("nodes", "nodes", size(m_graph.nodes));
        case PassMetric::Removed:
            return plain("removed", "removed", size(m_graph.removed));
        case PassMetric::Added:
            return plain("added", "added", added());
        case PassMetric::Kernels:
            return kernels();
        case PassMetric::Layouts:
            return plain("layouts", "layouts", layouts());
        case PassMetric::Padding:
            return {metric, "padding_bytes", "padding", "B", padding()};
        case PassMetric::Buffers:
            return plain("buffers", "buffers", size(m_program.buffers));
        case PassMetric::OnChip:
            return plain("on_chip_buffers", "on chip", onChip());
        case PassMetric::Steps:
            return plain("steps", "steps", size(m_program.steps));
        case PassMetric::Events:
            return plain("events", "events", size(m_program.events));
        case PassMetric::Time:
            break;
        }
        return {metric, "time_s", "", "s", m_result.totals.time.value,
            m_result.totals.unknownSteps > 0};
    }

private:
    /// Nodes that have no captured counterpart and came in at one of the pass's stages.
    double added() const {
        return static_cast<double>(
            std::ranges::count_if(m_graph.nodes, [this](const lowering::Node& node) {
                return !node.addedBy.empty() && m_pass.claims(node.addedAt);
            }));
    }

    PassCount kernels() const {
        const double count = static_cast<double>(m_graph.kernels.size());
        const lowering::Family* family = findFamily(m_result.machine().family);
        const auto words = family
            ? family->kernelWord()
            : std::pair<std::string_view, std::string_view>{"kernel", "kernels"};
        return {PassMetric::Kernels, "kernels",
            std::string(m_graph.kernels.size() == 1 ? words.first : words.second), "1", count};
    }

    double layouts() const {
        return static_cast<double>(std::ranges::count_if(
            m_graph.values, [](const lowering::Value& value) { return value.layout != nullptr; }));
    }

    double padding() const {
        double bytes = 0;
        for (const lowering::Value& value : m_graph.values)
            if (value.layout)
                bytes += static_cast<double>(layout::deviceBytes(*value.layout))
                    - static_cast<double>(layout::logicalBytes(*value.layout));
        return bytes;
    }

    double onChip() const {
        return static_cast<double>(
            std::ranges::count_if(m_program.buffers, [this](const lowering::Buffer& buffer) {
                const machines::MemoryKind kind = m_result.machine().memories[buffer.level].kind;
                return kind != machines::MemoryKind::Device && kind != machines::MemoryKind::Host;
            }));
    }

    const Result& m_result;
    const Program& m_program;
    const CompilerPass& m_pass;
    const StageGraph& m_graph;
};

std::string valueInForce(std::string_view key, const lowering::Settings& settings,
    const std::vector<lowering::SettingInfo>& infos) {
    if (key == "fusion")
        return settings.isFusionOn ? "on" : "off";
    if (key == "precision")
        return std::string(machines::toString(settings.precision));
    if (const auto set = settings.values.find(std::string(key)); set != settings.values.end())
        return set->second;
    const auto info = std::ranges::find(infos, key, &lowering::SettingInfo::key);
    return info == infos.end() ? std::string() : info->defaultValue;
}

template <typename Items, typename Make> Json list(const Items& items, Make make) {
    Json array = Json::array();
    for (const auto& item : items)
        array.push_back(make(item));
    return array;
}

Json stageNames(const std::vector<Stage>& stages) {
    return list(stages, [](Stage stage) { return Json(lowering::toString(stage)); });
}

Json textJson(std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json figureJson(const BoxFigure& figure) {
    return {{"name", figure.key},
        {"value", figure.figure.isKnown() ? Json(*figure.figure.value) : Json(nullptr)},
        {"unit", figure.figure.unit}, {"status", machines::toString(figure.figure.status)},
        {"source", textJson(figure.figure.source)}};
}

Json boxJson(const MachineDiagram& diagram, const DiagramBox& box) {
    Json json{{"kind", toString(box.kind)}, {"name", box.name}, {"detail", textJson(box.detail)},
        {"inside", box.parent ? Json(diagram.boxes[*box.parent].name) : Json(nullptr)},
        {"count", countJson(box.count)}, {"count_inside", countJson(box.perParent)}};
    if (box.kind == BoxKind::Unit)
        json["role"] = machines::toString(box.role);
    if (box.kind == BoxKind::Memory) {
        json["level"] = machines::toString(box.memory);
        json["managed_by"] = textJson(box.managedBy);
    }
    if (box.kind == BoxKind::Link)
        json["role"] = textJson(box.linkRole);
    json["figures"] = list(box.figures, figureJson);
    return json;
}

/// Null without an array, without a product, and where the cycles exceed 2⁶².
Json productJson(const Result& result) {
    std::vector<lowering::StepId> steps;
    for (std::size_t i = 0; i < result.program.steps.size(); ++i)
        steps.emplace_back(i);
    const auto array = machineArray(result.machine());
    const auto found = array ? productOf(result, steps) : std::nullopt;
    const auto run = found ? lowering::SystolicRun::of(array->array, found->m, found->n, found->k)
                           : std::nullopt;
    if (!run)
        return nullptr;
    return {{"node", result.program.stage(Stage::Scheduled).nodes[found->node].name},
        {"batch", found->batch}, {"m", found->m}, {"n", found->n}, {"k", found->k},
        {"unit", array->unit}, {"rows", array->array.rows}, {"columns", array->array.columns},
        {"lanes", array->array.lanes}, {"folds", run->folds()}, {"fold_cycles", run->foldCycles()},
        {"cycles", run->cycles()}, {"overlapped_cycles", run->overlappedCycles()},
        {"utilisation", run->utilisation()}};
}

} // namespace

std::vector<PassCount> passCounts(const Result& result, const CompilerPass& pass) {
    const PassCounter counter(result, pass);
    std::vector<PassCount> counts;
    for (PassMetric metric : pass.metrics)
        counts.push_back(counter.count(metric));
    return counts;
}

const PipelineMode* modeInForce(const CompilerPipeline& pipeline,
    const lowering::Settings& settings, const std::vector<lowering::SettingInfo>& infos) {
    const auto found = std::ranges::find_if(pipeline.modes, [&](const PipelineMode& mode) {
        return mode.isModelled && std::ranges::all_of(mode.settings, [&](const auto& setting) {
            return valueInForce(setting.first, settings, infos) == setting.second;
        });
    });
    return found == pipeline.modes.end() ? nullptr : &*found;
}

Json compilerJson(const CompilerPipeline& pipeline) {
    Json words = Json::object();
    for (Stage stage : lowering::kStages)
        words[std::string(lowering::toString(stage))] =
            pipeline.stageWords[static_cast<std::size_t>(stage)];
    return {{"name", pipeline.compiler}, {"version", pipeline.version},
        {"stack", list(pipeline.stack, [](std::string_view layer) { return Json(layer); })},
        {"stage_order", stageNames(lowering::stageOrder(pipeline))}, {"stage_words", words},
        {"modes",
            list(pipeline.modes,
                [](const PipelineMode& mode) {
                    Json settings = Json::object();
                    for (const auto& [key, value] : mode.settings)
                        settings[std::string(key)] = value;
                    return Json{{"id", mode.id}, {"how", mode.how}, {"means", mode.means},
                        {"settings", settings}, {"modelled", mode.isModelled}};
                })},
        {"unpublished", textJson(pipeline.unpublished)}};
}

Json passJson(const CompilerPass& pass) {
    return {{"id", pass.id}, {"name", pass.name}, {"layer", pass.layer},
        {"phase", lowering::toString(pass.phase)}, {"stages", stageNames(pass.stages)},
        {"decided_by", lowering::toString(pass.decidedBy)},
        {"disclosure", lowering::toString(pass.disclosure)}, {"does", pass.does},
        {"emits", pass.emits}, {"source", pass.source},
        {"artefacts",
            list(pass.artefacts,
                [](const lowering::PassArtefact& artefact) {
                    return Json{{"name", artefact.name}, {"how", textJson(artefact.how)}};
                })},
        {"changes", list(pass.changes, [](const lowering::PassChange& change) {
             return Json{{"mode", change.mode}, {"effect", change.effect}};
         })}};
}

Json diagramJson(const machines::Machine& machine) {
    const MachineDiagram diagram = machineDiagram(machine);
    Json words = Json::object();
    for (const Word& word : diagram.vocabulary)
        words[std::string(word.key)] = textJson(word.word);
    Json json{
        {"boxes",
            list(diagram.boxes, [&](const DiagramBox& box) { return boxJson(diagram, box); })},
        {"vocabulary", words}, {"array", nullptr}};
    if (const auto array = machineArray(machine))
        json["array"] = {{"unit", array->unit}, {"rows", array->array.rows},
            {"columns", array->array.columns}, {"lanes", array->array.lanes},
            {"count", countJson(array->count)}, {"status", machines::toString(array->status)},
            {"source", textJson(array->source)}};
    return json;
}

void writeCompiler(JsonStream& json, const Result& result) {
    const lowering::Family* family = findFamily(result.machine().family);
    if (!family)
        return;
    const CompilerPipeline& pipeline = family->compilerPipeline();
    Json compiler = compilerJson(pipeline);
    const PipelineMode* mode =
        modeInForce(pipeline, result.request.settings, family->settings(result.machine()));
    compiler["mode"] = mode ? Json(mode->id) : Json(nullptr);
    json.member("compiler", compiler);
    json.array("pipeline", pipeline.passes.size(), [&](std::size_t i) {
        Json pass = passJson(pipeline.passes[i]);
        Json counts = Json::object();
        for (const PassCount& count : passCounts(result, pipeline.passes[i]))
            counts[count.key] = countJson(count.value);
        pass["counts"] = counts;
        return pass;
    });
    json.member("product", productJson(result));
}

} // namespace fivefold::analysis
