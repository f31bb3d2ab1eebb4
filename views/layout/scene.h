// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/hover_card.h"
#include "views/common/lens.h"
#include "views/common/zoom_pan.h"
#include "views/layout/layout_geometry.h"

#include <QLineF>

#include <functional>

namespace fivefold::views::layout {

/// What a mark stands for, and so what a click on it selects. Both invalid: nothing.
struct SceneTarget {
    lowering::StepId step;
    lowering::ValueId value; ///< of the placed stage
    bool isEmpty() const { return !step.isValid() && !value.isValid(); }
    bool operator==(const SceneTarget&) const = default;
};

enum class MarkFill {
    None,
    Level, ///< hue of a memory level, `strength` of it
    Lens, ///< what the lens says of the target
    Neutral,
};

/// A rectangle that means something.
struct SceneMark {
    QRectF rect;
    QString label; ///< painted where it fits
    MarkFill fill = MarkFill::None;
    machines::MemoryKind level = machines::MemoryKind::Device;
    double strength = 1; ///< 0..1
    double filled = 1; ///< share of the width that is filled; the rest is hatched as idle
    bool isRefused = false; ///< cross-hatch: it did not fit
    bool isFramed = true;
    bool isRinged = true; ///< by a selection of its target; not where all marks are one kernel
    SceneTarget target;
    common::CardContent card;
};

struct SceneLine {
    enum class Kind { Axis, Grid, Capacity, HandOff, Cursor };
    QLineF line;
    Kind kind = Kind::Grid;
    double width = 1;
    machines::MemoryKind level = machines::MemoryKind::Device; ///< of Capacity
};

/// A picture of one machine's memory or units: rectangles, lines and words, and nothing that is not
/// in view. Pure data: what it says can be printed by the command line (buffers, regions, waves,
/// events).
struct Scene {
    QString reason; ///< not empty: why there is nothing to draw, a sentence
    QString sentence;
    QRectF plot;
    std::vector<SceneMark> marks;
    std::vector<SceneLine> lines;
    std::vector<Label> labels;
    common::Legend legend;
    QString footnote;
    /// The list twin's lines, in order; they may be more than the marks that are in view.
    std::vector<std::pair<QString, SceneTarget>> rows;
    /// What a point that no mark covers means; may be empty.
    std::function<common::CardContent(const QPointF&)> background;
    bool canZoomX = false, canZoomY = false;

    bool isEmpty() const { return !reason.isEmpty(); }
    const SceneMark* markAt(const QPointF& point) const; ///< the topmost; null outside all
};

/// What the user chose to look at.
struct SceneView {
    std::optional<std::size_t> level; ///< of the memory map; none: the nearest on the chip
    std::optional<std::int64_t> unit; ///< none: that of the selection, else the fullest
    bool isInOrder = false; ///< one step beside the next instead of time
    common::Interval x{0, 1}, y{0, 1}; ///< part of the whole that is shown
};

using SceneBuilder =
    std::function<Scene(const common::ViewState& state, const SceneView& view, const QSizeF& size)>;

/// Buffers of one memory: addresses over time, with capacity, gaps and what did not fit.
Scene mapScene(const common::ViewState& state, const SceneView& view, const QSizeF& size);
/// The wafer's floor plan: a rectangle of PEs a kernel, and the hops between them.
Scene floorScene(const common::ViewState& state, const SceneView& view, const QSizeF& size);
/// Functional slices of a chip over time; with a kernel selected, its cycles.
Scene sliceScene(const common::ViewState& state, const SceneView& view, const QSizeF& size);
/// Units of a statically scheduled chip over the cycles of the selected kernel; nullopt where
/// nothing is selected or the kernel has no cycle view.
std::optional<Scene> cycleScene(
    const common::ViewState& state, const SceneView& view, const QSizeF& size);
/// The waves of the selected kernel's CTAs over the SMs, with the idle tail.
Scene waveScene(const common::ViewState& state, const SceneView& view, const QSizeF& size);

/// The map's choices for its header.
struct MapChoice {
    QString label;
    std::size_t level = 0;
};
std::vector<MapChoice> mapChoices(const common::ViewState& state);
/// The level and instance that mapScene() shows.
std::optional<std::size_t> shownLevel(const common::ViewState& state, const SceneView& view);
std::vector<std::int64_t> shownUnits(const common::ViewState& state, const SceneView& view);
std::int64_t shownUnit(const common::ViewState& state, const SceneView& view);
/// "PE of attn/MatMul" on a wafer, "chip 3", "instance 7".
QString unitName(const common::ViewState& state, std::int64_t unit);

// What the scenes share.
/// The part of an axis of `extent` units that `shown` shows, in pixels of [from, to].
class SceneAxis {
public:
    SceneAxis(double extent, const common::Interval& shown, double from, double to)
        : m_extent(extent > 0 ? extent : 1)
        , m_shown(shown)
        , m_from(from)
        , m_to(to) { }
    double pixel(double value) const {
        return m_from + (value / m_extent - m_shown.low) / m_shown.span() * (m_to - m_from);
    }
    double value(double pixel) const {
        return ((pixel - m_from) / (m_to - m_from) * m_shown.span() + m_shown.low) * m_extent;
    }
    double low() const { return m_shown.low * m_extent; }
    double high() const { return m_shown.high * m_extent; }

private:
    double m_extent;
    common::Interval m_shown;
    double m_from, m_to;
};
/// About `count` round values inside [low, high]: 1, 2 or 5 times a power of ten (of two: powers).
std::vector<double> roundTicks(double low, double high, int count, bool isBinary = false);
/// Kernel's name for users, by the step that runs it.
QString kernelName(const analysis::Result& result, lowering::StepId step);

} // namespace fivefold::views::layout
