// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"
#include "core/roofline/gap.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>

class QPainter;

namespace fivefold::views::common {

/// A part's name as panels show it; that of a memory level is its own.
QString gapName(const fivefold::roofline::GapPart& part);
/// The parts in words: "ideal 3.8 µs, LPDDR5 0.4 µs, launch 1.8 µs".
QString gapText(const fivefold::roofline::Gap& gap);
/// What the bar has no part for: padding, the machine's memory levels with a bandwidth, relayout,
/// launch, stalls.
QStringList absentParts(const fivefold::roofline::Gap& gap, const machines::Machine& machine);
/// A segment of the bar in pixels, in the order of the parts; the widths fill the bar.
QVector<QRectF> gapRects(const fivefold::roofline::Gap& gap, const QRectF& bar);
/// Fill of a part, by what bounds it; padding has none (it is hatched).
QColor gapColor(const fivefold::roofline::GapPart& part);
/// Name and figure stand in each part, or the figures alone, where they fit.
enum class GapWords { NamesAndFigures, Figures };
/// Paints the bar.
void paintGapBar(QPainter& painter, const QRectF& bar, const fivefold::roofline::Gap& gap,
    GapWords words = GapWords::NamesAndFigures);
/// A part's time in the unit of the whole, without the unit: "+4.0"; the ideal without the sign.
QString gapFigure(const fivefold::roofline::GapPart& part, base::Seconds whole);

/// One stretch of the way from the work at peak to the estimate.
struct GapPart {
    enum class Kind { Ideal, Padding, Compute, Memory, Scheduling };
    QString name; ///< "ideal", "padding", "tile and fill", "LPDDR5", "launch"
    Kind kind = Kind::Ideal;
    std::size_t level = 0; ///< of Memory
    base::Seconds time;
};

/// Where the time of one execution goes: ideal ▸ padding ▸ tile and fill ▸ the binding memory level
/// ▸ each scheduling part. The parts add up to estimate.time; parts of no time are left out. Empty
/// when the time is unknown.
QVector<GapPart> gapParts(const lowering::Estimate& estimate, const machines::Machine& machine);
/// The parts in words: "ideal 3.8 µs, LPDDR5 0.4 µs, fixed 1.8 µs".
QString gapText(const QVector<GapPart>& parts);

/// A segment of the bar in pixels, in the order of the parts; the widths fill the bar.
QVector<QRectF> gapRects(const QVector<GapPart>& parts, const QRectF& bar);
/// Fill of a part; padding has none (it is hatched).
QColor gapColor(const GapPart& part, const machines::Machine& machine);
/// Paints the bar; a part's name and figure stand in it where they fit.
void paintGapBar(QPainter& painter, const QRectF& bar, const QVector<GapPart>& parts,
    const machines::Machine& machine);

} // namespace fivefold::views::common
