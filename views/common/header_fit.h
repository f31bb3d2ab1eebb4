// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHBoxLayout>
#include <QList>
#include <QWidget>

namespace fivefold::views::common {

/// Hides the controls of a header that do not fit into `width`, the last of `optional` first, and
/// shows those that do. The header itself then never keeps its panel from shrinking.
inline void fitHeader(QHBoxLayout* header, const QList<QWidget*>& optional, int width) {
    if (QWidget* row = header->parentWidget())
        row->setMinimumWidth(1);
    const QMargins margins = header->contentsMargins();
    int needed = margins.left() + margins.right();
    for (int i = 0; i < header->count(); ++i)
        if (QWidget* widget = header->itemAt(i)->widget())
            needed += widget->minimumSizeHint().expandedTo(widget->minimumSize()).width()
                + header->spacing();
    for (auto it = optional.rbegin(); it != optional.rend(); ++it) {
        QWidget* widget = *it;
        const bool fits = needed <= width;
        if (!fits)
            needed -= widget->minimumSizeHint().width() + header->spacing();
        widget->setVisible(fits);
    }
}

} // namespace fivefold::views::common
