// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/timeline/timeline_geometry.h"

#include <QColor>
#include <QFont>

class QPainter;

/// Marks and colours that the base picture and what lies over it share.
namespace fivefold::views::timeline {

constexpr double kCriticalHeight = 3; ///< of the bar under an event on the critical path

QColor colour(const char* role);
/// Fill of a kind of bytes: the level's hue in the kind's share.
QColor kindColour(machines::MemoryKind level, Kind kind);
/// Dots over the KV cache, a cross-hatch over what was spilled, the hatch of padding over that.
bool hasCue(Kind kind);
void paintKindCue(QPainter& painter, const QRectF& rect, Kind kind);

/// One line, elided at the end.
void drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
    const QColor& pen, const QString& text);
QRectF markRect(const PlacedMark& mark, const RowPlace& place);
QRectF tickRect(const Geometry& geometry, const Tick& tick);
/// Bold where the later event starts because of the earlier one.
void paintArrow(QPainter& painter, const Arrow& arrow, const QColor& color);

} // namespace fivefold::views::timeline
