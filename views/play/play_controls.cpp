// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/play/play_controls.h"

#include "views/play/play_presenter.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>

#include <cmath>

namespace fivefold::views::play {

using schedule::Arbitration;
using schedule::ExecutionModel;

namespace {

constexpr int kMostQueue = 64, kMostSeed = 999;
constexpr int kMostJitter = 100; ///< % of a transfer's time
constexpr int kPaces[] = {5, 10, 20, 60, 300}; ///< s for the whole block
constexpr int kUsualPace = 10;

void choose(QComboBox* box, int value) {
    box->setCurrentIndex(box->findData(value));
}

} // namespace

PlayControls::PlayControls(QWidget* panel, QHBoxLayout* header)
    : QObject(panel)
    , m_panel(panel)
    , m_header(header) {
    addModels();
    addDelays();
    m_pace = box(tr("Speed"), tr("How long the whole block takes on the screen"));
    for (const int seconds : kPaces)
        m_pace->addItem(
            seconds < 120 ? tr("in %1 s").arg(seconds) : tr("in %1 min").arg(seconds / 60),
            seconds);
    choose(m_pace, kUsualPace);
    connect(m_pace, &QComboBox::activated, this, [this] { emit paceChanged(secondsOfPlay()); });
    refreshStates();
}

QComboBox* PlayControls::box(const QString& name, const QString& tip) {
    auto* box = new QComboBox(m_panel);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_header->addWidget(box);
    return box;
}

QSpinBox* PlayControls::number(
    const QString& name, const QString& prefix, const QString& tip, int most) {
    auto* spin = new QSpinBox(m_panel);
    spin->setAccessibleName(name);
    spin->setToolTip(tip);
    spin->setPrefix(prefix);
    spin->setRange(1, most);
    spin->setKeyboardTracking(false);
    m_header->addWidget(spin);
    return spin;
}

void PlayControls::addModels() {
    m_block = box(tr("What is played"), tr("How much of the program is played"));
    for (const auto block :
        {analysis::PlayBlock::Graph, analysis::PlayBlock::Scope, analysis::PlayBlock::Selection})
        m_block->addItem(blockName(block), static_cast<int>(block));
    m_left = box(tr("Execution model"), tr("The first execution model; it lights the graph"));
    m_beside = new QLabel(tr("beside"), m_panel);
    m_header->addWidget(m_beside);
    m_right = box(tr("Second execution model"), tr("The execution model beside it"));
    for (QComboBox* each : {m_left, m_right})
        for (const auto model : {ExecutionModel::ProgramCounter, ExecutionModel::DynamicDataflow,
                 ExecutionModel::StaticSchedule})
            each->addItem(modelName(model), static_cast<int>(model));
    choose(m_right, static_cast<int>(ExecutionModel::DynamicDataflow));
    for (QComboBox* each : {m_block, m_left, m_right})
        connect(each, &QComboBox::activated, this, [this] {
            refreshStates();
            emit changed();
        });
}

void PlayControls::addDelays() {
    m_jitterLabel = new QLabel(m_panel);
    m_header->addWidget(m_jitterLabel);
    m_jitter = new QSlider(Qt::Horizontal, m_panel);
    m_jitter->setAccessibleName(tr("Jitter"));
    m_jitter->setToolTip(tr(
        "How much longer a transfer may take. The same seed gives both models the same delays."));
    m_jitter->setRange(0, kMostJitter);
    m_jitter->setFixedWidth(56);
    m_header->addWidget(m_jitter);
    m_seed = number(tr("Seed"), tr("seed "), tr("Which delays the jitter draws"), kMostSeed);
    m_queue = number(tr("Queue capacity"), tr("queue "),
        tr("Dynamic dataflow: operations that a unit may be ahead of the one that takes its "
           "results"),
        kMostQueue);
    m_queue->setValue(2);
    m_arbitration = box(
        tr("Arbitration"), tr("Dynamic dataflow: which of several ready operations a unit takes"));
    for (const auto arbitration :
        {Arbitration::OldestFirst, Arbitration::RoundRobin, Arbitration::CriticalFirst})
        m_arbitration->addItem(arbitrationName(arbitration), static_cast<int>(arbitration));
    connect(m_jitter, &QSlider::valueChanged, this, [this] {
        refreshStates();
        emit changed();
    });
    for (QSpinBox* each : {m_seed, m_queue})
        connect(each, &QSpinBox::valueChanged, this, &PlayControls::changed);
    connect(m_arbitration, &QComboBox::activated, this, &PlayControls::changed);
}

void PlayControls::refreshStates() {
    const bool hasDataflow =
        m_left->currentData() == static_cast<int>(ExecutionModel::DynamicDataflow)
        || m_right->currentData() == static_cast<int>(ExecutionModel::DynamicDataflow);
    m_queue->setEnabled(hasDataflow);
    m_arbitration->setEnabled(hasDataflow);
    m_seed->setEnabled(m_jitter->value() > 0 && !m_late.isValid());
    m_jitterLabel->setText(tr("jitter %1 %").arg(m_jitter->value()));
}

analysis::PlayRequest PlayControls::request() const {
    analysis::PlayRequest request;
    request.block = static_cast<analysis::PlayBlock>(m_block->currentData().toInt());
    for (const QComboBox* each : {m_left, m_right}) {
        schedule::FiringOptions options;
        options.model = static_cast<ExecutionModel>(each->currentData().toInt());
        options.arbitration = static_cast<Arbitration>(m_arbitration->currentData().toInt());
        options.queueCapacity = m_queue->value();
        options.jitter = m_jitter->value() / 100.0;
        options.seed = static_cast<std::uint64_t>(m_seed->value());
        options.late = m_late;
        request.models.push_back(options);
    }
    return request;
}

void PlayControls::setRequest(const analysis::PlayRequest& request) {
    const QSignalBlocker quiet(this);
    choose(m_block, static_cast<int>(request.block));
    if (request.models.empty())
        return;
    const schedule::FiringOptions& options = request.models.front();
    choose(m_left, static_cast<int>(options.model));
    choose(m_right, static_cast<int>(request.models.back().model));
    choose(m_arbitration, static_cast<int>(options.arbitration));
    m_queue->setValue(static_cast<int>(std::min<std::int64_t>(options.queueCapacity, kMostQueue)));
    m_jitter->setValue(static_cast<int>(std::lround(options.jitter * 100)));
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(options.seed, kMostSeed)));
    m_late = options.late;
    refreshStates();
}

void PlayControls::setModels(ExecutionModel left, ExecutionModel right) {
    choose(m_left, static_cast<int>(left));
    choose(m_right, static_cast<int>(right));
    refreshStates();
}

void PlayControls::setLate(lowering::EventId late) {
    m_late = late;
    if (late.isValid() && m_jitter->value() == 0) {
        const QSignalBlocker quiet(m_jitter);
        m_jitter->setValue(kMostJitter / 2);
    }
    refreshStates();
    emit changed();
}

int PlayControls::secondsOfPlay() const {
    return m_pace->currentData().toInt();
}

QList<QWidget*> PlayControls::optional() const {
    return {m_left, m_right, m_block, m_jitter, m_jitterLabel, m_queue, m_seed, m_arbitration,
        m_pace, m_beside};
}

} // namespace fivefold::views::play
