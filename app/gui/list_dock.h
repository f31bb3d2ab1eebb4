// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDockWidget>

namespace fivefold::views::common {
class ListTwin;
class Panel;
} // namespace fivefold::views::common

namespace fivefold::app {

/// The list twin of the panel that had the focus last, beside the window's other docks.
class ListDock final : public QDockWidget {
    Q_OBJECT

public:
    /// `first` is listed until another panel with a list gets the focus.
    ListDock(views::common::Panel* first, QWidget* parent);

    views::common::ListTwin& list() const { return *m_list; }
    /// Shows it with the focus in the list, or hides it and gives the focus back to the panel.
    void toggle();

private:
    void refreshTitle();

    views::common::ListTwin* m_list = nullptr;
};

} // namespace fivefold::app
