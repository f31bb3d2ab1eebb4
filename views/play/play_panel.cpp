// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/play/play_panel.h"

#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/header_fit.h"
#include "views/common/icons.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/play/play_canvas.h"
#include "views/play/play_controls.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDeadlineTimer>
#include <QPainter>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <cmath>

namespace fivefold::views::play {

using namespace common;
using base::Picoseconds;

namespace {

constexpr int kSliderSteps = 1000;
constexpr int kHeaderFrom = 150; ///< a docked panel keeps its controls
constexpr std::size_t kTwinLines = 50;

} // namespace

PlayPanel::PlayPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_frame->keepHeaderFrom(kHeaderFrom);
    m_canvas = new PlayCanvas(state, this);
    createActions();
    createClock();
    m_controls = new PlayControls(this, m_frame->header());
    m_frame->header()->addStretch(1);
    m_frame->setCanvas(m_canvas);
    fitHeader(m_frame->header(), m_controls->optional(), width());
    connect(m_controls, &PlayControls::changed, this, &PlayPanel::ask);
    connect(m_controls, &PlayControls::paceChanged, this, &PlayPanel::paceChanged);
    connect(m_canvas, &PlayCanvas::clockWanted, this, &PlayPanel::clockWanted);
    connect(m_canvas, &PlayCanvas::stepWanted, this, &PlayPanel::stepWanted);
    connect(m_canvas, &PlayCanvas::lateWanted, m_controls, &PlayControls::setLate);
    connectState();
    updateResult();
}

void PlayPanel::createActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, const char* iconName) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        if (iconName)
            action->setIcon(icon(QString::fromLatin1(iconName)));
        if (!key.isEmpty())
            action->setToolTip(
                QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        m_frame->header()->addWidget(button);
        addAction(action);
        m_actions << action;
        return action;
    };
    m_back = add(tr("Step back"), {}, "back");
    m_play = add(tr("Play or pause"), QKeySequence(Qt::Key_F9), "play");
    m_step = add(tr("Step"), QKeySequence(Qt::SHIFT | Qt::Key_F9), "forward");
    connect(m_play, &QAction::triggered, this, &PlayPanel::playToggled);
    connect(m_step, &QAction::triggered, this, [this] { emit stepWanted(1); });
    connect(m_back, &QAction::triggered, this, [this] { emit stepWanted(-1); });
}

void PlayPanel::createClock() {
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setAccessibleName(tr("Clock"));
    m_slider->setToolTip(tr("Moves the clock of the play"));
    m_slider->setRange(0, kSliderSteps);
    m_slider->setMinimumWidth(56);
    m_slider->setMaximumWidth(220);
    m_frame->header()->addWidget(m_slider);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        const Picoseconds span = m_canvas->picture().span;
        emit clockWanted(Picoseconds(static_cast<std::int64_t>(
            std::llround(static_cast<double>(span.value) * value / kSliderSteps))));
    });
}

void PlayPanel::connectState() {
    ViewState& state = this->state();
    connect(&state, &ViewState::resultChanged, this, &PlayPanel::updateResult);
    connect(&state, &ViewState::playChanged, this, &PlayPanel::updatePicture);
    connect(&state, &ViewState::playTimeChanged, this, &PlayPanel::updateClock);
    connect(&state, &ViewState::lensChanged, this, &PlayPanel::updatePicture);
    connect(&state, &ViewState::playingChanged, this, [this](bool isPlaying) {
        m_canvas->updateClock();
        m_play->setIcon(icon(isPlaying ? QStringLiteral("pause") : QStringLiteral("play")));
        emit twinChanged();
    });
    connect(&state, &ViewState::selectionChanged, this, [this] {
        m_canvas->updateSelection();
        if (m_controls->request().block != analysis::PlayBlock::Graph)
            ask();
    });
}

analysis::PlayRequest PlayPanel::request() const {
    analysis::PlayRequest request = m_controls->request();
    request.nodes = state().selection().nodes;
    return request;
}

void PlayPanel::ask() {
    emit requestChanged(request(), isSeen() || state().isPlaying());
}

void PlayPanel::updateResult() {
    const auto result = state().result();
    const std::string family = result ? result->machine().family : std::string();
    if (result && family != m_family) {
        m_family = family;
        const auto own = analysis::ownModel(family);
        m_controls->setModels(own.model, analysis::otherModel(own.model));
        m_controls->left()->setToolTip(tr("The first execution model; it lights the graph. %1")
                                           .arg(QString::fromStdString(own.because)));
    }
    updatePicture();
    ask();
}

void PlayPanel::updatePicture() {
    const auto result = state().result();
    // The old picture stays until the new one is there.
    const bool isWaiting = !state().play() && result && !result->program.events.empty() && isSeen()
        && !m_canvas->picture().isEmpty();
    m_canvas->setStale(isWaiting);
    if (isWaiting)
        return;
    m_canvas->setPicture(
        present(result, state().play(), LensColours(result, state().lens(), state().divergence())));
    const bool isEmpty = m_canvas->picture().isEmpty();
    for (QAction* action : m_actions)
        action->setEnabled(result && !result->program.events.empty());
    m_slider->setEnabled(!isEmpty);
    if (isEmpty)
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    updateLegend();
    updateClock();
    refreshSentence();
    emit twinChanged();
}

void PlayPanel::updateClock() {
    const Picoseconds span = m_canvas->picture().span;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(span.value > 0
            ? static_cast<int>(std::lround(state().playTime() / span * kSliderSteps))
            : 0);
    if (!isVisible())
        return;
    m_canvas->updateClock();
    if (!state().isPlaying()) // a reader does not follow 60 lists a second
        emit twinChanged();
}

