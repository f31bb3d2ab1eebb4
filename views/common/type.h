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

/// The text with thin spaces that do not break: a number stays beside its unit when a line wraps.
QString unbreakable(QString text);
/// Width of a line of text, rounded up.
int textWidth(const QFont& font, const QString& text);
int lineHeight(const QFont& font);

} // namespace fivefold::views::common
