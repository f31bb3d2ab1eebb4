// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/address_map.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/type.h"
#include "views/layout/scene.h"
#include "views/layout/scene_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace fivefold::views::layout {

using namespace common;
using lowering::Stage;
using lowering::StepId;

namespace {

constexpr double kTopMargin = 20; ///< line of the capacity's words
constexpr double kRefusedStrip = 18; ///< of what did not fit, above the plot
constexpr double kBottomMargin = 20;
constexpr double kSmallest = 0.4; ///< px: thinner rectangles are left out where many are
constexpr std::size_t kManyStays = 2000;
constexpr double kOffScale = 2; ///< capacity beyond this many times the top is words and an arrow

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

/// Weights 100, activations 60, scratch 30 % of the level's hue (design/interface.md, section 3).
double strengthOf(lowering::ValueRole role) {
    switch (role) {
    case lowering::ValueRole::Weight:
    case lowering::ValueRole::Constant:
        return 1;
    case lowering::ValueRole::Scratch:
        return 0.3;
    default:
        return 0.6;
    }
}

class MapBuilder {
public:
    MapBuilder(const ViewState& state, const SceneView& view, const QSizeF& size)
        : m_state(state)
        , m_result(*state.result())
        , m_view(view)
        , m_size(size) { }

    Scene run(std::size_t level) {
        m_memory = &m_result.machine().memories[level];
        m_map = memory::addressMap(
            m_result.program, m_result.machine(), level, shownUnit(m_state, m_view));
        m_scene.canZoomX = m_scene.canZoomY = true;
        const double left = textWidth(monoFont(), formatAddress(top())) + 16;
        const double above = kTopMargin + (m_map.refused.empty() ? 0 : kRefusedStrip);
        m_scene.plot = QRectF(
            left, above, m_size.width() - left - 10, m_size.height() - above - kBottomMargin);
        if (m_scene.plot.width() < 60 || m_scene.plot.height() < 30)
            m_scene.plot = QRectF();
        m_scene.sentence = sentence();
        rows();
        if (!m_scene.plot.isNull())
            draw();
        legend();
        return std::move(m_scene);
    }

private:
    bool isCapacityShown() const {
        return m_map.capacity
            && static_cast<double>(m_map.capacity->value)
            <= kOffScale * static_cast<double>(std::max<std::int64_t>(1, m_map.top));
    }
    std::int64_t top() const {
        const std::int64_t high =
            isCapacityShown() ? std::max(m_map.capacity->value, m_map.top) : m_map.top;
        return std::max<std::int64_t>(1, high + high / 16);
    }
    /// Extent of the horizontal axis: steps, or picoseconds.
    double extent() const {
        if (isInOrder())
            return static_cast<double>(m_result.program.steps.size());
        return static_cast<double>(m_map.end.value);
    }
    bool isInOrder() const { return m_view.isInOrder || m_map.end.value <= 0; }
    SceneAxis across() const {
        return {extent(), m_view.x, m_scene.plot.left(), m_scene.plot.right()};
    }
    /// Address 0 at the bottom; the view counts from the top.
    SceneAxis upwards() const {
        return {static_cast<double>(top()), {1 - m_view.y.high, 1 - m_view.y.low},
            m_scene.plot.bottom(), m_scene.plot.top()};
    }
    const lowering::Buffer& buffer(const memory::Stay& stay) const {
        return m_result.program.buffers[stay.buffer];
    }
    QString nameOf(lowering::BufferId id) const {
        const auto& graph = m_result.program.stage(Stage::Placed);
        const lowering::Buffer& buffer = m_result.program.buffers[id];
        if (!graph.values.contains(buffer.value))
            return tr("scratch");
        const std::string& name = graph.values[buffer.value].name;
        return name.empty() ? tr("unnamed") : shortName(name);
    }
    QString during(StepId first, StepId last) const {
        const QString from = kernelName(m_result, first);
        const QString to = kernelName(m_result, last);
        return first == last ? tr("during %1").arg(from) : tr("from %1 to %2").arg(from, to);
    }

    QRectF rectOf(StepId first, StepId last, base::Picoseconds begin, base::Picoseconds end,
        double bottom, double high) const {
        const SceneAxis x = across();
        const SceneAxis y = upwards();
        const double left = x.pixel(
            isInOrder() ? static_cast<double>(first.value) : static_cast<double>(begin.value));
        const double right = x.pixel(
            isInOrder() ? static_cast<double>(last.value) + 1 : static_cast<double>(end.value));
        const double from = y.pixel(high);
        const double to = y.pixel(bottom);
        return {left, from, std::max(1.0, right - left), std::max(1.0, to - from)};
    }

