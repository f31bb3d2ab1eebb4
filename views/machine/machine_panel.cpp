// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/machine/machine_panel.h"

#include "views/common/format.h"
#include "views/common/header_fit.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/common/type.h"
#include "views/machine/machine_canvas.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

namespace fivefold::views::machine {

using namespace common;

namespace {

constexpr int kScrubSteps = 10000;

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

} // namespace

MachinePanel::MachinePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_canvas = new MachineCanvas(state, this);
    createControls();
    createActions();
    m_frame->setCanvas(m_canvas);
    fitHeader(m_frame->header(), m_optional, width());
    connect(&state, &ViewState::resultChanged, m_canvas, &MachineCanvas::updatePicture);
    connect(&state, &ViewState::selectionChanged, m_canvas, &MachineCanvas::updatePicture);
    connect(m_canvas, &MachineCanvas::pictureChanged, this, &MachinePanel::updateAll);
    connect(m_canvas, &MachineCanvas::cycleChanged, this, &MachinePanel::updateCycle);
    updateAll();
    updateCycle();
}

void MachinePanel::createControls() {
    m_generations = new QComboBox(this);
    m_generations->setAccessibleName(tr("Generation"));
    m_generations->setToolTip(tr("Machines of this family"));
    m_generations->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_generations->setMinimumContentsLength(14);
    m_frame->header()->addWidget(m_generations);
    connect(m_generations, &QComboBox::activated, this,
        [this](int row) { emit machineRequested(m_generations->itemData(row).toString()); });
    m_details = new QComboBox(this);
    m_details->setAccessibleName(tr("Detail"));
    m_details->addItems({tr("all figures"), tr("main figures"), tr("array alone")});
    m_frame->header()->addWidget(m_details);
    connect(m_details, &QComboBox::currentIndexChanged, this, [this](int row) {
        m_canvas->setOptions({row != 2, true, row == 0});
    });
    m_frame->header()->addStretch(1);
}

