// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/play.h"

#include <QHBoxLayout>
#include <QList>
#include <QObject>

class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace fivefold::views::play {

/// The controls of the header: what is played, under which models and with which delays. Emits
/// after every change by the user.
class PlayControls final : public QObject {
    Q_OBJECT

public:
    PlayControls(QWidget* panel, QHBoxLayout* header);

    /// The request that the controls stand for; without nodes.
    analysis::PlayRequest request() const;
    void setRequest(const analysis::PlayRequest& request);
    /// The machine's own model on the left, another one on the right.
    void setModels(schedule::ExecutionModel left, schedule::ExecutionModel right);
    /// The one transfer that is late; invalid: all, by the seed.
    void setLate(lowering::EventId late);
    lowering::EventId late() const { return m_late; }
    int secondsOfPlay() const; ///< how long the whole block takes on the screen
    /// Controls that a narrow header leaves out, the last first.
    QList<QWidget*> optional() const;

    QComboBox* left() const { return m_left; }
    QComboBox* right() const { return m_right; }
    QComboBox* block() const { return m_block; }
    QComboBox* arbitration() const { return m_arbitration; }
    QComboBox* pace() const { return m_pace; }
    QSpinBox* queue() const { return m_queue; }
    QSpinBox* seed() const { return m_seed; }
    QSlider* jitter() const { return m_jitter; }

signals:
    void changed();
    void paceChanged(int seconds);

private:
    QComboBox* box(const QString& name, const QString& tip);
    QSpinBox* number(const QString& name, const QString& prefix, const QString& tip, int most);
    void addModels();
    void addDelays();
    void refreshStates();

    QWidget* m_panel;
    QHBoxLayout* m_header;
    QComboBox *m_block = nullptr, *m_left = nullptr, *m_right = nullptr, *m_arbitration = nullptr,
              *m_pace = nullptr;
    QSpinBox *m_queue = nullptr, *m_seed = nullptr;
    QSlider* m_jitter = nullptr;
    QLabel *m_beside = nullptr, *m_jitterLabel = nullptr;
    lowering::EventId m_late;
};

} // namespace fivefold::views::play
