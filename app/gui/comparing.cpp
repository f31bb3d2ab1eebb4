// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/comparing.h"

#include "app/gui/main_window.h"
#include "views/five/five_panel.h"

#include <QShortcut>

namespace fivefold::app {

using views::five::FivePanel;

namespace {

QString precisionText(std::optional<machines::Precision> precision) {
    if (!precision)
        return Comparing::tr("each machine’s own precision");
    const auto name = machines::toString(*precision);
    return QString::fromUtf8(name.data(), static_cast<int>(name.size()));
}

} // namespace

Comparing::Comparing(MainWindow& window)
    : QObject(&window)
    , m_results(window.session())
    , m_fullWidth(window) {
    for (const char* id : {"five", "published"}) {
        QWidget* panel = window.panel(QString::fromLatin1(id));
        if (!panel)
            continue;
        auto* leave = new QShortcut(Qt::Key_Escape, panel);
        leave->setContext(Qt::WidgetWithChildrenShortcut);
        connect(leave, &QShortcut::activated, &m_fullWidth, &FullWidth::leave);
    }
    auto* panel = qobject_cast<FivePanel*>(window.panel(QStringLiteral("five")));
    if (!panel)
        return;
    connect(&m_results, &FiveResults::slotsChanged, panel,
        [this, panel] { panel->setSlots(m_results.machineSlots()); });
    connect(panel, &FivePanel::resultsWanted, &m_results,
        [this, panel](bool isWanted) { m_results.setWanted(panel, isWanted); });
    Session& session = window.session();
    connect(panel, &FivePanel::precisionRequested, &session,
        [&session](std::optional<machines::Precision> precision) {
            Choices choices = session.choices();
            choices.precision = precision;
            session.change(precisionText(precision), std::move(choices));
        });
}

} // namespace fivefold::app
