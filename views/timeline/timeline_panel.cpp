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

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

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
        m_lens->setCurrentIndex(static_cast<int>(this->state().lens()));
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
    connect(m_canvas, &TimelineCanvas::tracksChanged, this, &TimelinePanel::fillLevels);
    connect(m_canvas, &TimelineCanvas::ruleRequested, this, [this] {
        this->state().setStage(lowering::Stage::Placed);
        emit showRequested(QStringLiteral("pipeline"));
    });
    updateAll(true);
}

void TimelinePanel::createOrders() {
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
}

void TimelinePanel::createLens() {
    auto* label = new QLabel(tr("lens"), this);
    m_lens = new QComboBox(this);
    m_lens->setAccessibleName(tr("Lens"));
    for (int lens = 0; lens < kLenses; ++lens)
        m_lens->addItem(lensName(static_cast<Lens>(lens)));
    m_lens->setCurrentIndex(static_cast<int>(state().lens()));
    connect(m_lens, &QComboBox::activated, this,
        [this](int lens) { state().setLens(static_cast<Lens>(lens)); });
    m_frame->header()->addWidget(label);
    m_frame->header()->addWidget(m_lens);
    m_optional << label << m_lens;
}

void TimelinePanel::createLevels() {
    m_levels = new QToolButton(this);
    m_levels->setPopupMode(QToolButton::InstantPopup);
    m_levels->setToolTip(tr("Which memories have a band"));
    m_levelMenu = new QMenu(m_levels);
    m_levels->setMenu(m_levelMenu);
    m_frame->header()->addWidget(m_levels);
}

/// The button says how many of the memories are shown; its menu chooses them.
void TimelinePanel::fillLevels() {
    const auto& bands = m_canvas->picture().bands;
    const QStringList hidden = m_canvas->arrangement().hiddenLevels;
    m_levelMenu->clear();
    int shown = 0;
    for (const Band& band : bands) {
        QAction* action = m_levelMenu->addAction(band.name);
        action->setCheckable(true);
        action->setChecked(!hidden.contains(band.key));
        shown += action->isChecked() ? 1 : 0;
        connect(action, &QAction::toggled, this, [this, key = band.key](bool isOn) {
            QStringList levels = m_canvas->arrangement().hiddenLevels;
            levels.removeAll(key);
            if (!isOn)
                levels << key;
            // Not from inside the menu's own action.
            QMetaObject::invokeMethod(
                this, [this, levels] { m_canvas->setHiddenLevels(levels); }, Qt::QueuedConnection);
        });
    }
    m_levels->setText(tr("levels %1 of %2").arg(shown).arg(bands.size())
        + QStringLiteral("   ")); // room for the arrow
    m_levels->setEnabled(!bands.empty());
}

void TimelinePanel::createZooms(CanvasControls& controls) {
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
}

void TimelinePanel::createActions() {
    createOrders();
    createLens();
    createLevels();
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
    createZooms(controls);
    controls.add(tr("Earlier (A)"), {}, [this] { m_canvas->panBy(-0.15); });
    controls.add(tr("Later (D)"), {}, [this] { m_canvas->panBy(0.15); });
    controls.add(tr("Next event (.)"), {}, [this] { m_canvas->walk(1); });
    controls.add(tr("Previous event (,)"), {}, [this] { m_canvas->walk(-1); });
    controls.add(tr("Range of the selection (R)"), {}, [this] { m_canvas->selectSpan(); });
    controls.add(tr("Mark the cursor's moment (M)"), {}, [this] { m_canvas->toggleMark(); });
    controls.add(tr("Pin the track (P)"), {}, [this] { m_canvas->pinTrack(); });
    controls.add(tr("Next track (↓)"), {}, [this] { m_canvas->focusTrack(1); });
    controls.add(tr("Previous track (↑)"), {}, [this] { m_canvas->focusTrack(-1); });
    m_actions = controls.actions();
    // A narrow header loses the lens first, which the tool bar has too, then its check boxes, then
    // the buttons from the first on.
    QList<QWidget*> optional;
    for (QWidget* button : controls.buttons())
        optional.prepend(button);
    optional << m_levels << controls.boxes() << m_optional;
    m_optional = optional;
}

std::vector<TwinRow> TimelinePanel::twinRows() const {
    std::vector<TwinRow> rows;
    const Picture& picture = m_canvas->picture();
    if (picture.isEmpty())
        return rows;
    for (const Band& band : picture.bands)
        rows.push_back({band.isCache()
                ? tr("%1: %2").arg(band.name, band.words.join(QStringLiteral(", ")))
                : tr("%1: peak %2, usable %3")
                      .arg(band.name, formatBytes(band.peak), formatBytes(band.capacity)),
            {}});
    const auto& program = picture.result->program;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        const lowering::StepId id(s);
        const schedule::Span& span = picture.spans[id];
        rows.push_back({tr("%1: %2 from %3")
                            .arg(stepName(*picture.result, id), formatTime(span.end - span.start),
                                formatTime(span.start)),
            state().selectionOf(id)});
    }
    return rows;
}

void TimelinePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_optional, width());
}

QString TimelinePanel::sentence() const {
    const auto range = m_canvas->range();
    return timeline::sentence(m_canvas->picture(), state(), m_canvas->totals(),
        range ? range->first : base::Picoseconds());
}

void TimelinePanel::updateLens() {
    Options options = m_canvas->options();
    options.lens = LensColours(state().result(), state().lens(), state().divergence());
    m_canvas->setOptions(options);
}

void TimelinePanel::updateAll(bool isOtherModel) {
    updateLens();
    m_canvas->updateResult(isOtherModel);
    fillLevels();
    if (m_canvas->picture().isEmpty())
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    updateLegend();
    refreshSentence();
    emit twinChanged();
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
