// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace fivefold::app {

class Actions;

/// The page behind "?": every action with its keys by menu, and the keys of the canvases; type to
/// filter.
void showShortcuts(QWidget& parent, const Actions& actions);

} // namespace fivefold::app
