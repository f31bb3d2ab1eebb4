// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/machines/machine.h"

#include <QComboBox>
#include <QStandardItemModel>

#include <memory>

namespace fivefold::app {

/// The accelerator-target picker: five families with their generations, the user's own machines,
/// the reference CPU. The closed box shows a stripe in the family's colour and the bold name.
class TargetPicker final : public QComboBox {
    Q_OBJECT

public:
    explicit TargetPicker(QWidget* parent = nullptr);

    void setMachine(const std::shared_ptr<const machines::Machine>& machine);
    /// Adds one of the user's own machines, read from a file.
    void addOwn(std::shared_ptr<const machines::Machine> machine);
    QSize minimumSizeHint() const override;

signals:
    void machineChosen(std::shared_ptr<const machines::Machine> machine);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addHeading(const QString& text);
    void addMachine(std::shared_ptr<const machines::Machine> machine);

    QStandardItemModel* m_items = nullptr;
    std::vector<std::shared_ptr<const machines::Machine>>
        m_machines; ///< by Qt::UserRole of the row
};

/// "GPU", "TPU", "Cerebras", "Groq", "IBM Spyre".
QString familyTitle(std::string_view family);

} // namespace fivefold::app
