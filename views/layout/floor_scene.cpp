// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/hand_offs.h"
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
using lowering::KernelId;
using lowering::StepId;

namespace {

constexpr std::size_t kAllHandOffs = 40; ///< more are drawn for the selection only
constexpr double kWidestHandOff = 4; ///< px, of the largest hand-off

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

class FloorBuilder {
public:
    FloorBuilder(const ViewState& state, const SceneView& view, const QSizeF& size)
        : m_state(state)
        , m_result(*state.result())
        , m_view(view)
        , m_columns(m_result.machine().parameterOr("fabric_columns", 0))
        , m_rows(m_result.machine().parameterOr("fabric_rows", 0)) {
        for (const auto& region : m_result.program.regions) {
            m_columns = std::max(m_columns, static_cast<double>(region.x + region.width));
            m_rows = std::max(m_rows, static_cast<double>(region.y + region.height));
        }
        findSteps();
        place(size);
    }

    Scene run() {
        m_scene.canZoomX = m_scene.canZoomY = true;
        if (m_result.program.regions.empty()) {
            streaming();
        } else {
            regions();
            handOffs();
        }
        frame();
        m_scene.legend = lensLegend(m_state.lens());
        m_scene.footnote =
            tr("%1 × %2 PEs")
                .arg(formatCount(std::int64_t(m_columns)), formatCount(std::int64_t(m_rows)));
        return std::move(m_scene);
    }

private:
    void findSteps() {
        m_stepOf.resize(m_result.program.stage(lowering::Stage::Scheduled).kernels.size());
        for (std::size_t s = 0; s < m_result.program.steps.size(); ++s)
            if (const KernelId kernel = m_result.program.steps[StepId(s)].kernel;
                kernel.isValid() && kernel.index() < m_stepOf.size())
                m_stepOf[kernel.index()] = StepId(s);
    }
    StepId stepOf(KernelId kernel) const {
        return kernel.isValid() && kernel.index() < m_stepOf.size() ? m_stepOf[kernel.index()]
                                                                    : StepId();
    }

    /// The wafer keeps its proportions; a tall one lies on its side where the panel is wide.
    void place(const QSizeF& size) {
        const QRectF room(8, 18, size.width() - 16, size.height() - 26);
        m_isTurned = (m_columns < m_rows) == (room.width() > room.height());
        const double across = m_isTurned ? m_rows : m_columns;
        const double down = m_isTurned ? m_columns : m_rows;
        if (room.width() < 40 || room.height() < 30 || across <= 0 || down <= 0)
            return;
        const double scale = std::min(room.width() / across, room.height() / down);
        m_scene.plot = QRectF(room.left(), room.top(), across * scale, down * scale);
    }

    QRectF rectOf(const lowering::Region& region) const {
        const auto x = static_cast<double>(m_isTurned ? region.y : region.x);
        const auto y = static_cast<double>(m_isTurned ? region.x : region.y);
        const auto width = static_cast<double>(m_isTurned ? region.height : region.width);
        const auto height = static_cast<double>(m_isTurned ? region.width : region.height);
        const SceneAxis across(
            m_isTurned ? m_rows : m_columns, m_view.x, m_scene.plot.left(), m_scene.plot.right());
        const SceneAxis down(
            m_isTurned ? m_columns : m_rows, m_view.y, m_scene.plot.top(), m_scene.plot.bottom());
        return QRectF(QPointF(across.pixel(x), down.pixel(y)),
            QPointF(across.pixel(x + width), down.pixel(y + height)));
    }

    double pes() const { return m_columns * m_rows; }
    QString shareOf(double area) const {
        return formatShare(pes() > 0 ? std::optional(area / pes()) : std::nullopt);
    }

    CardContent cardOf(const lowering::Region& region, StepId step) const {
        CardContent card;
        card.title = kernelName(m_result, step);
        const double area = static_cast<double>(region.width * region.height);
        card.lines << tr("%1 × %2 PEs at (%3, %4): %5 of the wafer")
                          .arg(region.width)
                          .arg(region.height)
                          .arg(region.x)
                          .arg(region.y)
                          .arg(shareOf(area));
        if (!m_result.program.steps.contains(step))
            return card;
        const lowering::Step& each = m_result.program.steps[step];
        if (!each.workDivision.empty())
            card.lines << tr("works on %1").arg(QString::fromStdString(each.workDivision));
        card.lines << timeWithBand(each.estimate);
        if (const auto bytes = bytesOf(region))
            card.lines << *bytes;
        if (!each.estimate.because.empty())
            card.lines << asSentence(each.estimate.because);
        return card;
    }

