// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/what_if_bar.h"

#include "app/gui/session.h"
#include "core/analysis/report.h"
#include "views/common/format.h"
#include "views/common/icons.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>

#include <cmath>

namespace fivefold::app {

namespace {

constexpr int kMaximumDim = 65536; // sizes that a slider offers; --bind takes any
constexpr int kSymbolsShown = 3;

/// A slider walks powers of two; the spin box takes every integer.
int toSlider(int value) {
    return static_cast<int>(std::lround(std::log2(std::max(1, value)) * 4));
}
int fromSlider(int position) {
    return static_cast<int>(std::lround(std::exp2(position / 4.0)));
}

std::int64_t boundOrAssumed(
    const Choices& choices, const analysis::Result& result, const std::string& name) {
    if (const auto found = choices.bindings.dims.find(name); found != choices.bindings.dims.end())
        return found->second;
    const auto assumed = result.typed->assumed.find(name);
    return assumed == result.typed->assumed.end() ? 1 : assumed->second;
}

} // namespace

WhatIfBar::WhatIfBar(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
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
    m_controls = new QWidget(this);
    m_controls->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_row = new QHBoxLayout(m_controls);
    m_row->setContentsMargins(4, 0, 4, 0);
    row->addWidget(m_controls, 1);
    row->addWidget(m_reset);
    row->addSpacing(12);
    QFont figure = font();
    figure.setPixelSize(16);
    figure.setBold(true);
    m_total->setFont(figure);
    row->addWidget(m_total);
    QFont small = font();
    small.setPixelSize(11);
    m_band->setFont(small);
    m_band->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_band);

    connect(m_reset, &QPushButton::clicked, &session, &Session::resetWhatIf);
    connect(&session.state(), &views::common::ViewState::resultChanged, this, [this] {
        rebuild();
        refreshTotal();
    });
    refreshTotal();
}

QString WhatIfBar::totalText() const {
    return m_total->text();
}

QLabel* WhatIfBar::addLabel(const QString& name, bool isChanged) {
    auto* label = new QLabel(isChanged ? name + QStringLiteral(" ↺") : name, m_controls);
    QFont font = label->font();
    font.setBold(isChanged);
    label->setFont(font);
    m_row->addSpacing(8);
    m_row->addWidget(label);
    return label;
}

void WhatIfBar::addFixed(const QString& name, const QString& reason) {
    QLabel* label = addLabel(name, false);
    auto* lock = new QLabel(m_controls);
    constexpr int kLockPixels = 14;
    lock->setPixmap(views::common::icon(QStringLiteral("lock")).pixmap(kLockPixels, kLockPixels));
    m_row->addWidget(lock);
    label->setEnabled(false);
    for (QLabel* each : {label, lock})
        each->setToolTip(reason);
}

void WhatIfBar::addInteger(const QString& name, int value, int minimum, int maximum, bool isChanged,
    std::function<void(int)> apply) {
    addLabel(name, isChanged);
    auto* slider = new QSlider(Qt::Horizontal, m_controls);
    slider->setRange(toSlider(minimum), toSlider(maximum));
    slider->setValue(toSlider(value));
    slider->setFixedWidth(72);
    slider->setAccessibleName(name);
    auto* spin = new QSpinBox(m_controls);
    spin->setRange(minimum, maximum);
    spin->setValue(value);
    spin->setKeyboardTracking(false);
    spin->setAccessibleName(name);
    m_row->addWidget(slider);
    m_row->addWidget(spin);
    connect(slider, &QSlider::valueChanged, spin,
        [spin, maximum](int position) { spin->setValue(std::min(maximum, fromSlider(position))); });
    connect(spin, &QSpinBox::valueChanged, this, [apply](int number) { apply(number); });
}

void WhatIfBar::addChoice(const QString& name, const QStringList& choices, const QString& current,
    bool isChanged, std::function<void(const QString&)> apply) {
    addLabel(name, isChanged);
    auto* box = new QComboBox(m_controls);
    box->addItems(choices);
    box->setCurrentText(current);
    box->setAccessibleName(name);
    m_row->addWidget(box);
    connect(box, &QComboBox::textActivated, this, [apply](const QString& text) { apply(text); });
}

