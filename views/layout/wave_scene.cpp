// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/wave_grid.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/type.h"
#include "views/layout/scene.h"
#include "views/layout/scene_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::views::layout {

using namespace common;
using lowering::StepId;
using lowering::WaveGrid;

namespace {

constexpr double kSmallestCell = 5, kLargestCell = 36;
constexpr double kWaveGap = 20;
constexpr double kMiddle = 92; ///< room for the words that stand for waves left out
constexpr double kHead = 34, kFoot = 10; ///< words above the waves, and below

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

std::optional<WaveGrid> gridOf(const analysis::Result& result, StepId step) {
    const auto& graph = result.program.stage(lowering::Stage::Scheduled);
    if (!result.program.steps.contains(step))
        return std::nullopt;
    const lowering::NodeId node = result.program.steps[step].mainNode;
    return graph.nodes.contains(node) ? lowering::waveGrid(graph.nodes[node]) : std::nullopt;
}

/// The first selected step that is a grid; without a selection the longest one.
StepId shownStep(const ViewState& state) {
    const analysis::Result& result = *state.result();
    for (const StepId step : state.selectedSteps())
        if (gridOf(result, step))
            return step;
    StepId best;
    if (!state.selection().isEmpty())
        return best;
    base::Seconds longest(-1);
    for (std::size_t s = 0; s < result.program.steps.size(); ++s) {
        const auto& estimate = result.program.steps[StepId(s)].estimate;
        if (estimate.isKnown && longest < estimate.time && gridOf(result, StepId(s))) {
            longest = estimate.time;
            best = StepId(s);
        }
    }
    return best;
}

class WaveBuilder {
public:
    WaveBuilder(const ViewState& state, const QSizeF& size, StepId step, const WaveGrid& grid)
        : m_state(state)
        , m_result(*state.result())
        , m_size(size)
        , m_step(step)
        , m_grid(grid) { }

    Scene run() {
        m_scene.sentence = sentence();
        for (std::size_t s = 0; s < m_result.program.steps.size(); ++s)
            if (const auto grid = gridOf(m_result, StepId(s)))
                m_scene.rows.emplace_back(
                    tr("%1: %2 CTAs, %3 %4, %5 of the places idle")
                        .arg(kernelName(m_result, StepId(s)), formatCount(grid->pieces),
                            formatCount(grid->waves()),
                            grid->waves() == 1 ? tr("wave") : tr("waves"),
                            formatShare(grid->idleShare())),
                    SceneTarget{StepId(s), {}});
        draw();
        m_scene.legend = lensLegend(m_state.lens());
        m_scene.legend << hatchEntry(tr("idle"));
        m_scene.footnote = m_grid.perUnit > 1
            ? tr("a cell is a SM with room for %1 CTAs").arg(m_grid.perUnit)
            : tr("a cell is a SM; one CTA at a time");
        return std::move(m_scene);
    }

private:
    QString sentence() const {
        QString text =
            tr("%1: %2 CTAs").arg(kernelName(m_result, m_step), formatCount(m_grid.pieces));
        if (m_grid.rows > 0 && m_grid.columns > 0)
            text += tr(" of %1×%2").arg(m_grid.rows).arg(m_grid.columns);
        if (m_grid.splits > 1)
            text += tr(", %1 to a tile,").arg(m_grid.splits);
        text += tr(" over %1 SMs").arg(formatCount(m_grid.units));
        if (m_grid.perUnit > 1)
            text += tr(" that hold %1 each").arg(m_grid.perUnit);
        text += tr(": %1 %2").arg(
            formatCount(m_grid.waves()), m_grid.waves() == 1 ? tr("wave") : tr("waves"));
        if (m_grid.idlePlaces() == 0)
            return text + tr(", the last one full.");
        return text
            + tr(". The last leaves %1 of %2 places idle: a tail of %3 of the kernel's places.")
                  .arg(formatCount(m_grid.idlePlaces()), formatCount(m_grid.places()),
                      formatShare(m_grid.idleShare()));
    }

    /// Cells of one wave: columns × rows that hold all SMs, as large as the room allows.
    void measure(const QRectF& room) {
        const std::int64_t waves = m_grid.waves();
        const auto units = static_cast<double>(m_grid.units);
        for (std::int64_t shown = std::min<std::int64_t>(waves, 12); shown >= 1; --shown) {
            const bool hasMiddle = shown < waves;
            const double width = (room.width() - (hasMiddle ? kMiddle : 0)
                                     - kWaveGap * static_cast<double>(shown - 1))
                / static_cast<double>(shown);
            if (width < 40 && shown > 1)
                continue;
            const double ideal = std::sqrt(width * room.height() / units);
            double cell = std::min(kLargestCell, ideal);
            while (cell >= 2 && std::floor(width / cell) * std::floor(room.height() / cell) < units)
                cell -= 0.25;
            if (cell < kSmallestCell && shown > std::min<std::int64_t>(2, waves))
                continue;
            m_cell = std::max(cell, 2.0);
            m_columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(width / m_cell));
            m_columns = std::min(m_columns, m_grid.units);
            m_shown = shown;
            return;
        }
    }