    CardContent cardOf(const memory::Stay& stay) const {
        const lowering::Buffer& each = buffer(stay);
        CardContent card;
        card.title = nameOf(stay.buffer);
        card.lines << tr("%1 to %2, %3%4")
                          .arg(formatAddress(stay.address), formatAddress(stay.top()),
                              formatBytes(base::Bytes(stay.bytes)),
                              m_memory->instances > 1 && each.unit < 0
                                  ? tr(" on each of %1")
                                        .arg(formatCount(std::int64_t(m_memory->instances)))
                                  : QString())
                   << during(stay.first, stay.last) << roleName(each.category);
        if (stay.inPlaceOf.isValid())
            card.lines << tr("in place of %1").arg(nameOf(stay.inPlaceOf));
        if (!each.reason.empty())
            card.lines << asSentence(each.reason);
        return card;
    }

    void draw() {
        axes();
        const QRectF seen = m_scene.plot;
        const bool isMany = m_map.stays.size() > kManyStays;
        const bool isOwnHue = m_state.lens() == Lens::OperatorClass;
        for (const memory::Stay& stay : m_map.stays) {
            SceneMark mark;
            mark.rect = rectOf(stay.first, stay.last, stay.begin, stay.end,
                static_cast<double>(stay.address), static_cast<double>(stay.top()));
            if (!mark.rect.intersects(seen)
                || (isMany && (mark.rect.width() < kSmallest || mark.rect.height() <= 1))) {
                m_hidden += mark.rect.intersects(seen) ? 1 : 0;
                continue;
            }
            mark.rect = mark.rect.intersected(seen);
            mark.label =
                (stay.inPlaceOf.isValid() ? QStringLiteral("↳ ") : QString()) + nameOf(stay.buffer);
            mark.fill = isOwnHue ? MarkFill::Level : MarkFill::Lens;
            mark.level = m_memory->kind;
            mark.strength = strengthOf(buffer(stay).category);
            mark.isRefused = buffer(stay).isSpill;
            mark.target.value = buffer(stay).value;
            mark.card = cardOf(stay);
            m_scene.marks.push_back(std::move(mark));
        }
        refused();
        capacity();
        cursor();
        m_scene.background = [map = m_map, scene = m_scene.plot, x = across(), y = upwards(),
                                 inOrder = isInOrder(),
                                 result = m_state.result()](const QPointF& point) {
            return freeCard(map, scene, x, y, inOrder, *result, point);
        };
    }

    /// What lies at a point that no buffer covers.
    static CardContent freeCard(const memory::AddressMap& map, const QRectF& plot,
        const SceneAxis& x, const SceneAxis& y, bool isInOrder, const analysis::Result& result,
        const QPointF& point) {
        if (!plot.contains(point) || !map.lastStep.isValid())
            return {};
        const double at = x.value(point.x());
        StepId step(0);
        if (isInOrder) {
            step = StepId(static_cast<std::size_t>(
                std::clamp(at, 0.0, static_cast<double>(map.lastStep.value))));
        } else {
            for (const lowering::Event& event : result.program.events)
                if (static_cast<double>(event.start.value) <= at)
                    step = std::max(step, event.step);
        }
        const auto address = static_cast<std::int64_t>(y.value(point.y()));
        for (const memory::Gap& gap : memory::gapsAt(map, step))
            if (gap.address <= address && address < gap.address + gap.bytes)
                return {tr("free"),
                    {tr("%1 to %2, %3")
                            .arg(formatAddress(gap.address), formatAddress(gap.address + gap.bytes),
                                formatBytes(base::Bytes(gap.bytes))),
                        tr("during %1").arg(kernelName(result, step))}};
        return {};
    }

