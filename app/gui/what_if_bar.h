// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;

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

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What a control shows.
    struct Shown {
        int number = 0;
        QString text;
        bool isChanged = false;
    };
    /// A label with what changes its value; a slider and a spin box, or a list.
    struct Control {
        QWidget* group = nullptr;
        QLabel* label = nullptr;
        QSlider* slider = nullptr;
        QSpinBox* spin = nullptr;
        QComboBox* box = nullptr;
        QString name;
        std::function<Shown()> read;
    };

    void refresh();
    void rebuild();
    void refreshValues();
    void refreshTotal();
    /// Sliders go first where the bar is narrow; then what does not fit moves behind "»".
    void fitControls();
    void addSymbols();
    void addFusion();
    void addFamilySettings();
    void addFixed(const QString& name, const QString& reason);
    void addInteger(const QString& name, int minimum, int maximum, std::function<Shown()> read,
        std::function<void(int)> apply);
    void addChoice(const QString& name, const QStringList& choices, std::function<Shown()> read,
        std::function<void(const QString&)> apply);
    Control& addControl(const QString& name, std::function<Shown()> read);

    Session& m_session;
    QWidget* m_controls = nullptr;
    QHBoxLayout* m_row = nullptr;
    QToolButton* m_more = nullptr;
    QWidget* m_overflow = nullptr; ///< opens below "»"
    std::vector<Control> m_list;
    QPushButton* m_reset = nullptr;
    QLabel* m_total = nullptr;
    QLabel* m_band = nullptr;
    std::string m_builtFor; ///< model and machine whose controls these are
};

} // namespace fivefold::app
