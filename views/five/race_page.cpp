// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/race_page.h"

#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/panel_frame.h"
#include "views/common/type.h"
#include "views/five/race_canvas.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

namespace fivefold::views::five {

using namespace common;

namespace {

constexpr int kSliderSteps = 1000;

QToolButton* button(QWidget* parent, const QString& iconName, const QString& text) {
    auto* tool = new QToolButton(parent);
    tool->setIcon(icon(iconName));
    tool->setToolTip(text);
    tool->setAccessibleName(text);
    tool->setAutoRaise(true);
    tool->setFocusPolicy(Qt::TabFocus);
    return tool;
}

} // namespace

RacePage::RacePage(QWidget* parent)
    : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_canvas = new RaceCanvas(this);
    createBar();
    column->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    connect(m_canvas, &RaceCanvas::clockChanged, this, &RacePage::refresh);
    connect(m_canvas, &RaceCanvas::playingChanged, this, &RacePage::refresh);
    refresh();
}

void RacePage::createBar() {
    auto* bar = new QWidget(this);
    bar->setFixedHeight(kHeaderHeight);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(kPanelPadding, 4, kPanelPadding, 4);
    row->setSpacing(8);
    auto* back = button(bar, QStringLiteral("back"), tr("Step back (←)"));
    m_play = button(bar, QStringLiteral("play"), tr("Play or pause (F9)"));
    auto* next = button(bar, QStringLiteral("forward"), tr("Step (Shift+F9 or →)"));
    m_slider = new QSlider(Qt::Horizontal, bar);
    m_slider->setRange(0, kSliderSteps);
    m_slider->setAccessibleName(tr("Clock of the race"));
    m_time = new QLabel(bar);
    m_time->setMinimumWidth(textWidth(bodyFont(), QStringLiteral("888.8 µs of 888.8 µs ")));
    m_clocks = new QComboBox(bar);
    m_clocks->addItems({tr("real clock"), tr("normalised")});
    m_clocks->setAccessibleName(tr("Clock"));
    m_clocks->setToolTip(tr("One clock for all machines, or each at its own pace"));
    auto* speed = new QComboBox(bar);
    speed->setAccessibleName(tr("Speed"));
    speed->setToolTip(tr("How fast the race is played"));
    for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0})
        speed->addItem(tr("%1 ×").arg(QLocale(QLocale::English).toString(factor)), factor);
    speed->setCurrentIndex(2);
    for (QWidget* widget : std::initializer_list<QWidget*>{back, m_play, next})
        row->addWidget(widget);
    row->addWidget(m_slider, 1);
    row->addWidget(m_time);
    row->addWidget(m_clocks);
    row->addWidget(speed);
    layout()->addWidget(bar);
    connect(back, &QToolButton::clicked, this, [this] { m_canvas->step(-1); });
    connect(next, &QToolButton::clicked, this, [this] { m_canvas->step(+1); });
    connect(m_play, &QToolButton::clicked, m_canvas, &RaceCanvas::togglePlaying);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        m_canvas->setPlaying(false);
        m_canvas->setClock(static_cast<double>(value) / kSliderSteps);
    });
    connect(m_clocks, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_canvas->setKind(static_cast<RaceClock>(index)); });
    connect(speed, &QComboBox::currentIndexChanged, this,
        [this, speed](int index) { m_canvas->setSpeed(speed->itemData(index).toDouble()); });
}

void RacePage::refresh() {
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(qRound(m_canvas->clock() * kSliderSteps));
    m_play->setIcon(icon(m_canvas->isPlaying() ? QStringLiteral("pause") : QStringLiteral("play")));
    const auto longest = m_canvas->picture().longest;
    m_time->setText(m_canvas->kind() == RaceClock::Real
            ? tr("%1 of %2")
                  .arg(formatTime(base::Picoseconds(static_cast<std::int64_t>(
                           static_cast<double>(longest.value) * m_canvas->clock()))),
                      formatTime(longest))
            : formatShare(m_canvas->clock()));
}

} // namespace fivefold::views::five