    void axes() {
        const QRectF& plot = m_scene.plot;
        const SceneAxis y = upwards();
        const double line = lineHeight(smallFont());
        for (const double at :
            roundTicks(y.low(), y.high(), std::max(2, int(plot.height() / 48)), true)) {
            const double pixel = y.pixel(at);
            m_scene.lines.push_back(
                {{plot.left(), pixel, plot.right(), pixel}, SceneLine::Kind::Grid});
            m_scene.labels.push_back({QRectF(0, pixel - line / 2, plot.left() - 6, line),
                formatAddress(static_cast<std::int64_t>(at)), Qt::AlignRight | Qt::AlignVCenter,
                true, true});
        }
        const SceneAxis x = across();
        for (const double at : roundTicks(x.low(), x.high(), std::max(2, int(plot.width() / 90)))) {
            const double pixel = x.pixel(at);
            if (pixel < plot.left() - 1 || pixel > plot.right() + 1)
                continue;
            const QString text = isInOrder()
                ? tr("step %1").arg(QLocale().toString(at, 'f', 0))
                : formatTime(base::Picoseconds(static_cast<std::int64_t>(at)));
            const double width = textWidth(smallFont(), text) + 4;
            m_scene.labels.push_back({QRectF(std::clamp(pixel - width / 2, plot.left(),
                                                 std::max(plot.left(), plot.right() - width)),
                                          plot.bottom() + 2, width, line),
                text, Qt::AlignCenter, false, true});
            m_scene.lines.push_back(
                {{pixel, plot.bottom(), pixel, plot.bottom() + 4}, SceneLine::Kind::Axis});
        }
        m_scene.lines.push_back({{plot.bottomLeft(), plot.bottomRight()}, SceneLine::Kind::Axis});
        m_scene.lines.push_back({{plot.topLeft(), plot.bottomLeft()}, SceneLine::Kind::Axis});
    }

    void capacity() {
        const QRectF& plot = m_scene.plot;
        QString text = tr("capacity unknown");
        if (m_map.capacity)
            text = tr("capacity %1").arg(formatBytes(m_map.capacity));
        double at = plot.top() - lineHeight(smallFont()) - 1;
        if (isCapacityShown()) {
            const double pixel = upwards().pixel(static_cast<double>(m_map.capacity->value));
            if (pixel >= plot.top() && pixel <= plot.bottom()) {
                SceneLine line{{plot.left(), pixel, plot.right(), pixel}, SceneLine::Kind::Capacity,
                    2, m_memory->kind};
                m_scene.lines.push_back(line);
            }
        } else if (m_map.capacity) {
            text += QStringLiteral(" ↑");
        }
        m_scene.labels.push_back({QRectF(plot.left(), at, plot.width(), lineHeight(smallFont())),
            text, Qt::AlignRight | Qt::AlignVCenter, false, true});
    }

    /// A strip of what did not get in, over the times when it lives elsewhere.
    void refused() {
        const QRectF& plot = m_scene.plot;
        for (const lowering::BufferId id : m_map.refused) {
            const lowering::Buffer& buffer = m_result.program.buffers[id];
            QRectF rect = rectOf(buffer.firstStep, std::max(buffer.firstStep, buffer.lastStep),
                buffer.first, buffer.last, 0, 0);
            rect.setTop(2);
            rect.setHeight(kRefusedStrip - 4);
            if (rect.right() < plot.left() || rect.left() > plot.right())
                continue;
            SceneMark mark;
            mark.rect = rect.intersected(QRectF(plot.left(), 0, plot.width(), plot.top()));
            mark.label = nameOf(id);
            mark.isRefused = true;
            mark.target.value = buffer.value;
            mark.card = refusedCard(id);
            m_scene.marks.push_back(std::move(mark));
        }
        if (!m_map.refused.empty())
            m_scene.labels.push_back({QRectF(4, 2, plot.left() - 8, kRefusedStrip - 4),
                tr("did not fit"), Qt::AlignRight | Qt::AlignVCenter, false, true});
    }

    CardContent refusedCard(lowering::BufferId id) const {
        const lowering::Buffer& buffer = m_result.program.buffers[id];
        CardContent card;
        card.title = tr("%1 did not fit").arg(nameOf(id));
        card.lines << tr("%1, %2").arg(
            formatBytes(buffer.bytes), during(buffer.firstStep, buffer.lastStep));
        if (buffer.firstStep.isValid()) {
            std::int64_t all = 0;
            std::int64_t largest = 0;
            for (const memory::Gap& gap : memory::gapsAt(m_map, buffer.firstStep)) {
                all += gap.bytes;
                largest = std::max(largest, gap.bytes);
            }
            card.lines << tr("free then: %1, the largest gap %2")
                              .arg(
                                  formatBytes(base::Bytes(all)), formatBytes(base::Bytes(largest)));
        }
        if (!buffer.reason.empty())
            card.lines << asSentence(buffer.reason);
        return card;
    }

