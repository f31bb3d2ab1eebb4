// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QIcon>
#include <QString>

namespace fivefold::views::common {

/// An icon of resources/icons by name ("open", "reload", "fit"…), always in the text colour of the
/// theme in force. Empty for an unknown name.
QIcon icon(const QString& name);

} // namespace fivefold::views::common
