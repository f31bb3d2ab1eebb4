// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"
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
using lowering::EventId;
using lowering::ResourceId;

namespace {

constexpr double kTallestRow = 40, kLowestRow = 18;
constexpr double kTopMargin = 6, kBottomMargin = 22;

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

class SliceBuilder {
public:
    SliceBuilder(const ViewState& state, const SceneView& view, const QSizeF& size)
        : m_state(state)
        , m_result(*state.result())
        , m_view(view)
        , m_size(size)
        , m_end(static_cast<double>(schedule::makespan(m_result.program).value))
        , m_clock(m_result.machine().clock.value) { }

    Scene run() {
        m_scene.canZoomX = true;
        used();
        place();
        sentence();
        rows();
        if (!m_scene.plot.isNull())
            draw();
        m_scene.legend = lensLegend(m_state.lens());
        m_scene.footnote = m_clock ? tr("%1 slice × cycle at %2 GHz")
                                         .arg(statusGlyph(m_result.machine().clock.status),
                                             QLocale().toString(*m_clock / 1e9, 'g', 3))
                                   : tr("slice × time");
        return std::move(m_scene);
    }

private:
    /// Slices that do something, in the order that the family names them.
    void used() {
        std::vector<bool> isUsed(m_result.program.resources.size(), false);
        for (const lowering::Event& event : m_result.program.events)
            if (m_result.program.resources.contains(event.resource))
                isUsed[event.resource.index()] = true;
        for (std::size_t i = 0; i < isUsed.size(); ++i)
            if (isUsed[i])
                m_slices.push_back(ResourceId(i));
    }

    QString nameOf(ResourceId id) const {
        return QString::fromStdString(m_result.program.resources[id].name);
    }

    void place() {
        double names = 0;
        for (const ResourceId id : m_slices)
            names = std::max<double>(names, textWidth(smallFont(), nameOf(id)));
        names = std::min(names, m_size.width() * 0.3);
        const QRectF room(names + 16, kTopMargin, m_size.width() - names - 24,
            m_size.height() - kTopMargin - kBottomMargin);
        if (room.width() < 60 || room.height() < kLowestRow || m_slices.empty())
            return;
        m_row = std::clamp(
            room.height() / static_cast<double>(m_slices.size()), kLowestRow, kTallestRow);
        const double height = std::min(room.height(), m_row * static_cast<double>(m_slices.size()));
        m_scene.plot = QRectF(room.left(), room.top(), room.width(), height);
    }

    SceneAxis across() const {
        return {m_end, m_view.x, m_scene.plot.left(), m_scene.plot.right()};
    }
    std::optional<std::int64_t> cycles(double ps) const {
        return m_clock
            ? std::optional(static_cast<std::int64_t>(std::llround(ps * 1e-12 * *m_clock)))
            : std::nullopt;
    }
    QString when(double ps) const {
        const auto count = cycles(ps);
        return count ? tr("cycle %1").arg(formatCount(*count))
                     : formatTime(base::Picoseconds(static_cast<std::int64_t>(ps)));
    }

    CardContent cardOf(const lowering::Event& event) const {
        CardContent card;
        card.title = kernelName(m_result, event.step);
        card.lines << nameOf(event.resource);
        const auto start = static_cast<double>(event.start.value);
        const auto end = static_cast<double>(event.end.value);
        card.lines << tr("%1 to %2").arg(when(start), when(end))
                   << formatTime(event.end - event.start);
        if (event.repeat > 1)
            card.lines << tr("%1 times").arg(formatCount(event.repeat));
        card.lines << tr("decided by the %1").arg(decidedByName(event.decidedBy));
        return card;
    }

    void draw() {
        const SceneAxis x = across();
        std::vector<double> painted(m_slices.size(), -1e9);
        for (const lowering::Event& event : m_result.program.events) {
            const auto at = std::ranges::find(m_slices, event.resource);
            if (at == m_slices.end())
                continue;
            const auto row = static_cast<std::size_t>(at - m_slices.begin());
            const double left = x.pixel(static_cast<double>(event.start.value));
            const double right = x.pixel(static_cast<double>(event.end.value));
            // Events thinner than a pixel share it with the one before: the picture stays bounded.
            if (right < m_scene.plot.left() || left > m_scene.plot.right()
                || right < painted[row] + 0.5)
                continue;
            painted[row] = std::max(right, left + 1);
            SceneMark mark;
            mark.rect = QRectF(left, m_scene.plot.top() + m_row * static_cast<double>(row) + 2,
                std::max(1.0, right - left), m_row - 4)
                            .intersected(m_scene.plot);
            mark.label = kernelName(m_result, event.step);
            mark.fill = MarkFill::Lens;
            mark.target.step = event.step;
            mark.card = cardOf(event);
            m_scene.marks.push_back(std::move(mark));
        }
        axes();
    }