    void draw() {
        const QRectF room(12, kHead, m_size.width() - 24, m_size.height() - kHead - kFoot);
        if (room.width() < 60 || room.height() < 30 || m_grid.pieces <= 0)
            return;
        measure(room);
        if (m_shown == 0)
            return;
        m_scene.plot = room;
        const double width = m_cell * static_cast<double>(m_columns);
        double left = room.left();
        // The first waves, words for those in the middle, the last one.
        const std::int64_t waves = m_grid.waves();
        for (std::int64_t i = 0; i < m_shown; ++i) {
            const bool isLast = i + 1 == m_shown;
            if (isLast && m_shown < waves) {
                m_scene.labels.push_back(
                    {QRectF(left - kWaveGap / 2, room.top(), kMiddle, 2 * lineHeight(smallFont())),
                        tr("… %1 full …").arg(formatCount(waves - m_shown)), Qt::AlignCenter});
                left += kMiddle;
            }
            wave(isLast ? waves - 1 : i, left, room.top());
            left += width + kWaveGap;
        }
    }

    /// CTAs that a SM runs in a wave: hardware deals them out one SM after another.
    std::int64_t piecesOf(std::int64_t wave, std::int64_t unit) const {
        if (wave + 1 < m_grid.waves())
            return m_grid.perUnit;
        const std::int64_t tail = m_grid.tail();
        return std::min(m_grid.perUnit, tail / m_grid.units + (unit < tail % m_grid.units ? 1 : 0));
    }

    void wave(std::int64_t number, double left, double top) {
        const bool isLast = number + 1 == m_grid.waves();
        const double width = m_cell * static_cast<double>(m_columns);
        const double line = lineHeight(smallFont());
        const std::int64_t pieces = isLast ? m_grid.tail() : m_grid.places();
        m_scene.labels.push_back(
            {QRectF(left, top - 2 * line - 2, std::max(width + 16, 90.0), line),
                tr("wave %1 of %2").arg(formatCount(number + 1), formatCount(m_grid.waves())),
                Qt::AlignLeft | Qt::AlignVCenter, false, false});
        m_scene.labels.push_back({QRectF(left, top - line - 2, std::max(width + 16, 90.0), line),
            isLast && m_grid.idlePlaces() > 0
                ? tr("%1 CTAs, %2 idle").arg(formatCount(pieces), formatCount(m_grid.idlePlaces()))
                : tr("%1 CTAs").arg(formatCount(pieces))});
        for (std::int64_t unit = 0; unit < m_grid.units; ++unit) {
            const QRectF rect(left + m_cell * static_cast<double>(unit % m_columns),
                top + m_cell * static_cast<double>(unit / m_columns), m_cell - 1, m_cell - 1);
            if (rect.bottom() > m_size.height())
                break;
            const std::int64_t own = piecesOf(number, unit);
            SceneMark mark;
            mark.rect = rect;
            mark.fill = MarkFill::Lens;
            mark.filled = static_cast<double>(own) / static_cast<double>(m_grid.perUnit);
            mark.target.step = own > 0 ? m_step : StepId();
            mark.isFramed = m_cell >= kSmallestCell;
            mark.isRinged = false;
            mark.card = cardOf(number, unit, own);
            m_scene.marks.push_back(std::move(mark));
        }
    }

    CardContent cardOf(std::int64_t wave, std::int64_t unit, std::int64_t own) const {
        CardContent card;
        card.title = tr("SM %1, wave %2").arg(formatCount(unit), formatCount(wave + 1));
        if (own == 0)
            card.lines << tr("idle: no CTA is left for it");
        else if (m_grid.perUnit == 1)
            card.lines << tr("CTA %1 of %2")
                              .arg(formatCount(wave * m_grid.places() + unit + 1),
                                  formatCount(m_grid.pieces));
        else
            card.lines << tr("%1 of %2 places taken").arg(own).arg(m_grid.perUnit);
        card.lines << tr("hardware deals CTAs to SMs as they come free; the numbers are those of "
                         "an even run");
        return card;
    }

    const ViewState& m_state;
    const analysis::Result& m_result;
    const QSizeF m_size;
    const StepId m_step;
    const WaveGrid m_grid;
    double m_cell = 0;
    std::int64_t m_columns = 1;
    std::int64_t m_shown = 0;
    Scene m_scene;
};

} // namespace

Scene waveScene(const ViewState& state, const SceneView&, const QSizeF& size) {
    Scene scene;
    if (!state.result()) {
        scene.reason = tr("No model is open; open one to see its waves.");
    } else if (const StepId step = shownStep(state);
               const auto grid = step.isValid() ? gridOf(*state.result(), step) : std::nullopt) {
        return WaveBuilder(state, size, step, *grid).run();
    } else {
        scene.reason = state.selection().isEmpty()
            ? tr("No kernel of this program is launched as a grid of CTAs.")
            : tr("The selection launches no kernel of its own here: views and host work have no "
                 "CTAs, and an unknown shape has no grid.");
    }
    scene.sentence = scene.reason;
    return scene;
}

} // namespace fivefold::views::layout
