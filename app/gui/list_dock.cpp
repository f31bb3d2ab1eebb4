// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/list_dock.h"

#include "app/gui/dock_title.h"
#include "views/common/list_twin.h"

#include <QApplication>

namespace fivefold::app {

using views::common::ListTwin;
using views::common::Panel;

ListDock::ListDock(Panel* first, QWidget* parent)
    : QDockWidget(tr("List"), parent)
    , m_list(new ListTwin(this)) {
    setObjectName(QStringLiteral("list"));
    setWidget(m_list);
    m_list->setMinimumSize(280, 100);
    setTitleBarWidget(new DockTitle(*this));
    connect(m_list, &ListTwin::panelChanged, this, &ListDock::refreshTitle);
    m_list->setPanel(first);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        for (QWidget* widget = now; widget; widget = widget->parentWidget())
            if (auto* panel = qobject_cast<Panel*>(widget)) {
                if (!panel->twinRows().empty())
                    m_list->setPanel(panel);
                return;
            }
    });
}

void ListDock::refreshTitle() {
    setWindowTitle(m_list->panel() ? tr("List of %1").arg(m_list->panel()->title()) : tr("List"));
    titleBarWidget()->update();
}

void ListDock::toggle() {
    if (isVisible()) {
        hide();
        if (m_list->panel())
            m_list->panel()->setFocus(Qt::OtherFocusReason);
        return;
    }
    show();
    raise();
    m_list->setFocus(Qt::OtherFocusReason);
}

} // namespace fivefold::app
