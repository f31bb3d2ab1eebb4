// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/group_card.h"
#include "core/analysis/json_stream.h"
#include "core/analysis/stage_changes.h"

/// Pieces of the JSON report.
namespace fivefold::analysis {

inline Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
inline Json seconds(const std::optional<base::Seconds>& time) {
    return time ? number(time->value) : Json(nullptr);
}
inline Json bytes(const std::optional<base::Bytes>& size) {
    return size ? Json(size->value) : Json(nullptr);
}

template <typename T> Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}
inline Json textOrNull(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

/// Names of the captured nodes.
inline Json names(const ir::Graph& graph, const std::vector<ir::NodeId>& nodes) {
    Json array = Json::array();
    for (ir::NodeId id : nodes)
        array.push_back(graph.nodes[id].name);
    return array;
}

/// A value is named by the model; one that lowering made or that has no name is "%index".
inline std::string valueName(const lowering::StageGraph& graph, lowering::ValueId id) {
    const std::string& name = graph.values[id].name;
    return name.empty() ? "%" + std::to_string(id.value) : name;
}

inline Json valueNames(
    const lowering::StageGraph& graph, const std::vector<lowering::ValueId>& values) {
    Json array = Json::array();
    for (lowering::ValueId id : values)
        array.push_back(id.isValid() ? Json(valueName(graph, id)) : Json(nullptr));
    return array;
}

Json changesJson(const Result& result, lowering::Stage stage);
Json cardJson(const Result& result, const GroupCard& card);
Json editsJson(const std::vector<lowering::FusionEdit>& edits);

} // namespace fivefold::analysis
