// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/shortcuts_page.h"

#include "app/gui/actions.h"

#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace fivefold::app {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ShortcutsPage", text);
}

struct CanvasKey {
    const char* scope;
    const char* keys;
    const char* action;
};

/// Keys that canvases handle themselves while they hold the focus.
constexpr CanvasKey kCanvasKeys[] = {
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Any canvas"), "Space",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Fit all")},
    {"Any canvas", "F", QT_TRANSLATE_NOOP("ShortcutsPage", "Fit the selection")},
    {"Any canvas", "Ctrl + − 0", QT_TRANSLATE_NOOP("ShortcutsPage", "Zoom in, out, 100 %")},
    {"Any canvas", "Wheel", QT_TRANSLATE_NOOP("ShortcutsPage", "Zoom at the pointer")},
    {"Any canvas", "Drag", QT_TRANSLATE_NOOP("ShortcutsPage", "Pan")},
    {"Any canvas", "Esc", QT_TRANSLATE_NOOP("ShortcutsPage", "Clear the selection")},
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Graph"), "← ↑ → ↓",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Along the edges")},
    {"Graph", "Enter, Shift+Enter", QT_TRANSLATE_NOOP("ShortcutsPage", "Expand, collapse a scope")},
    {"Graph", "E, Shift+E", QT_TRANSLATE_NOOP("ShortcutsPage", "Expand, collapse all below")},
    {"Graph", "T, Shift+T", QT_TRANSLATE_NOOP("ShortcutsPage", "Trace inputs, outputs")},
    {"Graph", "R", QT_TRANSLATE_NOOP("ShortcutsPage", "Show what was removed")},
    {"Graph", "Ctrl+click, Shift+click",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Add to the selection, take the path")},
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Memory timeline"), "W S, A D",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Zoom, pan")},
    {"Memory timeline", ". ,", QT_TRANSLATE_NOOP("ShortcutsPage", "Next, previous event")},
    {"Memory timeline", "R, M",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Range of the selection, mark the moment")},
    {"Memory timeline", "↑ ↓, P",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Choose a track, pin it on top")},
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Layout"), "← ↑ → ↓",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Lane and row")},
    {"Layout", "Page Up, Page Down",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Block; with Ctrl the unit")},
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Roofline"), "← →",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Next dot by time")},
    {"Roofline", "V, C", QT_TRANSLATE_NOOP("ShortcutsPage", "Memory levels, scheduling caps")},
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Five panel"), "↑ ↓, Enter",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Choose a row, turn every panel to its machine")},
    {QT_TRANSLATE_NOOP("ShortcutsPage", "Race"), "F9 or Space, Shift+F9",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Play or pause, step")},
    {"Race", "← →, Home, End",
        QT_TRANSLATE_NOOP("ShortcutsPage", "Step back and forth, to the start, to the end")},
};

QTreeWidgetItem* groupItem(QTreeWidget& tree, const QString& title) {
    for (int i = 0; i < tree.topLevelItemCount(); ++i)
        if (tree.topLevelItem(i)->text(0) == title)
            return tree.topLevelItem(i);
    auto* item = new QTreeWidgetItem(&tree, {title});
    item->setExpanded(true);
    return item;
}

void fill(QTreeWidget& tree, const Actions& actions) {
    for (const auto& [menu, action] : actions.all()) {
        QString title = menu;
        QString text = action->text();
        title.remove(QLatin1Char('&'));
        text.remove(QLatin1Char('&'));
        new QTreeWidgetItem(
            groupItem(tree, title), {text, action->shortcut().toString(QKeySequence::NativeText)});
    }
    for (const CanvasKey& key : kCanvasKeys)
        new QTreeWidgetItem(
            groupItem(tree, tr(key.scope)), {tr(key.action), QString::fromUtf8(key.keys)});
}

void filter(QTreeWidget& tree, const QString& text) {
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = tree.topLevelItem(i);
        int shown = 0;
        for (int k = 0; k < group->childCount(); ++k) {
            QTreeWidgetItem* item = group->child(k);
            const bool isMatch = item->text(0).contains(text, Qt::CaseInsensitive)
                || item->text(1).contains(text, Qt::CaseInsensitive);
            item->setHidden(!isMatch);
            shown += isMatch;
        }
        group->setHidden(shown == 0);
    }
}

} // namespace

void showShortcuts(QWidget& parent, const Actions& actions) {
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("shortcuts"));
    dialog->setWindowTitle(tr("Shortcuts"));
    dialog->resize(560, 640);
    auto* column = new QVBoxLayout(dialog);
    auto* find = new QLineEdit(dialog);
    find->setPlaceholderText(tr("Type to filter"));
    find->setClearButtonEnabled(true);
    auto* tree = new QTreeWidget(dialog);
    tree->setHeaderLabels({tr("Action"), tr("Keys")});
    tree->setRootIsDecorated(false);
    tree->setAlternatingRowColors(true);
    tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    fill(*tree, actions);
    tree->expandAll();
    column->addWidget(find);
    column->addWidget(tree);
    QObject::connect(
        find, &QLineEdit::textChanged, tree, [tree](const QString& text) { filter(*tree, text); });
    dialog->show();
}

} // namespace fivefold::app
