// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::roofline {

using namespace common;

namespace {

/// The gap bar stands below the chart from this height of the panel on (header, sentence and legend
/// taken off).
constexpr int kGapFromHeight = 600 - kHeaderHeight - 36 - kLegendHeight;
constexpr double kKeyZoom = 1.5;

} // namespace

RooflineCanvas::RooflineCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    m_chart.setTitles(tr("FLOP per byte"), tr("FLOP/s"));
    updateResult(true);
}

void RooflineCanvas::setOptions(const Options& options) {
    m_options = options;
    dirty();
    emit optionsChanged();
}

void RooflineCanvas::updateResult(bool isOtherModel) {
    const auto result = m_state.result();
    m_picture = result ? present(*result) : Picture{};
    const std::string machine = result ? result->machine().id : std::string();
    const bool isOtherMachine = machine != m_machine;
    m_machine = machine;
    if ((isOtherModel || isOtherMachine) && !m_isLocked) {
        const AxisRanges fitted = fitRanges(m_picture, m_options);
        m_chart.setRanges(fitted.x, fitted.y);
    }
    m_isFrozen = isCut(m_picture, ranges());
    updateSelection();
    updateHover();
    dirty();
}

void RooflineCanvas::updateSelection() {
    const auto before = m_selected;
    m_selected = selectedDot(m_picture, m_state);
    m_alsoSelected.clear();
    const auto steps = m_state.selectedSteps();
    if (steps.size() > 1)
        for (std::size_t d = 0; d < m_picture.dots.size(); ++d)
            if (d != m_selected
                && std::find(steps.begin(), steps.end(), m_picture.dots[d].step) != steps.end())
                m_alsoSelected.push_back(d);
    if (before != m_selected)
        dirty(); // other levels' roofs may come and go
    update();
}

void RooflineCanvas::updateHover() {
    m_hovered.clear();
    const auto steps = m_state.stepsOf(m_state.hover());
    if (!steps.empty())
        for (std::size_t d = 0; d < m_picture.dots.size(); ++d)
            if (std::find(steps.begin(), steps.end(), m_picture.dots[d].step) != steps.end())
                m_hovered.push_back(d);
    update();
}

AxisRanges RooflineCanvas::ranges() const {
    return {m_chart.xRange(), m_chart.yRange()};
}

void RooflineCanvas::setRanges(const AxisRanges& ranges) {
    m_chart.setRanges(ranges.x, ranges.y);
    m_isFrozen = isCut(m_picture, this->ranges());
    dirty();
    emit rangesChanged();
}

void RooflineCanvas::zoomToFit() {
    setRanges(fitRanges(m_picture, m_options));
}

void RooflineCanvas::zoomToSelection() {
    if (m_selected)
        setRanges(rangesAround(m_picture.dots[*m_selected]));
}

void RooflineCanvas::zoomBy(double factor) {
    zoomed(m_chart.plotArea().center().toPoint(), factor, Qt::NoModifier);
}

void RooflineCanvas::walk(int by) {
    if (m_picture.dots.empty())
        return;
    const auto count = static_cast<int>(m_picture.dots.size());
    const int at = m_selected ? static_cast<int>(*m_selected) + by : by > 0 ? 0 : count - 1;
    pick(m_picture.dots[static_cast<std::size_t>((at % count + count) % count)].step);
}

void RooflineCanvas::pick(lowering::StepId step) {
    const auto result = m_state.result();
    const lowering::NodeId main =
        result ? result->program.steps[step].mainNode : lowering::NodeId();
    if (main.isValid())
        m_state.selectLowered(lowering::Stage::Scheduled, main);
    else
        m_state.selectStep(step);
}

double RooflineCanvas::gapHeight() const {
    return height() >= kGapFromHeight && m_selected ? kGapHeight : 0;
}

Frame RooflineCanvas::frame() {
    return {m_picture, m_chart, m_dots, m_options, m_selected, m_alsoSelected, m_hovered};
}

void RooflineCanvas::place(const QSizeF& size) {
    m_chart.setSize(size);
    m_dots = placeDots(m_picture, m_chart);
    Frame now = frame();
    setRoofs(now);
}

void RooflineCanvas::dirty() {
    m_base = {};
    place(QSizeF(width(), height() - gapHeight()));
    update();
}

void RooflineCanvas::paintCanvas(QPainter& painter, const QRect&) {
    Frame now = frame();
    const qreal ratio = devicePixelRatioF();
    if (m_base.isNull() || m_base.devicePixelRatio() != ratio) {
        m_base = QPixmap(size() * ratio);
        m_base.setDevicePixelRatio(ratio);
        m_base.fill(Palette::current().role("canvas"));
        QPainter base(&m_base);
        paintBase(base, now);
    }
    painter.drawPixmap(0, 0, m_base);
    paintOverlay(painter, now);
    if (gapHeight() > 0)
        paintGap(painter, QRectF(0, height() - gapHeight(), width(), gapHeight()),
            m_picture.dots[*m_selected], *m_state.result());
}

