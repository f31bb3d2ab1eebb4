// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"
#include "views/five/five_geometry.h"

class QPainter;

namespace fivefold::views::five {

/// What is marked beside the current machine.
struct Marks {
    int focused = -1; ///< row with the keyboard
    int hovered = -1;
    bool isFrozen = false; ///< the locked axis cuts data
};

void paint(QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks);
common::Legend legend(const Picture& picture);
/// "linear" or "log", locked or not: the scale that the rows share.
QString footnote(const Options& options, bool isFrozen);
/// The framed words "not validated", their right end and middle at a point.
void paintFramedWords(QPainter& painter, const QPointF& rightMiddle, const QString& text);

} // namespace fivefold::views::five
