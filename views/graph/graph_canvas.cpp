// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/graph_canvas.h"

#include "views/common/motion.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivefold::views::graph {

using common::Palette;

namespace {

constexpr int kMoveMs = 250; // tokens.json motion.stageMove
constexpr int kFadeMs = 80; // tokens.json motion: new ones fade in at the end
constexpr double kReadable = 0.6; ///< the first view is never smaller
constexpr double kMargin = 16; ///< round the picture, so that rings and halos stay inside
constexpr double kEdgeReach = 5; ///< pixels beside an edge that still touch it
constexpr int kChipHeight = 20;

constexpr std::ptrdiff_t kLeastInView = 3; ///< boxes: fewer make a blank start

/// Where a window of `room` over a sorted axis shows most points; `wanted` where that shows at
/// least half as many, or a few. O(n log n).
double bestCentre(std::vector<double> points, double wanted, double room) {
    if (points.empty())
        return wanted;
    std::sort(points.begin(), points.end());
    const auto inside = std::upper_bound(points.begin(), points.end(), wanted + room / 2)
        - std::lower_bound(points.begin(), points.end(), wanted - room / 2);
    std::ptrdiff_t most = 0;
    double centre = wanted;
    for (auto first = points.begin(), last = first; first != points.end(); ++first) {
        while (last != points.end() && *last - *first <= room)
            ++last;
        if (last - first > most) {
            most = last - first;
            centre = (*first + *(last - 1)) / 2;
        }
    }
    return inside >= kLeastInView || inside * 2 >= most ? wanted : centre;
}

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : Canvas(parent) {
    m_view.setScaleLimits(0.02, 4);
    m_animation.setDuration(kMoveMs);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& progress) {
        if (m_before && m_placed)
            m_shown =
                between(m_before->geometry, m_placed->geometry, m_survivors, progress.toDouble());
        update();
    });
    connect(&m_animation, &QVariantAnimation::finished, this, &GraphCanvas::finishMotion);
}

void GraphCanvas::setPlaced(std::shared_ptr<const PlacedGraph> placed, Entry entry) {
    finishMotion();
    hideCard();
    m_before = std::exchange(m_placed, std::move(placed));
    m_hoveredBox = -1;
    const std::vector<char> selectedBefore = std::exchange(m_marks, {}).selected;
    m_survivors = m_before && m_placed && entry == Entry::Glide
        ? survivors(m_before->graph, m_placed->graph)
        : Survivors{};
    m_view.setViewport(size());
    const QPointF originBefore = m_view.origin();
    const QRectF content = m_placed ? m_placed->geometry.bounds : QRectF();
    m_view.setContent(content.adjusted(-kMargin, -kMargin, kMargin, kMargin));
    const bool hasSize = width() > 1 && height() > 1;
    if (!m_before || entry == Entry::Anew) {
        m_isFirstViewWanted = !hasSize;
        if (hasSize)
            showFirstView();
    } else if (m_placed) {
        keepAnchor(selectedBefore, originBefore);
        if (m_hasMotion && !common::isMotionReduced() && isVisible()) {
            m_shown = between(m_before->geometry, m_placed->geometry, m_survivors, 0);
            m_animation.start();
        }
    }
    viewMoved();
}

/// Moves the view so that one survivor stays under the same pixel: the selected one, else the one
/// nearest to the middle of what was seen.
void GraphCanvas::keepAnchor(const std::vector<char>& selectedBefore, const QPointF& originBefore) {
    const QRectF seen(originBefore, m_view.viewport() / m_view.scale());
    double least = std::numeric_limits<double>::infinity();
    std::size_t anchor = m_survivors.before.size();
    for (std::size_t b = 0; b < m_survivors.before.size(); ++b) {
        if (m_survivors.before[b] < 0)
            continue;
        const auto old = static_cast<std::size_t>(m_survivors.before[b]);
        const QRectF& was = m_before->geometry.boxes[old];
        if (!seen.intersects(was))
            continue;
        const QPointF away = was.center() - seen.center();
        const bool isSelected = old < selectedBefore.size() && selectedBefore[old];
        const double distance = isSelected ? -1 : std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            anchor = b;
        }
    }
    if (anchor == m_survivors.before.size()) {
        showFirstView();
        return;
    }
    const auto old = static_cast<std::size_t>(m_survivors.before[anchor]);
    m_view.setView(m_view.scale(),
        originBefore + m_placed->geometry.boxes[anchor].center()
            - m_before->geometry.boxes[old].center());
    // What glides in starts where it stood on the screen.
    const QPointF shift = m_view.origin() - originBefore;
    auto before = std::make_shared<PlacedGraph>(*m_before);
    for (QRectF& box : before->geometry.boxes)
        box.translate(shift);
    m_before = std::move(before);
}

