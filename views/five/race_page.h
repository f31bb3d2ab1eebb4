// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace fivefold::views::five {

class RaceCanvas;

/// The lanes under their controls: play, step, scrub, the kind of clock and the speed.
class RacePage final : public QWidget {
    Q_OBJECT

public:
    explicit RacePage(QWidget* parent);

    RaceCanvas* canvas() const { return m_canvas; }
    QSlider* slider() const { return m_slider; }
    QComboBox* clocks() const { return m_clocks; }
    QToolButton* playButton() const { return m_play; }

private:
    void createBar();
    void refresh();

    RaceCanvas* m_canvas = nullptr;
    QToolButton* m_play = nullptr;
    QSlider* m_slider = nullptr;
    QComboBox* m_clocks = nullptr;
    QLabel* m_time = nullptr;
};

} // namespace fivefold::views::five
