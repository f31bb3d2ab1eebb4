// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/implementation/implementation_presenter.h"

#include <QRectF>
#include <QSizeF>

#include <optional>

namespace fivefold::views::implementation {

constexpr double kRow = 22;

/// A row with its three columns: label, side A, side B; figures have a fourth for the ratio.
struct PlacedRow {
    std::size_t row = 0;
    QRectF label, ratio;
    std::array<QRectF, kSides> cell;
    QRectF all() const { return label.united(cell[1]).united(ratio); }
};

struct PlacedBar {
    std::size_t bar = 0;
    QRectF row, label, track, time;
};

/// The choices over the figures, or beside them where the height is small; the sweep at the right
/// where there is room.
struct Geometry {
    std::array<QRectF, kSides> head; ///< the sides' names over the choices
    std::array<QRectF, kSides> figureHead; ///< over figures that stand beside; empty: below
    std::vector<PlacedRow> choices, figures; ///< those that have room
    QRectF sweepTitle; ///< empty: no room for the sweep
    std::vector<PlacedBar> bars; ///< from the first that is shown
    QSizeF needed; ///< all rows
};

Geometry arrange(const Picture& picture, const QSizeF& size);

struct Hit {
    enum class Kind { None, Choice, Bar } kind = Kind::None;
    std::size_t index = 0;
    Side side = Side::B;
};
Hit hitAt(const Geometry& geometry, const QPointF& at);

} // namespace fivefold::views::implementation
