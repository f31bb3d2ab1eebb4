// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;

namespace fivefold::app {

class Session;

/// What if: one control a size of the model that may be varied, precision, fusion, compiler mode,
/// and the settings of the machine's family; what was tried beside them; at the right the total
/// with its band. A size that the file fixes shows a lock with the reason, until it is proved free.
class WhatIfBar final : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfBar(Session& session, QWidget* parent = nullptr);

    /// "88.8 µs", as the total label shows it.
    QString totalText() const;
    /// "Δ +12.0 %  (80–97 µs), …", in full.
    QString bandText() const { return m_bandText; }

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What a control shows.
    struct Shown {
        int number = 0;
        QString text;
        bool isChanged = false;
    };
    /// A label with what changes its value: a slider and a spin box, a list, or a lock.
    struct Control {
        QWidget* group = nullptr;
        QLabel* label = nullptr;
        QToolButton* restore = nullptr; ///< "↺", there while the value is changed
        QSlider* slider = nullptr;
        QSpinBox* spin = nullptr;
        QComboBox* box = nullptr;
        QString name;
        std::function<Shown()> read;
    };
    struct Range {
        int minimum = 1, maximum = 1;
    };

    void createTotals(QHBoxLayout& row);
    void createOverflow();
    void refresh();
    void rebuild();
    void refreshValues();
    void refreshTotal();
    void refreshBand();
    void refreshTried();
    /// What does not fit moves behind "»"; where not even the sizes do, they lose their sliders.
    void fitControls();
    void addSizes();
    void addSize(const std::string& symbol, Range range, std::int64_t fixed);
    void addPrecision();
    void addFusion();
    void addMode();
    void addFamilySettings();
    void addFixed(const QString& name, const QString& reason);
    using Apply = std::function<void(int number, const QString& drag)>;
    void addInteger(const QString& name, Range range, std::function<Shown()> read, Apply apply,
        std::function<void()> restore);
    void addChoice(const QString& name, const QStringList& choices, std::function<Shown()> read,
        std::function<void(const QString&)> apply, std::function<void()> restore);
    Control& addControl(
        const QString& name, std::function<Shown()> read, std::function<void()> restore);

    Session& m_session;
    QWidget* m_controls = nullptr;
    QHBoxLayout* m_row = nullptr;
    QToolButton* m_more = nullptr;
    QWidget* m_overflow = nullptr; ///< opens above "»"
    std::vector<Control> m_list; ///< sizes first
    std::size_t m_sizeCount = 0;
    QToolButton* m_tried = nullptr; ///< "2 tried": its menu removes them
    QMenu* m_triedMenu = nullptr;
    QPushButton* m_reset = nullptr;
    QLabel* m_total = nullptr;
    QLabel* m_band = nullptr;
    QString m_bandText;
    QString m_bandShort; ///< where the bar is narrow: the change and the band
    QString m_drag; ///< of the slider that is down; empty: none
    int m_drags = 0;
    std::string m_builtFor; ///< model and machine whose controls these are
};

} // namespace fivefold::app
