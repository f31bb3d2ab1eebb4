// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <span>

class QPainter;

namespace fivefold::views::roofline {

/// "Where the gap goes" for some steps or the whole graph.
struct GapContent {
    fivefold::roofline::Gap gap;
    QString subject; ///< "attn/MatMul", "3 operators", "the whole graph"
    /// Why there is no bar; empty with one.
    QString why;
    std::optional<base::Seconds> low, high; ///< measured error band of the estimate
    QString band; ///< "not validated", or what the band rests on
    QStringList absent; ///< kinds of parts that take nothing
    std::optional<base::Seconds> measured; ///< adds the residual to the bar
};

/// Of steps that are selected. Under Charge::ToCause relayouts that they asked for count, too.
GapContent gapContent(const analysis::Result& result, const fivefold::roofline::GapAnalysis& gaps,
    std::span<const lowering::StepId> steps, fivefold::roofline::Charge charge,
    const QString& subject);
/// Of the whole graph.
GapContent gapContent(const analysis::Result& result, const fivefold::roofline::GapAnalysis& gaps);

constexpr double kGapBar = 36;
/// Title, names, bar and band, with the padding.
constexpr int kGapHeight = 120;
/// `controls` px at the right of the title row are left to buttons.
void paintGapTitle(
    QPainter& painter, const QRectF& area, const GapContent& content, double controls);
void paintGap(QPainter& painter, const QRectF& area, const GapContent& content, double controls);

/// Where the name of each part stands above its segment; empty rectangles for those without room.
QVector<QRectF> gapNameRects(
    const fivefold::roofline::Gap& gap, const QVector<QRectF>& segments, const QRectF& row);
/// The parts as rows: name, time with unit, share of the estimate.
QVector<QStringList> gapRows(const GapContent& content);

} // namespace fivefold::views::roofline
