// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"
#include "views/common/panel_frame.h"
#include "views/divergence/focus.h"

#include <QLabel>

namespace fivefold::views::divergence {

/// Whether a part stands in a dock of its own, or inside the Divergence panel, which then has the
/// keys.
enum class Place { Dock, Inside };

/// Next (N), worst (Shift+N), suspect interval (B), evidence card, reduce, matches, capture script,
/// dump, computed reference, fault lab; made for `panel` and enabled as the focus has something for
/// them.
QList<QAction*> makeActions(Focus& focus, QWidget& panel, Place place);

/// "No device dump yet. Open dump… / Compare with computed here… / Fault lab…" as links.
class EmptyLabel final : public QLabel {
    Q_OBJECT

public:
    EmptyLabel(Focus& focus, QWidget* parent);
    static QString sentence();
};

/// A verdict's mark for what holds, does not, or cannot be checked.
compare::Verdict markOf(std::optional<bool> holds);

/// A row of text elided to `rect`, in the pen's colour.
void drawElided(QPainter& painter, const QRectF& rect, const QString& text,
    Qt::Alignment alignment = Qt::AlignLeft, Qt::TextElideMode mode = Qt::ElideRight);

} // namespace fivefold::views::divergence