    /// The fullest moment of one PE of the region, against its memory.
    std::optional<QString> bytesOf(const lowering::Region& region) const {
        const auto unit = region.y * static_cast<std::int64_t>(m_columns) + region.x;
        std::int64_t high = 0;
        std::size_t level = 0;
        for (const lowering::Buffer& buffer : m_result.program.buffers)
            if (buffer.unit == unit && !buffer.isSpill) {
                high = std::max(high, buffer.address + buffer.bytes.value);
                level = buffer.level;
            }
        if (high == 0 || level >= m_result.machine().memories.size())
            return std::nullopt;
        const auto usable = m_result.machine().memories[level].usableBytes();
        return tr("a PE holds %1 of %2")
            .arg(formatBytes(base::Bytes(high)),
                usable ? formatBytes(base::Bytes(static_cast<std::int64_t>(*usable)))
                       : tr("unknown"));
    }

    void regions() {
        double area = 0;
        const lowering::Region* largest = nullptr;
        for (const lowering::Region& region : m_result.program.regions) {
            const double own = static_cast<double>(region.width * region.height);
            area += own;
            if (!largest || own > static_cast<double>(largest->width * largest->height))
                largest = &region;
            const StepId step = stepOf(region.kernel);
            const QString name = kernelName(m_result, step);
            m_scene.rows.emplace_back(tr("%1: %2 × %3 PEs, %4")
                                          .arg(name)
                                          .arg(region.width)
                                          .arg(region.height)
                                          .arg(shareOf(own)),
                SceneTarget{step, {}});
            SceneMark mark;
            mark.rect = rectOf(region);
            if (m_scene.plot.isNull() || !mark.rect.intersects(m_scene.plot))
                continue;
            mark.rect = mark.rect.intersected(m_scene.plot);
            mark.label = name;
            mark.fill = MarkFill::Lens;
            mark.target.step = step;
            mark.card = cardOf(region, step);
            m_scene.marks.push_back(std::move(mark));
        }
        m_scene.sentence = tr("%1 regions on %2 of the %3 PEs, areas by work")
                               .arg(formatCount(std::int64_t(m_result.program.regions.size())),
                                   shareOf(area), formatCount(std::int64_t(pes())));
        if (largest)
            m_scene.sentence +=
                tr("; the largest is %1 with %2")
                    .arg(kernelName(m_result, stepOf(largest->kernel)),
                        shareOf(static_cast<double>(largest->width * largest->height)));
        m_scene.sentence += u'.';
    }

    void handOffs() {
        const auto all = memory::handOffs(m_result.program);
        const auto selected = m_state.selectedSteps();
        const auto isSelected = [&](KernelId kernel) {
            return std::ranges::find(selected, stepOf(kernel)) != selected.end();
        };
        std::vector<const lowering::Region*> regionOf(m_stepOf.size(), nullptr);
        for (const auto& region : m_result.program.regions)
            if (region.kernel.isValid() && region.kernel.index() < regionOf.size())
                regionOf[region.kernel.index()] = &region;
        double most = 1;
        double hops = 0;
        for (const auto& each : all) {
            most = std::max(most, static_cast<double>(each.bytes.value));
            hops = std::max(hops, each.hops);
        }
        for (const auto& each : all) {
            const bool isOwn = isSelected(each.from) || isSelected(each.to);
            if (!isOwn && (all.size() > kAllHandOffs || !selected.empty()))
                continue;
            const QRectF from = rectOf(*regionOf[each.from.index()]);
            const QRectF to = rectOf(*regionOf[each.to.index()]);
            const double width =
                1 + (kWidestHandOff - 1) * std::sqrt(static_cast<double>(each.bytes.value) / most);
            if (!m_scene.plot.isNull())
                m_scene.lines.push_back(
                    {QLineF(from.center(), to.center()), SceneLine::Kind::HandOff, width});
            if (isOwn && selected.size() == 1)
                own(each, isSelected(each.to));
        }
        if (!all.empty())
            m_scene.sentence += tr(" %1 hand-offs, at most %2 hops.")
                                    .arg(formatCount(std::int64_t(all.size())),
                                        formatCount(static_cast<std::int64_t>(hops)));
        m_scene.sentence += m_own;
    }

