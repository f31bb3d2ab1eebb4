// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/debugging.h"

#include "app/gui/compare_docks.h"
#include "app/gui/fault_lab_dialog.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/open_runs_dialog.h"
#include "core/compare/evidence.h"
#include "views/common/export.h"
#include "views/divergence/focus.h"
#include "views/divergence/matching_view.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPdfWriter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>
#include <QVBoxLayout>

namespace fivefold::app {

using views::divergence::Focus;

namespace {

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

/// A box of text to read, copy or save.
class TextDialog final : public QDialog {
public:
    TextDialog(const QString& title, const QString& content, QWidget* parent)
        : QDialog(parent) {
        setWindowTitle(title);
        auto* layout = new QVBoxLayout(this);
        auto* edit = new QPlainTextEdit(content, this);
        edit->setReadOnly(true);
        edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        layout->addWidget(edit);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
        auto* copy = buttons->addButton(Debugging::tr("&Copy"), QDialogButtonBox::ActionRole);
        auto* save = buttons->addButton(Debugging::tr("&Save…"), QDialogButtonBox::ActionRole);
        layout->addWidget(buttons);
        connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
        connect(copy, &QPushButton::clicked, this,
            [content] { QGuiApplication::clipboard()->setText(content); });
        connect(save, &QPushButton::clicked, this, [this, content] {
            const QString path = QFileDialog::getSaveFileName(
                this, windowTitle(), QStringLiteral("capture.py"), Debugging::tr("Python (*.py)"));
            if (!path.isEmpty())
                if (const auto done = views::common::writeTextFile(path, content); !done)
                    setWindowTitle(text(done.error().text()));
        });
        constexpr QSize kSize{720, 520};
        resize(kSize);
    }
};

} // namespace

base::Result<base::Done> writeCard(const QString& markdown, const QString& path) {
    if (QFileInfo(path).suffix().toLower() != QLatin1String("pdf"))
        return views::common::writeTextFile(path, markdown);
    QTextDocument document;
    document.setMarkdown(markdown);
    QPdfWriter pdf(path);
    constexpr int kDotsPerInch = 96;
    constexpr double kMarginMm = 15;
    pdf.setResolution(kDotsPerInch);
    pdf.setPageSize(QPageSize(QPageSize::A4));
    pdf.setPageMargins(
        QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm), QPageLayout::Millimeter);
    document.setPageSize(QSizeF(pdf.width(), pdf.height()));
    document.print(&pdf);
    if (!QFileInfo::exists(path) || QFileInfo(path).size() == 0)
        return base::Error{base::ErrorCode::Unreadable,
            "The card could not be written; check that the folder exists and has room.",
            path.toStdString()};
    return base::Done{};
}

Debugging::Debugging(MainWindow& window)
    : QObject(&window)
    , m_window(window)
    , m_debug(window.session()) {
    connect(&m_debug, &DebugSession::changed, this, &Debugging::take);
    connectFocus();
}

void Debugging::showIn(MessageBar& messages) {
    connect(&m_debug, &DebugSession::failed, &messages, &MessageBar::showError);
    connect(&m_jobs, &JobRunner::failed, &messages, &MessageBar::showError);
    messages.watch(m_debug.jobs());
    messages.watch(m_jobs);
}

void Debugging::connectFocus() {
    Focus& focus = Focus::of(m_window.state());
    connect(&focus, &Focus::openDumpRequested, this, &Debugging::openRuns);
    connect(&focus, &Focus::compareComputedRequested, this, &Debugging::compareComputed);
    connect(&focus, &Focus::faultLabRequested, this, [this] { openFaultLab(); });
    connect(&focus, &Focus::evidenceRequested, this, &Debugging::saveEvidence);
    connect(&focus, &Focus::reduceRequested, this, &Debugging::saveReproducer);
    connect(&focus, &Focus::captureScriptRequested, this, &Debugging::showCaptureScript);
    connect(&focus, &Focus::matchingRequested, this, &Debugging::showMatches);
    connect(&focus, &Focus::plantRequested, this, &Debugging::plant);
    connect(&focus, &Focus::showRequested, &m_window, &MainWindow::showPanel);
}

/// The first comparison brings its docks and its lens.
void Debugging::take() {
    if (!m_debug.current()) {
        m_isSeen = false;
        return;
    }
    if (std::exchange(m_isSeen, true))
        return;
    m_window.state().setLens(views::common::Lens::Verdict);
    arrange(true);
}

