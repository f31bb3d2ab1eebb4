// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_panel.h"

#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"
#include "views/roofline/roofline_canvas.h"

#include <QCheckBox>
#include <QPainter>
#include <QToolButton>

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
    const auto add = [this](const QString& text, const QKeySequence& key, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        // Single letters act only while the chart has the focus.
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_canvas->addAction(action);
        connect(action, &QAction::triggered, this, slot);
        m_actions << action;
        return action;
    };
    const auto toggle = [&](const QString& text, const QKeySequence& key, auto slot) {
        QAction* action = add(text, key, slot);
        action->setCheckable(true);
        auto* box = new QCheckBox(text, this);
        box->setFocusPolicy(Qt::TabFocus);
        connect(box, &QCheckBox::clicked, action, [action] { action->trigger(); });
        connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
        m_frame->header()->addWidget(box);
        return action;
    };
    m_levels = toggle(tr("all levels"), Qt::Key_V, [this](bool isOn) {
        Options options = m_canvas->options();
        options.allLevels = isOn;
        m_canvas->setOptions(options);
    });
    m_caps = toggle(tr("scheduling caps"), Qt::Key_C, [this](bool isOn) {
        Options options = m_canvas->options();
        options.caps = isOn;
        m_canvas->setOptions(options);
        updateLegend();
    });
    m_lock = toggle(tr("lock axes"), {}, [this](bool isOn) {
        m_canvas->setAxesLocked(isOn);
        updateLegend();
    });
    m_frame->header()->addStretch(1);
    const auto button = [this](QAction* action, const QString& name) {
        action->setIcon(icon(name));
        auto* tool = new QToolButton(this);
        tool->setDefaultAction(action);
        tool->setAutoRaise(true);
        tool->setFocusPolicy(Qt::TabFocus);
        m_frame->header()->addWidget(tool);
    };
    button(add(tr("Fit all"), Qt::Key_Space, [this] { zoomToFit(); }), QStringLiteral("fit"));
    button(add(tr("Fit selection"), Qt::Key_F, [this] { zoomToSelection(); }),
        QStringLiteral("fit-selection"));
    button(add(tr("Zoom in"), QKeySequence::ZoomIn, [this] { m_canvas->zoomBy(1.5); }),
        QStringLiteral("zoom-in"));
    button(add(tr("Zoom out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomBy(1 / 1.5); }),
        QStringLiteral("zoom-out"));
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
