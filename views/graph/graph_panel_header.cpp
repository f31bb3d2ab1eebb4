// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/graph_panel.h"

#include "views/common/icons.h"
#include "views/graph/labels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QToolButton>

/// The panel's actions and its header.
namespace fivefold::views::graph {

namespace {

/// Narrower headers show one "Show" menu instead of three check boxes.
constexpr int kWideHeader = 548;

enum FoldEntry { FoldNow, FoldAutomatic, FoldAll, FoldNone };

QToolButton* toolButton(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFixedSize(24, 24);
    button->setIconSize({16, 16});
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

QAction* GraphPanel::addAction(
    const QString& id, const QString& text, const QList<QKeySequence>& keys, const QString& icon) {
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    if (!icon.isEmpty())
        action->setIcon(common::icon(icon));
    QString tip = text;
    if (!keys.isEmpty())
        tip += QStringLiteral(" (%1)").arg(keys.front().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    m_canvas->addAction(action);
    m_actions << action;
    return action;
}

QAction* GraphPanel::addOption(
    const QString& id, const QString& text, bool PresentOptions::*option, const QKeySequence& key) {
    QAction* action = addAction(id, text, key.isEmpty() ? QList<QKeySequence>() : QList{key});
    action->setCheckable(true);
    action->setChecked(m_options.*option);
    connect(action, &QAction::toggled, this, [this, option](bool isOn) {
        PresentOptions options = m_options;
        options.*option = isOn;
        setOptions(options);
    });
    m_optionActions.append({action, option});
    return action;
}

void GraphPanel::makeActions() {
    const auto add = [&](const char* id, const QString& text, const QList<QKeySequence>& keys,
                         const char* icon, auto slot) {
        QAction* action = addAction(QString::fromLatin1(id), text, keys, QString::fromLatin1(icon));
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    add("graph.fit", tr("Fit all"), {Qt::Key_Space}, "fit", [this] { zoomToFit(); });
    add("graph.fitSelection", tr("Fit selection"), {Qt::Key_F}, "fit-selection",
        [this] { zoomToSelection(); });
    add("graph.zoomIn", tr("Zoom in"),
        {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal, Qt::SHIFT | Qt::Key_Up}, "zoom-in",
        [this] { m_canvas->zoomBy(common::kZoomPerNotch); });
    add("graph.zoomOut", tr("Zoom out"), {Qt::CTRL | Qt::Key_Minus, Qt::SHIFT | Qt::Key_Down},
        "zoom-out", [this] { m_canvas->zoomBy(1 / common::kZoomPerNotch); });
    add("graph.zoomReset", tr("Zoom to 100 %"),
        {Qt::CTRL | Qt::Key_0, Qt::SHIFT | Qt::Key_Backspace}, "",
        [this] { m_canvas->resetZoom(); });
    m_directionAction = add("graph.direction", tr("Change direction"), {Qt::CTRL | Qt::Key_K},
        "direction", [this] { toggleDirection(); });
    add("graph.expandBelow", tr("Expand all below"), {Qt::Key_E}, "",
        [this] { setAllBelow(true); });
    add("graph.collapseBelow", tr("Collapse all below"), {Qt::SHIFT | Qt::Key_E}, "fold",
        [this] { setAllBelow(false); });
    add("graph.traceInputs", tr("Trace inputs"), {Qt::Key_T}, "", [this] { trace(true); });
    add("graph.traceOutputs", tr("Trace outputs"), {Qt::SHIFT | Qt::Key_T}, "",
        [this] { trace(false); });
    add("graph.split", tr("Split here"), {}, "", [this] { splitSelected(); });
    add("graph.fuseNext", tr("Fuse with next"), {}, "", [this] { fuseSelected(); });
    add("graph.changes", tr("What this stage changed"), {}, "", [this] { showChanges(); });
    addOption(QStringLiteral("graph.shapes"), tr("Shapes"), &PresentOptions::showsShapes);
    addOption(QStringLiteral("graph.layouts"), tr("Layouts"), &PresentOptions::showsLayouts);
    addOption(QStringLiteral("graph.removed"), tr("Removed"), &PresentOptions::showsRemoved,
        QKeySequence(Qt::Key_R));
    addOption(QStringLiteral("graph.weights"), tr("Weights and constants"),
        &PresentOptions::showsConstants, QKeySequence(Qt::CTRL | Qt::Key_I));
    addOption(QStringLiteral("graph.names"), tr("Full names"), &PresentOptions::showsNames,
        QKeySequence(Qt::CTRL | Qt::Key_U));
}

void GraphPanel::makeHeader() {
    QHBoxLayout* header = m_frame.header();
    header->setSpacing(4);
    // A narrow dock must not be held open by the controls.
    header->parentWidget()->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    for (const char* id :
        {"graph.fit", "graph.fitSelection", "graph.zoomIn", "graph.zoomOut", "graph.direction"})
        header->addWidget(toolButton(findChild<QAction*>(QString::fromLatin1(id))));
    m_folding = new QComboBox;
    m_folding->addItems(
        {QString(), tr("Fold automatically"), tr("Fold everything"), tr("Expand everything")});
    m_folding->setToolTip(tr("Which modules are folded"));
    m_folding->setAccessibleName(tr("Folding"));
    m_folding->setMinimumContentsLength(12);
    m_folding->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_folding, &QComboBox::activated, this, [this](int entry) {
        PresentOptions options = m_options;
        options.folding = {};
        if (entry == FoldNow)
            options.folding = m_options.folding;
        else if (entry != FoldAutomatic)
            options.folding.mode = entry == FoldAll ? FoldMode::Folded : FoldMode::Expanded;
        setOptions(options);
        updateCombo();
    });
    header->addWidget(m_folding);
    auto* menu = new QMenu(this);
    for (const char* id : {"graph.shapes", "graph.layouts", "graph.removed"}) {
        auto* action = findChild<QAction*>(QString::fromLatin1(id));
        menu->addAction(action);
        auto* check = new QCheckBox(action->text());
        check->setChecked(action->isChecked());
        check->setFocusPolicy(Qt::TabFocus);
        connect(check, &QCheckBox::toggled, action, &QAction::setChecked);
        connect(action, &QAction::toggled, check, &QCheckBox::setChecked);
        m_checks << check;
        check->hide();
        header->addWidget(check);
    }
    for (const char* id : {"graph.weights", "graph.names", "graph.changes"})
        menu->addAction(findChild<QAction*>(QString::fromLatin1(id)));
    m_showButton = new QToolButton;
    m_showButton->setText(tr("Show"));
    m_showButton->setPopupMode(QToolButton::InstantPopup);
    m_showButton->setMenu(menu);
    m_showButton->setFocusPolicy(Qt::TabFocus);
    header->addWidget(m_showButton);
    m_changesButton = new QToolButton;
    m_changesButton->setText(QStringLiteral("Δ"));
    m_changesButton->setAccessibleName(tr("Changes"));
    m_changesButton->setAutoRaise(true);
    m_changesButton->setFixedSize(24, 24);
    m_changesButton->setToolTip(tr("What this stage added, removed and replaced, and why"));
    m_changesButton->setFocusPolicy(Qt::TabFocus);
    m_changesButton->setEnabled(false);
    connect(m_changesButton, &QToolButton::clicked, this, &GraphPanel::showChanges);
    header->addWidget(m_changesButton);
    header->addStretch(1);
}

void GraphPanel::updateHeader() {
    const bool isWide = width() >= kWideHeader;
    for (qsizetype i = 0; i < m_checks.size(); ++i) {
        m_checks[i]->setVisible(isWide);
        auto* check = qobject_cast<QCheckBox*>(m_checks[i]);
        const QSignalBlocker quiet(check);
        check->setChecked(m_options.*(m_optionActions[i].second));
    }
    m_showButton->setVisible(!isWide);
}

void GraphPanel::updateCombo() {
    const DisplayGraph* shown = graph();
    const int folded = shown ? shown->expansion.foldedCount : 0;
    m_folding->setItemText(FoldNow,
        folded == 0       ? tr("Nothing folded")
            : folded == 1 ? tr("1 scope folded")
                          : tr("%1 scopes folded").arg(folded));
    m_folding->setCurrentIndex(FoldNow);
    m_folding->setEnabled(shown && shown->tree && shown->tree->containers.size() > 1);
}

} // namespace fivefold::views::graph
