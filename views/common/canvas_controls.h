// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/icons.h"
#include "views/common/panel_frame.h"

#include <QAction>
#include <QCheckBox>
#include <QToolButton>

namespace fivefold::views::common {

/// Makes the actions of a panel with a canvas, and the check boxes and buttons of its header that
/// trigger them. Single letters act only while the canvas has the focus.
class CanvasControls {
public:
    CanvasControls(Panel& panel, QWidget& canvas, PanelFrame& frame)
        : m_panel(panel)
        , m_canvas(canvas)
        , m_frame(frame) { }

    template <typename Slot> QAction* add(const QString& text, const QKeySequence& key, Slot slot) {
        auto* action = new QAction(text, &m_panel);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_canvas.addAction(action);
        QObject::connect(action, &QAction::triggered, &m_panel, slot);
        m_actions << action;
        return action;
    }
    /// A checkable action with a check box in the header; `slot` takes its new state.
    template <typename Slot>
    QAction* toggle(const QString& text, const QKeySequence& key, bool isOn, Slot slot) {
        QAction* action = add(text, key, slot);
        action->setCheckable(true);
        action->setChecked(isOn);
        auto* box = new QCheckBox(text, &m_panel);
        box->setChecked(isOn);
        box->setFocusPolicy(Qt::TabFocus);
        QObject::connect(box, &QCheckBox::clicked, action, [action] { action->trigger(); });
        QObject::connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
        m_frame.header()->addWidget(box);
        m_boxes << box;
        return action;
    }
    QToolButton* button(QAction* action, const QString& iconName) {
        action->setIcon(icon(iconName));
        auto* tool = new QToolButton(&m_panel);
        tool->setDefaultAction(action);
        tool->setAutoRaise(true);
        tool->setFocusPolicy(Qt::TabFocus);
        m_frame.header()->addWidget(tool);
        m_buttons << tool;
        return tool;
    }

    const QList<QAction*>& actions() const { return m_actions; }
    const QList<QWidget*>& boxes() const { return m_boxes; }
    const QList<QWidget*>& buttons() const { return m_buttons; }

private:
    Panel& m_panel;
    QWidget& m_canvas;
    PanelFrame& m_frame;
    QList<QAction*> m_actions;
    QList<QWidget*> m_boxes, m_buttons;
};

} // namespace fivefold::views::common
