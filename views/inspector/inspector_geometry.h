// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/inspector/inspector_presenter.h"

#include <QFont>
#include <QRectF>

namespace fivefold::views::inspector {

constexpr double kLabelWidth = 108;
constexpr double kGapBarHeight = 18;

/// A line in pixels.
struct PlacedLine {
    QRectF row; ///< whole width
    QRectF label;
    QRectF value; ///< text, bar or title
    QRectF note; ///< empty: none, or no room
    QRectF status; ///< empty: none
    QRectF bar; ///< of Share and Band; empty: none
    QString text; ///< as it is painted: names elided in the middle
    bool isWrapped = false;
};

struct Placement {
    std::vector<PlacedLine> lines; ///< parallel to the lines
    double height = 0;
};

/// Stacks the lines at that width: values wrap, names in links elide in the middle, notes stand at
/// the right or, where there is no room, below.
Placement place(const Lines& lines, double width);
/// Breaks between words, or anywhere where a word is wider than the room.
Qt::TextFlag wrapFlag(const QFont& font, const QString& text, double width);
/// The line at a height, if any.
std::optional<std::size_t> lineAt(const Placement& placement, const QPointF& at);

} // namespace fivefold::views::inspector
