// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QVector>

class QPainter;

namespace fivefold::views::common {

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
