// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/published/published_panel.h"

#include "views/common/export.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/common/table.h"
#include "views/common/type.h"
#include "views/published/factor_plot.h"

#include <QAction>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace fivefold::views::published {

using namespace common;

namespace {

constexpr int kPlotFromHeight = 420; ///< lower panels show the table alone
constexpr int kWidestColumn = 200;
constexpr int kLeastNote = 120;
constexpr int kKindFromWidth = 1500;

LegendEntry dotEntry(const QString& label, bool isFilled) {
    return {label, [isFilled](QPainter& painter, const QRectF& rect) {
                painter.save();
                painter.setRenderHint(QPainter::Antialiasing);
                const QColor color = Palette::current().role("neutral");
                painter.setPen(QPen(color, 1.5));
                painter.setBrush(isFilled ? QBrush(color) : Qt::NoBrush);
                painter.drawEllipse(rect.center(), 4, 4);
                painter.restore();
            }};
}

Legend plotLegend() {
    Legend legend{dotEntry(PublishedPanel::tr("scored"), true),
        dotEntry(PublishedPanel::tr("calibration, or shown only"), false)};
    legend << LegendEntry{
        PublishedPanel::tr("median of the scored"), [](QPainter& painter, const QRectF& rect) {
            painter.fillRect(QRectF(rect.center().x() - 1, rect.top(), 2, rect.height()),
                Palette::current().role("text"));
        }};
    return legend;
}

QString plotNote() {
    return PublishedPanel::tr("factor = predicted ÷ measured or its inverse, on times; 1 is exact");
}

} // namespace

PublishedPanel::PublishedPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent)
    , m_model(new PublishedModel(this))
    , m_frame(new PanelFrame(*this)) {
    m_body = new QWidget(this);
    m_table = new Table(m_model, m_body);
    m_plot = new FactorPlot(*m_model, m_body);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_plot);
    column->addWidget(m_table, 1);
    m_body->setMinimumSize(1, 1); // a low panel gives the plot up
    m_body->setFocusProxy(m_table);
    createHeader();
    m_frame->setCanvas(m_body);
    m_table->sortByColumn(PublishedModel::Number, Qt::AscendingOrder);
    connect(m_table, &Table::rowChosen, this, [this](int row) { choose(row); });
    connect(m_table, &Table::emptyClicked, this, [this] { choose(-1); });
    connect(m_plot, &FactorPlot::rowChosen, this, [this](int row) { choose(row); });
    connect(this, &Panel::sentenceChanged, m_plot, &Canvas::setSentence);
    m_frame->showEmpty(sentence());
    refreshSentence();
}

PublishedPanel::~PublishedPanel() {
    m_pool.waitForDone();
}

void PublishedPanel::createHeader() {
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(tr("Filter by machine, workload, kind, scored"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(320);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilterText(text);
        refreshSentence();
    });
    auto* csv = new QAction(icon(QStringLiteral("export")), tr("Export table as CSV…"), this);
    connect(csv, &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export table"),
            QStringLiteral("published-points.csv"), tr("CSV tables (*.csv)"));
        if (path.isEmpty())
            return;
        if (const auto done = exportCsv(*this, path); !done)
            QMessageBox::warning(
                this, tr("Export table"), QString::fromStdString(done.error().text()));
    });
    auto* button = new QToolButton(this);
    button->setDefaultAction(csv);
    button->setAutoRaise(true);
    m_actions << csv;
    m_frame->header()->addWidget(m_filter, 1);
    m_frame->header()->addStretch(1);
    m_frame->header()->addWidget(button);
}

void PublishedPanel::load() {
    if (m_isLoading || m_isLoaded)
        return;
    m_isLoading = true;
    m_pool.start([this] {
        // The destructor waits for the pool, so `this` outlives the worker.
        analysis::publishedPoints();
        QMetaObject::invokeMethod(this, &PublishedPanel::loaded, Qt::QueuedConnection);
    });
}

void PublishedPanel::loaded() {
    m_isLoading = false;
    m_isLoaded = true;
    m_model->setPoints(&analysis::publishedPoints());
    m_plot->refresh();
    fitColumns();
    if (m_model->rowCount() > 0) {
        m_frame->setLegend(plotLegend(), plotNote());
        m_frame->showCanvas();
    } else {
        m_frame->showEmpty(sentence());
    }
    refreshSentence();
}

