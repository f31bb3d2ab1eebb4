// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/palette.h"

#include <QPainter>

namespace fivefold::views::common {

/// How a figure is known: ● published, ◐ derived, ○ estimated, ■ measured, drawn 8 px wide in the
/// middle of `rect`.
void paintStatusGlyph(
    QPainter& painter, const QRectF& rect, machines::FigureStatus status, const QColor& color);
/// A pen with a dash pattern given in pixels, whatever its width.
QPen dashedPen(const QColor& color, qreal width, const QVector<qreal>& pixels);
/// The pen of a memory level's lines: its colour and its dash.
QPen levelPen(machines::MemoryKind kind, qreal width);

/// The second cue of a gap or share segment: one string a bound, for rows of text.
QString boundGlyph(lowering::Bound bound); ///< ● ■ ▲ ○
QString classGlyph(ir::OpClass opClass); ///< × ▂ • → □

} // namespace fivefold::views::common
