// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_canvas.h"

#include "views/common/format.h"
#include "views/common/gap_bar.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace fivefold::views::roofline {

using namespace common;

namespace {

constexpr double kKeyZoom = 1.5;
/// A brush selects at most so many operators: each panel rings every one.
constexpr std::size_t kMostSelected = 4000;

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

void RooflineCanvas::setCharge(Charge charge) {
    if (m_charge == charge)
        return;
    m_charge = charge;
    if (const auto result = m_state.result())
        m_picture = present(*result, m_charge);
    refreshOverlay(false);
    dirty();
    emit optionsChanged();
}

void RooflineCanvas::setAxesLocked(bool isLocked) {
    m_isLocked = isLocked;
    if (isLocked)
        takeAsBefore();
}

void RooflineCanvas::takeAsBefore() {
    m_before = m_state.result();
    refreshOverlay(false);
    dirty();
}

void RooflineCanvas::setOverlay(OverlayKind kind, const std::string& machine) {
    m_overlayKind = kind;
    m_overlayMachine = machine;
    refreshOverlay(true);
    dirty();
}

void RooflineCanvas::refreshOverlay(bool mayFit) {
    const auto result = m_state.result();
    std::shared_ptr<const analysis::Result> other;
    if (m_overlayKind == OverlayKind::Before)
        other = m_before;
    else if (m_overlayKind == OverlayKind::Machine)
        for (const auto& candidate : m_state.otherResults())
            if (candidate && candidate->machine().id == m_overlayMachine)
                other = candidate;
    // A result of another model has other operators.
    if (result && other && other->request.model == result->request.model)
        m_overlay = makeOverlay(*result, m_picture, other, m_overlayKind == OverlayKind::Before);
    else
        m_overlay.reset();
    if (mayFit && !m_isLocked) {
        const AxisRanges fitted = fitRanges(m_picture, m_options, overlay());
        m_chart.setRanges(fitted.x, fitted.y);
    }
    emit overlayChanged();
}

void RooflineCanvas::updateOthers() {
    if (m_overlayKind != OverlayKind::Machine)
        return;
    refreshOverlay(!m_overlay);
    dirty();
}

void RooflineCanvas::updateResult(bool isOtherModel) {
    const auto result = m_state.result();
    m_gaps.reset();
    m_taken = result;
    m_picture = result ? present(*result, m_charge) : Picture{};
    const std::string machine = result ? result->machine().id : std::string();
    const bool isOtherMachine = machine != m_machine;
    m_machine = machine;
    if (isOtherModel || isOtherMachine)
        m_before = result;
    m_brush.reset();
    m_brushed.clear();
    refreshOverlay(isOtherModel || isOtherMachine);
    m_isFrozen = isCut(m_picture, ranges());
    updateSelection();
    updateHover();
    dirty();
}

void RooflineCanvas::updateSelection() {
    const auto before = m_selected;
    auto dots = dotsOf(m_picture, m_state.selectedSteps());
    m_selected = dots.empty() ? std::nullopt : std::optional(dots.front());
    if (!dots.empty())
        dots.erase(dots.begin());
    m_alsoSelected = std::move(dots);
    if (m_brush && !m_isSelectingBrushed)
        clearBrush();
    if (before != m_selected)
        dirty(); // other levels' roofs may come and go
    update();
}

void RooflineCanvas::updateHover() {
    m_hovered = dotsOf(m_picture, m_state.stepsOf(m_state.hover()));
    update();
}

void RooflineCanvas::setBrushing(bool isOn) {
    m_isBrushMode = isOn;
    setCursor(isOn ? Qt::CrossCursor : Qt::ArrowCursor);
}

void RooflineCanvas::clearBrush() {
    if (!m_brush)
        return;
    m_brush.reset();
    m_brushed.clear();
    update();
    emit brushChanged();
}

void RooflineCanvas::brushTo(const QPoint& position) {
    const QPointF a = m_chart.toData(m_brushFrom);
    const QPointF b = m_chart.toData(position);
    const auto between = [](double one, double other) {
        const double first = std::log10(one);
        const double second = std::log10(other);
        return Interval{std::min(first, second), std::max(first, second)};
    };
    m_brush = AxisRanges{between(a.x(), b.x()), between(a.y(), b.y())};
    m_brushed = dotsIn(m_picture, *m_brush);
    update();
    emit brushChanged();
}

void RooflineCanvas::selectBrushed() {
    Selection selection;
    std::set<ir::NodeId> seen;
    const std::size_t most = std::min(m_brushed.size(), kMostSelected);
    for (std::size_t i = 0; i < most; ++i) { // the longest first
        const Selection of = m_state.selectionOf(m_picture.dots[m_brushed[i]].step);
        if (!of.nodes.empty() && seen.insert(of.nodes.front()).second)
            selection.nodes.push_back(of.nodes.front());
        else if (of.nodes.empty() && selection.added.empty())
            selection.added = of.added;
    }
    m_isSelectingBrushed = true;
    m_state.setSelection(std::move(selection));
    m_isSelectingBrushed = false;
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
    setRanges(fitRanges(m_picture, m_options, overlay()));
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

Frame RooflineCanvas::frame(const analysis::Result& result) {
    return {m_picture, m_chart, m_dots, m_levels, overlay(), m_overlayDots, result, m_options,
        m_selected, m_alsoSelected, m_hovered, m_brush};
}

void RooflineCanvas::place(const QSizeF& size) {
    m_chart.setSize(size);
    m_dots = placeDots(m_picture, m_chart);
    m_levels =
        m_options.allLevels ? placeAllLevels(m_picture, m_chart) : std::vector<PlacedLevel>();
    m_overlayDots = m_overlay ? placeDots(m_overlay->picture, m_chart) : std::vector<PlacedDot>();
    if (const auto result = m_state.result()) {
        Frame now = frame(*result);
        setRoofs(now);
    }
}

void RooflineCanvas::dirty() {
    m_base = {};
    place(QSizeF(size()));
    update();
}

void RooflineCanvas::paintCanvas(QPainter& painter, const QRect&) {
    const auto result = m_state.result();
    if (!result)
        return;
    Frame now = frame(*result);
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
}

void RooflineCanvas::paintContent(QPainter& painter, const QSize& size) {
    const auto result = m_state.result();
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (!result)
        return;
    place(QSizeF(size));
    Frame now = frame(*result);
    paintBase(painter, now);
    paintOverlay(painter, now);
    dirty();
}

const fivefold::roofline::GapAnalysis& RooflineCanvas::gaps() const {
    if (!m_gaps)
        m_gaps =
            std::make_unique<fivefold::roofline::GapAnalysis>(m_taken->program, m_taken->machine());
    return *m_gaps;
}

Legend RooflineCanvas::legendEntries() const {
    const bool hasLevels =
        m_options.allLevels || (m_selected && m_picture.dots[*m_selected].levels.size() > 1);
    return legend(m_picture, m_options, overlay(), m_options.caps || m_selected, hasLevels);
}

std::optional<std::size_t> RooflineCanvas::roofUnder(const QPointF& position) const {
    std::vector<PlacedLabel> taken;
    if (m_selected)
        if (const auto name = placeSelectedName(m_picture, m_dots, m_chart, *m_selected))
            taken.push_back(*name);
    for (const auto& label :
        placeRoofLabels(m_picture, m_chart, m_options, m_selected, taken, m_dots))
        if (outline(label).containsPoint(position, Qt::OddEvenFill))
            return label.item;
    return roofNear(m_picture, m_chart, m_options, m_selected, position);
}

std::optional<std::size_t> RooflineCanvas::dotUnder(const QPointF& position) const {
    if (const auto dot = dotAt(m_dots, position, m_chart.plotArea()))
        return dot;
    if (m_selected && !m_options.allLevels)
        return levelAt(placeLevels(m_picture, m_chart, *m_selected), position, m_chart.plotArea());
    return levelAt(m_levels, position, m_chart.plotArea());
}

void RooflineCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    const auto dot = dotUnder(position);
    clearBrush();
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

void RooflineCanvas::dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    m_isDraggingBrush = m_isBrushMode || modifiers.testFlag(Qt::ShiftModifier);
    m_brushFrom = position;
    setCursor(m_isDraggingBrush ? Qt::CrossCursor : Qt::ClosedHandCursor);
}

void RooflineCanvas::dragged(const QPoint& delta, const QPoint& position) {
    if (m_isDraggingBrush) {
        brushTo(position);
        return;
    }
    const QRectF plot = m_chart.plotArea();
    const AxisRanges limits = bounds(m_picture, overlay());
    setRanges({panInterval(
                   m_chart.xRange(), -delta.x() / plot.width() * m_chart.xRange().span(), limits.x),
        panInterval(
            m_chart.yRange(), delta.y() / plot.height() * m_chart.yRange().span(), limits.y)});
}

void RooflineCanvas::dragEnded(const QPoint& position) {
    setCursor(m_isBrushMode ? Qt::CrossCursor : Qt::ArrowCursor);
    if (!m_isDraggingBrush)
        return;
    m_isDraggingBrush = false;
    brushTo(position);
    selectBrushed();
}

void RooflineCanvas::zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers) {
    const QPointF data = m_chart.toData(position);
    const AxisRanges limits = bounds(m_picture, overlay());
    setRanges({zoomInterval(m_chart.xRange(), std::log10(data.x()), factor, limits.x,
                   LogLogChart::kMinimumSpan),
        zoomInterval(
            m_chart.yRange(), std::log10(data.y()), factor, limits.y, LogLogChart::kMinimumSpan)});
}

