// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/operators/operators_model.h"

#include "views/common/format.h"
#include "views/common/layout_text.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/common/table.h"

#include <algorithm>
#include <limits>

namespace fivefold::views::operators {

using namespace common;

namespace {

/// bytes × times, nullopt on overflow.
std::optional<std::int64_t> times(std::int64_t value, std::int64_t executions) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(value, executions, &product) ? std::nullopt
                                                               : std::optional(product);
}

/// Padding of all results of a node.
std::optional<base::Bytes> paddingOfResults(
    const lowering::StageGraph& graph, const lowering::Node& node) {
    base::Bytes bytes;
    for (const auto output : node.outputs) {
        if (!graph.values.contains(output))
            continue;
        const auto& layout = graph.values[output].layout;
        const auto padding = layout ? common::paddingOf(*layout) : std::nullopt;
        if (!padding)
            return std::nullopt;
        bytes += padding->bytes;
    }
    return bytes;
}

std::optional<std::int64_t> macsOf(const lowering::StageGraph& graph, const lowering::Step& step) {
    std::int64_t macs = 0;
    for (const auto id : step.nodes) {
        if (!graph.nodes.contains(id))
            continue;
        const auto& work = graph.nodes[id].work;
        if (!work.isKnown)
            return std::nullopt;
        macs += work.macs;
    }
    return times(macs, step.executions);
}

Row stepRow(const analysis::Result& result, const lowering::StageGraph& graph, lowering::StepId id,
    std::size_t far) {
    const lowering::Step& step = result.program.steps[id];
    Row row;
    row.step = id;
    row.number = static_cast<int>(id.index()) + 1;
    row.name = stepName(result, id);
    row.workDivision = QString::fromStdString(step.workDivision);
    row.bound = step.estimate.bound;
    row.macs = macsOf(graph, step);
    if (graph.nodes.contains(step.mainNode)) {
        const lowering::Node& node = graph.nodes[step.mainNode];
        row.opClass = node.opClass();
        row.support = node.support;
        row.padding = paddingOfResults(graph, node);
        if (!node.outputs.empty() && graph.values.contains(node.outputs.front()))
            row.shape = formatShape(graph.values[node.outputs.front()].shape);
    }
    if (!step.estimate.isKnown)
        return row;
    row.time = step.estimate.time * static_cast<double>(std::max<std::int64_t>(1, step.executions));
    if (result.totals.time.value > 0)
        row.share = std::clamp(row.time->value / result.totals.time.value, 0.0, 1.0);
    std::int64_t bytes = 0;
    for (const auto& traffic : step.estimate.traffic)
        if (traffic.level == far)
            bytes += traffic.total().value;
    if (const auto total = times(bytes, step.executions))
        row.farBytes = base::Bytes(*total);
    return row;
}

bool isRemoved(const lowering::StageGraph& graph, ir::NodeId node) {
    return std::any_of(graph.removed.begin(), graph.removed.end(),
        [&](const auto& entry) { return entry.node == node; });
}

Row refusedRow(const analysis::Result& result, ir::NodeId id) {
    const ir::Node& node = result.graph().nodes[id];
    Row row;
    row.node = id;
    row.name = shortName(node.name);
    row.opClass = ir::opClass(node.op);
    row.support = result.nodes[id].support;
    if (result.cost && result.cost->nodes.contains(id))
        row.macs = result.cost->nodes[id].macs;
    if (result.typed && !node.outputs.empty() && result.typed->types.contains(node.outputs.front()))
        row.shape = formatShape(result.typed->types[node.outputs.front()].shape);
    return row;
}

} // namespace

std::size_t farLevel(const machines::Machine& machine) {
    for (std::size_t level = 0; level < machine.memories.size(); ++level)
        if (machine.memories[level].kind == machines::MemoryKind::Device)
            return level;
    for (std::size_t level = 0; level < machine.memories.size(); ++level)
        if (machine.memories[level].kind != machines::MemoryKind::Host)
            return level;
    return 0;
}

