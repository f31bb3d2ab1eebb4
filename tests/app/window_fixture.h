// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/main_window.h"
#include "views/common/palette.h"

#include <QDockWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace fivefold::tests {

/// Settings of one test program alone, gone with the folder.
inline void useOwnSettings(const QTemporaryDir& home, const QString& program) {
    QCoreApplication::setOrganizationName(QStringLiteral("FivefoldTest"));
    QCoreApplication::setApplicationName(program);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
}

/// A window that is shown, in the light theme and the default arrangement.
inline std::unique_ptr<app::MainWindow> shownWindow(const QSize& size = {1600, 1000}) {
    views::common::Palette::apply(*qApp, views::common::Theme::Light);
    auto window = std::make_unique<app::MainWindow>();
    window->arrange(size, false);
    window->show();
    if (!QTest::qWaitForWindowExposed(window.get()))
        return nullptr;
    window->panels().front()->setFocus();
    return window;
}

/// Opens a file of samples/ and waits for its result.
inline bool openSample(app::MainWindow& window, const QString& name) {
    window.session().open(QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/") + name);
    return QTest::qWaitFor([&] { return !window.session().jobs().isRunning(); }, 60000)
        && window.state().result() != nullptr;
}

/// Names of the docks that are shown, sorted.
inline QStringList shownDocks(const app::MainWindow& window) {
    QStringList names;
    for (const auto* dock : window.findChildren<QDockWidget*>())
        if (!dock->isHidden())
            names << dock->objectName();
    names.sort();
    return names;
}

} // namespace fivefold::tests
