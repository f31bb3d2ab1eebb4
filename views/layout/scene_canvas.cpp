// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/scene_canvas.h"

#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/layout/scene_painter.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;

namespace {
constexpr double kSmallestPart = 1e-4; ///< of the whole that a zoom shows
constexpr Interval kWhole{0, 1};
} // namespace

SceneCanvas::SceneCanvas(ViewState& state, SceneBuilder builder, QWidget* parent)
    : Canvas(parent)
    , m_state(state)
    , m_builder(std::move(builder)) { }

void SceneCanvas::setView(const SceneView& view) {
    m_view = view;
    refresh();
    emit viewChanged();
}

void SceneCanvas::refresh() {
    m_isOld = true;
    if (isVisible())
        rebuild();
}

void SceneCanvas::rebuild() {
    m_isOld = false;
    m_scene = m_builder(m_state, m_view, size());
    if (m_lensResult != m_state.result() || m_lens.lens() != m_state.lens()
        || m_lens.divergence() != m_state.divergence()) {
        m_lensResult = m_state.result();
        m_lens = LensColours(m_lensResult, m_state.lens(), m_state.divergence());
    }
    update();
    emit sceneChanged();
}

void SceneCanvas::zoomToFit() {
    m_view.x = m_view.y = kWhole;
    refresh();
}

void SceneCanvas::zoomAbout(std::optional<QPointF> at, double factor) {
    const QRectF& plot = m_scene.plot;
    if (plot.isEmpty())
        return;
    const QPointF point = at.value_or(plot.center());
    const auto anchor = [](const Interval& shown, double part) {
        return shown.low + shown.span() * std::clamp(part, 0.0, 1.0);
    };
    if (m_scene.canZoomX)
        m_view.x =
            zoomInterval(m_view.x, anchor(m_view.x, (point.x() - plot.left()) / plot.width()),
                factor, kWhole, kSmallestPart);
    if (m_scene.canZoomY)
        m_view.y =
            zoomInterval(m_view.y, anchor(m_view.y, (point.y() - plot.top()) / plot.height()),
                factor, kWhole, kSmallestPart);
    rebuild();
}

Selection SceneCanvas::selectionOf(const SceneTarget& target) const {
    const auto result = m_state.result();
    if (!result)
        return {};
    if (target.value.isValid()) {
        const auto& graph = result->program.stage(lowering::Stage::Placed);
        if (!graph.values.contains(target.value))
            return {};
        const lowering::Value& value = graph.values[target.value];
        const lowering::NodeId node = value.producer.isValid() ? value.producer
            : value.users.empty()                              ? lowering::NodeId()
                                                               : value.users.front();
        Selection selection;
        if (node.isValid())
            selection = m_state.selectionOf(lowering::Stage::Placed, node);
        selection.value = value.source;
        return selection;
    }
    return target.step.isValid() ? m_state.selectionOf(target.step) : Selection();
}

void SceneCanvas::select(const SceneTarget& target) {
    if (const Selection selection = selectionOf(target); !selection.isEmpty())
        m_state.setSelection(selection);
}

bool SceneCanvas::isIn(const Selection& selection, const std::vector<lowering::StepId>& steps,
    const SceneTarget& target) const {
    if (target.value.isValid()) {
        const auto& graph = m_state.result()->program.stage(lowering::Stage::Placed);
        if (!graph.values.contains(target.value))
            return false;
        const lowering::Value& value = graph.values[target.value];
        if (selection.value.isValid())
            return value.source == selection.value;
        // An operator without a picked tensor stands for its results.
        if (!value.producer.isValid())
            return false;
        const lowering::Node& node = graph.nodes[value.producer];
        if (!selection.added.empty())
            return node.name == selection.added;
        return std::ranges::any_of(
            node.sources, [&](ir::NodeId id) { return selection.contains(id); });
    }
    return std::ranges::find(steps, target.step) != steps.end();
}

std::vector<bool> SceneCanvas::marksOf(const Selection& selection, const Scene& scene) const {
    std::vector<bool> marks(scene.marks.size(), false);
    if (selection.isEmpty() || !m_state.result())
        return marks;
    const auto steps = m_state.stepsOf(selection);
    for (std::size_t i = 0; i < marks.size(); ++i)
        marks[i] = scene.marks[i].isRinged && !scene.marks[i].target.isEmpty()
            && isIn(selection, steps, scene.marks[i].target);
    return marks;
}

