// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/problems/problems_model.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::views::problems {

using namespace common;

namespace {

/// Names to ids; the first of equal names wins, as in the file.
struct Names {
    std::unordered_map<std::string, ir::NodeId> nodes;
    std::unordered_map<std::string, ir::ValueId> values;

    explicit Names(const ir::Graph& graph) {
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            nodes.emplace(graph.nodes[ir::NodeId(n)].name, ir::NodeId(n));
        for (std::size_t v = 0; v < graph.values.size(); ++v)
            values.emplace(graph.values[ir::ValueId(v)].name, ir::ValueId(v));
    }
};

std::optional<base::Seconds> costOf(const analysis::Result& result, ir::NodeId node) {
    return result.nodes.contains(node) ? result.nodes[node].time : std::nullopt;
}

Problem fromDiagnostic(
    const base::Diagnostic& diagnostic, const Names& names, const analysis::Result& result) {
    Problem problem;
    problem.severity = diagnostic.severity;
    problem.code = QString::fromStdString(diagnostic.code);
    problem.place = QString::fromStdString(diagnostic.node);
    problem.message = QString::fromStdString(diagnostic.message);
    problem.remedy = QString::fromStdString(diagnostic.remedy);
    problem.count = diagnostic.count;
    if (diagnostic.node.empty())
        return problem;
    if (const auto node = names.nodes.find(diagnostic.node); node != names.nodes.end())
        problem.node = node->second;
    else if (const auto value = names.values.find(diagnostic.node); value != names.values.end())
        problem.value = value->second;
    problem.cost = costOf(result, problem.node);
    return problem;
}

/// Whether diagnostics of the code say that an operator does not run on the device: the last part
/// of the code does, whatever the family.
bool saysSupport(std::string_view code) {
    constexpr std::string_view kWords[] = {
        "unsupported", "fallback", "refused", "host_operator", "unknown_operator"};
    const std::string_view last = code.substr(code.find_last_of('.') + 1);
    return std::ranges::any_of(kWords, [last](std::string_view w) { return last.starts_with(w); });
}

Problem fromRefusal(const analysis::Result& result, ir::NodeId id) {
    const ir::Node& node = result.graph().nodes[id];
    const auto& summary = result.nodes[id];
    const bool isFallback = summary.support == lowering::Support::Fallback;
    Problem problem;
    problem.severity = isFallback ? base::Severity::Warning : base::Severity::Error;
    problem.code =
        isFallback ? QStringLiteral("support.fallback") : QStringLiteral("support.unsupported");
    problem.place = QString::fromStdString(node.name);
    const QString machine = QString::fromStdString(result.machine().name);
    const QString op = QString::fromStdString(node.sourceOp);
    problem.message = isFallback
        ? ProblemsModel::tr("%1 runs on the host: its data leaves %2 and comes back.")
              .arg(op, machine)
        : ProblemsModel::tr("%1 has no %2 operator, so its time is unknown.").arg(machine, op);
    problem.remedy = asSentence(summary.rule);
    problem.node = id;
    problem.cost = summary.time;
    return problem;
}

} // namespace

std::vector<Problem> problems(const analysis::Result& result) {
    const Names names(result.graph());
    std::vector<Problem> all;
    std::unordered_set<ir::NodeId> named;
    for (const auto& diagnostic : result.diagnostics.entries()) {
        all.push_back(fromDiagnostic(diagnostic, names, result));
        if (saysSupport(diagnostic.code) && all.back().node.isValid())
            named.insert(all.back().node);
    }
    for (std::size_t n = 0; n < result.nodes.size(); ++n) {
        const auto support = result.nodes[ir::NodeId(n)].support;
        const bool isRefused =
            support == lowering::Support::Unsupported || support == lowering::Support::Fallback;
        if (isRefused && !named.contains(ir::NodeId(n)))
            all.push_back(fromRefusal(result, ir::NodeId(n)));
    }
    std::stable_sort(all.begin(), all.end(), [](const Problem& a, const Problem& b) {
        if (a.severity != b.severity)
            return a.severity > b.severity;
        return a.cost.value_or(base::Seconds(0)) > b.cost.value_or(base::Seconds(0));
    });
    return all;
}

ProblemsModel::ProblemsModel(const ViewState& state, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state) {
    reset();
}

void ProblemsModel::reset() {
    beginResetModel();
    const auto result = m_state.result();
    m_problems = result ? problems(*result) : std::vector<Problem>();
    endResetModel();
}

void ProblemsModel::refreshMarks() {
    if (!m_problems.empty())
        emit dataChanged(
            index(0, 0), index(rowCount() - 1, kColumns - 1), {kSelectedRole, kHoveredRole});
}

bool ProblemsModel::isOf(const Problem& problem, const Selection& selection) const {
    return (problem.node.isValid() && selection.contains(problem.node))
        || (problem.value.isValid() && problem.value == selection.value);
}

int ProblemsModel::selectedRow() const {
    for (int row = 0; row < rowCount(); ++row)
        if (isOf(problem(row), m_state.selection()))
            return row;
    return -1;
}

std::int64_t ProblemsModel::count(base::Severity severity) const {
    std::int64_t count = 0;
    for (const auto& problem : m_problems)
        if (problem.severity == severity)
            count += problem.count;
    return count;
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString ProblemsModel::text(const Problem& problem, int column) const {
    switch (column) {
    case Severity:
        return severityName(problem.severity);
    case Place:
        return problem.place.isEmpty() ? tr("whole model") : problem.place;
    case Message:
        return problem.message;
    case Remedy:
        return problem.remedy;
    case Cost:
        return problem.cost ? formatTime(problem.cost) : QStringLiteral("–");
    case Count:
        return formatCount(problem.count);
    default:
        return problem.code;
    }
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Problem& at = problem(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(at, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            int((column == Cost || column == Count ? Qt::AlignRight : Qt::AlignLeft)
                | Qt::AlignVCenter));
    case kSortRole:
        if (column == Severity) // within a severity in the order of the list: by cost
            return static_cast<int>(at.severity) * 1e9 - index.row();
        if (column == Cost)
            return at.cost ? at.cost->value : -1.0;
        if (column == Count)
            return static_cast<double>(at.count);
        return {};
    case kCsvRole:
        if (column == Cost)
            return at.cost ? QString::number(at.cost->value, 'g', 12) : QString();
        if (column == Count)
            return QString::number(at.count);
        return column == Place ? QVariant(at.place) : QVariant();
    case kSeverityRole:
        return column == Severity ? QVariant(static_cast<int>(at.severity)) : QVariant();
    case kSelectedRole:
        return column == 0 ? QVariant(isOf(at, m_state.selection()) ? 2 : 0) : QVariant();
    case kHoveredRole:
        return column == 0 ? QVariant(isOf(at, m_state.hover())) : QVariant();
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            int((section == Cost || section == Count ? Qt::AlignRight : Qt::AlignLeft)
                | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Severity:
        return tr("Severity");
    case Place:
        return tr("Where");
    case Message:
        return tr("Problem");
    case Remedy:
        return tr("What would mend it");
    case Cost:
        return tr("Time");
    case Count:
        return tr("Times");
    default:
        return tr("Code");
    }
}

} // namespace fivefold::views::problems
