// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/by_class/by_class_model.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::views::by_class {

using namespace common;
using analysis::ClassRow;

namespace {

struct Scale {
    double size;
    const char* unit;
};
constexpr std::array kJoules = {Scale{1e3, "kJ"}, Scale{1, "J"}, Scale{1e-3, "mJ"},
    Scale{1e-6, "µJ"}, Scale{1e-9, "nJ"}, Scale{1e-12, "pJ"}};

QString threeDigits(double value) {
    const int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return QLocale().toString(value, 'f', digits);
}

double middle(const roofline::StepEnergy& energy) {
    return (energy.joules.low + energy.joules.high) / 2;
}

bool hasEnergy(const roofline::StepEnergy& energy) {
    return energy.joules.high > 0;
}

bool isShare(int column) {
    return column == ByClassModel::TimeShare || column == ByClassModel::FlopsShare
        || column == ByClassModel::BytesShare || column == ByClassModel::EnergyShare;
}

bool isNumber(int column) {
    return column == ByClassModel::Steps || column == ByClassModel::Time
        || column == ByClassModel::Energy;
}

} // namespace

QString energyText(const roofline::StepEnergy& energy) {
    if (!hasEnergy(energy))
        return energy.isAtLeast ? ByClassModel::tr("unknown") : QStringLiteral("–");
    const auto* scale = std::find_if(kJoules.begin(), kJoules.end() - 1,
        [&energy](const Scale& s) { return energy.joules.high >= s.size; });
    const QString low = threeDigits(energy.joules.low / scale->size);
    const QString high = threeDigits(energy.joules.high / scale->size);
    const QString range = low == high ? high : low + QStringLiteral("–") + high;
    return (energy.isAtLeast ? QStringLiteral("≥\u2009") : QString()) + range
        + QStringLiteral("\u2009") + QString::fromUtf8(scale->unit);
}

ByClassModel::ByClassModel(const ViewState& state, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state) {
    reset();
}

void ByClassModel::reset() {
    beginResetModel();
    const auto result = m_state.result();
    m_rows = result ? result->classes : std::vector<ClassRow>();
    m_sum = {};
    m_rowOfStep.clear();
    m_farName.clear();
    for (const ClassRow& row : m_rows) {
        m_sum.steps += row.steps;
        m_sum.flops += row.flops;
        m_sum.bytes += row.bytes;
        m_sum.time += row.time;
        m_sum.energy.joules += row.energy.joules;
        m_sum.energy.isAtLeast = m_sum.energy.isAtLeast || row.energy.isAtLeast;
    }
    if (result) {
        const auto& memories = result->machine().memories;
        const auto far =
            std::find_if(memories.begin(), memories.end(), [](const machines::Memory& memory) {
                return memory.kind != machines::MemoryKind::Host;
            });
        if (far != memories.end())
            m_farName = QString::fromStdString(far->name);
        for (std::size_t s = 0; s < result->program.steps.size(); ++s) {
            const auto at = std::find_if(m_rows.begin(), m_rows.end(),
                [opClass = analysis::classOf(result->program, lowering::StepId(s))](
                    const ClassRow& row) { return row.opClass == opClass; });
            m_rowOfStep.push_back(at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin()));
        }
    }
    m_selected.assign(m_rows.size(), 0);
    m_hovered.assign(m_rows.size(), 0);
    endResetModel();
    refreshMarks();
}

void ByClassModel::refreshMarks() {
    const auto mark = [this](std::vector<std::uint8_t>& marks, const Selection& selection) {
        marks.assign(m_rows.size(), 0);
        for (const lowering::StepId step : m_state.stepsOf(selection))
            if (step.index() < m_rowOfStep.size() && m_rowOfStep[step.index()] >= 0)
                marks[static_cast<std::size_t>(m_rowOfStep[step.index()])] = 1;
        if (std::ranges::count(marks, 1) == 1) // one class alone
            std::ranges::replace(marks, 1, 2);
    };
    mark(m_selected, m_state.selection());
    mark(m_hovered, m_state.hover());
    if (!m_rows.empty())
        emit dataChanged(
            index(0, 0), index(rowCount() - 1, kColumns - 1), {kSelectedRole, kHoveredRole});
}

std::vector<ir::NodeId> ByClassModel::nodesOf(int row) const {
    std::vector<ir::NodeId> nodes;
    const auto result = m_state.result();
    if (!result)
        return nodes;
    for (std::size_t s = 0; s < m_rowOfStep.size(); ++s)
        if (m_rowOfStep[s] == row && result->provenance.fromSteps.contains(lowering::StepId(s)))
            for (const ir::NodeId node : result->provenance.fromSteps[lowering::StepId(s)])
                nodes.push_back(node);
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    return nodes;
}

int ByClassModel::selectedRow() const {
    const auto found = std::ranges::find(m_selected, 2);
    return found == m_selected.end() ? -1 : static_cast<int>(found - m_selected.begin());
}

