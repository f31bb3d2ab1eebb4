// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/samples.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace fivefold::app {

QString samplePath(const QString& name) {
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& folder :
        {program + QStringLiteral("/samples/"), program + QStringLiteral("/../../samples/"),
            program + QStringLiteral("/../../../samples/"), // programs below bin/ of a build

            program + QStringLiteral("/../share/fivefold/samples/")})
        if (QFileInfo::exists(folder + name))
            return QFileInfo(folder + name).canonicalFilePath();
    return {};
}

} // namespace fivefold::app
