// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/firing_overlay.h"

#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::graph {

using base::Picoseconds;
using common::Palette;
using lowering::StepId;

namespace {

constexpr double kTokenSize = 8; // tokens.json: the dot of a firing token
constexpr double kOutline = 2, kOutside = 3;
constexpr double kProgress = 3;
/// More words than this on a picture would cover it.
constexpr std::size_t kMostWords = 6;
constexpr double kWordsWidth = 300;

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

} // namespace

int FiringMap::edgeBetween(StepId from, StepId to) const {
    if (!from.isValid() || !to.isValid() || from.index() >= boxesOf.size()
        || to.index() >= boxesOf.size())
        return -1;
    for (const int a : boxesOf[from.index()])
        for (const int b : boxesOf[to.index()])
            if (const auto found = edgeOf.find({a, b}); found != edgeOf.end())
                return found->second;
    return -1;
}

FiringMap firingMap(const DisplayGraph& graph, const analysis::Result& result) {
    FiringMap map;
    const auto& steps = result.program.steps;
    map.boxesOf.resize(steps.size());
    std::unordered_map<std::uint32_t, int> boxOfLowered;
    if (graph.stage == lowering::Stage::Scheduled)
        for (std::size_t b = 0; b < graph.boxes.size(); ++b)
            for (const lowering::NodeId node : graph.boxes[b].lowered)
                boxOfLowered.emplace(node.value, static_cast<int>(b));
    for (std::size_t s = 0; s < steps.size(); ++s) {
        auto& boxes = map.boxesOf[s];
        for (const lowering::NodeId node : steps[StepId(s)].nodes)
            if (const auto found = boxOfLowered.find(node.value); found != boxOfLowered.end())
                boxes.push_back(found->second);
        if (boxes.empty() && s < result.provenance.fromSteps.size())
            for (const ir::NodeId node : result.provenance.fromSteps[StepId(s)])
                for (const int box : graph.boxesOfCaptured(node))
                    boxes.push_back(box);
        std::sort(boxes.begin(), boxes.end());
        boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (!graph.edges[e].isStub && !graph.edges[e].isRemoved)
            map.edgeOf.emplace(
                std::pair(graph.edges[e].from, graph.edges[e].to), static_cast<int>(e));
    return map;
}

FiringMarks firingMarks(const FiringMap& map, const analysis::Result& result,
    const schedule::FiringTrace& trace, Picoseconds at) {
    FiringMarks marks;
    const schedule::FiringState state = schedule::stateAt(trace, at);
    std::map<int, std::size_t> placeOf;
    std::size_t worded = 0;
    const auto add = [&](std::size_t index, bool isBlocked) {
        const schedule::Firing& firing = trace.firings[index];
        const StepId step = result.program.events[firing.event].step;
        if (!step.isValid() || step.index() >= map.boxesOf.size())
            return;
        const double length = static_cast<double>((firing.end - firing.start).value);
        const double progress =
            isBlocked || length <= 0 ? 0 : static_cast<double>((at - firing.start).value) / length;
        bool isFirst = true;
        for (const int box : map.boxesOf[step.index()]) {
            const auto [found, isNew] = placeOf.try_emplace(box, marks.boxes.size());
            if (!isNew) {
                FiringMarks::Box& mark = marks.boxes[found->second];
                mark.progress = std::max(mark.progress, progress);
                mark.isWrong = mark.isWrong || (!isBlocked && firing.isWrong);
                continue;
            }
            marks.boxes.push_back({box, isBlocked, progress, {}, !isBlocked && firing.isWrong});
            if (std::exchange(isFirst, false) && worded < kMostWords) {
                ++worded;
                marks.boxes.back().words =
                    text(isBlocked ? schedule::waitOf(result.program, trace, index, at)
                                   : schedule::ruleOf(result.program, trace, index));
            }
        }
    };
    for (const std::size_t index : state.running)
        add(index, false);
    for (const std::size_t index : state.blocked)
        add(index, true);
    for (const std::size_t flight : schedule::flightsAt(trace, at)) {
        const schedule::Flight& each = trace.flights[flight];
        const int edge = map.edgeBetween(each.from, each.to);
        if (const auto progress = each.progressAt(at); progress && edge >= 0)
            marks.tokens.push_back({edge, *progress});
    }
    return marks;
}

QPointF pointOnEdge(const QVector<QPointF>& points, double progress) {
    const qsizetype curves = (points.size() - 1) / 3;
    if (curves < 1)
        return points.isEmpty() ? QPointF() : points.front();
    const double along = std::clamp(progress, 0.0, 1.0) * static_cast<double>(curves);
    const auto curve = std::min(static_cast<qsizetype>(along), curves - 1);
    const double t = along - static_cast<double>(curve), u = 1 - t;
    const QPointF* p = points.constData() + 3 * curve;
    return p[0] * (u * u * u) + p[1] * (3 * u * u * t) + p[2] * (3 * u * t * t)
        + p[3] * (t * t * t);
}

FiringOverlay::FiringOverlay(common::ViewState& state, GraphCanvas& canvas)
    : QWidget(&canvas)
    , m_state(state)
    , m_canvas(canvas) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    canvas.installEventFilter(this);
    connect(&state, &common::ViewState::playTimeChanged, this, &FiringOverlay::refresh);
    connect(&state, &common::ViewState::playChanged, this, &FiringOverlay::refresh);
    connect(&canvas, &GraphCanvas::viewChanged, this, &FiringOverlay::refresh);
    setGeometry(canvas.rect());
    hide();
}

