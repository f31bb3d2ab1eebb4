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

} // namespace fivefold::views::common
