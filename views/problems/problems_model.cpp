// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/problems/problems_model.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"

#include <algorithm>

namespace fivefold::views::problems {

using namespace common;
using analysis::Problem;

namespace {

bool isNumber(int column) {
    return column == ProblemsModel::Cost || column == ProblemsModel::Without
        || column == ProblemsModel::Count;
}

} // namespace

ProblemsModel::ProblemsModel(const ViewState& state, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state) {
    reset();
}

void ProblemsModel::reset() {
    beginResetModel();
    const auto result = m_state.result();
    m_problems = result ? result->problems : std::vector<Problem>();
    endResetModel();
}

void ProblemsModel::refreshMarks() {
    if (!m_problems.empty())
        emit dataChanged(
            index(0, 0), index(rowCount() - 1, kColumns - 1), {kSelectedRole, kHoveredRole});
}

bool ProblemsModel::isOf(const Problem& problem, const Selection& selection) const {
    if (problem.value.isValid() && selection.value.isValid())
        return problem.value == selection.value;
    return problem.node.isValid() && selection.contains(problem.node);
}

int ProblemsModel::selectedRow() const {
    for (int row = 0; row < rowCount(); ++row)
        if (isOf(problem(row), m_state.selection()))
            return row;
    return -1;
}

std::int64_t ProblemsModel::count(base::Severity severity) const {
    return std::ranges::count(m_problems, severity, &Problem::severity);
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
        return problem.place.empty() ? tr("whole model") : QString::fromStdString(problem.place);
    case Message:
        return QString::fromStdString(problem.message);
    case Advice:
        return QString::fromStdString(problem.advice);
    case Cost:
        return problem.cost ? formatTime(problem.cost) : QStringLiteral("–");
    case Without:
        return problem.without ? formatTime(problem.without) : QStringLiteral("–");
    case Try:
        if (problem.remedies.empty())
            return {};
        return problem.remedies.size() == 1 ? tr("Try") : tr("Try ▾");
    case Count:
        return formatCount(problem.count);
    default:
        return QString::fromStdString(problem.code);
    }
}

QVariant ProblemsModel::sortValue(int row, int column) const {
    const Problem& at = problem(row);
    switch (column) {
    case Severity: // within a severity in the order of the list
        return static_cast<int>(at.severity) * 1e9 - row;
    case Cost: // unknown ones keep the order of the list, below all others
        return at.cost ? at.cost->value : -1.0 - row;
    case Without:
        return at.without ? at.without->value : -1.0 - row;
    case Try:
        return static_cast<double>(at.remedies.size());
    case Count:
        return static_cast<double>(at.count);
    default:
        return {};
    }
}

QVariant ProblemsModel::plainValue(const Problem& problem, int column) const {
    const auto seconds = [](const std::optional<base::Seconds>& time) {
        return time ? QString::number(time->value, 'g', 12) : QString();
    };
    switch (column) {
    case Cost:
        return seconds(problem.cost);
    case Without:
        return seconds(problem.without);
    case Count:
        return QString::number(problem.count);
    case Place:
        return QString::fromStdString(problem.place);
    case Try: {
        QStringList texts;
        for (const analysis::Remedy& remedy : problem.remedies)
            texts << QString::fromStdString(remedy.text);
        return texts.join(QStringLiteral("; "));
    }
    default:
        return {};
    }
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Problem& at = problem(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(at, column);
    case Qt::ToolTipRole:
        if (column == Try)
            return plainValue(at, Try).toString().replace(
                QStringLiteral("; "), QStringLiteral("\n"));
        return text(at, column);
    case Qt::TextAlignmentRole:
        if (column == Try)
            return QVariant::fromValue(int(Qt::AlignCenter));
        return QVariant::fromValue(
            int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case kSortRole:
        return sortValue(index.row(), column);
    case kCsvRole:
        return plainValue(at, column);
    case kSeverityRole:
        return column == Severity ? QVariant(static_cast<int>(at.severity)) : QVariant();
    case kButtonRole:
        return column == Try && !at.remedies.empty();
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
            int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && section == Cost)
        return tr("What the time of the whole model falls by without it; – : no price is known");
    if (role == Qt::ToolTipRole && section == Without)
        return tr("The time of the whole model without it");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Severity:
        return tr("Severity");
    case Place:
        return tr("Where");
    case Message:
        return tr("Problem");
    case Advice:
        return tr("What would mend it");
    case Cost:
        return tr("Cost");
    case Without:
        return tr("Without it");
    case Try:
        return tr("Remedy");
    case Count:
        return tr("Times");
    default:
        return tr("Code");
    }
}

} // namespace fivefold::views::problems