    void own(const memory::HandOff& each, bool isIncoming) {
        if (m_own.count(u'.') >= 2)
            return; // two hand-offs say enough; the others stand in the list
        m_own += tr(" %1 %2 over %3 hops %4 %5.")
                     .arg(formatBytes(each.bytes), isIncoming ? tr("come") : tr("go"),
                         formatCount(static_cast<std::int64_t>(each.hops)),
                         isIncoming ? tr("from") : tr("to"),
                         kernelName(m_result, stepOf(isIncoming ? each.from : each.to)));
    }

    /// Without regions the layers run one after another on the whole wafer: the square of the
    /// selected one.
    void streaming() {
        auto steps = m_state.selectedSteps();
        if (steps.empty())
            for (std::size_t s = 0; s < m_result.program.steps.size(); ++s)
                if (steps.empty()
                    || m_result.program.steps[steps.front()].unitsUsed
                        < m_result.program.steps[StepId(s)].unitsUsed)
                    steps = {StepId(s)};
        m_scene.sentence = asSentence(m_result.program.mode);
        for (std::size_t s = 0; s < m_result.program.steps.size(); ++s)
            m_scene.rows.emplace_back(
                tr("%1: %2").arg(kernelName(m_result, StepId(s)),
                    QString::fromStdString(m_result.program.steps[StepId(s)].workDivision)),
                SceneTarget{StepId(s), {}});
        if (steps.empty())
            return;
        const lowering::Step& step = m_result.program.steps[steps.front()];
        const auto side = static_cast<std::int64_t>(std::llround(
            std::sqrt(static_cast<double>(std::max<std::int64_t>(1, step.unitsUsed)))));
        const lowering::Region square{step.kernel, 0, 0, side, side};
        SceneMark mark;
        mark.rect = rectOf(square).intersected(m_scene.plot);
        mark.label = kernelName(m_result, steps.front());
        mark.fill = MarkFill::Lens;
        mark.target.step = steps.front();
        mark.card = cardOf(square, steps.front());
        m_scene.sentence += tr(" %1 works on a square of %2 × %2 PEs, %3 of the wafer.")
                                .arg(mark.label)
                                .arg(side)
                                .arg(shareOf(static_cast<double>(side * side)));
        if (!m_scene.plot.isNull())
            m_scene.marks.push_back(std::move(mark));
    }

    void frame() {
        const QRectF& plot = m_scene.plot;
        if (plot.isNull())
            return;
        for (const QLineF line :
            {QLineF(plot.topLeft(), plot.topRight()), QLineF(plot.topRight(), plot.bottomRight()),
                QLineF(plot.bottomRight(), plot.bottomLeft()),
                QLineF(plot.bottomLeft(), plot.topLeft())})
            m_scene.lines.push_back({line, SceneLine::Kind::Axis});
        m_scene.labels.push_back({QRectF(plot.left(), plot.top() - 16, plot.width(), 14),
            m_isTurned ? tr("fabric row →, column ↓") : tr("fabric column →, row ↓")});
    }

    const ViewState& m_state;
    const analysis::Result& m_result;
    const SceneView& m_view;
    double m_columns, m_rows;
    bool m_isTurned = false;
    std::vector<StepId> m_stepOf;
    QString m_own;
    Scene m_scene;
};

} // namespace

Scene floorScene(const ViewState& state, const SceneView& view, const QSizeF& size) {
    Scene scene;
    if (!state.result())
        scene.reason = tr("No model is open; open one to see its floor plan.");
    else if (state.result()->program.steps.empty())
        scene.reason = tr("Nothing runs, so the wafer has no floor plan.");
    else
        return FloorBuilder(state, view, size).run();
    scene.sentence = scene.reason;
    return scene;
}

} // namespace fivefold::views::layout
