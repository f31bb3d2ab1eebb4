// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

namespace fivefold::views::common {
class Panel;
}

namespace fivefold::app {

class MainWindow;

// Each asks for a file name and writes; a failure becomes a sentence in the window.
void exportPanel(MainWindow& window, views::common::Panel* panel); ///< PNG, SVG or PDF
void exportTable(MainWindow& window, views::common::Panel* panel); ///< CSV
void exportDot(MainWindow& window); ///< the graph of the current stage
void exportJson(MainWindow& window); ///< the whole Result

} // namespace fivefold::app