void WhatIfBar::addSymbols() {
    const auto result = m_session.state().result();
    const auto symbols = ir::freeSymbols(result->graph());
    if (symbols.empty()) {
        addFixed(tr("sizes"), tr("All sizes are fixed in this file; nothing is left to vary."));
        return;
    }
    int shown = 0;
    for (const ir::FreeSymbol& symbol : symbols) {
        if (++shown > kSymbolsShown)
            break;
        const QString name = QString::fromStdString(symbol.name);
        const bool isNamed =
            !result->graph().values.empty() && symbol.name.find('.') == std::string::npos;
        const Choices& choices = m_session.choices();
        const bool isChanged = choices.bindings.dims.count(symbol.name) > 0;
        const auto value = boundOrAssumed(choices, *result, symbol.name);
        addInteger(name, static_cast<int>(std::min<std::int64_t>(value, kMaximumDim)), 1,
            kMaximumDim, isChanged, [this, name, symbol, isNamed](int number) {
                Choices changed = m_session.choices();
                const std::string text = symbol.name + "=" + std::to_string(number);
                if (isNamed)
                    changed.bindings.dims[symbol.name] = number;
                else
                    (void)ir::addBinding(changed.bindings, *m_session.model()->graph, text);
                m_session.change(tr("%1 = %2").arg(name).arg(number), std::move(changed));
            });
    }
}

void WhatIfBar::addFusion() {
    const bool isOn = m_session.choices().isFusionOn;
    addChoice(tr("fusion"), {tr("on"), tr("off")}, isOn ? tr("on") : tr("off"), !isOn,
        [this](const QString& text) {
            Choices changed = m_session.choices();
            changed.isFusionOn = text == tr("on");
            m_session.change(tr("fusion %1").arg(text), std::move(changed));
        });
}

void WhatIfBar::addFamilySettings() {
    const auto& machine = *m_session.choices().machine;
    const lowering::Family* family = analysis::findFamily(machine.family);
    if (!family)
        return;
    for (const lowering::SettingInfo& info : family->settings(machine)) {
        const auto& settings = m_session.choices().settings;
        const auto set = settings.find(info.key);
        const bool isChanged = set != settings.end();
        const std::string current = isChanged ? set->second : info.defaultValue;
        const QString name = QString::fromStdString(info.key);
        const auto apply = [this, info](const std::string& value) {
            Choices changed = m_session.choices();
            if (value == info.defaultValue)
                changed.settings.erase(info.key);
            else
                changed.settings[info.key] = value;
            m_session.change(QString::fromStdString(info.key + " = " + value), std::move(changed));
        };
        if (info.choices.empty()) {
            addInteger(name, std::atoi(current.c_str()), static_cast<int>(info.minimum),
                static_cast<int>(std::min<std::int64_t>(info.maximum, kMaximumDim)), isChanged,
                [apply](int number) { apply(std::to_string(number)); });
        } else {
            QStringList choices;
            for (const std::string& choice : info.choices)
                choices << QString::fromStdString(choice);
            addChoice(name, choices, QString::fromStdString(current), isChanged,
                [apply](const QString& text) { apply(text.toStdString()); });
        }
    }
}

void WhatIfBar::rebuild() {
    const auto result = m_session.state().result();
    if (!result)
        return;
    // A control that the user is dragging must not be replaced under the pointer.
    std::string key = result->graph().info.path + '|' + result->machine().id;
    if (key == m_builtFor && m_controls->isAncestorOf(focusWidget() ? focusWidget() : this))
        return;
    m_builtFor = key;
    while (QLayoutItem* item = m_row->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    addSymbols();
    addFusion();
    addFamilySettings();
    m_row->addStretch(1);
}

void WhatIfBar::refreshTotal() {
    const auto result = m_session.state().result();
    m_reset->setEnabled(result
        && (!m_session.choices().settings.empty() || !m_session.choices().isFusionOn
            || m_session.choices().precision || !(m_session.choices().bindings == ir::Bindings{})));
    if (!result) {
        m_total->clear();
        m_band->clear();
        return;
    }
    const analysis::Totals& totals = result->totals;
    QString text = totals.validated ? QString() : QStringLiteral("~");
    if (totals.unknownSteps > 0)
        text = tr("at least ");
    m_total->setText(text + views::common::formatTime(totals.time));
    const auto baseline = m_session.baselineTotal();
    QString band;
    if (baseline && baseline->value > 0 && m_reset->isEnabled())
        band = QStringLiteral("Δ %1%2 %  ")
                   .arg(totals.time.value >= baseline->value ? QStringLiteral("+")
                                                             : QStringLiteral("−"))
                   .arg(std::abs(totals.time.value / baseline->value - 1) * 100, 0, 'f', 1);
    if (totals.low && totals.high)
        band +=
            QStringLiteral("(%1–%2), ")
                .arg(views::common::formatTime(totals.low), views::common::formatTime(totals.high));
    band += QString::fromStdString(analysis::validationText(totals));
    m_band->setText(band);
}

} // namespace fivefold::app