void Debugging::openRuns() {
    OpenRunsDialog dialog(m_debug.sources().value_or(DebugSources{}), &m_window);
    if (dialog.exec() == QDialog::Accepted)
        m_debug.start(dialog.sources());
}

void Debugging::compareComputed() {
    m_debug.start({});
}

FaultLabDialog& Debugging::openFaultLab() {
    if (!m_lab)
        m_lab = new FaultLabDialog(m_debug, m_window.state(), &m_window);
    m_lab->show();
    m_lab->raise();
    m_lab->activateWindow();
    return *m_lab;
}

void Debugging::plant(numerics::FaultId fault) {
    FaultLabDialog& lab = openFaultLab();
    lab.select(fault);
    lab.plantInSample(0);
}

void Debugging::saveEvidence(std::size_t origin) {
    const auto current = m_debug.current();
    if (!current)
        return m_window.messageBar().showNotice(
            tr("Nothing has been compared yet: open a device dump first."));
    const QString path = QFileDialog::getSaveFileName(&m_window, tr("Evidence card"),
        QStringLiteral("evidence.pdf"), tr("Evidence card (*.pdf *.md)"));
    if (path.isEmpty())
        return;
    const QString card =
        text(compare::evidenceCard(current->request.subject, *current->divergence, origin));
    if (const auto done = writeCard(card, path); !done)
        m_window.messageBar().showError(text(done.error().text()));
    else
        m_window.showMessage(tr("Wrote %1").arg(path));
}

void Debugging::saveReproducer(std::size_t origin) {
    const auto current = m_debug.current();
    if (!current)
        return;
    const QString folder =
        QFileDialog::getExistingDirectory(&m_window, tr("Folder for the reduced case"));
    if (folder.isEmpty())
        return;
    using Written = base::Result<base::Done>;
    m_jobs.start<std::optional<Written>>(
        [current, origin, folder](const base::Progress& progress) -> std::optional<Written> {
            auto reduced = compare::reduce(current->request.subject, *current->divergence, origin,
                current->request.device, current->request.inputs,
                analysis::lowererOf(current->lowering), progress);
            if (!reduced)
                return Written(reduced.error());
            return compare::writeReproducer(*reduced, folder.toStdString());
        },
        [this, folder](std::optional<Written> written) {
            if (!*written)
                m_window.messageBar().showError(text(written->error().text()));
            else
                m_window.messageBar().showNotice(tr("The reduced case is in %1.").arg(folder));
        });
}

void Debugging::showCaptureScript() {
    const auto divergence = m_window.state().divergence();
    if (!divergence || !divergence->capture)
        return m_window.messageBar().showNotice(
            tr("Every layer was dumped: there is nothing more to capture."));
    TextDialog(tr("What to capture next"), text(divergence->capture->script), &m_window).exec();
}

void Debugging::showMatches() {
    const auto current = m_debug.current();
    if (!current)
        return;
    QDialog dialog(&m_window);
    dialog.setWindowTitle(tr("Matches of dump and model"));
    auto* layout = new QVBoxLayout(&dialog);
    auto* view = new views::divergence::MatchingView(&dialog);
    view->setDivergence(m_window.state().divergence(), current->request.subject.typed->graph);
    layout->addWidget(view);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    connect(
        view, &views::divergence::MatchingView::editsChanged, &m_debug, &DebugSession::setEdits);
    constexpr QSize kSize{820, 560};
    dialog.resize(kSize);
    dialog.exec();
}

/// Another arrangement, or a reset, ends this one without saying so.
bool Debugging::isArranged() const {
    const QDockWidget* layers = m_window.dock(QStringLiteral("layers"));
    return m_isArranged && !m_window.isExploring() && layers && !layers->isHidden();
}

void Debugging::arrange(bool isOn) {
    if (isArranged() == isOn)
        return;
    m_isArranged = isOn;
    if (isOn) {
        if (m_window.isExploring())
            m_window.storeExploring();
        m_window.setExploring(false);
        m_window.compare().hide();
        arrangeDebug(m_window, m_window.docks());
    } else {
        m_window.arrangeForComparing(false);
    }
    emit arrangedChanged(isOn);
}

} // namespace fivefold::app