    void axes() {
        const QRectF& plot = m_scene.plot;
        for (std::size_t i = 0; i < m_slices.size(); ++i) {
            const double top = plot.top() + m_row * static_cast<double>(i);
            if (top + m_row > plot.bottom() + 1)
                break;
            m_scene.labels.push_back({QRectF(4, top, plot.left() - 12, m_row), nameOf(m_slices[i]),
                Qt::AlignRight | Qt::AlignVCenter, false, false});
            m_scene.lines.push_back(
                {{plot.left(), top + m_row, plot.right(), top + m_row}, SceneLine::Kind::Grid});
        }
        m_scene.lines.push_back({{plot.bottomLeft(), plot.bottomRight()}, SceneLine::Kind::Axis});
        m_scene.lines.push_back({{plot.topLeft(), plot.bottomLeft()}, SceneLine::Kind::Axis});
        const SceneAxis x = across();
        const double perUnit = m_clock ? *m_clock * 1e-12 : 1;
        const double line = lineHeight(smallFont());
        for (const double at : roundTicks(
                 x.low() * perUnit, x.high() * perUnit, std::max(2, int(plot.width() / 100)))) {
            const double pixel = x.pixel(at / perUnit);
            const QString text = m_clock
                ? formatCount(static_cast<std::int64_t>(at))
                : formatTime(base::Picoseconds(static_cast<std::int64_t>(at)));
            const double width = textWidth(smallFont(), text) + 4;
            m_scene.labels.push_back({QRectF(std::clamp(pixel - width / 2, plot.left(),
                                                 std::max(plot.left(), plot.right() - width)),
                                          plot.bottom() + 3, width, line),
                text, Qt::AlignCenter, false, true});
        }
    }

    void sentence() {
        const auto busy = schedule::utilisation(m_result.program);
        ResourceId most;
        for (const ResourceId id : m_slices)
            if (!most.isValid() || busy[id] > busy[most])
                most = id;
        QString text = tr("%1 events on %2 slices")
                           .arg(formatCount(std::int64_t(m_result.program.events.size())),
                               formatCount(std::int64_t(m_slices.size())));
        if (const auto all = cycles(m_end))
            text += tr(" in %1 cycles").arg(formatCount(*all));
        text += tr(", each at a time that the compiler fixed");
        if (most.isValid())
            text += tr("; %1 is busy %2 of the time").arg(nameOf(most), formatShare(busy[most]));
        text += u'.';
        if (m_result.program.chips > 1)
            text += tr(" %1 chips hold the weights.").arg(formatCount(m_result.program.chips));
        m_scene.sentence = text;
    }

    void rows() {
        for (const lowering::Event& event : m_result.program.events)
            m_scene.rows.emplace_back(
                tr("%1 on %2: %3 to %4")
                    .arg(kernelName(m_result, event.step), nameOf(event.resource),
                        when(static_cast<double>(event.start.value)),
                        when(static_cast<double>(event.end.value))),
                SceneTarget{event.step, {}});
    }

    const ViewState& m_state;
    const analysis::Result& m_result;
    const SceneView& m_view;
    const QSizeF m_size;
    const double m_end;
    const std::optional<double> m_clock;
    std::vector<ResourceId> m_slices;
    double m_row = 0;
    Scene m_scene;
};

} // namespace

Scene sliceScene(const ViewState& state, const SceneView& view, const QSizeF& size) {
    Scene scene;
    if (!state.result())
        scene.reason = tr("No model is open; open one to see its slices at work.");
    else if (state.result()->program.events.empty())
        scene.reason = tr("Nothing is scheduled: no step of the program has a known time.");
    else if (auto cycles = cycleScene(state, view, size))
        return std::move(*cycles);
    else
        return SliceBuilder(state, view, size).run();
    scene.sentence = scene.reason;
    return scene;
}

} // namespace fivefold::views::layout