std::optional<double> ByClassModel::share(const ClassRow& row, int column) const {
    const auto of = [](double part, double whole) {
        return whole > 0 ? std::optional(part / whole) : std::nullopt;
    };
    switch (column) {
    case TimeShare:
        return row.unknownSteps == row.steps ? std::nullopt : of(row.time.value, m_sum.time.value);
    case FlopsShare:
        return of(row.flops.value, m_sum.flops.value);
    case BytesShare:
        return of(static_cast<double>(row.bytes.value), static_cast<double>(m_sum.bytes.value));
    case EnergyShare:
        return of(middle(row.energy), middle(m_sum.energy));
    case Utilisation:
        return row.matrixUtilisation;
    default:
        return std::nullopt;
    }
}

int ByClassModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ByClassModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString ByClassModel::text(const ClassRow& row, int column) const {
    switch (column) {
    case Class:
        return className(row.opClass);
    case Steps:
        return formatCount(row.steps);
    case Time:
        if (row.unknownSteps == row.steps)
            return tr("unknown");
        return (row.unknownSteps > 0 ? QStringLiteral("≥\u2009") : QString())
            + formatTime(std::optional(row.time));
    case Energy:
        return energyText(row.energy);
    default: {
        const auto part = share(row, column);
        return part ? formatShare(part) : QStringLiteral("–");
    }
    }
}

QString ByClassModel::toolTip(const ClassRow& row, int column) const {
    switch (column) {
    case FlopsShare:
        return tr("%1 FLOP").arg(formatShortCount(row.flops.value));
    case BytesShare:
        return tr("%1 of %2").arg(formatBytes(row.bytes), m_farName);
    case Time:
    case TimeShare:
        return row.unknownSteps > 0
            ? tr("%1 of %2 steps have no known time")
                  .arg(formatCount(row.unknownSteps), formatCount(row.steps))
            : formatTime(std::optional(row.time));
    case Energy:
    case EnergyShare: {
        QStringList lines;
        for (const roofline::EnergyPart& part : row.energy.parts) {
            roofline::StepEnergy alone;
            alone.isAtLeast = !part.joules.has_value();
            if (part.joules)
                alone.joules = *part.joules;
            lines << tr("%1: %2 %3 (%4)")
                         .arg(QString::fromStdString(part.name), energyText(alone),
                             statusGlyph(part.status),
                             QString::fromUtf8(
                                 part.source.data(), static_cast<int>(part.source.size())));
        }
        return lines.isEmpty() ? text(row, column) : lines.join(u'\n');
    }
    case Utilisation:
        return row.matrixUtilisation
            ? tr("Useful FLOP of the contractions over what the matrix units do in their time")
            : tr("Only contractions use the matrix units");
    default:
        return text(row, column);
    }
}

QVariant ByClassModel::sortValue(const ClassRow& row, int column) const {
    switch (column) {
    case Class:
        return static_cast<double>(row.opClass);
    case Steps:
        return static_cast<double>(row.steps);
    case Time:
        return row.unknownSteps == row.steps ? -1.0 : row.time.value;
    case Energy:
        return middle(row.energy);
    default:
        return share(row, column).value_or(-1.0);
    }
}

QString ByClassModel::plainValue(const ClassRow& row, int column) const {
    switch (column) {
    case Steps:
        return QString::number(row.steps);
    case Time:
        return row.unknownSteps == row.steps ? QString() : QString::number(row.time.value, 'g', 12);
    case Energy:
        return hasEnergy(row.energy) ? QString::number(middle(row.energy), 'g', 12) : QString();
    case Class:
        return className(row.opClass);
    default: {
        const auto part = share(row, column);
        return part ? QString::number(*part, 'g', 6) : QString();
    }
    }
}

QVariant ByClassModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ClassRow& at = row(index.row());
    const int column = index.column();
    const auto position = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(at, column);
    case Qt::ToolTipRole:
        return toolTip(at, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case kSortRole:
        return sortValue(at, column);
    case kCsvRole:
        return plainValue(at, column);
    case kShareRole:
        if (!isShare(column) && column != Utilisation)
            return {};
        return share(at, column) ? QVariant(*share(at, column)) : QVariant();
    case kClassRole:
        return column == Class ? QVariant(static_cast<int>(at.opClass)) : QVariant();
    case kSelectedRole:
        return column == 0 ? QVariant(int(m_selected[position])) : QVariant();
    case kHoveredRole:
        return column == 0 ? QVariant(m_hovered[position] != 0) : QVariant();
    default:
        return {};
    }
}

QVariant ByClassModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Class:
        return tr("Class");
    case Steps:
        return tr("Steps");
    case Time:
        return tr("Time");
    case TimeShare:
        return tr("of the time");
    case FlopsShare:
        return tr("of the FLOP");
    case BytesShare:
        return m_farName.isEmpty() ? tr("of the bytes") : tr("of %1 bytes").arg(m_farName);
    case EnergyShare:
        return tr("of the energy");
    case Energy:
        return tr("Energy");
    default:
        return tr("Matrix units");
    }
}

} // namespace fivefold::views::by_class
