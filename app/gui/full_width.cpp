// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/full_width.h"

#include "app/gui/main_window.h"

#include <QDockWidget>

namespace fivefold::app {

FullWidth::FullWidth(MainWindow& window)
    : QObject(&window)
    , m_window(window) { }

QString FullWidth::panelId() const {
    // Another arrangement may have taken the panel away.
    const QDockWidget* dock = m_panelId.isEmpty() ? nullptr : m_window.dock(m_panelId);
    return dock && !dock->isHidden() && !m_window.isExploring() ? m_panelId : QString();
}

void FullWidth::toggle(const QString& panelId) {
    if (this->panelId() == panelId)
        leave();
    else
        enter(panelId);
}

void FullWidth::enter(const QString& panelId) {
    QDockWidget* shown = m_window.dock(panelId);
    if (!shown)
        return;
    if (this->panelId().isEmpty()) {
        m_wasExploring = m_window.isExploring();
        if (m_wasExploring)
            m_window.storeExploring();
        m_before = m_window.saveState();
    }
    m_window.setExploring(false); // what is shown from now on is no arrangement to keep
    m_panelId.clear(); // the docks that go are not closed by the user
    for (auto* dock : m_window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (dock != shown && !dock->isFloating())
            dock->hide();
    shown->setFloating(false);
    m_window.showPanel(panelId);
    m_panelId = panelId;
    connect(shown, &QDockWidget::visibilityChanged, this, &FullWidth::noteClosing,
        Qt::UniqueConnection);
    emit changed();
}

/// The close button of the only dock is the way back, too.
void FullWidth::noteClosing() {
    const QDockWidget* dock = m_panelId.isEmpty() ? nullptr : m_window.dock(m_panelId);
    if (dock && dock->isHidden() && !m_window.isExploring())
        QMetaObject::invokeMethod(this, &FullWidth::leave, Qt::QueuedConnection);
}

void FullWidth::leave() {
    if (m_panelId.isEmpty() || m_window.isExploring())
        return;
    m_panelId.clear();
    m_window.restoreState(m_before);
    m_window.setExploring(m_wasExploring);
    emit changed();
}

} // namespace fivefold::app
