// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

class QComboBox;
class QWidget;

namespace fivefold::views::common {
class ViewState;
}

namespace fivefold::app {

class Session;
class StageBar;

// Lists of the bars, each tied to what it changes both ways.
QComboBox* createPrecisionBox(Session& session, QWidget* parent); ///< precisions that have a rate
QComboBox* createLensBox(views::common::ViewState& state, QWidget* parent);
QComboBox* createOrderBox(StageBar& stages, QWidget* parent); ///< teaching or compiler's order

} // namespace fivefold::app