void RooflineCanvas::hovered(const QPoint* position) {
    const auto dot = position ? dotUnder(*position) : std::nullopt;
    setCursor(dot ? Qt::PointingHandCursor : m_isBrushMode ? Qt::CrossCursor : Qt::ArrowCursor);
    m_state.setHover(dot ? m_state.selectionOf(m_picture.dots[*dot].step) : Selection{});
}

/// How far the figures may be believed, and what is odd about the dot.
QString RooflineCanvas::statusLine(const Dot& dot) const {
    const auto result = m_state.result();
    const lowering::Estimate& estimate = result->program.steps[dot.step].estimate;
    if (dot.measured)
        return tr("measured %1 (%2)").arg(formatFlops(dot.measured->achieved), dot.measured->source)
            + (dot.measured->reason.isEmpty() ? QString()
                                              : tr("; above its roof: ") + dot.measured->reason);
    if (dot.above)
        return tr("The estimate was %1, above a roof, and is drawn on it.")
            .arg(formatFlops(dot.above));
    if (dot.isWithoutRoof)
        return tr("Its bytes stay at a level whose bandwidth is not published: no memory roof "
                  "holds for it.");
    if (!estimate.bandSource.empty())
        return tr("band: ") + QString::fromStdString(estimate.bandSource);
    return validationText(*result);
}

