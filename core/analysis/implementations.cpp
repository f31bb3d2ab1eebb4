// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/implementations.h"

#include "core/analysis/pipeline.h"

#include <algorithm>

namespace fivefold::analysis {

using lowering::ImplementationChoice;
using lowering::ImplementationRow;
using lowering::ImplementationValues;
using lowering::NodeId;
using lowering::Stage;

namespace {

/// A family's look at one operator of a result.
class Desk {
public:
    explicit Desk(const Result& result)
        : m_result(result)
        , m_family(findFamily(result.machine().family))
        , m_context{*result.typed, *result.cost, result.machine(), result.request.settings,
              m_diagnostics, m_progress} { }

    bool isOpen() const { return m_family != nullptr; }
    const lowering::StageGraph& graph() const { return m_result.program.stage(Stage::Scheduled); }
    std::vector<ImplementationChoice> choices(NodeId node) const {
        return m_family->implementationChoices(m_context, graph(), node);
    }
    base::Result<ImplementationRow> row(NodeId node, const ImplementationValues& values) const {
        return m_family->implementation(m_context, graph(), node, values);
    }

private:
    const Result& m_result;
    const lowering::Family* m_family;
    base::Diagnostics m_diagnostics;
    base::Progress m_progress;
    lowering::Context m_context;
};

NodeId implementedNode(const Desk& desk, const Result& result, ir::NodeId node) {
    const auto& map = result.provenance.toStage[static_cast<std::size_t>(Stage::Scheduled)];
    if (!desk.isOpen() || !map.contains(node))
        return {};
    for (NodeId lowered : map[node])
        if (!desk.choices(lowered).empty())
            return lowered;
    return {};
}

base::Error noChoice(const Result& result, ir::NodeId node) {
    const bool isNode = result.graph().nodes.contains(node);
    return {base::ErrorCode::InvalidArgument,
        result.machine().name + " leaves no choice for "
            + (isNode ? result.graph().nodes[node].name : std::string("this operator"))
            + "; matrix products, convolutions, attention and softmax have one.",
        {}};
}

} // namespace

NodeId implementedNode(const Result& result, ir::NodeId node) {
    return implementedNode(Desk(result), result, node);
}

std::vector<ImplementationChoice> implementationChoices(const Result& result, ir::NodeId node) {
    const Desk desk(result);
    const NodeId lowered = implementedNode(desk, result, node);
    return lowered.isValid() ? desk.choices(lowered) : std::vector<ImplementationChoice>();
}

base::Result<std::vector<ImplementationRow>> compareImplementations(
    const Result& result, ir::NodeId node, const std::vector<ImplementationValues>& choices) {
    const Desk desk(result);
    const NodeId lowered = implementedNode(desk, result, node);
    if (!lowered.isValid())
        return noChoice(result, node);
    std::vector<ImplementationRow> rows;
    for (const ImplementationValues& values : choices) {
        auto row = desk.row(lowered, values);
        if (!row)
            return row.error();
        rows.push_back(*std::move(row));
    }
    return rows;
}

std::vector<ImplementationRow> sweepImplementation(
    const Result& result, ir::NodeId node, const std::string& key) {
    const Desk desk(result);
    const NodeId lowered = implementedNode(desk, result, node);
    std::vector<ImplementationRow> rows;
    if (!lowered.isValid())
        return rows;
    const auto choices = desk.choices(lowered);
    const auto choice = std::ranges::find(choices, key, &ImplementationChoice::key);
    if (choice == choices.end())
        return rows;
    ImplementationValues values;
    const auto& chosen = result.request.settings.implementations;
    if (const auto own = chosen.find(result.graph().nodes[node].name); own != chosen.end())
        values = own->second;
    for (const std::string& value : choice->values) {
        values[key] = value;
        if (auto row = desk.row(lowered, values))
            rows.push_back(*std::move(row));
    }
    return rows;
}

} // namespace fivefold::analysis
