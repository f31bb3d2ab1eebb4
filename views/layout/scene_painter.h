// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/layout/scene.h"

class QPainter;

namespace fivefold::views::layout {

/// Marks, lines and labels; rings on what is selected, an outline on what is hovered.
void paintScene(QPainter& painter, const Scene& scene, const common::LensColours& lens,
    const std::vector<bool>& isSelected, const std::vector<bool>& isHovered);

/// `share` of a colour over another.
QColor blended(const QColor& below, const QColor& above, double share);
/// Two hatches across each other: what did not fit.
void paintCrossHatch(QPainter& painter, const QRectF& rect, const QColor& color);
void paintLabel(QPainter& painter, const Label& label);
/// Legend entries of the memory map.
common::LegendEntry levelEntry(const QString& name, machines::MemoryKind level, double strength);
common::LegendEntry crossEntry(const QString& name);
common::LegendEntry hatchEntry(const QString& name);

} // namespace fivefold::views::layout