bool FiringOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(m_canvas.rect());
    return QWidget::eventFilter(watched, event);
}

void FiringOverlay::refresh() {
    updateMarks();
    if (isHidden())
        return;
    const QRegion region = regionOf(m_marks);
    update(region.united(m_painted));
    m_painted = region;
}

void FiringOverlay::updateMarks() {
    m_marks = {};
    const auto play = m_state.play();
    const auto placed = m_canvas.placed();
    const auto result = m_state.result();
    // At rest at the start nothing is lit: the picture is as before anybody played.
    const bool isShown = play && !play->traces.empty() && placed && result
        && (m_state.isPlaying() || m_state.playTime().value > 0)
        && (!shownResult || shownResult() == result);
    setVisible(isShown);
    if (!isShown)
        return;
    if (m_mapped.lock() != placed) {
        m_map = firingMap(placed->graph, *result);
        m_mapped = placed;
    }
    m_marks = firingMarks(m_map, *result, play->traces.front(), m_state.playTime());
}

QRectF FiringOverlay::boxRect(int box) const {
    const auto placed = m_canvas.placed();
    return m_canvas.view()
        .toPixel(placed->geometry.boxes[static_cast<std::size_t>(box)])
        .adjusted(-kOutside, -kOutside, kOutside, kOutside);
}

QRectF FiringOverlay::wordsRect(const FiringMarks::Box& box) const {
    if (box.words.isEmpty() || m_canvas.view().scale() < kDetailScale)
        return {};
    const QFontMetricsF metrics(common::smallFont());
    const QRectF rect = boxRect(box.box);
    const double width = std::min(kWordsWidth, metrics.horizontalAdvance(box.words) + 8);
    return {rect.left(), rect.bottom() + 2, width, metrics.height() + 2};
}

QRegion FiringOverlay::regionOf(const FiringMarks& marks) const {
    QRegion region;
    if (marks.boxes.size() + marks.tokens.size() > 200) // one rectangle is cheaper
        return rect();
    for (const FiringMarks::Box& box : marks.boxes) {
        region += boxRect(box.box).adjusted(-2, -2, 2, 2).toAlignedRect();
        if (const QRectF words = wordsRect(box); !words.isNull())
            region += words.toAlignedRect();
    }
    const auto& edges = m_canvas.placed()->geometry.edges;
    for (const FiringMarks::Token& token : marks.tokens) {
        const QPointF at = m_canvas.view().toPixel(
            pointOnEdge(edges[static_cast<std::size_t>(token.edge)].points, token.progress));
        region += QRectF(at.x() - kTokenSize, at.y() - kTokenSize, 2 * kTokenSize, 2 * kTokenSize)
                      .toAlignedRect();
    }
    return region;
}

void FiringOverlay::paintEvent(QPaintEvent*) {
    const auto placed = m_canvas.placed();
    if (!placed || m_canvas.isMoving() || m_mapped.lock() != placed)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FiringMarks::Box& box : m_marks.boxes)
        paintBox(painter, box);
    painter.setPen(QPen(Palette::current().role("canvas"), 1));
    painter.setBrush(Palette::current().role("text"));
    for (const FiringMarks::Token& token : m_marks.tokens) {
        const auto& points = placed->geometry.edges[static_cast<std::size_t>(token.edge)].points;
        if (points.size() >= 4)
            painter.drawEllipse(m_canvas.view().toPixel(pointOnEdge(points, token.progress)),
                kTokenSize / 2, kTokenSize / 2);
    }
    for (const FiringMarks::Box& box : m_marks.boxes)
        paintWords(painter, box);
}

void FiringOverlay::paintBox(QPainter& painter, const FiringMarks::Box& box) const {
    const QRectF rect = boxRect(box.box);
    const QColor ink =
        box.isWrong ? Palette::current().verdict("origin") : Palette::current().role("text");
    painter.setBrush(Qt::NoBrush);
    painter.setPen(box.isBlocked ? common::dashedPen(ink, 1.5, {5, 3}) : QPen(ink, kOutline + 0.5));
    painter.drawRoundedRect(rect, 5, 5);
    if (box.isBlocked)
        return;
    const QRectF bar(rect.left() + 4, rect.bottom() - kProgress - 2,
        (rect.width() - 8) * std::clamp(box.progress, 0.0, 1.0), kProgress);
    painter.fillRect(bar, ink);
}

void FiringOverlay::paintWords(QPainter& painter, const FiringMarks::Box& box) const {
    const QRectF rect = wordsRect(box);
    if (rect.isNull())
        return;
    painter.setFont(common::smallFont());
    QColor ground = Palette::current().role("canvas");
    ground.setAlphaF(0.9F);
    painter.fillRect(rect, ground);
    painter.setPen(Palette::current().role("text"));
    const QString words =
        QFontMetricsF(painter.font()).elidedText(box.words, Qt::ElideRight, rect.width() - 6);
    painter.drawText(rect.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

} // namespace fivefold::views::graph
