// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/export_dialog.h"

#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "core/analysis/dot_export.h"
#include "core/analysis/report.h"
#include "views/common/export.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

#include <sstream>

namespace fivefold::app {

using views::common::Panel;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Export", text);
}

/// "attention_block-roofline-spyre.png" beside the last export.
QString suggestedName(MainWindow& window, const QString& what, const QString& suffix) {
    return QStringLiteral("%1-%2-%3.%4")
        .arg(QFileInfo(window.session().path()).completeBaseName(), what,
            QString::fromStdString(window.session().choices().machine->id), suffix);
}

bool hasResult(MainWindow& window) {
    if (window.state().result())
        return true;
    window.messageBar().showNotice(
        tr("There is nothing to export yet: open a model first (Ctrl+O)."));
    return false;
}

void report(MainWindow& window, const QString& path, const base::Result<base::Done>& done) {
    if (!done)
        window.messageBar().showError(QString::fromStdString(done.error().text()));
    else
        window.showMessage(tr("Wrote %1").arg(path));
}

} // namespace

void exportPanel(MainWindow& window, Panel* panel) {
    if (!hasResult(window))
        return;
    const QString path = QFileDialog::getSaveFileName(&window, tr("Export %1").arg(panel->title()),
        suggestedName(window, panel->id(), QStringLiteral("png")),
        tr("Pictures (*.png *.svg *.pdf)"));
    if (path.isEmpty())
        return;
    report(window, path, views::common::exportPanel(*panel, path, panel->size()));
}

void exportTable(MainWindow& window, Panel* panel) {
    if (!hasResult(window))
        return;
    const QString csv = panel->toCsv();
    if (csv.isEmpty()) {
        window.messageBar().showNotice(
            tr("%1 is no table; Operators and Problems are.").arg(panel->title()));
        return;
    }
    const QString path = QFileDialog::getSaveFileName(&window, tr("Export %1").arg(panel->title()),
        suggestedName(window, panel->id(), QStringLiteral("csv")), tr("Tables (*.csv)"));
    if (!path.isEmpty())
        report(window, path, views::common::writeTextFile(path, csv));
}

void exportDot(MainWindow& window) {
    if (!hasResult(window))
        return;
    const QString path = QFileDialog::getSaveFileName(&window, tr("Export the graph"),
        suggestedName(window, QStringLiteral("graph"), QStringLiteral("dot")),
        tr("Graphviz (*.dot)"));
    if (path.isEmpty())
        return;
    const auto result = window.state().result();
    report(window, path,
        views::common::writeTextFile(path,
            QString::fromStdString(analysis::toDot(
                result->program.stage(window.state().stage()), analysis::footLine(*result)))));
}

void exportJson(MainWindow& window) {
    if (!hasResult(window))
        return;
    const QString path = QFileDialog::getSaveFileName(&window, tr("Export the result"),
        suggestedName(window, QStringLiteral("result"), QStringLiteral("json")),
        tr("JSON (*.json)"));
    if (path.isEmpty())
        return;
    std::ostringstream out;
    analysis::writeReport(out, *window.state().result());
    report(window, path, views::common::writeTextFile(path, QString::fromStdString(out.str())));
}

} // namespace fivefold::app