    void cursor() {
        for (const StepId step : m_state.selectedSteps()) {
            const auto stay = std::ranges::find_if(
                m_map.stays, [&](const memory::Stay& each) { return each.first == step; });
            if (!isInOrder() && stay == m_map.stays.end())
                continue;
            const double pixel =
                across().pixel(isInOrder() ? static_cast<double>(step.value)
                                           : static_cast<double>(stay->begin.value));
            if (pixel < m_scene.plot.left() || pixel > m_scene.plot.right())
                continue;
            m_scene.lines.push_back({{pixel, m_scene.plot.top(), pixel, m_scene.plot.bottom()},
                SceneLine::Kind::Cursor});
            break;
        }
    }

    void rows() {
        for (const memory::Stay& stay : m_map.stays)
            m_scene.rows.emplace_back(
                tr("%1: %2, %3, %4")
                    .arg(nameOf(stay.buffer), formatAddress(stay.address),
                        formatBytes(base::Bytes(stay.bytes)), during(stay.first, stay.last)),
                SceneTarget{{}, buffer(stay).value});
        for (const lowering::BufferId id : m_map.refused)
            m_scene.rows.emplace_back(
                tr("%1 did not fit: %2")
                    .arg(nameOf(id), QString::fromStdString(m_result.program.buffers[id].reason)),
                SceneTarget{{}, m_result.program.buffers[id].value});
    }

    QString where() const {
        QString text = QString::fromStdString(m_memory->name);
        if (m_map.unit >= 0)
            text += QStringLiteral(", ") + unitName(m_state, m_map.unit);
        else if (m_memory->instances > 1)
            text += tr(", the same on each of %1").arg(formatCount(m_memory->instances));
        return text;
    }

    const memory::Stay* selectedStay() const {
        const ir::ValueId value = m_state.selection().value;
        if (!value.isValid())
            return nullptr;
        const auto& graph = m_result.program.stage(Stage::Placed);
        for (const memory::Stay& stay : m_map.stays)
            if (const auto id = buffer(stay).value;
                graph.values.contains(id) && graph.values[id].source == value)
                return &stay;
        return nullptr;
    }

    QString sentence() const {
        std::int64_t peak = 0;
        if (m_map.level < m_result.memory.size())
            peak = m_result.memory[m_map.level].peak.value;
        QString text = tr("%1: %2 %3")
                           .arg(where(), formatCount(static_cast<std::int64_t>(m_map.stays.size())),
                               m_map.stays.size() == 1 ? tr("buffer") : tr("buffers"));
        text += tr(", at most %1 in use").arg(formatBytes(base::Bytes(peak)));
        if (m_map.capacity && m_map.capacity->value > 0)
            text += tr(" of %1 (%2)")
                        .arg(formatBytes(m_map.capacity),
                            formatShare(static_cast<double>(peak)
                                / static_cast<double>(m_map.capacity->value)));
        if (!m_map.refused.empty())
            text += tr("; %1 did not fit")
                        .arg(formatCount(static_cast<std::int64_t>(m_map.refused.size())));
        text += u'.';
        if (const memory::Stay* stay = selectedStay()) {
            text += u' '
                + tr("%1 lies at %2 %3.")
                      .arg(nameOf(stay->buffer), formatAddress(stay->address),
                          during(stay->first, stay->last));
            if (!buffer(*stay).reason.empty())
                text += u' ' + asSentence(buffer(*stay).reason);
        }
        return text;
    }

    void legend() {
        if (m_state.lens() == Lens::OperatorClass) {
            for (const auto role : {lowering::ValueRole::Weight, lowering::ValueRole::Activation,
                     lowering::ValueRole::Scratch})
                if (std::ranges::any_of(m_map.stays, [&](const memory::Stay& stay) {
                        return strengthOf(buffer(stay).category) == strengthOf(role);
                    }))
                    m_scene.legend << levelEntry(roleName(role), m_memory->kind, strengthOf(role));
        } else {
            m_scene.legend = lensLegend(m_state.lens());
        }
        if (!m_map.refused.empty())
            m_scene.legend << crossEntry(tr("did not fit"));
        if (std::ranges::any_of(
                m_map.stays, [](const memory::Stay& stay) { return stay.inPlaceOf.isValid(); }))
            m_scene.legend << LegendEntry{
                tr("↳ written in place"), [](QPainter&, const QRectF&) {}};
        m_scene.footnote = isInOrder() ? tr("address × program order") : tr("address × time");
        if (m_hidden > 0)
            m_scene.footnote =
                tr("%1 too small to draw · ").arg(formatCount(m_hidden)) + m_scene.footnote;
    }

