// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/report_parts.h"

/// What stages changed and what fusions buy, as JSON.
namespace fivefold::analysis {

namespace {

Json nodeName(const lowering::StageGraph& graph, lowering::NodeId id) {
    return id.isValid() ? Json(graph.nodes[id].name) : Json(nullptr);
}

Json levelName(const Result& result, std::optional<std::size_t> level) {
    return level ? Json(result.machine().memories[*level].name) : Json(nullptr);
}

Json addedJson(const Result& result, const lowering::StageGraph& graph, const AddedNode& added) {
    return Json{{"node", graph.nodes[added.node].name}, {"kind", toString(added.kind)},
        {"rule", textOrNull(added.rule)},
        {"cause",
            added.cause.isValid() ? Json(result.graph().nodes[added.cause].name) : Json(nullptr)},
        {"bytes", bytes(added.bytes)}, {"decided_by", lowering::toString(added.decidedBy)}};
}

Json countsJson(const StageChanges& changes) {
    Json counts = Json::object();
    for (std::size_t k = 0; k < kMovementKinds; ++k) {
        std::int64_t nodes = 0;
        for (const AddedNode& added : changes.added)
            nodes += static_cast<std::size_t>(added.kind) == k;
        if (nodes > 0)
            counts[std::string(toString(static_cast<MovementKind>(k)))] = {{"nodes", nodes},
                {"edges", changes.edgesByKind[k]}, {"bytes", bytes(changes.bytesByKind[k])}};
    }
    return counts;
}

Json listsJson(const Result& result, const StageChanges& changes) {
    const ir::Graph& captured = result.graph();
    const lowering::StageGraph& graph = result.program.stage(changes.stage);
    Json added = Json::array(), edges = Json::array(), removed = Json::array(),
         replaced = Json::array();
    for (const AddedNode& node : changes.added)
        added.push_back(addedJson(result, graph, node));
    for (const AddedEdge& edge : changes.edges)
        edges.push_back({{"value", valueName(graph, edge.value)},
            {"from", nodeName(graph, edge.from)}, {"to", nodeName(graph, edge.to)},
            {"kind", toString(edge.kind)}, {"rule", textOrNull(edge.rule)}});
    for (const lowering::Removed& node : changes.removed)
        removed.push_back({{"node", captured.nodes[node.node].name}, {"rule", node.rule}});
    for (const ReplacedNode& node : changes.replaced) {
        Json by = Json::array();
        for (const lowering::NodeId id : node.by)
            by.push_back(graph.nodes[id].name);
        replaced.push_back({{"node", captured.nodes[node.captured].name}, {"by", by},
            {"rule", textOrNull(node.rule)}});
    }
    return Json{{"added", added}, {"edges", edges}, {"removed", removed}, {"replaced", replaced}};
}

} // namespace

Json changesJson(const Result& result, lowering::Stage stage) {
    const StageChanges changes = stageChanges(result, stage);
    const lowering::StageGraph& graph = result.program.stage(stage);
    Json json = listsJson(result, changes);
    json["counts"] = countsJson(changes);
    json["sentence"] = textOrNull(movementSentence(changes));
    if (stage == lowering::Stage::Fused) {
        std::size_t operators = 0;
        for (const FusedGroup& group : changes.groups)
            operators += group.operators;
        json["groups"] = {{"count", changes.groups.size()}, {"operators", operators}};
    }
    if (stage == lowering::Stage::LaidOut) {
        json["padded"] = Json::array();
        for (const PaddedValue& value : changes.padded)
            json["padded"].push_back(
                {{"value", valueName(graph, value.value)}, {"bytes", value.bytes.value}});
        json["padding_bytes"] = changes.paddingBytes().value;
    }
    if (stage == lowering::Stage::Placed)
        json["spills"] = changes.spills.size();
    if (stage == lowering::Stage::Scheduled) {
        json["transfers"] = Json::array();
        for (const Transfers& transfers : changes.transfers)
            json["transfers"].push_back({{"kind", lowering::toString(transfers.kind)},
                {"resource", result.program.resources[transfers.resource].name},
                {"events", transfers.events}});
    }
    return json;
}

Json cardJson(const Result& result, const GroupCard& card) {
    const lowering::StageGraph& graph = result.program.stage(lowering::Stage::Placed);
    Json intermediates = Json::array();
    for (const Intermediate& each : card.intermediates)
        intermediates.push_back(
            {{"value", valueName(graph, each.value)}, {"bytes", bytes(each.bytes)},
                {"reads", each.reads}, {"level", levelName(result, each.level)},
                {"level_alone", levelName(result, each.levelAlone)},
                {"recomputed", each.isRecomputed}});
    Json tile = nullptr;
    if (card.tile)
        tile = {{"memory", card.tile->memory}, {"footprint_bytes", card.tile->bytes},
            {"capacity_bytes", orNull(card.tile->capacity)}, {"fits", orNull(card.fits())},
            {"spilled_bytes", card.tile->spilled}, {"how", textOrNull(card.tile->how)}};
    return Json{{"operators", card.operators}, {"intermediates", intermediates},
        {"intermediate_bytes", bytes(card.intermediateBytes)},
        {"already_on_chip", orNull(card.isOnChipAlready)},
        {"level_alone", textOrNull(card.levelAlone)}, {"hardware_managed", card.isHardwareManaged},
        {"tile", tile}, {"saved_bytes", bytes(card.saved)}, {"spilled_bytes", bytes(card.spilled)},
        {"recomputed_bytes", bytes(card.recomputed)}, {"net_bytes", bytes(card.net)},
        {"verdict", card.verdict}};
}

Json editsJson(const std::vector<lowering::FusionEdit>& edits) {
    Json array = Json::array();
    for (const lowering::FusionEdit& edit : edits)
        array.push_back(
            {{"kind", edit.kind == lowering::FusionEdit::Kind::Split ? "split" : "join"},
                {"node", edit.node}, {"other", textOrNull(edit.other)}});
    return array;
}

} // namespace fivefold::analysis