void MachinePanel::createActions() {
    const auto add = [this](const QString& name, const QKeySequence& key, auto slot) {
        auto* action = new QAction(name, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_canvas->addAction(action);
        connect(action, &QAction::triggered, this, slot);
        m_actions << action;
        m_stepActions << action;
        return action;
    };
    const auto button = [this](QAction* action, const QString& name) {
        action->setIcon(icon(name));
        auto* tool = new QToolButton(this);
        tool->setDefaultAction(action);
        tool->setAutoRaise(true);
        tool->setFocusPolicy(Qt::TabFocus);
        m_frame->header()->addWidget(tool);
        m_optional << tool;
    };
    m_play = add(tr("Play the systolic array"), Qt::Key_F9,
        [this] { m_canvas->setPlaying(!m_canvas->isPlaying()); });
    QAction* back = add(tr("One cycle back"), Qt::Key_Comma, [this] { m_canvas->stepBy(-1); });
    button(back, QStringLiteral("back"));
    button(m_play, QStringLiteral("play"));
    QAction* step = add(tr("One cycle on"), Qt::Key_Period, [this] { m_canvas->stepBy(1); });
    step->setShortcuts({Qt::Key_Period, Qt::SHIFT | Qt::Key_F9});
    button(step, QStringLiteral("forward"));
    // > and < are shifted keys on most keyboards.
    add(tr("Next phase"), Qt::Key_Greater, [this] {
        m_canvas->stepPhase(+1);
    })->setShortcuts({Qt::Key_Greater, Qt::SHIFT | Qt::Key_Greater, Qt::SHIFT | Qt::Key_Period});
    add(tr("Previous phase"), Qt::Key_Less, [this] {
        m_canvas->stepPhase(-1);
    })->setShortcuts({Qt::Key_Less, Qt::SHIFT | Qt::Key_Less, Qt::SHIFT | Qt::Key_Comma});
    add(tr("Last cycle"), {}, [this] {
        if (m_canvas->picture().stepping)
            m_canvas->setCycle(m_canvas->picture().stepping->run.cycles());
    });
    connect(m_canvas, &MachineCanvas::playingChanged, this, [this](bool isPlaying) {
        m_play->setIcon(icon(isPlaying ? QStringLiteral("pause") : QStringLiteral("play")));
        m_play->setText(isPlaying ? tr("Pause the systolic array") : tr("Play the systolic array"));
    });
    m_scrubber = new QSlider(Qt::Horizontal, this);
    m_scrubber->setRange(0, kScrubSteps);
    m_scrubber->setMinimumWidth(90);
    m_scrubber->setMaximumWidth(220);
    m_scrubber->setAccessibleName(tr("Cycle of the systolic array"));
    m_frame->header()->addWidget(m_scrubber);
    m_optional << m_scrubber;
    connect(m_scrubber, &QSlider::valueChanged, this, [this](int value) {
        if (!m_canvas->picture().stepping)
            return;
        const auto last = static_cast<double>(m_canvas->picture().stepping->run.cycles());
        m_canvas->setCycle(static_cast<std::int64_t>(last * value / kScrubSteps + 0.5));
    });
    m_cycle = new QLabel(this);
    m_frame->header()->addWidget(m_cycle);
    m_optional << m_cycle;
}

QString MachinePanel::sentence() const {
    return machine::sentence(m_canvas->picture(), state());
}

void MachinePanel::fillGenerations() {
    m_generations->clear();
    const Picture& picture = m_canvas->picture();
    if (picture.isEmpty())
        return;
    bool isBundled = false;
    for (const auto& each : machines::bundledMachines()) {
        if (each->family != picture.machine->family)
            continue;
        m_generations->addItem(text(each->name), text(each->id));
        if (each->id == picture.machine->id) {
            m_generations->setCurrentIndex(m_generations->count() - 1);
            isBundled = true;
        }
    }
    if (!isBundled) {
        m_generations->addItem(text(picture.machine->name), text(picture.machine->path));
        m_generations->setCurrentIndex(m_generations->count() - 1);
    }
}

void MachinePanel::updateAll() {
    const Picture& picture = m_canvas->picture();
    fillGenerations();
    if (picture.isEmpty())
        m_frame->showEmpty(picture.reason);
    else
        m_frame->showCanvas();
    for (QAction* action : m_stepActions)
        action->setEnabled(picture.stepping.has_value());
    m_scrubber->setEnabled(picture.stepping.has_value());
    const QString why = picture.noStepping;
    m_scrubber->setToolTip(why.isEmpty() ? tr("Cycle of the systolic array") : why);
    // The label keeps the width of the last cycle, so that nothing moves while it counts.
    const QString last = picture.stepping ? formatCount(picture.stepping->run.cycles()) : QString();
    m_cycle->setMinimumWidth(textWidth(bodyFont(), tr("%1 of %2").arg(last, last)) + 4);
    fitHeader(m_frame->header(), m_optional, width());
    m_frame->setLegend(legend(picture), footnote(picture));
    refreshSentence();
    emit twinChanged();
}

void MachinePanel::updateCycle() {
    const auto& stepping = m_canvas->picture().stepping;
    const QSignalBlocker blocked(m_scrubber);
    if (!stepping) {
        m_scrubber->setValue(0);
        m_cycle->setText(QString());
        return;
    }
    const std::int64_t last = stepping->run.cycles();
    m_scrubber->setValue(last > 0 ? static_cast<int>(static_cast<double>(m_canvas->cycle())
                             * kScrubSteps / static_cast<double>(last))
                                  : 0);
    m_cycle->setText(tr("%1 of %2").arg(formatCount(m_canvas->cycle()), formatCount(last)));
}

void MachinePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_optional, width());
}

void MachinePanel::paintContent(QPainter& painter, const QSize& size) {
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

QString MachinePanel::toCsv() const {
    return m_canvas->picture().isEmpty() ? QString() : csv(m_canvas->picture());
}

std::vector<TwinRow> MachinePanel::twinRows() const {
    std::vector<TwinRow> rows;
    const Picture& picture = m_canvas->picture();
    for (std::size_t box = 0; box < picture.diagram.boxes.size(); ++box)
        rows.push_back({twinText(picture, box), state().selection()});
    return rows;
}

} // namespace fivefold::views::machine