void GraphCanvas::finishMotion() {
    if (m_animation.state() == QAbstractAnimation::Running) {
        const QSignalBlocker quiet(&m_animation);
        m_animation.stop();
    }
    m_before.reset();
    m_shown = {};
    update();
}

void GraphCanvas::setBands(Bands bands, common::Lens lens) {
    m_bands = std::move(bands);
    m_lens = lens;
    update();
}

void GraphCanvas::setMarks(Marks marks) {
    m_marks = std::move(marks);
    update();
}

void GraphCanvas::showFirstView() {
    if (!m_placed)
        return;
    const QRectF content = m_placed->geometry.bounds;
    const double across = (width() - 2 * kMargin) / std::max(1.0, content.width());
    const double down = (height() - 2 * kMargin) / std::max(1.0, content.height());
    const double whole = std::min({across, down, 1.0});
    if (whole >= kReadable) {
        m_view.fit(content, kMargin, 1);
        viewMoved();
        return;
    }
    const bool isDown = !m_placed->geometry.isLeftToRight;
    double scale = std::clamp(isDown ? across : down, kReadable, 1.0);
    // The minimap gets a margin of its own where that leaves the picture readable.
    const double mapRoom = kMinimapSize.width() + 8;
    const double besideMap = (width() - 2 * kMargin - mapRoom) / std::max(1.0, content.width());
    const bool hasMapRoom = isDown && besideMap >= kReadable;
    if (hasMapRoom)
        scale = std::min(besideMap, 1.0);
    QPointF start = content.topLeft();
    // The first input, where the model begins, is in the middle.
    if (!m_placed->geometry.boxes.empty())
        start = m_placed->geometry.boxes.front().center();
    for (std::size_t b = 0; b < m_placed->geometry.boxes.size(); ++b)
        if (m_placed->graph.boxes[b].kind == BoxKind::Input) {
            start = m_placed->geometry.boxes[b].center();
            break;
        }
    const QSizeF shown = QSizeF(width() - (hasMapRoom ? mapRoom : 0), height()) / scale;
    // Unless it stands so far aside that the view would be all but empty.
    std::vector<double> near;
    for (const QRectF& box : m_placed->geometry.boxes)
        if (isDown ? box.top() < content.top() + shown.height()
                   : box.left() < content.left() + shown.width())
            near.push_back(isDown ? box.center().x() : box.center().y());
    constexpr double kBox = 204; // a box counts when it is in view as a whole
    if (isDown)
        start.setX(bestCentre(near, start.x(), std::max(1.0, shown.width() - kBox)));
    else
        start.setY(bestCentre(near, start.y(), std::max(1.0, shown.height() - kBox / 4)));
    QPointF origin(content.left() - kMargin / scale, content.top() - kMargin / scale);
    if (isDown && content.width() + 2 * kMargin > shown.width())
        origin.setX(std::clamp(start.x() - shown.width() / 2, content.left() - kMargin,
            content.right() + kMargin - shown.width()));
    else if (isDown)
        origin.setX(content.center().x() - shown.width() / 2);
    if (!isDown && content.height() + 2 * kMargin > shown.height())
        origin.setY(std::clamp(start.y() - shown.height() / 2, content.top() - kMargin,
            content.bottom() + kMargin - shown.height()));
    else if (!isDown)
        origin.setY(content.center().y() - shown.height() / 2);
    m_view.setView(scale, origin);
    viewMoved();
}

