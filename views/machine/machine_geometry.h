// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/machine/machine_presenter.h"

#include <QRectF>
#include <QSizeF>

namespace fivefold::views::machine {

/// How much a box says: 2 name, figures and detail; 1 name and figures; 0 the name alone.
using Detail = int;

struct BoxShape {
    std::size_t index = 0;
    QRectF rect;
    QRectF header; ///< name and figures; the whole box for one without children
    Detail detail = 2;
    bool hasChildren = false;
};

/// What the panel is asked to show.
struct Options {
    bool showsMachine = true;
    bool showsArray = true; ///< beside the machine where there is room, else only alone
    bool saysAll = true; ///< false: names and figures only
};

struct Geometry {
    QVector<BoxShape> boxes; ///< parents before children
    QVector<QLineF> links; ///< from what lies outside to the device
    QRectF vocabulary; ///< null where there is no room
    int vocabularyLines = 0;
    QRectF array; ///< room of the stepping; null when it is not shown

    const BoxShape* shapeOf(std::size_t index) const;
    /// The innermost box there.
    std::optional<std::size_t> boxAt(const QPointF& point) const;
};

/// Boxes in boxes: what lies off chip at the left, the device in the middle with memories from far
/// to near on top and units below, links to other chips at the right; the words under it. Says less
/// where room is short; what then still does not fit, deeper boxes first, is left out.
Geometry arrange(const Picture& picture, const Options& options, const QSizeF& size);

} // namespace fivefold::views::machine
