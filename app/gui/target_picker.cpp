// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/target_picker.h"

#include "views/common/format.h"
#include "views/common/palette.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStylePainter>
#include <QStyledItemDelegate>

namespace fivefold::app {

using views::common::Palette;

namespace {

constexpr int kMachineRole = Qt::UserRole; // index into the machines, or −1 for a heading
constexpr int kStripeWidth = 5;
constexpr int kRowHeight = 24;
constexpr int kPopupWidth = 420;

/// A row: stripe, name, and at the right the year and the number of published figures.
class MachineDelegate final : public QStyledItemDelegate {
public:
    MachineDelegate(
        const std::vector<std::shared_ptr<const machines::Machine>>& machines, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_machines(machines) { }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {kPopupWidth, kRowHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const int number = index.data(kMachineRole).toInt();
        if (number < 0)
            return;
        const machines::Machine& machine = *m_machines[static_cast<std::size_t>(number)];
        painter->save();
        painter->fillRect(QRect(option.rect.left() + 2, option.rect.top() + 3, kStripeWidth - 1,
                              option.rect.height() - 6),
            Palette::current().machine(machine.family));
        const bool isSelected = option.state & QStyle::State_Selected;
        painter->setPen(isSelected ? option.palette.highlightedText().color()
                                   : Palette::current().role("textSecondary"));
        const auto precision = machines::toString(machine.defaultPrecision());
        const QString right =
            QStringLiteral("%1 · %2")
                .arg(QString::fromUtf8(precision.data(), static_cast<int>(precision.size())))
                .arg(machine.year);
        painter->drawText(
            option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, right);
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(kMachineRole).toInt() < 0)
            option->font.setBold(true);
        else
            option->text = QStringLiteral("    ") + option->text;
    }

private:
    const std::vector<std::shared_ptr<const machines::Machine>>& m_machines;
};

} // namespace

QString familyTitle(std::string_view family) {
    if (family == "gpu")
        return QStringLiteral("GPU");
    if (family == "tpu")
        return QStringLiteral("Google TPU");
    if (family == "cerebras")
        return QStringLiteral("Cerebras wafer");
    if (family == "groq")
        return QStringLiteral("Groq LPU");
    if (family == "spyre")
        return QStringLiteral("IBM Spyre");
    return TargetPicker::tr("Reference");
}

TargetPicker::TargetPicker(QWidget* parent)
    : QComboBox(parent)
    , m_items(new QStandardItemModel(this)) {
    setModel(m_items);
    setItemDelegate(new MachineDelegate(m_machines, this));
    view()->setMinimumWidth(kPopupWidth);
    setMaxVisibleItems(30);
    setAccessibleName(tr("Accelerator target"));
    setToolTip(
        tr("Accelerator target: the machine that the model is lowered for (Alt+1 to Alt+5)"));
    std::string_view family;
    for (const auto& machine : machines::bundledMachines()) {
        if (machine->family != family) {
            family = machine->family;
            addHeading(familyTitle(family));
        }
        addMachine(machine);
    }
    connect(this, &QComboBox::activated, this, [this](int row) {
        const int number = itemData(row, kMachineRole).toInt();
        if (number >= 0)
            emit machineChosen(m_machines[static_cast<std::size_t>(number)]);
    });
}

void TargetPicker::addHeading(const QString& text) {
    auto* item = new QStandardItem(text);
    item->setData(-1, kMachineRole);
    item->setFlags(Qt::NoItemFlags);
    m_items->appendRow(item);
}

void TargetPicker::addMachine(std::shared_ptr<const machines::Machine> machine) {
    auto* item = new QStandardItem(QString::fromStdString(machine->name));
    item->setData(static_cast<int>(m_machines.size()), kMachineRole);
    item->setToolTip(QString::fromStdString(machine->generation));
    m_machines.push_back(std::move(machine));
    m_items->appendRow(item);
}

void TargetPicker::addOwn(std::shared_ptr<const machines::Machine> machine) {
    const bool isFirst = findText(tr("Own machines")) < 0;
    if (isFirst)
        addHeading(tr("Own machines"));
    addMachine(std::move(machine));
}

void TargetPicker::setMachine(const std::shared_ptr<const machines::Machine>& machine) {
    for (int row = 0; row < count(); ++row) {
        const int number = itemData(row, kMachineRole).toInt();
        if (number >= 0 && m_machines[static_cast<std::size_t>(number)] == machine) {
            setCurrentIndex(row);
            return;
        }
    }
    addOwn(machine);
    setCurrentIndex(count() - 1);
}

QSize TargetPicker::minimumSizeHint() const {
    return {160, QComboBox::minimumSizeHint().height()};
}

void TargetPicker::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const int number = currentData(kMachineRole).toInt();
    if (currentIndex() < 0 || number < 0)
        return;
    const machines::Machine& machine = *m_machines[static_cast<std::size_t>(number)];
    painter.fillRect(QRect(field.left() + 1, field.top() + 2, kStripeWidth, field.height() - 4),
        Palette::current().machine(machine.family));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::ButtonText));
    const QRect text = field.adjusted(kStripeWidth + 6, 0, 0, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(bold).elidedText(currentText(), Qt::ElideMiddle, text.width()));
}

} // namespace fivefold::app