void GraphCanvas::fitAll() {
    if (!m_placed)
        return;
    const QRectF content = m_placed->geometry.bounds;
    const double whole = std::min((width() - 2 * kMargin) / std::max(1.0, content.width()),
        (height() - 2 * kMargin) / std::max(1.0, content.height()));
    if (whole < kDetailScale) {
        showFirstView();
        return;
    }
    m_view.fit(content, kMargin, 1);
    viewMoved();
}

void GraphCanvas::fitBoxes(const std::vector<int>& boxes) {
    QRectF all;
    for (const int b : boxes)
        if (m_placed && static_cast<std::size_t>(b) < m_placed->geometry.boxes.size())
            all = all.united(m_placed->geometry.boxes[static_cast<std::size_t>(b)]);
    if (all.isNull())
        return;
    m_view.fit(all.adjusted(-40, -40, 40, 40), kMargin, 1.5);
    viewMoved();
}

void GraphCanvas::zoomBy(double factor) {
    m_view.zoomAt(QPointF(width(), height()) / 2, factor);
    viewMoved();
}

void GraphCanvas::resetZoom() {
    m_view.setScale(1);
    viewMoved();
}

void GraphCanvas::showBoxes(const std::vector<int>& boxes) {
    if (!m_placed || boxes.empty())
        return;
    const QRectF seen = m_view.visibleContent();
    for (const int b : boxes) {
        const QRectF& box = m_placed->geometry.boxes[static_cast<std::size_t>(b)];
        const bool isTooLarge = box.width() > seen.width() || box.height() > seen.height();
        if (isTooLarge ? seen.contains(box.center()) : seen.contains(box))
            return;
    }
    const QRectF& first = m_placed->geometry.boxes[static_cast<std::size_t>(boxes.front())];
    m_view.ensureVisible(first, std::min({60.0, width() / 4.0, height() / 4.0}));
    viewMoved();
}

QRect GraphCanvas::boxRect(int box) const {
    if (!m_placed || box < 0 || static_cast<std::size_t>(box) >= m_placed->geometry.boxes.size())
        return {};
    return m_view.toPixel(m_placed->geometry.boxes[static_cast<std::size_t>(box)]).toRect();
}

QRect GraphCanvas::minimapRect() const {
    if (!m_placed || m_placed->geometry.boxes.size() < 2 || width() < 240 || height() < 200)
        return {};
    const QRect area(QPoint(width() - kMinimapSize.width() - 8, 8), kMinimapSize);
    const QRectF content = m_placed->geometry.bounds;
    if (!m_view.visibleContent().adjusted(-1, -1, 1, 1).contains(content))
        return area;
    // Everything is in view: it helps only where it covers nothing.
    const QRectF under = m_view.toContent(QRectF(area));
    for (const QRectF& box : m_placed->geometry.boxes)
        if (box.intersects(under))
            return {};
    for (const QRectF& group : m_placed->geometry.groups)
        if (group.intersects(under))
            return {};
    for (const EdgeShape& edge : m_placed->geometry.edges)
        if (edge.label.intersects(under))
            return {};
    return area;
}

GraphCanvas::Outside GraphCanvas::outside() const {
    Outside result;
    if (!m_placed)
        return result;
    const QRectF seen = m_view.visibleContent();
    const auto count = [&](bool isSelection) {
        result = {};
        result.isSelection = isSelection;
        for (std::size_t b = 0; b < m_placed->geometry.boxes.size(); ++b) {
            if (isSelection && (b >= m_marks.selected.size() || !m_marks.selected[b]))
                continue;
            const QRectF& box = m_placed->geometry.boxes[b];
            if (box.bottom() < seen.top())
                ++result.above;
            else if (box.top() > seen.bottom())
                ++result.below;
            else if (box.right() < seen.left())
                ++result.left;
            else if (box.left() > seen.right())
                ++result.right;
        }
        return result.above + result.below + result.left + result.right;
    };
    if (count(true) == 0)
        count(false);
    return result;
}

Scene GraphCanvas::scene() const {
    Scene scene;
    if (!m_placed)
        return scene;
    scene.graph = &m_placed->graph;
    scene.geometry = m_before && isMoving() ? &m_shown : &m_placed->geometry;
    scene.bands = &m_bands;
    scene.marks = &m_marks;
    scene.lens = m_lens;
    scene.isFresh = &m_survivors.isFresh;
    if (isMoving()) { // edges and what is new come in at the end
        const double left = kMoveMs - m_animation.currentTime();
        scene.edgeOpacity = std::clamp(1 - left / kFadeMs, 0.0, 0.99);
    }
    return scene;
}