void RooflineCanvas::paintContent(QPainter& painter, const QSize& size) {
    const bool hasGap = size.height() >= kGapFromHeight && m_selected;
    const double chartHeight = size.height() - (hasGap ? kGapHeight : 0);
    place(QSizeF(size.width(), chartHeight));
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    Frame now = frame();
    paintBase(painter, now);
    paintOverlay(painter, now);
    if (hasGap)
        paintGap(painter, QRectF(0, chartHeight, size.width(), kGapHeight),
            m_picture.dots[*m_selected], *m_state.result());
    dirty();
}

void RooflineCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    const auto dot = dotAt(m_dots, position, m_chart.plotArea());
    if (!dot) {
        if (!modifiers.testFlag(Qt::ControlModifier))
            m_state.clearSelection();
        return;
    }
    const auto step = m_picture.dots[*dot].step;
    const Selection selection = m_state.selectionOf(step);
    if (modifiers.testFlag(Qt::ControlModifier) && !selection.nodes.empty())
        m_state.toggleNode(selection.nodes.front());
    else
        pick(step);
}

void RooflineCanvas::dragged(const QPoint& delta, const QPoint&) {
    const QRectF plot = m_chart.plotArea();
    const AxisRanges limits = bounds(m_picture);
    setRanges({panInterval(
                   m_chart.xRange(), -delta.x() / plot.width() * m_chart.xRange().span(), limits.x),
        panInterval(
            m_chart.yRange(), delta.y() / plot.height() * m_chart.yRange().span(), limits.y)});
}

void RooflineCanvas::zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers) {
    const QPointF data = m_chart.toData(position);
    const AxisRanges limits = bounds(m_picture);
    setRanges({zoomInterval(m_chart.xRange(), std::log10(data.x()), factor, limits.x,
                   LogLogChart::kMinimumSpan),
        zoomInterval(
            m_chart.yRange(), std::log10(data.y()), factor, limits.y, LogLogChart::kMinimumSpan)});
}

void RooflineCanvas::hovered(const QPoint* position) {
    const auto dot = position ? dotAt(m_dots, *position, m_chart.plotArea()) : std::nullopt;
    setCursor(dot ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_state.setHover(dot ? m_state.selectionOf(m_picture.dots[*dot].step) : Selection{});
}

CardContent RooflineCanvas::dotCard(const Dot& dot) const {
    const auto result = m_state.result();
    const lowering::Step& step = result->program.steps[dot.step];
    CardContent card;
    card.title = QString::fromStdString(step.name);
    QString time =
        timeWithBand(step.estimate, *result) + tr(", %1 of the time").arg(formatShare(dot.share));
    if (step.executions > 1)
        time += tr(", %1 times").arg(formatCount(step.executions));
    card.lines << time;
    const auto& memories = result->machine().memories;
    QStringList levels;
    for (const auto& [level, intensity] : dot.levels)
        if (level < memories.size())
            levels << tr("%1 FLOP/B %2")
                          .arg(intensity, 0, 'g', 3)
                          .arg(QString::fromStdString(memories[level].name));
    card.lines << formatFlops(dot.achieved) + tr(" at ") + levels.join(QStringLiteral(", "));
    card.lines << gapText(gapParts(step.estimate, result->machine()));
    if (!step.estimate.because.empty())
        card.lines << asSentence(step.estimate.because);
    if (dot.isWithoutRoof)
        card.lines << tr(
            "Its bytes stay at a level whose bandwidth is not published: no memory roof "
            "holds for it.");
    if (dot.isClamped)
        card.lines << tr("The estimate was above a roof and is drawn on it.");
    if (!isValidated(*result))
        card.lines << tr("not validated");
    return card;
}

CardContent RooflineCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (!m_state.result())
        return {};
    if (const auto dot = dotAt(m_dots, position, m_chart.plotArea())) {
        const PlacedDot& placed = m_dots[*dot];
        mark = QRectF(
            placed.centre - QPointF(placed.radius, placed.radius), QSizeF(2, 2) * placed.radius)
                   .toAlignedRect();
        return dotCard(m_picture.dots[*dot]);
    }
    if (const auto roof = roofNear(m_picture, m_chart, m_options, m_selected, position))
        return {m_picture.roofs[*roof].label, {m_picture.roofs[*roof].source}};
    return {};
}

void RooflineCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (const auto dot = dotAt(m_dots, position, m_chart.plotArea())) {
        const QString name =
            QString::fromStdString(m_state.result()->program.steps[m_picture.dots[*dot].step].name);
        pick(m_picture.dots[*dot].step);
        menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        menu.addAction(tr("Zoom to selection"), this, &RooflineCanvas::zoomToSelection);
        menu.addSeparator();
    }
    menu.addActions(actions());
}

void RooflineCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        walk(1);
        return;
    case Qt::Key_Left:
    case Qt::Key_Up:
        walk(-1);
        return;
    case Qt::Key_Home:
        if (!m_picture.dots.empty())
            pick(m_picture.dots.front().step);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kKeyZoom);
        return;
    case Qt::Key_Minus:
        zoomBy(1 / kKeyZoom);
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void RooflineCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    dirty();
}

void RooflineCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_chart.updateTheme();
        dirty();
    }
}

} // namespace fivefold::views::roofline
