// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/published_points.h"

#include <QAbstractTableModel>
#include <QString>
#include <QVector>

namespace fivefold::views::published {

/// How a point counts.
enum class Standing { Scored, Calibration, Shown, NotPredicted };
Standing standing(const analysis::PublishedPoint& point);
QString standingName(Standing standing);
QString valueText(double value, const std::string& unit);
QString factorText(const std::optional<double>& factor); ///< "1.08", or "not predicted yet"
/// Family of the point's machine by its id: "gpu_a100_sxm_80gb" → "gpu".
std::string familyOf(const analysis::PublishedPoint& point);

/// Median of the scored points of a family.
struct FamilyScore {
    std::string family;
    std::int64_t scored = 0, predicted = 0, points = 0;
    std::optional<double> median;
};
QVector<FamilyScore> familyScores(const std::vector<analysis::PublishedPoint>& points);
/// "62 of 98 published points are predicted, 55 of them scored: median factor 1.12 on GPU, …".
QString scoreSentence(const std::vector<analysis::PublishedPoint>& points);

/// The published points as rows, in their order.
class PublishedModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Number,
        Machine,
        Workload,
        Config,
        Predicted,
        Measured,
        Factor,
        State,
        Kind,
        Note
    };
    static constexpr int kColumns = Note + 1;

    explicit PublishedModel(QObject* parent = nullptr);

    void setPoints(const std::vector<analysis::PublishedPoint>* points); ///< outlive the model
    const std::vector<analysis::PublishedPoint>& points() const { return *m_points; }
    int selected() const { return m_selected; }
    void setSelected(int row); ///< −1: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const analysis::PublishedPoint& point, int column) const;
    QVariant sortValue(const analysis::PublishedPoint& point, int column) const;

    const std::vector<analysis::PublishedPoint>* m_points;
    int m_selected = -1;
};

} // namespace fivefold::views::published