void GraphCanvas::paintCanvas(QPainter& painter, const QRect& dirty) {
    const Scene scene = this->scene();
    if (!scene.graph)
        return;
    paintScene(painter, scene, m_view, dirty);
    if (const QRect map = minimapRect(); !map.isNull())
        paintMinimap(painter, map, scene, m_view);
    paintChips(painter);
}

void GraphCanvas::paintInto(QPainter& painter, const QSize& size) {
    if (!m_placed)
        return;
    common::PlaneView view = m_view;
    view.setViewport(size);
    if (size != this->size()) {
        const QRectF content = m_placed->geometry.bounds;
        const double across = (size.width() - 2 * kMargin) / std::max(1.0, content.width());
        const double down = (size.height() - 2 * kMargin) / std::max(1.0, content.height());
        if (std::min(across, down) >= kReadable) {
            view.fit(content, kMargin, 1);
        } else {
            const double scale = std::clamp(across, kReadable, 1.0);
            view.setView(scale,
                QPointF(content.center().x() - size.width() / scale / 2,
                    content.top() - kMargin / scale));
        }
    }
    painter.save();
    painter.setClipRect(QRect(QPoint(0, 0), size), Qt::IntersectClip);
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    Scene scene = this->scene();
    scene.geometry = &m_placed->geometry;
    scene.edgeOpacity = 1;
    scene.isFresh = nullptr; // a picture on paper has no picture before it
    paintScene(painter, scene, view, QRectF(QPointF(0, 0), size));
    painter.restore();
}

std::vector<GraphCanvas::Chip> GraphCanvas::chips() const {
    const Outside count = outside();
    const QFontMetrics font(common::smallFont());
    std::vector<Chip> chips;
    const auto add = [&](int number, const QString& text, const QPoint& place, Qt::Alignment at,
                         QPointF step) {
        if (number == 0)
            return;
        const QString words =
            count.isSelection ? text.arg(tr("%1 selected").arg(number)) : text.arg(number);
        QRect rect(0, 0, std::max(56, font.horizontalAdvance(words) + 24), kChipHeight);
        rect.moveTopLeft({at & Qt::AlignRight ? place.x() - rect.width() : place.x(),
            at & Qt::AlignBottom ? place.y() - rect.height() : place.y()});
        chips.push_back({rect, words, step});
    };
    add(count.above, QStringLiteral("▴ ") + tr("%1 above"), {8, 8}, Qt::AlignTop, {0, 0.8});
    add(count.below, QStringLiteral("▾ ") + tr("%1 below"), {8, height() - 8}, Qt::AlignBottom,
        {0, -0.8});
    add(count.left, QStringLiteral("◂ ") + tr("%1 left"), {8, height() / 2}, Qt::AlignTop,
        {0.8, 0});
    add(count.right, QStringLiteral("▸ ") + tr("%1 right"), {width() - 8, height() / 2},
        Qt::AlignRight, {-0.8, 0});
    return chips;
}

void GraphCanvas::paintChips(QPainter& painter) const {
    const Palette& palette = Palette::current();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setFont(common::smallFont());
    for (const Chip& chip : chips()) {
        painter.setBrush(palette.role("base"));
        painter.setPen(palette.role("border"));
        painter.drawRoundedRect(
            QRectF(chip.rect).adjusted(0.5, 0.5, -0.5, -0.5), kChipHeight / 2.0, kChipHeight / 2.0);
        painter.setPen(palette.role("text"));
        painter.drawText(chip.rect, Qt::AlignCenter, chip.text);
    }
    painter.restore();
}

Hit GraphCanvas::hitAt(const QPoint& position) const {
    if (!m_placed)
        return {};
    return hitTest(
        m_placed->geometry, m_view.toContent(QPointF(position)), kEdgeReach / m_view.scale());
}

void GraphCanvas::viewMoved() {
    update();
    emit viewChanged();
}

} // namespace fivefold::views::graph
