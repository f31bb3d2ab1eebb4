// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_panel.h"

#include "views/common/canvas_controls.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/timeline/timeline_canvas.h"

#include <QPainter>
#include <QToolButton>

namespace fivefold::views::timeline {

using namespace common;

namespace {

/// Name of an event's kind in tables, never translated.
QString kindName(lowering::EventKind kind) {
    switch (kind) {
    case lowering::EventKind::Compute:
        return QStringLiteral("compute");
    case lowering::EventKind::Read:
        return QStringLiteral("read");
    case lowering::EventKind::Write:
        return QStringLiteral("write");
    case lowering::EventKind::Launch:
        return QStringLiteral("launch");
    case lowering::EventKind::Relayout:
        return QStringLiteral("relayout");
    case lowering::EventKind::Wait:
        return QStringLiteral("wait");
    case lowering::EventKind::HostWork:
        break;
    }
    return QStringLiteral("host");
}

} // namespace

TimelinePanel::TimelinePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_canvas = new TimelineCanvas(state, this);
    createActions();
    m_frame->setCanvas(m_canvas);
    fitHeader(m_frame->header(), m_optional, width());
    connect(&state, &ViewState::resultChanged, this, &TimelinePanel::updateAll);
    connect(&state, &ViewState::lensChanged, this, [this] {
        updateLens();
        updateLegend();
    });
    connect(&state, &ViewState::selectionChanged, this, [this] {
        m_canvas->updateSelection();
        refreshSentence();
    });
    connect(&state, &ViewState::hoverChanged, m_canvas, &TimelineCanvas::updateHover);
    connect(&state, &ViewState::cursorChanged, m_canvas, &TimelineCanvas::updateCursor);
    connect(m_canvas, &TimelineCanvas::rangeChanged, this, [this] { refreshSentence(); });
    updateAll(true);
}

void TimelinePanel::createActions() {
    const auto side = [this](const QString& text, Order order) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setChecked(order == Order::Time);
        connect(button, &QToolButton::clicked, this, [this, order] { m_canvas->setOrder(order); });
        m_frame->header()->addWidget(button);
    };
    side(tr("Time"), Order::Time);
    side(tr("Program order"), Order::Program);
    CanvasControls controls(*this, *m_canvas, *m_frame);
    controls.toggle(tr("critical path"), {}, true, [this](bool isOn) {
        Options options = m_canvas->options();
        options.criticalPath = isOn;
        m_canvas->setOptions(options);
        updateLegend();
    });
    controls.toggle(tr("dependencies"), {}, false, [this](bool isOn) {
        Options options = m_canvas->options();
        options.dependencies = isOn;
        m_canvas->setOptions(options);
    });
    controls.toggle(
        tr("lock scale"), {}, false, [this](bool isOn) { m_canvas->setScaleLocked(isOn); });
    m_frame->header()->addStretch(1);
    controls.button(
        controls.add(tr("Fit all"), Qt::Key_Space, [this] { zoomToFit(); }), QStringLiteral("fit"));
    controls.button(controls.add(tr("Fit selection"), Qt::Key_F, [this] { zoomToSelection(); }),
        QStringLiteral("fit-selection"));
    controls.button(
        controls.add(tr("Zoom in"), QKeySequence::ZoomIn, [this] { m_canvas->zoomBy(1.5); }),
        QStringLiteral("zoom-in"));
    controls.button(
        controls.add(tr("Zoom out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomBy(1 / 1.5); }),
        QStringLiteral("zoom-out"));
    controls.add(tr("Next event (.)"), {}, [this] { m_canvas->walk(1); });
    controls.add(tr("Previous event (,)"), {}, [this] { m_canvas->walk(-1); });
    controls.add(tr("Range of the selection (R)"), {}, [this] { m_canvas->selectSpan(); });
    m_actions = controls.actions();
    // A narrow header loses its check boxes first, then the buttons from the first on.
    for (QWidget* button : controls.buttons())
        m_optional.prepend(button);
    m_optional << controls.boxes();
}

void TimelinePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_optional, width());
}

QString TimelinePanel::sentence() const {
    return timeline::sentence(m_canvas->picture(), state(), m_canvas->range());
}

void TimelinePanel::updateLens() {
    Options options = m_canvas->options();
    options.lens = LensColours(state().result(), state().lens());
    m_canvas->setOptions(options);
}

void TimelinePanel::updateAll(bool isOtherModel) {
    updateLens();
    m_canvas->updateResult(isOtherModel);
    if (m_canvas->picture().isEmpty())
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    updateLegend();
    refreshSentence();
}

void TimelinePanel::updateLegend() {
    m_frame->setLegend(
        legend(m_canvas->picture(), m_canvas->options()), footnote(m_canvas->picture()));
}

void TimelinePanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    m_canvas->paintContent(painter, canvas);
    const QRectF row(0, canvas.height(), size.width(), kLegendHeight);
    painter.fillRect(row, Palette::current().role("canvas"));
    if (m_canvas->picture().isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, sentence());
        return;
    }
    paintLegend(painter, row, legend(m_canvas->picture(), m_canvas->options()),
        footnote(m_canvas->picture()));
}

QString TimelinePanel::toCsv() const {
    const auto result = state().result();
    if (!result)
        return {};
    QVector<QStringList> rows;
    for (const auto& event : result->program.events) {
        if (!result->program.steps.contains(event.step)
            || !result->program.resources.contains(event.resource))
            continue;
        rows << QStringList{QString::fromStdString(result->program.steps[event.step].name),
            QString::fromStdString(result->program.resources[event.resource].name),
            kindName(event.kind), QString::number(event.start.value),
            QString::number(event.end.value), QString::number(event.repeat)};
    }
    return csvTable(
        {QStringLiteral("step"), QStringLiteral("resource"), QStringLiteral("kind"),
            QStringLiteral("start_ps"), QStringLiteral("end_ps"), QStringLiteral("repeat")},
        rows);
}

void TimelinePanel::zoomToFit() {
    m_canvas->zoomToFit();
}

void TimelinePanel::zoomToSelection() {
    m_canvas->zoomToSelection();
}

} // namespace fivefold::views::timeline