CardContent RooflineCanvas::dotCard(const Dot& dot) const {
    const auto result = m_state.result();
    const lowering::Step& step = result->program.steps[dot.step];
    CardContent card;
    card.title = QString::fromStdString(step.name);
    QString time =
        timeWithBand(step.estimate) + tr(", %1 of the time").arg(formatShare(dot.share));
    if (step.executions > 1)
        time += tr(", %1 times").arg(formatCount(step.executions));
    card.lines << time;
    QString rate =
        tr("%1 on %2 of work").arg(formatFlops(dot.achieved), workText(step.estimate.flops));
    if (const auto roof = roofAt(m_picture, dot.level, dot.intensity); roof && *roof > 0)
        rate += tr(", %1 of its roof").arg(formatShare(dot.achieved / *roof));
    card.lines << rate;
    QStringList levels;
    for (const auto& at : dot.levels)
        levels << tr("%1 at %2").arg(intensityText(at.intensity), levelName(*result, at.level));
    card.lines << tr("FLOP per byte: ") + levels.join(QStringLiteral(", "));
    const lowering::StepId steps[] = {dot.step};
    const auto gap = gaps().of(steps, m_charge);
    if (!gap.parts.empty())
        card.lines << gapText(gap);
    if (!step.estimate.because.empty())
        card.lines << asSentence(step.estimate.because);
    card.lines << statusLine(dot);
    return card;
}

CardContent RooflineCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (!m_state.result())
        return {};
    if (const auto dot = dotUnder(position)) {
        const PlacedDot& placed = m_dots[*dot];
        mark = QRectF(
            placed.centre - QPointF(placed.radius, placed.radius), QSizeF(2, 2) * placed.radius)
                   .toAlignedRect();
        if (!mark.adjusted(-4, -4, 4, 4).contains(position)) // at another of its levels
            mark = QRect(position - QPoint(5, 5), QSize(10, 10));
        return dotCard(m_picture.dots[*dot]);
    }
    if (const auto roof = roofUnder(position))
        return {m_picture.roofs[*roof].label,
            {statusGlyph(m_picture.roofs[*roof].status) + u' ' + m_picture.roofs[*roof].source}};
    return {};
}

void RooflineCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (const auto dot = dotUnder(position)) {
        const QString name =
            QString::fromStdString(m_state.result()->program.steps[m_picture.dots[*dot].step].name);
        pick(m_picture.dots[*dot].step);
        menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        const QString words = dotCard(m_picture.dots[*dot]).lines.join(u'\n');
        menu.addAction(tr("Copy as text"), this,
            [name, words] { QApplication::clipboard()->setText(name + u'\n' + words); });
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
    case Qt::Key_End:
        if (!m_picture.dots.empty())
            pick(m_picture.dots.back().step);
        return;
    case Qt::Key_Escape:
        if (m_brush) {
            clearBrush();
            return;
        }
        Canvas::keyPressEvent(event);
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
