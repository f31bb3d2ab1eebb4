// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/export.h"
#include "views/common/icons.h"
#include "views/common/panel_frame.h"
#include "views/five/five_canvas.h"
#include "views/five/five_panel.h"
#include "views/five/race_canvas.h"
#include "views/five/race_page.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

namespace {

QToolButton* textButton(QWidget* parent, const QString& text, bool isCheckable) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setCheckable(isCheckable);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QString nameOf(machines::Precision precision) {
    const auto name = machines::toString(precision);
    return QString::fromUtf8(name.data(), static_cast<int>(name.size()));
}

} // namespace

void FivePanel::createHeader() {
    QHBoxLayout* header = m_frame->header();
    auto* scopes = new QButtonGroup(this);
    m_ofWhole = textButton(this, tr("Whole graph"), true);
    m_ofSelection = textButton(this, tr("Selection"), true);
    m_ofSelection->setToolTip(tr("Compare what is selected alone"));
    m_ofWhole->setChecked(true);
    for (QAbstractButton* button : {m_ofWhole, m_ofSelection}) {
        scopes->addButton(button);
        header->addWidget(button);
    }
    connect(m_ofWhole, &QAbstractButton::clicked, this, [this] { setSelectionScope(false); });
    connect(m_ofSelection, &QAbstractButton::clicked, this, [this] { setSelectionScope(true); });

    const auto box = [&](const QString& label) {
        auto* words = new QLabel(label, this);
        auto* combo = new QComboBox(this);
        combo->setAccessibleName(label);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        combo->setFocusPolicy(Qt::TabFocus);
        words->setBuddy(combo);
        header->addWidget(words);
        header->addWidget(combo);
        m_optional << words << combo;
        return combo;
    };
    m_precisions = box(tr("precision"));
    m_precisions->setToolTip(tr("Each machine's own, or one for all that have a rate for it"));
    connect(m_precisions, &QComboBox::activated, this, [this](int row) {
        const QVariant data = m_precisions->itemData(row);
        emit precisionRequested(data.isValid()
                ? std::optional(static_cast<machines::Precision>(data.toInt()))
                : std::nullopt);
    });
    m_axis = box(tr("time axis"));
    m_axis->addItems({tr("log"), tr("linear")});
    connect(m_axis, &QComboBox::activated, this, [this](int row) { setLog(row == 0); });
    m_lock = new QCheckBox(tr("lock axis"), this);
    m_lock->setChecked(true);
    m_lock->setToolTip(tr("The axis stays while settings and machines change"));
    connect(m_lock, &QCheckBox::toggled, this, &FivePanel::setLocked);
    header->addWidget(m_lock);
    m_optional << m_lock;
    header->addStretch(1);
    m_raceButton = textButton(this, tr("Race"), true);
    m_raceButton->setIcon(icon(QStringLiteral("play")));
    m_raceButton->setToolTip(tr("Play the five schedules on one clock"));
    connect(m_raceButton, &QAbstractButton::toggled, this, &FivePanel::setRacing);
    header->addWidget(m_raceButton);
}

void FivePanel::createActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        connect(action, &QAction::triggered, this, slot);
        m_actions << action;
        return action;
    };
    add(tr("Compare the whole graph"), {}, [this] { setSelectionScope(false); });
    add(tr("Compare the selection"), {}, [this] { setSelectionScope(true); });
    add(tr("Log or linear time axis"), {}, [this] { setLog(!m_canvas->options().isLog); });
    add(tr("Lock the time axis"), {}, [this] { setLocked(!m_canvas->options().isLocked); });
    add(tr("Race of the five schedules"), {}, [this] { setRacing(!isRacing()); });
    add(tr("Race: play or pause"), {}, [this] {
        setRacing(true);
        m_race->canvas()->togglePlaying();
    });
    add(tr("Race: step"), {}, [this] {
        setRacing(true);
        m_race->canvas()->step(+1);
    });
    QAction* csv = add(tr("Export five rows as CSV…"), {}, [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export table"),
            QStringLiteral("five-machines.csv"), tr("CSV tables (*.csv)"));
        if (path.isEmpty())
            return;
        if (const auto done = exportCsv(*this, path); !done)
            QMessageBox::warning(
                this, tr("Export table"), QString::fromStdString(done.error().text()));
    });
    csv->setIcon(icon(QStringLiteral("export")));
    csv->setIconText(tr("CSV"));
    auto* button = new QToolButton(this);
    button->setDefaultAction(csv);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    m_frame->header()->addWidget(button);
    m_optional << button;
}

void FivePanel::setSelectionScope(bool isSelection) {
    Options options = m_canvas->options();
    options.isSelection = isSelection;
    m_canvas->setOptions(options);
    m_ofSelection->setChecked(isSelection);
    m_ofWhole->setChecked(!isSelection);
}

void FivePanel::setLog(bool isLog) {
    Options options = m_canvas->options();
    options.isLog = isLog;
    m_axis->setCurrentIndex(isLog ? 0 : 1);
    m_canvas->setOptions(options);
}

void FivePanel::setLocked(bool isLocked) {
    Options options = m_canvas->options();
    options.isLocked = isLocked;
    m_lock->setChecked(isLocked);
    m_canvas->setOptions(options);
}

void FivePanel::updatePrecisions() {
    const QSignalBlocker blocker(m_precisions);
    m_precisions->clear();
    m_precisions->addItem(tr("each machine’s own"));
    std::vector<machines::Precision> all;
    for (const Slot& slot : m_slots)
        if (slot.machine)
            for (const machines::Precision precision : slot.machine->ratedPrecisions())
                if (std::ranges::find(all, precision) == all.end())
                    all.push_back(precision);
    std::ranges::sort(all);
    const auto result = state().result();
    for (const machines::Precision precision : all) {
        m_precisions->addItem(nameOf(precision), static_cast<int>(precision));
        if (result && result->request.settings.isPrecisionGiven
            && result->request.settings.precision == precision)
            m_precisions->setCurrentIndex(m_precisions->count() - 1);
    }
}

} // namespace fivefold::views::five
