// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace fivefold::app {

class Session;

/// What if: one control a free symbol of the model, fusion, and the settings of the machine's
/// family; at the right the total with its band. A symbol that the file fixes shows a lock with the
/// reason.
class WhatIfBar final : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfBar(Session& session, QWidget* parent = nullptr);

    /// "88.8 µs", as the total label shows it.
    QString totalText() const;

private:
    void rebuild();
    void refreshTotal();
    void addSymbols();
    void addFusion();
    void addFamilySettings();
    void addFixed(const QString& name, const QString& reason);
    void addInteger(const QString& name, int value, int minimum, int maximum, bool isChanged,
        std::function<void(int)> apply);
    void addChoice(const QString& name, const QStringList& choices, const QString& current,
        bool isChanged, std::function<void(const QString&)> apply);
    QLabel* addLabel(const QString& name, bool isChanged);

    Session& m_session;
    QWidget* m_controls = nullptr;
    QHBoxLayout* m_row = nullptr;
    QPushButton* m_reset = nullptr;
    QLabel* m_total = nullptr;
    QLabel* m_band = nullptr;
    std::string m_builtFor; ///< model, machine and settings that the controls show
};

} // namespace fivefold::app
