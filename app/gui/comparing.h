// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/five_results.h"
#include "app/gui/full_width.h"

namespace fivefold::app {

class MainWindow;

/// What compares machines in the window: the results of all five, the five panel that shows them
/// over the docks, and the page of published points.
class Comparing final : public QObject {
    Q_OBJECT

public:
    explicit Comparing(MainWindow& window);

    FiveResults& results() { return m_results; }
    FullWidth& fullWidth() { return m_fullWidth; }
    void toggleFivePanel() { m_fullWidth.toggle(QStringLiteral("five")); }
    void togglePublishedPoints() { m_fullWidth.toggle(QStringLiteral("published")); }
    /// Keeps all five results up to date for overlays, whatever panel is shown.
    void setKept(bool isKept) { m_results.setWanted(this, isKept); }

private:
    FiveResults m_results;
    FullWidth m_fullWidth;
};

} // namespace fivefold::app
