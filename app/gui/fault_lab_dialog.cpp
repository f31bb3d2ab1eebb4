// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/fault_lab_dialog.h"

#include "app/gui/samples.h"
#include "app/gui/session.h"
#include "views/common/view_state.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <random>
#include <set>

namespace fivefold::app {

namespace {

using numerics::FaultId;

enum Column { kId, kLevel, kMechanism, kMachine, kColumns };

/// Three of the catalogue, each of another level, by the seed.
constexpr int kPlantedBugs = 3;

QString text(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<int>(words.size()));
}

const compare::Carrier* carrierOf(FaultId fault) {
    for (const compare::Carrier& carrier : compare::carriers())
        if (carrier.fault == fault)
            return &carrier;
    return nullptr;
}

QString levelText(numerics::Level level) {
    return QStringLiteral("%1 %2")
        .arg(static_cast<int>(level))
        .arg(text(numerics::toString(level)));
}

/// The carriers of the exercise that a seed gives.
std::vector<const compare::Carrier*> plantedBugs(std::uint64_t seed) {
    std::vector<const compare::Carrier*> all;
    for (const numerics::FaultFacts& facts : numerics::faultCatalogue())
        if (const auto* carrier = carrierOf(facts.id))
            all.push_back(carrier);
    std::mt19937_64 random(seed);
    std::vector<const compare::Carrier*> chosen;
    std::set<numerics::Level> levels;
    while (chosen.size() < kPlantedBugs && !all.empty()) {
        const std::size_t at = random() % all.size();
        if (levels.insert(numerics::facts(all[at]->fault).level).second)
            chosen.push_back(all[at]);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return chosen;
}

} // namespace

FaultLabDialog::FaultLabDialog(
    DebugSession& debug, views::common::ViewState& state, QWidget* parent)
    : QDialog(parent)
    , m_debug(debug)
    , m_state(state) {
    setWindowTitle(tr("Fault lab"));
    auto* layout = new QVBoxLayout(this);
    auto* sentence = new QLabel(
        tr("Each fault is a switch of the simulator. Plant one, find it, or let others find it. "
           "The eight levels are reconstructed from public descriptions."),
        this);
    sentence->setWordWrap(true);
    layout->addWidget(sentence);
    fillList();
    layout->addWidget(m_list, 1);
    m_about = new QLabel(this);
    m_about->setWordWrap(true);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_about);
    layout->addWidget(createPlanting());
    auto* lower = new QHBoxLayout;
    lower->addWidget(createExercises());
    lower->addWidget(createAnswer(), 1);
    layout->addLayout(lower);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &FaultLabDialog::showFault);
    connect(m_list, &QTreeWidget::itemActivated, this, [this] { plantInSample(0); });
    connect(&debug, &DebugSession::changed, this, &FaultLabDialog::refreshAnswer);
    connect(
        &state, &views::common::ViewState::selectionChanged, this, &FaultLabDialog::refreshAnswer);
    m_list->setCurrentItem(m_list->topLevelItem(0));
    refreshAnswer();
    constexpr QSize kSize{760, 640};
    resize(kSize);
}

