// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/play/play_presenter.h"

#include <QRectF>

namespace fivefold::views::play {

/// Places of one side.
struct SidePlace {
    QRectF title; ///< one line
    QRectF labels; ///< of the lanes
    QRectF chart; ///< lanes on the common axis
    QRectF list; ///< running and blocked operations; null where there is no room
};

/// Places of all, in pixels. Plain data. The sides stand above one another on one axis, or beside
/// one another where the canvas is low; then each has the same scale too.
struct Places {
    std::vector<SidePlace> sides;
    double laneHeight = 0;
    int lanes = 0; ///< that have room
    bool isStacked = false;
    base::Picoseconds span;

    double x(std::size_t side, base::Picoseconds at) const;
    base::Picoseconds timeAt(std::size_t side, double x) const; ///< 0..span
    double y(std::size_t side, int lane) const; ///< middle of the lane
    /// The side whose chart or title holds the point; −1: none.
    int sideAt(const QPointF& at) const;
};

struct TextSizes {
    double small = 14, body = 16; ///< line heights
};
Places place(const Picture& picture, const QSizeF& size, const TextSizes& text);

} // namespace fivefold::views::play