void PublishedPanel::choose(int row) {
    m_model->setSelected(row);
    m_table->setCurrentSourceRow(row);
    if (row >= 0)
        m_table->showSourceRow(row);
    m_plot->update();
    refreshSentence();
}

QString PublishedPanel::sentence() const {
    if (!m_isLoaded)
        return tr("The predictions of the published points are being worked out.");
    if (m_model->rowCount() == 0)
        return tr("This build carries no published points.");
    const int row = m_model->selected();
    if (row >= 0) {
        const analysis::PublishedPoint& point = m_model->points()[static_cast<std::size_t>(row)];
        const QString what = QString::fromStdString(point.workload + ", " + point.config);
        QString text = point.predicted ? tr("%1: %2 predicted, %3 measured")
                                             .arg(what, valueText(*point.predicted, point.unit),
                                                 valueText(point.measured, point.unit))
                                       : tr("%1: %2 measured, not predicted yet")
                                             .arg(what, valueText(point.measured, point.unit));
        if (point.factor)
            text += tr(", a factor of %1; it counts as %2")
                        .arg(factorText(point.factor), standingName(standing(point)));
        text += u'.';
        return point.note.empty() ? text : text + u' ' + QString::fromStdString(point.note);
    }
    QString text = scoreSentence(m_model->points());
    if (m_table->visibleRows() < m_model->rowCount())
        text += u' ' + listedText();
    return text;
}

/// How many rows the filter leaves, and their own median.
QString PublishedPanel::listedText() const {
    std::vector<analysis::PublishedPoint> listed;
    for (int row = 0; row < m_table->visibleRows(); ++row)
        listed.push_back(m_model->points()[static_cast<std::size_t>(m_table->sourceRow(row))]);
    const auto median = analysis::medianFactor(listed, {});
    return median ? tr("%1 are listed: median factor %2.")
                        .arg(QString::number(listed.size()), factorText(median))
                  : tr("%1 are listed.").arg(QString::number(listed.size()));
}

void PublishedPanel::fitColumns() {
    if (m_model->rowCount() == 0)
        return;
    const auto* proxy = m_table->model();
    // The kind is the first to go where the note has no room; the list of columns brings it back.
    if (!m_table->areColumnsChosen())
        m_table->setColumnHidden(PublishedModel::Kind, width() < kKindFromWidth);
    int left = width() - m_table->verticalScrollBar()->sizeHint().width() - 2;
    for (int column = 0; column < PublishedModel::Note; ++column) {
        if (m_table->isColumnHidden(column))
            continue;
        int wide = textWidth(boldFont(),
                       m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString())
            + 20;
        for (int row = 0; row < proxy->rowCount(); ++row)
            wide = std::max(
                wide, m_table->itemDelegate()->sizeHint({}, proxy->index(row, column)).width());
        wide = std::min(wide, kWidestColumn);
        m_table->setColumnWidth(column, wide);
        left -= wide;
    }
    m_table->setColumnWidth(PublishedModel::Note, std::max(kLeastNote, left));
}

void PublishedPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    load();
}

void PublishedPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    m_plot->setVisible(height() >= kPlotFromHeight);
    fitColumns();
}

bool PublishedPanel::settle(int timeoutMs) {
    QElapsedTimer timer;
    timer.start();
    while (m_isLoading && timer.elapsed() < timeoutMs)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    return !m_isLoading;
}

void PublishedPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(), size), Palette::current().role("canvas"));
    const bool hasPlot = size.height() >= kPlotFromHeight && m_model->rowCount() > 0;
    const int plot = hasPlot ? FactorPlot::kHeight : 0;
    if (hasPlot)
        m_plot->paintContent(painter, QSize(size.width(), plot));
    painter.save();
    painter.translate(0, plot);
    painter.setClipRect(QRect(0, 0, size.width(), size.height() - plot - kLegendHeight));
    m_table->paintRows(painter, QSize(size.width(), size.height() - plot - kLegendHeight));
    painter.restore();
    paintLegend(painter, QRectF(0, size.height() - kLegendHeight, size.width(), kLegendHeight),
        plotLegend(), plotNote());
}

QString PublishedPanel::toCsv() const {
    return m_model->rowCount() == 0 ? QString() : m_table->toCsv();
}

} // namespace fivefold::views::published
