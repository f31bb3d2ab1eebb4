// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/what_if_bar.h"

#include "app/gui/session.h"
#include "core/analysis/report.h"
#include "views/common/format.h"
#include "views/common/icons.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
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
constexpr int kSymbolsShown = 3;
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
    m_row->setSpacing(0);
    m_controls->installEventFilter(this);
    m_overflow = new QWidget(this, Qt::Popup);
    new QVBoxLayout(m_overflow);
    m_more = new QToolButton(m_controls);
    m_more->setText(QStringLiteral("»"));
    m_more->setAutoRaise(true);
    m_more->setToolTip(tr("More to vary"));
    m_more->setAccessibleName(m_more->toolTip());
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, [this] {
        m_overflow->adjustSize();
        const QPoint corner = m_more->mapToGlobal(QPoint(0, 0));
        m_overflow->move(corner - QPoint(0, m_overflow->height()));
        m_overflow->show();
    });
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
        refresh();
        refreshTotal();
    });
    refreshTotal();
}

QString WhatIfBar::totalText() const {
    return m_total->text();
}

WhatIfBar::Control& WhatIfBar::addControl(const QString& name, std::function<Shown()> read) {
    Control control;
    control.name = name;
    control.read = std::move(read);
    control.group = new QWidget(m_controls);
    auto* row = new QHBoxLayout(control.group);
    row->setContentsMargins(8, 0, 0, 0);
    control.label = new QLabel(views::common::elideMiddle(name, kLongestName), control.group);
    if (name.size() > kLongestName)
        control.label->setToolTip(name);
    row->addWidget(control.label);
    m_list.push_back(std::move(control));
    return m_list.back();
}

void WhatIfBar::addFixed(const QString& name, const QString& reason) {
    Control& control = addControl(name, {});
    auto* lock = new QLabel(control.group);
    constexpr int kLockPixels = 14;
    lock->setPixmap(views::common::icon(QStringLiteral("lock")).pixmap(kLockPixels, kLockPixels));
    control.group->layout()->addWidget(lock);
    control.label->setEnabled(false);
    for (QLabel* each : {control.label, lock})
        each->setToolTip(reason);
}

void WhatIfBar::addInteger(const QString& name, int minimum, int maximum,
    std::function<Shown()> read, std::function<void(int)> apply) {
    Control& control = addControl(name, std::move(read));
    auto* slider = control.slider = new QSlider(Qt::Horizontal, control.group);
    slider->setRange(toSlider(minimum), toSlider(maximum));
    slider->setFixedWidth(72);
    slider->setAccessibleName(name);
    auto* spin = control.spin = new QSpinBox(control.group);
    spin->setRange(minimum, maximum);
    spin->setKeyboardTracking(false);
    spin->setAccessibleName(name);
    control.group->layout()->addWidget(slider);
    control.group->layout()->addWidget(spin);
    connect(slider, &QSlider::valueChanged, spin, [spin, minimum, maximum](int position) {
        spin->setValue(std::clamp(fromSlider(position), minimum, maximum));
    });
    connect(spin, &QSpinBox::valueChanged, this, [apply](int number) { apply(number); });
}

