// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

#include <QString>

#include <vector>

namespace fivefold::app {

/// The panels of the window, in View-menu order. The one place that knows every panel class.
std::vector<views::common::Panel*> createPanels(views::common::ViewState& state, QWidget* parent);

/// The graph and the layout of a second state, in this order.
std::vector<views::common::Panel*> createSidePanels(
    views::common::ViewState& state, QWidget* parent);

} // namespace fivefold::app
