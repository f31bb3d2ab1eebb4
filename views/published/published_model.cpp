// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/published/published_model.h"

#include "core/machines/machine.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/table.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace fivefold::views::published {

using namespace common;
using analysis::PublishedPoint;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("PublishedPanel", text);
}

const std::vector<PublishedPoint> kNone;

QString machineName(const PublishedPoint& point) {
    const auto machine = machines::findMachine(point.machine);
    return QString::fromStdString(machine ? machine->name : point.machine);
}

/// Three digits at least, so that predicted and measured can be told apart.
QString number(double value) {
    if (value == 0 || !std::isfinite(value))
        return QStringLiteral("0");
    const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    return QLocale(QLocale::English).toString(value, 'f', std::clamp(digits, 0, 6));
}

QString familyName(const std::string& family) {
    if (family == "gpu" || family == "tpu")
        return QString::fromStdString(family).toUpper();
    if (family == "groq")
        return QStringLiteral("Groq");
    return family == "spyre" ? QStringLiteral("Spyre") : QStringLiteral("Cerebras");
}

} // namespace

Standing standing(const PublishedPoint& point) {
    if (point.isCalibration)
        return Standing::Calibration;
    if (!point.predicted)
        return Standing::NotPredicted;
    return point.isScored ? Standing::Scored : Standing::Shown;
}

QString standingName(Standing standing) {
    switch (standing) {
    case Standing::Scored:
        return tr("scored");
    case Standing::Calibration:
        return tr("calibration");
    case Standing::Shown:
        return tr("shown");
    case Standing::NotPredicted:
        break;
    }
    return tr("not predicted yet");
}

QString valueText(double value, const std::string& unit) {
    return number(value) + QChar(0x2009) + QString::fromStdString(unit);
}

QString factorText(const std::optional<double>& factor) {
    return factor ? QLocale(QLocale::English).toString(*factor, 'f', 2) : QString();
}

std::string familyOf(const PublishedPoint& point) {
    for (const std::string_view family : machines::kFamilies)
        if (point.machine.starts_with(family))
            return std::string(family);
    return point.machine.substr(0, point.machine.find('_'));
}

QVector<FamilyScore> familyScores(const std::vector<PublishedPoint>& points) {
    QVector<FamilyScore> scores;
    for (const std::string_view family : machines::kFamilies) {
        FamilyScore score{std::string(family), 0, 0, 0, analysis::medianFactor(points, family)};
        for (const PublishedPoint& point : points) {
            if (familyOf(point) != family)
                continue;
            ++score.points;
            score.predicted += point.predicted.has_value();
            score.scored += point.isScored && point.factor;
        }
        scores << score;
    }
    return scores;
}

QString scoreSentence(const std::vector<PublishedPoint>& points) {
    std::int64_t predicted = 0, scored = 0;
    QStringList medians;
    for (const FamilyScore& score : familyScores(points)) {
        predicted += score.predicted;
        scored += score.scored;
        if (score.median)
            medians << tr("%1 on %2 %3 points")
                           .arg(factorText(score.median), formatCount(score.scored),
                               familyName(score.family));
    }
    const auto all = static_cast<std::int64_t>(points.size());
    QString text = tr("%1 of %2 published points are predicted, %3 of them scored")
                       .arg(formatCount(predicted), formatCount(all), formatCount(scored));
    if (!medians.isEmpty())
        text += tr(": median factor %1").arg(medians.join(QStringLiteral(", ")));
    text += u'.';
    if (predicted < all)
        text += u' ' + tr("Language models and serving are not predicted yet.");
    return text;
}

PublishedModel::PublishedModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_points(&kNone) { }

void PublishedModel::setPoints(const std::vector<PublishedPoint>* points) {
    beginResetModel();
    m_points = points;
    m_selected = -1;
    endResetModel();
}

void PublishedModel::setSelected(int row) {
    if (row == m_selected)
        return;
    m_selected = row;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int PublishedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_points->size());
}

int PublishedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString PublishedModel::text(const PublishedPoint& point, int column) const {
    switch (column) {
    case Number:
        return QString::number(point.number);
    case Machine:
        return machineName(point);
    case Workload:
        return QString::fromStdString(point.workload);
    case Config:
        return QString::fromStdString(point.config);
    case Predicted:
        return point.predicted ? valueText(*point.predicted, point.unit) : tr("not predicted yet");
    case Measured:
        return valueText(point.measured, point.unit);
    case Factor:
        return factorText(point.factor);
    case State:
        return standingName(standing(point));
    case Kind:
        return QString::fromStdString(point.kind);
    default:
        return QString::fromStdString(point.note);
    }
}

QVariant PublishedModel::sortValue(const PublishedPoint& point, int column) const {
    switch (column) {
    case Number:
        return static_cast<double>(point.number);
    case Predicted:
        return point.predicted.value_or(-1);
    case Measured:
        return point.measured;
    case Factor:
        return point.factor.value_or(0);
    case State:
        return static_cast<double>(standing(point));
    default:
        return text(point, column);
    }
}

QVariant PublishedModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PublishedPoint& point = (*m_points)[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(point, index.column());
    case Qt::ToolTipRole:
        return index.column() == Measured ? QString::fromStdString(point.source)
                                          : text(point, index.column());
    case kSortRole:
        return sortValue(point, index.column());
    case kCsvRole:
        if (index.column() == Predicted)
            return point.predicted ? QString::number(*point.predicted, 'g', 9) : QString();
        if (index.column() == Measured)
            return QString::number(point.measured, 'g', 9) + u' '
                + QString::fromStdString(point.unit);
        return {};
    case kSelectedRole:
        return index.row() == m_selected ? 2 : 0;
    case Qt::TextAlignmentRole:
        if (index.column() == Predicted || index.column() == Measured || index.column() == Factor
            || index.column() == Number)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case Qt::ForegroundRole:
        if (!point.predicted && (index.column() == Predicted || index.column() == State))
            return Palette::current().role("textSecondary");
        return {};
    default:
        return {};
    }
}

QVariant PublishedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole
        && (section == Predicted || section == Measured || section == Factor))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString kTitles[] = {tr("No."), tr("Machine"), tr("Workload"), tr("Settings"),
        tr("Predicted"), tr("Measured"), tr("Factor"), tr("Counts as"), tr("Kind"), tr("Note")};
    return section >= 0 && section < kColumns ? kTitles[section] : QString();
}

} // namespace fivefold::views::published
