// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/five/race_painter.h"

#include <QElapsedTimer>
#include <QPixmap>

namespace fivefold::views::five {

/// Five schedules in five lanes on one clock. Plays, pauses, steps from event to event, and is
/// scrubbed with the pointer. The events are painted once for each size and clock; a frame only
/// uncovers them.
class RaceCanvas final : public common::Canvas {
    Q_OBJECT

public:
    /// One course takes so long at speed 1.
    static constexpr double kCourseSeconds = 8;

    explicit RaceCanvas(QWidget* parent);

    const RacePicture& picture() const { return m_picture; }
    void setPicture(RacePicture picture); ///< keeps the clock
    const RaceGeometry& geometry() const { return m_geometry; }
    RaceClock kind() const { return m_kind; }
    void setKind(RaceClock kind);
    double clock() const { return m_clock; } ///< 0..1 of the course
    void setClock(double clock);
    bool isPlaying() const { return m_timer.isActive(); }
    void setPlaying(bool isPlaying); ///< at the end it starts over
    void togglePlaying() { setPlaying(!isPlaying()); }
    void setSpeed(double speed) { m_speed = speed; }
    /// To the next moment at which an event ends, or the one before.
    void step(int direction);
    void paintContent(QPainter& painter, const QSize& size) const;

signals:
    void clockChanged();
    void playingChanged(bool isPlaying);
    void machineRequested(const QString& family);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Layers {
        QPixmap unfired, fired;
    };
    void tick();
    void forgetLayers();
    const Layers& layers(int lane);

    RacePicture m_picture;
    RaceGeometry m_geometry;
    RaceClock m_kind = RaceClock::Real;
    double m_clock = 0;
    double m_speed = 1;
    QTimer m_timer;
    QElapsedTimer m_sinceTick;
    QVector<Layers> m_layers; ///< by lane; null until painted
};

} // namespace fivefold::views::five
