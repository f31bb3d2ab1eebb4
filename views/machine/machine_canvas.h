// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/machine/machine_painter.h"

#include <QTimer>

namespace fivefold::views::machine {

/// A machine as boxes, and the systolic array that steps. Arrows walk boxes; full stop and comma
/// step a cycle, > and < a phase, Home and End go to the first and last cycle, F9 plays. A click on
/// the phase bar goes there.
class MachineCanvas final : public common::Canvas {
    Q_OBJECT

public:
    MachineCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Geometry& geometry() const { return m_geometry; }
    const ArrayGeometry& arrayGeometry() const { return m_arrayGeometry; }
    const Options& options() const { return m_options; }
    std::optional<std::size_t> focused() const { return m_focused; }
    void updatePicture();
    void setOptions(const Options& options);

    /// Cycle that is shown, clamped to the run; 0 without one.
    std::int64_t cycle() const { return m_cycle; }
    void setCycle(std::int64_t cycle);
    void stepBy(std::int64_t cycles);
    void stepPhase(int by);
    bool isPlaying() const { return m_timer.isActive(); }
    void setPlaying(bool isOn);
    void paintContent(QPainter& painter, const QSize& size) const;

signals:
    void pictureChanged();
    void cycleChanged();
    void playingChanged(bool isPlaying);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rearrange();
    void walk(int by);
    void advance();
    void scrubTo(const QPoint& position);

    common::ViewState& m_state;
    Picture m_picture;
    Options m_options;
    Geometry m_geometry;
    ArrayGeometry m_arrayGeometry;
    std::optional<std::size_t> m_focused, m_hovered;
    std::int64_t m_cycle = 0;
    QTimer m_timer;
};

} // namespace fivefold::views::machine
