// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/kernel_cycles.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/type.h"
#include "views/layout/scene.h"
#include "views/layout/scene_painter.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;
using lowering::CyclePhase;
using lowering::CycleView;
using lowering::StepId;

namespace {

constexpr double kTallestRow = 34, kLowestRow = 16;

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

CardContent cardOf(const CycleView& view, const CyclePhase& phase) {
    CardContent card;
    card.title = QString::fromStdString(phase.instruction);
    card.lines << QString::fromStdString(view.units[phase.unit])
               << tr("cycles %1 to %2").arg(formatCount(phase.first), formatCount(phase.last));
    if (phase.repeat > 1)
        card.lines << tr("%1 times, one every %2 cycles")
                          .arg(formatCount(phase.repeat), formatCount(phase.period));
    return card;
}

void addAxes(Scene& scene, const CycleView& view, const SceneAxis& x, double row) {
    const QRectF& plot = scene.plot;
    for (std::size_t i = 0; i < view.units.size(); ++i) {
        const double top = plot.top() + row * static_cast<double>(i);
        scene.labels.push_back(
            {QRectF(4, top, plot.left() - 12, row), QString::fromStdString(view.units[i]),
                Qt::AlignRight | Qt::AlignVCenter, false, false});
        scene.lines.push_back(
            {{plot.left(), top + row, plot.right(), top + row}, SceneLine::Kind::Grid});
    }
    scene.lines.push_back({{plot.bottomLeft(), plot.bottomRight()}, SceneLine::Kind::Axis});
    scene.lines.push_back({{plot.topLeft(), plot.bottomLeft()}, SceneLine::Kind::Axis});
    for (const double at : roundTicks(x.low(), x.high(), std::max(2, int(plot.width() / 100)))) {
        const QString text = formatCount(static_cast<std::int64_t>(at));
        const double width = textWidth(smallFont(), text) + 4;
        scene.labels.push_back(
            {QRectF(std::clamp(x.pixel(at) - width / 2, plot.left(), plot.right() - width),
                 plot.bottom() + 3, width, lineHeight(smallFont())),
                text, Qt::AlignCenter});
    }
}

} // namespace

std::optional<Scene> cycleScene(
    const ViewState& state, const SceneView& shown, const QSizeF& size) {
    const auto steps = state.selectedSteps();
    if (steps.empty())
        return std::nullopt;
    const analysis::Result& result = *state.result();
    const StepId step = steps.front();
    const auto& kernels = result.program.stage(lowering::Stage::Scheduled).kernels;
    const lowering::KernelId kernel = result.program.steps[step].kernel;
    if (!kernels.contains(kernel))
        return std::nullopt;
    const auto view = analysis::kernelCycles(result, kernels[kernel].name);
    if (!view || view->cycles <= 0 || view->units.empty())
        return std::nullopt;
    Scene scene;
    scene.canZoomX = true;
    scene.sentence = tr("%1: one run takes %2 cycles on %3 units. %4 Escape shows all kernels.")
                         .arg(kernelName(result, step), formatCount(view->cycles),
                             formatCount(std::int64_t(view->units.size())), asSentence(view->note));
    scene.legend = lensLegend(state.lens());
    scene.footnote =
        view->isEstimated ? tr("○ unit × cycle, a figure is estimated") : tr("unit × cycle");
    double names = 0;
    for (const std::string& unit : view->units)
        names = std::max<double>(names, textWidth(smallFont(), QString::fromStdString(unit)));
    const auto count = static_cast<double>(view->units.size());
    const double row = std::clamp((size.height() - 30) / count, kLowestRow, kTallestRow);
    const double left = std::min(names, size.width() * 0.3) + 16;
    if (size.width() - left > 60 && size.height() > kLowestRow + 30)
        scene.plot =
            QRectF(left, 6, size.width() - left - 8, std::min(row * count, size.height() - 30));
    const SceneAxis x(static_cast<double>(view->cycles), shown.x, scene.plot.left(),
        std::max(scene.plot.left() + 1, scene.plot.right()));
    for (const CyclePhase& phase : view->phases) {
        const QString unit = QString::fromStdString(view->units[phase.unit]);
        scene.rows.emplace_back(tr("%1: %2, cycles %3 to %4")
                                    .arg(unit, QString::fromStdString(phase.instruction),
                                        formatCount(phase.first), formatCount(phase.last)),
            SceneTarget{step, {}});
        if (scene.plot.isNull())
            continue;
        SceneMark mark;
        mark.rect = QRectF(QPointF(x.pixel(static_cast<double>(phase.first)),
                               scene.plot.top() + row * static_cast<double>(phase.unit) + 2),
            QPointF(std::max(x.pixel(static_cast<double>(phase.last)),
                        x.pixel(static_cast<double>(phase.first)) + 1),
                scene.plot.top() + row * static_cast<double>(phase.unit + 1) - 2));
        if (!mark.rect.intersects(scene.plot))
            continue;
        mark.rect = mark.rect.intersected(scene.plot);
        mark.label = QString::fromStdString(phase.instruction);
        mark.fill = MarkFill::Lens;
        mark.isRinged = false;
        mark.target.step = step;
        mark.card = cardOf(*view, phase);
        scene.marks.push_back(std::move(mark));
    }
    if (!scene.plot.isNull())
        addAxes(scene, *view, x, row);
    return scene;
}

} // namespace fivefold::views::layout
