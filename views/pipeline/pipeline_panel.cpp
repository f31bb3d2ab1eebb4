// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/pipeline/pipeline_panel.h"

#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/pipeline/pipeline_canvas.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>

namespace fivefold::views::pipeline {

using namespace common;

namespace {

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<int>(view.size()));
}

} // namespace

PipelinePanel::PipelinePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_canvas = new PipelineCanvas(state, this);
    auto* label = new QLabel(tr("mode"), this);
    m_modes = new QComboBox(this);
    m_modes->setAccessibleName(tr("Mode whose changes are shown"));
    m_modes->setToolTip(tr("What a mode of the current stack changes, pass by pass"));
    label->setBuddy(m_modes);
    m_frame->header()->addWidget(label);
    m_frame->header()->addWidget(m_modes);
    m_frame->header()->addStretch(1);
    auto* next = new QAction(tr("Show the next mode"), this);
    next->setShortcut(Qt::Key_M);
    next->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_canvas->addAction(next);
    connect(next, &QAction::triggered, this, &PipelinePanel::showNextMode);
    m_actions << next;
    m_frame->setCanvas(m_canvas);
    fitHeader(m_frame->header(), {}, width());
    connect(m_modes, &QComboBox::activated, this,
        [this](int row) { m_canvas->setMode(m_modes->itemData(row).toString()); });
    connect(m_canvas, &PipelineCanvas::machineRequested, this, &Panel::machineRequested);
    connect(m_canvas, &PipelineCanvas::pictureChanged, this, &PipelinePanel::updateAll);
    connect(&state, &ViewState::resultChanged, this, [this] {
        // A mode belongs to a stack: another machine starts with its own.
        const Picture& picture = m_canvas->picture();
        const auto result = this->state().result();
        const bool isSame = result && !picture.isEmpty()
            && picture.rows[picture.current].family == result->machine().family;
        m_canvas->setMode(isSame ? m_canvas->mode() : QString());
    });
    connect(&state, &ViewState::stageChanged, m_canvas, qOverload<>(&QWidget::update));
    updateAll();
}

QString PipelinePanel::sentence() const {
    return pipeline::sentence(m_canvas->picture(), state());
}

void PipelinePanel::fillModes() {
    const Picture& picture = m_canvas->picture();
    m_modes->clear();
    if (picture.isEmpty())
        return;
    const Row& row = picture.rows[picture.current];
    m_modes->addItem(tr("in force"), QString());
    for (const lowering::PipelineMode& mode : row.pipeline->modes) {
        m_modes->addItem(
            mode.isModelled ? text(mode.id) : tr("%1 (not modelled)").arg(text(mode.id)),
            text(mode.id));
        m_modes->setItemData(m_modes->count() - 1,
            text(mode.how) + QStringLiteral("\n") + text(mode.means), Qt::ToolTipRole);
        if (text(mode.id) == m_canvas->mode())
            m_modes->setCurrentIndex(m_modes->count() - 1);
    }
}

void PipelinePanel::showNextMode() {
    if (m_modes->count() == 0)
        return;
    const int next = (m_modes->currentIndex() + 1) % m_modes->count();
    m_canvas->setMode(m_modes->itemData(next).toString());
}

void PipelinePanel::updateAll() {
    const Picture& picture = m_canvas->picture();
    fillModes();
    if (picture.isEmpty())
        m_frame->showEmpty(picture.reason);
    else
        m_frame->showCanvas();
    m_frame->setLegend(legend(picture), footnote(picture));
    refreshSentence();
    emit twinChanged();
}

void PipelinePanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    m_canvas->paintContent(painter, canvas);
    const QRectF row(0, canvas.height(), size.width(), kLegendHeight);
    painter.fillRect(row, Palette::current().role("canvas"));
    const Picture& picture = m_canvas->picture();
    if (picture.isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, picture.reason);
        return;
    }
    paintLegend(painter, row, legend(picture), footnote(picture));
}

QString PipelinePanel::toCsv() const {
    return m_canvas->picture().isEmpty() ? QString() : csv(m_canvas->picture());
}

std::vector<TwinRow> PipelinePanel::twinRows() const {
    const Picture& picture = m_canvas->picture();
    std::vector<TwinRow> rows;
    for (int row = 0; row < picture.rows.size(); ++row)
        for (int step = 0; step < picture.rows[row].steps.size(); ++step)
            rows.push_back({twinText(picture, row, step), state().selection()});
    return rows;
}

} // namespace fivefold::views::pipeline