void SceneCanvas::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    const Scene scene = m_builder(m_state, m_view, size);
    paintScene(painter, scene, LensColours(m_state.result(), m_state.lens(), m_state.divergence()),
        marksOf(m_state.selection(), scene), {});
}

std::vector<TwinRow> SceneCanvas::twinRows() const {
    std::vector<TwinRow> rows;
    for (const auto& [text, target] : m_scene.rows)
        rows.push_back({text, selectionOf(target)});
    return rows;
}

void SceneCanvas::paintCanvas(QPainter& painter, const QRect&) {
    if (m_scene.isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.setFont(bodyFont());
        painter.drawText(
            rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_scene.reason);
        return;
    }
    paintScene(painter, m_scene, m_lens, marksOf(m_state.selection(), m_scene),
        marksOf(m_state.hover(), m_scene));
}

void SceneCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    if (const SceneMark* mark = m_scene.markAt(position))
        select(mark->target);
    else
        m_state.clearSelection(); // empty space clears
}

void SceneCanvas::dragged(const QPoint& delta, const QPoint&) {
    if (m_scene.plot.isEmpty())
        return;
    if (m_scene.canZoomX)
        m_view.x =
            panInterval(m_view.x, -delta.x() / m_scene.plot.width() * m_view.x.span(), kWhole);
    if (m_scene.canZoomY)
        m_view.y =
            panInterval(m_view.y, -delta.y() / m_scene.plot.height() * m_view.y.span(), kWhole);
    rebuild();
}

void SceneCanvas::zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers) {
    zoomAbout(QPointF(position), factor);
}

void SceneCanvas::hovered(const QPoint* position) {
    const SceneMark* mark = position ? m_scene.markAt(*position) : nullptr;
    const bool isTarget = mark && !mark->target.isEmpty();
    setCursor(isTarget ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_state.setHover(isTarget ? selectionOf(mark->target) : Selection());
}

CardContent SceneCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (const SceneMark* found = m_scene.markAt(position)) {
        mark = QRect(position - QPoint(6, 6), QSize(12, 12));
        return found->card;
    }
    return m_scene.background ? m_scene.background(position) : CardContent();
}

void SceneCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (const SceneMark* mark = m_scene.markAt(position); mark && !mark->card.isEmpty()) {
        const CardContent card = mark->card;
        menu.addAction(
            tr("Copy name"), this, [card] { QApplication::clipboard()->setText(card.title); });
        menu.addAction(tr("Copy as text"), this, [card] {
            QApplication::clipboard()->setText(card.title + u'\n' + card.lines.join(u'\n'));
        });
        menu.addSeparator();
    }
    menu.addActions(actions());
}

/// The next thing in the order of the list twin.
void SceneCanvas::walk(int key) {
    const auto& rows = m_scene.rows;
    if (rows.empty())
        return;
    const auto steps = m_state.selectedSteps();
    auto at = std::ranges::find_if(
        rows, [&](const auto& row) { return isIn(m_state.selection(), steps, row.second); });
    const bool isBack = key == Qt::Key_Left || key == Qt::Key_Up;
    if (m_state.selection().isEmpty() || at == rows.end())
        at = isBack ? rows.end() - 1 : rows.begin();
    else if (isBack && at != rows.begin())
        --at;
    else if (!isBack) {
        // Several rows may show one selection: the next is behind the last of them.
        while (at != rows.end() && isIn(m_state.selection(), steps, at->second))
            ++at;
        if (at == rows.end())
            return;
    }
    select(at->second);
}

void SceneCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        walk(event->key());
        return;
    case Qt::Key_Escape:
        m_state.clearSelection();
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void SceneCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    refresh();
}

void SceneCanvas::showEvent(QShowEvent* event) {
    Canvas::showEvent(event);
    if (m_isOld)
        rebuild();
}

void SceneCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_lensResult.reset(); // colours of the other theme
        m_lens = {};
        refresh();
    }
}

} // namespace fivefold::views::layout