void FaultLabDialog::fillList() {
    m_list = new QTreeWidget(this);
    m_list->setColumnCount(kColumns);
    m_list->setHeaderLabels({tr("Fault"), tr("Level"), tr("What goes wrong"), tr("Machine")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(tr("Faults"));
    for (const numerics::FaultFacts& facts : numerics::faultCatalogue()) {
        const auto* carrier = carrierOf(facts.id);
        auto* item = new QTreeWidgetItem(m_list,
            {QString::fromStdString(numerics::toString(facts.id)), levelText(facts.level),
                text(facts.mechanism), carrier ? text(carrier->machine) : tr("none")});
        item->setData(kId, Qt::UserRole, numerics::number(facts.id));
    }
    m_list->header()->setSectionResizeMode(kMechanism, QHeaderView::Stretch);
    for (const int column : {kId, kLevel, kMachine})
        m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
}

QWidget* FaultLabDialog::createPlanting() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins({});
    m_first = new QPushButton(row);
    m_second = new QPushButton(row);
    m_model = new QPushButton(tr("Plant in the &open model"), row);
    m_hidden = new QCheckBox(tr("&Hide the answer"), row);
    m_seed = new QSpinBox(row);
    m_seed->setRange(1, 9999);
    m_seed->setAccessibleName(tr("Seed"));
    for (QPushButton* button : {m_first, m_second, m_model}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    layout->addStretch();
    layout->addWidget(m_hidden);
    layout->addWidget(new QLabel(tr("Seed"), row));
    layout->addWidget(m_seed);
    connect(m_first, &QPushButton::clicked, this, [this] { plantInSample(0); });
    connect(m_second, &QPushButton::clicked, this, [this] { plantInSample(1); });
    connect(m_model, &QPushButton::clicked, this, &FaultLabDialog::plantInModel);
    return row;
}

QGroupBox* FaultLabDialog::createExercises() {
    auto* box = new QGroupBox(tr("Exercises"), this);
    auto* layout = new QVBoxLayout(box);
    auto* bugs = new QPushButton(tr("&Three planted bugs"), box);
    bugs->setToolTip(tr("Three faults of three levels by the seed, one after the other; the answer "
                        "is hidden until you mark yours."));
    auto* nan = new QPushButton(tr("One &NaN, four causes"), box);
    nan->setToolTip(
        tr("The same NaN at the output from decomposition, fusion, layout and DMA; each "
           "press shows the next."));
    for (QPushButton* button : {bugs, nan}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    layout->addStretch();
    connect(bugs, &QPushButton::clicked, this, &FaultLabDialog::exercise);
    connect(nan, &QPushButton::clicked, this, &FaultLabDialog::oneNan);
    return box;
}

QGroupBox* FaultLabDialog::createAnswer() {
    auto* box = new QGroupBox(tr("Your answer"), this);
    auto* layout = new QFormLayout(box);
    m_layer = new QLabel(box);
    m_layer->setTextFormat(Qt::PlainText);
    m_layer->setWordWrap(true);
    layout->addRow(tr("First diverging layer"), m_layer);
    m_level = new QComboBox(box);
    for (int i = 1; i <= numerics::kLevels; ++i)
        m_level->addItem(levelText(static_cast<numerics::Level>(i)));
    layout->addRow(tr("Level to blame"), m_level);
    auto* row = new QHBoxLayout;
    m_mark = new QPushButton(tr("&Mark"), box);
    m_mark->setAutoDefault(false);
    m_marks = new QLabel(box);
    m_marks->setWordWrap(true);
    row->addWidget(m_mark);
    row->addWidget(m_marks, 1);
    layout->addRow(row);
    connect(m_mark, &QPushButton::clicked, this, &FaultLabDialog::mark);
    return box;
}

FaultId FaultLabDialog::current() const {
    const auto* item = m_list->currentItem();
    return static_cast<FaultId>(item ? item->data(kId, Qt::UserRole).toInt() : 1);
}

void FaultLabDialog::select(FaultId fault) {
    m_list->setCurrentItem(m_list->topLevelItem(numerics::number(fault) - 1));
}

void FaultLabDialog::showFault() {
    if (!m_list->currentItem())
        return;
    const numerics::FaultFacts& facts = numerics::facts(current());
    const auto* carrier = carrierOf(facts.id);
    m_about->setText(tr("%1 when %2. To be seen: %3.")
                         .arg(text(facts.mechanism), text(facts.trigger), text(facts.observable)));
    for (const auto& [button, sample] : {std::pair{m_first, 0}, std::pair{m_second, 1}}) {
        button->setEnabled(carrier != nullptr);
        button->setText(carrier
                ? tr("Plant in %1").arg(text(carrier->samples[static_cast<std::size_t>(sample)]))
                : tr("No sample"));
    }
}

void FaultLabDialog::plant(const compare::Carrier& carrier, int sample, bool isHidden,
    const std::map<std::string, double>& parameters) {
    const auto at = static_cast<std::size_t>(sample);
    const QString path =
        samplePath(QStringLiteral("faults/%1.onnx").arg(text(carrier.samples[at])));
    if (path.isEmpty()) {
        m_marks->setText(tr("The samples are not installed beside the program."));
        return;
    }
    DebugSources sources;
    sources.planted = {carrier.fault};
    sources.plantedNode = text(carrier.nodes[at]);
    sources.seed = static_cast<std::uint64_t>(m_seed->value());
    sources.isHidden = isHidden;
    sources.parameters = parameters;
    m_marks->clear();
    m_debug.openAndStart(path, text(carrier.machine), sources);
}

void FaultLabDialog::plantInSample(int sample) {
    if (const auto* carrier = carrierOf(current()))
        plant(*carrier, sample, m_hidden->isChecked());
}

void FaultLabDialog::plantInModel() {
    DebugSources sources;
    sources.planted = {current()};
    sources.seed = static_cast<std::uint64_t>(m_seed->value());
    sources.isHidden = m_hidden->isChecked();
    const auto selected = m_state.selection();
    const auto result = m_state.result();
    if (result && !selected.nodes.empty())
        sources.plantedNode =
            QString::fromStdString(result->graph().nodes[selected.nodes.front()].name);
    m_marks->clear();
    m_debug.start(sources);
}

void FaultLabDialog::exercise() {
    const auto bugs = plantedBugs(static_cast<std::uint64_t>(m_seed->value()));
    if (bugs.empty())
        return;
    const std::size_t at = static_cast<std::size_t>(m_exercise++) % bugs.size();
    plant(*bugs[at], 0, true);
    m_marks->setText(tr("Bug %1 of %2 is planted.").arg(at + 1).arg(bugs.size()));
}

void FaultLabDialog::oneNan() {
    const auto causes = compare::nanCauses();
    const compare::NanCause& cause = causes[static_cast<std::size_t>(m_nan++) % causes.size()];
    compare::Carrier carrier;
    carrier.fault = cause.fault;
    carrier.machine = "spyre";
    carrier.samples.fill(compare::kNanSample);
    carrier.nodes.fill(cause.node);
    std::map<std::string, double> parameters;
    if (cause.memory)
        parameters["memory"] = *cause.memory;
    plant(carrier, 0, m_hidden->isChecked(), parameters);
    if (!m_hidden->isChecked())
        m_marks->setText(tr("The cause is %1: compare it with the others.").arg(text(cause.name)));
}

void FaultLabDialog::refreshAnswer() {
    const auto debugCase = m_debug.current();
    const bool isAsked = debugCase && debugCase->isHidden && debugCase->planted;
    m_mark->setEnabled(isAsked);
    m_level->setEnabled(isAsked);
    const auto result = m_state.result();
    const auto selection = m_state.selection();
    const bool hasLayer = result && !selection.nodes.empty();
    m_layer->setText(hasLayer
            ? QString::fromStdString(result->graph().nodes[selection.nodes.front()].name)
            : tr("select it in any panel"));
}

QString FaultLabDialog::marks() const {
    return m_marks->text();
}

void FaultLabDialog::mark() {
    const auto debugCase = m_debug.current();
    if (!debugCase || !debugCase->planted || !debugCase->isHidden)
        return;
    compare::Answer answer;
    answer.level = static_cast<numerics::Level>(m_level->currentIndex() + 1);
    answer.node = m_layer->text().toStdString();
    for (const compare::Layer& layer : debugCase->divergence->layers)
        if (layer.nodeName == answer.node)
            answer.wrong = layer.global.wrong;
    m_marks->setText(QString::fromStdString(compare::mark(*debugCase->planted, answer).sentence));
    m_debug.reveal();
}

} // namespace fivefold::app
