// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/summary.h"

#include "core/analysis/json_stream.h"
#include "core/ir/bindings.h"

namespace fivefold::analysis {

namespace {

Json dimension(const ir::Dim& dim) {
    return dim.isKnown() ? Json(dim.value()) : Json(nullptr);
}

/// Where a value lives: "/" for the main graph, "/owner/then_branch" for a body.
std::string blockPath(const ir::Graph& graph, ir::BlockId block) {
    std::string path;
    while (block.isValid() && graph.blocks[block].owner.isValid()) {
        const ir::Node& owner = graph.nodes[graph.blocks[block].owner];
        path = (owner.name.starts_with('/') ? "" : "/") + owner.name + "/"
            + graph.blocks[block].role + path;
        block = owner.block;
    }
    return path.empty() ? "/" : path;
}

std::string_view kindText(ir::ValueKind kind) {
    switch (kind) {
    case ir::ValueKind::Tensor:
        return "tensor";
    case ir::ValueKind::SparseTensor:
        return "sparse_tensor";
    case ir::ValueKind::Sequence:
        return "sequence";
    case ir::ValueKind::Optional:
        return "optional";
    case ir::ValueKind::Map:
        return "map";
    }
    return "tensor";
}

Json valueJson(const Summary& summary, ir::ValueId id) {
    const ir::Value& value = summary.graph->values[id];
    const ir::ValueType& type = summary.typed->types[id];
    Json shape = nullptr;
    Json dims = nullptr;
    const bool hasShape =
        type.kind == ir::ValueKind::Tensor || type.kind == ir::ValueKind::SparseTensor;
    if (hasShape && type.shape) {
        shape = Json::array();
        dims = Json::array();
        for (const ir::Dim& dim : *type.shape) {
            shape.push_back(dimension(dim));
            dims.push_back(dim.text());
        }
    }
    return Json{{"scope", blockPath(*summary.graph, value.block)}, {"name", value.name},
        {"kind", kindText(type.kind)},
        {"dtype", type.dtype == ir::DType::Undefined ? Json(nullptr) : Json(ir::name(type.dtype))},
        {"shape", shape}, {"dims", dims}};
}

void writeValues(JsonStream& json, std::string_view key, const Summary& summary,
    const std::vector<ir::ValueId>& values) {
    json.array(key, values.size(), [&](std::size_t i) {
        return values[i].isValid() ? valueJson(summary, values[i]) : Json(nullptr);
    });
}

void writeValueLine(std::ostream& out, const Summary& summary, ir::ValueId id) {
    if (!id.isValid())
        return;
    const ir::ValueType& type = summary.typed->types[id];
    out << "  " << summary.graph->values[id].name << "  " << ir::name(type.dtype) << "  "
        << (type.shape ? ir::toText(*type.shape) : std::string("shape unknown")) << '\n';
}

} // namespace

base::Result<Summary> summarize(
    const Model& model, const ir::InferenceOptions& options, const base::Progress& progress) {
    Summary summary;
    summary.graph = model.graph;
    summary.diagnostics.append(model.diagnostics);
    summary.nodes = model.graph->fileNodeCount();
    summary.parameters = model.graph->parameterCount();

    ir::InferenceOptions plain = options;
    plain.assumeFree = false;
    auto typed = ir::infer(model.graph, plain, summary.diagnostics, progress);
    if (!typed)
        return typed.error();
    summary.typed = std::make_shared<const ir::Typed>(*std::move(typed));

    ir::InferenceOptions assuming = options;
    assuming.assumeFree = true;
    base::Diagnostics repeated;
    auto counted = ir::infer(model.graph, assuming, repeated, progress);
    if (!counted)
        return counted.error();
    if (auto checked = ir::checkSizes(*counted, summary.diagnostics); !checked)
        return checked.error();
    const ir::ModelCost cost = ir::modelCost(*counted);
    summary.assumed = counted->assumed;
    summary.macs = cost.macs;
    summary.flops = cost.flops;
    summary.unknownCostNodes = cost.unknownNodes;
    return summary;
}

void writeSummaryJson(std::ostream& out, const Summary& summary) {
    const ir::Graph& graph = *summary.graph;
    JsonStream json(out);
    json.beginObject();
    json.member("model",
        Json{{"name", graph.info.path.substr(graph.info.path.find_last_of('/') + 1)},
            {"format", graph.info.format}, {"producer", graph.info.producer},
            {"ir_version", graph.info.irVersion}});
    json.member("nodes", summary.nodes);
    json.member("parameters", summary.parameters);
    json.member("macs", summary.macs ? Json(*summary.macs) : Json(nullptr));
    json.member("flops", countJson(summary.flops));
    json.member("unknown_cost_nodes", summary.unknownCostNodes);
    Json assumed = Json::object();
    for (const auto& [name, size] : summary.assumed)
        assumed[name] = size;
    json.member("assumed", assumed);
    writeValues(json, "inputs", summary, graph.main().inputs);
    writeValues(json, "outputs", summary, graph.main().outputs);
    json.array("values", graph.values.size(),
        [&](std::size_t i) { return valueJson(summary, ir::ValueId(i)); });
    json.array("diagnostics", summary.diagnostics.entries().size(), [&](std::size_t i) {
        const base::Diagnostic& d = summary.diagnostics.entries()[i];
        return Json{{"severity", base::toString(d.severity)}, {"code", d.code}, {"node", d.node},
            {"message", d.message}, {"remedy", d.remedy}, {"count", d.count}};
    });
    json.endObject();
    out << '\n';
}

void writeSummaryText(std::ostream& out, const Summary& summary) {
    const ir::Graph& graph = *summary.graph;
    out << graph.info.path << "  (" << graph.info.format << ", " << graph.info.producer << ")\n"
        << summary.nodes << " nodes, " << summary.parameters << " parameters, ";
    if (summary.macs)
        out << *summary.macs << " MAC";
    else
        out << "MAC unknown";
    if (summary.unknownCostNodes > 0)
        out << ", " << summary.unknownCostNodes << " operators of unknown cost";
    out << '\n';
    for (const auto& [name, size] : summary.assumed)
        out << "assumed " << name << " = " << size << '\n';
    out << "inputs\n";
    for (ir::ValueId id : graph.main().inputs)
        writeValueLine(out, summary, id);
    out << "outputs\n";
    for (ir::ValueId id : graph.main().outputs)
        writeValueLine(out, summary, id);
    for (const base::Diagnostic& d : summary.diagnostics.entries())
        out << base::toString(d.severity) << ": " << (d.node.empty() ? "" : d.node + ": ")
            << d.message << (d.count > 1 ? " (×" + std::to_string(d.count) + ")" : "") << '\n';
}

} // namespace fivefold::analysis
