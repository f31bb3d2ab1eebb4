// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/what_if_bar.h"

#include "app/gui/session.h"
#include "app/gui/what_if_choices.h"
#include "core/analysis/precisions.h"
#include "core/analysis/report.h"
#include "views/common/format.h"
#include "views/common/icons.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace fivefold::app {

namespace {

constexpr int kMaximumDim = 65536; // sizes that a slider offers; --bind takes any
constexpr std::size_t kSymbolsShown = 3;
constexpr int kTarget = 24; // of anything to click
constexpr int kLongestName = 20; // characters

/// A slider walks powers of two; the spin box takes every integer.
int toSlider(int value) {
    return static_cast<int>(std::lround(std::log2(std::max(1, value)) * 4));
}
int fromSlider(int position) {
    return static_cast<int>(std::lround(std::exp2(position / 4.0)));
}

/// "lx_backend_percent" → "LX backend percent": the command line's key as words.
QString labelOf(const std::string& key) {
    static const QStringList kAcronyms = {QStringLiteral("lx"), QStringLiteral("cuda"),
        QStringLiteral("sdpa"), QStringLiteral("vmem"), QStringLiteral("cta")};
    QStringList words = QString::fromStdString(key).split(QLatin1Char('_'));
    for (QString& word : words)
        if (kAcronyms.contains(word))
            word = word.toUpper();
    return words.join(QLatin1Char(' '));
}

/// Sizes of symbols that nobody bound: assumed, or 1.
std::int64_t assumedSize(const analysis::Result& result, const std::string& name) {
    const auto assumed = result.typed->assumed.find(name);
    return assumed == result.typed->assumed.end() ? 1 : assumed->second;
}

int shownSize(std::int64_t size) {
    return static_cast<int>(std::min<std::int64_t>(size, kMaximumDim));
}

QString nameOf(machines::Precision precision) {
    const auto text = machines::toString(precision);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

WhatIfBar::WhatIfBar(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_controls(new QWidget(this))
    , m_tried(new QToolButton(this))
    , m_triedMenu(new QMenu(this))
    , m_reset(new QPushButton(tr("Reset"), this))
    , m_total(new QLabel(this))
    , m_band(new QLabel(this)) {
    setFixedHeight(36);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    auto* title = new QLabel(tr("What if"), this);
    QFont bold = font();
    bold.setBold(true);
    title->setFont(bold);
    row->addWidget(title);
    m_controls->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_row = new QHBoxLayout(m_controls);
    m_row->setContentsMargins(4, 0, 4, 0);
    m_row->setSpacing(0);
    m_controls->installEventFilter(this);
    createOverflow();
    row->addWidget(m_controls, 1);
    createTotals(*row);

    connect(m_reset, &QPushButton::clicked, &session, &Session::resetWhatIf);
    connect(&session.state(), &views::common::ViewState::resultChanged, this, [this] {
        refresh();
        refreshTotal();
    });
    connect(&session, &Session::choicesChanged, this, [this] {
        refresh();
        refreshTotal();
    });
    connect(&session, &Session::sizesChanged, this, &WhatIfBar::refresh);
    connect(&session, &Session::baselineChanged, this, &WhatIfBar::refreshTotal);
    refreshTotal();
}

void WhatIfBar::createOverflow() {
    m_overflow = new QWidget(this, Qt::Popup);
    new QVBoxLayout(m_overflow);
    m_more = new QToolButton(m_controls);
    m_more->setText(QStringLiteral("»"));
    m_more->setAutoRaise(true);
    m_more->setMinimumSize(kTarget, kTarget);
    m_more->setToolTip(tr("More to vary"));
    m_more->setAccessibleName(m_more->toolTip());
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, [this] {
        m_overflow->adjustSize();
        const QPoint corner = m_more->mapToGlobal(QPoint(0, 0));
        m_overflow->move(corner - QPoint(0, m_overflow->height()));
        m_overflow->show();
    });
}

void WhatIfBar::createTotals(QHBoxLayout& row) {
    m_tried->setMenu(m_triedMenu);
    m_tried->setPopupMode(QToolButton::InstantPopup);
    m_tried->setAutoRaise(true);
    m_tried->setMinimumHeight(kTarget);
    m_tried->setToolTip(tr("Kernels, substitutes, implementations, placements and layouts that "
                           "were tried; choose one to take it back"));
    m_tried->hide();
    row.addWidget(m_tried);
    row.addWidget(m_reset);
    row.addSpacing(12);
    QFont figure = font();
    figure.setPixelSize(16);
    figure.setBold(true);
    m_total->setFont(figure);
    row.addWidget(m_total);
    QFont small = font();
    small.setPixelSize(11);
    m_band->setFont(small);
    m_band->setForegroundRole(QPalette::PlaceholderText);
    row.addWidget(m_band);
}

QString WhatIfBar::totalText() const {
    return m_total->text();
}

WhatIfBar::Control& WhatIfBar::addControl(
    const QString& name, std::function<Shown()> read, std::function<void()> restore) {
    Control control;
    control.name = name;
    control.read = std::move(read);
    control.group = new QWidget(m_controls);
    auto* row = new QHBoxLayout(control.group);
    row->setContentsMargins(8, 0, 0, 0);
    row->setSpacing(4);
    control.label = new QLabel(views::common::elideMiddle(name, kLongestName), control.group);
    if (name.size() > kLongestName)
        control.label->setToolTip(name);
    row->addWidget(control.label);
    if (restore) {
        auto* button = control.restore = new QToolButton(control.group);
        button->setText(QStringLiteral("↺"));
        button->setAutoRaise(true);
        button->setFixedSize(kTarget, kTarget);
        button->setToolTip(tr("Restore %1").arg(name));
        button->setAccessibleName(button->toolTip());
        button->hide();
        // Queued: restoring may replace the control that was clicked.
        connect(button, &QToolButton::clicked, this, restore, Qt::QueuedConnection);
        row->addWidget(button);
    }
    m_list.push_back(std::move(control));
    return m_list.back();
}

void WhatIfBar::addFixed(const QString& name, const QString& reason) {
    Control& control = addControl(name, {}, {});
    auto* lock = new QLabel(control.group);
    constexpr int kLockPixels = 14;
    lock->setPixmap(views::common::icon(QStringLiteral("lock")).pixmap(kLockPixels, kLockPixels));
    control.group->layout()->addWidget(lock);
    control.label->setEnabled(false);
    control.group->setToolTip(reason);
    control.group->setAccessibleName(name);
    control.group->setAccessibleDescription(reason);
}

void WhatIfBar::addInteger(const QString& name, Range range, std::function<Shown()> read,
    Apply apply, std::function<void()> restore) {
    Control& control = addControl(name, std::move(read), std::move(restore));
    auto* slider = control.slider = new QSlider(Qt::Horizontal, control.group);
    slider->setRange(toSlider(range.minimum), toSlider(range.maximum));
    slider->setFixedWidth(72);
    slider->setMinimumHeight(kTarget);
    slider->setAccessibleName(name);
    auto* spin = control.spin = new QSpinBox(control.group);
    spin->setRange(range.minimum, range.maximum);
    spin->setKeyboardTracking(false);
    spin->setAccessibleName(name);
    control.group->layout()->addWidget(slider);
    control.group->layout()->addWidget(spin);
    connect(slider, &QSlider::sliderPressed, this, [this] { m_drag = QString::number(++m_drags); });
    connect(slider, &QSlider::sliderReleased, this, [this] {
        m_drag.clear();
        refresh();
    });
    connect(slider, &QSlider::valueChanged, spin, [spin, range](int position) {
        spin->setValue(std::clamp(fromSlider(position), range.minimum, range.maximum));
    });
    connect(spin, &QSpinBox::valueChanged, this,
        [this, apply = std::move(apply)](int number) { apply(number, m_drag); });
}

void WhatIfBar::addChoice(const QString& name, const QStringList& choices,
    std::function<Shown()> read, std::function<void(const QString&)> apply,
    std::function<void()> restore) {
    Control& control = addControl(name, std::move(read), std::move(restore));
    control.box = new QComboBox(control.group);
    control.box->addItems(choices);
    control.box->setAccessibleName(name);
    control.group->layout()->addWidget(control.box);
    connect(control.box, &QComboBox::textActivated, this,
        [apply = std::move(apply)](const QString& text) { apply(text); });
}

void WhatIfBar::addSize(const std::string& symbol, Range range, std::int64_t fixed) {
    const QString name = QString::fromStdString(symbol);
    const auto read = [this, symbol, fixed] {
        const auto bound = m_session.boundSize(symbol);
        const std::int64_t unbound =
            fixed > 0 ? fixed : assumedSize(*m_session.state().result(), symbol);
        return Shown{shownSize(bound.value_or(unbound)), {}, bound.has_value()};
    };
    addInteger(
        name, range, read,
        [this, name](
            int number, const QString& drag) { m_session.bindDragging(name, number, drag); },
        [this, name] { m_session.unbind(name); });
}

void WhatIfBar::addSizes() {
    const ir::Graph& graph = *m_session.model()->graph;
    const VariableSizes& sizes = m_session.sizes();
    const auto symbols = ir::freeSymbols(graph);
    for (std::size_t i = 0; i < std::min(symbols.size(), kSymbolsShown); ++i) {
        const ir::FreeAxis* axis = sizes.find(symbols[i].name);
        const bool hasLimit = axis && axis->largest > 0;
        addSize(symbols[i].name, {1, hasLimit ? shownSize(axis->largest) : kMaximumDim}, 0);
        if (hasLimit)
            m_list.back().label->setToolTip(tr("%1: the model's tables take up to %2.")
                                                .arg(m_list.back().name)
                                                .arg(axis->largest));
    }
    const auto candidates = ir::freeAxisCandidates(graph);
    for (const ir::FreeAxis& candidate : candidates) {
        const QString name = QString::fromStdString(candidate.symbol);
        const ir::FreeAxis* axis = sizes.find(candidate.symbol);
        if (!axis) {
            addFixed(tr("%1 %2").arg(name).arg(candidate.size),
                tr("The file fixes this size; whether it can be varied is being checked."));
        } else if (!axis->isProved) {
            addFixed(
                tr("%1 %2").arg(name).arg(candidate.size), QString::fromStdString(axis->reason));
        } else {
            addSize(axis->symbol,
                {shownSize(axis->smallest),
                    axis->largest > 0 ? shownSize(axis->largest) : kMaximumDim},
                axis->size);
            m_list.back().label->setToolTip(
                tr("The file fixes %1 at %2; inference proves that it can be varied.")
                    .arg(name)
                    .arg(axis->size));
        }
    }
    if (symbols.empty() && candidates.empty())
        addFixed(tr("sizes"), tr("All sizes are fixed in this file; nothing is left to vary."));
}

void WhatIfBar::addPrecision() {
    const auto possible = analysis::precisions(*m_session.choices().machine);
    QStringList names;
    for (const machines::Precision precision : possible)
        names << nameOf(precision);
    const auto read = [this] {
        return Shown{0, nameOf(m_session.precision()), m_session.choices().precision.has_value()};
    };
    const auto change = [this](std::optional<machines::Precision> precision) {
        Choices changed = m_session.choices();
        changed.precision = precision;
        m_session.change(
            precision ? nameOf(*precision) : tr("Restore precision"), std::move(changed));
    };
    addChoice(
        tr("precision"), names, read,
        [possible, change](const QString& text) {
            for (const machines::Precision precision : possible)
                if (nameOf(precision) == text)
                    change(precision);
        },
        [change] { change(std::nullopt); });
}

void WhatIfBar::addFusion() {
    const auto read = [this] {
        const bool isOn = m_session.choices().isFusionOn;
        return Shown{0, isOn ? tr("on") : tr("off"), !isOn};
    };
    const auto set = [this](bool isOn) {
        Choices changed = m_session.choices();
        changed.isFusionOn = isOn;
        m_session.change(isOn ? tr("fusion on") : tr("fusion off"), std::move(changed));
    };
    addChoice(
        tr("fusion"), {tr("on"), tr("off")}, read,
        [set](const QString& text) { set(text == tr("on")); }, [set] { set(true); });
}

/// The compiler's own modes, where settings of ours stand for them.
void WhatIfBar::addMode() {
    const auto modes = modelledModes(*m_session.choices().machine);
    if (modes.empty())
        return;
    const QString mixed = tr("mixed");
    QStringList names;
    for (const lowering::PipelineMode* mode : modes)
        names << QString::fromUtf8(mode->id.data(), static_cast<qsizetype>(mode->id.size()));
    names << mixed;
    const auto read = [this, mixed] {
        const auto mode = currentMode(m_session.choices());
        return Shown{0, mode ? QString::fromStdString(*mode) : mixed,
            mode != defaultMode(*m_session.choices().machine)};
    };
    addChoice(
        tr("mode"), names, read,
        [this, mixed](const QString& text) {
            Choices changed = m_session.choices();
            if (text != mixed)
                setMode(changed, text.toStdString());
            m_session.change(tr("mode %1").arg(text), std::move(changed));
            refreshValues(); // "mixed" is no choice
        },
        [this] {
            Choices changed = m_session.choices();
            clearMode(changed);
            m_session.change(tr("Restore mode"), std::move(changed));
        });
    for (std::size_t i = 0; i < modes.size(); ++i)
        m_list.back().box->setItemData(static_cast<int>(i),
            QString::fromUtf8(
                modes[i]->means.data(), static_cast<qsizetype>(modes[i]->means.size())),
            Qt::ToolTipRole);
}

void WhatIfBar::addFamilySettings() {
    const auto& machine = *m_session.choices().machine;
    const lowering::Family* family = analysis::findFamily(machine.family);
    if (!family)
        return;
    for (const lowering::SettingInfo& info : family->settings(machine)) {
        const QString name = labelOf(info.key);
        const auto read = [this, info] {
            const auto& settings = m_session.choices().settings;
            const auto set = settings.find(info.key);
            const bool isChanged = set != settings.end();
            const std::string current = isChanged ? set->second : info.defaultValue;
            return Shown{std::atoi(current.c_str()), QString::fromStdString(current), isChanged};
        };
        const auto apply = [this, info](const std::string& value, const QString& drag) {
            Choices changed = m_session.choices();
            if (value == info.defaultValue)
                changed.settings.erase(info.key);
            else
                changed.settings[info.key] = value;
            m_session.change(
                QString::fromStdString(info.key + " = " + value), std::move(changed), drag);
        };
        const auto restore = [apply, info] { apply(info.defaultValue, {}); };
        if (info.choices.empty()) {
            addInteger(
                name,
                {static_cast<int>(info.minimum),
                    static_cast<int>(std::min<std::int64_t>(info.maximum, kMaximumDim))},
                read,
                [apply](int number, const QString& drag) { apply(std::to_string(number), drag); },
                restore);
        } else {
            QStringList choices;
            for (const std::string& choice : info.choices)
                choices << QString::fromStdString(choice);
            addChoice(
                name, choices, read,
                [apply](const QString& text) { apply(text.toStdString(), {}); }, restore);
        }
        m_list.back().label->setToolTip(QString::fromStdString(info.description));
    }
}

void WhatIfBar::refresh() {
    const auto result = m_session.state().result();
    if (!result || !m_session.model())
        return;
    // A control that the user is dragging must not be replaced under the pointer.
    std::string key = m_session.model()->graph->info.path + '|' + m_session.choices().machine->id
        + (m_session.sizes().isKnown ? "|known" : "");
    if (key != m_builtFor && m_drag.isEmpty()) {
        m_builtFor = std::move(key);
        rebuild();
    }
    refreshValues();
    refreshTried();
    fitControls();
}

void WhatIfBar::rebuild() {
    m_overflow->hide();
    for (const Control& control : m_list)
        delete control.group;
    m_list.clear();
    while (QLayoutItem* item = m_row->takeAt(0))
        delete item;
    addSizes();
    m_sizeCount = m_list.size();
    addPrecision();
    addFusion();
    addMode();
    addFamilySettings();
    for (const Control& control : m_list)
        m_row->addWidget(control.group);
    m_row->addWidget(m_more);
    m_row->addStretch(1);
}

void WhatIfBar::refreshValues() {
    for (const Control& control : m_list) {
        if (!control.read)
            continue;
        const Shown shown = control.read();
        QFont font = control.label->font();
        font.setBold(shown.isChanged);
        control.label->setFont(font);
        if (control.restore)
            control.restore->setVisible(shown.isChanged);
        if (control.box) {
            control.box->setFont(font);
            control.box->setCurrentText(shown.text);
            continue;
        }
        control.spin->setFont(font);
        const QSignalBlocker quietSlider(control.slider);
        const QSignalBlocker quietSpin(control.spin);
        if (!control.slider->isSliderDown())
            control.slider->setValue(toSlider(shown.number));
        control.spin->setValue(shown.number);
    }
}

void WhatIfBar::refreshTried() {
    const auto tried = triedChoices(m_session.choices());
    m_tried->setVisible(!tried.empty());
    m_tried->setText(tr("%n tried", nullptr, static_cast<int>(tried.size())));
    m_triedMenu->clear();
    for (const TriedChoice& each : tried) {
        QAction* action = m_triedMenu->addAction(QStringLiteral("✕  ") + each.text);
        connect(action, &QAction::triggered, this, [this, each] {
            Choices changed = m_session.choices();
            each.remove(changed);
            m_session.change(tr("Without: %1").arg(each.text), std::move(changed));
        });
    }
}

void WhatIfBar::fitControls() {
    if (!m_drag.isEmpty())
        return; // nothing moves under the pointer
    const auto showSliders = [this](bool isShown) {
        for (const Control& control : m_list)
            if (control.slider)
                control.slider->setVisible(isShown);
    };
    const auto widthOf = [this](std::size_t count) {
        int sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            QLayout* layout = m_list[i].group->layout();
            layout->invalidate();
            sum += layout->sizeHint().width();
        }
        return sum;
    };
    const int room = m_controls->width() - 8;
    showSliders(true);
    bool isTooLong = widthOf(m_list.size()) > room;
    const int roomBesideMore = room - m_more->sizeHint().width();
    if (isTooLong && widthOf(m_sizeCount) > roomBesideMore)
        showSliders(false);
    isTooLong = widthOf(m_list.size()) > room;
    auto* overflow = static_cast<QVBoxLayout*>(m_overflow->layout());
    bool isFull = false;
    for (std::size_t i = 0; i < m_list.size(); ++i) {
        const Control& control = m_list[i];
        isFull |= isTooLong && widthOf(i + 1) > roomBesideMore;
        if (isFull) {
            if (control.slider)
                control.slider->setVisible(true);
            if (overflow->indexOf(control.group) < 0)
                overflow->addWidget(control.group);
        } else if (m_row->indexOf(control.group) < 0) {
            m_row->insertWidget(static_cast<int>(i), control.group);
        }
        control.group->show();
    }
    m_more->setVisible(isFull);
}

bool WhatIfBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_controls && event->type() == QEvent::Resize)
        fitControls();
    return QWidget::eventFilter(watched, event);
}

void WhatIfBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refreshBand();
}

void WhatIfBar::refreshTotal() {
    const auto result = m_session.state().result();
    m_reset->setEnabled(result && !m_session.choices().isUntouched());
    m_bandText.clear();
    m_bandShort.clear();
    if (!result) {
        m_total->clear();
        refreshBand();
        return;
    }
    const analysis::Totals& totals = result->totals;
    QString text = totals.validated ? QString() : QStringLiteral("~");
    if (totals.unknownSteps > 0)
        text = tr("at least ");
    m_total->setText(text + views::common::formatTime(totals.time));
    const auto baseline = m_session.baselineTotal();
    if (baseline && baseline->value > 0 && m_reset->isEnabled())
        m_bandShort = QStringLiteral("Δ %1%2 %  ")
                          .arg(totals.time.value >= baseline->value ? QStringLiteral("+")
                                                                    : QStringLiteral("−"))
                          .arg(std::abs(totals.time.value / baseline->value - 1) * 100, 0, 'f', 1);
    if (totals.low && totals.high)
        m_bandShort += QStringLiteral("(%1–%2)").arg(
            views::common::formatTime(totals.low), views::common::formatTime(totals.high));
    const QString validation = QString::fromStdString(analysis::validationText(totals));
    m_bandText = m_bandShort.isEmpty() ? validation
        : totals.low                   ? m_bandShort + QStringLiteral(", ") + validation
                                       : m_bandShort + validation;
    if (!totals.low)
        m_bandShort = m_bandText;
    refreshBand();
}

/// How it was validated is left to the tooltip where the bar is narrow.
void WhatIfBar::refreshBand() {
    constexpr int kWide = 1200;
    m_band->setText(width() < kWide ? m_bandShort : m_bandText);
    m_band->setToolTip(m_bandText);
    m_total->setToolTip(m_bandText);
}

} // namespace fivefold::app