QString PlayPanel::sentence() const {
    return play::sentence(m_canvas->picture());
}

Legend PlayPanel::legend() const {
    if (m_canvas->picture().isEmpty())
        return {};
    Legend legend{{tr("runs"),
                      [](QPainter& painter, const QRectF& square) {
                          painter.setPen(QPen(Palette::current().role("text"), 2));
                          painter.setBrush(Qt::NoBrush);
                          painter.drawRect(square.adjusted(1, 2, -1, -2));
                      }},
        {tr("waits"),
            [](QPainter& painter, const QRectF& square) {
                painter.setPen(dashedPen(Palette::current().role("text"), 1, {3, 2}));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(square.adjusted(1, 2, -1, -2));
            }},
        {tr("token"),
            [](QPainter& painter, const QRectF& square) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(Palette::current().role("text"));
                painter.drawEllipse(square.center(), 4, 4);
            }},
        {tr("planned end"), [](QPainter& painter, const QRectF& square) {
             painter.setPen(dashedPen(Palette::current().role("textSecondary"), 1, {3, 3}));
             painter.drawLine(QPointF(square.center().x(), square.top()),
                 QPointF(square.center().x(), square.bottom()));
         }}};
    for (const Side& side : m_canvas->picture().sides)
        if (side.isWrong) {
            legend.insert(2,
                {tr("computes on a stale value"), [](QPainter& painter, const QRectF& square) {
                     painter.fillRect(QRectF(square.left(), square.bottom() - 4, square.width(), 3),
                         Palette::current().verdict("origin"));
                 }});
            break;
        }
    legend += lensLegend(state().lens());
    return legend;
}

QString PlayPanel::footnote() const {
    const Picture& picture = m_canvas->picture();
    if (picture.isEmpty())
        return {};
    const QString block = QString::fromStdString(picture.play->blockName);
    const auto& options = picture.play->request.models.front();
    return options.late.isValid() ? tr("%1 · one late transfer").arg(block)
        : options.jitter > 0      ? tr("%1 · the same late transfers in both").arg(block)
                                  : block;
}

void PlayPanel::updateLegend() {
    m_frame->setLegend(legend(), footnote());
}

void PlayPanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (m_canvas->picture().isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, sentence());
        return;
    }
    m_canvas->paintInto(painter, canvas);
    paintLegend(
        painter, QRectF(0, canvas.height(), size.width(), kLegendHeight), legend(), footnote());
}

QString PlayPanel::toCsv() const {
    const Picture& picture = m_canvas->picture();
    if (picture.isEmpty())
        return {};
    QVector<QStringList> rows;
    const auto text = [](std::string_view words) {
        return QString::fromUtf8(words.data(), static_cast<int>(words.size()));
    };
    for (const auto& trace : picture.play->traces)
        for (const auto& firing : trace.firings)
            rows << QStringList{text(schedule::toString(trace.options.model)),
                QString::number(firing.event.value),
                QString::fromStdString(schedule::eventName(picture.result->program, firing.event)),
                QString::number(firing.ready.value), QString::number(firing.start.value),
                QString::number(firing.end.value), text(schedule::toString(firing.wait)),
                firing.isLate ? QStringLiteral("1") : QStringLiteral("0"),
                firing.isWrong ? QStringLiteral("1") : QStringLiteral("0")};
    return csvTable(
        {QStringLiteral("model"), QStringLiteral("event"), QStringLiteral("name"),
            QStringLiteral("ready_ps"), QStringLiteral("start_ps"), QStringLiteral("end_ps"),
            QStringLiteral("wait"), QStringLiteral("late"), QStringLiteral("wrong")},
        rows);
}

std::vector<TwinRow> PlayPanel::twinRows() const {
    std::vector<TwinRow> rows;
    const Picture& picture = m_canvas->picture();
    for (std::size_t side = 0; side < picture.sides.size(); ++side) {
        const Moment moment = momentAt(picture, side, state().playTime(), kTwinLines);
        rows.push_back({tr("%1 at %2: %3, %4")
                            .arg(picture.sides[side].model, formatTime(state().playTime()),
                                moment.counts, picture.sides[side].ending),
            {}});
        if (!moment.stuck.isEmpty())
            rows.push_back({moment.stuck, {}});
        for (const QueueLine& queue : moment.queues)
            rows.push_back(
                {tr("queue %1: %2 of %3").arg(queue.name).arg(queue.tokens).arg(queue.capacity),
                    {}});
        for (const Line& line : moment.lines)
            rows.push_back(
                {tr("%1: %2").arg(line.name, line.words), state().selectionOf(line.step)});
    }
    return rows;
}

bool PlayPanel::settle(int timeoutMs) {
    QDeadlineTimer deadline(timeoutMs);
    const auto result = state().result();
    while (isSeen() && result && !result->program.events.empty() && !state().play()
        && !deadline.hasExpired())
        QApplication::processEvents(QEventLoop::AllEvents, 10);
    return state().play() != nullptr;
}

void PlayPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_controls->optional(), width());
}

/// Behind another tab a panel counts as visible, but none of it is.
bool PlayPanel::isSeen() const {
    return isVisible() && !visibleRegion().isEmpty();
}

/// The first paint tells that its tab is in front.
bool PlayPanel::event(QEvent* event) {
    if (event->type() == QEvent::Paint && !state().play() && !m_isAsking) {
        m_isAsking = true;
        QTimer::singleShot(0, this, [this] {
            m_isAsking = false;
            if (!state().play())
                ask();
        });
    }
    return Panel::event(event);
}

} // namespace fivefold::views::play
