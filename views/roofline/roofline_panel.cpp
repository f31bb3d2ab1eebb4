// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_panel.h"

#include "views/common/canvas_controls.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/roofline/roofline_canvas.h"

#include <QPainter>

namespace fivefold::views::roofline {

using namespace common;

RooflinePanel::RooflinePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_canvas = new RooflineCanvas(state, this);
    createActions();
    m_frame->setCanvas(m_canvas);
    connect(&state, &ViewState::resultChanged, this, &RooflinePanel::updateAll);
    connect(&state, &ViewState::selectionChanged, this, [this] {
        m_canvas->updateSelection();
        updateLegend();
        refreshSentence();
    });
    connect(&state, &ViewState::hoverChanged, m_canvas, &RooflineCanvas::updateHover);
    connect(m_canvas, &RooflineCanvas::rangesChanged, this, &RooflinePanel::updateLegend);
    updateAll(true);
}

void RooflinePanel::createActions() {
    CanvasControls controls(*this, *m_canvas, *m_frame);
    m_levels = controls.toggle(tr("all levels"), Qt::Key_V, false, [this](bool isOn) {
        Options options = m_canvas->options();
        options.allLevels = isOn;
        m_canvas->setOptions(options);
    });
    m_caps = controls.toggle(tr("scheduling caps"), Qt::Key_C, false, [this](bool isOn) {
        Options options = m_canvas->options();
        options.caps = isOn;
        m_canvas->setOptions(options);
        updateLegend();
    });
    m_lock = controls.toggle(tr("lock axes"), {}, false, [this](bool isOn) {
        m_canvas->setAxesLocked(isOn);
        updateLegend();
    });
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
    m_actions = controls.actions();
}

QString RooflinePanel::sentence() const {
    return roofline::sentence(m_canvas->picture(), state());
}

void RooflinePanel::updateAll(bool isOtherModel) {
    m_canvas->updateResult(isOtherModel);
    const bool hasPicture = state().result()
        && !(m_canvas->picture().dots.empty() && m_canvas->picture().roofs.empty());
    if (hasPicture)
        m_frame->showCanvas();
    else
        m_frame->showEmpty(sentence());
    updateLegend();
    refreshSentence();
}

void RooflinePanel::updateLegend() {
    const auto result = state().result();
    if (!result) {
        m_frame->setLegend({});
        return;
    }
    const Picture& picture = m_canvas->picture();
    QString note = tr("size = share of time");
    if (m_canvas->isFrozen())
        note = tr("frozen axes hide dots · ") + note;
    if (picture.unknownSteps > 0)
        note += tr(" · %1 of unknown time")
                    .arg(formatCount(static_cast<std::int64_t>(picture.unknownSteps)));
    if (!isValidated(*result))
        note += tr(" · not validated");
    m_frame->setLegend(
        legend(m_canvas->picture(), m_canvas->options().caps || selectedDot(picture, state())),
        note);
}

void RooflinePanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize chart(size.width(), size.height() - kLegendHeight);
    painter.save();
    m_canvas->paintContent(painter, chart);
    painter.restore();
    const QRectF row(0, chart.height(), size.width(), kLegendHeight);
    painter.fillRect(row, Palette::current().role("canvas"));
    paintLegend(painter, row,
        legend(m_canvas->picture(),
            m_canvas->options().caps || selectedDot(m_canvas->picture(), state())),
        tr("size = share of time"));
}

QString RooflinePanel::toCsv() const {
    const auto result = state().result();
    if (!result)
        return {};
    QVector<QStringList> rows;
    for (const auto& dot : m_canvas->picture().dots)
        rows << QStringList{QString::fromStdString(result->program.steps[dot.step].name),
            QString::number(dot.intensity, 'g', 12), QString::number(dot.achieved, 'g', 12),
            QString::number(dot.time.value, 'g', 12), boundName(dot.bound),
            dot.cap ? QString::number(*dot.cap, 'g', 12) : QString()};
    return csvTable({QStringLiteral("name"), QStringLiteral("flop_per_byte"),
                        QStringLiteral("flop_per_s"), QStringLiteral("time_s"),
                        QStringLiteral("bound"), QStringLiteral("scheduling_cap_flop_per_s")},
        rows);
}

void RooflinePanel::zoomToFit() {
    m_canvas->zoomToFit();
}

void RooflinePanel::zoomToSelection() {
    m_canvas->zoomToSelection();
}

} // namespace fivefold::views::roofline