    const ViewState& m_state;
    const analysis::Result& m_result;
    const SceneView& m_view;
    const QSizeF m_size;
    const machines::Memory* m_memory = nullptr;
    memory::AddressMap m_map;
    std::int64_t m_hidden = 0;
    Scene m_scene;
};

/// Buffers of the selection's tensors at a level.
std::optional<std::int64_t> selectedUnit(const ViewState& state, std::size_t level) {
    const auto& graph = state.result()->program.stage(Stage::Placed);
    const ir::ValueId value = state.shownValue();
    if (!value.isValid())
        return std::nullopt;
    for (const lowering::Buffer& buffer : state.result()->program.buffers)
        if (buffer.level == level && graph.values.contains(buffer.value)
            && graph.values[buffer.value].source == value)
            return buffer.unit;
    return std::nullopt;
}

} // namespace

std::optional<std::size_t> shownLevel(const ViewState& state, const SceneView& view) {
    if (!state.result())
        return std::nullopt;
    const auto levels = memory::mappedLevels(state.result()->program, state.result()->machine());
    if (levels.empty())
        return std::nullopt;
    if (view.level && std::ranges::find(levels, *view.level) != levels.end())
        return view.level;
    for (const std::size_t level : levels)
        if (state.result()->machine().memories[level].kind == machines::MemoryKind::Scratchpad)
            return level;
    return levels.front();
}

std::vector<std::int64_t> shownUnits(const ViewState& state, const SceneView& view) {
    const auto level = shownLevel(state, view);
    return level ? memory::mappedUnits(state.result()->program, *level)
                 : std::vector<std::int64_t>{-1};
}

std::int64_t shownUnit(const ViewState& state, const SceneView& view) {
    const auto level = shownLevel(state, view);
    if (!level)
        return -1;
    const auto units = memory::mappedUnits(state.result()->program, *level);
    const auto has = [&](std::int64_t unit) { return std::ranges::binary_search(units, unit); };
    if (view.unit && has(*view.unit))
        return *view.unit;
    if (const auto unit = selectedUnit(state, *level); unit && has(*unit))
        return *unit;
    std::map<std::int64_t, double> bytes;
    for (const lowering::Buffer& buffer : state.result()->program.buffers)
        if (buffer.level == *level && buffer.unit >= 0)
            bytes[buffer.unit] += static_cast<double>(buffer.bytes.value);
    const auto fullest =
        std::ranges::max_element(bytes, {}, [](const auto& each) { return each.second; });
    return fullest == bytes.end() ? units.front() : fullest->first;
}

QString unitName(const ViewState& state, std::int64_t unit) {
    if (!state.result())
        return {};
    const analysis::Result& result = *state.result();
    const auto columns =
        static_cast<std::int64_t>(result.machine().parameterOr("fabric_columns", 0));
    for (const lowering::Region& region : result.program.regions)
        if (region.y * columns + region.x == unit)
            for (std::size_t s = 0; s < result.program.steps.size(); ++s)
                if (result.program.steps[StepId(s)].kernel == region.kernel)
                    return tr("a PE of %1").arg(kernelName(result, StepId(s)));
    if (result.machine().family == "groq")
        return tr("chip %1").arg(formatCount(unit));
    return tr("instance %1").arg(formatCount(unit));
}

std::vector<MapChoice> mapChoices(const ViewState& state) {
    std::vector<MapChoice> choices;
    if (const auto result = state.result())
        for (const std::size_t level : memory::mappedLevels(result->program, result->machine()))
            choices.push_back(
                {QString::fromStdString(result->machine().memories[level].name), level});
    return choices;
}

Scene mapScene(const ViewState& state, const SceneView& view, const QSizeF& size) {
    Scene scene;
    if (!state.result()) {
        scene.reason = tr("No model is open; open one to see what lies where in the memories.");
    } else if (state.result()->program.steps.empty()) {
        scene.reason = tr("Nothing runs, so no memory is taken.");
    } else if (const auto level = shownLevel(state, view)) {
        return MapBuilder(state, view, size).run(*level);
    } else {
        scene.reason = tr("The program of %1 gives no tensor an address: every size is unknown. "
                          "Bind the model's symbols.")
                           .arg(QString::fromStdString(state.result()->machine().name));
    }
    scene.sentence = scene.reason;
    return scene;
}

} // namespace fivefold::views::layout