std::vector<Row> rows(const analysis::Result& result) {
    std::vector<Row> rows;
    const auto& graph = result.program.stages.back();
    if (!graph)
        return rows;
    rows.reserve(result.program.steps.size());
    const std::size_t far = farLevel(result.machine());
    for (std::size_t s = 0; s < result.program.steps.size(); ++s)
        rows.push_back(stepRow(result, *graph, lowering::StepId(s), far));
    for (std::size_t n = 0; n < result.nodes.size(); ++n) {
        const ir::NodeId id(n);
        const bool isRefused = result.nodes[id].support == lowering::Support::Unsupported
            || result.nodes[id].support == lowering::Support::Fallback;
        const bool hasStep =
            result.provenance.toSteps.contains(id) && !result.provenance.toSteps[id].empty();
        if (isRefused && !hasStep && !isRemoved(*graph, id))
            rows.push_back(refusedRow(result, id));
    }
    return rows;
}

OperatorsModel::OperatorsModel(const ViewState& state, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state) {
    reset();
}

void OperatorsModel::reset() {
    beginResetModel();
    const auto result = m_state.result();
    m_rows = result ? rows(*result) : std::vector<Row>();
    m_farName.clear();
    if (result && !result->machine().memories.empty())
        m_farName =
            QString::fromStdString(result->machine().memories[farLevel(result->machine())].name);
    m_selected.assign(m_rows.size(), 0);
    m_hovered.assign(m_rows.size(), 0);
    endResetModel();
    refreshMarks();
}

int OperatorsModel::rowOf(lowering::StepId step) const {
    // Steps come first and in order.
    return step.isValid() && step.index() < m_rows.size() && m_rows[step.index()].step == step
        ? static_cast<int>(step.index())
        : -1;
}

int OperatorsModel::selectedRow() const {
    const auto found = std::max_element(m_selected.begin(), m_selected.end());
    return found == m_selected.end() || *found == 0 ? -1
                                                    : static_cast<int>(found - m_selected.begin());
}

void OperatorsModel::refreshMarks() {
    const auto mark = [this](std::vector<std::uint8_t>& marks, const Selection& selection) {
        marks.assign(m_rows.size(), 0);
        std::uint8_t level = 2;
        for (const auto step : m_state.stepsOf(selection))
            if (const int at = rowOf(step); at >= 0)
                marks[static_cast<std::size_t>(at)] = std::exchange(level, std::uint8_t(1));
        for (std::size_t r = m_rows.size(); r-- > 0 && !m_rows[r].step.isValid();)
            if (selection.contains(m_rows[r].node))
                marks[r] = level;
    };
    mark(m_selected, m_state.selection());
    mark(m_hovered, m_state.hover());
    if (!m_rows.empty())
        emit dataChanged(
            index(0, 0), index(rowCount() - 1, kColumns - 1), {kSelectedRole, kHoveredRole});
}

int OperatorsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OperatorsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString OperatorsModel::text(const Row& row, int column) const {
    const auto dash = QStringLiteral("–");
    switch (column) {
    case Number:
        return row.number > 0 ? QString::number(row.number) : dash;
    case Name:
        return row.name;
    case Class:
        return className(row.opClass);
    case Shape:
        return row.shape.isEmpty() ? dash : row.shape;
    case WorkDivision:
        return row.workDivision.isEmpty() ? dash : row.workDivision;
    case Mac:
        if (!row.macs)
            return tr("unknown");
        return *row.macs == 0 ? dash : formatShortCount(static_cast<double>(*row.macs));
    case FarBytes:
        return row.farBytes ? formatBytes(row.farBytes) : dash;
    case Padding:
        return row.padding ? formatBytes(row.padding) : dash;
    case Time:
        return row.time ? formatTime(row.time) : tr("unknown");
    case Share:
        return row.time ? formatShare(row.share) : dash;
    case Bound:
        return boundName(row.bound);
    default:
        return supportName(row.support);
    }
}

