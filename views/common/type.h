// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

namespace fivefold::views::common {

// Fonts by role. All scale with the application font, which is the body (12 px at 96 dpi); none is
// under 11 px.
QFont bodyFont();
QFont smallFont(); ///< 11 : 12 of the body
QFont boldFont(); ///< panel titles and the selected thing
QFont figureFont(); ///< 16 : 12, bold: the total
QFont monoFont(); ///< addresses

/// Width of a line of text, rounded up.
int textWidth(const QFont& font, const QString& text);
int lineHeight(const QFont& font);

} // namespace fivefold::views::common