void WhatIfBar::addChoice(const QString& name, const QStringList& choices,
    std::function<Shown()> read, std::function<void(const QString&)> apply) {
    Control& control = addControl(name, std::move(read));
    control.box = new QComboBox(control.group);
    control.box->addItems(choices);
    control.box->setAccessibleName(name);
    control.group->layout()->addWidget(control.box);
    connect(control.box, &QComboBox::textActivated, this,
        [apply](const QString& text) { apply(text); });
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
        const auto read = [this, symbol] {
            const Choices& choices = m_session.choices();
            const auto value = boundOrAssumed(choices, *m_session.state().result(), symbol.name);
            return Shown{static_cast<int>(std::min<std::int64_t>(value, kMaximumDim)), {},
                choices.bindings.dims.count(symbol.name) > 0};
        };
        addInteger(name, 1, kMaximumDim, read, [this, name, symbol, isNamed](int number) {
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
    const auto read = [this] {
        const bool isOn = m_session.choices().isFusionOn;
        return Shown{0, isOn ? tr("on") : tr("off"), !isOn};
    };
    addChoice(tr("fusion"), {tr("on"), tr("off")}, read, [this](const QString& text) {
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
        const QString name = labelOf(info.key);
        const auto read = [this, info] {
            const auto& settings = m_session.choices().settings;
            const auto set = settings.find(info.key);
            const bool isChanged = set != settings.end();
            const std::string current = isChanged ? set->second : info.defaultValue;
            return Shown{std::atoi(current.c_str()), QString::fromStdString(current), isChanged};
        };
        const auto apply = [this, info](const std::string& value) {
            Choices changed = m_session.choices();
            if (value == info.defaultValue)
                changed.settings.erase(info.key);
            else
                changed.settings[info.key] = value;
            m_session.change(QString::fromStdString(info.key + " = " + value), std::move(changed));
        };
        if (info.choices.empty()) {
            addInteger(name, static_cast<int>(info.minimum),
                static_cast<int>(std::min<std::int64_t>(info.maximum, kMaximumDim)), read,
                [apply](int number) { apply(std::to_string(number)); });
        } else {
            QStringList choices;
            for (const std::string& choice : info.choices)
                choices << QString::fromStdString(choice);
            addChoice(
                name, choices, read, [apply](const QString& text) { apply(text.toStdString()); });
        }
        m_list.back().label->setToolTip(QString::fromStdString(info.description));
    }
}

void WhatIfBar::refresh() {
    const auto result = m_session.state().result();
    if (!result)
        return;
    // A control that the user is dragging must not be replaced under the pointer.
    std::string key = result->graph().info.path + '|' + result->machine().id;
    if (key != m_builtFor) {
        m_builtFor = std::move(key);
        rebuild();
    }
    refreshValues();
    fitControls();
}

void WhatIfBar::rebuild() {
    for (const Control& control : m_list)
        delete control.group;
    m_list.clear();
    while (QLayoutItem* item = m_row->takeAt(0))
        delete item;
    addSymbols();
    addFusion();
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
        const QString name = views::common::elideMiddle(control.name, kLongestName);
        control.label->setText(shown.isChanged ? name + QStringLiteral(" ↺") : name);
        if (control.box) {
            control.box->setCurrentText(shown.text);
            continue;
        }
        const QSignalBlocker quietSlider(control.slider);
        const QSignalBlocker quietSpin(control.spin);
        if (!control.slider->isSliderDown())
            control.slider->setValue(toSlider(shown.number));
        control.spin->setValue(shown.number);
    }
}

void WhatIfBar::fitControls() {
    auto* overflow = static_cast<QVBoxLayout*>(m_overflow->layout());
    for (const Control& control : m_list)
        if (control.slider)
            control.slider->setVisible(true);
    const auto widthOf = [](const Control& control) {
        control.group->layout()->invalidate();
        return control.group->layout()->sizeHint().width();
    };
    const int room = m_controls->width() - 8;
    const auto wanted = [&] {
        int sum = 0;
        for (const Control& control : m_list)
            sum += widthOf(control);
        return sum;
    };
    if (wanted() > room)
        for (const Control& control : m_list)
            if (control.slider)
                control.slider->setVisible(false);
    const bool isTooLong = wanted() > room;
    int left = isTooLong ? room - m_more->sizeHint().width() : room;
    bool isFull = false;
    int at = 0;
    for (const Control& control : m_list) {
        left -= widthOf(control);
        isFull |= isTooLong && left < 0;
        if (isFull) {
            if (control.slider)
                control.slider->setVisible(true);
            overflow->addWidget(control.group);
        } else if (m_row->indexOf(control.group) < 0) {
            m_row->insertWidget(at, control.group);
        }
        ++at;
        control.group->show();
    }
    m_more->setVisible(isFull);
}

bool WhatIfBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_controls && event->type() == QEvent::Resize)
        fitControls();
    return QWidget::eventFilter(watched, event);
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
