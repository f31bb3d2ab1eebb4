// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/implementations.h"

#include "core/analysis/pipeline.h"
#include "core/lowering/loop_nest.h"

#include <algorithm>

namespace fivefold::analysis {

using lowering::ImplementationChoice;
using lowering::ImplementationRow;
using lowering::ImplementationValues;
using lowering::NodeId;
using lowering::Stage;

namespace {

/// A family's look at one operator of a result: its own node where the operator is an attention or
/// a softmax, the node that runs where it is a product.
class Desk {
public:
    Desk(const Result& result, ir::NodeId node)
        : m_result(result)
        , m_family(findFamily(result.machine().family))
        , m_context{*result.typed, *result.cost, result.machine(), result.request.settings,
              m_diagnostics, m_progress} {
        for (const Stage stage : {Stage::Captured, Stage::Scheduled})
            if (m_family && !m_node.isValid())
                find(stage, node);
    }

    const std::vector<ImplementationChoice>& choices() const { return m_choices; }
    base::Result<ImplementationRow> row(const ImplementationValues& values) const {
        return m_family->implementation(m_context, m_result.program.stage(m_stage), m_node, values);
    }

private:
    void find(Stage stage, ir::NodeId node) {
        const auto& map = m_result.provenance.toStage[static_cast<std::size_t>(stage)];
        if (!map.contains(node))
            return;
        const lowering::StageGraph& graph = m_result.program.stage(stage);
        for (const NodeId lowered : map[node]) {
            // As captured, a product has no layout, tile or split yet.
            if (stage == Stage::Captured && lowering::productSizes(graph, graph.nodes[lowered]))
                continue;
            m_choices = m_family->implementationChoices(m_context, graph, lowered);
            if (m_choices.empty())
                continue;
            m_stage = stage;
            m_node = lowered;
            return;
        }
    }

    const Result& m_result;
    const lowering::Family* m_family;
    base::Diagnostics m_diagnostics;
    base::Progress m_progress;
    lowering::Context m_context;
    Stage m_stage = Stage::Scheduled;
    NodeId m_node;
    std::vector<ImplementationChoice> m_choices;
};

base::Error noChoice(const Result& result, ir::NodeId node) {
    const bool isNode = result.graph().nodes.contains(node);
    return {base::ErrorCode::InvalidArgument,
        result.machine().name + " leaves no choice for "
            + (isNode ? result.graph().nodes[node].name : std::string("this operator"))
            + "; matrix products, convolutions, attention and softmax have one.",
        {}};
}

/// What the user has chosen for the operator.
ImplementationValues chosenFor(const Result& result, ir::NodeId node) {
    const auto& chosen = result.request.settings.implementations;
    const auto own = chosen.find(result.graph().nodes[node].name);
    return own == chosen.end() ? ImplementationValues() : own->second;
}

} // namespace

std::vector<ImplementationChoice> implementationChoices(const Result& result, ir::NodeId node) {
    return result.graph().nodes.contains(node) ? Desk(result, node).choices()
                                               : std::vector<ImplementationChoice>();
}

base::Result<std::vector<ImplementationRow>> compareImplementations(
    const Result& result, ir::NodeId node, const std::vector<ImplementationValues>& choices) {
    if (!result.graph().nodes.contains(node))
        return noChoice(result, node);
    const Desk desk(result, node);
    if (desk.choices().empty())
        return noChoice(result, node);
    std::vector<ImplementationRow> rows;
    for (const ImplementationValues& values : choices) {
        auto row = desk.row(values);
        if (!row)
            return row.error();
        rows.push_back(*std::move(row));
    }
    return rows;
}

std::vector<ImplementationRow> sweepImplementation(
    const Result& result, ir::NodeId node, const std::string& key) {
    std::vector<ImplementationRow> rows;
    if (!result.graph().nodes.contains(node))
        return rows;
    const Desk desk(result, node);
    const auto choice = std::ranges::find(desk.choices(), key, &ImplementationChoice::key);
    if (choice == desk.choices().end())
        return rows;
    ImplementationValues values = chosenFor(result, node);
    for (const std::string& value : choice->values) {
        values[key] = value;
        if (auto row = desk.row(values))
            rows.push_back(*std::move(row));
    }
    return rows;
}

} // namespace fivefold::analysis
