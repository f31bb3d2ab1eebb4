// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/roofline/gap_content.h"

#include <QWidget>

class QAction;
class QComboBox;
class QHBoxLayout;
class QTableWidget;

namespace fivefold::views::roofline {

/// The block under the chart: the gap bar with its buttons, or the parts as a table that can be
/// copied.
class GapBlock final : public QWidget {
    Q_OBJECT

public:
    explicit GapBlock(QWidget* parent);

    /// Adds a button for an action; text alone.
    void addButton(QAction* action);
    /// Who pays for relayouts; shown only where there are any.
    QComboBox* chargeBox() const { return m_charge; }
    void setContent(GapContent content);
    const GapContent& content() const { return m_content; }
    void setTable(bool isOn);
    QTableWidget* table() const { return m_table; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void copyRows();

    GapContent m_content;
    QHBoxLayout* m_buttons = nullptr;
    QComboBox* m_charge = nullptr;
    QTableWidget* m_table = nullptr;
    bool m_isTable = false;
};

} // namespace fivefold::views::roofline