QVariant OperatorsModel::sortValue(const Row& row, int column) const {
    // Unknown sorts below every number, so that it is at one end.
    constexpr double kUnknown = -1;
    switch (column) {
    case Number:
        return row.number > 0 ? double(row.number) : std::numeric_limits<double>::max();
    case Mac:
        return row.macs ? static_cast<double>(*row.macs) : kUnknown;
    case FarBytes:
        return row.farBytes ? static_cast<double>(row.farBytes->value) : kUnknown;
    case Padding:
        return row.padding ? static_cast<double>(row.padding->value) : kUnknown;
    case Time:
    case Share:
        // An unknown time may be the largest of all: it comes first.
        return row.time ? row.time->value : std::numeric_limits<double>::max();
    default:
        return text(row, column);
    }
}

QString OperatorsModel::plainValue(const Row& row, int column) const {
    switch (column) {
    case Mac:
        return row.macs ? QString::number(*row.macs) : QString();
    case FarBytes:
        return row.farBytes ? QString::number(row.farBytes->value) : QString();
    case Padding:
        return row.padding ? QString::number(row.padding->value) : QString();
    case Time:
        return row.time ? QString::number(row.time->value, 'g', 12) : QString();
    case Share:
        return row.time ? QString::number(row.share, 'g', 6) : QString();
    case Number:
        return row.number > 0 ? QString::number(row.number) : QString();
    default:
        return text(row, column);
    }
}

QString OperatorsModel::toolTip(const Row& row, int column) const {
    const auto result = m_state.result();
    if (column == Name && result) {
        const std::string& full = row.step.isValid() ? result->program.steps[row.step].name
                                                     : result->graph().nodes[row.node].name;
        return QString::fromStdString(full);
    }
    if (column == Mac && row.macs)
        return tr("%1 MAC").arg(formatCount(row.macs));
    if ((column == Time || column == Bound) && result && row.step.isValid()) {
        const auto& estimate = result->program.steps[row.step].estimate;
        return timeWithBand(estimate) + u'\n' + asSentence(estimate.because);
    }
    return text(row, column);
}

QVariant OperatorsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::TextAlignmentRole: {
        const bool isNumber = column == Number || column == Mac || column == FarBytes
            || column == Padding || column == Time;
        return QVariant::fromValue(
            int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    case Qt::ForegroundRole:
        if (row.support == lowering::Support::Unsupported)
            return Palette::current().role("error");
        return {};
    case kSortRole:
        return sortValue(row, column);
    case kCsvRole:
        return plainValue(row, column);
    case kShareRole:
        return column == Share && row.time ? QVariant(row.share) : QVariant();
    case kClassRole:
        return column == Class ? QVariant(static_cast<int>(row.opClass)) : QVariant();
    case kBoundRole:
        return column == Bound ? QVariant(static_cast<int>(row.bound)) : QVariant();
    case kSelectedRole:
        return column == 0 ? QVariant(int(m_selected[static_cast<std::size_t>(index.row())]))
                           : QVariant();
    case kHoveredRole:
        return column == 0 ? QVariant(m_hovered[static_cast<std::size_t>(index.row())] != 0)
                           : QVariant();
    default:
        return {};
    }
}

QVariant OperatorsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            int((section == Number || (section >= Mac && section <= Time) ? Qt::AlignRight
                                                                          : Qt::AlignLeft)
                | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number:
        return QStringLiteral("#");
    case Name:
        return tr("Operator");
    case Class:
        return tr("Class");
    case Shape:
        return tr("Result");
    case WorkDivision:
        return tr("Work division");
    case Mac:
        return tr("MAC");
    case FarBytes:
        return m_farName.isEmpty() ? tr("Bytes") : m_farName;
    case Padding:
        return tr("Padding");
    case Time:
        return tr("Time");
    case Share:
        return tr("Share");
    case Bound:
        return tr("Bound");
    default:
        return tr("Support");
    }
}

} // namespace fivefold::views::operators
